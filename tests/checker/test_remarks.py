"""Every remark of a page is proved there, or is a condition that the code tests; each names what would break it.

The list is ``remarks/remarks.json``. A page that gains a sentence with "so that", "hence", "since", "because",
"therefore", "thus", "so" or "as", or with words in parentheses, fails here until the list has it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from adversary.remarks import listed, pages, remarks
from vectors import vectors

FOLDER = Path(__file__).parent
STATUSES = ("proved", "condition", "definition")


@cache
def _rejected(rule: str) -> set[str]:
    return {vector["reason"] for vector in vectors(rule) if vector["verdict"] == "rejected"}


@cache
def _tests(file: str) -> set[str]:
    return set(re.findall(r"^def (test_\w+)", (FOLDER / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("page", pages())
def test_the_list_has_every_remark_of_a_page(page: str) -> None:
    known = [entry["sentence"] for entry in listed() if entry["page"] == page]
    found = remarks(page)
    new = [sentence for sentence in found if sentence not in known]
    assert new == [], "prove these sentences on the page, or make them conditions; then add them to remarks.json"
    assert [sentence for sentence in known if sentence not in found] == [], "these sentences have left the page"
    assert known == found


def test_every_entry_has_its_reason_and_a_file_that_would_break_it() -> None:
    counts = Counter(entry["status"] for entry in listed())
    for entry in listed():
        assert set(entry) == {"page", "sentence", "status", "why", "breaks"}
        assert entry["status"] in STATUSES
        assert len(entry["why"]) > 5
        assert (entry["breaks"] is None) == (entry["status"] == "definition")
        match entry["breaks"]:
            case {"vector": [rule, reason]}:
                assert reason in _rejected(rule), (rule, reason)
            case {"test": place}:
                file, name = place.split("::")
                assert name in _tests(file), place
    assert set(counts) == set(STATUSES)
    assert min(counts["proved"], counts["condition"]) >= 40


def test_a_new_remark_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A sentence that once hid a hole of the checker is a remark; so is a conclusion of any of the words."""
    monkeypatch.setattr("adversary.remarks.PAGES", tmp_path)
    hidden = "`e`: `C (upper R - I) C` is positive semidefinite, C = I - 1 1^T/k (so that upper > 0)."
    for sentence in (
        hidden,
        "The matrix is regular, hence it has an inverse.",
        "Rows are positive since delta is 0.",
        "Because of privacy no entry is 0.",
        "Therefore the bound holds.",
        "The sum is positive, as the weights are.",
        "The sum is positive (all weights are positive numbers).",
    ):
        (tmp_path / "page.md").write_text(f"# Rule\n\nA first sentence. {sentence}\n\nA last one.\n", encoding="utf-8")
        assert len(remarks("page.md")) == 1, sentence
