"""Pictures: feasible regions, n Var, level sets of g, efficiency, breach regions, orders of mechanisms, surveys.

Each function takes a result, or computes one exactly from its arguments, and returns a ``Figure``, which notebooks show
and whose method ``save`` writes it. SVG needs no library. PNG, PDF, windows, axes ``ax`` that are given, and
``Figure.to_matplotlib``, for further styling, need matplotlib, the optional extra ``plot``:
``pip install "rropt[plot]"``. The data of the pictures, for other tools, come from ``rropt.plots.data``; ``draw`` draws
them.

>>> from rropt import plots
>>> figure = plots.region("log(2)", "1/4", prevalence="1/4", size="paper")
>>> figure.to_bytes("svg")[:5]
b'<?xml'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.core.errors import MissingExtraError as MissingExtraError
    from rropt.plots.draw_accounting import privacy_curve as privacy_curve
    from rropt.plots.draw_accounting import reports as reports
    from rropt.plots.draw_breach_regions import breaches as breaches
    from rropt.plots.draw_comparisons import efficiency as efficiency
    from rropt.plots.draw_comparisons import order as order
    from rropt.plots.draw_designs import g as g
    from rropt.plots.draw_designs import region as region
    from rropt.plots.draw_designs import variance as variance
    from rropt.plots.draw_every_level import every_level as every_level
    from rropt.plots.draw_families import family as family
    from rropt.plots.draw_papers import paper as paper
    from rropt.plots.draw_precisions import noncompliance as noncompliance
    from rropt.plots.draw_precisions import precision as precision
    from rropt.plots.draw_precisions import respondents as respondents
    from rropt.plots.draw_proportions import proportions as proportions
    from rropt.plots.draw_surveys import estimated as estimated
    from rropt.plots.draw_surveys import groups as groups
    from rropt.plots.draw_surveys import heat_map as heat_map
    from rropt.plots.drawing import draw as draw
    from rropt.plots.figures import Figure as Figure
    from rropt.plots.figures import require_screen as require_screen

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
