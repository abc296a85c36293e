"""Writes the vectors: ``python -m vectors.make`` from ``tests/checker``. Nothing here asks a checker."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from fuzz.harness import Piece
from fuzz.rules import FUZZERS, Fuzzer

import rropt.checker
from rropt.checker import verdicts

from . import FOLDER
from .by_hand import by_hand
from .words import reason_of, truth_of

ACCEPTED, REJECTED = 22, 30  # pieces of the fuzzers for each rule
LONGEST = 2500  # characters of a piece
NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
_EXAMPLE = "an example of the page, worked out there"
_FORM = "the form that part A and the page of the rule fix"

Vector = dict[str, Any]


def vector(accepted: bool, reason: str, truth: str, **file: Any) -> Vector:
    """Return a vector without its name."""
    return {"verdict": "accepted" if accepted else "rejected", "reason": reason, "truth": truth, **file}


def examples(rule: str) -> Iterator[Any]:
    """Iterate over the certificates of a rule on the pages of the rules with code."""
    for page in sorted(Path(rropt.checker.__file__).parent.rglob("*.md")):
        blocks = re.findall(r"```json\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        for document in (json.loads(block) for block in blocks if '"format"' in block):
            if "witness" in document and document["witness"]["rule"] == rule:
                yield document


@cache
def _pieces(fuzzer: Fuzzer) -> list[Piece]:
    return list(islice(fuzzer.source(random.Random(f"vectors {fuzzer.name}")), 1000))


def drawn(rule: str) -> Iterator[Vector]:
    """Iterate over pieces of the fuzzers, of all their methods in turn."""
    found: dict[bool, dict[tuple[str, str], list[Vector]]] = {True: {}, False: {}}
    for fuzzer in FUZZERS:
        for piece in _pieces(fuzzer):
            if piece.rule == rule and len(piece.text) <= LONGEST:
                reason = "the claim is true, and the witness proves it" if piece.true else reason_of(piece.method)
                made = vector(piece.true, reason, truth_of(piece.oracle), certificate=piece.document)
                found[piece.true].setdefault((fuzzer.name, piece.method), []).append(made)
    for true, most in ((True, ACCEPTED), (False, REJECTED)):
        groups = [iter(group) for group in found[true].values()]
        yield from islice(_in_turn(groups), most)


def _in_turn(groups: list[Iterator[Vector]]) -> Iterator[Vector]:
    while groups:
        for group in list(groups):
            made = next(group, None)
            if made is None:
                groups.remove(group)
            else:
                yield made


def _numbers(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, str) and NUMBER.fullmatch(data):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data if isinstance(data, list) else ()):
        yield from _numbers(value, (*path, key))


def _with(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    copy = deepcopy(document)
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copy


def malformed(document: Any) -> Iterator[Vector]:
    """Iterate over an accepted file with one place of its form broken."""
    for part in ("problem", "claim", "witness"):
        more = {**document, part: {**document[part], "note": "1"}}
        yield vector(False, f"the {part} has a key that the page does not name", _FORM, certificate=more)
    key = next(key for key in document["problem"] if key != "kind")
    less = {**document, "problem": {k: v for k, v in document["problem"].items() if k != key}}
    yield vector(False, f"the problem has no key {key}", _FORM, certificate=less)
    yield vector(False, "the format is unknown", _FORM, certificate={**document, "format": "rropt-certificate/2"})
    claim = {**document["claim"], "kind": "true"}
    yield vector(False, "the claim is of an unknown kind", _FORM, certificate={**document, "claim": claim})
    witness = {**document["witness"], "rule": "theorem"}
    yield vector(False, "no such rule", _FORM, certificate={**document, "witness": witness})
    place = next(_numbers(document))
    text = document
    for step in place:
        text = text[step]
    over, _, under = str(text).partition("/")
    wrong = {
        "a number is not in lowest terms": f"{2 * int(over)}/{2 * int(under or 1)}",
        "a number has a leading zero": f"0{text}",
        "a number has a sign +": f"+{text}",
        "a number is a decimal": "0.5",
        "a number is surrounded by a blank": f" {text}",
        "a bare number stands in the file": int(over),
        "null stands where a number is wanted": None,
        "a digit is none of ASCII": str(text).translate({ord("0") + i: 0x660 + i for i in range(10)}),
    }
    for reason, value in wrong.items():
        yield vector(False, reason, _FORM, certificate=_with(document, place, value))
    whole = json.dumps(document)
    yield vector(False, "a key stands twice in an object", _FORM, text='{"format": "rropt-certificate/1", ' + whole[1:])
    yield vector(False, "something stands after the JSON value", _FORM, text=whole + " {}")
    yield vector(False, "the text begins with a byte order mark", _FORM, text="\ufeff" + whole)


def of_rule(rule: str) -> list[Vector]:
    """Return the vectors of a rule, with their names."""
    listed = list(examples(rule))
    made = [vector(True, "an example of the page", _EXAMPLE, certificate=each) for each in listed]
    made += [*by_hand(rule), *drawn(rule), *(malformed(listed[0] if listed else _plainest(rule)))]
    unique = {each.get("text") or json.dumps(each["certificate"], sort_keys=True): each for each in made}
    return [{"name": f"{rule}-{i:03}", **each} for i, each in enumerate(unique.values(), 1)]


def _plainest(rule: str) -> Any:
    return next(each["certificate"] for each in drawn(rule) if each["verdict"] == "accepted")


def main() -> None:
    """Write the files of the rules; the vectors of the statements are data."""
    stored = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    index = {name: stored[name] for name in verdicts._STATEMENTS}
    for rule in verdicts._RULES:
        made = of_rule(rule)
        (FOLDER / f"{rule}.jsonl").write_text("".join(json.dumps(each) + "\n" for each in made), encoding="utf-8")
        counts = Counter(each["verdict"] for each in made)
        index[rule] = {"file": f"{rule}.jsonl", "accepted": counts["accepted"], "rejected": counts["rejected"]}
        print(rule, dict(counts))
    (FOLDER / "index.json").write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
