"""Breach regions in the unit square of prior and posterior probabilities: Chai and Nayak (2018), Figures 1 to 4."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.exact import as_text, decimal_text
from rropt.mechanisms import Mechanism
from rropt.plots.data.breaches import BreachPicture, Part, ShownRegion, breach_picture, odds_curve
from rropt.plots.figures import Key, value_text
from rropt.plots.labels import Curve, label_curves
from rropt.plots.picture_layout import PictureLayout
from rropt.plots.styles import SHORT_TEXT, SHOWN_DIGITS, Style, plain_settings, style_of
from rropt.privacy.criteria import Criterion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# fills that are distinguished without colour, one on top of the other; further regions are lines alone
_HATCHES = ("", "////")


def breaches(
    criteria: Iterable[Criterion] = (),
    *,
    mechanisms: Iterable[Mechanism] = (),
    canonical: bool = False,
    gammas: Iterable[object] = (),
    size: str = "paper",
    style: str = "color",
    caption: bool = True,
    ax: Any = None,
) -> Figure:
    """Return a picture of breach regions: the pairs (prior, posterior) that are forbidden or never occur.

    ``W[h_l, h_u] = {(p, p*) : p* < h_l(p) or p* > h_u(p)}`` of a criterion and the complement of all pairs that occur
    under a mechanism (Chai and Nayak 2018, Definitions 2.2 and 2.3).

    Args:
        criteria, mechanisms: whose regions are drawn, four at most.
        canonical: mark the parts A and B that [h_l * h_u]-CSIP adds to the region of the only criterion.
        gammas: bounds on all Bayes factors whose upper limits ``h_g(p) = g p / (1 + (g - 1) p)`` are drawn, g > 1.
        size, style, caption, ax: as for ``region``.

    Returns:
        A matplotlib ``Figure``.

    Raises:
        InvalidParameterError: there is nothing or too much to draw, or a function or a bound is out of range.
        MissingExtraError: matplotlib is not installed.

    >>> from rropt.privacy.criteria import beta_factor
    >>> figure = breaches([beta_factor(2)])
    >>> "2-factor privacy: B(h) = 2, area 1/2 = 0.5" in figure.get_label()
    True
    """
    picture = breach_picture(criteria, mechanisms=mechanisms, canonical=canonical, gammas=gammas)
    return draw_breaches(picture, style_of(size, style, caption, ax))


@plain_settings()
def draw_breaches(picture: BreachPicture, style: Style) -> Figure:
    """Draw a picture of breach regions."""
    sheet = PictureLayout(style, aspect=1)
    axes = sheet.axes
    sheet.unit_square()
    sheet.label("prior probability p", "posterior probability p*")
    key: Key = []
    curves: list[tuple[Curve, Any]] = []
    for i, shown in enumerate(picture.regions):
        key += _region(sheet, i, shown, curves, alone=len(picture.regions) == 1)
    for part in picture.parts:
        key += _part(sheet, part)
    curves += _bounds(sheet, picture)
    look = {"color": "black", "linestyle": (0, (1, 2)), "linewidth": 0.8, "zorder": 3.5}
    (diagonal,) = axes.plot([0, 1], [0, 1], **look)
    key.append((diagonal, "p* = p: nothing is learnt"))
    left_out = label_curves(sheet, [curve for curve, _ in curves])
    key += [(line, curve.text) for curve, line in curves if curve.text and curve.text in left_out]
    return sheet.finish([*key, *_verdicts(sheet, picture)], _caption(picture))


def _region(sheet: PictureLayout, i: int, shown: ShownRegion, curves: list[tuple[Curve, Any]], *, alone: bool) -> Key:
    """Fill a region and draw its limits; append the curves that are to be labelled, with their lines.

    Beside others a mechanism is drawn by its lines alone, and so is a third criterion.
    """
    from matplotlib.patches import Polygon

    axes, look = sheet.axes, sheet.style.line(i)
    limits = shown.boundaries()
    filled = i < len(_HATCHES) and (alone or shown.mechanism is None)
    fill: dict[str, Any] = {"facecolor": "none", "hatch": _HATCHES[i]} if i and filled else {}
    fill = fill or {"facecolor": sheet.style.palette.informative}
    fill |= {"edgecolor": look["color"], "linewidth": 0.0, "zorder": 2 + 0.1 * i}
    sample: Any = None
    if limits is not None:
        for (x, y), end in zip(limits, (1.0, 0.0), strict=True):
            outline = [(0.0, end), *zip(x, y, strict=True), (1.0, end)]
            path = np.array([0.0, *x, 1.0]), np.array([y[0], *y, y[-1]])
            (sample,) = axes.plot(path[0], _inside(path[1], end), clip_on=False, zorder=5, **look)
            if filled:
                axes.add_patch(sample := Polygon(outline, closed=True, **fill))
    for text, (x, y) in shown.curves():  # without limits the region is everything else: to fill it would hide the rest
        (line,) = axes.plot(x, y, clip_on=False, zorder=5, **look)
        sample = sample or line
        curves.append((Curve(x, y, "" if text in ("0", "∞") else f"× {text}"), line))
    beyond = "" if filled or limits is None else ", beyond its lines"
    return [(sample, _region_text(shown) + beyond)]


def _verdicts(sheet: PictureLayout, picture: BreachPicture) -> Key:
    """Return the verdicts of all mechanisms on all criteria, a row for each."""
    from matplotlib.lines import Line2D

    size = 4.2 * sheet.style.size.line
    rows: Key = []
    for mechanism, criterion, meets in picture.verdicts():
        sample = Line2D([], [], marker="o" if meets else "X", color="black", linestyle="none", markersize=size)
        word = "meets" if meets else "does not meet"
        rows.append((sample, f"{_formula(mechanism)} {word} {_formula(criterion)}."))
    return rows


def _part(sheet: PictureLayout, part: Part) -> Key:
    """Hatch what the canonical form adds on one side, and write its letter into it."""
    if part.is_empty:
        return [(None, f"{part.letter} is empty: the canonical form adds nothing {_SIDES[part.letter]}")]
    (x, outer), (_, inner) = part.outer, part.inner
    axes = sheet.axes
    patch = axes.fill_between(
        x, inner, outer, facecolor="none", edgecolor="#555555", hatch="....", linewidth=0.0, zorder=2.5
    )
    axes.plot(x, np.where(outer != inner, inner, np.nan), zorder=5, **sheet.style.line(1))
    at, middle = _place(x, outer, inner)
    axes.text(
        at,
        middle,
        part.letter,
        fontsize=sheet.style.size.font + 1,
        ha="center",
        va="center",
        zorder=6,
        bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"},
    )
    return [(patch, f"{part.letter}: what the canonical form adds {_SIDES[part.letter]}")]


_SIDES = {"A": "above", "B": "below"}


def _inside(values: NDArray[np.float64], end: float) -> NDArray[np.float64]:
    """Return a limit without the stretches along the frame, which is drawn already; jumps to it are kept."""
    away = values != end
    away[1:] |= values[:-1] != end
    away[:-1] |= values[1:] != end
    kept: NDArray[np.float64] = np.where(away, values, np.nan)
    return kept


def _place(x: NDArray[np.float64], outer: NDArray[np.float64], inner: NDArray[np.float64]) -> tuple[float, float]:
    """Return where a letter has most room: far from both limits and from the endpoints of the part."""
    gap = abs(outer - inner)
    inside = x[gap > 0]
    room = np.minimum(gap / 2, np.minimum(x - inside[0], inside[-1] - x))
    best = int(np.argmax(room))
    return float(x[best]), float((outer[best] + inner[best]) / 2)


def _bounds(sheet: PictureLayout, picture: BreachPicture) -> list[tuple[Curve, Any]]:
    """Draw h_gamma for each gamma; return the curves with their lines."""
    curves = []
    for i, gamma in enumerate(picture.gammas, start=len(picture.regions)):
        x, y = odds_curve(float(gamma))
        (line,) = sheet.axes.plot(x, y, clip_on=False, zorder=4, **sheet.style.line(i))
        text = as_text(gamma)
        sign = f"= {text}" if len(text) <= SHORT_TEXT else f"≈ {decimal_text(gamma, SHOWN_DIGITS)}"
        curves.append((Curve(x, y, f"γ {sign}"), line))
    return curves


def _region_text(shown: ShownRegion) -> str:
    size, name = f"area {_area_text(shown)}", _formula(shown.name)
    if shown.mechanism is not None:
        parity = shown.mechanism.parity()
        level = "parity infinite" if parity is None else f"parity {value_text(parity)}"
        return f"{name}: {level}, {_what_occurs(shown) or size}"
    bound = shown.bound
    if bound is None or bound.lower is None:
        return f"{name}: B(h) infinite, {size}"
    exact = bound.lower if bound.lower == bound.upper else None
    text = value_text(exact) if exact is not None else f"≈ {decimal_text(bound.lower, SHOWN_DIGITS)}"
    return f"{name}: B(h) {text}, {size}"


def _what_occurs(shown: ShownRegion) -> str:
    """Return the legend entry of a region without limits: only curves occur, or every pair."""
    if shown.boundaries() is not None:
        return ""
    factors = [text for text, _ in shown.curves()]
    if not factors:
        return "every pair occurs"
    if factors == ["∞", "0"]:
        return "only p* = 0 and p* = 1 occur"
    return "only its curves occur; on × r the posterior odds are r times the prior odds"


def _formula(text: str) -> str:
    """Return the one line of a criterion with typographic signs."""
    for typed, set_ in (("<=", "≤"), (" - ", " − "), ("1-p", "1−p"), ("^2", "²"), ("^3", "³"), ("^4", "⁴")):
        text = text.replace(typed, set_)
    return text.replace("posterior", "p*")


def _area_text(shown: ShownRegion) -> str:
    found = shown.area
    if found.lower == found.upper:
        return value_text(found.lower).removeprefix("= ")
    return f"≈ {decimal_text(float(found), SHOWN_DIGITS)}"


_RELATIONS = {
    "equal": "The two regions are the same.",
    "smaller": "The first region is part of the second.",
    "larger": "The second region is part of the first.",
    "overlapping": "Neither region is part of the other.",
}


def _caption(picture: BreachPicture) -> str:
    if not picture.regions:
        return (
            "The curves are upper limits h(p) = γp/(1 + (γ − 1)p): the "
            "largest posterior probability p* at the prior p when every "
            "Bayes factor is at most γ. The lower limits are their mirror images, p to 1 − p and p* to 1 − p*."
        )
    demands = any(shown.mechanism is None for shown in picture.regions)
    provides = any(shown.mechanism is not None for shown in picture.regions)
    text = "The region of a criterion contains the pairs (p, p*) that it calls a privacy breach. " if demands else ""
    if provides:
        text += "The region of a mechanism contains the pairs that no intruder, property and response lead to. "
    if demands and provides:
        text += "The mechanism meets the criterion if its region covers that of the criterion. "
    if picture.gammas:
        text += "Curves with γ are the upper limits when every Bayes factor is at most γ. "
    if picture.parts:
        text += "With A and B: the region of the canonical form h(p) = min(h_u(p), 1 − h_l(1 − p)), met by the same "
        text += "mechanisms. "
    return (text + _relation_text(picture)).strip()


def _relation_text(picture: BreachPicture) -> str:
    relation = picture.relation()
    if relation is None:
        return ""
    if picture.verdicts():  # they say it
        return ""
    demands = relation == "overlapping" and picture.regions[1].mechanism is None
    return _RELATIONS[relation] + (" B(h) compares the two demands." if demands else "")
