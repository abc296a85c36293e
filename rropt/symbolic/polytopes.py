"""Vertices of a polytope of distributions, from its JSON, in fractions: the simplex is cut by one condition at a time.

The vertices of ``{x in P : a.x <= b}`` are those of P that satisfy the condition, and the points at which it cuts an
edge of P. Two vertices are joined by an edge if no third one satisfies all conditions with equality that both do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.core.exact import rational

Point = tuple[Fraction, ...]


def vertices_of(given: Mapping[str, Any], k: int) -> tuple[Point, ...]:
    """Return the vertices in ascending order; those that are listed in the problem stay in their order.

    Args:
        given: ``{"vertices": [...]}`` or ``{"rows": [{"coefficients", "relation", "bound"}, ...]}``.
        k: the number of categories.

    >>> few = {"rows": [{"coefficients": ["1", "0"], "relation": "<=", "bound": "1/3"}]}
    >>> [[str(x) for x in point] for point in vertices_of(few, 2)]
    [['0', '1'], ['1/3', '2/3']]
    """
    if "vertices" in given:
        return tuple(tuple(rational(x) for x in one) for one in given["vertices"])
    found = {
        tuple(Fraction(int(i == j)) for i in range(k)): frozenset(("zero", i) for i in range(k) if i != j)
        for j in range(k)
    }
    for n, row in enumerate(given["rows"]):
        line, bound = [rational(x) for x in row["coefficients"]], rational(row["bound"])
        for sign in {"<=": (1,), ">=": (-1,), "=": (1, -1)}[row["relation"]]:
            found = _cut(found, [sign * x for x in line], sign * bound, ("row", n))
    return tuple(sorted(found))


def _cut(
    found: Mapping[Point, frozenset[tuple[str, int]]], line: Sequence[Fraction], bound: Fraction, name: tuple[str, int]
) -> dict[Point, frozenset[tuple[str, int]]]:
    """Return the vertices that satisfy one more condition, with the conditions that each satisfies with equality."""
    over = {point: sum((a * x for a, x in zip(line, point, strict=True)), -bound) for point in found}
    kept = {point: tight | {name} if not over[point] else tight for point, tight in found.items() if over[point] <= 0}
    for one, other in combinations(found, 2):
        if over[one] * over[other] >= 0:
            continue
        common = found[one] & found[other]
        if any(common <= tight for point, tight in found.items() if point not in (one, other)):
            continue
        part = over[one] / (over[one] - over[other])
        point = tuple(x + part * (y - x) for x, y in zip(one, other, strict=True))
        kept[point] = common | {name}
    return kept
