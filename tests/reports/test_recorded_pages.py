"""The words of every kind of page are what ``outputs/KIND.txt`` shows; a change is read there (``make outputs``)."""

from __future__ import annotations

import pytest
from recorded import CLOSE, PAGES, blocks, is_same, run

KINDS = {file.stem: dict(blocks(file.read_text("utf-8"))) for file in sorted(PAGES.glob("*.txt"))}
CASES = {command: words for pages in KINDS.values() for command, words in pages.items()}


@pytest.mark.parametrize(
    "command", CASES, ids=[f"{kind}-{i}" for kind, pages in KINDS.items() for i in range(len(pages))]
)
def test_a_page_has_the_words_that_are_recorded(command: str) -> None:
    words = run(command)
    assert is_same(words, CASES[command], command.endswith(CLOSE)), (
        f"make outputs writes the words that it has now:\n{words}"
    )


def test_each_kind_of_page_is_recorded() -> None:
    kinds = ["audit", "claims", "derivation", "design", "ethics", "explorer", "report", "sheet"]
    assert sorted(KINDS) == kinds
    assert all(len(words) > 200 for words in CASES.values())
