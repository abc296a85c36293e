"""Proofs of polynomial identities and inequalities for all parameters, as certificates that the checker accepts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rropt.core.lazy import lazy_names

if TYPE_CHECKING:
    from rropt.claims.positivity.coq import coq_theorem as coq_theorem
    from rropt.claims.positivity.handelman import Hypothesis as Hypothesis
    from rropt.claims.positivity.handelman import NoProofError as NoProofError
    from rropt.claims.positivity.handelman import prove_positive as prove_positive
    from rropt.claims.positivity.identities import prove_as_written as prove_as_written
    from rropt.claims.positivity.identities import prove_identity as prove_identity

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
