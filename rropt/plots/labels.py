"""Labels of curves and points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rropt.plots.picture_layout import EM, INCH

if TYPE_CHECKING:
    from rropt.plots.picture_layout import PictureLayout

_PLACES = sorted((i / 40 for i in range(4, 37)), key=lambda place: abs(place - 0.5))  # along a curve, its middle first
_CLEAR = 0.65  # of the font size: from the middle of a label to other curves
_APART = 1.2  # of the font size: between the middles of two labels
_EVEN = 300  # points along a curve that are looked at
_LEAST = 3  # points of a curve within the frame that carry a label
_CLOSE = 2.0  # of the font size: points nearer than that share a label
_AWAY = 0.7  # of the font size: from a point to its label


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve and its label.

    Attributes:
        x, y: data coordinates along the curve.
        text: the label; empty for no label.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    text: str


def label_curves(sheet: PictureLayout, curves: Sequence[Curve]) -> list[str]:
    """Write each label on its curve, away from other curves and labels; return the labels for which there is no room.

    Args:
        sheet: the sheet, whose axes have their final limits.
        curves: all curves of the axes.
    """
    sheet.fit()
    em = sheet.style.size.font * sheet.figure.dpi / INCH
    dots = sheet.axes.transData.transform
    paths = [_even(dots(visible(sheet, curve))) for curve in curves]
    taken = np.empty((0, 2))
    left_out = []
    for i, curve in enumerate(curves):
        if not curve.text or len(paths[i]) < _LEAST:
            continue
        path = max((_even(dots(piece)) for piece in _pieces(sheet, curve)), key=_length)
        width = len(curve.text) * EM * em
        others = np.concatenate([np.empty((0, 2)), *paths[:i], *paths[i + 1 :]])
        for place in _PLACES if len(path) >= _LEAST and _length(path) > width else ():
            k = min(max(1, round(place * len(path))), len(path) - 2)
            along = path[k + 1] - path[k - 1]
            label = path[k] + np.linspace(-0.5, 0.5, 5)[:, None] * width * along / math.hypot(*along)
            if _distance(label, others) > _CLEAR * em and _distance(label, taken) > _APART * em:
                taken = np.concatenate([taken, label])
                _write(sheet, curve.text, path[k], math.degrees(math.atan2(along[1], along[0])))
                break
        else:
            left_out.append(curve.text)
    return left_out


def _even(path: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return equally spaced points along a path."""
    if len(path) < _LEAST:
        return path
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    even = np.linspace(0.0, length[-1], _EVEN)
    return np.column_stack([np.interp(even, length, part) for part in path.T])


def _length(path: NDArray[np.float64]) -> float:
    return float(np.hypot(*np.diff(path, axis=0).T).sum())


def _distance(points: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    """Return the smallest distance between two sets of points; infinite if one is empty."""
    if not len(others):
        return math.inf
    return float(np.min(np.hypot(*np.moveaxis(points[:, None] - others[None], 2, 0))))


def _write(sheet: PictureLayout, text: str, dot: NDArray[np.float64], angle: float) -> None:
    """Write a label on a curve, never upside down."""
    sheet.axes.text(
        *sheet.axes.transData.inverted().transform(dot),
        text,
        fontsize=sheet.style.size.font,
        rotation=angle - 180 * round(angle / 180),
        rotation_mode="anchor",
        ha="center",
        va="center",
        bbox={"boxstyle": "square,pad=0.12", "facecolor": "white", "edgecolor": "none"},
        zorder=6,
    )


def is_visible(sheet: PictureLayout, curve: Curve) -> bool:
    """Return whether a curve passes through the frame."""
    return len(visible(sheet, curve)) >= _LEAST


def visible(sheet: PictureLayout, curve: Curve) -> NDArray[np.float64]:
    """Return the points of a curve within the frame."""
    return np.concatenate([np.empty((0, 2)), *_pieces(sheet, curve)])


def _pieces(sheet: PictureLayout, curve: Curve) -> list[NDArray[np.float64]]:
    """Return the pieces of a curve within the frame; a label is placed on one piece."""
    (left, right), (low, high) = sheet.axes.get_xlim(), sheet.axes.get_ylim()
    inside = (curve.x >= left) & (curve.x <= right) & (curve.y >= low) & (curve.y <= high)
    places = np.flatnonzero(inside)
    points = np.column_stack([curve.x[places], curve.y[places]])
    return np.split(points, np.flatnonzero(np.diff(places) > 1) + 1)


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A label next to a point.

    Attributes:
        x, y: data coordinates of the point.
        text: the label.
        towards: the direction of the label in degrees.
    """

    x: float
    y: float
    text: str
    towards: float


def label_points(sheet: PictureLayout, labels: Sequence[PointLabel]) -> None:
    """Write labels next to their points; points too close to be distinguished share one label of several lines."""
    sheet.fit()
    dots = sheet.axes.transData.transform
    near = _CLOSE * sheet.style.size.font * sheet.figure.dpi / INCH
    shared: list[PointLabel] = []
    for label in labels:
        for i, other in enumerate(shared):
            if math.dist(dots((label.x, label.y)), dots((other.x, other.y))) < near:
                shared[i] = replace(other, text=f"{other.text}\n{label.text}")
                break
        else:
            shared.append(label)
    for label in shared:
        ray = (math.cos(math.radians(label.towards)), math.sin(math.radians(label.towards)))
        sheet.axes.annotate(
            label.text,
            (label.x, label.y),
            xytext=tuple(_AWAY * sheet.style.size.font * part for part in ray),
            textcoords="offset points",
            fontsize=sheet.style.size.font,
            ha=_side(ray[0], "left", "right"),
            va=_side(ray[1], "bottom", "top"),
            annotation_clip=False,
            zorder=8,
        )


def _side(part: float, forward: str, back: str) -> str:
    return "center" if abs(part) < 0.3 else forward if part > 0 else back
