"""Hostile certificates of identities and of positivity: small trees whose expansion is large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from adversary.built import statement

_NAMES = [f"p{i}" for i in range(40)]
_LONG = [f"1/1{'0' * 19_990}{2 * i + 1:05d}" for i in range(700)]  # 20 000 digits below, most pairs coprime


def expansions() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return certificates that are costly to expand; some are true, and then need not be rejected."""
    for count in (30, 200, 700):
        yield f"a sum of {count} long fractions", _identity({"sum": _LONG[:count]})
        terms = [{"product": [number, "p0"]} for number in _LONG[:count]]
        yield f"a sum of {count} terms with long coefficients", _identity({"sum": terms})
        powers = [{"product": [number, {"power": ["p0", str(i)]}]} for i, number in enumerate(_LONG[:count])]
        yield f"a square of {count} long coefficients", _identity({"power": [{"sum": powers}, "2"]})
        yield (
            f"{count} long fractions inverted",
            _identity({"sum": [{"quotient": ["1", number]} for number in _LONG[:count]]}),
        )
    for terms in (100, 400, 480):
        yield f"{terms} by {terms} terms", _identity({"product": [_cubic(terms, 0), _cubic(terms, 1000)]})
    for names, power in ((4, 14), (2, 1024), (40, 3), (1, 1024)):
        yield f"{names} names to the {power}", _identity({"power": [{"sum": [*_NAMES[:names], "1"]}, str(power)]})
    yield "powers of powers", _identity({"power": [{"power": [{"power": ["2", "1024"]}, "1024"]}, "1024"]})
    yield "many nodes", _identity({"sum": ["p0"] * 60_000})
    yield "many quotients", _identity({"sum": [{"quotient": ["1", {"sum": ["p0", str(i)]}]} for i in range(1, 80)]})
    yield "high powers of hypotheses", _handelman([(39 - i, 1024, "1") for i in range(40)])
    yield "all powers of a hypothesis", _handelman([(39, i, "1") for i in range(1, 700)])
    yield "long coefficients", _handelman([(0, i, number) for i, number in enumerate(_LONG, start=1)])


def _cubic(terms: int, start: int) -> Any:
    n = len(_NAMES)
    pairs = ((_NAMES[i % n], _NAMES[i // n % n]) for i in range(start, start + terms))
    return {"sum": [{"product": [a, {"power": [b, "2"]}]} for a, b in pairs]}


def _identity(left: Any) -> dict[str, Any]:
    return _file([], left, "=", {"way": "identity", "cofactors": []})


def _handelman(terms: list[tuple[int, int, str]]) -> dict[str, Any]:
    hypotheses = [{"polynomial": name, "relation": ">="} for name in _NAMES]
    listed = [{"coefficient": c, "powers": [[str(i), str(e)]]} for i, e, c in terms]
    return _file(hypotheses, "1", ">=", {"way": "handelman", "terms": listed})


def _file(hypotheses: Any, left: Any, relation: str, proof: Any) -> dict[str, Any]:
    problem = {"parameters": _NAMES, "hypotheses": hypotheses, "left": left, "right": "0"}
    return statement("polynomial", problem, {"relation": relation}, {**proof, "point": None})
