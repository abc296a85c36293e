"""Mechanisms: the exact column-stochastic matrix, its privacy profile, its files, and the named designs."""

from __future__ import annotations

from rropt.mechanisms.designs import DESIGNS, Design, named_mechanism
from rropt.mechanisms.explicit import ExplicitMechanism
from rropt.mechanisms.loading import load_mechanism
from rropt.mechanisms.mechanism import Mechanism
from rropt.mechanisms.profiles import PrivacyProfile

__all__ = ["DESIGNS", "Design", "ExplicitMechanism", "Mechanism", "PrivacyProfile", "load_mechanism", "named_mechanism"]
