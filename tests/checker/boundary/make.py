"""Writes the boundary suite: ``python -m boundary.make`` from ``tests/checker``. Nothing here asks a checker."""

from __future__ import annotations

from collections.abc import Mapping

from . import (
    blankets,
    blocks,
    compositions,
    concentrated,
    criteria,
    designs,
    divergences,
    estimates,
    files,
    frequencies,
    intervals,
    lattices,
    linear,
    merging,
    orders,
    patterns,
    polynomials,
    rays,
    shuffles,
    traces,
)
from .book import FOLDER, Suite

PARTS = (
    files,
    designs,
    intervals,
    linear,
    patterns,
    merging,
    rays,
    criteria,
    orders,
    polynomials,
    estimates,
    blocks,
    compositions,
    lattices,
    frequencies,
    shuffles,
    blankets,
    concentrated,
    traces,
    divergences,
)


def suite(decided: Mapping[str, bool | None] | None = None) -> Suite:
    """Return the whole suite. The oracle is not asked about the cases in ``decided``."""
    made = Suite(decided=decided or {})
    for part in PARTS:
        part.add_to(made)
    return made


def main() -> None:
    """Write both files."""
    for name, content in suite().files():
        (FOLDER / name).write_text(content, encoding="utf-8")
        print(name, len(content.splitlines()), "lines", len(content), "characters")


if __name__ == "__main__":
    main()
