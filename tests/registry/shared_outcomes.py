"""The registry's claims and their outcomes, found and computed when a test first asks for them.

To import the registry takes longer than to collect all other tests: the ids of its claims stand in its record. An
outcome is computed once for all processes of a run.

Every run computes each third claim anew, in the order of their ids, or one beside it where it takes more than a
second; `make stress` computes all of them.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from stress import STRESS

import rropt_proofs
from rropt.claims import Claim, Outcome, find_claims, run_claim

RECORD = Path(rropt_proofs.__path__[0]) / "results.json"
EACH = 1 if STRESS else 3  # one claim in so many is computed anew
BESIDE = {  # the one that is computed in place of a claim that takes more than a second
    "chainayak2018.corollary-4.1": "chainayak2018.definition-1.3",
    "chainayak2018.lemma-3.1": "chainayak2018.lemma-3.2",
    "chainayak2018.lemma-4.3": "chainayak2018.lemma-4.2-proof",
    "chainayak2018.sec-3-dlp": "chainayak2018.sec-1-identifiability",
    "chainayak2018.sec-4-condition-number": "chainayak2018.sec-5-collapsing",
    "holohan2016.eq-11": "holohan2016.eq-10",
    "holohan2016.theorem-2": "holohan2016.theorem-1",
    "literature.block-designs": "literature.bipartite-figures",
    "literature.ratio-blocks": "literature.rank-of-an-irreducible-matrix",
    "rropt.delta-trace": "rropt.ellipsoid-axis",
    "rropt.merging": "rropt.no-width-lost",
    "rropt.taxonomy": "rropt.threshold-cards",
    "sun2023.abstract": "sun2023.algorithm-1",
    "sun2023.theorem-3.1": "sun2023.table-2-decks",
    "sun2023.theorem-5.2": "sun2023.theorem-5.3",
    "vinterbo2018.theorem-4.6": "vinterbo2018.theorem-4.6-derivative",
    "ziani.laplace-moments": "ziani.lemma-4",
    "ziani.sensitivity-examples": "ziani.remark-1",
}
_LOOKS = 3000  # how often to look, each tenth of a second, for a claim that another worker computes


@cache
def record() -> dict[str, Any]:
    """Return the record of the registry, which has all its claims: test_registry.py compares it with the files."""
    data = json.loads(RECORD.read_text(encoding="utf-8"))
    return {name: dict(zip(data["columns"], part, strict=False)) for name, part in data["claims"].items()}


def recorded_part(outcome: Outcome) -> dict[str, Any]:
    """Return what the record keeps of an outcome: verdict, label, scope, and the point of the counterexample.

    A scope has no sizes that the label has.
    """
    scope = outcome.scope.replace(f" with {outcome.sizes},", ",") if outcome.sizes in outcome.label else outcome.scope
    found = {"verdict": outcome.verdict, "label": outcome.label, "scope": scope}
    if outcome.counterexample is not None:
        found["counterexample"] = outcome.counterexample.to_dict()["point"]
    return found


def write_record(names: Iterable[str]) -> None:
    """Run claims and write their part of the record, from a terminal: ``python shared_outcomes.py [ID ...]``."""
    claims = find_claims(names, package=rropt_proofs.__name__)
    found = {**record(), **{name: recorded_part(run_claim(claim)) for name, (claim, _) in claims.items()}}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps([*part.values()])}" for name, part in sorted(found.items()))
    head = '"note": "written by tests/registry/shared_outcomes.py"'
    columns = json.dumps(["verdict", "label", "scope", "counterexample"])
    RECORD.write_text(f'{{{head}, "columns": {columns}, "claims": {{\n{lines}\n}}}}\n', "utf-8")


def recorded(paper: str) -> list[str]:
    """Return the ids of a paper's claims."""
    return sorted(name for name in record() if name.startswith(f"{paper}."))


@cache
def _computed() -> frozenset[str]:
    names = sorted(record())[::EACH]
    return frozenset(names if STRESS else [BESIDE.get(name, name) for name in names])


def is_computed(name: str) -> bool:
    """Return whether this run computes the outcome of a claim, given by its id."""
    return name in _computed()


def computed(names: Iterable[str]) -> list[str]:
    """Return the claims among some of which this run computes the outcomes, at least one."""
    listed = sorted(names)
    return list(filter(is_computed, listed)) or listed[:1]


class Claims(Mapping[str, tuple[Claim, ModuleType]]):
    """What ``find_claims`` returns, imported when it is first asked for."""

    def __init__(self, patterns: Iterable[str] = ()) -> None:
        self.patterns = tuple(patterns)

    @cached_property
    def found(self) -> dict[str, tuple[Claim, ModuleType]]:
        """The claims, by id, each with its module."""
        return find_claims(self.patterns)

    def __getitem__(self, name: str) -> tuple[Claim, ModuleType]:
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


class Outcomes(Mapping[str, tuple[Outcome, ModuleType]]):
    """From the id of a claim to its outcome and module; ``folder`` is what the processes of a run share."""

    folder: ClassVar[Path]
    known: ClassVar[dict[str, Outcome]] = {}

    def __init__(self, claims: Mapping[str, tuple[Claim, ModuleType]]) -> None:
        self.claims = claims

    def __getitem__(self, name: str) -> tuple[Outcome, ModuleType]:
        claim, module = self.claims[name]
        if name not in self.known:
            self.known[name] = self._shared(name, claim)
        return self.known[name], module

    def __iter__(self) -> Iterator[str]:
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

    def _shared(self, name: str, claim: Claim) -> Outcome:
        file, taken = self.folder / f"{name}.pickle", self.folder / f"{name}.taken"
        if not file.exists():
            try:
                taken.touch(exist_ok=False)
            except FileExistsError:  # another worker computes it, unless it was stopped
                for _ in range(_LOOKS):
                    if file.exists():
                        break
                    time.sleep(0.1)
        if not file.exists():
            part = file.with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(run_claim(claim)))
            part.replace(file)
        found = pickle.loads(file.read_bytes())
        assert isinstance(found, Outcome)
        return found


if __name__ == "__main__":
    write_record(sys.argv[1:])
