"""Mutants of proved claims are not proved, whatever of their claim was changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from mutants import is_false, mutants

from rropt.claims import Anchored, find_claims, run_claim

QUICK = ["ziani.theorem-8", "chainayak2018.theorem-1.1-necessary", "ziani.claim-3-mean", "ziani.theorem-12-privacy"]
REACHED = ("does not follow", "is false at", "differ", "signs", "no identity")
WITHOUT = {  # proved entries of which no mutant is made here: cells of minimisers, ends, and bounds of members alone
    "chainayak2018.figure-4",
    "chainayak2018.lemma-3.2",
}


def _proved() -> dict[str, list]:
    found = {}
    for name, (claim, _) in find_claims([]).items():
        proof = claim.proof() if claim.proof else None
        if isinstance(proof, Anchored) and not proof.unanchored:
            found[name] = list(mutants(claim))
    return found


@pytest.mark.parametrize("name", QUICK)
def test_mutants_of_proved_claims_are_not_proved(name: str) -> None:
    (claim, _) = find_claims([name])[name]
    assert _check(name, list(mutants(claim)))


def test_almost_every_proved_entry_has_mutants() -> None:
    found = _proved()
    assert {name for name, made in found.items() if not made} == WITHOUT
    assert sum(map(len, found.values())) >= 700


def test_mutants_of_all_proved_entries(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Two entries, and one mutant of each; at full size every mutant of all of them."""
    found = {name: made for name, made in _proved().items() if made and name not in QUICK}
    for name in rng.sample(sorted(found), size(2, len(found))):
        made = [(what, mutant) for what, mutant in found[name] if is_false(mutant)]
        assert made, name
        _check(name, rng.sample(made, size(1, len(made))))


def _check(name: str, made: list) -> int:
    """Return how many false mutants there are; none is proved, and each is told why."""
    tried = last = 0
    for what, mutant in made:
        if not is_false(mutant):
            continue
        tried += 1
        outcome = run_claim(replace(mutant, count=20))
        assert not outcome.evidence.startswith("proved"), (name, what)
        told = [*outcome.problems, *outcome.unchecked_steps]
        assert told, (name, what)
        last += any(word in " ".join(told) for word in REACHED)
    print(f"{name}: {tried} false mutants, {last} of them as far as an obligation")
    return tried
