"""Claims: test and prove theorems of the literature by computation; independent of any particular paper.

A claim is a card (text), or rows (name, true value, sign, stated value) that a function returns. The runner evaluates
both values at exact points, checks the mutants (slightly false statements that must be rejected), tries to prove the
claim with a symbol for each entry, and computes the verdict.
"""

from __future__ import annotations

from rropt.claims.claim import Claim, Condition, Correction, Proof, Reading, Stated
from rropt.claims.domains import Domain, Point
from rropt.claims.outcomes import Outcome, ReadingOutcome
from rropt.claims.registry import Paper, find_claims, registered_claims
from rropt.claims.runner import run_claim
from rropt.claims.stated_values import Enclosure, StatedBound
from rropt.claims.verifications import verify

__all__ = [
    "Claim",
    "Condition",
    "Correction",
    "Domain",
    "Enclosure",
    "Outcome",
    "Paper",
    "Point",
    "Proof",
    "Reading",
    "ReadingOutcome",
    "Stated",
    "StatedBound",
    "find_claims",
    "registered_claims",
    "run_claim",
    "verify",
]
