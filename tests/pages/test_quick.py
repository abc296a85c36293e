"""The short run, slow rows and tests over cases; neither tests nor commands import what they do not use."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import stress
from every_case import every_case
from few_rows import few_rows

import rropt

TESTS = Path(__file__).parents[1]
ROOT = Path(rropt.__file__).parent
HEAVY = {"cvxpy", "duckdb", "ibis", "matplotlib", "openpyxl", "pandas", "polars", "pyarrow", "scipy", "z3"}


def test_the_short_run_names_tests_that_are_there() -> None:
    texts: dict[str, str] = {}
    for line in (TESTS / "quick.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, _, name = line.partition("::")
            if file not in texts:
                texts[file] = (TESTS / file).read_text(encoding="utf-8")
            assert not name or f"\ndef {name}(" in texts[file], f"tests/quick.txt: {line} is not there"


def _slow(test: Callable[..., None]) -> list[list[str]]:
    """Return the rows of each table of a test, those that are slow in brackets."""
    return [
        [f"[{row.values[0]}]" if row.marks else f"{row.values[0]}" for row in mark.args[1] if hasattr(row, "values")]
        for mark in test.pytestmark  # type: ignore[attr-defined]
    ]


def test_few_rows_are_spread_evenly_and_the_others_are_slow() -> None:
    @few_rows(2)
    @pytest.mark.parametrize("n", [pytest.param(0, marks=pytest.mark.slow), *range(1, 6)])
    @few_rows(1)
    @pytest.mark.parametrize(("text", "pair"), [("a", (1, 2)), ("b", (3, 4))])
    @few_rows(1)
    @pytest.mark.parametrize("pair", [(1, 2), (3, 4)])
    def of_three_tables() -> None:
        pass

    assert _slow(of_three_tables) == [["(1, 2)", "[(3, 4)]"], ["a", "[b]"], ["[0]", "1", "[2]", "3", "[4]", "[5]"]]
    with pytest.raises(AssertionError, match="2 of 2 rows"):
        few_rows(2)(of_three_tables)


def test_every_run_has_the_same_tests() -> None:
    """Nothing decides about a test but its mark ``slow``: no other mark of our own, and no hook of pytest."""
    for file in TESTS.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        marks = set(re.findall(r"pytest\.mark\.(\w+)", text))
        assert marks <= {"filterwarnings", "parametrize", "skipif", "slow", "usefixtures"}, file
        assert file.name != "conftest.py" or "def pytest_collection" not in text, file


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


@few_rows(1)
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
        and file != ROOT / "sklearn.py"  # who imports a classifier of scikit-learn has loaded SciPy
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
    "help": (["--help"], set()),
    "mechanisms": (["design", "list"], {"flint"}),
    "privacy": (["privacy", "forced:2/3,1/6,1/6"], set()),
    "check": (["check", "certificate.json"], set()),
    "estimate": (
        ["estimate", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6"],
        {"flint", "numpy", "scipy"},
    ),
    "report": (
        ["report", "estimate.json", "--output", "survey.html"],
        # a picture loads the package of all pictures; SymPy: parts of pages are those on claims
        {"flint", "numpy", "scipy", "matplotlib", "highspy", "mpmath", "sympy"},
    ),
    "bound": (["privacy", "--level", "curve:sqrt(p)", "--fast"], {"flint"}),
    "deal": (["sheet", "--deal", "--deck", "8,8,16", "--output", "cards.csv"], {"flint", "numpy", "scipy"}),
    "laplace": (["laplace", "--epsilon", "1/2", "--release", "831"], {"flint", "numpy"}),
    "estimate of a file": (
        ["estimate", "survey.csv", "--columns", "sick", "--by", "region", "--mechanism", "warner:3/4"],
        {"flint", "numpy", "scipy", "duckdb"},
    ),
    "estimate of a sample": (
        ["estimate", "survey.csv", "--columns", "sick", "--strata", "region", "--mechanism", "warner:3/4"],
        {"flint", "numpy", "scipy", "duckdb"},
    ),
}
LIBRARIES = HEAVY | {"flint", "highspy", "joblib", "mpmath", "numpy", "sqlglot", "sympy"}
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


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_imports_what_it_uses(name: str, tmp_path: Path) -> None:
    """At its end no library is loaded that it does not use; ``scipy.stats`` alone takes half a second and 60 MB."""
    (tmp_path / "survey.csv").write_text("sick,region\n" + "0,A\n1,A\n1,B\n0,B\n" * 5, encoding="utf-8")
    if name == "check":
        solution = rropt.solve(rropt.Problem.binary("1/4", epsilon="log(2)"), fast=True)
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
    assert name != "privacy" or "importlib.metadata" not in modules, "no version and no other package is asked for"
