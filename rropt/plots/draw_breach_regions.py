"""Breach regions in the unit square of prior and posterior probabilities: Chai and Nayak (2018), Figures 1 to 4."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.exact import as_text, decimal_text
from rropt.plots.charts import Chart, look_of
from rropt.plots.data.breach_pictures import BreachPicture, RegionPart, ShownRegion, breach_picture, odds_curve
from rropt.plots.drawing import (
    FILL,
    SHORT_TEXT,
    SHOWN_DIGITS,
    TEXTS,
    picture,
    unit_square,
    value_text,
)

_SIDES = {"A": "above", "B": "below"}


@picture(lambda *found: found)
def beliefs(chart: Chart, found: Any) -> str:
    """Return a picture of the posterior against the prior probability.

    Args:
        most, least: the largest and the smallest posterior probability, as functions of the prior.
        marked: prior probabilities to be marked.
        names: the names of the two curves.
        size, ax: as for ``region``.
    """
    *curves, marked, names = found
    unit_square(chart, "belief before", "belief afterwards")
    chart.plot((0, 1), (0, 1), color="black", linestyle="dotted", linewidth=0.8)
    grid = [Fraction(i, 60) for i in range(61)]
    for i, (posterior, name) in enumerate(zip(curves, names, strict=True)):
        chart.plot(*([float(y) for y in each] for each in (grid, map(posterior, grid))), label=name, **look_of(i))
        ends = ([float(y) for y in each] for each in (marked, map(posterior, marked)))
        chart.plot(*ends, marker="o", linestyle="none", color=look_of(i)["color"])
    return TEXTS["beliefs"]


@picture(breach_picture, BreachPicture)
def breaches(chart: Chart, found: BreachPicture) -> str:
    """Return a picture of breach regions: the pairs (prior, posterior) that are forbidden or never occur.

    ``W[h_l, h_u] = {(p, p*) : p* < h_l(p) or p* > h_u(p)}`` of a criterion and the complement of all pairs that occur
    under a mechanism (Chai and Nayak 2018, Definitions 2.2 and 2.3).

    Args:
        criteria, mechanisms: whose regions are drawn, four at most.
        canonical: mark the parts A and B that [h_l * h_u]-CSIP adds to the region of the only criterion.
        gammas: bounds on all Bayes factors whose upper limits ``h_g(p) = g p / (1 + (g - 1) p)`` are drawn, g > 1.
        size, ax: as for ``region``.

    Returns:
        A ``Figure`` of rropt.

    Raises:
        InvalidParameterError: there is nothing or too much to draw, or a function or a bound is out of range.

    >>> from rropt.privacy.criteria import beta_factor
    >>> figure = breaches([beta_factor(2)])
    >>> "2-factor privacy: B(h) = 2, area 1/2 = 0.5" in figure.text
    True
    """
    unit_square(chart, "prior probability p", "posterior probability p*")
    for i, shown in enumerate(found.regions):
        _region(chart, i, shown, filled=i < 2 and (len(found.regions) == 1 or shown.mechanism is None))
        for j, (text, (x, y)) in enumerate(shown.factors):
            chart.plot(x, y, clip_on=False, zorder=4, **look_of(i))
            if text not in ("0", "∞"):
                at = round(len(x) * (j + 1) / (len(shown.factors) + 1))  # names stand apart
                chart.text(x[at], y[at], f"× {text}", "square")
    for part in found.parts:
        _part(chart, part)
    for i, gamma in enumerate(found.gammas, start=len(found.regions)):
        text = as_text(gamma)
        sign = f"= {text}" if len(text) <= SHORT_TEXT else f"≈ {decimal_text(gamma, SHOWN_DIGITS)}"
        chart.plot(*odds_curve(float(gamma)), label=f"γ {sign}", zorder=4, **look_of(i))
    dotted = {"color": "black", "linestyle": (0, (1, 2)), "linewidth": 0.8, "zorder": 3.5}
    chart.plot([0, 1], [0, 1], label="p* = p: nothing is learnt", **dotted)
    for mechanism, criterion, meets in found.verdicts():
        text = f"{_formula(mechanism)} {'meets' if meets else 'does not meet'} {_formula(criterion)}."
        chart.plot([], [], marker="o" if meets else "X", color="black", linestyle="none", label=text)
    return _text(found)


def _region(chart: Chart, i: int, shown: ShownRegion, *, filled: bool) -> None:
    """Fill a region, or draw its limits alone: of a mechanism beside others, and of a third criterion."""
    look, text = look_of(i), _region_text(shown)
    fill: dict[str, Any] = {"facecolor": "none", "hatch": "////"} if i else {"facecolor": FILL}
    fill |= {"edgecolor": look["color"], "linewidth": 0.0, "zorder": 2 + 0.1 * i}
    if shown.limits is None:
        chart.plot([], [], label=text, **look)
        return
    for (x, y), end, label in zip(shown.limits, (1.0, 0.0), ("", text), strict=True):
        ends, line = np.array([y[0], *y, y[-1]]), f"{label}, beyond its lines" if label and not filled else ""
        chart.plot([0.0, *x, 1.0], _inside(ends, end), label=line, clip_on=False, zorder=5, **look)
        if filled:
            chart.polygon([(0.0, end), *zip(x, y, strict=True), (1.0, end)], label, **fill)


def _part(chart: Chart, part: RegionPart) -> None:
    """Hatch what the canonical form adds on one side, and write its letter into it."""
    side = _SIDES[part.letter]
    if part.is_empty:
        chart.say(f"{part.letter} is empty: the canonical form adds nothing {side}")
        return
    (x, outer), (_, inner) = part.outer, part.inner
    dots: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": "#555555",
        "hatch": "....",
        "linewidth": 0.0,
        "zorder": 2.5,
    }
    chart.fill_between(x, inner, outer, label=f"{part.letter}: what the canonical form adds {side}", **dots)
    chart.plot(x, np.where(outer != inner, inner, np.nan), zorder=5, **look_of(1))
    gap = abs(outer - inner)  # the letter stands where it has most room
    inside = x[gap > 0]
    best = int(np.argmax(np.minimum(gap / 2, np.minimum(x - inside[0], inside[-1] - x))))
    middle = float(outer[best] + inner[best]) / 2
    chart.text(x[best], middle, part.letter, "square")


def _inside(values: NDArray[np.float64], end: float) -> NDArray[np.float64]:
    """Return a limit without the stretches along the frame, which is drawn already; jumps to it are kept."""
    away = values != end
    away[1:] |= values[:-1] != end
    away[:-1] |= values[1:] != end
    kept: NDArray[np.float64] = np.where(away, values, np.nan)
    return kept


def _region_text(shown: ShownRegion) -> str:
    found, name = shown.area, _formula(shown.name)
    exact = found.lower == found.upper
    text = value_text(found.lower).removeprefix("= ") if exact else f"≈ {decimal_text(float(found), SHOWN_DIGITS)}"
    size, bound = f"area {text}", shown.bound
    if shown.mechanism is not None:
        parity = shown.mechanism.parity()
        level = "parity infinite" if parity is None else f"parity {value_text(parity)}"
        return f"{name}: {level}, {_what_occurs(shown) or size}"
    if bound is None or bound.lower is None:
        return f"{name}: B(h) infinite, {size}"
    if bound.lower == bound.upper:
        return f"{name}: B(h) {value_text(bound.lower)}, {size}"
    return f"{name}: B(h) ≈ {decimal_text(bound.lower, SHOWN_DIGITS)}, {size}"


def _what_occurs(shown: ShownRegion) -> str:
    """Return the legend entry of a region without limits: only curves occur, or every pair."""
    factors = [text for text, _ in shown.factors]
    if shown.limits is not None:
        return ""
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


def _text(found: BreachPicture) -> str:
    if not found.regions:
        return TEXTS["breach-bounds"]
    demands = any(shown.mechanism is None for shown in found.regions)
    provides = any(shown.mechanism is not None for shown in found.regions)
    parts = {"demands": demands, "provides": provides, "both": demands and provides}
    parts |= {"gammas": bool(found.gammas), "parts": bool(found.parts)}
    text = "".join(TEXTS[f"breach-{name}"] for name, is_shown in parts.items() if is_shown)
    relation = None if found.verdicts() else found.relation()  # the verdicts say it
    if relation is not None:
        text += TEXTS[relation] + TEXTS["breach-compared"] * (relation == "overlapping" and not provides)
    return text.strip()
