"""Picture of closed forms in the proportions: which outputs have weight, by epsilon and one proportion."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rropt.core.errors import InvalidParameterError, RouteDisagreementError, UnsupportedProblemError, required
from rropt.core.visible import with_noun
from rropt.designs.problem import Problem
from rropt.plots.charts import Chart
from rropt.plots.draw_families import Phases, draw_phases
from rropt.plots.drawing import picture

if TYPE_CHECKING:
    from rropt.symbolic.posing import Form

_COLUMNS, _ROWS = 240, 240  # of the grid
_MOST_EPSILON = 4.0
_MOST_TRIALS = 10  # points at which a form is derived
_LEAST_DEPTH = 8  # cells between the middle of an area without a form and its edge
_DIGITS = 50  # denominator of a level and of a proportion at which a form is derived
_NO_FORM = "no closed form"


class ProportionMap(NamedTuple):
    """The forms on a grid.

    Attributes:
        phases: which form is the optimum; its names are the sets of categories that the outputs favour.
        ratio: the proportions of the categories 1, 2, ..., divided by their sum.
    """

    phases: Phases
    ratio: tuple[Fraction, ...]


def proportion_map(problem: Problem) -> ProportionMap:
    """Return which closed form is the optimum, by epsilon and the proportion of category 0.

    The other proportions keep their ratios. The domain of a form is complete, so that the next form is derived in the
    middle of the largest area without one.

    Args:
        problem: A- or c-optimality, contrasts, a divergence or the mutual information at delta = 0, with two or three
            categories.

    Raises:
        InvalidParameterError: the problem has no proportions, or that of category 0 is 1.
        UnsupportedProblemError: there is no such form at any point; the message is that of the first one.
    """
    required(problem, Problem, "`problem`", "rropt.Problem.kary(3, epsilon=1)")
    from scipy.ndimage import distance_transform_edt

    from rropt.symbolic.proportions import inside, sets_of_rows

    first, *rest = _shares(problem)
    ratio = tuple(x / (1 - first) for x in rest)
    x = np.linspace(0, _MOST_EPSILON, _COLUMNS + 1)[1:]
    y = np.linspace(0, 1, _ROWS + 2)[1:-1]
    gammas, p = np.meshgrid(np.exp(x), y)
    proportions = {"pi_0": p} | {f"pi_{j}": (1 - p) * float(share) for j, share in enumerate(ratio[:-1], 1)}
    names: list[str] = []
    best, tried, why = np.full(p.shape, -1), np.zeros(p.shape, dtype=bool), None
    for _ in range(_MOST_TRIALS):
        depth = distance_transform_edt(np.pad((best < 0) & ~tried, 1))[1:-1, 1:-1]
        if depth.max() < _LEAST_DEPTH:
            break
        row, column = (int(n) for n in np.unravel_index(depth.argmax(), depth.shape))
        try:
            form = _form_at(problem, float(gammas[row, column]), float(y[row]), ratio)
        except (UnsupportedProblemError, RouteDisagreementError) as error:
            why = why or error
            reach = np.hypot(*np.meshgrid(np.arange(_COLUMNS) - column, np.arange(_ROWS) - row))
            tried |= reach <= max(float(depth.max()) / 2, _LEAST_DEPTH)
            continue
        own = inside(form, gamma=gammas, **proportions) & (best < 0)
        tried[row, column] = True
        best[own] = len(names)
        names.append(sets_of_rows(form))
    if not names:
        raise why or UnsupportedProblemError(f"no form in the proportions was found for {problem}")
    if (best < 0).any():
        best[best < 0] = len(names)
        names.append(_NO_FORM)
    return ProportionMap(Phases(tuple(names), "pi_0", {}, x, y, best), ratio)


def _shares(problem: Problem) -> list[Fraction]:
    if problem.population is None:
        raise InvalidParameterError("a map of forms is about proportions: received none; give them to the problem")
    found = [Fraction(str(share)) for share in problem.population]
    if found[0] == 1:
        raise InvalidParameterError(
            "a map of forms changes the proportion of category 0: received 1; give a smaller one"
        )
    return found


def _form_at(problem: Problem, gamma: float, share: float, ratio: tuple[Fraction, ...]) -> Form:
    """Return the form at a rational point near these numbers."""
    from rropt.twins import proportions_form_of

    level, p = (Fraction(x).limit_denominator(_DIGITS) for x in (gamma, share))
    data: dict[str, Any] = problem.to_dict()
    data["region"]["epsilon"] = {"log": str(level)}
    data["population"] = [str(p), *(str((1 - p) * x) for x in ratio)]
    return proportions_form_of(type(problem).from_dict(data))


@picture(proportion_map, ProportionMap)
def proportions(chart: Chart, found: ProportionMap) -> str:
    """Return a map of the closed forms of a design: which one is the optimum, by epsilon and the proportion pi_0.

    Args:
        problem: A- or c-optimality, contrasts, a divergence or the mutual information at delta = 0, with two or three
            categories.
        size, ax: as for ``region``.

    >>> from rropt.designs import Problem
    >>> from rropt.objectives import Contrast
    >>> problem = Problem.kary(epsilon=1, objective=Contrast([0, 1]), population=["1/2", "1/2"])
    >>> print(proportions(problem).text[:55])
    Which outputs have weight, by epsilon and pi_0: 1 form.
    """
    draw_phases(chart, found.phases, _MOST_EPSILON)
    names = found.phases.names
    if len(found.ratio) > 1:
        chart.say("other proportions in the ratio " + ":".join(map(str, found.ratio)))
    chart.say("a set for each output: the categories that it favours by the factor gamma")
    count = with_noun(len(names) - (_NO_FORM in names), "form")
    return f"Which outputs have weight, by epsilon and pi_0: {count}."
