"""Designs over the region of a criterion: brackets of gamma without its B, covers that prove another.

Criteria whose B is known by hand: an odds ratio that is c everywhere (B = c), and no posterior above r2 from a prior
below r1 (B = r2 (1 - r1) / (r1 (1 - r2)), approached at r1). Over parity <= gamma the largest trace of k categories is
k gamma/(gamma + k - 1): so the truth of a file is a comparison.
A proof may be honest and of another criterion: then the truth is a comparison with the B of the one in the problem.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .harness import Piece, statement

F = Fraction
INEQUALITIES = ("gamma's bracket begins below 1, or does not hold", "Bernstein", "the bound")
DECIDING = {"design-bracket": INEQUALITIES}
CELL = {"to": "1", "near": False, "method": "bernstein", "order": "0"}


def step(low: Fraction, high: Fraction) -> tuple[Fraction, Any, Any, Any]:
    """Return B, the function, the cover and the point of no posterior above ``high`` from a prior below ``low``."""
    pieces = [
        {"to": str(low), "closed": False, "value": str(high)},
        {"to": "1", "closed": True, "value": "1"},
    ]
    cover = [[{**CELL, "to": str(low)}], [CELL]]
    return high * (1 - low) / (low * (1 - high)), {"pieces": pieces}, cover, (str(low), False)


def constant(c: Fraction) -> tuple[Fraction, Any, Any, Any]:
    """Return the same of the odds ratio c."""
    above = {"product": [str(c), "p"]}
    value = {"quotient": [above, {"sum": ["1", {"product": [str(c - 1), "p"]}]}]}
    return c, {"pieces": [{"to": "1", "closed": True, "value": value}]}, [[CELL]], ("1/2", True)


def infimum(lower: Fraction, upper: Fraction, cover: Any, place: tuple[str, bool]) -> Any:
    """Return the claim and the proof of B."""
    at, attained = place
    point = {"side": "up", "piece": "0", "from": at, "to": at, "method": "bernstein", "order": "0"}
    proof = {"digits": "40", "exact": None, "up": cover, "down": None, "point": point}
    claim = {"lower": str(lower), "upper": str(upper), "attained": attained, "at": at}
    return {"claim": claim, "proof": proof}


def trace_file(k: int, function: Any, below: Fraction, above: Fraction, proof: Any) -> dict[str, Any]:
    """Return the file of the largest trace, by k-ary randomized response and its dual."""
    told, alpha = below / (below + k - 1), above / (above + k - 1)
    rest = (1 - told) / (k - 1)
    matrix = [[str(told if i == j else rest) for j in range(k)] for i in range(k)]
    claim = {"lower": str(k * told), "upper": str(k * alpha), "mechanism": {"matrix": matrix}}
    level = {"epsilon": {"up": function, "down": None}, "delta": "0", "pairs": "all"}
    gamma = {"below": str(below), "above": str(above), "infimum": proof}
    pairs = [[str(i), "0", str(i), str(j), str(1 / (above + k - 1))] for i in range(k) for j in range(k) if i != j]
    made = {"way": "linear", "brackets": [{"gamma": gamma, "delta": {"below": "0", "above": "0"}}]}
    made |= {"alpha": [str(alpha)] * k, "slopes": [], "multipliers": pairs}
    problem = {"inputs": str(k), "outputs": str(k), "levels": [level], "bounds": None, "population": None}
    return statement("design-bracket", {**problem, "objective": {"kind": "trace", "weights": ["1"] * k}}, claim, made)


def _share(rng: random.Random) -> Fraction:
    n = rng.randint(3, 30)
    return F(rng.randint(1, n - 1), n)


def _criterion(rng: random.Random) -> tuple[Fraction, Any, Any, Any]:
    if rng.random() < 0.5:
        return constant(1 + F(rng.randint(1, 60), rng.randint(1, 20)))
    low, high = sorted((_share(rng), _share(rng)))
    return step(low, high) if low < high else _criterion(rng)


def _another(function: Any, b: Fraction, rng: random.Random) -> tuple[Fraction, Any]:
    """Return another criterion of the same pieces, and its B: below or above by 10^-1 to 10^-30."""
    change = 1 + F(rng.choice((-1, 1)), 10 ** rng.choice((1, 3, 9, 30)))
    if len(function["pieces"]) == 1:
        c, made, _, _ = constant(b * change)
        return c, made
    low, high = (F(function["pieces"][0][key]) for key in ("to", "value"))
    c, made, _, _ = step(low, min(high * change, (1 + high) / 2))
    return c, made


def _turned(file: dict[str, Any]) -> dict[str, Any]:
    """Return a file with the function, its cover and the point on the side down."""
    proof = file["proof"]["brackets"][0]["gamma"]["infimum"]["proof"]
    for sides in (file["problem"]["levels"][0]["epsilon"], proof):
        sides["up"], sides["down"] = sides["down"], sides["up"]
    proof["point"]["side"] = "down"
    return file


def _pieces(
    make: Callable[..., dict[str, Any]], case: Callable[[random.Random], Any]
) -> Callable[..., Iterator[Piece]]:
    def pieces(rng: random.Random) -> Iterator[Piece]:
        while True:
            b, function, cover, place = _criterion(rng)
            gap = F(rng.randint(1, 99), rng.choice((100, 10**6, 10**30)))
            less, more = b - (b - 1) * gap / (1 + gap), b * (1 + gap)
            honest = infimum(b, b, cover, place)
            other, another = _another(function, b, rng)
            bounds = {
                "exact": (b, b, honest),
                "wide": (less, more, honest),
                "a bracket above": (more, more * 2, honest),
                "a bracket below": (1 + (less - 1) / 2, less, honest),
                "a cover of more": (more, more, infimum(more, more, cover, place)),
                "a cover of less": (less, less, infimum(less, less, cover, place)),
                "a claim of both": (more, more * 2, infimum(less, more * 2, cover, place)),
            }
            method = rng.choice([*bounds, "another criterion", "the other side"])
            below, above, proof = bounds.get(method, (b, b, honest))
            if method == "another criterion" and other != b:
                yield Piece(make(case(rng), another, below, above, proof), method, False, "B by hand")
            elif method == "the other side" and len(function["pieces"]) == 1:  # there its B is 1/b
                yield Piece(_turned(make(case(rng), function, below, above, proof)), method, b == 1, "B by hand")
            elif method in bounds and below > 1:
                yield Piece(make(case(rng), function, below, above, proof), method, below <= b <= above, "B by hand")

    return pieces


FUZZERS = {
    "design-bracket": _pieces(trace_file, lambda rng: rng.randint(2, 4)),
}
