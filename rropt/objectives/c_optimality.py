"""c-optimality: the variance of one estimated contrast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.mechanisms.columns import listed
from rropt.objectives.objective import register_objective
from rropt.objectives.special_cases import Rows
from rropt.objectives.staircase_forms import StaircaseForm, in_symbols
from rropt.objectives.variance_sums import VarianceSum


@register_objective
@dataclass(frozen=True, slots=True)
class COptimality(VarianceSum):
    """Minimize n times the variance of the efficient unbiased estimate of a contrast: ``c^T M^- c - (c . pi)^2``.

    The minimum is over all mechanisms with any number of outputs. The estimated quantity is c . pi: c = (1, -1, 0)
    gives the difference of the first two proportions, (1, 0, 0) the first proportion, and (0, 1, 2) a mean. The optimal
    mechanism need not distinguish categories with equal c_j; then M is singular.

    Args:
        contrast: c, shape (k,), exact numbers of any sign, not all equal.

    Raises:
        InvalidParameterError: c is not a list of exact numbers, or all its numbers are equal.

    >>> from rropt.mechanisms import Mechanism
    >>> print(COptimality([1, 0]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    1
    >>> z = COptimality([1, -1]).solution(Mechanism.binary("3/4", "3/4"), (Fraction(1, 2), Fraction(1, 2)))
    >>> [str(x) for (x,) in z]
    ['2', '-2']
    """

    kind = "c-optimal"
    title = "n Var of the contrast"
    goal = "c-optimal design"
    form = '{"kind": "c-optimal", "contrast": [...]}'
    options = ("contrast",)
    with_few = True
    with_ranges = True
    contrast: tuple[Fraction, ...]

    def __init__(self, contrast: Sequence[object]) -> None:
        given = listed(contrast, flat=True)
        if given is None or len(given) < 2:
            raise InvalidParameterError(
                f"contrast is not a list of numbers: received {shown(contrast)}; give one number per category"
            )
        exact = tuple(rational(c, name=f"contrast[{j}]") for j, c in enumerate(given))
        if len(set(exact)) < 2:
            raise InvalidParameterError(
                f"contrast is constant: received {shown(contrast)}; its value is known without data if all numbers are "
                "equal; give at least two different numbers"
            )
        object.__setattr__(self, "contrast", exact)

    def restricted(self, kept: Sequence[int]) -> COptimality | None:
        """Return the contrast restricted to these categories; None if all its numbers are equal there."""
        own = [self.contrast[j] for j in kept]
        return COptimality(own) if len(set(own)) > 1 else None

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> COptimality:
        """Build the objective from the option ``contrast``."""
        if "contrast" not in options:
            raise InvalidParameterError("`objective=c-optimal` needs `contrast`: one number per category, as in 1,-1,0")
        return cls(options["contrast"])

    def staircase_value(self, form: StaircaseForm) -> Any | None:
        """Return the value of a two-row design for a contrast with two distinct numbers; None in other cases."""
        if not len(set(self.contrast)) == 2 == len(form.bits):
            return None
        (low, high), gamma = sorted(set(self.contrast)), form.gamma
        one, other = (t * s for t, s in zip(form.theta, form.means(), strict=True))
        return in_symbols((high - low) ** 2) * one * other * ((gamma + 1) / (gamma - 1)) ** 2

    def targets(self, inputs: int) -> Rows:
        """Return the contrast as the only row."""
        return (self.contrast,)
