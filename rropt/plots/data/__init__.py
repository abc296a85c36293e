"""Data of the pictures, computed exactly and without matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.plots.data.breaches import breach_picture as breach_picture
    from rropt.plots.data.breaches import published_figure as published_figure
    from rropt.plots.data.comparisons import comparison_picture as comparison_picture
    from rropt.plots.data.efficiencies import efficiency_picture as efficiency_picture
    from rropt.plots.data.feasible_regions import region_picture as region_picture
    from rropt.plots.data.groups import groups_picture as groups_picture
    from rropt.plots.data.noncompliance import noncompliance_picture as noncompliance_picture
    from rropt.plots.data.precisions import precision_picture as precision_picture
    from rropt.plots.data.precisions import respondents_picture as respondents_picture
    from rropt.plots.data.surveys import estimate_picture as estimate_picture
    from rropt.plots.data.surveys import heat_picture as heat_picture
    from rropt.plots.data.thresholds import threshold_picture as threshold_picture
    from rropt.plots.data.variances import variance_picture as variance_picture

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
