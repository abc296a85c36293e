"""Pieces put to the checker, and the score: how many false ones reached a deciding inequality, and what was answered.

A piece is a whole file around the part that is tried. It counts as tried only if its rejection names one of the
inequalities of its rule (``DECIDING``): what a test of shape stops has tested nothing else.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from adversary.asking import ask


@dataclass(frozen=True)
class Piece:
    """A document, the method by which it was made, and whether it is true by which oracle."""

    document: dict[str, Any]
    method: str
    true: bool
    oracle: str

    @property
    def text(self) -> str:
        """The file."""
        return json.dumps(self.document)

    @property
    def rule(self) -> str:
        """The statement that judges it."""
        return str(self.document["statement"])


def statement(name: str, problem: Any, claim: Any, proof: Any) -> dict[str, Any]:
    """Return a certificate of a statement."""
    return {"format": "2", "statement": name, "problem": problem, "claim": claim, "proof": proof}


def run(pieces: Iterator[Piece], deciding: Iterable[str], count: int) -> Score:
    """Put pieces to the checker until so many false ones have met an inequality; gives up where most meet none."""
    score = Score(deciding)
    for put, piece in enumerate(pieces):
        score.put(piece)
        if score.tried.total() >= count or score.errors or put > 1000 + 4 * count:
            return score
    return score


@dataclass
class Score:
    """What became of the pieces; ``deciding`` are patterns of the reasons that are inequalities of the rules."""

    deciding: Iterable[str]
    tried: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # false, by rule, method and oracle
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)  # the same, by rule and inequality
    stopped: Counter[tuple[str, str]] = field(default_factory=Counter)  # false, rejected before any inequality
    accepted: Counter[tuple[str, str]] = field(default_factory=Counter)  # true, by rule and method
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._deciding = re.compile("|".join(self.deciding))

    def put(self, piece: Piece) -> str:
        """Put a piece to the checker; return the reason of its rejection."""
        text = piece.text
        verdict = ask(text).verdict
        rule, reason = piece.rule, verdict.reason
        if verdict.accepted != piece.true:
            what = "a false piece is accepted" if verdict else f"a true piece is rejected: {reason}"
            self.errors.append(f"{rule}, {piece.method}, by {piece.oracle}: {what}\n{text}")
        elif verdict:
            self.accepted[rule, piece.method] += 1
        elif self._deciding.search(reason):
            self.tried[rule, piece.method, piece.oracle] += 1
            self.reasons[rule, self._deciding.search(reason)[0]] += 1  # type: ignore[index]
        else:
            self.stopped[rule, reason] += 1
        return reason

    def add(self, other: Score) -> None:
        """Take over the figures of another score."""
        for name in ("tried", "reasons", "stopped", "accepted"):
            getattr(self, name).update(getattr(other, name))
        self.errors += other.errors

    def rules(self) -> Counter[str]:
        """Return the number of false pieces by rule."""
        return _by_first(self.tried)

    def table(self) -> str:
        """Return the figures: false pieces by rule, method and oracle; what stopped them; the share of true ones."""
        true = _by_first(self.accepted)
        lines = [
            f"{self.tried.total()} false pieces rejected by an inequality, {self.stopped.total()} before, "
            f"{self.accepted.total()} true ones accepted, {len(self.errors)} errors"
        ]
        for rule, count in sorted(self.rules().items()):
            share = true[rule] / (true[rule] + count)
            lines.append(f"{rule}: {count} false, {true[rule]} true ({share:.0%})")
            lines += [f"  {n:8} {key[1]} ({key[2]})" for key, n in sorted(self.tried.items()) if key[0] == rule]
            lines += [f"  {n:8} stopped by: {key[1]}" for key, n in sorted(self.reasons.items()) if key[0] == rule]
        return "\n".join(lines)


def _by_first(counts: Counter[Any]) -> Counter[str]:
    total: Counter[str] = Counter()
    for key, count in counts.items():
        total[key[0]] += count
    return total
