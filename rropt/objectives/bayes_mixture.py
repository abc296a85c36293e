"""Bayes mixture: the weighted mean of an objective over finitely many distributions of the categories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact.numbers import dot
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population, listed
from rropt.objectives.estimators import rounded_up, with_zero_columns
from rropt.objectives.objective import (
    AnyOutputObjective,
    Objective,
    objective_from_dict,
    register_objective,
)
from rropt.objectives.ray_criteria import RayCriterion, Squares
from rropt.objectives.ray_form import Primal, RayForm, ScaledRays, VarianceForm

if TYPE_CHECKING:
    from rropt.objectives.ray_criteria import Array
    from rropt.privacy.region import Region

_WITH_ZEROS = (
    "a mixture of {} needs outputs that are possible under each of its distributions: received a proportion of 0; give "
    "positive proportions, for example 1/1000 in place of 0{}"
)


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class BayesMixture(AnyOutputObjective):
    """``sum_b w_b f(P, pi_b)``: the mean of an objective f over distributions pi_b with prior weights w_b.

    f is a sum over outputs (mutual information, divergences, payoffs) or a sum of variances (A- and c-optimality,
    contrasts) of the efficient estimator at each pi_b. The value does not depend on the distribution that the problem
    contains; ``mean`` is a good choice for that distribution.

    Args:
        objective: f; or its dictionary, as files contain it.
        weights: w, positive exact numbers that sum to 1.
        populations: the pi_b, each a list of k proportions.

    Raises:
        InvalidParameterError: the weights or the distributions are invalid.
        UnsupportedProblemError: f is an objective of another kind.

    >>> from rropt.objectives.a_c_contrasts import AOptimality
    >>> mixed = BayesMixture(AOptimality(), ["1/2", "1/2"], [["1/2", "1/2"], ["1/4", "3/4"]])
    >>> print(mixed.value(Mechanism.binary("3/4", "3/4"), mixed.mean))
    31/16
    """

    kind = "bayes"
    title = "mean over distributions"
    goal = "best mean over several distributions"
    form = '{"kind": "bayes", "objective": {...}, "weights": [...], "populations": [[...]]}'
    is_on_rays = True
    takes_zero_shares = True
    objective: Objective
    weights: tuple[Fraction, ...]
    populations: tuple[tuple[Fraction, ...], ...]

    def __init__(
        self,
        objective: Objective | dict[str, Any],
        weights: Sequence[object],
        populations: Sequence[Sequence[object]],
    ) -> None:
        objective = objective if isinstance(objective, Objective) else objective_from_dict(objective)
        rows = listed(populations) or []
        given = listed(weights, flat=True) or []
        if not rows or len(rows) != len(given):
            raise InvalidParameterError(
                f"a mixture needs a weight for each distribution: received {with_noun(len(given), 'weight')} and "
                f"{len(rows)} distributions"
            )
        prior = exact_population(given, len(given))
        if min(prior) <= 0:
            raise InvalidParameterError("weights are positive: received a weight of 0; leave out that distribution")
        inputs = len(listed(rows[0], flat=True) or ())
        object.__setattr__(self, "objective", objective)
        object.__setattr__(self, "weights", prior)
        object.__setattr__(self, "populations", tuple(exact_population(row, inputs) for row in rows))

    @classmethod
    def of_text(cls, text: str) -> BayesMixture:
        """Raise an error: no text writes distributions with their weights."""
        raise InvalidParameterError(
            "the objective bayes needs an objective, weights and distributions, which no text writes; give a "
            "rropt.objectives.BayesMixture in Python"
        )

    @property
    def sense(self) -> Literal["minimise", "maximise"]:  # type: ignore[override]
        """Whether the objective is minimized or maximized."""
        return self.objective.sense

    @property
    def mean(self) -> tuple[Fraction, ...]:
        """The weighted mean of the distributions pi_b."""
        return tuple(dot(self.weights, column) for column in zip(*self.populations, strict=True))

    def at(self, population: Sequence[Fraction]) -> str:
        """Return the empty string: the value depends on the distributions of the mixture alone."""
        return ""

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the weighted mean, exact or rounded to the conservative side; ``population`` is ignored."""
        pairs = zip(self.weights, self.populations, strict=True)
        return sum((w * self.objective.value(mechanism, pi) for w, pi in pairs), Fraction(0))

    def require(self, region: Region) -> None:
        """Raise an error unless the objective is defined on the region and its form on rays can be averaged."""
        AnyOutputObjective.require(self, region)
        self.objective.require(region)
        if len(self.populations[0]) != region.inputs:
            raise InvalidParameterError(
                f"populations have {len(self.populations[0])} proportions: the region has {region.inputs} inputs"
            )
        if not self.objective.is_on_rays:
            raise self._unmixed()
        self.on_rays(self.mean, Fraction(2))

    def limit(self, region: Region, population: Sequence[Fraction]) -> str | None:
        """Return why the objective has no finite optimum at one of the pi_b; None if it has one at each of them."""
        different = [pi for pi in self.populations if not self.objective.is_zero(pi)]
        if not different:
            return f"{self.title} is 0 for every mechanism: received {self.objective.kind}; give other distributions"
        reasons = [self.objective.limit(region, pi) for pi in different]
        if not self.on_rays(self.mean, Fraction(2)).is_sum:  # an estimate at pi_b needs r.pi_b > 0 in all rows r
            reached = (region.reached(j for j, p in enumerate(pi) if p) for pi in different)
            why = _WITH_ZEROS.format(self.objective.kind, ", or set delta to 0" * (region.form == "excess"))
            reasons += [why for each in reached if len(each) < region.inputs]
        return next((reason for reason in reasons if reason is not None), None)

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the weighted mean of the objective's forms on rays.

        Raises:
            UnsupportedProblemError: the forms cannot be averaged.
        """
        forms = [self.objective.on_rays(pi, gamma) for pi in self.populations]
        if all(form.is_sum for form in forms):
            return _Mixed(population, gamma, self.weights, forms)
        variances = [form for form in forms if isinstance(form, VarianceForm)]
        if len(variances) < len(forms):
            raise self._unmixed()
        return _MixedVariances(population, gamma, self.weights, variances)

    def _unmixed(self) -> UnsupportedProblemError:
        return UnsupportedProblemError(
            f"the objective {self.objective.kind} cannot be mixed over distributions: allowed are sums over outputs "
            f"and "
            "sums of variances (a-optimal, c-optimal, contrasts)"
        )


class _Mixed(RayForm):
    """The weighted mean of the forms of an objective at several distributions; here of sums over outputs."""

    def __init__(
        self, population: Sequence[Fraction], gamma: Fraction, weights: Sequence[Fraction], forms: Sequence[Any]
    ) -> None:
        super().__init__(population, gamma)
        self.parts = list(zip(weights, forms, strict=True))
        self.is_sum = self.has_corners = all(form.is_sum for form in forms)  # type: ignore[misc]
        self.is_rational = all(form.is_rational for form in forms)  # type: ignore[misc]
        self.margin = max(form.margin for form in forms)
        self.digits = max((form.digits for form in forms if form.digits is not None), default=None)
        self.linear = [dot(weights, column) for column in zip(*(form.linear for form in forms), strict=True)]

    def require_valid(self, has_zeros: bool) -> None:
        """Test the form of each distribution."""
        for _, form in self.parts:
            form.require_valid(has_zeros)

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return phi of the rays."""
        return RayCriterion(lines.padded(self.float_phi(None, lines.rows, lines.steps)))

    def _each(self, matrix: Any) -> Iterator[tuple[Fraction, Any, Any]]:
        """Iterate over the weights, the forms, and their W, which is None for sums."""
        return ((w, form, x) for (w, form), x in zip(self.parts, matrix or [None] * len(self.parts), strict=True))

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return the weighted mean of phi."""
        parts = (w * form.phi(x, row) for w, form, x in self._each(matrix) if x is None or dot(row, form.pi))
        return sum(parts, Fraction(0))

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        return self._mean("float_phi", matrix, rows, steps)

    def cancelled(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return the weighted mean of the sizes of terms that cancel."""
        return self._mean("cancelled", matrix, rows, steps)

    def _mean(self, method: str, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return the weighted mean of a method of the forms; each has its rays scaled to ``r.pi_b = 1`` if possible."""
        total = np.zeros(len(rows))
        for w, form, x in self._each(matrix):
            shares = np.array([float(p) for p in form.pi])
            s, means = rows @ shares, steps @ shares
            scale = np.where(s > 0, s, 1.0)
            each = getattr(form, method)(x, rows / scale[:, None], (steps - means[:, None]) / scale[:, None])
            total += float(w) * scale * each
        return total

    def completed(
        self, mechanism: Mechanism, regular: Callable[[], Mechanism], is_private: Callable[[Mechanism], bool]
    ) -> Mechanism:
        """Return the mechanism, mixed with a little of a regular one if its information is singular."""
        form: RayForm = self.parts[0][1]
        return form.completed(mechanism, regular, is_private)

    def proved(self, mechanism: Mechanism) -> tuple[Fraction, Primal] | None:
        """Return the weighted mean of the values that the mechanism proves, with an estimator for each variance."""
        total, found = Fraction(0), []
        for w, form in self.parts:
            each = form.proved(mechanism)
            if each is None:
                return None
            total += w * each[0]
            found += each[1].get("estimators", [])
        return (total, {}) if self.is_sum else (rounded_up(total), {"estimators": found})

    def bound(self, dual: Any) -> Fraction:
        """Return the bound of a sum over outputs, B or -B."""
        bound: Fraction = self.parts[0][1].bound(dual)
        return bound


class _MixedVariances(_Mixed):
    """The weighted mean of sums of variances: ``phi(p) = sum_b w_b abs(p W_b)^2/(p.pi_b)``."""

    def criterion(self, lines: ScaledRays) -> RayCriterion:
        """Return the sum of squares over all distributions, with W_b in the coordinates of the rays."""
        (rows, steps, root, *_), parts, largest = lines, [], 0.0
        for w, form in self.parts:
            along = root.T @ np.array([[float(x) for x in row] for row in form.targets]).T
            s = rows @ np.array([float(p) for p in form.pi])
            with np.errstate(all="ignore"):
                features = np.where(s[:, None] > 0, (steps @ root) / np.sqrt(s)[:, None], 0.0)
            parts.append((lines.padded(np.sqrt(float(w)) * features), float(w) * along))
            largest = max(largest, float(np.abs(parts[-1][1]).max()))
        return Squares([(f, b / largest) for f, b in parts])

    def witness(self, criterion: Any, y: Array, root: Array) -> tuple[Any, float]:
        """Return the W_b, scaled so that the largest entry is 1, and the square of the scale factor."""
        blocks = [root @ x for x in criterion.blocks(y)]
        largest = max(float(np.abs(x).max()) for x in blocks)
        return tuple(with_zero_columns(x / largest) for x in blocks), largest**2

    def bound(self, dual: Any) -> Fraction:
        """Return ``(sum_b w_b tr C W_b)^2 / B``."""
        pairs = ((w, zip(form.targets, zip(*x, strict=True), strict=True)) for w, form, x in self._each(dual.matrix))
        along = sum((w * sum((dot(c, x) for c, x in each), Fraction(0)) for w, each in pairs), Fraction(0))
        return -rounded_up(-(along**2) / dual.bound())
