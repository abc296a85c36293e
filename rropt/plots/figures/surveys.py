"""Pictures of a survey: a mechanism as a heat map, an estimate with its intervals, precision and respondents."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rropt.core.exact import decimal_text
from rropt.core.visible import visible
from rropt.mechanisms import Mechanism
from rropt.plots.data.efficiencies import FORCED, UNRELATED
from rropt.plots.data.surveys import (
    DEFAULT_RANGE,
    EstimatePicture,
    HeatPicture,
    PrecisionPicture,
    RespondentsPicture,
    estimate_picture,
    heat_picture,
    precision_picture,
    respondents_picture,
)
from rropt.plots.figures import Key, delta_text, plain_ticks, value_text
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import SHOWN_DIGITS, Style, plain_settings, style_of
from rropt.survey import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_WRITTEN = 8  # rows or columns of a heat map whose entries are written into their cells
_MOST_TICKS = 12
_KIND_WORDS = {"normal": "normal", "wilson": "Wilson", "chebyshev": "Chebyshev", "exact": "exact (Clopper–Pearson)"}
_GOAL = {"color": "#666666", "linestyle": (0, (1, 2)), "linewidth": 1.0, "zorder": 2}


def heat_map(
    mechanism: Mechanism, *, size: str = "paper", style: str = "color", caption: bool = True, ax: Any = None
) -> Figure:
    """Return a picture of a mechanism: darker cells are more likely outputs (rows) given the truth (columns).

    Args:
        mechanism: P, at most 200 answers and truths.
        size, style, caption, ax: as for ``region``.

    Raises:
        InvalidParameterError: too large, or no mechanism.
        MissingExtraError: matplotlib is not installed.

    >>> from rropt.mechanisms import named_mechanism
    >>> "parity = 3" in heat_map(named_mechanism("grr:4,1/2")).get_label()
    True
    """
    return draw_heat_map(heat_picture(mechanism), style_of(size, style, caption, ax))


@plain_settings()
def draw_heat_map(picture: HeatPicture, style: Style) -> Figure:
    """Draw a heat map."""
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Patch

    mechanism = picture.mechanism
    m, k = mechanism.shape
    matrix = np.array([[float(p) for p in row] for row in mechanism.matrix])
    sheet = PictureLayout(style, aspect=min(max(m / k, 0.3), 1.6))
    colours = LinearSegmentedColormap.from_list("ramp", style.palette.ramp)
    top = matrix.max()
    sheet.axes.imshow(matrix, cmap=colours, vmin=0, vmax=top, aspect="auto", interpolation="nearest")
    for axis, count in ((sheet.axes.xaxis, k), (sheet.axes.yaxis, m)):
        axis.set_ticks(range(0, count, -(-count // _MOST_TICKS)))
    sheet.label("truth", "answer")
    if max(m, k) <= _MOST_WRITTEN:
        for i, row in enumerate(mechanism.matrix):
            for j, p in enumerate(row):
                look = {"ha": "center", "va": "center", "fontsize": style.size.font}
                sheet.axes.text(j, i, decimal_text(p, 3 if max(m, k) < 6 else 2), **look)
    parity = mechanism.parity()
    level = "parity infinite" if parity is None else f"parity {value_text(parity)}"
    key: Key = [
        (Patch(facecolor=colours(x / top), edgecolor="#888888"), f"chance {decimal_text(x, 3)}")
        for x in (0.0, top / 2, top)
    ]
    text = (
        f"Each cell shows the probability of a response (row) given a true answer (column); "
        f"{mechanism.name or 'the mechanism'} has "
        f"{level}. "
        "Each column sums to 1."
    )
    return sheet.finish(key, text)


def estimated(
    estimate: Estimate,
    *,
    confidence: object = Fraction(19, 20),
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of estimated proportions with their confidence intervals of every kind that applies.

    Args:
        estimate: the estimate of a prevalence, or of at most 30 shares.
        confidence: exact, in (0, 1).
        size, style, caption, ax: as for ``region``.

    Raises:
        InvalidParameterError: no estimate, too many shares, or a confidence outside (0, 1).
        MissingExtraError: matplotlib is not installed.

    >>> from rropt import estimate_prevalence, named_mechanism
    >>> figure = estimated(estimate_prevalence(named_mechanism("forced:2/3,1/6,1/6"), 831, 2435))
    >>> "from 2435 answers" in figure.get_label()
    True
    """
    return draw_estimate(estimate_picture(estimate, confidence=confidence), style_of(size, style, caption, ax))


@plain_settings()
def draw_estimate(picture: EstimatePicture, style: Style) -> Figure:
    """Draw one row for each estimated proportion with a line for each kind of interval."""
    kinds = list(dict.fromkeys(kind for _, intervals in picture.shares for kind in intervals))
    rows, found = len(picture.shares), picture.estimate
    sheet = PictureLayout(style, aspect=min(1.5, 0.18 + 0.09 * rows * max(2, len(kinds)) / 2))
    axes, key = sheet.axes, []
    for i, kind in enumerate(kinds):
        look = style.line(i)
        for row, (_, intervals) in enumerate(picture.shares):
            if kind in intervals and not intervals[kind].emptied:
                at = row + 0.6 * ((i + 0.5) / len(kinds) - 0.5)
                ends = float(intervals[kind].lower), float(intervals[kind].upper)
                axes.plot(ends, (at, at), zorder=3, marker="|", markersize=5 * style.size.line, **look)
        key.append((axes.plot([], [], **look)[0], _KIND_WORDS[kind]))
    for j, values, marker, text in (
        (0, found.estimate, "o", "unbiased estimate"),
        (1, found.constrained_estimate, "D", "most likely distribution"),
    ):
        points = [float(values[category]) for category, _ in picture.shares]
        if j and all(values[category] == found.estimate[category] for category, _ in picture.shares):
            continue
        look = style.marker(j) | {"marker": marker, "color": "black", "linestyle": "none", "zorder": 5}
        key.append((axes.plot(points, range(rows), **look)[0], text))
    named = found.mechanism.categories or (["no", "yes"] if len(found.estimate) == 2 else range(len(found.estimate)))
    names = [visible(str(named[category])) for category, _ in picture.shares]
    axes.set_yticks(range(rows), names)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.grid(axis="x", color="#dddddd", linewidth=0.5, zorder=0)
    for wall in (0, 1):
        if axes.get_xlim()[0] < wall < axes.get_xlim()[1]:
            axes.axvline(wall, color="black", linewidth=0.8, zorder=1)
    sheet.label("proportion of the population", "category" if rows > 1 else "")
    level = decimal_text(100 * picture.confidence, 6)
    text = (
        f"The picture shows the estimated "
        f"share{'s' if rows > 1 else ''} of the population from {found.n} answers, with the {level} % "
        f"confidence interval{'s' if rows * len(kinds) > 1 else ''}."
    )
    return sheet.finish(key, text)


def precision(
    mechanisms: Sequence[Mechanism],
    quantity: Literal["margin", "power"] = "margin",
    *,
    prevalence: object,
    null: object = 0,
    n_range: tuple[object, object] = DEFAULT_RANGE,
    goal: object = None,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of margin or power against the number of respondents, with a curve for each design.

    Args:
        mechanisms, quantity, prevalence, null, n_range, goal: as of ``precision_picture``.
        size, style, caption, ax: as for ``region``.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are no mechanisms or too many.
        InfeasibleError: a design with p00 + p11 = 1.
        MissingExtraError: matplotlib is not installed.

    >>> from rropt.mechanisms import named_mechanism
    >>> figure = precision([named_mechanism("warner:3/4")], prevalence="1/4", goal="1/20")
    >>> "against the number of respondents" in figure.get_label()
    True
    """
    picture = precision_picture(mechanisms, quantity, prevalence=prevalence, null=null, n_range=n_range, goal=goal)
    return draw_precision(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_precision(picture: PrecisionPicture, style: Style) -> Figure:
    """Draw margin or power against n."""
    sheet = PictureLayout(style, aspect=0.75)
    axes, is_margin = sheet.axes, picture.quantity == "margin"
    axes.set_xscale("log")
    axes.set_xlim(picture.numbers[0], picture.numbers[-1])
    key: Key = []
    for i, (name, values) in enumerate(picture.curves):
        key.append((axes.plot(picture.numbers, values, zorder=3, **style.line(i))[0], name))
    axes.set_yscale("log") if is_margin else axes.set_ylim(0, 1.02)
    if picture.goal is not None:
        key.append((axes.axhline(float(picture.goal), **_GOAL), f"{picture.quantity} {value_text(picture.goal)}"))
    plain_ticks(axes.xaxis)
    if is_margin:
        plain_ticks(axes.yaxis)
    sheet.label("respondents n", "margin" if is_margin else "power")
    at = f"prevalence {decimal_text(picture.prevalence, SHOWN_DIGITS)}"
    text = (
        "The curves show the margin of the estimated prevalence (95 %, normal) against the number of respondents, "
        f"at {at}."
    )
    if not is_margin:
        null = decimal_text(picture.null, SHOWN_DIGITS)
        text = (
            f"The curves show the power of the one-sided normal test of "
            f"prevalence {null} at significance 0.05, against the number of "
            f"answers, when the true one is {decimal_text(picture.prevalence, SHOWN_DIGITS)}."
        )
    return sheet.finish(key, text)


def respondents(
    *,
    margin: object,
    prevalence: object,
    delta: object = 0,
    epsilon_range: tuple[object, object] = ("1/2", "4"),
    unrelated: Iterable[object] = UNRELATED,
    forced: Iterable[object] = FORCED,
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of the respondents that a margin needs, against epsilon, for the optimum and classical designs.

    Args:
        margin, prevalence, delta, epsilon_range, unrelated, forced: as of ``respondents_picture``.
        size, style, caption, ax: as for ``region``.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: the range holds epsilon = delta = 0, or more than 10^15 respondents are needed.
        MissingExtraError: matplotlib is not installed.

    >>> "asked openly" in respondents(margin="1/20", prevalence="1/4").get_label()
    True
    """
    options: dict[str, Any] = {"epsilon_range": epsilon_range, "unrelated": unrelated, "forced": forced}
    picture = respondents_picture(margin=margin, prevalence=prevalence, delta=delta, **options)
    return draw_respondents(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_respondents(picture: RespondentsPicture, style: Style) -> Figure:
    """Draw respondents against epsilon."""
    sheet = PictureLayout(style, aspect=0.8)
    axes = sheet.axes
    axes.set_yscale("log")
    axes.set_xlim(*(float(end) for end in picture.epsilon))
    key: Key = []
    for i, (name, numbers) in enumerate(picture.curves):
        look = style.line(i - 1) if i else {"color": "black", "linewidth": 2 * style.size.line, "linestyle": "solid"}
        key.append((axes.plot(picture.grid, numbers, zorder=3 if i else 2.5, **look)[0], name))
    key.append((axes.axhline(picture.openly, **_GOAL), f"asked openly, all honest: {picture.openly}"))
    plain_ticks(axes.yaxis)
    sheet.label("ε (nats)", "respondents")
    text = (
        f"The curves show the respondents needed for a margin of "
        f"{decimal_text(picture.margin, SHOWN_DIGITS)} (95 %, normal) at prevalence "
        f"{decimal_text(picture.prevalence, SHOWN_DIGITS)} and {delta_text(picture.delta)}, against ε. Each design has "
        "the most informative parameter that is private."
    )
    return sheet.finish(key, text)
