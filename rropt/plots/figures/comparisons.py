"""Mechanisms compared: the Hasse diagram of Blackwell's order, and n Var at equal privacy against epsilon."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rropt.designs.orders import PartialOrder, partial_order
from rropt.mechanisms import Mechanism
from rropt.plots.data.comparisons import BOUND, ComparisonPicture, OrderPicture, comparison_picture, order_picture
from rropt.plots.figures import Key, plain_ticks
from rropt.plots.labels import Curve, label_curves
from rropt.plots.picture_layout import INCH, PictureLayout
from rropt.plots.styles import Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

_ROW = 5.0  # lines of text from one level to the next
_WIDEST = 0.9  # share of the space between two classes that a name may take

_CAPTION = (
    "Blackwell’s order of {count}, better above: a line down from A to B means that B is A randomized again and not "
    "conversely, so that A serves every purpose at least as well; what follows by transitivity is not drawn. "
    "Mechanisms in one box are equivalent. Those that no path down connects are incomparable."
)


def order(
    mechanisms: Sequence[Mechanism],
    names: Sequence[str] | None = None,
    *,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return the Hasse diagram of mechanisms in Blackwell's order.

    Args:
        mechanisms: at least one, with equal numbers of inputs.
        names: what they are called; by default their own names.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    Raises:
        InvalidMechanismError: different numbers of inputs.
        InvalidParameterError: too many to be distinguished.
        MissingExtraError: matplotlib is not installed.

    >>> designs = [Mechanism.binary(p, p, name=f"warner:{p}") for p in ("3/4", "2/3")]
    >>> "better above" in order(designs).get_label()
    True
    """
    return draw_order(order_picture(partial_order(mechanisms, names)), style_of(size, style, caption, ax))


@plain_settings()
def draw_order(picture: OrderPicture, style: Style) -> Figure:
    """Draw the diagram."""
    sheet = PictureLayout(style, aspect=_aspect(picture, style))
    axes = sheet.axes
    axes.set(xlim=(0, 1), ylim=(picture.height - 0.5, -0.5))
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    sheet.fit()
    for path in picture.paths:
        axes.plot(*zip(*path, strict=True), color="black", linewidth=0.8 * style.size.line, zorder=2)
    texts, key = _texts(sheet, picture)
    box = {"boxstyle": "round,pad=0.35", "facecolor": style.palette.informative, "edgecolor": "black", "linewidth": 0.7}
    for (x, y), text in zip(picture.places, texts, strict=True):
        axes.text(x, y, text, ha="center", va="center", fontsize=style.size.font, bbox=box, zorder=5)
    count = len(picture.order.names)
    return sheet.finish(key, _CAPTION.format(count=f"{count} mechanism{'s' if count > 1 else ''}"))


def _aspect(picture: OrderPicture, style: Style) -> float:
    """Return the height that gives each level room for its boxes, over the width."""
    members = max(len(members) for members in picture.order.classes)
    lines = picture.height * (_ROW + 1.3 * (min(members, 4) - 1))
    return max(0.25, lines * style.size.font / INCH / style.size.plot)


def _texts(sheet: PictureLayout, picture: OrderPicture) -> tuple[list[str], Key]:
    """Return the texts of the boxes: the names if they fit, else numbers with a legend."""
    order: PartialOrder = picture.order
    inches = sheet.axes.get_window_extent().width / sheet.figure.dpi / picture.crowding * _WIDEST
    room = sheet.columns(inches - sheet.style.size.font / INCH)
    if max(map(len, order.names)) <= room and max(map(len, order.classes)) <= 4:
        return ["\n= ".join(order.names[i] for i in members) for members in order.classes], []
    read = sorted(range(len(order.classes)), key=lambda c: picture.places[c][::-1])  # as one reads, from above
    numbers = {c: str(number) for number, c in enumerate(read, 1)}
    return [numbers[c] for c in range(len(read))], [(None, f"{numbers[c]}:  {order.class_name(c)}") for c in read]


_TAGS = {BOUND: "bound", "improved-christofides": "dealt deck", "discrete-laplace": "Laplace", "laplace": "Laplace"}


def comparison(
    *,
    epsilon_range: tuple[object, object] = ("1/10", "3"),
    delta: object = 0,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
    **options: Any,
) -> Figure:
    """Return a picture of n Var against epsilon for the designs of the literature, the optimum and the bound.

    Each design is tuned to the budget; designs of equal n Var share a curve. A dealt deck keeps the budget for one
    answer seen alone only, Laplace's noise for the published count only.

    Args:
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        delta: delta of the level.
        size, style, caption, ax: as for ``region``.
        options: prevalence, respondents and so on, as of ``rropt.survey.compare_designs``.

    Returns:
        A matplotlib ``Figure``: that of ``ax``, where it was given.

    >>> figure = comparison(prevalence="1/10", respondents=100, surveyed=True)
    >>> "improved-christofides" in figure.get_label()
    True
    """
    picture = comparison_picture(epsilon_range=epsilon_range, delta=delta, **options)
    return draw_comparison(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_comparison(picture: ComparisonPicture, style: Style) -> Figure:
    """Draw designs at equal privacy on a sheet of their own."""
    sheet = PictureLayout(style, aspect=0.8)
    sheet.label("ε (nats)", "n Var")
    key = _draw_curves(sheet.axes, picture, style)
    label_curves(sheet, [Curve(*_visible(picture, i), _tag(picture, i)) for i in range(len(key))])
    return sheet.finish(key, _caption(picture))


def _draw_curves(axes: Any, picture: ComparisonPicture, style: Style) -> Key:
    from matplotlib.lines import Line2D

    axes.set_yscale("log")
    axes.set_xlim(*(float(end) for end in picture.epsilon))
    key: Key = []
    for i, (names, _) in enumerate(picture.curves):
        axes.plot(*_visible(picture, i), **style.line(i))
        key.append((Line2D([], [], **style.line(i)), ", ".join(names)))
    plain_ticks(axes.yaxis)
    return key


def _visible(picture: ComparisonPicture, i: int) -> tuple[Floats, Floats]:
    """Return the points of a curve that a logarithmic axis can show."""
    values = picture.curves[i][1]
    points = [(x, float(v)) for x, v in zip(picture.grid, values, strict=True) if v]
    x, y = np.array(points).reshape(-1, 2).T
    return x, y


def _tag(picture: ComparisonPicture, i: int) -> str:
    return min((_TAGS.get(name, name) for name in picture.curves[i][0]), key=len)


def _caption(picture: ComparisonPicture) -> str:
    text = f"The curves show n Var of designs at one budget, {picture.title}. "
    text += "Each has rational parameters that keep it exactly"
    names = {name for group, _ in picture.curves for name in group}
    if "improved-christofides" in names:
        text += "; a dealt deck (improved-christofides) for one response seen alone only"
    if "laplace" in names:
        text += "; noise on the count (laplace) for what a curator publishes only"
    missing = f" Not defined: {', '.join(picture.missing)}." if picture.missing else ""
    return f"{text}.{missing}"
