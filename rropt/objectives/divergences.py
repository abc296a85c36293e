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

from rropt.core.errors import InvalidParameterError
from rropt.core.exact.brackets import Bracket, ball, bracket
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.estimators import rounded_up
from rropt.objectives.ray_form import Primal, RayForm
from rropt.objectives.two_populations import TwoPopulations, TwoPopulationsForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array

_BITS = 256
_DIGITS = 37  # of logarithms, in addition to those that cancel; with a few more, six categories need the large budget
_TINY = Fraction(1, 10**31)  # margin for rounding in another checker, for rows with r.pi + r.q = 2


class Divergence(TwoPopulations):
    """Maximize ``sum_i b_i f(a_i/b_i)``.

    Attributes:
        needs_other: whether a term is infinite if b = 0 < a.
    """

    __slots__ = ()

    needs_other: ClassVar[bool] = False

    @abstractmethod
    def term(self, a: Any, b: Any) -> Any:
        """Return ``b f(a/b)`` for balls a and b that are not both 0; exact zeros are passed as 0."""

    @abstractmethod
    def float_terms(self, a: Array, b: Array) -> Array:
        """Return ``term`` in floats; the caller replaces NaN by 0."""

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether a term of the sum is infinite."""
        return bool(self.needs_other and a and not b)

    def enclosed(self, a: Fraction, b: Fraction) -> Bracket:
        """Return an enclosure of a finite term, to about 70 digits."""
        from flint import ctx

        if not a and not b:
            return Bracket.of(Fraction(0))
        with ctx.workprec(_BITS):
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

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the contribution of one output as a function of rays."""
        return _DivergenceForm(self, population, gamma)


class _DivergenceForm(TwoPopulationsForm):
    is_rational: ClassVar[bool] = False
    objective: Divergence

    def __init__(self, objective: Divergence, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self.digits = _DIGITS + max(0, ceil(-2 * log10(gamma - 1))) if gamma > 1 else _DIGITS

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return an upper bound of the term."""
        a, b = dot(row, self.pi), dot(row, self.q)
        return self.objective.enclosed(a, b).upper + _TINY * (a + b)

    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return the terms of rows with ``r.pi = 1``."""
        import numpy as np

        apart, other = self.floats(rows)
        with np.errstate(all="ignore"):
            return np.asarray(np.nan_to_num(self.objective.float_terms(apart + other, other), nan=0.0))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the divergence, with a margin for rounding in another checker."""
        return -rounded_up(-self.value(mechanism)) - 4 * _TINY, {}
