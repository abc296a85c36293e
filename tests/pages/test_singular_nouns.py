"""Numbers with their nouns: ``with_noun`` writes "1 value", where "{n} values" would write "1 values".

The scan finds f-strings in which a plural noun follows a number that is counted. It can decrease only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from package_modules import modules
from support.table_calls import table_estimate

import rropt
from rropt.core.errors import FileFormatError, InvalidParameterError

PLURAL = re.compile(r" (?:[a-z]+ )?([a-z]+(?:s|people|matrices))\b")
COUNTED = re.compile(r"\blen\(|count|number|sum\(|wrong|rows|size|total|\.inputs|\.outputs|int\(|questions|cells")
MOST = 282  # nearly all of these numbers are above 1, or have the singular beside them; a new message uses with_noun


def plurals(files: Sequence[Path]) -> Iterator[str]:
    """Yield the places where a plural noun follows a number that is counted."""
    for path in files:
        if not re.search(r"\} (?:[a-z]+ )?[a-z]+(?:s|people|matrices)\b", text := path.read_text(encoding="utf-8")):
            continue  # to parse a file takes long
        for node in ast.walk(ast.parse(text)):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for number, text in pairwise(parts):
                if isinstance(number, ast.FormattedValue) and isinstance(text, ast.Constant):
                    said = ast.unparse(number.value)
                    is_plain = not {"with_noun", "shown"} & {*re.findall(r"\w+", said)}
                    if is_plain and COUNTED.search(said) and PLURAL.match(str(text.value)):
                        yield f"{path.name}:{node.lineno}"


def test_no_new_plural_follows_a_number() -> None:
    found = list(plurals(modules()))
    assert len(found) <= MOST, found


def test_one_value_is_singular(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n0,1\n1\n")
    for asked in ({"column": "a"}, {"columns": ["a", "b"]}):
        device = "warner:3/4" if "column" in asked else "bits:3/4*2"
        with pytest.raises(FileFormatError, match="has 1 value, and 2 are expected"):
            table_estimate(device, data=str(path), **asked)
    with pytest.raises(InvalidParameterError, match="received 1 answer in row 1"):
        rropt.answers.answers_of_rows(rropt.Mechanism("bits:3/4*2"), [[0, 1], [1]])
