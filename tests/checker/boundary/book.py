"""The suite as it is written: conditions of the pages, cases with their truth, and witnesses with their verdict."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import rropt.checker.conformance
from rropt.checker.conformance.suite import CASES, WITNESSES

from .oracle import truth

FOLDER = Path(rropt.checker.conformance.__file__).parent
PAGES = FOLDER.parent

UNIT = Fraction(1, 10**6)  # what is meant by one unit within or beyond, where no count is meant

# What the conditions of each kind have to be tried at.
INEQUALITY = ("equality", "within", "beyond")
OPEN = ("within", "beyond")  # both sides are never equal: an irrational number, or a form that is there or not
EQUATION = ("equality", "below", "above")
COUNT = ("zero", "one", "limit", "beyond")
MATRIX = ("singular", "singular on the contrasts", "empty category", "equal columns")
FACTOR = ("singular", "singular on the contrasts", "indefinite")
ROUNDING = ("rounded down", "rounded up")
SPECIAL = ("special value",)

Case = dict[str, Any]


@dataclass(frozen=True)
class Condition:
    """A sentence of a page, and what it has to be tried at."""

    page: str
    sentence: str
    needs: tuple[str, ...]


@dataclass
class Suite:
    """Cases, by their content, and the witnesses that refer to them."""

    cases: dict[str, Case] = field(default_factory=dict)
    witnesses: list[Case] = field(default_factory=list)
    conditions: dict[Condition, set[str]] = field(default_factory=dict)
    decided: Mapping[str, bool | None] = field(default_factory=dict)  # by problem and claim: the oracle is not asked
    _numbers: dict[str, int] = field(default_factory=dict)
    _files: dict[str, Case] = field(default_factory=dict)

    def condition(self, page: str, sentence: str, needs: tuple[str, ...]) -> Condition:
        """Enter a condition."""
        entered = Condition(page, " ".join(sentence.split()), needs)
        self.conditions.setdefault(entered, set())
        return entered

    def add(
        self,
        condition: Condition,
        boundary: str,
        document: tuple[Any, Any, Any],
        accepted: bool,
        because: str = "",
        known: bool | None = None,
    ) -> None:
        """Enter a file.

        Args:
            condition: The sentence that it stands for.
            boundary: At which side of it the file lies.
            document: Problem, claim and witness.
            accepted: The verdict that the page states.
            because: Of a rejected file: ``form``, ``limit`` or ``precision``; left out, it is ``claim`` where the claim is false,
                else ``witness``.
            known: Whether the claim is true, by hand, where the oracle does not decide it.
        """
        problem, claim, witness = plain = text(document)
        key = json.dumps(plain, sort_keys=True)
        self.conditions[condition].add(boundary)
        if key in self._files:
            entry = self._files[key]
            stands_for = [condition.page, condition.sentence, boundary]
            if (entry["expected"] == "accepted") != accepted:
                raise ValueError(f"{stands_for}: the same file has the other verdict at {entry['sentence']}")
            if stands_for not in [[entry["page"], entry["sentence"], entry["boundary"]], *entry["also"]]:
                entry["also"].append(stands_for)
            return
        case, number = self._case(problem, claim, known, malformed=because in ("form", "limit"))
        rule = witness.pop("rule")
        if accepted and case["truth"] != "true":
            raise ValueError(f"{condition.sentence} ({boundary}): an accepted file has a claim that is {case['truth']}")
        if not accepted and not because:
            because = "claim" if case["truth"] == "false" else "witness"
        self._files[key] = entry = {
            "case": number,
            "rule": rule,
            "page": condition.page,
            "sentence": condition.sentence,
            "boundary": boundary,
            "also": [],
            "expected": "accepted" if accepted else "rejected",
            "because": because,
            "witness": witness,
        }
        self.witnesses.append(entry)

    def _case(self, problem: Any, claim: Any, known: bool | None, malformed: bool) -> tuple[Case, int]:
        key = name_of_case(problem, claim)
        if key not in self.cases:
            try:
                if known is not None:
                    decided: bool | None = known
                else:
                    decided = self.decided[key] if key in self.decided else truth(problem, claim)
            except (KeyError, ValueError, TypeError, IndexError, AttributeError, ZeroDivisionError, AssertionError):
                if not malformed:
                    raise
                decided = None
            words = {True: "true", False: "false", None: "open"}[decided]
            self._numbers[key] = len(self.cases) + 1
            self.cases[key] = {
                "truth": words,
                "known": "by hand" if known is not None else "oracle" if decided is not None else "not decided",
                "problem": problem,
                "claim": claim,
            }
        return self.cases[key], self._numbers[key]

    def files(self) -> Iterator[tuple[str, str]]:
        """Iterate over the two files, with their names."""
        for name, entries in ((CASES, self.cases.values()), (WITNESSES, self.witnesses)):
            yield name, "".join(json.dumps(entry, ensure_ascii=True, separators=(",", ":")) + "\n" for entry in entries)


def name_of_case(problem: Any, claim: Any) -> str:
    """Return the text that names a case."""
    return json.dumps([problem, claim], sort_keys=True)


def with_(document: Any, *changes: tuple[str, Any]) -> Any:
    """Return a copy of (problem, claim, witness) with the values at paths such as ``2.dual.alpha.0`` replaced."""
    made = text(document)
    for path, value in text(changes):
        *steps, last = path.split(".")
        at = made
        for step in steps:
            at = at[int(step) if isinstance(at, list) else step]
        at[int(last) if isinstance(at, list) else last] = value
    return tuple(made)


def text(x: Any) -> Any:
    """Return a copy of a number, a list or an object, with its fractions as texts."""
    if isinstance(x, str):
        return x
    if isinstance(x, dict):
        return {key: text(value) for key, value in x.items()}
    if isinstance(x, list | tuple):
        return [text(value) for value in x]
    return str(x) if isinstance(x, Fraction | int) and not isinstance(x, bool) else x
