"""Certificates of identities and positivity that are costly to expand: judged, or refused before they are expanded."""

from __future__ import annotations

import json
import re

import pytest
from adversary.asking import ask
from adversary.polynomials import expansions
from adversary.stored import accepted
from few_rows import few_rows

FILES = dict(expansions())
ENDS = re.compile("needs more work than the checker does|would have more than|two sides differ|is not the polynomial")


@few_rows(1)
@pytest.mark.parametrize("name", FILES)
def test_an_expansion_is_bounded(name: str) -> None:
    verdict = ask(json.dumps(FILES[name]))
    assert verdict or ENDS.search(verdict.reason), verdict.reason


def test_an_identity_without_hypotheses_is_never_vacuous() -> None:
    """It needs no point; neither does an inequality of parameters alone."""
    tried = 0
    for document in accepted()["polynomial"]:
        if not document["problem"]["hypotheses"]:
            assert ask(json.dumps(document)).note == "", document
            tried += 1
    assert tried > 30
