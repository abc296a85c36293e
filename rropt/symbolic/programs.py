"""Linear programs in symbols: a vertex from its tight conditions, its prices, and the region in which it is optimal.

    minimize c.x  subject to  a_i.x <= b_i  (and equations),

where c, a and b are rational functions of the level. CVXPY says which conditions are tight; nothing else is taken from
it. The tight conditions determine the point x, and ``c + sum y_i a_i = 0`` determines the prices y, both over the field
QQ(gamma, delta, ...). For every x' that satisfies the conditions,

    c.x' - v = sum y_i (b_i - a_i.x'),   v = -sum y_i b_i = c.x,

which is at least 0 where the prices of the inequalities are nonnegative. So x is optimal exactly where the prices and
the slacks of the other conditions are nonnegative (for a vertex that is not degenerate), and at least there else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any, NamedTuple

import sympy as sp

from rropt.core.errors import UnsupportedProblemError
from rropt.core.visible import with_noun
from rropt.symbolic.fields import Field, ProofRefusedError, region
from rropt.symbolic.posing import Form
from rropt.symbolic.symbols import gamma

_LARGEST_POWER = 12  # of the smallest of several levels

Label = Hashable
WHY = "the form is derived from the conditions that are tight at the optimum: solve the problem"
Terms = Mapping[Any, Any]


class Line(NamedTuple):
    """The condition ``sum terms <= bound``, or an equation.

    Attributes:
        label: its name, by which CVXPY says that it is tight.
        terms: coefficients by variable.
        bound: the right side.
        is_equation: whether both sides are equal.
    """

    label: Label
    terms: Terms
    bound: Any
    is_equation: bool = False


class Level(NamedTuple):
    """One privacy level: ``sum_i max(0, p_ij - gamma p_il) <= delta`` for some ordered pairs (j, l).

    Attributes:
        gamma: exp(epsilon): a symbol, or a power of one.
        delta: a symbol or a number; None if it is 0.
        values: the exact values of the symbols.
        pairs: the ordered pairs.
    """

    gamma: sp.Expr
    delta: sp.Expr | None
    values: Mapping[sp.Symbol, sp.Expr]
    pairs: Sequence[tuple[int, int]]


def levels_of(region: Mapping[str, Any], k: int) -> list[Level]:
    """Return the levels of a region, read from its JSON.

    Several levels have the symbols ``gamma_0``, ``gamma_1`` and so on. If each is a power of the smallest one, as under
    a metric, there is one symbol ``gamma``, and the levels are its powers.

    Raises:
        UnsupportedProblemError: the region has infinitely many conditions.
    """
    kind = region["kind"]
    if kind == "bounded":
        return levels_of(region["region"], k)
    if kind == "every-mechanism":
        return []
    if kind not in ("differential-privacy", "privacy-levels"):
        raise UnsupportedProblemError(f"no vertex in symbols: the conditions of {kind} are no finite list")
    listed = [{"pairs": "all", **region}] if kind == "differential-privacy" else region["levels"]
    found, numbers = [], [number_of_level(each["epsilon"]) for each in listed]
    powers = _powers(numbers)
    for n, each in enumerate(listed):
        place = f"_{n}" if len(listed) > 1 else ""
        own = gamma if powers else sp.Symbol(f"gamma{place}", positive=True)
        values = {own: powers[0] if powers else numbers[n]}
        slack = None
        if each["delta"] != "0":
            slack = sp.Symbol(f"delta{place}", nonnegative=True)
            values[slack] = number_of(each["delta"])
        pairs = permutations(range(k), 2) if each["pairs"] == "all" else ((int(j), int(i)) for j, i in each["pairs"])
        found.append(Level(own ** powers[1][n] if powers else own, slack, values, list(pairs)))
    return found


def _powers(numbers: Sequence[sp.Expr]) -> tuple[sp.Expr, list[int]] | None:
    """Return the smallest of some numbers above 1, and the exponents by which it gives each of them; None if none."""
    least = min(numbers, key=lambda number: float(number.evalf(30)))
    if least == 1:
        return None if len(numbers) > 1 else (least, [1])
    exponents = [next((m for m in range(1, _LARGEST_POWER + 1) if least**m == number), None) for number in numbers]
    return None if None in exponents else (least, [m for m in exponents if m])


def number_of(text: Any) -> sp.Expr:
    """Return a number of JSON: a fraction, or ``{"exp": r}``."""
    return sp.exp(sp.Rational(text["exp"])) if isinstance(text, dict) else sp.Rational(text)


def number_of_level(level: Mapping[str, str]) -> sp.Expr:
    """Return exp(epsilon) of a level of JSON."""
    if "rational" in level:
        return sp.exp(sp.Rational(level["rational"]))
    return sp.Rational(level["log"]) ** sp.Rational(level.get("times", "1"))


def numbers_of(given: Any) -> list[sp.Expr]:
    """Return numbers of JSON that are listed, or given in runs of equal ones.

    Raises:
        UnsupportedProblemError: runs have too many of them.
    """
    if isinstance(given, list):
        return [number_of(x) for x in given]
    runs = [(int(n), number_of(x)) for n, x in given["runs"]]
    if sum(n for n, _ in runs) > _MOST_IN_RUNS:
        raise UnsupportedProblemError("too many categories to be written out")
    return [x for n, x in runs for _ in range(n)]


_MOST_IN_RUNS = 100


def private(field: Field, m: int, k: int, levels: Sequence[Level], region: Mapping[str, Any]) -> list[Line]:
    """Return the conditions on the entries ``("p", i, j)`` of a mechanism: columns that sum to 1, and privacy."""
    lines = []
    for j in range(k):
        lines.append(Line(("column", j), {("p", i, j): field.one for i in range(m)}, field.one, is_equation=True))
    for i, j in product(range(m), range(k)):
        lines.append(Line(("zero", i, j), {("p", i, j): -field.one}, field.zero))
    for n, level in enumerate(levels):
        g = field(level.gamma)
        for j, other in level.pairs:
            excesses = {}
            for i in range(m):
                terms = {("p", i, j): field.one, ("p", i, other): -g}
                if level.delta is None:
                    lines.append(Line(("ratio", n, i, j, other), terms, field.zero))
                    continue
                excess = ("e", n, i, j, other)
                excesses[excess] = field.one
                lines.append(Line(("excess", n, i, j, other), {**terms, excess: -field.one}, field.zero))
                lines.append(Line(("none", n, i, j, other), {excess: -field.one}, field.zero))
            if level.delta is not None:
                lines.append(Line(("delta", n, j, other), excesses, field(level.delta)))
    if region["kind"] == "bounded":
        for i, j in product(range(m), range(k)):
            least, most = (field(number_of(region[side][i][j])) for side in ("least", "most"))
            lines.append(Line(("least", i, j), {("p", i, j): -field.one}, -least))
            lines.append(Line(("most", i, j), {("p", i, j): field.one}, most))
    for c, each in enumerate(region["entry_inequalities"] if region["kind"] == "bounded" else []):
        total: dict[Hashable, Any] = {}
        for n, part in enumerate(each["parts"]):
            for a, terms in enumerate(part if len(part) > 1 else []):
                own: dict[Hashable, Any] = {("p", int(i), int(j)): field(number_of(x)) for i, j, x in terms}
                lines.append(Line(("largest", c, n, a), {**own, ("s", c, n): -field.one}, field.zero))
            if len(part) > 1:
                total["s", c, n] = field.one
            else:
                for i, j, x in part[0]:
                    name = ("p", int(i), int(j))
                    total[name] = total.get(name, field.zero) + field(number_of(x))
        lines.append(Line(("inequality", c), total, field(number_of(each["bound"]))))
    return lines


@dataclass(frozen=True, eq=False)
class Vertex:
    """An optimal vertex in symbols, or in fractions at a level, with its proof.

    Attributes:
        field: the field.
        point: the values of the variables.
        prices: the prices of the tight conditions by label.
        value: the optimum.
        conditions: elements that are nonnegative where the vertex is optimal, by label: prices and slacks.
        level: the exact values of gamma and delta.
    """

    field: Field
    point: Mapping[Hashable, Any]
    prices: Mapping[Label, Any]
    value: Any
    conditions: Mapping[Label, Any]
    level: Mapping[sp.Symbol, sp.Expr]

    @property
    def is_at_level(self) -> bool:
        """Whether the vertex is computed at its level alone."""
        return bool(self.level) and not self.field.symbols

    def domain(self) -> Any:
        """Return where the vertex is optimal, as a relation: an interval of the symbol if there is one symbol only."""
        if self.is_at_level:
            return sp.And(*(sp.Eq(symbol, value) for symbol, value in self.level.items()))
        return region(self.field, list(self.conditions.values()))


@dataclass(frozen=True, eq=False)
class EntryProgram:
    """A linear program over the entries of a mechanism.

    Attributes:
        region: the region as JSON.
        shape: the numbers of outputs and categories.
        sign: -1 if the objective is maximized: then minus it is minimized; else 1.
        pose: a function of a field that returns the minimized objective, and conditions besides those of the region.
    """

    region: Mapping[str, Any]
    shape: tuple[int, int]
    sign: int
    pose: Callable[[Field], tuple[Terms, list[Line]]]

    @property
    def levels(self) -> list[Level]:
        """The privacy levels."""
        return levels_of(self.region, self.shape[1])

    @property
    def unknowns(self) -> int:
        """The number of entries, and of excesses where delta > 0."""
        m, k = self.shape
        return m * (k + sum(len(level.pairs) for level in self.levels if level.delta is not None))

    @property
    def names(self) -> list[list[Hashable]]:
        """The variables that are the entries."""
        m, k = self.shape
        return [[("p", i, j) for j in range(k)] for i in range(m)]

    @property
    def values(self) -> dict[sp.Symbol, sp.Expr]:
        """The exact values of gamma and delta of all levels."""
        return {symbol: value for level in self.levels for symbol, value in level.values.items()}

    def at(self, field: Field, levels: Sequence[Level]) -> tuple[Terms, list[Line]]:
        """Return the minimized objective and all conditions, with levels in a field."""
        objective, lines = self.pose(field)
        return objective, [*private(field, *self.shape, levels, self.region), *lines]

    def vertex(self, tight: Collection[Label]) -> Vertex:
        """Return the optimal vertex in symbols.

        Raises:
            ProofRefusedError: the tight conditions belong to no optimal vertex.
        """
        field = Field(self.values)
        return proved(field, *self.at(field, self.levels), tight)

    def level_vertex(self, tight: Collection[Label]) -> Vertex:
        """Return the optimal vertex in fractions, at a rational level.

        Raises:
            ProofRefusedError: the tight conditions belong to no optimal vertex.
            UnsupportedProblemError: the level is irrational.
        """
        values, field = self.values, Field({})
        if not all(value.is_Rational for value in values.values()):
            raise UnsupportedProblemError("no vertex in fractions: a level is irrational")
        levels = [
            Level(level.gamma.xreplace(values), level.delta and level.delta.xreplace(values), {}, level.pairs)
            for level in self.levels
        ]
        return replace(proved(field, *self.at(field, levels), tight), level=values)

    def form(self, vertex: Vertex) -> Form:
        """Return the optimum of a vertex as a form."""
        return form_of(vertex, self.sign, self.names)


def form_of(vertex: Vertex, sign: int, names: Sequence[Sequence[Hashable]]) -> Form:
    """Return the optimum of a vertex as a form with its mechanism; the domain is computed when it is read.

    Args:
        vertex: the vertex.
        sign: -1 if the objective was maximized.
        names: the variables that are the entries of the mechanism.
    """
    field = vertex.field
    rows = [[field.expression(vertex.point[name]) for name in row] for row in names]
    count = len(vertex.conditions)
    theorem = f"an optimal vertex: its prices and the slacks of the other conditions ({count} in all) are nonnegative"
    return Form(
        field.expression(field.one * sign * vertex.value),
        theorem + ", at this level alone" * vertex.is_at_level,
        vertex.domain(),
        sp.ImmutableMatrix(rows),
        dict(vertex.level),
    )


def proved(field: Field, objective: Terms, lines: Sequence[Line], tight: Collection[Label]) -> Vertex:
    """Return the vertex at which the given conditions are tight, with the proof that it is optimal at the level.

    Args:
        field: the field of the coefficients.
        objective: the coefficients of the minimized sum by variable.
        lines: the conditions.
        tight: the labels of the inequalities that are tight; equations are always.

    Raises:
        ProofRefusedError: they determine no point, the point violates a condition, or a price is negative.
    """
    point, found = solved(field, objective, lines, tight)
    conditions: dict[Label, Any] = {}
    for line in lines:
        if line.is_equation:
            continue
        own = sum((c * point[x] for x, c in line.terms.items()), field.zero)
        conditions[line.label] = found[line.label] if line.label in found else line.bound - own
    for label, condition in conditions.items():
        if field.sign(condition) < 0:
            what = "price" if label in found else "slack"
            raise ProofRefusedError(f"SymPy: the {what} of {label} is negative, so that CVXPY's vertex is not optimal")
    value = sum((c * point[x] for x, c in objective.items()), field.zero)
    dual = -sum((found[line.label] * line.bound for line in lines if line.label in found), field.zero)
    if value != dual:
        raise ProofRefusedError("SymPy: the values of the primal and of the dual program differ")
    return Vertex(field, point, found, value, conditions, field.values)


def solved(
    field: Field, objective: Terms, lines: Sequence[Line], tight: Collection[Label]
) -> tuple[dict[Any, Any], dict[Label, Any]]:
    """Return the point at which the given conditions are tight, and their prices; neither is tested.

    Raises:
        ProofRefusedError: they determine no point.
    """
    active = [line for line in lines if line.is_equation or line.label in tight]
    pinned = {next(iter(line.terms)): line for line in active if len(line.terms) == 1 and not line.bound}
    of_zeros = {line.label for line in pinned.values()}
    rest = [line for line in active if line.label not in of_zeros]
    variables = sorted({name for line in lines for name in line.terms} | set(objective), key=repr)
    free = [name for name in variables if name not in pinned]
    if len(rest) != len(free):
        raise ProofRefusedError(
            f"SymPy: {with_noun(len(rest), 'tight condition')} for {with_noun(len(free), 'unknown')} determine no "
            "vertex"
        )
    values = field.solved([[line.terms.get(x, field.zero) for x in free] for line in rest], [x.bound for x in rest])
    wanted = [-objective.get(x, field.zero) for x in free]
    prices = field.solved([[line.terms.get(x, field.zero) for line in rest] for x in free], wanted)
    point = {**dict.fromkeys(pinned, field.zero), **dict(zip(free, values, strict=True))}
    found = dict(zip((line.label for line in rest), prices, strict=True))
    for name, line in pinned.items():
        own = objective.get(name, field.zero)
        own += sum((found[each.label] * each.terms.get(name, field.zero) for each in rest), field.zero)
        found[line.label] = -own / line.terms[name]
    return point, found
