"""Every statement under one forger: no file with a false claim is accepted (``adversary/forger.py``)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from adversary import built, forger, stored
from adversary.asking import ask
from adversary.boundary import oracle
from every_case import every_case

from rropt.checker import check_text

SEED = 1
MANY_BUILT = ("design-bracket", "binary-bracket", "parity-bound")


def documents(statement: str) -> list[Any]:
    """Return the accepted files that serve, in a drawn order."""
    found = [each for each in stored.accepted()[statement] if forger.is_fit(each)]
    return random.Random(SEED).sample(found, len(found))


@pytest.mark.parametrize("statement", [*MANY_BUILT, "others"])
def test_built_files_have_their_verdict(statement: str) -> None:
    files = {
        text: verdict
        for text, verdict in built.verdicts().items()
        if next((name for name in MANY_BUILT if f'"{name}"' in text), "others") == statement
    }
    wrong = [text for text, verdict in files.items() if bool(check_text(text)) != (verdict == "accepted")]
    assert wrong == []
    assert len(files) > 20


@every_case("statement", stored.STATEMENTS)
def test_no_forgery_is_accepted(statement: str, size: Callable[[int, int], int]) -> None:
    reasons: Counter[str] = Counter()
    for made in forger.forgeries(documents(statement), size(40, 1500), SEED):
        verdict = ask(json.dumps(made))
        # a mechanism that was made singular has the value claimed where the sum is constant or the lower bound is 0
        assert not verdict or oracle.truth(made) is True, made
        reasons[verdict.reason] += 1
    assert len(reasons) >= 3, reasons
    assert max(reasons.values()) < reasons.total() * 0.95


@every_case("statement", stored.STATEMENTS)
def test_altered_files_that_are_accepted_are_true(statement: str, size: Callable[[int, int], int]) -> None:
    """By the oracle of the statement, which reads no proof, wherever it decides the claim."""
    rng, truths, short = random.Random(SEED), Counter[bool | None](), documents(statement)
    if statement in ("design-bracket", "infeasible"):  # larger ones are not decided, or slowly
        short = [each for each in short if each["problem"].get("inputs", "2") == "2" and len(str(each)) < 1200]
    for _ in range(size(60, 1500)):
        document = rng.choice(short)
        try:
            made = forger.altered(document, forger.near(document, short), rng)
        except (IndexError, KeyError, TypeError, AttributeError, ValueError):
            continue  # an earlier change took the place of a later one away
        if ask(json.dumps(made)):
            truths[oracle.truth(made)] += 1
            assert not truths[False], made
    assert truths.total() > size(1, 3)
