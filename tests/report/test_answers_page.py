"""The page of answers: what commands wrote, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rropt.cli.main import COMMANDS
from rropt.reports.results_page import KEYS

Cli = Callable[..., tuple[int, str, str]]

ASKED = {"command": "estimate", "versions": {"rropt": "0.1.0"}}
FOREIGN: dict[str, Any] = {
    "object": {"hello": "world"},
    "package": {"name": "left-pad", "version": "1.0.0", "dependencies": {}},
    "list": [1, 2, 3],
    "text": "estimate",
    "null": None,
    "empty": {},
    "no-question": {"estimate": "1/2", "n": 10},
    "question-is-text": {"estimate": "1/2", "n": 10, "question": "how many?"},
    "no-command": {"estimate": "1/2", "n": 10, "question": {"versions": {"rropt": "1"}}},
    "no-version": {"estimate": "1/2", "n": 10, "question": {"command": "estimate"}},
    "other-command": {"estimate": "1/2", "n": 10, "question": {**ASKED, "command": "rm"}},
    "nothing-found": {"question": ASKED},
    "other-keys": {"hello": "world", "question": ASKED},
    "error": {"error": "no such file", "kind": "FileAccessError", "question": ASKED},
    "no-mechanism": {"matrix": [["1", "1"], ["1", "1"]]},
    "other-format": {"format": "other/1", "problem": {}},
}


@pytest.mark.parametrize("name", FOREIGN)
def test_json_that_no_command_wrote_is_refused(cli: Cli, tmp_path: Path, name: str) -> None:
    path, page = tmp_path / "a.json", tmp_path / "page.html"
    path.write_text(json.dumps(FOREIGN[name]))
    status, out, err = cli("report", str(path), "--output", str(page))
    assert (status, out, err.count("\n"), page.exists()) == (2, "", 1, False)
    assert "allowed is what a command printed with --json" in err or "run the command again" in err


WRITTEN = {
    "estimate": ("estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6"),
    "several": ("estimate", "--counts", "50,30,18,2", "--mechanism", "bits:3/4*2", "--marginals", "1"),
    "privacy": ("privacy", "warner:3/4"),
    "bound": ("bound", "--beta", "3"),
    "compare": ("compare", "warner:3/4", "warner:2/3"),
    "admissible": ("admissible", "warner:3/4"),
    "repair": ("repair", "warner:3/4", "--epsilon", "1"),
    "mechanisms": ("mechanisms",),
    "noncompliance": ("noncompliance", "--yes", "8", "--n", "24", "--mechanism", "warner:3/4", "--theta", "0.05"),
    "plan": ("plan", "--mechanism", "warner:3/4", "--margin", "5%"),
    "strata": ("plan", "--mechanism", "warner:3/4", "--strata", "0.9:0.1,0.1:0.5", "--n", "1000"),
    "deal": ("deal", "--deck", "8,8,16"),
    "laplace": ("laplace", "--epsilon", "1/2"),
    "design": ("design", "binary", "--epsilon", "log(2)", "--prevalence", "1/10"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_answers_of_commands_are_shown(cli: Cli, tmp_path: Path, name: str) -> None:
    path, page = tmp_path / "a.json", tmp_path / "page.html"
    path.write_text(cli(*WRITTEN[name], "--json")[1])
    assert cli("report", str(path), "--output", str(page))[0] == 0
    assert f"command</th><td>{WRITTEN[name][0]}" in page.read_text()


def test_all_commands_that_answer_are_known() -> None:
    assert set(KEYS) == set(COMMANDS) - {"report"}


OTHER_FILES = {
    "survey.csv": b"q1,region\n0,secret place\n1,secret place\n",
    "survey.parquet": b"PAR1\xff\xfe\x00secret place",
    "plain.json": b"secret place",
    "cut.json": b'{"secret place": "1/2", ',
    "lines.jsonl": b'{"q1": "secret place"}\n{"q1": 1}\n',
    "twice.json": b'{"n": 1, "n": 2, "q": "secret place"}',
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_files_that_are_no_json_get_one_clear_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The message names the file and what is expected, and does not repeat what the file holds."""
    monkeypatch.chdir(tmp_path)
    path, page = Path(name), Path("page.html")
    path.write_bytes(OTHER_FILES[name])
    status, out, err = cli("report", str(path), "--output", str(page))
    assert (status, out, err.count("\n"), page.exists()) == (2, "", 1, False)
    assert name in err
    assert "secret place" not in err
    if name != "twice.json":
        assert "rropt report expects JSON: what a command printed with --json, or a mechanism or certificate" in err
    assert ("rropt estimate DATA --json" in err) == (name in ("survey.csv", "survey.parquet", "plain.json"))
    assert ("damaged JSON" in err) == (name in ("cut.json", "lines.jsonl"))
