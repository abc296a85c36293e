"""Changed files of parity-bound: cells split, other methods, orders and claims, equal forms of a function.

No oracle knows whether what comes out is true: they are for two checkers to agree on. One of ``degenerates.EVERY`` is
degenerate: bounds crossed or negated, lists of zeros or of one entry (``adversary/degenerate.py``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import count, pairwise
from typing import Any

from adversary.degenerate import forged

from .degenerates import EVERY, beside

F = Fraction
WAYS = [("bernstein", "0"), *((method, str(order)) for method in ("low", "high", "middle") for order in (1, 2, 3, 4))]
NEARLY = (F(1), F(1, 2), F(9, 10), F(11, 10), F(10**12 - 1, 10**12), F(10**12 + 1, 10**12))
LEAVES = ("p", "p", "p", "1/2", "1/4", "1", "2", "0")
LISTS = ("sum", "product", "minimum", "maximum", "quotient")


def tree(rng: random.Random, depth: int) -> Any:
    """Return a random expression."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(LEAVES)
    operation = rng.choice((*LISTS, "power", "sqrt", "exp", "log", "negative"))
    if operation in LISTS:
        return {operation: [tree(rng, depth - 1) for _ in range(2)]}
    if operation == "power":
        return {operation: [tree(rng, depth - 1), rng.choice(("0", "1", "2", "1/2", "1/3", "3/2"))]}
    return {operation: tree(rng, depth - 1)}


def _another_form(v: Any, z: Any, rng: random.Random) -> Any:
    """Return what is v, or often v, in another form."""
    forms = (
        {"minimum": [v, z]},
        {"maximum": [v, z]},
        {"maximum": [{"minimum": [v, z]}, v]},
        {"minimum": [v, {"maximum": [v, z]}]},
        {"sum": [{"sum": [v, z]}, {"negative": z}]},
        {"product": [v, {"quotient": [z, z]}]},
        {"quotient": ["1", {"quotient": ["1", v]}]},
        {"power": [{"power": [v, "1/2"]}, "2"]},
        {"sqrt": {"power": [v, "2"]}},
        {"exp": {"log": v}},
        {"log": {"exp": v}},
    )
    return rng.choice(forms)


def _change_cells(cells: list[Any], start: Fraction, rng: random.Random) -> None:
    at = rng.randrange(len(cells))
    low, high = list(pairwise([start, *(F(cell["to"]) for cell in cells)]))[at]
    what = rng.randrange(5)
    if what == 0 and low < high:
        cells.insert(at, {**cells[at], "to": str(low + (high - low) * F(rng.randrange(1, 8), 8))})
    if what == 1 and len(cells) > 1:
        cells.pop(rng.randrange(len(cells) - 1))
    elif what == 2:
        cells[at]["near"] = not cells[at]["near"]
    else:
        cells[at]["method"], cells[at]["order"] = rng.choice(WAYS)


def _change_point(point: Any, claim: Any, rng: random.Random) -> None:
    what = rng.randrange(4)
    if what == 0:
        point["method"], point["order"] = rng.choice(WAYS)
    elif what == 1:
        point["piece"] = str(rng.randrange(3))
    else:
        end = rng.choice(("from", "to"))
        moved = F(point[end]) + rng.choice((1, -1)) * rng.choice((F(1, 1024), F(1, 20), F(1)))
        point[end] = str(min(max(moved, F(0)), F(1)))
    low, high = point["from"], point["to"]
    around = {"from": low, "to": high}
    claim["at"] = low if low == high else "0+" if low == "0" else "1-" if high == "1" else around


def _changed(document: Any, rng: random.Random) -> Any:
    problem, claim, proof = (document[part] for part in ("problem", "claim", "proof"))
    side = rng.choice([side for side in ("up", "down") if proof[side]])
    piece = rng.randrange(len(proof[side]))
    before = proof[side][piece - 1] if piece else []
    what = rng.randrange(6)
    if what <= 1 and proof[side][piece]:
        start = F(before[-1]["to"]) if before else F(0)
        _change_cells(proof[side][piece], start, rng)
    elif what == 2 and claim["lower"] != "infinite":
        end = rng.choice(("lower", "upper"))
        claim[end] = str(F(claim[end]) * rng.choice(NEARLY))
    elif what == 3:
        claim["attained"] = rng.choice((True, False, None))
    elif what == 4 and proof["point"]:
        _change_point(proof["point"], claim, rng)
    else:
        part = rng.choice(problem[side]["pieces"])
        part["value"] = _another_form(part["value"], tree(rng, 2), rng)
    return document


def changed(documents: list[Any], rng: random.Random) -> Iterator[Any]:
    """Iterate over files, each with one to three changes, and degenerate ones between them."""
    other = beside(rng)
    for number in count(1):
        document = deepcopy(rng.choice(documents))
        for _ in range(rng.choice((1, 1, 2, 3))):
            document = _changed(document, rng)
        yield document
        if number % (EVERY - 1) == 0:
            yield _degenerate(documents, other)


def _degenerate(documents: list[Any], rng: random.Random) -> Any:
    while True:
        made = forged(rng, rng.choice(documents), sizes=False)
        if made is not None:
            return made[1]
