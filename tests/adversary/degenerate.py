"""Forges certificates: takes true ones and puts degenerate parts in the place of theirs.

* mechanisms: constant rows, repeated columns, zero rows, one output, the truth itself, columns that are nearly equal;
* bounds: their negatives, crossed, zero, huge, the ends of the reach of the value and beyond;
* counts: 0, 1, the limit and one beyond, wherever a whole number stands that is a size, a number of digits or an index;
* matrices and lists of the witness: singular, zero, constant, negative, with a repeated row.

One file has one to four of these changes. Where a bound must equal what the rule works out (a generalized inverse of a
singular matrix and its trace, a sum of alpha), some files carry the number that a careless rule would work out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

from rropt.checker import limits

from .values import dot, information, inverse, numbers

F = Fraction
Path = tuple[Any, ...]
COUNTS = {  # keys whose values are whole numbers, with the limits on the page
    "inputs": (2, limits.MAX_PATTERN_INPUTS, limits.MAX_ORBIT_INPUTS, limits.MAX_ENTRIES),
    "outputs": (2, limits.MAX_ENTRIES),
    "digits": (1, limits.MAX_COVER_DIGITS),
    "rounded": (1, limits.MAX_COVER_DIGITS),
    "bits": (0, limits.MAX_QUOTIENT_BITS),
    "respondents": (1, limits.MAX_DEGREE - 2),
    "questions": (1, limits.MAX_QUESTIONS),
    "order": (0, limits.MAX_COVER_ORDER),
    "groups": (1, limits.MAX_ORBIT_INPUTS),
    "counts": (0, limits.MAX_ENTRIES),
    "piece": (0, 1),
}
HUGE = 10**400


def texts(rows: Any) -> list[list[str]]:
    return [[str(x) for x in row] for row in rows]


def mechanisms(rng: random.Random, rows: list[list[Fraction]]) -> list[list[list[Fraction]]]:
    """Return degenerate mechanisms in the place of one."""
    m, k = len(rows), len(rows[0])
    one = [[F(1)] * k]
    weights = [F(rng.randint(1, 5)) for _ in range(m)]
    constant = [[w / sum(weights)] * k for w in weights]
    j, i = rng.sample(range(k), 2) if k > 1 else (0, 0)
    repeated = [[row[j] if at == i else x for at, x in enumerate(row)] for row in rows]
    all_equal = [[row[j]] * k for row in rows]
    means = [sum(row, F(0)) / k for row in rows]
    tiny = F(1, 10 ** rng.choice((3, 9, 30)))
    nearly = [[tiny * x + (1 - tiny) * mean for x in row] for row, mean in zip(rows, means, strict=True)]
    truth = [[F(int(a == b)) for b in range(k)] for a in range(max(m, k))]
    exchanged = [[row[i] if at == j else row[j] if at == i else x for at, x in enumerate(row)] for row in rows]
    zero = [*rows, [F(0)] * k]
    halves = [*([x / 2 for x in rows[0]],) * 2, *rows[1:]]  # a repeated row
    merged = [[sum(column, F(0)) for column in zip(*rows, strict=True)], *([F(0)] * k for _ in rows[1:])]
    negative = [*rows, [F(1, 7)] * k, [F(-1, 7)] * k]
    twice = [[2 * x for x in row] for row in rows]
    never = [[F(1, 4) if at == 0 else F(0) for at in range(k)], [F(3, 4) if at == 0 else F(1) for at in range(k)]]
    return [one, constant, repeated, all_equal, nearly, truth, exchanged, zero, halves, merged, negative, twice, never]


def bounds(rng: random.Random, claim: Any) -> list[tuple[str, str]]:
    """Return bounds in the place of those of a claim."""
    if "infinite" in (claim["lower"], claim["upper"]):
        return [("1", "infinite"), ("infinite", "1"), ("5", "4"), ("-2", "-1")]
    low, high = F(claim["lower"]), F(claim["upper"])
    step = F(1, 10 ** rng.choice((0, 3, 12, 40)))
    room = F(10 ** rng.choice((0, 1, 9, 30, 300)))
    made = [
        *(
            (-low, -high),
            (-high, -low),
            (high + step, low - step),
            (high + step, high + step),
            (low - step, low - step),
        ),
        *((low, -room), (-room - 1, -room), (low, F(0)), (F(0), F(0)), (F(0), high), (room, room + 1), (room, high)),
        *((F(-HUGE), F(HUGE)), (F(HUGE), F(-HUGE)), (low - room, high), (low, high + room), (high, low)),
    ]
    return [(str(a), str(b)) for a, b in made]


def walk(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield path, value
    for key, part in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ()):
        yield from walk(part, (*path, key))


def put(document: Any, path: Path, value: Any) -> None:
    at = document
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip("-").replace("/", "", 1).isdigit()


def _is_matrix(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_vector(row) for row in value)


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_number, value))


def _in_place_of_vector(rng: random.Random, x: list[str]) -> list[list[str]]:
    first = x[rng.randrange(len(x))]
    negatives = [str(-F(each)) for each in x]
    return [["0"] * len(x), [first] * len(x), negatives, [str(HUGE)] * len(x), ["0", *x[1:]], ["1"] * len(x), []]


def _in_place_of_matrix(rng: random.Random, rows: list[list[str]]) -> list[list[list[str]]]:
    width, i = len(rows[0]), rng.randrange(len(rows))
    unit = [[str(int(a == b)) for b in range(width)] for a in range(len(rows))]
    negative = [[str(-F(x)) for x in row] for row in rows]
    repeated = [rows[i] if rng.random() < 0.5 else row for row in rows]
    columns = [[row[0]] * len(row) for row in rows]
    return [
        [["0"] * width for _ in rows],
        [["1"] * width for _ in rows],
        unit,
        negative,
        repeated,
        columns,
        [rows[i]],
        [],
    ]


def _change_mechanism(rng: random.Random, document: Any) -> str:
    places = [
        path
        for path, value in walk(document)
        if path and path[-1] == "matrix" and path[-2] in ("mechanism", "source", "target") and _is_matrix(value)
    ]
    if not places:
        orbits = document["claim"].get("mechanism", {}).get("orbits")
        if orbits:
            for row in orbits["rows"]:
                row[:] = [[["1", n]] for n in orbits["groups"]]  # a constant row
            orbits["rows"] = orbits["rows"][:1] if rng.random() < 0.7 else orbits["rows"]
            return "constant orbits"
        product = document["claim"].get("mechanism", {}).get("product")
        if product:
            product[rng.randrange(len(product))] = [["1/2", "1/2"], ["1/2", "1/2"]]
            return "a constant bit"
        return ""
    path = rng.choice(places)
    at = document
    for key in path:
        at = at[key]
    listed = mechanisms(rng, [numbers(row) for row in at])
    chosen = rng.randrange(len(listed))
    put(document, path, texts(listed[chosen]))
    return f"mechanism {chosen}"


def _change_bounds(rng: random.Random, document: Any) -> str:
    claim = document["claim"]
    if "lower" in claim:
        claim["lower"], claim["upper"] = rng.choice(bounds(rng, claim))
        return "bounds"
    for key in ("gap", "parity"):
        if key in claim:
            claim[key] = rng.choice(("0", "-1", "1", str(HUGE), "infinite", f"-1/{HUGE}"))
            return key
    return ""


def _change_count(rng: random.Random, document: Any) -> str:
    places = []
    for path, value in walk(document):
        names = [key for key in path if isinstance(key, str)]
        if names and names[-1] in COUNTS and _is_number(value):
            places.append((path, names[-1]))
    if not places:
        return ""
    path, name = rng.choice(places)
    put(document, path, rng.choice(["0", "1", *(str(n + d) for n in COUNTS[name] for d in (-1, 0, 1))]))
    return f"count {name}"


def _change_witness(rng: random.Random, document: Any) -> str:
    part = "proof" if "statement" in document else "witness"
    places = [path for path, value in walk(document) if path[:1] == (part,) and _is_vector(value)]
    matrices = [path for path, value in walk(document) if path[:1] == (part,) and _is_matrix(value)]
    places = matrices if matrices and (rng.random() < 0.5 or not places) else places
    if not places:
        return ""
    path = rng.choice(places)
    at = document
    for key in path:
        at = at[key]
    put(document, path, rng.choice((_in_place_of_matrix if _is_matrix(at) else _in_place_of_vector)(rng, at)))
    return f"witness {path[-1]}"


def _change_rounding(rng: random.Random, document: Any) -> str:
    primal = document.get("witness", {}).get("primal", {})
    if "rounded" not in primal:
        return ""
    digits = rng.choice((1, 1, 2, 9, 30, 300, None))
    primal["rounded"] = None if digits is None else str(digits)
    if digits and rng.random() < 0.6:
        low = -(10**digits) * rng.choice((1, 2, 10))
        document["claim"]["upper"] = str(low)
        document["claim"]["lower"] = rng.choice((document["claim"]["lower"], str(low - 1), str(low)))
    return "rounding"


def _change_population(rng: random.Random, document: Any) -> str:
    """A population of one category, or of others; the known optimum is that of another problem then."""
    pi = document["problem"].get("population")
    if not _is_vector(pi):
        return ""
    j = rng.randrange(len(pi))
    document["problem"]["population"] = [str(int(i == j)) for i in range(len(pi))]
    return "population"


def _careless(rng: random.Random, document: Any) -> None:
    """Put numbers in that a careless rule would work out: a generalized inverse, and the ends that follow."""
    primal, made = document.get("witness", {}).get("primal", {}), document["claim"].get("mechanism", {})
    pi = document["problem"].get("population")
    if not ("matrix" in made and _is_matrix(made["matrix"]) and _is_vector(pi)):
        return
    rows, shares = [numbers(row) for row in made["matrix"]], numbers(pi)
    k = len(shares)
    if any(len(row) != k for row in rows) or any(any(row) and not dot(row, shares) for row in rows):
        return
    step = F(1, 10 ** rng.choice((6, 20)))
    m = information(rows, shares)
    back = inverse(m) or inverse([[x + step * (i == j) for j, x in enumerate(row)] for i, row in enumerate(m)])
    if back is None:
        return
    if rng.random() < 0.3:  # that of the contrasts alone: constants are taken away on both sides
        means = [sum(row, F(0)) / k for row in back]
        total = sum(means, F(0)) / k
        back = [[x - means[i] - means[j] + total for j, x in enumerate(row)] for i, row in enumerate(back)]
    if "inverse" in primal and isinstance(primal["inverse"], list):
        primal["inverse"] = texts(back)
        half = 2 if document["problem"]["objective"] == {"kind": "variance"} else 1
        document["claim"]["upper"] = str((sum((back[j][j] for j in range(k)), F(0)) - dot(shares, shares)) / half)
    if "solution" in primal and _is_vector(document["problem"]["objective"].get("contrast")):
        c = numbers(document["problem"]["objective"]["contrast"])
        if len(c) == k:
            z = [dot(row, c) for row in back]
            primal["solution"] = [str(x) for x in z]
            document["claim"]["upper"] = str(dot(c, z) - dot(c, shares) ** 2)


def _change_expression(rng: random.Random, document: Any) -> str:
    """Negate a polynomial or a side, make the claim strict, or repeat a vertex of the domain."""
    problem, claim = document["problem"], document["claim"]
    name = "left"
    if name not in problem:
        return ""
    tree = problem[name]
    zero = {"sum": [tree, {"negative": tree}]}
    less = {"sum": [tree, rng.choice(("-1", "-1/1000", f"-1/{10**30}"))]}
    choice = rng.randrange(6)
    if choice < 3:
        problem[name] = ({"negative": tree}, zero, less)[choice]
    elif choice == 3 and claim["relation"] != "=":
        claim["relation"] = ">" if claim["relation"] == ">=" else ">="
    elif problem.get("domain"):
        simplex = rng.choice(problem["domain"])
        simplex[-1] = deepcopy(simplex[0])
    elif problem.get("hypotheses"):
        problem["hypotheses"] = problem["hypotheses"][1:]
    else:
        problem[name] = {"product": [tree, "0"]}
    return "expression"


def _change_constraints(rng: random.Random, document: Any) -> str:
    """Take the contradiction away from what is claimed infeasible: bounds of 0, no rows, no bounds, a level above 0."""
    problem = document["problem"]
    if document["claim"] != {"kind": "infeasible"}:
        return ""
    if "rows" in problem:
        if rng.random() < 0.3:
            problem["rows"] = []
        for row in problem["rows"]:
            row["bound"] = "0"
    elif problem["region"]["kind"] == "bounded":
        for end, bound in (("least", "0"), ("most", "1")):
            problem["region"][end] = [[bound] * len(row) for row in problem["region"][end]]
    elif problem["region"]["kind"] == "differential-privacy":
        problem["region"]["epsilon"] = {"log": "2"}
        document["witness"]["gamma"] = {"below": "2", "above": "2"}
    return "constraints"


_CHANGES: list[Callable[[random.Random, Any], str]] = [
    *(_change_mechanism, _change_bounds, _change_mechanism, _change_bounds, _change_count, _change_witness),
    *(_change_rounding, _change_population, _change_expression),
    *(_change_constraints, _change_constraints),
]


def forged(rng: random.Random, honest: Any, *, sizes: bool = True) -> tuple[str, Any, bool] | None:
    """Return what was changed, the file, and whether its problem is still that of the honest one.

    Without ``sizes`` no count is changed: a checker without limits would take too long.
    """
    document = deepcopy(honest)
    wanted, done = rng.choice((1, 1, 2, 2, 3, 4)), []
    for _ in range(6 * wanted):  # most changes are for some rules alone
        change = rng.choice(_CHANGES)
        done += [name] if (sizes or change is not _change_count) and (name := change(rng, document)) else []
        if len(done) == wanted:
            break
    if rng.random() < 0.3:
        _careless(rng, document)
    if not done or document == honest:
        return None
    return ", ".join(sorted(set(done))), document, document["problem"] == honest["problem"]
