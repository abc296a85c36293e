"""Weakened checkers: copies of the checker's folder in which one condition is dropped or made weaker.

A condition that no file needs is not tested. For each one a copy without it is made, and some file that the checker
rejects must be accepted by the copy: then the file, the condition and its test belong together.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import rropt.checker


class Weakening(NamedTuple):
    """A condition of FORMAT.md and the change of the checker's text that drops or weakens it."""

    file: str  # below the checker's folder
    old: str  # stands there once
    new: str
    drops: str


@contextmanager
def weakened(weakening: Weakening, place: Path) -> Iterator[Callable[[str], Any]]:
    """Yield ``check_text`` of a copy of the checker, made below an empty directory, that has the change."""
    folder = place / "weakened_checker"
    # bytecode is copied along, with the times that make it valid: only the changed file is compiled
    ignored = shutil.ignore_patterns("*.md", "*.jsonl")
    shutil.copytree(Path(rropt.checker.__file__).parent, folder, ignore=ignored)
    changed = folder / weakening.file
    text = changed.read_text(encoding="utf-8")
    assert text.count(weakening.old) == 1, f"{weakening.drops}: the text stands {text.count(weakening.old)} times"
    changed.write_text(text.replace(weakening.old, weakening.new), encoding="utf-8")
    try:
        yield _loaded(folder).check_text
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == folder.name]:
            del sys.modules[name]
        shutil.rmtree(folder)


def _loaded(folder: Path) -> Any:
    """Import a folder as a package that knows no other folder: its imports are relative.

    The invariants, which every verdict must meet, would hide what a weakened statement lacks: they are off.
    """
    spec = importlib.util.spec_from_file_location(
        folder.name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[folder.name] = package
    spec.loader.exec_module(package)
    importlib.import_module(f"{folder.name}.verdicts").require_possible = lambda *_: None
    return package


def survivors(weakenings: Sequence[Weakening], texts: Sequence[str], place: Path) -> list[Weakening]:
    """Return the weakenings that accept none of the files, all of which the checker rejects."""
    for text in texts:
        assert not rropt.checker.check_text(text), f"the checker accepts a file that is meant to be false: {text}"
    found = []
    for weakening in weakenings:
        with weakened(weakening, place) as check:
            if not any(check(text) for text in texts):
                found.append(weakening)
    return found
