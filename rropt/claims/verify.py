"""``verify``: run claims and return their outcomes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from types import ModuleType

from rropt.claims.claim import Claim
from rropt.claims.guard import EngineChangedError, guarded, judged_apart
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
    claims: dict[str, tuple[Claim, ModuleType]],
    *,
    effort: int = 1,
    progress: Progress | None = None,
    processes: int = 1,
) -> dict[str, tuple[Outcome, ModuleType]]:
    """Run claims, in order; ``progress(done, total, outcome)`` is called after each.

    More than one process is for programs that can be imported again, as the command line can.
    """
    outcomes: dict[str, tuple[Outcome, ModuleType]] = {}
    with ExitStack() as stack:
        found: Iterator[bytes | None] = repeat(None)
        if processes > 1:
            # spawned, not forked: solvers may have started threads
            pool = stack.enter_context(ProcessPoolExecutor(processes, mp_context=get_context("spawn")))
            found = pool.map(partial(_pickled, effort=effort), [module.__name__ for _, module in claims.values()])
        for (name, (claim, module)), answer in zip(claims.items(), found, strict=False):
            outcome = run_claim(claim, effort=effort) if answer is None else pickle.loads(answer)
            outcomes[name] = (outcome, module)
            if progress is not None:
                progress(len(outcomes), len(claims), outcome)
    return _judged(outcomes)


def _judged(outcomes: dict[str, tuple[Outcome, ModuleType]]) -> dict[str, tuple[Outcome, ModuleType]]:
    """Return the outcomes, in error where the checker, in a process of its own, refuses one of their certificates."""
    listed = [(name, step, proof) for name, (each, _) in outcomes.items() for step, proof in each.certificates]
    refused: dict[str, list[str]] = {}
    for place in judged_apart([proof for _, _, proof in listed]):
        refused.setdefault(listed[place][0], []).append(listed[place][1])
    for name, steps in refused.items():
        outcome, module = outcomes[name]
        told = f"the checker, in a process of its own, does not accept the certificate of {steps[0]}"
        problems = (*outcome.problems, told)
        outcomes[name] = replace(outcome, verdict="error", evidence="", problems=problems), module
    return outcomes


def _pickled(module: str, *, effort: int) -> bytes | None:
    """Return the outcome of the claim of a module; None where it has none of its own, or no outcome that travels."""
    try:
        with guarded(module):
            claim = getattr(import_module(module), "CLAIM", None)
    except EngineChangedError:
        return None
    if not isinstance(claim, Claim):
        return None
    outcome = run_claim(claim, effort=effort)
    try:
        return pickle.dumps(outcome)
    except Exception:  # what a claim computed is somebody's object: it is run again where it need not travel
        return None
