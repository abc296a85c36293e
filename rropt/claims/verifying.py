"""Verification: run claims and compare their outcomes with the record of the last full run.

The record is one generated file. Each entry has a hash of everything that its outcome depends on (``fingerprints``). A
recorded outcome with another hash is *stale* and is ignored. A recorded outcome with the same hash must be reproduced.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from rropt.claims.fingerprints import fingerprint
from rropt.claims.guard import EngineChangedError, guarded, judged_apart
from rropt.claims.outcomes import Outcome
from rropt.claims.registry import find_claims, package_names
from rropt.claims.runner import run_claim
from rropt.core.errors import InvalidParameterError
from rropt.core.files import parse_json, write_text
from rropt.core.results import Result, labelled

Progress = Callable[[int, int, Outcome], object]


def verify(*patterns: str) -> dict[str, Outcome]:
    """Run the claims that match a paper, an id or a glob (by default all) and return their outcomes by id.

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
    """Run claims in order; ``progress(done, total, outcome)`` is called after each.

    More than one process requires a main program that can be imported again, such as the command line.
    """
    outcomes: dict[str, tuple[Outcome, ModuleType]] = {}
    with ExitStack() as stack:
        found: Iterator[bytes | None] = repeat(None)
        if processes > 1:
            # spawn, since forking is unsafe after solvers have started threads
            pool = stack.enter_context(ProcessPoolExecutor(processes, mp_context=get_context("spawn")))
            found = pool.map(partial(_pickled, effort=effort), [module.__name__ for _, module in claims.values()])
        for (name, (claim, module)), answer in zip(claims.items(), found, strict=False):
            outcome = run_claim(claim, effort=effort) if answer is None else pickle.loads(answer)
            outcomes[name] = (outcome, module)
            if progress is not None:
                progress(len(outcomes), len(claims), outcome)
    return _judged(outcomes)


def _judged(outcomes: dict[str, tuple[Outcome, ModuleType]]) -> dict[str, tuple[Outcome, ModuleType]]:
    """Check all certificates in a separate process; an outcome with a rejected certificate becomes an error."""
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


_NUMBERS = ("points", "undefined", "failing", "swept")  # keys of numbers that need not be reproduced
_COUNT = re.compile(r"\d+ (?=(?:replayed )?elements|instances|points|places|designs)")


@dataclass(frozen=True, slots=True)
class Comparison(Result):
    """The comparison of the present run with the record.

    Attributes:
        reproduced: ids whose recorded outcome was reproduced.
        changed: ids whose outcome differs from the recorded one although none of its dependencies changed.
        stale: ids without a record, or with a record for another version of their files, the engine or the format.
    """

    reproduced: tuple[str, ...]
    changed: tuple[str, ...]
    stale: tuple[str, ...]

    LABELS = labelled(
        reproduced="reproduced", changed="not reproduced", stale="without a record of this version", agrees=""
    )

    @property
    def agrees(self) -> bool:
        """Whether every outcome with a current record was reproduced."""
        return not self.changed


def load_record(path: Path) -> dict[str, Any]:
    """Return the recorded outcomes by id; empty if there is no record yet."""
    if not path.exists():
        return {}
    data = parse_json(path.read_text(encoding="utf-8"), what="record of claims")
    return dict(data["claims"])


def record(path: Path, outcomes: Mapping[str, tuple[Outcome, ModuleType | str]]) -> None:
    """Write the record of a full run to a file, atomically."""
    write_text(path, record_text(outcomes))


def require_full_run(patterns: Sequence[str], effort: int) -> None:
    """Raise an error unless a run may be recorded: it must include all claims and have effort 1."""
    if patterns:
        raise InvalidParameterError("a record is of a full run: leave out PATTERN beside `record`")
    if effort > 1:
        raise InvalidParameterError("a record is of effort 1: leave out `effort` beside `record`")


def record_text(outcomes: Mapping[str, tuple[Outcome, ModuleType | str]]) -> str:
    """Return the text of the record of a full run."""
    claims = {
        name: {"fingerprint": fingerprint(module), "outcome": outcome.essence()}
        for name, (outcome, module) in sorted(outcomes.items())
    }
    note = "generated by `rropt verify --record`; never edited by hand"
    return json.dumps({"note": note, "claims": claims}, indent=1, sort_keys=True) + "\n"


def compare_with_record(
    outcomes: Mapping[str, tuple[Outcome, ModuleType | str]], recorded: Mapping[str, Any], *, effort: int = 1
) -> Comparison:
    """Return the outcomes that were reproduced, those that changed, and those with a stale record.

    Numbers of points need not be reproduced, since the search uses floating-point numbers whose last digits depend on
    library versions. A record has effort 1; with more effort, only verdict and label must be reproduced.
    """
    reproduced, changed, stale = [], [], []
    for name, (outcome, module) in outcomes.items():
        entry = recorded.get(name)
        if entry is None or entry["fingerprint"] != fingerprint(module):
            stale.append(name)
        elif _comparable(entry["outcome"], effort) == _comparable(outcome.essence(), effort):
            reproduced.append(name)
        else:
            changed.append(name)
    return Comparison(tuple(reproduced), tuple(changed), tuple(stale))


def _comparable(essence: Mapping[str, Any], effort: int) -> Any:
    if effort > 1:
        return _plain({key: essence.get(key) for key in ("id", "verdict", "evidence", "correction_evidence")})
    said = {key: value for key, value in essence.items() if key not in _NUMBERS}
    said["readings"] = [{k: v for k, v in each.items() if k not in _NUMBERS} for each in essence.get("readings", ())]
    for key in ("anchored", "links"):
        said[key] = [_COUNT.sub("... ", text) for text in essence.get(key, ())]
    return _plain(said)


def _plain(value: Any) -> Any:
    """Return a value in the form in which it is read back from a file, where every number is text."""
    if isinstance(value, dict):
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(x) for x in value]
    return value if isinstance(value, (bool, str)) or value is None else str(value)
