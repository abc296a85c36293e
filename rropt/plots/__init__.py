"""Pictures: feasible regions, n Var, level sets of g, efficiency, breach regions, orders of mechanisms, surveys.

Each function computes its data exactly, draws them on a new matplotlib ``Figure`` (without pyplot or a screen) or on
the given axes ``ax``, and returns the figure; ``save`` writes it. matplotlib is the optional extra ``plot``: ``pip
install "rropt[plot]"``. The data of the pictures, for other tools, come from ``rropt.plots.data`` and need no
matplotlib; ``draw`` draws them.

>>> from rropt import plots
>>> figure = plots.region("log(2)", "1/4", prevalence="1/4", size="paper", style="grey")
>>> plots.picture_bytes(figure, "png")[1:4]
b'PNG'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rropt.core.errors import MissingExtraError
from rropt.plots import data
from rropt.plots.figures.accounting import draw_privacy_curve, draw_reports, privacy_curve, reports
from rropt.plots.figures.breaches import breaches, draw_breaches
from rropt.plots.figures.comparisons import comparison, draw_comparison, draw_order, order
from rropt.plots.figures.efficiencies import draw_efficiency, efficiency
from rropt.plots.figures.feasible_regions import draw_g, draw_region, g, region
from rropt.plots.figures.groups import draw_groups, groups
from rropt.plots.figures.noncompliance import draw_noncompliance, noncompliance
from rropt.plots.figures.surveys import (
    draw_estimate,
    draw_heat_map,
    draw_precision,
    draw_respondents,
    estimated,
    heat_map,
    precision,
    respondents,
)
from rropt.plots.figures.variances import draw_variance, variance
from rropt.plots.picture_layout import picture_bytes, save
from rropt.plots.styles import style_of
from rropt.plots.windows import require_screen, show

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "MissingExtraError",
    "breaches",
    "comparison",
    "draw",
    "efficiency",
    "estimated",
    "g",
    "groups",
    "heat_map",
    "noncompliance",
    "order",
    "picture_bytes",
    "precision",
    "privacy_curve",
    "region",
    "reports",
    "require_screen",
    "respondents",
    "save",
    "show",
    "variance",
]

_DRAWN_BY: dict[type, Callable[[Any, Any], Figure]] = {
    data.BreachPicture: draw_breaches,
    data.ComparisonPicture: draw_comparison,
    data.EfficiencyPicture: draw_efficiency,
    data.EstimatePicture: draw_estimate,
    data.GroupsPicture: draw_groups,
    data.HeatPicture: draw_heat_map,
    data.NoncompliancePicture: draw_noncompliance,
    data.OrderPicture: draw_order,
    data.PrecisionPicture: draw_precision,
    data.PrivacyCurvePicture: draw_privacy_curve,
    data.RegionPicture: draw_region,
    data.ReportsPicture: draw_reports,
    data.RespondentsPicture: draw_respondents,
    data.ThresholdPicture: draw_g,
    data.VariancePicture: draw_variance,
}


def draw(picture: Any, *, size: str = "paper", style: str = "color", caption: bool = True, ax: Any = None) -> Figure:
    """Draw the data of a picture; the same data serve for paper and screen.

    Args:
        picture: a record of ``rropt.plots.data``.
        size: ``"paper"``, ``"wide"`` or ``"screen"``.
        style: ``"color"`` or ``"grey"``.
        caption: whether the caption is part of the picture.
        ax: matplotlib axes to draw on; without them a figure of its own.

    Raises:
        InvalidParameterError: an unknown size or style.
        MissingExtraError: matplotlib is missing.
    """
    return _DRAWN_BY[type(picture)](picture, style_of(size, style, caption, ax))


def plot_solution(solution: Any, **look: Any) -> Figure:
    """Draw a design: of a yes-or-no question the region with the optimum, otherwise the matrix of the mechanism.

    Args:
        solution: a ``Solution``.
        look: ``size``, ``style``, ``caption`` and ``ax``, as for ``region``.

    Raises:
        UnsupportedProblemError: the matrix is too large to be drawn.
        MissingExtraError: matplotlib is missing.
    """
    problem, mechanism = solution.problem, solution.mechanism
    level = getattr(problem.region, "epsilon", None)
    if mechanism.is_binary and level is not None and problem.population is not None:
        return region(level, problem.region.delta, prevalence=problem.population[1], **look)
    return heat_map(mechanism, **look)


def plot_estimate(estimate: Any, **look: Any) -> Figure:
    """Draw the estimates with their confidence intervals; arguments as for ``estimated``."""
    return estimated(estimate, **look)
