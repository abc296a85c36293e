"""Degenerate pieces among those of every fuzzer: one in ``EVERY``, forged from a true piece that it has drawn.

A fuzzer plants what its rule is about; it rarely draws a singular matrix with the right digits of rounding, crossed
bounds or a row of zeros. ``adversary/degenerate.py`` makes these, ``adversary/values.py`` knows which are false.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from adversary.degenerate import forged
from adversary.values import falsehood

from .harness import Piece

EVERY = 8  # one piece of so many is degenerate, on the average of a long run
METHOD, ORACLE = "degenerate", "the definition, of a degenerate part"
_TRIES = 6  # until a forgery is known to be false
_UNREADABLE = (
    ValueError,
    KeyError,
    IndexError,
    ZeroDivisionError,
    TypeError,
    AssertionError,
    StopIteration,
    OverflowError,
)


def with_degenerates(pieces: Iterator[Piece], seed: str) -> Iterator[Piece]:
    """Iterate over pieces, and over degenerate ones between them from the first true piece on."""
    rng, honest, owed = random.Random(f"degenerate {seed}"), [], 0.0
    for piece in pieces:
        yield piece
        if piece.true:
            honest = [*honest[-20:], piece]
        owed += bool(honest) / (EVERY - 1)
        if owed >= 1:
            made = degenerate(rng, rng.choice(honest))
            if made is not None:
                yield made
                owed -= 1


def beside(rng: random.Random) -> random.Random:
    """Return a generator that follows from another one and takes nothing from it: what that draws stays the same."""
    return random.Random(f"degenerate {rng.getstate()[1][:8]}")


def degenerate(rng: random.Random, piece: Piece) -> Piece | None:
    """Return a degenerate piece that is surely false."""
    claim = piece.document["claim"]
    known = None
    if "lower" in claim and "infinite" not in (claim["lower"], claim["upper"]):
        known = Fraction(claim["lower"]), Fraction(claim["upper"])
    for _ in range(_TRIES):
        made = forged(rng, piece.document, sizes=False)
        if made is None:
            continue
        what, document, same = made
        try:
            if falsehood(document, known if same else None):
                return Piece(document, f"{METHOD}, {what}", False, ORACLE)
        except _UNREADABLE:
            continue
    return None
