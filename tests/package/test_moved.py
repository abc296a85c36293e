"""Old module paths lead to the new modules, with a warning that gives the new name."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

import rropt
from rropt.core.moved import MODULES, NAMES, new_path

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("old", sorted(MODULES))
def test_an_old_path_leads_to_the_new_module(old: str) -> None:
    sys.modules.pop(old, None)
    new = importlib.import_module(MODULES[old])
    with pytest.warns(DeprecationWarning, match=re.escape(f"{old} has moved to {MODULES[old]}")):
        module = importlib.import_module(old)
    public = [name for name in vars(new) if not name.startswith("_")]
    assert all(getattr(module, name) is getattr(new, name) for name in public)


def test_names_that_left_their_module() -> None:
    points = 0
    for old, names in NAMES.items():
        for name, home in names.items():
            if new_path(old) is not None:
                sys.modules.pop(old, None)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                found = getattr(importlib.import_module(old), name)
            assert any(old in str(warning.message) for warning in caught)
            assert found is getattr(importlib.import_module(home), name)
            points += 1
    assert points >= 40


@pytest.mark.parametrize(
    "lines",
    [
        "import rropt, rropt.report; rropt.estimation",
        "import rropt.report; from rropt.reports import dashboard",
        "from rropt.solvers.nothing import x",
        "from rropt.estimation import nothing",
    ],
)
def test_what_never_existed_is_an_error(lines: str) -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", lines], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"(AttributeError|ImportError|ModuleNotFoundError)", done.stderr)


@pytest.mark.parametrize("lines", ["import rropt.sampling; import rropt", "import rropt; import rropt.sampling"])
def test_an_old_path_does_not_rebind_a_name(lines: str) -> None:
    """Importing ``rropt.problem`` or ``rropt.report`` leaves the names of the front door alone, in both orders."""
    script = f"{lines}; import rropt.solvers.repairs; assert callable(rropt.repair); assert callable(rropt.solve)"
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True)


@pytest.mark.parametrize(
    "old",
    [
        "rropt.claims.verify",
        "rropt.mechanisms.clients.export",
        "rropt.mechanisms.question_levels",
        "rropt.privacy.bound.parity_bound",
        "rropt.privacy.breach_regions.attainable_odds",
        "rropt.reports.claims_page",
        "rropt.reports.design_page",
        "rropt.survey.audits.audit",
    ],
)
def test_an_old_path_does_not_hide_a_function_of_its_package(old: str) -> None:
    """``rropt.claims.verify`` is a function, and was a module too."""
    package, _, name = old.rpartition(".")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        importlib.import_module(old)
    assert not isinstance(getattr(importlib.import_module(package), name), ModuleType)


def test_the_library_uses_no_old_path() -> None:
    files = [file for top in ("rropt", "proofs", "examples", "benchmarks") for file in (ROOT / top).rglob("*.py")]
    found = {}
    for file in files:
        if file.name == "moved.py":
            continue
        text = file.read_text(encoding="utf-8")
        paths = set(re.findall(r"^\s*(?:from|import) (rropt\.[\w.]+)", text, re.MULTILINE))
        if old := {path for path in paths if new_path(path) is not None}:
            found[str(file)] = old
    assert found == {}
    assert len(files) > 500
    assert rropt.__name__ == "rropt"
