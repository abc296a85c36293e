"""The line between the engine, ``rropt``, and fieldwork, ``rropt_fieldwork``.

The engine never imports fieldwork: a contract of ``make lint``, and here a search for its name. Fieldwork imports the
names that ``rropt`` lists, and the modules that the architecture page opens to packages, each for a reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import rropt

ROOT = Path(__file__).resolve().parents[2]
ENGINE, FIELDWORK = ROOT / "rropt", ROOT / "fieldwork" / "rropt_fieldwork"
PAGE = (ROOT / "docs" / "developers" / "architecture.md").read_text("utf-8").partition("## Engine and fieldwork")[2]
TABLE = PAGE.partition("| open |")[2].partition("\n\n")[0]
PAGES = [*(ROOT / "docs").rglob("*.md")]  # their examples are what packages of others do
# What a user of the engine reads: messages and docstrings name what reads files, and import nothing.
NAMED = re.compile(r"import rropt_fieldwork|from rropt_fieldwork|import_module\([^)]*rropt_fieldwork")


def _rows(table: str) -> list[tuple[list[str], str]]:
    """Return the modules that each row of a table opens, and why; a star stands for all below."""
    rows = re.findall(r"^\|[^|]+\|([^|]+)\|([^|]*)\|$", table, re.MULTILINE)
    found = [([f"rropt.{name}" for name in re.findall(r"`([\w.*]+)`", cell)], why.strip()) for cell, why in rows]
    return [(names, why) for names, why in found if names]


ROWS = _rows(TABLE)
OPEN = [name for names, _ in ROWS for name in names]


def _is_below(name: str, one: str) -> bool:
    """Return whether a name is an open module, or below one that has a star."""
    return name == one.removesuffix(".*") or (one[-1] == "*" and name.startswith(one[:-1]))


def _is_open(name: str) -> bool:
    return any(_is_below(name, one) for one in OPEN)


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


def naming(folder: Path) -> list[str]:
    """Return the files of a folder that import fieldwork."""
    return [path.name for path in folder.rglob("*.py") if NAMED.search(path.read_text("utf-8"))]


def needless(opened: Iterable[str]) -> list[str]:
    """Return the open modules that neither fieldwork nor an example of the pages imports."""
    examples = "\n".join(path.read_text("utf-8") for path in PAGES)
    used = {module for module, _ in _imports(FIELDWORK)} | {*re.findall(r"(?:from|import) (rropt\.[\w.]+)", examples)}
    return [one for one in opened if not any(_is_below(module, one) for module in used)]


def test_the_engine_names_no_module_of_fieldwork() -> None:
    assert naming(ENGINE) == [], "the engine finds fieldwork through entry points"


def test_fieldwork_imports_what_is_open() -> None:
    assert closed(FIELDWORK) == set(), "open it on the architecture page, by design, or import a public name"


def test_every_open_module_has_a_reason_and_a_use() -> None:
    assert len(OPEN) == len(set(OPEN)) >= 40
    assert [name for name in OPEN if not _module(name.removesuffix(".*"))] == []
    assert len(ROWS) >= 10
    assert min(len(why) for _, why in ROWS) >= 20
    assert needless(OPEN) == []


def test_fieldwork_imports_public_names_of_open_packages() -> None:
    """Of ``rropt`` itself what it lists, and of a package its public names: what stands below is its own."""
    wrong = []
    for module, name in _imports(FIELDWORK):
        folder = ROOT / module.replace(".", "/")
        public = getattr(__import__(module, fromlist=["__all__"]), "__all__", None) if folder.is_dir() else None
        if name and public and name not in public:
            wrong.append(f"{module}.{name}")
    assert wrong == []


PLANTED = [
    "from rropt.designs.engine import rays",
    "def f():\n    import rropt.claims.runner",
    "import rropt.estimates.asking",
]


@pytest.mark.parametrize("text", PLANTED)
def test_another_import_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "planted.py").write_text(text)
    assert len(closed(tmp_path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from rropt_fieldwork import read",
        "def f():\n    import rropt_fieldwork.reading.table",
        'import_module("rropt_fieldwork")',
    ],
)
def test_an_import_of_fieldwork_is_found(tmp_path: Path, text: str) -> None:
    (tmp_path / "planted.py").write_text(text)
    assert naming(tmp_path) == ["planted.py"]


@pytest.mark.slow
def test_a_needless_row_is_found() -> None:
    ((names, _),) = _rows("| more | `designs.engine`, `core.*` | nobody asks for it |")
    assert names == ["rropt.designs.engine", "rropt.core.*"]
    assert needless(names) == ["rropt.designs.engine"]


def test_no_name_stands_in_both() -> None:
    import rropt_fieldwork

    assert not {*rropt.__all__} & {*rropt_fieldwork.__all__}
