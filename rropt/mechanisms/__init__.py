"""Mechanisms: representations, parity and privacy profile, file formats, and the named designs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names
from rropt.mechanisms.families import BitVectorMechanism as BitVectorMechanism
from rropt.mechanisms.families import BlockMechanism as BlockMechanism
from rropt.mechanisms.families import MembershipMechanism as MembershipMechanism
from rropt.mechanisms.families import RevealedBlocks as RevealedBlocks
from rropt.mechanisms.imports import load_mechanism as load_mechanism
from rropt.mechanisms.mechanism import Mechanism as Mechanism
from rropt.mechanisms.named import DESIGNS as DESIGNS
from rropt.mechanisms.named import Design as Design
from rropt.mechanisms.named import named_mechanism as named_mechanism
from rropt.mechanisms.orbits import OrbitMechanism as OrbitMechanism
from rropt.mechanisms.product import ProductMechanism as ProductMechanism
from rropt.mechanisms.profiles import PrivacyProfile as PrivacyProfile
from rropt.mechanisms.random_questions import RandomQuestions as RandomQuestions
from rropt.mechanisms.restricted_response import RestrictedResponse as RestrictedResponse

if TYPE_CHECKING:
    from rropt.mechanisms.central.laplace import DiscreteLaplace as DiscreteLaplace
    from rropt.mechanisms.central.laplace import Laplace as Laplace
    from rropt.mechanisms.central.sensitivities import Sensitivity as Sensitivity
    from rropt.mechanisms.joint import JointMechanism as JointMechanism
    from rropt.mechanisms.joint import View as View
    from rropt.mechanisms.levels_of_questions import QuestionLevels as QuestionLevels
    from rropt.mechanisms.levels_of_questions import question_levels as question_levels
    from rropt.mechanisms.privacy_findings import Finding as Finding

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
