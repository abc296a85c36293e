"""A convenient and fast way to write a linear programme down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rropt.errors import InvalidParameterError, shown
from rropt.linear.programmes.linear_programme import LinearProgramme, Relation, Row, Sense, Sign, Variable

__all__ = ["ProgrammeBuilder"]

_Terms = Mapping[int, Fraction | int] | Iterable[tuple[int, Fraction | int]]


class ProgrammeBuilder:
    """Collects variables and rows, and builds the frozen `LinearProgramme`.

    Args:
        sense: `"minimise"` or `"maximise"`.

    Example:
        >>> builder = ProgrammeBuilder("maximise")
        >>> x, y = builder.variable("x", cost=3), builder.variable("y", cost=2)
        >>> builder.row("labour", {x: 1, y: 1}, "<=", 4)
        0
        >>> builder.build().nonzeros
        2
    """

    def __init__(self, sense: Sense) -> None:
        self._sense: Sense = sense
        self._variables: list[Variable] = []
        self._rows: list[Row] = []

    def variable(self, label: str, *, cost: Fraction | int = 0, sign: Sign = "nonnegative") -> int:
        """Add a variable and return its column."""
        self._variables.append(Variable(label, sign, _exact(cost, label)))
        return len(self._variables) - 1

    def row(self, label: str, terms: _Terms, relation: Relation, rhs: Fraction | int) -> int:
        """Add the row `sum of terms relation rhs` and return its index.

        Args:
            label: what the row says, for people.
            terms: coefficients by column, as a mapping or as pairs; pairs of one column are added up; zeros vanish.
            relation: `"<="`, `">="` or `"="`.
            rhs: b_i, `int` or `Fraction`.

        Returns:
            The index of the row. Cost O(t log t) for t terms.

        Raises:
            InvalidParameterError: a number is neither `int` nor `Fraction`.
        """
        pairs = terms.items() if isinstance(terms, Mapping) else terms
        merged: dict[int, Fraction] = {}
        for column, value in pairs:
            exact = value if type(value) is Fraction else _exact(value, label)
            merged[column] = merged[column] + exact if column in merged else exact
        columns = tuple(sorted(column for column, value in merged.items() if value))
        values = tuple(merged[column] for column in columns)
        self._rows.append(Row(label, columns, values, relation, _exact(rhs, label)))
        return len(self._rows) - 1

    def build(self) -> LinearProgramme:
        """Return the programme; raises InvalidParameterError as `LinearProgramme` does."""
        return LinearProgramme(self._sense, tuple(self._variables), tuple(self._rows))


def _exact(value: Fraction | int, label: str) -> Fraction:
    if isinstance(value, Fraction | int):
        return Fraction(value)
    raise InvalidParameterError(
        f"a number at {label!r} is not exact: received {shown(value)} of type {type(value).__name__}; allowed are int "
        "and Fraction; convert with Fraction(str(x))"
    )
