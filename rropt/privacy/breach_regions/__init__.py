"""Exact breach regions of criteria and mechanisms, and criteria for some properties only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.privacy.breach_regions.areas import Area as Area
    from rropt.privacy.breach_regions.areas import area as area
    from rropt.privacy.breach_regions.forbidden_pairs import BreachRegion as BreachRegion
    from rropt.privacy.breach_regions.forbidden_pairs import FunctionRegion as FunctionRegion
    from rropt.privacy.breach_regions.forbidden_pairs import OddsRegion as OddsRegion
    from rropt.privacy.breach_regions.forbidden_pairs import breach_region as breach_region
    from rropt.privacy.breach_regions.odds import AttainableOdds as AttainableOdds
    from rropt.privacy.breach_regions.odds import attainable_odds as attainable_odds
    from rropt.privacy.breach_regions.restricted_judgements import FamilyPrivacy as FamilyPrivacy
    from rropt.privacy.breach_regions.restricted_judgements import RestrictedCriterion as RestrictedCriterion
    from rropt.privacy.breach_regions.restricted_judgements import RestrictedLimit as RestrictedLimit
    from rropt.privacy.breach_regions.restricted_judgements import family_privacy as family_privacy
    from rropt.privacy.breach_regions.strictness import Precision as Precision
    from rropt.privacy.breach_regions.strictness import compare_regions as compare_regions
    from rropt.privacy.breach_regions.strictness import is_part as is_part
    from rropt.privacy.breach_regions.strictness import precision as precision

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
