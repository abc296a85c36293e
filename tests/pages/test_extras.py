"""Declared dependencies are those that are imported, and a missing extra is named in one line."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from readme_commands import ENGINE, ENGINE_FILES, ENGINE_RECORDS, SURVEY

import rropt

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
# The distribution of a module that may not be installed here.
ELSEWHERE = {"pyspark": "pyspark", "distributed": "distributed", "backports": "backports.zstd"}
IMPORTING = {"import_module": 0, "Late": 0, "reading_package": 1}  # functions, and which argument names the module


def _names(requirements: list[str]) -> set[str]:
    """Return the names that requirements have: of the packages, and of the extras of packages, as ``ibis[polars]``."""
    found = set()
    for text in requirements:
        name, extra = re.match(r"([\w.-]+)(?:\[([\w,.-]+)\])?", text).groups()
        found |= {name.lower(), *(extra or "").split(",")} - {""}
    return found


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each module that a file imports at run time, with its line."""
    for node in ast.iter_child_nodes(tree):
        stack = [node]
        while stack:
            each = stack.pop()
            if isinstance(each, ast.If) and "TYPE_CHECKING" in ast.unparse(each.test):
                stack += each.orelse
            elif isinstance(each, ast.Call) and getattr(each.func, "id", "") in IMPORTING:
                named = each.args[IMPORTING[each.func.id]]
                if isinstance(named, ast.Constant):
                    yield str(named.value).split(".")[0], each.lineno
            elif isinstance(each, ast.Import):
                yield from ((alias.name.split(".")[0], each.lineno) for alias in each.names)
            elif isinstance(each, ast.ImportFrom) and each.level == 0:
                yield (each.module or "").split(".")[0], each.lineno
            else:
                stack += ast.iter_child_nodes(each)


@cache
def _third_party() -> dict[str, list[str]]:
    """Return where the library and the registry import each package that is neither Python's nor their own."""
    found: dict[str, list[str]] = {}
    own = sys.stdlib_module_names | {"compression", "rropt", "rropt_fieldwork", "rropt_proofs"}
    by_name = re.compile("|".join(IMPORTING))
    for folder in (ROOT / "rropt", ROOT / "fieldwork", ROOT / "proofs"):
        for file in folder.rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if set(re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE)) <= own and not by_name.search(text):
                continue  # to parse a file takes long
            for name, line in _imports(ast.parse(text)):
                if name not in own:
                    found.setdefault(name, []).append(f"{file.relative_to(ROOT)}:{line}")
    return found


def test_what_is_imported_is_declared() -> None:
    distributions = packages_distributions()
    declared = _names(PROJECT["dependencies"]).union(*map(_names, EXTRAS.values()))
    found = _third_party()
    assert len(found) >= 10
    for name, places in found.items():
        owners = {owner.lower() for owner in distributions.get(name, [ELSEWHERE.get(name, name)])}
        assert owners & declared, f"{name} is not declared in pyproject.toml: {places[:3]}"


def test_an_import_of_an_extra_stands_where_it_is_used() -> None:
    """Inside a function, in the few files that name the extra where it is missing."""
    core = _names(PROJECT["dependencies"])
    distributions = packages_distributions()
    for name, places in _third_party().items():
        owners = {owner.lower() for owner in distributions.get(name, [ELSEWHERE.get(name, name)])}
        if owners & core:
            continue
        files = {place.rpartition(":")[0] for place in places}
        are_many = len(files) > 2 and name not in ("matplotlib", "duckdb", "pyarrow")
        assert not are_many, f"{name} is imported in many places: {sorted(files)}"
        for file in files:
            body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
            top = [ast.unparse(node).split() for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
            assert all(name not in words for words in top), f"{file} imports {name} when it is itself imported"


def test_what_is_declared_is_needed() -> None:
    distributions = packages_distributions()
    owners = {owner.lower() for name in _third_party() for owner in distributions.get(name, [])}
    assert _names(PROJECT["dependencies"]) <= owners


ESTIMATE = ("--columns", "q", "--mechanism", "warner:3/4")
# An extra, the modules without which it is missing, and a command that needs it.
MISSING: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "plot": (("matplotlib",), ("plot", "respondents", "--margin", "5%", "--prevalence", "10%", "--output", "n.png")),
    "proofs": (("latex2mathml", "latex2mathml.converter"), ("verify", "ziani.theorem-8", "--report", "claims.html")),
    "polars": (("polars",), ("estimate", "survey.csv", *ESTIMATE, "--engine", "polars")),
    "pyspark": (("pyspark",), ("estimate", "survey.csv", *ESTIMATE, "--engine", "pyspark")),
    "cluster": (("distributed",), ("sweep", "grid.toml", "--output", "designs.csv", "--jobs", "local")),
    "fieldwork": (("duckdb",), ("estimate", "survey.csv", *ESTIMATE)),
    "fieldwork of Excel": (("openpyxl",), ("estimate", "survey.xlsx", *ESTIMATE)),
    "fieldwork of SPSS": (("pyreadstat",), ("estimate", "survey.sav", *ESTIMATE)),
    "fieldwork of Feather": (("pyarrow", "pyarrow.dataset"), ("estimate", "survey.feather", *ESTIMATE)),
}


HEAVY = (
    *("duckdb", "ibis", "joblib", "rich", "pandas", "polars", "pyarrow", "matplotlib", "sklearn"),
    *("openpyxl", "pyreadstat", "distributed", "latex2mathml", "backports.zstd"),
)


@pytest.mark.slow  # the gate runs the same in an environment of its own (fresh_install.py)
def test_the_engine_needs_no_extra(tmp_path: Path) -> None:
    """Its commands run where no extra is installed; those that read files of people name the extra in one line."""
    for file, content in ENGINE_FILES.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({HEAVY!r})); import contextlib, io; import rropt.cli.main as m\n"
        "if __name__ == '__main__':\n"
        f"    exec({ENGINE_RECORDS!r})\n"
        f"    for words in {[call.split() for call in ENGINE]!r}:\n"
        "        told = io.StringIO()\n"
        "        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):\n"
        "            status = m.main(words)\n"
        "        print(status, '|', told.getvalue().strip().replace(chr(10), ' / '))\n"
    )
    (tmp_path / "engine.py").write_text(code)
    command = [sys.executable, "engine.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == len(ENGINE), done.stderr
    for (call, extra), line in zip(ENGINE.items(), lines, strict=True):
        status, _, told = line.partition(" | ")
        assert int(status) == (2 if extra else 0), f"{call}: {told}"
        assert not extra or (f"rropt[{extra}]" in told and " / " not in told), f"{call}: {told}"


def _engine_commands() -> set[str]:
    """Return the commands of the engine: of those with subcommands or pictures, each of them."""
    from rropt.cli.plot import _KINDS

    words = json.loads((ROOT / "rropt" / "cli" / "commands.json").read_text(encoding="utf-8"))
    below = {name: list(kinds) for name, kinds in words.items() if name not in ("commands", "moved", "gone")}
    below["plot"] = list(_KINDS)
    names = [name for commands in words["commands"].values() for name in commands]
    return {f"{name} {kind}".strip() for name in names for kind in below.get(name, [""])}


def test_every_command_of_the_engine_has_its_case() -> None:
    """One that succeeds without extras; ``regress`` reads nothing but files of people."""
    commands = _engine_commands()
    assert len(commands) >= 40
    found = {
        " ".join(words[:number])
        for call, extra in ENGINE.items()
        if not extra
        for words in [call.split()]
        for number in (1, 2)
    }
    assert commands - found == {"regress"}
    assert any(call.startswith("regress ") for call in ENGINE)


def test_every_extra_has_its_case() -> None:
    assert {name.partition(" ")[0] for name in MISSING} | {"frames", "engines", "sklearn"} == set(EXTRAS) - {
        "test",
        "all",
        "docs",
    }  # these have no command


@pytest.mark.parametrize("extra", MISSING)
def test_a_missing_extra_is_named_in_one_line(extra: str, cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules, command = MISSING[extra]
    monkeypatch.chdir(tmp_path)
    Path("survey.csv").write_text(SURVEY, encoding="utf-8")
    with zipfile.ZipFile("survey.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "")
    Path("survey.sav").write_bytes(b"$FL2@(#) SPSS DATA FILE" + b"\0" * 60)
    Path("survey.feather").write_bytes(b"ARROW1\0\0" + b"\0" * 60)
    Path("grid.toml").write_text('problem = "binary"\n[grid]\nepsilon = ["log(2)"]\nprevalence = ["1/10"]\n')
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)  # what Python holds of a module that cannot be imported
    before = set(tmp_path.iterdir())
    status, out, err = cli(*command)
    assert status == 2
    assert out == ""
    lines = [line for line in err.splitlines() if line.startswith("rropt: ")]
    assert len(lines) == 1
    assert re.search(rf"pip install ['\"]rropt\[{extra.partition(' ')[0]}\]['\"]", lines[0]), err
    assert set(tmp_path.iterdir()) == before


def test_messages_name_extras_that_exist() -> None:
    named = set()
    for file in [
        *(ROOT / "rropt").rglob("*.py"),
        *(ROOT / "fieldwork").rglob("*.py"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "README.md",
    ]:
        text = file.read_text(encoding="utf-8")
        named |= {name for group in re.findall(r"""["'`](?:rropt|\.)\[([\w,]+)\]""", text) for name in group.split(",")}
    assert named <= set(EXTRAS)
    assert named >= {"plot", "proofs", "cluster", "fieldwork"}


# What a line of a tutorial needs an extra for.
USED = {
    "fieldwork": r"^rropt (?:count|randomize|read|survey)\b|^rropt (?:estimate|regress) \S+\.csv",
    "frames": r"\.to_frame\(",
    "plot": r"\.(?:pdf|png)\b",
    "proofs": r"^rropt verify .*--report",
}


def test_the_set_up_of_the_tutorials_installs_what_they_use() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "tutorials").glob("*.md")}
    (asked,) = re.findall(r"""^pip install "\.\[([\w,]+)\]"$""", pages.pop("index"), re.MULTILINE)
    text = "\n".join(pages.values())
    assert set(asked.split(",")) == {extra for extra, use in USED.items() if re.search(use, text, re.MULTILINE)}


def test_the_version_is_that_of_the_project() -> None:
    if rropt.__version__ == "0":
        pytest.skip("rropt is not installed here: a copied folder has no version")
    assert rropt.__version__ == PROJECT["version"]
