"""Picture of the optimum for every level, with its breakpoints."""

from __future__ import annotations

from math import exp, isfinite, log

import numpy as np

from rropt.designs.parametric.closed_levels import ClosedLevels
from rropt.designs.parametric.every_level import EveryLevel, LevelPiece
from rropt.plots.charts import Chart
from rropt.plots.drawing import GOAL, as_given, picture

_POINTS = 400  # of the curve
_BEYOND = 1.25  # the axis of epsilon ends at this multiple of the last breakpoint
_AWAY = 0.1  # of the axis that is left out where the value is infinite at its beginning
_LEAST = 3.0  # nats that are drawn of an unbounded interval at least


@picture(as_given, EveryLevel, ClosedLevels)
def every_level(chart: Chart, found: EveryLevel | ClosedLevels) -> str:
    """Return a picture of the optimum against epsilon for every level, with a line at each breakpoint.

    Args:
        found: the ``EveryLevel`` or ``ClosedLevels``.
        size, ax: as for ``region``.

    >>> from rropt.designs import Problem, every_level_of
    >>> from rropt.privacy import span
    >>> problem = Problem.kary(level=span(), objective="loss:absolute", population="1/2,1/4,1/4")
    >>> found = every_level_of(problem, fast=True)
    >>> "1 breakpoint" in every_level(found).text
    True
    >>> every_level(every_level_of(Problem.kary(5, level=span()))).text
    'The optimal n tr Cov against epsilon. 1 breakpoint.'
    """
    region, pieces = found.region, found.pieces
    low = float(region.low)
    last = max([_LEAST, *(_BEYOND * log(float(piece.end)) for piece in pieces[:-1])])
    high = low + last if region.high.is_infinite else float(region.high)
    ends = [log(float(piece.end)) for piece in pieces[:-1]]
    formulas = [piece.value if isinstance(piece, LevelPiece) else piece.formula for piece in pieces]
    if not isfinite(formulas[0].near(exp(low))):  # without information at epsilon = 0
        low += _AWAY * (high - low)
    epsilons = np.linspace(low, high, _POINTS)
    values = [formulas[sum(epsilon > end for end in ends)].near(exp(epsilon)) for epsilon in epsilons]
    title = found.problem.objective.described
    chart.set(xlabel="epsilon", ylabel=title, aspect=0.75)
    chart.set(xlim=(low, high))
    chart.plot(epsilons, values, zorder=3)
    shown = [end for end in ends if low < end < high]
    for number, end in enumerate(shown):
        chart.axvline(end, label="" if number else _count(len(shown)), **GOAL)
    hidden = f"; {_count(len(ends) - len(shown))} beyond the frame" if len(ends) > len(shown) else ""
    return f"The optimal {title} against epsilon{hidden if ends else ', without a breakpoint'}."


def _count(number: int) -> str:
    return f"{number} breakpoint{'' if number == 1 else 's'}"
