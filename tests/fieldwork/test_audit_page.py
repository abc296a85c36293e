"""The page of an audit states when its test is valid, and the format of a page follows the name of its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rropt.core.errors import InvalidParameterError
from rropt_fieldwork.audits import audit_counts
from rropt_fieldwork.audits.audit_page import audit_page

COUNTS = [[900, 100], [200, 800]]


@pytest.mark.parametrize(
    ("options", "stated", "absent"),
    [
        ({}, ("chosen on 200 other responses", "fixed beforehand", "1 - 0.05/N"), ("Bonferroni", "is an e-value")),
        ({"event": [0], "tests": 3}, ("0, 900 lie in S", "shared by 3 tests"), ("other responses", "1 - 0.05/N")),
        ({"method": "e-value", "confidence": "0.9"}, ("an e-value. It stays valid", "most 10 %"), ("beforehand",)),
    ],
)
def test_the_page_states_when_the_test_is_valid(
    options: dict[str, Any], stated: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    text = audit_page(audit_counts(COUNTS, **options)).to_markdown()
    assert all(part in text for part in stated), text
    assert not any(part in text for part in absent), text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "At confidence 95 %, the epsilon of the box is at least 1.35835."),
        ({"counts": [[101, 100], [200, 801]]}, "the epsilon of the box is at least 0.646526."),  # 0.646526549
        ({"claim": "1"}, "The claim that epsilon is 1 is refuted. At confidence 95 %"),
        ({"claim": "3", "delta": "1/20"}, "epsilon is 3 (with delta = 0.05) is not refuted. At confidence 95 %"),
        ({"claim": "0", "delta": "2/3", "confidence": "2/3"}, "At confidence 66.6666 %, the epsilon of the box is at"),
        ({"claim": "0", "delta": "1/6"}, "epsilon is 0 (with delta = 0.166666) is refuted."),
    ],
)
def test_the_page_begins_with_the_answer(options: dict[str, Any], words: str) -> None:
    options = dict(options)
    page = audit_page(audit_counts(options.pop("counts", COUNTS), event=[0], **options))
    assert words in str(page.blocks[0]), page.blocks[0]
    assert "Remark: the bound holds if the samples are independent" in str(page.blocks[1])


def test_the_error_is_rounded_up_and_shared_rounded_down() -> None:
    page = audit_page(audit_counts(COUNTS, event=[0], confidence="1/3")).to_markdown()
    assert "a chance of at most 66.6667 %" in page
    assert "at the confidence 1 - 0.666666/N" in page


def test_a_long_set_of_responses_is_cut_with_the_number_of_the_others() -> None:
    counts = [[9] * 14 + [1], [1] * 14 + [90]]
    text = audit_page(audit_counts(counts, event=list(range(14)), pair=[0, 1])).to_markdown()
    assert "these responses: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more." in text
    assert "more." not in audit_page(audit_counts(counts, event=[0], pair=[0, 1])).to_markdown()


def test_the_format_of_a_page_follows_the_name_of_its_file() -> None:
    page = audit_page(audit_counts(COUNTS))
    for path, start in ((Path("a.md"), "# Audit"), ("a.TEX", r"\documentclass"), ("a", "<!doc"), ("a.htm", "<!doc")):
        assert page.text_of(path).startswith(start), path
    with pytest.raises(InvalidParameterError, match="received 3"):
        page.text_of(3)  # type: ignore[arg-type]
