"""Blocks and bit vectors of small designs written out as matrices, by enumeration: shares no code with any checker."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

F = Fraction
LARGEST = 4096  # entries
MOST = 32  # points
FORMS = ("blocks", "bit-vectors", "restricted-response", "revealed-blocks")


def is_written_by_formulas(made: Any) -> bool:
    return isinstance(made, dict) and len(made) == 1 and next(iter(made)) in FORMS


def sets_of(data: Any) -> list[set[int]]:
    """Return the blocks of a family, some perhaps as often as others."""
    family, k = data["family"], int(data["categories"])
    if (
        k > MOST
        or int(data.get("q", "2")) ** int(data.get("dimension", "1")) > MOST
        or int(data.get("modulus", "2")) > MOST
    ):
        raise ValueError("too large to be written out")
    everything = range(k)
    if family == "direct":
        found = [{x} for x in everything]
    elif family == "subsets":
        found = [set(each) for each in combinations(everything, int(data["size"]))]
    elif family == "affine":
        q, s, t = int(data["q"]), int(data["size"]), int(data["dimension"])
        points = [_digits(x, q, t) for x in everything]
        vectors = [a for a in product(range(q), repeat=t) if any(a)]
        found = [
            {x for x, point in enumerate(points) if (sum(map(int.__mul__, a, point)) + c) % q < s}
            for a in vectors
            for c in range(q)
        ]
    elif family == "affine-classes":
        q, e, j = int(data["q"]), int(data["index"]), int(data["cosets"])
        roots = [g for g in range(1, q) if len({pow(g, i, q) for i in range(q - 1)}) == q - 1]
        theta = roots[0]
        inside = {pow(theta, i, q) for i in range(q - 1) if i % e < j} | ({0} if data["zero"] == "1" else set())
        found = [{x for x in everything if (a * x + c) % q in inside} for a in range(1, q) for c in range(q)]
    elif family == "projective":
        q, t = int(data["q"]), int(data["dimension"])
        lines = [v for v in product(range(q), repeat=t) if any(v) and next(x for x in v if x) == 1]
        found = [
            {x for x in everything if (sum(map(int.__mul__, v, lines[x])) % q == 0) == (data["complement"] == "0")}
            for v in lines
        ]
    else:
        v, bits = int(data["modulus"]), int(data["base"], 16)
        found = [{x for x in everything if bits >> (x + i) % v & 1} for i in range(v)]
    assert len(found) * k <= LARGEST
    return found


def _digits(x: int, q: int, t: int) -> list[int]:
    return [x // q**place % q for place in range(t)]


def written_out(made: Any) -> list[list[Fraction]]:
    """Return the rows of the mechanism."""
    ((form, data),) = made.items()
    if form == "restricted-response":
        return _response(data)
    if form == "revealed-blocks":
        r, rows = F(data["revealed"]), written_out({"blocks": data["blocks"]})
        k = len(rows[0])
        return [[(1 - r) * x for x in row] for row in rows] + [[r * (i == j) for j in range(k)] for i in range(k)]
    k = int(data["categories"])
    if form == "bit-vectors":
        p, m = F(data["p"]), F(data["m"])
        assert k << k <= LARGEST
        rows = []
        for bits in product((0, 1), repeat=k):
            row = []
            for true in range(k):
                chance = F(1)
                for x, bit in enumerate(bits):
                    own = p if x == true else m
                    chance *= own if bit else 1 - own
                row.append(chance)
            rows.append(row)
        return rows
    g, found = F(data["gamma"]), sets_of(data)
    total = {sum(g if x in each else F(1) for each in found) for x in range(k)}
    assert len(total) == 1
    norm, times = total.pop(), Counter(frozenset(each) for each in found)  # equal outputs are one
    return [[n * (g if x in each else F(1)) / norm for x in range(k)] for each, n in times.items()]


def _response(data: Any) -> list[list[Fraction]]:
    """Return the rows of a restricted response, column by column from its words."""
    if sum(int(n) for n, _ in data["runs"]) > MOST:
        raise ValueError("too large to be written out")
    inside = [int(t) for n, t in data["runs"] for _ in range(int(n))]
    g, d, m = F(data["gamma"]), F(data["delta"]), sum(inside)
    columns = []
    for j, is_in in enumerate(inside):
        odds = [(g if is_in and i == j else F(1)) if t else F(0) for i, t in enumerate(inside)]
        assert sum(odds) == (g + m - 1 if is_in else m)
        columns.append([(1 - d) * x / sum(odds) + (d if i == j else 0) for i, x in enumerate(odds)])
    return [list(row) for row in zip(*columns, strict=True)]


def listed_weights(objective: Any) -> Any:
    """Return the weights of a trace one by one, where they stand in runs; the objective's own where they do not."""
    given = objective["weights"]
    if not isinstance(given, dict):
        return given
    if sum(int(n) for n, _ in given["runs"]) > MOST:
        raise ValueError("too many to be written out")
    return [F(w) for n, w in given["runs"] for _ in range(int(n))]
