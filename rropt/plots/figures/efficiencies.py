"""The variance of the classical designs relative to the certified optimum, against epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.plots.data.efficiencies import FORCED, UNRELATED, EfficiencyCurve, EfficiencyPicture, efficiency_picture
from rropt.plots.figures import Key, delta_text, numbers_text
from rropt.plots.labels import Curve, label_curves
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import LARGEST_RATIO, Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

# of the logarithmic axis; those that fit are drawn
_TICKS = (1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 7, 10, 20, 30)
_MOST_TICKS = 8
_LEAST_TOP = 1.1  # of the frame, where every design is nearly optimal
_HEADROOM = 0.06  # above and below, as a share of the height


def efficiency(
    *,
    prevalence: object,
    delta: object = 0,
    epsilon_range: tuple[object, object] = ("1/10", "5"),
    points: Iterable[object] | None = None,
    unrelated: Iterable[object] = UNRELATED,
    forced: Iterable[object] = FORCED,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of ``n Var(design) / n Var(optimum)`` against epsilon for the classical designs.

    Each design takes the most informative parameter that the level allows, at delta = 0 the one of parity exactly
    exp(epsilon): Warner, crosswise, Mangat and Singh (1990), forced response, the unrelated question, and at delta > 0
    Mangat (1994). Designs of equal variance share a curve. Everything is computed exactly; the marked points carry
    certificates.

    Args:
        prevalence: pi in [0, 1]; at delta > 0 strictly between.
        delta: the slack, in any exact form.
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        points: levels to be marked; three round ones when left out.
        unrelated: prevalences piB of unrelated questions, strictly between 0 and 1.
        forced: ratios ``"y:n"`` of forced yes to forced no, both positive; 1:1 is always drawn.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are too many.
        InfeasibleError: the range holds epsilon = delta = 0, or the least variance is 0.
        MissingExtraError: matplotlib is not installed.

    >>> figure = efficiency(prevalence="1/4", points=["log(5)"])
    >>> "certified optimum: Warner, crosswise" in figure.get_label()
    True
    """
    picture = efficiency_picture(
        prevalence=prevalence,
        delta=delta,
        epsilon_range=epsilon_range,
        points=points,
        unrelated=unrelated,
        forced=forced,
    )
    return draw_efficiency(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_efficiency(picture: EfficiencyPicture, style: Style) -> Figure:
    """Draw a picture of efficiencies."""
    sheet = PictureLayout(style, aspect=0.8)
    top = _scale(sheet, picture)
    sheet.label("ε (nats)", "n Var / least n Var")
    key: Key = []
    curves = []
    for i, curve in enumerate(reversed(picture.curves)):  # the key in the order of the curves' left ends
        sample = _draw_curve(sheet, picture, curve, i)
        beyond = "" if min(curve.ratios) <= top else "; above the frame"
        key.append((sample, _label(curve) + beyond))
        curves.append(_curve(picture, curve))
    key += _reference(sheet, picture)
    label_curves(sheet, curves)
    return sheet.finish(key, _caption(picture))


def _scale(sheet: PictureLayout, picture: EfficiencyPicture) -> float:
    """Set the limits and ticks, logarithmic upwards; return the top of the frame."""
    highest = max(float(max(curve.ratios)) for curve in picture.curves)
    top: float = min(max(highest, _LEAST_TOP), float(LARGEST_RATIO)) ** (1 + _HEADROOM)
    low, high = (float(end) for end in picture.epsilon)
    axes = sheet.axes
    axes.set_yscale("log")
    axes.set(xlim=(low, high), ylim=(top**-_HEADROOM, top))
    fitting = [tick for tick in _TICKS if tick <= top]
    ticks = [1.0]
    for tick in fitting:
        if tick >= ticks[-1] * top ** (1 / _MOST_TICKS):
            ticks.append(tick)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    return top


def _draw_curve(sheet: PictureLayout, picture: EfficiencyPicture, curve: EfficiencyCurve, i: int) -> Artist:
    """Draw one curve with its certified points; return the sample for the key."""
    from matplotlib.lines import Line2D

    style = sheet.style
    look = style.line(i) if not curve.is_optimal else _reference_look(style)
    drawn = _curve(picture, curve)
    sheet.axes.plot(drawn.x, drawn.y, zorder=3, **look)
    points = look | style.marker(i) | {"linestyle": "none"}
    levels = [float(point.problem.region.one_level().epsilon) for point in picture.points]
    sheet.axes.plot(levels, [float(ratio) for ratio in curve.marked], zorder=4, **points)
    return Line2D([], [], **(look | style.marker(i)))


def _reference(sheet: PictureLayout, picture: EfficiencyPicture) -> Key:
    """Draw the optimum where no classical design is optimal throughout, and where its kind changes."""
    key: Key = []
    if not any(curve.is_optimal for curve in picture.curves):
        line = _one(picture)
        (sample,) = sheet.axes.plot(line.x, line.y, zorder=2.5, **_reference_look(sheet.style))
        key.append((sample, "certified optimum (a generalised design)"))
    if picture.switch is not None:
        look = {"color": "#666666", "linestyle": (0, (1, 2)), "linewidth": 1, "zorder": 2}
        sample = sheet.axes.axvline(picture.switch, **look)
        key.append((sample, "left of it a corner is optimal, right of it p₀₀ = p₁₁"))
    return key


def _reference_look(style: Style) -> dict[str, Any]:
    return {"color": "black", "linestyle": "solid", "linewidth": 1.8 * style.size.line}


def _curve(picture: EfficiencyPicture, curve: EfficiencyCurve) -> Curve:
    ratios = np.array([float(ratio) for ratio in curve.ratios])
    return Curve(np.array(picture.grid), ratios, "optimum" if curve.is_optimal else curve.tag)


def _one(picture: EfficiencyPicture) -> Curve:
    """Return the line of the optimum itself, which needs no label: it is the bottom of the scale."""
    return Curve(np.array([picture.grid[0], picture.grid[-1]]), np.ones(2), "")


def _label(curve: EfficiencyCurve) -> str:
    return f"certified optimum: {curve.label}" if curve.is_optimal else curve.label


def _caption(picture: EfficiencyPicture) -> str:
    private = (
        "parity exactly exp(ε)" if picture.delta.rational == 0 else "the most informative parameter that is private"
    )
    text = (
        f"The curves show n Var of classical designs over the least "
        f"n Var of all binary designs that are (ε, δ)-private, at "
        f"{delta_text(picture.delta)} and prevalence {picture.prevalence}. Each design has {private}."
    )
    if picture.points:
        levels = [point.problem.region.one_level().epsilon for point in picture.points]
        text += f" Markers show certified values at ε {numbers_text(levels)}."
    return text
