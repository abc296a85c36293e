"""Designs that the pictures mark: the certified optimum, and the classical designs at a level.

Each classical design takes the most informative parameter that the level allows. At delta = 0 that is the parameter of
parity exactly gamma = exp(epsilon). At delta > 0 it makes one of the ratio inequalities (11) of Holohan, Leith and
Mason (2016) tight:

* Warner: ``p = (gamma + delta) / (gamma + 1)`` (Theorem 4); crosswise the same; Mangat and Singh: T and p with
  ``T + (1 - T) p`` equal to it.
* Forced response with ``y : n`` fixed, b = y / (y + n), and the unrelated question with piB = b: these are one matrix,
  ``p00 = t + (1 - t)(1 - b)``, ``p11 = t + (1 - t) b``. (11a) is ``t <= (c + delta) / (c + 1)`` with
  ``c = (gamma - 1) b``, (11b) the same with 1 - b; the bound grows with c, so ``c = (gamma - 1) min(b, 1 - b)``.
* Mangat (1994): (p, 1), private at no delta < p and at every delta >= p: ``p = delta``.

Over whole arrays of parameters the optimal designs come in floating point: for pictures and sweeps.
"""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.errors import InvalidParameterError, shown
from rropt.exact import as_text, rational, rational_where
from rropt.mechanisms import DESIGNS, Mechanism
from rropt.mechanisms.designs.binary import truth_probability
from rropt.privacy import PrivacyRegion
from rropt.problem import binary_problem
from rropt.solvers import Solution, solve

ROUTES = ("closed-form", "exact")  # exact ones, and fast: a picture solves several problems


@dataclass(frozen=True, slots=True)
class Optimum:
    """The optimum at a prevalence.

    Attributes:
        solution: certified.
        names: which of the points B = (1, delta), C (p00 = p11) and D = (delta, 1) are optimal, in this order.
    """

    solution: Solution
    names: tuple[str, ...]

    @classmethod
    def at(cls, region: PrivacyRegion, prevalence: object) -> Optimum:
        """Return the certified optimum over a binary region."""
        solution = solve_exactly(region.epsilon, region.delta, prevalence)
        return cls(solution, tuple(sorted({name for design in solution.optima for name in _names(design)})))

    @property
    def prevalence(self) -> Fraction:
        """Pr(X = 1)."""
        return self.solution.problem.prevalence

    def record(self) -> dict[str, Any]:
        """Return the form of JSON."""
        segment = self.solution.optimal_set
        return {
            "prevalence": as_text(self.prevalence),
            "value": as_text(self.solution.value),
            "lower": as_text(self.solution.lower),
            "upper": as_text(self.solution.upper),
            "points": list(self.names),
            "optima": [mechanism.to_dict() for mechanism in self.solution.optima],
            "optimal_set": segment.to_dict() if segment else None,
            "certificate": self.solution.certificate.to_dict(),
        }


def solve_exactly(epsilon: object, delta: object, prevalence: object) -> Solution:
    """Return the certified optimum of the binary design by the exact routes."""
    return solve(binary_problem(epsilon=epsilon, delta=delta, prevalence=prevalence), ROUTES)


def _names(design: Mechanism) -> list[str]:
    """Return which of B, C, D an optimal design is; at delta = 1 it is all three."""
    tests = {"B": design.p00 == 1, "C": design.p00 == design.p11, "D": design.p11 == 1}
    return [name for name, holds in tests.items() if holds]


@dataclass(frozen=True, slots=True)
class ClassicalDesign:
    """A family of designs with one free parameter.

    Attributes:
        label: as a key names it.
        tag: the same, as short as can be.
        at: from (gamma, delta), rational, to the mechanism on the boundary of what the level allows.
    """

    label: str
    tag: str
    at: Callable[[Fraction, Fraction], Mechanism] = field(compare=False)  # the label tells designs apart


def classical_designs(
    unrelated: Iterable[object], forced: Iterable[object], *, slack: bool
) -> tuple[ClassicalDesign, ...]:
    """Return the designs of a picture of efficiencies.

    Args:
        unrelated: prevalences piB of the innocuous attribute, strictly between 0 and 1.
        forced: ratios of forced yes to forced no, as ``"y:n"``, both positive.
        slack: whether delta > 0: then Mangat's design of 1994 is among them.

    Raises:
        InvalidParameterError: a prevalence or a ratio outside its domain.
    """
    designs = [
        ClassicalDesign(name, name, partial(_diagonal, DESIGNS[name.lower()])) for name in ("Warner", "crosswise")
    ]
    designs.append(ClassicalDesign("Mangat–Singh (1990)", "Mangat–Singh", _two_stages))
    designs.append(_forced(Fraction(1), Fraction(1)))
    designs += [_forced(*_ratio(text)) for text in forced]
    designs += [_unrelated(value) for value in unrelated]
    if slack:
        designs.append(ClassicalDesign("Mangat (1994), p = δ", "Mangat 1994", _one_stage))
    return tuple(designs)


def _diagonal(design: Callable[..., Mechanism], gamma: Fraction, delta: Fraction) -> Mechanism:
    return design((gamma + delta) / (gamma + 1))


def _one_stage(_: Fraction, delta: Fraction) -> Mechanism:
    return DESIGNS["mangat"](delta)


def _two_stages(gamma: Fraction, delta: Fraction) -> Mechanism:
    keep = (gamma + delta) / (gamma + 1)
    truth = keep - Fraction(1, 2)  # any T with a second stage between 1/2 and 1 serves
    return DESIGNS["mangat-singh"](truth, (keep - truth) / (1 - truth))


def _forced(yes: Fraction, no: Fraction) -> ClassicalDesign:
    name = f"y:n = {as_text(yes)}:{as_text(no)}"
    at = partial(_forced_at, yes / (yes + no))
    return ClassicalDesign(f"forced response {name}", f"forced {as_text(yes)}:{as_text(no)}", at)


def _forced_at(b: Fraction, gamma: Fraction, delta: Fraction) -> Mechanism:
    t = truth_probability(gamma, delta, b)
    return DESIGNS["forced"](t, (1 - t) * b, (1 - t) * (1 - b))


def _unrelated(value: object) -> ClassicalDesign:
    allowed = "0 < piB < 1, the prevalence of the unrelated attribute"
    b = rational_where(value, lambda b: 0 < b < 1, allowed, name="piB")
    return ClassicalDesign(f"unrelated question πB = {as_text(b)}", f"πB = {as_text(b)}", partial(_unrelated_at, b))


def _unrelated_at(b: Fraction, gamma: Fraction, delta: Fraction) -> Mechanism:
    return DESIGNS["unrelated"](truth_probability(gamma, delta, b), b)


def _ratio(text: object) -> tuple[Fraction, Fraction]:
    parts = str(text).split(":")
    if len(parts) == 2:
        yes, no = (rational(part, name="the ratio of forced answers") for part in parts)
        if yes > 0 and no > 0:
            return yes, no
    raise InvalidParameterError(
        f'the ratio of forced answers is not of its form: received {shown(text)}; allowed is "y:n" with y, n > 0, '
        "for example 1:3"
    )


_LARGEST_EXPONENT = 700.0  # beyond it a float overflows; gamma / (gamma + 1) is 1 long before


def optimal_designs(
    epsilon: Any, delta: Any, prevalence: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return (p00, p11, n Var) of an optimal binary design for whole arrays of parameters, in floating point.

    For pictures, sweeps and sensitivity studies; a design for a survey comes from ``rropt.solve``, with its
    certificate. Where several designs tie up to rounding, one of them is returned.

    Args:
        epsilon: array of levels in nats, >= 0.
        delta: array in [0, 1].
        prevalence: array in [0, 1]; the three broadcast together.

    Returns:
        Three arrays of the common shape; where epsilon = delta = 0 nothing can be estimated: p00 = p11 = 1/2 and an
        infinite variance.

    Raises:
        InvalidParameterError: an entry outside its domain, or not a number.

    Cost: about 20 passes over the arrays.
    """
    eps, dlt, pi = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (epsilon, delta, prevalence)))
    _require_domain(eps, "epsilon", np.inf)
    _require_domain(dlt, "delta", 1.0)
    _require_domain(pi, "prevalence", 1.0)
    odds_less_one = np.expm1(np.minimum(eps, _LARGEST_EXPONENT))
    spread = odds_less_one + 2 * dlt  # gamma + 2 delta - 1, without cancellation near gamma = 1
    rare = np.minimum(pi, 1 - pi)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        odds = odds_less_one + 1
        excess = np.where(spread > 0, (1 - dlt) * ((odds + dlt) / spread) / spread, np.inf)
        diagonal = pi * (1 - pi) + excess
        corner = np.where(dlt > 0, rare * (1 / dlt - rare), np.inf)
    p_diagonal = (odds + dlt) / (odds + 1)
    use_corner = corner < diagonal
    p00 = np.where(use_corner, np.where(pi <= 0.5, 1.0, dlt), p_diagonal)
    p11 = np.where(use_corner, np.where(pi <= 0.5, dlt, 1.0), p_diagonal)
    return p00, p11, np.where(use_corner, corner, diagonal)


def _require_domain(values: NDArray[np.float64], name: str, largest: float) -> None:
    wrong = ~((values >= 0) & (values <= largest))
    if wrong.any():
        raise InvalidParameterError(
            f"{name} is out of range: received {float(values[wrong].flat[0])}; allowed is 0 <= {name} <= {largest}"
        )
