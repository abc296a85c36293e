"""Several contrasts: the sum of the variances of their estimates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact import split_list as listed_text
from rropt.core.exact.numbers import dot
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import listed
from rropt.mechanisms.information import information_matrix, unidentified
from rropt.mechanisms.left_inverse import consistent_solution, fractions_of
from rropt.objectives.objective import DesignSpace, register_objective, shares_of_inputs
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
        given = [listed(row) or row for row in listed(contrasts) or ()]
        if not given or not all(isinstance(row, list) and len(row) == len(given[0]) >= 2 for row in given):
            raise InvalidParameterError(
                f"contrasts are not a matrix: received {shown(contrasts)}; give a row of k >= 2 numbers for each"
            )
        rows = tuple(
            tuple(rational(x, name=f"contrasts[{i}][{j}]") for j, x in enumerate(row)) for i, row in enumerate(given)
        )
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

    def value(self, mechanism: Mechanism, population: Sequence[object]) -> Fraction:
        """Return the sum of the variances at a distribution of exact proportions.

        Raises:
            InvalidParameterError: the argument is not a mechanism, or pi is not a distribution on its inputs.
            InfeasibleError: a contrast is not a linear combination of the mechanism's rows.
        """
        pi = shares_of_inputs(mechanism, population)
        self.require_length(mechanism.inputs)
        z = self.solution(mechanism, pi)
        if z is None:
            raise unidentified(mechanism, "contrasts", "each contrast must be a combination of the mechanism's rows")
        pairs = zip(self.contrasts, zip(*z, strict=True), strict=True)
        return sum((dot(c, column) - dot(c, pi) ** 2 for c, column in pairs), Fraction(0))

    def targets(self, inputs: int) -> Rows:
        """Return the contrasts, one in each row."""
        return self.contrasts

    def solution(self, mechanism: Mechanism, population: Sequence[Fraction]) -> Rows | None:
        """Return Z with ``M Z = C^T``, or None if no such matrix exists."""
        information = information_matrix(mechanism, population)
        if information is None:
            return None
        rows = fractions_of(information)
        columns = [consistent_solution(rows, c) for c in self.contrasts]
        if any(column is None for column in columns):
            return None
        return tuple(zip(*(column for column in columns if column is not None), strict=True))

    def require(self, region: DesignSpace) -> None:
        """Raise an error unless ``VarianceSum`` supports the region and each contrast has one number for each input."""
        VarianceSum.require(self, region)
        self.require_length(region.inputs)

    def require_length(self, inputs: int) -> None:
        """Raise ``InvalidParameterError`` unless each contrast has one number for each input."""
        if len(self.contrasts[0]) != inputs:
            raise InvalidParameterError(
                f"contrasts need one number per category: received rows of {len(self.contrasts[0])} numbers for "
                f"{inputs} categories"
            )
