"""The least value of a linear program in fractions, by Bland's rule: an oracle that shares no code with rropt."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Numbers = Sequence[Fraction]


def least(
    costs: Numbers, equations: Sequence[tuple[Numbers, Fraction]], below: Sequence[tuple[Numbers, Fraction]]
) -> Fraction | None:
    """Return the least ``costs.x`` over x >= 0 with ``a.x = b`` and ``a.x <= b``; None if there is no such x.

    The set is bounded.
    """
    n, slacks = len(costs), len(below)
    rows = []
    for at, (a, b) in enumerate([*below, *equations]):
        line = [*map(Fraction, a), *(Fraction(at == s) for s in range(slacks))]
        sign = -1 if b < 0 else 1
        rows.append([sign * x for x in line] + [Fraction(sign * b)])
    count = n + slacks
    tableau = [[*row[:-1], *(Fraction(i == h) for h in range(len(rows))), row[-1]] for i, row in enumerate(rows)]
    basis = [count + i for i in range(len(rows))]
    first = [Fraction(0)] * count + [Fraction(1)] * len(rows)
    if _minimized(tableau, basis, first):
        return None
    for i, own in enumerate(basis):  # artificial variables of value 0 leave, or their row is empty
        if own >= count:
            place = next((j for j in range(count) if tableau[i][j]), None)
            if place is not None:
                _pivot(tableau, basis, i, place)
    kept = [i for i, own in enumerate(basis) if own < count]
    tableau = [[*tableau[i][:count], tableau[i][-1]] for i in kept]
    basis = [basis[i] for i in kept]
    return _minimized(tableau, basis, [*map(Fraction, costs), *[Fraction(0)] * slacks])


def _minimized(tableau: list[list[Fraction]], basis: list[int], costs: list[Fraction]) -> Fraction:
    while True:
        for j in range(len(costs)):
            reduced = costs[j] - sum(
                (costs[own] * row[j] for own, row in zip(basis, tableau, strict=True)), Fraction(0)
            )
            if reduced < 0:
                break
        else:
            return sum((costs[own] * row[-1] for own, row in zip(basis, tableau, strict=True)), Fraction(0))
        ratios = [(row[-1] / row[j], basis[i], i) for i, row in enumerate(tableau) if row[j] > 0]
        _pivot(tableau, basis, min(ratios)[2], j)


def _pivot(tableau: list[list[Fraction]], basis: list[int], i: int, j: int) -> None:
    unit = tableau[i][j]
    tableau[i] = [x / unit for x in tableau[i]]
    for h, row in enumerate(tableau):
        if h != i and row[j]:
            factor = row[j]
            tableau[h] = [x - factor * y for x, y in zip(row, tableau[i], strict=True)]
    basis[i] = j
