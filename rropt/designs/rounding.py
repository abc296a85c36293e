"""Rounding of approximate solutions to exact ones: a mechanism that is private, and a dual that bounds the objective.

*The mechanism.* P is mixed with an interior mechanism U and rounded to short numbers (``designs.drawable_designs``). U
has slack in every condition, so a small proportion c compensates the errors of P and of the rounding. The mixture
changes the objective by at most c times its range.

*The dual* of a level is one at each smaller level too: gamma is multiplied by multipliers >= 0, which are to be small,
and delta by multipliers <= 0. So the dual of a level slightly above bounds the objective at the true level. Where that
makes it shorter and the bound hardly looser, its multipliers of inequalities are rounded. The columns then receive
``y_j = min_i (c_ij - (A^T y)_ij)``, the largest value for which every reduced cost is nonnegative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear import LinearProgram, Row, Variable
from rropt.designs.design_programs import DesignProgram, Pair, Pairs, named_rows, no_bounds, write_program
from rropt.designs.drawable_designs import LONG_BITS, mechanism_of, rounded_mixtures
from rropt.designs.problem import Problem
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.linear_writer import Name
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels

# Bits of the grid to which duals are rounded: 2^-96 is about 1e-29.
GRID_BITS = 96

# Largest part of the bound that a rounded dual may lose: an irrational level costs more, about 1e-17.
MOST_LOST = Fraction(1, 10**20)

# Smallest slack of an interior mechanism that suffices for rounding; with less slack the program is solved exactly at
# both endpoints of the level.
LEAST_SLACK = 1e-9

# For a larger odds bound, the slack of an interior mechanism depends on entries that neither a floating-point solver
# (it rejects such coefficients) nor the grid distinguishes from 0. The program is then also solved exactly.
LARGEST_ODDS = 10**15

_UNIT = 1 << GRID_BITS
_LARGEST_UNIT = 1 << 31  # common denominator of the entries that the bounds fix


def _on_grid(value: Fraction) -> int:
    """Round a number down to a multiple of ``2^-GRID_BITS``."""
    return value.numerator * _UNIT // value.denominator


def round_mechanism(
    design: DesignProgram,
    proposal: Sequence[Sequence[Fraction]],
    interior: Sequence[Sequence[Fraction]],
    *,
    bits: int = LONG_BITS,
) -> Mechanism | None:
    """Return a mechanism of the program's region near a proposal; ``None`` if no mixture succeeds.

    An output that the proposal never gives keeps probability 0, if the bounds allow that.

    Args:
        design: the program at the level below; all pairs are checked, not only those in the program.
        proposal: an approximate mechanism P.
        interior: an approximate mechanism with slack in every condition.
        bits: length of the common denominator.
    """
    m, k = design.shape
    places = [(i, j, design.least[i][j], design.most[i][j]) for i in range(m) for j in range(k)]
    bounded = [place for place in places if place[2] != 0 or place[3] != 1]

    for own, inside in _attempts(design, proposal, interior, has_bounds=bool(bounded)):
        unit = lcm(*(x.denominator for i, j, *_ in places if (x := own.fixed(i, j)) is not None))
        if unit > _LARGEST_UNIT:
            continue  # left to the exact solver
        rows, inner = (
            [[x if (at := own.fixed(i, j)) is None else at for j, x in enumerate(row)] for i, row in enumerate(matrix)]
            for matrix in (proposal, inside)
        )
        for grid, word in rounded_mixtures(rows, inner, fixed=own.fixed, unit=unit, bits=bits):
            if _is_allowed(design, bounded, grid, word):
                return mechanism_of(grid, word)
    return None


def _attempts(
    design: DesignProgram,
    proposal: Sequence[Sequence[Fraction]],
    interior: Sequence[Sequence[Fraction]],
    *,
    has_bounds: bool,
) -> Iterator[tuple[DesignProgram, Sequence[Sequence[Fraction]]]]:
    """Yield programs with what the rounding keeps, and mechanisms with slack in their conditions.

    First the outputs that the proposal never gives, and the bounds that it attains, are kept; then fewer of them.
    """
    used = [any(row) for row in proposal]
    if has_bounds:
        least, most = (
            tuple(
                tuple(x if not own or x in (low, high) else end for x, low, high, end in zip(*rows, strict=True))
                for own, *rows in zip(used, proposal, design.least, design.most, ends, strict=True)
            )
            for ends in (design.least, design.most)
        )
        kept = replace(design, least=least, most=most)
        inside = interior_mechanism(kept)
        if inside is not None:
            yield kept, inside
    elif not all(used):
        share = Fraction(1, sum(used))
        yield design, [[share * own] * len(row) for own, row in zip(used, interior, strict=True)]
    yield design, interior


def _is_allowed(
    design: DesignProgram,
    bounded: Sequence[tuple[int, int, Fraction, Fraction]],
    grid: Sequence[Sequence[int]],
    word: int,
) -> bool:
    """Return whether entries p/word meet the bounds, as far as they are not 0 and 1, and the level."""
    if not all(low * word <= grid[i][j] <= high * word for i, j, low, high in bounded):
        return False
    if design.form == "parity":
        n, d = design.gamma.numerator, design.gamma.denominator
        return all(d * max(row) <= n * min(row) for row in grid)
    return not _violated(design, grid, word)


def _violated(design: DesignProgram, grid: Sequence[Sequence[int]], word: int) -> list[Pair]:
    """Return the pairs with a level for which ``sum_i max(0, p_ij - gamma p_il)`` exceeds delta, for entries p/word."""
    columns = list(zip(*grid, strict=True))
    wrong = []
    for (j, other), gamma in (design.ratios or dict.fromkeys(design.pairs, design.gamma)).items():
        n, d = gamma.numerator, gamma.denominator
        excess = sum(max(0, d * p - n * q) for p, q in zip(columns[j], columns[other], strict=True))
        if excess > design.delta * d * word:
            wrong.append((j, other))
    return wrong


def violated_pairs(design: DesignProgram, mechanism: Mechanism) -> list[Pair]:
    """Return the pairs with a level whose condition a mechanism violates."""
    if design.form != "pairwise":
        return []
    # a condition compares entries of one row: each row has its own denominator
    return _violated(design, [list(whole_numbers(row)[0]) for row in mechanism.matrix], 0)  # delta is 0


def short_dual(design: DesignProgram, dual: Mapping[Name, Fraction]) -> Mapping[Name, Fraction]:
    """Return a rounded dual if it is shorter and its bound is nearly as good; else the given one.

    Odds bounds multiply along chains: with delta > 0 the exact multipliers of 20 categories have up to 900 characters.
    At large levels those of losses without a pattern grow as well. Most other exact multipliers are short.
    """
    rounded, bound = _rounded_dual(design, dual), _bound(design, dual)
    is_near = abs(_bound(design, rounded) - bound) <= MOST_LOST * abs(bound)
    return rounded if is_near and bits_of(rounded) < bits_of(dual) else dual


def bits_of(dual: Mapping[Name, Fraction]) -> int:
    """Return the length of the numbers of a dual."""
    return sum(y.numerator.bit_length() + y.denominator.bit_length() for y in dual.values())


def _rounded_dual(design: DesignProgram, dual: Mapping[Name, Fraction]) -> dict[Name, Fraction]:
    """Round the multipliers of inequalities; those of columns follow.

    Multipliers of ``sum_i e_i,jl <= delta`` and of ``p_ij >= t_i`` are rounded up, all others down. So the conditions
    of e_i,jl and of t_i still hold.
    """
    m, k = design.shape
    rounded = {
        name: -_on_grid(-y) if name[0] in ("total", "lower") else _on_grid(y)
        for name, y in dual.items()
        if name[0] != "sum"
    }
    used = dict.fromkeys(range(m * k), Fraction(0))
    for name, row in named_rows(design):
        if value := rounded.get(name):
            for column, coefficient in zip(row.columns, row.values, strict=True):
                if column in used:  # an entry
                    used[column] += coefficient * value
    least = (min(design.costs[i][j] * _UNIT - used[i * k + j] for i in range(m)) for j in range(k))
    whole = {**rounded, **{("sum", j): x.__floor__() for j, x in enumerate(least)}}
    return {name: Fraction(value, _UNIT) for name, value in whole.items() if value}


Rows = tuple[tuple[Fraction, ...], ...]


def interior_mechanism(design: DesignProgram) -> Rows | None:
    """Return an approximate mechanism with slack in every condition; ``None`` if there is none with enough slack.

    With inequalities in several entries there is none either: such programs are solved exactly.

    Without bounds it is the uniform mechanism, because ``gamma/m > 1/m``. With bounds it is the float solution of the
    program that maximizes the common slack s of all conditions (without rows whose entries are all fixed). The result
    is only a proposal: the rounded mechanism is checked exactly.
    """
    from rropt.core.linear import float_point  # import HiGHS only when it is needed

    if design.inequalities:
        return None
    m, k = design.shape
    ratios = design.ratios.values() if design.form == "pairwise" else [design.gamma + design.delta]
    if (design.least, design.most) == no_bounds(m, k):
        return ((Fraction(1, m),) * k,) * m if min(ratios) > 1 else None
    point = float_point(_with_most_slack(design)) if max(ratios) <= LARGEST_ODDS else None
    if point is None or point[-1] < LEAST_SLACK:
        return None
    return tuple(tuple(Fraction(max(0.0, point[i * k + j])) for j in range(k)) for i in range(m))


def _with_most_slack(design: DesignProgram) -> LinearProgram:
    """Return the program that maximizes a common slack s of all conditions; s is its last variable."""
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
    """Return the slack required in a row, in units of s; 0 if the bounds fix its entries."""
    m, k = design.shape
    if row.label == "total":
        return design.delta
    entries = [divmod(column, k) for column in row.columns if column < m * k]
    is_fixed = row.label == "sum" or all(design.fixed(i, j) is not None for i, j in entries)
    return Fraction(0) if is_fixed else Fraction(1, m)


def result_of(design: DesignProgram, mechanism: Mechanism, dual: Mapping[Name, Fraction]) -> ProvedDesign:
    """Return the result with bounds in the problem's sense (minimize or maximize).

    Args:
        design: the program at the level above, as a minimization.
        mechanism: the mechanism of the region at the level below.
        dual: multipliers of the minimization at the level above.
    """
    cost, bound = design.cost(mechanism), _bound(design, dual)
    if design.sign > 0:
        return ProvedDesign(lower=bound, upper=cost, mechanism=mechanism, dual=dual)
    return ProvedDesign(lower=-cost, upper=-bound, mechanism=mechanism, dual={row: -y for row, y in dual.items()})


def _bound(design: DesignProgram, dual: Mapping[Name, Fraction]) -> Fraction:
    """Return the lower bound ``b . y`` of the minimum, which a dual proves; other rows have the right side 0."""
    total = Fraction(0)
    for (word, *at), y in dual.items():
        if word in ("sum", "total"):
            total += y * (design.delta if word == "total" else 1)
        elif word == "inequality":
            total += y * design.inequalities[at[0]].bound
        elif word in ("least", "most"):
            total += y * getattr(design, word)[at[0]][at[1]]
    return total


def rounded_result(
    problem: Problem,
    levels: RationalLevels,
    pairs: Pairs,
    primal: Sequence[Sequence[Fraction]],
    dual: Mapping[Name, Fraction],
    *,
    blind: Mechanism | None = None,
) -> ProvedDesign | None:
    """Move the solution at a level slightly above to the level itself; ``None`` if there is not enough slack.

    Args:
        problem: a problem with a linear objective.
        levels: rational levels around the problem's level.
        pairs: the pairs in the program of the solution.
        primal: its mechanism P.
        dual: its multipliers of the minimization, by the names of rows.
        blind: the mechanism itself, if its outputs do not depend on the input. It is private at every level and needs
            no rounding.
    """
    below = DesignProgram.of(problem, levels, "below", pairs)
    if below.inequalities:  # solved exactly at both endpoints of the level
        return None
    interior = None if blind else interior_mechanism(below)
    mechanism = blind if interior is None else round_mechanism(below, primal, interior)
    if mechanism is None:
        return None
    above = DesignProgram.of(problem, levels, "above", pairs)
    return result_of(above, mechanism, short_dual(above, dual))
