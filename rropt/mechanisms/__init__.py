"""Mechanisms: the protocol and its forms, parity and privacy profile, files, and the named designs."""

from __future__ import annotations

from rropt.mechanisms.decks import DealtDeck
from rropt.mechanisms.designs import DESIGNS, Design, Rappor, named_mechanism
from rropt.mechanisms.drawn import DrawnAnswers
from rropt.mechanisms.imports import load_mechanism
from rropt.mechanisms.joint import JointMechanism, View
from rropt.mechanisms.laplace import DiscreteLaplace, Laplace
from rropt.mechanisms.mechanism import ExplicitMechanism, Mechanism
from rropt.mechanisms.orbits import OrbitMechanism
from rropt.mechanisms.product import ProductMechanism
from rropt.mechanisms.profiles import PrivacyProfile
from rropt.mechanisms.question_levels import QuestionLevels, question_levels
from rropt.mechanisms.respondents import RespondentPrivacy, respondent_privacy
from rropt.mechanisms.sensitivities import Sensitivity

__all__ = [
    "DESIGNS",
    "DealtDeck",
    "Design",
    "DiscreteLaplace",
    "DrawnAnswers",
    "ExplicitMechanism",
    "JointMechanism",
    "Laplace",
    "Mechanism",
    "OrbitMechanism",
    "PrivacyProfile",
    "ProductMechanism",
    "QuestionLevels",
    "Rappor",
    "RespondentPrivacy",
    "Sensitivity",
    "View",
    "load_mechanism",
    "named_mechanism",
    "question_levels",
    "respondent_privacy",
]
