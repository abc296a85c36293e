"""Rules 5, 14, 15 and 22: duals over all patterns. Two categories, or equal shares: the optima are known exactly."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from mpmath import log, mpf
from vectors.orbits_by_hand import objectives

from .book import COUNT, EQUATION, FACTOR, INEQUALITY, MATRIX, OPEN, ROUNDING, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region
from .oracle import Matrix, determinant, dot, four_answers, information, solve, subset_selections

PAGE, ORBITS, CONES = "pattern_rule.md", "orbit_rule.md", "cone_rule.md"
Document = tuple[Any, Any, Any]
ENUMERATION = {"kind": "enumeration"}


def inverse(m: Matrix) -> Matrix:
    """Return the inverse of a regular matrix."""
    k = len(m)
    columns = [solve(m, [F(i == j) for i in range(k)]) for j in range(k)]
    return [[columns[j][i] for j in range(k)] for i in range(k)]  # type: ignore[index]


def phi(kind: str, s: list[F], pi: list[F], w: Any, q: list[F]) -> F:
    """Return the left side of the inequality at a row, over the row's chance."""
    if kind == "chi-square":
        return dot(s, [x - y for x, y in zip(pi, q, strict=True)]) ** 2 / dot(s, q)
    if kind == "total-variation":
        return abs(dot(s, [x - y for x, y in zip(pi, q, strict=True)])) / 2
    if kind == "c-optimal":
        return dot(s, w) ** 2 / dot(s, pi)
    rows = [sum((s[i] * w[i][j] for i in range(len(s))), F(0)) for j in range(len(s))]
    if kind in ("d-optimal", "e-optimal"):
        return dot(rows, s) / dot(s, pi)
    return dot(rows, rows) / dot(s, pi)


def information_of_answers(pi: list[F], s: list[F]) -> F:
    """Return ``sum pi S ln S - s ln s``, rounded up to 30 digits."""
    mean = dot(s, pi)
    exact = sum(_m(p * x) * log(_m(x)) for p, x in zip(pi, s, strict=True)) - _m(mean) * log(_m(mean))
    return F(int(exact * mpf(10) ** 30) + 1, 10**30)


def _m(x: F) -> Any:
    return mpf(x.numerator) / mpf(x.denominator)


OBJECTIVES = (
    "a-optimal",
    "variance",
    "c-optimal",
    "d-optimal",
    "e-optimal",
    "chi-square",
    "mutual-information",
    "total-variation",
)
RATIONAL = ("a-optimal", "variance", "c-optimal", "e-optimal", "chi-square", "total-variation")


def of(
    kind: str, g: F, pi: list[F], *, level: Any = None, gammas: tuple[F, F] | None = None, delta: Any = "0",
    deltas: tuple[F, F] = (F(0), F(0)), contrast: list[F] | None = None, against: list[F] | None = None,
    outputs: str = "any", rounded: str | None = None, slack: F = F(0),
) -> Document:  # fmt: skip
    """Return the certificate of the best mechanism; ``slack`` is added to every alpha."""
    k = len(pi)
    gammas = gammas or (g, g)
    objective: dict[str, Any] = {"kind": kind}
    c = contrast or [F(1), F(-1), *[F(0)] * (k - 2)]
    q = against or [F(i + 1) * 2 / (k * (k + 1)) for i in range(k)]
    if kind == "c-optimal":
        objective["contrast"] = c
    if kind in ("total-variation", "chi-square"):
        objective["against"] = q
    below, above = (_best(gammas[i], deltas[i], k) for i in (0, 1))
    m = information(above, pi)
    x = inverse(m) if all(pi) or determinant(m) else None
    w: Any = None
    if kind in ("a-optimal", "variance", "d-optimal"):
        w = x
    elif kind == "c-optimal":
        w = solve(m, c)
    elif kind == "e-optimal":
        w = [[F(i == j) - F(1, k) for j in range(k)] for i in range(k)]
    a = gammas[1]
    patterns = [[a if j == i else F(1) for j in range(k)] for i in range(k)]
    values = [
        information_of_answers(pi, s) if kind == "mutual-information" else phi(kind, s, pi, w, q) for s in patterns
    ]
    alpha = [x + slack for x in solve(patterns, values) or ([] if a > 1 else _tangent(w, pi))]
    dual: dict[str, Any] = {"alpha": alpha}
    total = sum(alpha)
    if deltas[1]:
        excess = [phi(kind, [F(i == j) for j in range(k)], pi, w, q) - alpha[i] for i in range(k)]
        dual["excess"] = excess
        total += deltas[1] * sum(excess)
    if kind == "c-optimal":
        dual["vector"] = w
    elif w is not None:
        dual["matrix"] = w
    here = information(below, pi)
    primal: dict[str, Any] = {}
    square = dot(pi, pi)
    trace = sum(w[i][i] for i in range(k)) if "matrix" in dual else F(0)
    if kind in ("a-optimal", "variance"):
        half = 2 if kind == "variance" else 1
        primal = {"inverse": inverse(here)}
        worth = (sum(primal["inverse"][i][i] for i in range(k)) - square) / half
        bound = (trace**2 / total - square) / half
    elif kind == "c-optimal":
        z = solve(here, c)
        primal, worth = {"solution": z}, dot(c, z or []) - dot(c, pi) ** 2
        bound = dot(c, w) ** 2 / total - dot(c, pi) ** 2
    elif kind == "e-optimal":
        primal, bound = {"rounded": rounded}, trace / total
        least = (sum(here[i][i] for i in range(k)) - sum(sum(row) for row in here) / k) / (
            k - 1
        )  # equal shares or k = 2
        worth = 1 / least
    elif kind == "d-optimal":
        primal = {"rounded": rounded}
        bound = _outwards(log(_m((total / k) ** k / determinant(w))), 20, up=True)
        worth = _outwards(log(_m(determinant(here))), 20, up=False)
    elif kind == "mutual-information":
        worth = _outwards(
            sum(_m(p * y) * log(_m(y / dot(row, pi))) for row in below for p, y in zip(pi, row, strict=True) if p),
            20,
            up=False,
        )
        bound = total
    else:
        bound, worth = total, sum(_share_of_value(kind, row, pi, q) for row in below)
    lower, upper = (bound, worth) if kind in ("a-optimal", "variance", "c-optimal", "e-optimal") else (worth, bound)
    logs: Any = {"digits": "60"} if kind in ("mutual-information", "d-optimal") else []
    problem = {
        "region": region(level or {"log": str(g)}, delta, k, outputs), "objective": objective, "population": pi
    }  # fmt: skip
    claim = {"kind": "design-bracket", "lower": lower, "upper": upper, "mechanism": {"matrix": below}}
    witness = {
        "rule": "pattern", "gamma": bracket(*gammas), "delta": bracket(*deltas), "dual": dual,
        "patterns": None if kind == "total-variation" else ENUMERATION, "primal": primal, "logarithms": logs,
    }  # fmt: skip
    return with_((problem, claim, witness))


def _tangent(w: Matrix, pi: list[F]) -> list[F]:
    """Return the gradient of ``abs(p W)^2 / (p . pi)`` at (1, 1)."""
    v = [sum(column) for column in zip(*w, strict=True)]
    return [2 * dot(row, v) - dot(v, v) * share for row, share in zip(w, pi, strict=True)]


def _share_of_value(kind: str, row: list[F], pi: list[F], q: list[F]) -> F:
    d = dot(row, [x - y for x, y in zip(pi, q, strict=True)])
    return abs(d) / 2 if kind == "total-variation" else d**2 / dot(row, q)


def _outwards(x: Any, digits: int, up: bool) -> F:
    n = int(x * mpf(10) ** digits) - (x < 0)
    return F(n + up, 10**digits)


def _best(g: F, d: F, k: int) -> Matrix:
    """Return the best mechanism: four answers, or with equal shares the subsets of one category (gamma is large)."""
    return four_answers(g, d) if k == 2 else next(iter(subset_selections(k, g)))


def with_delta(g: F, delta: Any, deltas: tuple[F, F]) -> Document:
    """Return the variance of any number of answers with delta."""
    return of("variance", g, [F(3, 4), F(1, 4)], delta=delta, deltas=deltas)


def add_to(s: Suite) -> None:
    """Add the files of the four pages."""
    _inequalities(s)
    _mechanisms(s)
    _singular(s)
    _rounded(s)
    _forms(s)
    _excess(s)
    _orbits(s)
    _cones(s)


EQUAL2, UNEQUAL, EQUAL3 = [F(1, 2)] * 2, [F(3, 4), F(1, 4)], [F(1, 3)] * 3

_ROWS = {
    "a-optimal": "| `a-optimal` | `alpha`, `matrix` W, k x k, symmetric or not; S W is the row S times W | `abs(S W)^2 <= (alpha.S) s` |",
    "variance": "| `variance`, 2 inputs, `outputs` other than 2 | as `a-optimal` | as `a-optimal` |",
    "c-optimal": "| `c-optimal` | `alpha`, `vector` y | `(S.y)^2 <= (alpha.S) s` |",
    "d-optimal": "`S W S^T <= (alpha.S) s` | `upper >= ln((sum alpha / k)^k / det W)`",
    "e-optimal": "`S W S^T <= (alpha.S) s` | `lower <= tr W / sum alpha`",
    "chi-square": "| `chi-square` | `alpha` | `(S.(pi-q))^2 <= (alpha.S)(S.q)` | `upper = sum alpha` |",
    "mutual-information": "| `mutual-information` | `alpha` | `sum_j pi_j S_j ln S_j - s ln s <= alpha.S` | `upper = sum alpha` |",
    "total-variation": "| `total-variation` | `alpha` | `v.S <= alpha.S` for v = (pi-q)/2 and v = -(pi-q)/2 | `upper = sum alpha` |",
}


def _inequalities(s: Suite) -> None:
    """Each inequality at equality, with a unit of room, and a unit beyond: there the bound passes the optimum."""
    for kind in OBJECTIVES:
        entered = s.condition(PAGE, _ROWS[kind], OPEN if kind == "mutual-information" else INEQUALITY)
        for pi in (EQUAL2, UNEQUAL, EQUAL3):
            if (kind == "variance" and len(pi) != 2) or (
                pi is EQUAL3 and kind in ("c-optimal", "chi-square", "total-variation")
            ):
                continue
            g = F(3) if len(pi) == 2 else F(7)
            s.add(entered, "within" if kind == "mutual-information" else "equality", of(kind, g, pi), True)
            s.add(entered, "within", of(kind, g, pi, slack=UNIT), True)
            s.add(entered, "beyond", of(kind, g, pi, slack=-UNIT), False)
            one = of(kind, g, pi)
            moved = with_(one, ("2.dual.alpha.0", str(F(one[2]["dual"]["alpha"][0]) - UNIT)))
            s.add(entered, "beyond", moved, False)  # the bound is that of the old alpha
    positive = s.condition(PAGE, "`lower = (c.y)^2 / sum alpha - (c.pi)^2`, sum alpha > 0", INEQUALITY)
    for kind in ("a-optimal", "c-optimal", "d-optimal", "e-optimal", "variance"):
        base = of(kind, F(3), EQUAL2)
        if kind in ("a-optimal", "c-optimal", "e-optimal"):
            s.add(positive, "within", of(kind, F(3), EQUAL2, slack=F(10) ** 6), True)  # true, and says little
        zero: Any = ["0", "0"] if kind == "c-optimal" else [["0", "0"], ["0", "0"]]
        key = "vector" if kind == "c-optimal" else "matrix"
        side = "upper" if kind == "d-optimal" else "lower"
        sentence = {
            "d-optimal": "`upper >= ln((sum alpha / k)^k / det W)`, sum alpha > 0", "c-optimal": "`lower = (c.y)^2 / sum alpha - (c.pi)^2`, sum alpha > 0",
            "e-optimal": "`lower <= tr W / sum alpha`, sum alpha > 0",
        }.get(kind, "`lower = (tr W)^2 / sum alpha - pi.pi`, sum alpha > 0")  # fmt: skip
        positive = s.condition(PAGE, sentence, INEQUALITY)
        s.add(positive, "within", base, True)
        for alpha, boundary in ((F(0), "equality"), (-UNIT, "beyond"), (F(-1), "beyond")):
            for bound in ("0", "-1/2", "-1/4", "1", "-1000000"):
                flat = with_(base, ("2.dual.alpha", text(alpha)), (f"2.dual.{key}", zero), (f"1.{side}", bound))
                s.add(positive, boundary, flat, False)
    # bounds that every mechanism meets are true
    lower = s.condition(
        PAGE, "`e-optimal` | `alpha`, `matrix` W, k x k, symmetric, positive semidefinite, rows that sum to 0", FACTOR
    )
    base = of("e-optimal", F(3), EQUAL2)
    s.add(s.condition(PAGE, _ROWS["e-optimal"], INEQUALITY), "within", with_(base, ("1.lower", str(2 - UNIT))), True)
    s.add(s.condition(PAGE, _ROWS["e-optimal"], INEQUALITY), "within", with_(base, ("1.lower", "-7")), True)
    s.add(s.condition(PAGE, _ROWS["e-optimal"], INEQUALITY), "beyond", with_(base, ("1.lower", str(2 + UNIT))), False)
    # W of E: singular on the contrasts (0), indefinite, rows that do not sum to 0, not symmetric
    three = of("e-optimal", F(7), EQUAL3)
    one_contrast = [["1/2", "-1/2", "0"], ["-1/2", "1/2", "0"], ["0", "0", "0"]]
    weaker = with_(three, ("2.dual.matrix", one_contrast), ("2.dual.alpha", three[2]["dual"]["alpha"]))
    s.add(
        lower,
        "singular on the contrasts",
        with_(weaker, ("1.lower", str(1 / (3 * F(three[2]["dual"]["alpha"][0]))))),
        True,
    )
    s.add(lower, "singular", with_(base, ("2.dual.matrix", [["0", "0"], ["0", "0"]]), ("1.lower", "0")), True)
    negative = [["-1/2", "1/2"], ["1/2", "-1/2"]]
    s.add(lower, "indefinite", with_(base, ("2.dual.matrix", negative), ("1.lower", "-2")), False)
    tilted = [["2/3", "-1/3", "-1/3"], ["-1/3", "2/3", "-1/3"], ["-1/3", "-1/3", "2/3"]]
    mixed = [["1", "-2", "1"], ["-2", "4", "-2"], ["1", "-2", "1"]]
    indefinite = [[str(F(t) - F(m) / 3) for t, m in zip(a, b, strict=True)] for a, b in zip(tilted, mixed, strict=True)]
    s.add(lower, "indefinite", with_(three, ("2.dual.matrix", indefinite), ("1.lower", "0")), False)
    for sign in (1, -1):
        off = with_(base, ("2.dual.matrix.0.0", str(F(1, 2) + sign * UNIT)), ("1.lower", "0"))
        s.add(lower, "indefinite", off, False)
        bent = [["1/2", str(F(-1, 2) + sign * UNIT)], [str(F(-1, 2) - sign * UNIT), "1/2"]]
        s.add(lower, "indefinite", with_(base, ("2.dual.matrix", bent), ("1.lower", "0")), False)
    definite = s.condition(PAGE, "`d-optimal` | `alpha`, `matrix` W, k x k, symmetric, positive definite", FACTOR)
    base = of("d-optimal", F(3), EQUAL2)
    room = with_(base, ("2.dual.alpha", ["1000", "1000"]))
    for w, boundary in (
        ([["1", "1"], ["1", "1"]], "singular"), ([["1", "-1"], ["-1", "1"]], "singular"), ([["0", "0"], ["0", "0"]], "singular on the contrasts"),
        ([["1", "0"], ["0", "0"]], "singular on the contrasts"), ([["-1", "0"], ["0", "-1"]], "indefinite"), ([["1", "2"], ["2", "1"]], "indefinite"),
        ([["1", "1/2"], ["1/3", "1"]], "indefinite"),
    ):  # fmt: skip
        for upper in ("1000", "0"):
            s.add(definite, boundary, with_(room, ("2.dual.matrix", w), ("1.upper", upper)), False)
    s.add(
        definite,
        "singular",
        with_(room, ("2.dual.matrix", [["1", str(1 - UNIT)], [str(1 - UNIT), "1"]]), ("1.upper", "1000")),
        True,
    )


def text(alpha: F) -> list[str]:
    """Return alpha and its negative's neighbour: two numbers with the sum ``alpha``."""
    return [str(alpha / 2), str(alpha / 2)]


def _mechanisms(s: Suite) -> None:
    """The mechanism lies in the region at below; its side is its value."""
    lies = s.condition(
        PAGE, "The mechanism lies in the region at `below` (m rows if `outputs` is a number).", INEQUALITY
    )
    for kind in OBJECTIVES:
        for g in (F(3), 1 + UNIT):
            if kind in ("d-optimal", "e-optimal") and g != 3:
                continue
            s.add(lies, "equality", of(kind, g, UNEQUAL if kind in RATIONAL else EQUAL2), True)
        # a mechanism that is private with room: at the level above with a bracket
        root = {"log": "9", "times": "1/2"}
        s.add(lies, "within", of(kind, F(3), EQUAL2, level=root, gammas=(3 - UNIT, 3 + UNIT)), True)
        base = of(kind, F(3), EQUAL2)
        over = of(kind, 3 + UNIT, EQUAL2)  # the best one of a level that is a unit higher
        beyond = with_(over, ("0.region.epsilon.log", "3"), ("2.gamma", bracket(F(3))))
        s.add(lies, "beyond", beyond, False)
        s.add(lies, "beyond", with_(base, ("1.mechanism", over[1]["mechanism"])), False)
        for sign in (1, -1):
            s.add(lies, "beyond", with_(base, ("1.mechanism.matrix.0.0", str(F(3, 4) + sign * UNIT))), False)
        s.add(lies, "beyond", with_(base, ("1.mechanism.matrix", [["1", "0"], ["0", "1"]])), False)
        s.add(lies, "beyond", with_(base, ("1.mechanism.matrix", [["5/4", "-1/4"], ["-1/4", "5/4"]])), False)
        if kind != "variance":
            s.add(lies, "equality", with_(base, ("0.region.outputs", "2")), True)
        s.add(lies, "beyond", with_(base, ("0.region.outputs", "3")), False)
        zeros = [["3/4", "1/4"], ["0", "0"], ["1/4", "3/4"]]  # a row of zeros is a row
        s.add(lies, "equality", with_(base, ("1.mechanism.matrix", zeros), ("0.region.outputs", "3")), True)
    sides = {
        "a-optimal": "`a`: `M inverse = I` and `upper = tr inverse - pi.pi`", "variance": "`variance`: half of that.",
        "c-optimal": "`c`: `M z = c` and `upper = c.z - (c.pi)^2`.",
        "chi-square": "`chi-square`, `total-variation`: `lower` equals the value.",
        "total-variation": "`chi-square`, `total-variation`: `lower` equals the value.",
    }  # fmt: skip
    for kind, sentence in sides.items():
        entered = s.condition(PAGE, sentence, EQUATION)
        for pi in (EQUAL2, UNEQUAL):
            base = of(kind, F(3), pi)
            s.add(entered, "equality", base, True)
            for key in ("lower", "upper"):
                for sign, side in ((-1, "below"), (1, "above")):
                    s.add(entered, side, with_(base, (f"1.{key}", str(F(base[1][key]) + sign * UNIT))), False)
                s.add(entered, "below", with_(base, (f"1.{key}", str(-F(base[1][key])))), False)
            crossed = with_(
                base, ("1.lower", str(F(base[1]["upper"]) + UNIT)), ("1.upper", str(F(base[1]["lower"]) - UNIT))
            )
            s.add(entered, "below", crossed, False)
        if "inverse" in base[2]["primal"]:
            for sign in (1, -1):
                bad = str(F(base[2]["primal"]["inverse"][0][0]) + sign * UNIT)
                s.add(entered, "above", with_(base, ("2.primal.inverse.0.0", bad)), False)
    # the other bound of the linear ones
    reach = s.condition(
        PAGE,
        "`mutual-information`: `lower <= 0`, which is below every value, or `lower <=` the low end of the value",
        OPEN,
    )
    base = of("mutual-information", F(3), EQUAL2)
    s.add(reach, "within", with_(base, ("1.lower", "-1")), True)  # true, and says nothing
    enumerated = s.condition(
        PAGE,
        "is worked out in interval arithmetic of d decimal digits, rounded outwards (that of rule 12), and its low end is >= 0.",
        OPEN,
    )
    s.add(enumerated, "within", of("mutual-information", F(3), EQUAL2, slack=F(1, 10**25)), True)
    s.add(enumerated, "beyond", of("mutual-information", F(3), EQUAL2, slack=-F(1, 10**25)), False)
    for lower in (F(base[1]["upper"]) + UNIT, F(base[1]["lower"]) + UNIT, F(1), F(2)):
        s.add(reach, "beyond", with_(base, ("1.lower", str(lower))), False)
    for upper in (F(base[1]["lower"]) - UNIT, -F(base[1]["upper"]), F(0)):
        s.add(reach, "beyond", with_(base, ("1.upper", str(upper))), False)
    logs = s.condition(PAGE, "`d`: R is positive definite, and `lower <=` the low end of `ln det R`", OPEN)
    base = of("d-optimal", F(3), UNEQUAL)
    s.add(logs, "within", with_(base, ("1.lower", "-1000")), True)
    s.add(logs, "beyond", with_(base, ("1.lower", str(F(base[1]["lower"]) + UNIT))), False)
    s.add(logs, "beyond", with_(base, ("1.upper", str(F(base[1]["upper"]) - UNIT))), False)
    s.add(logs, "within", with_(base, ("1.upper", str(F(base[1]["upper"]) + UNIT))), True)


def _degenerate(kind: str, k: int) -> list[tuple[Matrix, str]]:
    """Return mechanisms at gamma = 3 whose information is singular, with the name of the degeneracy."""
    even = [[F(1, 2)] * k, [F(1, 2)] * k]
    found = [
        (even, "singular"),
        (even, "equal columns"),
        ([[F(1)] * k], "equal columns"),
        ([[F(1, 4)] * k, [F(3, 4)] * k], "equal columns"),
    ]
    if k == 3:  # two categories are not distinguished: singular on one contrast
        two = [[F(3, 4), F(1, 4), F(1, 4)], [F(1, 4), F(3, 4), F(3, 4)]]
        found += [(two, "singular on the contrasts")]
    else:
        found += [(even, "singular on the contrasts")]
    return found


def _singular(s: Suite) -> None:
    """M is singular: infinite values; no bound is an upper one, whatever its sign."""
    entered = s.condition(PAGE, "`a`: `M inverse = I` and `upper = tr inverse - pi.pi`", MATRIX)
    ellipsoids = s.condition(
        PAGE, "`e`: `upper > 0`, and `C (upper R - I) C` is positive semidefinite, C = I - 1 1^T/k.", MATRIX
    )
    definite = s.condition(PAGE, "`d`: R is positive definite", MATRIX)
    for pi in (EQUAL2, UNEQUAL, EQUAL3):
        k = len(pi)
        g = F(3) if k == 2 else F(7)
        unit = [[str(int(i == j)) for j in range(k)] for i in range(k)]
        nothing = [["0"] * k for _ in range(k)]
        for kind in ("a-optimal", "variance", "c-optimal", "d-optimal", "e-optimal"):
            if (kind == "variance" and k == 3) or (pi is EQUAL3 and kind == "c-optimal"):
                continue
            base = of(kind, g, pi)
            lower, upper = F(base[1]["lower"]), F(base[1]["upper"])
            for made, boundary in _degenerate(kind, k):
                p = [[str(x) for x in row] for row in made]
                if kind in ("a-optimal", "variance"):
                    for x in (base[2]["primal"]["inverse"], unit, nothing):
                        tr = sum(F(x[i][i]) for i in range(k)) - dot(pi, pi)
                        for bound in sorted({upper, tr, tr / 2, -tr, -upper}):
                            changed = with_(
                                base, ("1.mechanism.matrix", p), ("2.primal.inverse", x), ("1.upper", str(bound))
                            )
                            s.add(entered, boundary, changed, False)
                elif kind == "c-optimal":
                    for z in (base[2]["primal"]["solution"], ["0"] * k):
                        for bound in (upper, -(dot([F(1), F(-1)], pi) ** 2), -upper):
                            changed = with_(
                                base, ("1.mechanism.matrix", p), ("2.primal.solution", z), ("1.upper", str(bound))
                            )
                            s.add(
                                s.condition(PAGE, "`c`: `M z = c` and `upper = c.z - (c.pi)^2`.", MATRIX),
                                boundary,
                                changed,
                                False,
                            )
                else:
                    side, where = ("upper", ellipsoids) if kind == "e-optimal" else ("lower", definite)
                    for r in (None, "1", "2", "9", "300"):
                        bounds = (
                            {upper, -upper, -UNIT, UNIT, F(0), F(-5), F(10**6), F(-(10**6))}
                            if kind == "e-optimal"
                            else {lower, F(-1000), F(0)}
                        )
                        for bound in sorted(bounds):
                            changed = with_(
                                base, ("1.mechanism.matrix", p), ("2.primal.rounded", r), (f"1.{side}", str(bound))
                            )
                            s.add(where, boundary, changed, False)
    # a category of share 0: the information is not, and the variances are finite
    for kind in (
        "a-optimal",
        "c-optimal",
        "d-optimal",
        "e-optimal",
        "variance",
        "chi-square",
        "total-variation",
        "mutual-information",
    ):
        for pi in ([F(1), F(0)], [F(0), F(1)]):
            where = {"d-optimal": definite, "e-optimal": ellipsoids}.get(kind, entered)
            against = [F(1, 2), F(1, 2)]
            s.add(where, "empty category", of(kind, F(3), pi, against=against), True)
            if kind == "chi-square":
                s.add(where, "empty category", of(kind, F(3), EQUAL2, against=pi), True)
    row = s.condition(PAGE, "No row that is not 0 has `p_i.pi = 0`.", SPECIAL)
    base = with_delta(F(3), "1/4", (F(1, 4), F(1, 4)))
    for pi in (["1", "0"], ["0", "1"]):
        s.add(row, "special value", with_(base, ("0.population", pi)), False, known=False)
    merged = s.condition(PAGE, "`c`: `M z = c` and `upper = c.z - (c.pi)^2`.", MATRIX)
    s.add(merged, "empty category", of("c-optimal", F(3), [F(1), F(0)]), True)


def _rounded(s: Suite) -> None:
    """R = M rounded down: the bound that M itself proves, and the bound that R no longer proves."""
    down = s.condition(
        PAGE,
        "each entry of R is that of M rounded down to a multiple of 10^-r, and k 10^-r less on the diagonal",
        ROUNDING,
    )
    for pi in (EQUAL2, EQUAL3):
        k = len(pi)
        for g in (F(3), F(7)):
            base = of("e-optimal", g, pi)
            m = 1 / F(base[1]["upper"])
            for r in (1, 2, 3, 9, 300):
                unit = F(1, 10**r)
                # with equal shares R = M - e, e = (k + t - t') 10^-r on the contrasts, t and t' < 1 what is cut off
                here = information(_best(g, F(0), k), pi)
                low = [
                    [F(int(x * 10**r), 10**r) - (k * unit if i == j else 0) for j, x in enumerate(row)]
                    for i, row in enumerate(here)
                ]
                rest = low[0][0] - low[0][1]
                if rest <= 0:
                    for bound in (F(base[1]["upper"]), F(-1), 1 / rest if rest else F(10**9), F(10**9)):
                        s.add(
                            down,
                            "rounded up",
                            with_(base, ("2.primal.rounded", str(r)), ("1.upper", str(bound))),
                            False,
                        )
                    continue
                s.add(down, "rounded down", with_(base, ("2.primal.rounded", str(r)), ("1.upper", str(1 / rest))), True)
                s.add(
                    down,
                    "rounded up",
                    with_(base, ("2.primal.rounded", str(r)), ("1.upper", base[1]["upper"])),
                    False,
                    "precision",
                )
                assert 1 / rest > 1 / m
    base = of("e-optimal", F(3), EQUAL2)
    exact = s.condition(
        PAGE, "`e`: `upper > 0`, and `C (upper R - I) C` is positive semidefinite, C = I - 1 1^T/k.", INEQUALITY
    )
    for pi, g in ((EQUAL2, F(3)), (UNEQUAL, F(3)), (EQUAL3, F(7))):
        base = of("e-optimal", g, pi)
        top = F(base[1]["upper"])
        s.add(exact, "equality", base, True)
        s.add(exact, "within", with_(base, ("1.upper", str(top + UNIT))), True)
        for bound in (top - UNIT, F(0), -UNIT, -top, F(-5), -(F(10) ** 6)):
            s.add(exact, "beyond", with_(base, ("1.upper", str(bound))), False)
    count = s.condition(
        PAGE, '`{"rounded": r}` for `d-optimal` and `e-optimal`, r `null` or from 1 to `MAX_COVER_DIGITS`', COUNT
    )
    wide = with_(of("e-optimal", F(20), EQUAL2), ("1.upper", "2"))
    for r, boundary in (("0", "zero"), ("1", "one"), ("300", "limit"), ("301", "beyond"), ("-1", "zero")):
        fine = boundary in ("one", "limit")
        s.add(
            count,
            boundary,
            with_(wide, ("2.primal.rounded", r)),
            fine,
            "" if fine else "limit" if boundary == "beyond" else "form",
        )
    digits = s.condition(PAGE, 'LOGARITHMS is `{"digits": d}`, d from 1 to `MAX_COVER_DIGITS`', COUNT)
    for kind in ("mutual-information", "d-optimal"):
        # room for one digit: a bound far above, one far below
        loose = with_(of(kind, F(3), EQUAL2, slack=F(5)), ("1.lower", "-9"))
        if kind == "d-optimal":
            loose = with_(loose, ("1.upper", "100"))
        for d, boundary in (("0", "zero"), ("1", "one"), ("300", "limit"), ("301", "beyond")):
            fine = boundary in ("one", "limit")
            s.add(
                digits,
                boundary,
                with_(loose, ("2.logarithms.digits", d)),
                fine,
                "" if fine else "limit" if boundary == "beyond" else "form",
            )


def _forms(s: Suite) -> None:
    odds = s.condition(PAGE, 'gamma.above > 1 where delta is `"0"`.', INEQUALITY)
    for kind in OBJECTIVES:
        if kind not in ("d-optimal", "e-optimal"):
            s.add(odds, "within", of(kind, 1 + UNIT, EQUAL2), True)
        base = of(kind, F(3), EQUAL2)
        one = with_(base, ("0.region.epsilon", {"rational": "0"}), ("2.gamma", bracket(F(1))))
        s.add(odds, "equality", one, False)
        s.add(odds, "equality", with_(one, ("1.mechanism.matrix", [["1/2", "1/2"], ["1/2", "1/2"]])), False)
        s.add(odds, "beyond", with_(base, ("2.gamma", bracket(1 - UNIT))), False)
    inputs = s.condition(PAGE, "Enumeration: all 2^k patterns, k <= `MAX_PATTERN_INPUTS`.", ("within", "beyond"))
    many = _many(19)
    s.add(inputs, "beyond", many, False, "limit", known=True)
    s.add(inputs, "within", _many(10), True, known=True)
    linear = s.condition(PAGE, "it is `sum_j min(d_j, gamma d_j) >= 0`, one test per v; any k.", INEQUALITY)
    s.add(linear, "equality", of("total-variation", F(3), UNEQUAL), True)
    s.add(linear, "within", of("total-variation", F(3), UNEQUAL, slack=UNIT), True)
    s.add(linear, "beyond", of("total-variation", F(3), UNEQUAL, slack=-UNIT), False)
    for kind in ("total-variation", "chi-square"):
        same = of(kind, F(3), UNEQUAL, against=UNEQUAL)  # nothing to distinguish: the optimum is 0
        s.add(linear, "equality", same, True)
        s.add(linear, "beyond", with_(same, ("1.upper", str(-UNIT))), False)
        s.add(linear, "beyond", with_(same, ("1.lower", str(UNIT))), False)
    method = s.condition(PAGE, '`null` for `total-variation`, `{"kind": "enumeration"}` for the others.', OPEN)
    s.add(method, "within", of("a-optimal", F(3), EQUAL2), True)
    s.add(method, "beyond", with_(of("a-optimal", F(3), EQUAL2), ("2.patterns", None)), False, "form")
    s.add(method, "beyond", with_(of("total-variation", F(3), UNEQUAL), ("2.patterns", ENUMERATION)), False, "form")
    both = s.condition(PAGE, "symmetric or not; S W is the row S times W", SPECIAL)
    base = of("a-optimal", F(3), EQUAL2)
    turned = [["-3/4", "5/4"], ["5/4", "-3/4"]]  # W times an exchange of columns: the same lengths, a smaller trace
    tr = F(-3, 2) ** 2 / F(5, 2) - F(1, 2)
    s.add(both, "special value", with_(base, ("2.dual.matrix", turned), ("1.lower", str(tr))), True)
    s.add(both, "special value", with_(base, ("2.dual.matrix", turned)), False)


def _many(k: int) -> Document:
    """Return total information of k categories, by enumeration: a true and weak bound."""
    pi = [F(1, k)] * k
    p = next(iter(subset_selections(k, F(3))))
    q = [F(i + 1) * 2 / (k * (k + 1)) for i in range(k)]
    d = [x - y for x, y in zip(pi, q, strict=True)]
    worth = sum((dot(row, d) ** 2 / dot(row, q) for row in p), F(0))
    bound = F(10) ** 6
    problem = {
        "region": region({"log": "3"}, "0", k, "any"),
        "objective": {"kind": "chi-square", "against": q},
        "population": pi,
    }
    claim = {"kind": "design-bracket", "lower": worth, "upper": bound * k, "mechanism": {"matrix": p}}
    witness = {
        "rule": "pattern", "gamma": bracket(F(3)), "delta": bracket(F(0)), "dual": {"alpha": [bound] * k},
        "patterns": ENUMERATION, "primal": {}, "logarithms": [],
    }  # fmt: skip
    return with_((problem, claim, witness))


def _excess(s: Suite) -> None:
    entered = s.condition(PAGE, "`excess`: [x_0, x_1], both >= 0.", INEQUALITY)
    rays = s.condition(
        PAGE,
        "Beside the patterns the inequality holds for S = (1, 0) and S = (0, 1), with alpha_j + x_j in place of alpha_j;",
        INEQUALITY,
    )
    total = s.condition(
        PAGE,
        "`sum alpha + delta.above (x_0 + x_1)`, which must be positive, is in place of `sum alpha` in the bound.",
        OPEN,
    )
    private = s.condition(
        PAGE, "The mechanism satisfies `sum_i max(0, p_ij - gamma p_il) <= delta` at `below`.", INEQUALITY
    )
    for kind in ("a-optimal", "variance"):
        for g, d in ((F(2), F(1, 4)), (F(2), F(1)), (F(1), F(1, 4)), (F(1), F(1)), (F(2), UNIT)):
            made = of(
                kind, g, UNEQUAL, level={"log": str(g)} if g > 1 else {"rational": "0"}, delta=str(d), deltas=(d, d)
            )
            s.add(private, "equality", made, True)
            for at in (0, 1):
                x = F(made[2]["dual"]["excess"][at])
                lower = s_lower(made, at, -UNIT)
                s.add(rays, "equality", made, True)
                s.add(
                    rays, "beyond", with_(made, (f"2.dual.excess.{at}", str(x - UNIT)), ("1.lower", str(lower))), False
                )
                lower = s_lower(made, at, UNIT)
                s.add(
                    rays, "within", with_(made, (f"2.dual.excess.{at}", str(x + UNIT)), ("1.lower", str(lower))), True
                )
                s.add(entered, "beyond", with_(made, (f"2.dual.excess.{at}", str(-UNIT))), False)
            if 0 < d < 1:
                smaller = of(
                    kind,
                    g,
                    UNEQUAL,
                    delta=str(d - UNIT**2),
                    deltas=(d - UNIT**2, d - UNIT**2),
                    level=made[0]["region"]["epsilon"],
                )
                s.add(
                    private,
                    "within",
                    with_(
                        smaller,
                        ("0.region.delta", str(d)),
                        ("2.delta", bracket(d)),
                        ("2.dual", made[2]["dual"]),
                        ("1.lower", made[1]["lower"]),
                    ),
                    True,
                )
                more = of(
                    kind,
                    g,
                    UNEQUAL,
                    delta=str(d + UNIT),
                    deltas=(d + UNIT, d + UNIT),
                    level=made[0]["region"]["epsilon"],
                )
                s.add(
                    private,
                    "beyond",
                    with_(
                        made,
                        ("1.mechanism", more[1]["mechanism"]),
                        ("1.upper", more[1]["upper"]),
                        ("2.primal", more[2]["primal"]),
                    ),
                    False,
                )
            flat = with_(
                made,
                ("2.dual.alpha", ["0", "0"]),
                ("2.dual.excess", ["0", "0"]),
                ("2.dual.matrix", [["0", "0"], ["0", "0"]]),
            )
            for bound in ("0", "-5/8", "-5/16", "1000"):
                s.add(total, "beyond", with_(flat, ("1.lower", bound)), False)
            s.add(total, "within", made, True)
    # x = 0 is enough where the dual has no use for delta
    base = of("a-optimal", F(3), EQUAL2, delta="1/4", deltas=(F(1, 4), F(1, 4)))
    alpha, w = F(10**6), base[2]["dual"]["matrix"]
    tr = F(w[0][0]) + F(w[1][1])
    wide = with_(
        base,
        ("2.dual.alpha", [str(alpha)] * 2),
        ("2.dual.excess", ["0", "0"]),
        ("1.lower", str(tr**2 / (2 * alpha) - F(1, 2))),
    )
    s.add(entered, "equality", wide, True)
    up = with_(wide, ("2.dual.excess", [str(UNIT)] * 2), ("1.lower", str(tr**2 / (2 * alpha + UNIT / 2) - F(1, 2))))
    s.add(entered, "within", up, True)
    missing = with_(base)
    del missing[2]["dual"]["excess"]
    s.add(entered, "beyond", missing, False, "form")
    without = of("a-optimal", F(3), EQUAL2)
    without[2]["dual"]["excess"] = ["0", "0"]
    s.add(entered, "beyond", without, False, "form")


def s_lower(made: Document, at: int, change: F) -> F:
    """Return the bound with one number of the excess changed."""
    dual, delta = made[2]["dual"], F(made[2]["delta"]["above"])
    total = sum(map(F, dual["alpha"])) + delta * (sum(map(F, dual["excess"])) + change)
    w = dual["matrix"]
    pi = [F(x) for x in made[0]["population"]]
    half = 2 if made[0]["objective"]["kind"] == "variance" else 1
    return ((F(w[0][0]) + F(w[1][1])) ** 2 / total - dot(pi, pi)) / half


# -- rule 14


def orbits(k: int, g: F, slack: F = F(0)) -> Document:
    """Return one group of k categories, by k-ary randomized response."""
    p = next(iter(subset_selections(k, g)))
    pi = [F(1, k)] * k
    m = information(p, pi)
    x = inverse(m)
    blocks = {"diagonal": [x[0][0] - x[0][1]], "blocks": [[x[0][1]]]}
    alpha = phi("a-optimal", [g] + [F(1)] * (k - 1), pi, x, []) / (g + k - 1) + slack
    tr = sum(x[i][i] for i in range(k))
    problem = {"region": region({"log": str(g)}, "0", k, "any"), "objective": {"kind": "a-optimal"}, "population": pi}
    rows = [[[[p[0][1], k - 1], [p[0][0], 1]]]]
    claim = {
        "kind": "design-bracket", "lower": tr**2 / (k * alpha) - F(1, k), "upper": tr - F(1, k),
        "mechanism": {"orbits": {"groups": [k], "rows": rows}},
    }  # fmt: skip
    witness = {
        "rule": "orbits", "gamma": bracket(g), "delta": bracket(F(0)),
        "dual": {"alpha": [alpha], "matrix": blocks}, "primal": {"inverse": blocks},
    }  # fmt: skip
    return with_((problem, claim, witness))


def two_groups(g: F, pi: list[F]) -> Document:
    """Return two categories as two groups of one."""
    base = of("a-optimal", g, pi)
    x = base[2]["primal"]["inverse"]
    m = information(four_answers(g, F(0)), pi)
    # in BLOCKS the information of groups of one is d_g = M_gg, b_gg = 0: so (d, b) of the inverse solves two equations
    diagonal = [1 / m[0][0], 1 / m[1][1]]
    blocks = [[F(x[i][j]) - (diagonal[i] if i == j else 0) for j in range(2)] for i in range(2)]
    primal = {"diagonal": diagonal, "blocks": blocks}
    rows = [[[[x, 1]] for x in map(F, row)] for row in base[1]["mechanism"]["matrix"]]
    claim = {**base[1], "mechanism": {"orbits": {"groups": [1, 1], "rows": rows}}}
    witness = {
        "rule": "orbits", "gamma": base[2]["gamma"], "delta": base[2]["delta"],
        "dual": {"alpha": base[2]["dual"]["alpha"], "matrix": primal}, "primal": {"inverse": primal},
    }  # fmt: skip
    return with_((base[0], claim, witness))


def _orbits(s: Suite) -> None:
    inputs = s.condition(ORBITS, "k <= `MAX_ORBIT_INPUTS`; g, h, f are groups.", ("one", "limit", "beyond"))
    s.add(inputs, "one", orbits(2, F(7)), True)
    s.add(inputs, "limit", _one_group(10_000), True, known=True)
    s.add(inputs, "beyond", _one_group(10_001), False, "limit", known=True)
    sizes = s.condition(ORBITS, "entries > 0, counts >= 1 that sum to n_g.", INEQUALITY)
    base = orbits(4, F(3))
    s.add(sizes, "equality", base, True)
    rows = base[1]["mechanism"]["orbits"]["rows"]
    for changed, boundary in (
        ([[[["1/6", "3"], ["1/2", "1"], ["1/6", "0"]]]], "beyond"), ([[[["1/6", "2"], ["1/2", "1"]]]], "beyond"),
        ([[[["1/6", "4"], ["1/2", "1"]]]], "beyond"), ([[[["0", "3"], ["1", "1"]]]], "beyond"), ([[[["-1/6", "3"], ["3/2", "1"]]]], "beyond"),
        ([*rows, [[["0", "4"]]]], "beyond"),
    ):  # fmt: skip
        s.add(sizes, boundary, with_(base, ("1.mechanism.orbits.rows", changed)), False, "form")
    apart = [[[["1/18", "1"], ["1/18", "2"], ["1/6", "1"]]]]  # three times as many rows, each a third
    s.add(sizes, "within", with_(base, ("1.mechanism.orbits.rows", apart)), True)
    private = s.condition(
        ORBITS, "No entry of a ROW is more than gamma.below times another entry of it, of whatever group.", INEQUALITY
    )
    columns = s.condition(ORBITS, "`sum N S1_g / n_g = 1` over the orbits, for each g.", EQUATION)
    s.add(private, "equality", base, True)
    for made, boundary in ((orbits(4, 3 + UNIT), "beyond"), (orbits(4, 3 - UNIT), "within")):
        moved = with_(
            base, ("1.mechanism", made[1]["mechanism"]), ("1.upper", made[1]["upper"]), ("2.primal", made[2]["primal"])
        )
        s.add(private, boundary, moved, boundary == "within")
    for pi in (UNEQUAL, [F(1), F(0)]):
        two = two_groups(F(3), pi)
        s.add(private, "equality", two, True)
        s.add(columns, "equality", two, True)
        for sign, side in ((-1, "below"), (1, "above")):
            s.add(columns, side, with_(two, ("1.mechanism.orbits.rows.0.0.0.0", str(F(3, 4) + sign * UNIT))), False)
            for key in ("lower", "upper"):
                entered = s.condition(
                    ORBITS,
                    "`upper = sum_g n_g (x_g + Y_gg) - sum_g n_g pi_g^2`"
                    if key == "upper"
                    else "`lower = (sum_g n_g (a_g + B_gg))^2 / A - sum_g n_g pi_g^2`",
                    EQUATION,
                )
                s.add(entered, "equality", two, True)
                s.add(entered, side, with_(two, (f"1.{key}", str(F(two[1][key]) + sign * UNIT))), False)
    singular = s.condition(
        ORBITS,
        "For `inverse` (x, Y): `d_g x_g = 1` and `d_g Y_gh + b_gh x_h + sum_f n_f b_gf Y_fh = 0` for all g, h.",
        (*EQUATION, *MATRIX),
    )
    s.add(singular, "equality", base, True)
    for sign, side in ((-1, "below"), (1, "above")):
        s.add(singular, side, with_(base, ("2.primal.inverse.diagonal.0", str(F(9, 4) + sign * UNIT))), False)
        s.add(singular, side, with_(base, ("2.primal.inverse.blocks.0.0", str(F(-1, 2) + sign * UNIT))), False)
    for upper in (F(27, 4), F(-1, 4)):
        for x in (base[2]["primal"]["inverse"], {"diagonal": ["0"], "blocks": [["0"]]}):
            even = with_(
                base, ("1.mechanism.orbits.rows", [[[["1", "4"]]]]), ("2.primal.inverse", x), ("1.upper", str(upper))
            )
            for boundary in ("singular", "equal columns", "singular on the contrasts"):
                s.add(singular, boundary, even, False)
    s.add(singular, "empty category", two_groups(F(3), [F(1), F(0)]), True)
    dual = s.condition(
        ORBITS,
        "`sum_g a_g^2 Q_g + 2 a_g sigma_g t_g + n_g t_g^2 <= (sum_g alpha_g sigma_g)(sum_g pi_g sigma_g)`",
        INEQUALITY,
    )
    for slack, boundary in ((F(0), "equality"), (UNIT, "within"), (-UNIT, "beyond")):
        s.add(dual, boundary, orbits(3, F(7), slack), boundary != "beyond")
    total = s.condition(ORBITS, "`t_g = sum_f sigma_f B_fg`. `A > 0`, and", ("equality", "beyond"))
    for alpha, boundary in (("0", "equality"), (str(-UNIT), "beyond")):
        for lower in ("0", "1"):
            flat = with_(
                base,
                ("2.dual", {"alpha": [alpha], "matrix": {"diagonal": ["0"], "blocks": [["0"]]}}),
                ("1.lower", lower),
            )
            s.add(total, boundary, flat, False)
    odds = s.condition(
        ORBITS,
        'Region `differential-privacy` with delta `"0"` and family `all`, or `criterion`; `outputs` `"any"`; '
        "objective `a-optimal`, `e-optimal`, `d-optimal` or `mutual-information`.",
        SPECIAL,
    )
    for path, value in (
        ("0.region.delta", "1/4"),
        ("0.region.family", "warner"),
        ("0.region.outputs", "4"),
        ("0.objective.kind", "c-optimal"),
    ):
        s.add(odds, "special value", with_(base, (path, value)), False, "form")
    groups = s.condition(
        ORBITS,
        "The inputs are in consecutive groups of sizes n_1, n_2, ..., n_G, and inputs of one group have one proportion: pi_g.",
        OPEN,
    )
    s.add(groups, "within", base, True)
    uneven = with_(base, ("0.population", [str(F(1, 4) + UNIT), str(F(1, 4) - UNIT), "1/4", "1/4"]))
    s.add(groups, "beyond", uneven, False)
    for sizes_ in (["3"], ["5"], ["4", "0"], ["0", "4"], []):
        s.add(groups, "beyond", with_(base, ("1.mechanism.orbits.groups", sizes_)), False, "form")
    _objectives_in_groups(s)


_IN_GROUPS = (  # sentence, what is needed, and the files made by hand
    ("`alpha`, `inside`: numbers x_g >= 0,", ("equality", "beyond"), {
        "equality": ["D, Warner: the determinant is 1"], "beyond": ["E, inside is negative"],
    }),
    ("`D_gg >= sum_(h not g) abs(D_gh)`", INEQUALITY, {
        "equality": ["E, the factor leaves 0 on the diagonal"], "within": ["E, one group: the factors have no columns"],
        "beyond": ["E, the factor is above the matrix", "D, the factor is above the information"],
    }),
    ("`x_g <= upper` where n_g > 1.", ("equality", "beyond"), {
        "equality": ["E, one group: the factors have no columns"], "beyond": ["E, upper is below the variance of a contrast"],
    }),
    ("`d-optimal`: d_g > 0 where n_g > 1. The `factor` T has `T_gh = 0` for g < h and T_gg not 0", OPEN, {
        "within": ["D, two groups of two", "D, a share is 0"], "beyond": ["D, the factor is turned: its square is the same"],
    }),
    ("`lower <= sum_g (n_g - 1) ln d_g + 2 sum_g ln abs(T_gg) - sum_g ln n_g`, the first sum over the groups with n_g > 1.", OPEN, {
        "within": ["D, one group: ln(256/729)"], "beyond": ["D, lower is on the wrong side of ln(256/729)"],
    }),
    ("`lower <= sum N (sum_j pi_j p_j ln p_j - s ln s)`", OPEN, {
        "within": ["information, one group: ln(2/sqrt 3)"], "beyond": ["information, lower is above ln(2/sqrt 3)"],
    }),
    ("`sum_g x_g (Q_g - sigma_g^2/n_g) + sum_j (sum_g sigma_g F_gj)^2 <= (sum_g alpha_g sigma_g)(sum_g pi_g sigma_g)`. `A > 0`.", INEQUALITY, {
        "equality": ["E, one group: the factors have no columns"], "within": ["D, three groups"],
        "beyond": ["E, the inequality fails with one large entry", "E, alpha and inside are 0"],
    }),
    ("`lower A <= sum_g (n_g - 1) x_g + sum_gj n_g F_gj^2`", ("equality", "beyond"), {
        "equality": ["E, each input is a group of its own: inside does not count"], "beyond": ["E, lower is above the dual's bound"],
    }),
    ("x_g > 0 where n_g > 1; `F_gj = 0` for g < j < G and F_jj not 0.", OPEN, {
        "within": ["D, three groups"], "beyond": ["D, inside is 0", "D, the dual's factor is not triangular"],
    }),
    (
        "`upper >= (k-1) ln(A/(k-1)) - sum_g (n_g - 1) ln x_g - sum_(g<G) ln n_g + ln n_G - 2 sum_(j<G) ln abs(F_jj)`, "
        "the first sum over the groups with n_g > 1.", INEQUALITY, {
            "equality": ["D, Warner: the determinant is 1"], "within": ["D, one group: ln(256/729)"],
            "beyond": ["D, upper is on the wrong side of ln(256/729)"],
    }),
    ("`gamma ln gamma sum_g pi_g c_g - s ln s <= sum_g alpha_g sigma_g`. `upper >= A`.", ("equality", "beyond"), {
        "equality": ["information, one group: ln(2/sqrt 3)"],
        "beyond": ["information, the inequality fails with one large entry", "information, upper is below the sum of alpha"],
    }),
)  # fmt: skip


def _objectives_in_groups(s: Suite) -> None:
    made = {why: (accepted, file) for accepted, why, file in objectives()}
    for sentence, needs, listed in _IN_GROUPS:
        entered = s.condition(ORBITS, sentence, needs)
        for boundary, names in listed.items():
            for accepted, file in map(made.__getitem__, names):
                document = with_((file["problem"], file["claim"], file["witness"]))
                s.add(entered, boundary, document, accepted)


def _one_group(k: int) -> Document:
    """Return the same as ``orbits`` without a matrix, for large k."""
    g = F(10**6)
    high, low = g / (g + k - 1), 1 / (g + k - 1)
    # M = mu I + nu J: mu = eigenvalue on contrasts, 1 M 1 = k^2
    mu = F(k) * (high - low) ** 2
    nu = (k - mu) / k
    d, b = 1 / mu, -nu / mu / k
    b = -nu / (mu * (mu + k * nu))
    pi = ["1/" + str(k)] * k
    tr = k * (d + b)
    # S W = g d + b (g + k - 1) at one entry, d + b (g + k - 1) elsewhere
    sigma = g + k - 1
    alpha = ((g * d + b * sigma) ** 2 + (k - 1) * (d + b * sigma) ** 2) * k / sigma**2
    problem = {"region": region({"log": str(g)}, "0", k, "any"), "objective": {"kind": "a-optimal"}, "population": pi}
    claim = {
        "kind": "design-bracket", "lower": tr**2 / (k * alpha) - F(1, k), "upper": tr - F(1, k),
        "mechanism": {"orbits": {"groups": [k], "rows": [[[[low, k - 1], [high, 1]]]]}},
    }  # fmt: skip
    blocks = {"diagonal": [d], "blocks": [[b]]}
    witness = {
        "rule": "orbits", "gamma": bracket(g), "delta": bracket(F(0)),
        "dual": {"alpha": [alpha], "matrix": blocks}, "primal": {"inverse": blocks},
    }  # fmt: skip
    return with_((problem, claim, witness))


# -- rule 22


def cones(g: F, lift: F | None = None, slack: F = F(0), kind: str = "a-optimal") -> Document:
    """Return two categories and two answers, all entries at least ``lift`` where it is given; one cell."""
    m = g / (g + 1) if lift is None else 1 - lift
    reach = g if lift is None else min(g, m / lift)
    pi = EQUAL2
    p = [[1 - m, m], [m, 1 - m]]
    x = inverse(information(p, pi))
    objective: dict[str, Any] = {"kind": kind}
    w: Any = x
    if kind == "c-optimal":
        objective["contrast"] = [1, -1]
        w = solve(information(p, pi), [F(1), F(-1)])
    patterns = [[reach, F(1)], [F(1), reach]]
    alpha = [y + slack for y in solve(patterns, [phi(kind, each, pi, w, []) for each in patterns]) or []]
    q = dot(pi, pi) if kind == "a-optimal" else F(0)
    t = x[0][0] + x[1][1] if kind == "a-optimal" else w[0] - w[1]
    bound = t**2 / sum(alpha) - q
    worth = t - q
    inner = region({"log": str(g)}, "0", 2, "2")
    outer = (
        inner
        if lift is None
        else {"kind": "bounded", "region": inner, "least": [[lift] * 2] * 2, "most": [["1"] * 2] * 2}
    )
    problem = {"region": outer, "objective": objective, "population": pi}
    claim = {"kind": "design-bracket", "lower": bound, "upper": worth, "mechanism": {"matrix": p}}
    dual = {"alpha": alpha, "matrix" if kind == "a-optimal" else "vector": w, "bounds": None}
    witness = {
        "rule": "cones", "gamma": bracket(g), "delta": bracket(F(0)),
        "primal": {"inverse": x} if kind == "a-optimal" else {"solution": w}, "duals": [dual], "cells": None,
    }  # fmt: skip
    return with_((problem, claim, witness))


def _cones(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(CONES, sentence, needs)

    base = cones(F(3))
    lies = condition(
        "The mechanism lies in the region at `below`; its side, `upper`, is that of rule 5.", (*INEQUALITY, *MATRIX)
    )
    third = F(3, 10)
    for kind in ("a-optimal", "c-optimal"):
        for g, lift in ((F(3), None), (F(3), third), (F(3), F(1, 4)), (F(3), F(1, 5)), (F(3), F(0)), (1 + UNIT, None)):
            made = cones(g, lift if lift is None or lift >= F(1, 4) else None, kind=kind)
            if lift is not None and lift < F(1, 4):  # the bounds have no part: the level alone
                inner = made[0]["region"]
                made = with_(
                    made,
                    (
                        "0.region",
                        {"kind": "bounded", "region": inner, "least": [[str(lift)] * 2] * 2, "most": [["1"] * 2] * 2},
                    ),
                )
            s.add(lies, "equality", made, True)
        made = cones(F(3), third, kind=kind)
        for change, boundary in ((UNIT, "within"), (-UNIT, "beyond")):
            other = cones(F(3), third + change, kind=kind)
            moved = with_(
                made,
                ("1.mechanism", other[1]["mechanism"]),
                ("1.upper", other[1]["upper"]),
                ("2.primal", other[2]["primal"]),
            )
            s.add(lies, boundary, moved, boundary == "within")
        for sign, side in ((-1, "beyond"), (1, "beyond")):
            s.add(lies, side, with_(made, ("1.upper", str(F(made[1]["upper"]) + sign * UNIT))), False)
            s.add(lies, side, with_(made, ("1.upper", str(-F(made[1]["upper"]) + sign * UNIT))), False)
        for p in ([["1/2", "1/2"], ["1/2", "1/2"]], [["7/10", "7/10"], ["3/10", "3/10"]]):
            for boundary in ("singular", "equal columns", "singular on the contrasts"):
                for upper in (made[1]["upper"], "0", "-1/2", str(-F(made[1]["upper"]))):
                    s.add(lies, boundary, with_(made, ("1.mechanism.matrix", p), ("1.upper", upper)), False)
    for pi in ([F(1), F(0)], [F(0), F(1)]):
        of_rule_5 = of("a-optimal", F(3), pi)
        moved = (
            with_(of_rule_5, ("0.region.outputs", "2"))[0], of_rule_5[1],
            {"rule": "cones", "gamma": bracket(F(3)), "delta": bracket(F(0)), "primal": of_rule_5[2]["primal"],
             "duals": [{**of_rule_5[2]["dual"], "bounds": None}], "cells": None},
        )  # fmt: skip
        s.add(lies, "empty category", moved, True)
    dual = condition("abs(r W)^2 <= ((alpha + beta_i) . r) (r . pi).", INEQUALITY)
    for kind in ("a-optimal", "c-optimal"):
        for lift in (None, third):
            for slack, boundary in ((F(0), "equality"), (UNIT, "within"), (-UNIT, "beyond")):
                s.add(dual, boundary, cones(F(3), lift, slack, kind), boundary != "beyond")
    bound = condition("Every dual has `B < 0`, or t is not 0 and `(lower + q) B <= t^2`.", INEQUALITY)
    s.add(bound, "equality", base, True)
    for change, boundary in ((-UNIT, "within"), (UNIT, "beyond"), (F(-100), "within")):
        s.add(bound, boundary, with_(base, ("1.lower", str(F(base[1]["lower"]) + change))), boundary == "within")
    # B = 0, t = 0: nothing is proved; a dual that serves no cell has to pass all the same
    zero = {"alpha": ["0", "0"], "matrix": [["0", "0"], ["0", "0"]], "bounds": None}
    s.add(bound, "beyond", with_(base, ("2.duals", [zero])), False)
    spare = with_(base, ("2.duals", [base[2]["duals"][0], zero]))
    s.add(bound, "beyond", spare, False)
    negative = {"alpha": ["-1", "0"], "matrix": [["0", "0"], ["0", "0"]], "bounds": None}
    s.add(
        bound, "within", with_(base, ("2.duals", [base[2]["duals"][0], negative])), False
    )  # the one of place 0 must serve all
    tokens = ["0", "0", "0"]  # two orders for each of two equal answers: three cells
    listed = with_(base, ("2.cells", tokens))
    s.add(condition("No token is left over or missing.", COUNT_OF_TOKENS), "limit", listed, True)
    for cells, boundary in (
        ([], "zero"),
        (["0"], "one"),
        (["0", "0"], "one"),
        (["0"] * 4, "beyond"),
        (["1", "0", "0"], "beyond"),
        (["-1", "0", "0"], "beyond"),
    ):
        s.add(
            condition("No token is left over or missing.", COUNT_OF_TOKENS),
            boundary,
            with_(base, ("2.cells", cells)),
            False,
            "form" if boundary != "one" else "",
        )
    s.add(
        condition("No token is left over or missing.", COUNT_OF_TOKENS),
        "limit",
        with_(listed, ("2.cells", [["0", "0", "1"], "0", "0", "0", "0"])),
        True,
    )
    s.add(
        condition("No token is left over or missing.", COUNT_OF_TOKENS),
        "beyond",
        with_(listed, ("2.cells", [["0", "1", "1"], "0", "0", "0", "0"])),
        False,
        "form",
    )
    s.add(bound, "within", with_(listed, ("2.duals", [base[2]["duals"][0], negative])), True)
    reach = condition(
        "(which counts as larger than gamma.above where `least_il <= 0`: no entry is negative, whatever the bound); g > 1.",
        INEQUALITY,
    )
    half = F(1, 2)
    s.add(reach, "within", cones(F(3), half - UNIT), True)
    only = cones(F(3), half - UNIT)
    s.add(
        reach,
        "equality",
        with_(only, ("0.region.least", [["1/2"] * 2] * 2), ("1.mechanism.matrix", [["1/2"] * 2] * 2)),
        False,
    )
    s.add(reach, "beyond", with_(only, ("0.region.least", [[str(half + UNIT)] * 2] * 2)), False)
    s.add(
        reach,
        "within",
        with_(
            cones(F(3)),
            (
                "0.region",
                {"kind": "bounded", "region": base[0]["region"], "least": [["-1"] * 2] * 2, "most": [["2"] * 2] * 2},
            ),
        ),
        True,
    )
    odds = condition(
        "`outputs` is a number m; gamma.above > 1; at most `MAX_PATTERN_INPUTS` inputs.", ("equality", "within")
    )
    s.add(odds, "within", cones(1 + UNIT), True)
    s.add(odds, "equality", with_(base, ("0.region.epsilon", {"rational": "0"}), ("2.gamma", bracket(F(1)))), False)
    s.add(odds, "equality", with_(base, ("0.region.outputs", "any")), False, "form")


COUNT_OF_TOKENS = COUNT
