"""Picture of a family of designs: which formula is the optimum, by epsilon and a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, inf, nan
from typing import Any, NamedTuple

import numpy as np

from rropt.core.errors import InvalidParameterError, one_of
from rropt.core.exact import as_text, rational
from rropt.core.visible import with_noun
from rropt.designs.problem_families.candidates import values_at
from rropt.designs.problem_families.family import Family, FamilyConjecture
from rropt.designs.problem_families.parts import FamilyParameter
from rropt.plots.charts import COLORS, Chart, look_of
from rropt.plots.drawing import picture

_COLUMNS, _ROWS = 240, 400  # of the grid
_MOST_EPSILON = 6.0
_REACH = 20.0  # of an axis without an end, above its start
_TINT = 0.45


class Phases(NamedTuple):
    """The optimal formula on a grid.

    Attributes:
        names: the formulas that occur.
        name: the parameter of the upright axis.
        fixed: the values of the other parameters.
        x, y: epsilon and the parameter.
        best: the place of the optimal formula in ``names``, shape (y, x).
    """

    names: tuple[str, ...]
    name: str
    fixed: Mapping[str, Fraction]
    x: Any
    y: Any
    best: Any


def phases(found: Family | FamilyConjecture, name: str | None = None, *, at: Mapping[str, Any] | None = None) -> Phases:
    """Return which formula of a family is the optimum, by epsilon and a parameter.

    Args:
        found: the family.
        name: the parameter of the upright axis; by default the first one that is no whole number, else the first one.
        at: the values of the other parameters; by default 5 above the start of a whole one, and the middle of a range.

    Raises:
        InvalidParameterError: the family has no such parameter, or a value is outside of its range.
    """
    problem = found.problem
    if not problem.parameters:
        raise InvalidParameterError("a family without parameters has no picture: its formulas depend on gamma alone")
    listed = {parameter.name: parameter for parameter in problem.parameters}
    if name is None:
        name = next((p.name for p in problem.parameters if not p.whole), problem.parameters[0].name)
    own = listed[one_of(name, listed, "the parameter")]
    fixed = {p.name: _middle(p) for p in problem.parameters if p is not own}
    for key, value in (at or {}).items():
        fixed[one_of(key, fixed, "the parameter")] = rational(value, name=key)
        if not listed[key].holds(fixed[key]):
            raise InvalidParameterError(
                f"{key} is outside of its range: received {fixed[key]}; allowed is {listed[key]}"
            )
    x = np.linspace(0.01, _MOST_EPSILON, _COLUMNS)
    end = float(own.low) + _REACH if own.high is None else float(own.high)
    y = np.linspace(float(own.low), end, _ROWS + 2)[1:-1]
    levels, values = np.meshgrid(np.array([exp(each) - 1 for each in x]), y)
    coordinates = [
        values.ravel() if p is own else np.full(values.size, float(fixed[p.name])) for p in problem.parameters
    ]
    points = np.array([*coordinates, levels.ravel()])
    sign = 1 if problem.sense == "minimise" else -1
    table = np.array([sign * values_at(formula.quotient, points) for formula in found.formulas])
    best = table.argmin(axis=0).reshape(values.shape)
    kept = sorted(set(best.ravel().tolist()))
    places = {old: new for new, old in enumerate(kept)}
    moved = np.vectorize(places.__getitem__)(best)
    return Phases(tuple(found.formulas[i].value for i in kept), name, fixed, x, y, moved)


def _middle(parameter: FamilyParameter) -> Fraction:
    if parameter.whole:
        return parameter.low + 5
    return parameter.low + 1 if parameter.high is None else (parameter.low + parameter.high) / 2


@picture(phases, Phases, of=(Family, FamilyConjecture))
def family(chart: Chart, found: Phases) -> str:
    """Return a phase diagram: which formula of a family is the optimum, by epsilon and a parameter.

    Args:
        found: the ``Family``.
        name: the parameter of the upright axis; by default the first one that is no whole number.
        at: the values of the other parameters.
        size, ax: as for ``region``.

    >>> import rropt
    >>> print(family(rropt.family("taxonomy", fast=True), at={"k": 4}).text[:69])
    Which formula is the optimum, by epsilon and a, at k = 4: 2 formulas.
    """
    draw_phases(chart, found, _MOST_EPSILON)
    fixed = ", ".join(f"{key} = {as_text(value)}" for key, value in found.fixed.items())
    at = f", at {fixed}" if fixed else ""
    if fixed:
        chart.say(f"at {fixed}")
    return f"Which formula is the optimum, by epsilon and {found.name}{at}: {with_noun(len(found.names), 'formula')}."


def draw_phases(chart: Chart, found: Phases, most: float) -> None:
    """Draw the areas of formulas and the lines between them, from epsilon = 0 to ``most``."""
    end = float(found.y[-1]) + float(found.y[1] - found.y[0])
    chart.set(xlabel="epsilon", ylabel=found.name, xlim=(0, most), ylim=(float(found.y[0]), end), aspect=0.8)
    for i, text in enumerate(found.names):
        color = COLORS[i % len(COLORS)]
        for number, (low, high) in enumerate(_runs(found, i)):
            sides, low, high = _as_steps(found.x, low, high)
            chart.fill_between(
                sides, low, high, facecolor=color, tint=_TINT, label=text if number == 0 else "", zorder=1
            )
    _lines(chart, found)


def _runs(found: Phases, i: int) -> list[tuple[list[float], list[float]]]:
    """Return the ends of the runs of a formula in each column: the first runs, the second ones, and so on."""
    half = float(found.y[1] - found.y[0]) / 2
    columns = []
    for column in (found.best == i).T:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], column.astype(int), [0]])))
        columns.append([(found.y[a] - half, found.y[b - 1] + half) for a, b in edges.reshape(-1, 2)])
    most = max(map(len, columns))
    runs = []
    for n in range(most):
        picked = [runs_of[n] if n < len(runs_of) else (nan, nan) for runs_of in columns]
        runs.append(([low for low, _ in picked], [high for _, high in picked]))
    return runs


def _as_steps(x: Any, low: list[float], high: list[float]) -> tuple[list[float], list[float], list[float]]:
    """Return the columns as steps, from side to side: no gap is left where the number of runs changes."""
    half = float(x[1] - x[0]) / 2
    sides = [side for each in x for side in (each - half, each + half)]
    sides[0], sides[-1] = 0.0, float(x[-1])
    return sides, [one for each in low for one in (each, each)], [one for each in high for one in (each, each)]


def _lines(chart: Chart, found: Phases) -> None:
    """Draw the lower edges of all areas but those at the bottom of the frame."""
    look = look_of(len(COLORS) - 1) | {"color": "black", "linestyle": "solid", "linewidth": 0.7, "zorder": 3}
    bottom = float(found.y[0])
    for i in range(len(found.names)):
        for low, _ in _runs(found, i):
            chart.plot(found.x, [y if y > bottom and y < inf else nan for y in low], **look)
