"""A second checker, written from the pages alone (``second/``), on the files of the fuzzers: every verdict is the same.

It knows no limits of size, so that it may accept what the checker refuses beyond one.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import islice

import pytest
from fuzz import dropped, planted
from fuzz.cover_changes import changed
from fuzz.rules import FUZZERS, Fuzzer
from second.verdict import judge
from vectors import vectors

from rropt.checker import check_text

ROUNDED = ("the odds ratio may be beyond", "of what may be", "may be attained", "no operand", "may divide by zero")
ROUNDED_INFORMATION = (  # the second one rounds nothing, or encloses with more digits: the page of rule 5 allows both
    *("the information, as it is rounded", "is not proved to be at", "the dual is not proved to hold at"),
    "the inequality of the information fails on the ray",  # logarithms of few digits: the page of the rule rays
    # intervals of few digits: the page of rule 29
    *("lower is above the divergence at the order", "upper is below the slope of the tangent"),
    *("the tangent at the order is not proved", "the function is not proved to be concave"),
    "upper is below the bound of the blanket",  # laws of few binary digits: the page of rule 33
    # and of rule 35
    *("the log-likelihood is not proved to be concave", "the box is not proved to contain", "an error is below the"),
)
# the same, of the objectives that have logarithms or roots
ENCLOSED = "the inequality of the objective fails on the ray"
BEYOND_A_LIMIT = ("has more than", "nested deeper", "needs more work", "is not in [0, 100]", "too fine")


def outcome(text: str) -> str:
    """Return what both say, or fail."""
    verdict, reason = check_text(text), judge(text)
    if reason is None and not verdict and any(words in verdict.reason for words in BEYOND_A_LIMIT):
        return "beyond a limit"
    if reason is None and not verdict and any(words in verdict.reason for words in ROUNDED_INFORMATION):
        return "rounded"
    if reason is None and not verdict and ENCLOSED in verdict.reason and has_digits(text):
        return "rounded"
    if reason is None and not verdict and (finer := with_more_bits(text)) and check_text(finer):
        return "rounded"
    assert bool(verdict) == (reason is None), f"{verdict}; the second checker: {reason or 'accepted'}\n{text[:2000]}"
    return "accepted" if verdict else "rejected"


def has_digits(text: str) -> bool:
    """Whether a certificate encloses logarithms or roots with a number of digits of its own."""
    return bool(json.loads(text)["witness"]["logarithms"])


def with_more_bits(text: str) -> str | None:
    """Return a certificate of rule 27, 28 or 33 with laws of 1024 bits and a claim that is wider by 2^-900.

    The pages allow a checker to round these laws. The second checker keeps them exact, and so accepts equality.
    """
    document = json.loads(text)
    if document["witness"].get("rule") not in ("composition-lattice", "shuffled-blocks", "shuffled-blanket"):
        return None
    claim, width = document["claim"], Fraction(1, 2**900)
    wider = {"lower": str(Fraction(claim["lower"]) - width), "upper": str(Fraction(claim["upper"]) + width)}
    return json.dumps({**document, "claim": {**claim, **wider}, "witness": {**document["witness"], "bits": "1024"}})


@pytest.mark.drawn(2)
@pytest.mark.parametrize("fuzzer", FUZZERS, ids=lambda fuzzer: fuzzer.name)
def test_both_checkers_agree(fuzzer: Fuzzer, size: Callable[[int, int], int]) -> None:
    source = fuzzer.pieces(random.Random(11))
    pieces = list(islice(source, size(12, 3000)))
    pieces += islice((piece for piece in source if piece.true), 1)
    counts = Counter(outcome(piece.text) for piece in pieces)
    for piece in [piece for piece in pieces if piece.true][: size(1, 20)]:
        counts.update(map(outcome, islice(dropped.ill_formed(piece.document), 0, None, size(100, 1))))
    assert counts["accepted"]
    assert counts["rejected"] > 8
    assert not counts["rounded"] or (fuzzer.name.startswith("ellipsoids") and 20 * counts["rounded"] <= counts.total())


def test_both_checkers_agree_on_planted_files(size: Callable[[int, int], int]) -> None:
    texts = [text for _, text in planted.texts() if '"cover"' not in text]
    counts = Counter(map(outcome, texts[:: size(6, 1)]))
    assert counts["accepted"] + counts["rejected"] > 8
    assert counts["beyond a limit"] < 10


def test_both_checkers_agree_on_changed_covers(size: Callable[[int, int], int]) -> None:
    """What the checker accepts the second one accepts, with more digits: so in turn, but where equality is rounded."""
    listed = [vector["text"] for vector in vectors("cover") if vector["verdict"] == "accepted"]
    accepted = [json.loads(text) for text in listed if len(text) < 2500]
    counts: Counter[str] = Counter()
    for document in islice(changed(accepted, random.Random(5)), size(60, 8000)):
        text = json.dumps(document)
        verdict, reason = check_text(text), judge(text)
        if reason is None and not verdict and any(words in verdict.reason for words in ROUNDED):
            counts["rounded"] += 1
            continue
        counts[outcome(text)] += 1
    assert min(counts["accepted"], counts["rejected"]) > size(15, 2000)
    assert 50 * counts["rounded"] <= counts.total()


@pytest.mark.parametrize("rule", ["identity", "handelman", "bernstein"])
def test_a_point_that_is_null_is_no_point_left_out(rule: str) -> None:
    """Part A: null stands only where the page names it."""
    fuzzer = next(fuzzer for fuzzer in FUZZERS if fuzzer.name.endswith(rule))
    piece = next(
        piece for piece in fuzzer.pieces(random.Random(2)) if piece.true and "point" not in piece.document["witness"]
    )
    assert outcome(piece.text) == "accepted"
    assert (
        outcome(json.dumps({**piece.document, "witness": {**piece.document["witness"], "point": None}})) == "rejected"
    )
