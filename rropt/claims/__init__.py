"""Claims: test and prove theorems of the literature by computation; independent of any particular paper.

A claim is one file with two functions: ``theory`` returns the value in the statement, and ``computed`` returns the true
value. Its ``strength`` defines how the two must compare. The runner evaluates both at exact points, checks the proof
and the mutant (a slightly false statement that must be rejected), and computes the verdict.
"""

from __future__ import annotations

from rropt.claims.anchors.declarations import (
    ArgMin,
    ArgMinEnds,
    Cell,
    Entry,
    Entrywise,
    Exchange,
    Exp,
    Flag,
    Fold,
    Greatest,
    Least,
    Max,
    Min,
    Step,
    Truth,
    Value,
)
from rropt.claims.anchors.examination import Anchored
from rropt.claims.anchors.laws import Law
from rropt.claims.caches import exact_cache
from rropt.claims.claim import Claim, Condition, Correction, Proof, Reading, Stated
from rropt.claims.comparisons import Bound, Enclosure
from rropt.claims.domains import Domain, Point
from rropt.claims.outcomes import Outcome, ReadingOutcome
from rropt.claims.registry import Paper, find_claims, registered_claims
from rropt.claims.runner import run_claim
from rropt.claims.verifications import verify
from rropt.claims.verifying import Comparison, compare_with_record

__all__ = [
    "Anchored",
    "ArgMin",
    "ArgMinEnds",
    "Bound",
    "Cell",
    "Claim",
    "Comparison",
    "Condition",
    "Correction",
    "Domain",
    "Enclosure",
    "Entry",
    "Entrywise",
    "Exchange",
    "Exp",
    "Flag",
    "Fold",
    "Greatest",
    "Law",
    "Least",
    "Max",
    "Min",
    "Outcome",
    "Paper",
    "Point",
    "Proof",
    "Reading",
    "ReadingOutcome",
    "Stated",
    "Step",
    "Truth",
    "Value",
    "compare_with_record",
    "exact_cache",
    "find_claims",
    "registered_claims",
    "run_claim",
    "verify",
]
