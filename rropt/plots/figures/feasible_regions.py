"""The feasible region of (epsilon, delta) with its vertices and the optimum, and the threshold g between two of them.

The second is Figure 1 of Holohan, Leith and Mason (2016): level sets of g, which chooses between two designs.
"""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.exact import as_text, decimal_text
from rropt.mechanisms import Mechanism
from rropt.plots.data.feasible_regions import RegionPicture, region_picture
from rropt.plots.data.thresholds import ThresholdPicture, threshold_picture
from rropt.plots.figures import (
    Key,
    coordinates_text,
    direction,
    level_text,
    mark_mechanism,
    mark_optimum,
    name_text,
    value_text,
)
from rropt.plots.labels import Curve, PointLabel, is_visible, label_curves, label_points
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import SHORT_TEXT, SHOWN_DIGITS, Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def region(
    epsilon: object,
    delta: object = 0,
    *,
    prevalence: object = None,
    mechanism: Mechanism | None = None,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of the region of feasibility R: Holohan, Leith and Mason (2016), equation (12).

    R' (p00 + p11 > 1) is emphasized; A = (1, 0), B = (1, delta), C where both inequalities (11) are tight,
    D = (delta, 1) and E = (0, 1) are its vertices, primed letters their mirror images under relabelled answers.

    Args:
        epsilon, delta: the level, in any exact form.
        prevalence: pi in [0, 1]; when given, the certified optimum is marked.
        mechanism: a binary mechanism to be marked; whether it lies in R is decided exactly.
        size: ``"paper"`` (one column, 3.4 in), ``"wide"`` (two columns, 7 in) or ``"screen"``.
        style: ``"color"`` or ``"grey"``.
        caption: whether a caption is part of the picture.
        ax: matplotlib axes to draw on, with the key below them (``layout="constrained"`` makes room) and no caption; a
            figure of its own when left out.

    Returns:
        A matplotlib ``Figure``; ``rropt.plots.save`` writes it.

    Raises:
        InvalidParameterError: a parameter of the wrong form or out of range.
        InvalidMechanismError: the mechanism is not binary.
        InfeasibleError: a prevalence is given and epsilon = delta = 0.
        MissingExtraError: matplotlib is not installed.

    >>> figure = region("log(2)", "1/4", prevalence="1/4")
    >>> "optimal at prevalence 1/4: B and C, n Var = 15/16 = 0.9375" in figure.get_label()
    True
    """
    picture = region_picture(epsilon, delta, prevalence=prevalence, mechanism=mechanism)
    return draw_region(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_region(picture: RegionPicture, style: Style) -> Figure:
    """Draw a region picture."""
    sheet = PictureLayout(style, aspect=1)
    axes = sheet.axes
    sheet.unit_square()
    sheet.label("p₀₀ = Pr(response 0 | truth 0)", "p₁₁ = Pr(response 1 | truth 1)")
    key = [*_fills(sheet, picture), *_lines(sheet, picture)]
    for design in picture.designs:
        if design.is_vertex:
            axes.plot(
                *design.point(), color="black", clip_on=False, zorder=7, marker="o", markersize=2.8 * style.size.line
            )
    key += mark_optimum(sheet, picture) + mark_mechanism(sheet, picture)
    _name_vertices(sheet, picture)
    return sheet.finish(key, _caption(picture))


def _fills(sheet: PictureLayout, picture: RegionPicture) -> Key:
    from matplotlib.patches import Polygon

    palette = sheet.style.palette
    key: Key = []
    if not picture.is_empty:
        for informative, fill, text in (
            (True, palette.informative, "R′: private designs with p₀₀ + p₁₁ > 1"),
            (False, palette.region, "R: all private designs"),
        ):
            patch = Polygon(
                picture.outline(informative=informative), closed=True, facecolor=fill, zorder=2 + informative
            )
            sheet.axes.add_patch(patch)
            key.append((patch, text))
        edge = Polygon(picture.outline(), closed=True, fill=False, edgecolor="black", linewidth=0.7, zorder=4)
        edge.set_clip_on(False)
        sheet.axes.add_patch(edge)
    look = {"color": "black", "linestyle": (0, (1, 2)), "linewidth": 0.8, "zorder": 3.5}
    (line,) = sheet.axes.plot([0, 1], [1, 0], **look)
    key.append((line, "p₀₀ + p₁₁ = 1: " + ("all of R; R′ is empty" if picture.is_empty else "uninformative responses")))
    return key


def _lines(sheet: PictureLayout, picture: RegionPicture) -> Key:
    """Draw where (11a) and (11b) are tight, through the whole square; at delta = 1 they touch it in a corner only."""
    gamma, delta = picture.region.epsilon.exact_gamma(), picture.region.delta
    if delta.rational == 1:
        return [(None, "(11a), (11b): no restriction at δ = 1")]
    one = picture.region.epsilon.gamma == 1
    end = 1 - (1 - float(delta)) / float(gamma)
    steep, flat = ([1.0, end], [float(delta), 1.0]), ([float(delta), 1.0], [1.0, end])
    width = 1.5 * sheet.style.size.line
    colors = sheet.style.palette.lines
    texts = ("(11a) p₁₁ = γ(1 − p₀₀) + δ", "(11b) p₀₀ = γ(1 − p₁₁) + δ")
    if one:
        steep, flat = ([1.0, float(delta)], [float(delta), 1.0]), ([], [])
        texts = ("(11a) and (11b), the same line at γ = 1", "")
    (solid,) = sheet.axes.plot(*steep, color=colors[0], linewidth=width, clip_on=False, zorder=5)
    (dashed,) = sheet.axes.plot(
        *flat, color=colors[1], linestyle=(0, (4, 1.5)), linewidth=width, clip_on=False, zorder=5
    )
    return [(solid, texts[0])] if one else [(solid, texts[0]), (dashed, texts[1])]


def _name_vertices(sheet: PictureLayout, picture: RegionPicture) -> None:
    """Write the vertices' letters and coordinates."""
    named = [design for design in picture.designs if design.is_vertex]
    labels = [
        PointLabel(
            *design.point(),
            name_text(design) + ("" if design.is_mirrored else f" {coordinates_text(design, chr(10))}"),
            direction(design, inside=True),
        )
        for design in sorted(named, key=lambda design: (design.is_mirrored, design.names))
    ]
    label_points(sheet, labels)


def _caption(picture: RegionPicture) -> str:
    level = level_text(picture.region.epsilon, picture.region.delta)
    text = f"The picture shows the designs (p₀₀, p₁₁) that are (ε, δ)-private at {level}; γ = exp(ε)."
    if any(design.is_mirrored for design in picture.designs):
        text += " Primed letters: the mirror images, with the two outputs relabelled."
    return text


def g(
    levels: Iterable[object] | None = None,
    *,
    epsilon_range: tuple[object, object] = ("0", "3"),
    delta_range: tuple[object, object] = ("0", "1"),
    marks: Iterable[tuple[object, object]] = (),
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of level sets of ``g(epsilon, delta) = delta (gamma + delta) / (gamma + 2 delta - 1)^2``.

    For a prevalence pi <= 1/2 the corner (1, delta) is optimal where g > pi, the diagonal point
    ``p00 = p11 = (gamma + delta) / (gamma + 1)`` where g < pi, and both where g = pi; for pi > 1/2 read 1 - pi and
    (delta, 1) (Holohan, Leith and Mason 2016, Theorem 3, Corollary 2, Figure 1).

    Args:
        levels: values of g, rational, 0 < level <= 1; those up to 1/2 are prevalences.
        epsilon_range, delta_range: the ranges drawn, (low, high), in any exact form.
        marks: pairs (epsilon, delta) to be marked, with their exact g.
        size, style, caption, ax: as for ``region``.

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
    picture = threshold_picture(levels, epsilon_range=epsilon_range, delta_range=delta_range, marks=marks)
    return draw_g(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_g(picture: ThresholdPicture, style: Style) -> Figure:
    """Draw a picture of level sets."""
    sheet = PictureLayout(style, aspect=0.85)
    limits = [tuple(float(end) for end in ends) for ends in (picture.epsilon, picture.delta)]
    sheet.axes.set(xlim=limits[0], ylim=limits[1])
    sheet.label("ε (nats)", "δ")
    key: Key = []
    curves = []
    for i, level in enumerate(picture.levels):
        epsilon, delta = picture.curve(level)
        sheet.axes.plot(epsilon, delta, zorder=3, **style.line(i))
        curves.append(Curve(epsilon, delta, _level_text(level)))
    key += _marks(sheet, picture)
    marks = [Curve(np.array([float(m.epsilon)]), np.array([float(m.delta)]), "") for m in picture.marks]
    left_out = label_curves(sheet, [*curves, *marks])
    lines = sheet.axes.get_lines()[: len(curves)]
    key += [(line, f"g = {curve.text}") for line, curve in zip(lines, curves, strict=True) if curve.text in left_out]
    hidden = [curve.text for curve in curves if not is_visible(sheet, curve)]
    if hidden:
        key.append((None, f"outside the frame: g = {', '.join(hidden)}"))
    return sheet.finish(key, _CAPTION)


_CAPTION = (
    "The curves are level sets of g(ε, δ) = δ(γ + δ)/(γ + 2δ − "
    "1)², γ = exp(ε); g falls as ε grows. For a prevalence π ≤ 1/2 take the "
    "curve g = π: above it (π < g) the corner (p₀₀, p₁₁) = (1, δ) is optimal, below it (π > g) "
    "p₀₀ = p₁₁ = (γ + δ)/(γ + 1), on it both. For π > 1/2 take g = 1 − π and the corner (δ, 1)."
)


def _marks(sheet: PictureLayout, picture: ThresholdPicture) -> Key:
    key: Key = []
    for i, mark in enumerate(picture.marks):
        look = sheet.style.marker(i) | {"linestyle": "none", "color": "black", "clip_on": False, "zorder": 8}
        (point,) = sheet.axes.plot(float(mark.epsilon), float(mark.delta), **look)
        key.append((point, f"{level_text(mark.epsilon, mark.delta)}: g {value_text(mark.value)}"))
    return key


def _level_text(level: Fraction) -> str:
    text = as_text(level)
    return text if len(text) <= SHORT_TEXT else decimal_text(level, SHOWN_DIGITS)
