"""Sums over the outputs under several levels or a metric: the optimal vertex over the rows, at the level.

The conditions are ``sum_i max(0, p_ij - gamma_n p_il) <= delta_n`` for pairs (j, l) of each level n. All planes ``r_j =
gamma_n r_l`` and ``r_j = 0`` cut the orthant into cells, on which every excess is linear. So the rows that suffice are
the edges of the cells: their positive entries are joined by a tree of equations ``r_j = gamma_n r_l``. Where delta_n =
0, only the edges with ``r_j <= gamma_n r_l`` are private. With these rows the proof is that of one level (``active``).

The vertex is computed in fractions at rational levels. At others bounds are proved (``row_bounds``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp
from flint import arb, ctx

from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.active_sets import Active, ActiveRow, LevelExponents
from rropt.core.visible import with_noun
from rropt.symbolic.active import LINEAR, Asked, Basis, require_prices, require_vertex
from rropt.symbolic.fields import Field
from rropt.symbolic.posing import Form
from rropt.symbolic.programs import levels_of
from rropt.symbolic.row_bounds import RowBounds, between
from rropt.symbolic.rows import LevelRows, level_entries, rational_levels
from rropt.symbolic.sums import Balls

MOST_CATEGORIES = 4
_BITS = 320

Pair = tuple[int, int, int]


class LevelsAsked(Asked):
    """A sum over the outputs under several levels.

    Args:
        data: the problem.
        objective: the objective of a third party, with ``of_row``; None for those of rropt.
        field: ``Field({})``, or ``Balls()`` at irrational levels.

    Attributes:
        gammas: gamma of each level.
        pairs: the level and the ordered pair of each condition with delta > 0.

    Raises:
        UnsupportedProblemError: it is no such problem, or too large.
    """

    def __init__(self, data: Mapping[str, Any], objective: Any, field: Any) -> None:
        self.data, self.user, self.own, self.field, self.is_flat = data, objective, data["objective"], field, False
        region = data["region"]
        if region["kind"] != "privacy-levels" or self.own["kind"] in LINEAR or region.get("outputs", "any") != "any":
            raise UnsupportedProblemError("no vertex over rows: it is no sum over the outputs under several levels")
        self.k = int(region["inputs"])
        if self.k > MOST_CATEGORIES:
            raise UnsupportedProblemError(f"no closed form under several levels for k = {self.k}: too many rows")
        self.levels = levels_of(region, self.k)
        self.values = {symbol: value for level in self.levels for symbol, value in level.values.items()}
        if isinstance(field, Field) and not all(value.is_Rational for value in self.values.values()):
            raise UnsupportedProblemError("no vertex in fractions: a level is irrational")
        numbers = [(level.gamma.xreplace(self.values), level.delta) for level in self.levels]
        self.gammas = [field(number) for number, _ in numbers]
        self.deltas = [None if slack is None else field(slack.xreplace(self.values)) for _, slack in numbers]
        self.pairs: list[Any] = [
            (n, *pair) for n, level in enumerate(self.levels) if level.delta is not None for pair in level.pairs
        ]
        self._read_objective()

    def delta_of(self, pair: Pair) -> Any:
        """Return the delta of the level of a condition."""
        return self.deltas[pair[0]]

    def entries(self, row: LevelExponents) -> list[Any]:
        """Return the entries of a row."""
        return level_entries(row, self.gammas)

    def excess(self, row: Sequence[Any], exponents: LevelExponents, pair: Pair) -> Any:
        """Return ``max(0, r_j - gamma_n r_l)``."""
        n, j, other = pair
        over = row[j] - self.gammas[n] * row[other]
        if isinstance(over, arb):
            return over.max(arb(0))
        return over if over > 0 else self.field.zero

    def has_row(self, exponents: LevelExponents) -> bool:
        """Return whether a row satisfies the conditions with delta = 0; it need not be an edge to have weight."""
        is_row = len(exponents) == self.k and any(x is not None for x in exponents)
        return is_row and self._edges.is_allowed(exponents)

    @cached_property
    def _edges(self) -> LevelRows:
        pairs = [level.pairs for level in self.levels]
        return LevelRows(self.k, self.gammas, pairs, [level.delta is None for level in self.levels], self._key)

    @cached_property
    def rows(self) -> Sequence[Any]:
        """The edges of the cells."""
        return self._edges.listed()

    def _key(self, name: Any) -> Any:
        """Return what rows have in common that are multiples of each other."""
        if isinstance(self.field, Field):
            row = self.entries(name)
            top = max(row)
            return tuple(x / top for x in row)
        first = next(x for x in name if x is not None)
        exponents = [None if x is None else tuple(a - b for a, b in zip(x, first, strict=True)) for x in name]
        gammas = [level.gamma for level in self.levels]
        return tuple(None if x is None else sp.Mul(*(g**e for g, e in zip(gammas, x, strict=True))) for x in exponents)


def basis_of(data: Mapping[str, Any], active: Active, objective: Any = None) -> Basis:
    """Return the vertex of an active set in fractions, which is proved to be optimal at the level.

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
        UnsupportedProblemError: the problem is no sum under several levels, too large, or a level is irrational.
    """
    found = Basis(LevelsAsked(data, objective, Field({})), active)
    require_vertex(found)
    require_prices(found)
    return found


def bounds_of(data: Mapping[str, Any], active: Active, objective: Any = None) -> RowBounds:
    """Return the bounds that an active set proves at irrational levels.

    Raises:
        ProofRefusedError: the active set is no vertex, or it is not optimal.
        UnsupportedProblemError: the problem is no sum under several levels, or too large.
    """
    if objective is not None:
        raise UnsupportedProblemError("no bounds: the function of the objective is not computed in intervals")
    with ctx.workprec(_BITS):
        at = LevelsAsked(data, None, Balls())
    below = LevelsAsked(levels_below(data), None, Field({}))
    return between(below, at, active._replace(rows=tuple(_allowed(below, row) for row in active.rows)))


_NEAR = 1e-8  # relative: rows of one edge agree to 9 digits in CVXPY


def _allowed(below: LevelsAsked, row: ActiveRow) -> ActiveRow:
    """Return the edge at the rational levels that CVXPY's row is, by another product of the same size if need be.

    If gamma_0 gamma_1 = gamma_2, the row has several names, and not all are private at numbers below each gamma.
    """
    if below.has_row(row.exponents):
        return row
    own = _floats(below, row.exponents)
    for name in below.rows:
        if all(abs(x - y) <= _NEAR * max(x, y) for x, y in zip(own, _floats(below, name), strict=True)):
            return row._replace(exponents=name)
    return row


def _floats(asked: LevelsAsked, name: LevelExponents) -> list[float]:
    """Return the entries of a row as floats, divided by the largest one."""
    row = asked.entries(name)
    top = max(row)
    return [float(Fraction(int((x / top).numerator), int((x / top).denominator))) for x in row]


def levels_below(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem at rational levels just below its own."""
    region = data["region"]
    below = rational_levels(region, "lower")
    listed = [
        {**level, "epsilon": {"log": str(own.gamma)}, "delta": str(own.delta)}
        for level, own in zip(region["levels"], below, strict=True)
    ]
    return {**data, "region": {**region, "levels": listed}}


def form_of(found: Basis) -> Form:
    """Return the optimum as a form that holds at its levels alone."""
    values = found.asked.values
    theorem = "an optimal vertex under several levels, proved by its prices at these levels: "
    theorem += with_noun(len(found.active.rows), "row")
    domain = sp.And(*(sp.Eq(symbol, value) for symbol, value in values.items()))
    return Form(found.value_expression(), theorem, domain, found.mechanism(), values)
