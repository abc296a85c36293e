"""Labels on curves: each where it covers no other curve, no other label and no marker, along its own curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rropt.plots.labels.boxes import MARGIN, box_points, covered, disc, dot_spacing, dots, text_size, within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rropt.plots.sheets import Sheet

_CANDIDATES = 60  # places that are tried along a curve
_CLEAR = 0.35  # of the text's height: distance kept from the frame and from other curves


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
    import numpy

    paths = [dots(sheet, curve.x, curve.y) for curve in curves]
    obstacles = [disc(sheet, sheet.axes.transData.transform(point)) for point in keep_clear]
    left_out = []
    for i, curve in enumerate(curves):
        if not curve.text:
            continue
        others = [numpy.empty((0, 2)), *paths[:i], *paths[i + 1 :], *obstacles]
        place = _best_place(sheet, paths[i], numpy.concatenate(others), curve)
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
    import numpy

    width, height = text_size(sheet, curve.text)
    box = (width * MARGIN + height * 0.5, height * MARGIN)
    frame = sheet.axes.get_window_extent(sheet.renderer)
    inside = path[within(path, frame, 0.0)]
    if len(inside) < 3:
        return None
    order = sorted(numpy.linspace(0, 1, _CANDIDATES), key=lambda s: abs(s - curve.prefer))
    for s in order:
        i = round(s * (len(inside) - 1))
        reach = max(1, round(box[0] / 2 / dot_spacing(sheet)))
        start, end = inside[max(0, i - reach)], inside[min(len(inside) - 1, i + reach)]
        direction = end - start
        if not direction.any() or numpy.hypot(*direction) < box[0] * 0.8:
            continue  # too short a piece of curve for the label
        angle = math.atan2(direction[1], direction[0])
        angle -= math.pi * round(angle / math.pi)  # never upside down
        bend = abs(_across(inside[i] - (start + end) / 2, angle))
        corners = box_points(inside[i], angle, box)
        if bend > height or not within(corners, frame, height * _CLEAR).all():
            continue
        if not covered(inside[i], angle, box, others, _CLEAR * height):
            return inside[i], angle, box
    return None


def _across(vector: NDArray[np.float64], angle: float) -> float:
    return float(-vector[0] * math.sin(angle) + vector[1] * math.cos(angle))
