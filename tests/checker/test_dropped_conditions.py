"""Every condition of the checker is needed: without it the checker accepts a wrong file.

``fuzz/dropped.py`` finds the conditions in the syntax of the checker. Each one has a witness: a false file, a file
built for it, or an honest file with one thing changed. With the condition, the checker rejects the
witness there; without it, the checker accepts the witness or crashes (a crash accepts nothing). Conditions without a
witness stand below, each with its reason.

``dropped_witnesses.jsonl`` holds them, so that the short run only replays them. The search asks them again, and the
stored files, forgeries and changed examples. After a change of the checker run, in ``tests/checker``,
``python -m test_dropped_conditions``: it keeps the witnesses that still serve and searches for the others.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from adversary import forger, stored
from adversary.built import built
from adversary.fuzz import dropped
from stored_cases import cases_of

import rropt.checker

STORED = cases_of(__file__)
LISTED = tuple(name for names in STORED.values() for name in names)


def is_listed(condition: dropped.Dropped) -> bool:
    """Whether a condition stands above."""
    return condition.name.startswith(LISTED)


def accepted_examples() -> list[Any]:
    """Return the certificates of the pages that the checker accepts."""
    text = "".join(page.read_text("utf-8") for page in Path(rropt.checker.__file__).parent.glob("*.md"))
    blocks = [block for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL) if '"format"' in block]
    return [json.loads(block) for block in blocks if dropped.answer(block) == "accepted"]


def wrong_bundles(documents: list[Any]) -> list[Any]:
    """Return bundles of accepted certificates that say something false of themselves."""
    one, two, *_ = documents
    honest = {"format": "2", "count": "2", "bundle": [one, two]}
    assert dropped.answer(json.dumps(honest)) == "accepted"
    return [
        *(honest | {"format": other} for other in ("1", "3")),
        *(honest | {"count": other} for other in ("1", "3")),
        honest | {"bundle": [one]},
        honest | {"bundle": [one, one]},
        honest | {"bundle": [one, dict(reversed(one.items()))]},
    ]


WITNESSES = Path(__file__).with_name("dropped_witnesses.jsonl")
WEAKER = Path(__file__).with_name("weaker.jsonl")  # built for other changes of the checker


def files(each: int, step: int) -> Iterator[tuple[str, str]]:
    """Iterate over kind and text of what is not to be accepted; of an example every ``step``-th change."""
    yield from ((witness.kind, witness.text) for witness in recorded().values())
    yield from (("planted", json.loads(line)["text"]) for line in WEAKER.read_text("utf-8").splitlines())
    yield from (("planted", text) for text in built("planted", "false", "form"))
    yield from (("stored", text) for text, verdict in stored.texts().items() if verdict == "rejected")
    yield from (("ill-formed", json.dumps(made)) for made in wrong_bundles(accepted_examples()))
    for document in accepted_examples():
        yield from (("ill-formed", text) for text in islice(dropped.ill_formed(document), 0, None, step))
    for name, documents in stored.accepted().items():
        fit = [document for document in documents if forger.is_fit(document)]
        yield from (("false", json.dumps(made)) for made in forger.forgeries(fit, 10 * each, len(name)))


def recorded() -> dict[str, dropped.Witness]:
    """Return the witnesses of the file by the name of their condition."""
    lines = map(json.loads, WITNESSES.read_text("utf-8").splitlines())
    return {line["condition"]: dropped.Witness(line["kind"], line["text"]) for line in lines}


def record() -> None:
    """Write the file of witnesses again: keep those that serve, search for the others."""
    old = recorded() if WITNESSES.exists() else {}
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    kept = {name: old[name] for name, each in wanted.items() if name in old and dropped.serves(each, old[name])}
    sought = {name: each for name, each in wanted.items() if name not in kept}
    found = dropped.witnesses(files(70, 3), sought, 40) if sought else {}
    lines = [
        json.dumps({"condition": name, "kind": each.kind, "text": each.text})
        for name, each in sorted({**kept, **found}.items())
    ]
    WITNESSES.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(f"{len(kept)} kept, {len(found)} found, {len(sought) - len(found)} without a witness")


def test_every_condition_is_needed_or_has_its_reason(size: Callable[[int, int], int]) -> None:
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    witnesses = recorded()
    assert witnesses.keys() == wanted.keys(), "run python -m test_dropped_conditions in tests/checker"
    for name in sorted(wanted)[:: size(3, 1)]:
        assert dropped.serves(wanted[name], witnesses[name]), name
    kinds = Counter(witnesses[name].kind for name in wanted)
    print(f"{len(wanted)} conditions: {dict(kinds)}")
    assert kinds["false"] >= 120
    assert len(wanted) >= 400


@pytest.mark.slow
def test_a_new_search_finds_a_witness_for_every_condition() -> None:
    wanted = {name: each for name, each in dropped.named_conditions().items() if not is_listed(each)}
    found = dropped.witnesses(files(40, 3), wanted, 20)
    assert sorted(wanted.keys() - found.keys()) == []


def test_what_stands_in_the_list_is_a_condition() -> None:
    names = [condition.name for condition in dropped.conditions()]
    assert [entry for entry in LISTED if not any(name.startswith(entry) for name in names)] == []


def test_a_dropped_condition_is_restored() -> None:
    text = built("planted")[0]
    before = dropped.answer(text)
    (condition,) = (c for c in dropped.conditions() if before[-1] == (c.module, c.first) and c.alternative is None)
    with dropped.without(condition):
        assert dropped.answer(text) == "accepted"
    assert dropped.answer(text) == before


if __name__ == "__main__":
    record()
