"""Which cases of a large table a run judges: the content of the sources chooses, so that each change draws others.

Claims of the registry are drawn by their ids (registry/shared_outcomes.py), cases of a test by ``pytest.mark.drawn``
(conftest.py), entries of a list inside a test by ``part``. At full size (RROPT_STRESS=1) all are judged.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from stress import STRESS

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


@cache
def sources_with(file: Path) -> int:
    """Return a checksum of the library, of the registry and of a file of tests."""
    return zlib.crc32(file.read_bytes(), sources())


def number_of(name: str, file: Path | None = None) -> int:
    """Return a number that a name and the sources decide, with those of a file of tests if one is given."""
    return zlib.crc32(name.encode(), sources() if file is None else sources_with(file))


def drawn(cases: Mapping[Case, str], share: int, file: Path | None = None, test: str | None = None) -> set[Case]:
    """Return one case in ``share``: those whose names have the least numbers.

    Args:
        cases: the cases of a table, each with its name.
        share: one case in how many is returned.
        file: the file of tests with the table: a change of it draws other cases as well.
        test: a test with costly cases: its name decides whether the count is rounded up or down, so that few cases
            are not in each run. Without it the count is rounded up.
    """
    ranked = sorted(cases, key=lambda case: number_of(cases[case], file))
    added = share - 1 if test is None else number_of(test, file) % share
    return set(ranked[: (len(ranked) + added) // share])


def part(cases: Iterable[Any], share: int, name: Callable[[Any], str] = repr) -> list[Any]:
    """Return one entry in ``share`` of a list, in its order; at full size all of them."""
    listed = list(cases)
    if STRESS:
        return listed
    chosen = drawn({i: name(case) for i, case in enumerate(listed)}, share)
    return [case for i, case in enumerate(listed) if i in chosen]
