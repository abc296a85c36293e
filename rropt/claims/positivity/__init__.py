"""Proofs of polynomial identities and inequalities for all parameters, as certificates that the checker accepts."""

from __future__ import annotations

from rropt.claims.positivity.coq import coq_theorem
from rropt.claims.positivity.handelman import Hypothesis, NoProofError, prove_positive
from rropt.claims.positivity.identities import prove_as_written, prove_identity

__all__ = [
    "Hypothesis",
    "NoProofError",
    "coq_theorem",
    "prove_as_written",
    "prove_identity",
    "prove_positive",
]
