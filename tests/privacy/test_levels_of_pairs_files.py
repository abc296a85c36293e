"""Tables of levels as people have them: bare lists, and zeros on the diagonal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.privacy.level_regions import LevelsRegion
from rropt.privacy.region_files import load_levels, load_matrix


def test_a_distance_to_itself_is_no_condition(tmp_path: Path) -> None:
    file = tmp_path / "levels"
    region = LevelsRegion.by_pair([[None, "1", "2"], ["1", None, "1"], ["2", "1", None]])
    rows = [["0", "1", "2"], ["1", "0", "1"], ["2", "1", "0"]]
    for text in ("\n".join(map(",".join, rows)), json.dumps(rows), json.dumps({"levels": rows})):
        file.write_text(text)
        assert LevelsRegion.by_pair(load_levels(file)) == region
    with pytest.raises(InvalidParameterError, match=r"levels\[1\]\[1\] is '1/2': an input has no level against itself"):
        LevelsRegion.by_pair([[0, 1], [1, "1/2"]])


def test_a_bare_list_is_a_matrix(tmp_path: Path) -> None:
    file = tmp_path / "payoffs.json"
    for text in ('[["1", "0"], ["0", "1"]]', '{"matrix": [["1", "0"], ["0", "1"]]}'):
        file.write_text(text)
        assert load_matrix(file, what="file of payoffs") == [["1", "0"], ["0", "1"]]
