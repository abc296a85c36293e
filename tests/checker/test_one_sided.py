"""The statement binary-bracket at wide brackets: false files with a number of the wrong end are rejected."""

from __future__ import annotations

import json

from adversary.asking import ask
from adversary.fuzz import one_sided


def test_no_one_sided_file_that_is_false_is_accepted() -> None:
    made = one_sided.files()
    assert all(ask(json.dumps(file.document)).verdict for file in made if not file.changed)
    false = [file for file in made if file.is_false]
    assert [file.changed for file in false if ask(json.dumps(file.document)).verdict] == []
    assert len(false) >= 200
