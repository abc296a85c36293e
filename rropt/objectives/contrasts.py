"""Several contrasts: the sum of the variances of their estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import split_list as listed_text
from rropt.objectives.objective import exact_rows, register_objective
from rropt.objectives.special_cases import Rows
from rropt.objectives.variance_sums import VarianceSum


@register_objective
@dataclass(frozen=True, slots=True, init=False)
class Contrasts(VarianceSum):
    """Minimize n times the sum of the variances of the efficient unbiased estimates of several contrasts.

    The objective is ``sum_c (c^T M^- c - (c . pi)^2)``, over all mechanisms with any number of outputs. A single
    contrast gives c-optimality, and the unit vectors give A-optimality. Scaling a row changes the weight of its
    contrast.

    Args:
        contrasts: C, rows of k exact numbers; at least one row whose numbers are not all equal.

    Raises:
        InvalidParameterError: C is not a matrix of this form.

    >>> from rropt.mechanisms import Mechanism
    >>> print(Contrasts([[1, 0], [0, 1]]).value(Mechanism.binary("3/4", "3/4"), ["1/2", "1/2"]))
    2
    """

    kind = "contrasts"
    title = "n times the sum of the variances of the contrasts"
    goal = "smallest total variance of the contrasts"
    form = '{"kind": "contrasts", "contrasts": [[...]]}'
    options = ("contrast",)
    contrasts: Rows

    def __init__(self, contrasts: Sequence[Sequence[object]]) -> None:
        rows = exact_rows(contrasts, "contrasts", "contrast")
        if all(len(set(row)) < 2 for row in rows):
            raise InvalidParameterError(
                f"contrasts are constant: received {shown(contrasts)}; give at least one whose numbers differ"
            )
        object.__setattr__(self, "contrasts", rows)

    def merged(self, kept: Sequence[int]) -> Contrasts:
        """Return the contrasts of the groups: one number for each group."""
        return Contrasts([[row[j] for j in kept] for row in self.contrasts])

    @classmethod
    def for_categories(cls, inputs: int, **options: Any) -> Contrasts:
        """Build the objective from the option ``contrast``: contrasts separated by semicolons."""
        given = options.get("contrast")
        if given is None:
            raise InvalidParameterError("`objective=contrasts` needs `contrast`: contrasts such as 1,-1,0;0,1,-1")
        items = listed_text(given) if isinstance(given, str) else list(given)
        if all(isinstance(item, str) and "," in item for item in items):  # as the command line splits 1,-1,0;0,1,-1
            return cls([listed_text(item) for item in items])
        return cls(items if all(isinstance(item, (list, tuple)) for item in items) else [items])

    def targets(self, inputs: int) -> Rows:
        """Return the contrasts, one in each row."""
        return self.contrasts
