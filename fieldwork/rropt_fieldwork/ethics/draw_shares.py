"""The picture of a report: proportions on one scale, each with its recommended interval alone."""

from __future__ import annotations

from rropt.core.exact import decimal_text
from rropt.core.visible import visible
from rropt.plots.charts import Chart, look_of
from rropt.plots.drawing import as_given, marked, picture
from rropt_fieldwork.ethics.share_pictures import SharesPicture

_LONGEST = 34  # characters of a name
_LINE = 1.3  # of the font size: from one row to the next at least


@picture(as_given, SharesPicture)
def shares(chart: Chart, found: SharesPicture) -> str:
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
        chart.plot([], [], label=visible(found.series[i]) if several > 1 else "", **dot | line)
        for row, point in enumerate(points):
            if point is None:
                continue
            at = row + 0.66 * ((i + 0.5) / several - 0.5)
            chart.plot([100 * point.value], [at], **dot)
            if point.ends is not None:
                chart.plot([100 * end for end in point.ends], (at, at), zorder=3, **line)
    names = [visible(name) for name in found.rows]
    shown = [name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…" for name in names]
    chart.y.ticks, chart.y.has_marks = tuple(enumerate(shown)), False
    chart.set(ylim=(count - 0.5, -0.5))
    level = decimal_text(100 * found.confidence, 6)
    chart.set(xlabel=f"percent, with {level} % intervals")
    chart.set(aspect=0.12, least_height=_LINE * count * max(1, 0.62 * several))
    chart.x.has_grid, chart.sides = True, frozenset({"bottom"})
    (low, high), _ = chart.limits()
    for wall in (0, 100):
        if low < wall < high:
            chart.axvline(wall, color="black", linewidth=0.8, zorder=1)
    return found.text
