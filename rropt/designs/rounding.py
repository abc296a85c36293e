"""Rounding of approximate answers to exact ones: a mechanism that is private, and a dual that bounds the objective.

*The mechanism.* P is mixed with an interior mechanism, ``(1 - s) P + s U``, and written on a grid. U has slack in every
condition, so a small share s makes room for the errors of P and for rounding: the mixture is private exactly at the
level below. It costs at most s times the range of the objective.

*The dual.* Any multipliers of the right sign of the inequalities extend to a dual: t_i and e_i,jl are served by raising
one multiplier, and the columns take ``y_j = min_i (c_ij - (A^T y)_ij)``, the largest value that leaves every reduced
cost nonnegative. The bound ``b . y`` is off by no more than the errors of the multipliers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain

from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear import LinearProgram, Row, Variable
from rropt.designs.linear_programs import DesignProgram, Pair, Pairs, WrittenProgram, write_program
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

# Bits of the grid on which a mechanism and a dual are written where they are rounded: 2^-96 is about 1e-29.
GRID_BITS = 96

# Shares of the interior mechanism that are tried, from the finest: the errors of the exact route are about 1e-17, those
# of an interior-point solver 1e-9.
SHARES = tuple(Fraction(1, 4**n) for n in range(34, 2, -1))

# Least slack of an interior mechanism that leaves room for rounding; below it the program is solved exactly at both
# ends of the level.
LEAST_SLACK = 1e-9

# Odds beyond which the slack of an interior mechanism hangs on entries that neither a float solver (it refuses such
# coefficients) nor the grid tells from 0: likewise.
LARGEST_ODDS = 10**15

Grid = list[list[int]]
_UNIT = 1 << GRID_BITS


def _on_grid(value: Fraction | float) -> int:
    """Return a number as a multiple of ``2^-GRID_BITS``, rounded down."""
    numerator, denominator = value.as_integer_ratio()
    return numerator * _UNIT // denominator


def round_mechanism(
    design: DesignProgram, proposal: Sequence[Sequence[Fraction | float]], interior: Sequence[Sequence[Fraction]]
) -> Mechanism | None:
    """Return a mechanism of the program's region near a proposal, or None when even a large share does not help.

    Args:
        design: at the level below; every pair counts, not only those that are written down.
        proposal: P, approximate.
        interior: a mechanism with slack in every condition, approximate.
    """
    proposed = [[max(0, _on_grid(x)) for x in row] for row in proposal]
    inner = [[_on_grid(x) for x in row] for row in interior]
    for share in SHARES:
        a, b = share.denominator - share.numerator, share.numerator
        mixed = [
            [(a * p + b * u) // share.denominator for p, u in zip(row, other, strict=True)]
            for row, other in zip(proposed, inner, strict=True)
        ]
        grid = _stochastic(design, mixed)
        if grid is not None and _allowed(design, grid):
            return Mechanism(tuple(tuple(Fraction(x, _UNIT) for x in row) for row in grid))
    return None


def _stochastic(design: DesignProgram, grid: Grid) -> Grid | None:
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
                grid[i][j] = _on_grid(value)
        if not free:
            return None
        largest = max(free, key=lambda i, j=j: grid[i][j])  # type: ignore[misc]
        grid[largest][j] += _UNIT - sum(row[j] for row in grid)
    return grid


def _allowed(design: DesignProgram, grid: Grid) -> bool:
    columns = zip(chain(*grid), chain(*design.least), chain(*design.most), strict=True)
    if not all(low * _UNIT <= p <= high * _UNIT for p, low, high in columns):
        return False
    n, d = design.gamma.numerator, design.gamma.denominator
    if design.rows.form == "parity":
        return all(d * max(row) <= n * min(row) for row in grid)
    return not _violated(design, grid)


def _violated(design: DesignProgram, grid: Sequence[Sequence[int]]) -> list[Pair]:
    """Return the pairs, among all with a level, with ``sum_i max(0, p_ij - gamma p_il)`` above delta."""
    columns = list(zip(*grid, strict=True))
    wrong = []
    for (j, other), gamma in (design.ratios or dict.fromkeys(design.pairs, design.gamma)).items():
        n, d = gamma.numerator, gamma.denominator
        excess = sum(max(0, d * p - n * q) for p, q in zip(columns[j], columns[other], strict=True))
        if excess > design.delta * d * _UNIT:
            wrong.append((j, other))
    return wrong


def violated_pairs(design: DesignProgram, mechanism: Mechanism) -> list[Pair]:
    """Return the pairs, among all with a level, whose condition a mechanism does not meet."""
    if design.rows.form != "pairwise":
        return []
    # a condition compares entries of one row: each row has its own denominator
    return _violated(design, [list(whole_numbers(row)[0]) for row in mechanism.matrix])


def round_dual(design: DesignProgram, proposal: Mapping[int, Fraction | float]) -> tuple[dict[int, Fraction], Fraction]:
    """Return multipliers by the certificate's row index, and the lower bound of the (minimised) optimum they prove.

    Args:
        design: at the level above.
        proposal: approximate multipliers of its rows, by the same index; those of the columns do not matter.
    """
    written = write_program(design)
    rows = written.program.rows
    y = [
        0 if row.relation == "=" else max(0, value) if row.relation == ">=" else min(0, value)
        for row, value in zip(rows, (_on_grid(proposal.get(place, 0)) for place in written.places), strict=True)
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


def _raise_lowest(design: DesignProgram, written: WrittenProgram, y: list[int]) -> None:
    """Make ``sum_j a_ij >= gamma sum_j b_ij`` by the largest a_ij: a of ``p_ij >= t_i``, b of ``gamma t_i >= p_ij``."""
    m, k = design.shape
    lower: list[list[int]] = [[] for _ in range(m)]
    balance = [Fraction(0)] * m
    for n, row in enumerate(written.program.rows):
        if row.label in ("lower", "upper"):
            i = row.columns[1] - m * k
            balance[i] += row.values[1] * y[n]
            if row.label == "lower":
                lower[i].append(n)
    for i in range(m):
        if balance[i] > 0:
            y[max(lower[i], key=lambda n: y[n])] += balance[i].__ceil__()


def _cover_excess(design: DesignProgram, written: WrittenProgram, y: list[int]) -> None:
    """Make the multiplier of each ``sum_i e_i,jl <= delta`` minus the largest one of its e_i,jl."""
    m, k = design.shape
    pairs = len(design.pairs)
    largest = [0] * pairs
    for n, row in enumerate(written.program.rows):
        if row.label == "excess":
            pair = (row.columns[-1] - m * k) % pairs
            largest[pair] = max(largest[pair], y[n])
    for n, row in enumerate(written.program.rows):
        if row.label == "total":
            y[n] = -largest[(row.columns[0] - m * k) % pairs]


Rows = tuple[tuple[Fraction, ...], ...]


def interior_mechanism(design: DesignProgram) -> Rows | None:
    """Return an approximate interior mechanism, or None when there is none with room to spare.

    Without bounds it is the uniform mechanism: ``gamma/m > 1/m``. With bounds it is the float solution of "the largest
    s with slack s in every condition" (rows whose entries are all fixed by their bounds left out). It is a proposal:
    what is made of it is checked exactly.
    """
    from rropt.core.linear import float_point  # HiGHS: only when it is used

    m, k = design.shape
    ratios = design.ratios.values() if design.rows.form == "pairwise" else [design.gamma + design.delta]
    if not design.rows.is_bounded:
        return ((Fraction(1, m),) * k,) * m if min(ratios) > 1 else None
    point = float_point(_with_most_slack(design)) if max(ratios) <= LARGEST_ODDS else None
    if point is None or point[-1] < LEAST_SLACK:
        return None
    return tuple(tuple(Fraction(max(0.0, point[i * k + j])) for j in range(k)) for i in range(m))


def _with_most_slack(design: DesignProgram) -> LinearProgram:
    """Return the program with a last variable s, maximised, that every condition requires as slack."""
    program = write_program(design).program
    variables = [variable._replace(cost=Fraction(0)) for variable in program.variables]
    variables.append(Variable("slack", "nonnegative", Fraction(1)))
    rows = []
    for row in program.rows:
        slack = _weight(design, row) if row.relation == "<=" else -_weight(design, row)
        if slack:
            row = row._replace(columns=(*row.columns, len(variables) - 1), values=(*row.values, slack))
        rows.append(row)
    return LinearProgram("maximise", tuple(variables), tuple(rows))


def _weight(design: DesignProgram, row: Row) -> Fraction:
    """Return the slack required of a row, in units of s; 0 if the bounds leave no choice."""
    m, k = design.shape
    if row.label == "total":
        return design.delta
    entries = [divmod(column, k) for column in row.columns if column < m * k]
    is_fixed = row.label == "sum" or all(design.fixed(i, j) is not None for i, j in entries)
    return Fraction(0) if is_fixed else Fraction(1, m)


def result_of(
    design: DesignProgram, mechanism: Mechanism, dual: Mapping[int, Fraction], bound: Fraction
) -> ProvedDesign:
    """Return the result in the problem's sense.

    Args:
        design: the program, which minimises.
        mechanism: the mechanism of the region at the level below.
        dual: multipliers of the minimised program at the level above.
        bound: the lower bound they prove.
    """
    cost = design.cost(mechanism)
    if design.sign > 0:
        return ProvedDesign(lower=bound, upper=cost, mechanism=mechanism, dual=dual)
    return ProvedDesign(lower=-cost, upper=-bound, mechanism=mechanism, dual={row: -y for row, y in dual.items()})


def rounded_result(
    problem: Problem,
    levels: RationalLevels,
    pairs: Pairs,
    primal: Sequence[Sequence[Fraction | float]],
    dual: Mapping[int, Fraction | float],
    *,
    blind: Mechanism | None = None,
) -> ProvedDesign | None:
    """Return the result that an approximate answer is rounded to, or None where there is no room to round in.

    Args:
        problem: the problem of a linear objective.
        levels: rational levels around the problem's.
        pairs: the pairs that the answer's program has.
        primal: P.
        dual: multipliers of the minimised program, by the certificate's row index.
        blind: the answer itself, exact, if its answers do not depend on the truth: that is private at every level, and
            needs no rounding.
    """
    below = DesignProgram.of(problem, levels, "below", pairs)
    interior = None if blind else interior_mechanism(below)
    mechanism = blind if interior is None else round_mechanism(below, primal, interior)
    if mechanism is None:
        return None
    above = DesignProgram.of(problem, levels, "above", pairs)
    return result_of(above, mechanism, *round_dual(above, dual))
