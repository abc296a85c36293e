"""Bounds of a prevalence against the proportion of non-compliers, with a conclusion's line and its breakdown point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.exact import decimal_text
from rropt.plots.data.noncompliance import Curve, NoncompliancePicture, noncompliance_picture
from rropt.plots.figures import Key
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import Style, plain_settings, style_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def noncompliance(
    samples: Any,
    *,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
    **options: Any,
) -> Figure:
    """Return a picture of the bounds of a prevalence against the largest proportion of non-compliers.

    Args:
        samples: as for ``rropt.prevalence_bounds``.
        size, style, caption, ax: as for ``region``.
        options: ``conclusion``, ``most``, ``confidence``, and those of ``rropt.prevalence_bounds``.

    Returns:
        A matplotlib ``Figure``.

    >>> from rropt.mechanisms import named_mechanism
    >>> device = named_mechanism("forced:2/3,1/6,1/6")
    >>> figure = noncompliance((device, [1604, 831]), conclusion="at least 20 %")
    >>> "stands up to 0.0495277" in figure.get_label()
    True
    """
    return draw_noncompliance(noncompliance_picture(samples, **options), style_of(size, style, caption, ax))


@plain_settings()
def draw_noncompliance(picture: NoncompliancePicture, style: Style) -> Figure:
    """Draw bounds against the proportion of non-compliers."""
    from matplotlib.patches import Patch

    sheet = PictureLayout(style, aspect=0.7)
    axes = sheet.axes
    x = np.array([float(theta) for theta in picture.grid])
    sheet.label("proportion of non-compliers, at most", "prevalence")
    axes.set_xlim(0, x[-1])
    percent = decimal_text(100 * picture.confidence)
    key: Key = []
    for curve, shade, text in (
        (picture.covering, "0.85", f"with sampling error ({percent} %)"),
        (picture.sharp, "0.6", "at the observed proportions"),
    ):
        low, high = _floats(curve)
        axes.fill_between(x, low, high, color=shade, linewidth=0)
        axes.plot(x, low, **style.line(0))
        axes.plot(x, high, **style.line(0))
        key.append((Patch(facecolor=shade), text))
    broken = picture.conclusion
    if broken is not None:
        axes.axhline(float(broken.conclusion.value), color="black", linestyle="--", linewidth=0.8)
        if broken.against and broken.stands:
            axes.axvline(float(broken.theta), color="black", linestyle=":", linewidth=0.8)
            axes.plot([float(broken.theta)], [float(broken.conclusion.value)], "o", color="black", markersize=3)
    return sheet.finish(key, _caption(picture))


def _floats(curve: Curve) -> tuple[Any, Any]:
    low, high = zip(*curve, strict=True)
    return tuple(np.array([np.nan if end is None else float(end) for end in ends]) for ends in (low, high))  # type: ignore[return-value]


def _caption(picture: NoncompliancePicture) -> str:
    text = f"All prevalences that the responses allow with at most so many non-compliers: {picture.model}."
    return text if picture.conclusion is None else f"{text} The conclusion, dashed: {picture.conclusion}."
