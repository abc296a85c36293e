"""Designs under Renyi differential privacy or zCDP: an inequality on all rows, proved by cells (FORMAT.md, rule 42).

With ``g(p) = alpha.p + sum lambda h(p_j, p_l)``, ``h(x, y) = y (x/y)^a`` (``x log(x/y)`` at the order 1), a sum over
orders and pairs (j, l) of inputs, ``phi(p) <= g(p)`` for all rows p gives ``sum_i phi(p_i) <= B`` for every private
mechanism. The simplex of rows is cut in two until tangents of h prove the inequality on each cell. Rule 25 says
what phi is, and what B bounds.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

from .brackets import Bracket, gamma_bracket
from .documents import Budget, Rejected, fields, items, of_kind
from .intervals import Arithmetic, Interval
from .limits import MAX_CELL_DEPTH, MAX_COVER_DIGITS, MAX_DIVERGENCE_INPUTS, MAX_LIST, MAX_PARAMETER_DIGITS
from .matrices import columns, over_one_denominator, read_matrix, read_mechanism, read_population
from .polynomials import whole
from .rays_rule import Design, Dual, objective_phi, require_goal
from .rays_sums import Phi
from .renyi_rule import Exponents, matrix_laws, read_orders, require_bound

EXPLAINED = {
    "divergence-design": "The checker cut the simplex of rows into cells. On each cell tangents of the divergences "
    "prove the inequality behind the bound. It enclosed the divergences of the mechanism, and worked out what that "
    "mechanism achieves.",
}

_METRIC_BITS = 20  # of the lengths by which the edge to be halved is chosen: they decide on the cost alone


class _Level(NamedTuple):
    """The level of a region: ``D_a <= epsilon`` at one order, or ``D_a <= rho a`` at all orders."""

    order: Fraction | None  # None: all orders
    gamma: Bracket | None  # of exp(epsilon)
    rho: Fraction

    def budget(self, order: Fraction, arithmetic: Arithmetic) -> Interval:
        """Return an interval around the largest sum of h that the level allows, or more."""
        if self.gamma is not None:
            nats = arithmetic.log(arithmetic.of(self.gamma.above))
        else:
            nats = arithmetic.of(self.rho * order)
        return nats if order == 1 else arithmetic.exp(arithmetic.multiply(nats, arithmetic.of(order - 1)))


class _Curve(NamedTuple):
    """The multipliers of one order."""

    order: Fraction
    pairs: list[tuple[int, int, Interval]]  # (j, l, lambda), lambda > 0


class _Vertex(NamedTuple):
    """A row ``place/2^depth`` that sums to 1, and an upper bound of phi on it."""

    place: tuple[int, ...]
    depth: int
    row: list[Interval]
    phi: Decimal


def check_divergence_design(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind design-bracket over a region of Renyi divergences."""
    budget = Budget()
    data, objective, shares = fields(problem, ["region", "objective", "population"], "problem")
    lower, upper, made = of_kind(claim, "design-bracket", ["lower", "upper", "mechanism"], "claim")
    _, gamma, dual, primal, orders, logarithms, digits = fields(
        witness, ["rule", "gamma", "dual", "primal", "orders", "logarithms", "digits"], "witness"
    )
    arithmetic = Arithmetic(whole(digits, "digits", MAX_COVER_DIGITS, 1), budget)
    k, level = _read_region(data, gamma, budget)
    pi = read_population(shares, k, budget)
    if not all(pi):
        raise Rejected("a share is 0")
    rows = read_mechanism(made, "the mechanism", budget, (None, k))
    columns(rows, "the mechanism", budget)
    _require_private(rows, level, orders, arithmetic)
    alpha, listed, multipliers, matrix = fields(dual, ["alpha", "orders", "multipliers", "matrix"], "dual")
    (line,) = read_matrix([alpha], "alpha", budget, (1, k))
    curves = _read_curves(listed, multipliers, level, k, arithmetic)
    bound = sum(line, Fraction(0)) + _allowed(curves, level, arithmetic)
    ends = budget.number(lower, "lower"), budget.number(upper, "upper")
    if ends[0] > ends[1]:
        raise Rejected("lower is above upper")
    vector = over_one_denominator(line, budget)
    own = Dual(vector.numerators, [], vector.denominator, bound, [])
    design = Design(objective, pi, rows, *ends, [], own, matrix, primal, logarithms, budget)
    require_goal(design)
    _Cells(k, [arithmetic.of(x) for x in line], curves, objective_phi(design), arithmetic).require()


def _read_region(data: Any, gamma: Any, budget: Budget) -> tuple[int, _Level]:
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == "renyi-privacy":
        _, inputs, outputs, text, epsilon = fields(data, ["kind", "inputs", "outputs", "order", "epsilon"], "region")
        order = _read_order(text, budget)
        level = _Level(order, gamma_bracket(epsilon, gamma, budget), Fraction(0))
    elif kind == "zcdp-privacy":
        _, inputs, outputs, text = fields(data, ["kind", "inputs", "outputs", "rho"], "region")
        rho = budget.number(text, "rho", MAX_PARAMETER_DIGITS)
        if rho < 0:
            raise Rejected("rho is negative")
        if gamma is not None:
            raise Rejected("gamma is not null where there is no epsilon")
        level = _Level(None, None, rho)
    else:
        raise Rejected("the region is not one of Renyi divergences")
    if outputs != "any":
        raise Rejected("the number of outputs is not any")
    return whole(inputs, "inputs", MAX_DIVERGENCE_INPUTS, 2), level


def _read_order(text: Any, budget: Budget) -> Fraction:
    order = budget.number(text, "an order", MAX_PARAMETER_DIGITS)
    if order < 1:
        raise Rejected("an order is below 1")
    return order


def _require_private(rows: list[list[Fraction]], level: _Level, orders: Any, arithmetic: Arithmetic) -> None:
    """Reject unless the divergences of all pairs of columns are at most the level, as in rule 29."""
    laws = matrix_laws(rows, arithmetic.budget)
    if laws is None:
        raise Rejected("a divergence of the mechanism is infinite")
    if level.order is None or level.gamma is None:
        lists = items(orders, "orders", count=len(laws))
        for pair, listed in zip(laws, lists, strict=True):
            require_bound(Exponents(pair, arithmetic), level.rho, read_orders(listed, arithmetic.budget))
        return
    items(orders, "orders", count=0)
    allowed = arithmetic.log(arithmetic.of(level.gamma.below))[0]
    if any(Exponents(pair, arithmetic).divergence(level.order)[1] > allowed for pair in laws):
        raise Rejected("a divergence of the mechanism is not proved to be at most the level")


def _read_curves(listed: Any, multipliers: Any, level: _Level, k: int, arithmetic: Arithmetic) -> list[_Curve]:
    budget, found = arithmetic.budget, []
    orders = [_read_order(text, budget) for text in items(listed, "the orders of the dual", most=MAX_LIST)]
    if level.order is not None and orders != [level.order]:
        raise Rejected("the order of the dual is not that of the region")
    squares = items(multipliers, "multipliers", count=len(orders))
    for order, square in zip(orders, squares, strict=True):
        rows = read_matrix(square, "multipliers", budget, (k, k))
        if any(x < 0 for row in rows for x in row):
            raise Rejected("a multiplier is negative")
        if any(rows[j][j] for j in range(k)):
            raise Rejected("the multipliers are not 0 on the diagonal")
        own = [(j, i, arithmetic.of(rows[j][i])) for j, i in permutations(range(k), 2) if rows[j][i]]
        found.append(_Curve(order, own))
    return found


def _allowed(curves: list[_Curve], level: _Level, arithmetic: Arithmetic) -> Fraction:
    """Return an upper bound of the sum of lambda h over the outputs of any private mechanism."""
    total = arithmetic.zero
    for order, pairs in curves:
        allowed = level.budget(order, arithmetic)
        for _, _, x in pairs:
            total = arithmetic.add(total, arithmetic.multiply(x, allowed))
    if not total[1].is_finite():
        raise Rejected("the bound of the dual is not finite")
    return Fraction(total[1])


class _Cells:
    """The cells of the simplex of rows, cut in two until the inequality is proved on each."""

    def __init__(self, k: int, alpha: list[Interval], curves: list[_Curve], phi: Phi, arithmetic: Arithmetic) -> None:
        self.k, self.alpha, self.curves, self.phi, self.arithmetic = k, alpha, curves, phi, arithmetic

    def require(self) -> None:
        """Reject unless ``phi <= g`` is proved on every cell."""
        corners = [self._vertex(tuple(int(i == j) for i in range(self.k)), 0) for j in range(self.k)]
        left = [(0, corners)]
        while left:
            depth, cell = left.pop()
            if self._is_proved(cell):
                continue
            if depth >= MAX_CELL_DEPTH * (self.k - 1):
                raise Rejected("the inequality is not proved on a cell of rows")
            a, b = self._edge(cell)
            middle = self._middle(cell[a], cell[b])
            for end in (b, a):
                half = [*cell]
                half[end] = middle
                left.append((depth + 1, half))

    def _vertex(self, place: tuple[int, ...], depth: int) -> _Vertex:
        self.arithmetic.budget.spend(2 + self.k, depth)
        high = self.phi(place)[1] / 2**depth
        row = [self.arithmetic.of(Fraction(x, 2**depth)) for x in place]
        return _Vertex(place, depth, row, self.arithmetic.of(high)[1])

    def _middle(self, one: _Vertex, other: _Vertex) -> _Vertex:
        depth = max(one.depth, other.depth)
        sums = zip(_at(one, depth), _at(other, depth), strict=True)
        return self._vertex(tuple(x + y for x, y in sums), depth + 1)

    def _edge(self, cell: Sequence[_Vertex]) -> tuple[int, int]:
        """Return the first of the longest edges, of the lengths ``sum_j (u_j - v_j)^2/(u_j + v_j)``."""
        depth = max(vertex.depth for vertex in cell)
        places = [_at(vertex, depth) for vertex in cell]
        self.arithmetic.budget.spend(self.k * self.k * self.k, depth)
        longest, found = -1, (0, 1)
        for a, b in combinations(range(self.k), 2):
            length = sum(
                ((x - y) ** 2 << _METRIC_BITS) // (x + y) for x, y in zip(places[a], places[b], strict=True) if x + y
            )
            if length > longest:
                longest, found = length, (a, b)
        return found

    def _is_proved(self, cell: Sequence[_Vertex]) -> bool:
        """Return whether ``phi <= alpha.p + sum lambda (tangent of h)`` at the vertices, tangents at the centroid."""
        line = self._line(cell)
        add, times = self.arithmetic.add, self.arithmetic.multiply
        for vertex in cell:
            total = self.arithmetic.zero
            for slope, x in zip(line, vertex.row, strict=True):
                if x[1]:
                    total = add(total, times(slope, x))
            if total[0] < vertex.phi:
                return False
        return True

    def _line(self, cell: Sequence[_Vertex]) -> list[Interval]:
        """Return the linear function: a tangent ``m x - b y`` of h at x/y = t has ``m = h'(t), b = t m - h(t)``."""
        arithmetic, line = self.arithmetic, [*self.alpha]
        add, times = arithmetic.add, arithmetic.multiply
        depth = max(vertex.depth for vertex in cell)
        places = [_at(vertex, depth) for vertex in cell]
        centre = [sum(column) for column in zip(*places, strict=True)]
        arithmetic.budget.spend(self.k * self.k, depth)
        for order, pairs in self.curves:
            for j, i, weight in pairs:
                t = arithmetic.of(self._ratio(places, centre, j, i))
                if order == 1:
                    m, b = add(arithmetic.log(t), arithmetic.unit), t
                else:
                    power = arithmetic.power(t, order - 1)
                    m = times(arithmetic.of(order), power)
                    b = times(arithmetic.of(order - 1), times(t, power))
                line[j] = add(line[j], times(weight, m))
                line[i] = add(line[i], arithmetic.negative(times(weight, b)))
        return line

    def _ratio(self, places: Sequence[Sequence[int]], centre: Sequence[int], j: int, i: int) -> Fraction:
        """Return the t of the tangent: at the centroid, or the least ratio of a cell that has an infinite one."""
        finite = [place for place in places if place[i]]
        if any(place[j] and not place[i] for place in places) and all(place[j] for place in finite):
            self.arithmetic.budget.spend(len(places), max(centre).bit_length(), max(centre).bit_length())
            return min(Fraction(place[j], place[i]) for place in finite)
        return Fraction(centre[j], centre[i])


def _at(vertex: _Vertex, depth: int) -> list[int]:
    return [x << (depth - vertex.depth) for x in vertex.place]
