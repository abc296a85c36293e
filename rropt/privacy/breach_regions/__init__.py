"""Exact breach regions of criteria and mechanisms, and criteria for some properties only."""

from __future__ import annotations

from rropt.privacy.breach_regions.areas import Area, area
from rropt.privacy.breach_regions.comparisons import Precision, compare_regions, is_part, precision
from rropt.privacy.breach_regions.odds import AttainableOdds, attainable_odds, row_parities
from rropt.privacy.breach_regions.regions import BreachRegion, FunctionRegion, OddsRegion, breach_region
from rropt.privacy.breach_regions.restricted_judgements import (
    FamilyPrivacy,
    RestrictedCriterion,
    RestrictedJudgement,
    RestrictedLimit,
    family_privacy,
    judge_restricted,
)

__all__ = [
    "Area",
    "AttainableOdds",
    "BreachRegion",
    "FamilyPrivacy",
    "FunctionRegion",
    "OddsRegion",
    "Precision",
    "RestrictedCriterion",
    "RestrictedJudgement",
    "RestrictedLimit",
    "area",
    "attainable_odds",
    "breach_region",
    "compare_regions",
    "family_privacy",
    "is_part",
    "judge_restricted",
    "precision",
    "row_parities",
]
