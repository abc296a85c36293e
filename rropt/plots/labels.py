"""Labels that cover nothing: on curves, each along its own, and next to points, without overlap."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rropt.plots.sheets import dot_spacing, dots, text_size

if TYPE_CHECKING:
    from matplotlib.artist import Artist

    from rropt.plots.sheets import Sheet


_CANDIDATES = 60  # places that are tried along a curve
_CURVE_GAP = 0.35  # of the text's height: distance kept from the frame and from other curves


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve and its label.

    Attributes:
        x, y: data coordinates along it.
        text: the label; empty for a curve that is only to be kept clear.
        prefer: where along the visible part the label would best stand, 0 to 1.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    text: str
    prefer: float = 0.5


def label_curves(sheet: Sheet, curves: Sequence[Curve], *, keep_clear: Sequence[tuple[float, float]] = ()) -> list[str]:
    """Write each label on its curve where nothing is covered; return those of visible curves without such a place.

    Args:
        sheet: with axes of final size and limits.
        curves: all curves of the axes.
        keep_clear: marked points (data coordinates) that no label may cover.
    """
    paths = [dots(sheet, curve.x, curve.y) for curve in curves]
    obstacles = [disc(sheet, sheet.axes.transData.transform(point)) for point in keep_clear]
    left_out = []
    for i, curve in enumerate(curves):
        if not curve.text:
            continue
        others = [np.empty((0, 2)), *paths[:i], *paths[i + 1 :], *obstacles]
        place = _best_place(sheet, paths[i], np.concatenate(others), curve)
        if place is None:
            left_out += [curve.text] if is_visible(sheet, curve) else []
            continue
        center, angle, box = place
        x, y = sheet.axes.transData.inverted().transform(center)
        sheet.axes.text(
            x,
            y,
            curve.text,
            fontsize=sheet.style.size.font,
            rotation=math.degrees(angle),
            rotation_mode="anchor",
            ha="center",
            va="center",
            bbox={"boxstyle": "square,pad=0.12", "facecolor": "white", "edgecolor": "none"},
            zorder=6,
        )
        obstacles.append(box_points(center, angle, box))
    return left_out


def is_visible(sheet: Sheet, curve: Curve) -> bool:
    """Return whether a curve passes through the frame."""
    frame = sheet.axes.get_window_extent(sheet.renderer)
    return bool(within(dots(sheet, curve.x, curve.y), frame, 0.0).any())


def _best_place(
    sheet: Sheet, path: NDArray[np.float64], others: NDArray[np.float64], curve: Curve
) -> tuple[NDArray[np.float64], float, tuple[float, float]] | None:
    """Return (center, angle, box) of the free place nearest to where the label would best stand."""
    width, height = text_size(sheet, curve.text)
    box = (width * _MARGIN + height * 0.5, height * _MARGIN)
    frame = sheet.axes.get_window_extent(sheet.renderer)
    inside = path[within(path, frame, 0.0)]
    if len(inside) < 3:
        return None
    order = sorted(np.linspace(0, 1, _CANDIDATES), key=lambda s: abs(s - curve.prefer))
    for s in order:
        i = round(s * (len(inside) - 1))
        reach = max(1, round(box[0] / 2 / dot_spacing(sheet)))
        start, end = inside[max(0, i - reach)], inside[min(len(inside) - 1, i + reach)]
        direction = end - start
        if not direction.any() or np.hypot(*direction) < box[0] * 0.8:
            continue  # too short a piece of curve for the label
        angle = math.atan2(direction[1], direction[0])
        angle -= math.pi * round(angle / math.pi)  # never upside down
        bend = abs(_across(inside[i] - (start + end) / 2, angle))
        corners = box_points(inside[i], angle, box)
        if bend > height or not within(corners, frame, height * _CURVE_GAP).all():
            continue
        if not covered(inside[i], angle, box, others, _CURVE_GAP * height):
            return inside[i], angle, box
    return None


def _across(vector: NDArray[np.float64], angle: float) -> float:
    return float(-vector[0] * math.sin(angle) + vector[1] * math.cos(angle))


_PASSES = 6  # margins only grow, so that few are needed
_CLOSE = 2.0  # heights of an x: points nearer than that share a label
_DISTANCES = (0.55, 0.8, 1.2, 1.6, 2.1, 2.6, 3.2, 4.0, 5.0)  # of a label from its point, in heights of an x
_TURNS = sorted(range(-170, 190, 10), key=abs)  # from where it would best stand, degrees
_POINT_GAP = 0.2  # heights of an x: distance kept from curves
_APART = 1.4  # heights of an x: a label farther from its point is joined to it by a line


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A label next to a point.

    Attributes:
        x, y: data coordinates of the point.
        text: the label.
        towards: direction in degrees in which it would best stand.
        outside: whether it may stand above or to the right of the axes.
    """

    x: float
    y: float
    text: str
    towards: float
    outside: bool


def label_points(
    sheet: Sheet,
    labels: Sequence[PointLabel],
    *,
    curves: Sequence[tuple[Any, Any]],
    points: Sequence[tuple[float, float]],
) -> None:
    """Write labels next to their points, clear of curves, of points and of each other.

    Points too close to be distinguished share one label; a label that has to stand apart is joined to its point by a
    line. Labels next to the axes take some of their width: they are written again until the axes keep it.
    """
    drawn: list[Artist] = []
    sheet.fit()
    for _ in range(_PASSES):
        for text in drawn:
            text.remove()
        width = sheet.axes.get_position().width
        drawn = _write_labels(sheet, _shared(sheet, labels), curves, points)
        sheet.fit()
        if sheet.axes.get_position().width == width:
            break


def _write_labels(
    sheet: Sheet,
    labels: Sequence[PointLabel],
    curves: Sequence[tuple[Any, Any]],
    points: Sequence[tuple[float, float]],
) -> list[Artist]:
    taken = [dots(sheet, np.asarray(x, dtype=float), np.asarray(y, dtype=float)) for x, y in curves]
    taken += [disc(sheet, sheet.axes.transData.transform(point)) for point in points]
    drawn: list[Artist] = []
    for label in labels:
        dot = sheet.axes.transData.transform((label.x, label.y))
        offset, box = _free_offset(sheet, label, dot, np.concatenate(taken))
        taken.append(box_points(dot + offset, 0.0, box))
        drawn.append(_annotate(sheet, label, offset, box))
    return drawn


def _shared(sheet: Sheet, labels: Sequence[PointLabel]) -> list[PointLabel]:
    """Return the labels, those of points closer than a line of text as one of several lines."""
    near = _CLOSE * text_size(sheet, "x")[1]
    shared: list[PointLabel] = []
    for label in labels:
        dot = sheet.axes.transData.transform((label.x, label.y))
        for i, other in enumerate(shared):
            if math.dist(dot, sheet.axes.transData.transform((other.x, other.y))) < near:
                shared[i] = replace(other, text=f"{other.text}\n{label.text}")
                break
        else:
            shared.append(label)
    return shared


def _free_offset(
    sheet: Sheet, label: PointLabel, dot: NDArray[np.float64], taken: NDArray[np.float64]
) -> tuple[NDArray[np.float64], tuple[float, float]]:
    """Return (offset of the label's center in dots, its box): the nearest free one, in the direction it prefers."""
    size, line = text_size(sheet, label.text), text_size(sheet, "x")[1]
    box = (size[0] * 1.05 + 0.3 * line, size[1] * _MARGIN)
    frame = sheet.axes.get_window_extent(sheet.renderer)
    best, least = np.zeros(2), math.inf
    for distance, turn in itertools.product(_DISTANCES, _TURNS):
        angle = math.radians(label.towards + turn)
        ray = np.array([math.cos(angle), math.sin(angle)])
        # between 45 degrees and the next axis the box slides along its side; at 45 it touches with its corner
        offset = ray * distance * line + np.clip(math.sqrt(2) * ray, -1, 1) * np.array(box) / 2
        outline = box_points(dot + offset, 0.0, box)
        if not _allowed(outline, frame, label.outside):
            continue
        count = covered(dot + offset, 0.0, box, taken, _POINT_GAP * line)
        if not count:
            return offset, box
        if count < least:
            best, least = offset, count
    return best, box


def _allowed(outline: NDArray[np.float64], frame: Any, outside: bool) -> bool:
    """Return whether a box stands clear of the tick labels, which are on the left and below."""
    clear = (outline[:, 0] > frame.x0 + 2).all() and (outline[:, 1] > frame.y0 + 2).all()
    if outside:
        return bool(clear or ((outline[:, 1] > frame.y1).all() and (outline[:, 0] > frame.x0 - 8).all()))
    return bool(clear and (outline[:, 0] < frame.x1 - 2).all() and (outline[:, 1] < frame.y1 - 2).all())


def _annotate(sheet: Sheet, label: PointLabel, offset: NDArray[np.float64], box: tuple[float, float]) -> Artist:
    points = offset * 72 / sheet.figure.dpi
    line = text_size(sheet, "x")[1]
    apart = abs(offset[1]) > box[1] / 2 + _APART * line or abs(offset[0]) > box[0] / 2 + _APART * line
    text: Artist = sheet.axes.annotate(
        label.text,
        (label.x, label.y),
        xytext=(float(points[0]), float(points[1])),
        textcoords="offset points",
        fontsize=sheet.style.size.font,
        ha="center",
        va="center",
        multialignment="left",
        annotation_clip=False,
        arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "#666666", "shrinkB": 3} if apart else None,
        zorder=8,
    )
    return text


_MARGIN = 1.15  # of a label's box over its text


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


def disc(sheet: Sheet, dot: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points all over a marker."""
    radius = 2.4 * sheet.style.size.line * sheet.figure.dpi / 72
    return box_points(dot, 0.0, (2 * radius, 2 * radius))
