"""Hostile certificates of infima: small files whose verification would be long."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

_LONG = [f"1/1{'0' * 19_990}{2 * i + 1:05d}" for i in range(200)]  # 20 000 digits below


def hostile_covers(methods: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return certificates that are costly to verify, by name, with these methods; none is true."""
    for digits in ("1", "2", "60", "300"):
        for function in ("exp", "log", "sqrt"):
            tower = _nested(function, 25, {"sum": ["p", "1"]})
            yield f"a tower of {function}, {digits} digits", _whole(tower, 64, "middle", digits=digits)
            constant = {"sum": ["1", _nested(function, 25, "7/3")]}
            yield f"a constant tower of {function}, {digits} digits", _whole(constant, 64, "bernstein", digits=digits)
    for method in methods:
        for name, tree, cells, digits in _trees():
            yield f"{name}, {method}", _whole(tree, cells, method, digits=digits)
        ends = [f"{i}{'1' * 2580}/1000{'0' * 2580}" for i in range(1, 900)]
        yield f"long ends, {method}", cover_file([piece("1", _polynomial(60))], [_cells(ends, method)])
        yield f"long bounds, {method}", _whole("1", 4000, method, lower=_LONG[1], upper=_LONG[0])
        yield f"all cells of {method}", _whole("1", 4096, method)
    yield (
        "a root of high degree",
        cover_file([piece(_root(["-1", *["0"] * 1000, "2"]), "1"), piece("1", "1")], [[], []]),
    )
    long = [f"-1{'0' * 2590}", *(f"{i + 1}{'0' * 2500}" for i in range(1000))]
    yield "a root with long coefficients", cover_file([piece(_root(long), "1"), piece("1", "1")], [[], []])
    yield "many cells", _whole("1", 60_000, "bernstein")
    yield "many pieces", cover_file([piece("1", "1")] * 5000, [[]] * 5000)
    yield "many digits", _whole({"exp": "p"}, 64, "middle", digits="1" + "0" * 19)


def _trees() -> Iterator[tuple[str, Any, int, str]]:
    """Return name, expression (often above 1, where most methods go on), number of cells, digits."""
    yield "a wide sum", {"sum": ["1", *["p"] * 60_000]}, 300, "60"
    yield "powers by logarithms", {"sum": ["1", {"exp": {"product": ["p", {"log": {"sum": ["p", "2"]}}]}}]}, 4096, "60"
    yield "a minimum of many", {"minimum": [_nested("sqrt", 12, {"sum": ["p", "2"]})] * 200}, 300, "60"
    tree: Any = "p"
    for _ in range(13):
        tree = {"maximum": [tree, {"sum": [tree if isinstance(tree, str) else "1", "1/3"]}]}
    yield "nested maxima", tree, 300, "60"
    yield "a high power", {"sum": ["1", {"power": ["p", "1024"]}]}, 64, "60"
    for degree in (64, 200, 500, 1000):
        yield f"degree {degree}", _polynomial(degree), 64, "60"
    yield "a long number", {"sum": ["1", _LONG[1], "p"]}, 700, "60"
    terms = [{"product": [x, {"power": ["p", str(i + 1)]}]} for i, x in enumerate(_LONG)]
    yield "long coefficients", {"sum": ["1", *terms]}, 8, "60"
    yield "fractional powers", {"power": [{"sum": ["p", "1"]}, "1023/1024"]}, 4096, "300"
    yield "a power of a sum", {"power": [{"sum": ["p", "1"]}, "1024"]}, 64, "300"
    roots = [{"sqrt": str(x)} for x in (2, 3, 5, 6, 7, 10, 11, 13)]
    yield "many constants", {"power": [{"sum": ["p", *roots]}, "5"]}, 64, "60"
    yield "constants below", {"sum": [{"quotient": ["p", {"sum": [root, "p"]}]} for root in roots]}, 64, "60"
    yield "many quotients", {"sum": [{"quotient": ["1", {"sum": ["p", str(i)]}]} for i in range(1, 80)]}, 64, "60"


def _nested(operation: str, depth: int, tree: Any) -> Any:
    for _ in range(depth):
        tree = {operation: tree}
    return tree


def _polynomial(degree: int) -> Any:
    return {"sum": ["1", *({"product": [str(i + 1), {"power": ["p", str(i)]}]} for i in range(1, degree))]}


def _root(coefficients: list[str]) -> Any:
    return {"root": coefficients, "between": ["1/2", "2000/2001"]}


def piece(to: Any, value: Any) -> Any:
    """Return a closed piece."""
    return {"to": to, "closed": True, "value": value}


def _cells(ends: list[str], method: str) -> list[Any]:
    order = "0" if method == "bernstein" else "4"
    return [{"to": end, "near": False, "method": method, "order": order} for end in ends]


def _whole(tree: Any, cells: int, method: str, **options: str) -> str:
    ends = [str(Fraction(i, cells)) for i in range(1, cells + 1)]
    return cover_file([piece("1", tree)], [_cells(ends, method)], **options)


def cover_file(pieces: Any, cells: Any, *, digits: str = "60", lower: str = "1", upper: str = "2") -> str:
    """Return the text of a certificate with a function of one side, and with the point 1/2."""
    return json.dumps(
        {
            "format": "2",
            "statement": "parity-bound",
            "problem": {"up": {"pieces": pieces}, "down": None},
            "claim": {"lower": lower, "upper": upper, "attained": None, "at": "1/2"},
            "proof": {
                "digits": digits,
                "exact": None,
                "up": cells,
                "down": None,
                "point": {
                    "side": "up",
                    "piece": "0",
                    "from": "1/2",
                    "to": "1/2",
                    "method": "bernstein",
                    "order": "0",
                },
            },
        }
    )
