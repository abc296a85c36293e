"""Figure 1 of Holohan, Leith and Mason (2016): level sets of the threshold g, which chooses between two designs."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from rropt.exact import as_text, decimal_text
from rropt.plots.data.thresholds import ThresholdPicture, threshold_picture
from rropt.plots.figures.marks import Key, level_text, value_text
from rropt.plots.labels import Curve, is_visible, label_curves
from rropt.plots.sheets import Sheet
from rropt.plots.styles import SHORT_TEXT, SHOWN_DIGITS, Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def g(
    levels: Iterable[object] | None = None,
    *,
    epsilon: tuple[object, object] = ("0", "3"),
    delta: tuple[object, object] = ("0", "1"),
    marks: Iterable[tuple[object, object]] = (),
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
) -> Figure:
    """Return a picture of level sets of ``g(epsilon, delta) = delta (gamma + delta) / (gamma + 2 delta - 1)^2``.

    For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi, the diagonal point
    ``p00 = p11 = (gamma + delta) / (gamma + 1)`` where g < pi, and both where g = pi; for pi > 1/2 read 1 - pi and
    (delta, 1) (Holohan, Leith and Mason 2016, Theorem 3, Corollary 2, Figure 1).

    Args:
        levels: values of g, rational, 0 < level <= 1; those up to 1/2 are prevalences.
        epsilon, delta: the ranges drawn, (low, high), in any exact form.
        marks: pairs (epsilon, delta) to be marked, with their exact g.
        size, style, caption: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    Raises:
        InvalidParameterError: a level or a range outside its domain, or too many.
        InfeasibleError: a mark at epsilon = delta = 0.
        MissingExtraError: matplotlib is not installed.

    >>> figure = g(marks=[("log(2)", "1/4")])
    >>> "g = 1/4 = 0.25" in figure.get_label()
    True
    """
    picture = threshold_picture(levels, epsilon=epsilon, delta=delta, marks=marks)
    return draw_g(picture, style_of(size, style, caption))


@plain_settings()
def draw_g(picture: ThresholdPicture, style: Style) -> Figure:
    """Draw a picture of level sets."""
    sheet = Sheet(style, aspect=0.85)
    limits = [tuple(float(end) for end in ends) for ends in (picture.epsilon, picture.delta)]
    sheet.axes.set(xlim=limits[0], ylim=limits[1])
    sheet.label("ε (nats)", "δ")
    key: Key = []
    curves = []
    for i, level in enumerate(picture.levels):
        epsilon, delta = picture.curve(level)
        sheet.axes.plot(epsilon, delta, zorder=3, **style.line(i))
        curves.append(Curve(epsilon, delta, _level_text(level), prefer=0.62))
    key += _marks(sheet, picture)
    sheet.fit()
    points = [(float(mark.epsilon), float(mark.delta)) for mark in picture.marks]
    left_out = label_curves(sheet, curves, keep_clear=points)
    lines = sheet.axes.get_lines()[: len(curves)]
    key += [(line, f"g = {curve.text}") for line, curve in zip(lines, curves, strict=True) if curve.text in left_out]
    hidden = [curve.text for curve in curves if not is_visible(sheet, curve)]
    if hidden:
        key.append((None, f"outside the frame: g = {', '.join(hidden)}"))
    return sheet.finish(key, _CAPTION)


_CAPTION = (
    "Level sets of g(ε, δ) = δ(γ + δ)/(γ + 2δ − 1)², γ = exp(ε); g falls as ε grows. For a prevalence π ≤ 1/2 take the "
    "curve g = π: above it (π < g) the corner (p₀₀, p₁₁) = (1, δ) is optimal, below it (π > g) "
    "p₀₀ = p₁₁ = (γ + δ)/(γ + 1), on it both. For π > 1/2 take g = 1 − π and the corner (δ, 1)."
)


def _marks(sheet: Sheet, picture: ThresholdPicture) -> Key:
    key: Key = []
    for i, mark in enumerate(picture.marks):
        look = sheet.style.marker(i) | {"linestyle": "none", "color": "black", "clip_on": False, "zorder": 8}
        (point,) = sheet.axes.plot(float(mark.epsilon), float(mark.delta), **look)
        key.append((point, f"{level_text(mark.epsilon, mark.delta)}: g {value_text(mark.value)}"))
    return key


def _level_text(level: Fraction) -> str:
    text = as_text(level)
    return text if len(text) <= SHORT_TEXT else decimal_text(level, SHOWN_DIGITS)
