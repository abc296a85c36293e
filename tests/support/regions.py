"""Regions of privacy by distance between ordered categories, and with rational levels of every form."""

from __future__ import annotations

from typing import Literal

from rropt.privacy import LevelsRegion, Region


def by_distance(inputs: int, epsilon: object, *, outputs: int | Literal["any"] | None = None) -> LevelsRegion:
    """Return the region with the level ``abs(j - l) epsilon`` for each pair of inputs, by default with k outputs."""
    m = inputs if outputs is None else outputs
    return LevelsRegion.by_distance(epsilon, distance=lambda j, other: abs(j - other), inputs=inputs, outputs=m)


def rational_regions() -> list[Region]:
    """Return regions of three categories with rational gamma, of every form of levels."""
    path = [(0, 1), (1, 0), (1, 2), (2, 1)]
    return [
        LevelsRegion([("log(2)", "1/10"), ("log(5)", "1/20")], inputs=3),
        LevelsRegion([("log(2)", "1/10"), ("log(4)", 0)], inputs=3),
        LevelsRegion([("log(3)", "1/5", path), ("log(2)", "1/4", [(0, 2)])], inputs=3),
        LevelsRegion([(0, "1/3"), ("log(3)", "1/50")], inputs=3),
        LevelsRegion([("log(3)", 0, path)], inputs=3),
        by_distance(3, "log(2)", outputs="any"),
        LevelsRegion.by_pair([[None, "log(2)", None], [None, None, "log(3)"], ["log(5)", None, None]], outputs="any"),
    ]
