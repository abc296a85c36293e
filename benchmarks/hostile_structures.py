"""Programs, designs, mechanisms: structures that the checker builds, with as many numbers as there is room for.

A function for each part of the checker: given the i-th number, and about how many there may be, it yields names and
documents. ``hostile_files.py`` makes them files and has them judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, islice
from typing import Any

TOKENS = 1_000_000
Number = Callable[[int], str]


def matrix(number: Number, m: int, k: int) -> list[list[str]]:
    """Return m rows of k numbers."""
    each = map(number, count())
    return [list(islice(each, k)) for _ in range(m)]


TWO, ZERO = {"below": "2", "above": "2"}, {"below": "0", "above": "0"}
LEVEL = {"gamma": TWO, "delta": ZERO}


def statement(name: str, problem: Any, claim: Any, proof: Any) -> Any:
    return {"format": "2", "statement": name, "problem": problem, "claim": claim, "proof": proof}


def trace(k: int, m: int, levels: Any = None, **changes: Any) -> Any:
    """Return the problem of the largest trace over a region."""
    levels = levels or [{"epsilon": {"log": "2"}, "delta": "0", "pairs": "all"}]
    problem = {"inputs": str(k), "outputs": str(m), "levels": levels, "bounds": None, "population": None}
    return {**problem, "objective": {"kind": "trace", "weights": ["1"] * k}, **changes}


def emptiness(problem: Any) -> Any:
    """Return the problem whether the region of a design is empty, with bounds on its entries."""
    m, k = int(problem["outputs"]), int(problem["inputs"])
    bounds = problem["bounds"] or {"least": [["0"] * k] * m, "most": [["1"] * k] * m}
    return {key: problem[key] for key in ("inputs", "outputs", "levels")} | {"bounds": bounds}


def design(mechanism: Any) -> Any:
    """Return the claim that it has a value between 1 and 1."""
    return {"lower": "1", "upper": "1", "mechanism": {"matrix": mechanism}}


def linear(brackets: list[Any], k: int, multipliers: Any, **more: Any) -> Any:
    """Return the proof of a linear design."""
    return {"way": "linear", "brackets": brackets, "alpha": ["1"] * k, "slopes": [], "multipliers": multipliers, **more}


def without_mechanism(proof: Any, limits: Any) -> Any:
    """Return the proof that a region is empty."""
    return {key: each for key, each in proof.items() if key != "way"} | {"limits": limits}


def programs(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over linear programs."""
    width = min(n // 2, 1000)
    rows = [
        {"coefficients": [[str(j), number(i * width + j)] for j in range(width)], "relation": ">=", "bound": "1"}
        for i in range(max(n // (3 * width), 1))
    ]
    multipliers = [[str(i), number(i)] for i in range(len(rows))]
    value = {"lower": "1", "upper": "1", "point": [number(i) for i in range(width)]}
    region = {"signs": ["nonnegative"] * width, "rows": rows}
    program = {"cost": ["1"] * width, **region}
    yield "rows of a program", statement("optimal-value", program, value, {"multipliers": multipliers})
    yield "rows of a Farkas proof", statement("infeasible", region, {}, {"multipliers": multipliers})
    costs = [number(i) for i in range(n // 4)]
    free = {"cost": costs, "signs": ["free"] * len(costs), "rows": []}
    yield "costs of a program", statement("optimal-value", free, {**value, "point": costs}, {"multipliers": []})


def designs(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over designs: all objectives, and the rows of a region with delta."""
    half = int((n // 2) ** 0.5)
    multipliers = [[str(i), "0", "0", "1", number(i)] for i in range(half)]
    for name, objective in {
        "loss": {"kind": "loss", "matrix": matrix(number, half, half)},
        "distance": {"kind": "distance", "norm": "total", "matrix": matrix(number, half, half)},
        "largest distance": {"kind": "distance", "norm": "largest", "matrix": matrix(number, half, half)},
        "trace": {"kind": "trace", "weights": [number(i) for i in range(half)]},
    }.items():
        population = [f"1/{half}"] * half if name == "loss" else None
        problem = trace(half, half, objective=objective, population=population)
        lines = {"lines": matrix(number, half, half)} if objective["kind"] == "distance" else {}
        proof = linear([LEVEL], half, multipliers, **lines)
        yield f"a design, {name}", statement("design-bracket", problem, design(matrix(number, half, half)), proof)
    side = third(n)
    problem = trace(side, side, bounds={"least": matrix(number, side, side), "most": matrix(number, side, side)})
    proof = without_mechanism(linear([LEVEL], side, []), matrix(number, side, side))
    yield "bounds of a design", statement("infeasible", emptiness(problem), {}, proof)


def third(n: int) -> int:
    """Return the side of three square matrices that have n entries together."""
    return int((n // 3) ** 0.5)


def excesses(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over members of regions that are held against every pair of inputs, and their duals."""
    quarter = {"gamma": TWO, "delta": {"below": "1/4", "above": "1/4"}}
    levels = [{"epsilon": {"log": "2"}, "delta": "1/4", "pairs": "all"}]
    for k, m in ((min(int(n**0.5), 60), 60), (2, min(n // 9, 100_000)), (min(n // 4, 400), 2)):
        alike = [[f"1/{m}"] * k] * m  # private at any level: the excesses are all formed
        pairs = [(i, j, h) for i in range(m) for j in range(k) for h in range(k) if j != h]
        rows = [[str(i), "0", str(j), str(h), number(at)] for at, (i, j, h) in enumerate(islice(pairs, n // 6))]
        loss = {"kind": "loss", "matrix": [["1"] * k] * m}
        problem = trace(k, m, levels, objective=loss, population=[f"1/{k}"] * k)
        proof = linear([quarter], k, rows)
        yield f"excesses, {m} outputs", statement("design-bracket", problem, design(alike), proof)
        forged = without_mechanism(proof, [["0"] * k] * m)
        yield f"excesses of a Farkas proof, {m} outputs", statement("infeasible", emptiness(problem), {}, forged)


def levels(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over levels of pairs: of long brackets, and true ones with a mechanism that is held against each."""
    k = min(int((n // 9) ** 0.5), 300)
    pairs = [(i, j, str(i * k + j + 2)) for i in range(k) for j in range(k) if i != j]
    written = [{"epsilon": {"log": x}, "delta": "0", "pairs": [[str(i), str(j)]]} for i, j, x in pairs]
    problem = trace(k, k, written)
    long = linear(brackets([number(int(x)) for _, _, x in pairs]), k, [])
    yield "levels of pairs", statement("design-bracket", problem, design([[f"1/{k}"] * k] * k), long)
    rows = [["0", str(t), str(i), str(j), number(t)] for t, (i, j, _) in enumerate(pairs)]
    proof = linear(brackets([x for _, _, x in pairs]), k, rows)
    yield "levels and a mechanism", statement("design-bracket", problem, design([[f"1/{k}"] * k] * k), proof)


def brackets(ends: list[str]) -> Any:
    """Return exact brackets."""
    return [{"gamma": {"below": x, "above": x}, "delta": ZERO} for x in ends]


def criteria(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over regions of criteria: a costly proof of B, then a costly design, for every rule that has them."""
    for name, cells, bound in (("one cell", 1, "4"), ("4096 cells", 4096, "4"), ("a false bound", 4096, number(0))):
        up, proof = infimum(cells, bound)
        gamma = {"below": bound, "above": bound, "infimum": proof}
        half = min(int((n // 2) ** 0.5), 180)
        at = {"gamma": gamma, "delta": ZERO}
        square = trace(half, half, [{"epsilon": {"up": up, "down": None}, "delta": "0", "pairs": "all"}])
        rows = [[str(i), "0", "0", "1", number(i)] for i in range(half)]
        claim, proof = design([[f"1/{half}"] * half] * half), linear([at], half, rows)
        yield f"a criterion, {name}, a design", statement("design-bracket", square, claim, proof)
        for kind, file in two_categories(number, n // 2, {"up": up, "down": None}, "0", at):
            yield f"a criterion, {name}, {kind}", file


def infimum(cells: int, bound: str) -> tuple[Any, Any]:
    """Return a function with B = 4, no posterior above 1/2 from a prior below 1/5, and a proof in so many cells."""
    ends = [Fraction(i, 5 * cells) for i in range(1, cells + 1)]
    pieces = [{"to": "1/5", "closed": False, "value": "1/2"}, {"to": "1", "closed": True, "value": "1"}]
    cell = {"near": False, "method": "bernstein", "order": "0"}
    listed = [[{**cell, "to": str(end)} for end in ends], [{**cell, "to": "1"}]]
    point = {"side": "up", "piece": "0", "from": "1/5", "to": "1/5", "method": "bernstein", "order": "0"}
    proof = {"digits": "300", "exact": None, "up": listed, "down": None, "point": point}
    claim = {"lower": bound, "upper": bound, "attained": False, "at": "1/5"}
    return {"pieces": pieces}, {"claim": claim, "proof": proof}


def orders(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over garblings, decision problems and dominated mechanisms."""
    side, few = third(n), int((n // 2) ** 0.5) // 2 + 1
    for name, m, k in (("", side, side), (" of three inputs", few, 3)):
        two = {"source": {"matrix": matrix(number, m, k)}, "target": {"matrix": matrix(number, m, k)}}
        kernel, payoff = {"kernel": matrix(number, m, m)}, {"payoff": matrix(number, m, k)}
        yield f"a garbling{name}", statement("garbling", two, {"exists": True}, kernel)
        yield f"a decision problem{name}", statement("garbling", two, {"exists": False}, payoff)
    better = {part: matrix(number, side, side) for part in ("dominating", "kernel", "payoff")}
    held = {"mechanism": {"matrix": matrix(number, side, side)}, "level": {"log": "2"}}
    proof = {"brackets": [TWO], **better}
    yield "a dominated mechanism", statement("mechanism-levels", held, {"admissible": False}, proof)


def mechanisms(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over parities, profiles and admissibility; and over mechanisms in which nothing is wrong till the end."""
    k = int(n**0.5)
    for shape, (m, inputs) in {"square": (k, k), "tall": (n // 3, 3), "wide": (3, n // 3)}.items():
        ones = [f"1/{m // 2 * 2}"]  # the last column alone breaks the pattern of 1 and 2 in every row
        uneven = [[f"{2 - (i + j) % 2}/{3 * (m // 2)}" for j in range(inputs - 1)] + ones for i in range(m // 2 * 2)]
        for kind, rows in {"": matrix(number, m, inputs), ", a mechanism": uneven}.items():
            held = {"mechanism": {"matrix": rows}, "level": {"log": "2"}}
            for what, problem, claim, proof in (
                ("admissibility", held, {"admissible": True}, {}),
                ("a parity", {**held, "level": None}, {"parity": number(5)}, {}),  # it is 2
                ("a profile", held, {"lower": "0", "upper": "1"}, {"brackets": [TWO]}),
            ):
                yield f"{what}, {shape}{kind}", statement("mechanism-levels", problem, claim, proof)


def two_categories(number: Number, n: int, epsilon: Any, delta: Any, at: Any) -> Iterator[tuple[str, Any]]:
    """Iterate over binary brackets: a list of optima, and a regret over an interval with long numbers."""
    optima = [{"matrix": [[number(i), "0"], ["0", number(i)]]} for i in range(n // 24)]
    rows = {"matrix": [["3/5", "2/5"], ["2/5", "3/5"]]}
    level = {"epsilon": epsilon, "delta": delta, "pairs": "all"}
    for name, goal, ends, listed in (
        ("optima", "variance", ("1/4", "1/4"), optima),
        ("an interval", "regret", ("0", "3/4"), None),
    ):
        problem = {"outputs": "2", "levels": [level], "family": "all", "goal": goal, "from": ends[0], "to": ends[1]}
        claim = {"lower": number(0), "upper": number(1), "mechanism": rows, "optima": listed, "set": None}
        file = {"format": "2", "statement": "binary-bracket", "problem": problem, "claim": claim}
        yield name, {**file, "proof": {"brackets": [at]}}


def binaries(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over binary designs: long lists, long parameters, fine brackets."""
    yield from two_categories(number, n, {"log": "2"}, "0", LEVEL)
    fine = {"below": f"{10**2599}/{10**2599 - 1}", "above": f"{10**2599 - 1}"}
    small = {"below": f"1/{10**2599}", "above": f"1/{10**2598}"}
    for name, epsilon in {
        "an exponential": {"rational": f"{10**399 - 1}/{10**398}"},
        "a power": {"log": f"{10**399 + 1}/{10**399}", "times": "1/242"},
    }.items():
        for slack, delta in {"": ("0", ZERO), " beside another": ({"exp": f"-{10**399 - 1}/{10**398}"}, small)}.items():
            at = {"gamma": fine, "delta": delta[1]}
            for kind, file in two_categories(number, n, epsilon, delta[0], at):
                yield f"{name}{slack}, {kind}", file


def splits(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over budgets split over independent bits: of p near 1/2 with long numbers, or with long weights."""
    sys.set_int_max_str_digits(0)
    for kind, p in (("long bits", lambda i: Fraction(1, 2) + Fraction(number(i)) / 10**6), ("bits", _few_bits)):
        for many in (8, min(64, n // 10), min(1024, n // 10)):
            odds = [min(p(i), Fraction(2, 3)) for i in range(many)]
            rows = [[[str(x), str(1 - x)], [str(1 - x), str(x)]] for x in odds]
            gamma = str(2**many)
            claim = {"lower": number(0), "upper": str(10**12), "mechanism": {"product": rows}}
            proof = {"brackets": [{"below": gamma, "above": gamma}]}
            lists = {"weights": [number(i)[:400] for i in range(many)], "prevalences": ["1/2"] * many}
            for objective in (
                {"kind": "marginals", **lists},
                {"kind": "joint", "questions": str(many), "squares": "1"},
            ):
                parts = {"problem": {"epsilon": {"log": gamma}, "objective": objective}, "claim": claim, "proof": proof}
                yield f"{many} {kind}, {objective['kind']}", {"format": "2", "statement": "budget-split", **parts}


def _few_bits(i: int) -> Fraction:
    return Fraction(10 + i % 3, 19)


def rays(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over A-optimal designs by rays: k-ary randomized response at gamma = 1000, with long parts."""
    ends = {"gamma": {"below": "1000", "above": "1000"}, "delta": {"below": "0", "above": "0"}}
    for k in (2, 6, 10, 14, 18):
        theta = Fraction(1, 999 + k)
        rows = [[str(theta * (1000 if i == j else 1)) for j in range(k)] for i in range(k)]
        x, y = Fraction(999 + k, 999), Fraction(-1, 999)  # the inverse of the rows is x I + y J
        estimator = [[str(x * (i == j) + y) for j in range(k)] for i in range(k)]
        level = {"epsilon": {"log": "1000"}, "delta": "0", "pairs": "all"}
        problem = {"inputs": str(k), "outputs": "any", "levels": [level], "bounds": None}
        problem |= {"objective": {"kind": "a-optimal"}, "population": [f"1/{k}"] * k}
        claim = {"lower": f"1/{10**70}", "upper": "2" + "0" * 30, "mechanism": {"matrix": rows}}
        long = [str(Fraction(number(j))) for j in range(k - 1)]
        vectors = [[*long, str(-sum(map(Fraction, long)))]] * k
        proof = {"way": "rays", "brackets": [ends], "alpha": [str(10**60)] * k, "slopes": []}
        proof |= {"vectors": [vectors], "estimators": [estimator]}
        made = {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}
        yield f"a dual for rays, {k} inputs", made
        yield f"an estimator, {k} inputs", {**made, "proof": {**proof, "estimators": [matrix(number, k, k)]}}
        m = min(n, TOKENS // 5) // k  # equal rows: a mechanism, though one that tells nothing
        many = {**claim, "mechanism": {"matrix": [[f"1/{m}"] * k] * m}}
        yield f"rows of a design for rays, {k} inputs", {**made, "claim": many}


def surveys(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over surveys: points, groups, products, quotients that have nothing in common."""

    def bit(i: int) -> list[list[str]]:
        x = Fraction(number(i))
        return [[str(x), str(1 - x)], [str(1 - x), str(x)]]

    def claimed(groups: list[Any], point: list[str], bits: str | None) -> Any:
        claim = {"point": point, "gap": "0"}
        proof = {"bits": bits}
        parts = {"problem": {"groups": groups}, "claim": claim, "proof": proof}
        return {"format": "2", "statement": "likelihood-gap", **parts}

    half = ["1/2", "1/2"]
    one = {"mechanism": {"matrix": [half, half]}, "counts": ["1", "2"]}
    yield "point of a survey", claimed([one], [number(i) for i in range(n)], "64")
    for bits in (None, "64"):
        kind = "exact quotients" if bits is None else "rounded quotients"
        groups = [{"mechanism": {"product": [bit(i)]}, "counts": [str(i + 2), "1"]} for i in range(n // 20)]
        yield f"groups of a survey, {kind}", claimed(groups, half, bits)
        for questions in (8, 12, 16):
            cells = 1 << questions
            if 2 * cells + 8 * questions > n:
                continue
            product = [bit(i) for i in range(questions)]
            counts = [str(i * i % 1009 + 1) for i in range(cells)]
            point = [f"1/{cells}"] * cells
            name = f"{questions} questions of a survey, {kind}"
            yield name, claimed([{"mechanism": {"product": product}, "counts": counts}], point, bits)
        entries = [Fraction(number(i)) for i in range(n // 6)]
        wide = [list(map(str, entries)), [str(1 - x) for x in entries]]
        point = [f"1/{n // 6}"] * (n // 6)
        yield (
            f"inputs of a survey, {kind}",
            claimed([{"mechanism": {"matrix": wide}, "counts": ["7", "1"]}], point, bits),
        )
    ones = [{"mechanism": {"product": [[["1"]]] * (n // 6)}, "counts": ["1"]}]
    yield "factors of a survey", claimed(ones, ["1/2"], None)
