"""Counterexamples lie within the range that their paper states, and what is quoted for ranges and readings is there."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module

import pytest
from quotations import FILES, missing, normal, passages
from shared_outcomes import Claims, Outcomes, computed, record, recorded
from test_quotations import SEEDS, needs_texts

from rropt.claims import Stated, run_claim

CLAIMS = Claims(list(FILES))
OUTCOMES = Outcomes(CLAIMS)
RECORD = record()
DOUBTFUL = sorted(
    name
    for paper in FILES
    for name in recorded(paper)
    if RECORD[name]["verdict"] not in ("holds", "not-refuted", "not-checkable")
)


def _ranges() -> dict[str, tuple[Stated, ...]]:
    return {paper: import_module(f"rropt_proofs.{paper}._range").RANGES for paper in FILES}


@pytest.mark.slow
@pytest.mark.parametrize("name", computed(DOUBTFUL))
def test_the_counterexample_is_within_the_range(name: str) -> None:
    claim, (outcome, _) = CLAIMS[name][0], OUTCOMES[name]
    example = outcome.counterexample
    if example is None:
        assert claim.readings
        return
    numbers = {name for name, value in example.point.items() if isinstance(value, (int, Fraction))}
    checked = [part for part in _ranges()[claim.paper] if set(part.names) <= numbers]
    for part in (*checked, *claim.stated):
        assert part.admits(example.point), part.text


@pytest.mark.slow
def test_every_range_counts_somewhere() -> None:
    counted = {
        (claim.paper, part.text)
        for claim, _ in CLAIMS.values()
        for part in _ranges()[claim.paper]
        if set(part.names) <= set(claim.variables)
    }
    assert counted == {(paper, part.text) for paper, parts in _ranges().items() for part in parts}


@pytest.mark.slow
def test_a_counterexample_outside_the_range_is_an_error() -> None:
    claim, _ = CLAIMS["sun2023.algorithm-1"]
    outside = replace(claim, stated=(Stated("p > 1", "p > 1", "", ("p",)),))
    assert any("no counterexample lies within the range" in problem for problem in run_claim(outside).problems)


@needs_texts
def test_what_ranges_rest_on_stands_in_the_text() -> None:
    assert SEEDS is not None
    said = [(paper, part.says) for paper, parts in _ranges().items() for part in parts]
    lost = [each for paper, text in said for each in missing(text, SEEDS / FILES[paper])]
    assert lost == []
    assert len(said) >= 10


READ_IN_TWO_WAYS = {
    "sun2023.sec-6.1-worst",
    "sun2023.theorem-5.6",
    "sun2023.abstract",
    "sun2023.unbiased-prose",
    "holohan2016.lemma-5",
    "holohan2016.eq-10",
    "vinterbo2018.figure-1a",
    "vinterbo2018.proposition-4.7",
}


def test_every_reading_rests_on_a_passage_other_than_the_sentence() -> None:
    """No part of the quotation between two omissions is a part of the sentence itself."""
    names = set()
    for name, (claim, _) in CLAIMS.items():
        sentence = normal(claim.printed)
        for reading in claim.readings:
            names.add(name)
            pieces = ["".join(part for part, _ in passage) for passage in passages(reading.rests_on)]
            assert pieces, (name, reading.name)
            for piece in pieces:
                assert piece.strip(".,;:") not in sentence, (name, reading.name)
    assert names == READ_IN_TWO_WAYS
