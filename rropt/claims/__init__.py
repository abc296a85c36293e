"""Claims: test and prove theorems of the literature by computation; independent of any particular paper.

A claim is a card (text), or rows (name, true value, sign, stated value) that a function returns. The runner evaluates
both values at exact points, checks the mutants (slightly false statements that must be rejected), tries to prove the
claim with a symbol for each entry, and computes the verdict.

Each name is loaded on first use, because reports of surveys need the outcomes alone, and not SymPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.claims.claim import Claim as Claim
    from rropt.claims.claim import Condition as Condition
    from rropt.claims.claim import Correction as Correction
    from rropt.claims.claim import Proof as Proof
    from rropt.claims.claim import Reading as Reading
    from rropt.claims.claim import Stated as Stated
    from rropt.claims.domains import Domain as Domain
    from rropt.claims.domains import Point as Point
    from rropt.claims.outcomes import Outcome as Outcome
    from rropt.claims.outcomes import ReadingOutcome as ReadingOutcome
    from rropt.claims.registry import Paper as Paper
    from rropt.claims.registry import find_claims as find_claims
    from rropt.claims.registry import registered_claims as registered_claims
    from rropt.claims.runner import run_claim as run_claim
    from rropt.claims.stated_values import Enclosure as Enclosure
    from rropt.claims.stated_values import StatedBound as StatedBound
    from rropt.claims.verifications import Verification as Verification
    from rropt.claims.verifications import verify as verify

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
