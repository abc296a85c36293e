"""D-optimality: the volume of the confidence ellipsoid of the estimated proportions.

Let M be the Fisher information of ``mechanisms.fisher_information``. The matrix ``V = M^-1 - pi pi^T``, k x k, is n
times the covariance of the efficient unbiased estimate of pi. No unbiased estimate has a smaller one in Loewner's
order. Since ``M pi = 1``, all cofactors of V equal ``det(V + pi pi^T) = 1/det M``. This is the determinant of the
covariance of any k - 1 of the proportions, whichever one is omitted. For the name see Pukelsheim, Optimal design of
experiments (1993), chapter 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact import Bracket
from rropt.core.exact.flint_numbers import as_fraction, flint_matrix
from rropt.core.exact.rational_bounds import ball, bracket, logarithm
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families.memberships import contrast_variance
from rropt.mechanisms.fisher_information import regular_information
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism, grouped_information
from rropt.objectives.estimators import DIGITS, LOG_BITS, rounded_up, rounding_margin, with_zero_columns
from rropt.objectives.objective import AnyOutputObjective, register_objective, shares_of_inputs
from rropt.objectives.ray_criteria import Determinant, RayCriterion
from rropt.objectives.ray_form import (
    Primal,
    RayForm,
    ScaledRays,
    SquaresForm,
)

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array


_PRECISION = 256  # bits of a logarithm


@register_objective
@dataclass(frozen=True, slots=True)
class DOptimality(AnyOutputObjective):
    """Maximize ``ln det M``: minus the log determinant of n times the covariance of any k - 1 proportions.

    The maximum is over all mechanisms with any number of outputs. The volume of the confidence ellipsoid of k - 1
    proportions is proportional to the square root of the determinant of their covariance. If ln det M increases by x,
    the same volume is reached with fewer respondents, by the factor ``exp(x/(k - 1))``. Another basis of the tangent
    space of the simplex changes the objective by a constant.
    """

    kind = "d-optimal"
    sense = "maximise"
    title = "ln det of the information"
    goal = "D-optimal design"
    form = '{"kind": "d-optimal"}'
    is_on_rays = True
    knows_groups = True
    has_formulas = True
    has_logarithms = True
    is_logarithm = True
    has_subset_dual = True

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the log determinant as a function of rays."""
        return _DeterminantForm(population, gamma)

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return ``ln k - (k - 1) ln v``, to 50 digits."""
        variance = Fraction(contrast_variance(k, size, gamma, revealed))
        return logarithm(Fraction(k), LOG_BITS) - (k - 1) * logarithm(variance, LOG_BITS)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational number below ``ln det M``, by less than 1e-30, for exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: M is singular or infinite.

        >>> round(float(DOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"])), 12)  # of n Var 1
        0.0
        """
        from flint import ctx

        pi = shares_of_inputs(mechanism, population)
        grouped = grouped_information(mechanism, pi) if isinstance(mechanism, OrbitMechanism) else None
        logs = None if grouped is None else _logs_of_groups(grouped)
        if logs is not None:
            return logs[0].lower
        exact = as_fraction(regular_information(mechanism, pi).det())
        with ctx.workprec(_PRECISION):
            return Fraction(0) if exact == 1 else bracket(ball(exact).log()).lower


class _DeterminantForm(SquaresForm):
    """The objective ln det M as a function of rays."""

    digits = DIGITS

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return the determinant criterion of the contrasts between groups, and of those inside each group."""
        features = lines.c if lines.inside is None else np.hstack([lines.inside, lines.c])
        return Determinant(features, [self.groups[g] - 1.0 for g in self.several])

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W: a lower triangular root of X, extended by the row that makes its columns sum to 0."""
        lower = np.linalg.cholesky((root @ criterion.between(y) @ root.T)[:-1, :-1])
        *often, of_last = self.groups
        return np.asarray(np.vstack([lower, -np.array(often, dtype=float) @ lower / of_last]))

    def weights_at(self, mechanism: Mechanism) -> Sequence[Any]:
        """Return the lower root of the covariance of the first k - 1 proportions, and a row that lets columns sum to 0.

        The bound of W is smallest at ``W W^T = V``, where ``tr(W^T M W) = k - 1``.
        """
        lower = np.linalg.cholesky(self.float_covariance(mechanism)[:-1, :-1])
        whole = np.vstack([lower, -lower.sum(0)])
        return [with_zero_columns(whole / np.abs(whole).max())]

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of ln det M, from the covariance of the first k - 1 proportions."""
        both = self.full_covariance(mechanism)
        if both is None:
            return None
        covariance, found = both
        volume = flint_matrix([row[:-1] for row in covariance[:-1]]).det()
        logarithm, margin = _log_terms([(1, as_fraction(volume))])
        return -rounded_up(logarithm.upper + margin), {"estimators": [found]}

    def bound(self, dual: Any) -> Fraction:
        """Return the upper bound of ln det M (checker/groups_way.md), with room for rounding errors.

        It is ``d ln(B/d) - 2 sum ln abs(W_jj) - sum_g (n_g - 1) ln x_g - sum_g ln n_g``, d = k - 1, with ``+ ln n_g``
        for the last group.
        """
        n, d = self.groups, sum(self.groups) - 1
        terms = [(d, dual.bound() / d), (1, Fraction(n[-1])), *((-1, Fraction(m)) for m in n[:-1] if m > 1)]
        terms += [(-2, dual.matrix[j][j]) for j in range(self.k - 1)]
        found, margin = _log_terms([*terms, *((-m, x) for m, x in _inside_terms(n, dual.inside))])
        return rounded_up(found.upper + margin)

    def proved_by_orbits(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return a lower bound of ln det M, with a margin for rounding errors in another checker."""
        logs = _logs_of_groups(self.information(mechanism))
        return None if logs is None else -rounded_up(logs[1] - logs[0].lower)


# groups of equal proportions


def _log_terms(terms: Sequence[tuple[int, Fraction]]) -> tuple[Bracket, Fraction]:
    """Return bounds of ``sum_i m_i ln abs(x_i)``, and a margin for rounding errors in another checker."""
    from flint import arb, ctx

    with ctx.workprec(_PRECISION):
        logs = [m * ball(abs(x)).log() for m, x in terms]
        size = bracket(sum(map(abs, logs), arb(0))).upper
        return bracket(sum(logs, arb(0))), rounding_margin(size)


def _logs_of_groups(information: GroupMatrix) -> tuple[Bracket, Fraction] | None:
    """Return bounds of ``ln det M`` and a margin as ``_log_terms`` does; None if M is singular.

    On vectors that are constant in each group, M is ``n_g d_g [g = h] + n_g n_h b_gh``.
    """
    n, diagonal = information.groups, information.diagonal
    between = [
        [m * (d * (g == h) + o * b) for h, (o, b) in enumerate(zip(n, row, strict=True))]
        for g, (m, d, row) in enumerate(zip(n, diagonal, information.blocks, strict=True))
    ]
    found = flint_matrix(between).det()
    if not all(diagonal) or not found:
        return None
    terms = [*_inside_terms(n, diagonal), *((-1, Fraction(m)) for m in n)]
    return _log_terms([*terms, (1, as_fraction(found))])


def _inside_terms(groups: Sequence[int], numbers: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Return the terms of ``sum_g (n_g - 1) ln x_g`` over the groups of at least two categories."""
    return [(n - 1, x) for n, x in zip(groups, numbers, strict=False) if n > 1]
