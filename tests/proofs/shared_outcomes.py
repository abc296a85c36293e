"""Outcomes of claims, each computed once for all processes of a test run, when first asked for."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from rropt.claims import Claim, Outcome, run_claim


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
        file = self.folder / f"{name}.pickle"
        if not file.exists():
            part = file.with_suffix(f".{os.getpid()}")
            part.write_bytes(pickle.dumps(run_claim(claim)))
            part.replace(file)
        found = pickle.loads(file.read_bytes())
        assert isinstance(found, Outcome)
        return found
