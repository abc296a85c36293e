"""What the claims print is verbatim: compared with the extracted texts where they are, else with a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quotations import FILES, RECORD, fingerprints, missing, normal, quotations
from shared_outcomes import Claims

CLAIMS = Claims(list(FILES))
PLACES = [folder / "shared" / "seeds" for folder in Path(__file__).resolve().parents]
SEEDS = next((place for place in PLACES if place.is_dir()), None)
needs_texts = pytest.mark.skipif(SEEDS is None, reason="the texts of the papers are not beside the repository")


def _folder() -> Path:
    assert SEEDS is not None
    return SEEDS


@needs_texts
@pytest.mark.parametrize("paper", sorted(FILES))
def test_what_is_printed_stands_in_the_text(paper: str) -> None:
    """Of one paper in each run: the record below sees a quotation that changes."""
    absent = {
        name: lost
        for name, (claim, _) in CLAIMS.items()
        if claim.paper == paper
        and (lost := [each for text in quotations(claim).values() for each in missing(text, _folder() / FILES[paper])])
    }
    assert absent == {}


@needs_texts
@pytest.mark.parametrize(
    "changed",
    [
        r"with $p\le\frac12$ the estimator is unbiased",
        r"The improved Christofides mechanism performs best in interval $[\pi_{A_1},\pi_{A_2}]$.",
        r"The improved Christofides mechanism performs worst in interval $[\pi_{A_1},\pi_{A_3}]$.",
        r"Random variables $X_1,X_2,\ldots,X_N$ are independent.",
        r"$\varepsilon=\ln[p/(1-p)]$",
    ],
)
def test_a_changed_quotation_is_found(changed: str) -> None:
    assert missing(changed, _folder() / FILES["sun2023"])


def test_no_quotation_has_changed_since_it_was_found_in_the_text() -> None:
    """A clone without the texts compares with the fingerprints of the papers whose quotations were found there."""
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    listed = {what: text for claim, _ in CLAIMS.values() for what, text in quotations(claim).items()}
    assert recorded == fingerprints(listed)
    assert len(CLAIMS) >= 173


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (r"\left(\frac{1}{2}\right)", r"(\frac12)"),
        (r"\mathbf{Var}\leq 1", r"\operatorname{Var}\le1"),
        ("e\N{LATIN SMALL LIGATURE FFI}cient", "efficient"),
        ("esti-\n  mator", "estimator"),
        ("4: if", "if"),
    ],
)
def test_what_printing_changes_does_not_count(first: str, second: str) -> None:
    assert normal(first) == normal(second)
