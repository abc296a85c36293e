"""Claims: test and prove theorems of the literature by computation; independent of any particular paper.

A claim is a card (text), rows that a function returns, or a file with two functions: ``theory`` returns the value in
the statement, and ``computed`` the true value. Its ``strength`` defines how the two must compare. The runner evaluates
both at exact points, checks the mutant (a slightly false statement that must be rejected), tries to prove the claim
with a symbol for each entry, and computes the verdict.
"""

from __future__ import annotations

from rropt.claims.claim import Claim, Condition, Correction, Proof, Reading, Stated
from rropt.claims.comparisons import Bound, Enclosure
from rropt.claims.domains import Domain, Point
from rropt.claims.outcomes import Outcome, ReadingOutcome
from rropt.claims.registry import Paper, find_claims, registered_claims
from rropt.claims.runner import run_claim
from rropt.claims.verifications import verify

__all__ = [
    "Bound",
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
    "find_claims",
    "registered_claims",
    "run_claim",
    "verify",
]
