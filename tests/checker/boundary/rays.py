"""Rule 25: rays. Two categories: the optima are known exactly, with delta too; traces of any number of categories."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction as F
from itertools import product
from typing import Any

from mpmath import log, mp, mpf

from .book import COUNT, EQUATION, INEQUALITY, MATRIX, OPEN, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region
from .linear import criterion
from .oracle import Matrix, dot, four_answers, information, solve, subset_selections, truth, two_rays
from .patterns import inverse

PAGE = "rays_rule.md"
Document = tuple[Any, Any, Any]
EQUAL2, UNEQUAL, EQUAL3 = [F(1, 2)] * 2, [F(3, 4), F(1, 4)], [F(1, 3)] * 3

SQUARES = ("a-optimal", "c-optimal", "variance", "e-optimal", "d-optimal")
SUMS = ("chi-square", "mutual-information", "total-variation")
LINEAR = ("trace", "loss")
KINDS = (*SQUARES, *SUMS, *LINEAR)
LOGARITHMS = ("d-optimal", "mutual-information")
LEAST = ("a-optimal", "c-optimal", "variance", "e-optimal", "loss", "contrasts")  # these are minimised
DIVERGENCES = ("kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")


def _m(x: F) -> Any:
    return mpf(x.numerator) / mpf(x.denominator)


def _outwards(x: Any, digits: int, up: bool) -> F:
    n = int(x * mpf(10) ** digits) - (x < 0)
    return F(n + up, 10**digits)


def _root(x: F, up: bool) -> F:
    """Return a square root: exact where it is rational, else rounded to 17 digits."""
    near = F(int(mp.sqrt(_m(x)) * mpf(10) ** 17), 10**17)
    for n in range(1, 200):
        if F(round(near * n), n) ** 2 == x:
            return F(round(near * n), n)
    return near + F(2 if up else -2, 10**17)


def targets(kind: str, k: int, c: list[F]) -> Matrix:
    """Return C: the rows of what is estimated."""
    if kind == "c-optimal":
        return [c]
    return [[F(0), F(1)]] if kind == "variance" else [[F(i == j) for j in range(k)] for i in range(k)]


def matrix_of(kind: str, k: int, c: list[F]) -> Matrix | None:
    """Return W; its columns sum to 0."""
    if kind == "c-optimal":
        return [[x - sum(c) / k] for x in c]
    if kind == "variance":
        return [[F(-1)], [F(1)]]
    if kind == "d-optimal":
        half = _root(F(3, 4), up=False)
        return [[F(1)], [F(-1)]] if k == 2 else [[F(1), F(0)], [F(-1, 2), half], [F(-1, 2), -half]]
    if kind in SQUARES:
        return [[F(i == j) - F(1, k) for j in range(k)] for i in range(k)]
    return None


def phi(objective: Any, w: Any, r: Sequence[F], pi: list[F]) -> F:
    """Return the left side of the inequality, over its divisor; a logarithm is rounded up to 30 digits."""
    kind, row = objective["kind"], list(r)
    if kind == "bayes":
        parts = zip(_mixed(objective), w or [None] * len(objective["weights"]), strict=True)
        return sum((weight * phi(objective["objective"], own, r, each) for (weight, each), own in parts), F(0))
    if kind == "payoff":
        gains = [[p * F(u) for p, u in zip(pi, line, strict=True)] for line in objective["matrix"]]
        return max(dot(row, gain) for gain in gains)
    if kind in DIVERGENCES:
        against = [F(x) for x in objective["against"]]
        return _outwards(_term(objective, _m(dot(row, pi)), _m(dot(row, against))), 12, up=True)
    if w is not None:
        return sum((dot(row, column) ** 2 for column in zip(*w, strict=True)), F(0)) / dot(row, pi)
    if kind == "trace":
        return max(F(x) * y for x, y in zip(objective["weights"], row, strict=True))
    if kind == "loss":
        return max(
            -sum((p * F(x) * y for p, x, y in zip(pi, loss, row, strict=True)), F(0)) for loss in objective["matrix"]
        )
    if kind == "mutual-information":
        s = dot(row, pi)
        terms = [_m(p * x) * log(_m(x)) for p, x in zip(pi, row, strict=True) if p * x]
        return F(int((sum(terms) - (_m(s) * log(_m(s)) if s else 0)) * mpf(10) ** 30) + 1, 10**30)
    q = [F(x) for x in objective["against"]]
    apart = dot(row, [x - y for x, y in zip(pi, q, strict=True)])
    return abs(apart) / 2 if kind == "total-variation" else apart**2 / dot(row, q)


def _mixed(objective: Any) -> list[tuple[F, list[F]]]:
    """Return the weights and the populations of a mixture."""
    listed = zip(objective["weights"], objective["populations"], strict=True)
    return [(F(weight), [F(x) for x in each]) for weight, each in listed]


def _term(objective: Any, a: Any, b: Any) -> Any:
    """Return t(a, b) of a divergence, with many digits."""
    kind = objective["kind"]
    if kind == "kullback-leibler":
        return a * log(a / b) if a else mpf(0)
    if kind == "hellinger":
        return (a + b) / 2 - mp.sqrt(a * b)
    if kind == "jensen-shannon":
        return sum((z * log(2 * z / (a + b)) for z in (a, b) if z), mpf(0)) / 2
    r = _m(F(objective["order"]))
    both = a**r * b ** (1 - r) if a and b else 0
    return (both - r * a - (1 - r) * b) / (r * (r - 1))


def objective_of(kind: str, k: int, contrast: list[F] | None = None, against: list[F] | None = None) -> Any:
    """Return an objective."""
    made: dict[str, Any] = {"kind": kind}
    if kind == "c-optimal":
        made["contrast"] = contrast or [F(1), F(-1), *[F(0)] * (k - 2)]
    if kind in ("chi-square", "total-variation"):
        made["against"] = against or [F(i + 1) * 2 / (k * (k + 1)) for i in range(k)]
    if kind == "trace":
        made["weights"] = [F(1)] * k
    if kind == "loss":
        made["matrix"] = [[F(i != j) for j in range(k)] for i in range(k)]
    return made


def estimator(p: Matrix, pi: list[F], c: Matrix) -> Matrix:
    """Return the efficient estimator: ``a_i = C M^-1 p_i / lambda_i``, and 0 for outputs that are never given."""
    back = inverse(information(p, pi))
    rows = [
        [sum((x * y for x, y in zip(row, column, strict=True)), F(0)) for column in zip(*back, strict=True)]
        for row in c
    ]
    return [[dot(row, each) / dot(each, pi) if any(each) else F(0) for each in p] for row in rows]


def covariance(p: Matrix, pi: list[F]) -> Matrix:
    """Return ``M^-1 - pi pi^T``."""
    back = inverse(information(p, pi))
    return [[x - pi[i] * pi[j] for j, x in enumerate(row)] for i, row in enumerate(back)]


def bound_of(kind: str, w: Matrix | None, c: Matrix, b: F) -> F:
    """Return the bound that B proves."""
    if kind == "d-optimal":
        assert w is not None
        d = len(w) - 1
        return _outwards(d * log(_m(b / d)) - 2 * sum(log(abs(_m(w[j][j]))) for j in range(d)), 20, up=True)
    if w is None:
        return -b if kind == "loss" else b
    if kind == "e-optimal":
        return sum((x * x for row in w for x in row), F(0)) / b
    return sum((x * w[j][i] for i, row in enumerate(c) for j, x in enumerate(row)), F(0)) ** 2 / b


def worth_of(objective: Any, p: Matrix, pi: list[F]) -> tuple[F, dict[str, Any]]:
    """Return what the mechanism proves, and ``primal``."""
    kind, k = objective["kind"], len(pi)
    c = targets(kind, k, objective.get("contrast", []))
    if kind in SQUARES:
        v, a = covariance(p, pi), estimator(p, pi, c)
        if kind == "e-optimal":
            top = 2 * v[1][1] if k == 2 else v[0][0] * F(3, 2)  # V is a multiple of C: k = 2, or equal shares
            f = [[F(0)]] * 2 if k == 2 else [[_root(top / 3, up=False)]] * 3
            return top, {"estimator": a, "factor": f}
        if kind == "d-optimal":
            first = _root(v[0][0], up=True)
            f = [[first]]
            if k == 3:
                side = v[1][0] / first
                f = [[first, F(0)], [side, _root(v[1][1] - side**2, up=True)]]
            return _outwards(-2 * sum(log(_m(row[i])) for i, row in enumerate(f)), 20, up=False), {
                "estimator": a,
                "factor": f,
            }
        return sum((dot(dot_rows(v, row), row) for row in c), F(0)), {"estimator": a}
    if kind == "trace":
        return sum((F(x) * p[i][i] for i, x in enumerate(objective["weights"])), F(0)), {}
    if kind == "loss":
        lost = (
            (F(x) * y * share)
            for loss, row in zip(objective["matrix"], p, strict=True)
            for x, y, share in zip(loss, row, pi, strict=True)
        )
        return sum(lost, F(0)), {}
    if kind == "mutual-information":
        terms = [
            _m(share * x) * log(_m(x / dot(row, pi)))
            for row in p
            for x, share in zip(row, pi, strict=True)
            if x * share
        ]
        return _outwards(sum(terms), 20, up=False), {}
    q = [F(x) for x in objective["against"]]
    apart = [x - y for x, y in zip(pi, q, strict=True)]
    if kind == "total-variation":
        return sum((abs(dot(row, apart)) for row in p), F(0)) / 2, {}
    return sum((dot(row, apart) ** 2 / dot(row, q) for row in p if dot(row, q)), F(0)), {}


def dot_rows(a: Matrix, x: list[F]) -> list[F]:
    """Return ``A x``."""
    return [dot(row, x) for row in a]


def file(
    data: Any, objective: Any, pi: list[F], p: Matrix, brackets: tuple[Any, Any], dual: tuple[list[F], Any, Any], delta: F = F(0)
) -> Document:  # fmt: skip
    """Return the certificate of a mechanism and a dual, with the bounds that they prove."""
    kind, (alpha, beta, w) = objective["kind"], dual
    b = sum(alpha) + delta * sum((x for row in beta or () for x in row), F(0))
    bound = bound_of(kind, w, targets(kind, len(pi), objective.get("contrast", [])), b)
    worth, primal = worth_of(objective, p, pi)
    lower, upper = (bound, worth) if kind in LEAST else (worth, bound)
    claim = {"kind": "design-bracket", "lower": lower, "upper": upper, "mechanism": {"matrix": p}}
    witness = {
        "rule": "rays", "gamma": brackets[0], "delta": brackets[1], "dual": {"alpha": alpha, "beta": beta, "matrix": w},
        "primal": primal, "logarithms": {"digits": "60"} if kind in LOGARITHMS else [],
    }  # fmt: skip
    return with_(({"region": data, "objective": objective, "population": pi}, claim, witness))


def of(
    kind: str, g: F, pi: list[F], *, level: Any = None, gammas: tuple[F, F] | None = None, delta: Any = "0",
    deltas: tuple[F, F] = (F(0), F(0)), contrast: list[F] | None = None, against: list[F] | None = None,
    outputs: str = "any", slack: F = F(0),
) -> Document:  # fmt: skip
    """Return the certificate of the best mechanism; ``slack`` is added to every alpha.

    Two categories: alpha is tight on (gamma, 1) and (1, gamma), beta on (1, 0) and (0, 1). Three with equal shares and
    delta = 0: alpha has one value.
    """
    k = len(pi)
    gammas = gammas or (g, g)
    objective = objective_of(kind, k, contrast, against)
    w = matrix_of(kind, k, objective.get("contrast", []))
    top, d = gammas[1], deltas[1]
    below = four_answers(gammas[0], deltas[0]) if k == 2 else next(iter(subset_selections(k, gammas[0])))
    if kind in LINEAR:
        outputs, m = "2", (gammas[0] + deltas[0]) / (gammas[0] + 1)
        below = [[m, 1 - m], [1 - m, m]]

    def at(*row: F) -> F:
        return phi(objective, w, row, pi)

    one, zero = F(1), F(0)
    if k == 3:
        each = max(at(*r) / sum(r) for r in product((one, top), repeat=3))
        alpha = [each] * 3
    elif top > 1:
        alpha = solve([[top, one], [one, top]], [at(top, one), at(one, top)]) or []
    else:
        ends = at(one, zero), at(zero, one)
        alpha = [x - (sum(ends) - at(one, one)) / 2 for x in ends]
    beta = None if delta == "0" else [[zero, at(one, zero) - alpha[0]], [at(zero, one) - alpha[1], zero]]
    alpha = [x + slack for x in alpha]
    written = level or ({"log": str(g)} if g > 1 else {"rational": "0"})
    brackets = bracket(*gammas), bracket(*deltas)
    return file(region(written, delta, k, outputs), objective, pi, below, brackets, (alpha, beta, w), d)


def further(objective: Any, g: F, pi: list[F], d: F = F(0), slack: F = F(0)) -> Document:
    """Return the best mechanism of two categories for an objective of the lower half of the table, or for a mixture.

    Of a mixture of variances ``W_b`` is scaled by ``1/sum_i phi_b(p_i)``: then the bound is the mean of the variances.
    """
    k, p = len(pi), four_answers(g, d)
    inner = objective.get("objective", objective)
    own = _matrix_for(inner, k)
    w: Any = own
    if own is not None and inner is not objective:
        w = []
        for _, each in _mixed(objective):
            scale = sum((phi(inner, own, row, each) for row in p if any(row)), F(0))
            w.append([[x / scale for x in row] for row in own])
    one, zero = F(1), F(0)
    alpha = solve([[g, one], [one, g]], [phi(objective, w, r, pi) for r in ((g, one), (one, g))]) or []
    alpha = [x + slack for x in alpha]
    b, beta = sum(alpha, zero), None
    if d:
        ends = [phi(objective, w, r, pi) - x + slack for r, x in (((one, zero), alpha[0]), ((zero, one), alpha[1]))]
        b, beta = b + d * sum(ends), [[zero, ends[0]], [ends[1], zero]]
    worth, primal = _worth_for(objective, p, pi)
    bound = _bound_for(objective, k, w, b)
    lower, upper = (bound, worth) if inner["kind"] in LEAST else (worth, bound)
    claim = {"kind": "design-bracket", "lower": lower, "upper": upper, "mechanism": {"matrix": p}}
    witness = {
        "rule": "rays", "gamma": bracket(g), "delta": bracket(d), "dual": {"alpha": alpha, "beta": beta, "matrix": w},
        "primal": primal, "logarithms": {"digits": "60"} if _has_logarithms(objective) else [],
    }  # fmt: skip
    return with_(
        (
            {"region": region({"log": str(g)}, str(d), k, "any"), "objective": objective, "population": pi},
            claim,
            witness,
        )
    )


def _has_logarithms(objective: Any) -> bool:
    kind = objective.get("objective", objective)["kind"]
    return kind in LOGARITHMS or kind in DIVERGENCES


def _matrix_for(objective: Any, k: int) -> Matrix | None:
    """Return W, which has as many columns as C has rows."""
    if objective["kind"] != "contrasts":
        return matrix_of(objective["kind"], k, [F(x) for x in objective.get("contrast", [])])
    rows = [[F(x) for x in row] for row in objective["contrasts"]]
    return [[row[j] - sum(row) / k for row in rows] for j in range(k)]


def _targets_for(objective: Any, k: int) -> Matrix:
    if objective["kind"] == "contrasts":
        return [[F(x) for x in row] for row in objective["contrasts"]]
    return targets(objective["kind"], k, [F(x) for x in objective.get("contrast", [])])


def _worth_for(objective: Any, p: Matrix, pi: list[F]) -> tuple[F, dict[str, Any]]:
    """Return what the mechanism proves, and ``primal``."""
    k, inner = len(pi), objective.get("objective", objective)
    if _matrix_for(inner, k) is None:
        if _has_logarithms(objective):  # each phi is rounded up by at most 1e-12
            return sum((phi(objective, None, row, pi) for row in p if any(row)), F(0)) - F(1, 10**10), {}
        return sum((phi(objective, None, row, pi) for row in p if any(row)), F(0)), {}
    c, total, found = _targets_for(inner, k), F(0), []
    for weight, each in _mixed(objective) if inner is not objective else [(F(1), pi)]:
        v = covariance(p, each)
        total += weight * sum((dot(dot_rows(v, row), row) for row in c), F(0))
        found.append(estimator(p, each, c))
    return total, {"estimators": found} if inner is not objective else {"estimator": found[0]}


def _bound_for(objective: Any, k: int, w: Any, b: F) -> F:
    """Return the bound that B proves."""
    inner = objective.get("objective", objective)
    c = _targets_for(inner, k)
    if inner is objective or w is None:
        return bound_of(inner["kind"], w, c, b)
    traces = (
        weight * sum((x * own[j][i] for i, row in enumerate(c) for j, x in enumerate(row)), F(0))
        for (weight, _), own in zip(_mixed(objective), w, strict=True)
    )
    return sum(traces, F(0)) ** 2 / b


def _fractions(data: Any) -> Any:
    return [_fractions(x) for x in data] if isinstance(data, list) else F(data)


def with_dual(made: Document, *changes: tuple[str, Any]) -> Document:
    """Return the file with another dual, and with the bound that this dual would prove."""
    made = with_(made, *((f"2.dual.{path}", value) for path, value in changes))
    dual, objective = made[2]["dual"], made[0]["objective"]
    numbers = [F(x) for row in dual["beta"] or () for x in row]
    b = sum(map(F, dual["alpha"])) + F(made[2]["delta"]["above"]) * sum(numbers)
    k = len(dual["alpha"])
    w = None if dual["matrix"] is None else _fractions(dual["matrix"])
    is_least = objective.get("objective", objective)["kind"] in LEAST
    return with_(made, ("1.lower" if is_least else "1.upper", _bound_for(objective, k, w, b)))


def trace_of(k: int, g: F, d: F) -> Document:
    """Return the best trace of k categories: alpha and beta have one value each (see ``oracle.optimum``)."""
    each, apart = g / (g + k - 1), 1 / (g + k - 1)
    high, low = (g + (k - 1) * d) / (g + k - 1), (1 - d) / (g + k - 1)
    p = [[high if i == j else low for j in range(k)] for i in range(k)]
    beta = [[F(0) if i == j else apart for j in range(k)] for i in range(k)] if d else None
    data = region({"log": str(g)}, str(d), k, str(k))
    return file(data, objective_of("trace", k), [F(1, k)] * k, p, (bracket(g), bracket(d)), ([each] * k, beta, None), d)


def paired(kind: str, a: F | None, b: F | None, pi: list[F], outputs: str = "any") -> Document:
    """Return two categories with a level for each ordered pair, ``None`` for no condition: two rays."""
    objective = objective_of(kind, 2)
    w = matrix_of(kind, 2, objective.get("contrast", []))
    p = two_rays(a, b)
    alpha = solve(p, [phi(objective, w, row, pi) for row in p]) or []
    levels = [[None, _level(a)], [_level(b), None]]
    gamma = [[None, None if a is None else bracket(a)], [None if b is None else bracket(b), None]]
    data = {"kind": "pairwise-privacy", "inputs": "2", "outputs": outputs, "levels": levels}
    return file(data, objective, pi, p, (gamma, bracket(F(0))), (alpha, None, w))


def _level(g: F | None) -> Any:
    return None if g is None else {"log": str(g)} if g > 1 else {"rational": "0"}


def chain(g: F = F(2)) -> Document:
    """Return three categories in a chain, 0 and 2 without a level, two outputs: alpha is tight on three of four rays."""
    m = max(F(0), 1 - 1 / (2 * g))
    p = [[m, F(1, 2), 1 - m], [1 - m, F(1, 2), m]]
    objective = {"kind": "loss", "matrix": [[F(0), F(0), F(1)], [F(1), F(0), F(0)]]}
    one, edge = _level(g), bracket(g)
    data = {
        "kind": "pairwise-privacy", "inputs": "3", "outputs": "2",
        "levels": [[None, one, None], [one, None, one], [None, one, None]],
    }  # fmt: skip
    gamma = [[None, edge, None], [edge, None, edge], [None, edge, None]]
    alpha = [F(0), -1 / (3 * g), F(0)]
    return file(data, objective, EQUAL3, p, (gamma, bracket(F(0))), (alpha, None, None))


def idle(g: F, d: F) -> Document:
    """Return three categories, the third of share 0 and without weight in the contrast: the optimum is that of two."""
    two = of("c-optimal", g, EQUAL2, delta=str(d), deltas=(d, d))
    objective = objective_of("c-optimal", 3)
    p = [[*row, sum(row) / 2] for row in four_answers(g, d)]
    alpha = [*map(F, two[2]["dual"]["alpha"]), F(0)]
    beta = [[*map(F, row), F(0)] for row in two[2]["dual"]["beta"]] + [[F(0)] * 3]
    w = [[F(1)], [F(-1)], [F(0)]]
    pi = [F(1, 2), F(1, 2), F(0)]
    a = [[*map(F, row)] for row in two[2]["primal"]["estimator"]]
    b = sum(alpha) + d * sum(map(sum, beta))
    claim = {"kind": "design-bracket", "lower": 4 / b, "upper": two[1]["upper"], "mechanism": {"matrix": p}}
    witness = {
        "rule": "rays", "gamma": bracket(g), "delta": bracket(d), "dual": {"alpha": alpha, "beta": beta, "matrix": w},
        "primal": {"estimator": a}, "logarithms": [],
    }  # fmt: skip
    return with_(
        (
            {"region": region({"log": str(g)}, str(d), 3, "any"), "objective": objective, "population": pi},
            claim,
            witness,
        )
    )


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    _inequalities(s)
    _bounds(s)
    _duals(s)
    _lists(s)
    _several(s)
    _mechanisms(s)
    _zeros(s)
    _logarithms(s)
    _further(s)


_SAME = "| `abs(r W)^2 <= g(r) s` and `g(r) >= 0` |"
_ROWS = {
    **dict.fromkeys(SQUARES, _SAME),
    "chi-square": "`(r.(pi-q))^2 <= g(r) (r.q)` and `g(r) >= 0` | `upper >= B` |",
    "mutual-information": "`sum_j pi_j r_j ln r_j - s ln s <= g(r)` | `upper >= B` |",
    "total-variation": "`abs(r.v) <= g(r)` | `upper >= B` |",
    "trace": "`w_i r_i <= g(r)` for each output i | `upper >= B` |",
    "loss": "`-sum_j pi_j L_ij r_j <= g(r)` for each output i | `lower <= -B` |",
}
_SUM = "`lower <= tr(C W)^2 / B`, B > 0"
_BOUNDS = {
    "a-optimal": _SUM, "c-optimal": _SUM, "variance": _SUM,
    "e-optimal": "`lower <= abs(W)^2 / B` (sum of squares of entries), B > 0",
    "d-optimal": "`upper >= (k-1) ln(B/(k-1)) - 2 sum_(j<k-1) ln abs(W_jj)`, B > 0",
}  # fmt: skip
LEVELS = (  # gamma, delta and the shares
    (F(3), F(0), EQUAL2), (F(3), F(0), UNEQUAL), (F(2), F(1, 4), UNEQUAL), (F(2), F(1), EQUAL2), (F(1), F(1, 4), EQUAL2),
    (F(1), F(1), UNEQUAL),
)  # fmt: skip


def _all(kind: str) -> list[Document]:
    """Return files at all levels; two shares, and three equal ones where the optimum is known."""
    made = [
        of(kind, g, pi, delta=str(d), deltas=(d, d))
        for g, d, pi in LEVELS
        if kind != "loss" or g > 1 or pi is EQUAL2  # else one output alone is the best
    ]
    if kind not in ("variance", "c-optimal", "chi-square", "total-variation", *LINEAR):
        made.append(of(kind, F(7), EQUAL3))
    return made


def _inequalities(s: Suite) -> None:
    """Each inequality at equality, with a unit of room, and a unit beyond: there the bound passes the optimum."""
    for kind in KINDS:
        logs = kind in LOGARITHMS
        entered = s.condition(PAGE, _ROWS[kind], OPEN if kind == "mutual-information" else INEQUALITY)
        for made in _all(kind):
            alpha = [F(x) for x in made[2]["dual"]["alpha"]]
            s.add(entered, "within" if logs else "equality", made, True)
            for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
                every = with_dual(made, ("alpha", [x + change for x in alpha]))
                s.add(entered, boundary, every, boundary == "within")
            # the bound is that of the old alpha
            s.add(entered, "beyond", with_(made, ("2.dual.alpha.0", alpha[0] - UNIT)), False)
            beta = made[2]["dual"]["beta"]
            for j in range(2 if beta else 0):
                place = f"beta.{j}.{1 - j}"
                x = F(beta[j][1 - j])
                if x:
                    s.add(entered, "beyond", with_dual(made, (place, x - min(UNIT, x / 2))), False)
    exact = s.condition(PAGE, "An inequality with a logarithm holds if it holds for the unfavourable ends.", OPEN)
    for d in (F(0), F(1, 4)):
        made = of("mutual-information", F(2), EQUAL2, delta=str(d), deltas=(d, d))
        alpha = [F(x) for x in made[2]["dual"]["alpha"]]
        for change, boundary in ((F(1, 10**25), "within"), (-F(1, 10**25), "beyond")):
            moved = with_dual(made, ("alpha", [x + change for x in alpha]))
            s.add(exact, boundary, moved, boundary == "within")


def _bounds(s: Suite) -> None:
    """Both bounds at equality, with a unit of room and a unit beyond; B = 0 and below."""
    order = s.condition(PAGE, "`lower <= upper`.", INEQUALITY)
    sides = {
        **dict.fromkeys(("a-optimal", "c-optimal", "variance"), "`upper >= tr V` for the first three."),
        "e-optimal": "`D = upper I - V - F F^T` (`e-optimal`; F has k rows)",
        "d-optimal": "`d-optimal`: `lower <= -2 sum_j ln abs(F_jj)`.",
        "chi-square": "`chi-square`: `lower <= sum_i (p_i.(pi-q))^2/(p_i.q)` over the rows with `p_i.q > 0`.",
        "total-variation": "`total-variation`: `lower <= sum_i abs(p_i.v)`.",
        "trace": "`trace`: `lower <= sum_i w_i p_ii`.",
        "loss": "`loss`: `upper >= sum_ij pi_j L_ij p_ij`.",
        "mutual-information": "`lower <=` the low end of the sum of `pi_j p_ij ln(p_ij/lambda_i)` over the terms with `pi_j p_ij > 0`.",
    }
    for kind in KINDS:
        logs = kind in LOGARITHMS
        needs = OPEN if logs else INEQUALITY
        other = s.condition(PAGE, _BOUNDS.get(kind, _ROWS[kind]), needs)
        own = s.condition(PAGE, sides[kind], needs)
        files = _all(kind)
        for made in files:
            mine, its = ("upper", "lower") if kind in LEAST else ("lower", "upper")
            for key, entered in ((mine, own), (its, other)):
                x, sign = F(made[1][key]), 1 if key == "upper" else -1
                s.add(entered, "within" if logs else "equality", made, True)
                s.add(entered, "within", with_(made, (f"1.{key}", x + sign * UNIT)), True)
                s.add(entered, "beyond", with_(made, (f"1.{key}", x - sign * UNIT)), False)
                # the other bound leaves room, so that this one alone is wrong
                free = its if key == mine else mine
                room = (f"1.{free}", F(made[1][free]) - sign)
                s.add(entered, "beyond", with_(made, (f"1.{key}", x - sign * UNIT), room), False)
                if made is files[0]:
                    s.add(entered, "beyond", with_(made, (f"1.{key}", -x if x * sign > 0 else x - sign)), False)
        made = of(kind, F(3), EQUAL2)
        lower, upper = F(made[1]["lower"]), F(made[1]["upper"])
        s.add(order, "within" if lower < upper else "equality", made, True)
        wide = with_(made, ("1.lower", lower - UNIT), ("1.upper", upper + UNIT))
        s.add(order, "within", wide, True)
        s.add(order, "beyond", with_(made, ("1.lower", upper + UNIT), ("1.upper", lower - UNIT)), False)
        s.add(order, "beyond", with_(made, ("1.lower", upper - UNIT), ("1.upper", lower - 2 * UNIT)), False)
        if kind not in SQUARES:
            continue
        positive = s.condition(PAGE, _BOUNDS[kind], (*INEQUALITY,) if not logs else OPEN)
        w = made[2]["dual"]["matrix"]
        nothing = [["0"] * len(row) for row in w]
        key, bounds = ("upper", ("0", "1000")) if kind == "d-optimal" else ("lower", ("0", "1"))
        for delta in (False, True):
            base = of(kind, F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2) if delta else made
            for b, boundary in ((F(0), "equality"), (-UNIT, "beyond")):
                flat = with_(base, ("2.dual.alpha", [b / 2, b / 2]), ("2.dual.matrix", nothing))
                flat = with_(flat, ("2.dual.beta", [["0", "0"], ["0", "0"]])) if delta else flat
                for bound in bounds:
                    s.add(positive, boundary if not logs else "beyond", with_(flat, (f"1.{key}", bound)), False)
                    kept = with_(flat, ("2.dual.matrix", w), (f"1.{key}", bound))
                    s.add(positive, boundary if not logs else "beyond", kept, False)
        if kind != "d-optimal":  # W = 0 proves the bound 0, and nothing below B > 0 is asked
            zero = with_(made, ("2.dual.alpha", ["1", "1"]), ("2.dual.matrix", nothing), ("1.lower", "0"))
            s.add(positive, "within", zero, True)
            s.add(positive, "within", with_(zero, ("1.lower", "-7")), True)
            s.add(positive, "beyond", with_(zero, ("1.lower", UNIT)), False)


def _duals(s: Suite) -> None:
    """The form of the dual: beta, the columns of W, its triangle, keys that an objective does not use."""
    beta = s.condition(
        PAGE,
        '`beta` is, for a level, `null` where the region writes its delta as `"0"` (or has none); else k rows of k numbers, each at least 0, and 0 on the diagonal and for pairs that the level does not have.',
        INEQUALITY,
    )
    for kind in KINDS:
        made = of(kind, F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2)
        s.add(beta, "within", made, True)
        # with enough alpha no beta is needed
        most = max(phi_at(made, e) for e in ((F(1), F(0)), (F(0), F(1)), (F(2), F(1)), (F(1), F(2))))
        rich = with_dual(made, ("alpha", [max(most, F(0)) + 1] * 2), ("beta", [["0", "0"], ["0", "0"]]))
        s.add(beta, "equality", rich, True)
        for j, x in ((0, -UNIT), (1, F(-1))):
            s.add(beta, "beyond", with_(rich, (f"2.dual.beta.{j}.{1 - j}", x)), False)
            s.add(beta, "beyond", with_dual(rich, (f"beta.{j}.{1 - j}", x)), False)
        for j, x in ((0, UNIT), (1, F(-100))):
            s.add(beta, "beyond", with_(rich, (f"2.dual.beta.{j}.{j}", x)), False)
        s.add(beta, "beyond", with_dual(rich, ("beta.1.1", UNIT)), False)
        s.add(beta, "beyond", with_(rich, ("2.dual.beta", None)), False, "form")
        without = of(kind, F(3), EQUAL2)
        s.add(beta, "beyond", with_(without, ("2.dual.beta", [["0", "0"], ["0", "0"]])), False, "form")
    columns = s.condition(PAGE, "Every column of W sums to 0.", EQUATION)
    for kind in SQUARES:
        for d in (F(0), F(1, 4)):
            made = of(kind, F(2), EQUAL2, delta=str(d), deltas=(d, d))
            wide = with_dual(made, ("alpha", ["100", "100"]))
            s.add(columns, "equality", wide, True)
            x = F(made[2]["dual"]["matrix"][0][0])
            for change, side in ((-UNIT, "below"), (UNIT, "above"), (F(-1), "below"), (F(1), "above")):
                s.add(columns, side, with_(wide, ("2.dual.matrix.0.0", x + change)), False)
            # all columns sum to k: g counts constant rows, and tr(C W) is larger
            shifted = [[F(y) + 1 for y in row] for row in made[2]["dual"]["matrix"]]
            claimed = (
                with_dual(wide, ("matrix", shifted)) if kind != "d-optimal" else with_(wide, ("2.dual.matrix", shifted))
            )
            s.add(columns, "above", claimed, False)
    shape = s.condition(PAGE, "k columns; as many as C has rows", SPECIAL)
    for kind, width in (("a-optimal", 1), ("a-optimal", 3), ("c-optimal", 2), ("variance", 2)):
        made = of(kind, F(3), EQUAL2)
        s.add(shape, "special value", with_(made, ("2.dual.matrix", [["1"] * width, ["-1"] * width])), False, "form")
    any_width = s.condition(PAGE, "any number of columns", SPECIAL)
    made = of("e-optimal", F(3), EQUAL2)
    one = with_dual(made, ("matrix", [["1"], ["-1"]]), ("alpha", [2 * F(x) for x in made[2]["dual"]["alpha"]]))
    s.add(any_width, "special value", one, True)
    w = [[*row, "0"] for row in made[2]["dual"]["matrix"]]
    s.add(any_width, "special value", with_(made, ("2.dual.matrix", w)), True)
    triangle = s.condition(PAGE, "k-1 columns; `W_ij = 0` for i < j, i < k-1, and `W_jj` not 0", (*OPEN, "equality"))
    made = of("d-optimal", F(7), EQUAL3)
    rich = with_dual(made, ("alpha", ["1000"] * 3))
    s.add(triangle, "within", rich, True)
    s.add(triangle, "within", with_dual(of("d-optimal", F(3), EQUAL2), ("matrix", [["-1"], ["1"]])), True)
    for w, boundary in (
        ([["1", str(UNIT)], ["-1/2", "1/2"], ["-1/2", str(-F(1, 2) - UNIT)]], "beyond"),
        ([["1", "1"], ["-1/2", "1/2"], ["-1/2", "-3/2"]], "beyond"),
        ([["0", "0"], ["1", "1"], ["-1", "-1"]], "equality"),
        ([["1", "0"], ["-1", "0"], ["0", "0"]], "equality"),
        ([["1", "0"], ["1", "0"], ["-2", "0"]], "equality"),
        ([["0", "0"], ["0", "0"], ["0", "0"]], "equality"),
    ):
        for bound in (rich[1]["upper"], "1000", "-1000"):
            s.add(triangle, boundary, with_(rich, ("2.dual.matrix", w), ("1.upper", bound)), False)
    s.add(triangle, "equality", with_(of("d-optimal", F(3), EQUAL2), ("2.dual.matrix", [["0"], ["0"]])), False)
    wide = with_(of("d-optimal", F(3), EQUAL2), ("2.dual.matrix", [["1", "0"], ["-1", "0"]]))
    s.add(triangle, "beyond", wide, False, "form")
    unused = s.condition(PAGE, "for the objectives with a W in the table, else `null`.", SPECIAL)
    for kind in (*SUMS, *LINEAR):
        made = of(kind, F(3), EQUAL2)
        s.add(unused, "special value", with_(made, ("2.dual.matrix", [["0"], ["0"]])), False, "form")
        s.add(unused, "special value", with_(made, ("2.primal", {"estimator": [["0", "0"]]})), False, "form")
    for kind in SQUARES:
        s.add(unused, "special value", with_(of(kind, F(3), EQUAL2), ("2.dual.matrix", None)), False, "form")
    outputs = s.condition(PAGE, "Of `trace` and `loss` `outputs` is a number, of `trace` k.", SPECIAL)
    for kind in LINEAR:
        s.add(outputs, "special value", of(kind, F(3), EQUAL2), True)
        s.add(outputs, "special value", with_(of(kind, F(3), EQUAL2), ("0.region.outputs", "any")), False, "form")
    three = with_(of("trace", F(3), EQUAL2), ("0.region.outputs", "3"))
    s.add(outputs, "special value", three, False, "form")
    more = [["3/4", "1/4"], ["1/4", "3/4"], ["0", "0"]]
    s.add(outputs, "special value", with_(three, ("1.mechanism.matrix", more)), False, "form")


def phi_at(made: Document, r: tuple[F, F]) -> F:
    """Return the left side of a file's inequality at a ray."""
    w = made[2]["dual"]["matrix"]
    numbers = None if w is None else [[F(x) for x in row] for row in w]
    return phi(made[0]["objective"], numbers, r, [F(x) for x in made[0]["population"]])


def _lists(s: Suite) -> None:
    """The lists of rays: their limits, gamma = 1, levels for pairs."""
    few = s.condition(PAGE, "k <= `MAX_PATTERN_INPUTS`, gamma.above > 1.", ("equality", "within", "beyond"))
    for kind in KINDS:
        s.add(few, "within", of(kind, 1 + UNIT, EQUAL2), True) if kind not in LOGARITHMS else None
        base = of(kind, F(3), EQUAL2)
        one = with_(base, ("0.region.epsilon", {"rational": "0"}), ("2.gamma", bracket(F(1))))
        s.add(few, "equality", one, False)
        if kind in SUMS:  # nothing is revealed, and the bound 0 is true: the page leaves it to other rules
            even = [["1/2", "1/2"], ["1/2", "1/2"]]
            zero = with_(one, ("1.mechanism.matrix", even), ("1.lower", "0"), ("1.upper", "0"))
            s.add(few, "equality", with_(zero, ("2.dual.alpha", ["0", "0"])), False)
        s.add(few, "equality", with_(one, ("1.mechanism.matrix", [["1/2", "1/2"], ["1/2", "1/2"]])), False)
    s.add(few, "within", trace_of(10, F(3), F(0)), True)
    s.add(few, "beyond", trace_of(19, F(3), F(0)), False, "limit")
    with_delta = s.condition(
        PAGE,
        "For each first positive entry and each n the vectors with n positive entries and the rays found before them are together at most `MAX_RAYS`.",
        ("equality", "within", "limit", "beyond"),
    )
    for k, g, d in ((3, F(3), F(1, 4)), (3, F(2), UNIT), (3, F(2), F(1)), (4, F(3, 2), F(1, 10)), (6, F(2), F(1, 4))):
        made = trace_of(k, g, d)
        s.add(with_delta, "limit" if k == 6 else "equality", made, True)
        each, apart = F(made[2]["dual"]["alpha"][0]), F(made[2]["dual"]["beta"][0][1])
        if k == 6:
            continue
        for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
            more = with_dual(made, ("alpha", [each + change] * k))
            s.add(with_delta, boundary, more, boundary == "within")
            more = with_dual(made, ("beta", [[apart + change if i != j else 0 for j in range(k)] for i in range(k)]))
            s.add(with_delta, boundary, more, boundary == "within")
        # one slope alone: the ray of one input, and no other, is beyond
        s.add(with_delta, "beyond", with_dual(made, ("beta.0.1", apart - UNIT)), False)
    s.add(with_delta, "beyond", trace_of(7, F(2), F(1, 4)), False, "limit")
    pairs = s.condition(
        PAGE,
        "Drop the result if `r_a > gamma_t r_b > 0` for a wall (a, b) and r_a > 0, else it is found as well; equal vectors count once. The rays are the vectors found that satisfy `r_a <= gamma_t r_b` for all walls (a, b).",
        INEQUALITY,
    )
    for kind in KINDS:
        few_kinds = kind in ("chi-square", "variance", "trace")
        for a, b in ((F(2), F(5)), (F(3), None), *([(F(3), F(3)), (None, F(2)), (None, None)] if few_kinds else [])):
            made = paired(kind, a, b, EQUAL2, "2" if kind in LINEAR else "any")
            s.add(pairs, "within" if kind in LOGARITHMS else "equality", made, True)
            alpha = [F(x) for x in made[2]["dual"]["alpha"]]
            for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
                moved = with_dual(made, ("alpha", [x + change for x in alpha]))
                s.add(pairs, boundary, moved, boundary == "within")
            if a is not None and few_kinds:
                over = paired(kind, a + UNIT, b, EQUAL2, made[0]["region"]["outputs"])
                moved = with_(made, ("1.mechanism", over[1]["mechanism"]))
                moved = with_(moved, ("1.lower", over[1]["lower"])) if kind not in LEAST else with_(
                    moved, ("1.upper", over[1]["upper"]), ("1.lower", "0"), ("2.primal", over[2]["primal"]))  # fmt: skip
                s.add(pairs, "beyond", moved, False)
                less = with_(made, ("2.gamma.0.1", None))
                s.add(pairs, "beyond", less, False, "form")
    for g in (F(2), F(3), F(3, 2)):
        made = chain(g)
        s.add(pairs, "equality", made, True)
        for at in range(3):
            x = F(made[2]["dual"]["alpha"][at])
            s.add(pairs, "beyond", with_dual(made, (f"alpha.{at}", x - UNIT)), False)
        s.add(pairs, "beyond", with_dual(made, ("alpha.0", UNIT), ("alpha.2", -UNIT)), False)
        s.add(pairs, "within", with_dual(made, ("alpha.1", F(made[2]["dual"]["alpha"][1]) + UNIT)), True)
    places = s.condition(
        PAGE,
        "Region `differential-privacy` (family `all`), `criterion`, `pairwise-privacy` or `privacy-levels`;",
        SPECIAL,
    )
    for kind in KINDS:
        for below, above in ((F(4), F(4)), (4 - UNIT, 4 + UNIT)):
            place = criterion(below, above)
            made = of(kind, F(4), EQUAL2, gammas=(below, above))
            outputs = made[0]["region"]["outputs"]
            made = with_(made, ("0.region", {**place[0]["region"], "outputs": outputs}), ("2.gamma", place[2]["gamma"]))
            s.add(places, "special value", made, True)
            alpha = [F(x) - UNIT for x in made[2]["dual"]["alpha"]]
            s.add(places, "special value", with_dual(made, ("alpha", alpha)), False)
            if below < 4:
                s.add(places, "special value", with_(made, ("2.gamma.below", 4 + UNIT)), False)
    number = with_(of("chi-square", F(3), EQUAL2), ("0.region.family", "warner"), ("0.region.outputs", "2"))
    s.add(few, "beyond", number, False, "form")


def restated(made: Document, times: int = 1) -> Document:
    """Return the file of one level of all pairs as one of several: the level ``times`` times, beta on the first."""
    data, dual = made[0]["region"], made[2]["dual"]
    level = {"epsilon": data["epsilon"], "delta": data["delta"], "pairs": "all"}
    zero = None if dual["beta"] is None else [["0"] * len(row) for row in dual["beta"]]
    return with_(
        made,
        ("0.region", {key: data[key] for key in ("inputs", "outputs")} | {"kind": "privacy-levels"}),
        ("0.region.levels", [level] * times),
        ("2.gamma", [made[2]["gamma"]] * times),
        ("2.delta", [made[2]["delta"]] * times),
        ("2.dual.beta", [dual["beta"]] + [zero] * (times - 1)),
    )


def _several(s: Suite) -> None:
    """Several levels: one level restated, its dual moved; the form of levels, pairs and beta."""
    place = s.condition(
        PAGE,
        "of other regions as in rules 1, 3 and 12.",
        SPECIAL,
    )
    for kind in ("trace", "chi-square", "variance", "d-optimal"):
        for g, d in ((F(3), F(0)), (F(2), F(1, 4)), (F(1), F(1, 4))):
            made = of(kind, g, EQUAL2, delta=str(d), deltas=(d, d))
            s.add(place, "special value", restated(made, 1 + (kind == "trace")), True, known=True)
            alpha = [F(x) - UNIT for x in made[2]["dual"]["alpha"]]
            moved = with_dual(made, ("alpha", alpha))
            s.add(place, "special value", restated(moved, 2), False, known=truth(*moved[:2]))
    k = 3
    made = restated(trace_of(k, F(3), F(1, 4)))
    s.add(place, "special value", with_(made, ("0.region.levels", [])), False, "form")
    beta = [list(row) for row in made[2]["dual"]["beta"][0]]
    pairs = [[str(j), str(i)] for j in range(k) for i in range(k) if i != j]
    listed = with_(made, ("0.region.levels.0.pairs", pairs))
    s.add(place, "special value", listed, True, known=True)
    for wrong in (
        *([], [["0", "0"]], [["0", "3"]], [["0", "1"], ["0", "1"]], [["1", "0"], ["0", "1"]], [["0"]], "any", None),
        *([["0", "1", "2"]], [["-1", "0"]], "0"),
    ):
        s.add(place, "special value", with_(made, ("0.region.levels.0.pairs", wrong)), False, "form")
    for path in ("2.gamma", "2.delta", "2.dual.beta"):
        s.add(place, "special value", with_(made, (path, [])), False, "form")
        s.add(place, "special value", with_(made, (path, made[2]["gamma"][0])), False, "form")
    s.add(place, "special value", with_(made, ("2.dual.beta.0", None)), False, "form")
    without = restated(of("trace", F(3), EQUAL2))
    s.add(place, "special value", with_(without, ("2.dual.beta.0", [["0", "0"], ["0", "0"]])), False, "form")
    for at, pair in ((0, ["0", "1"]), (5, ["2", "1"])):  # a pair less: its beta must be 0 then
        fewer = with_(made, ("0.region.levels.0.pairs", pairs[:at] + pairs[at + 1 :]))
        s.add(place, "special value", fewer, False, "form")
        j, i = map(int, pair)
        zero = [[x if (a, b) != (j, i) else "0" for b, x in enumerate(row)] for a, row in enumerate(beta)]
        s.add(place, "special value", with_(fewer, ("2.dual.beta.0", zero)), False, known=False)
    for change in (F(-1), -UNIT):
        s.add(place, "special value", with_(made, ("2.dual.beta.0.0.1", change)), False)
    far = with_(made, ("0.region.levels.0.delta", "1/5"), ("2.delta.0", bracket(F(1, 5))))
    s.add(place, "special value", far, False, known=False)


def _degenerate(k: int) -> list[tuple[Matrix, str]]:
    even = [[F(1, 2)] * k, [F(1, 2)] * k]
    return [
        (even, "singular"), ([[F(1)] * k], "equal columns"), ([[F(1, 4)] * k, [F(3, 4)] * k], "equal columns"),
        ([[F(0)] * k, [F(1)] * k], "singular on the contrasts"),
    ]  # fmt: skip


def _brackets(s: Suite, kind: str, root: Any, small: tuple[F, F]) -> None:
    """g, B and the rays are those at above: duals that are valid at below alone."""
    entered = s.condition(PAGE, "`g(p) = alpha.p + sum beta_t,jl h_t,jl(p)`, at gamma.above, and", SPECIAL)
    low, high = 3 - UNIT, 3 + UNIT
    quarter = (F(1, 4), F(1, 4))
    made = of(kind, F(3), EQUAL2, level=root, gammas=(low, high), delta="1/4", deltas=quarter)
    s.add(entered, "special value", made, True)
    alpha = [F(x) - UNIT / 100 for x in made[2]["dual"]["alpha"]]
    s.add(entered, "special value", with_dual(made, ("alpha", alpha)), False)
    under = of(kind, F(3), EQUAL2, level=root, gammas=(low, low), delta="1/4", deltas=quarter)
    s.add(entered, "special value", with_(under, ("2.gamma", bracket(low, high))), False)
    bound = s.condition(PAGE, "`B = sum alpha + sum delta_t.above beta_t,jl`.", SPECIAL)
    made = of(kind, F(3), EQUAL2, delta={"exp": "-2"}, deltas=small)
    less = with_dual(with_(made, ("2.delta.above", small[0])), ("alpha", made[2]["dual"]["alpha"]))
    s.add(bound, "special value", made, True)
    s.add(bound, "special value", with_(less, ("2.delta.above", small[1])), False)


def _mechanisms(s: Suite) -> None:
    """Membership, unbiased estimators, singular mechanisms, outputs that are never given, and dominance."""
    lies = s.condition(
        PAGE, "The mechanism lies in the region at `below` (m rows if `outputs` is a number).", INEQUALITY
    )
    for kind in KINDS:
        root = {"log": "9", "times": "1/2"}
        s.add(lies, "within", of(kind, F(3), EQUAL2, level=root, gammas=(3 - UNIT, 3 + UNIT)), True)
        small = (F(13, 100), F(14, 100))  # around exp(-2)
        s.add(lies, "within", of(kind, F(3), EQUAL2, delta={"exp": "-2"}, deltas=small), True)
        _brackets(s, kind, root, small)
        for d in (F(0), F(1, 4)):
            made = of(kind, F(3), EQUAL2, delta=str(d), deltas=(d, d))
            s.add(lies, "equality", made, True)
            over = of(kind, F(3) + (0 if d else UNIT), EQUAL2, delta=str(d and d + UNIT), deltas=(d and d + UNIT,) * 2)
            under = of(kind, F(3) - (0 if d else UNIT), EQUAL2, delta=str(d and d - UNIT), deltas=(d and d - UNIT,) * 2)
            mine = "upper" if kind in LEAST else "lower"
            for other, boundary in ((over, "beyond"), (under, "within")):
                moved = with_(
                    made,
                    ("1.mechanism", other[1]["mechanism"]),
                    (f"1.{mine}", other[1][mine]),
                    ("2.primal", other[2]["primal"]),
                )
                if boundary == "beyond":  # the other bound leaves room, so that the mechanism alone is wrong
                    its = "lower" if kind in LEAST else "upper"
                    moved = with_(moved, (f"1.{its}", other[1][its]))
                    if kind not in LOGARITHMS:
                        moved = with_dual(moved, ("alpha", [F(x) + 1 for x in made[2]["dual"]["alpha"]]))
                s.add(lies, boundary, moved, boundary == "within")
            rows = made[1]["mechanism"]["matrix"]
            for sign in (1, -1):
                s.add(lies, "beyond", with_(made, ("1.mechanism.matrix.0.0", F(rows[0][0]) + sign * UNIT)), False)
        base = of(kind, F(3), EQUAL2)
        if kind not in LINEAR:
            s.add(lies, "equality", with_(base, ("0.region.outputs", "2")), True)
            s.add(lies, "beyond", with_(base, ("0.region.outputs", "3")), False)
        s.add(lies, "beyond", with_(base, ("1.mechanism.matrix", [["5/4", "-1/4"], ["-1/4", "5/4"]])), False)
    unbiased = s.condition(PAGE, "one column for each output, `A P = C`.", (*EQUATION, *MATRIX))
    for kind in SQUARES:
        files = _all(kind)
        for made in (*files, *([of(kind, F(3), [F(1), F(0)])] if kind != "d-optimal" else [])):
            pi = [F(x) for x in made[0]["population"]]
            s.add(unbiased, "equality" if all(pi) else "empty category", made, True)
            a, p = made[2]["primal"]["estimator"], made[1]["mechanism"]["matrix"]
            room = (
                with_(made, ("1.upper", F(made[1]["upper"]) + 1)) if kind in LEAST else with_(made, ("1.lower", "-100"))
            )
            column = next(i for i, row in enumerate(p) if any(map(F, row)))
            for change, side in ((-UNIT, "below"), (UNIT, "above")):
                s.add(unbiased, side, with_(room, (f"2.primal.estimator.0.{column}", F(a[0][column]) + change)), False)
            # an output that is never given, with any numbers of the estimator
            for x in ("0", "-1000000") if made is files[0] else ("7",):
                longer = with_(
                    made,
                    ("1.mechanism.matrix", [*p, ["0"] * len(pi)]),
                    ("2.primal.estimator", [[*row, x] for row in a]),
                )
                s.add(unbiased, "equality", longer, True)
            if made is files[0]:
                short = with_(made, ("1.mechanism.matrix", [*p, ["0"] * len(pi)]))
                s.add(unbiased, "below", short, False, "form")
        for has_delta in (False, True):
            made = of(kind, F(3), EQUAL2)
            if has_delta:
                made = of(kind, F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2)
            key = "upper" if kind in LEAST else "lower"
            x = F(made[1][key])
            height = len(made[2]["primal"]["estimator"])
            for p, boundary in _degenerate(2):
                for y in ("-1",) if has_delta else ("0", "1000000"):
                    for bound in (x,) if has_delta else (x, -x):
                        forged = with_(
                            made,
                            ("1.mechanism.matrix", p),
                            ("2.primal.estimator", [[y] * len(p)] * height),
                            (f"1.{key}", bound),
                        )
                        s.add(unbiased, boundary, forged, False)
    dominant = s.condition(PAGE, "is *diagonally dominant*: `D_ii >= sum_(j not i) abs(D_ij)` for each i.", INEQUALITY)
    for kind in ("e-optimal", "d-optimal"):
        for made in _all(kind):
            s.add(dominant, "within" if kind == "d-optimal" else "equality", made, True)
            f = [[F(x) for x in row] for row in made[2]["primal"]["factor"]]
            if kind == "e-optimal":
                for change, boundary in ((UNIT, "within"), (-UNIT, "beyond"), (-F(made[1]["upper"]), "beyond")):
                    s.add(
                        dominant, boundary, with_(made, ("1.upper", F(made[1]["upper"]) + change)), boundary == "within"
                    )
                for x in (f[0][0] + UNIT, f[0][0] - UNIT):
                    if len(f) == 2 and x < 0:
                        continue
                    s.add(dominant, "beyond", with_(made, ("2.primal.factor.0.0", x)), False)
            else:
                for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
                    moved = [[x + change * (i == j) for j, x in enumerate(row)] for i, row in enumerate(f)]
                    lower = _outwards(-2 * sum(log(_m(row[i])) for i, row in enumerate(moved)), 20, up=False)
                    s.add(
                        dominant,
                        boundary,
                        with_(made, ("2.primal.factor", moved), ("1.lower", lower)),
                        boundary == "within",
                    )
    made = of("e-optimal", F(3), EQUAL2)  # other entries of D are far below 0
    s.add(dominant, "beyond", with_(made, ("2.primal.factor", [["1000"], ["1000"]]), ("1.upper", "100")), False)
    made = of("d-optimal", F(3), EQUAL2)  # upper leaves room
    s.add(dominant, "beyond", with_(made, ("2.primal.factor", [["1/100"]]), ("1.lower", "9"), ("1.upper", "10")), False)
    singular = s.condition(PAGE, "F is (k-1) x (k-1), `F_ij = 0` for i < j, `F_jj` not 0", (*OPEN, "equality"))
    made = of("d-optimal", F(3), EQUAL2)
    minus = with_(made, ("2.primal.factor.0.0", -F(made[2]["primal"]["factor"][0][0])))
    s.add(singular, "within", minus, True)
    for lower in (made[1]["lower"], "-1000", "0"):
        s.add(singular, "equality", with_(made, ("2.primal.factor", [["0"]]), ("1.lower", lower)), False)
    three = of("d-optimal", F(7), EQUAL3)
    s.add(singular, "within", three, True)
    for f, boundary in (
        ([["100", str(UNIT)], ["0", "100"]], "beyond"), ([["100", "1"], ["0", "100"]], "beyond"), ([["0", "100"], ["100", "0"]], "equality"),
        ([["100", "0"], ["100", "0"]], "equality"), ([["0", "0"], ["0", "0"]], "equality"),
    ):  # fmt: skip
        for lower in (three[1]["lower"], "-1000"):
            s.add(singular, boundary, with_(three, ("2.primal.factor", f), ("1.lower", lower)), False)
    s.add(
        singular, "within", with_(three, ("2.primal.factor", [["100", "0"], ["-1", "100"]]), ("1.lower", "-1000")), True
    )


def _zeros(s: Suite) -> None:
    """Shares of 0: rays without probability, and mechanisms with outputs that have none."""
    shares = s.condition(PAGE, "| `d-optimal`, pi > 0 |", INEQUALITY)
    s.add(shares, "within", of("d-optimal", F(3), [1 - UNIT, UNIT]), True)
    made = of("d-optimal", F(3), EQUAL2)
    for pi in (["1", "0"], ["0", "1"]):
        for upper in (made[1]["upper"], "1000"):
            s.add(shares, "equality", with_(made, ("0.population", pi), ("1.upper", upper)), False)
        wide = with_(
            made, ("0.population", pi), ("1.lower", "-1000"), ("1.upper", "1000"), ("2.primal.factor", [["100"]])
        )
        s.add(shares, "equality", with_(wide, ("2.dual.alpha", ["1000", "1000"])), False)
    s.add(shares, "beyond", with_(made, ("0.population", [-UNIT, 1 + UNIT])), False, "form")
    same = s.condition(PAGE, _SAME, INEQUALITY)
    for kind in ("a-optimal", "c-optimal", "variance", "e-optimal"):
        for pi in ([F(1), F(0)], [F(0), F(1)]):
            s.add(same, "equality", of(kind, F(3), pi), True)
            # with delta an output that has no probability reveals the category that nobody belongs to
            base = of(kind, F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2)
            nobody = 1 if pi[0] else 0
            c = targets(kind, 2, [F(1), F(-1)])
            a = [[row[1 - nobody]] * 2 + [F(0), F(0)] for row in c]
            for row, line in zip(c, a, strict=True):
                line[2 + 1 - nobody] = row[1 - nobody]
                line[2 + nobody] = (row[nobody] - row[1 - nobody] * F(3, 4)) / F(1, 4)
            width = len(base[2]["dual"]["matrix"][0])
            zero = with_(
                base, ("0.population", pi), ("1.lower", "0"), ("1.upper", "0"), ("2.primal.estimator", a),
                ("2.dual", {"alpha": ["1", "1"], "beta": [["0", "0"], ["0", "0"]], "matrix": [["0"] * width] * 2}),
            )  # fmt: skip
            s.add(same, "equality", zero, True)
            s.add(same, "beyond", with_(zero, ("1.lower", UNIT), ("1.upper", "1")), False)
            s.add(same, "beyond", with_(zero, ("1.upper", -UNIT), ("1.lower", -UNIT)), False)
            # g negative on the ray of probability 0; W not 0 there
            alpha = ["2", "-1"] if nobody == 1 else ["-1", "2"]
            s.add(same, "beyond", with_(zero, ("2.dual.alpha", alpha)), False)
            one = with_(zero, ("2.dual.alpha", ["1000", "1000"]), ("2.dual.matrix", base[2]["dual"]["matrix"]))
            for lower, upper in (("0", "0"), ("1/1000", "1/1000"), ("1/1000", "1")):
                s.add(same, "beyond", with_(one, ("1.lower", lower), ("1.upper", upper)), False)
    for g, d in ((F(2), F(1, 4)), (F(3), F(1))):
        made = idle(g, d)
        s.add(same, "equality", made, True, known=True)  # g is 0 on the ray (0, 0, 1), which has no probability
        alpha = [F(x) for x in made[2]["dual"]["alpha"]]
        for change, boundary in ((UNIT, "within"), (-UNIT, "beyond"), (-F(1, 100), "beyond")):
            fine = boundary == "within"
            s.add(same, boundary, with_dual(made, ("alpha.2", change)), fine, known=fine)
            if not fine:
                s.add(same, boundary, with_(made, ("2.dual.alpha.2", change)), False, known=True)
        s.add(same, "beyond", with_dual(made, ("matrix", [[1 + UNIT], [-1], [-UNIT]])), False, known=None)
        assert alpha[2] == 0
    for d in (F(0), F(1, 4)):
        for c in ([F(1), F(1)], [F(3), F(1)], [F(-2), F(0)]):  # C W counts c without its mean: the total is known
            made = of("c-optimal", F(2), UNEQUAL, contrast=c, delta=str(d), deltas=(d, d), slack=F(c[0] == c[1]))
            s.add(same, "equality", made, True)
            for key, change in (("lower", UNIT), ("upper", -UNIT)):
                s.add(same, "beyond", with_(made, (f"1.{key}", F(made[1][key]) + change)), False)
        nothing = with_(
            made, ("0.objective.contrast", ["0", "0"]), ("1.lower", "0"), ("1.upper", "0"), ("2.dual.matrix", [["0"], ["0"]]),
            ("2.primal.estimator", [["0"] * len(made[1]["mechanism"]["matrix"])]),
        )  # fmt: skip
        s.add(same, "beyond", nothing, False, "form")
    chi = s.condition(PAGE, _ROWS["chi-square"], INEQUALITY)
    for q in ([F(1), F(0)], [F(0), F(1)]):
        s.add(chi, "equality", of("chi-square", F(3), EQUAL2, against=q), True)
        base = of("chi-square", F(2), EQUAL2, delta="1/4", deltas=(F(1, 4),) * 2)
        for bound in (base[1]["upper"], "1000000"):  # the divergence of four outputs is infinite
            none = with_(
                base, ("0.objective.against", q), ("1.lower", "0"), ("1.upper", bound), ("2.dual.alpha", ["100", "100"])
            )
            s.add(chi, "beyond", none, False)
        # nothing to distinguish, with a ray of probability 0
        same_q = with_(
            base, ("0.objective.against", q), ("0.population", q), ("1.lower", "0"), ("1.upper", "0"),
            ("2.dual.alpha", ["0", "0"]), ("2.dual.beta", [["0", "0"], ["0", "0"]]),
        )  # fmt: skip
        s.add(chi, "equality", same_q, True)
        forged = ["1", "-1"] if q[0] else ["-1", "1"]
        s.add(chi, "beyond", with_(same_q, ("2.dual.alpha", forged)), False)
        s.add(
            chi,
            "beyond",
            with_(
                same_q, ("2.dual.alpha", [2 * F(x) - 1 - UNIT for x in forged]), ("1.lower", "-10"), ("1.upper", "-2")
            ),
            False,
        )
    for kind in ("mutual-information", "total-variation", "loss"):
        entered = s.condition(PAGE, _ROWS[kind], OPEN if kind == "mutual-information" else INEQUALITY)
        for pi in ([F(1), F(0)], [F(0), F(1)]):
            for d in (F(0), F(1, 4)):
                base = of(kind, F(2), EQUAL2, delta=str(d), deltas=(d, d))
                flat = [["0", "0"], ["0", "0"]] if d else None
                if kind == "loss":  # the category is known: the loss is 0
                    row = ["1", "1"], ["0", "0"]
                    p = row if pi[0] else row[::-1]
                    made = with_(base, ("0.population", pi), ("1.mechanism.matrix", p), ("1.lower", "0"), ("1.upper", "0"), ("2.dual.alpha", ["0", "0"]), ("2.dual.beta", flat))  # fmt: skip
                else:
                    against = [("0.objective.against", pi)] if kind == "total-variation" else []
                    made = with_(base, ("0.population", pi), *against, ("1.lower", "0"), ("1.upper", "0"), ("2.dual.alpha", ["0", "0"]), ("2.dual.beta", flat))  # fmt: skip
                if kind == "mutual-information":
                    made = with_(made, ("1.lower", -UNIT), ("1.upper", UNIT), ("2.dual.alpha", [UNIT / 2] * 2))
                s.add(entered, "within" if kind == "mutual-information" else "equality", made, True)
                key = "alpha.1" if pi[0] else "alpha.0"
                s.add(entered, "beyond", with_(made, (f"2.dual.{key}", F(-1))), False)


_WITH_LOGARITHMS = (
    "for `mutual-information`, `d-optimal` and the divergences with a logarithm or a power (the four of the last rows), "
    "also where `bayes` mixes them, else `[]`."
)


def _logarithms(s: Suite) -> None:
    digits = s.condition(PAGE, 'LOG is `{"digits": d}`, d from 1 to `MAX_COVER_DIGITS`,', COUNT)
    unused = s.condition(PAGE, _WITH_LOGARITHMS, SPECIAL)
    for kind in KINDS:
        if kind not in LOGARITHMS:
            made = with_(of(kind, F(3), EQUAL2), ("2.logarithms", {"digits": "60"}))
            s.add(unused, "special value", made, False, "form")
            continue
        s.add(unused, "special value", with_(of(kind, F(3), EQUAL2), ("2.logarithms", [])), False, "form")
        for d in (F(0), F(1, 4)):
            made = of(kind, F(3), EQUAL2, delta=str(d), deltas=(d, d), slack=F(5))
            loose = with_(made, ("1.lower", "-9"), *([("1.upper", "100")] if kind == "d-optimal" else []))
            for n, boundary in (("0", "zero"), ("1", "one"), ("300", "limit"), ("301", "beyond")):
                fine = boundary in ("one", "limit")
                because = "" if fine else "limit" if boundary == "beyond" else "form"
                s.add(digits, boundary, with_(loose, ("2.logarithms.digits", n)), fine, because)


_Q = [F(1, 3), F(2, 3)]
GIVEN = [
    {"kind": "payoff", "matrix": [[F(1), F(0)], [F(0), F(1)]]},
    {"kind": "payoff", "matrix": [[F(3), F(-1)], [F(-2), F(4)], [F(1, 2), F(1, 2)]]},
    {"kind": "kullback-leibler", "against": _Q},
    {"kind": "hellinger", "against": _Q},
    {"kind": "jensen-shannon", "against": _Q},
    *({"kind": "alpha-divergence", "against": _Q, "order": F(x)} for x in ("2", "1/2", "-1/2", "1/3", "10", "-10")),
    {"kind": "contrasts", "contrasts": [[F(1), F(-1)], [F(1), F(0)]]},
    {"kind": "contrasts", "contrasts": [[F(3), F(1)]]},
]
_FURTHER = {
    "payoff": "`sum_j pi_j U_dj r_j <= g(r)` for each decision d (row of U) | `upper >= B` |",
    "kullback-leibler": "`t(a, b) <= g(r)`, `t = a ln(a/b)` | `upper >= B` |",
    "hellinger": "| `hellinger` | - | the same, `t = (a + b)/2 - sqrt(a b)` | `upper >= B` |",
    "jensen-shannon": "the same, `t = (a ln a + b ln b)/2 - m ln m`, m = (a + b)/2 | `upper >= B` |",
    "alpha-divergence": "the same, `t = (a^r b^(1-r) - r a - (1-r) b)/(r (r-1))` | `upper >= B` |",
    "contrasts": _SAME,
}
_MIXED = "`sum_b w_b phi_b(r) <= g(r)` on every ray, `upper >= B` and `lower <= sum_i sum_b w_b phi_b(p_i)`."
_MIXED_SQUARES = (
    "`sum_b w_b abs(r W_b)^2/(r.pi_b) <= g(r)` and `g(r) >= 0` on every ray, where r W_b = 0 if r.pi_b = 0; "
    "`lower B <= (sum_b w_b tr(C W_b))^2`, B > 0; `upper >= sum_b w_b tr V_b` with V_b from A_b and pi_b."
)
_VALUES = (
    "`payoff` and divergences: `lower <=` the low end of the sum of phi(p_i) over the rows that are not 0. "
    "`mutual-information`:"
)


def mixture(inner: Any, populations: Sequence[list[F]] = (EQUAL2, UNEQUAL), first: F = F(1, 3)) -> Any:
    """Return the mean of an objective over two populations."""
    return {"kind": "bayes", "objective": inner, "weights": [first, 1 - first], "populations": list(populations)}


def _further(s: Suite) -> None:
    """Payoffs, divergences, several contrasts, and mixtures: each inequality and bound on both of its sides."""
    values = s.condition(PAGE, _VALUES, INEQUALITY)
    rest = [{"kind": "a-optimal"}, objective_of("c-optimal", 2), {"kind": "mutual-information"}]
    rest += [objective_of("chi-square", 2, against=_Q), objective_of("total-variation", 2, against=_Q)]
    mixed = [mixture(each) for each in (*GIVEN, *rest)]
    for objective in (*GIVEN, *mixed):
        inner, logs = objective.get("objective", objective), _has_logarithms(objective)
        is_least = inner["kind"] in LEAST
        needs = OPEN if logs else INEQUALITY
        if inner is objective:
            entered = s.condition(PAGE, _FURTHER[inner["kind"]], needs)
        else:
            entered = s.condition(PAGE, _MIXED_SQUARES if is_least else _MIXED, INEQUALITY)
        own = values if inner is objective and not is_least else entered
        if inner["kind"] == "contrasts" and inner is objective:
            own = s.condition(PAGE, _BOUNDS["a-optimal"], INEQUALITY)
        places = ((F(3), F(0)), (F(2), F(1, 4)), (F(2), F(1)))
        for g, d in places if inner is objective else places[:2]:
            made = further(objective, g, UNEQUAL, d)
            s.add(entered, "within" if logs else "equality", made, True)
            s.add(own, "within" if logs else "equality", made, True)
            alpha = [F(x) for x in made[2]["dual"]["alpha"]]
            for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
                every = with_dual(made, ("alpha", [x + change for x in alpha]))
                s.add(entered, boundary, every, boundary == "within")
            s.add(entered, "beyond", with_(made, ("2.dual.alpha.0", alpha[0] - UNIT)), False)
            if d and F(made[2]["dual"]["beta"][0][1]):
                s.add(entered, "beyond", with_dual(made, ("beta.0.1", F(made[2]["dual"]["beta"][0][1]) / 2)), False)
            for key, sign in (("upper", 1), ("lower", -1)):
                at = own if (key == "upper") is is_least else entered
                x, other = F(made[1][key]), "lower" if key == "upper" else "upper"
                s.add(at, "within", with_(made, (f"1.{key}", x + sign * UNIT)), True)
                s.add(at, "beyond", with_(made, (f"1.{key}", x - sign * UNIT)), False)
                room = (f"1.{other}", F(made[1][other]) - sign)
                s.add(at, "beyond", with_(made, (f"1.{key}", x - sign * UNIT), room), False)
    _further_forms(s)


def _further_forms(s: Suite) -> None:
    """Orders, infinite divergences, weights and populations of a mixture, and digits."""
    orders = s.condition(
        PAGE, "a number other than 0 and 1 with `abs(r) <= 10` and a denominator of at most 10.", INEQUALITY
    )
    divergence = {"kind": "alpha-divergence", "against": _Q, "order": F(1, 2)}
    base = further(divergence, F(3), EQUAL2, slack=F(10**6))
    loose = with_(base, ("1.lower", "0"))
    for order, boundary in (
        *(("10", "equality"), ("-10", "equality"), ("1/10", "equality"), ("99/10", "within"), ("3/2", "within")),
        *(
            ("0", "beyond"),
            ("1", "beyond"),
            ("101/10", "beyond"),
            ("-101/10", "beyond"),
            ("1/11", "beyond"),
            ("11", "beyond"),
        ),
    ):
        fine = boundary != "beyond"
        s.add(orders, boundary, with_(loose, ("0.objective.order", order)), fine, "" if fine else "form")
    infinite = s.condition(
        PAGE,
        "In t `0 ln 0 = 0`, `0^x = 0` for x > 0, and t(0, 0) = 0. A file with a row or a ray where t is infinite is "
        "rejected: b = 0 < a for `kullback-leibler` and r > 1, a = 0 < b for r < 0.",
        ("within", "beyond"),
    )
    for objective, delta, at in (
        ({"kind": "kullback-leibler"}, F(1, 4), "against"),
        *(({"kind": "alpha-divergence", "order": F(x)}, F(1, 4), "against") for x in ("2", "3/2")),
        ({"kind": "alpha-divergence", "order": F(-1, 2)}, F(1, 4), "population"),
    ):
        other = "population" if at == "against" else "against"
        for zero in ([F(1), F(0)], [F(0), F(1)]):
            given = {"against": EQUAL2, "population": EQUAL2, at: zero}
            made = further({**objective, "against": EQUAL2}, F(2), EQUAL2, delta, slack=F(10**6))
            places = [("0.objective.against", given["against"]), ("0.population", given["population"])]
            for upper in (made[1]["upper"], "1/4"):
                s.add(infinite, "beyond", with_(made, *places, ("1.lower", "-1000"), ("1.upper", upper)), False)
            # delta 0: no row is 0 under one population alone
            finite = {**objective, "against": given["against"]}
            s.add(infinite, "within", further(finite, F(2), given["population"]), True)
            same = [("0.objective.against", zero), ("0.population", zero), ("1.lower", "-1")]
            s.add(infinite, "within", with_(made, *same), True)
        assert other != at
    for objective in (
        {"kind": "hellinger"},
        {"kind": "jensen-shannon"},
        {"kind": "alpha-divergence", "order": F(1, 2)},
    ):
        for zero in ([F(1), F(0)], [F(0), F(1)]):
            for d in (F(0), F(1, 4)):
                s.add(infinite, "within", further({**objective, "against": zero}, F(2), EQUAL2, d), True)
                s.add(infinite, "within", further({**objective, "against": EQUAL2}, F(2), zero, d), True)
    weights = s.condition(
        PAGE, "`weights` (positive, they sum to 1) and `populations` (as many, of k proportions each);", SPECIAL
    )
    for inner in ({"kind": "a-optimal"}, GIVEN[0]):
        made = further(mixture(inner), F(3), EQUAL2)
        s.add(weights, "special value", made, True)
        s.add(weights, "special value", with_(made, ("0.population", [F(1), F(0)])), True)
        rich = with_(further(mixture(inner), F(3), EQUAL2, slack=F(1000)), ("1.lower", "-1000"), ("1.upper", "9999"))
        for wrong in (["1/3", "1/3"], ["0", "1"], ["-1/3", "4/3"], ["1"], [], ["1/3", "1/3", "1/3"]):
            for each in (made, rich):
                s.add(weights, "special value", with_(each, ("0.objective.weights", wrong)), False, "form")
        for wrong in ([EQUAL2], [EQUAL2, EQUAL3], [EQUAL2, [F(1, 2), F(1, 3)]], [EQUAL2, [F(3, 2), F(-1, 2)]]):
            s.add(weights, "special value", with_(made, ("0.objective.populations", wrong)), False, "form")
    for kind in ("d-optimal", "e-optimal", "variance", "trace", "bayes"):
        changed = with_(made, ("0.objective.objective", {"kind": kind}))
        s.add(weights, "special value", changed, False, "form")
    made = further(mixture({"kind": "a-optimal"}), F(3), EQUAL2)
    nobody = with_(made, ("0.objective.weights", []), ("0.objective.populations", []), ("1.lower", "0"))
    nobody = with_(nobody, ("2.dual.matrix", []), ("2.primal.estimators", []))
    s.add(weights, "special value", nobody, False, "form")
    _further_zeros(s)
    several = further(GIVEN[-2], F(3), EQUAL2)
    rows = s.condition(PAGE, "`contrasts` (C = its rows, not all 0),", SPECIAL)
    for wrong in ([], [["0", "0"], ["0", "0"]], [["1"], ["1"]], ["1", "-1"], [["1", "-1"], ["1"]]):
        s.add(rows, "special value", with_(several, ("0.objective.contrasts", wrong)), False, "form")
    nothing = with_(
        further(GIVEN[-1], F(3), EQUAL2), ("0.objective.contrasts", [["0", "0"]]), ("1.lower", "0"), ("1.upper", "0"),
        ("2.dual.matrix", [["0"], ["0"]]), ("2.primal.estimator", [["0", "0"]]),
    )  # fmt: skip
    s.add(rows, "special value", nothing, False, "form")
    unused = s.condition(PAGE, _WITH_LOGARITHMS, SPECIAL)
    for objective in (*GIVEN, *map(mixture, GIVEN)):
        made = further(objective, F(3), EQUAL2)
        wrong = [] if _has_logarithms(objective) else {"digits": "60"}
        s.add(unused, "special value", with_(made, ("2.logarithms", wrong)), False, "form")


def _further_zeros(s: Suite) -> None:
    """Mixtures with a share of 0 and delta > 0: a ray without probability under one population."""
    squares = s.condition(PAGE, _MIXED_SQUARES, INEQUALITY)
    sums = s.condition(PAGE, _MIXED, INEQUALITY)
    for zero in ([F(1), F(0)], [F(0), F(1)]):
        for inner in ({"kind": "a-optimal"}, GIVEN[-2], objective_of("c-optimal", 2)):
            made = further(mixture(inner), F(2), EQUAL2, F(1, 4), slack=F(1000))
            made = with_(made, ("0.objective.populations.0", zero), ("1.upper", "1000"))
            s.add(squares, "beyond", made, False)
            flat = [["0"] * len(row) for row in made[2]["dual"]["matrix"][0]]
            s.add(squares, "within", with_(made, ("2.dual.matrix", [flat, flat]), ("1.lower", "0")), True)
            flat_dual = [("2.dual.matrix", [flat, flat]), ("1.lower", "0"), ("2.dual.alpha", ["1000", "-1"])]
            s.add(squares, "beyond", with_(made, *flat_dual, ("2.dual.beta", [["0", "0"], ["0", "0"]])), False)
        chi = objective_of("chi-square", 2, against=EQUAL2)
        made = further(mixture(chi), F(2), EQUAL2, F(1, 4), slack=F(1000))
        made = with_(made, ("0.objective.objective.against", zero), ("1.lower", "0"))
        s.add(sums, "beyond", made, False)
        same = with_(made, ("0.objective.populations", [zero, zero]))
        s.add(sums, "within", same, True)
