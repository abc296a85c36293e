"""Pictures: regions of designs, the landscape of n Var, level sets of g, efficiency; breach regions; orders; surveys.

Each function computes what it shows exactly, draws it on a matplotlib ``Figure`` of its own (no pyplot, no screen
needed) or on the axes ``ax`` that are given, and returns the figure; ``save`` writes it. matplotlib is the optional
extra ``plot``: ``pip install "rropt[plot]"``.
The data of the pictures, for other tools, come from ``rropt.plots.data`` and need no matplotlib.

>>> from rropt import plots
>>> figure = plots.region("log(2)", "1/4", prevalence="1/4", size="paper", style="grey")
>>> plots.picture_bytes(figure, "png")[1:4]
b'PNG'
"""

from __future__ import annotations

from rropt.errors import MissingExtraError
from rropt.plots.figures.breaches import breaches
from rropt.plots.figures.comparisons import comparison, order
from rropt.plots.figures.efficiencies import efficiency
from rropt.plots.figures.feasible_regions import g, region
from rropt.plots.figures.groups import groups
from rropt.plots.figures.noncompliance import noncompliance
from rropt.plots.figures.surveys import estimated, heat_map, precision, respondents
from rropt.plots.figures.variances import variance
from rropt.plots.sheets import picture_bytes, save

__all__ = [
    "MissingExtraError",
    "breaches",
    "comparison",
    "efficiency",
    "estimated",
    "g",
    "groups",
    "heat_map",
    "noncompliance",
    "order",
    "picture_bytes",
    "precision",
    "region",
    "respondents",
    "save",
    "variance",
]
