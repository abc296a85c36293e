"""The line between the engine and fieldwork: what reads files of people becomes ``rropt_fieldwork``.

The architecture page lists the rooms that move and the modules that are open to packages. ``fieldwork_imports.txt``
lists the other modules of the engine that the rooms import today; the list may shrink, and never grows.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "developers" / "architecture.md").read_text("utf-8").partition("## Engine and fieldwork")[2]
LEFT = Path(__file__).with_name("fieldwork_imports.txt")
# Modules of the engine that name rooms that move: names of `rropt`, and what stays to be turned round.
NAMING = {"rropt", "rropt.cli.level_curves", "rropt.cli.plot", "rropt.reports"}


def _listed(title: str) -> list[str]:
    """Return the modules of rows of the page; a star stands for all below."""
    rows = re.findall(rf"^\| {title}[^|]*\|(.*)\|$", PAGE, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([\w.*]+)`", row)]


def _is_of(name: str, listed: list[str]) -> bool:
    """Return whether a module is listed, or is below one that is listed with a star."""
    return any(name == one.removesuffix(".*") or (one[-1] == "*" and name.startswith(one[:-1])) for one in listed)


@cache
def _imports() -> dict[str, set[str]]:
    """Return the modules below rropt that each module imports, without that name."""
    files = {path: path.relative_to(ROOT).with_suffix("").parts for path in (ROOT / "rropt").rglob("*.py")}
    names = {path: ".".join(parts[:-1] if parts[-1] == "__init__" else parts) for path, parts in files.items()}
    known, found = set(names.values()), dict[str, set[str]]()
    for path, name in names.items():
        text = path.read_text("utf-8")
        nodes = ast.walk(ast.parse(text)) if "rropt" in text else ()
        given = [node for node in nodes if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rropt")]
        every = [(str(node.module), alias.name) for node in given for alias in node.names]
        found[name] = {full if (full := f"{module}.{each}") in known else module for module, each in every}
    return found


MOVING = [f"rropt.{name}" for name in _listed("moves")]
OPEN = [f"rropt.{name}" for name in _listed("open")]


def test_the_engine_imports_nothing_of_fieldwork() -> None:
    assert len(MOVING) >= 15
    for module, names in _imports().items():
        if not _is_of(module, MOVING) and module not in NAMING:
            wrong = sorted(name for name in names if _is_of(name, MOVING))
            assert not wrong, f"{module} is of the engine, and imports {', '.join(wrong)}, which move to fieldwork"


def test_fieldwork_imports_what_is_open() -> None:
    """Another import is one of the list of those that are left; none of the list is needless."""
    left = LEFT.read_text("utf-8").split()
    assert left == sorted(set(left))
    used = {name for module, names in _imports().items() if _is_of(module, MOVING) for name in names}
    closed = {name for name in used if not _is_of(name, [*MOVING, *OPEN]) and name != "rropt"}
    assert closed - set(left) == set(), "open them on the architecture page, by design, or import something open"
    assert set(left) - closed == set(), "nobody of fieldwork imports these now: take them out of the list"


def test_every_listed_module_exists() -> None:
    for name in (*MOVING, *OPEN):
        path = ROOT / name.removesuffix(".*").replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file(), f"{name} is not there"
