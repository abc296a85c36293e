"""Files of results: what commands wrote is loaded and reported, and nothing else."""

from __future__ import annotations

import json
import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from few_rows import few_rows

import rropt
import rropt_fieldwork
from rropt.core.results import Result
from rropt.reports.records import RESULTS, known_results

Cli = Callable[..., tuple[int, str, str]]

ASKED = {"command": "estimate", "versions": {"rropt": "0.1.0"}}
WRITTEN_ESTIMATE = json.loads(rropt.inference.estimate("warner:3/4", [3, 7]).to_json())
FOREIGN: dict[str, Any] = {
    "object": {"hello": "world"},
    "package": {"name": "left-pad", "version": "1.0.0", "dependencies": {}},
    "list": [1, 2, 3],
    "text": "estimate",
    "null": None,
    "empty": {},
    "no-name": {key: value for key, value in WRITTEN_ESTIMATE.items() if key != "result"},
    "name-is-a-list": {**WRITTEN_ESTIMATE, "result": ["Estimate"]},
    "other-name": {**WRITTEN_ESTIMATE, "result": "Regression"},
    "name-of-a-module": {**WRITTEN_ESTIMATE, "result": "os"},
    "part-missing": {key: value for key, value in WRITTEN_ESTIMATE.items() if key != "mechanism"},
    "changed": {**WRITTEN_ESTIMATE, "prevalence": "1/2"},
    "unknown-key": {**WRITTEN_ESTIMATE, "hello": "world"},
    "beside-is-a-text": {**WRITTEN_ESTIMATE, "beside": "hello"},
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
    assert err.startswith("rropt: ")


WRITTEN = {
    "estimate": ("estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6"),
    "all intervals": ("estimate", "--yes", "0", "--n", "3", "--mechanism", "warner:3/4", "--explain"),
    "several": ("estimate", "--counts", "50,30,18,2", "--mechanism", "bits:3/4*2", "--marginals", "1"),
    "privacy": ("privacy", "warner:3/4"),
    "bound": ("privacy", "--level", "factor:3"),
    "compare": ("compare", "warner:3/4", "warner:2/3"),
    "admissible": ("compare", "--admissible", "warner:3/4"),
    "repair": ("repair", "warner:3/4", "--epsilon", "1"),
    "noncompliance": ("noncompliance", "--yes", "8", "--n", "24", "--mechanism", "warner:3/4", "--theta", "0.05"),
    "plan": ("plan", "margin", "5%", "--mechanism", "warner:3/4"),
    "strata": ("plan", "strata", "0.9:0.1,0.1:0.5", "--mechanism", "warner:3/4", "--n", "1000"),
    "deal": ("sheet", "--deal", "--deck", "8,8,16"),
    "laplace": ("laplace", "--epsilon", "1/2"),
    "design": ("design", "binary", "--epsilon", "log(2)", "--prevalence", "1/10"),
}


@few_rows(9)
@pytest.mark.parametrize("name", WRITTEN)
def test_answers_of_commands_are_shown(cli: Cli, tmp_path: Path, name: str) -> None:
    path, page = tmp_path / "a.json", tmp_path / "page.html"
    path.write_text(cli(*WRITTEN[name], "--json")[1])
    assert cli("report", str(path), "--output", str(page))[0] == 0
    assert f"command</th><td>{WRITTEN[name][0]}" in page.read_text()


@pytest.mark.parametrize("name", WRITTEN)
def test_results_of_commands_are_loaded(cli: Cli, tmp_path: Path, name: str) -> None:
    """The class is the named one, and the loaded result writes what the command wrote."""
    data = json.loads(cli(*WRITTEN[name], "--json")[1])
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data))
    found = rropt.load(path)
    assert type(found).__name__ == data["result"]
    again = json.loads(found.to_json())
    kept = {key for key in again if key not in data.get("beside", [])}
    assert {key: again[key] for key in kept} == {key: data.get(key) for key in kept}


def test_every_result_has_its_name() -> None:
    """Each public class of a result is found by its name, in the module that the table gives."""
    for name, home in known_results().items():
        assert issubclass(getattr(import_module(home), name), Result), name
    assert len(known_results()) > len(RESULTS)
    every = [*pkgutil.walk_packages(rropt.__path__, "rropt.")]
    for found in (*every, *pkgutil.walk_packages(rropt_fieldwork.__path__, "rropt_fieldwork.")):
        if found.name.split(".")[1] not in ("checker", "cli", "claims", "core"):
            import_module(found.name)
    # parts of others
    nested = {"SamplingDesign", "FormulaDesign", "Factor", "Term", "BinomialSample", "Attained", "EstimateRow"}
    nested.add("KaryDesign")
    assert {kind.__name__ for kind in _kinds(Result)} - nested <= known_results().keys()


def _kinds(base: type) -> Iterator[type]:
    for kind in base.__subclasses__():
        home = sys.modules.get(kind.__module__)
        own = kind.__module__.startswith(("rropt.", "rropt_fieldwork.")) and not kind.__module__.startswith(
            ("rropt.core", "rropt.claims")
        )
        if own and getattr(home, kind.__qualname__, None) is kind:  # a class with slots has a first draft
            yield kind
        yield from _kinds(kind)


OTHER_FILES = {
    "survey.csv": b"q1,region\n0,secret place\n1,secret place\n",
    "survey.parquet": b"PAR1\xff\xfe\x00secret place",
    "plain.json": b"secret place",
    "cut.json": b'{"secret place": "1/2", ',
    "lines.jsonl": b'{"q1": "secret place"}\n{"q1": 1}\n',
    "twice.json": b'{"n": 1, "n": 2, "q": "secret place"}',
}


@pytest.mark.parametrize("name", OTHER_FILES)
@pytest.mark.parametrize("command", [("report", "--output", "page.html"), ("plot", "groups", "--output", "page.svg")])
def test_files_that_are_no_json_get_one_clear_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: tuple[str, ...]
) -> None:
    """The message names the file and what is expected, and does not repeat what the file holds."""
    monkeypatch.chdir(tmp_path)
    path = Path(name)
    path.write_bytes(OTHER_FILES[name])
    status, out, err = cli(*command, str(path))
    assert (status, out, err.count("\n"), Path(command[-1]).exists()) == (2, "", 1, False)
    assert name in err
    assert "secret place" not in err
    if name != "twice.json":
        assert "allowed is what a command printed with --json, or a mechanism or certificate that it wrote" in err
    assert ("rropt estimate DATA --json" in err) == (name in ("survey.csv", "survey.parquet", "plain.json"))
    assert ("damaged JSON" in err) == (name in ("cut.json", "lines.jsonl"))
    if name == "survey.csv":
        assert "secret place" not in cli("design", "problem", name)[2]
