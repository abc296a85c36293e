"""The way of cells: ``phi <= g`` on all rows, for a level of Renyi divergences or of zCDP (cells_way.md).

Let ``g(p) = alpha.p + sum lambda h(p_j, p_l)``, with ``h(x, y) = y (x/y)^a`` (``x log(x/y)`` at the order a = 1). The
sum is over orders a and pairs (j, l) of inputs. If ``phi(p) <= g(p)`` for all rows p, then ``sum_i phi(p_i) <= B`` for
every mechanism of the region. The checker bisects the simplex of rows until tangents of h prove the inequality on each
cell.
"""

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import combinations, permutations
from math import lcm
from typing import Any, NamedTuple

from .brackets import LevelBracket, gamma_bracket
from .divergence_level import LawExponents, matrix_laws, read_orders, require_bound
from .documents import Rejected, WorkBudget, bits_of, fields, items, whole
from .intervals import Arithmetic, Interval, read_arithmetic
from .limits import MAX_CELL_DEPTH, MAX_DIVERGENCE_INPUTS, MAX_LIST, MAX_PARAMETER_DIGITS
from .matrices import Rows, columns, read_matrix, read_mechanism, read_numbers
from .rays_sums import Phi, greatest
from .rays_way import Lines, Sum, SumOfSquares

_METRIC_BITS = 20  # binary places of the edge lengths: the choice of the edge to halve affects only the cost
_ROUGH = Context(12, Emin=-999_999, Emax=999_999, traps=[])  # for these lengths and what they are compared with


class _Level(NamedTuple):
    """The privacy level of a region: ``D_a <= epsilon`` at one order, or ``D_a <= rho a`` at all orders."""

    order: Fraction | None  # None for all orders
    gamma: LevelBracket | None  # bracket of exp(epsilon); None under zCDP
    rho: Fraction

    def budget(self, order: Fraction, arithmetic: Arithmetic) -> Interval:
        """Return an interval whose upper endpoint bounds the sum of h over the outputs, for one pair at one order."""
        if self.gamma is not None:
            nats = arithmetic.log(arithmetic.of(self.gamma.above))
        else:
            nats = arithmetic.of(self.rho * order)
        return nats if order == 1 else arithmetic.exp(arithmetic.multiply(nats, arithmetic.of(order - 1)))


class _Curve(NamedTuple):
    """The positive multipliers lambda of one order."""

    order: Fraction
    pairs: list[tuple[int, int, Interval]]  # (j, l, lambda), lambda > 0
    is_symmetric: bool  # lambda is the same for all pairs


class _Bend(NamedTuple):
    """A term of g at the centroid of a cell: its second derivative along (x, y) is ``weight (d x - n y)^2``."""

    j: int
    other: int
    n: int
    d: int
    weight: Decimal


class _Vertex(NamedTuple):
    """A row ``place/(unit 2^depth)`` with sum 1, and an upper bound on phi there; see ``_Cells`` for the unit."""

    place: tuple[int, ...]
    depth: int
    row: list[Interval]
    phi: Decimal


class BoundedDivergences(NamedTuple):
    """The mechanisms with any number of outputs whose divergences, for all pairs of inputs, are at most the level."""

    inputs: int
    level: _Level
    orders: Any  # of zCDP, not yet read: for each pair the orders that prove a mechanism private
    arithmetic: Arithmetic
    outputs: int | None = None
    tier: str = ""


class CellBound(NamedTuple):
    """The function g, and its bound B on all mechanisms of the region."""

    alpha: list[Fraction]
    curves: list[_Curve]
    value: Fraction


def is_divergence_level(levels: Any) -> bool:
    """Return whether a level of a problem bounds divergences."""
    listed = levels if isinstance(levels, list) else []
    return any(isinstance(level, dict) and ("order" in level or "rho" in level) for level in listed)


def read_divergence_region(problem: dict[str, Any], proof: dict[str, Any], budget: WorkBudget) -> BoundedDivergences:
    """Read the region of a problem, and prove the bracket of its level."""
    if problem["outputs"] != "any" or problem["bounds"] is not None:
        raise Rejected("a level of divergences has any number of outputs, and no bounds on entries")
    (entry,), (given,) = (items(listed, "levels", count=1) for listed in (problem["levels"], proof["brackets"]))
    arithmetic = read_arithmetic(proof["digits"], budget)
    orders = None
    if isinstance(entry, dict) and "rho" in entry:
        (text,) = fields(entry, ["rho"], "a level")
        rho = budget.number(text, "rho", MAX_PARAMETER_DIGITS)
        if rho < 0:
            raise Rejected("rho is negative")
        (orders,) = fields(given, ["orders"], "the brackets of a level")
        level = _Level(None, None, rho)
    else:
        text, epsilon = fields(entry, ["order", "epsilon"], "a level")
        (gamma,) = fields(given, ["gamma"], "the brackets of a level")
        level = _Level(_read_order(text, budget), gamma_bracket(epsilon, gamma, budget), Fraction(0))
    k = whole(problem["inputs"], "inputs", MAX_DIVERGENCE_INPUTS, 2)
    return BoundedDivergences(k, level, orders, arithmetic)


def _read_order(text: Any, budget: WorkBudget) -> Fraction:
    order = budget.number(text, "an order", MAX_PARAMETER_DIGITS)
    if order < 1:
        raise Rejected("an order is below 1")
    return order


def read_private(region: BoundedDivergences, data: Any, budget: WorkBudget) -> Rows:
    """Read a mechanism; reject unless its divergences are proved to be at most the level."""
    rows = read_mechanism(data, "the mechanism", budget, (None, region.inputs))
    columns(rows, "the mechanism", budget)
    level, arithmetic = region.level, region.arithmetic
    laws = matrix_laws(rows, budget)
    if laws is None:
        raise Rejected("a divergence of the mechanism is infinite")
    if level.order is None or level.gamma is None:
        lists = items(region.orders, "orders", count=len(laws))
        for pair, listed in zip(laws, lists, strict=True):
            require_bound(LawExponents(pair, arithmetic), level.rho, read_orders(listed, budget))
        return rows
    allowed = arithmetic.log(arithmetic.of(level.gamma.below))[0]
    if any(LawExponents(pair, arithmetic).divergence(level.order)[1] > allowed for pair in laws):
        raise Rejected("a divergence of the mechanism is not proved to be at most the level")
    return rows


def read_cell_bound(region: BoundedDivergences, alpha: Any, curves: Any, budget: WorkBudget) -> CellBound:
    """Read alpha and the multipliers lambda, and compute B."""
    k, level, arithmetic, found = region.inputs, region.level, region.arithmetic, []
    line = read_numbers(alpha, "alpha", budget, k)
    for entry in items(curves, "curves", most=MAX_LIST):
        text, multipliers = fields(entry, ["order", "multipliers"], "a curve")
        order = _read_order(text, budget)
        rows = read_matrix(multipliers, "multipliers", budget, (k, k))
        if any(x < 0 for row in rows for x in row):
            raise Rejected("a multiplier is negative")
        if any(rows[j][j] for j in range(k)):
            raise Rejected("the multipliers are not 0 on the diagonal")
        own = [(j, i, arithmetic.of(rows[j][i])) for j, i in permutations(range(k), 2) if rows[j][i]]
        is_symmetric = all(rows[j][i] == rows[0][1] for j, i in permutations(range(k), 2))
        found.append(_Curve(order, own, is_symmetric))
    if level.order is not None and [curve.order for curve in found] != [level.order]:
        raise Rejected("the order of the curves is not that of the level")
    return CellBound(line, found, sum(line, Fraction(0)) + _allowed(found, level, arithmetic))


def require_on_cells(
    region: BoundedDivergences, bound: CellBound, phi: SumOfSquares | Lines | Sum, budget: WorkBudget
) -> None:
    """Reject unless ``phi <= g`` is proved on all rows."""
    ends = greatest(phi.rows, budget) if isinstance(phi, Lines) else phi.ends
    of = region.arithmetic.of
    cells = _Cells(region.inputs, [of(x) for x in bound.alpha], bound.curves, ends, region.arithmetic)
    is_even = _are_equal(bound.alpha) and all(curve.is_symmetric for curve in bound.curves)
    cells.require(is_even and _is_symmetric(phi, budget))


def _are_equal(values: Sequence[Fraction]) -> bool:
    """Return whether all numbers are equal; numbers of a file are compared and never hashed."""
    return all(value == values[0] for value in values)


def _is_symmetric(phi: SumOfSquares | Lines | Sum, budget: WorkBudget) -> bool:
    """Return whether phi is proved to be the same for all permutations of a row (cells_way.md, *Symmetry*)."""
    if isinstance(phi, Sum):
        return phi.information is not None and _are_equal(phi.information.listed)
    if isinstance(phi, Lines) or len(phi.parts) != 1:
        return False
    _, vectors, d, shares = phi.parts[0]
    k, longest = len(shares), max(map(bits_of, (*d, *(x for w in vectors for x in w))))
    budget.spend(3 * k * k * len(vectors), 2 * longest, longest)
    form = [[sum(x * w[i] * w[j] for x, w in zip(d, vectors, strict=True)) for j in range(k)] for i in range(k)]
    return _are_equal(shares) and all(form[i][j] == form[0][i != j] for i in range(k) for j in range(k))


def _allowed(curves: list[_Curve], level: _Level, arithmetic: Arithmetic) -> Fraction:
    """Return an upper bound on the sum of lambda h over the outputs, orders and pairs, for any private mechanism."""
    total = arithmetic.zero
    for order, pairs, _ in curves:
        allowed = level.budget(order, arithmetic)
        for _, _, x in pairs:
            total = arithmetic.add(total, arithmetic.multiply(x, allowed))
    if not total[1].is_finite():
        raise Rejected("the bound of the dual is not finite")
    return Fraction(total[1])


class _Cells:
    """The cells of the simplex of rows, which are bisected until the inequality is proved on each."""

    def __init__(self, k: int, alpha: list[Interval], curves: list[_Curve], phi: Phi, arithmetic: Arithmetic) -> None:
        self.k, self.alpha, self.curves, self.phi, self.arithmetic = k, alpha, curves, phi, arithmetic
        self.unit = 1  # the entries of the first cell are multiples of 1/unit

    def require(self, is_symmetric: bool) -> None:
        """Reject unless ``phi <= g`` is proved on every cell.

        Args:
            is_symmetric: whether phi and g are the same for all permutations of a row. Then the rows whose entries do
                not increase are enough.
        """
        places = [tuple(int(i == j) for i in range(self.k)) for j in range(self.k)]
        if is_symmetric:
            self.unit = lcm(*range(1, self.k + 1))
            places = [tuple(self.unit // (j + 1) * (i <= j) for i in range(self.k)) for j in range(self.k)]
        left = [(0, [self._vertex(place, 0) for place in places])]
        while left:
            depth, cell = left.pop()
            line, bends = self._line(cell)
            missing = self._missing(cell, line)
            if missing is None:
                continue
            if depth >= MAX_CELL_DEPTH * (self.k - 1):
                raise Rejected("the inequality is not proved on a cell of rows")
            a, b = self._edge(cell, bends, missing)
            middle = self._middle(cell[a], cell[b])
            for end in (b, a):
                half = [*cell]
                half[end] = middle
                left.append((depth + 1, half))

    def _vertex(self, place: tuple[int, ...], depth: int) -> _Vertex:
        self.arithmetic.budget.spend(2 + self.k, depth)
        size = self.unit << depth
        high = self.phi(place)[1] / size
        row = [self.arithmetic.of(Fraction(x, size)) for x in place]
        return _Vertex(place, depth, row, self.arithmetic.of(high)[1])

    def _middle(self, one: _Vertex, other: _Vertex) -> _Vertex:
        depth = max(one.depth, other.depth)
        sums = zip(_at(one, depth), _at(other, depth), strict=True)
        return self._vertex(tuple(x + y for x, y in sums), depth + 1)

    def _edge(self, cell: Sequence[_Vertex], bends: Sequence[_Bend], missing: Decimal) -> tuple[int, int]:
        """Return the edge to halve: the one along which g bends most.

        If g bends by less than the amount ``missing`` on every edge, its tangents are not the reason why the cell is
        not proved. Then the edge (u, v) with the largest ``sum_j (u_j - v_j)^2/(u_j + v_j)`` is halved. Both are the
        first such edges.
        """
        depth = max(vertex.depth for vertex in cell)
        places = [_at(vertex, depth) for vertex in cell]
        edges = list(combinations(range(self.k), 2))
        self.arithmetic.budget.spend(len(edges) * len(bends), 2 * depth)
        unit = Decimal(self.unit**2 << 2 * depth)
        lengths = []
        for a, b in edges:
            step = [x - y for x, y in zip(places[a], places[b], strict=True)]
            total = Decimal(0)
            for j, other, n, d, weight in bends:
                if away := d * step[j] - n * step[other]:
                    total = _ROUGH.add(total, _ROUGH.multiply(weight, Decimal(away * away)))
            lengths.append(_ROUGH.divide(total, unit))
        if max(lengths) >= missing:
            return edges[lengths.index(max(lengths))]
        self.arithmetic.budget.spend(self.k * self.k * self.k, depth)
        plain = [
            sum(((x - y) ** 2 << _METRIC_BITS) // (x + y) for x, y in zip(places[a], places[b], strict=True) if x + y)
            for a, b in edges
        ]
        return edges[plain.index(max(plain))]

    def _missing(self, cell: Sequence[_Vertex], line: Sequence[Interval]) -> Decimal | None:
        """Return the amount by which ``phi <= line.p`` is not proved at the first such vertex of a cell, or None.

        If there is no such vertex, the inequality is true in the whole cell, since phi is convex and the right-hand
        side is linear. The line is below g, so ``phi <= g`` there.
        """
        add, times = self.arithmetic.add, self.arithmetic.multiply
        for vertex in cell:
            total = self.arithmetic.zero
            for slope, x in zip(line, vertex.row, strict=True):
                if x[1]:
                    total = add(total, times(slope, x))
            if total[0] < vertex.phi:
                return _ROUGH.subtract(vertex.phi, total[0])
        return None

    def _line(self, cell: Sequence[_Vertex]) -> tuple[list[Interval], list[_Bend]]:
        """Return the coefficients of alpha.p plus the weighted tangents of h, and the second derivatives of h.

        The tangent at x/y = t is ``m x - b y`` with ``m = h'(t)`` and ``b = t m - h(t)``, where h(t) is h(t, 1).
        """
        arithmetic, line = self.arithmetic, [*self.alpha]
        bends: list[_Bend] = []
        add, times = arithmetic.add, arithmetic.multiply
        depth = max(vertex.depth for vertex in cell)
        places = [_at(vertex, depth) for vertex in cell]
        centre = [sum(column) for column in zip(*places, strict=True)]
        arithmetic.budget.spend(self.k * self.k, depth)
        for order, pairs, _ in self.curves:
            for j, i, weight in pairs:
                ratio = self._ratio(places, centre, j, i)
                t, power, steep = arithmetic.of(ratio), arithmetic.unit, Fraction(1)
                if order == 1:
                    m, b = add(arithmetic.log(t), arithmetic.unit), t
                else:
                    power, steep = arithmetic.power(t, order - 1), order * (order - 1)
                    m = times(arithmetic.of(order), power)
                    b = times(arithmetic.of(order - 1), times(t, power))
                line[j] = add(line[j], times(weight, m))
                line[i] = add(line[i], arithmetic.negative(times(weight, b)))
                bends.append(
                    _bend(j, i, ratio, Fraction(centre[i], self.k * self.unit << depth), steep, weight[0], power[0])
                )
        return line, bends

    def _ratio(self, places: Sequence[Sequence[int]], centre: Sequence[int], j: int, i: int) -> Fraction:
        """Return the ratio t at which the tangent of h is taken.

        It is the ratio at the centroid. If the ratio is infinite at some vertex and no finite ratio is 0, it is the
        smallest ratio of the vertices.
        """
        finite = [place for place in places if place[i]]
        if any(place[j] and not place[i] for place in places) and all(place[j] for place in finite):
            self.arithmetic.budget.spend(len(places), max(centre).bit_length(), max(centre).bit_length())
            return min(Fraction(place[j], place[i]) for place in finite)
        return Fraction(centre[j], centre[i])


def _bend(j: int, other: int, t: Fraction, y: Fraction, steep: Fraction, weight: Decimal, power: Decimal) -> _Bend:
    """Return the term ``weight steep power/(t y) (x - t y')^2`` for ``h_a(x, y')``; power is ``t^(a-1)``."""
    n, d = t.numerator, t.denominator
    top, below = steep.numerator * y.denominator, steep.denominator * n * d * y.numerator
    product = _ROUGH.multiply(_ROUGH.multiply(weight, power), Decimal(top))
    return _Bend(j, other, n, d, _ROUGH.divide(product, Decimal(below)))


def _at(vertex: _Vertex, depth: int) -> list[int]:
    return [x << (depth - vertex.depth) for x in vertex.place]
