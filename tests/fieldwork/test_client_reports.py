"""A report has one form: what a client sends and ``randomize`` writes is what ``count`` and ``estimate`` read."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt_fieldwork
from rropt.core.errors import FileFormatError
from rropt.designs import solve
from rropt.designs.problem import Problem
from rropt.mechanisms import Mechanism, named_mechanism
from rropt_fieldwork.counts import estimate_counts
from rropt_fieldwork.from_tables.counted_responses import count

_DRAWN = 400  # reports of each of three categories
_FAR = 7  # standard errors, which chance reaches in fewer than one of 10^11 runs
_LEAST = 0.02  # of a standard error: that of a category that no report contains is 0
_COMMANDS = {
    "python": ("client.py", [sys.executable, "client.py"]),
    "javascript": ("client.mjs", ["node", "client.mjs"]),
}
NAMES = (
    "optimal:12,3/2",
    "optimal:12,1",
    "optimal:13,3/2",
    "optimal:20,2",
    "subset:5,2,3/4",
    "subset:4,3,7/8",
    "subset:30,5,3/4",
    "oue:3,3",
    "grr:4,1/2",
    "unary:3,1/2,1/4",
    "hadamard:6,3",
)


@cache
def _mechanism(name: str) -> Mechanism:
    if not name.startswith("optimal:"):
        return named_mechanism(name)
    k, epsilon = name.partition(":")[2].split(",")
    return solve(Problem.kary(int(k), epsilon=epsilon, objective="a-optimal"), ["exact"], fast=True).mechanism


def _reports(mechanism: Mechanism, language: str, folder: Path) -> list[str]:
    file, command = _COMMANDS[language]
    (folder / file).write_text(rropt_fieldwork.export(mechanism, language).source)
    assert subprocess.run([*command, "test"], cwd=folder, capture_output=True, text=True, check=True).stdout == "ok\n"
    found: list[str] = []
    for category in (0, 1, mechanism.inputs - 1):
        draw = [*command, "draw", str(category), str(_DRAWN)]
        found += subprocess.run(draw, cwd=folder, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    return found


@few_rows(1)
@pytest.mark.parametrize("language", _COMMANDS)
@few_rows(2)
@pytest.mark.parametrize("name", NAMES)
def test_count_and_estimate_read_the_reports_of_a_client(name: str, language: str, tmp_path: Path) -> None:
    if shutil.which(_COMMANDS[language][1][0]) is None:
        pytest.skip(f"{language} is not installed")
    mechanism = _mechanism(name)
    reports = _reports(mechanism, language, tmp_path)
    lines = tmp_path / "reports.txt"
    lines.write_text("".join(f"{one}\n" for one in reports))
    counted = count(str(lines), mechanism)
    assert counted.n == 3 * _DRAWN == len(reports)
    table = tmp_path / "reports.csv"
    table.write_text("".join(f"{one}\n" for one in ["report", *reports]))
    for found in (
        rropt_fieldwork.TableResponses("report", mechanism, data=str(table)).estimate(),
        estimate_counts(counted),
    ):
        frame = found.to_frame()
        errors = frame["se" if "se" in frame else "standard_error"]
        for category, (share, error) in enumerate(zip(frame["estimate"], errors, strict=True)):
            truth = 1 / 3 if category in (0, 1, mechanism.inputs - 1) else 0
            assert abs(share - truth) <= _FAR * max(error, _LEAST), (category, share, error)


@few_rows(1)
@pytest.mark.parametrize("name", ["subset:5,2,3/4", "subset:4,3,7/8", "optimal:12,3/2", "grr:4,1/2"])
def test_what_randomize_writes_is_read_with_names_of_the_categories(name: str, cli, tmp_path: Path) -> None:
    mechanism = _mechanism(name)
    file = tmp_path / "mechanism.json"
    file.write_text(mechanism.to_json())
    names = [chr(ord("a") + j) for j in range(mechanism.inputs)]
    truth, written = tmp_path / "truth.csv", tmp_path / "written.csv"
    truth.write_text("x\n" + "".join(f"{names[i % 2]}\n" for i in range(_DRAWN)))
    how = ["--column", "x", "--categories", ",".join(names), "--mechanism", str(file)]
    status, _, err = cli("randomize", str(truth), *how, "--output", str(written))
    assert status == 0, err
    lines = written.read_text().split("\n")[1:-1]
    assert len(lines) == _DRAWN
    assert all(set(line.split("&")) <= set(names) for line in lines)
    status, out, err = cli("estimate", str(written), *how)
    assert status == 0, err
    assert all(f"({one})" in out or re.search(rf"^{one} +{_DRAWN} ", out, re.MULTILINE) for one in names)


def test_a_set_that_is_no_report_is_refused_with_an_example(tmp_path: Path) -> None:
    lines = tmp_path / "reports.txt"
    for text in ("3", "0&0", "0&5", "0&1&2", "a&b", "0,1"):
        lines.write_text(f"0&1\n{text}\n")
        with pytest.raises(FileFormatError, match=r"line 2 of the responses is no set .*for example 0&1"):
            count(str(lines), named_mechanism("subset:5,2,3/4"))
    lines.write_text("1&0\n4 2\n")
    assert count(str(lines), named_mechanism("subset:5,2,3/4")).counts == (1, 0, 0, 0, 0, 0, 0, 0, 1, 0)


def test_weights_and_names_of_the_categories_go_together(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("x,w\n" + "a&b,1\nb&c,2\nd&e,1\na&e,1\n" * 50)
    found = (
        rropt_fieldwork.TableResponses(
            "x", "subset:5,2,3/4", data=rropt_fieldwork.read(str(table)).sampled(weights="w"), categories=list("abcde")
        )
        .estimate()
        .to_frame()
    )
    assert [str(name).removeprefix("x: ") for name in found["category"]] == list("abcde")
