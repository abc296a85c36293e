"""Mutual information: the information about the truth in one response.

The value is a sum over outputs of a convex, homogeneous function of the row. At delta = 0 it is maximized by rows in
{1, gamma}^k up to scale (Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any

from rropt.checker.limits import MAX_COVER_DIGITS
from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball, bracket, logarithm, to_fraction
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.divergences import digits_of_small
from rropt.objectives.estimators import DIGITS, rounded_up
from rropt.objectives.objective import AnyOutputObjective, Objective, register_objective, shares_of_inputs
from rropt.objectives.ray_form import Primal, RayForm, SumForm
from rropt.objectives.special_cases import LOG_BITS
from rropt.objectives.staircase_forms import StaircaseForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


_DIGITS = 36  # of logarithms, in addition to those that cancel
_ROUNDED = 4  # last digits that may be wrong in another checker
_SMALL = 1e-3  # steps for which five terms of the series are enough
_HELD = 6  # digits that may cancel without harm: the remaining ones are more than the reported bounds show


def information_digits(gamma: Fraction) -> int:
    """Return the number of digits that logarithms need at a level.

    As gamma approaches 1, all but a part ``(gamma - 1)^2`` of the logarithms cancels. For large gamma, they are
    multiplied by gamma.
    """
    return min(max(_small_digits(gamma), _DIGITS + ceil(log10(gamma)) - _HELD), MAX_COVER_DIGITS)


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
    has_formulas = True
    has_closed_formulas = True
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

    def of_subsets(self, k: int, size: int, gamma: Fraction) -> Fraction:
        """Return the mutual information of subset selection, in nats, to 50 significant digits."""
        p = size * gamma / (size * gamma + k - size)
        bits = _bits(gamma)
        inside, outside = logarithm(p * k / size, bits), logarithm((1 - p) * k / (k - size), bits)
        return p * inside + (1 - p) * outside

    def restricted(self, kept: Sequence[int]) -> Objective:
        """Return the objective itself: a category with proportion 0 adds nothing."""
        return self

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the contribution of a row to the mutual information."""
        return _InformationForm(population, gamma)

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return ``sum theta (gamma q ln gamma - s ln s)``, with q and s of ``masses`` and ``means``."""
        import sympy

        rows = zip(form.theta, form.masses(), form.means(), strict=True)
        return sum(t * (form.gamma * q * sympy.log(form.gamma) - s * sympy.log(s)) for t, q, s in rows)

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
    for row in mechanism.matrix:
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


class _InformationForm(SumForm):
    """phi(r) = ``sum_j pi_j r_j ln(r_j/s)`` with s = r.pi; logarithms are enclosed."""

    def __init__(self, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(population, gamma)
        other = 1 - max(self.pi)  # the value is at most about this times (gamma - 1)^2
        more = max(0, floor(-log10(other))) if other else 0
        self.digits = DIGITS if gamma <= 1 else min(information_digits(gamma) + more, MAX_COVER_DIGITS)
        self.margin = Fraction(1, 10 ** (min(_small_digits(gamma) + more, MAX_COVER_DIGITS) - _ROUNDED))

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return an upper bound of phi."""
        from flint import arb, ctx

        s = dot(row, self.pi)
        with ctx.workprec(4 * (self.digits or DIGITS) + 64):
            total = arb(0)
            for share, x in _grouped(row, self.pi):
                total += ball(share * x) * ball(x / s).log()
            return to_fraction(total.upper()) + self.margin * s

    def float_phi(self, matrix: Any, rows: Array) -> Array:
        """Return phi of rows with s = 1, in floats; the steps from 1 keep the digits of a small phi."""
        return self.step_phi(matrix, rows, rows - 1.0)

    def step_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``sum_j pi_j ((1 + h_j) ln(1 + h_j) - h_j)`` for the steps h, by a series if h is small."""
        import numpy as np

        with np.errstate(all="ignore"):
            logs = np.where(steps > -0.5, np.log1p(steps), np.log(rows))  # near 0, rows are more accurate than steps
            whole = np.where(rows > 0, rows * logs, 0.0) - steps
        small = steps**2 * (1 / 2 - steps * (1 / 6 - steps * (1 / 12 - steps * (1 / 20 - steps / 30))))
        return np.asarray(np.where(abs(steps) < _SMALL, small, whole) @ np.array([float(p) for p in self.pi]))

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return a rational number below the mutual information."""
        return MutualInformation().value(mechanism, self.pi)

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of the mutual information, with a margin for rounding in another checker."""
        return max(-rounded_up(-self.value(mechanism)) - self.margin, Fraction(0)), {}
