"""Pictures of a survey: a mechanism as a heat map, and estimates with their intervals."""

# ruff: noqa: RUF001  (typographic signs are meant)

from __future__ import annotations

from typing import Any

import numpy as np

from rropt.core.exact import decimal_text
from rropt.core.visible import visible
from rropt.estimates.estimated import Estimates
from rropt.inference.count_estimates import Estimate
from rropt.inference.interval_kinds import is_empty
from rropt.mechanisms import Mechanism
from rropt.mechanisms.displays import decimal_rows
from rropt.plots.charts import Chart, look_of
from rropt.plots.data.group_pictures import GroupsPicture, groups_picture
from rropt.plots.data.survey_pictures import estimate_picture, heat_picture
from rropt.plots.drawing import DARK, TEXTS, marked, picture, value_text
from rropt.plots.text_widths import wrapped

_MOST_WRITTEN = 8  # rows or columns of a heat map whose entries are written into their cells
_MOST_TICKS = 12
_IN_A_ROW = 30  # characters of all names below a heat map; longer ones stand upright
_LONGEST = 30  # characters of a group's name
_LINE = 1.3  # of the font size: from one row to the next at least
_ROOM = 11  # times the font size: longer names are set in lines
_LANE = 0.8  # of the font size: from one interval of a row to the next, if long names leave a narrow frame
_KINDS = {"normal": "normal", "wilson": "Wilson", "chebyshev": "Chebyshev", "exact": "exact (Clopper–Pearson)"}


@picture(heat_picture, of=(Mechanism,))
def heat_map(chart: Chart, mechanism: Mechanism) -> str:
    """Return a picture of a mechanism: darker cells are more likely outputs (rows) given the truth (columns).

    Args:
        mechanism: P, at most 200 answers and truths.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: too large, or no mechanism.

    >>> from rropt.mechanisms import named_mechanism
    >>> "parity = 3" in heat_map(named_mechanism("grr:4,1/2")).text
    True
    """
    m, k = mechanism.shape
    chart.cells(mechanism.matrix, DARK)
    top = float(max(map(max, mechanism.matrix)))
    chart.set(xlabel="truth", ylabel="answer", aspect=min(max(m / k, 0.3), 1.6))
    for axis, count, names in ((chart.x, k, mechanism.categories), (chart.y, m, mechanism.responses)):
        shown = range(0, count, -(-count // _MOST_TICKS))
        axis.ticks = tuple((i, _cut(names[i]) if names else str(i)) for i in shown)
    chart.x.is_turned = max(map(len, mechanism.categories), default=0) * k > _IN_A_ROW
    if max(m, k) <= _MOST_WRITTEN:
        texts = decimal_rows(mechanism.matrix, 3 if max(m, k) < 6 else 2)
        for (i, j), text in np.ndenumerate(np.array(texts, object)):
            chart.text(j, i, text)
    for x in (0.0, top / 2, top):
        sample = {"facecolor": DARK, "tint": x / top, "edgecolor": "#666666", "linewidth": 0.5}
        chart.polygon((), f"chance {decimal_text(x, 3)}", **sample)
    parity = mechanism.parity()
    level = "parity infinite" if parity is None else f"parity {value_text(parity)}"
    return TEXTS["heat-map"].format(name=mechanism.name or "the mechanism", level=level)


def _rows(chart: Chart, names: list[str], intervals: dict[str, list[Any]], x: str, y: str) -> None:
    """Draw one row for each name with a line for each kind of interval."""
    rows, kinds = len(names), len(intervals)
    for i, (kind, each) in enumerate(intervals.items()):
        chart.plot([], [], label=kind if any(each) else f"{kind}: none", **look_of(i))
        for row, ends in enumerate(each):
            if ends is not None:
                at = row + 0.6 * ((i + 0.5) / kinds - 0.5)
                chart.plot(ends, (at, at), marker="|", zorder=3, **look_of(i))
    named = wrapped(names, _ROOM)
    chart.y.ticks = tuple(enumerate(named))
    chart.set(ylim=(rows - 0.5, -0.5), ylabel=y)
    least = max(_LINE * max(name.count("\n") + 1 for name in named), _LANE * kinds)
    chart.set(xlabel=x, aspect=min(2.5, 0.18 + 0.045 * rows * max(2, kinds)), least_height=least * rows)
    chart.x.has_grid = True


@picture(estimate_picture, of=(Estimate, Estimates))
def estimated(chart: Chart, found: Estimates) -> str:
    """Return a picture of estimated proportions with their confidence intervals of every kind that applies.

    Args:
        estimate: the estimate of a prevalence, or of at most 30 shares, or what ``rropt estimate`` prints of one.
        confidence: of the intervals of an ``Estimate``, exact, in (0, 1).
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: no estimate, too many shares, or a confidence outside (0, 1).

    >>> from rropt.inference import estimate
    >>> from rropt.mechanisms import named_mechanism
    >>> figure = estimated(estimate(named_mechanism("forced:2/3,1/6,1/6"), yes=831, n=2435))
    >>> "from 2435 responses" in figure.text
    True
    """
    rows = found.rows
    intervals = {
        text: [
            _ends(row.conf_int(confidence=found.confidence, kind=kind) if kind in row.kinds else None) for row in rows
        ]
        for kind, text in _KINDS.items()
        if any(kind in row.kinds for row in rows)
    }
    named = [row.category for row in rows] if len(rows) > 1 or rows[0].category != "1" else ["yes"]
    names = [_cut(str(name)) for name in named]
    _rows(chart, names, intervals, "proportion of the population", "category" if len(names) > 1 else "")
    for j, values, marker, text in (
        (0, [row.estimate for row in rows], "o", "unbiased estimate"),
        (1, [row.most_likely for row in rows], "D", "most likely distribution"),
    ):
        if not j or values != [row.estimate for row in rows]:
            points = [float(share or 0) for share in values]
            look = marked(j) | {"marker": marker, "color": "black", "linestyle": "none", "zorder": 5}
            chart.plot(points, range(len(names)), label=text, **look)
    (low, high), _ = chart.limits()
    for wall in (0, 1):
        if low < wall < high:
            chart.axvline(wall, color="black", linewidth=0.8, zorder=1)
    confidence = decimal_text(100 * found.confidence, 6)
    return TEXTS["estimated"].format(s="s" * (len(names) > 1), n=found.nobs, confidence=confidence)


def _cut(name: str) -> str:
    """Return a name that leaves room for the axes."""
    text = visible(name)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _ends(interval: Any) -> tuple[float, float] | None:
    return None if interval is None or interval.emptied else (float(interval.lower), float(interval.upper))


@picture(groups_picture, GroupsPicture, of=(Estimates,))
def groups(chart: Chart, found: GroupsPicture) -> str:
    """Return a picture of one proportion, of the mean of a number, or of a contrast, in all groups.

    Args:
        found: estimates by group, a mean or a contrast, or the predicted prevalence by group of a regression.
        share: the name of the proportion; by default the first one. Not for a mean or a contrast.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: no such share, or too many groups.
    """
    is_share = found.quantity == "proportion"
    intervals = {
        kind: [
            None if x is None or (is_empty(*x, point) and is_share) else x
            for x, point in zip(each, found.estimates, strict=True)
        ]
        for kind, each in found.intervals.items()
    }
    names = [f"{_cut(group)} ({n})" for group, n in zip(found.groups, found.n, strict=True)]
    quantity = f"{found.quantity} of {_cut(found.name)}" if not is_share and found.name else found.quantity
    x = f"{quantity} in the {'group' if found.by else 'population'}"
    _rows(chart, names, intervals, x, _cut(f"by {', '.join(found.by)}") if found.by else "")
    look = marked(0) | {"color": "black", "linestyle": "none", "zorder": 5}
    chart.plot(found.estimates, range(len(names)), label=found.estimator, **look)
    level = decimal_text(100 * found.confidence, 6)
    of = "in each group (respondents)" if found.by else "in the population (respondents)"
    name = f"{visible(found.name)}: " if found.name else ""
    return f"{name}estimated {found.quantity} {of}, with {level} % intervals."
