"""A-optimality: the sum of the variances of all estimated proportions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.information import information_inverse, share_variances, unidentified
from rropt.mechanisms.orbits import OrbitMechanism
from rropt.objectives.criteria import Criterion, Squares
from rropt.objectives.objective import register_objective, shares_of_inputs
from rropt.objectives.orbit_form import (
    OrbitForm,
    OrbitRows,
    SquaresDual,
    line_of,
    rounded_numbers,
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
    """The dual of A-optimality over groups, with ``x_g = a_g^2``: it proves ``tr V >= t^2 / sum alpha``.

    Column i of W, for a category i of group g, is ``a_g P e_i`` plus the line F_g, with the projection P on the
    contrasts of the group. t is the trace of W.
    """

    @property
    def squares(self) -> tuple[Fraction, ...]:
        """The numbers x_g."""
        return tuple(a * a for a in self.inside)

    def proof(self) -> dict[str, Any]:
        """Return the keys of the certificate; the weights are the sizes of the groups."""
        return {"alpha": self.alpha, "inside": self.inside, "lines": self.lines}

    def bound(self) -> Fraction:
        """Return the lower bound of ``tr M^-1 - pi . pi``."""
        own = zip(self.groups, self.inside, self.lines, strict=True)
        return sum(((n - 1) * a + n * line[g] for g, (n, a, line) in enumerate(own)), Fraction(0)) ** 2 / self.total

    def written_out(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return W, shape (k, k)."""
        place = [g for g, n in enumerate(self.groups) for _ in range(n)]

        def entry(j: int, i: int) -> Fraction:
            g = place[i]
            own = (j == i) - Fraction(place[j] == g, self.groups[g])
            return self.lines[g][place[j]] + self.inside[g] * own

        return tuple(tuple(entry(j, i) for i in range(len(place))) for j in range(len(place)))


class _TraceForm(OrbitForm):
    """The total variance: ``sum_g (n_g - 1)/v_g`` inside groups, and the trace of the inverse between them."""

    def criterion(self, rows: OrbitRows) -> Criterion:
        """Return squares for the contrasts between groups, and for those inside each group."""
        r = rows.between.shape[1]
        alone = [(rows.inside[:, [i]], np.array([[(self.groups[g] - 1) ** 0.5]])) for i, g in enumerate(rows.several)]
        return Squares([(None, np.eye(r)), *alone] if r else alone)

    def dual(self, criterion: Any, y: Array, v: Array, rows: OrbitRows) -> TraceDual:
        """Return alpha and W, rounded."""
        n, found = self.groups, criterion.blocks(y)
        r, root = rows.between.shape[1], np.sqrt(np.array(self.groups, dtype=float))
        between = found[0] if r else np.zeros((0, 0))
        blocks = (rows.basis @ between @ rows.basis.T) / np.outer(root, root)
        alone = np.array([x[0, 0] / (n[g] - 1) ** 0.5 for g, x in zip(rows.several, found[r > 0 :], strict=True)])
        largest = float(np.abs(blocks).max())
        lines = tuple(line_of(blocks[:, g], n, g, largest) for g in range(len(n)))
        inside, weights = rounded_numbers(rows.several, alone, len(n)), tuple(map(Fraction, n))
        return TraceDual(n, self.shares, self.alpha(v, rows, 2), inside, lines, weights)

    def proved(self, mechanism: OrbitMechanism) -> Fraction | None:
        """Return the value of a mechanism."""
        inverse = self.information(mechanism).inverse()
        return None if inverse is None else inverse.trace() - dot(self.population, self.population)
