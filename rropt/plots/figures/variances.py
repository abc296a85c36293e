"""Pictures of n Var over the region: level curves on a logarithmic scale, and all optimal designs."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.exact import decimal_text
from rropt.mechanisms import Mechanism
from rropt.plots.data.variances import VariancePicture, level_curve, variance_picture
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
from rropt.plots.labels import Curve, PointLabel, label_curves, label_points
from rropt.plots.picture_layout import PictureLayout, path
from rropt.plots.styles import SHOWN_DIGITS, Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 1.15  # stretched axes leave this much room for the letters


def variance(
    epsilon: object,
    delta: object = 0,
    *,
    prevalence: object,
    mechanism: Mechanism | None = None,
    axes: str = "auto",
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of n Var over R' with all optimal designs marked.

    ``n Var = lambda (1 - lambda) / (p00 + p11 - 1)^2``, ``lambda = Pr(answer 1)`` (Holohan, Leith and Mason 2016,
    equation (6)); its level curves are halves of ellipses through (1, 0) and (0, 1) drawn in closed form.

    Args:
        epsilon, delta: the level, in any exact form, not (0, 0).
        prevalence: pi in [0, 1].
        mechanism: a binary mechanism to be marked, with its n Var.
        axes: ``"design"``: (p00, p11); ``"stretched"``: (p11 - p00, p00 + p11 - 1), for thin regions; ``"auto"``
            takes the second when R' is less than 3/10 high over p00 + p11 = 1.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    Raises:
        InvalidParameterError, InvalidMechanismError, InfeasibleError, MissingExtraError: as for ``region``.

    >>> figure = variance("log(2)", "1/4", prevalence="1/4")
    >>> "B and C, n Var = 15/16 = 0.9375" in figure.get_label()
    True
    """
    picture = variance_picture(epsilon, delta, prevalence=prevalence, mechanism=mechanism, axes=axes)
    return draw_variance(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_variance(picture: VariancePicture, style: Style) -> Figure:
    """Draw a picture of a landscape."""
    shape = picture.shape
    sheet = PictureLayout(style, aspect=1 if picture.axes == "design" else 0.75)
    _axes(sheet, picture)
    key = _landscape(sheet, picture)
    key += mark_optimum(sheet, shape, picture.axes)
    key += mark_mechanism(sheet, shape, picture.axes, picture.mechanism_variance())
    key += [
        (None, f"{name_text(shape.design(name))} {coordinates_text(shape.design(name))}: n Var {value_text(value)}")
        for name, value in picture.candidates.items()
        if name == shape.design(name).names[0]
    ]
    _name_vertices(sheet, picture)
    _label_contours(sheet, picture)
    return sheet.finish(key, _caption(picture))


def _axes(sheet: PictureLayout, picture: VariancePicture) -> None:
    if picture.axes == "stretched":
        sheet.axes.set(xlim=(-_WIDE, _WIDE), ylim=(0, picture.height * _WIDE), xticks=(-1, -0.5, 0, 0.5, 1))
        sheet.axes.ticklabel_format(axis="y", style="sci", scilimits=(-3, 3), useMathText=False)
        sheet.label("p₁₁ − p₀₀", "p₀₀ + p₁₁ − 1")
        return
    sheet.unit_square()
    sheet.label("p₀₀ = Pr(response 0 | truth 0)", "p₁₁ = Pr(response 1 | truth 1)")


def _landscape(sheet: PictureLayout, picture: VariancePicture) -> Key:
    """Fill R' from dark (least variance) to light, level by level, and draw the level curves, clipped to R'."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Polygon

    axes, palette, line = sheet.axes, sheet.style.palette, sheet.style.size.line
    light, dark = (to_rgb(color) for color in palette.ramp)
    border = picture.shape.outline(picture.axes, informative=True)
    floor = axes.add_patch(Polygon(border, closed=True, facecolor=dark, zorder=2))
    key: Key = []
    for i, level in enumerate(picture.levels, start=1):
        share = i / len(picture.levels)
        fill = tuple(a + (b - a) * share for a, b in zip(dark, light, strict=True))
        x, y = picture.plane(*level_curve(level, picture.optimum.prevalence))
        above = axes.add_patch(Polygon(list(zip(x, y, strict=True)), closed=True, facecolor=fill, zorder=3))
        (curve,) = axes.plot(x, y, color="black", linewidth=0.6 * line, zorder=4)
        for part in (above, curve):
            part.set_clip_path(floor)
        key = [(curve, "level curves of n Var; darker is less")]
    edge = axes.add_patch(Polygon(border, closed=True, fill=False, edgecolor="black", linewidth=line, zorder=5))
    edge.set_clip_on(False)
    return key


def _name_vertices(sheet: PictureLayout, picture: VariancePicture) -> None:
    """Mark the vertices of R' and write their letters."""
    corners = [design for design in picture.shape.designs if design.is_vertex and design.height.sign >= 0]
    points = [design.point(picture.axes) for design in corners]
    look = {"color": "black", "marker": "o", "markersize": 2.8 * sheet.style.size.line, "linestyle": "none"}
    sheet.axes.plot(*path(points), clip_on=False, zorder=7, **look)
    labels = [
        PointLabel(
            *point,
            name_text(design),
            direction(design, picture.axes),
        )
        for design, point in zip(corners, points, strict=True)
    ]
    label_points(sheet, labels)


def _label_contours(sheet: PictureLayout, picture: VariancePicture) -> None:
    curves = []
    for level in picture.levels:
        pieces = [picture.plane(x, y) for x, y in picture.contour(level)]
        if pieces:
            curves.append(Curve(*max(pieces, key=lambda piece: len(piece[0])), decimal_text(level, SHOWN_DIGITS)))
    marked = np.array([design.point(picture.axes) for design in picture.shape.designs if design.is_vertex])
    corners = [Curve(x, y, "") for x, y in marked[:, :, None]]
    label_curves(sheet, [*curves, *corners])


def _caption(picture: VariancePicture) -> str:
    region, pi = picture.shape.region, picture.optimum.prevalence
    text = (
        f"The landscape is n Var of the unbiased estimator at "
        f"prevalence {pi}, over the designs with p₀₀ + p₁₁ > 1 that are "
        f"(ε, δ)-private at {level_text(region.epsilon, region.delta)}. Level curves are halves of ellipses "
        "through A and E."
    )
    if picture.axes == "stretched":
        text += " The region is thin: it is stretched upwards."
    return text
