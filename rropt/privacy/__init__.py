"""Privacy regions: which mechanisms meet a privacy level, as exact linear inequalities."""

from __future__ import annotations

from rropt.privacy.inequalities import LABELS, Inequality, binary_inequalities
from rropt.privacy.levels import LevelBracket, RationalLevel
from rropt.privacy.regions import FAMILIES, PrivacyRegion

__all__ = [
    "FAMILIES",
    "LABELS",
    "Inequality",
    "LevelBracket",
    "PrivacyRegion",
    "RationalLevel",
    "binary_inequalities",
]
