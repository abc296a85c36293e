"""The fuzzers of rule 12 against its first version, which they must refute: a test of the fuzzers, run by hand.

From ``tests/checker``, with a checkout of the tag ``before-plain-cover`` in OLD:

    git worktree add OLD before-plain-cover
    PYTHONPATH=OLD python -m fuzz.version_1 cells 75      # or: files 45 (seconds)

It prints how many false statements were accepted, by method, and the first of each.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from rropt.checker import check_text
from rropt.checker.cover_jets import Box
from rropt.checker.cover_pieces import pieces
from rropt.checker.cover_points import require_point
from rropt.checker.cover_proofs import Prover
from rropt.checker.cover_rule import check_cell
from rropt.checker.documents import Rejected

from . import cells, covers
from .covers import Claim, UnreadableError

BITS = 128
METHODS = ("bernstein", "value", "chord", "rising", "falling", "constant")


def judge(statement: cells.Statement) -> str:
    """Return the method by which a statement is accepted, or nothing."""
    prover = Prover(BITS)
    side, low, high = "down" if statement.mirrored else "up", statement.low, statement.high
    if statement.mirrored:
        low, high = 1 - high, 1 - low
    if statement.method == "limit":
        function = {"pieces": [{"to": "1", "closed": True, "value": statement.tree}]}
        sides = {side: [(pieces(function, prover.forms)[0], [Box(low, high)])]}
        point = {"side": side, "piece": "0", "at": "0+" if low == 0 else "1-"}
        return "limit" if _holds(lambda: require_point(prover, sides, point, statement.bound)) else ""
    if statement.method == "most":
        return ""
    for method in METHODS:
        prover.restart()
        if _holds(partial(prover.prove, side, statement.tree, Box(low, high), method, statement.bound)):
            return method
    return ""


def _holds(ask: Any) -> bool:
    try:
        ask()
    except Rejected:
        return False
    return True


class Version1:
    """The parts of a file, as the first version of the rule reads them."""

    def start(self, problem: Any, claim: Claim) -> None:
        """Read a problem."""
        self.problem, self.claim = problem, claim
        self.prover = Prover(BITS)
        try:
            self.sides = {s: pieces(problem[s], self.prover.forms) for s in ("up", "down") if problem[s] is not None}
        except Rejected as rejection:
            raise UnreadableError(str(rejection)) from None
        self.boxes: dict[tuple[str, int], list[Box]] = {}

    def pieces(self) -> list[tuple[str, int, Fraction, Fraction]]:
        """Return side, number and ends of each piece that has cells."""
        return [
            (side, i, p.start.low, p.end.high)
            for side, listed in self.sides.items()
            for i, p in enumerate(listed)
            if not p.is_end
        ]

    def place(self, side: str, place: Fraction) -> Fraction:
        """Return the place itself: the side down is written in its own argument."""
        return place

    def cell(self, side: str, index: int, low: Fraction, high: Fraction) -> Any:
        """Return a cell that is accepted."""
        claim, piece = self.claim, self.sides[side][index]
        bounds = claim.lower, claim.upper
        for near in (False, True):
            for method in METHODS:
                self.prover.restart()
                box = Box(low, high)
                ask = partial(check_cell, self.prover, side, piece, box, method, near=near, bounds=bounds)
                if _holds(partial(ask, attained=claim.attained)):
                    self.boxes.setdefault((side, index), []).append(box)
                    return {"to": str(high), "method": method, "near": near}
        return None

    def points(self, side: str, index: int, place: Fraction) -> Iterator[tuple[Any, Any]]:
        """Iterate over accepted points."""
        piece = self.sides[side][index]
        ends = [e for e in (piece.start, piece.end) if not e.is_rational]
        places: list[Any] = [str(place), *(str(x) for e in ends for x in (e.low, e.high)), "0+", "1-"]
        places += [{"from": str(e.low), "to": str(e.high)} for e in ends]
        sides = {s: [(p, self.boxes.get((s, i), [])) for i, p in enumerate(ps)] for s, ps in self.sides.items()}
        for at in places:
            point = {"side": side, "piece": str(index), "at": at}
            self.prover.restart()
            try:
                found = require_point(self.prover, sides, point, self.claim.upper)
            except (Rejected, IndexError):
                continue
            yield point, found.claimed()

    def document(self, found: dict[str, list[Any]], point: Any, at: Any) -> Any:
        """Return the file."""
        for side, listed in self.sides.items():
            cells_of = iter(found[side])
            found[side] = (
                [[] if p.is_end else next(cells_of) for p in listed] if len(found[side]) < len(listed) else found[side]
            )
        claim = {"lower": str(self.claim.lower), "upper": str(self.claim.upper), "attained": self.claim.attained}
        witness = {"rule": "cover", "bits": str(BITS), "up": found.get("up"), "down": found.get("down"), "point": point}
        claim = {"kind": "infimum", **claim, "at": at}
        return {"format": "rropt-certificate/1", "problem": self.problem, "claim": claim, "witness": witness}

    def accepts(self, text: str) -> bool:
        """Judge it."""
        return bool(check_text(text))


def main(what: str, seconds: float) -> None:
    """Run one of the two fuzzers for so long, and print what was accepted although it is false."""
    rng, end = random.Random(1), time.monotonic() + seconds
    accepted: Counter[str] = Counter()
    first: dict[str, Any] = {}
    tried = 0
    if what == "cells":
        for statement in cells.statements(rng):
            if time.monotonic() > end:
                break
            tried += not statement.is_true
            method = "" if statement.is_true else judge(statement)
            if method:
                accepted[method] += 1
                first.setdefault(method, statement)
    while what == "files" and time.monotonic() < end:
        counts, wrong = covers.run(Version1(), rng, 5)
        tried += sum(n for kind, n in counts.items() if not kind.startswith("true"))
        for kind, n in counts.items():
            if kind.endswith("accepted") and not kind.startswith("true"):
                accepted[kind] += n
        for document in wrong:
            first.setdefault(json.dumps(document["problem"])[:60], json.dumps(document))
    print(f"{tried} false statements, accepted: {dict(accepted)}")
    for key, example in first.items():
        print(key, example, sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
