"""A-optimality: the sum of the variances of all estimated proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.checker.groups_way import Squares
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse, share_variances, unidentified
from rropt.mechanisms.orbits import GroupMatrix, OrbitMechanism
from rropt.objectives.criteria import Criterion
from rropt.objectives.criteria import Squares as SquaresCriterion
from rropt.objectives.estimators import rounded_to_bits
from rropt.objectives.objective import register_objective, shares_of_inputs
from rropt.objectives.orbit_form import (
    BITS,
    OrbitForm,
    OrbitRows,
    SquaresDual,
)
from rropt.objectives.special_cases import Rows, contrast_variance
from rropt.objectives.staircase_forms import StaircaseForm
from rropt.objectives.variance_sums import VarianceSum

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@register_objective
@dataclass(frozen=True, slots=True)
class AOptimality(VarianceSum):
    """Minimize n times the trace of the covariance of the efficient unbiased estimate of pi: ``tr M^-1 - pi . pi``.

    The minimum is over all mechanisms with any number of outputs. The efficient estimate from output i is
    ``M^-1 p_i / (p_i . pi)``, with entries that sum to 1. It is the locally best unbiased estimate at the pi at which M
    is computed. For the name see Pukelsheim, Optimal design of experiments (1993), chapter 6.
    """

    kind = "a-optimal"
    title = "n tr Cov"
    goal = "A-optimal design"
    form = '{"kind": "a-optimal"}'
    with_few = True
    with_ranges = True
    is_total = True
    prevalence_times = 2
    has_formulas = True
    has_formulas_with_delta = True

    def on_orbits(self, groups: tuple[int, ...], shares: tuple[Fraction, ...], gamma: Fraction) -> OrbitForm:
        """Return the trace as a function of orbits."""
        return _TraceForm(groups, shares, gamma)

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return the symbolic value of k-ary randomized response; None for other designs."""
        k = len(form.bits[0])
        if len(form.bits) != k or any(sum(b) != 1 for b in form.bits):
            return None
        chances = [t * s for t, s in zip(form.theta, form.means(), strict=True)]
        return sum(c * (1 - c) for c in chances) * ((form.gamma + k - 1) / (form.gamma - 1)) ** 2

    def subset_value(self, k: Any, variance: Any) -> Any:
        """Return ``(k - 1) v``, where v is n Var of each unit contrast."""
        return (k - 1) * variance

    def marks(self, inputs: int) -> None:
        """Return None: every proportion is estimated."""

    def contrast_rows(self, inputs: int) -> None:
        """Return None: every proportion is estimated."""

    def of_subsets(self, k: int, size: int, gamma: Fraction, revealed: Fraction = Fraction(0)) -> Fraction:
        """Return ``(k - 1) v`` of a balanced block design."""
        return Fraction((k - 1) * contrast_variance(k, size, gamma, revealed))

    def restricted(self, kept: Sequence[int]) -> AOptimality:
        """Return the objective itself: the estimate of a zero proportion has variance 0."""
        return self

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return ``tr M^-1 - pi . pi`` for a mechanism and exact proportions pi.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: M is singular.

        >>> print(AOptimality().value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
        2
        """
        found = share_variances(mechanism, shares_of_inputs(mechanism, population))
        if found is None:
            raise unidentified(mechanism)
        return sum(found, Fraction(0))

    def targets(self, inputs: int) -> Rows:
        """Return the identity matrix: every proportion is estimated."""
        return tuple(tuple(Fraction(i == j) for j in range(inputs)) for i in range(inputs))

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return ``M^-1``, or None if M is singular."""
        return information_inverse(mechanism, population)


@dataclass(frozen=True)
class TraceDual(SquaresDual):
    """The dual (W, alpha) of A-optimality over groups; it proves ``tr M^-1 >= (tr W)^2 / sum alpha``.

    Attributes:
        matrix: W.
    """

    matrix: GroupMatrix

    def squares(self) -> Squares:
        """Return ``X = W W^T``. For ``W = diag(d) + B``: d^2 inside, ``B N B^T + d B^T + B d`` between groups."""
        d, b, n = self.matrix.diagonal, self.matrix.blocks, self.groups
        counted = [[x * m for x, m in zip(row, n, strict=True)] for row in b]
        p = [
            [dot(row, other) + d[g] * b[h][g] + b[g][h] * d[h] for h, other in enumerate(b)]
            for g, row in enumerate(counted)
        ]
        return Squares([x * x for x in d], p)

    def bound(self) -> Fraction:
        """Return the lower bound of ``tr M^-1 - pi . pi``."""
        squares = sum((n * p * p for n, p in zip(self.groups, self.shares, strict=True)), Fraction(0))
        return self.matrix.trace() ** 2 / self.total - squares


class _TraceForm(OrbitForm):
    """The total variance: ``sum_g (n_g - 1)/v_g`` inside groups, and the trace of the inverse between them."""

    def criterion(self, rows: OrbitRows) -> Criterion:
        """Return squares for the contrasts between groups, and for those inside each group."""
        r = rows.between.shape[1]
        alone = [(rows.inside[:, [i]], np.array([[(self.groups[g] - 1) ** 0.5]])) for i, g in enumerate(rows.several)]
        return SquaresCriterion([(None, np.eye(r)), *alone] if r else alone)

    def dual(self, criterion: Any, y: Array, v: Array, rows: OrbitRows) -> TraceDual:
        """Return ``W = pi pi^T + Z`` with ``Z 1 = 0`` and ``alpha = t pi + beta`` with ``1 . beta = 0``, rounded."""
        n, r = self.groups, rows.between.shape[1]
        along = sum(float((b * x).sum()) for (_, b), x in zip(criterion.parts, criterion.blocks(y), strict=True))
        times = along / float(v[0])  # gives the best bound
        found = [times * x for x in criterion.blocks(y)]
        between = (found[0] + found[0].T) / 2 if r else np.zeros((0, 0))
        root, shares = np.sqrt(np.array(n, dtype=float)), np.array([float(p) for p in self.shares])
        alone = np.zeros(len(n))
        for g, x in zip(rows.several, found[r > 0 :], strict=True):
            alone[g] = x[0, 0] / (n[g] - 1) ** 0.5 / rows.unit**2
        blocks = (rows.basis @ between @ rows.basis.T) / np.outer(root, root) / rows.unit**2
        slopes = 2 * between @ (rows.basis.T @ (root * shares))
        beta = rows.basis @ (slopes * rows.unit + times**2 * v[1:]) / rows.unit**3 / root
        start = float(n @ shares**2) + times**2 * float(v[0]) / rows.unit**2
        return self._rounded(alone, blocks, beta, start)

    def _rounded(self, alone: Array, blocks: Array, beta: Array, start: float) -> TraceDual:
        n, shares, size = self.groups, self.shares, len(self.groups)
        largest = float(max(abs(alone).max(), abs(blocks).max()))
        diagonal = [rounded_to_bits(float(x), largest, BITS) for x in alone]
        z = [
            [rounded_to_bits(float(blocks[min(g, h), max(g, h)]), largest, BITS) * (g != h) for h in range(size)]
            for g in range(size)
        ]
        for g, row in enumerate(z):
            row[g] = -(diagonal[g] + dot(row, n)) / n[g]
        slopes = [rounded_to_bits(float(x), float(abs(beta).max()), BITS) for x in beta]
        slopes[0] -= dot(slopes, n) / n[0]
        t = rounded_to_bits(start, start, BITS)
        own = tuple(
            tuple(x + p * q for x, q in zip(row, shares, strict=True)) for row, p in zip(z, shares, strict=True)
        )
        alpha = tuple(t * p + b for p, b in zip(shares, slopes, strict=True))
        return TraceDual(n, shares, alpha, GroupMatrix(n, tuple(diagonal), own))

    def proved(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return the value of a mechanism."""
        inverse = self.information(mechanism).inverse()
        return None if inverse is None else inverse.trace() - dot(self.population, self.population)
