"""The short run, drawn cases and tests over cases; neither tests nor commands import what they do not use."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import draws
import pytest
import stress
from every_case import every_case

import rropt

TESTS = Path(__file__).parents[1]
ROOT = Path(rropt.__file__).parent
HEAVY = {"cvxpy", "duckdb", "ibis", "matplotlib", "openpyxl", "pandas", "polars", "pyarrow", "scipy", "z3"}


@pytest.mark.parametrize("listed", ["quick.txt", "long_cases.txt", "drawn_cases.txt"])
def test_the_list_names_tests_that_are_there(listed: str) -> None:
    """`make quick` runs those of the first; a case that is not found has no share."""
    texts: dict[str, str] = {}
    for line in (TESTS / listed).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, _, name = re.sub(r"^[\d.]+ (\d+ )?|\[.*", "", line).partition("::")
            if file not in texts:
                texts[file] = (TESTS / file).read_text(encoding="utf-8")
            assert not name or f"\ndef {name}(" in texts[file], f"tests/{listed}: {line} is not there"


def test_what_decides_verdicts_is_drawn_often() -> None:
    for line in (TESTS / "drawn_cases.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            seconds, share, place = line.split(" ", 2)
            largest = 3 if float(seconds) <= 0.5 else 6
            assert int(share) <= largest or not place.startswith(("adversary/", "checker/")), line


def test_what_takes_long_is_listed_with_its_mean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(TESTS))
    draw_cases = importlib.import_module("draw_cases")
    monkeypatch.setattr(draw_cases, "TESTS", tmp_path)
    (tmp_path / "drawn_cases.txt").write_text(
        "# remarks\n0.4 9 b/test_x.py::test_listed[1]\n0.3 10 b/test_x.py::test_known\n"
    )
    (tmp_path / "long_cases.txt").write_text("3.0 b/test_x.py::test_exception\n")
    seconds = {"test_table[1]": 0.1, "test_table[2]": 0.5, "test_quick": 0.02, "test_listed[1]": 5, "test_exception": 3}
    seconds |= {"test_known[1]": 1.1, "test_known[2]": 1.3, "test_known[3]": 0.9}  # 4 times the mean of its test is 1.2
    rows = [("b.test_x", *each) for each in seconds.items()] + [("checker.test_y", "test_z", 2)]
    rows += [("b.test_small_parts", "test_of_a_formula", 0.5)]
    cases = "".join(
        f'<testcase classname="{file}" name="{name}"><properties>'
        f'<property name="seconds" value="{spent}"/></properties></testcase>'
        for file, name, spent in rows
    )
    report = tmp_path / "report.xml"
    report.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    draw_cases.main(report)
    assert (tmp_path / "drawn_cases.txt").read_text().splitlines() == [
        "# remarks",
        "0.3 10 b/test_x.py::test_known",
        "1.3 80 b/test_x.py::test_known[2]",
        "0.4 9 b/test_x.py::test_listed[1]",
        "0.3 30 b/test_x.py::test_table",
        "2 6 checker/test_y.py::test_z",
    ]


def test_the_sources_choose_what_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One case in a share, rounded up; after enough changes of the sources every case has been drawn."""
    names = {i: f"test_table[{i}]" for i in range(100)}
    chosen = draws.drawn(names, 3)
    assert len(chosen) == 34
    assert chosen == draws.drawn(dict(reversed(names.items())), 3)
    assert draws.drawn(names, 1) == set(names)
    assert draws.drawn({}, 3) == set()
    few = [draws.drawn({i: names[i] for i in range(3)}, 12, None, f"test_costly_{n}") for n in range(400)]
    assert max(map(len, few)) == 1
    assert 60 <= sum(map(len, few)) <= 140  # a quarter; the standard deviation is 9
    seen = set()
    for checksum in range(50):
        monkeypatch.setattr(draws, "sources", lambda checksum=checksum: checksum)
        seen |= draws.drawn(names, 3)
    assert seen == set(names)


def test_a_change_of_the_file_of_tests_draws_other_cases(tmp_path: Path) -> None:
    names = {i: f"test_table[{i}]" for i in range(100)}
    files = [tmp_path / f"test_{i}.py" for i in range(40)]
    for i, file in enumerate(files):
        file.write_text(f"# {i}\n", encoding="utf-8")
    chosen = [frozenset(draws.drawn(names, 3, file)) for file in files]
    assert len(set(chosen)) > len(files) // 8  # some are equal: CRC-32 of names and of short files is linear
    assert set().union(*chosen) == set(names)
    assert draws.drawn(names, 3, files[0]) == chosen[0]


def test_a_test_over_cases_fails_at_the_first_case_that_fails() -> None:
    called: list[tuple[str, int, str]] = []

    @every_case("n", [1, 2])
    @every_case(("text", "limit"), [("a", 3), ("b", 2), ("c", 1)])
    def below(text: str, limit: int, n: int) -> None:
        called.append((text, limit, n))
        if text == "a":
            pytest.skip("a case that is left out")
        assert n < limit

    with pytest.raises(AssertionError) as caught:
        below()
    assert called == [("a", 3, 1), ("b", 2, 1), ("c", 1, 1)]
    assert caught.value.__notes__ == ["in the case text = 'c', limit = 1", "in the case n = 1"]


def test_a_test_over_cases_is_skipped_if_all_are() -> None:
    @every_case("text", ["a", "b"])
    def absent(text: str) -> None:
        pytest.skip(f"{text} is not installed")

    with pytest.raises(pytest.skip.Exception, match="b is not installed"):
        absent()


def test_only_1_asks_for_the_full_size() -> None:
    asked = [value for value in ("0", "", "1", "2", "true") if stress.is_full_size({"RROPT_STRESS": value})]
    assert asked == ["1"]
    assert not stress.is_full_size({})


def _imported(body: list[ast.stmt]) -> Iterator[str]:
    """Yield what a file imports when it is itself imported."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        elif isinstance(node, ast.Try | ast.With) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node)
        ):
            yield from _imported(node.body)


@pytest.mark.parametrize("folder", ["tests", "rropt"])
def test_no_file_imports_what_is_heavy_when_it_is_imported(folder: str) -> None:
    """A test file names it through ``later``; the library imports it inside the function that uses it.

    CVXPY, SciPy and their like take 0.2 s and more, each; collection imports every test file. The posings in CVXPY are
    imported when a problem is posed.
    """
    root = TESTS if folder == "tests" else ROOT
    files = sorted(root.rglob("*.py"))
    assert len(files) >= 200
    line = re.compile(rf"^\s*(?:from|import)\b.*\b(?:{'|'.join(HEAVY)})\b", re.MULTILINE)
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    found = [
        f"{file.relative_to(root)} imports {name}"
        for file, text in texts.items()
        if line.search(text)  # to parse a file takes long
        and ROOT / "convex" not in file.parents
        for name in _imported(ast.parse(text).body)
        if name.split(".")[0] in HEAVY
    ]
    assert found == []


def test_no_function_of_the_library_imports_numpy() -> None:
    """A module that may run without NumPy takes the lazy one of ``core.lazy``, at its head."""
    files = sorted(ROOT.rglob("*.py"))
    assert len(files) >= 200
    line = re.compile(r"^\s+(import numpy|from numpy\b.* import)", re.MULTILINE)
    found = [
        f"{file.relative_to(ROOT)}: {function.name}"
        for file in files
        if line.search(text := file.read_text(encoding="utf-8"))
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        for name in _imported(function.body)
        if name.split(".")[0] == "numpy"
    ]
    assert found == []


# A command, what it must not have imported at its end, and what it uses: it may have imported that.
COMMANDS: dict[str, tuple[list[str], set[str]]] = {
    "help": (["--help"], {"rich"}),
    "mechanisms": (["design", "list"], {"rich", "flint"}),
    "privacy": (["privacy", "forced:2/3,1/6,1/6"], {"rich"}),
    "check": (["check", "certificate.json"], {"rich"}),
    "estimate": (
        ["estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6"],
        {"rich", "flint", "numpy", "scipy"},
    ),
    "report": (
        ["report", "estimate.json", "--output", "survey.html"],
        # a picture loads the package of all pictures; SymPy: parts of pages are those on claims
        {"rich", "flint", "numpy", "scipy", "matplotlib", "highspy", "mpmath", "sympy"},
    ),
    "bound": (["privacy", "--criterion", "--upper", "sqrt(p)", "--fast"], {"rich", "flint"}),
    "deal": (["sheet", "--deal", "--deck", "8,8,16", "--output", "cards.csv"], {"rich", "flint", "numpy", "scipy"}),
    "laplace": (["laplace", "--epsilon", "1/2", "--release", "831"], {"rich", "flint", "numpy"}),
    "estimate of a file": (
        ["estimate", "survey.csv", "--columns", "sick", "--by", "region", "--mechanism", "warner:3/4"],
        {"rich", "flint", "numpy", "scipy", "duckdb"},
    ),
    "estimate of a sample": (
        ["estimate", "survey.csv", "--columns", "sick", "--strata", "region", "--mechanism", "warner:3/4"],
        {"rich", "flint", "numpy", "scipy", "duckdb"},
    ),
}
LIBRARIES = HEAVY | {"flint", "highspy", "joblib", "mpmath", "numpy", "rich", "sqlglot", "sympy"}
RUN = """
import contextlib, io, json, sys
from rropt.cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    try:
        status = main(json.loads(sys.argv[1]))
    except SystemExit as leaving:
        status = leaving.code
print(json.dumps([status or 0, sorted(sys.modules)]))
"""


@pytest.mark.drawn(8)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_imports_what_it_uses(name: str, tmp_path: Path) -> None:
    """At its end no library is loaded that it does not use; ``scipy.stats`` alone takes half a second and 60 MB."""
    (tmp_path / "survey.csv").write_text("sick,region\n" + "0,A\n1,A\n1,B\n0,B\n" * 5, encoding="utf-8")
    if name == "check":
        solution = rropt.solve(rropt.designs.binary_problem(epsilon="log(2)", prevalence="1/4"), fast=True)
        solution.certificate.save(tmp_path / "certificate.json")
    if name == "report":
        arguments = ["estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6", "--json"]
        made = subprocess.run([sys.executable, "-m", "rropt.cli.main", *arguments], capture_output=True, check=True)
        (tmp_path / "estimate.json").write_bytes(made.stdout)
    command, used = COMMANDS[name]
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(command)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    status, modules = json.loads(done.stdout)
    assert status == 0, done.stderr
    assert ({each.split(".")[0] for each in modules} & LIBRARIES) - used == set()
    assert "cvxpy" in used or "scipy.stats" not in modules, "CVXPY imports it"
    assert name not in ("help", "privacy") or "importlib.metadata" not in modules, "the version is not printed"
