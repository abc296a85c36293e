"""Picture of a family of designs: which formula is the optimum, by epsilon and a parameter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, nan
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
    step = float(found.y[1] - found.y[0])
    chart.set(
        xlabel="epsilon",
        ylabel=found.name,
        xlim=(0, most),
        ylim=(float(found.y[0]), float(found.y[-1]) + step),
        aspect=0.8,
    )
    sides = _sides(found.x)
    rows = np.append(found.y, found.y[-1] + step) - step / 2  # the lower edge of each row, and the end of the last one
    for i, text in enumerate(found.names):
        for number, strand in enumerate(strands(found.best == i)):
            x, low, high = [], [], []
            for column, start, end in strand:
                x += [sides[column], sides[column + 1]]
                low += [rows[start]] * 2
                high += [rows[end]] * 2
            color = COLORS[i % len(COLORS)]
            chart.fill_between(x, low, high, facecolor=color, tint=_TINT, label="" if number else text, zorder=1)
    x, y = _border_lines(found, sides, rows)
    look = look_of(len(COLORS) - 1) | {"color": "black", "linestyle": "solid", "linewidth": 0.7, "zorder": 3}
    chart.plot(x, y, **look)


def _sides(x: Any) -> list[float]:
    """Return the places between the columns; the first side is 0, and the last one is that of the frame."""
    return [0.0, *((x[1:] + x[:-1]) / 2).tolist(), float(x[-1])]


def strands(mask: Any) -> list[list[tuple[int, int, int]]]:
    """Follow the runs of an area from column to column.

    Args:
        mask: the cells of the area, shape (rows, columns).

    Returns:
        strands of triples: a column, the first row of a run, and the row after its last one. Where an area divides or
        joins, two strands overlap by one column: a picture shows no seam there.
    """
    finished: list[list[tuple[int, int, int]]] = []
    current: list[list[tuple[int, int, int]]] = []
    for column, cells in enumerate(mask.T):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(int), [0]]))).tolist()
        runs = list(zip(edges[::2], edges[1::2], strict=True))
        following, left = [], list(current)
        for run in runs:
            parent = next((strand for strand in left if _common(strand[-1], run)), None)
            if parent is not None:
                left.remove(parent)
                following.append(parent)
                continue
            before = next((both for strand in current if (both := _common(strand[-1], run))), None)
            following.append([] if before is None else [(column - 1, *before)])
        for strand in left:
            both = next((both for run in runs if (both := _common(strand[-1], run))), None)
            finished.append(strand if both is None else [*strand, (column, *both)])
        current = following
        for strand, run in zip(current, runs, strict=True):
            strand.append((column, *run))
    return finished + current


def _common(cell: tuple[int, int, int], run: tuple[int, int]) -> tuple[int, int] | None:
    """Return the rows that a run of a column shares with another run, if there are any."""
    low, high = max(cell[1], run[0]), min(cell[2], run[1])
    return (low, high) if low < high else None


def borders(best: Any) -> tuple[list[list[tuple[int, int]]], list[tuple[int, int, int]]]:
    """Return the lines between the areas of a grid.

    Args:
        best: the place of the area of each cell, shape (rows, columns).

    Returns:
        lines of pairs, a column and the row above the line; and upright pieces, the column to their right, the first
        row, and the row after the last one. A line goes on in the next column if the same two areas meet there and no
        third one lies between.
    """
    lines: list[list[tuple[int, int]]] = []
    upright: list[tuple[int, int, int]] = []
    current: list[list[tuple[int, int]]] = []
    for column in range(best.shape[1]):
        own = best[:, column]
        before = best[:, max(column - 1, 0)]
        differs = own != before
        following, left = [], current
        for row in (np.flatnonzero(np.diff(own)) + 1).tolist():
            line = next((line for line in left if _goes_on(own, before, row, line[-1][1])), [])
            if line:
                left = [each for each in left if each is not line]
                low, high = sorted((row, line[-1][1]))
                differs[low:high] = False
            else:
                lines.append(line)
            line.append((column, row))
            following.append(line)
        current = following
        edges = np.flatnonzero(np.diff(np.concatenate([[0], differs.astype(int), [0]]))).tolist()
        upright += [(column, *pair) for pair in zip(edges[::2], edges[1::2], strict=True)]
    return lines, upright


def _goes_on(own: Any, before: Any, row: int, last: int) -> bool:
    """Return whether the border below a row is that of the column before: no other border is between the two."""
    if own[row - 1] != before[last - 1] or own[row] != before[last]:
        return False
    low, high = sorted((row, last))
    return len(set(own[low:high].tolist())) <= 1 and len(set(before[low:high].tolist())) <= 1


def _border_lines(found: Phases, sides: list[float], rows: Any) -> tuple[list[float], list[float]]:
    """Return the borders as one curve that ``nan`` interrupts."""
    x: list[float] = []
    y: list[float] = []
    lines, upright = borders(found.best)
    for line in lines:
        (first, start), (last, end) = line[0], line[-1]
        x += [sides[first], *(float(found.x[column]) for column, _ in line), sides[last + 1], nan]
        y += [rows[start], *(rows[row] for _, row in line), rows[end], nan]
    for column, start, end in upright:
        x += [sides[column], sides[column], nan]
        y += [rows[start], rows[end], nan]
    return x, y
