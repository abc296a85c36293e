"""Regions of privacy by distance between ordered categories."""

from __future__ import annotations

from typing import Literal

from rropt.privacy import LevelsRegion


def by_distance(inputs: int, epsilon: object, *, outputs: int | Literal["any"] | None = None) -> LevelsRegion:
    """Return the region with the level ``abs(j - l) epsilon`` for each pair of inputs, by default with k outputs."""
    m = inputs if outputs is None else outputs
    return LevelsRegion.by_distance(epsilon, distance=lambda j, other: abs(j - other), inputs=inputs, outputs=m)
