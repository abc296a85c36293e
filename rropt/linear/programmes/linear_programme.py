"""The record of an exact linear programme."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

from rropt.errors import InvalidParameterError, shown

__all__ = ["LinearProgramme", "Relation", "Row", "Sense", "Sign", "Variable"]

Sense: TypeAlias = Literal["minimise", "maximise"]
Relation: TypeAlias = Literal["<=", ">=", "="]
Sign: TypeAlias = Literal["nonnegative", "free"]


class Variable(NamedTuple):
    """A variable: its label, its sign and its coefficient c_j in the objective."""

    label: str
    sign: Sign
    cost: Fraction


class Row(NamedTuple):
    """A row `sum_k values[k] * x[columns[k]]  relation  rhs`, columns increasing; it may be empty."""

    label: str
    columns: tuple[int, ...]
    values: tuple[Fraction, ...]
    relation: Relation
    rhs: Fraction

    def at(self, point: Sequence[Fraction]) -> Fraction:
        """Return the left-hand side at a point."""
        return sum((value * point[j] for j, value in zip(self.columns, self.values, strict=True)), Fraction(0))


@dataclass(frozen=True, slots=True)
class LinearProgramme:
    """Minimise or maximise `c . x` subject to rows `a_i . x (<=, >=, =) b_i`; each x_j is nonnegative or free.

    The canonical form: an upper bound, or a lower bound other than 0, is a row. All data are exact.

    Attributes:
        sense: `"minimise"` or `"maximise"`.
        variables: n variables with label, sign and cost c_j.
        rows: m rows, sparse; labels are for people and need not differ.

    Raises:
        InvalidParameterError: a word is not of the list, a number is not a `Fraction`, or a row names a column that
            does not exist, twice, or out of order. `ProgrammeBuilder` sorts, merges and converts.
    """

    sense: Sense
    variables: tuple[Variable, ...]
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        _require_word("the sense", self.sense, get_args(Sense))
        for variable in self.variables:
            _require_word(f"the sign of variable {variable.label!r}", variable.sign, get_args(Sign))
            _require_exact(f"the cost of variable {variable.label!r}", (variable.cost,))
        for row in self.rows:
            _require_word(f"the relation of row {row.label!r}", row.relation, get_args(Relation))
            _require_exact(f"row {row.label!r}", row.values)
            _require_exact(f"row {row.label!r}", (row.rhs,))
            _require_columns(row, len(self.variables))

    @property
    def nonzeros(self) -> int:
        """The number of stored coefficients of the rows."""
        return sum(len(row.columns) for row in self.rows)

    def objective(self, point: Sequence[Fraction]) -> Fraction:
        """Return `c . x`."""
        costs = (variable.cost * point[j] for j, variable in enumerate(self.variables) if variable.cost)
        return sum(costs, Fraction(0))


def _require_word(what: str, received: str, allowed: tuple[str, ...]) -> None:
    if received not in allowed:
        words = " or ".join(map(repr, allowed))
        raise InvalidParameterError(
            f"{what} is unknown: received {shown(received)}; allowed is {words}; use one of them"
        )


def _require_exact(what: str, values: tuple[Fraction, ...]) -> None:
    for value in values:
        if type(value) is not Fraction:
            raise InvalidParameterError(
                f"{what} is not exact: received {shown(value)} of type {type(value).__name__}; allowed is Fraction; "
                "convert with Fraction(...) or use ProgrammeBuilder"
            )


def _require_columns(row: Row, width: int) -> None:
    columns = row.columns
    increasing = all(left < right for left, right in pairwise(columns))
    inside = not columns or (columns[0] >= 0 and columns[-1] < width)
    if not (increasing and inside and len(columns) == len(row.values)):
        raise InvalidParameterError(
            f"row {row.label!r} is malformed: received {len(columns)} columns {shown(columns)} and {len(row.values)} "
            f"values; allowed are increasing columns below {width}, one value each; use ProgrammeBuilder"
        )
