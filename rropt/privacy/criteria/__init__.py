"""Privacy criteria: which posterior probabilities a respondent's answer must not lead to."""

from __future__ import annotations

from rropt.privacy.criteria.callables import callable_information_privacy, end_behaviour
from rropt.privacy.criteria.criterion import Criterion
from rropt.privacy.criteria.named import (
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)
from rropt.privacy.criteria.prior_functions import EndBehaviour

__all__ = [
    "Criterion",
    "EndBehaviour",
    "bayes_factor",
    "beta_factor",
    "callable_information_privacy",
    "canonical_information_privacy",
    "differential_local_privacy",
    "end_behaviour",
    "information_privacy",
    "rho_to_rho",
]
