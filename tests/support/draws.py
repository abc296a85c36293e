"""Which cases of a large table a run judges: the content of the sources chooses, so that each change draws others.

Claims of the registry are drawn by their ids (proofs/shared_outcomes.py), cases of a test by ``pytest.mark.drawn``
(conftest.py). At full size (RROPT_STRESS=1) all are judged.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

Case = TypeVar("Case", bound=Hashable)
PACKAGES = ("rropt", "rropt_proofs")


@cache
def sources() -> int:
    """Return a checksum of the library and of the registry."""
    found = 0
    for package in PACKAGES:
        spec = find_spec(package)
        for folder in (spec and spec.submodule_search_locations) or ():
            for file in sorted(Path(folder).rglob("*.py")):
                found = zlib.crc32(file.read_bytes(), found)
    return found


def number_of(name: str) -> int:
    """Return a number that a name and the sources decide."""
    return zlib.crc32(name.encode(), sources())


def drawn(cases: Mapping[Case, str], share: int) -> set[Case]:
    """Return one case in ``share``, rounded up: those whose names have the least numbers."""
    ranked = sorted(cases, key=lambda case: number_of(cases[case]))
    return set(ranked[: -(-len(ranked) // share)])
