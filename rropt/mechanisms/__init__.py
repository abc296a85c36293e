"""Mechanisms: representations, parity and privacy profile, file formats, and the named designs."""

from __future__ import annotations

from rropt.mechanisms.central.laplace import DiscreteLaplace, Laplace
from rropt.mechanisms.central.sensitivities import Sensitivity
from rropt.mechanisms.families import BitVectorMechanism, BlockMechanism, MembershipMechanism, RevealedBlocks
from rropt.mechanisms.imports import load_mechanism
from rropt.mechanisms.levels_of_questions import QuestionLevels, question_levels
from rropt.mechanisms.mechanism import ExplicitMechanism, Mechanism
from rropt.mechanisms.named import DESIGNS, Design, Rappor, named_mechanism
from rropt.mechanisms.orbits import OrbitMechanism
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.profiles import PrivacyProfile
from rropt.mechanisms.restricted_response import RestrictedResponse

__all__ = [
    "DESIGNS",
    "BitVectorMechanism",
    "BlockMechanism",
    "Design",
    "DiscreteLaplace",
    "ExplicitMechanism",
    "Laplace",
    "Mechanism",
    "MembershipMechanism",
    "OrbitMechanism",
    "PrivacyProfile",
    "ProductMechanism",
    "QuestionLevels",
    "Rappor",
    "RestrictedResponse",
    "RevealedBlocks",
    "Sensitivity",
    "load_mechanism",
    "named_mechanism",
    "question_levels",
]
