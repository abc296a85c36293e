"""A function chooses as the command of its name does: its result is that of the command."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from plans import planned
from stored_cases import cases_of

import rropt

ROWS = cases_of(__file__)["rows"]


@few_rows(2)
@pytest.mark.parametrize("row", ROWS, ids=[row["command"] for row in ROWS])
def test_the_function_chooses_as_the_command_does(
    row: dict[str, Any], cli_json: Callable[..., dict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["no,no,a,1", "yes,yes,a,2", "yes,yes,b,3", "no,no,b,4"]
    Path("a.csv").write_text("q,p,g,w,d\n" + "".join(f"{each},warner:3/4\n" for each in rows))
    counts = {"0,warner:3/4": 9, "1,warner:3/4": 6, "0,warner:1/4": 7, "1,warner:1/4": 8}
    Path("truth.csv").write_text("q,d\n" + "".join(f"{each}\n" * n for each, n in counts.items()))
    command = shlex.split(row["command"])
    door = getattr(rropt, command[0])
    own = json.loads((planned if door is rropt.plan else door)(**row["given"]).to_json())
    assert own.items() <= cli_json(*command).items()
