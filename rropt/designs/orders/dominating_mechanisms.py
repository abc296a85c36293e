"""Construct the strictly better admissible mechanism: decompose each row into staircase rows {t, gamma t}.

*Staircase rows.* Fix gamma > 1. For a set S of inputs, neither empty nor full, the *staircase row* e_S is gamma on S
and 1 elsewhere, so e_S = 1 + (gamma - 1) 1_S. Let a row a have the values v_1 > v_2 > ... > v_r with v_1 <= gamma v_r,
and let S_s = {j : a_j >= v_s}. Then

    a = sum_{s<r} w_s e_{S_s} + c 1,    w_s = (v_s - v_{s+1}) / (gamma - 1) > 0,
                                        c = v_r - (v_1 - v_r) / (gamma - 1) >= 0.

*The mechanism A.* Summing over the rows i of P gives weights W_S and a constant d = sum_i c_i, the part of the outputs
that does not depend on the input. If d < 1, the rows A_S = W_S e_S / (1 - d) sum to 1. So they form a mechanism, with
exactly two values of ratio gamma in each row, and

    P = C A,    C_iS = (1 - d) w_iS / W_S + c_i,

where the columns of C sum to (1 - d) + d = 1. This combines Lemmas 4.4 and 4.3 of Chai and Nayak (2018) in one step
without a search.

*A is strictly better.* The payoff Y_S(v) = sum_{j in S, l not in S} (v_j - gamma v_l) is at most 0 on every row of
parity at most gamma, and 0 only on multiples of e_S. So sum_S Y_S . A_S = 0. If some row of P is not a multiple of a
staircase row, sum_i max_S Y_S . P_i < 0. Hence A is not a garbling of P.

*Conditions on the rows.* The module also merges proportional rows, and tests whether each row has parity gamma (C1) and
two distinct values (C2). Proportional rows have the same likelihood ratios. Merging them gives an equivalent mechanism
with fewer outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, shown
from rropt.core.exact import Bracket, Epsilon, as_text, rational
from rropt.core.exact.numbers import whole_numbers
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.results import Result, labelled
from rropt.designs.orders.garblings import MergedIntegerRows
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism

Subset = tuple[int, ...]  # inputs, ascending


@dataclass(frozen=True, slots=True)
class Domination(Result):
    """A member A of C_gamma^0 of which P is a garbling, with the kernel and the decision task that prove it.

    Attributes:
        mechanism: A, shape (r, k).
        gamma: the rational odds bound gamma > 1 of A.
        high: for each row of A, the inputs with the larger value.
        kernel: C, shape (m, r): P = C A.
        payoff: Y, shape (r, k): ``sum_i max_s Y_s . P_i <= 0 = sum_s Y_s . A_s``, strict unless P is in C_gamma^0.
    """

    mechanism: Mechanism
    gamma: Fraction
    high: tuple[Subset, ...]
    kernel: Mechanism
    payoff: tuple[tuple[Fraction, ...], ...]

    def checked(self) -> None:
        """Raise an error if the mechanism read from a file does not match its kernel and payoff."""
        if dominate(self.kernel @ self.mechanism, self.gamma) != self:
            raise InvalidMechanismError("the mechanism of a file is not the dominating one: create the file again")


def dominate(mechanism: Mechanism, gamma: Fraction) -> Domination:
    """Return a member of C_gamma^0 at least as informative as P; it is equivalent to P iff P is in C_gamma^0.

    Args:
        mechanism: P with m outputs, k >= 2 inputs and parity at most gamma; proportional rows are allowed.
        gamma: odds bound, a rational above 1.

    Raises:
        InvalidMechanismError: the mechanism has one input, or its parity exceeds gamma.
        InvalidParameterError: gamma is not above 1.

    Source: Chai and Nayak (2018), Lemmas 4.3 and 4.4, as one step (module docstring).

    >>> better = dominate(Mechanism([["2/3", "1/3"], ["1/3", "2/3"]]), Fraction(3))
    >>> print(*better.mechanism.matrix[0], *better.kernel.matrix[0], float(better.mechanism[0, 0]))
    3/4 1/4 5/6 1/6 0.75
    """
    gamma = gamma if isinstance(gamma, Fraction) else rational(gamma, name="gamma")
    mechanism = required_mechanism(mechanism)
    _require_level(mechanism, gamma)
    peeled = [_staircase_weights(row, gamma) for row in mechanism.matrix]
    weights: dict[Subset, Fraction] = {}
    for parts, _ in peeled:
        for subset, weight in parts.items():
            weights[subset] = weights.get(subset, Fraction(0)) + weight
    k = mechanism.inputs
    if not weights:  # the outputs do not depend on the input: they are a garbling of every member
        weights = {(j,): Fraction(1) for j in range(k)}
    rest = sum((constant for _, constant in peeled), Fraction(0))
    kernel = [
        [(1 - rest) * parts.get(subset, Fraction(0)) / weight + constant for subset, weight in weights.items()]
        for parts, constant in peeled
    ]
    better = staircase_mechanism(k, gamma, weights)
    payoff = tuple(_payoff(subset, k, gamma) for subset in weights)
    return Domination(better, gamma, tuple(weights), Mechanism(kernel), payoff)


def staircase_mechanism(inputs: int, gamma: Fraction, weights: dict[Subset, Fraction]) -> Mechanism:
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
            f"gamma is out of range: received {shown(gamma)}; allowed is gamma > 1: at gamma = 1 every output "
            "is independent of the truth"
        )
    parity = mechanism.parity()
    if parity is None or parity > gamma:
        received = "infinite" if parity is None else shown(parity)
        raise InvalidMechanismError(
            f"the parity of the mechanism exceeds the level: received parity {received} and gamma = {shown(gamma)}; "
            "allowed is a parity of at most gamma: `rropt repair` finds the nearest such mechanism"
        )


def _staircase_weights(row: Sequence[Fraction], gamma: Fraction) -> tuple[dict[Subset, Fraction], Fraction]:
    """Return the weights w_s by the sets S_s, and the constant c, of ``row = sum w_s e_{S_s} + c 1``."""
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


@dataclass(frozen=True, slots=True)
class MergedRows(Result):
    """A mechanism without proportional rows, and the kernel that restores the original.

    Attributes:
        mechanism: the merged mechanism P'.
        groups: for each row of the merged mechanism, the original rows whose sum it is, ascending.
        split: the kernel D with original = D P'.
    """

    mechanism: Mechanism
    groups: tuple[tuple[int, ...], ...]
    split: Mechanism

    LABELS = labelled(
        mechanism="mechanism without proportional rows",
        groups="original rows merged into each row",
        split="kernel that restores the original",
        is_trivial="",
    )

    def checked(self) -> None:
        """Raise an error if the rows read from a file are not merged in this way."""
        if merge_proportional_rows(self.split @ self.mechanism) != self:
            raise InvalidMechanismError("the rows of a file are not merged in this way: create the file again")

    @property
    def is_trivial(self) -> bool:
        """Whether no rows were merged."""
        return all(len(group) == 1 for group in self.groups)


def merge_proportional_rows(mechanism: Mechanism) -> MergedRows:
    """Return the equivalent mechanism in which no two rows are proportional.

    Rows a and s a, s > 0, have the same likelihood ratios; their sum replaces them. Splitting each merged output with
    probabilities 1/(1+s) and s/(1+s) restores the original. So each mechanism is a garbling of the other.

    Args:
        mechanism: P, m outputs, k inputs.

    Raises:
        InvalidMechanismError: a row consists of zeros, so its output never occurs.

    Source: Chai and Nayak (2018), Remark 4.1.

    >>> merged = merge_proportional_rows(Mechanism([["1/2", "1/4"], ["1/4", "1/8"], ["1/4", "5/8"]]))
    >>> print(merged.groups, *merged.mechanism.matrix[0], float(merged.mechanism[0, 1]))
    ((0, 1), (2,)) 3/4 3/8 0.375
    """
    mechanism = required_mechanism(mechanism)
    m, k = mechanism.shape
    numbers, scale = whole_numbers(x for row in mechanism.matrix for x in row)
    merged = MergedIntegerRows.of([numbers[i * k : (i + 1) * k] for i in range(m)])
    split = []
    for i, share in enumerate(merged.shares):
        if share is None:
            raise InvalidMechanismError(
                f"row {i} of the mechanism is zero: received an output that never occurs; every row needs a "
                "positive entry; leave the row out"
            )
        split.append([share[1] if group == share[0] else Fraction(0) for group in range(len(merged.rows))])
    is_same = len(merged.rows) == m  # the same mechanism keeps its name
    better = mechanism if is_same else Mechanism([[Fraction(x, scale) for x in row] for row in merged.rows])
    return MergedRows(better, merged.groups, Mechanism(split))


@dataclass(frozen=True, slots=True)
class RowReason:
    """The reason why a row, or a group of merged rows, excludes a mechanism from C_gamma^0.

    Attributes:
        rows: the row of the given mechanism, or the proportional rows that were merged into one.
        condition: ``"C1"`` (parity below gamma) or ``"C2"`` (not two distinct values).
        parity: the ratio of the largest to the smallest entry of the row.
        values: the number of distinct entries of the row.
        level: the level whose gamma the row's parity does not attain.
    """

    rows: tuple[int, ...]
    condition: Literal["C1", "C2"]
    parity: Fraction
    values: int
    level: Epsilon

    def __str__(self) -> str:
        where = f"row {self.rows[0]}" if len(self.rows) == 1 else f"rows {', '.join(map(str, self.rows))} (merged)"
        if self.condition == "C2":
            return f"{where}: {self.values} distinct values instead of two (C2)"
        gamma = self.level.gamma
        bound = f"exp({self.level})" if gamma is None else as_text(gamma)
        constant = "; it is constant and reveals nothing about the truth" if self.parity == 1 else ""
        return f"{where}: parity {as_text(self.parity)}, below gamma = {bound} (C1){constant}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``."""
        return {
            "rows": list(self.rows),
            "condition": self.condition,
            "parity": as_text(self.parity),
            "values": self.values,
            "text": str(self),
        }


def row_reasons(merged: MergedRows, level: Epsilon) -> list[RowReason]:
    """Return the reasons why merged rows do not have parity gamma or do not have two distinct values."""
    reasons = []
    for rows, row in zip(merged.groups, merged.mechanism.matrix, strict=True):
        parity, values = max(row) / min(row), len(set(row))
        if parity != level.gamma:
            reasons.append(RowReason(rows, "C1", parity, values, level))
        if values > 2:
            reasons.append(RowReason(rows, "C2", parity, values, level))
    return reasons


def level_bracket(level: Epsilon, parity: Fraction) -> Bracket:
    """Return rationals ``below <= gamma <= above``: both gamma if it is rational, else ``below`` above the parity."""
    digits = FIRST_BRACKET_DIGITS
    while digits <= MAX_BRACKET_DIGITS:
        below, above = level.gamma_bracket(digits)
        if below == above or below > parity:
            return Bracket(below, above)
        digits *= 2
    raise InvalidParameterError(
        f"the level is too near to the parity of the mechanism: received epsilon = {level}; allowed is a difference "
        f"within {MAX_BRACKET_DIGITS} digits; round the level"
    )
