"""Privacy: regions of mechanisms as exact linear inequalities, criteria on posteriors, and the bound B(h) between them.

The names of criteria and bounds are loaded on first use, because they need python-flint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.exact.levels import LevelSpan as LevelSpan
from rropt.core.lazy import lazy_names
from rropt.privacy.bounded_regions import BoundedRegion as BoundedRegion
from rropt.privacy.bounded_regions import EveryMechanism as EveryMechanism
from rropt.privacy.divergence_regions import RenyiRegion as RenyiRegion
from rropt.privacy.divergence_regions import ZcdpRegion as ZcdpRegion
from rropt.privacy.entry_inequalities import EntryInequality as EntryInequality
from rropt.privacy.gaussian_region import GaussianRegion as GaussianRegion
from rropt.privacy.level_arguments import Level as Level
from rropt.privacy.level_arguments import curve as curve
from rropt.privacy.level_arguments import factor as factor
from rropt.privacy.level_arguments import gdp as gdp
from rropt.privacy.level_arguments import level_of_text as level_of_text
from rropt.privacy.level_arguments import levels as levels
from rropt.privacy.level_arguments import metric as metric
from rropt.privacy.level_arguments import pairs as pairs
from rropt.privacy.level_arguments import posterior as posterior
from rropt.privacy.level_arguments import renyi as renyi
from rropt.privacy.level_arguments import span as span
from rropt.privacy.level_arguments import zcdp as zcdp
from rropt.privacy.level_intervals import EveryLevelRegion as EveryLevelRegion
from rropt.privacy.level_regions import LevelsRegion as LevelsRegion
from rropt.privacy.level_regions import PairsLevel as PairsLevel
from rropt.privacy.linear_levels import linear as linear
from rropt.privacy.linear_levels import maximal_leakage as maximal_leakage
from rropt.privacy.linear_levels import pointwise_leakage as pointwise_leakage
from rropt.privacy.region import FAMILIES as FAMILIES
from rropt.privacy.region import LABELS as LABELS
from rropt.privacy.region import LevelPart as LevelPart
from rropt.privacy.region import PrivacyRegion as PrivacyRegion
from rropt.privacy.region import RationalLevel as RationalLevel
from rropt.privacy.region import RationalLevels as RationalLevels
from rropt.privacy.region import Region as Region
from rropt.privacy.region import binary_inequalities as binary_inequalities
from rropt.privacy.region import region_from_dict as region_from_dict
from rropt.privacy.region import register_region as register_region
from rropt.privacy.region_files import load_bounds as load_bounds
from rropt.privacy.region_files import load_levels as load_levels

if TYPE_CHECKING:
    from rropt.privacy.bound import Breach as Breach
    from rropt.privacy.bound import Judgement as Judgement
    from rropt.privacy.bound import ParityBound as ParityBound
    from rropt.privacy.bound import Place as Place
    from rropt.privacy.bound import judge as judge
    from rropt.privacy.bound import parity_bound as parity_bound
    from rropt.privacy.breach_regions import breach_region as breach_region
    from rropt.privacy.breach_regions import family_privacy as family_privacy
    from rropt.privacy.criteria import Criterion as Criterion
    from rropt.privacy.criteria import bayes_factor as bayes_factor
    from rropt.privacy.criteria import beta_factor as beta_factor
    from rropt.privacy.criteria import canonical_information_privacy as canonical_information_privacy
    from rropt.privacy.criteria import differential_local_privacy as differential_local_privacy
    from rropt.privacy.criteria import information_privacy as information_privacy
    from rropt.privacy.criteria import rho_to_rho as rho_to_rho
    from rropt.privacy.criteria.restricted_families import PropertyFamily as PropertyFamily
    from rropt.privacy.criterion_region import CriterionLevel as CriterionLevel
    from rropt.privacy.criterion_region import CriterionRegion as CriterionRegion
    from rropt.privacy.criterion_region import criterion_level as criterion_level

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
