"""E-optimality: the longest axis of the confidence ellipsoid of the estimated proportions.

Let M be the Fisher information of ``mechanisms.fisher_information``. The matrix ``V = M^-1 - pi pi^T``, k x k, is n
times the covariance of the efficient unbiased estimate of pi. No unbiased estimate has a smaller one in Loewner's
order. On the vectors orthogonal to 1, V is the inverse of M restricted to them. ``V 1 = 0``, since the sum of the
estimated proportions is 1. For the name see Pukelsheim, Optimal design of experiments (1993), chapter 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.exact import Bracket
from rropt.core.exact.flint_numbers import flint_matrix
from rropt.core.exact.numbers import bits, dot
from rropt.core.exact.rational_bounds import bracket, simplest_between
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.families.memberships import contrast_variance
from rropt.mechanisms.fisher_information import regular_information
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism, grouped_information
from rropt.objectives.estimators import rounded_up, with_zero_columns
from rropt.objectives.objective import AnyOutputObjective, Objective, register_objective, shares_of_inputs
from rropt.objectives.ray_criteria import Eigenvalue, RayCriterion
from rropt.objectives.ray_form import (
    Primal,
    RayForm,
    ScaledRays,
    SquaresForm,
)

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array


_PRECISION = 256  # bits, doubled while an enclosure has a relative width above 2^-_NARROW
_NARROW = 110
_SIMPLE = 60  # bits: a number this short in an interval of relative width 2^-_NARROW is no coincidence


@register_objective
@dataclass(frozen=True, slots=True)
class EOptimality(AnyOutputObjective):
    """Minimize the largest eigenvalue of ``M^-1 - pi pi^T``, n Var of the estimate of the worst contrast of norm 1.

    The minimum is over all mechanisms with any number of outputs. The largest eigenvalue is n times the variance of the
    worst contrast c . pi with c . c = 1. This contrast is the eigenvector, which is orthogonal to 1.
    """

    kind = "e-optimal"
    sense = "minimise"
    title = "largest eigenvalue of n Cov (E-criterion)"
    goal = "E-optimal design"
    form = '{"kind": "e-optimal"}'
    is_on_rays = True
    knows_groups = True
    has_formulas = True
    has_subset_dual = True

    def restricted(self, kept: Sequence[int]) -> Objective:
        """Return the objective itself: a category with proportion 0 adds nothing."""
        return self

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the largest eigenvalue as a function of rays."""
        return _EigenvalueForm(population, gamma)

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return v, which is n Var of each unit contrast."""
        return Fraction(contrast_variance(k, size, gamma, revealed))

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the largest eigenvalue if it is a short rational, else an upper bound with relative error below 1e-30.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: M is singular or infinite.

        >>> print(EOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        return largest_variance(mechanism, shares_of_inputs(mechanism, population)).upper


def largest_variance(mechanism: Mechanism, pi: Sequence[Fraction]) -> Bracket:
    """Return bounds of the largest eigenvalue of ``M^-1 - pi pi^T``, equal if it is a short rational number."""
    grouped = grouped_information(mechanism, pi) if isinstance(mechanism, OrbitMechanism) else None
    inverse = grouped.inverse() if grouped else None
    if inverse is not None:
        return _largest_of_groups(inverse, [pi[sum(inverse.groups[:g])] for g in range(len(inverse.groups))])
    whole = regular_information(mechanism, pi).inv()
    covariance = whole - flint_matrix([[p] for p in pi]) * flint_matrix([pi])
    found = _largest_eigenvalue(covariance)
    simple = simplest_between(found.lower, found.upper)
    if bits(simple) <= _SIMPLE:
        k = len(pi)
        moved = covariance - flint_matrix([[simple * (i == j) for j in range(k)] for i in range(k)])
        if not moved.det():
            return Bracket.of(simple)
    return found


def _largest_eigenvalue(matrix: Any) -> Bracket:
    """Return narrow bounds of the largest eigenvalue: the largest root of a polynomial that has only real roots."""
    from flint import ctx, fmpz_poly

    polynomial = matrix.charpoly()
    _, factors = fmpz_poly(polynomial.numer().coeffs()).factor_squarefree()
    precision = _PRECISION
    while True:  # terminates: the roots of a squarefree factor are isolated at some precision
        with ctx.workprec(precision):
            roots = [bracket(root.real) for factor, _ in factors for root, _ in factor.complex_roots()]
        largest = Bracket(max(each.lower for each in roots), max(each.upper for each in roots))
        if largest.lower > 0 and largest.gap <= largest.lower / 2**_NARROW:
            return largest
        precision *= 2


class _EigenvalueForm(SquaresForm):
    """The largest eigenvalue of the covariance as a function of rays."""

    takes_any_width: ClassVar[bool] = True
    is_largest_variance: ClassVar[bool] = True

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return the eigenvalue criterion, with the unit matrix in the coordinates of the rows."""
        from scipy.linalg import block_diag

        sizes = [self.groups[g] - 1.0 for g in self.several]
        unit = lines.root.T @ (np.array(self.groups)[:, None] * lines.root)
        if lines.inside is None:
            return Eigenvalue(lines.c, unit)
        return Eigenvalue(np.hstack([lines.inside, lines.c]), block_diag(np.diag(sizes), unit), sizes)

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return a root of X, in the coordinates of the rows."""
        values, vectors = np.linalg.eigh(criterion.between(y))
        is_kept = values > 1e-18 * values.max(initial=0)  # below the square of rounding: no part of a proposal
        return np.asarray(root @ (vectors[:, is_kept] * np.sqrt(values[is_kept])))

    def weights_at(self, mechanism: Mechanism) -> Sequence[Any]:
        """Return the eigenvectors of the 1, 2, ..., k - 1 largest eigenvalues of the covariance.

        Several are for mechanisms nearby, if the largest eigenvalues are nearly equal.
        """
        _, vectors = np.linalg.eigh(self.float_covariance(mechanism))
        largest_first = vectors[:, ::-1]
        return [with_zero_columns(largest_first[:, :count]) for count in range(1, self.k)]

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return an upper bound of the largest eigenvalue."""
        both = self.full_covariance(mechanism)
        if both is None:
            return None
        covariance, found = both
        return rounded_up(_largest_eigenvalue(flint_matrix(covariance)).upper), {"estimators": [found]}

    def bound(self, dual: Any) -> Fraction:
        """Return the lower bound ``tr X / B`` of the largest eigenvalue."""
        weights = dual.weights or (Fraction(1),) * len(dual.matrix[0])
        between = dot([dot(weights, [x * x for x in row]) for row in dual.matrix], self.groups)
        inside = dot(dual.inside, [n - 1 for n in self.groups[: len(dual.inside)]])
        return -rounded_up(-(inside + between) / dual.bound())

    def proved_by_orbits(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return an upper bound of the largest eigenvalue."""
        inverse = self.information(mechanism).inverse()
        return None if inverse is None else rounded_up(_largest_of_groups(inverse, self.pi).upper)


# groups of equal proportions


def _largest_of_groups(inverse: GroupMatrix, shares: Sequence[Fraction]) -> Bracket:
    """Return bounds of the largest eigenvalue of ``M^-1 - pi pi^T`` for an inverse over groups.

    On contrasts inside group g it is x_g. The vector with v_h in group h is mapped to ``x_g v_g + sum_h (Y_gh - pi_g
    pi_h) n_h v_h``.
    """
    inside = max((x for n, x in zip(inverse.groups, inverse.diagonal, strict=True) if n > 1), default=Fraction(0))
    if len(inverse.groups) == 1:
        return Bracket.of(inside)
    rows = [
        [x * (g == h) + (y - p * q) * n for h, (y, q, n) in enumerate(zip(row, shares, inverse.groups, strict=True))]
        for g, (x, row, p) in enumerate(zip(inverse.diagonal, inverse.blocks, shares, strict=True))
    ]
    between = _largest_eigenvalue(flint_matrix(rows))
    return Bracket(max(between.lower, inside), max(between.upper, inside))
