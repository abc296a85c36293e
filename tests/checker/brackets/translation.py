"""Translates a design bracket of format 1 (rules 3, 5 and 25) into the statement ``design-bracket`` of format 2.

A proof changes its form: W of rule 5 is centred, forms S W S^T become sums of squares by elimination, and the
multipliers of rule 3 that speak of t become multipliers of pairs. Problem and claim keep their meaning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from vectors import vectors

from rropt.checker.conformance.suite import FOLDER, read_lines

F = Fraction
RULES = ("rays", "pattern", "linear-programme")
# what a file of format 1 violates and its translation does not have: keys of the record, M^-1, METHOD, F, `rounded`
GONE = ("the format is unknown", "has a key that the page does not name")
Matrix = list[list[Fraction]]


@cache
def files() -> list[tuple[str, Any, str, str]]:
    """Return rule, file, expected verdict and truth of the vectors and boundary files of the three rules."""
    found = []
    for rule in RULES:
        for vector in vectors(rule):
            if "certificate" in vector and not vector["reason"].endswith(GONE):
                found.append((rule, vector["certificate"], vector["verdict"], ""))
    cases = read_lines(FOLDER / "cases.jsonl")
    for entry in read_lines(FOLDER / "witnesses.jsonl"):
        if entry["rule"] in RULES:
            case = cases[entry["case"] - 1]
            document = {"format": "rropt-certificate/1", "problem": case["problem"], "claim": case["claim"]}
            document["witness"] = {"rule": entry["rule"], **entry["witness"]}
            found.append((entry["rule"], document, entry["expected"], case["truth"]))
    return [each for each in found if each[1]["claim"].get("kind") == "design-bracket"]


def translated(document: Any) -> Any:
    """Return the file of format 2. Raises an arbitrary error for a file that has no such form."""
    problem, claim, witness = document["problem"], document["claim"], document["witness"]
    assert claim["kind"] == "design-bracket"
    region, objective = problem["region"], problem["objective"]
    inner = region["region"] if region["kind"] == "bounded" else region
    assert inner.get("family", "all") == "all"
    levels, brackets = _levels(inner, witness)
    population = problem["population"]
    if objective["kind"] == "bayes":
        parts = zip(objective["weights"], objective["populations"], strict=True)
        population = {"mixture": [{"weight": w, "shares": pi} for w, pi in parts]}
        objective = objective["objective"]
    elif objective["kind"] in ("trace", "distance"):
        population = None
    proof = {"way": "rays", "brackets": brackets, **_PROOFS[witness["rule"]](problem, objective, witness, inner, claim)}
    return {
        "format": "2",
        "statement": "design-bracket",
        "problem": {
            "inputs": inner["inputs"],
            "outputs": inner["outputs"],
            "levels": levels,
            "bounds": {"least": region["least"], "most": region["most"]} if inner is not region else None,
            "objective": objective,
            "population": population,
        },
        "claim": {key: claim[key] for key in claim if key != "kind"},
        "proof": proof,
    }


def in_format_1(document: Any) -> tuple[Any, Any] | None:
    """Return problem and claim of a file of one level for all pairs as format 1 has them, for oracles; else None."""
    problem, population = document["problem"], document["problem"]["population"]
    levels, objective = problem["levels"], problem["objective"]
    if len(levels) != 1 or levels[0]["pairs"] != "all" or "up" in levels[0]["epsilon"]:
        return None
    region = {
        "kind": "differential-privacy",
        "family": "all",
        "inputs": problem["inputs"],
        "outputs": problem["outputs"],
    }
    region |= {key: levels[0][key] for key in ("epsilon", "delta")}
    if problem["bounds"] is not None:
        region = {"kind": "bounded", "region": region, **problem["bounds"]}
    if population is None:
        k = int(problem["inputs"])
        population = [str(F(1, k))] * k
    elif isinstance(population, dict) and "mixture" in population:
        weights, shares = ([part[key] for part in population["mixture"]] for key in ("weight", "shares"))
        objective = {"kind": "bayes", "objective": objective, "weights": weights, "populations": shares}
        population = shares[0]
    claim = {"kind": "design-bracket", **document["claim"]}
    return {"region": region, "objective": objective, "population": population}, claim


def _levels(region: Any, witness: Any) -> tuple[list[Any], list[Any]]:
    gamma, delta = witness["gamma"], witness["delta"]
    if region["kind"] == "differential-privacy":
        listed = [{"epsilon": region["epsilon"], "delta": region["delta"], "pairs": "all"}]
        return listed, [{"gamma": gamma, "delta": delta}]
    if region["kind"] == "criterion":
        epsilon = {"up": region["up"], "down": region["down"]}
        return [{"epsilon": epsilon, "delta": "0", "pairs": "all"}], [{"gamma": gamma, "delta": delta}]
    if region["kind"] == "privacy-levels":
        pairs = zip(gamma, delta, strict=True)
        return region["levels"], [{"gamma": g, "delta": d} for g, d in pairs]
    assert region["kind"] == "pairwise-privacy"
    found: dict[str, tuple[Any, list[list[str]]]] = {}
    for j, row in enumerate(region["levels"]):
        for i, level in enumerate(row):
            assert (level is None) == (gamma[j][i] is None)
            if level is not None:
                own = found.setdefault(json.dumps([level, gamma[j][i]]), ([level, gamma[j][i]], []))
                own[1].append([str(j), str(i)])
    listed = [{"epsilon": level, "delta": "0", "pairs": pairs} for (level, _), pairs in found.values()]
    return listed, [{"gamma": bracket, "delta": delta} for (_, bracket), _ in found.values()]


def _texts(numbers: Sequence[Fraction]) -> list[str]:
    return [str(x) for x in numbers]


def _digits(logarithms: Any) -> dict[str, Any]:
    return {"digits": logarithms["digits"]} if logarithms != [] else {}


# rule 25


def _of_rays(problem: Any, objective: Any, witness: Any, region: Any, claim: Any) -> dict[str, Any]:
    dual, primal, kind = witness["dual"], witness["primal"], objective["kind"]
    matrices = dual["beta"] if region["kind"] == "privacy-levels" else [dual["beta"]]
    assert region["kind"] != "pairwise-privacy" or dual["beta"] is None
    slopes = [
        [str(t), str(j), str(i), x]
        for t, matrix in enumerate(matrices)
        for j, row in enumerate(matrix or [])
        for i, x in enumerate(row)
        if x != "0"
    ]
    proof = {"alpha": dual["alpha"], "slopes": slopes, **_digits(witness["logarithms"])}
    if dual["matrix"] is None:
        return proof
    mixed = problem["objective"]["kind"] == "bayes"
    listed = dual["matrix"] if mixed else [dual["matrix"]]
    vectors = [[[F(x) for x in column] for column in zip(*matrix, strict=True)] for matrix in listed]
    if kind in ("e-optimal", "d-optimal"):
        d = [F(1)] * len(vectors[0])
        if kind == "d-optimal":
            assert all(w[j] for j, w in enumerate(vectors[0]))
            d = [w[j] ** 2 for j, w in enumerate(vectors[0])]
            vectors = [[[x / w[j] for x in w] for j, w in enumerate(vectors[0])]]
        proof["weights"] = _texts(d)
    proof["vectors"] = [[_texts(w) for w in rows] for rows in vectors]
    proof["estimators"] = primal["estimators"] if mixed else [primal["estimator"]]
    return proof


# rule 5


def _of_pattern(problem: Any, objective: Any, witness: Any, region: Any, claim: Any) -> dict[str, Any]:
    k, kind = int(region["inputs"]), objective["kind"]
    pi = [F(x) for x in problem["population"]]
    dual = witness["dual"]
    alpha = [F(x) for x in dual["alpha"]]
    excess = [F(x) for x in dual.get("excess", ["0", "0"])]
    proof: dict[str, Any] = _digits(witness.get("logarithms", []))
    scale = F(1)
    if kind in ("d-optimal", "e-optimal"):
        w = [[F(x) for x in row] for row in dual["matrix"]]
        assert all(w[i][j] == w[j][i] for i in range(k) for j in range(k))
        v = [sum(row) for row in w]
        alpha = [a - 2 * x + sum(v) * p for a, x, p in zip(alpha, v, pi, strict=True)]
        form = [[w[i][j] - pi[i] * v[j] - v[i] * pi[j] + sum(v) * pi[i] * pi[j] for j in range(k)] for i in range(k)]
        vectors, d = _eliminated(form)
        proof |= {"vectors": [[_texts(x) for x in vectors]], "weights": _texts(d)}
        proof["estimators"] = [_efficient(claim, pi)]
    elif kind in ("a-optimal", "variance", "c-optimal"):
        w = [[F(x) for x in row] for row in dual["matrix"]] if "matrix" in dual else [[F(x)] for x in dual["vector"]]
        v = [sum(column) for column in zip(*w, strict=True)]
        square = sum(x * x for x in v)
        along = [sum(x * y for x, y in zip(row, v, strict=True)) for row in w]
        alpha = [a - 2 * x + square * p for a, x, p in zip(alpha, along, pi, strict=True)]
        vectors = [
            [x - p * y for x, p in zip(column, pi, strict=True)]
            for column, y in zip(zip(*w, strict=True), v, strict=True)
        ]
        if kind == "variance":  # W' = (-1, 1)^T (a, b)
            scale = sum((x[1] ** 2 for x in vectors), F(0))
            vectors = [[F(-1), F(1)]]
        proof["vectors"] = [[_texts(x) for x in vectors]]
        if kind == "c-optimal":
            proof["estimators"] = [_efficient(claim, pi, [F(x) for x in witness["primal"]["solution"]])]
        else:
            proof["estimators"] = [_efficient(claim, pi)[1:] if kind == "variance" else _efficient(claim, pi)]
    slopes = [["0", str(j), str(1 - j), str(x / scale)] for j, x in enumerate(excess) if x]
    return proof | {"alpha": _texts([a / scale for a in alpha]), "slopes": slopes}


def _eliminated(form: Matrix) -> tuple[Matrix, list[Fraction]]:
    """Return vectors w_j with 1 at entry j and 0 before it, and d_j, such that the form is the sum of d_j w_j w_j^T."""
    k = len(form)
    left, vectors, d = [row[:] for row in form], [], []
    for j in range(k - 1):
        pivot = left[j][j]
        if pivot == 0:
            assert not any(left[j])
            continue
        w = [F(0)] * j + [x / pivot for x in left[j][j:]]
        vectors.append(w)
        d.append(pivot)
        left = [[x - pivot * w[a] * w[b] for b, x in enumerate(row)] for a, row in enumerate(left)]
    assert not any(map(any, left))
    return (vectors, d) if vectors else ([[F(0)] * k], [F(0)])


def _efficient(claim: Any, pi: list[Fraction], z: list[Fraction] | None = None) -> list[list[str]]:
    """Return the estimator M^-1 p_i / s_i, or z.p_i / s_i."""
    rows = [[F(x) for x in row] for row in claim["mechanism"]["matrix"]]
    chances = [sum(x * p for x, p in zip(row, pi, strict=True)) for row in rows]
    if z is not None:
        values = [sum(x * y for x, y in zip(row, z, strict=True)) for row in rows]
        return [_texts([x / s if s else F(0) for x, s in zip(values, chances, strict=True)])]
    k = len(pi)
    m = [
        [sum((r[a] * r[b] / s for r, s in zip(rows, chances, strict=True) if s), F(0)) for b in range(k)]
        + [F(a == b) for b in range(k)]
        for a in range(k)
    ]
    for j in range(k):
        at = next(i for i in range(j, k) if m[i][j])
        m[j], m[at] = m[at], m[j]
        m[j] = [x / m[j][j] for x in m[j]]
        m = [row if i == j else [x - row[j] * y for x, y in zip(row, m[j], strict=True)] for i, row in enumerate(m)]
    inverse = [row[k:] for row in m]
    columns = [
        [sum((x * y for x, y in zip(line, row, strict=True)), F(0)) / s if s else F(0) for line in inverse]
        for row, s in zip(rows, chances, strict=True)
    ]
    return [_texts(row) for row in zip(*columns, strict=True)]


# rule 3


def _of_program(problem: Any, objective: Any, witness: Any, region: Any, claim: Any) -> dict[str, Any]:
    k, m, kind = int(region["inputs"]), int(region["outputs"]), objective["kind"]
    levels, _ = _levels(region, witness)
    level_of, gammas = {}, []
    for t, level in enumerate(levels):
        pairs = permutations(range(k), 2) if level["pairs"] == "all" else [tuple(map(int, p)) for p in level["pairs"]]
        level_of |= dict.fromkeys(pairs, t)
    pairs = sorted(level_of)
    uniform = region["kind"] != "pairwise-privacy"
    gammas = F(witness["gamma"]["above"]) if uniform else None
    has_delta = uniform and region.get("delta", "0") != "0"
    sections = [("column", k)]
    if not uniform:
        sections.append(("pair", m * len(pairs)))
    elif has_delta:
        sections += [("pair", m * len(pairs)), ("total", len(pairs))]
    else:
        sections += [("low", m * k), ("high", m * k)]
    if problem["region"]["kind"] == "bounded":
        sections += [("least", m * k), ("most", m * k)]
    if kind == "distance":
        sections += [("not lower", m * k), ("not higher", m * k)]
    values: dict[str, dict[int, Fraction]] = {name: {} for name, _ in sections}
    sign = -1 if kind == "trace" else 1
    last = -1
    for text, number in witness["dual"]:
        row = int(text)
        assert row > last
        last = row
        for name, size in sections:
            if row < size:
                z = sign * F(number)
                wrong = z > 0 if name in ("total", "most", "not higher") else z < 0
                assert z != 0
                assert name == "column" or not wrong
                values[name][row] = z
                break
            row -= size
        else:
            raise AssertionError
    alpha = [-values["column"].get(j, F(0)) for j in range(k)]
    slopes = (
        [["0", str(j), str(i), str(-values["total"][at])] for at, (j, i) in enumerate(pairs) if at in values["total"]]
        if has_delta
        else []
    )
    multipliers = []
    for i in range(m):
        if "low" in values:
            low, high = ([values[name].get(i * k + j, F(0)) for j in range(k)] for name in ("low", "high"))
            found = [(0, j, other, x) for j, other, x in _transport(low, high, gammas)]
        else:
            n = len(pairs)
            found = sorted(
                (level_of[pair], *pair, values["pair"][i * n + at])
                for at, pair in enumerate(pairs)
                if i * n + at in values["pair"]
            )
        multipliers += [[str(i), str(t), str(j), str(other), str(x)] for t, j, other, x in found]
    proof: dict[str, Any] = {"way": "linear", "alpha": _texts(alpha), "slopes": slopes, "multipliers": multipliers}
    grids = {
        name: [[own.get(i * k + j, F(0)) for j in range(k)] for i in range(m)]
        for name, own in values.items()
        if name not in ("column", "pair", "total")
    }
    if "least" in grids:
        proof["limits"] = [
            [str(-x - y) for x, y in zip(*rows, strict=True)]
            for rows in zip(grids["least"], grids["most"], strict=True)
        ]
    if kind == "distance":
        proof["lines"] = [
            [str(x + y) for x, y in zip(*rows, strict=True)]
            for rows in zip(grids["not lower"], grids["not higher"], strict=True)
        ]
    return proof


def _transport(low: list[Fraction], high: list[Fraction], gamma: Fraction) -> list[tuple[int, int, Fraction]]:
    """Return multipliers x_jl with sums high_j over l, and at most low_l/gamma over j, after what is common cancels."""
    assert sum(low) >= gamma * sum(high)
    supply = [max(h - x, F(0)) for x, h in zip(low, high, strict=True)]
    room = [max(x - h, F(0)) / gamma for x, h in zip(low, high, strict=True)]
    found, at = [], 0
    for j, needed in enumerate(supply):
        while needed:
            if not room[at]:
                at += 1
                continue
            x = min(needed, room[at])
            found.append((j, at, x))
            needed -= x
            room[at] -= x
    return sorted(found)


_PROOFS = {
    "rays": _of_rays,
    "pattern": _of_pattern,
    "linear-programme": _of_program,
}
