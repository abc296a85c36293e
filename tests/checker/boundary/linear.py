"""Rules 3 and 4: linear programs, their designs, and Farkas certificates."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, MATRIX, OPEN, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region

PAGE = "linear_rules.md"
Document = tuple[Any, Any, Any]


def trace(g: F, above: F | None = None, level: Any = None) -> Document:
    """Return the trace of two categories and two answers."""
    a = above or g
    y, z = a / (a + 1), 1 / (a + 1)
    p = g / (g + 1)
    problem = {
        "region": region(level or {"log": str(g)}), "objective": {"kind": "trace", "weights": [1, 1]},
        "population": [F(1, 2), F(1, 2)],
    }  # fmt: skip
    claim = {
        "kind": "design-bracket",
        "lower": 2 * p,
        "upper": 2 * y,
        "mechanism": {"matrix": [[p, 1 - p], [1 - p, p]]},
    }
    dual = [[0, y], [1, y], [3, -y], [4, -y], [6, -z], [9, -z]]
    witness = {"rule": "linear-programme", "gamma": bracket(g, a), "delta": bracket(F(0)), "dual": dual}
    return with_((problem, claim, witness))


def programme(
    sense: str, cost: list[Any], signs: list[str], rows: list[Any], value: Any, point: list[Any], dual: list[Any]
) -> Document:
    """Return a linear program with its claim."""
    listed = [{"coefficients": a, "relation": relation, "bound": b} for a, relation, b in rows]
    problem = {"kind": "linear-programme", "sense": sense, "cost": cost, "signs": signs, "rows": listed}
    claim = {"kind": "optimal-value", "lower": value, "upper": value, "point": point}
    return with_((problem, claim, {"rule": "linear-programme", "dual": dual}))


def farkas(signs: list[str], rows: list[Any], multipliers: list[Any]) -> Document:
    """Return a linear program that has no point, as it is claimed."""
    listed = [{"coefficients": a, "relation": relation, "bound": b} for a, relation, b in rows]
    problem = {
        "kind": "linear-programme",
        "sense": "minimise",
        "cost": [0] * len(signs),
        "signs": signs,
        "rows": listed,
    }
    return with_((problem, {"kind": "infeasible"}, {"rule": "farkas", "multipliers": multipliers}))


N, FREE = "nonnegative", "free"


def add_to(s: Suite) -> None:
    """Add the files of both rules."""
    _programmes(s)
    _designs_by_programmes(s)
    _farkas_files(s)


def _programmes(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    minimise = condition("*Minimise:* `y_i >= 0` on `>=`, `y_i <= 0` on `<=`, free on `=`;", INEQUALITY)
    cost = condition("reduced cost `c - A^T y` is >= 0 on nonnegative variables, = 0 on free ones.", INEQUALITY)
    maximise = condition(
        "*Maximise:* all signs reversed: `y_i >= 0` on `>=`, `<= 0` on `>=`; `c - A^T y <= 0`, = 0 on free.".replace(
            "`y_i >= 0` on `>=`", "`y_i >= 0` on `<=`"
        ),
        INEQUALITY,
    )
    equal = condition(
        "for `linear-programme` the point is feasible and `c . x = b . y = lower = upper`.", (*EQUATION, *INEQUALITY)
    )
    # minimise x + 2y over x + y >= 1, x <= 3; the best is (1, 0)
    rows = [([[0, 1], [1, 1]], ">=", 1), ([[0, 1]], "<=", 3)]
    base = programme("minimise", [1, 2], [N, N], rows, 1, [1, 0], [[0, 1]])
    s.add(minimise, "equality", base, True)  # the other multipliers are 0
    s.add(minimise, "within", base, True)
    s.add(equal, "equality", base, True)
    s.add(equal, "within", base, True)
    # wrong signs: y = -1 on >=, and a positive one on <=
    s.add(minimise, "beyond", programme("minimise", [-1, 0], [N, N], rows[:1], -1, [1, 0], [[0, -1]]), False)
    s.add(minimise, "beyond", programme("minimise", [1, 0], [N, N], rows[1:], 3, [3, 0], [[0, 1]]), False)
    s.add(minimise, "beyond", programme("minimise", [UNIT, 0], [N, N], rows[1:], 3 * UNIT, [3, 0], [[0, UNIT]]), False)
    s.add(minimise, "within", programme("minimise", [-1, 0], [N, N], rows[1:], -3, [3, 0], [[0, -1]]), True)
    s.add(
        minimise, "within", programme("minimise", [-UNIT, 0], [N, N], rows[1:], -3 * UNIT, [3, 0], [[0, -UNIT]]), True
    )
    s.add(cost, "equality", base, True)  # reduced costs 0 and 1
    s.add(cost, "within", with_(base, ("0.cost.1", 1 + UNIT)), True)
    s.add(cost, "beyond", with_(base, ("0.cost.1", 1 - UNIT)), False)
    s.add(cost, "beyond", with_(base, ("0.cost.0", 1 - UNIT)), False)
    free = programme("minimise", [1, 1], [FREE, FREE], [([[0, 1], [1, 1]], "=", 2)], 2, [5, -3], [[0, 1]])
    s.add(cost, "equality", free, True)
    for sign in (1, -1):
        s.add(cost, "beyond", with_(free, ("0.cost.1", 1 + sign * UNIT)), False)
    up = programme("maximise", [1, 1], [N, N], [([[0, 1], [1, 1]], "<=", 2), ([[0, 1]], ">=", 1)], 2, [1, 1], [[0, 1]])
    s.add(maximise, "equality", up, True)
    s.add(maximise, "within", with_(up, ("0.cost.1", 1 - UNIT), ("1.point", [2, 0])), True)
    s.add(maximise, "beyond", with_(up, ("0.cost.1", 1 + UNIT)), False)
    s.add(maximise, "beyond", programme("maximise", [1, 0], [N, N], [([[0, 1]], ">=", 1)], 1, [1, 0], [[0, 1]]), False)
    s.add(
        maximise, "beyond", programme("maximise", [-1, 0], [N, N], [([[0, 1]], "<=", 1)], -1, [1, 0], [[0, -1]]), False
    )
    s.add(
        maximise, "within", programme("maximise", [-1, 0], [N, N], [([[0, 1]], ">=", 1)], -1, [1, 0], [[0, -1]]), True
    )
    for key in ("lower", "upper"):
        for sign, side in ((-1, "below"), (1, "above")):
            s.add(equal, side, with_(base, (f"1.{key}", 1 + sign * UNIT)), False)
            s.add(equal, side, with_(base, (f"1.{key}", -1 + sign * UNIT)), False)
    for point in ([1 - UNIT, 0], [1 + UNIT, 0], [1 + UNIT, -UNIT], [0, 1], [3 + UNIT, -2 - UNIT]):
        s.add(equal, "beyond", with_(base, ("1.point", point)), False)
    s.add(equal, "beyond", with_(base, ("1.point", [1])), False, "form")
    degenerate = s.condition(
        "FORMAT.md", "a linear program may have no variables or no rows, a polytope no rows.", COUNT[:2]
    )
    s.add(degenerate, "zero", programme("minimise", [], [], [], 0, [], []), True, known=True)
    s.add(degenerate, "zero", programme("minimise", [], [], [], 1, [], []), False, known=False)
    s.add(degenerate, "zero", programme("minimise", [1], [N], [], 0, [0], []), True, known=True)
    s.add(degenerate, "one", programme("minimise", [0], [FREE], [], 0, [7], []), True, known=True)
    s.add(degenerate, "one", programme("minimise", [-1], [N], [], 0, [0], []), False)
    singular = condition("`coefficients` are pairs [index, value], indices ascending, no zero value.", MATRIX)
    same = [([[0, 1], [1, 1]], ">=", 1), ([[0, 2], [1, 2]], ">=", 2)]  # the second row is twice the first
    s.add(
        singular, "singular", programme("minimise", [1, 1], [N, N], same, 1, [1, 0], [[0, F(1, 2)], [1, F(1, 4)]]), True
    )
    s.add(
        singular,
        "singular on the contrasts",
        programme("minimise", [1, 1], [N, N], same, 1, [0, 1], [[1, F(1, 2)]]),
        True,
    )
    s.add(singular, "equal columns", programme("minimise", [1, 1], [N, N], same, 1, [F(1, 2), F(1, 2)], [[0, 1]]), True)
    s.add(
        singular,
        "empty category",
        programme("minimise", [1, 0], [N, N], [([[0, 1]], ">=", 1)], 1, [1, 0], [[0, 1]]),
        True,
    )
    s.add(
        singular,
        "empty category",
        programme("minimise", [1], [N], [([], "<=", 0), ([[0, 1]], ">=", 1)], 1, [1], [[1, 1]]),
        True,
        known=True,
    )
    s.add(
        singular,
        "empty category",
        programme("minimise", [1], [N], [([], ">=", 1)], 1, [1], [[0, 1]]),
        False,
        known=False,
    )
    for wrong in ([[1, 1], [0, 1]], [[0, 0], [1, 1]], [[0, 1], [0, 1]], [[0, 1], [2, 1]], [[-1, 1]]):
        s.add(singular, "equal columns", with_(base, ("0.rows.0.coefficients", wrong)), False, "form")
    order = condition('rows ascending from `"0"`, no zero value, rows that are left out have the value 0;', COUNT)
    s.add(order, "one", base, True)
    s.add(order, "zero", programme("minimise", [1, 2], [N, N], rows[1:], 0, [0, 0], []), True)
    s.add(
        order,
        "limit",
        programme("minimise", [1, 2], [N, N], [*rows, ([[1, 1]], ">=", 0)], 1, [1, 0], [[0, F(1, 2)], [2, F(3, 2)]]),
        False,
    )
    s.add(
        order,
        "limit",
        programme("minimise", [1, 2], [N, N], [*rows, ([[1, 1]], ">=", 0)], 1, [1, 0], [[0, 1], [2, 1]]),
        True,
    )
    for wrong in ([[0, 1], [1, 0]], [[1, -1], [0, 1]], [[0, 1], [0, 1]], [[2, 1]], [[-1, 1]]):
        s.add(order, "beyond", with_(base, ("2.dual", wrong)), False, "form")


def _designs_by_programmes(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    lies = condition(
        "The mechanism lies in the region at `below` and its value equals its side;", (*INEQUALITY, "below", "above")
    )
    side = condition("The side of the bound equals `b . y`.", EQUATION)
    dual = condition("reduced cost `c - A^T y` is >= 0 on nonnegative variables, = 0 on free ones.", INEQUALITY)
    for g in (F(2), F(1), 1 + UNIT, F(1000)):
        base = trace(g, level={"rational": "0"} if g == 1 else None)
        s.add(lies, "equality", base, True)
        s.add(side, "equality", base, True)
        for sign, where in ((-1, "below"), (1, "above")):
            s.add(side, where, with_(base, ("1.upper", F(base[1]["upper"]) + sign * UNIT)), False)
            s.add(side, where, with_(base, ("1.upper", -F(base[1]["upper"]))), False)
            s.add(lies, where, with_(base, ("1.lower", F(base[1]["lower"]) + sign * UNIT)), False)
        p = g / (g + 1)
        for change, boundary in ((UNIT, "beyond"), (-UNIT, "within")):
            if boundary == "within" and g < 2:
                continue  # a unit less is private in the other direction alone
            q = p + change
            moved = with_(base, ("1.mechanism.matrix", [[q, 1 - q], [1 - q, q]]), ("1.lower", 2 * q))
            s.add(lies, boundary, moved, boundary == "within")
        s.add(
            lies,
            "within",
            with_(base, ("1.mechanism.matrix", [["1/2", "1/2"], ["1/2", "1/2"]]), ("1.lower", "1")),
            True,
        )
        s.add(lies, "beyond", with_(base, ("1.mechanism.matrix", [["1", "0"], ["0", "1"]]), ("1.lower", "2")), False)
        s.add(lies, "beyond", with_(base, ("1.mechanism.matrix", [["1", "1"], ["0", "0"]]), ("1.lower", "2")), False)
        s.add(lies, "within", with_(base, ("1.mechanism.matrix", [["1", "1"], ["0", "0"]]), ("1.lower", "1")), True)
        y = F(base[2]["dual"][0][1])
        s.add(dual, "within", with_(base, ("2.dual.0.1", y + UNIT), ("1.upper", F(base[1]["upper"]) + UNIT)), True)
        s.add(dual, "beyond", with_(base, ("2.dual.0.1", y - UNIT), ("1.upper", F(base[1]["upper"]) - UNIT)), False)
    s.add(lies, "within", trace(F(7, 5), F(3, 2), {"log": "2", "times": "1/2"}), True)
    weight = condition("For a design problem the checker rebuilds the program and never reads it.", SPECIAL)
    none = with_(trace(F(2)), ("0.objective.weights", ["0", "0"]), ("1.lower", "0"), ("1.upper", "0"), ("2.dual", []))
    s.add(weight, "special value", none, True)
    s.add(weight, "special value", with_(none, ("1.upper", -UNIT)), False)
    loss = with_(
        trace(F(2)),
        ("0.objective", {"kind": "loss", "matrix": [["0", "0"], ["0", "0"]]}),
        ("1.lower", "0"),
        ("1.upper", "0"),
        ("2.dual", []),
    )
    s.add(weight, "special value", loss, True)
    s.add(weight, "special value", with_(loss, ("1.upper", -UNIT)), False)
    truthful = with_(
        trace(F(2)),
        ("0.region.delta", "1"),
        ("2.delta", bracket(F(1))),
        ("1.lower", "2"),
        ("1.upper", "2"),
        ("1.mechanism.matrix", [["1", "0"], ["0", "1"]]),
        ("2.dual", [["0", "1"], ["1", "1"]]),
    )
    s.add(weight, "special value", truthful, True)  # delta = 1
    s.add(weight, "special value", with_(truthful, ("0.region.delta", 1 - UNIT), ("2.delta", bracket(1 - UNIT))), False)
    # delta between: rows e_i,jl - p_ij + gamma p_il >= 0 at 2 + 2 i + rank, sum_i e_i,jl <= delta at 6 + rank
    g, d = F(2), F(1, 4)
    m = (g + d) / (g + 1)
    # maximise p00 + p11: the two ratios that are tight, each times t, and the columns
    t = 1 / (g + 1)
    some = with_(
        trace(g),
        ("0.region.delta", d),
        ("2.delta", bracket(d)),
        ("1.mechanism.matrix", [[m, 1 - m], [1 - m, m]]),
        ("1.lower", 2 * m),
        ("1.upper", 2 * m),
        ("2.dual", [[0, g * t], [1, g * t], [2, -t], [5, -t], [6, t], [7, t]]),
    )
    s.add(weight, "special value", some, True)
    uniform = condition(
        "uniform level, delta 0: for each i, j (i outer): `p_ij - t_i >= 0`; then for each i, j: `gamma t_i - p_ij >= 0`.",
        INEQUALITY,
    )
    for change, boundary in ((F(0), "equality"), (UNIT, "beyond"), (-UNIT, "within")):
        q = F(2, 3) + change
        s.add(
            uniform,
            boundary,
            with_(trace(F(2)), ("1.mechanism.matrix", [[q, 1 - q], [1 - q, q]]), ("1.lower", 2 * q)),
            boundary != "beyond",
        )
    excess = condition(
        "for each i, each pair: `e_i,jl - p_ij + gamma p_il >= 0`; then for each pair: `sum_i e_i,jl <= delta`.",
        INEQUALITY,
    )
    s.add(excess, "equality", some, True)
    for change, boundary in ((UNIT, "beyond"), (-UNIT, "within")):
        q = m + change
        s.add(
            excess,
            boundary,
            with_(some, ("1.mechanism.matrix", [[q, 1 - q], [1 - q, q]]), ("1.lower", 2 * q)),
            boundary == "within",
        )
        s.add(
            lies,
            boundary,
            with_(some, ("1.mechanism.matrix", [[q, 1 - q], [1 - q, q]]), ("1.lower", 2 * q)),
            boundary == "within",
        )
    bounded = with_(
        trace(F(2)),
        (
            "0.region",
            {
                "kind": "bounded",
                "region": region({"log": "2"}),
                "least": [["0", "0"], ["0", "0"]],
                "most": [["2/3", "1"], ["1", "2/3"]],
            },
        ),
    )
    bounds = condition(
        "`bounded`: for each i, j: `p_ij >= least_ij`; then for each i, j: `p_ij <= most_ij`;", INEQUALITY
    )
    s.add(bounds, "equality", bounded, True)
    s.add(bounds, "within", with_(bounded, ("0.region.most.0.0", F(2, 3) + UNIT)), True)
    s.add(bounds, "beyond", with_(bounded, ("0.region.most.0.0", F(2, 3) - UNIT)), False)
    s.add(bounds, "equality", with_(bounded, ("0.region.least.0.0", "2/3")), True)
    s.add(bounds, "beyond", with_(bounded, ("0.region.least.0.0", F(2, 3) + UNIT)), False)
    for empty in (("0.region.least.0.0", "1"), ("0.region.most.0.0", "-1")):
        s.add(bounds, "beyond", with_(bounded, empty), False)
    pairs = condition(
        "Pairwise: for each i, each pair with a level (lexicographic): `gamma_jl p_il - p_ij >= 0`;", INEQUALITY
    )
    levels = [[None, {"log": "2"}], [{"log": "2"}, None]]
    pair = with_(
        trace(F(2)), ("0.region", {"kind": "pairwise-privacy", "inputs": "2", "outputs": "2", "levels": levels}),
        ("2.gamma", [[None, bracket(F(2))], [bracket(F(2)), None]]),
        # rows 2..5: 2 p01 - p00, 2 p00 - p01, 2 p11 - p10, 2 p10 - p11; maximising, multipliers of >= are <= 0
        ("2.dual", [[0, F(2, 3)], [1, F(2, 3)], [2, F(-1, 3)], [5, F(-1, 3)]]),
    )  # fmt: skip
    s.add(pairs, "equality", pair, True)
    for change, boundary in ((UNIT, "beyond"), (-UNIT, "within")):
        q = F(2, 3) + change
        s.add(
            pairs,
            boundary,
            with_(pair, ("1.mechanism.matrix", [[q, 1 - q], [1 - q, q]]), ("1.lower", 2 * q)),
            boundary == "within",
        )
    one_sided = with_(
        pair,
        ("0.region.levels.1.0", None),
        ("2.gamma.1.0", None),
        ("1.upper", "2"),
        ("2.dual", [["0", "1"], ["1", "1"]]),
    )
    s.add(pairs, "within", one_sided, True)
    s.add(pairs, "beyond", with_(one_sided, ("2.gamma.1.0", bracket(F(2)))), False, "form")
    brackets = s.condition("brackets.md", 'both endpoints of `delta` are `"0"`.', EQUATION)
    s.add(brackets, "equality", pair, True)
    for sign, where in ((-1, "below"), (1, "above")):
        s.add(brackets, where, with_(pair, ("2.delta", bracket(sign * UNIT))), False)
    distance = condition(
        "`distance`: for each i, j: `p_ij + s >= q_ij`; then for each i, j: `p_ij - s <= q_ij`", INEQUALITY
    )
    # the nearest to truthful answers at gamma = 2 is 1/3 away; rows 10..13 p + s >= q, 14..17 p - s <= q
    far = with_(
        trace(F(2)), ("0.objective", {"kind": "distance", "norm": "largest", "matrix": [["1", "0"], ["0", "1"]]}), ("1.lower", F(1, 3)), ("1.upper", F(1, 3)),
        # p00 + s >= 1 and p01 - s <= 0, with 2 t0 >= p00 and p01 >= t0
        ("2.dual", [[3, F(2, 3)], [6, F(1, 3)], [10, F(1, 3)], [15, F(-2, 3)]]),
    )  # fmt: skip
    s.add(distance, "equality", far, True)
    here = with_(
        far,
        ("0.objective.matrix", [["2/3", "1/3"], ["1/3", "2/3"]]),
        ("1.lower", "0"),
        ("1.upper", "0"),
        ("2.dual", []),
    )
    s.add(distance, "within", here, True)
    for changed in (
        with_(far, ("1.upper", F(1, 3) - UNIT)),
        with_(far, ("1.upper", F(-1, 3))),
        with_(here, ("1.upper", -UNIT)),
        with_(here, ("1.lower", UNIT)),
    ):
        s.add(distance, "beyond", changed, False)
    infimum = s.condition(
        "brackets.md",
        "It is accepted, its `lower` and `upper` are numbers, and `1 <= below <= lower`, `upper <= above`.",
        INEQUALITY,
    )
    for below, above in ((F(4), F(4)), (4 - UNIT, 4 + UNIT), (F(1), F(5))):
        s.add(infimum, "equality" if below == 4 else "within", criterion(below, above), True)
    s.add(infimum, "beyond", criterion(4 + UNIT, F(5)), False)
    s.add(infimum, "beyond", criterion(F(3), 4 - UNIT), False)
    s.add(infimum, "beyond", criterion(1 - UNIT, F(4)), False)
    s.add(infimum, "equality", criterion(F(1), F(1), rho=F(1, 5)), True)  # B = 1: nothing may be revealed
    s.add(
        infimum,
        "beyond",
        with_(
            criterion(F(4), F(4)),
            ("2.gamma.infimum.claim.lower", "infinite"),
            ("2.gamma.infimum.claim.upper", "infinite"),
        ),
        False,
    )


def criterion(below: F, above: F, rho: F = F(1, 2)) -> Document:
    """Return the trace under: no posterior above rho from a prior below 1/5."""
    from .criteria import steps

    b = rho * F(4, 5) / ((1 - rho) * F(1, 5))
    made = trace(below, above, {"log": "4"})
    problem, claim, witness = steps([("1/5", False, str(rho)), ("1", True, "1")], b, False, "1/5")
    del problem["kind"]
    place = {"kind": "criterion", "inputs": "2", "outputs": "2", **problem}
    gamma = {**made[2]["gamma"], "infimum": {"claim": claim, "witness": witness}}
    return with_(made, ("0.region", place), ("2.gamma", gamma))


def _farkas_files(s: Suite) -> None:
    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    positive = condition("free ones; `b . y > 0`.", INEQUALITY)
    signs = condition("At `above`: `y_i >= 0` on `>=`, `y_i <= 0` on `<=`, free on `=`;", INEQUALITY)
    columns = condition("`A^T y <= 0` on nonnegative variables, = 0 on free ones;", INEQUALITY)

    def clash(gap: F, y0: Any = 1, y1: Any = -1, kind: str = FREE) -> Document:
        """Return: x is at least 1 + gap and at most 1."""
        return farkas([kind], [([[0, 1]], ">=", 1 + gap), ([[0, 1]], "<=", 1)], [[0, y0], [1, y1]])

    s.add(positive, "within", clash(UNIT), True)
    s.add(positive, "equality", clash(F(0)), False)
    s.add(positive, "beyond", clash(-UNIT), False)
    for y, boundary in ((UNIT, "within"), (F(10) ** 9, "within"), (-UNIT, "beyond"), (F(-1), "beyond")):
        s.add(signs, boundary, clash(UNIT, y, -y), boundary == "within")
    for y in (UNIT, F(1)):
        wrong = farkas([N], [([[0, 1]], ">=", 1), ([[0, 1]], "<=", 2)], [[0, -y], [1, y]])
        s.add(signs, "beyond", wrong, False)
    both = farkas([FREE], [([[0, 1]], "=", 1), ([[0, 1]], "=", 2)], [[0, -1], [1, 1]])
    s.add(signs, "equality", both, True)
    s.add(signs, "beyond", with_(both, ("2.multipliers", [[0, 1], [1, -1]])), False)
    s.add(columns, "equality", clash(UNIT, kind=N), True)
    s.add(columns, "within", clash(F(1), 1, -1 - UNIT, N), True)
    s.add(columns, "beyond", clash(F(1), 1, -1 - UNIT), False)  # a free variable
    s.add(columns, "beyond", clash(F(1), 1, -1 + UNIT), False)
    s.add(columns, "beyond", clash(F(1), 1, -1 + UNIT, N), False)
    s.add(columns, "beyond", farkas([N], [([[0, 1]], ">=", 1)], [[0, 1]]), False)
    empty = s.condition(
        "FORMAT.md", "a linear program may have no variables or no rows, a polytope no rows.", COUNT[:2]
    )
    s.add(empty, "zero", farkas([], [([], ">=", 1)], [[0, 1]]), True)
    s.add(empty, "zero", farkas([], [([], ">=", 0)], [[0, 1]]), False)
    s.add(empty, "zero", farkas([], [], []), False)
    design = condition(
        "there the variables are u, x (both free) and the rows the eight of rule 2 in their order", INEQUALITY
    )
    problem = {"region": region({"rational": "0"}), "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}
    witness = {"rule": "farkas", "gamma": bracket(F(1)), "delta": bracket(F(0)), "multipliers": [["4", "1"]]}
    nothing = with_((problem, {"kind": "infeasible"}, witness))
    s.add(design, "equality", nothing, True)
    s.add(design, "equality", with_(nothing, ("0.region.family", "warner")), True)
    s.add(design, "beyond", with_(nothing, ("0.region.delta", UNIT), ("2.delta", bracket(UNIT))), False)
    s.add(
        design, "beyond", with_(nothing, ("0.region.epsilon", {"log": 1 + UNIT}), ("2.gamma", bracket(1 + UNIT))), False
    )
    for pi in (["1", "0"], ["0", "1"]):
        s.add(design, "within", with_(nothing, ("0.population", pi)), True)
    g = F(2)
    for least, boundary in (
        (F(2, 3) + UNIT, "within"),
        (F(2, 3), "equality"),
        (F(2, 3) - UNIT, "beyond"),
        (F(1), "within"),
    ):
        y = 1 / (g + 1)
        made = (
            {
                "region": {"kind": "bounded", "region": region({"log": "2"}), "least": [[least, 0], [0, least]], "most": [[1, 1], [1, 1]]},
                "objective": {"kind": "trace", "weights": [1, 1]}, "population": ["1/2", "1/2"],
            },
            {"kind": "infeasible"},
            {"rule": "farkas", "gamma": bracket(g), "delta": bracket(F(0)),
             "multipliers": [[0, -g * y], [1, -g * y], [3, g * y], [4, g * y], [6, y], [9, y], [10, 1], [13, 1]]},
        )  # fmt: skip
        s.add(positive, boundary, with_(made), boundary == "within")
    no_part = condition(
        "The objectives are `trace`, `loss` and `variance`; `distance`, whose rows speak of s, has no part here.", OPEN
    )
    s.add(no_part, "within", nothing, True)
    far = with_(made, ("0.objective", {"kind": "distance", "norm": "largest", "matrix": [["1", "0"], ["0", "1"]]}))
    s.add(no_part, "beyond", far, False, "form")
