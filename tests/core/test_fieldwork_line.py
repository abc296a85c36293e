"""The line between the engine, ``rropt``, and fieldwork, ``rropt_fieldwork``.

The engine never imports fieldwork: a contract of ``make lint``, and here a search for its name. Fieldwork imports the
names that ``rropt`` lists, and the modules that the architecture page opens to packages. The file
``fieldwork_imports.txt`` lists the other modules of the engine that it imports today; it may shrink, and never grows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rropt

ROOT = Path(__file__).resolve().parents[2]
ENGINE, FIELDWORK = ROOT / "rropt", ROOT / "fieldwork" / "rropt_fieldwork"
PAGE = (ROOT / "docs" / "developers" / "architecture.md").read_text("utf-8").partition("## Engine and fieldwork")[2]
LEFT = Path(__file__).with_name("fieldwork_imports.txt")
# What a user of the engine reads: messages and docstrings name what reads files, and import nothing.
NAMED = re.compile(r"import rropt_fieldwork|from rropt_fieldwork|import_module\([^)]*rropt_fieldwork")


def _opened() -> list[str]:
    """Return the modules that the page opens; a star stands for all below."""
    rows = re.findall(r"^\| open[^|]*\|(.*)\|$", PAGE, re.MULTILINE)
    return [f"rropt.{name}" for row in rows for name in re.findall(r"`([\w.*]+)`", row)]


OPEN = _opened()


def _is_open(name: str) -> bool:
    return any(name == one.removesuffix(".*") or (one[-1] == "*" and name.startswith(one[:-1])) for one in OPEN)


def _module(name: str) -> bool:
    """Return whether a name of the engine is a module."""
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def _imports(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield each module of the engine that a file of a folder imports, with the name that is no module."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "rropt":
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    yield (whole, "") if _module(whole) else (str(node.module), alias.name)
            elif isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "rropt")


def closed(folder: Path) -> set[str]:
    """Return the modules of the engine that a folder imports although they are not open."""
    return {module for module, _ in _imports(folder) if module != "rropt" and not _is_open(module)}


def test_the_engine_names_no_module_of_fieldwork() -> None:
    found = [path.name for path in ENGINE.rglob("*.py") if NAMED.search(path.read_text("utf-8"))]
    assert found == [], "the engine finds fieldwork through entry points"


def test_fieldwork_imports_what_is_open() -> None:
    """Another import is one of the list of those that are left; none of the list is needless."""
    left = LEFT.read_text("utf-8").split()
    assert left == sorted(set(left))
    assert closed(FIELDWORK) - set(left) == set(), "open them on the architecture page, by design, or import others"
    assert set(left) - closed(FIELDWORK) == set(), "nobody of fieldwork imports these now: take them out of the list"


def test_fieldwork_imports_public_names_of_open_packages() -> None:
    """Of ``rropt`` itself what it lists, and of a package its public names: what stands below is its own."""
    wrong = []
    for module, name in _imports(FIELDWORK):
        folder = ROOT / module.replace(".", "/")
        public = getattr(__import__(module, fromlist=["__all__"]), "__all__", None) if folder.is_dir() else None
        if name and public and name not in public:
            wrong.append(f"{module}.{name}")
    assert wrong == []


def test_every_open_module_exists() -> None:
    assert len(OPEN) >= 30
    assert [name for name in OPEN if not _module(name.removesuffix(".*"))] == []


@pytest.mark.parametrize("text", ["from rropt.designs.engine import rays", "def f():\n    import rropt.claims.runner"])
def test_another_import_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "planted.py").write_text(text)
    assert len(closed(tmp_path)) == 1


def test_no_name_stands_in_both() -> None:
    import rropt_fieldwork

    assert not {*rropt.__all__} & {*rropt_fieldwork.__all__}
