"""Rules 2 and 3 over the region of a criterion: brackets of gamma without its B, covers that prove another.

Criteria whose B is known by hand: an odds ratio that is c everywhere (B = c), and no posterior above r2 from a prior
below r1 (B = r2 (1 - r1) / (r1 (1 - r2)), approached at r1). Over parity <= gamma the largest trace of k categories is
k gamma/(gamma + k - 1), the least n Var is pi (1 - pi) + gamma/(gamma - 1)^2: so the truth of a file is a comparison.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from .harness import Piece, document

F = Fraction
INEQUALITIES = ("gamma's bracket begins below 1, or does not hold", "Bernstein", "the bound")
DECIDING = dict.fromkeys(("linear-programme", "vertex"), INEQUALITIES)
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
    """Return the claim and the witness of rule 12."""
    at, attained = place
    point = {"side": "up", "piece": "0", "from": at, "to": at, "method": "bernstein", "order": "0"}
    witness = {"rule": "cover", "version": "2", "digits": "40", "exact": None, "up": cover, "down": None}
    claim = {"kind": "infimum", "lower": str(lower), "upper": str(upper), "attained": attained, "at": at}
    return {"claim": claim, "witness": {**witness, "point": point}}


def trace_file(k: int, function: Any, below: Fraction, above: Fraction, proof: Any) -> dict[str, Any]:
    """Return the file of the largest trace, by k-ary randomized response and its dual."""
    told, alpha = below / (below + k - 1), above / (above + k - 1)
    rest = (1 - told) / (k - 1)
    matrix = [[str(told if i == j else rest) for j in range(k)] for i in range(k)]
    dual = [[str(j), str(alpha)] for j in range(k)]
    dual += [[str(k + i * k + j), str(-alpha)] for i in range(k) for j in range(k) if i != j]
    dual += [[str(k + k * k + i * k + i), str(alpha - 1)] for i in range(k)]
    claim = {"kind": "design-bracket", "lower": str(k * told), "upper": str(k * alpha), "mechanism": {"matrix": matrix}}
    witness = {"rule": "linear-programme", "dual": dual}
    trace = {"kind": "trace", "weights": ["1"] * k}
    return whole_file(k, trace, [F(1, k)] * k, function, (below, above, proof), claim, witness)


def variance_file(pi: Fraction, function: Any, below: Fraction, above: Fraction, proof: Any) -> dict[str, Any]:
    """Return the file of the least n Var, by Warner's design."""
    p, q = below / (below + 1), above / (above + 1)
    mechanism = {"matrix": [[str(p), str(1 - p)], [str(1 - p), str(p)]]}
    lower, upper = (pi * (1 - pi) + gamma / (gamma - 1) ** 2 for gamma in (above, below))
    claim = {"kind": "optimal-design", "lower": str(lower), "upper": str(upper), "mechanism": mechanism}
    claim |= {"optima": [mechanism], "optimal_set": None}
    witness = {"rule": "vertex", "vertices": [{"tight": ["yes-ratio", "no-ratio"], "at_above": [str(q), str(q)]}]}
    return whole_file(2, {"kind": "variance"}, [1 - pi, pi], function, (below, above, proof), claim, witness)


def whole_file(
    k: int,
    objective: Any,
    shares: list[Fraction],
    function: Any,
    gamma: tuple[Fraction, Fraction, Any],
    claim: Any,
    witness: Any,
) -> dict[str, Any]:
    """Return a file over the region of a criterion."""
    region = {"kind": "criterion", "inputs": str(k), "outputs": str(k), "up": function, "down": None}
    problem = {"region": region, "objective": objective, "population": [str(x) for x in shares]}
    below, above, proof = gamma
    levels = {"gamma": {"below": str(below), "above": str(above), "infimum": proof}}
    return document(problem, claim, {**witness, **levels, "delta": {"below": "0", "above": "0"}})


def _share(rng: random.Random) -> Fraction:
    n = rng.randint(3, 30)
    return F(rng.randint(1, n - 1), n)


def _criterion(rng: random.Random) -> tuple[Fraction, Any, Any, Any]:
    if rng.random() < 0.5:
        return constant(1 + F(rng.randint(1, 60), rng.randint(1, 20)))
    low, high = sorted((_share(rng), _share(rng)))
    return step(low, high) if low < high else _criterion(rng)


def _pieces(
    make: Callable[..., dict[str, Any]], case: Callable[[random.Random], Any]
) -> Callable[..., Iterator[Piece]]:
    def pieces(rng: random.Random) -> Iterator[Piece]:
        while True:
            b, function, cover, place = _criterion(rng)
            gap = F(rng.randint(1, 99), rng.choice((100, 10**6, 10**30)))
            less, more = b - (b - 1) * gap / (1 + gap), b * (1 + gap)
            honest = infimum(b, b, cover, place)
            bounds = {
                "exact": (b, b, honest),
                "wide": (less, more, honest),
                "a bracket above": (more, more * 2, honest),
                "a bracket below": (1 + (less - 1) / 2, less, honest),
                "a cover of more": (more, more, infimum(more, more, cover, place)),
                "a cover of less": (less, less, infimum(less, less, cover, place)),
                "a claim of both": (more, more * 2, infimum(less, more * 2, cover, place)),
            }
            method = rng.choice(list(bounds))
            below, above, proof = bounds[method]
            if below > 1:
                yield Piece(make(case(rng), function, below, above, proof), method, below <= b <= above, "B by hand")

    return pieces


FUZZERS = {
    "linear-programme": _pieces(trace_file, lambda rng: rng.randint(2, 4)),
    "vertex": _pieces(variance_file, _share),
}
