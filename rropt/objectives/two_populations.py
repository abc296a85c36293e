"""Distances between the output distributions of two distributions of the categories: shared base classes.

The value is a sum over outputs of a convex, homogeneous function of the row. At delta = 0 it is maximized by rows in
{1, gamma}^k up to scale (Kairouz, Oh and Viswanath, JMLR 17 (2016), theorem 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.errors import InvalidParameterError
from rropt.core.lazy import numpy as np
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import exact_population
from rropt.objectives.objective import AnyOutputObjective, DesignSpace, shares_of_inputs
from rropt.objectives.ray_form import SumForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@dataclass(frozen=True, slots=True)
class TwoPopulations(AnyOutputObjective):
    """A distance between the output distributions of pi and of another distribution of the categories.

    Args:
        against: q, shape (k,): the other distribution of the categories.

    Raises:
        InvalidParameterError: q is not a distribution.
    """

    sense = "maximise"
    options: ClassVar[tuple[str, ...]] = ("against",)
    is_on_rays = True
    against: tuple[Fraction, ...]

    def __init__(self, against: Sequence[object]) -> None:
        object.__setattr__(
            self, "against", exact_population(against, len(against) if hasattr(against, "__len__") else 2)
        )

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> TwoPopulations:
        """Build the objective from the option ``against``."""
        if "against" not in options:
            raise InvalidParameterError(
                f"`objective={cls.kind}` needs `against`: another distribution of the categories"
            )
        return cls(options["against"])

    def compared_with(self, against: Sequence[object]) -> TwoPopulations:
        """Return the same distance to another distribution."""
        return type(self)(against)

    def ratios(self, population: Sequence[Fraction]) -> list[Fraction]:
        """Return ``pi_j/(pi_j + q_j)``; a category that has no proportion in either takes the ratio of the first."""
        found = [p / (p + q) if p + q else None for p, q in zip(population, self.against, strict=True)]
        first = next(ratio for ratio in found if ratio is not None)
        return [first if ratio is None else ratio for ratio in found]

    def added(self, groups: Sequence[int]) -> TwoPopulations:
        """Return the distance for groups of categories, whose proportions under q are added."""
        sums = [Fraction(0)] * (max(groups) + 1)
        for group, q in zip(groups, self.against, strict=True):
            sums[group] += q
        return self.compared_with(sums)

    def parameter(self) -> Sequence[object]:
        """Return q."""
        return self.against

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether the term of an output with these two probabilities is infinite; by default no term is."""
        return False

    def limit(self, region: DesignSpace, population: Sequence[Fraction]) -> str | None:
        """Return an explanation if the region allows an output that is possible under one distribution only."""
        lost = [j for j, (p, q) in enumerate(zip(population, self.against, strict=True)) if self.infinite(p, q)]
        if region.form == "parity" or not lost:
            return None
        no_delta = ", or set delta to 0" if region.form == "excess" else ""
        return (
            f"{self.title} is infinite if an output is possible under only one of the two distributions: received a "
            f"proportion of 0 for category {lost[0]}; give positive proportions{no_delta}"
        )

    def chances(self, mechanism: Mechanism, population: Sequence[object]) -> list[tuple[Fraction, Fraction]]:
        """Return the probabilities of each output under pi and under the other distribution."""
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        pairs = zip(mechanism.apply(pi), mechanism.apply(self.against), strict=True)
        return [(Fraction(a), Fraction(b)) for a, b in pairs]


class TwoPopulationsForm(SumForm):
    """A distance between the output distributions under pi and under q, with rational phi."""

    is_rational: ClassVar[bool] = True
    has_any_scale: ClassVar[bool] = True

    def __init__(self, objective: TwoPopulations, population: Sequence[Fraction], gamma: Fraction) -> None:
        super().__init__(objective, population, gamma)
        self.q = objective.against
        self.apart = [x - y for x, y in zip(self.pi, self.q, strict=True)]

    def steps(self, rows: Array, steps: Array) -> tuple[Array, Array]:
        """Return ``r.(pi - q)`` and ``r.q`` for the rows r; the first is that of the steps, as pi - q sums to 0."""
        lines = np.array([self.apart, self.q], dtype=float).T
        return (steps @ lines)[:, 0], (rows @ lines)[:, 1]
