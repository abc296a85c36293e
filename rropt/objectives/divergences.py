"""f-divergences between the output distributions of two distributions of the categories: shared base classes.

The terms of these divergences are not rational numbers. Let a_i and b_i be the probabilities of output i under the
distribution and under the other one. ``D_f = sum_i b_i f(a_i/b_i)`` with convex f is a sum of convex, homogeneous
functions of the rows. Csiszar, Information-type measures of difference of probability distributions, Studia Sci. Math.
Hungar. 2 (1967).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, log10
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.checker.limits import MAX_INTERVAL_DIGITS
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact.brackets import Bracket, ball, bracket
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import rounded_up
from rropt.objectives.objective import DesignSpace
from rropt.objectives.ray_form import Primal, RayForm
from rropt.objectives.two_populations import TwoPopulations, TwoPopulationsForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_BITS = 256
_DIGITS = 37  # of logarithms, in addition to those that cancel; with a few more, six categories need the large budget
_HELD = 2  # digits that may cancel without harm
_ROUNDED = 6  # last digits that may be wrong in another checker
NEARLY_EQUAL = 0.01  # relative differences of a and b below which floats take the Taylor series of f


class Divergence(TwoPopulations):
    """Maximize ``sum_i b_i f(a_i/b_i)``.

    Attributes:
        needs_other: whether a term is infinite if b = 0 < a.
        slope: ``f'(1)``. In ``term(a, b) - slope (a - b)`` the terms of first order in a - b cancel.
    """

    __slots__ = ()

    needs_other: ClassVar[bool] = False
    slope: ClassVar[int] = 0

    @abstractmethod
    def term(self, a: Any, b: Any) -> Any:
        """Return ``b f(a/b)`` for balls a and b that are not both 0; exact zeros are passed as 0."""

    @abstractmethod
    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term - slope (a - b)`` in floats, where ``apart`` is a - b; the caller replaces NaN by 0."""

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether a term of the sum is infinite."""
        return bool(self.needs_other and a and not b)

    def enclosed(self, a: Fraction, b: Fraction) -> Bracket:
        """Return an enclosure of a finite term, to about 70 digits of ``term - slope (a - b)``."""
        from flint import ctx

        if a == b:
            return Bracket.of(Fraction(0))
        part = abs(a - b) / (a + b)
        with ctx.workprec(_BITS + 2 * max(0, part.denominator.bit_length() - part.numerator.bit_length())):
            return bracket(self.term(ball(a), ball(b)))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational number below the divergence, by less than 1e-30, for exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, pi is not a distribution on its inputs, or the
                divergence is infinite.
        """
        pairs = self.chances(mechanism, population)
        if any(self.infinite(a, b) for a, b in pairs):
            raise InvalidParameterError(
                f"{self.title} is infinite: received {mechanism!r}; every output that is possible under the "
                "distribution must be possible under the other one"
            )
        return max(sum((self.enclosed(a, b).lower for a, b in pairs), Fraction(0)), Fraction(0))

    def is_zero(self, population: Sequence[Fraction]) -> bool:
        """Return whether the two distributions are equal."""
        return self.against == tuple(population)

    def limit(self, region: DesignSpace, population: Sequence[Fraction]) -> str | None:
        """Return an explanation if the two distributions are equal, or if the divergence is infinite."""
        if self.is_zero(population):
            return (
                f"{self.title} is 0 for every mechanism if the two distributions are equal: received twice the same "
                "proportions; give another distribution"
            )
        return TwoPopulations.limit(self, region, population)

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the contribution of one output as a function of rays."""
        return _DivergenceForm(self, population, gamma)


class _DivergenceForm(TwoPopulationsForm):
    is_rational: ClassVar[bool] = False
    objective: Divergence

    def __init__(self, objective: Divergence, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        largest = min(gamma - 1, Fraction(1)) * sum(map(abs, self.apart), Fraction(0)) / 2
        self.digits = digits_of_small(largest, _DIGITS, _HELD)
        if self.digits > MAX_INTERVAL_DIGITS:
            raise UnsupportedProblemError(
                f"{objective.title}: the logarithms need {self.digits} digits, as the probabilities of an output under "
                f"the two distributions are nearly equal: received exp(epsilon) - 1 <= {float(gamma - 1):.0e}; allowed "
                f"are {MAX_INTERVAL_DIGITS} digits; raise epsilon, or give distributions that differ more"
            )
        self.margin = Fraction(1, 10 ** (self.digits - _ROUNDED))

    @property
    def linear(self) -> Sequence[Fraction]:
        """The terms of first order, ``slope (pi - q)``."""
        return [self.objective.slope * x for x in self.apart]

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return an upper bound of ``term - slope (a - b)``."""
        a, b = dot(row, self.pi), dot(row, self.q)
        upper = self.objective.enclosed(a, b).upper
        return upper - self.objective.slope * (a - b) + self.margin * (a + b + abs(upper))

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        apart, other = self.steps(rows, steps)
        own = rows @ np.array([float(x) for x in self.pi])
        with np.errstate(all="ignore"):
            terms = self.objective.float_terms(own, other, apart)
        return np.asarray(np.nan_to_num(terms, nan=0.0))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the divergence, with a margin for rounding in another checker."""
        value = self.value(mechanism)
        return max(-rounded_up(-value) - 4 * self.margin * (1 + value), Fraction(0)), {}


def digits_of_small(largest: Fraction, digits: int, held: int) -> int:
    """Return the number of digits that logarithms need if all but a part of the size ``largest^2`` cancels.

    Args:
        largest: the largest relative difference of the numbers that are compared; it is at most 1.
        digits: the number of digits that must remain.
        held: the number of digits that may cancel without harm.
    """
    if not largest:
        return digits
    cancelled = 2 * (largest.denominator.bit_length() - largest.numerator.bit_length()) * log10(2)
    return digits + max(0, ceil(cancelled) - held)


def series(coefficients: Sequence[float], step: Array) -> Array:
    """Return ``step^2 (c_0 + c_1 step + c_2 step^2 + ...)``."""
    total = step * 0.0
    for c in reversed(coefficients):
        total = total * step + c
    return total * step**2
