"""Run claims, in this process or in several."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from types import ModuleType

from rropt.claims.claim import Claim
from rropt.claims.outcomes import Outcome
from rropt.claims.registry import OFFICIAL, registered_claims
from rropt.claims.runner import run_claim

Progress = Callable[[int, int, Outcome], object]


def run_all(
    claims: dict[str, tuple[Claim, ModuleType]],
    *,
    progress: Progress | None = None,
    processes: int = 1,
) -> dict[str, Outcome]:
    """Run claims of this process in order; ``progress(done, total, outcome)`` is called after each.

    More than one process requires a main program that can be imported again, such as the command line.
    """
    outcomes: dict[str, Outcome] = {}
    with ExitStack() as stack:
        found: Iterator[bytes | None] = repeat(None)
        if processes > 1:
            # spawn, since forking is unsafe after solvers have started threads
            pool = stack.enter_context(ProcessPoolExecutor(processes, mp_context=get_context("spawn")))
            found = pool.map(_pickled, claims)
        for (name, (claim, _)), answer in zip(claims.items(), found, strict=False):
            outcome = run_claim(claim) if answer is None else pickle.loads(answer)
            outcomes[name] = outcome
            if progress is not None:
                progress(len(outcomes), len(claims), outcome)
    return outcomes


def _pickled(name: str) -> bytes | None:
    """Run the claim with an id; return the pickled outcome, None if it is not in the registry."""
    claim = _claims_of_paper(name.partition(".")[0]).get(name)
    return pickle.dumps(run_claim(claim)) if claim else None


@cache
def _claims_of_paper(paper: str) -> dict[str, Claim]:
    return {name: claim for name, (claim, _) in registered_claims(paper, package=OFFICIAL).items()}
