"""Privacy: regions of mechanisms as exact linear inequalities, criteria on posteriors, and the bound B(h) between them.

Names of criteria and bounds are loaded when they are first used: they need python-flint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.lazy import lazy_names
from rropt.privacy.bounded_regions import BoundedRegion
from rropt.privacy.inequalities import LABELS, Inequality, binary_inequalities
from rropt.privacy.levels import LevelBracket, PairwiseBracket, RationalLevel
from rropt.privacy.pairwise_regions import PairwiseRegion
from rropt.privacy.privacy_region import FAMILIES, PrivacyRegion
from rropt.privacy.region import Region, region_from_dict, register_region
from rropt.privacy.region_files import load_bounds, load_levels

if TYPE_CHECKING:
    from rropt.privacy.breach_regions import breach_region, judge_restricted
    from rropt.privacy.criteria import (
        Criterion,
        bayes_factor,
        beta_factor,
        canonical_information_privacy,
        differential_local_privacy,
        information_privacy,
        rho_to_rho,
    )
    from rropt.privacy.criteria.restricted_families import PropertyFamily
    from rropt.privacy.criterion_region import CriterionRegion
    from rropt.privacy.parity_bounds import (
        Breach,
        CriterionLevel,
        Judgement,
        ParityBound,
        Place,
        criterion_level,
        judge,
        parity_bound,
    )

_HOMES = {
    "Breach": "parity_bounds",
    "Criterion": "criteria",
    "CriterionLevel": "parity_bounds",
    "CriterionRegion": "criterion_region",
    "Judgement": "parity_bounds",
    "ParityBound": "parity_bounds",
    "Place": "parity_bounds",
    "PropertyFamily": "criteria.restricted_families",
    "bayes_factor": "criteria",
    "beta_factor": "criteria",
    "breach_region": "breach_regions",
    "canonical_information_privacy": "criteria",
    "criterion_level": "parity_bounds",
    "differential_local_privacy": "criteria",
    "information_privacy": "criteria",
    "judge": "parity_bounds",
    "judge_restricted": "breach_regions",
    "parity_bound": "parity_bounds",
    "rho_to_rho": "criteria",
}

__all__ = [
    "FAMILIES",
    "LABELS",
    "BoundedRegion",
    "Breach",
    "Criterion",
    "CriterionLevel",
    "CriterionRegion",
    "Inequality",
    "Judgement",
    "LevelBracket",
    "PairwiseBracket",
    "PairwiseRegion",
    "ParityBound",
    "Place",
    "PrivacyRegion",
    "PropertyFamily",
    "RationalLevel",
    "Region",
    "bayes_factor",
    "beta_factor",
    "binary_inequalities",
    "breach_region",
    "canonical_information_privacy",
    "criterion_level",
    "differential_local_privacy",
    "information_privacy",
    "judge",
    "judge_restricted",
    "load_bounds",
    "load_levels",
    "parity_bound",
    "region_from_dict",
    "register_region",
    "rho_to_rho",
]


_load, _ = lazy_names(__name__, _HOMES)


def __getattr__(name: str) -> object:
    return _load(name)


def __dir__() -> list[str]:
    return list(__all__)
