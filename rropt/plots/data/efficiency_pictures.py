"""The variance of the classical designs relative to the certified optimum, against epsilon.

Every point is computed in exact arithmetic. The curves use the closed form at gamma, the float nearest to exp(epsilon).
The marked points use ``solve`` at rational gamma and have certificates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.exact import Delta, Epsilon, rational_where
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, simplest_between
from rropt.designs import Solution, closed_forms
from rropt.objectives import binary_variance
from rropt.plots.data.marked_designs import ClassicalDesign, classical_designs, drawn_items, solve_exactly
from rropt.plots.data.threshold_pictures import level_grid, level_set
from rropt.plots.drawing import MAX_CURVES

UNRELATED = ("1/10", "1/4", "3/4")
MARKED_POINTS = 3  # points that are marked unless told which
_POINTS = 'a list of levels such as ["1", "log(3)"]'
_GRID = 121  # points of a curve: the ratios are smooth


@dataclass(frozen=True, slots=True)
class EfficiencyCurve:
    """One curve, shared by all designs of equal variance.

    Attributes:
        designs: the designs that share the curve.
        ratios: the relative variance at each epsilon of the grid, at the nearest float gamma.
        marked: the relative variance at each marked point, n Var divided by the certified lower bound of the optimum;
            exact at a rational level.
        is_optimal: whether its designs are optimal at every point of the picture, decided exactly.
    """

    designs: tuple[str, ...]
    ratios: tuple[float, ...]
    marked: tuple[Fraction, ...]
    is_optimal: bool

    @property
    def label(self) -> str:
        """The designs' names, joined."""
        return ", ".join(self.designs)


@dataclass(frozen=True, slots=True)
class EfficiencyPicture:
    """The data of a picture of efficiencies.

    Attributes:
        prevalence: pi, strictly between 0 and 1 unless delta = 0.
        delta: delta of the level.
        epsilon: the range drawn, (low, high).
        grid: levels of the curves, in nats.
        curves: the curves, in ascending order at the left endpoint.
        points: the certified optima at the marked levels.
        switch: the epsilon where a corner and the diagonal point tie (g = min(pi, 1 - pi)), if in range.
    """

    prevalence: Fraction
    delta: Delta
    epsilon: tuple[Epsilon, Epsilon]
    grid: tuple[float, ...]
    curves: tuple[EfficiencyCurve, ...]
    points: tuple[Solution, ...]
    switch: float | None


def efficiency_picture(
    *,
    prevalence: object,
    delta: object = 0,
    epsilon_range: tuple[object, object] = ("1/10", "5"),
    points: Iterable[object] | None = None,
    unrelated: Iterable[object] = UNRELATED,
) -> EfficiencyPicture:
    """Return the relative variances of the classical designs (``data.marked_designs``) against epsilon.

    Args:
        prevalence: pi in [0, 1]; at delta > 0 strictly between.
        delta: the slack of the level.
        epsilon_range: the range drawn, (low, high); low > 0 unless delta > 0.
        points: the levels to mark and certify; by default three round levels.
        unrelated: prevalences piB of unrelated questions.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are too many.
        InfeasibleError: epsilon = delta = 0 is in the range, or the optimum is 0, so that ratios to it are undefined.
    """
    pi = rational_where(prevalence, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    slack = Delta.of(delta)
    ends, grid = level_grid(epsilon_range, slack, _GRID)
    exact_zero = slack.rational == 0
    if pi in (0, 1) and not exact_zero:
        raise InfeasibleError(
            f"the least variance is 0 at prevalence {pi} with delta > 0: nothing is relative to it; "
            "take a prevalence strictly between 0 and 1"
        )
    designs = classical_designs(unrelated, slack=not exact_zero)
    if points is None:
        levels = _marked_levels(ends)
    else:
        levels = [_point(point, ends) for point in drawn_items(points, "`points`", _POINTS)]
    if len(designs) + len(levels) > MAX_CURVES:
        raise InvalidParameterError(
            f"designs and points are too many to be distinguished: received {len(designs)} and {len(levels)}; "
            f"at most {MAX_CURVES} of both are allowed"
        )
    solutions = tuple(solve_exactly(level, slack, pi) for level in sorted(set(levels), key=float))
    return EfficiencyPicture(
        prevalence=pi,
        delta=slack,
        epsilon=ends,
        grid=grid,
        curves=_curves(designs, grid, slack, pi, solutions),
        points=solutions,
        switch=_switch(slack, pi, ends),
    )


def least_variance(gamma: Fraction, delta: Fraction, pi: Fraction) -> Fraction:
    """Return the smallest n Var at a rational level: the minimum over the three candidates of the theorem."""
    pairs = [closed_forms.diagonal_variance(gamma, delta, pi)]
    if delta:
        pairs += [closed_forms.corner_p00_variance(delta, pi), closed_forms.corner_p11_variance(delta, pi)]
    return min(Fraction(above, below) for above, below in pairs)


def _curves(
    designs: Mapping[str, ClassicalDesign],
    grid: tuple[float, ...],
    delta: Delta,
    pi: Fraction,
    solutions: tuple[Solution, ...],
) -> tuple[EfficiencyCurve, ...]:
    """Return the curves; designs with equal variance at all points, including marked ones, share a curve."""
    exact = []
    for solution in solutions:
        bracket = solution.problem.region.one_level().bracket(FIRST_BRACKET_DIGITS)
        exact.append((bracket.below.gamma, bracket.below.delta))
    shared: dict[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], list[str]] = {}
    levels = grid_levels(grid, delta)
    least = [least_variance(*level, pi) for level in levels]
    for name, design in designs.items():
        ratios = tuple(variance / best for variance, best in zip(variances(design, levels, pi), least, strict=True))
        bounds = (solution.lower for solution in solutions)
        marked = tuple(variance / bound for variance, bound in zip(variances(design, exact, pi), bounds, strict=True))
        shared.setdefault((ratios, marked), []).append(name)
    return tuple(
        EfficiencyCurve(tuple(group), tuple(map(float, ratios)), marked, set(ratios) == {1})
        for (ratios, marked), group in sorted(shared.items(), key=lambda item: item[0][0][0])
    )


Levels = list[tuple[Fraction, Fraction]]


def grid_levels(grid: tuple[float, ...], delta: Delta) -> Levels:
    """Return rational (gamma, delta) at the levels of a grid."""
    below = delta.bracket(FIRST_BRACKET_DIGITS).lower
    return [(1 + Fraction(math.expm1(epsilon)), below) for epsilon in grid]


def variances(design: ClassicalDesign, levels: Levels, pi: Fraction) -> Iterator[Fraction]:
    """Yield n Var of a design at rational levels, exact."""
    for mechanism in (design(*level) for level in levels):
        yield binary_variance(mechanism.p00, mechanism.p11, pi)


def _marked_levels(ends: tuple[Epsilon, Epsilon]) -> list[Epsilon]:
    """Return evenly spaced levels log(q) with the simplest q that the spacing allows, for short exact optima."""
    low, high = float(ends[0]), float(ends[1])
    step = (high - low) / MARKED_POINTS
    levels = []
    for i in range(MARKED_POINTS):
        left, right = low + step * (i + 0.25), low + step * (i + 0.75)
        levels.append(Epsilon.of_gamma(1 + simplest_between(Fraction(math.expm1(left)), Fraction(math.expm1(right)))))
    return levels


def _point(value: object, ends: tuple[Epsilon, Epsilon]) -> Epsilon:
    level = Epsilon.of(value)
    if not float(ends[0]) <= float(level) <= float(ends[1]):
        raise InvalidParameterError(
            f"a marked level is outside the picture: received {shown(value)}; allowed is {ends[0]} to {ends[1]}; "
            "widen the range"
        )
    return level


def _switch(delta: Delta, pi: Fraction, ends: tuple[Epsilon, Epsilon]) -> float | None:
    """Return the epsilon with g(epsilon, delta) = min(pi, 1 - pi); at most one, since g decreases."""
    slack, rare = float(delta), min(pi, 1 - pi)
    if not 0 < slack < 1 or not rare:
        return None
    found, _ = level_set(rare, slack, slack, points=1)
    epsilon = float(found[0])
    return epsilon if float(ends[0]) < epsilon < float(ends[1]) else None
