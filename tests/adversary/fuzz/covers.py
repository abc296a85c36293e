"""Random criteria with false claims, and a greedy search for covers of them: whole files of parity-bound.

The search asks the checker of every cell, cuts what is not proved, and puts the file together: whatever the checker
believes of a cell, a point or an end of a piece, such a search finds it. One claim of
``degenerate_covers.EVERY`` is degenerate: known functions and bounds.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath as mp

from adversary.covers import Truth, truth

from . import degenerate_covers
from .criteria import BITS, random_function
from .degenerate_covers import EVERY, beside, undefined

MOST = mp.mpf(10) ** 6  # no claims about a greater B, nor about one below its inverse
CUTS = 25  # of a piece; a false claim is not made true by more cells


@dataclass(frozen=True)
class Claim:
    """What a file says: bounds and attainment; ``kind``: what is false about it."""

    lower: Fraction
    upper: Fraction
    attained: bool | None
    kind: str


def random_problem(rng: random.Random) -> Any:
    """Return a criterion of one to four pieces on one side or both; ends rational or roots, owned or not, points."""
    sides = rng.choice([["up"], ["up"], ["up"], ["down"], ["up", "down"]])
    return {side: _function(rng, side) if side in sides else None for side in ("up", "down")}


def _function(rng: random.Random, side: str) -> Any:
    islands = rng.random() < 0.3  # nothing is forbidden but at single points, at most one of them within a bracket
    count = rng.choice([2, 3]) if islands else rng.choice([1, 1, 2, 2, 3, 4])
    ends = sorted((_end(rng) for _ in range(count - 1)), key=lambda end: end[0])
    pieces: list[Any] = []
    for i, (_, text) in enumerate(ends):
        if i and text == ends[i - 1][1]:
            continue
        value = _nothing(side) if islands else _value(rng, side)
        pieces.append({"to": text, "closed": rng.random() < 0.5 and not islands, "value": value})
        if islands or rng.random() < 0.3:
            pieces[-1]["closed"] = False
            pieces.append({"to": text, "closed": True, "value": _value(rng, side)})
    pieces.append({"to": "1", "closed": True, "value": _nothing(side) if islands else _value(rng, side)})
    for before, after in pairwise(pieces):
        if isinstance(before["to"], str) and rng.random() < 0.2:
            piece = rng.choice((before, after))
            piece["value"] = _beside_end(rng, piece["value"], undefined(rng, Fraction(before["to"]), piece is after))
    return {"pieces": pieces}


def _beside_end(rng: random.Random, tree: Any, root: Any) -> Any:
    """Return a value with an operand that is not defined on the piece."""
    one, other = rng.sample(["minimum", "maximum"], 2)
    rest = str(Fraction(rng.randint(0, 10), 10))
    return rng.choice(
        [{one: [tree, root]}, {one: [{other: [root, tree]}, rest]}, {one: [rest, {other: [rest, root, tree]}]}]
    )


def _nothing(side: str) -> str:
    return "1" if side == "up" else "0"


def _end(rng: random.Random) -> tuple[float, Any]:
    if rng.random() < 0.5:
        x = Fraction(rng.randint(1, 19), 20)
        return float(x), str(x)
    q, n = Fraction(rng.randint(1, 9), 11), rng.choice([2, 3])
    with mp.workdps(60):
        root = mp.mpf(q.numerator) / q.denominator
        root = mp.root(root, n)
        width = rng.choice([8, 10**2, 10**6, 10**30])
        low = Fraction(int(mp.floor(root * width)), width)
    coefficients = [str(-q), *["0"] * (n - 1), "1"]
    return float(root), {"root": coefficients, "between": [str(low), str(low + Fraction(1, width))]}


def _value(rng: random.Random, side: str) -> Any:
    if rng.random() < 0.2:
        return str(Fraction(rng.randint(1, 9), 10))
    if rng.random() < 0.2:
        return _nothing(side)
    tree = random_function(rng, rng.choice([0, 0, 1]))
    return {"minimum": ["1", tree]} if rng.random() < 0.3 else tree


def claims(found: Truth, rng: random.Random) -> list[Claim]:
    """Return two false claims of different kinds, and sometimes a true one."""
    b = Fraction(int(mp.nint(found.value * 2**120)), 2**120)
    change = Fraction(rng.randint(1, 9), 10 ** rng.choice([1, 2, 2, 3, rng.randint(4, 12)]))
    below = max(b * (1 - change * rng.choice([2, 10, 10**4])), Fraction(0))
    attained = rng.choice([None, None, found.attained])
    listed = [
        Claim(b * (1 + change), b * (1 + 2 * change), attained, "lower too high"),
        Claim(b * (1 + change), b * (1 + change), attained, "both too high"),
        Claim(below, b * (1 - change), attained, "upper too low"),
    ]
    slack = Fraction(1, 10 ** rng.randint(1, 13))
    kind = f"attained is not {not found.attained}"
    listed.append(Claim(min(below, b * (1 - slack)), b * (1 + slack), not found.attained, kind))
    true = [Claim(b * (1 - change), b * (1 + change), None, "true")] if rng.random() < 0.3 else []
    return rng.sample(listed, 2) + true


def search(adapter: Any, problem: Any, claim: Claim, found: Truth, rng: random.Random) -> tuple[str, Any]:
    """Return ``"accepted"`` with the file, ``"cells"`` or ``"point"``: what could not be proved."""
    adapter.start(problem, claim)
    covers: dict[str, list[Any]] = {side: [] for side in ("up", "down") if problem[side] is not None}
    place = found.place
    at_truth = place if isinstance(place, Fraction) else Fraction(int(mp.nint(place * 10**30)), 10**30)
    for side, index, low, high in adapter.pieces():
        place = adapter.place(side, at_truth)
        ends = [low, *(x for x in (place,) if low < x < high and rng.random() < 0.5), high]
        pending, cells, cuts = list(pairwise(ends))[::-1], [], 0
        while pending:
            a, b = pending.pop()
            cell = adapter.cell(side, index, a, b)
            if cell is not None:
                cells.append(cell)
                continue
            cuts += 1
            if cuts > CUTS or b - a < Fraction(1, 2**100):
                return "cells", None
            middle = b / 8 if a == 0 else 1 - (1 - a) / 8 if b == 1 else (a + b) / 2
            pending += [(middle, b), (a, middle)]
        covers[side].append(cells)
    for side, index, _, _ in adapter.pieces():
        for point, at in adapter.points(side, index, adapter.place(side, at_truth)):
            document = adapter.document(covers, point, at)
            if adapter.accepts(json.dumps(document)):
                return "accepted", document
    return "point", None


def run(adapter: Any, rng: random.Random, count: int) -> tuple[Counter[str], list[Any]]:
    """Search for files with so many false claims, and for degenerate ones; return counts and false files accepted."""
    counts: Counter[str] = Counter()
    wrong: list[Any] = []
    asked, made, other = 0, 0, beside(rng)
    while sum(counts[key] for key in counts if not key.startswith(("true", "degenerate"))) < count and len(wrong) < 10:
        problem = random_problem(rng)
        with mp.workprec(BITS):
            found = truth(problem)
        if found is None or not MOST**-1 < found.value < MOST:
            counts["true: no oracle"] += 1
            continue
        for claim in claims(found, rng):
            try:
                answer, document = search(adapter, problem, claim, found, rng)
            except UnreadableError:
                counts["true: not read"] += 1
                break
            counts[f"{claim.kind}: {answer}"] += 1
            asked += 1
            if answer == "accepted":
                wrong += [document] if claim.kind != "true" else []
        while made < asked // (EVERY - 1):
            kind, answer, document = _degenerate(adapter, other)
            counts[f"degenerate, {kind}: {answer}"] += 1
            made += 1
            if answer == "accepted":
                wrong += [document] if kind != "true" else []
    return counts, wrong


def _degenerate(adapter: Any, rng: random.Random) -> tuple[str, str, Any]:
    """Search for a file with degenerate parts; return kind, answer, file."""
    problem, known = degenerate_covers.problem(rng)
    claim = Claim(*degenerate_covers.claim(rng, known))
    found = Truth(mp.inf if known.value is None else known.value, known.attained, known.side, known.index, known.place)
    return claim.kind, *search(adapter, problem, claim, found, rng)


class UnreadableError(Exception):
    """The checker does not read the problem."""
