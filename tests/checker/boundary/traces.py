"""Rule 34: the largest weighted trace, any number of categories."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import COUNT, EQUATION, INEQUALITY, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region
from .linear import criterion

PAGE = "trace_rule.md"
Document = tuple[Any, Any, Any]


def most(weights: list[F], g: F) -> F:
    """Return A."""
    listed = sorted(weights, reverse=True)
    return max(g * sum(listed[:m], F(0)) / (g + m - 1) for m in range(1, len(listed) + 1))


def made(runs: list[tuple[int, Any]], g: F, d: F, chosen: list[tuple[int, int]]) -> Document:
    """Return the certificate at (log g, d) of a restricted response."""
    weights = [F(w) for n, w in runs for _ in range(n)]
    flags = [t for n, t in chosen for _ in range(n)]
    k, total = len(weights), sum(weights, F(0))
    inside = sum((w for w, t in zip(weights, flags, strict=True) if t), F(0))
    own = d * total + (1 - d) * g * inside / (g + sum(flags) - 1)
    level = {"log": str(g)} if g > 1 else {"rational": "0"}
    problem = {
        "region": region(level, str(d), inputs=k, outputs=k),
        "objective": {"kind": "trace", "weights": {"runs": [[n, w] for n, w in runs]}}, "population": {"uniform": k},
    }  # fmt: skip
    form = {"runs": [[n, t] for n, t in chosen], "gamma": g, "delta": d}
    claim = {
        "kind": "design-bracket", "lower": own, "upper": d * total + (1 - d) * most(weights, g),
        "mechanism": {"restricted-response": form},
    }  # fmt: skip
    return with_((problem, claim, {"rule": "trace", "gamma": bracket(g), "delta": bracket(d)}))


def direct(k: int, g: F, d: F, odds: F) -> Document:
    """Return the certificate of k-ary randomized response with these odds, all weights 1."""
    file = made([(k, 1)], g, d, [(k, 1)])
    form = {"blocks": {"family": "direct", "categories": k, "gamma": odds}}
    return with_(file, ("1.mechanism", form), ("1.lower", odds * k / (odds + k - 1)))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    value = s.condition(PAGE, "For the trace `lower` is at most the value of the mechanism.", INEQUALITY)
    bound = s.condition(PAGE, "For the trace `D T + (1 - D) A <= upper`.", INEQUALITY)
    for file, known in (
        (made([(2, 1)], F(2), F(0), [(2, 1)]), None), (made([(1, 3), (1, 1)], F(3), F(1, 5), [(1, 1), (1, 0)]), None),
        (made([(1, 1), (1, 2)], F(3), F(0), [(2, 1)]), None), (made([(1, 0), (1, 2)], F(1), F(1, 4), [(1, 0), (1, 1)]), None),
        (made([(5, 1)], F(4), F(1, 9), [(5, 1)]), None), (made([(2, 3), (3, 1)], F(3), F(1, 10), [(2, 1), (3, 0)]), True),
        (made([(4, 1)], F(2), F(1), [(1, 1), (3, 0)]), None),
        (direct(3, F(2), F(1, 3), F(4)), None),
    ):  # fmt: skip
        low, high = F(file[1]["lower"]), F(file[1]["upper"])
        false = False if known else None
        for entered in (value, bound):
            s.add(entered, "equality", file, True, known=known)
        s.add(value, "within", with_(file, ("1.lower", low - UNIT)), True, known=known)
        s.add(value, "beyond", with_(file, ("1.lower", low + UNIT), ("1.upper", high + 1)), False, known=false)
        s.add(bound, "within", with_(file, ("1.upper", high + UNIT)), True, known=known)
        s.add(bound, "beyond", with_(file, ("1.upper", high - UNIT), ("1.lower", low - 1)), False, known=false)
    _losses(s)
    _private(s)
    _forms(s)
    place = criterion(F(4), F(4))
    under = {**place[0]["region"], "outputs": "2"}
    file = made([(2, 1)], F(4), F(0), [(2, 1)])
    of_criterion = with_(file, ("0.region", under), ("2.gamma", place[2]["gamma"]))
    s.add(bound, "equality", of_criterion, True)
    s.add(bound, "beyond", with_(of_criterion, ("1.upper", F(file[1]["upper"]) - UNIT), ("1.lower", 0)), False)


def _losses(s: Suite) -> None:
    """Bounds of the 0/1 loss."""
    lower = s.condition(PAGE, "`lower <= T - D T - (1 - D) A`", INEQUALITY)
    upper = s.condition(PAGE, "and `T - V <= upper`.", INEQUALITY)
    one = s.condition(PAGE, "and `sum_j w_j = 1`.", EQUATION)
    for runs, g, d, chosen in (
        ([(2, F(1, 2))], F(2), F(0), [(2, 1)]), ([(1, F(3, 4)), (1, F(1, 4))], F(3), F(1, 5), [(1, 1), (1, 0)]),
        ([(1, 0), (1, 1)], F(1), F(1, 4), [(1, 0), (1, 1)]), ([(3, F(1, 3))], F(4), F(1), [(3, 1)]),
    ):  # fmt: skip
        trace = made(runs, g, d, chosen)
        total = sum((n * F(w) for n, w in runs), F(0))
        low, high = total - F(trace[1]["upper"]), total - F(trace[1]["lower"])
        changes = [("0.objective", {"kind": "loss", "matrix": "zero-one"}), ("1.lower", low), ("1.upper", high)]
        shares = trace[0]["objective"]["weights"]
        file = with_(trace, *changes, ("0.population", shares))
        for entered in (lower, upper):
            s.add(entered, "equality", file, True, known=True)
        s.add(lower, "within", with_(file, ("1.lower", low - UNIT)), True, known=True)
        s.add(lower, "beyond", with_(file, ("1.lower", low + UNIT), ("1.upper", high + 1)), False, known=False)
        s.add(upper, "within", with_(file, ("1.upper", high + UNIT)), True, known=True)
        s.add(upper, "beyond", with_(file, ("1.upper", high - UNIT), ("1.lower", low - 1)), False, known=False)
        for path, value in (
            ("0.objective.matrix", [["0", "1"], ["1", "0"]]), ("0.objective.matrix", {"zero-one": shares}), ("0.objective.kind", "trace"),
            ("0.population", {"uniform": str(len(shares["runs"]))}),
        ):  # fmt: skip
            s.add(upper, "beyond", with_(file, (path, value)), False, "form")
        first, last = shares["runs"][0], ("0.population.runs.0.1", "1.lower", "1.upper")
        s.add(one, "equality", file, True, known=True)
        for move, boundary in ((-UNIT, "below"), (UNIT, "above")):
            wider = zip(last, (F(first[1]) + move, -1, 2), strict=True)
            s.add(one, boundary, with_(file, *wider), False, "form", known=False)


def _private(s: Suite) -> None:
    """Levels of mechanisms."""
    alone = s.condition(PAGE, "`direct`: `g >= 1` and `g - gamma.below <= delta.below (g + k - 1)`.", INEQUALITY)
    for k, g, d in ((2, F(2), F(0)), (3, F(2), F(1, 3)), (4, F(1), F(1, 7))):
        odds = g + d * (g + k - 1) / (1 - d)
        file = direct(k, g, d, odds)
        s.add(alone, "equality", file, True)
        s.add(alone, "within", with_(file, ("1.mechanism.blocks.gamma", odds - UNIT), ("1.lower", 0)), odds - UNIT >= 1)
        s.add(alone, "beyond", with_(file, ("1.mechanism.blocks.gamma", odds + UNIT), ("1.lower", 0)), False)
        s.add(alone, "beyond", with_(file, ("1.mechanism.blocks.gamma", 1 - UNIT), ("1.lower", 0)), False, known=False)
        s.add(alone, "within", with_(file, ("1.mechanism.blocks.gamma", 1), ("1.lower", 1)), True)
    form = "1.mechanism.restricted-response."
    for sentence, key in (("`1 <= g <= gamma.below`", "gamma"), ("and `0 <= d <= delta.below`.", "delta")):
        level = s.condition(PAGE, sentence, INEQUALITY)
        file = with_(made([(1, 2), (2, 1)], F(3), F(1, 4), [(1, 1), (2, 0)]), ("1.lower", "1/4"), ("1.upper", 4))
        own, least = (F(3), 1) if key == "gamma" else (F(1, 4), 0)
        for number, boundary in (
            (own, "equality"), (own - UNIT, "within"), (own + UNIT, "beyond"), (least, "equality"), (least - UNIT, "beyond"),
        ):  # fmt: skip
            good = boundary != "beyond"
            s.add(level, boundary, with_(file, (form + key, number)), good, known=good)


def _forms(s: Suite) -> None:
    """Sizes, runs and kinds."""
    sizes = s.condition(PAGE, "`inputs` and `outputs` are both k, 2 <= k <= 10^7.", COUNT)
    runs = s.condition(PAGE, "n >= 1 categories that follow each other have the weight w >= 0.", COUNT)
    chosen = s.condition(PAGE, "the m >= 1 categories with t = 1 are the set C.", COUNT)
    same = s.condition(PAGE, "`inputs`, `outputs`, `uniform` and `categories` are k.", SPECIAL)
    base = made([(1, 3), (2, 1)], F(3), F(0), [(1, 1), (2, 0)])
    big = made([(10, 1)], F(2), F(0), [(10, 1)])

    def of_size(k: int) -> Document:
        places = ("0.population.uniform", "0.region.inputs", "0.region.outputs", "0.objective.weights.runs.0.0")
        changes = [(place, k) for place in (*places, "1.mechanism.restricted-response.runs.0.0")]
        return with_(big, *changes, ("1.lower", 0), ("1.upper", 3))

    for k, boundary in ((0, "zero"), (1, "one"), (10**7, "limit"), (10**7 + 1, "beyond")):
        good = k == 10**7
        s.add(sizes, boundary, of_size(k), good, "" if good else "limit" if k > 1 else "form", known=good)
    s.add(sizes, "limit", of_size(2), True, known=True)
    path = "0.objective.weights.runs"
    for listed, boundary, good in (
        ([[0, 1], [3, 1]], "zero", False), ([[1, 3], [1, 1], [1, 1]], "one", True), ([[3, 1]], "limit", True),
        ([[4, 1]], "beyond", False), ([[1, 3], [2, "-1/9"]], "beyond", False), ([], "beyond", False), ([[2, 1]], "beyond", False),
    ):  # fmt: skip
        file = with_(base, (path, listed), ("1.lower", 0), ("1.upper", 9))
        s.add(runs, boundary, file, good, "" if good else "form", known=good)
    path = "1.mechanism.restricted-response.runs"
    for listed, boundary, good in (
        ([[3, 0]], "zero", False), ([[2, 0], [1, 1]], "one", True), ([[3, 1]], "limit", True), ([[4, 1]], "beyond", False),
        ([[1, 1], [2, "1/2"]], "beyond", False), ([[1, 1], [2, 2]], "beyond", False), ([[1, 1], [1, 0]], "beyond", False),
    ):  # fmt: skip
        file = with_(base, (path, listed), ("1.lower", 0), ("1.upper", 9))
        s.add(chosen, boundary, file, good, "" if good else "form", known=good)
    for path, value in (
        ("0.population.uniform", 4), ("0.region.inputs", 4), ("0.region.outputs", 4), ("0.region.outputs", "any"),
        ("0.region.family", "warner"), ("0.objective.kind", "a-optimal"), ("0.objective.weights", ["1", "1", "1"]),
        ("1.mechanism", {"matrix": [["1"]]}), ("1.mechanism", {}),
        ("1.mechanism", {"blocks": {"family": "direct", "categories": "4", "gamma": "3"}}),
        ("1.mechanism", {"blocks": {"family": "subsets", "categories": "3", "size": "1", "gamma": "3"}}),
    ):  # fmt: skip
        s.add(same, "special value", with_(base, (path, value), ("1.lower", 0), ("1.upper", 9)), False, "form")
