"""Pictures of the accountant: delta against epsilon, and epsilon against the number of reports."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from rropt.accounting import Composition, Longitudinal, Shuffle
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.core.visible import visible
from rropt.plots.charts import Chart
from rropt.plots.drawing import FILL, SHOWN_DIGITS, as_given, delta_text, marked, picture

_LEAST = 1e-12  # delta below it is left out of a logarithmic axis


@picture(as_given, Composition, Shuffle)
def privacy_curve(chart: Chart, found: Composition | Shuffle) -> str:
    """Return a picture of delta against epsilon for a composition or for shuffled reports.

    Args:
        found: the result of ``rropt.compose`` or ``rropt.shuffle``, with points of the curve.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: the object is of another type, or the curve has no points.

    >>> import rropt
    >>> figure = privacy_curve(rropt.compose("log(3)*10", delta="1/1000"))
    >>> "10 x log(3)" in figure.text
    True
    """
    if not found.curve:
        raise InvalidParameterError("the curve has no points for a picture: received none; ask for at least 2 points")
    n = getattr(found, "n", None)
    what = f"All responses together of {found.composed}" if n is None else ""  # type: ignore[union-attr]
    what = what or f"One report among {n} shuffled reports of {found.mechanism}"  # type: ignore[union-attr]
    chart.set(xlabel="ε (nats)", ylabel="δ", aspect=0.7)
    shown = [(float(x.epsilon), float(x.lower), float(x.upper)) for x in found.curve if x.upper >= _LEAST]
    if not shown:
        return f"{visible(what)}: the least δ at each ε. Nothing is revealed: δ is 0 at every ε."
    x, low, high = zip(*shown, strict=True)
    floor = min(high) / 2
    chart.set(yscale="log", ylim=(floor, min(2 * max(high), 1.5)))
    most = max(float(point.epsilon) for point in found.curve) or 1
    chart.set(xlim=(0, most))
    chart.plot(x, high, label="δ, upper bound", **(marked(0) if len(x) == 1 else {}))
    # a difference that the picture shows
    if any(one < other * (1 - 1e-6) for one, other in zip(low, high, strict=True)):
        bottom = [max(one, floor) for one in low]
        chart.fill_between(x, bottom, high, facecolor=FILL, label="between the bounds of δ")
    asked = _asked(found.epsilon, found.delta)
    if asked is not None and asked[1] >= floor and asked[0] <= most:
        text = f"ε ≈ {_short(asked[0])}, δ ≈ {_short(asked[1])}"
        chart.plot([asked[0]], [asked[1]], color="#d55e00", linestyle="none", zorder=5, label=text, **marked(1))
    return f"{visible(what)}: the least δ at each ε."


@picture(as_given, Longitudinal)
def reports(chart: Chart, found: Longitudinal) -> str:
    """Return a picture of epsilon against the number of reports of one respondent.

    Args:
        found: the result of ``rropt.accounting.panel``.
        size, ax: as for ``region``.

    Raises:
        InvalidParameterError: the object is of another type.

    >>> from rropt.accounting import panel
    >>> figure = reports(panel("rappor:1/2,1/2,3/4", 10))
    >>> "limit" in figure.text
    True
    """
    chart.set(xlabel="reports", ylabel="ε (nats)", aspect=0.7)
    shown = [(x.reports, float(x.upper)) for x in found.curve if x.lower is not None and x.upper is not None]
    if shown:
        chart.set(xscale="log")
        chart.plot(*zip(*shown, strict=True), label="ε of so many reports", **marked(0))
        chart.y.low = 0
    limit = _nats(found.limit)
    if limit is None:
        chart.say("no limit: ε grows without bound")
    else:
        chart.axhline(float(limit), color="#d55e00", linestyle="dashed", label=f"limit ε ≈ {_short(limit)}")
    what = found.mechanism if found.memo is None else f"{found.mechanism}, of a memo: {found.memo}"
    return f"What the reports of one respondent reveal, {delta_text(found.delta)}: {visible(what)}."


def _nats(level: Epsilon | Bracket) -> Fraction | None:
    """Return a level in nats, rounded up; ``None`` if it is infinite."""
    if isinstance(level, Epsilon):
        return None if level.is_infinite else level.nats(30).upper
    return level.upper


def _asked(epsilon: Epsilon | Bracket, delta: Bracket | Delta) -> tuple[float, float] | None:
    """Return the requested point, at the upper bounds of what is only known within bounds."""
    nats, slack = _nats(epsilon), delta.bracket(30) if isinstance(delta, Delta) else delta
    return None if nats is None else (float(Fraction(math.ceil(nats * 10**12), 10**12)), float(slack.upper))


def _short(value: Any) -> str:
    return f"{float(value):.{SHOWN_DIGITS}g}"
