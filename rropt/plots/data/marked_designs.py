"""The marked designs of pictures, with exact coordinates: the certified optimum and the classical designs.

Each classical design takes the most informative parameter that the level allows. At delta = 0 that is the parameter of
parity exactly gamma = exp(epsilon). At delta > 0 it makes one of the ratio inequalities (11) of Holohan, Leith and
Mason (2016) tight:

* Warner: ``p = (gamma + delta) / (gamma + 1)`` (Theorem 4); crosswise the same; Mangat and Singh: T and p with
  ``T + (1 - T) p`` equal to it.
* Forced response with ``y : n`` fixed, b = y / (y + n), and the unrelated question with piB = b: these are one matrix,
  ``p00 = t + (1 - t)(1 - b)``, ``p11 = t + (1 - t) b``. (11a) is ``t <= (c + delta) / (c + 1)`` with
  ``c = (gamma - 1) b``, (11b) the same with 1 - b; the bound grows with c, so ``c = (gamma - 1) min(b, 1 - b)``.
* Mangat (1994): (p, 1), private at no delta < p and at every delta >= p: ``p = delta``.
"""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from fractions import Fraction
from functools import partial
from typing import Any

from rropt.core.exact import Delta, Epsilon, ExactReal, as_text, decimal_text, rational_where
from rropt.core.exact.display import rounded_decimal
from rropt.core.exact.reals import Scalar
from rropt.designs import Solution
from rropt.designs.problem import Problem
from rropt.designs.solving import solve
from rropt.mechanisms import DESIGNS, Mechanism
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.named.at_levels import truth_probability
from rropt.plots.drawing import SHORT_TEXT, SHOWN_DIGITS
from rropt.privacy import PrivacyRegion

CURVE_POINTS = 401  # of one curve: a point every half millimetre across the widest picture

_NEAR_ONE = 10.0**-SHOWN_DIGITS  # nearer to 1 than this: written as a difference from it


@dataclass(frozen=True, slots=True)
class Coordinate:
    """A real number ``above / below``, exact; ``below`` is not 0.

    >>> half = Coordinate(1, 2)
    >>> print(half, float(half), Coordinate(ExactReal.exponential(Fraction(1)), 2))
    1/2 0.5 (exp(1))/(2)
    """

    above: Scalar
    below: Scalar = 1

    @property
    def rational(self) -> Fraction | None:
        """The number if it is 0 or both parts are rational, otherwise ``None``."""
        above, below = ExactReal.of(self.above).rational, ExactReal.of(self.below).rational
        if above == 0:
            return above
        return None if above is None or below is None else above / below

    @property
    def sign(self) -> int:
        """-1, 0 or 1, decided exactly."""
        return ExactReal.of(self.above).sign() * ExactReal.of(self.below).sign()

    def __float__(self) -> float:
        return float(self._near(20))

    def _near(self, digits: int) -> Fraction:
        """Return the number if it is rational, otherwise a rational with so many digits of it."""
        if self.rational is not None:
            return self.rational
        return ExactReal.of(self.above).near(digits)[0] / ExactReal.of(self.below).near(digits)[0]

    def __str__(self) -> str:
        exact = self.rational
        if exact is not None:
            return as_text(exact)
        return str(self.above) if self.below == 1 else f"({self.above})/({self.below})"

    def short(self, *, up: bool = False) -> str:
        """Return the exact value if it is short, otherwise a decimal rounded down, or up if ``up``.

        ``3/4``, ``≈0.6224``, ``≈1 − 2e-09``.
        """
        exact = self.rational
        if exact is not None and len(as_text(exact)) <= SHORT_TEXT:
            return as_text(exact)
        rest = Coordinate(self.below - self.above, self.below)
        if 0 < float(rest) < _NEAR_ONE:
            return f"≈1 − {decimal_text(rest.rounded(SHOWN_DIGITS, up=not up), SHOWN_DIGITS)}"
        return f"≈{decimal_text(self.rounded(SHOWN_DIGITS, up=up), SHOWN_DIGITS)}"

    def rounded(self, digits: int, *, up: bool) -> Fraction:
        """Return a decimal with the given number of significant digits, rounded down, or up if ``up``."""
        exact = self._near(60)
        if self.rational is None:
            exact *= 1 + Fraction(3 if up else -3, 10**60)
        return Fraction(rounded_decimal(exact, digits, ROUND_CEILING if up else ROUND_FLOOR))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object: exact text and decimal."""
        return {"exact": str(self), "decimal": float(self)}


def level_numbers(epsilon: Epsilon, delta: Delta) -> tuple[Scalar, Scalar]:
    """Return gamma and delta of a level as exact numbers, as fractions if they are rational."""
    gamma: Scalar = epsilon.gamma or epsilon.exact_gamma()
    slack: Scalar = delta.exact() if delta.rational is None else delta.rational
    return gamma, slack


ROUTES = ("closed-form", "exact")  # exact ones, and fast: a picture solves several problems


@dataclass(frozen=True, slots=True)
class MarkedOptimum:
    """The optimum at a prevalence.

    Attributes:
        solution: the certified solution.
        names: those of the points B = (1, delta), C (p00 = p11) and D = (delta, 1) are optimal, in this order.
    """

    solution: Solution
    names: tuple[str, ...]

    @classmethod
    def at(cls, region: PrivacyRegion, prevalence: object) -> MarkedOptimum:
        """Return the certified optimum over a binary region."""
        solution = solve_exactly(region.epsilon, region.delta, prevalence)
        return cls(solution, tuple(sorted({name for design in solution.optima for name in _names(design)})))

    @property
    def prevalence(self) -> Fraction:
        """Pr(X = 1)."""
        return self.solution.problem.prevalence


def solve_exactly(epsilon: object, delta: object, prevalence: object) -> Solution:
    """Return the certified optimum of the binary design by the exact routes."""
    return solve(Problem.binary(prevalence, epsilon=epsilon, delta=delta), ROUTES, fast=True)


def _names(design: Mechanism) -> list[str]:
    """Return which of B, C, D an optimal design is; at delta = 1 it is all three."""
    tests = {"B": design.p00 == 1, "C": design.p00 == design.p11, "D": design.p11 == 1}
    return [name for name, holds in tests.items() if holds]


ClassicalDesign = Callable[[Fraction, Fraction], Mechanism]
"""The most informative mechanism of a family with one free parameter that a rational level (gamma, delta) allows."""


def drawn_items(values: Any, name: str, allowed: str) -> list[Any]:
    """Return the items of an argument whose order does not count: a list, a set or an iterator."""
    return required_list(list(values) if isinstance(values, Iterator | Set) else values, name, allowed)


def classical_designs(unrelated: Iterable[object], *, slack: bool) -> dict[str, ClassicalDesign]:
    """Return the designs of a picture of efficiencies by name.

    Args:
        unrelated: prevalences piB of the innocuous attribute, strictly between 0 and 1.
        slack: whether delta > 0; if so, Mangat's design of 1994 is included.

    Raises:
        InvalidParameterError: a prevalence outside its domain.
    """
    designs: dict[str, ClassicalDesign] = {name: partial(_diagonal, name.lower()) for name in ("Warner", "crosswise")}
    designs["Mangat–Singh (1990)"] = _two_stages
    for no in (1, 2):
        designs[f"forced response y:n = 1:{no}"] = partial(_mixed, Fraction(1, 1 + no))
    allowed = "0 < piB < 1, the prevalence of the unrelated attribute"
    for value in drawn_items(unrelated, "`unrelated`", 'a list of prevalences such as ["1/4", "1/2"]'):
        b = rational_where(value, lambda b: 0 < b < 1, allowed, name="piB")
        designs[f"unrelated question πB = {as_text(b)}"] = partial(_mixed, b)
    if slack:
        designs["Mangat (1994), p = δ"] = lambda _, delta: DESIGNS["mangat"](delta)
    return designs


def _diagonal(name: str, gamma: Fraction, delta: Fraction) -> Mechanism:
    return DESIGNS[name]((gamma + delta) / (gamma + 1))


def _two_stages(gamma: Fraction, delta: Fraction) -> Mechanism:
    keep = (gamma + delta) / (gamma + 1)
    truth = keep - Fraction(1, 2)  # any T with a second stage between 1/2 and 1 serves
    return DESIGNS["mangat-singh"](truth, (keep - truth) / (1 - truth))


def _mixed(b: Fraction, gamma: Fraction, delta: Fraction) -> Mechanism:
    return DESIGNS["unrelated"](truth_probability(gamma, delta, b), b)
