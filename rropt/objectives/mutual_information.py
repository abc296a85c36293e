"""Mutual information: the information about the truth in one response.

The value is a sum over outputs of a convex, homogeneous function of the row. At delta = 0 it is maximized by rows in
{1, gamma}^k up to scale (Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm, log10
from typing import TYPE_CHECKING, Any

from rropt.checker.counts import Function
from rropt.checker.documents import WorkBudget
from rropt.checker.groups_way import Entropy
from rropt.checker.intervals import Arithmetic
from rropt.checker.limits import MAX_INTERVAL_DIGITS
from rropt.core.exact import Bracket
from rropt.core.exact.numbers import dot
from rropt.core.exact.rational_bounds import ball, bracket, logarithm, to_fraction
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.orbits import OrbitMechanism, group_shares
from rropt.objectives.estimators import DIGITS, LOG_BITS, rounded_up
from rropt.objectives.objective import AnyOutputObjective, Objective, register_objective, shares_of_inputs
from rropt.objectives.ray_criteria import RayCriterion
from rropt.objectives.ray_form import CountedForm, Primal, RayForm, ScaledRays, SumForm
from rropt.objectives.two_populations import digits_of_small

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array


_DIGITS = 36  # of logarithms, in addition to those that cancel
_ROUNDED = 4  # last digits that may be wrong in another checker
_SMALL = 1e-3  # steps for which five terms of the series are enough
_SLICES = 1 << 12  # slices in which the checker tests the information of orbits
_HELD = 6  # digits that may cancel without harm: the remaining ones are more than the reported bounds show


def information_digits(gamma: Fraction) -> int:
    """Return the number of digits that logarithms need at a level.

    As gamma approaches 1, all but a part ``(gamma - 1)^2`` of the logarithms cancels. For large gamma, they are
    multiplied by gamma.
    """
    return min(max(_small_digits(gamma), _DIGITS + ceil(log10(gamma)) - _HELD), MAX_INTERVAL_DIGITS)


def _bits(gamma: Fraction) -> int:
    """Return the precision of logarithms of which all but a part ``(gamma - 1)^2`` cancels."""
    return LOG_BITS + 2 * max(0, 2 + (gamma - 1).denominator.bit_length() - (gamma - 1).numerator.bit_length())


def _small_digits(gamma: Fraction) -> int:
    return digits_of_small(min(gamma - 1, Fraction(1)), _DIGITS, 0)


@register_objective
@dataclass(frozen=True, slots=True)
class MutualInformation(AnyOutputObjective):
    """Maximize the mutual information of output and truth in nats: ``sum_ij pi_j p_ij ln(p_ij / lambda_i)``."""

    kind = "mutual-information"
    sense = "maximise"
    title = "mutual information, nats"
    form = '{"kind": "mutual-information"}'
    is_on_rays = True
    knows_groups = True
    has_formulas = True
    has_computed_bound = True
    has_logarithms = True
    least_value = Fraction(0)

    def constant_value(self, population: Sequence[Fraction]) -> Fraction | None:
        """Return 0 if everybody is in one category."""
        return Fraction(0) if 1 in population else None

    def best_subsets(self, k: int, gamma: Fraction) -> int:
        """Return the better size next to ``k (g ln g/(g-1) - 1)/(g-1)``, where the information is largest."""
        middle = k * (gamma * logarithm(gamma, _bits(gamma)) / (gamma - 1) - 1) / (gamma - 1)
        near = {min(max(int(middle) + x, 1), k - 1) for x in (0, 1)}
        return max(near, key=lambda d: self.of_subsets(k, d, gamma))

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return the mutual information of subset selection, in nats, to 50 significant digits."""
        p = size * gamma / (size * gamma + k - size)
        bits = _bits(gamma)
        inside, outside = logarithm(p * k / size, bits), logarithm((1 - p) * k / (k - size), bits)
        selected = p * inside + (1 - p) * outside
        return (1 - revealed) * selected + revealed * logarithm(Fraction(k), bits) if revealed else selected

    def restricted(self, kept: Sequence[int]) -> Objective:
        """Return the objective itself: a category with proportion 0 adds nothing."""
        return self

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the contribution of a row to the mutual information."""
        return _InformationForm(self, population, gamma)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational lower bound of the mutual information, with relative error below 1e-30 unless it is tiny.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.

        >>> round(float(MutualInformation().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"])), 12)
        0.130812035941
        """
        pi = shares_of_inputs(mechanism, population)
        return max(information_bounds(mechanism, pi).lower, Fraction(0))


def information_bounds(mechanism: Mechanism, pi: Sequence[Fraction]) -> Bracket:
    """Return bounds of the mutual information."""
    from flint import arb, ctx

    ratios = []
    shares = group_shares(mechanism.groups, pi) if isinstance(mechanism, OrbitMechanism) else None
    if isinstance(mechanism, OrbitMechanism) and shares is not None:
        for number, orbit in mechanism.counted():
            pairs = [(p * c, x) for p, values in zip(shares, orbit, strict=True) for x, c in values if p and x]
            mean = sum((p * x for p, x in pairs), Fraction(0))
            ratios += [(number * p * x, x / mean) for p, x in pairs]
    for row in mechanism.matrix if shares is None else ():
        mean = dot(row, pi)
        ratios += [(share * x, x / mean) for share, x in _grouped(row, pi)]
    least = min((abs(ratio - 1) for _, ratio in ratios if ratio != 1), default=Fraction(1))
    with ctx.workprec(128 + 2 * max(0, least.denominator.bit_length() - least.numerator.bit_length())):
        total = arb(0)
        for weight, ratio in ratios:
            total += ball(weight) * ball(ratio).log()
        return bracket(total)


def _grouped(row: Sequence[Fraction], pi: Sequence[Fraction]) -> Iterable[tuple[Fraction, Fraction]]:
    """Return the distinct positive entries of a row, each with its total probability; rays have few of them."""
    found: dict[tuple[int, int], list[Fraction]] = {}
    for p, x in zip(pi, row, strict=True):
        if p and x:
            found.setdefault(x.as_integer_ratio(), [x, Fraction(0)])[1] += p
    return [(share, x) for x, share in found.values()]


def _entropies(rows: Array, steps: Array) -> Array:
    """Return ``(1 + h) ln(1 + h) - h`` for rows 1 + h and steps h, by a series if h is small."""
    with np.errstate(all="ignore"):
        logs = np.where(steps > -0.5, np.log1p(steps), np.log(rows))  # near 0, rows are more accurate than steps
        whole = np.where(rows > 0, rows * logs, 0.0) - steps
    small = steps**2 * (1 / 2 - steps * (1 / 6 - steps * (1 / 12 - steps * (1 / 20 - steps / 30))))
    return np.asarray(np.where(abs(steps) < _SMALL, small, whole))


def _digits_and_margin(largest: Fraction, gamma: Fraction) -> tuple[int, Fraction]:
    """Return the number of digits of logarithms, and a margin for rounding, for the largest proportion and a level."""
    other = 1 - largest  # the value is at most about this times (gamma - 1)^2
    more = max(0, floor(-log10(other))) if other else 0
    digits = DIGITS if gamma <= 1 else min(information_digits(gamma) + more, MAX_INTERVAL_DIGITS)
    return digits, Fraction(1, 10 ** (min(_small_digits(gamma) + more, MAX_INTERVAL_DIGITS) - _ROUNDED))


class _InformationForm(SumForm, CountedForm):
    """phi(r) = ``sum_j pi_j r_j ln(r_j/s)`` with s = r.pi; logarithms are enclosed."""

    def __init__(self, objective: MutualInformation, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self.digits, self.margin = _digits_and_margin(max(self.pi), gamma)

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return phi of the rays, or of the orbits."""
        if lines.chances is None:
            return super().criterion(lines)
        return RayCriterion((_entropies(lines.rows, lines.steps) * lines.chances).sum(1))

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return an upper bound of phi."""
        from flint import arb, ctx

        s = dot(row, self.pi)
        with ctx.workprec(4 * (self.digits or DIGITS) + 64):
            total = arb(0)
            for share, x in _grouped(row, self.pi):
                total += ball(share * x) * ball(x / s).log()
            return to_fraction(total.upper()) + self.margin * s

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``sum_j pi_j ((1 + h_j) ln(1 + h_j) - h_j)`` for the steps h, by a series if h is small."""
        return np.asarray(_entropies(rows, steps) @ np.array([float(p) for p in self.pi]))

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the mutual information, with a margin for rounding in another checker."""
        return max(-rounded_up(-self.value(mechanism)) - self.margin, Fraction(0)), {}

    @property
    def slices(self) -> tuple[int, ...]:
        """The numerators of the proportions over one denominator, or numbers close to their ratios if it is long.

        The information of a row depends on its counts c through pi.c, so that a slice has one value of it, or few.
        """
        scale = lcm(*(p.denominator for p in self.pi))
        whole = [int(p * scale) for p in self.pi]
        common = gcd(*whole)
        if scale // common <= _SLICES:
            return tuple(p // common for p in whole)
        return tuple(round(p * _SLICES) for p in self.pi)

    def over_counts(self, dual: Any, budget: WorkBudget) -> Function:
        """Return the contribution of a row minus ``alpha.sigma``."""
        arithmetic = Arithmetic(self.digits or DIGITS, budget)
        slices = sum(a * n for a, n in zip(self.slices, self.groups, strict=True))
        return Entropy(self.pi, dual.alpha, dual.bound(), slices, self.gamma, arithmetic)

    def excess(self, dual: Any, counts: Sequence[int]) -> Fraction:
        """Return the contribution minus ``alpha.sigma``, divided by s, with room for rounding errors."""
        from flint import ctx

        s, chosen, digits = self.chance(counts), dot(self.pi, counts), self.digits or DIGITS
        with ctx.workprec(4 * digits + 64):
            own = ball(self.gamma * chosen) * ball(self.gamma).log() - ball(s) * ball(s).log()
            room = Fraction(self.gamma, 10 ** (digits - _ROUNDED))
            return (to_fraction(own.upper()) - self.paid(dual, counts)) / s + room

    def proved_by_orbits(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return a lower bound of the mutual information, with a margin for rounding in another checker."""
        shares = [p for p, n in zip(self.pi, self.groups, strict=True) for _ in range(n)]
        value: Fraction = self.objective.value(mechanism, shares)
        return max(-rounded_up(-value) - self.margin, Fraction(0))
