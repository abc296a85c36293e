"""Mixtures of rays: what holds of each of them, by its tangent, holds of the row that they are mixed to."""

from __future__ import annotations

from typing import Any

from rropt.claims import Point


def _inputs(point: Point) -> range:
    return range(len(point["case"]["p"]))


def mixtures(point: Point) -> Any:
    """The row, of its rays."""
    for j in _inputs(point):
        yield [(("case", "c", s), ("case", "rays", s, j)) for s in _inputs(point)], ("case", "p", j)
