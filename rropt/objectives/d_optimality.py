"""D-optimality: the volume of the confidence ellipsoid of the estimated proportions.

Let M be the Fisher information of ``objectives.variances``. The matrix ``V = M^-1 - pi pi^T``, k x k, is n times the
covariance of the efficient unbiased estimate of pi. No unbiased estimate has a smaller one in Loewner's order. Since
``M pi = 1``, all cofactors of V equal ``det(V + pi pi^T) = 1/det M``. This is the determinant of the covariance of any
k - 1 of the proportions, whichever one is omitted. For the name see Pukelsheim, Optimal design of experiments (1993),
chapter 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball, bracket, logarithm
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import flint_matrix
from rropt.objectives.criteria import Criterion, Determinant
from rropt.objectives.estimators import DIGITS, is_dominant, log_of, lower_root, rounded_up, rounding_margin
from rropt.objectives.objective import AnyOutputObjective, register_objective, shares_of_inputs
from rropt.objectives.ray_form import (
    Primal,
    RayForm,
    SquaresForm,
    Statement,
    contrast_basis,
    information_of,
    scaled_lines,
)
from rropt.objectives.special_cases import LOG_BITS, SLACK, FormDual, Rows, contrast_variance, widened_up
from rropt.objectives.variances import regular_information

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


_PRECISION = 256  # bits of a logarithm
_ROOM = Fraction(1, 2**106)  # relative error of a covariance due to the rounding of its factor


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
    has_formulas = True
    has_closed_formulas = True
    has_logarithms = True
    is_enclosed = True

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the log determinant as a function of rays."""
        return _DeterminantForm(population, gamma)

    def subset_dual(self, k: int, variance: Fraction) -> FormDual:
        """Return ``v (I - 1 1^T/k) + 1 1^T/k^2``, for which the sum of alpha is k."""
        share = Fraction(1, k)
        matrix = tuple(tuple(share**2 + variance * ((i == j) - share) for j in range(k)) for i in range(k))
        return FormDual((Fraction(1),) * k, matrix)

    def form_dual(self, population: Sequence[Fraction], alpha: Sequence[Fraction], matrix: Rows) -> FormDual | None:
        """Return a dual of rule 5 if a proportion is 0; rule 25 requires positive proportions.

        Suppose that ``abs(r W)^2 <= (alpha.r)(r.pi)``, and let B be the sum of alpha. Then the matrix ``pi pi^T +
        (k - 1)/B W W^T`` and the vector ``pi + (k - 1)/B alpha`` form a dual for rule 5.
        """
        if all(population):
            return None
        scale = (len(population) - 1) / sum(alpha, Fraction(0))
        square = [[dot(a, b) for b in matrix] for a in matrix]
        pairs = zip(population, square, strict=True)
        own = (tuple(p * q + scale * x for q, x in zip(population, row, strict=True)) for p, row in pairs)
        return FormDual(tuple(p + scale * a for p, a in zip(population, alpha, strict=True)), tuple(own))

    def form_bracket(self, value: Fraction, total: Fraction, matrix: Rows) -> Bracket:
        """Return the value and ``ln((sum alpha / k)^k / det W)``, with room for the checker's logarithms."""
        from flint import ctx

        k, found = len(matrix), flint_matrix(matrix).det()
        determinant = Fraction(int(found.p), int(found.q))
        with ctx.workprec(_PRECISION):
            bound = bracket(ball((total / k) ** k / determinant).log()).upper
        return Bracket(-widened_up(SLACK - value), widened_up(bound + SLACK))

    def of_subsets(self, k: int, size: int, gamma: Fraction) -> Fraction:
        """Return ``ln k - (k - 1) ln v``, to 50 digits."""
        variance = Fraction(contrast_variance(k, size, gamma))
        return logarithm(Fraction(k), LOG_BITS) - (k - 1) * logarithm(variance, LOG_BITS)

    def subset_value(self, k: Any, variance: Any) -> Any:
        """Return ``ln k - (k - 1) ln v``, where v is n Var of each unit contrast."""
        import sympy

        return sympy.log(k) - (k - 1) * sympy.log(variance)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return a rational number below ``ln det M``, by less than 1e-30, for exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: M is singular or infinite.

        >>> round(float(DOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"])), 12)  # of n Var 1
        0.0
        """
        from flint import ctx

        determinant = regular_information(mechanism, shares_of_inputs(mechanism, population)).det()
        exact = Fraction(int(determinant.p), int(determinant.q))
        with ctx.workprec(_PRECISION):
            return Fraction(0) if exact == 1 else bracket(ball(exact).log()).lower


class _DeterminantForm(SquaresForm):
    """The objective ln det M as a function of rays."""

    digits = DIGITS

    def criterion(self, rows: Array, steps: Array, root: Array) -> Criterion:
        """Return the determinant criterion."""
        return Determinant(self.k - 1)

    def float_matrix(self, criterion: Any, y: Array, root: Array) -> Array:
        """Return W: a lower triangular root of X, extended by the row that makes its columns sum to 0."""
        import numpy as np

        moved = root @ criterion.matrix(y) @ root.T
        lower = np.linalg.cholesky(moved[:-1, :-1])
        return np.asarray(np.vstack([lower, -lower.sum(0)]))

    def stated(self, cp: Any, w: Any, columns: Array) -> Statement | None:
        """Return ln det of the information on contrasts, which is ln det M minus ln k."""
        import numpy as np

        basis = contrast_basis(self.k)
        lines, size = scaled_lines(columns @ basis)
        d = self.k - 1

        def tangent(found: Array, rows: Array = columns) -> tuple[Array, float]:
            information = (lines * found[:, None]).T @ lines
            inverse = np.linalg.pinv(information, hermitian=True)
            constant = float(np.linalg.slogdet(information)[1]) + 2 * d * float(np.log(size))
            wanted = rows @ basis / size
            return ((wanted @ inverse) * wanted).sum(1), constant - float((information * inverse).sum())

        return Statement(cp.log_det(information_of(cp, w, lines)), 1.0, [], tangent)

    def from_statement(self, value: float) -> float:
        """Return ln det M from the log determinant on contrasts."""
        from math import log

        return value + log(self.k)

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return a lower bound of ln det M, and a factor that bounds the covariance of the first k - 1 proportions."""
        both = self.full_covariance(mechanism)
        if both is None:
            return None
        (covariance, found), d = both, self.k - 1
        largest = max(covariance[i][i] for i in range(d))
        for times in (4, 64, 1024):
            room = rounded_up(times * _ROOM * d * largest)
            factor = lower_root([[covariance[i][j] + room * (i == j) for j in range(d)] for i in range(d)])
            if factor is None:
                return None
            left = [[dot(factor[i], factor[j]) - covariance[i][j] for j in range(d)] for i in range(d)]
            if is_dominant(left):
                logarithm = log_of([factor[i][i] for i in range(d)])
                reached = -rounded_up(2 * logarithm.upper) - rounding_margin(logarithm.upper)
                return reached, {"estimator": found, "factor": factor}
        return None

    def bound(self, matrix: Any, total: Fraction) -> Fraction:
        """Return the upper bound ``d ln(B/d) - 2 sum ln abs(W_jj)`` of ln det M, d = k - 1."""
        d = self.k - 1
        mean = log_of([total / d]).upper
        pivots = log_of([abs(matrix[j][j]) for j in range(d)]).lower
        high = d * mean - 2 * pivots
        return rounded_up(high) + rounding_margin(high)
