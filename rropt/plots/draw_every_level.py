"""Picture of the optimum for every level, with its breakpoints."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np

from rropt.designs.parametric.every_level import EveryLevel
from rropt.plots.drawing import GOAL, as_given, picture

_POINTS = 400  # of the curve
_BEYOND = 1.25  # the axis of epsilon ends at this multiple of the last breakpoint
_LEAST = 3.0  # nats that are drawn of an unbounded interval at least


@picture(as_given, EveryLevel)
def every_level(axes: Any, found: EveryLevel) -> str:
    """Return a picture of the optimum against epsilon for every level, with a line at each breakpoint.

    Args:
        found: the ``EveryLevel``.
        size, ax: as for ``region``.

    >>> from rropt.designs import kary_problem, solve
    >>> found = solve(kary_problem("all", population="1/2,1/4,1/4", objective="loss", loss="absolute"), fast=True)
    >>> "1 breakpoint" in every_level(found).get_label()
    True
    """
    region, pieces = found.region, found.pieces
    low = float(region.low)
    last = max([_LEAST, *(_BEYOND * log(float(piece.end)) for piece in pieces[:-1])])
    high = low + last if region.high.is_infinite else float(region.high)
    epsilons = np.linspace(low, high, _POINTS)
    ends = [log(float(piece.end)) for piece in pieces[:-1]]
    values = []
    for epsilon in epsilons:
        formula = pieces[sum(epsilon > end for end in ends)].value
        gamma = exp(epsilon)
        values.append((float(formula.a) + float(formula.b) * gamma) / (float(formula.c) + gamma))
    axes.set(xlabel="epsilon", ylabel=found.problem.objective.described, box_aspect=0.75)
    axes.set_xlim(low, high)
    axes.plot(epsilons, values, zorder=3)
    for number, end in enumerate(ends):
        axes.axvline(end, label="breakpoints" if number == 0 else None, **GOAL)
    many = f"{len(ends)} breakpoint{'' if len(ends) == 1 else 's'}"
    return f"The optimal {found.problem.objective.described} against epsilon, with {many}"
