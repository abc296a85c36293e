"""The statement ``every-level-closed``: optima in closed form for every gamma of an interval (every_level_closed.md).

A design has a value N/D, quadratics in gamma that follow from its definition. It is the best one of an interval where
some quadratics are nonnegative: it is no worse than each other vertex of the region (variance), or than the next larger
and the next smaller one of a family in which the value first rises and then falls (equal proportions, traces).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple, cast

from .block_families import MAX_CATEGORIES
from .documents import Rejected, WorkBudget, bits_of, fields, items, of_kind, whole
from .every_level import read_end, read_start
from .limits import MAX_PARAMETER_DIGITS, MAX_RUNS
from .matrices import over_one_denominator, read_numbers
from .quadratics import Point, Quadratic, compare, is_nonnegative

Line = tuple[Fraction, Fraction]  # the coefficients of 1 and gamma
Parabola = tuple[Fraction, Fraction, Fraction]

_ZERO, _ONE = Fraction(0), Fraction(1)
_PER_PIECE = 100  # units for the numbers of a piece, its conditions and their signs
_CATEGORICAL = ("a-optimal", "d-optimal", "e-optimal")


class ClosedForm(NamedTuple):
    """The value of a design as a quotient of quadratics in gamma, and what is nonnegative where it is optimal."""

    above: Parabola
    below: Parabola
    conditions: list[Quadratic]


def check_every_level_closed(problem: Any, claim: Any, proof: Any) -> str:
    """Check the closed form of an optimum on an interval of gamma, and return the number of its pieces in words."""
    budget = WorkBudget()
    objective, slack, start, stop = fields(problem, ["objective", "delta", "from", "to"], "problem")
    fields(proof, [], "proof")
    delta = budget.number(slack, "delta", MAX_PARAMETER_DIGITS)
    if not 0 <= delta <= 1:
        raise Rejected("delta is not in [0, 1]")
    reached: Point | None = read_start(start, budget)
    end = read_end(stop, "to", budget)
    design = _designs(objective, delta, budget)
    (pieces,) = fields(claim, ["pieces"], "claim")
    listed = items(pieces, "pieces", most=MAX_RUNS)
    for piece in listed:
        reached = _require_piece(piece, design, reached, budget)
    if not listed or compare(reached, end):
        raise Rejected("the pieces do not end where the problem ends")
    return (
        f"the optimum at every level of the interval has {len(listed)} {'formula' if len(listed) == 1 else 'formulas'}"
    )


def _designs(objective: Any, delta: Fraction, budget: WorkBudget) -> Callable[[Any], ClosedForm]:
    """Return the function that reads a design of an objective."""
    kind = objective.get("kind") if isinstance(objective, dict) else None
    if kind == "variance":
        (text,) = of_kind(objective, kind, ["prevalence"], "the objective")
        return _binary(budget.number(text, "the prevalence", MAX_PARAMETER_DIGITS), delta, budget)
    if kind == "trace":
        (runs,) = of_kind(objective, kind, ["runs"], "the objective")
        return _trace(runs, delta, budget)
    if kind not in _CATEGORICAL:
        raise Rejected("the objective has no closed form in this checker")
    (size,) = of_kind(objective, kind, ["categories"], "the objective")
    return _subsets(kind, whole(size, "the number of categories", MAX_CATEGORIES, 2), delta, budget)


def _require_piece(
    piece: Any, design: Callable[[Any], ClosedForm], low: Point | None, budget: WorkBudget
) -> Point | None:
    """Reject unless a piece is right from ``low`` on; return its end (None is infinity)."""
    budget.spend(_PER_PIECE)
    to, value, name = fields(piece, ["to", "value", "design"], "a piece")
    high = read_end(to, "the end of a piece", budget)
    length = [0 if point is None else point.bits for point in (low, high)]
    budget.spend(8, *length)
    if compare(low, high) >= 0:  # nothing is above infinity
        raise Rejected("a piece is empty")
    start = cast(Point, low)
    own = design(name)
    above, below = (
        read_numbers(part, "the value", budget, 3) for part in items(value, "the value of a piece", count=2)
    )
    _require_multiple([*above, *below], [*own.above, *own.below], budget)
    for a, b, c in own.conditions:
        budget.spend(1, sum(length), max(abs(a), abs(b), abs(c)).bit_length())
        if not is_nonnegative((a + b + c, b + 2 * c, c), start, high):  # in u = gamma - 1
            raise Rejected("another design is better on a part of the piece")
    return high


def _require_multiple(stated: list[Fraction], own: list[Fraction], budget: WorkBudget) -> None:
    """Reject unless the stated coefficients are those of the design, times one positive number."""
    longest = max(map(bits_of, own))
    budget.spend_in_bulk(36, max(map(bits_of, stated)), longest)
    place = next(i for i in (3, 4, 5) if own[i])  # a denominator is 0 at no more than one gamma
    factor = stated[place] / own[place]
    if factor <= 0 or any(x != factor * y for x, y in zip(stated, own, strict=True)):
        raise Rejected("the value is not that of the design")


def _times(one: Line, two: Line) -> Parabola:
    return one[0] * two[0], one[0] * two[1] + one[1] * two[0], one[1] * two[1]


def _sum(one: Parabola, two: Parabola, x: Fraction | int, y: Fraction | int) -> Parabola:
    """Return ``x one + y two``."""
    a, b, c = (x * p + y * q for p, q in zip(one, two, strict=True))
    return Fraction(a), Fraction(b), Fraction(c)


def _integers(quadratic: Parabola, budget: WorkBudget) -> Quadratic:
    """Return a positive multiple with integer coefficients."""
    a, b, c = over_one_denominator(quadratic, budget).numerators
    return a, b, c


# Two categories: the vertices of a region of points (p00, p11)


def _binary(pi: Fraction, delta: Fraction, budget: WorkBudget) -> Callable[[Any], ClosedForm]:
    """Return the reader of binary designs, ``p00 = s/z`` and ``p11 = t/z`` with lines s, t and z in gamma."""
    if not 0 <= pi <= 1:
        raise Rejected("the prevalence is not in [0, 1]")
    length = bits_of(pi) + bits_of(delta)
    budget.spend(60, length, length)
    one, slack = (_ONE, _ZERO), (delta, _ZERO)
    vertices = {"diagonal": ((delta, _ONE), (delta, _ONE), (_ONE, _ONE))}
    if delta:
        vertices |= {"p00": (one, slack, one), "p11": (slack, one, one)}
    values = {name: _variance(pi, *vertex) for name, vertex in vertices.items()}

    def read(name: Any) -> ClosedForm:
        if not isinstance(name, str) or name not in values:
            raise Rejected("the design is no vertex of the region")
        above, below = values[name]
        others = [value for other, value in values.items() if other != name]
        budget.spend(40, 4 * length, 4 * length)
        return ClosedForm(above, below, [_integers(_worse(N, D, above, below), budget) for N, D in others])

    return read


def _variance(pi: Fraction, s: Line, t: Line, z: Line) -> tuple[Parabola, Parabola]:
    """Return n Var as a quotient: ``x (z - x)/(s + t - z)^2``, x/z the probability of output 1."""
    x = (pi * t[0] + (1 - pi) * (z[0] - s[0]), pi * t[1] + (1 - pi) * (z[1] - s[1]))
    apart = (s[0] + t[0] - z[0], s[1] + t[1] - z[1])
    return _times(x, (z[0] - x[0], z[1] - x[1])), _times(apart, apart)


def _worse(N: Parabola, D: Parabola, above: Parabola, below: Parabola) -> Parabola:
    """Return the quadratic ``N below - above D``, of two quotients one of which is a constant."""
    if not any((*above[1:], *below[1:])):
        return _sum(N, D, below[0], -above[0])
    return _sum(below, above, N[0], -D[0])


# Equal proportions: sets of d categories


def _subsets(kind: str, k: int, delta: Fraction, budget: WorkBudget) -> Callable[[Any], ClosedForm]:
    """Return the reader of designs that report a set of d of k categories."""

    def read(text: Any) -> ClosedForm:
        d = whole(text, "the size of the sets", k - 1, 1)
        budget.spend(30, bits_of(delta), bits_of(delta))
        R = (Fraction(k - d), Fraction(d))
        squares, Q = _times(R, R), (Fraction(k - d), _ZERO, Fraction(d))
        mu = _sum(Q, squares, k * k, -k)  # k - 1 times the information on contrasts, times R^2
        above, below = _sum(mu, squares, 1 - delta, delta * k * (k - 1)), _sum(squares, squares, k - 1, 0)
        conditions = list(_no_better(k, d))
        if kind == "d-optimal":
            return ClosedForm(above, below, conditions)
        return ClosedForm(_sum(below, below, k - 1 if kind == "a-optimal" else 1, 0), above, conditions)

    return read


def _no_better(k: int, d: int) -> Iterator[Quadratic]:
    """Yield ``d (k-d) (s gamma + k-s)^2 - s (k-s) (d gamma + k-d)^2`` for the sizes s next to d."""
    for s in (d - 1, d + 1):
        if 1 <= s <= k - 1:
            x, y = d * (k - d), s * (k - s)
            yield (
                x * (k - s) ** 2 - y * (k - d) ** 2,
                2 * (x * s * (k - s) - y * d * (k - d)),
                x * s * s - y * d * d,
            )


# Traces: the m categories of largest weight


def _trace(data: Any, delta: Fraction, budget: WorkBudget) -> Callable[[Any], ClosedForm]:
    """Return the reader of designs whose outputs are the m categories of largest weight."""
    counts, weights = [], []
    for run in items(data, "the runs", most=MAX_RUNS):
        n, w = items(run, "a run", count=2)
        counts.append(whole(n, "the categories of a run", MAX_CATEGORIES, 1))
        weights.append(budget.number(w, "a weight"))
    own = over_one_denominator(weights, budget)
    budget.spend_in_bulk(8 * len(counts), own.bits, own.bits)
    k = sum(counts)
    if not 2 <= k <= MAX_CATEGORIES:
        raise Rejected("the runs have too few or too many categories")
    if min(own.numerators) < 0:
        raise Rejected("a weight is negative")
    order = sorted(zip(own.numerators, counts, strict=True), reverse=True)
    ends = list(accumulate(n for _, n in order))  # the categories up to the end of each run
    sums = list(accumulate(n * w for w, n in order))
    revealed = delta * Fraction(sums[-1], own.denominator)
    place = [0]

    def largest(m: int) -> tuple[int, int, int]:
        """Return the m-th largest weight, the next one, and the sum of the first m, times the denominator."""
        i = place[0] if place[0] and ends[place[0] - 1] < m else 0
        while ends[i] < m:
            i += 1
            budget.spend_in_bulk(4, 0, 0)
        place[0] = i
        w = order[i][0]
        following = w if ends[i] > m else order[i + 1][0] if i + 1 < len(order) else 0
        return w, following, sums[i] - (ends[i] - m) * w

    def read(text: Any) -> ClosedForm:
        m = whole(text, "the number of categories", k, 1)
        w, following, total = largest(m)
        budget.spend(40, own.bits, bits_of(delta))
        hit = revealed + (1 - delta) * Fraction(total, own.denominator)
        conditions = [(w * (m - 1) - total, w, 0)]
        if m < k:
            conditions.append((total - following * (m - 1), -following, 0))
        return ClosedForm((revealed * (m - 1), hit, _ZERO), (Fraction(m - 1), _ONE, _ZERO), conditions)

    return read
