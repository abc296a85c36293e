"""Respondents who do not follow the device: sharp bounds, breakdown points, and tests of behavioural models."""

from __future__ import annotations

from rropt.survey.noncompliance.bounds import NonCompliers, PrevalenceBounds, SharpInterval, prevalence_bounds
from rropt.survey.noncompliance.breakdown import (
    Breakdown,
    Conclusion,
    Reconciliation,
    breakdown_by_size,
    breakdown_point,
    least_noncompliers,
)
from rropt.survey.noncompliance.findings import Findings, noncompliance_findings
from rropt.survey.noncompliance.identified import TypeShares, identified_shares
from rropt.survey.noncompliance.models import Behaviour, Population, Sample, behaviours
from rropt.survey.noncompliance.programs import Attained
from rropt.survey.noncompliance.widths import WidthDesign, design_noncompliance

__all__ = [
    "Attained",
    "Behaviour",
    "Breakdown",
    "Conclusion",
    "Findings",
    "NonCompliers",
    "Population",
    "PrevalenceBounds",
    "Reconciliation",
    "Sample",
    "SharpInterval",
    "TypeShares",
    "WidthDesign",
    "behaviours",
    "breakdown_by_size",
    "breakdown_point",
    "design_noncompliance",
    "identified_shares",
    "least_noncompliers",
    "noncompliance_findings",
    "prevalence_bounds",
]
