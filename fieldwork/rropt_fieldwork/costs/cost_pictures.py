"""The picture of n Var of the designs of the literature against epsilon; n Var is exact at gamma."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.exact import Delta, Epsilon
from rropt.plots.charts import Chart
from rropt.plots.data import level_grid
from rropt.plots.drawing import TEXTS, picture
from rropt_fieldwork.costs.equal_privacy import compare_designs

_GRID = 61  # points of a curve: they are smooth, but for whole cards

BOUND = "lower bound"


@dataclass(frozen=True, slots=True)
class ComparisonPicture:
    """The data of a picture of designs at equal privacy.

    Attributes:
        title: the survey and delta, in words.
        epsilon: the range drawn, (low, high).
        grid: levels of the curves, in nats.
        curves: groups of designs with the same n Var at every level, with that n Var; ``None`` where undefined.
        missing: the designs that are undefined at every level.
    """

    title: str
    epsilon: tuple[Epsilon, Epsilon]
    grid: tuple[float, ...]
    curves: tuple[tuple[tuple[str, ...], tuple[float | None, ...]], ...]
    missing: tuple[str, ...]


def comparison_picture(
    *,
    epsilon_range: tuple[object, object] = ("1/10", "3"),
    delta: object = 0,
    prevalence: object,
    respondents: int | None = None,
    population: int | None = None,
    surveyed: bool = False,
    other: object = Fraction(1, 2),
    middle: object = Fraction(1, 100),
    draws: int = 1,
) -> ComparisonPicture:
    """Return n Var of each design against epsilon.

    Args:
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        delta: delta of the level.
        prevalence, respondents, population, surveyed, other, middle, draws: as for ``compare_designs``.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: epsilon = delta = 0 is in the range.
    """
    ends, grid = level_grid(epsilon_range, Delta.of(delta), _GRID)
    levels = [Epsilon.of_gamma(1 + Fraction(math.expm1(level))) for level in grid]
    asked: dict[str, Any] = {"prevalence": prevalence, "other": other, "middle": middle, "draws": draws}
    asked |= {"respondents": respondents, "population": population, "surveyed": surveyed, "certify": False}
    found = [compare_designs(level, delta=delta, **asked) for level in levels]
    values = {d.design: tuple(one[d.design].variance for one in found) for d in found[0].designs}
    values[BOUND] = tuple(one.bound for one in found)
    shared: dict[tuple[Fraction | None, ...], list[str]] = {}
    for name, curve in values.items():
        shared.setdefault(curve, []).append(name)
    nothing = (None,) * _GRID
    return ComparisonPicture(
        title=f"{found[0].survey}, delta = {found[0].delta}",
        epsilon=ends,
        grid=grid,
        curves=tuple((tuple(names), _floats(curve)) for curve, names in shared.items() if curve != nothing),
        missing=tuple(shared.get(nothing, ())),
    )


def _floats(curve: tuple[Fraction | None, ...]) -> tuple[float | None, ...]:
    return tuple(None if value is None else float(value) for value in curve)


@picture(comparison_picture, ComparisonPicture)
def comparison(chart: Chart, found: ComparisonPicture) -> str:
    """Return a picture of n Var against epsilon for the designs of the literature, the optimum and the bound.

    Each design is tuned to the budget; designs of equal n Var share a curve. A dealt deck keeps the budget
    only for a response that is seen alone, and Laplace noise only for the published count.

    Args:
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        delta: delta of the level.
        prevalence, respondents, population, surveyed, other, middle, draws: as for ``compare_designs``.
        size, ax: as for ``region``.

    >>> figure = comparison(prevalence="1/10", respondents=100, surveyed=True)
    >>> "improved-christofides" in figure.text
    True
    """
    chart.set(yscale="log", xlabel="ε (nats)", ylabel="n Var", aspect=0.8)
    chart.set(xlim=(float(found.epsilon[0]), float(found.epsilon[1])))
    for names, values in found.curves:
        points = [(x, v) for x, v in zip(found.grid, values, strict=True) if v]
        chart.plot(*zip(*points, strict=True), label=", ".join(names))
    drawn = {name for group, _ in found.curves for name in group}
    more = TEXTS["comparison-dealt"] * ("improved-christofides" in drawn)
    more += TEXTS["comparison-laplace"] * ("laplace" in drawn)
    missing = f" Not defined: {', '.join(found.missing)}." if found.missing else ""
    return TEXTS["comparison"].format(title=found.title, more=more, missing=missing)
