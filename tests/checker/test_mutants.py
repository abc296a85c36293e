"""Mutated certificates: whatever the oracle calls false or malformed, the checker rejects, quickly and in one line."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import TypeVar

from adversary.asking import ask
from adversary.forgeries import Forgery, forgeries
from adversary.mutants import Mutant, mutants
from adversary.oracle import judge
from adversary.pool import honest

MUTANTS = {
    "added",
    "bent",
    "bracket",
    "dropped",
    "duplicated",
    "list",
    "matrix",
    "mistyped",
    "number",
    "part",
    "problem",
    "renamed",
    "sign",
    "swapped",
    "two at once",
    "word",
    "writing",
}
FORGERIES = {
    "borrowed",
    "coarse bracket",
    "design",
    "moved bracket",
    "one-sided bracket",
    "optimal set",
    "prevalence",
    "stale",
    "value",
}

Lie = TypeVar("Lie", Mutant, Forgery)


class Tally:
    """What became of the documents tried so far: their number by kind, truth and verdict."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, bool, bool]] = Counter()
        self.accepted_lies: list[str] = []
        self._seen: set[int] = set()

    def put(self, kind: str, what: str, text: str) -> None:
        """Try one document, unless it was tried before."""
        if hash(text) in self._seen:
            return
        self._seen.add(hash(text))
        verdict, finding = ask(text).verdict, judge(text)
        self.counts[kind, finding.true, verdict.accepted] += 1
        if verdict and not finding.true:
            self.accepted_lies.append(f"{kind}: {what}: {finding.why}: {text}")

    def number(self, *, true: bool, accepted: bool) -> int:
        """Return how many documents were of one truth and got one verdict."""
        return sum(count for (_, t, a), count in self.counts.items() if (t, a) == (true, accepted))

    def report(self) -> str:
        """Return the figures in one line."""
        false, kept = self.number(true=False, accepted=False), self.number(true=True, accepted=True)
        other = self.number(true=True, accepted=False)
        return (
            f"{self.counts.total()} tried: {false} false and rejected, {kept} true and accepted, {other} true, rejected"
        )


def test_no_false_mutant_is_accepted(rng: random.Random, size: Callable[[int, int], int]) -> None:
    tally, certificates = Tally(), honest()
    texts = list(certificates.values())
    for point in rng.sample(sorted(certificates), size(10, len(certificates))):
        text = certificates[point]
        made = mutants(text, rng.sample(texts, size(2, 6)), rng)
        for mutant in _of_each_kind(made, size(11, 250), rng):
            tally.put(mutant.kind, f"{point}: {mutant.where}", mutant.text(text))
    assert not tally.accepted_lies, tally.accepted_lies[:5]
    assert {kind for kind, true, _ in tally.counts if not true} == MUTANTS
    assert tally.number(true=False, accepted=False) >= size(1_200, 100_000)
    assert tally.number(true=True, accepted=True) >= size(5, 10)  # some leave the claim true: the sweep is not blind
    print(f"mutants: {tally.report()}")


def _of_each_kind(made: Iterable[Lie], most: int, rng: random.Random) -> list[Lie]:
    groups: dict[str, list[Lie]] = defaultdict(list)
    for mutant in made:
        groups[mutant.kind].append(mutant)
    return [mutant for group in groups.values() for mutant in rng.sample(group, min(most, len(group)))]


def test_no_consistent_lie_is_accepted(rng: random.Random, size: Callable[[int, int], int]) -> None:
    tally, certificates = Tally(), honest()
    texts = list(certificates.values())
    for point in rng.sample(sorted(certificates), size(15, len(certificates))):
        made = forgeries(certificates[point], rng.sample(texts, 4))
        for forged in _of_each_kind(made, size(5, 1000), rng):
            text = forged.text()
            if text is not None:
                tally.put(forged.kind, f"{point}: {forged.trick}", text)
    assert not tally.accepted_lies, tally.accepted_lies[:5]
    assert {kind for kind, true, _ in tally.counts if not true} == FORGERIES
    assert tally.number(true=False, accepted=False) >= size(300, 25_000)
    assert tally.number(true=True, accepted=True) >= size(50, 2_000)
    print(f"forgeries: {tally.report()}")
