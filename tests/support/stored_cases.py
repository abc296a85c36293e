"""Tables of cases that are data: those of ``test_x.py`` are in ``test_x.toml`` beside it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def cases_of(file: str) -> dict[str, Any]:
    """Return the tables that are stored beside a test file, ``cases_of(__file__)``."""
    return tomllib.loads(Path(file).with_suffix(".toml").read_text(encoding="utf-8"))
