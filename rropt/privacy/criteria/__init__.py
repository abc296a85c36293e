"""Privacy criteria: limits on the posterior probabilities that a response may lead to."""

from __future__ import annotations

from rropt.privacy.criteria.named import (
    Criterion,
    bayes_factor,
    beta_factor,
    canonical_information_privacy,
    differential_local_privacy,
    information_privacy,
    rho_to_rho,
)

__all__ = [
    "Criterion",
    "bayes_factor",
    "beta_factor",
    "canonical_information_privacy",
    "differential_local_privacy",
    "information_privacy",
    "rho_to_rho",
]
