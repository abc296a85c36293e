"""Degenerate forgeries of true certificates: no false one is accepted, nothing is unforeseen, the two checkers agree.

True certificates are the accepted vectors of all rules and what the solvers write. ``adversary/degenerate.py`` forges,
``adversary/values.py`` decides what is false, from the definitions.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from adversary.asking import ask
from adversary.degenerate import forged
from adversary.values import falsehood
from javascript import judge, outcome
from vectors import vectors

F = Fraction
STATEMENTS = ["divergence-level", "polynomial", "parity-bound", "budget-split", "optimal-value"]
SLOW = ("parity-bound",)  # for the checker in JavaScript


@cache
def honest(rule: str) -> list[Any]:
    """Return the accepted vectors of a rule."""
    return [vector["certificate"] for vector in vectors(rule) if vector["verdict"] == "accepted"]


def known(document: Any) -> tuple[Fraction, Fraction] | None:
    """Return the true bracket of an honest certificate."""
    claim = document["claim"]
    if "lower" not in claim or claim["lower"] == "infinite":
        return None
    return F(claim["lower"]), F(claim["upper"])


def put(document: Any, rng: random.Random, tries: int, counts: Counter[str], seconds: bool) -> None:
    """Forge a true certificate so many times, and hold what both checkers say against the oracle."""
    text = json.dumps(document)
    assert ask(text).verdict
    bracket = known(document)
    for _ in range(tries):
        made = forged(rng, document)
        if made is None:
            continue
        what, file, same = made
        text = json.dumps(file)
        verdict = ask(text).verdict  # nothing unforeseen
        try:
            why = falsehood(file, bracket if same else None)
        except (
            ValueError,
            KeyError,
            IndexError,
            ZeroDivisionError,
            TypeError,
            AssertionError,
            StopIteration,
            OverflowError,
        ):
            why = "no certificate"  # a part has another shape, or is no number, or too large: the oracle cannot read it
            counts["unread"] += 1
        if why and why != "no certificate":
            counts["false"] += 1
            assert not verdict, f"{why} ({what})\n{text}"
        counts["accepted" if verdict else "rejected"] += 1
        if (verdict or seconds) and not _is_large(file):
            second = judge(text)
            assert second is not None or not why or why == "no certificate", f"{why} ({what})\n{text}"
            counts[f"both: {outcome(text)}"] += 1


def _is_large(document: Any) -> bool:
    """Whether a single file would take the checker in JavaScript long."""
    problem = document["problem"]
    sizes = [problem.get("inputs", "2"), problem.get("respondents", "2")]
    return any(len(str(size)) > 1 or str(size) > "6" for size in sizes)


@pytest.mark.drawn(2)
@pytest.mark.parametrize("rule", STATEMENTS)
def test_forgeries_of_vectors(rule: str, size: Callable[[int, int], int]) -> None:
    rng, counts = random.Random(f"degenerate {rule}"), Counter[str]()
    listed = honest(rule)
    for number in range(size(24, 3000)):
        put(listed[number % len(listed)], rng, size(4, 6), counts, rule not in SLOW and number % size(4, 2) == 0)
    print(rule, dict(counts))
    assert counts["rejected"] > size(30, 3000)
    assert counts["false"] > size(6, 700)


def test_the_oracle_believes_true_certificates() -> None:
    """An oracle that called everything false would find nothing."""
    believed = 0
    others = "composition", "garbling", "mechanism-levels", "likelihood-gap", "shuffled"
    for document in [each for name in (*STATEMENTS, *others) for each in honest(name)]:
        try:
            assert falsehood(document, known(document)) == "", document
            believed += 1
        except OverflowError:
            continue
    assert believed > 350
