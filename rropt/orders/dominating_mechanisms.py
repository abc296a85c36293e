"""The strictly better admissible mechanism, written down: each row is peeled into patterns {t, gamma t}.

Fix gamma > 1. For a set S of inputs, neither empty nor full, the *pattern* e_S is gamma on S and 1 elsewhere. A row a
with values v_1 > v_2 > ... > v_r, v_1 <= gamma v_r, and S_s = {j : a_j >= v_s} is

    a = sum_{s<r} w_s e_{S_s} + c 1,    w_s = (v_s - v_{s+1}) / (gamma - 1) > 0,
                                        c = v_r - (v_1 - v_r) / (gamma - 1) >= 0,

since e_S = 1 + (gamma - 1) 1_S. Summing over the rows i of P gives weights W_S and a constant rest d = sum_i c_i, the
part of the answers that is independent of the truth. If d < 1 the rows A_S = W_S e_S / (1 - d) are a mechanism (their
sum is 1) with exactly two values of ratio gamma in each row, and

    P = C A,    C_iS = (1 - d) w_iS / W_S + c_i,

with columns that sum to (1 - d) + d = 1. This is Lemma 4.4 of Chai and Nayak (2018), then Lemma 4.3, without search.

*Strictly better.* The payoff Y_S(v) = sum_{j in S, l not in S} (v_j - gamma v_l) is at most 0 on every row of parity
at most gamma, and 0 only on multiples of e_S. So sum_S Y_S . A_S = 0, while sum_i max_S Y_S . P_i < 0 as soon as one
row of P is no multiple of a pattern: P does not garble to A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from rropt.errors import InvalidMechanismError, InvalidParameterError, shown
from rropt.exact import rational
from rropt.mechanisms import Mechanism
from rropt.mechanisms.required import required_mechanism

Subset = tuple[int, ...]  # inputs, ascending


@dataclass(frozen=True, slots=True)
class Domination:
    """A member A of C_gamma^0 that garbles to P, with the kernel and the decision problem that prove it.

    Attributes:
        mechanism: A, shape (r, k).
        gamma: the rational odds bound gamma > 1 of A.
        high: for each row of A the inputs at which it takes its larger value.
        kernel: C, shape (m, r): P = C A.
        payoff: Y, shape (r, k): ``sum_i max_s Y_s . P_i <= 0 = sum_s Y_s . A_s``, strict unless P is in C_gamma^0.
    """

    mechanism: Mechanism
    gamma: Fraction
    high: tuple[Subset, ...]
    kernel: Mechanism
    payoff: tuple[tuple[Fraction, ...], ...]


def dominate(mechanism: Mechanism, gamma: Fraction) -> Domination:
    """Return a member of C_gamma^0 that is at least as informative as P; equivalent to P iff P is in C_gamma^0.

    Args:
        mechanism: P, m outputs, k >= 2 inputs, of parity at most gamma; proportional rows are allowed.
        gamma: odds bound, a rational above 1.

    Raises:
        InvalidMechanismError: one input only, or a parity above gamma.
        InvalidParameterError: gamma is not above 1.

    Source: Chai and Nayak (2018), Lemmas 4.3 and 4.4, as one step (module docstring).

    >>> better = dominate(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), Fraction(3))
    >>> print(*better.mechanism.matrix[0], *better.kernel.matrix[0], float(better.mechanism[0, 0]))
    3/4 1/4 5/6 1/6 0.75
    """
    gamma = gamma if isinstance(gamma, Fraction) else rational(gamma, name="gamma")
    _require_level(required_mechanism(mechanism), gamma)
    peeled = [_peel(row, gamma) for row in mechanism.matrix]
    weights: dict[Subset, Fraction] = {}
    for parts, _ in peeled:
        for subset, weight in parts.items():
            weights[subset] = weights.get(subset, Fraction(0)) + weight
    k = mechanism.inputs
    if not weights:  # the answers are independent of the truth: every member garbles to them
        weights = {(j,): Fraction(1) for j in range(k)}
    rest = sum((constant for _, constant in peeled), Fraction(0))
    kernel = [
        [(1 - rest) * parts.get(subset, Fraction(0)) / weight + constant for subset, weight in weights.items()]
        for parts, constant in peeled
    ]
    better = pattern_mechanism(k, gamma, weights)
    payoff = tuple(_payoff(subset, k, gamma) for subset in weights)
    return Domination(better, gamma, tuple(weights), Mechanism(kernel), payoff)


def pattern_mechanism(inputs: int, gamma: Fraction, weights: dict[Subset, Fraction]) -> Mechanism:
    """Return the member of C_gamma^0 whose rows are proportional to ``weights[S] e_S``.

    Args:
        inputs: k >= 2.
        gamma: a rational above 1.
        weights: a positive weight for each set S of inputs such that ``sum_S weights[S] e_S`` is constant.
    """
    constant = sum((w * (gamma if 0 in subset else 1) for subset, w in weights.items()), Fraction(0))
    return Mechanism(
        [[w * (gamma if j in subset else 1) / constant for j in range(inputs)] for subset, w in weights.items()]
    )


def _require_level(mechanism: Mechanism, gamma: Fraction) -> None:
    if mechanism.inputs < 2:
        raise InvalidMechanismError(
            f"the mechanism has one input: received shape {mechanism.shape}; at least 2 inputs are needed, since with "
            "one there is nothing to ask"
        )
    if gamma <= 1:
        raise InvalidParameterError(
            f"gamma is out of range: received {shown(gamma)}; allowed is gamma > 1: at gamma = 1 every answer is "
            "independent of the truth"
        )
    parity = mechanism.parity()
    if parity is None or parity > gamma:
        received = "infinite" if parity is None else shown(parity)
        raise InvalidMechanismError(
            f"the parity of the mechanism exceeds the level: received parity {received} and gamma = {shown(gamma)}; "
            "allowed is a parity of at most gamma; raise the level"
        )


def _peel(row: Sequence[Fraction], gamma: Fraction) -> tuple[dict[Subset, Fraction], Fraction]:
    """Return the weights w_s by the sets S_s, and the constant rest c, of ``row = sum w_s e_{S_s} + c 1``."""
    values = sorted(set(row), reverse=True)
    parts = {
        tuple(j for j, x in enumerate(row) if x >= value): (value - lower) / (gamma - 1)
        for value, lower in pairwise(values)
    }
    return parts, values[-1] - (values[0] - values[-1]) / (gamma - 1)


def _payoff(subset: Subset, k: int, gamma: Fraction) -> tuple[Fraction, ...]:
    """Return the coefficients of ``sum_{j in S, l not in S} (v_j - gamma v_l)``."""
    size = len(subset)
    return tuple(Fraction(k - size) if j in subset else -gamma * size for j in range(k))
