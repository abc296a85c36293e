"""f-divergences between the output distributions of two distributions of the categories: the shared base class.

Let a_i and b_i be the probabilities of output i under the distribution pi and under the other one, q. The value
``D_f = sum_i b_i f(a_i/b_i)`` with convex f is a sum of convex, homogeneous functions of the rows (Csiszar,
Information-type measures of difference of probability distributions, Studia Sci. Math. Hungar. 2 (1967)). At delta = 0
it is maximized by rows in {1, gamma}^k up to scale (Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem 4).

Terms that are not rational numbers are enclosed.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log10
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.checker.limits import MAX_INTERVAL_DIGITS
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.core.exact.rational_bounds import Bracket, ball, bracket
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.objectives.estimators import rounded_up
from rropt.objectives.objective import AnyOutputObjective, shares_of_inputs
from rropt.objectives.ray_form import Primal, RayForm, SumForm

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array
    from rropt.privacy.region import Region

_BITS = 256
_DIGITS = 37  # of logarithms, in addition to those that cancel; with a few more, six categories need the large budget
_HELD = 2  # digits that may cancel without harm
_ROUNDED = 6  # last digits that may be wrong in another checker


@dataclass(frozen=True, slots=True)
class Divergence(AnyOutputObjective):
    """Maximize ``sum_i b_i f(a_i/b_i)``.

    Args:
        against: q, shape (k,): the other distribution of the categories.

    Attributes:
        is_rational: whether the terms of rational a and b are rational.
        is_piecewise_linear: whether f is the largest of finitely many linear functions.
        needs_other: whether a term is infinite if b = 0 < a.
        rational_digits: the number of digits that a certificate states although the terms are rational; None for none.
        slope: ``f'(1)``. In ``term(a, b) - slope (a - b)`` the terms of first order in a - b cancel.

    Raises:
        InvalidParameterError: q is not a distribution.
    """

    sense = "maximise"
    parameters: ClassVar[tuple[str, ...]] = ("against",)
    needs: ClassVar[str] = "another distribution of the categories, as in {kind}:1/3,1/3,1/3"
    is_on_rays = True
    takes_zero_shares = True
    is_rational: ClassVar[bool] = False
    is_piecewise_linear: ClassVar[bool] = False
    needs_other: ClassVar[bool] = False
    rational_digits: ClassVar[int | None] = None
    slope: ClassVar[int] = 0
    against: tuple[Fraction, ...]

    def __init__(self, against: Sequence[object]) -> None:
        object.__setattr__(
            self, "against", exact_population(against, len(against) if hasattr(against, "__len__") else 2)
        )

    @abstractmethod
    def term(self, a: Any, b: Any) -> Any:
        """Return ``b f(a/b)`` for fractions, or balls if it is not rational; a and b are not both 0.

        Exact zeros are passed as 0.
        """

    @abstractmethod
    def float_terms(self, a: Array, b: Array, apart: Array) -> Array:
        """Return ``term - slope (a - b)`` in floats, where ``apart`` is a - b; the caller replaces NaN by 0."""

    def ratios(self, population: Sequence[Fraction]) -> list[Fraction]:
        """Return ``pi_j/(pi_j + q_j)``; a category that has no proportion in either takes the ratio of the first."""
        found = [p / (p + q) if p + q else None for p, q in zip(population, self.against, strict=True)]
        first = next(ratio for ratio in found if ratio is not None)
        return [first if ratio is None else ratio for ratio in found]

    def added(self, groups: Sequence[int]) -> Divergence:
        """Return the divergence for groups of categories, whose proportions under q are added."""
        sums = [Fraction(0)] * (max(groups) + 1)
        for group, q in zip(groups, self.against, strict=True):
            sums[group] += q
        return replace(self, against=tuple(sums))

    def parameter(self) -> Sequence[object]:
        """Return q."""
        return self.against

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether the term of an output with these two probabilities is infinite."""
        return bool(self.needs_other and a and not b)

    def enclosed(self, a: Fraction, b: Fraction) -> Bracket:
        """Return an enclosure of a finite term, to about 70 digits of ``term - slope (a - b)``, or its exact value."""
        if a == b:
            return Bracket.of(Fraction(0))
        if self.is_rational:
            return Bracket.of(self.term(a, b))
        from flint import ctx

        part = abs(a - b) / (a + b)
        with ctx.workprec(_BITS + 2 * max(0, part.denominator.bit_length() - part.numerator.bit_length())):
            return bracket(self.term(ball(a), ball(b)))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the divergence for exact proportions pi, or a rational number below it, by less than 1e-30.

        Raises:
            InvalidParameterError: the argument is not a mechanism, pi is not a distribution on its inputs, or the
                divergence is infinite.
        """
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        chances = zip(mechanism.apply(pi), mechanism.apply(self.against), strict=True)
        pairs = [(Fraction(a), Fraction(b)) for a, b in chances]
        if any(self.infinite(a, b) for a, b in pairs):
            raise InvalidParameterError(
                f"{self.title} is infinite: received {mechanism!r}; every output that is possible under the "
                "distribution must be possible under the other one"
            )
        return max(sum((self.enclosed(a, b).lower for a, b in pairs), Fraction(0)), Fraction(0))

    def is_zero(self, population: Sequence[Fraction]) -> bool:
        """Return whether the two distributions are equal, so that terms that are enclosed have no digits."""
        return not self.is_rational and self.against == tuple(population)

    def limit(self, region: Region, population: Sequence[Fraction]) -> str | None:
        """Return an explanation if the two distributions are equal, or if the divergence is infinite.

        It is infinite if the region allows an output that is possible under one distribution only.
        """
        if self.is_zero(population):
            return (
                f"{self.title} is 0 for every mechanism if the two distributions are equal: received twice the same "
                "proportions; give another distribution"
            )
        shares = list(enumerate(zip(population, self.against, strict=True)))
        lost = {j for j, (p, q) in shares if self.infinite(p, q)}
        lost -= region.reached(j for j, (p, q) in shares if j not in lost and (p or q)) if lost else set()
        if not lost:
            return None
        no_delta = ", or set delta to 0" if region.form == "excess" else ""
        why = "is infinite if an output is possible under only one of the two distributions"
        if region.has_divergences:  # which may keep it finite, but no bound of it is proved
            why = "needs positive proportions in both distributions under bounds of Renyi divergences"
        return (
            f"{self.title} {why}: received a proportion of 0 for category {min(lost)}; "
            f"give positive proportions{no_delta}"
        )

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the contribution of one output as a function of rays."""
        return _DivergenceForm(self, population, gamma)


class _DivergenceForm(SumForm):
    has_any_scale: ClassVar[bool] = True
    objective: Divergence

    def __init__(self, objective: Divergence, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self.apart = [x - y for x, y in zip(self.pi, objective.against, strict=True)]
        self.linear = [objective.slope * x for x in self.apart]
        self.is_rational = objective.is_rational  # type: ignore[misc]
        self.is_piecewise_linear = objective.is_piecewise_linear  # type: ignore[misc]
        if self.is_rational:
            self.digits = objective.rational_digits
            return
        largest = min(gamma - 1, Fraction(1)) * sum(map(abs, self.apart), Fraction(0)) / 2
        self.digits = digits_of_small(largest, _DIGITS, _HELD)
        if self.digits > MAX_INTERVAL_DIGITS:
            raise UnsupportedProblemError(
                f"{objective.title}: the logarithms need {self.digits} digits, as the probabilities of an output under "
                f"the two distributions are nearly equal: received exp(epsilon) - 1 <= {float(gamma - 1):.0e}; allowed "
                f"are {MAX_INTERVAL_DIGITS} digits; raise epsilon, or give distributions that differ more"
            )
        self.margin = Fraction(1, 10 ** (self.digits - _ROUNDED))

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``term - slope (a - b)``, or an upper bound of it."""
        return self.phi_at(dot(row, self.pi), dot(row, self.objective.against))

    def phi_at(self, a: Fraction, b: Fraction) -> Fraction:
        """Return ``phi`` of an output with the probabilities a and b under the two distributions."""
        upper = self.objective.enclosed(a, b).upper
        return upper - self.objective.slope * (a - b) + self.margin * (a + b + abs(upper))

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats; a - b is that of the steps, because pi - q sums to 0."""
        lines = np.array([self.apart, self.objective.against], dtype=float).T
        a, b = rows @ np.array([float(p) for p in self.pi]), (rows @ lines)[:, 1]
        with np.errstate(all="ignore"):
            terms = self.objective.float_terms(a, b, (steps @ lines)[:, 0])
        return np.asarray(np.where(a + b > 0, np.nan_to_num(terms, nan=0.0), 0.0))  # a - b of steps may be 1e-17

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
