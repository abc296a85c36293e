"""The picture of a report: proportions on one scale, each with its recommended interval alone."""

from __future__ import annotations

from typing import Any

from rropt.core.exact import decimal_text
from rropt.core.visible import visible
from rropt.plots.data.share_pictures import SharesPicture
from rropt.plots.drawing import EM, as_given, columns, look_of, marked, picture, wrapped

_LONGEST = 34  # characters of a name
_LINE = 1.3  # of the font size: from one row to the next at least


@picture(as_given, SharesPicture)
def shares(axes: Any, found: SharesPicture) -> str:
    """Return a picture of proportions in percent with their intervals.

    Args:
        found: the proportions.
        size, ax: as for ``region``.
    """
    count, several = len(found.rows), len(found.series)
    for i, points in enumerate(found.points):
        look = look_of(i)
        dot = marked(i) | {"color": look["color"], "linestyle": "none", "zorder": 5}
        line = {"color": look["color"], "linestyle": look["linestyle"]}
        axes.plot([], [], label=visible(found.series[i]) if several > 1 else "", **dot | line)
        for row, point in enumerate(points):
            if point is None:
                continue
            at = row + 0.66 * ((i + 0.5) / several - 0.5)
            axes.plot([100 * point.value], [at], **dot)
            if point.ends is not None:
                axes.plot([100 * end for end in point.ends], (at, at), zorder=3, **line)
    names = [visible(name) for name in found.rows]
    axes.set_yticks(range(count), [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names])
    axes.tick_params(axis="y", length=0)
    axes.set(ylim=(count - 0.5, -0.5))
    wide = columns(axes)
    level = decimal_text(100 * found.confidence, 6)
    axes.set_xlabel(*wrapped([f"percent, with {level} % intervals"], wide))
    axes.set_box_aspect(min(2.5, max(0.12, _LINE * count * max(1, 0.62 * several) / (wide * EM))))
    axes.grid(axis="x", color="#dddddd", linewidth=0.5, zorder=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    for wall in (0, 100):
        if axes.get_xlim()[0] < wall < axes.get_xlim()[1]:
            axes.axvline(wall, color="black", linewidth=0.8, zorder=1)
    return found.text
