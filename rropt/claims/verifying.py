"""Verification: run claims and compare their outcomes with the record.

The record is one generated file with the verdict, the label, the scope and the counterexample of each claim. Verdicts
are computed in every run; the record shows which of them a change of the code has changed.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.guard import EngineChangedError, guarded, judged_apart
from rropt.claims.outcomes import Outcome
from rropt.claims.registry import find_claims, package_names
from rropt.claims.runner import run_claim
from rropt.core.files import parse_json
from rropt.core.results import Result, labelled

Progress = Callable[[int, int, Outcome], object]


def verify(*patterns: str) -> dict[str, Outcome]:
    """Run the claims that match a paper, an id or a glob (by default all) and return their outcomes by id.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    return run_all(find_claims(patterns))


def run_all(
    claims: dict[str, tuple[Claim, ModuleType]],
    *,
    effort: int = 1,
    progress: Progress | None = None,
    processes: int = 1,
) -> dict[str, Outcome]:
    """Run claims in order; ``progress(done, total, outcome)`` is called after each.

    More than one process requires a main program that can be imported again, such as the command line.
    """
    outcomes: dict[str, Outcome] = {}
    with ExitStack() as stack:
        found: Iterator[bytes | None] = repeat(None)
        if processes > 1:
            # spawn, since forking is unsafe after solvers have started threads
            pool = stack.enter_context(ProcessPoolExecutor(processes, mp_context=get_context("spawn")))
            found = pool.map(partial(_pickled, effort=effort), [module.__name__ for _, module in claims.values()])
        for (name, (claim, _)), answer in zip(claims.items(), found, strict=False):
            outcome = run_claim(claim, effort=effort) if answer is None else pickle.loads(answer)
            outcomes[name] = outcome
            if progress is not None:
                progress(len(outcomes), len(claims), outcome)
    return _judged(outcomes)


def _judged(outcomes: dict[str, Outcome]) -> dict[str, Outcome]:
    """Check all certificates in a separate process; an outcome with a rejected certificate becomes an error."""
    listed = [(name, step, proof) for name, each in outcomes.items() for step, proof in each.certificates]
    refused: dict[str, list[str]] = {}
    for place in judged_apart([proof for _, _, proof in listed]):
        refused.setdefault(listed[place][0], []).append(listed[place][1])
    for name, steps in refused.items():
        outcome = outcomes[name]
        told = f"the checker, in a process of its own, does not accept the certificate of {steps[0]}"
        problems = (*outcome.problems, told)
        outcomes[name] = replace(outcome, verdict="error", evidence="", problems=problems)
    return outcomes


def _pickled(module: str, *, effort: int) -> bytes | None:
    """Run the claim of a module and return its pickled outcome.

    The result is None if the module has no claim of its own or its outcome cannot be pickled.
    """
    try:
        with guarded(module, module.partition(".")[0], package_names()):
            claim = getattr(import_module(module), "CLAIM", None)
    except EngineChangedError:
        return None
    if not isinstance(claim, Claim):
        return None
    outcome = run_claim(claim, effort=effort)
    try:
        return pickle.dumps(outcome)
    except Exception:  # the outcome contains an object of a user class; the main process runs the claim again
        return None


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """The comparison of the present run with the record.

    Attributes:
        reproduced: ids whose recorded outcome was reproduced.
        changed: ids whose outcome differs from the recorded one.
        new: ids without a record.
    """

    reproduced: tuple[str, ...]
    changed: tuple[str, ...]
    new: tuple[str, ...]

    LABELS = labelled(reproduced="reproduced", changed="not reproduced", new="without a record", agrees="")

    @property
    def agrees(self) -> bool:
        """Whether every recorded outcome was reproduced."""
        return not self.changed


def load_record(path: Path) -> dict[str, Any]:
    """Return the recorded outcomes by id; empty if there is no record yet."""
    if not path.is_file():
        return {}
    data = parse_json(path.read_text(encoding="utf-8"), what="record of claims")
    return dict(data["claims"])


def recorded_part(outcome: Outcome) -> dict[str, Any]:
    """Return what the record keeps of an outcome: verdict, label, scope, counterexample, and verdicts of readings."""
    example = outcome.counterexample
    return {
        "verdict": outcome.verdict,
        "evidence": outcome.evidence,
        "correction_evidence": outcome.correction_evidence,
        "scope": outcome.scope,
        "counterexample": None if example is None else example.to_dict(),
        "readings": {each.name: [each.verdict, each.evidence] for each in outcome.readings},
    }


def record_text(outcomes: Mapping[str, Outcome], before: Mapping[str, Any]) -> str:
    """Return the text of a record: these outcomes, and those of an earlier record for other claims."""
    claims = {**before, **{name: recorded_part(outcome) for name, outcome in outcomes.items()}}
    note = "generated by `rropt verify --record`; never edited by hand"
    return json.dumps({"note": note, "claims": claims}, indent=1, sort_keys=True) + "\n"


def compare_with_record(outcomes: Mapping[str, Outcome], recorded: Mapping[str, Any], *, effort: int = 1) -> Comparison:
    """Return the outcomes that were reproduced, those that changed, and those without a record.

    A record has effort 1; with more effort, only verdict and label must be reproduced.
    """
    keys = ("verdict", "evidence", "correction_evidence") if effort > 1 else tuple(recorded_part(_NOTHING))
    reproduced, changed, new = [], [], []
    for name, outcome in outcomes.items():
        now, entry = recorded_part(outcome), recorded.get(name)
        if entry is None:
            new.append(name)
        elif all(now[key] == entry[key] for key in keys):
            reproduced.append(name)
        else:
            changed.append(name)
    return Comparison(tuple(reproduced), tuple(changed), tuple(new))


_NOTHING = Outcome("", "", "", "", 0, 0.0)
