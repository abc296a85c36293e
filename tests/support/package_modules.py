"""The modules of both packages, which scans of the sources read."""

from __future__ import annotations

from pathlib import Path

import rropt
import rropt_fieldwork

FOLDERS = tuple(Path(package.__file__).resolve().parent for package in (rropt, rropt_fieldwork))


def modules() -> list[Path]:
    """Return the files of all modules, first those of the engine."""
    return [file for folder in FOLDERS for file in sorted(folder.rglob("*.py"))]


def place(file: Path) -> str:
    """Return the file as a scan names it: below ``rropt`` without the package, else with it.

    >>> place(FOLDERS[0] / "core" / "visible.py"), place(FOLDERS[1] / "sheets" / "dealing.py")
    ('core/visible.py', 'rropt_fieldwork/sheets/dealing.py')
    """
    return file.relative_to(FOLDERS[0] if file.is_relative_to(FOLDERS[0]) else FOLDERS[1].parent).as_posix()
