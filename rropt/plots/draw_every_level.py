"""Picture of the optimum for every level, with its breakpoints."""

from __future__ import annotations

from math import exp, isfinite, log
from typing import Any

import numpy as np

from rropt.designs.parametric.closed_levels import ClosedLevels
from rropt.designs.parametric.every_level import EveryLevel, LevelPiece
from rropt.plots.drawing import GOAL, as_given, picture

_POINTS = 400  # of the curve
_BEYOND = 1.25  # the axis of epsilon ends at this multiple of the last breakpoint
_AWAY = 0.1  # of the axis that is left out where the value is infinite at its beginning
_LEAST = 3.0  # nats that are drawn of an unbounded interval at least


@picture(as_given, EveryLevel, ClosedLevels)
def every_level(axes: Any, found: EveryLevel | ClosedLevels) -> str:
    """Return a picture of the optimum against epsilon for every level, with a line at each breakpoint.

    Args:
        found: the ``EveryLevel`` or ``ClosedLevels``.
        size, ax: as for ``region``.

    >>> from rropt.designs import kary_problem, solve
    >>> found = solve(kary_problem("all", population="1/2,1/4,1/4", objective="loss", loss="absolute"), fast=True)
    >>> "1 breakpoint" in every_level(found).get_label()
    True
    >>> every_level(solve(kary_problem("all", categories=5, objective="a-optimal"))).get_label()
    'The optimal n tr Cov against epsilon, with 1 breakpoint. breakpoint.'
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
    axes.set(xlabel="epsilon", ylabel=title, box_aspect=0.75)
    axes.set_xlim(low, high)
    axes.plot(epsilons, values, zorder=3)
    noun = f"breakpoint{'' if len(ends) == 1 else 's'}"
    for number, end in enumerate(end for end in ends if low < end < high):
        axes.axvline(end, label=noun if number == 0 else None, **GOAL)
    return f"The optimal {title} against epsilon, with {len(ends)} {noun}."
