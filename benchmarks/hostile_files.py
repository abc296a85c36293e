"""Files of up to 16 MiB made to be slow, one for every data structure that the checker builds and kind of number.

    python benchmarks/hostile_files.py [PATTERN]     # processor seconds and memory of `python -m rropt.checker FILE`

Every file has the shape of its rule, so that it is refused as late as possible, and is as long as the limits on bytes
and tokens allow. Numbers are short ones, all distinct; denominators 3 + i (2^61 - 1), which have one hash; fractions
of 300 and of 20 000 digits; and one denominator for all. Exit status 1 if a file is accepted, or takes more than ten
seconds of processor time or 2 GB.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count, islice
from pathlib import Path
from typing import Any

BYTES, TOKENS = 16 * 1024 * 1024, 1_000_000
SECONDS, MEBIBYTES = 10.0, 2000.0

Number = Callable[[int], str]
NUMBERS: dict[str, tuple[Number, int]] = {  # the i-th number, and characters of one
    "short": (lambda i: f"1/{i + 2}", 8),
    "colliding": (lambda i: f"1/{3 + i * (2**61 - 1)}", 28),
    "300 digits": (lambda i: f"1/1{'0' * 290}{2 * i + 1:08d}", 302),
    "20 000 digits": (lambda i: f"1/1{'0' * 19_980}{2 * i + 1:08d}", 19_992),
    "one denominator": (lambda i: f"{2 * i + 1}/{2**200}", 70),
    "whole": (lambda i: str(i + 2), 7),
}


def room(length: int) -> int:
    """Return how many numbers of this length a file has room for."""
    return min(BYTES // (length + 4), TOKENS // 3) * 9 // 10


def matrix(number: Number, m: int, k: int) -> list[list[str]]:
    """Return m rows of k numbers."""
    each = map(number, count())
    return [list(islice(each, k)) for _ in range(m)]


def document(problem: Any, claim: Any, witness: Any) -> Any:
    return {"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness}


def region(k: int, m: int) -> Any:
    sizes = {"inputs": str(k), "outputs": str(m)}
    return {"kind": "differential-privacy", **sizes, "epsilon": {"log": "2"}, "delta": "0", "family": "all"}


LEVEL = {"gamma": {"below": "2", "above": "2"}, "delta": {"below": "0", "above": "0"}}


def structures(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over files of about n numbers."""
    k, half, third = (int((n // parts) ** 0.5) for parts in (1, 2, 3))
    signs = ["nonnegative"] * 1000

    def programme(rows: Any, costs: Any, signs: Any) -> Any:
        return {"kind": "linear-programme", "sense": "minimise", "cost": costs, "signs": signs, "rows": rows}

    width = min(n // 2, 1000)
    rows = [
        {"coefficients": [[str(j), number(i * width + j)] for j in range(width)], "relation": ">=", "bound": "1"}
        for i in range(max(n // (3 * width), 1))
    ]
    dual = [[str(i), number(i)] for i in range(len(rows))]
    value = {"kind": "optimal-value", "lower": "1", "upper": "1", "point": [number(i) for i in range(width)]}
    linear = programme(rows, ["1"] * width, signs[:width])
    yield "rows of a programme", document(linear, value, {"rule": "linear-programme", "dual": dual})
    yield (
        "rows of a Farkas proof",
        document(linear, {"kind": "infeasible"}, {"rule": "farkas", "multipliers": dual}),
    )
    many = n // 4
    costs = [number(i) for i in range(many)]
    free = programme([], costs, ["free"] * many)
    point = {**value, "point": costs}
    yield "costs of a programme", document(free, point, {"rule": "linear-programme", "dual": []})
    for objective in (
        {"kind": "loss", "matrix": matrix(number, half, half)},
        {"kind": "distance", "norm": "total", "matrix": matrix(number, half, half)},
        {"kind": "trace", "weights": [number(i) for i in range(half)]},
    ):
        mechanism = {"matrix": matrix(number, half, half)}
        problem = {"region": region(half, half), "objective": objective, "population": [f"1/{half}"] * half}
        claim = {"kind": "design-bracket", "lower": "1", "upper": "1", "mechanism": mechanism}
        witness = {"rule": "linear-programme", **LEVEL, "dual": [[str(i), number(i)] for i in range(half)]}
        yield f"a design, {objective['kind']}", document(problem, claim, witness)
    bounds = {"kind": "bounded", "least": matrix(number, third, third), "most": matrix(number, third, third)}
    problem = {
        "region": {**bounds, "region": region(third, third)},
        "objective": {"kind": "trace", "weights": ["1"] * third},
    }
    problem["population"] = [f"1/{third}"] * third
    duals = [[str(i), number(i)] for i in range(n // 3)]
    farkas = {"rule": "farkas", **LEVEL, "multipliers": duals}
    yield "bounds of a design", document(problem, {"kind": "infeasible"}, farkas)
    few = min(half, 300)
    levels = [[None if i == j else {"log": f"{i * few + j + 2}"} for j in range(few)] for i in range(few)]
    brackets = [
        [None if i == j else {"below": number(i * few + j), "above": number(i * few + j)} for j in range(few)]
        for i in range(few)
    ]
    pairwise = {"kind": "pairwise-privacy", "inputs": str(few), "outputs": str(few), "levels": levels}
    problem = {
        "region": pairwise,
        "objective": {"kind": "trace", "weights": ["1"] * few},
        "population": [f"1/{few}"] * few,
    }
    witness = {"rule": "farkas", "gamma": brackets, "delta": LEVEL["delta"], "multipliers": []}
    yield "levels of pairs", document(problem, {"kind": "infeasible"}, witness)
    two = {"kind": "garbling", "source": {"matrix": matrix(number, third, third)}}
    two["target"] = {"matrix": matrix(number, third, third)}
    kernel = {"rule": "garbling", "kernel": matrix(number, third, third)}
    yield "a garbling", document(two, {"kind": "garbling"}, kernel)
    payoff = {"rule": "decision", "payoff": matrix(number, third, third)}
    yield "a decision problem", document(two, {"kind": "no-garbling"}, payoff)
    for shape, (m, inputs) in {"square": (k, k), "tall": (n // 3, 3), "wide": (3, n // 3)}.items():
        held = {"kind": "mechanism", "mechanism": {"matrix": matrix(number, m, inputs)}, "level": {"log": "2"}}
        yield f"admissibility, {shape}", document(held, {"kind": "admissible"}, {"rule": "admissible"})
        none = {**held, "level": None}
        yield f"a parity, {shape}", document(none, {"kind": "parity", "parity": "2"}, {"rule": "parity"})
        profile = {"kind": "profile", "lower": "0", "upper": "1"}
        bracket = {"rule": "parity", "gamma": LEVEL["gamma"]}
        yield f"a profile, {shape}", document(held, profile, bracket)
    better = {"rule": "dominated", "gamma": LEVEL["gamma"], "dominating": matrix(number, third, third)}
    better |= {"kernel": matrix(number, third, third), "payoff": matrix(number, third, third)}
    held = {"kind": "mechanism", "mechanism": {"matrix": matrix(number, third, third)}, "level": {"log": "2"}}
    yield "a dominated mechanism", document(held, {"kind": "inadmissible"}, better)
    binary = {"region": region(2, 2), "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}
    vertices = [
        {"tight": ["p11<=1", "no-ratio"], "at_above": [number(2 * i), number(2 * i + 1)]} for i in range(n // 6)
    ]
    optima = [{"matrix": [[number(i), "0"], ["0", number(i)]]} for i in range(n // 12)]
    claim = {"kind": "optimal-design", "lower": "1", "upper": "1", "mechanism": optima[0], "optima": optima}
    witness = {"rule": "vertex", **LEVEL, "vertices": vertices}
    yield "vertices and optima", document(binary, {**claim, "optimal_set": None}, witness)
    yield from patterns(number, n)
    yield from trees(number, n)
    yield from covers(number, n)


def patterns(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over A-optimal designs: k-ary randomized response at gamma = 1000, with long parts."""
    for k in (2, 6, 10, 14, 18):
        share, theta = Fraction(1, k), Fraction(1, 999 + k)
        rows = [[str(theta * (1000 if i == j else 1)) for j in range(k)] for i in range(k)]
        a, b = ((x + (k - 2)) * k / (999 + k) ** 2 for x in (Fraction(10**6 + 1), Fraction(2000)))
        off = -b / ((a - b) * (a - b + k * b))
        inverse = [[str(off + (1 / (a - b) if i == j else 0)) for j in range(k)] for i in range(k)]
        made = {**region(k, k), "outputs": "any", "epsilon": {"log": "1000"}}
        problem = {"region": made, "objective": {"kind": "a-optimal"}, "population": [str(share)] * k}
        claim = {"kind": "design-bracket", "lower": "1", "upper": str(k * (off + 1 / (a - b)) - share)}
        claim["mechanism"] = {"matrix": rows}
        witness = {"rule": "pattern", "gamma": {"below": "1000", "above": "1000"}, "delta": LEVEL["delta"]}
        witness |= {"patterns": {"kind": "enumeration"}, "logarithms": []}
        large, long = {"alpha": [str(10**60)] * k}, {"inverse": matrix(number, k, k)}
        witness |= {"dual": large | {"matrix": long["inverse"]}, "primal": {"inverse": inverse}}
        yield f"a dual for patterns, {k} inputs", document(problem, claim, witness)
        yield f"an inverse, {k} inputs", document(problem, claim, {**witness, "primal": long})
        m = min(n, TOKENS // 5) // k  # equal rows: a mechanism, though one that tells nothing
        many = {**claim, "mechanism": {"matrix": [[f"1/{m}"] * k] * m}}
        yield f"rows of a design for patterns, {k} inputs", document(problem, many, witness)


def trees(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over identities and inequalities."""
    names = [f"x{i}" for i in range(40)]

    def monomial(i: int) -> Any:
        powers = [{"power": [names[i % 40], str(i // 40 % 7 + 1)]}, {"power": [names[i // 7 % 40], str(i % 5 + 1)]}]
        return {"product": [number(i), *powers]}

    def identity(left: Any, relations: Any = (), cofactors: Any = ()) -> Any:
        problem = {"kind": "identity", "variables": names, "relations": list(relations), "left": left, "right": "0"}
        return document(problem, {"kind": "identity"}, {"rule": "identity", "cofactors": list(cofactors)})

    yield "terms of a polynomial", identity({"sum": [monomial(i) for i in range(n // 12)]})
    yield "a sum of numbers", identity({"sum": [number(i) for i in range(min(n, 2**18))]})
    yield "a product of numbers", identity({"product": [number(i) for i in range(min(n, 2**18))]})
    few = [monomial(i) for i in range(min(n // 12, 400))]
    yield "a product of sums", identity({"product": [{"sum": few}, {"sum": few[::-1]}]})
    yield "a power of a sum", identity({"power": [{"sum": few[:12]}, "1024"]})
    quotients = [{"quotient": [number(i), {"sum": ["x0", number(i + 1)]}]} for i in range(n // 8)]
    yield "a sum of quotients", identity({"sum": quotients})
    relations = [{"sum": [monomial(i), "-1"]} for i in range(60)]
    cofactors = [{"sum": [monomial(j) for j in range(max(min(n // 1000, 200), 2))]} for _ in range(60)]
    yield "cofactors", identity("1", relations, cofactors)
    hypotheses = [{"polynomial": {"sum": [names[i % 40], number(i)]}, "relation": ">="} for i in range(64)]
    inequality = {"kind": "inequality", "parameters": names, "hypotheses": hypotheses, "variables": [], "domain": []}
    inequality["polynomial"] = "1"
    terms = [
        {"coefficient": number(i), "powers": [[str(63 - i // 60), str(i % 60 + 1)]]}
        for i in range(min(n // 6, 60 * 64))
    ]
    terms.sort(key=lambda term: (-int(term["powers"][0][0]), int(term["powers"][0][1])))
    handelman = {"rule": "handelman", "terms": terms}
    yield "terms of a Handelman sum", document(inequality, {"kind": "nonnegative"}, handelman)
    split = {"edge": ["0", "1"]}
    nodes = [{**split, "mix": [number(i), number(i + 1)]} for i in range(n // 7)]
    problem = {"kind": "inequality", "parameters": [], "hypotheses": [], "variables": ["x0"]}
    problem |= {"domain": [[["1", "0"], ["1", "1"]]], "polynomial": {"power": ["x0", "60"]}}
    yield "splits of a simplex", document(problem, {"kind": "nonnegative"}, {"rule": "bernstein", "cells": [nodes]})


def covers(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over covers of an interval."""
    bernstein = {"method": "bernstein", "order": "0"}

    def cover(pieces: Any, cells: Any, way: Any = bernstein, bound: str = "1") -> Any:
        problem = {"kind": "criterion", "up": {"pieces": pieces}, "down": None}
        claim = {"kind": "infimum", "lower": bound, "upper": bound, "attained": None, "at": "1/2"}
        point = {"side": "up", "piece": "0", "from": "1/2", "to": "1/2", **way}
        witness = {"rule": "cover", "version": "2", "digits": "300", "exact": None, "up": cells, "down": None}
        return document(problem, claim, {**witness, "point": point})

    def piece(value: Any, to: Any = "1") -> Any:
        return {"to": to, "closed": True, "value": value}

    powers = [{"product": [number(i), {"power": ["p", str(i % 1000)]}]} for i in range(n // 6)]
    whole = [{"to": "1", "near": False, **bernstein}]
    yield "coefficients of a function", cover([piece({"sum": ["1", *powers]})], [whole])
    deep = {"sum": ["1", *({"exp": {"product": ["p", number(i)]}} for i in range(n // 6))]}
    for method in ("bernstein", "low", "high", "middle"):
        way = {"method": method, "order": "0" if method == "bernstein" else "4"}
        cells = [{"to": f"{i}/4096", "near": False, **way} for i in range(1, 4096, 2)]
        yield f"cells, {method}", cover([piece("1")], [cells], way)
        yield f"exponentials, {method}", cover([piece(deep)], [cells], way)
    steps = [piece("1", f"{i}/{n}") for i in range(1, n // 8)]
    yield "pieces", cover(steps, [[] for _ in steps])
    root = {"root": [number(i) for i in range(min(n, 1024))], "between": ["1/2", "2000/2001"]}
    yield "a root", cover([piece("1", root), piece("1")], [[], []])
    constants = {"sum": [{"sqrt": number(i)} for i in range(8)]}
    many = {"power": [{"sum": ["p", constants]}, "40"]}
    yield "constants", cover([piece(many)], [whole])
    yield "bounds", cover([piece({"minimum": ["1", *powers[: n // 20]]})], [whole], bound=number(0))


def texts() -> Iterator[tuple[str, bytes]]:
    """Iterate over texts that are no certificates."""
    for unit in ("[]", '""', '"\\u0041"', "[" * 31 + "]" * 31, '{"a":"1"}', '"k"'):
        body = ",".join(
            [unit] * min(BYTES // (len(unit) + 1) - 10, TOKENS // (sum(map(unit.count, '",[{\\')) + 1) - 10)
        )
        yield f"a list of {unit[:12]}", f"[{body}]".encode()
    keys = ",".join(f'"{i:x}":""' for i in range(TOKENS // 5 - 10))
    yield "keys", f"{{{keys}}}".encode()
    yield "one string", b'"' + b"a" * (BYTES - 2) + b'"'
    yield "blanks", b" " * BYTES
    yield "brackets", b"[" * (TOKENS - 10)


def files() -> Iterator[tuple[str, bytes]]:
    yield from texts()
    for kind, (number, length) in NUMBERS.items():
        for name, data in structures(number, room(length)):
            text = json.dumps(data, separators=(",", ":")).encode()
            yield f"{name}; {kind}", text


def judged(path: Path) -> tuple[str, float, float]:
    """Return the verdict, processor seconds and mebibytes of a process of its own."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "rropt.checker", str(path)], stdout=said, stderr=said)
        _, _, usage = os.wait4(process.pid, 0)
        said.seek(0)
        text = said.read().decode().strip().rpartition(".json: ")[2]
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main(pattern: str = "") -> int:
    bad, rows = 0, []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.json"
        for name, data in files():
            if pattern not in name:
                continue
            path.write_bytes(data)
            verdict, seconds, mebibytes = judged(path)
            rows.append((seconds, mebibytes, name, len(data), verdict))
            failed = not verdict.startswith("rejected") or seconds > SECONDS or mebibytes > MEBIBYTES
            bad += failed
            if failed or pattern:
                cost = f"{len(data)} bytes, {seconds:.2f} s, {mebibytes:.0f} MiB"
                print(f"{'BAD ' if failed else ''}{name}: {cost}, {verdict[:90]}")
    print(f"{len(rows)} files, {bad} bad; the slowest and the largest:")
    for seconds, mebibytes, name, size, verdict in sorted(rows, reverse=True)[:12]:
        print(f"{seconds:6.2f} s {mebibytes:6.0f} MiB {size / 2**20:5.1f} MiB  {name}: {verdict[:80]}")
    print(f"most memory: {max(row[1] for row in rows):.0f} MiB")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
