"""The way of a formula: false claims on weighted traces, refuted by matrices and every number of categories.

The trace and the privacy of a mechanism are read off its matrix. The optimum is the formula of the page, tried for
every m on the list of all weights, sorted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

from adversary.blocks import listed_weights, written_out

from .harness import Piece
from .levels import bracket_of, random_delta, random_level

F = Fraction
ORACLE = "matrices written out"


def optimum(weights: list[Fraction], g: Fraction, d: Fraction) -> Fraction:
    """Return the largest trace, by every number of categories."""
    found, total = F(0), F(0)
    for m, w in enumerate(sorted(weights, reverse=True), start=1):
        total += w
        found = max(found, g * total / (g + m - 1))
    return d * sum(weights, F(0)) + (1 - d) * found


def value(made: Any, weights: list[Fraction]) -> Fraction:
    """Return the trace of the matrix."""
    return sum((w * row[i] for i, (w, row) in enumerate(zip(weights, written_out(made), strict=True))), F(0))


def excess(made: Any, g: Fraction) -> Fraction:
    """Return the least delta at gamma, over all pairs of columns."""
    columns = list(zip(*written_out(made), strict=True))
    return max(sum((max(p - g * q, F(0)) for p, q in zip(a, b, strict=True)), F(0)) for a in columns for b in columns)


def file(level: Any, slack: Any, ends: Any, runs: Any, made: Any, bounds: Any, loss: bool = False) -> dict[str, Any]:
    """Return the certificate; of the 0/1 loss the bounds are taken from the sum of the weights."""
    k = str(sum(int(n) for n, _ in runs))
    objective: Any = {"kind": "trace", "weights": {"runs": runs}}
    if loss:
        objective = {"kind": "loss", "matrix": "zero-one"}
        total = sum((int(n) * F(w) for n, w in runs), F(0))
        bounds = total - bounds[1], total - bounds[0]
    levels = [{"epsilon": level, "delta": slack, "pairs": "all"}]
    problem = {"inputs": k, "outputs": k, "levels": levels, "bounds": None, "objective": objective}
    problem["population"] = {"runs": runs} if loss else None
    claim = {"lower": str(bounds[0]), "upper": str(bounds[1]), "mechanism": made}
    gamma, delta = ({"below": str(a), "above": str(b)} for a, b in ends)
    proof = {"way": "formula", "brackets": [{"gamma": gamma, "delta": delta}]}
    return {"format": "2", "statement": "design-bracket", "problem": problem, "claim": claim, "proof": proof}


def chosen_runs(rng: random.Random, weights: list[Fraction], g: Fraction) -> list[list[str]]:
    """Return runs of chosen categories: the best ones, or any."""
    k = len(weights)
    order = sorted(range(k), key=lambda i: -weights[i])
    sizes = [g * sum(weights[i] for i in order[:m]) / (g + m - 1) for m in range(1, k + 1)]
    m = sizes.index(max(sizes)) + 1 if rng.random() < 0.7 else rng.randint(1, k)
    flags = [int(i in order[:m]) for i in range(k)]
    runs: list[list[str]] = []
    for flag in flags:
        if runs and runs[-1][1] == str(flag) and rng.random() < 0.8:  # runs of one kind may stand side by side
            runs[-1][0] = str(int(runs[-1][0]) + 1)
        else:
            runs.append(["1", str(flag)])
    return runs


def traces(rng: random.Random) -> Iterator[Piece]:
    """Yield files about random levels, weights and mechanisms."""
    while True:
        level, slack = random_level(rng), random_delta(rng)
        step = F(1, 10 ** rng.choice((4, 12, 30)))
        gammas, deltas = (
            (one.exact,) * 2 if one.exact is not None else (one.near(-step), one.near(step)) for one in (level, slack)
        )
        if gammas[0] < 1 or gammas[1] > 90 or deltas[1] > 1 or (slack.exact is None and not deltas[0]):
            continue
        ends, (g, d) = (gammas, deltas), (F(gammas[0]), F(deltas[0]))
        runs = [
            [str(rng.randint(1, 3)), str(F(rng.choice((0, 1, 1, 2, rng.randint(0, 9))), rng.choice((1, 1, 3))))]
            for _ in range(rng.randint(1, 4))
        ]
        weights = [F(w) for n, w in runs for _ in range(int(n))]
        if not 2 <= len(weights) <= 6:
            continue
        own_g, own_d = (g, d) if rng.random() < 0.7 else (1 + (g - 1) / 2, d * F(rng.randint(0, 9), 10))
        level_of = {"gamma": str(own_g), "delta": str(own_d)}
        made: Any = {"restricted-response": {"runs": chosen_runs(rng, weights, g), **level_of}}
        if rng.random() < 0.4 and own_d < 1:
            k = len(weights)
            odds = own_g + own_d * (own_g + k - 1) / (1 - own_d)
            made = {"blocks": {"family": "direct", "categories": str(k), "gamma": str(odds)}}
        yield from _pieces(rng, (level, slack), ends, runs, made)


def _pieces(rng: random.Random, levels: Any, ends: Any, runs: Any, made: Any) -> Iterator[Piece]:
    level, slack = levels
    weights, loss = listed_weights({"weights": {"runs": runs}}), rng.random() < 0.4 and any(F(w) for _, w in runs)
    if loss:  # weights become shares
        total = sum(weights)
        runs, weights = [[n, str(F(w) / total)] for n, w in runs], [w / total for w in weights]
    ours, best = value(made, weights), optimum(weights, ends[0][1], ends[1][1])
    texts = level.text, slack.text

    def piece(method: str, true: bool, oracle: str = ORACLE, **changed: Any) -> Piece:
        parts = {"ends": ends, "runs": runs, "made": made, "bounds": (ours, best), **changed}
        return Piece(
            file(*texts, parts["ends"], parts["runs"], parts["made"], parts["bounds"], loss), method, true, oracle
        )

    yield piece("what is proved", True)
    yield piece("wider", True, bounds=(ours - F(1, 10), best + F(1, 10)))
    small = F(1, 10 ** rng.choice((1, 6, 20)))
    yield piece("above the trace", False, bounds=(ours + small, best + 10))
    yield piece("below the optimum", False, bounds=(0, best - small))
    low = ends[0][0], ends[1][0]
    over = deepcopy(made)
    (form,) = over.values()
    form["gamma"] = str(F(form["gamma"]) + small)
    if excess(over, low[0]) > low[1]:
        yield piece("a larger gamma", False, made=over, bounds=(0, best + 10))
    form["gamma"] = rng.choice(("1/2", "0", "-3"))
    yield piece("gamma below 1", False, made=over, bounds=(0, best + 10), oracle="its form")
    if "restricted-response" in made:
        yield from _other_responses(made["restricted-response"], piece, best, low[1])
    at = rng.randrange(len(runs))
    if loss:
        more = [*runs[:at], [runs[at][0], str(F(runs[at][1]) + small)], *runs[at + 1 :]]
        yield piece("shares above 1", False, runs=more, bounds=(-100, 100), oracle="their sum")
    fewer = [*runs[:at], [runs[at][0], "-1"], *runs[at + 1 :]]
    yield piece("a weight below 0", False, runs=fewer, bounds=(-100, 100), oracle="its sign")
    entire = piece("", True).document
    for where in ("inputs", "outputs"):
        other = deepcopy(entire)
        other["problem"][where] = str(len(weights) + 1)
        yield Piece(other, "other categories", False, "counting")
    longer = deepcopy(entire)
    written = longer["problem"]["population"] if loss else longer["problem"]["objective"]["weights"]
    written["runs"][at][0] = str(int(runs[at][0]) + 1)
    yield Piece(longer, "a category more in a run", False, "counting")
    method, a, b = bracket_of(level, rng)
    if method not in ("honest", "one point") and level.kind != "zero":
        yield piece(f"gamma {method}", False, ends=((a, b), ends[1]), bounds=(-100, 10**6), oracle=level.oracle)


def _other_responses(own: Any, piece: Any, best: Fraction, slack: Fraction) -> Iterator[Piece]:
    """Yield invalid restricted responses, or not private."""

    def response(**changed: Any) -> Any:
        return {"restricted-response": {**own, **changed}}

    bounds = (0, best + 10)
    more = str(slack + F(1, 10**6))
    beyond = response(delta=more)
    yield piece("a larger delta", False, made=beyond, bounds=bounds, oracle="fractions")
    yield piece("a delta below 0", False, made=response(delta="-1/7"), bounds=bounds, oracle="its form")
    none = response(runs=[[n, "0"] for n, _ in own["runs"]])
    yield piece("no category chosen", False, made=none, bounds=bounds, oracle="its form")
    half = response(runs=[*own["runs"][:-1], [own["runs"][-1][0], "1/2"]])
    yield piece("a category half chosen", False, made=half, bounds=bounds, oracle="its form")
    longer = response(runs=[*own["runs"], ["1", "0"]])
    yield piece("a category more in a run", False, made=longer, bounds=bounds, oracle="counting")
