"""A function chooses as the command of its name does: its result is that of the command."""

from __future__ import annotations

import inspect
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows
from plans import planned
from stored_cases import cases_of
from support.table_calls import table_estimate

import rropt
from rropt.core.results import Result
from rropt.estimates.from_counts import estimate_of_options
from rropt.noncompliance.reported_bounds import noncompliance_bounds

DOORS: dict[str, Callable[..., Result]] = {
    "plan": planned,
    "estimate": table_estimate,
    "noncompliance": noncompliance_bounds,
}
ROWS = cases_of(__file__)["rows"]


@few_rows(2)
@pytest.mark.parametrize("row", ROWS, ids=[row["command"] for row in ROWS])
def test_the_function_chooses_as_the_command_does(
    row: dict[str, Any], cli_json: Callable[..., dict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = ["no,no,a,1", "yes,yes,a,2", "yes,yes,b,3", "no,no,b,4"]
    Path("a.csv").write_text("q,p,g,w,d\n" + "".join(f"{each},warner:3/4\n" for each in rows))
    command = shlex.split(row["command"])
    door = DOORS[command[0]]
    if row["given"].keys() <= inspect.signature(rropt.estimate).parameters.keys():
        door = rropt.estimate
    elif "counts" in row["given"]:
        door = estimate_of_options
    own = json.loads(door(**row["given"]).to_json())
    assert own.items() <= cli_json(*command).items()
