"""Decides the claim of a small certificate from its problem and its claim alone, in exact arithmetic.

It shares no code with the checkers and reads no proof. The optimum follows from theorems:

* Two categories: one mechanism with two outputs (four if delta > 0) is the best for every objective, because every
  mechanism at the level is a randomization of it.
* Equal proportions: a subset selection is A-, D- and E-optimal.
* Linear objectives: the optimum is at a vertex, and all vertices of a small polytope are enumerated.

An irrational level is replaced by both endpoints of a narrow interval, and the claim is decided if both give one
verdict. ``None``: the oracle does not decide the claim.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction as F
from functools import cache, lru_cache, partial, wraps
from itertools import chain, combinations, permutations, product
from math import comb, isqrt, prod
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz
from golden import golden_section
from mpmath import iv, mp, mpf

from adversary.blocks import is_written_by_formulas, listed_weights, written_out
from adversary.shuffled import device, response, worst

Matrix = list[list[F]]
Pair = tuple[tuple[Any, ...], tuple[Any, ...]]  # two laws of one report
Row = tuple[list[F], F]  # a.x >= b

mp.dps = 80
iv.dps = 80


class UndecidedError(Exception):
    """The oracle has no theorem for the claim."""


def _remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """Keep the results of a pure function of JSON values and fractions: many cases have one problem or mechanism."""
    known: dict[str, Any] = {}

    @wraps(function)
    def asked(*arguments: Any) -> Any:
        key = json.dumps(arguments, default=str, sort_keys=True)
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return asked


def truth(document: Any) -> bool | None:
    """Return whether the claim of a document is true; ``None``: that is not decided, or the document has no claim."""
    decide = _CLAIMS.get(document["statement"])
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return None if decide is None else decide(document["problem"], document["claim"])
    except NameError:  # a fault of the oracle, not of the document
        raise
    except Exception:  # what cannot be read has no truth
        return None
    finally:
        sys.set_int_max_str_digits(digits)


def matrix(rows: Any) -> Matrix:
    """Return the numbers of a matrix."""
    return [[F(x) for x in row] for row in rows]


def dot(a: Sequence[F], b: Sequence[F]) -> F:
    """Return the scalar product."""
    return sum((x * y for x, y in zip(a, b, strict=True)), F(0))


def real(x: Any) -> Any:
    """Return a number as one of mpmath."""
    return mpf(x.numerator) / x.denominator if isinstance(x, F) else mpf(x)


# -- levels


def interval_of(value: Any) -> tuple[F, F]:
    """Return an interval, of one point if it is known to be rational, around exp(epsilon); else a narrow one."""
    if "rational" in value:
        return _exp(F(value["rational"]))
    q, times = F(value["log"]), F(value.get("times", "1"))
    a, b = times.as_integer_ratio()
    if b == 1:
        return q**a, q**a
    if b <= max(map(int.bit_length, q.as_integer_ratio())):
        root = F(*(int(fmpz(x).root(b)) for x in q.as_integer_ratio()))
        if root**b == q:
            return root**a, root**a
    return _ends(lambda: (_ball(times) * _ball(q).log()).exp())


def delta_of(value: Any) -> tuple[F, F]:
    """Return the same around delta."""
    return _exp(F(value["exp"])) if isinstance(value, dict) else (F(value), F(value))


@cache
def _exp(r: F) -> tuple[F, F]:
    if abs(r) > 200:
        raise UndecidedError
    return _ends(lambda: _ball(r).exp()) if r else (F(1), F(1))


def _ball(x: F) -> Any:
    return arb(fmpq(*x.as_integer_ratio()))


def _ends(made: Callable[[], Any]) -> tuple[F, F]:
    """Return the ends of a ball, made with many bits."""
    with ctx.workprec(400):
        ball = made()
        low, high = (
            F(int(mantissa)) * F(2) ** int(e) for mantissa, e in (x.man_exp() for x in (ball.lower(), ball.upper()))
        )
    return low, high


def levels(problem: Any) -> Iterator[tuple[F, F]]:
    """Iterate over the two ends (gamma, delta) of the one level of a region: twice the same if both are rational."""
    if len(problem["levels"]) != 1:
        raise UndecidedError
    (level,), k = problem["levels"], int(problem.get("inputs", "2"))
    if level["pairs"] != "all" and len(level["pairs"]) != k * (k - 1):
        raise UndecidedError
    epsilon = level["epsilon"]
    bound = infimum(epsilon)[0] if "up" in epsilon else None
    if "up" in epsilon and bound is None:
        raise UndecidedError
    gammas = interval_of(epsilon) if bound is None else (bound, bound)
    yield from zip(gammas, delta_of(level["delta"]), strict=True)


# -- mechanisms and their values


def columns_sum_to_one(p: Matrix) -> bool:
    """Whether the matrix is a mechanism."""
    return all(x >= 0 for row in p for x in row) and all(sum(column) == 1 for column in zip(*p, strict=True))


def excess(p: Matrix, g: F) -> F:
    """Return the least delta at which the mechanism is private: over ordered pairs of categories."""
    k = len(p[0])
    found = [sum(max(F(0), row[j] - g * row[i]) for row in p) for j, i in permutations(range(k), 2)]
    return max(found, default=F(0))


def parity(p: Matrix) -> F | None:
    """Return the largest ratio in a row; ``None`` if it is infinite."""
    worst = F(1)
    for row in p:
        if max(row) > 0:
            if min(row) == 0:
                return None
            worst = max(worst, max(row) / min(row))
    return worst


def information(p: Matrix, pi: list[F]) -> Matrix:
    """Return M; rows of zeros add nothing."""
    k = len(pi)
    if any(dot(row, pi) == 0 and any(row) for row in p):
        raise UndecidedError
    rows = [(row, dot(row, pi)) for row in p if any(row)]
    return [[sum((row[i] * row[j] / s for row, s in rows), F(0)) for j in range(k)] for i in range(k)]


def determinant(a: Matrix) -> F:
    """Return the determinant."""
    return _fraction(_flint(a).det())


def solve(a: Matrix, b: list[F]) -> list[F] | None:
    """Return the solution of a regular system."""
    try:
        return [_fraction(x) for x in _flint(a).solve(_flint([[x] for x in b])).entries()]
    except ZeroDivisionError:
        return None


def rank(a: Matrix) -> int:
    """Return the number of independent rows."""
    return int(_flint(a).rank())


def _flint(a: Matrix) -> Any:
    return fmpq_mat(len(a), len(a[0]) if a else 0, [fmpq(*x.as_integer_ratio()) for row in a for x in row])


def _fraction(x: Any) -> F:
    return F(int(x.p), int(x.q))


def positive_semidefinite(a: Matrix) -> bool:
    """Whether all principal minors are >= 0."""
    n = len(a)
    chosen = [at for size in range(1, n + 1) for at in combinations(range(n), size)]
    return all(determinant([[a[i][j] for j in at] for i in at]) >= 0 for at in chosen)


INFINITE = "infinite"


@_remembered
def value(objective: Any, p: Matrix, pi: list[F]) -> Any:
    """Return the value of a mechanism: a number, ``INFINITE``, or for a logarithm its interval."""
    kind, k = objective["kind"], len(p[0])
    if kind == "trace":
        return sum((F(w) * p[i][i] for i, w in enumerate(objective["weights"])), F(0))
    if kind == "loss":
        loss = matrix(objective["matrix"])
        return sum((pi[j] * loss[i][j] * p[i][j] for i in range(len(p)) for j in range(k)), F(0))
    if kind == "conditional-variance":  # with several unbiased reports the best one is no rational number
        x = [F(c) for c in objective["contrast"]]
        z = solve([list(column) for column in zip(*p, strict=True)], x) if len(p) == k else None
        if z is None:
            raise UndecidedError
        second = [sum(row[j] * each**2 for row, each in zip(p, z, strict=True)) for j in range(k)]
        return max(total - each**2 for total, each in zip(second, x, strict=True))
    if kind == "distance":
        q = matrix(objective["matrix"])
        gaps = [abs(x - y) for a, b in zip(p, q, strict=True) for x, y in zip(a, b, strict=True)]
        return max(gaps) if objective["norm"] == "largest" else sum(gaps)
    if kind == "rational-sum":
        return sum((_rational(objective, row) for row in p if any(row)), F(0))
    if kind in ("total-variation", "chi-square"):
        q = [F(x) for x in objective["against"]]
        d = [x - y for x, y in zip(pi, q, strict=True)]
        if kind == "total-variation":
            return sum((abs(dot(row, d)) for row in p), F(0)) / 2
        if any(dot(row, q) == 0 and dot(row, d) for row in p):
            return INFINITE
        return sum((dot(row, d) ** 2 / dot(row, q) for row in p if dot(row, q)), F(0))
    if kind == "payoff":
        gains = [[share * u for share, u in zip(pi, row, strict=True)] for row in matrix(objective["matrix"])]
        return sum((max(dot(gain, row) for gain in gains) for row in p), F(0))
    if kind in DIVERGENCES:
        return _divergence(objective, p, pi)
    if kind == "contrasts":
        each = [value({"kind": "c-optimal", "contrast": row}, p, pi) for row in objective["contrasts"]]
        return INFINITE if INFINITE in each else sum(each, F(0))
    if kind == "bayes":
        return _mean(objective, p)
    if kind == "mutual-information":
        total = iv.mpf(0)
        for row in p:
            s = dot(row, pi)
            for x, share in zip(row, pi, strict=True):
                if x and share:
                    total += _iv(share * x) * iv.log(_iv(x / s))
        return total
    if k == 2 and 0 in pi and kind != "d-optimal" and any(any(row) and not dot(row, pi) for row in p):
        return F(0)  # an output of probability 0 estimates what remains: FORMAT.md, B
    m = information(p, pi)
    if kind == "c-optimal":
        c = [F(x) for x in objective["contrast"]]
        z = solve(m, c) or _least_solution(m, c)
        return INFINITE if z is None else dot(c, z) - dot(c, pi) ** 2
    if determinant(m) == 0:
        return -iv.inf if kind == "d-optimal" else INFINITE
    if kind == "d-optimal":
        return iv.log(_iv(determinant(m)))
    unit = [[F(i == j) for j in range(k)] for i in range(k)]
    inverse = [solve(m, column) or [] for column in unit]
    if kind in ("a-optimal", "variance"):
        found = sum(inverse[i][i] for i in range(k)) - dot(pi, pi)
        return found / 2 if kind == "variance" else found
    if kind == "e-optimal":
        covariance = [[inverse[i][j] - pi[i] * pi[j] for j in range(k)] for i in range(k)]
        return _LargestEigenvalue(covariance)
    raise UndecidedError


def _rational(objective: Any, row: Sequence[F]) -> F:
    """Return a rational function at a row, by its definition."""
    total = F(0)
    for term in objective["terms"]:
        y = [dot(form, row) for form in matrix(term["forms"])]
        above, below = (
            sum(
                (F(c) * prod((x ** int(e) for x, e in zip(y, powers, strict=True)), start=F(1)) for c, *powers in part),
                F(0),
            )
            for part in (term["numerator"], term["denominator"])
        )
        if not below:
            raise UndecidedError
        total += above / below
    return total


def _rational_optimum(objective: Any, g: F, d: F) -> F:
    """Return the optimum of two inputs, if the function is convex (for a minimum concave) at many rows."""
    sign = -1 if objective["sense"] == "minimise" else 1
    rows = [[F(1), 1 / g + (g - 1 / g) * F(i, 64)] for i in range(65)] + ([[F(1), F(0)], [F(0), F(1)]] if d else [])
    for one, two in zip(rows, rows[2:], strict=False):
        ends = _rational(objective, one) + _rational(objective, two)
        if sign * _rational(objective, [x + y for x, y in zip(one, two, strict=True)]) > sign * ends:
            raise UndecidedError
    return value(objective, four_answers(g, d), [])  # type: ignore[no-any-return]


def _least_solution(m: Matrix, c: list[F]) -> list[F] | None:
    """Return a z with M z = c of a singular M, if there is one: M restricted to independent rows."""
    k = len(c)
    for size in range(k - 1, 0, -1):
        for at in combinations(range(k), size):
            part = solve([[m[i][j] for j in at] for i in at], [c[i] for i in at])
            if part is not None:
                z = [part[at.index(i)] if i in at else F(0) for i in range(k)]
                return z if all(dot(row, z) == x for row, x in zip(m, c, strict=True)) else None
    return None


DIVERGENCES = ("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")


def _divergence(objective: Any, p: Matrix, pi: list[F]) -> Any:
    """Return a divergence of the outputs under pi from those under ``against``."""
    kind, q = objective["kind"], [F(x) for x in objective["against"]]
    pairs = [(dot(row, pi), dot(row, q)) for row in p if any(row)]
    order = F(objective.get("order", "1"))
    if any((a and not b and order >= 1 and kind in _INFINITE) or (b and not a and order < 0) for a, b in pairs):
        return INFINITE
    total = iv.mpf(0)
    for a, b in pairs:
        x, y = _iv(a), _iv(b)
        if kind == "kullback-leibler":
            total += x * iv.log(x / y) if a else 0
        elif kind == "hellinger":
            total += (x + y) / 2 - iv.sqrt(x * y)
        elif kind == "jensen-shannon":
            total += sum(z * iv.log(2 * z / (x + y)) for z, chance in ((x, a), (y, b)) if chance) / 2
        else:
            r = _iv(order)
            both = iv.exp(r * iv.log(x) + (1 - r) * iv.log(y)) if a and b else 0
            total += (both - r * x - (1 - r) * y) / (r * (r - 1))
    return total


_INFINITE = ("kullback-leibler", "alpha-divergence")


def _mean(objective: Any, p: Matrix) -> Any:
    """Return the mean of an objective over populations."""
    if objective["objective"]["kind"] in ("d-optimal", "e-optimal", "variance", "trace", "bayes"):
        raise UndecidedError  # the page defines no mean of these
    found = []
    for weight, population in zip(objective["weights"], objective["populations"], strict=True):
        each = value(objective["objective"], p, [F(x) for x in population])
        if each == INFINITE:
            return INFINITE
        found.append((F(weight), each))
    if all(isinstance(each, F) for _, each in found):
        return sum((weight * each for weight, each in found), F(0))
    return sum(_iv(weight) * (_iv(each) if isinstance(each, F) else each) for weight, each in found)


class _LargestEigenvalue:
    """An algebraic number that can be compared with rationals: x >= it iff x I - A is positive semidefinite."""

    def __init__(self, a: Matrix) -> None:
        self.a = a

    def __le__(self, x: Any) -> bool:
        n = len(self.a)
        return positive_semidefinite([[F(x) * (i == j) - self.a[i][j] for j in range(n)] for i in range(n)])

    def __gt__(self, x: Any) -> bool:
        return not self <= x

    def __ge__(self, x: Any) -> bool:
        n = len(self.a)  # it is >= x unless x I - A is positive definite
        shifted = [[F(x) * (i == j) - self.a[i][j] for j in range(n)] for i in range(n)]
        return any(determinant([row[:s] for row in shifted[:s]]) <= 0 for s in range(1, n + 1))


def _iv(x: F) -> Any:
    return iv.mpf(x.numerator) / iv.mpf(x.denominator)


def at_most(x: Any, y: Any) -> bool:
    """Decide ``x <= y``, one of them a rational."""
    if INFINITE in (x, y):
        return bool(y == INFINITE)
    if isinstance(x, F) and isinstance(y, F):
        return x <= y
    if isinstance(x, _LargestEigenvalue):
        return x <= y
    if isinstance(y, _LargestEigenvalue):
        return y >= x
    left, right = (_iv(z) if isinstance(z, F) else z for z in (x, y))
    if left.b <= right.a:
        return True
    if left.a > right.b:
        return False
    raise UndecidedError


MINIMISED = (
    *("variance", "loss", "distance", "a-optimal", "c-optimal", "e-optimal", "contrasts", "conditional-variance"),
)


# -- optima


def four_answers(g: F, d: F) -> Matrix:
    """Return the mechanism on two categories of which all others are randomizations; the first row is (gamma, 1)."""
    top = (1 - d) * g / (g + 1)
    rows = [[top, 1 - d - top], [1 - d - top, top]]
    return [*rows, [d, F(0)], [F(0), d]] if d else rows


def subset_selections(k: int, g: F) -> Iterator[Matrix]:
    """Iterate over the mechanisms that report one of the subsets of a size."""
    for size in range(1, k):
        weight = 1 / (comb(k - 1, size - 1) * g + comb(k - 1, size))
        yield [[g * weight if j in chosen else weight for j in range(k)] for chosen in combinations(range(k), size)]


def vertices(rows: Sequence[Row], n: int) -> Iterator[list[F]]:
    """Iterate over the vertices of ``a.x >= b``."""
    for chosen in combinations(rows, n):
        x = solve([a for a, _ in chosen], [b for _, b in chosen])
        if x is not None and all(dot(a, x) >= b for a, b in rows):
            yield x


def _least(rows: Sequence[Row], n: int, cost: Callable[[list[F]], F]) -> F:
    found = [cost(x) for x in vertices(rows, n)]
    if not found:
        raise UndecidedError
    return min(found)


def _two_answer_rows(bounds: Any, g: F, d: F, k: int) -> list[Row]:
    """Return what the first row of a mechanism of two answers satisfies."""

    def unit(j: int, factor: F = F(1)) -> list[F]:
        return [factor * (i == j) for i in range(k)]

    rows: list[Row] = [(unit(j), F(0)) for j in range(k)] + [(unit(j, F(-1)), F(-1)) for j in range(k)]
    for j, other in permutations(range(k), 2):
        # p_j <= g p_l + d, and of the second answer 1 - p_j <= g (1 - p_l) + d
        rows.append(([x - y for x, y in zip(unit(other, g), unit(j), strict=True)], -d))
        rows.append(([y - x for x, y in zip(unit(other, g), unit(j), strict=True)], 1 - g - d))
    if bounds is not None:
        least, most = matrix(bounds["least"]), matrix(bounds["most"])
        for j in range(k):
            rows += [(unit(j), least[0][j]), (unit(j, F(-1)), -most[0][j])]
            rows += [(unit(j), 1 - most[1][j]), (unit(j, F(-1)), least[1][j] - 1)]
        for own in bounds.get("inequalities", []):  # every choice of a function of each part
            for chosen in product(*own["parts"]):
                line, right = [F(0)] * k, F(own["bound"])
                for i, j, x in chain.from_iterable(chosen):
                    line[int(j)] += F(x) * (1 if i == "0" else -1)  # p_1j = 1 - p_0j
                    right -= F(x) * (i != "0")
                rows.append(([-x for x in line], -right))
    return rows


@_remembered
def optimum(problem: Any, g: F, d: F) -> Any:
    """Return the optimum of a design problem at (g, d)."""
    objective, bounded = problem["objective"], problem["bounds"] is not None
    k, outputs = int(problem["inputs"]), problem["outputs"]
    kind = objective["kind"]
    if isinstance(problem["population"], dict):
        return _worst_case(problem, g)
    if kind == "conditional-variance":
        if k != 2 or outputs != "any" or d or bounded:
            raise UndecidedError
        return value(objective, four_answers(g, d), [])
    if kind == "rational-sum":
        if k != 2 or bounded or outputs != "any":
            raise UndecidedError
        return _rational_optimum(objective, g, d)
    pi = [F(x) for x in problem["population"]]
    linear = kind in ("trace", "loss", "distance")
    if linear or bounded or (outputs == "2" and d):
        if outputs != "2":
            same = kind == "trace" and len(set(objective["weights"])) == 1 and not bounded
            if same and outputs == str(k) and F(objective["weights"][0]) >= 0:
                # p_jj <= gamma p_jl + delta: sum over the ordered pairs
                return F(objective["weights"][0]) * k * (g + (k - 1) * d) / (g + k - 1)
            raise UndecidedError
        rows = _two_answer_rows(problem["bounds"], g, d, k)
        if kind == "distance":
            return _least_distance(objective, rows, k)
        best = []
        for x in vertices(rows, k):
            p = [x, [1 - y for y in x]]
            if linear or determinant(information(p, pi) if all(map(any, p)) else p):
                best.append(value(objective, p, pi))
        if not best or kind not in ("trace", "loss", "variance", "a-optimal", "c-optimal"):
            raise UndecidedError  # quasi-concave on the polygon; other objectives are not
        return min(best) if kind in MINIMISED else max(best)
    if k == 2 and outputs == "3" and d and kind == "variance":  # two of the four answers are merged
        rows = four_answers(g, d)
        merged = [
            [[x + y for x, y in zip(*two, strict=True)], *[row for row in rows if row not in two]]
            for two in combinations(rows, 2)
        ]
        found = [value(objective, p, pi) for p in merged if determinant(information(p, pi))]
        return min(found)
    if k == 2 and (d == 0 or outputs == "any" or int(outputs) >= 4):
        return value(objective, four_answers(g, d), pi)
    if len(set(pi)) == 1 and k <= 6 and d == 0 and outputs == "any" and kind not in ("chi-square", "total-variation"):
        found = [value(objective, p, pi) for p in subset_selections(k, g)]
        if kind == "a-optimal":
            return min(found)
        if kind == "e-optimal":
            return min(value({"kind": "a-optimal"}, p, pi) for p in subset_selections(k, g)) / (k - 1)
        if kind in ("d-optimal", "mutual-information"):
            best_of_all = found[0]
            for each in found:
                best_of_all = each if each.a > best_of_all.b else best_of_all
            return best_of_all
    if len(set(pi)) == 1 and 0 < d <= 1 < g and k <= 5 and outputs == "any" and kind in ("a-optimal", "e-optimal"):
        v = F(k, k - 1) * (k * _greatest_squares(k, g, d) - 1)  # averaged over all orders of the inputs
        return (k - 1 if kind == "a-optimal" else 1) / v
    raise UndecidedError


def _greatest_squares(k: int, g: F, d: F) -> F:
    """Return the greatest mean of the sum of squares of a row with sum 1, whose mean excess over pairs is at most d.

    All rows with entries 0 or powers of g without gaps; the best mean is that of one or two of them.
    """
    points = set()
    for places in product(range(k + 1), repeat=k):
        if list(places) != sorted(places) or set(places) - {0} != set(range(1, len(set(places) - {0}) + 1)):
            continue
        row = [g**x if x else F(0) for x in places]
        if not any(row):
            continue
        row = [x / sum(row) for x in row]
        pairs = ((x, y) for j, x in enumerate(row) for i, y in enumerate(row) if i != j)
        points.add((sum(max(F(0), x - g * y) for x, y in pairs) / (k - 1), sum(x * x for x in row)))
    under = [(t, s) for t, s in points if t <= d]
    mixed = [s + (d - t) / (u - t) * (w - s) for t, s in under for u, w in points if u > d]
    return max([s for _, s in under] + mixed)


def _least_distance(objective: Any, rows: list[Row], k: int) -> F:
    q = matrix(objective["matrix"])
    if objective["norm"] != "largest":
        raise UndecidedError
    more: list[Row] = [([*a, F(0)], b) for a, b in rows]
    for j in range(k):
        unit = [F(i == j) for i in range(k)]
        minus = [-x for x in unit]
        for target in (q[0][j], 1 - q[1][j]):
            more += [([*unit, F(1)], target), ([*minus, F(1)], -target)]
    return _least(more, k + 1, lambda x: x[-1])


def _prevalences(population: Any) -> tuple[F, F]:
    """Return the ends of a polytope of populations on two categories."""
    if "vertices" in population:
        found = [F(v[1]) for v in population["vertices"]]
        return min(found), max(found)
    low, high = F(0), F(1)
    for row in population["rows"]:
        a0, a1 = (F(x) for x in row["coefficients"])
        slope, bound = a1 - a0, F(row["bound"]) - a0
        signs = {"<=": [1], ">=": [-1], "=": [1, -1]}[row["relation"]]
        for sign in signs:  # sign slope x <= sign bound
            s, b = sign * slope, sign * bound
            if s > 0:
                high = min(high, b / s)
            elif s < 0:
                low = max(low, b / s)
            elif b < 0:
                raise UndecidedError
    if low > high:
        raise UndecidedError
    return low, high


def _worst(objective: Any, p: Matrix, low: F, high: F) -> F:
    """Return the largest value over an interval of prevalences: a concave quadratic of the prevalence."""
    at = [value(objective, p, [1 - x, x]) for x in (F(1, 5), F(1, 2), F(4, 5))]
    if INFINITE in at:
        raise UndecidedError
    x0, x1, x2 = F(1, 5), F(1, 2), F(4, 5)
    second = ((at[2] - at[1]) / (x2 - x1) - (at[1] - at[0]) / (x1 - x0)) / (x2 - x0)
    first = (at[1] - at[0]) / (x1 - x0) - second * (x0 + x1)
    constant = at[0] - first * x0 - second * x0**2
    candidates = [low, high]
    if second:
        candidates.append(min(max(-first / (2 * second), low), high))
    return max(constant + first * x + second * x * x for x in candidates)


def _worst_case(problem: Any, g: F) -> F:
    objective = problem["objective"]
    if problem["inputs"] != "2" or objective["kind"] not in ("a-optimal", "c-optimal"):
        raise UndecidedError
    return _worst(objective, four_answers(g, F(0)), *_prevalences(problem["population"]))


# -- claims


def _matrix_of(made: Any) -> Matrix:
    if "matrix" in made:
        return matrix(made["matrix"])
    if is_written_by_formulas(made):
        return written_out(made)
    form = made["orbits"]
    if sum(map(int, form["groups"])) > 6:
        raise UndecidedError
    rows: Matrix = []
    for row in form["rows"]:
        blocks = []
        for values in row:
            entries = [(F(x), (at, copy)) for at, (x, n) in enumerate(values) for copy in range(int(n))]
            # entries that are listed apart count as different, even where they are equal
            seen = {tuple((x, at[0]) for x, at in arranged) for arranged in permutations(entries)}
            blocks.append([[x for x, _ in arranged] for arranged in sorted(seen)])
        rows += [list(chain.from_iterable(parts)) for parts in product(*blocks)]
    return rows


def _allowed(problem: Any, p: Matrix, g: F, d: F) -> bool:
    if len(p[0]) != int(problem["inputs"]) or (problem["outputs"] != "any" and len(p) != int(problem["outputs"])):
        return False
    if not columns_sum_to_one(p):
        return False
    if problem["bounds"] is not None:
        least, most = matrix(problem["bounds"]["least"]), matrix(problem["bounds"]["most"])
        size = product(range(len(p)), range(len(p[0])))
        if not all(least[i][j] <= p[i][j] <= most[i][j] for i, j in size):
            return False
        for own in problem["bounds"].get("inequalities", []):
            parts = [[sum(F(x) * p[int(i)][int(j)] for i, j, x in terms) for terms in part] for part in own["parts"]]
            if sum(map(max, parts)) > F(own["bound"]):
                return False
    return excess(p, g) <= d


def _side(problem: Any, lower: F, upper: F, worth: Any) -> bool:
    """Whether the mechanism proves its side."""
    objective = problem["objective"]
    if objective.get("objective", objective)["kind"] in MINIMISED or objective.get("sense") == "minimise":
        return at_most(worth, upper)
    return at_most(lower, worth)


def _design_bracket(problem: Any, claim: Any) -> bool:
    """Decide it with all shares and weights written out; bounds on entries go with those that are in the file alone."""
    objective, population, k = problem["objective"], problem["population"], int(problem["inputs"])
    if not problem["levels"]:
        raise UndecidedError
    if isinstance(objective.get("weights"), dict):
        if problem["bounds"] is not None or k > 6:
            raise UndecidedError
        objective = {"kind": "trace", "weights": list(map(str, listed_weights(objective)))}
        population = None
    if population is None:
        population = _equal(k)
    elif "mixture" in population:
        weights, shares = ([part[key] for part in population["mixture"]] for key in ("weight", "shares"))
        objective = {"kind": "bayes", "objective": objective, "weights": weights, "populations": shares}
        population = shares[0]
    elif "runs" in population or ("uniform" in population and int(population["uniform"]) > 6):
        raise UndecidedError
    elif "uniform" in population:  # at most so many outputs, written out
        most, given = problem["outputs"], {**problem, "outputs": "any", "population": _equal(k)}
        if most != "any" and len(_matrix_of(claim["mechanism"])) > int(most):
            return False
        if _bracket(given, claim):
            return True
        if most == "any":
            return False
        raise UndecidedError  # a bound for any number holds for these
    problem = {**problem, "objective": objective, "population": population}
    return (_bracket if "pairs" in problem["levels"][0] else _under_divergences)(problem, claim)


def _equal(k: int) -> list[str]:
    return [str(F(1, k))] * k


def _bracket(problem: Any, claim: Any) -> bool:
    ends = list(levels(problem))
    lower, upper = F(claim["lower"]), F(claim["upper"])
    p = _matrix_of(claim["mechanism"])
    if lower > upper:
        return False
    answers = {_allowed(problem, p, g, d) for g, d in ends}
    if len(answers) > 1:
        raise UndecidedError
    if answers == {False}:
        return False
    population = problem["population"]
    if isinstance(population, dict):
        worth = _worst(problem["objective"], p, *_prevalences(population))
    else:
        worth = value(problem["objective"], p, [F(x) for x in population])
    if not _side(problem, lower, upper, worth):
        return False
    best = [optimum(problem, g, d) for g, d in ends]
    return _same({at_most(lower, x) and at_most(x, upper) for x in best})


def _same(answers: set[bool]) -> bool:
    """Return what both ends of a level say."""
    if len(answers) > 1:
        raise UndecidedError
    return answers == {True}


def _binary_bracket(problem: Any, claim: Any) -> bool:
    """The variance falls in p00 and in p11, so that three designs can be optimal (``test_oracle.py``)."""
    if problem["goal"] != "variance" or problem["outputs"] != "2":
        raise UndecidedError
    ends, (level,) = list(levels(problem)), problem["levels"]
    is_exact = ends[0] == ends[1] and "up" not in level["epsilon"]
    return _same({_is_best(problem, claim, g, d, is_exact) for g, d in ends})


def binary_designs(family: str, g: F, d: F) -> list[Matrix]:
    """Return the designs that can be optimal, in ascending order."""
    m = (g + d) / (g + 1)
    found = {(m, m), *([(d, F(1)), (F(1), d)] if family == "all" else [])}
    return [[[a, 1 - b], [1 - a, b]] for a, b in sorted(found) if a + b > 1]


def _is_best(problem: Any, claim: Any, g: F, d: F, exact: bool) -> bool:
    """Decide a bracket at a level, and its optima: unless the level is exact, they stand for larger designs."""
    p, family, ends = matrix(claim["mechanism"]["matrix"]), problem["family"], (F(problem["from"]), F(problem["to"]))
    if g < 1 or not 0 <= d <= 1 or not 0 <= ends[0] <= ends[1] <= 1:
        return False
    if not _allowed({**problem, "inputs": "2", "bounds": None}, p, g, d) or p[0][0] + p[1][1] <= 1:
        return False
    if family == "warner" and p[0][0] != p[1][1]:
        return False
    designs = binary_designs(family, g, d)
    values = [_worst({"kind": "variance"}, each, *ends) for each in designs]
    if F(claim["lower"]) > min(values) or _worst({"kind": "variance"}, p, *ends) > F(claim["upper"]):
        return False
    if claim["optima"] is None:
        return claim["set"] is None
    best = [each for each, x in zip(designs, values, strict=True) if x == min(values)]
    segment: list[list[F]] = []  # of variance 0: after (1, 0) through (1, delta), or mirrored
    if ends[0] in (0, 1) and d and family == "all":
        segment = [[F(1), F(0)], [F(1), d]] if ends[0] == 0 else [[F(0), F(1)], [d, F(1)]]
    optima = [matrix(each["matrix"]) for each in claim["optima"]]
    if ends[0] < ends[1] or len(optima) != len(best) or (claim["set"] is None) == bool(segment):
        return False
    given = matrix([claim["set"][end] for end in ("after", "through")] if segment else [])
    said, true = ([x for rows in found for x in (rows[0][0], rows[1][1])] for found in (optima, best))
    pairs = set(zip([*said, *chain(*given)], [*true, *chain(*segment)], strict=True))
    if len(pairs) != len({y for _, y in pairs}):  # a number of the level stands for one number
        return False
    known = {F(0), F(1), d} if isinstance(problem["levels"][0]["delta"], str) else {F(0), F(1)}
    is_near = all(x == y or (not exact and 0 <= x < y and y not in known) for x, y in pairs)
    return is_near and all(columns_sum_to_one(rows) and rows[0][0] + rows[1][1] > 1 for rows in optima)


def _under_divergences(problem: Any, claim: Any) -> bool:
    """Of two categories with equal shares Warner's design at the level is best; else no optimum exceeds the truth's.

    Both columns are exchangeable, and both criteria convex. Under zCDP the limit at the order 1 decides two outputs.
    """
    (region,), pi = problem["levels"], [F(x) for x in problem["population"]]
    lower, upper = F(claim["lower"]), F(claim["upper"])
    p = _matrix_of(claim["mechanism"])
    a = F(region.get("order", "1"))
    level = real(F(region["rho"])) if "rho" in region else mp.log(real(F(region["epsilon"]["log"])))
    if (
        lower > upper
        or len(pi) != len(p[0])
        or any(_diverges(p, a, level, i, j) for i, j in permutations(range(len(pi)), 2))
    ):
        return False
    if not _side(problem, lower, upper, value(problem["objective"], p, pi)):
        return False
    if set(pi) != {F(1, 2)}:
        truth_of_all = [[F(int(i == j)) for j in range(len(pi))] for i in range(len(pi))]
        if upper < value(problem["objective"], truth_of_all, pi):
            raise UndecidedError
        return True
    low, high = mpf(1) / 2, 1 - mpf(10) ** -60
    for _ in range(200):
        middle = (low + high) / 2
        rows = [[middle, 1 - middle], [1 - middle, middle]]
        low, high = (low, middle) if _diverges(rows, a, level, 0, 1) else (middle, high)
    square = low**2 + (1 - low) ** 2
    best = square / (2 * low - 1) ** 2 - mpf(1) / 2
    if problem["objective"]["kind"] == "mutual-information":
        best = mp.log(2) + low * mp.log(low) + (1 - low) * mp.log(1 - low)
    elif problem["objective"]["kind"] != "a-optimal":
        raise UndecidedError
    return bool(real(lower) <= best <= real(upper))


def _diverges(p: Any, a: F, level: Any, i: int, j: int) -> bool:
    """Return whether D_a of the columns i and j is above the level."""
    return bool(divergence(tuple(tuple(row[at] for row in p) for at in (i, j)), a) > level)


def _infeasible(problem: Any, claim: Any) -> bool:
    if "levels" not in problem:
        return not _program({"cost": ["0"] * len(problem["signs"]), **problem})[1]
    if problem["outputs"] != "2":
        raise UndecidedError
    k = int(problem["inputs"])
    return _same({not list(vertices(_two_answer_rows(problem["bounds"], g, d, k), k)) for g, d in levels(problem)})


def _program(problem: Any, box: F = F(1000)) -> tuple[list[F], list[list[F]]]:
    """Return the cost and the vertices, all variables within a box."""
    n = len(problem["cost"])
    rows: list[Row] = []
    for row in problem["rows"]:
        a = [F(0)] * n
        for at, x in row["coefficients"]:
            a[int(at)] = F(x)
        if row["relation"] in (">=", "="):
            rows.append((a, F(row["bound"])))
        if row["relation"] in ("<=", "="):
            rows.append(([-x for x in a], -F(row["bound"])))
    for j, kind in enumerate(problem["signs"]):
        unit = [F(i == j) for i in range(n)]
        rows += [(unit, F(0) if kind == "nonnegative" else -box), ([-x for x in unit], -box)]
    if n == 0:
        return [], [[]] if all(b <= 0 for _, b in rows) else []
    return [F(x) for x in problem["cost"]], list(vertices(rows, n))


def _optimal_value(problem: Any, claim: Any) -> bool:
    cost, found = _program(problem)
    x = [F(y) for y in claim["point"]]
    if not found:
        return False
    best = min(dot(cost, v) for v in found)
    # the optimum over a box is convex in its size: the same over two boxes, it is the same without one
    if best != min(dot(cost, v) for v in _program(problem, F(2000))[1]):
        return False
    return F(claim["lower"]) <= best and dot(cost, x) <= F(claim["upper"]) and _feasible(problem, x)


def _feasible(problem: Any, x: list[F]) -> bool:
    if len(x) != len(problem["cost"]) or any(
        y < 0 for y, kind in zip(x, problem["signs"], strict=True) if kind == "nonnegative"
    ):
        return False
    for row in problem["rows"]:
        left, bound = sum((F(y) * x[int(at)] for at, y in row["coefficients"]), F(0)), F(row["bound"])
        if not {"<=": left <= bound, ">=": left >= bound, "=": left == bound}[row["relation"]]:
            return False
    return True


def infimum(problem: Any) -> tuple[F | None, bool]:
    """Return B of functions that are constant on pieces (``None``: infinite), and whether it is attained."""
    found: list[tuple[F, bool]] = []
    for side in ("up", "down"):
        start, owned = F(0), True
        for piece in (problem[side] or {"pieces": []})["pieces"]:
            if not isinstance(piece["to"], str) or not isinstance(piece["value"], str):
                raise UndecidedError
            end, h, closed = F(piece["to"]), F(piece["value"]), piece["closed"]
            if side == "down":  # h(p) = 1 - h_l(1-p): the piece lies from 1 - end to 1 - start
                h, right, kept = 1 - h, 1 - start, owned
                empty = end in (0, 1) and start == end
            else:
                right, kept = end, closed
                empty = end in (0, 1) and start == end
            if h < 0:
                raise UndecidedError
            if h < 1 and not empty:
                found.append(((1 - right) * h / (right * (1 - h)), (kept and 0 < right < 1) or h == 0))
            start, owned = end, not closed
    if not found:
        return None, False
    least = min(x for x, _ in found)
    return least, any(kept for x, kept in found if x == least)


def _infimum(problem: Any, claim: Any) -> bool:
    bound, attained = infimum(problem)
    if claim["lower"] == "infinite" or claim["upper"] == "infinite":
        return claim["lower"] == claim["upper"] and bound is None and claim["attained"] is None
    if bound is None:
        return False
    inside = F(claim["lower"]) <= bound <= F(claim["upper"])
    return inside and claim["attained"] in (None, attained)


def garbled(source: Matrix, target: Matrix) -> bool:
    """Whether the target is a garbling of the source, with two categories: Blackwell's order, at the kinks."""
    if len(source[0]) == 1:
        return True
    if len(source[0]) != 2:
        raise UndecidedError
    kinks = {row[0] / row[1] for row in [*source, *target] if row[1]} | {F(0)}
    return all(
        sum(abs(row[0] - t * row[1]) for row in target) <= sum(abs(row[0] - t * row[1]) for row in source)
        for t in kinks
    )


def _garbling(problem: Any, claim: Any) -> bool:
    source, target = (matrix(problem[side]["matrix"]) for side in ("source", "target"))
    if not (columns_sum_to_one(source) and columns_sum_to_one(target)):
        return False
    return garbled(source, target) == (claim["exists"] is True)


def _parity(problem: Any, claim: Any) -> bool:
    p = matrix(problem["mechanism"]["matrix"])
    if not columns_sum_to_one(p):
        return False
    found = parity(p)
    return bool(claim["parity"] == ("infinite" if found is None else str(found)))


def _profile(problem: Any, claim: Any) -> bool:
    p = matrix(problem["mechanism"]["matrix"])
    if not columns_sum_to_one(p):
        return False
    return _same({F(claim["lower"]) <= excess(p, g) <= F(claim["upper"]) for g in interval_of(problem["level"])})


def in_class(p: Matrix, g: F) -> bool:
    """Whether P is in C_gamma."""
    found = parity(p)
    proportional = any(
        all(a[j] * b[i] == a[i] * b[j] for i in range(len(a)) for j in range(len(a))) for a, b in combinations(p, 2)
    )
    return (
        len(p) >= 2
        and columns_sum_to_one(p)
        and all(map(any, p))
        and not proportional
        and found is not None
        and found <= g
    )


def _admissible(problem: Any, claim: Any) -> bool:
    p = matrix(problem["mechanism"]["matrix"])
    low, high = interval_of(problem["level"])
    if low <= 1:
        return False
    if not in_class(p, low):
        return False
    tight = low == high and all(max(row) == low * min(row) and len(set(row)) == 2 for row in p)
    return tight == (claim["admissible"] is True)


def _of_levels(problem: Any, claim: Any) -> bool:
    decide = _parity if "parity" in claim else _admissible if "admissible" in claim else _profile
    return decide(problem, claim)


def evaluate(tree: Any, at: dict[str, F]) -> F:
    """Return the value of an expression; ``ZeroDivisionError`` where a divisor is 0."""
    if isinstance(tree, str):
        return at[tree] if tree in at else F(tree)
    ((kind, parts),) = tree.items()
    if kind == "negative":
        return -evaluate(parts, at)
    if kind == "power":
        return evaluate(parts[0], at) ** int(parts[1])
    values = [evaluate(part, at) for part in parts]
    if kind == "quotient":
        return values[0] / values[1]
    return sum(values, F(0)) if kind == "sum" else prod(values, start=F(1))


_GRID = [F(n, 2) for n in range(-6, 7)]


def _points(names: Sequence[str]) -> Iterator[dict[str, F]]:
    if len(names) > 3:
        raise UndecidedError
    for values in product(_GRID, repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def _polynomial(problem: Any, claim: Any) -> bool:
    if problem["right"] != "0" and claim["relation"] != "=":
        raise UndecidedError
    return (_identity if claim["relation"] == "=" else _inequality)(problem, claim)


def _identity(problem: Any, claim: Any) -> bool:
    """Both sides at all points of a grid: enough for small degrees (13 values of each variable)."""
    met = 0
    for at in _points(problem["parameters"]):
        if any(evaluate(h["polynomial"], at) for h in problem["hypotheses"]):
            continue
        try:
            left, right = evaluate(problem["left"], at), evaluate(problem["right"], at)
        except ZeroDivisionError:
            continue
        met += 1
        if left != right:
            return False
    if not met:
        raise UndecidedError
    return True


def _inequality(problem: Any, claim: Any) -> bool:
    """Return False if a point of a grid refutes the inequality; otherwise it is undecided."""
    strict = claim["relation"] == ">"
    for at in _points(problem["parameters"]):
        holds = [(evaluate(h["polynomial"], at), h["relation"]) for h in problem["hypotheses"]]
        if all(x > 0 or (x == 0 and relation == ">=") for x, relation in holds):
            found = evaluate(problem["left"], at)
            if found < 0 or (strict and found == 0):
                return False
    raise UndecidedError


def _estimate(problem: Any, claim: Any) -> bool:
    """The log-likelihood of two categories is concave in the share of the second: bisection of its derivative."""
    terms: list[tuple[F, F, int]] = []
    for group in problem["groups"]:
        form = group["mechanism"]
        if "product" in form and len(form["product"]) > 1:
            raise UndecidedError
        p = matrix(form["matrix"] if "matrix" in form else form["product"][0])
        if not columns_sum_to_one(p):
            return False
        if len(p[0]) != 2:
            raise UndecidedError
        terms += [(row[0], row[1] - row[0], int(n)) for row, n in zip(p, group["counts"], strict=True) if int(n)]
    n, point, gap = sum(t[2] for t in terms), [F(x) for x in claim["point"]], F(claim["gap"])
    if not n or sum(point) != 1 or min(point) < 0:
        return False
    if any(a + b * point[1] == 0 for a, b, _ in terms):
        return False

    def slope(t: F) -> F:
        return sum((count * b / (a + b * t) for a, b, count in terms), F(0))

    here = slope(point[1])
    if here == 0 or (here > 0 and point[1] == 1) or (here < 0 and point[1] == 0):
        return gap >= 0
    if gap <= 0:
        return False
    low, high = (point[1], F(1)) if here > 0 else (F(0), point[1])
    for _ in range(200):
        middle = (low + high) / 2
        if all(a + b * middle for a, b, _ in terms):
            low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    best = (low + high) / 2
    more = sum(count * mp.log(real(a + b * best) / real(a + b * point[1])) for a, b, count in terms) / n
    if abs(more - real(gap)) < mpf(10) ** -40:
        raise UndecidedError
    return bool(more <= real(gap))


def _bits(problem: Any, claim: Any) -> bool:
    """By the derivative where the mechanism is the best one exactly, else by a search with 80 digits (two bits)."""
    objective = problem["objective"]
    low, high = interval_of(problem["epsilon"])
    odds = []
    for bit in claim["mechanism"]["product"]:
        p = matrix(bit)
        if not columns_sum_to_one(p) or p[0][0] != p[1][1] or not F(1, 2) <= p[0][0] < 1:
            return False
        odds.append(p[0][0] / (1 - p[0][0]))
    joint = objective["kind"] == "joint"
    n = int(objective["questions"]) if joint else len(objective["weights"])
    weights = [F(1)] * n if joint else [F(w) for w in objective["weights"]]
    if len(odds) != n or prod(odds, start=F(1)) > low:
        return False
    if any(x == 1 for x, w in zip(odds, weights, strict=True) if w):
        return False

    def of(x: Any, w: F) -> Any:
        return w * x / (x - 1) ** 2 if w else F(0)

    if joint:
        offset = -F(objective["squares"])
        worth = prod(((x * x + 1) / (x - 1) ** 2 for x in odds), start=F(1)) + offset
    else:
        shares = [F(x) for x in objective["prevalences"]]
        offset = sum((w * x * (1 - x) for w, x in zip(weights, shares, strict=True)), F(0))
        worth = sum((of(x, w) for x, w in zip(odds, weights, strict=True)), offset)
    lower, upper = F(claim["lower"]), F(claim["upper"])
    if lower > upper or worth > upper:
        return False
    slopes = [
        2 * x * (x + 1) / ((x * x + 1) * (x - 1)) if joint else (w * x * (x + 1) / (x - 1) ** 3 if w else None)
        for x, w in zip(odds, weights, strict=True)
    ]
    if low == high == prod(odds, start=F(1)):
        kept = [s for s in slopes if s is not None]
        if len(set(kept)) == 1 and all(x == 1 for x, s in zip(odds, slopes, strict=True) if s is None):
            return lower <= worth <= upper
    counted = [w for w in weights if w]
    root = real(low) ** (mpf(1) / len(counted))
    if joint:
        best = ((root * root + 1) / (root - 1) ** 2) ** n + real(offset)
    elif len(counted) == 1:
        best = real(counted[0]) * real(low) / (real(low) - 1) ** 2 + real(offset)
    elif len(counted) == 2:
        best = _search(counted, real(low)) + real(offset)
    else:
        raise UndecidedError
    if min(abs(best - real(lower)), abs(best - real(upper))) < mpf(10) ** -40:
        raise UndecidedError
    return bool(real(lower) <= best <= real(upper))


def _search(weights: list[F], gamma: Any) -> Any:
    a, b = map(real, weights)

    def slope(x: Any, w: Any) -> Any:
        return w * x * (x + 1) / (x - 1) ** 3

    low, high = mpf(1), gamma
    for _ in range(260):
        x = mp.sqrt(low * high)
        if slope(x, a) > slope(gamma / x, b):
            low = x
        else:
            high = x
    return a * x / (x - 1) ** 2 + b * (gamma / x) / (gamma / x - 1) ** 2


def _composed_delta(problem: Any, claim: Any) -> bool:
    """By the sum over the counts of yes of every mechanism, at both ends of an interval around the levels."""
    target = interval_of(problem["epsilon"])
    found = []
    for side in (0, 1):
        cells, kept = {F(1): F(1)}, F(1)  # the odds of the answers so far, and their chance under P
        for item in problem["items"]:
            g, n, d = interval_of(item["epsilon"])[side], int(item["count"]), F(item["delta"])
            if n > 12 and g > 1:
                raise UndecidedError
            kept *= (1 - d) ** n
            new: dict[F, F] = {}
            for odds, mass in cells.items():
                for j in range(n + 1) if g > 1 else ():
                    at = odds * g ** (2 * j - n)
                    new[at] = new.get(at, F(0)) + mass * comb(n, j) * g**j / (1 + g) ** n
            cells = new or cells
        slack = sum(
            (mass * (1 - target[1 - side] / odds) for odds, mass in cells.items() if odds > target[1 - side]), F(0)
        )
        found.append(1 - kept * (1 - slack))
    return _lies_in(claim, *found)


def _lies_in(claim: Any, least: F, most: F) -> bool:
    """Decide whether a number from ``least`` to ``most`` lies within the ends of a claim."""
    lower, upper = F(claim["lower"]), F(claim["upper"])
    if lower <= least and most <= upper:
        return True
    if lower > most or upper < least:
        return False
    raise UndecidedError


def _shuffled_delta(problem: Any, claim: Any) -> bool:
    """By all histograms of all data sets; for any mechanism between those of binary response and the pair of clones."""
    return _lies_in(claim, *_shuffled_ends(problem))


@_remembered
def _shuffled_ends(problem: Any) -> list[F]:
    n, mechanism, target = int(problem["respondents"]), problem["device"], interval_of(problem["epsilon"])
    kind, k = mechanism["kind"], int(mechanism.get("categories", 2))
    if n < 1 or k < 2:
        raise ValueError("no shuffled reports")
    if n > (12 if kind == "warner" else 7) or k > 7:
        raise UndecidedError
    if kind == "binary":
        rows = device(F(mechanism["zero"]), F(mechanism["one"]))
        return [worst(rows, n, gamma, 2) for gamma in reversed(target)]
    least, most = interval_of(mechanism["local"])
    found = worst(response(k, least), n, target[1], 2)  # k-ary response treats all categories alike
    return [found, clones(n, most, target[0]) if kind == "any" else worst(response(k, most), n, target[0], 2)]


def clones(n: int, g: F, gamma: F) -> F:
    """Return delta of (A + D, C - A + 1 - D) against (A + 1 - D, C - A + D): C ~ Bin(n - 1, 1/g), A ~ Bin(C, 1/2)."""
    laws: list[dict[tuple[int, int], F]] = [{}, {}]
    for c, d, side in product(range(n), (0, 1), (0, 1)):
        for a in range(c + 1):
            chance = comb(n - 1, c) * (1 / g) ** c * (1 - 1 / g) ** (n - 1 - c) * F(comb(c, a), 2**c)
            chance *= (g if d else 1) / (g + 1)
            first = a + (d if side == 0 else 1 - d)
            laws[side][first, c + 1 - first] = laws[side].get((first, c + 1 - first), F(0)) + chance
    return sum((max(F(0), p - gamma * laws[1].get(at, F(0))) for at, p in laws[0].items()), F(0))


def _laws(subject: Any) -> list[list[Pair]]:
    """Return the pairs of laws of a mechanism at both ends of its level."""
    if "matrix" in subject:
        columns = list(zip(*matrix(subject["matrix"]), strict=True))
        if any(min(column) < 0 or sum(column) != 1 for column in columns):
            raise ValueError("no mechanism")
        return [list(permutations(columns, 2))] * 2
    k = F(subject["categories"])
    if not 2 <= k <= 10**12:
        raise ValueError("no pair of laws")
    ends = [[x / (g + k - 1) for x in (g, F(1), k - 2)] for g in interval_of(subject["local"])]
    return [[((p, q, r), (q, p, r))] for p, q, r in ends]


def divergence(pair: Pair, a: Any) -> Any:
    """Return D_a by its definition; infinite where a report excludes the second law."""
    if any(p and not q for p, q in zip(*pair, strict=True)):
        return mp.inf
    atoms, x = [(real(p), real(q)) for p, q in zip(*pair, strict=True) if p], real(a - 1)
    if not x:
        return mp.fsum(p * mp.log(p / q) for p, q in atoms)
    return mp.log(mp.fsum(p * (p / q) ** x for p, q in atoms)) / x


@lru_cache(maxsize=1024)
def supremum(pair: Pair) -> tuple[Any, Any]:
    """Return the order at which D_a/a is largest, and its value: by a grid of orders and golden sections."""
    with mp.workdps(60):
        if any(p and not q for p, q in zip(*pair, strict=True)):
            return mpf(1), mp.inf
        if pair[0] == pair[1]:
            return mpf(1), mpf(0)

        def quotient(a: Any) -> Any:
            return divergence(pair, a) / a

        grid = [mpf(1), *(1 + mpf(10) ** (mpf(j) / 8) for j in range(-40, 41))]
        values = [quotient(a) for a in grid]
        at = max(range(len(grid)), key=lambda i: values[i])
        if at == 0:
            return grid[0], values[0]
        low, high = grid[at - 1], grid[min(at + 1, len(grid) - 1)]
        value, best = golden_section(lambda a: -quotient(a), low, high, 130)
        return best, max(-value, values[0])


def _divergent(problem: Any, claim: Any) -> bool:
    """Compare a claim with the largest D_a, or the largest D_a/a of all orders, over pairs of laws."""
    order = None if problem["order"] is None else F(problem["order"])
    if order is not None and order < 1:
        raise ValueError("an order below 1")
    sides = _laws(problem["mechanism"])
    is_infinite = any(p and not q for pair in sides[0] for p, q in zip(*pair, strict=True))
    ends = [claim["lower"], claim["upper"]]
    if "infinite" in ends or is_infinite:
        return is_infinite and ends == ["infinite", "infinite"]
    with mp.workdps(60):
        apart = [[pair for pair in side if pair[0] != pair[1]] for side in sides]
        values = [[supremum(pair)[1] if order is None else divergence(pair, order) for pair in side] for side in apart]
        found = [F(int(mp.nint(max(each, default=mpf(0)) * mpf(10) ** 30)), 10**30) for each in values]
    near = F(1, 10**15)
    lower, upper = map(F, ends)
    if lower <= found[0] - near * bool(found[0]) and found[1] + near * bool(found[1]) <= upper:
        return True
    if lower > found[1] + near or upper < found[0] - near or (not found[1] and upper < 0):
        return False
    raise UndecidedError


# The least cost at every level: all covers of the inputs are enumerated


_MOST_COVERED = 4  # inputs
_MOST_CHOICES = 5000  # of outputs for the sets of a cover
_FINE = 10**120  # of the comparison of two roots, far beyond what numbers of a few digits need

Place = tuple[F, F, int]  # p + q sqrt(D), of u = gamma - 1
Parabola = tuple[F, F, F]


def _every_level(problem: Any, claim: Any) -> bool:
    """Decide whether each piece is the least value of all covers, and whether its rows attain it."""
    costs = matrix(problem["costs"])
    low, stop = _place(problem["from"]), None if problem["to"] is None else _place(problem["to"])
    if len(costs[0]) > _MOST_COVERED or low[0] + F(_root(low), _FINE) < 0:
        raise UndecidedError
    lines = _lines(costs)
    for number, piece in enumerate(claim["pieces"], 1):
        high = None if piece["to"] is None else _place(piece["to"])
        if not _comes_before(low, high):
            return False
        a, b, c = map(F, piece["value"])
        if not _attains(costs, piece["rows"], (a, b, c)):
            return False
        for A, B, X in lines:  # (A + B u)/(X + u) >= (a + b + b u)/(c + 1 + u)
            left = (A * (c + 1), A + B * (c + 1), B)
            right = ((a + b) * X, a + b + b * X, b)
            if not _is_nowhere_negative((left[0] - right[0], left[1] - right[1], left[2] - right[2]), low, high):
                return False
        if high is None:
            return stop is None and number == len(claim["pieces"])  # the last piece may stand twice
        low = high
    return stop is not None and not _comes_before(low, stop) and not _comes_before(stop, low)


def _attains(costs: Matrix, rows: Any, value: tuple[F, F, F]) -> bool:
    """Return whether rows are a mechanism with this value, at every level; those of another form are not decided."""
    k, (a, b, c) = len(costs[0]), value
    entries = [(int(d), [j for j in range(k) if digits[j] == "1"], F(x)) for d, digits, x in rows]
    if any(x <= 0 or not inputs or not 0 <= d < len(costs) for d, inputs, x in entries):
        raise UndecidedError
    if len({(d, digits) for d, digits, _ in rows}) < len(rows) or any(len(digits) != k for _, digits, _ in rows):
        raise UndecidedError
    constant = sum((x * sum(costs[d]) for d, _, x in entries), F(0))
    rising = sum((x * sum((costs[d][j] for j in inputs), F(0)) for d, inputs, x in entries), F(0))
    sums = [sum((x for _, inputs, x in entries if j in inputs), F(0)) for j in range(k)]
    return [*sums, sum((x for *_, x in entries), F(0)) - 1, constant - rising, rising] == [F(1)] * k + [c, a, b]


@_remembered
def _covers(k: int) -> list[list[tuple[list[int], F]]]:
    """Return the vertices of the covers of k inputs: sets with weights."""
    sets = [[j for j in range(k) if mask >> j & 1] for mask in range(1, 1 << k)]
    found = {}
    for basis in combinations(range(len(sets)), k):
        columns = fmpq_mat(k, k, [int(j in sets[i]) for j in range(k) for i in basis])
        if columns.det() == 0:
            continue
        solved = columns.solve(fmpq_mat(k, 1, [1] * k))
        weights = [F(int(solved[i, 0].p), int(solved[i, 0].q)) for i in range(k)]
        if min(weights) >= 0:
            vertex = [(sets[i], x) for i, x in zip(basis, weights, strict=True) if x]
            found[str(vertex)] = vertex
    return list(found.values())


def _lines(costs: Matrix) -> list[tuple[F, F, F]]:
    """Return (A, B, X) of each cover with each choice of outputs: the value is (A + B u)/(X + u)."""
    totals, found = [sum(row, F(0)) for row in costs], set()
    for cover in _covers(len(costs[0])):
        if len(costs) ** len(cover) > _MOST_CHOICES:
            raise UndecidedError
        X = sum((x for _, x in cover), F(0))
        own = [[(x * totals[d], x * sum((costs[d][j] for j in s), F(0))) for d in range(len(costs))] for s, x in cover]
        for chosen in product(*own):
            found.add((sum((p for p, _ in chosen), F(0)), sum((q for _, q in chosen), F(0)), X))
    return list(found)


def _place(texts: Any) -> Place:
    p, q, root = (*map(F, texts), F(0), F(0))[:3]
    if len(texts) not in (1, 3) or root.denominator > 1 or root < 0:
        raise UndecidedError
    return p - 1, q, int(root)


def _root(place: Place) -> int:
    """Return ``q sqrt(D)`` times ``_FINE``, rounded down."""
    _, q, root = place
    square = q * q * root * _FINE**2
    whole = isqrt(square.numerator // square.denominator)
    if q >= 0:
        return whole
    return -whole if whole * whole == square else -whole - 1


def _comes_before(one: Place, two: Place | None) -> bool:
    if two is None:
        return True
    if one[0] == two[0] and one[1] ** 2 * one[2] == two[1] ** 2 * two[2] and one[1] * two[1] >= 0:
        return False
    return one[0] * _FINE + _root(one) < two[0] * _FINE + _root(two)


def _sign_there(Q: Parabola, place: Place) -> int:
    """Return the sign of a quadratic at a place: by an integer root, which is exact or less than one away."""
    p, q, root = place
    r, s = Q[0] + Q[1] * p + Q[2] * (p * p + q * q * root), q * (Q[1] + 2 * Q[2] * p)
    scale = r.denominator * s.denominator
    whole, square = int(r * scale), int((s * scale) ** 2) * root
    side = isqrt(square)
    if s < 0:
        side = -side if side * side == square else -side - 1
    if isqrt(square) ** 2 == square:
        return (whole + side > 0) - (whole + side < 0)
    return 1 if whole + side >= 0 else -1


def _is_nowhere_negative(Q: Parabola, low: Place, high: Place | None) -> bool:
    if _sign_there(Q, low) < 0:
        return False
    if high is None:
        if next((c for c in reversed(Q) if c), F(0)) < 0:
            return False
    elif _sign_there(Q, high) < 0:
        return False
    if Q[2] <= 0:
        return True
    vertex = (-Q[1] / (2 * Q[2]), F(0), 0)
    inside = _comes_before(low, vertex) and _comes_before(vertex, high)
    return not inside or Q[0] * 4 * Q[2] >= Q[1] ** 2


# Families of problems: members of few categories are written out at several parameters and levels


_STEPS_OF_PARAMETERS = (F(1, 50), F(1, 3), F(1), F(4), F(60))
_LEVELS_OF_MEMBERS = (F(101, 100), F(3, 2), F(3), F(12), F(500))
_MOST_MEMBERS = 30  # of a family that are decided


def _of_family(problem: Any, claim: Any) -> bool:
    """Decide whether the least formula is the optimum of each member, and whether the rows of each attain it."""
    sign = {"minimise": 1, "maximise": -1}[problem["sense"]]
    decided = 0
    for values in _members(problem):
        sizes = [_tree_value(one["size"], values) for one in problem["classes"]]
        if any(n.denominator > 1 or n < 1 for n in sizes) or not 0 < sum(sizes) <= _MOST_COVERED:
            continue
        classes = [i for i, n in enumerate(sizes) for _ in range(int(n))]
        shares = [_tree_value(one["share"], values) for one in problem["classes"]]
        if sum((shares[i] for i in classes), F(0)) != 1:
            return False
        outputs = _outputs(problem, classes)
        costs = [
            [shares[i] * sign * _tree_value(tree, values) for i, tree in zip(classes, row, strict=True)]
            for _, _, row in outputs
        ]
        for gamma in _LEVELS_OF_MEMBERS:
            at = {**values, "gamma": gamma}
            found = [_tree_value(formula["value"], at) for formula in claim["formulas"]]
            for value, formula in zip(found, claim["formulas"], strict=True):
                if _cost_of_rows(formula["rows"], problem, outputs, classes, costs, at) != sign * value:
                    return False
            if min(sign * value for value in found) != _least_cost(costs, gamma - 1):
                return False
        decided += 1
        if decided == _MOST_MEMBERS:
            break
    if not decided:
        raise UndecidedError
    return True


def _members(problem: Any) -> Iterator[dict[str, F]]:
    """Yield values of the parameters, in an order in which all of them change soon."""
    listed = []
    for one in problem["parameters"]:
        low, high = F(one["from"]), None if one["to"] is None else F(one["to"])
        if one["whole"]:
            listed.append([low + step for step in range(4)])
        else:
            listed.append([low + t if high is None else (low + high * t) / (1 + t) for t in _STEPS_OF_PARAMETERS])
    chosen = list(product(*listed))
    step = next(n for n in (7, 11, 13, 17) if len(chosen) % n)
    for n in range(len(chosen)):
        values = chosen[n * step % len(chosen)]
        yield dict(zip((one["name"] for one in problem["parameters"]), values, strict=True))


def _tree_value(tree: Any, values: Any) -> F:
    """Return the value of an expression."""
    if isinstance(tree, str):
        return values[tree] if tree in values else F(tree)
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return -_tree_value(parts, values)
    if operation == "power":
        return _tree_value(parts[0], values) ** int(parts[1])
    found = [_tree_value(part, values) for part in parts]
    if operation == "quotient":
        return found[0] / found[1]
    return sum(found, F(0)) if operation == "sum" else prod(found)


def _outputs(problem: Any, classes: list[int]) -> list[tuple[int, int | None, list[Any]]]:
    """Return the outputs of a member: decision, own category, and the cost of each category as an expression."""
    found: list[tuple[int, int | None, list[Any]]] = []
    for h, decision in enumerate(problem["decisions"]):
        row = [decision["costs"][i] for i in classes]
        if decision["own"] is None:
            found.append((h, None, row))
            continue
        for j, i in enumerate(classes):
            if i == int(decision["own"]):
                found.append((h, j, [*row[:j], decision["right"], *row[j + 1 :]]))
    return found


def _cost_of_rows(rows: Any, problem: Any, outputs: Any, classes: list[int], costs: Matrix, at: Any) -> F | None:
    """Return the cost of the mechanism of rows; None if it is none, or not within the factor gamma."""
    k, gamma = len(classes), at["gamma"]
    weights = [_tree_value(row["weight"], at) for row in rows]
    over = sum(weights, F(0)) + gamma - 1
    entries = [[F(0)] * k for _ in outputs]
    for row, x in zip(rows, weights, strict=True):
        own = [n for n, (h, _, _) in enumerate(outputs) if h == int(row["decision"])]
        for n in own:
            for j, i in enumerate(classes):
                is_in = row["own"] if j == outputs[n][1] else row["classes"][i]
                entries[n][j] += x / (len(own) * over) * (gamma if is_in == "1" else 1)
    if any(sum((line[j] for line in entries), F(0)) != 1 for j in range(k)):
        return None
    if any(min(line) < 0 or max(line) > gamma * min(line) for line in entries):
        return None
    return sum((dot(line, own) for line, own in zip(entries, costs, strict=True)), F(0))


def _least_cost(costs: Matrix, u: F) -> F:
    """Return the least cost at a level: for each cover of the inputs, each of its sets has its best output."""
    totals = [sum(row, F(0)) for row in costs]
    best = []
    for cover in _covers(len(costs[0])):
        X = sum((x for _, x in cover), F(0))
        parts = (
            x * min(total + u * sum((row[j] for j in s), F(0)) for total, row in zip(totals, costs, strict=True))
            for s, x in cover
        )
        best.append(sum(parts, F(0)) / (X + u))
    return min(best)


# Closed forms at every level: each design of a family, written out as a matrix


_POINTS = [F(x) for x in ("4/3", "3/2", "2", "5/2", "3", "5", "7", "11")]  # of gamma: more than two quotients meet at
Family = dict[str, Callable[[F], Matrix]]


def _closed(problem: Any, claim: Any) -> bool:
    """Decide whether each piece has the value of its design, and whether no design of its family is better."""
    objective, d = problem["objective"], F(problem["delta"])
    low, stop = _place(problem["from"]), None if problem["to"] is None else _place(problem["to"])
    if not 0 <= d <= 1 or low[0] + F(_root(low), _FINE) < 0:
        raise UndecidedError
    designs, kind = _family(objective, d), objective["kind"]
    blind = _family(objective, F(0)) if kind != "variance" else designs
    worth = partial(_worth, objective)
    for number, piece in enumerate(claim["pieces"], 1):
        high = None if piece["to"] is None else _place(piece["to"])
        if not _comes_before(low, high):
            return False
        above, below = ([F(x) for x in part] for part in piece["value"])
        if len(above) != 3 or len(below) != 3 or piece["design"] not in designs or _is_undefined(above, below):
            raise UndecidedError
        made = designs[piece["design"]]
        for g in _POINTS:
            p, (x, y) = made(g), (c[0] + g * (c[1] + g * c[2]) for c in (above, below))
            if not columns_sum_to_one(p) or excess(p, g) > d or not y or not _is_worth(objective, p, x / y):
                return False
        for name in designs if d < 1 else ():
            apart = [_apart(kind, worth, blind, (piece["design"], name), u, d) for u in (F(1), F(2), F(4))]
            if not _is_nowhere_negative(_through(apart), low, high):
                return False
        at: Place = (F(2), F(0), 0)  # gamma = 3
        is_inside = _comes_before(low, at) and _comes_before(at, high)
        if is_inside and not _is_optimum(objective, d, worth(made(F(3))), F(3)):
            return False
        if high is None:
            return stop is None and number == len(claim["pieces"])  # the last piece may stand twice
        low = high
    return stop is not None and not _comes_before(low, stop) and not _comes_before(stop, low)


def _is_undefined(above: list[F], below: list[F]) -> bool:
    """Return whether both quadratics are 0 at one gamma >= 1."""
    common = fmpq_poly([fmpq(*x.as_integer_ratio()) for x in above])
    common = common.gcd(fmpq_poly([fmpq(*x.as_integer_ratio()) for x in below]))  # monic
    b, c = common[1], common[0]
    if common.degree() < 2:
        return bool(common.degree() == 1 and -c >= 1)
    return bool(b**2 >= 4 * c and (1 + b + c <= 0 or -b / 2 >= 1))


def _family(objective: Any, d: F) -> Family:
    """Return the designs of an objective by their names, as functions of gamma."""
    if objective["kind"] == "variance":
        if not 0 <= F(objective["prevalence"]) <= 1:
            raise UndecidedError
        points: dict[str, Callable[[F], tuple[F, F]]] = {"diagonal": lambda g: ((g + d) / (g + 1), (g + d) / (g + 1))}
        if d:
            points |= {"p00": lambda g: (F(1), d), "p11": lambda g: (d, F(1))}
        return {name: partial(_two_outputs, point) for name, point in points.items()}
    if objective["kind"] == "trace":
        weights = _weights(objective)
        return {str(m): partial(_over_heaviest, weights, m, d) for m in range(1, len(weights) + 1)}
    k = int(objective["categories"])
    if not 2 <= k <= _MOST_OF_SETS or objective["kind"] not in ("a-optimal", "d-optimal", "e-optimal"):
        raise UndecidedError
    return {str(size): partial(_over_sets, k, size, d) for size in range(1, k)}


_MOST_OF_SETS = 6  # categories
_MOST_WEIGHTS = 8


def _weights(objective: Any) -> list[F]:
    runs = [(int(n), F(w)) for n, w in objective["runs"]]
    if any(n < 1 or w < 0 for n, w in runs) or not 2 <= sum(n for n, _ in runs) <= _MOST_WEIGHTS:
        raise UndecidedError
    return [w for n, w in runs for _ in range(n)]


def _two_outputs(point: Callable[[F], tuple[F, F]], g: F) -> Matrix:
    p00, p11 = point(g)
    return [[p00, 1 - p11], [1 - p00, p11]]


def _mixed(p: Matrix, d: F, k: int) -> Matrix:
    """Return a mechanism that reports the truth with probability d, as an output of its own."""
    return [[(1 - d) * x for x in row] for row in p] + [[d * (i == j) for j in range(k)] for i in range(k)]


def _over_sets(k: int, size: int, d: F, g: F) -> Matrix:
    return _mixed(list(subset_selections(k, g))[size - 1], d, k)


def _over_heaviest(weights: list[F], m: int, d: F, g: F) -> Matrix:
    k = len(weights)
    chosen = sorted(range(k), key=lambda j: -weights[j])[:m]
    p = [[F(0)] * k for _ in range(k)]
    for i, j in product(chosen, range(k)):
        p[i][j] = (g if i == j else F(1)) / (g + m - 1) if j in chosen else F(1, m)
    return [[(1 - d) * p[i][j] + d * (i == j) for j in range(k)] for i in range(k)]


def _worth(objective: Any, p: Matrix) -> F:
    """Return n Var, the trace of the covariance at equal proportions, or the weighted trace."""
    if objective["kind"] == "variance":
        pi = F(objective["prevalence"])
        return F(value({"kind": "variance"}, p, [1 - pi, pi]))
    if objective["kind"] == "trace":
        return F(value({"kind": "trace", "weights": _weights(objective)}, p, []))
    k = int(objective["categories"])
    return F(value({"kind": "a-optimal"}, p, [F(1, k)] * k))


def _is_worth(objective: Any, p: Matrix, stated: F) -> bool:
    """Return whether a mechanism has the stated value: of a determinant, that of its geometric mean on contrasts."""
    if objective["kind"] == "d-optimal":
        k = int(objective["categories"])
        return stated > 0 and determinant(information(p, [F(1, k)] * k)) == k * stated ** (k - 1)
    own = _worth(objective, p)
    return stated == (own / (len(p[0]) - 1) if objective["kind"] == "e-optimal" else own)


def _apart(kind: str, worth: Any, blind: Family, names: tuple[str, str], u: F, d: F) -> F:
    """Return a quadratic in u at a point: how much worse the second design is than the first, without denominators."""
    own, other = (worth(blind[name](1 + u)) for name in names)
    if kind == "variance":
        return F(other - own) * (u + 2 * d) ** 2
    if kind == "trace":
        return F(own - other) * prod((u + int(name) for name in names), start=F(1)) / (1 + u)
    return F(other - own) * u**2


def _through(values: list[F]) -> Parabola:
    """Return the quadratic with these values at 1, 2 and 4."""
    x, y, z = values
    square = ((z - y) / 2 - (y - x)) / 3
    slope = y - x - 3 * square
    return x - slope - square, slope, square


def _is_optimum(objective: Any, d: F, found: F, g: F) -> bool:
    """Return whether a value is the optimum over all mechanisms at a level; True where no theorem says so."""
    kind = objective["kind"]
    own: Any = {"objective": {"kind": kind}, "bounds": None, "inputs": "2", "outputs": "2"}
    if kind == "variance":
        own["population"] = [str(1 - F(objective["prevalence"])), objective["prevalence"]]
    elif kind == "trace":
        weights = _weights(objective)
        own |= {"inputs": str(len(weights)), "outputs": str(len(weights)), "population": ["1"]}
        own["objective"]["weights"] = list(map(str, weights))
    else:  # the three objectives have one optimal design
        k = int(objective["categories"])
        own |= {
            "objective": {"kind": "a-optimal"},
            "inputs": str(k),
            "outputs": "any",
            "population": [str(F(1, k))] * k,
        }
    try:
        return bool(optimum(own, g, d) == found)
    except UndecidedError:
        return True


_CLAIMS: dict[Any, Callable[[Any, Any], bool]] = {
    "design-bracket": _design_bracket,
    "binary-bracket": _binary_bracket,
    "infeasible": _infeasible,
    "optimal-value": _optimal_value,
    "garbling": _garbling,
    "polynomial": _polynomial,
    "parity-bound": _infimum,
    "likelihood-gap": _estimate,
    "mechanism-levels": _of_levels,
    "composition": _composed_delta,
    "shuffled": _shuffled_delta,
    "budget-split": _bits,
    "divergence-level": _divergent,
    "every-level": _every_level,
    "family": _of_family,
    "every-level-closed": _closed,
}
