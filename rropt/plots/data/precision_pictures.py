"""Data of precision against respondents, and of respondents against epsilon, which agree with ``plan``."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rropt.answers.response_counts import answer_count
from rropt.core.errors import InvalidParameterError, one_of
from rropt.core.exact import Delta, Epsilon, rational_where
from rropt.inference.distributions import two_sided_quantile
from rropt.mechanisms import Mechanism
from rropt.mechanisms.columns import required_pair
from rropt.mechanisms.imports import required_mechanisms
from rropt.plans.goals import plan_request, planned_quantity
from rropt.plans.plan import require_possible
from rropt.plans.requests import InferenceRules, PlanAssumptions, PlanGoal
from rropt.plots.data.efficiency_pictures import (
    UNRELATED,
    efficiency_picture,
    grid_levels,
    least_variance,
    variances,
)
from rropt.plots.data.marked_designs import classical_designs, drawn_items
from rropt.plots.drawing import MAX_CURVES

_POINTS = 61  # of a curve against n or epsilon: smooth to the eye


@dataclass(frozen=True, slots=True)
class PrecisionPicture:
    """Margin or power against the number of respondents, for several designs.

    Attributes:
        quantity: ``"margin"`` or ``"power"``.
        prevalence: the guess.
        null: the prevalence under the null hypothesis, for a power.
        numbers: numbers of respondents, in ascending order.
        curves: name and values of each design.
        goal: the required margin or power, if any.
    """

    quantity: Literal["margin", "power"]
    prevalence: Fraction
    null: Fraction
    numbers: tuple[int, ...]
    curves: tuple[tuple[str, tuple[float, ...]], ...]
    goal: Fraction | None = None


def precision_picture(
    mechanisms: Sequence[Mechanism],
    quantity: Literal["margin", "power"] = "margin",
    *,
    prevalence: object,
    null: object = 0,
    n_range: tuple[object, object] = (100, 10_000),
    goal: object = None,
) -> PrecisionPicture:
    """Return margin or power against the number of respondents.

    The margin is the half-width of the normal interval at confidence 0.95; the power is that of the one-sided normal
    test of ``null`` at significance 0.05.

    Args:
        mechanisms: binary designs with p00 + p11 != 1, 40 at most.
        quantity: ``"margin"`` or ``"power"``.
        prevalence: the guess, the true one for a power.
        null: the prevalence under the null hypothesis.
        n_range: the range of n drawn, (low, high).
        goal: the required margin or power, in (0, 1), drawn as a line.

    Raises:
        InvalidParameterError: a parameter is outside its domain, or there are no mechanisms or too many.
        InfeasibleError: a design with p00 + p11 = 1.
    """
    designs = required_mechanisms(mechanisms)
    if not 1 <= len(designs) <= MAX_CURVES:
        raise InvalidParameterError(f"a picture has 1 to {MAX_CURVES} designs: received {len(designs)}")
    one_of(quantity, ("margin", "power"), "the quantity")
    pi, tested = (
        rational_where(p, lambda p: 0 <= p <= 1, "0 <= p <= 1", name=name)
        for name, p in (("prevalence", prevalence), ("`null`", null))
    )
    ends = required_pair(n_range, "`n_range`", "(low, high), such as (100, 10000)")
    low, high = (answer_count(end, "number of respondents", least=1) for end in ends)
    if not low < high:
        raise InvalidParameterError(f"the range of responses is empty: received {low}..{high}; allowed is LOW..HIGH")
    wanted = None if goal is None else rational_where(goal, lambda x: 0 < x < 1, "0 < goal < 1", name="goal")
    grid = sorted({round(low * (high / low) ** (i / (_POINTS - 1))) for i in range(_POINTS)})

    def values(mechanism: Mechanism) -> tuple[float, ...]:
        options = {"interval": "normal"} if quantity == "margin" else {"null": tested, "test": "normal"}
        drawn = planned_quantity(mechanism, quantity, prevalence=pi, **options)
        return tuple(drawn.at(n) for n in grid)

    curves = tuple((mechanism.name or repr(mechanism), values(mechanism)) for mechanism in designs)
    return PrecisionPicture(quantity, pi, tested, tuple(grid), curves, wanted)


@dataclass(frozen=True, slots=True)
class RespondentsPicture:
    """Respondents needed for a margin, against epsilon, for the classical designs and the optimum.

    Attributes:
        margin: the half-width of the normal interval at confidence 0.95.
        prevalence: the guess.
        delta: delta of the level.
        epsilon: the range drawn, (low, high).
        grid: levels of the curves, in nats.
        curves: name and numbers of respondents of each; the optimum first.
        openly: the number of respondents for a direct question.
    """

    margin: Fraction
    prevalence: Fraction
    delta: Delta
    epsilon: tuple[Epsilon, Epsilon]
    grid: tuple[float, ...]
    curves: tuple[tuple[str, tuple[int, ...]], ...]
    openly: int


def respondents_picture(
    *,
    margin: object,
    prevalence: object,
    delta: object = 0,
    epsilon_range: tuple[object, object] = ("1/2", "4"),
    unrelated: Iterable[object] = UNRELATED,
) -> RespondentsPicture:
    """Return the least n with ``z^2 V/n <= margin^2`` at each level, for confidence 0.95, where V is n Var.

    Args:
        margin: the margin on the scale of the prevalence, in (0, 1).
        prevalence, delta, epsilon_range, unrelated: as for ``efficiency_picture``; 0 < prevalence < 1.

    Raises:
        InvalidParameterError: a parameter is outside its domain.
        InfeasibleError: the range holds epsilon = delta = 0, or more than 10^15 respondents are needed.
    """
    unrelated = drawn_items(unrelated, "`unrelated`", 'a list of prevalences such as ["1/4", "1/2"]')
    half = rational_where(margin, lambda m: 0 < m < 1, "0 < margin < 1", name="margin")
    pi = rational_where(prevalence, lambda p: 0 < p < 1, "0 < pi < 1", name="prevalence")
    found = efficiency_picture(prevalence=pi, delta=delta, epsilon_range=epsilon_range, points=(), unrelated=unrelated)
    square = two_sided_quantile(Fraction(19, 20))[1] ** 2
    levels = grid_levels(found.grid, found.delta)

    def needed(exact: Iterable[Fraction]) -> tuple[int, ...]:
        return tuple(require_possible(math.ceil(square * variance / half**2)) for variance in exact)

    designs = classical_designs(unrelated, slack=found.delta.rational != 0)
    best = next((f"optimum: {curve.label}" for curve in found.curves if curve.is_optimal), "optimum")
    curves = [(best, needed(least_variance(*level, pi) for level in levels))]
    for curve in found.curves:
        if not curve.is_optimal:
            curves.append((curve.label, needed(variances(designs[curve.designs[0]], levels, pi))))
    goal, rules = PlanGoal(margin=half), InferenceRules(interval="normal")
    openly = plan_request(Mechanism.binary(1, 1), goal, PlanAssumptions(prevalence=pi), rules).n
    return RespondentsPicture(half, pi, found.delta, found.epsilon, found.grid, tuple(curves), openly)
