"""Total variation distance between the output distributions of two distributions of the categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.objectives.objective import register_objective
from rropt.objectives.ray_form import RayForm
from rropt.objectives.staircase_forms import StaircaseForm
from rropt.objectives.two_populations import TwoPopulations, TwoPopulationsForm

if TYPE_CHECKING:
    from rropt.objectives.criteria import Array


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class TotalVariation(TwoPopulations):
    """Maximize half the sum of ``abs(Pr(output i) - Pr'(output i))`` for two distributions of the categories.

    This is the advantage of the best test, over guessing, in distinguishing the two distributions from one response.

    Attributes:
        against: the other distribution of the categories, shape (k,).
    """

    kind = "total-variation"
    title = "total variation"
    form = '{"kind": "total-variation", "against": [...]}'
    takes_zero_shares = True

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return half the absolute difference of the two probabilities of an output."""
        return _TotalVariationForm(self, population, gamma)

    def absolute_line(self, population: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """Return ``(pi - q)/2``."""
        return tuple((p - q) / 2 for p, q in zip(population, self.against, strict=True))

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return ``sum theta abs(S.(pi - q))/2``."""
        rows = zip(form.theta, form.masses(), form.masses(self.against), strict=True)
        return sum(t * (form.gamma - 1) * abs(a - b) for t, a, b in rows) / 2

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the total variation distance for exact proportions pi.

        >>> print(TotalVariation(["1/4", "3/4"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
        1/4
        """
        return sum((abs(a - b) for a, b in self.chances(mechanism, population)), Fraction(0)) / 2


class _TotalVariationForm(TwoPopulationsForm):
    is_piecewise_linear: ClassVar[bool] = True

    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``abs(r.(pi - q))/2``."""
        return abs(dot(row, self.apart)) / 2

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        halves: Array = abs(self.steps(rows, steps)[0]) / 2
        return halves
