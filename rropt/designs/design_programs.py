"""A linear design problem at one rational level: minimize ``sum c_ij p_ij`` over the mechanisms of the region.

The module writes the program for the exact solver, with the name of each row (``writers.linear_writer``). If each
pair of inputs has a level, only the pairs that imply the others are written (the transitive reduction of the levels).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product
from typing import Any, NamedTuple

from rropt.core.exact import Epsilon
from rropt.core.exact.rational_bounds import simplest_between
from rropt.core.lazy import numpy as np
from rropt.core.linear import LinearProgram, Row, Variable
from rropt.designs.problem import Problem
from rropt.designs.writers.linear_writer import Form, Name, program_form
from rropt.mechanisms import Mechanism
from rropt.privacy.entry_inequalities import EntryInequality
from rropt.privacy.region import RationalLevel, RationalLevels, Side

# Relative rounding of sums of levels. A wrong decision includes a superfluous pair or leaves a pair to the exact check;
# it never makes the result wrong.
LEVEL_ROUNDING = 1e-12

# Relative width (of gamma - 1, and of delta) within which the shortest rational replaces an irrational level while the
# program is solved. The solution is then moved to the true level. About ten digits on each side; with twenty-four
# digits, finding the vertices for 60 ordered categories takes four times as long.
SHORT_WIDTH = Fraction(1, 10**18)


def essential_pairs(levels: tuple[tuple[Epsilon | None, ...], ...]) -> tuple[tuple[int, int], ...]:
    """Return the pairs whose conditions imply all others, up to rounding.

    If the level of (j, l) is proportional to ``abs(j - l)``, these are the pairs of neighbours.

    ``p_ij <= gamma_ja p_ia <= gamma_ja gamma_al p_il``: a pair is implied if its level is at least the sum of the
    levels along a path of kept pairs. Levels are added in floating point, so a needed pair may be dropped. Every caller
    therefore checks all pairs of the solution exactly and adds the violated ones.

    Source: the greedy construction of a spanner with stretch 1 (Althoefer et al. 1993). Cost O(k^2) per kept pair.
    """
    k = len(levels)
    given = [
        (float(level), j, other) for j, row in enumerate(levels) for other, level in enumerate(row) if level is not None
    ]
    distance = np.full((k, k), np.inf)
    np.fill_diagonal(distance, 0.0)
    kept = []
    for level, j, other in sorted(given):
        if distance[j, other] <= level * (1 + LEVEL_ROUNDING):
            continue
        kept.append((j, other))
        np.minimum(distance, distance[:, j, None] + level + distance[None, other, :], out=distance)
    return tuple(sorted(kept))


Pair = tuple[int, int]
Pairs = tuple[Pair, ...]
Matrix = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class DesignProgram:
    """The linear program at a rational level, always a minimization (for ``maximise``, costs and values are negated).

    Attributes:
        form: the form of the program.
        sign: 1 to minimize the objective, -1 to maximize it.
        costs: ``sign`` times the objective's coefficients, shape (m, k).
        gamma: the odds bound of the forms ``parity`` and ``excess`` (1 for ``pairwise``).
        delta: the slack of the form ``excess``, else 0.
        ratios: the odds bound of each pair, for the form ``pairwise``.
        pairs: the pairs whose rows are in the program: for ``pairwise`` those that imply the others, for ``excess``
            all.
        least, most: lower and upper bounds of the entries, shape (m, k); 0 and 1 if the region has no bounds.
        inequalities: inequalities in several entries.
    """

    form: Form
    sign: int
    costs: Matrix
    gamma: Fraction
    delta: Fraction
    ratios: dict[Pair, Fraction]
    pairs: Pairs
    least: Matrix
    most: Matrix
    inequalities: tuple[EntryInequality, ...] = ()

    @classmethod
    def of(cls, problem: Problem, levels: RationalLevels, side: Side, pairs: Pairs) -> DesignProgram:
        """Return the program of a problem at one rational endpoint of its level.

        Args:
            problem: a problem with a linear objective.
            levels: rational levels around the problem's level.
            side: the endpoint, ``"below"`` or ``"above"``.
            pairs: the pairs of inputs to include (``first_pairs``).
        """
        objective = problem.objective
        sign = 1 if objective.sense == "minimise" else -1
        ends = {part.pairs: getattr(part, side) for part in levels.listed}
        level = ends.pop((), RationalLevel(Fraction(1), Fraction(0)))
        least, most = problem.region.bounds or no_bounds(problem.region.outputs, problem.region.inputs)
        return cls(
            form=program_form({"region": problem.region.to_dict()}),
            sign=sign,
            costs=_signed_costs(problem),
            gamma=level.gamma,
            delta=level.delta,
            ratios=dict(sorted((pair, own.gamma) for listed, own in ends.items() for pair in listed)),
            pairs=pairs,
            least=least,
            most=most,
            inequalities=problem.region.entry_inequalities,
        )

    @property
    def shape(self) -> tuple[int, int]:
        """The shape ``(m, k)`` of the mechanism."""
        return len(self.costs), len(self.costs[0])

    def cost(self, mechanism: Mechanism) -> Fraction:
        """Return the objective of a mechanism; when maximizing, its negative."""
        entries = zip(chain(*self.costs), chain(*mechanism.matrix), strict=True)
        return sum((c * p for c, p in entries if c), Fraction(0))

    def fixed(self, i: int, j: int) -> Fraction | None:
        """Return the value of an entry whose lower and upper bounds are equal; else ``None``."""
        return self.least[i][j] if self.least[i][j] == self.most[i][j] else None


@lru_cache(maxsize=4)
def _signed_costs(problem: Problem) -> Matrix:
    """Return the coefficients of the entries when minimizing; every program of a problem has the same ones."""
    sign = 1 if problem.objective.sense == "minimise" else -1
    return tuple(tuple(sign * x for x in row) for row in problem.objective.costs(problem.population))


def no_bounds(outputs: int, inputs: int) -> tuple[Matrix, Matrix]:
    """Return the trivial bounds 0 and 1."""
    return ((Fraction(0),) * inputs,) * outputs, ((Fraction(1),) * inputs,) * outputs


def first_pairs(problem: Problem) -> Pairs:
    """Return the initial pairs of inputs: with levels by pair, those that imply the others; with delta > 0, all."""
    region = problem.region
    if region.pair_levels is not None:
        return essential_pairs(region.pair_levels)
    if region.form == "parity":
        return ()
    return tuple((j, other) for j in range(region.inputs) for other in range(region.inputs) if j != other)


_ONE, _NONE = Fraction(1), Fraction(0)
Named = tuple[Name, Row]


class WrittenProgram(NamedTuple):
    """A linear program whose first variables are the entries p_ij, at position ``i k + j``.

    Attributes:
        program: the linear program.
        names: for each of its rows, its name.
    """

    program: LinearProgram
    names: tuple[Name, ...]


def write_program(design: DesignProgram) -> WrittenProgram:
    """Write the rows for the program's pairs; the trivial bounds 0 and 1 are left out."""
    m, k = design.shape
    further = further_variables(design)
    variables = [Variable("p", "nonnegative", design.costs[i][j]) for i in range(m) for j in range(k)]
    variables += [Variable("further", "nonnegative", _NONE)] * further
    variables += [Variable("largest", "free", _NONE) for _ in _largest_values(design)]
    names, rows = zip(*named_rows(design), strict=True)
    return WrittenProgram(LinearProgram("minimise", tuple(variables), rows), names)


def named_rows(design: DesignProgram) -> Iterator[Named]:
    """Yield the rows of the program, each with its name."""
    privacy = {"parity": _parity, "excess": _excess, "pairwise": _pairwise}[design.form]
    return chain(_columns(design), privacy(design), _bounds(design), _inequalities(design))


def further_variables(design: DesignProgram) -> int:
    """Return the number of variables t_i or e_i,jl, which follow the entries."""
    m = len(design.costs)
    return {"parity": m, "excess": m * len(design.pairs), "pairwise": 0}[design.form]


def _columns(design: DesignProgram) -> Iterator[Named]:
    m, k = design.shape
    for j in range(k):
        yield _row(("sum", j), {i * k + j: _ONE for i in range(m)}, "=", _ONE)


def _parity(design: DesignProgram) -> Iterator[Named]:
    m, k = design.shape
    for word, entry, least in (("lower", _ONE, -_ONE), ("upper", -_ONE, design.gamma)):
        for i, j in product(range(m), range(k)):
            yield _row((word, i, j), {i * k + j: entry, m * k + i: least}, ">=", _NONE)


def _excess(design: DesignProgram) -> Iterator[Named]:
    m, k = design.shape
    pairs = len(design.pairs)
    for i, (n, (j, other)) in product(range(m), enumerate(design.pairs)):
        terms = {m * k + i * pairs + n: _ONE, i * k + j: -_ONE, i * k + other: design.gamma}
        yield _row(("excess", i, j, other), terms, ">=", _NONE)
    for n, pair in enumerate(design.pairs):
        yield _row(("total", *pair), {m * k + i * pairs + n: _ONE for i in range(m)}, "<=", design.delta)


def _pairwise(design: DesignProgram) -> Iterator[Named]:
    m, k = design.shape
    for i, (j, other) in product(range(m), design.pairs):
        terms = {i * k + other: design.ratios[j, other], i * k + j: -_ONE}
        yield _row(("pair", i, j, other), terms, ">=", _NONE)


def _bounds(design: DesignProgram) -> Iterator[Named]:
    k = design.shape[1]
    for word, relation, bounds, trivial in (("least", ">=", design.least, 0), ("most", "<=", design.most, 1)):
        for n, bound in enumerate(chain(*bounds)):
            if bound != trivial:
                yield _row((word, *divmod(n, k)), {n: _ONE}, relation, bound)


def _largest_values(design: DesignProgram) -> list[tuple[int, int]]:
    """Return (c, n) for the parts n of the inequalities c that have several functions; each has a variable s_cn."""
    return [(c, n) for c, own in enumerate(design.inequalities) for n, part in enumerate(own.parts) if len(part) > 1]


def _inequalities(design: DesignProgram) -> Iterator[Named]:
    m, k = design.shape
    first = m * k + further_variables(design)
    places = {place: first + at for at, place in enumerate(_largest_values(design))}
    for c, own in enumerate(design.inequalities):
        total: dict[int, Fraction] = {}
        for n, part in enumerate(own.parts):
            if (c, n) in places:
                total[places[c, n]] = _ONE
                for a, terms in enumerate(part):
                    entries = {i * k + j: x for (i, j), x in terms}
                    yield _row(("largest", c, n, a), {**entries, places[c, n]: -_ONE}, "<=", _NONE)
            else:
                for (i, j), x in part[0]:
                    total[i * k + j] = total.get(i * k + j, _NONE) + x
        yield _row(("inequality", c), {at: x for at, x in total.items() if x}, "<=", own.bound)


def _row(name: Name, terms: dict[int, Fraction], relation: Any, bound: Fraction) -> Named:
    columns = tuple(sorted(terms))
    return name, Row(name[0], columns, tuple(terms[j] for j in columns), relation, bound)


def short_levels(levels: RationalLevels, width: Fraction = SHORT_WIDTH, side: Side = "above") -> RationalLevels:
    """Return rational levels with few digits at or slightly beyond the levels of a side; rational levels stay as is.

    Regions grow with the level. So a program that is infeasible there is also infeasible at ``levels.above``, with the
    same Farkas vector, because gamma and delta are multiplied only by multipliers of one sign.

    Args:
        levels: rational levels around an irrational one.
        width: the maximal distance from that side, relative to gamma - 1 and delta.
        side: ``"above"``, or ``"below"`` for levels slightly below.
    """

    def moved(below: Fraction, above: Fraction, least: int) -> Fraction:
        end, out = (above, width) if side == "above" else (below, -width)
        return end if below == above else simplest_between(*sorted((end, end + (end - least) * out)))

    return levels.raised(
        lambda below, above: moved(below, above, 1), lambda below, above: min(Fraction(1), moved(below, above, 0))
    )
