"""Figures of papers: Ziani's lectures, Vinterbo (2018), and Sun, Zhou and Yan (2023)."""

from __future__ import annotations

import math
from typing import Any

from rropt.plots.charts import Chart
from rropt.plots.data.paper_pictures import PaperPicture, paper_picture
from rropt.plots.drawing import picture

_DOTS: dict[str, Any] = {"linestyle": "none", "marker": ".", "markersize": 2}


@picture(paper_picture, PaperPicture)
def paper(chart: Chart, found: PaperPicture) -> str:
    """Return a figure of a paper, drawn again from closed forms, exact laws, or responses with a fixed seed.

    Args:
        paper: ``ziani``, ``vinterbo2018`` or ``sun2023``, the names of their claims.
        figure: its number, with the letter of a part, such as ``2a``.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: there is no such paper, or no such figure.

    >>> "N = 9, proportion 0.1111, p2 = 0.36" in paper("sun2023", "2").text
    True
    """
    chart.set(xlabel=found.xlabel, ylabel=found.ylabel, aspect=0.7, yscale="log" if found.is_log else "linear")
    for curve in found.curves:
        y = [math.nan if value is None else value for value in curve.y]
        chart.plot(curve.x, y, label=curve.name, **(_DOTS if found.dots else {"zorder": 3}))
    return found.text
