"""Polytopes of distributions of the categories, for problems without a known distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, Literal, NamedTuple, get_args

from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError, shown
from rropt.core.exact import as_text, rational
from rropt.core.exact.numbers import dot
from rropt.core.visible import with_noun
from rropt.mechanisms.columns import exact_population, listed

Numbers = tuple[Fraction, ...]

MOST_VERTICES = 200
MOST_ROWS = 64  # largest number of rows that the checker accepts
_MOST_BASES = 10_000  # sets of active rows that are examined for vertices: a second or two
Relation = Literal["<=", ">=", "="]
_RELATIONS = get_args(Relation)
_FORMS = '{"vertices": [[...], ...]} or {"rows": [{"coefficients": [...], "relation": "<=", "bound": ...}, ...]}'


class PopulationRow(NamedTuple):
    """The condition that ``coefficients . pi`` is at most, at least or equal to ``bound``."""

    coefficients: Numbers
    relation: Relation
    bound: Fraction

    def holds(self, pi: Sequence[Fraction]) -> bool:
        """Return whether a distribution satisfies the condition."""
        value = dot(self.coefficients, pi)
        return (
            value <= self.bound
            if self.relation == "<="
            else value >= self.bound and (self.relation == ">=" or value == self.bound)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary for problems and certificates."""
        numbers = [as_text(a) for a in self.coefficients]
        return {"coefficients": numbers, "relation": self.relation, "bound": as_text(self.bound)}


@dataclass(frozen=True, slots=True)
class Populations:
    """A polytope of distributions of the categories: the convex hull of its vertices.

    Use ``hull``, ``between`` or ``where`` to build one; ``of`` reads the JSON of problems.

    Attributes:
        vertices: distributions, shape (l, k), that span the polytope; a hull may contain redundant ones.
        rows: the given inequalities, in addition to ``pi >= 0`` and ``sum pi = 1``; empty for a convex hull.

    >>> few = Populations.between(["1/2", "1/4", "0"], ["1", "1/2", "1/4"])
    >>> [[str(p) for p in pi] for pi in few.vertices]
    [['1/2', '1/4', '1/4'], ['1/2', '1/2', '0'], ['3/4', '1/4', '0']]
    """

    vertices: tuple[Numbers, ...]
    rows: tuple[PopulationRow, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``InvalidParameterError`` for vertices that no constructor has read."""
        is_listed = isinstance(self.vertices, tuple) and self.vertices
        if not is_listed or not all(isinstance(pi, tuple) and pi for pi in self.vertices):
            raise InvalidParameterError(
                f"vertices are not tuples of numbers: received {shown(self.vertices)}; allowed are those that "
                "Populations.hull([[...], ...]) reads"
            )

    @property
    def inputs(self) -> int:
        """k, the number of categories."""
        return len(self.vertices[0])

    @property
    def middle(self) -> Numbers:
        """The mean of the vertices, a distribution in the polytope."""
        count = len(self.vertices)
        return tuple(sum(column, Fraction(0)) / count for column in zip(*self.vertices, strict=True))

    @classmethod
    def hull(cls, vertices: Sequence[Sequence[object]]) -> Populations:
        """Build the convex hull of given distributions.

        Raises:
            InvalidParameterError: there are no vertices or more than 200, one is not a distribution, or their lengths
                differ.
        """
        given = listed(vertices)
        if given is None or not 1 <= len(given) <= MOST_VERTICES:
            raise InvalidParameterError(
                f"a polytope has 1 to {MOST_VERTICES} vertices: received {shown(vertices)}; give a list of "
                f"distributions"
            )
        first = listed(given[0], flat=True)
        k = len(first) if first else 0
        if k < 2:
            raise InvalidParameterError(
                f"a vertex is not a distribution: received {shown(given[0])}; allowed are k >= 2 numbers with sum 1"
            )
        return cls(tuple(dict.fromkeys(_population(vertex, k) for vertex in given)))

    @classmethod
    def between(cls, least: Sequence[object], most: Sequence[object]) -> Populations:
        """Build the polytope of distributions with each proportion between two numbers.

        Raises:
            InvalidParameterError: the bounds are not numbers in [0, 1], differ in number, or a lower bound exceeds the
                upper one.
            InfeasibleError: no distribution satisfies the bounds.
        """
        low, high = (_shares(numbers) for numbers in (least, most))
        k = len(low)
        if k < 2 or len(high) != k or any(not 0 <= a <= b <= 1 for a, b in zip(low, high, strict=True)):
            raise InvalidParameterError(
                f"proportions have no range: received from {shown(least)} to {shown(most)}; allowed are 0 <= LOW <= "
                f"HIGH "
                "<= 1 for each of two or more categories"
            )
        if not sum(low) <= 1 <= sum(high):
            raise InfeasibleError(
                f"no distribution has such proportions: received lower bounds with sum {sum(low)}, upper bounds with "
                f"sum {sum(high)}; the first must be at most 1, the second at least 1"
            )
        if k << (k - 1) > _MOST_BASES:
            raise UnsupportedProblemError(
                f"there are too many vertices to enumerate: received {k} categories; allowed are 10; give the "
                "vertices, or merge categories"
            )
        ends, found = [sorted({a, b}) for a, b in zip(low, high, strict=True)], []
        for j in range(k):  # at a vertex, all proportions but one are at a bound
            for others in product(*ends[:j], *ends[j + 1 :]):
                rest = 1 - sum(others, Fraction(0))
                if low[j] <= rest <= high[j]:
                    found.append((*others[:j], rest, *others[j:]))
        rows = [PopulationRow(_unit(j, k), ">=", low[j]) for j in range(k) if low[j] > 0]
        rows += [PopulationRow(_unit(j, k), "<=", high[j]) for j in range(k) if high[j] < 1]
        return cls._spanned(found, rows)

    @classmethod
    def written(cls, shares: Sequence[object]) -> Populations:
        """Parse a range ``LOW..HIGH``, or a single number, for each proportion and build the polytope.

        >>> print(Populations.written(["1/4..1/2", "0..1", "1/5"]))
        a polytope of 2 vertices in 3 categories
        """
        ends = [str(share).split("..") for share in shares]
        if any(len(each) > 2 for each in ends):
            raise InvalidParameterError(
                f"a proportion is not a range: received {shown(list(shares))}; allowed is LOW..HIGH or one number for "
                "each"
            )
        return cls.between([each[0] for each in ends], [each[-1] for each in ends])

    @classmethod
    def where(cls, rows: Sequence[Any]) -> Populations:
        """Build the polytope of distributions that satisfy linear inequalities.

        Args:
            rows: (coefficients, relation, bound), or objects with these keys; the relation is "<=", ">=" or "=".

        Raises:
            InvalidParameterError: a row has another form, or the rows differ in length.
            InfeasibleError: no distribution satisfies the inequalities.
            UnsupportedProblemError: the enumeration of the vertices would take too long.
        """
        given = listed(rows)
        if given is None or not 1 <= len(given) <= MOST_ROWS:
            raise InvalidParameterError(
                f"a polytope has 1 to {MOST_ROWS} rows: received {shown(rows)}; allowed is {_FORMS}"
            )
        read = [_row(row) for row in given]
        k = len(read[0].coefficients)
        if k < 2 or any(len(row.coefficients) != k for row in read):
            raise InvalidParameterError(
                f"rows differ in length: received {shown(rows)}; give one coefficient for each of k >= 2 categories"
            )
        return cls._spanned(_vertices(read, k), read)

    @classmethod
    def _spanned(cls, vertices: list[Numbers], rows: list[PopulationRow]) -> Populations:
        found = tuple(sorted(set(vertices)))
        if not found:
            raise InfeasibleError(
                f"no distribution satisfies the rows: received {len(rows)} of them; relax one; proportions are >= 0 "
                "and sum to 1"
            )
        if len(found) > MOST_VERTICES:
            raise UnsupportedProblemError(
                f"the polytope has too many vertices: received {len(found)}; allowed are {MOST_VERTICES}; merge "
                "categories, or give fewer rows"
            )
        return cls(found, tuple(rows))

    @classmethod
    def of(cls, data: Any) -> Populations:
        """Build the polytope from the JSON of problems: an object with ``vertices`` or with ``rows``.

        Raises:
            InvalidParameterError: the object has another form.
        """
        if isinstance(data, cls):
            return data
        if isinstance(data, dict) and set(data) == {"vertices"}:
            return cls.hull(data["vertices"])
        if isinstance(data, dict) and set(data) == {"rows"}:
            return cls.where(data["rows"])
        raise InvalidParameterError(f"not a polytope of distributions: received {shown(data)}; allowed is {_FORMS}")

    def to_dict(self) -> dict[str, Any]:
        """Return the dictionary for problems and certificates."""
        if self.rows:
            return {"rows": [row.to_dict() for row in self.rows]}
        return {"vertices": [[as_text(p) for p in pi] for pi in self.vertices]}

    def __str__(self) -> str:
        return f"a polytope of {with_noun(len(self.vertices), 'vertex', 'vertices')} in {self.inputs} categories"


def _population(vertex: object, k: int) -> Numbers:
    given = exact_population(vertex, k)  # type: ignore[arg-type]  # it looks at what it is given
    return tuple(rational(p, name=f"proportion {j} of a vertex") for j, p in enumerate(given))


def _shares(numbers: object) -> Numbers:
    given = listed(numbers, flat=True)
    return tuple(rational(x, name=f"proportion {j}") for j, x in enumerate(given or ()))


def _row(data: Any) -> PopulationRow:
    """Read a row from its JSON or from (coefficients, relation, bound)."""
    keys = ("coefficients", "relation", "bound")
    parts = [data[key] for key in keys] if isinstance(data, dict) and set(data) == set(keys) else data
    if not isinstance(parts, (list, tuple)) or len(parts) != 3 or parts[1] not in _RELATIONS:
        raise InvalidParameterError(f"a row is not of its form: received {shown(data)}; allowed is {_FORMS}")
    return PopulationRow(_shares(parts[0]), parts[1], rational(parts[2], name="the bound of a row"))


def _unit(j: int, k: int) -> Numbers:
    return tuple(Fraction(i == j) for i in range(k))


def _vertices(rows: Sequence[PopulationRow], k: int) -> list[Numbers]:
    """Return the points of the simplex that satisfy all rows and are the unique solution of k - 1 active rows."""
    from rropt.core.linear.vertices import vertices  # loads FLINT

    every = [*rows, *(PopulationRow(_unit(j, k), ">=", Fraction(0)) for j in range(k))]
    if comb(len(every), k - 1) > _MOST_BASES:
        raise UnsupportedProblemError(
            f"there are too many vertices to enumerate: received {len(rows)} rows of {k} categories; give the "
            "vertices, or fewer rows"
        )
    forms = []  # of the first k - 1 proportions: the last one is 1 minus their sum
    for row in every:
        *first, last = row.coefficients
        for sign in {">=": (1,), "<=": (-1,), "=": (1, -1)}[row.relation]:
            forms.append([*(sign * (a - last) for a in first), sign * (last - row.bound)])
    return [(*point, 1 - sum(point, Fraction(0))) for point in vertices(forms)]
