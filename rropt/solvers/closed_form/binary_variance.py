"""The least variance of a binary design, by theorem: Holohan, Leith and Mason (2016), Theorems 2 to 4, Corollary 2.

With ``m = min(pi, 1 - pi)`` and ``g = delta (gamma + delta) / (gamma + 2 delta - 1)^2``, for gamma >= 1 and
0 <= delta <= 1, (gamma, delta) not (1, 0):

* Warner's family: ``p = (gamma + delta) / (gamma + 1)``, for every pi (Theorem 4).
* delta = 0: the diagonal point ``p00 = p11 = gamma / (gamma + 1)`` alone (Theorem 2).
* delta = 1: direct questioning (1, 1) alone among the extreme designs.
* m > g: the diagonal point ``p00 = p11 = (gamma + delta) / (gamma + 1)``; m < g: a corner; m = g: both. The corner is
  (1, delta) for pi < 1/2, (delta, 1) for pi > 1/2, and *both corners* for pi = 1/2: there the printed Theorem 3 and
  Corollary 2 each name only one of them.
* At pi = 0 (pi = 1) with delta > 0 every design (1, b), 0 < b <= delta (mirrored) has variance 0.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.exact import ExactReal
from rropt.exact.reals import Scalar
from rropt.mechanisms import Mechanism
from rropt.privacy import RationalLevel
from rropt.privacy.levels import RationalLevels
from rropt.problem import Problem
from rropt.solvers.closed_form import formulas
from rropt.solvers.results import DecidedDesigns, OptimalSegment

_HALF = Fraction(1, 2)


def solve_closed_form(problem: Problem, levels: RationalLevels) -> DecidedDesigns:
    """Return the optimum by theorem. Ties are decided at the exact level, values at the rational levels around it."""
    region, pi, levels = problem.region.one_level(), problem.prevalence, levels.one_level()
    warner = region.family == "warner"
    exact_gamma: Scalar = region.epsilon.gamma or region.epsilon.exact_gamma()
    delta = region.delta.rational
    exact_delta: Scalar = region.delta.exact() if delta is None else delta
    names = _optimal_points(exact_gamma, exact_delta, pi, warner)
    designs = sorted({_design(name, levels.below) for name in names})
    upper = _variance(names[0], levels.below, pi)
    above = _optimal_points(levels.above.gamma, levels.above.delta, pi, warner)
    return DecidedDesigns(
        lower=_variance(above[0], levels.above, pi),
        upper=upper,
        optima=tuple(Mechanism.binary(*design) for design in designs),
        optimal_set=None if warner else optimal_set_at(pi, levels.below.delta),
    )


def optimal_set_at(pi: Fraction, delta: Fraction) -> OptimalSegment | None:
    """Return the segment of designs of variance 0 at pi in {0, 1} and delta > 0; else None (the optima are all)."""
    zero, one = Fraction(0), Fraction(1)
    if delta and pi == 0:
        return OptimalSegment((one, zero), (one, delta))
    if delta and pi == 1:
        return OptimalSegment((zero, one), (delta, one))
    return None


def _optimal_points(gamma: Scalar, delta: Scalar, pi: Fraction, warner: bool) -> list[str]:
    """Return the names of the optimal candidates at an exact level."""
    if warner or delta == 0 or delta == 1:  # at delta = 1 the three candidates are one point
        return ["diagonal"]
    numerator, denominator = formulas.threshold(gamma, delta)
    sign = _sign(min(pi, 1 - pi) * denominator - numerator)  # of m - g
    names = ["diagonal"] if sign >= 0 else []
    if sign <= 0:
        names += ["corner_p00"] if pi <= _HALF else []
        names += ["corner_p11"] if pi >= _HALF else []
    return names


def _design(name: str, level: RationalLevel) -> tuple[Fraction, Fraction]:
    corner = _quotient(formulas.corner_probability(level.delta))
    if name == "corner_p00":
        return Fraction(1), corner
    if name == "corner_p11":
        return corner, Fraction(1)
    diagonal = _quotient(formulas.diagonal_probability(level.gamma, level.delta))
    return diagonal, diagonal


def _variance(name: str, level: RationalLevel, pi: Fraction) -> Fraction:
    if name == "corner_p00":
        return _quotient(formulas.corner_p00_variance(level.delta, pi))
    if name == "corner_p11":
        return _quotient(formulas.corner_p11_variance(level.delta, pi))
    return _quotient(formulas.diagonal_variance(level.gamma, level.delta, pi))


def _quotient(pair: tuple[Any, Any]) -> Fraction:
    numerator, denominator = pair
    return Fraction(numerator, denominator)


def _sign(x: Any) -> int:
    return x.sign() if isinstance(x, ExactReal) else (x > 0) - (x < 0)
