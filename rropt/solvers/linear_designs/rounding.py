"""From approximate answers to exact ones: a mechanism that is private, and a dual that bounds the objective.

*The mechanism.* P is mixed with an interior mechanism, ``(1 - s) P + s U``, and written on a grid. U has slack in every
condition, so a small share s makes room for the errors of P and for rounding: the mixture is private exactly at the
level below. It costs at most s times the range of the objective.

*The dual.* Any multipliers of the right sign of the inequalities extend to a dual: t_i and e_i,jl are served by raising
one multiplier, and the columns take ``y_j = min_i (c_ij - (A^T y)_ij)``, the largest value that leaves every reduced
cost nonnegative. The bound ``b . y`` is off by no more than the errors of the multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from rropt.mechanisms import Mechanism
from rropt.solvers.linear_designs.design_programme import DesignProgramme, Pair
from rropt.solvers.linear_designs.exact_rows import WrittenProgramme
from rropt.solvers.linear_designs.limits import GRID_BITS, SHARES

Grid = list[list[int]]
_UNIT = 1 << GRID_BITS


def round_mechanism(
    design: DesignProgramme, proposal: Sequence[int], interior: Sequence[Sequence[Fraction]]
) -> Mechanism | None:
    """Return a mechanism of the programme's region near a proposal, or None when even a large share does not help.

    Args:
        design: at the level below; every pair counts, not only those that are written down.
        proposal: ``p_ij`` times ``2^GRID_BITS`` at ``i k + j``, approximate.
        interior: a mechanism with slack in every condition, approximate.
    """
    m, k = design.shape
    proposed = [[max(0, proposal[i * k + j]) for j in range(k)] for i in range(m)]
    inner = [[x.numerator * _UNIT // x.denominator for x in row] for row in interior]
    for share in SHARES:
        grid = _stochastic(design, _mixture(proposed, inner, share))
        if grid is not None and _allowed(design, grid):
            return Mechanism(tuple(tuple(Fraction(x, _UNIT) for x in row) for row in grid))
    return None


def _mixture(proposed: Grid, inner: Grid, share: Fraction) -> Grid:
    a, b = share.denominator - share.numerator, share.numerator
    return [
        [(a * p + b * u) // share.denominator for p, u in zip(row, other, strict=True)]
        for row, other in zip(proposed, inner, strict=True)
    ]


def _stochastic(design: DesignProgramme, grid: Grid) -> Grid | None:
    """Make columns sum to 1 by the largest entry that the bounds leave free; fixed entries take their value."""
    m, k = design.shape
    for j in range(k):
        free = []
        for i in range(m):
            value = design.fixed(i, j)
            if value is None:
                free.append(i)
            elif value.denominator & (value.denominator - 1):
                return None  # a value off the grid: left to the exact solver
            else:
                grid[i][j] = value.numerator * _UNIT // value.denominator
        if not free:
            return None
        largest = max(free, key=lambda i, j=j: grid[i][j])  # type: ignore[misc]
        grid[largest][j] += _UNIT - sum(row[j] for row in grid)
    return grid


def _allowed(design: DesignProgramme, grid: Grid) -> bool:
    if min(map(min, grid)) < 0 or not _within_bounds(design, grid):
        return False
    if design.rows.form == "parity":
        n, d = design.gamma.numerator, design.gamma.denominator
        return all(d * max(row) <= n * min(row) for row in grid)
    if design.rows.form == "pairwise":
        return not _violated(design, grid)
    n, d = design.gamma.numerator, design.gamma.denominator
    room = design.delta * d * _UNIT
    columns = list(zip(*grid, strict=True))
    return all(
        sum(max(0, d * p - n * q) for p, q in zip(columns[j], columns[other], strict=True)) <= room
        for j, other in design.pairs
    )


def _within_bounds(design: DesignProgramme, grid: Grid) -> bool:
    if design.least is None or design.most is None:
        return True
    return all(
        a * _UNIT <= p <= b * _UNIT
        for row, low, high in zip(grid, design.least, design.most, strict=True)
        for p, a, b in zip(row, low, high, strict=True)
    )


def _violated(design: DesignProgramme, grid: Sequence[Sequence[int]]) -> list[Pair]:
    """Return the pairs, among all with a level, whose condition does not hold."""
    columns = list(zip(*grid, strict=True))
    wrong = []
    for (j, other), gamma in design.ratios.items():
        n, d = gamma.numerator, gamma.denominator
        if any(d * p > n * q for p, q in zip(columns[j], columns[other], strict=True)):
            wrong.append((j, other))
    return wrong


def violated_pairs(design: DesignProgramme, mechanism: Mechanism) -> list[Pair]:
    """Return the pairs, among all with a level, whose condition a mechanism does not meet."""
    if design.rows.form != "pairwise":
        return []
    grid = []
    for row in mechanism.matrix:  # a condition compares entries of one row: each row has its own denominator
        common = lcm(*(x.denominator for x in row))
        grid.append([x.numerator * (common // x.denominator) for x in row])
    return _violated(design, grid)


def round_dual(
    design: DesignProgramme, written: WrittenProgramme, proposal: Sequence[int]
) -> tuple[dict[int, Fraction], Fraction]:
    """Return multipliers by the certificate's row index, and the lower bound of the (minimised) optimum they prove.

    Args:
        design: at the level above.
        written: the same programme, written down.
        proposal: approximate multipliers of its rows times ``2^GRID_BITS``; those of the columns do not matter.
    """
    rows = written.programme.rows
    y = [
        0 if row.relation == "=" else max(0, value) if row.relation == ">=" else min(0, value)
        for row, value in zip(rows, proposal, strict=True)
    ]
    if design.rows.form == "parity":
        _raise_lowest(design, written, y)
    elif design.rows.form == "excess":
        _cover_excess(design, written, y)
    m, k = design.shape
    used = [Fraction(0)] * (m * k)
    for row, value in zip(rows, y, strict=True):
        if value:
            for column, coefficient in zip(row.columns, row.values, strict=True):
                if column < m * k:
                    used[column] += coefficient * value
    dual = {place: Fraction(value, _UNIT) for place, value in zip(written.places, y, strict=True) if value}
    for j in range(k):
        least = min(design.costs[i][j] * _UNIT - used[i * k + j] for i in range(m))
        if least:
            dual[design.rows.row_of_column(j)] = Fraction(least.__floor__(), _UNIT)
    rhs = dict(zip(written.places, (row.rhs for row in rows), strict=True))
    return dual, sum((rhs[place] * value for place, value in dual.items() if rhs[place]), Fraction(0))


def _raise_lowest(design: DesignProgramme, written: WrittenProgramme, y: list[int]) -> None:
    """Make ``sum_j a_ij >= gamma sum_j b_ij`` by the largest a_ij: a of ``p_ij >= t_i``, b of ``gamma t_i >= p_ij``."""
    m, k = design.shape
    lower: list[list[int]] = [[] for _ in range(m)]
    balance = [Fraction(0)] * m
    for n, row in enumerate(written.programme.rows):
        if row.label in ("lower", "upper"):
            i = row.columns[1] - m * k
            balance[i] += row.values[1] * y[n]
            if row.label == "lower":
                lower[i].append(n)
    for i in range(m):
        if balance[i] > 0:
            y[max(lower[i], key=lambda n: y[n])] += balance[i].__ceil__()


def _cover_excess(design: DesignProgramme, written: WrittenProgramme, y: list[int]) -> None:
    """Make the multiplier of each ``sum_i e_i,jl <= delta`` minus the largest one of its e_i,jl."""
    m, k = design.shape
    pairs = len(design.pairs)
    largest = [0] * pairs
    for n, row in enumerate(written.programme.rows):
        if row.label == "excess":
            pair = (row.columns[-1] - m * k) % pairs
            largest[pair] = max(largest[pair], y[n])
    for n, row in enumerate(written.programme.rows):
        if row.label == "total":
            y[n] = -largest[(row.columns[0] - m * k) % pairs]
