"""Every fuzzer but those of ``parity-bound``: what is drawn, which reasons are inequalities, how many at full size."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

from . import (
    block_pieces,
    compositions,
    concentrated,
    criterion_designs,
    estimates,
    orders,
    polynomials,
    programmes,
    shuffled,
    splits,
)
from .degenerates import with_degenerates
from .harness import Piece, Score, run


class Fuzzer(NamedTuple):
    """A source of pieces, the inequalities that must stop the false ones, and how many of these at full size."""

    name: str
    source: Callable[[random.Random], Iterator[Piece]]
    deciding: tuple[str, ...]
    full: int

    def pieces(self, rng: random.Random) -> Iterator[Piece]:
        """Iterate over the pieces of the source, and degenerate ones between them, one of ``degenerates.EVERY``."""
        return with_degenerates(self.source(rng), self.name)

    def run(self, count: int, seed: int) -> Score:
        """Return what became of so many false pieces."""
        return run(self.pieces(random.Random(f"{self.name} {seed}")), self.deciding, count)


_FULL = {  # by the time that one takes
    orders: {"garbling": 70, "decision": 130, "parity": 120, "profile": 50, "admissible": 80, "dominated": 40},
    programmes: {"optimal-value": 180, "infeasible": 120},
    criterion_designs: {"design-bracket": 20},
    estimates: {"likelihood-gap": 20},
    splits: {"budget-split": 20},
    block_pieces: {"blocks": 20},
    compositions: {"composition": 50},
    shuffled: {"shuffled": 40},
    concentrated: {"divergence-level": 40},
    polynomials: {"identity": 50, "handelman": 30, "bernstein": 20},
}
FUZZERS = [
    Fuzzer(
        f"{module.__name__.rpartition('.')[2]}: {name}",
        module.FUZZERS[name],
        module.DECIDING["parity" if name == "profile" else name],
        thousands * 1000,
    )
    for module, listed in _FULL.items()
    for name, thousands in listed.items()
]
CHUNK = 10_000  # of one test at full size
