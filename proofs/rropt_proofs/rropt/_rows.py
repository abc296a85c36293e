"""The claims in rows of rropt's own companions: each function returns (name, true value, sign, stated value)."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

from rropt.claims.claim import Row
from rropt_proofs._matrices import Numbers, Rows


def _dot(left: Any, right: Any) -> Any:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def total_variation(first: Numbers, second: Numbers, u: Numbers, gamma: Fraction, *, more: Any = 0) -> list[Row]:
    """A row of entries 1 + (gamma - 1) u_j, and yes of the two answers, against alpha and the distance."""
    differences = [p - q for p, q in zip(first, second, strict=True)]
    sizes = [abs(x) for x in differences]
    alpha = [(gamma - 1) / (gamma + 1) * x for x in sizes]
    row = [1 + (gamma - 1) * x for x in u]
    yes = [(gamma if x > 0 else 1) / (gamma + 1) for x in differences]
    attained = (gamma - 1) / (gamma + 1) * sum(sizes) / 2
    return [
        ("how far the chances of an answer are apart", abs(_dot(differences, row)), "<=", _dot(alpha, row) - more),
        ("how far those of yes are apart", _dot(differences, yes), "=", attained + more),
        ("how far those of no are apart", -_dot(differences, [1 - x for x in yes]), "=", attained + more),
    ]


def keeps(P: Rows, gamma: Fraction, delta: Fraction) -> bool:
    """p_ii <= gamma p_il + delta for all i and l"""
    order = range(len(P))
    return all(P[i][i] <= gamma * P[i][x] + delta for i in order for x in order)


def keeps_epsilon(P: Rows, gamma: Fraction) -> bool:
    """p_ii <= gamma p_il for all i and l"""
    return keeps(P, gamma, Fraction(0))


def _weights(steps: Numbers) -> Numbers:
    """Return the weights in descending order: w_i is the sum of the steps from i on."""
    return tuple(sum(steps[i:], Fraction(0)) for i in range(len(steps)))


def _best(w: Numbers, gamma: Fraction) -> tuple[Any, int]:
    """Return V, and the largest m that attains it."""
    values = [gamma * sum(w[: m + 1], Fraction(0)) / (gamma + m) for m in range(len(w))]
    most = max(values)
    return most, max(m + 1 for m, value in enumerate(values) if value == most)


def _few_answers(k: int, m: int, gamma: Fraction) -> list[list[Any]]:
    """Return the mechanism that answers with the first m categories only."""
    rare = 1 / (gamma + m - 1)
    return [
        [Fraction(0) if i >= m else Fraction(1, m) if j >= m else gamma * rare if i == j else rare for j in range(k)]
        for i in range(k)
    ]


def delta_trace(
    steps: Numbers, P: Rows, gamma: Fraction, delta: Fraction, k: int, *, less: Any = 1, more: int = 0
) -> list[Row]:
    """The weighted trace of a mechanism; and of the one that reveals the truth with probability delta."""
    w = _weights(steps)
    most, m = _best(w, gamma)
    best = _few_answers(k, m, gamma)
    value = delta * sum(w) + (1 - delta) * most
    attained = sum((x * (delta + (1 - delta) * best[i][i]) for i, x in enumerate(w)), Fraction(0))
    loose = [1 - sum(row[j] for row in best) for j in range(k)]
    return [
        ("trace", sum((x * P[i][i] for i, x in enumerate(w)), Fraction(0)), "<=", value * less),
        ("attained", attained, "=", value + more),
        ("the column sum of its mechanism that is furthest from 1", max(map(abs, loose)), "=", more),
    ]


def weighted_trace(steps: Numbers, P: Rows, gamma: Fraction, k: int, *, less: Any = 1, more: int = 0) -> list[Row]:
    """The same at delta = 0; and what one more category as an answer gains."""
    w = (*_weights(steps), Fraction(0))
    m = _best(w[:k], gamma)[1]
    total = sum(w[:m], Fraction(0))
    gain = gamma * (total + w[m]) / (gamma + m) - gamma * total / (gamma + m - 1)
    sign = gamma * (w[m] * (gamma + m - 1) - total) / ((gamma + m - 1) * (gamma + m))
    return [
        *delta_trace(steps, P, gamma, Fraction(0), k, less=less, more=more),
        ("gain of one more category", gain, "=", sign + more),
    ]


def is_private(P: Rows, gamma: Fraction) -> bool:
    """epsilon-privacy: p_ij <= gamma p_il"""
    return all(x <= gamma * y for row in P for x in row for y in row)


def all_positive(pi: Numbers) -> bool:
    """every category has a positive share"""
    return all(x > 0 for x in pi)


def merging(
    pi: Numbers, P: Rows, a: Numbers, cells: tuple[int, ...], gamma: Fraction, i: int, j: int, *, more: Any = 0
) -> list[Row]:
    """The mechanism whose columns are the means of those of a group, and weights of its answers."""
    groups = range(max(cells) + 1)
    share = [sum((p for p, cell in zip(pi, cells, strict=True) if cell == g), Fraction(0)) for g in groups]

    def mean(values: Any, g: int) -> Any:
        return sum((p * x for p, x, c in zip(pi, values, cells, strict=True) if c == g), Fraction(0)) / share[g]

    merged = [[mean(row, g) for g in groups] for row in P]
    of_category = [_dot(a, column) for column in zip(*P, strict=True)]
    own, other = cells[j], cells[-1]
    return [
        ("a chance in one group, against another", merged[i][own], "<=", gamma * merged[i][other] - more),
        (
            "the mean of the weights in a group",
            _dot(a, [row[own] for row in merged]),
            "=",
            mean(of_category, own) + more,
        ),
        ("the chance of an answer", _dot(share, merged[i]), "=", _dot(pi, P[i]) + more),
    ]


def _chain(k: int, gamma: Fraction) -> list[list[Any]]:
    """Return the patterns of a descending order: gamma at the first s inputs, else 1, for s = 0, ..., k - 1."""
    return [[gamma if j < s else Fraction(1) for j in range(k)] for s in range(k)]


def _mixed(c: Numbers, rays: list[list[Any]]) -> list[Any]:
    return [_dot(c, column) for column in zip(*rays, strict=True)]


def _square(row: Any, F: Rows, d: Any) -> Any:
    """Return sum_l d_l (p F)_l^2."""
    return _dot(d, [_dot(row, column) ** 2 for column in zip(*F, strict=True)])


def _alpha(rays: list[list[Any]], pi: Numbers, F: Rows, d: Any, slopes: Any, excess: Fraction) -> list[Any]:
    """Return alpha = slopes + (t + excess) pi, t the least with ``sum_l d_l (S F)_l^2 <= (alpha . S)(S . pi)``."""
    least = max((_square(s, F, d) / _dot(s, pi) - _dot(slopes, s)) / _dot(s, pi) for s in rays)
    return [x + (least + excess) * p for x, p in zip(slopes, pi, strict=True)]


def patterns(
    c: Numbers,
    gamma: Fraction,
    pi: Numbers,
    F: Rows,
    d: Numbers,
    slopes: Numbers,
    excess: Fraction,
    k: int,
    *,
    less: Any = 1,
    more: int = 0,
) -> list[Row]:
    """The row with the weights c on the patterns, the weights by its entries, and the inequality there."""
    rays = _chain(k, gamma)
    p = _mixed(c, rays)
    alpha = _alpha(rays, pi, F, d, slopes, excess)
    found = [gamma * p[-1] - p[0], *(x - y for x, y in pairwise(p))]
    return [
        (
            "how far a weight is from its formula",
            max(abs(x / (gamma - 1) - y) for x, y in zip(found, c, strict=True)),
            "=",
            more,
        ),
        ("inequality", _square(p, F, d), "<=", _dot(alpha, p) * _dot(p, pi) * less),
    ]


def chi_square(
    c: Numbers,
    gamma: Fraction,
    first: Numbers,
    second: Numbers,
    slopes: Numbers,
    excess: Fraction,
    k: int,
    *,
    less: Any = 1,
) -> list[Row]:
    """What a row, mixed of patterns, adds to chi-square."""
    rays, F = _chain(k, gamma), tuple((x - y,) for x, y in zip(first, second, strict=True))
    p, alpha = _mixed(c, rays), _alpha(rays, second, F, (1,), slopes, excess)
    return [
        (
            "a term of chi-square",
            (_dot(p, first) - _dot(p, second)) ** 2 / _dot(p, second),
            "<=",
            _dot(alpha, p) * less,
        ),
    ]


def _best_multiple(w: Any, total: Any, u: Any, less: Any, more: int) -> list[Row]:
    """Return that 2 u w - u^2 a is largest at u = w/a, where it is w^2/a."""
    best = w / total
    return [
        ("a multiple of the dual", 2 * u * w - u**2 * total, "<=", w**2 / total * less - more),
        ("the best multiple", 2 * best * w - best**2 * total, "=", w**2 / total + more),
    ]


def cones(
    c: Numbers,
    gamma: Fraction,
    pi: Numbers,
    W: Rows,
    a: Numbers,
    slopes: Numbers,
    excess: Fraction,
    up: Numbers,
    down: Numbers,
    below: Numbers,
    above: Numbers,
    t: Fraction,
    bill: Fraction,
    u: Fraction,
    k: int,
    *,
    less: Any = 1,
    more: int = 0,
) -> list[Row]:
    """An answer with its estimate a, what its bounds cost, multiples of a dual, and a mixture of two rays in a half."""
    rays = _chain(k, gamma)
    p, beta = _mixed(c, rays), [x - y for x, y in zip(up, down, strict=True)]
    cost = _alpha(rays, pi, W, (1,) * len(a), slopes, excess)  # alpha + beta
    low, high = [x * y for x, y in zip(below, p, strict=True)], [x + y for x, y in zip(above, p, strict=True)]
    along = 2 * sum((_dot(p, column) * x for column, x in zip(zip(*W, strict=True), a, strict=True)), Fraction(0))
    x, y = up[0] + down[0], down[0]  # x >= y >= 0
    return [
        ("an answer", _dot(p, pi) * _dot(a, a), ">=", along - _dot(cost, p) * less),
        ("what the bounds cost", _dot(beta, p), "<=", _dot(up, high) - _dot(down, low) - more),
        *_best_multiple(t, bill, u, less, more),
        ("halved", (x - y) * p[0] + 2 * y * ((p[0] + p[-1]) / 2), "=", x * p[0] + y * p[-1] + more),
    ]


def ellipsoid_axis(
    c: Numbers,
    gamma: Fraction,
    pi: Numbers,
    G: Rows,
    d: Numbers,
    a: Numbers,
    f: Numbers,
    slopes: Numbers,
    excess: Fraction,
    w: Fraction,
    total: Fraction,
    u: Fraction,
    k: int,
    *,
    less: Any = 1,
    more: int = 0,
) -> list[Row]:
    """What an answer with the estimates a of shares f . pi adds to their weighted variances; multiples of a dual."""
    rays = _chain(k, gamma)
    p, alpha = _mixed(c, rays), _alpha(rays, pi, G, d, slopes, excess)
    apart = [x - y for x, y in zip(a, f, strict=True)]
    along = _dot(d, [x * _dot(p, column) for x, column in zip(apart, zip(*G, strict=True), strict=True)])
    return [
        ("variances", _dot(p, pi) * _dot(d, [x**2 for x in apart]), ">=", 2 * along - _dot(alpha, p) * less),
        *_best_multiple(w, total, u, less, more),
    ]


def ellipsoid_volume(z: Numbers, D: Numbers, below: Rows, j: int, k: int, *, less: Any = 1, more: int = 0) -> list[Row]:
    """A product against the power of the mean; a diagonal entry of U D U^T, U unit triangular, against its pivot."""
    row = [below[j][x] if x < j else Fraction(int(x == j)) for x in range(k)]
    product = Fraction(1)
    for x in z:
        product *= x
    return [
        ("product", product, "<=", (sum(z, Fraction(0)) / k) ** k * less),
        ("pivot", D[j], "<=", _dot(D, [x**2 for x in row]) - more),
    ]


def keeps_groups(cells: tuple[int, ...], order: tuple[int, ...]) -> bool:
    """the permutation keeps the groups"""
    return all(cells[order[j]] == cell for j, cell in enumerate(cells))


def orbits(
    cells: tuple[int, ...],
    order: tuple[int, ...],
    share: Numbers,
    P: Rows,
    A: Rows,
    own: Numbers,
    B: Rows,
    bits: tuple[int, ...],
    gamma: Fraction,
    j: int,
    *,
    more: int = 0,
) -> list[Row]:
    """An answer and its estimate rearranged, and the square of a pattern under W, which is constant on the blocks."""
    pi, places = [share[g] for g in cells], range(len(cells))
    moved = [[row[place] for place in order] for row in P]
    estimates = [[row[place] for place in order] for row in A]
    entries = [1 + (gamma - 1) * bit for bit in bits]
    tails = [sum((s * B[f][g] for s, f in zip(entries, cells, strict=True)), Fraction(0)) for g in range(len(share))]
    counted = sum(
        (
            sum(bits[x] for x in places if cells[x] == g) * (gamma * own[g] + t) ** 2
            + sum(1 - bits[x] for x in places if cells[x] == g) * (own[g] + t) ** 2
            for g, t in enumerate(tails)
        ),
        Fraction(0),
    )
    whole = [[B[cells[x]][cells[y]] + (own[cells[x]] if x == y else 0) for y in places] for x in places]
    products = [_dot(entries, column) for column in zip(*whole, strict=True)]
    mean = [_dot([row[j] for row in moved], column) for column in zip(*estimates, strict=True)]
    before = [_dot([row[order[j]] for row in P], column) for column in zip(*A, strict=True)]
    return [
        ("the chance of an answer", _dot(moved[0], pi), "=", _dot(P[0], pi) + more),
        ("the square of its estimate", _dot(estimates[0], estimates[0]), "=", _dot(A[0], A[0]) + more),
        ("a column sum", sum(row[j] for row in moved), "=", 1 + more),
        ("the mean of an estimate", mean[j], "=", before[order[j]] + more),
        ("the square of a pattern", _dot(products, products), "=", counted + more),
    ]


def all_seen(second: Numbers) -> bool:
    """every category has a positive share in the second population"""
    return all_positive(second)


_HEAVIEST = {
    1: (1, 0),
    2: (2, 4, 2, 0),
    3: (3, 8, 11, 16, 11, 8, 3, 0),
    4: (4, 12, 20, 32, 36, 44, 52, 64, 52, 44, 36, 32, 20, 12, 4, 0),
}


@cache
def _heaviest(n: int) -> tuple[int, ...]:
    """Return the largest sum of squared sums of the answers -1 and 1, over all sets of 1, ..., 2^n patterns."""
    patterns = tuple(product((-1, 1), repeat=n))
    reached: list[set[tuple[int, ...]]] = [{(0,) * n}] + [set() for _ in patterns]
    for pattern in patterns:  # with or without it; equal sums of sets of equal size need no second look
        for size in range(len(patterns), 0, -1):
            reached[size] |= {tuple(x + y for x, y in zip(sums, pattern, strict=True)) for sums in reached[size - 1]}
    return tuple(max(sum(x * x for x in sums) for sums in found) for found in reached[1:])


def some_patterns(n: int, s: int) -> bool:
    """s is at most 2^n"""
    return bool(s <= 2**n)


def level_one_weights(n: int, s: int, *, more: int = 0) -> list[Row]:
    """The sums that sets of each size reach, pattern by pattern."""
    return [("the largest sum of squares", _heaviest(int(n))[int(s) - 1], "=", _HEAVIEST[int(n)][int(s) - 1] + more)]
