"""Randomizing devices (a coin, a die, two dice, numbered cards) and sentences from a language file.

Devices of instruction sheets (``sheet_devices``) choose their randomizers here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import as_text

RANDOMIZERS = ("auto", "coin", "die", "dice", "cards", "birthday")
MOST_CARDS = 100  # of a deck that is counted out by hand
_SIDES = {"coin": 2, "die": 6, "dice": 36}
PLAYED_INSTEAD = (
    "`rropt design binary --for cards`, or `rropt design kary --for cards`, finds the best design that cards play; "
    "`form=web` draws in the browser"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its key in a language file, and its values. A value may be a sentence or a list of sentences."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RandomizerStep:
    """One use of a randomizer whose outcomes 1 to ``total`` are equally likely.

    Attributes:
        kind: ``coin``, ``die``, ``dice`` (one red and one white die), or ``cards``.
        total: the number of outcomes.
        counts: the number of outcomes in each group; without ``faces`` groups are consecutive.
        faces: the outcomes of each group, in ascending order, if they are chosen.
    """

    kind: str
    total: int
    counts: tuple[int, ...]
    faces: tuple[tuple[int, ...], ...] = ()

    def group(self, group: int) -> tuple[int, ...]:
        """Return the numbers of the outcomes in a group."""
        first = sum(self.counts[:group]) + 1
        return self.faces[group] if self.faces else tuple(range(first, first + self.counts[group]))

    def outcomes(self, group: int) -> Sentence:
        """Return the outcomes of a group, as a sentence."""
        own = self.group(group)
        if self.kind == "coin":
            return Sentence("heads" if own[0] == 1 else "tails") if len(own) == 1 else Sentence("either_side")
        starts = [number for number in own if number - 1 not in own]
        ends = [number for number in own if number + 1 not in own]
        runs = list(zip(starts, ends, strict=True))
        if len(runs) == 1:
            return _run(*runs[0])
        pairs = [
            pair for low, high in runs for pair in ([(low, low), (high, high)] if high == low + 1 else [(low, high)])
        ]
        *parts, last = (_run(*pair) for pair in pairs)
        return Sentence("ranges", {"parts": parts, "last": last})

    def chances(self) -> list[Fraction]:
        """Return the chance of each group."""
        return [Fraction(count, self.total) for count in self.counts]

    def action(self, again: bool = False) -> Sentence:
        """Return the instruction for the respondent."""
        return Sentence(f"{self.kind}_again" if again else f"{self.kind}_first", {"total": self.total})


def _run(low: int, high: int) -> Sentence:
    """Return consecutive outcomes as a sentence."""
    if low == high:
        return Sentence("range_one", {"low": low})
    return Sentence("range_two" if high == low + 1 else "range", {"low": low, "high": high})


_OF_SECRET_CARDS = {"prepare_cards": "prepare_secret", "cards_first": "secret_first", "return_card": "secret_return"}


def beside_other_cards(sentences: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Return sentences that call numbered cards the secret cards, for a device with another pack, which is reported."""
    return tuple(Sentence(_OF_SECRET_CARDS.get(each.key, each.key), each.values) for each in sentences)


def randomizer_step(chances: Sequence[Fraction], randomizer: str = "auto") -> RandomizerStep:
    """Return the simplest randomizing device whose groups of outcomes have these probabilities.

    Raises:
        UnsupportedProblemError: no device of the sheet has these probabilities.
    """
    total = lcm(*(chance.denominator for chance in chances))
    kinds = [kind for kind, sides in _SIDES.items() if sides % total == 0 and (kind != "dice" or total == 36)]
    if total <= MOST_CARDS:
        kinds.append("cards")
    if randomizer == "dice" and 36 % total == 0:  # two dice
        kinds.append("dice")
    wanted = [kind for kind in kinds if randomizer in (kind, "auto", "birthday")]
    if not wanted:
        allowed = {"coin": "a denominator of 2", "die": "a divisor of 6", "dice": "a divisor of 36"}
        received = f"received {', '.join(map(as_text, chances))}, with the common denominator {total}"
        raise UnsupportedProblemError(
            f"no device of the sheet has these probabilities exactly: {received}; allowed is "
            f"{allowed.get(randomizer, f'a denominator of at most {MOST_CARDS} (cards)')}; {PLAYED_INSTEAD}"
        )
    kind = wanted[0]
    size = _SIDES.get(kind, total)
    return RandomizerStep(kind, size, tuple(int(chance * size) for chance in chances))
