"""Claims: test and prove theorems of the literature by computation; independent of any particular paper.

A claim is one file that returns two values: the value in the statement (``theory``) and the true value (``computed``).
Its ``strength`` defines how they must compare. The runner sweeps exact points, runs the proof and the mutant, and
computes the verdict.
"""

from __future__ import annotations

from rropt.claims.anchors.declarations import (
    ArgMin,
    ArgMinEnds,
    Cell,
    Entry,
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
from rropt.claims.verifying import Comparison, compare_with_record, record, verify

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
    "record",
    "registered_claims",
    "run_claim",
    "verify",
]
