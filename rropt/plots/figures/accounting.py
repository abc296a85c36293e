"""Pictures of the accountant: delta against epsilon, and epsilon against the number of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rropt.accounting import Composition, Longitudinal, Shuffle
from rropt.core.visible import visible
from rropt.plots.data.accounting import PrivacyCurvePicture, ReportsPicture, privacy_curve_picture, reports_picture
from rropt.plots.figures import Key, delta_text, plain_ticks
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import SHOWN_DIGITS, Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ASPECT = 0.7
_SHADE = "0.75"
_LEAST = 1e-12  # delta below it is left out of a logarithmic axis


def privacy_curve(
    found: Composition | Shuffle, *, size: str = "paper", style: str = "color", caption: bool = True, ax: Any = None
) -> Figure:
    """Return a picture of delta against epsilon for a composition or for shuffled reports.

    Args:
        found: the result of ``rropt.compose`` or ``rropt.shuffle``, with points of the curve.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    >>> import rropt
    >>> figure = privacy_curve(rropt.compose("log(3)*10", delta="1/1000"))
    >>> "10 x log(3)" in figure.get_label()
    True
    """
    return draw_privacy_curve(privacy_curve_picture(found), style_of(size, style, caption, ax))


def reports(
    found: Longitudinal, *, size: str = "paper", style: str = "color", caption: bool = True, ax: Any = None
) -> Figure:
    """Return a picture of epsilon against the number of reports of one respondent.

    Args:
        found: the result of ``rropt.longitudinal``.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    >>> import rropt
    >>> figure = reports(rropt.longitudinal("rappor:1/2,1/2,3/4", 10))
    >>> "limit" in figure.get_label()
    True
    """
    return draw_reports(reports_picture(found), style_of(size, style, caption, ax))


@plain_settings()
def draw_privacy_curve(picture: PrivacyCurvePicture, style: Style) -> Figure:
    """Draw delta against epsilon: the bounds as a band, the upper bound as a line."""
    from matplotlib.patches import Patch

    sheet = PictureLayout(style, aspect=_ASPECT)
    axes = sheet.axes
    sheet.label("ε (nats)", "δ")
    shown = [point for point in picture.visible() if point[2] >= _LEAST]
    key: Key = []
    if shown:
        x, low, high = zip(*shown, strict=True)
        axes.set_yscale("log")
        axes.set_xlim(0, max(float(point.epsilon) for point in picture.points) or 1)
        floor = min(high) / 2
        axes.set_ylim(floor, min(2 * max(high), 1.5))
        plain_ticks(axes.yaxis)
        (line,) = axes.plot(x, high, **style.line(0), **(style.marker(0) if len(x) == 1 else {}))
        key.append((line, "δ, upper bound"))
        if any(one < other * (1 - 1e-6) for one, other in zip(low, high, strict=True)):
            axes.fill_between(x, [max(one, floor) for one in low], high, color=_SHADE, linewidth=0)
            key.append((Patch(facecolor=_SHADE), "between the bounds of δ"))
        key += _mark(axes, picture, style, floor)
    nothing = "" if shown else " Nothing is revealed: δ is 0 at every ε."
    return sheet.finish(key, f"{visible(picture.what)}: the least δ at each ε.{nothing}")


@plain_settings()
def draw_reports(picture: ReportsPicture, style: Style) -> Figure:
    """Draw epsilon against the number of reports, with its limit."""
    sheet = PictureLayout(style, aspect=_ASPECT)
    axes = sheet.axes
    sheet.label("reports", "ε (nats)")
    shown = list(picture.visible())
    key: Key = []
    limit = "no limit: ε grows without bound" if picture.limit is None else f"limit ε ≈ {_short(picture.limit)}"
    if shown:
        x, _, high = zip(*shown, strict=True)
        axes.set_xscale("log")
        (line,) = axes.plot(x, high, **{**style.line(0), **style.marker(0)})
        plain_ticks(axes.xaxis)
        key.append((line, "ε of so many reports"))
        axes.set_ylim(bottom=0)
    if picture.limit is not None:
        look = style.line(1)
        axes.axhline(float(picture.limit), **look)
        key.append((axes.plot([], [], **look)[0], limit))
    else:
        key.append((None, limit))
    return sheet.finish(
        key, f"What the reports of one respondent reveal, {delta_text(picture.delta)}: {visible(picture.what)}."
    )


def _mark(axes: Any, picture: PrivacyCurvePicture, style: Style, floor: float) -> Key:
    """Mark the requested point if it is within the axes."""
    at = picture.asked
    if at is None or not float(at.upper) >= floor or float(at.epsilon) > axes.get_xlim()[1]:
        return []
    look = style.marker(1) | {"color": style.palette.accent, "linestyle": "none", "zorder": 5}
    (point,) = axes.plot([float(at.epsilon)], [float(at.upper)], **look)
    return [(point, f"ε ≈ {_short(at.epsilon)}, δ ≈ {_short(at.upper)}")]


def _short(value: Any) -> str:
    return f"{float(value):.{SHOWN_DIGITS}g}"
