"""The package as a whole: what importing it loads, its layers, its front page, and its doctests."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import rropt
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
    # what a first script needs, beside the functions of commands; `Survey` is `rropt survey`, and `family` is
    # `rropt design family`
    names = {"Mechanism", "Problem", "RroptError", "Survey", "__version__", "audit_privacy", "load", "log", "solve"}
    names |= {"family", "parity_bound", "optimality", "Estimates", "Replicates", "Responses", "Sample", "every_level"}
    assert set(beside) == names
    for name in rropt.__all__:
        assert getattr(rropt, name) is not None
    rooms = {"audits", "survey", "accounting", "designs", "privacy", "objectives", "mechanisms", "plots", "claims"}
    assert set(rropt.__all__) | rooms <= set(dir(rropt))
    with pytest.raises(AttributeError, match="no attribute") as caught:
        rropt.desing  # noqa: B018  # the attribute access is what is tested
    assert (caught.value.name, caught.value.obj) == ("desing", rropt)  # Python then prints "Did you mean: 'design'?"
    public = [name for name in rropt.__all__ if not name.startswith("__")]
    assert all(getattr(rropt, name).__doc__ for name in public)


EXAMPLES = {
    path: text.count(">>> ")
    for path in sorted(Path(rropt.__file__).parent.rglob("*.py"))
    if ">>> " in (text := path.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("room", sorted({path.relative_to(Path(rropt.__file__).parent).parts[0] for path in EXAMPLES}))
def test_doctests(room: str) -> None:
    """Every doctest of a room."""
    own = [path for path in EXAMPLES if path.relative_to(Path(rropt.__file__).parent).parts[0] == room]
    for name in rropt.__all__:  # what is loaded belongs to the package, and doctest then runs its examples too
        getattr(rropt, name)
    for path in own:
        name = ".".join(path.relative_to(Path(rropt.__file__).parents[1]).with_suffix("").parts)
        result = doctest.testmod(import_module(name.removesuffix(".__init__")))
        assert result.failed == 0, name
        assert result.attempted > 0, name


def test_no_doctest_disappears_unseen() -> None:
    assert sum(EXAMPLES.values()) >= 500
