"""Chi-square distance between the output distributions of two distributions of the categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidParameterError
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
class ChiSquare(TwoPopulations):
    """Maximize ``sum_i (Pr(output i) - Pr'(output i))^2 / Pr'(output i)`` for two distributions of the categories.

    n times this value is the noncentrality parameter of Pearson's test of the second distribution with n responses.

    Attributes:
        against: the other distribution of the categories, shape (k,).
    """

    kind = "chi-square"
    title = "chi-square"
    form = '{"kind": "chi-square", "against": [...]}'

    def on_rays(self, population: Sequence[Fraction], gamma: Fraction) -> RayForm:
        """Return the squared difference of the two probabilities of an output, divided by the second one."""
        return _ChiSquareForm(self, population, gamma)

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return ``sum theta (S.(pi - q))^2/(S.q)``."""
        rows = zip(form.theta, form.masses(), form.masses(self.against), form.means(self.against), strict=True)
        return sum(t * ((form.gamma - 1) * (a - b)) ** 2 / s for t, a, b, s in rows)

    def infinite(self, a: Fraction, b: Fraction) -> bool:
        """Return whether the second probability is 0 and the first is not."""
        return bool(a and not b)

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the chi-square distance at a distribution of exact proportions.

        Raises:
            InvalidParameterError: an output is impossible under the second distribution but not under the first.

        >>> print(ChiSquare(["1/2", "1/2"]).value(Mechanism.binary("3/4", "3/4"), ["3/4", "1/4"]))
        1/16
        """
        pairs = [(a, b) for a, b in self.chances(mechanism, population) if a or b]
        if not all(b for _, b in pairs):
            raise InvalidParameterError(
                f"chi-square is infinite: received {mechanism!r}; every output that is possible under the distribution "
                "must be possible under the other one"
            )
        return sum(((a - b) ** 2 / b for a, b in pairs), Fraction(0))


class _ChiSquareForm(TwoPopulationsForm):
    def phi(self, matrix: Any, row: Sequence[Fraction]) -> Fraction:
        """Return ``(r.(pi - q))^2 / (r.q)``."""
        return dot(row, self.apart) ** 2 / dot(row, self.q)

    def float_phi(self, matrix: Any, rows: Array, steps: Array) -> Array:
        """Return ``phi`` of several rows in floats."""
        apart, other = self.steps(rows, steps)
        squares: Array = apart**2 / other
        return squares
