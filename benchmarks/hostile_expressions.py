"""Polynomials, inequalities, covers: structures that the checker builds, with as many numbers as there is room for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hostile_structures import Number


def trees(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over identities and inequalities."""
    names = [f"x{i}" for i in range(40)]

    def monomial(i: int) -> Any:
        powers = [{"power": [names[i % 40], str(i // 40 % 7 + 1)]}, {"power": [names[i // 7 % 40], str(i % 5 + 1)]}]
        return {"product": [number(i), *powers]}

    def identity(left: Any, relations: Any = (), cofactors: Any = ()) -> Any:
        zeros = [{"polynomial": each, "relation": "="} for each in relations]
        return _stated(names, zeros, left, "identity", cofactors=list(cofactors))

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


def inequalities(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over inequalities: sums of products of hypotheses, and points."""
    names = [f"x{i}" for i in range(40)]
    hypotheses = [{"polynomial": {"sum": [names[i % 40], number(i)]}, "relation": ">="} for i in range(64)]
    terms = [
        {"coefficient": number(i), "powers": [[str(63 - i // 60), str(i % 60 + 1)]]}
        for i in range(min(n // 6, 60 * 64))
    ]
    terms.sort(key=lambda term: (-int(term["powers"][0][0]), int(term["powers"][0][1])))
    yield "terms of a Handelman sum", _stated(names, hypotheses, "1", "handelman", terms=terms)
    steep = [{"polynomial": {"power": [{"sum": [names[i % 40], "1"]}, "100"]}, "relation": ">="} for i in range(64)]
    one, point = [{"coefficient": "1", "powers": []}], [number(i) for i in range(40)]
    yield "a point", _stated(names, steep, "1", "handelman", terms=one, point=point)


def _stated(parameters: Any, hypotheses: Any, left: Any, way: str, **evidence: Any) -> Any:
    problem = {"parameters": parameters, "hypotheses": hypotheses}
    claim = {"relation": "=" if way == "identity" else ">="}
    parts = {"problem": {**problem, "left": left, "right": "0"}, "claim": claim}
    return {"format": "2", "statement": "polynomial", **parts, "proof": {"way": way, "point": None, **evidence}}


def covers(number: Number, n: int) -> Iterator[tuple[str, Any]]:
    """Iterate over covers of an interval."""
    bernstein = {"method": "bernstein", "order": "0"}

    def cover(pieces: Any, cells: Any, way: Any = bernstein, bound: str = "1") -> Any:
        claim = {"lower": bound, "upper": bound, "attained": None, "at": "1/2"}
        point = {"side": "up", "piece": "0", "from": "1/2", "to": "1/2", **way}
        proof = {"digits": "300", "exact": None, "up": cells, "down": None, "point": point}
        parts = {"problem": {"up": {"pieces": pieces}, "down": None}, "claim": claim, "proof": proof}
        return {"format": "2", "statement": "parity-bound", **parts}

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
