"""Linear programs: the immutable class, its builder, and the possible outcomes of a solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

from rropt.core.errors import InvalidParameterError, RroptError, one_of, shown
from rropt.core.linear.rational_vectors import RationalVector
from rropt.core.results import Result, labelled
from rropt.core.visible import with_noun

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
        """Return the left-hand side of the row at a point."""
        return sum((value * point[j] for j, value in zip(self.columns, self.values, strict=True)), Fraction(0))


@dataclass(frozen=True, slots=True)
class LinearProgram:
    """Minimize or maximize `c . x` subject to rows `a_i . x (<=, >=, =) b_i`; each x_j is nonnegative or free.

    In this canonical form, an upper bound, or a lower bound other than 0, is a row. All data are exact.

    Attributes:
        sense: `"minimise"` or `"maximise"`.
        variables: n variables with label, sign and cost c_j.
        rows: m rows, sparse; labels are for display and need not be distinct.

    Raises:
        InvalidParameterError: the sense, a sign or a relation is unknown, a number is not a `Fraction`, or the columns
            of a row are out of range or not increasing. `ProgramBuilder` sorts, merges and converts.
    """

    sense: Sense
    variables: tuple[Variable, ...]
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        one_of(self.sense, get_args(Sense), "the sense")
        for variable in self.variables:
            one_of(variable.sign, get_args(Sign), f"the sign of variable {variable.label!r}")
            _require_exact(f"the cost of variable {variable.label!r}", (variable.cost,))
        for row in self.rows:
            one_of(row.relation, get_args(Relation), f"the relation of row {row.label!r}")
            _require_exact(f"row {row.label!r}", (*row.values, row.rhs))
            _require_columns(row, len(self.variables))

    @property
    def direction(self) -> int:
        """1 for a program that is minimized; -1 for one that is maximized."""
        return 1 if self.sense == "minimise" else -1

    def objective(self, point: Sequence[Fraction]) -> Fraction:
        """Return the objective `c . x` at a point."""
        values, scale = (point.numerators, point.denominator) if isinstance(point, RationalVector) else (point, 1)
        costs = (variable.cost * values[j] for j, variable in enumerate(self.variables) if variable.cost and values[j])
        return sum(costs, Fraction(0)) / scale


_Terms = Mapping[int, Fraction | int] | Iterable[tuple[int, Fraction | int]]


class ProgramBuilder:
    """Collects variables and rows and builds an immutable `LinearProgram`.

    Args:
        sense: `"minimise"` or `"maximise"`.

    Example:
        >>> builder = ProgramBuilder("maximise")
        >>> x, y = builder.variable("x", cost=3), builder.variable("y", cost=2)
        >>> builder.row("labour", {x: 1, y: 1}, "<=", 4)
        0
        >>> builder.build().rows[0].columns
        (0, 1)
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
            label: the printed label of the row.
            terms: coefficients by column, as a mapping or as pairs; coefficients of one column are added, and zeros
                are dropped.
            relation: `"<="`, `">="` or `"="`.
            rhs: b_i, `int` or `Fraction`.

        Returns:
            The index of the row. Cost O(t log t) for t terms.

        Raises:
            InvalidParameterError: a number is neither `int` nor `Fraction`.
        """
        merged: dict[int, Fraction] = {}
        if isinstance(terms, Mapping):
            merged = {j: value if type(value) is Fraction else _exact(value, label) for j, value in terms.items()}
        else:
            for column, value in terms:
                exact = _exact(value, label)
                merged[column] = merged[column] + exact if column in merged else exact
        columns = tuple(sorted(column for column, value in merged.items() if value))
        values = tuple(merged[column] for column in columns)
        self._rows.append(Row(label, columns, values, relation, _exact(rhs, label)))
        return len(self._rows) - 1

    def build(self) -> LinearProgram:
        """Return the program; raises InvalidParameterError as `LinearProgram` does."""
        return LinearProgram(self._sense, tuple(self._variables), tuple(self._rows))


def _require_exact(what: str, values: tuple[Fraction, ...]) -> None:
    for value in values:
        if type(value) is not Fraction:
            raise InvalidParameterError(
                f"{what} is not exact: received {shown(value)} of type {type(value).__name__}; allowed is Fraction; "
                "convert with Fraction(...) or use ProgramBuilder"
            )


def _require_columns(row: Row, width: int) -> None:
    columns = row.columns
    increasing = all(left < right for left, right in pairwise(columns))
    inside = not columns or (columns[0] >= 0 and columns[-1] < width)
    if not (increasing and inside and len(columns) == len(row.values)):
        raise InvalidParameterError(
            f"row {row.label!r} is malformed: received {with_noun(len(columns), 'column')} {shown(columns)} and "
            f"{len(row.values)} "
            f"values; allowed are increasing columns below {width}, one value each; use ProgramBuilder"
        )


@lru_cache(maxsize=4096)
def _whole(value: int) -> Fraction:
    """Return an integer as a fraction; the same few integers are the coefficients of most programs."""
    return Fraction(value)


def _exact(value: Fraction | int, label: str) -> Fraction:
    if type(value) is Fraction:
        return value
    if type(value) is int:
        return _whole(value)
    if isinstance(value, Fraction | int):
        return Fraction(value)
    raise InvalidParameterError(
        f"a number at {label!r} is not exact: received {shown(value)} of type {type(value).__name__}; allowed are int "
        "and Fraction; convert with Fraction(str(x))"
    )


@dataclass(frozen=True, slots=True)
class Basis:
    """A basis: equally many basic columns and active rows, whose block of the matrix is nonsingular.

    The nonbasic variables are 0, and the active rows hold with equality; this determines the point.
    """

    columns: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Optimal(Result):
    """An optimal vertex x with a dual solution y that proves it; see `verify_optimal` for the sign conventions.

    Attributes:
        value: `c . x = b . y`.
        primal: x, shape `(n,)`.
        dual: y, shape `(m,)`.
        route: the method that found it: `"float basis"`, `"refined"` or `"exact simplex"`.
    """

    value: Fraction
    primal: RationalVector
    dual: RationalVector
    route: str

    ANSWER = ("value", "primal")
    LABELS = labelled(value="optimum", primal="optimal point", dual="dual solution", route="method")


@dataclass(frozen=True, slots=True)
class Infeasible(Result):
    """No point satisfies the rows: y combines them into `0 >= positive number`; see `verify_infeasible`.

    Attributes:
        farkas: y, shape `(m,)`.
    """

    farkas: RationalVector

    ANSWER = ("farkas",)


Outcome: TypeAlias = Optimal | Infeasible


class NoOptimumError(RroptError, ArithmeticError):
    """The objective of a program improves without bound, or its float solver finds no optimum and is trusted."""
