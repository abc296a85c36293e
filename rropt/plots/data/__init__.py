"""Data of the pictures, computed exactly and without matplotlib; each record has ``to_dict`` for JSON."""

from __future__ import annotations

from rropt.plots.data.accounting import (
    PrivacyCurvePicture,
    ReportsPicture,
    privacy_curve_picture,
    reports_picture,
)
from rropt.plots.data.breaches import BreachPicture, breach_picture, published_figure
from rropt.plots.data.comparisons import ComparisonPicture, OrderPicture, comparison_picture, order_picture
from rropt.plots.data.efficiencies import EfficiencyPicture, efficiency_picture
from rropt.plots.data.feasible_regions import RegionPicture, region_picture
from rropt.plots.data.groups import GroupsPicture, groups_picture
from rropt.plots.data.noncompliance import NoncompliancePicture, noncompliance_picture
from rropt.plots.data.surveys import (
    EstimatePicture,
    HeatPicture,
    PrecisionPicture,
    RespondentsPicture,
    estimate_picture,
    heat_picture,
    precision_picture,
    respondents_picture,
)
from rropt.plots.data.thresholds import ThresholdPicture, threshold_picture
from rropt.plots.data.variances import VariancePicture, variance_picture

__all__ = [
    "BreachPicture",
    "ComparisonPicture",
    "EfficiencyPicture",
    "EstimatePicture",
    "GroupsPicture",
    "HeatPicture",
    "NoncompliancePicture",
    "OrderPicture",
    "PrecisionPicture",
    "PrivacyCurvePicture",
    "RegionPicture",
    "ReportsPicture",
    "RespondentsPicture",
    "ThresholdPicture",
    "VariancePicture",
    "breach_picture",
    "comparison_picture",
    "efficiency_picture",
    "estimate_picture",
    "groups_picture",
    "heat_picture",
    "noncompliance_picture",
    "order_picture",
    "precision_picture",
    "privacy_curve_picture",
    "published_figure",
    "region_picture",
    "reports_picture",
    "respondents_picture",
    "threshold_picture",
    "variance_picture",
]
