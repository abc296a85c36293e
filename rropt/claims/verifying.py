"""Run claims, in this process or in several."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from types import ModuleType

from rropt.claims.cards.files import Card
from rropt.claims.cards.outcomes import judge
from rropt.claims.claim import Claim
from rropt.claims.outcomes import Outcome
from rropt.claims.runner import run_claim

Progress = Callable[[int, int, Outcome], object]


def run_all(
    claims: dict[str, tuple[Claim, ModuleType]],
    *,
    effort: int = 1,
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
            sent = [claim.card or module.__name__ for claim, module in claims.values()]
            found = pool.map(partial(_pickled, effort=effort), sent)
        for (name, (claim, _)), answer in zip(claims.items(), found, strict=False):
            outcome = run_claim(claim, effort=effort) if answer is None else pickle.loads(answer)
            outcomes[name] = outcome
            if progress is not None:
                progress(len(outcomes), len(claims), outcome)
    return outcomes


def _pickled(given: Card | str, *, effort: int) -> bytes | None:
    """Judge a card, or run the claim of a module; return the pickled outcome, None if the module has no claim."""
    if isinstance(given, Card):
        return pickle.dumps(judge(given, effort=effort))
    claim = getattr(import_module(given), "CLAIM", None)
    return pickle.dumps(run_claim(claim, effort=effort)) if isinstance(claim, Claim) else None
