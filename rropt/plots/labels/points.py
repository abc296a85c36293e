"""Labels beside points, clear of curves, of points and of each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rropt.plots.labels.boxes import MARGIN, box_points, covered, disc, dots, text_size

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.artist import Artist
    from numpy.typing import NDArray

    from rropt.plots.sheets import Sheet

_PASSES = 6  # margins only grow, so that few are needed
_CLOSE = 2.0  # heights of an x: points nearer than that share a label
_DISTANCES = (0.55, 0.8, 1.2, 1.6, 2.1, 2.6, 3.2, 4.0, 5.0)  # of a label from its point, in heights of an x
_TURNS = sorted(range(-170, 190, 10), key=abs)  # from where it would best stand, degrees
_CLEAR = 0.2  # heights of an x: distance kept from curves
_APART = 1.4  # heights of an x: a label farther from its point is joined to it by a line


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A label beside a point.

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
    """Write labels beside their points, clear of curves, of points and of each other.

    Points too close to be told apart share one label; a label that has to stand apart is joined to its point by a line.
    Labels beside the axes take some of their width: they are written again until the axes keep it.
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
    import numpy

    taken = [dots(sheet, numpy.asarray(x, dtype=float), numpy.asarray(y, dtype=float)) for x, y in curves]
    taken += [disc(sheet, sheet.axes.transData.transform(point)) for point in points]
    drawn: list[Artist] = []
    for label in labels:
        dot = sheet.axes.transData.transform((label.x, label.y))
        offset, box = _free_offset(sheet, label, dot, numpy.concatenate(taken))
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
    import numpy

    size, line = text_size(sheet, label.text), text_size(sheet, "x")[1]
    box = (size[0] * 1.05 + 0.3 * line, size[1] * MARGIN)
    frame = sheet.axes.get_window_extent(sheet.renderer)
    best, least = numpy.zeros(2), math.inf
    for distance, turn in itertools.product(_DISTANCES, _TURNS):
        angle = math.radians(label.towards + turn)
        ray = numpy.array([math.cos(angle), math.sin(angle)])
        # between 45 degrees and the next axis the box slides along its side; at 45 it touches with its corner
        offset = ray * distance * line + numpy.clip(math.sqrt(2) * ray, -1, 1) * numpy.array(box) / 2
        outline = box_points(dot + offset, 0.0, box)
        if not _allowed(outline, frame, label.outside):
            continue
        count = covered(dot + offset, 0.0, box, taken, _CLEAR * line)
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
