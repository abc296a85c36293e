"""``verify``: run claims and return their outcomes."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from rropt.claims.claim import Claim
from rropt.claims.outcomes import Outcome
from rropt.claims.registry import find_claims
from rropt.claims.runner import run_claim

Progress = Callable[[int, int, Outcome], None]


def verify(*patterns: str) -> dict[str, Outcome]:
    """Run the claims that match a paper, an id or a glob (all without a pattern) and return their outcomes by id.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    return {name: outcome for name, (outcome, _) in run_all(find_claims(patterns)).items()}


def run_all(
    claims: dict[str, tuple[Claim, ModuleType]], *, effort: int = 1, progress: Progress | None = None
) -> dict[str, tuple[Outcome, ModuleType]]:
    """Run claims one after another; ``progress(done, total, outcome)`` is called after each."""
    outcomes = {}
    for done, (name, (claim, module)) in enumerate(claims.items(), start=1):
        outcome = run_claim(claim, effort=effort)
        outcomes[name] = (outcome, module)
        if progress is not None:
            progress(done, len(claims), outcome)
    return outcomes
