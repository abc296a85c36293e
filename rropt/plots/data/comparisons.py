"""n Var of the designs of the literature, and of the bound below them, against epsilon: what a picture shows.

Every point is exact, at the rational gamma nearest to exp(epsilon) that a float holds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.errors import InfeasibleError
from rropt.exact import Delta, Epsilon
from rropt.orders.equal_privacy import compare_designs
from rropt.plots.data.thresholds import epsilon_range

_GRID = 61  # points of a curve: they are smooth, but for whole cards

BOUND = "lower bound"


@dataclass(frozen=True, slots=True)
class ComparisonPicture:
    """What a picture of designs at equal privacy shows.

    Attributes:
        title: the survey and delta, in words.
        epsilon: the range drawn, (low, high).
        grid: levels of the curves, in nats.
        curves: designs of equal n Var at every level with that n Var; ``None`` where it is not defined.
        missing: designs that are nowhere defined.
    """

    title: str
    epsilon: tuple[Epsilon, Epsilon]
    grid: tuple[float, ...]
    curves: tuple[tuple[tuple[str, ...], tuple[Fraction | None, ...]], ...]
    missing: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the picture's data, decimals along the curves."""
        curves = [
            {"designs": list(names), "variance": [None if v is None else float(v) for v in values]}
            for names, values in self.curves
        ]
        return {
            "picture": "comparison",
            "title": self.title,
            "epsilon_range": [str(end) for end in self.epsilon],
            "epsilon": list(self.grid),
            "curves": curves,
            "missing": list(self.missing),
        }


def comparison_picture(
    *, epsilon: tuple[object, object] = ("1/10", "3"), delta: object = 0, **options: Any
) -> ComparisonPicture:
    """Return n Var of each design against epsilon.

    Args:
        epsilon: the range drawn, (low, high); low > 0 unless delta > 0.
        delta: the slack.
        options: prevalence, respondents and so on, as of ``compare_designs``.

    Raises:
        InvalidParameterError: a parameter outside its domain.
        InfeasibleError: epsilon = delta = 0 is in the range.
    """
    ends = epsilon_range(epsilon)
    if not float(ends[0]) and Delta.of(delta) == Delta.of(0):
        raise InfeasibleError("nothing can be estimated at epsilon = delta = 0: start the range above 0, or take delta")
    low, high = (float(end) for end in ends)
    grid = tuple(low + (high - low) * i / (_GRID - 1) for i in range(_GRID))
    levels = [Epsilon.of_gamma(1 + Fraction(math.expm1(level))) for level in grid]
    found = [compare_designs(level, delta=delta, certify=False, **options) for level in levels]
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
        curves=tuple((tuple(names), curve) for curve, names in shared.items() if curve != nothing),
        missing=tuple(shared.get(nothing, ())),
    )
