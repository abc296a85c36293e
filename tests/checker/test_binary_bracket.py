"""The statement binary-bracket: pieces by oracles that share no code, files built for one condition, sentences."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from adversary.asking import ask
from adversary.fuzz.binary_brackets import SOURCES
from vectors import vectors

from rropt.checker.verdicts import state_text

ACCEPTED = [vector["certificate"] for vector in vectors("binary-bracket") if vector["verdict"] == "accepted"]


@pytest.mark.parametrize("name", SOURCES)
def test_no_false_claim_is_accepted(name: str, size: Callable[[int, int], int]) -> None:
    """Every true piece is accepted as well: a bracket has room on both sides."""
    counts: Counter[bool] = Counter()
    for piece in islice(SOURCES[name](random.Random(f"binary {name}")), size(250, 40_000)):
        verdict = ask(piece.text).verdict
        assert bool(verdict) == piece.true, f"{piece.method}, {piece.oracle}: {verdict}: {piece.text[:2000]}"
        counts[piece.true] += 1
    assert min(counts[True], counts[False]) >= size(10, 1000)


def test_an_end_past_the_bound_is_rejected() -> None:
    """At a rational level each end of an example may move outwards, and not inwards: it is the optimum."""
    exact = [each for each in ACCEPTED if each["claim"]["lower"] == each["claim"]["upper"]]
    for document in exact:
        for end, sign in (("lower", 1), ("upper", -1)):
            for step in (Fraction(1, 10**30), Fraction(1)):
                moved = str(Fraction(document["claim"][end]) + sign * step)
                assert not ask(json.dumps({**document, "claim": {**document["claim"], end: moved}})).verdict
                moved = str(Fraction(document["claim"][end]) - sign * step)
                assert ask(json.dumps({**document, "claim": {**document["claim"], end: moved}})).verdict
    assert len(exact) > 100


def test_joined_files_are_rejected_or_true(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A claim beside the problem of another file holds only if the ends of both files leave room for it."""
    exact = [each for each in ACCEPTED if each["claim"]["lower"] == each["claim"]["upper"]]
    rejected = 0
    for _ in range(size(400, 20_000)):
        one, other = rng.sample(exact, 2)
        made = {**one, "claim": other["claim"]}
        rejected += not ask(json.dumps(made)).verdict
        if ask(json.dumps(made)).verdict:
            assert made["claim"]["lower"] == one["claim"]["lower"], made
    assert rejected > size(200, 10_000)


def told(document: Any) -> str:
    """Return the sentence of a file, and the remarks on it."""
    verdict, lines = state_text(json.dumps(document))
    assert verdict
    return "\n".join(lines)


def test_the_sentence_of_each_example() -> None:
    tie, regret, three = (told(each) for each in ACCEPTED[:3])
    assert "All optimal designs with p00 + p11 > 1: " in tie
    assert tie.startswith("The least n Var of the estimated prevalence at prevalence 1/4 of input 1, with 2")
    assert "lies in [15/16, 15/16]" in tie
    assert "the regret" in regret
    assert "from 0 to 3/4" in regret
    assert "with 2 categories and 3 outputs" in three
