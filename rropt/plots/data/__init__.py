"""Data of the pictures, computed exactly and without matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.plots.data.breach_pictures import breach_picture as breach_picture
    from rropt.plots.data.breach_pictures import published_figure as published_figure
    from rropt.plots.data.efficiency_pictures import efficiency_picture as efficiency_picture
    from rropt.plots.data.group_pictures import MOST_GROUPS as MOST_GROUPS
    from rropt.plots.data.group_pictures import groups_picture as groups_picture
    from rropt.plots.data.group_pictures import number_names as number_names
    from rropt.plots.data.noncompliance_pictures import noncompliance_picture as noncompliance_picture
    from rropt.plots.data.paper_pictures import paper_picture as paper_picture
    from rropt.plots.data.precision_pictures import precision_picture as precision_picture
    from rropt.plots.data.precision_pictures import respondents_picture as respondents_picture
    from rropt.plots.data.region_pictures import region_picture as region_picture
    from rropt.plots.data.survey_pictures import MOST_SHARES as MOST_SHARES
    from rropt.plots.data.survey_pictures import estimate_picture as estimate_picture
    from rropt.plots.data.survey_pictures import heat_picture as heat_picture
    from rropt.plots.data.threshold_pictures import level_grid as level_grid
    from rropt.plots.data.threshold_pictures import threshold_picture as threshold_picture
    from rropt.plots.data.variance_pictures import variance_picture as variance_picture

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
