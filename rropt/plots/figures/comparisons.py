"""n Var of the designs of the literature at equal privacy, against epsilon."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.plots.data.comparisons import BOUND, ComparisonPicture, comparison_picture
from rropt.plots.figures.marks import Key
from rropt.plots.labels import Curve, label_curves
from rropt.plots.sheets import Sheet
from rropt.plots.styles import Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TAGS = {BOUND: "bound", "improved-christofides": "dealt deck", "discrete-laplace": "Laplace", "laplace": "Laplace"}


def comparison(
    *,
    epsilon: tuple[object, object] = ("1/10", "3"),
    delta: object = 0,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    **options: Any,
) -> Figure:
    """Return a picture of n Var against epsilon: the designs of the literature, the optimum and the bound.

    Each design is tuned to the budget; designs of equal n Var share a curve. A dealt deck keeps the budget for one
    answer seen alone only, Laplace's noise for the published count only.

    Args:
        epsilon: the range drawn, (low, high); low > 0 unless delta > 0.
        delta: the slack.
        size, style, caption: as for ``region``.
        options: prevalence, respondents and so on, as of ``rropt.orders.compare_designs``.

    Returns:
        A matplotlib ``Figure``.

    >>> figure = comparison(prevalence="1/10", respondents=100, surveyed=True)
    >>> "improved-christofides" in figure.get_label()
    True
    """
    picture = comparison_picture(epsilon=epsilon, delta=delta, **options)
    return draw_comparison(picture, style_of(size, style, caption))


@plain_settings()
def draw_comparison(picture: ComparisonPicture, style: Style) -> Figure:
    """Draw designs at equal privacy."""
    from matplotlib.lines import Line2D

    sheet = Sheet(style, aspect=0.8)
    sheet.axes.set_yscale("log")
    sheet.axes.set_xlim(*(float(end) for end in picture.epsilon))
    sheet.label("ε (nats)", "n Var")
    key: Key = []
    curves = []
    for i, (names, values) in enumerate(picture.curves):
        y = np.array([np.nan if value is None or not value else float(value) for value in values])
        sheet.axes.plot(picture.grid, y, **style.line(i))
        key.append((Line2D([], [], **style.line(i)), ", ".join(names)))
        seen = np.isfinite(y)
        tag = min((_TAGS.get(name, name) for name in names), key=len)
        curves.append(Curve(np.array(picture.grid)[seen], y[seen], tag, prefer=0.3 + 0.1 * i))
    sheet.fit()
    label_curves(sheet, curves)
    return sheet.finish(key, _caption(picture))


def _caption(picture: ComparisonPicture) -> str:
    text = f"n Var of designs at one budget, {picture.title}. Each has rational parameters that keep it exactly"
    names = {name for group, _ in picture.curves for name in group}
    if "improved-christofides" in names:
        text += "; a dealt deck (improved-christofides) for one answer seen alone only"
    if "laplace" in names:
        text += "; noise on the count (laplace) for what a curator publishes only"
    missing = f" Not defined: {', '.join(picture.missing)}." if picture.missing else ""
    return f"{text}.{missing}"
