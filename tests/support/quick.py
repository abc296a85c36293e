"""The short run of the tests, ``make quick``: what stands in ``quick.txt``, and the packages that it must reach.

A line of the list is a file of tests or one test, below ``tests/``. A line that names a package as well is its witness:
that test must call a function of the package, which ``tests/conftest.py`` looks at whenever the test runs.

``python support/quick.py`` prints what is run, for pytest. Python's standard library only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

LIST = Path(__file__).parents[1] / "quick.txt"


def entries() -> list[tuple[str, str]]:
    """Return the lines of the list: what is run, and the package of which it is the witness or nothing."""
    lines = [line.split("#")[0].split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    return [(words[0], words[1] if len(words) > 1 else "") for words in lines if words]


@cache
def witnesses() -> dict[str, set[str]]:
    """Return, for each test that is a witness, the packages that it must reach."""
    found: dict[str, set[str]] = {}
    for node, package in entries():
        if package:
            found.setdefault(node, set()).add(package)
    return found


def packages(root: Path) -> set[str]:
    """Return the names of a package and of all packages below it that hold code of their own."""
    folders = [root, *sorted(file.parent for file in root.rglob("__init__.py") if file.parent != root)]
    own = [folder for folder in folders if any(file.name != "__init__.py" for file in folder.glob("*.py"))]
    return {_name(root, folder) for folder in [root, *own]}


def _name(root: Path, folder: Path) -> str:
    return ".".join([root.name, *folder.relative_to(root).parts])


@contextmanager
def reached(root: Path) -> Iterator[set[str]]:
    """Yield the packages below a folder of which functions are called meanwhile; importing a module is no call."""
    found: set[str] = set()
    known: dict[str, str | None] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name == "<module>":
            return
        name = code.co_filename
        if name not in known:
            file = Path(name)
            known[name] = _name(root, file.parent) if file.is_relative_to(root) else None
        package = known[name]
        if package is not None:
            found.add(package)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield found
    finally:
        sys.setprofile(before)


if __name__ == "__main__":
    print("\n".join(dict.fromkeys(node for node, _ in entries())))
