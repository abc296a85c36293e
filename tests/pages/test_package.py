"""The packages as a whole: what importing them loads, their front pages, and their doctests."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rropt
import rropt_fieldwork
from rropt.cli.installed import installed_commands
from rropt.cli.parser import WORDS

ROOT = Path(__file__).resolve().parents[2]


def _fresh(code: str) -> str:
    """Run code in a fresh interpreter, outside of the checkout."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd="/")
    return done.stdout


def test_tests_run_against_the_installed_package() -> None:
    """Not against the checkout that lies around; for development an editable install may be that checkout."""
    if os.environ.get("CI") != "true":
        pytest.skip("not in CI: an editable install is allowed")
    assert Path(rropt.__file__).resolve().parent != ROOT / "rropt"


def test_importing_rropt_loads_nothing_heavy() -> None:
    loaded = json.loads(_fresh("import sys, json, rropt; print(json.dumps(sorted(sys.modules)))"))
    heavy = {"numpy", "scipy", "sympy", "cvxpy", "flint", "highspy", "matplotlib"}
    assert not heavy & set(loaded)
    assert "rropt" in loaded


def test_importing_the_engine_loads_nothing_of_fieldwork() -> None:
    """Nor does any of its modules; `rropt_fieldwork` itself loads nothing heavy."""
    code = (
        "import sys, rropt, rropt.cli.main as m, contextlib, io\n"
        "for name in rropt.__all__: getattr(rropt, name)\n"
        "with contextlib.redirect_stdout(io.StringIO()): m.main(['privacy', 'warner:3/4'])\n"
        "print([name for name in sys.modules if name.startswith('rropt_fieldwork')])\n"
        "import rropt_fieldwork\n"
        "print([name for name in ('duckdb', 'pandas', 'pyarrow', 'openpyxl') if name in sys.modules])"
    )
    assert _fresh(code).split("\n")[:2] == ["[]", "[]"]


def test_front_page_of_fieldwork() -> None:
    commands = {name for group in installed_commands().values() for name in group}
    named = {"audit", "count", "export", "report", "sheet", "Survey", "compare_designs"}
    assert commands <= {*(name.lower() for name in rropt_fieldwork.__all__), "cost", "device", "randomize"}
    assert named <= {*rropt_fieldwork.__all__}
    assert not {*rropt_fieldwork.__all__} & {*rropt.__all__}
    assert all(getattr(rropt_fieldwork, name).__doc__ for name in rropt_fieldwork.__all__)


def test_solving_exactly_loads_no_solver() -> None:
    code = (
        "import sys, rropt; p = rropt.Problem.binary('1/4', epsilon='log(2)');"
        "rropt.solve(p, routes=['closed-form', 'exact'], fast=True);"
        "print([m for m in ('cvxpy', 'sympy', 'scipy', 'highspy') if m in sys.modules])"
    )
    assert _fresh(code).strip() == "[]"


def test_front_page() -> None:
    commands = {name for group in WORDS["commands"].values() for name in group}
    beside = [name for name in rropt.__all__ if name.replace("_", "-") not in commands]
    # what a first script needs, beside the functions of commands; `family` is `rropt design family`, and
    # `rropt randomize` is a command of fieldwork
    names = {"Mechanism", "Problem", "RroptError", "__version__", "audit_privacy", "load", "log", "solve"}
    names |= {"family", "parity_bound", "optimality", "Estimates", "Replicates", "Responses", "Sample", "every_level"}
    names |= {"randomize"}
    assert set(beside) == names
    for name in rropt.__all__:
        assert getattr(rropt, name) is not None
    rooms = {
        "estimates",
        "inference",
        "noncompliance",
        "plans",
        "accounting",
        "designs",
        "privacy",
        "objectives",
        "mechanisms",
        "plots",
        "claims",
    }
    assert set(rropt.__all__) | rooms <= set(dir(rropt))
    with pytest.raises(AttributeError, match="no attribute") as caught:
        rropt.desing  # noqa: B018  # the attribute access is what is tested
    assert (caught.value.name, caught.value.obj) == ("desing", rropt)  # Python then prints "Did you mean: 'design'?"
    public = [name for name in rropt.__all__ if not name.startswith("__")]
    assert all(getattr(rropt, name).__doc__ for name in public)


FOLDERS = [Path(package.__file__).parent for package in (rropt, rropt_fieldwork)]
EXAMPLES = {
    path: text.count(">>> ")
    for folder in FOLDERS
    for path in sorted(folder.rglob("*.py"))
    if ">>> " in (text := path.read_text(encoding="utf-8"))
}


def _module(path: Path) -> str:
    """Return the name of the module of a file."""
    (folder,) = (each for each in FOLDERS if each in path.parents)
    return ".".join(path.relative_to(folder.parent).with_suffix("").parts).removesuffix(".__init__")


def _room(path: Path) -> str:
    return ".".join(_module(path).split(".")[:2])


@pytest.mark.parametrize("room", sorted({_room(path) for path in EXAMPLES}))
def test_doctests(room: str) -> None:
    """Every doctest of a room."""
    for package in (rropt, rropt_fieldwork):
        for name in package.__all__:  # what is loaded belongs to the package, and doctest then runs its examples too
            getattr(package, name)
    for path in EXAMPLES:
        if _room(path) == room:
            result = doctest.testmod(import_module(_module(path)))
            assert result.failed == 0, _module(path)
            assert result.attempted > 0, _module(path)


def test_no_doctest_disappears_unseen() -> None:
    assert sum(EXAMPLES.values()) >= 500


def test_docstrings_are_read_without_their_indentation() -> None:
    """Python 3.13 takes it off and older ones do not: a text that is looked for in a raw docstring is not in both."""
    raw = re.compile(r"(?<!cleandoc)\((?:\w+\.)?\w+\.__doc__ or")
    assert raw.search('(read.__doc__ or "").split("    >>>")')
    files = [file for folder in ("rropt", "fieldwork", "proofs") for file in (ROOT / folder).rglob("*.py")]
    assert not [str(file) for file in files if raw.search(file.read_text(encoding="utf-8"))]
