"""One name for one thing: a name of modules or classes that stands twice has its reason in ``benchmarks/names.py``."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import rropt
import rropt_fieldwork

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


def _with_the_name_of_a_module(folder: Path) -> list[str]:
    """Return the names that a package offers and a module of it has too: Python replaces one by the other."""
    found = []
    for page in sorted(folder.rglob("__init__.py")):
        lines = re.findall(r"^ *from (\S+) import \w+ as (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        offered = {name for module, name in lines if "." in module}  # others offer the module itself: rropt.design
        here = {path.stem for path in page.parent.iterdir() if path.suffix == ".py" or path.is_dir()}
        found += [f"{page.parent.name}.{name}" for name in sorted(offered & here)]
    return found


def test_no_offered_name_is_that_of_a_module(tmp_path: Path) -> None:
    """After ``rropt.optimality`` the name ``rropt.designs.optimality`` was the module in which it is defined."""
    assert _with_the_name_of_a_module(Path(rropt.__file__).parent) == []
    assert _with_the_name_of_a_module(Path(rropt_fieldwork.__file__).parent) == []
    (tmp_path / "__init__.py").write_text("if TYPE_CHECKING:\n    from a.fault import fault as fault\n")
    (tmp_path / "fault.py").touch()
    assert _with_the_name_of_a_module(tmp_path) == [f"{tmp_path.name}.fault"]
    code = "import rropt; rropt.optimality; import rropt.designs; print(callable(rropt.designs.optimality))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"
