"""Dots of a sheet: where curves and labels are on it, and whether a label's box covers something."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from rropt.plots.sheets import Sheet

MARGIN = 1.15  # of a label's box over its text
_SPACING = 3.0  # dots at 100 dpi between two points of a curve when overlaps are counted


def covered(
    center: NDArray[np.float64], angle: float, box: tuple[float, float], points: NDArray[np.float64], clear: float
) -> int:
    """Return how many points a turned box covers, or has nearer than ``clear`` above or below it."""
    if not len(points):
        return 0
    moved = points - center
    c, s = math.cos(angle), math.sin(angle)
    along, across = moved[:, 0] * c + moved[:, 1] * s, -moved[:, 0] * s + moved[:, 1] * c
    return int(np.sum((abs(along) < box[0] / 2) & (abs(across) < box[1] / 2 + clear)))


def box_points(center: NDArray[np.float64], angle: float, box: tuple[float, float]) -> NDArray[np.float64]:
    """Return points all over a turned box, dense enough that no label fits between them."""
    across = np.linspace(-0.5, 0.5, 5) * box[1]
    along = np.linspace(-0.5, 0.5, max(5, math.ceil(4 * box[0] / box[1]))) * box[0]
    u, v = (part.ravel() for part in np.meshgrid(along, across))
    c, s = math.cos(angle), math.sin(angle)
    points: NDArray[np.float64] = center + np.column_stack([u * c - v * s, u * s + v * c])
    return points


def within(points: NDArray[np.float64], frame: Any, margin: float) -> NDArray[np.bool_]:
    """Return which points lie inside a frame, ``margin`` dots away from it at least."""
    inside: NDArray[np.bool_] = np.array(
        (points[:, 0] >= frame.x0 + margin)
        & (points[:, 0] <= frame.x1 - margin)
        & (points[:, 1] >= frame.y0 + margin)
        & (points[:, 1] <= frame.y1 - margin)
    )
    return inside


def dot_spacing(sheet: Sheet) -> float:
    """Return the distance between two points of a curve, in dots."""
    return _SPACING * sheet.figure.dpi / 100


def dots(sheet: Sheet, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a curve in dots of the sheet, at even distances along it."""
    finite = np.isfinite(x) & np.isfinite(y)
    if not finite.any():
        return np.empty((0, 2))
    points: NDArray[np.float64] = sheet.axes.transData.transform(np.column_stack([x[finite], y[finite]]))
    if len(points) == 1:
        return points
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    even = np.arange(0.0, length[-1], dot_spacing(sheet))
    return np.column_stack([np.interp(even, length, points[:, k]) for k in range(2)])


def disc(sheet: Sheet, dot: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points all over a marker."""
    radius = 2.4 * sheet.style.size.line * sheet.figure.dpi / 72
    return box_points(dot, 0.0, (2 * radius, 2 * radius))


def text_size(sheet: Sheet, text: str) -> tuple[float, float]:
    """Return width and height of a label, of one line or several, in dots."""
    from matplotlib.font_manager import FontProperties

    font = FontProperties(size=sheet.style.size.font)
    lines = [sheet.renderer.get_text_width_height_descent(line, font, ismath=False)[:2] for line in text.split("\n")]
    height = max(height for _, height in lines)
    return max(width for width, _ in lines), height * (1 + 1.2 * (len(lines) - 1))


def path(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the coordinates of points, as a curve through them."""
    return [x for x, _ in points], [y for _, y in points]
