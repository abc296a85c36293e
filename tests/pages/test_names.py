"""One name for one thing: a name of modules or classes that stands twice has its reason in ``benchmarks/names.py``."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "names.py"


@pytest.fixture(scope="module")
def names() -> ModuleType:
    spec = importlib.util.spec_from_file_location("names_that_stand_twice", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_name_that_stands_twice_has_its_reason(names: ModuleType) -> None:
    found = names.twice()
    assert {name: places for name, places in found.items() if name not in names.REASONS} == {}
    assert names.REASONS.keys() - found.keys() == set(), "reasons that nothing needs any more"


def test_doubles_are_seen(names: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A module, a package and a class that stand twice are found; a twin of the same place is not."""
    for file, text in {
        "rropt/drawing.py": "class Design: ...\nclass _Own: ...\n",
        "rropt/plots/drawing.py": "class Design: ...\nclass _Own: ...\n",
        "rropt/plots/__init__.py": "",
        "fieldwork/rropt_fieldwork/plots.py": "",
        "rropt/objectives/trace.py": "",
        "rropt/symbolic/objectives/trace.py": "class Goal: ...\n",
        "rropt/convex/objectives/trace.py": "class Goal: ...\n",
        "rropt/convex/series.py": "",
        "fieldwork/rropt_fieldwork/series.py": "",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.setattr(names, "ROOT", tmp_path)
    assert set(names.twice()) == {"drawing", "Design", "plots", "series"}
