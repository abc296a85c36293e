"""Every list of a file, empty, shorter, longer, exchanged or hollow: part F of FORMAT.md, in both checkers."""

from __future__ import annotations

import importlib
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from adversary import lists, stored
from adversary.asking import ask
from adversary.boundary import oracle
from adversary.writing import Path as Place
from adversary.writing import at, put
from every_case import every_case
from javascript import outcome

import rropt.checker
from rropt.checker import check_text

PAGE = Path(rropt.checker.__file__).with_name("FORMAT.md")
EXPRESSIONS = ("sum", "product", "power", "quotient", "minimum", "maximum")
SEED = 1


class Row(NamedTuple):
    """A row of the table: where its list stands, the least number of entries, and whether one may stand twice."""

    where: str
    least: int
    may_be_twice: bool
    tested: tuple[str, ...]


def rows() -> list[tuple[str, Row]]:
    """Return the rows of the table by their list."""
    text = PAGE.read_text("utf-8").partition("## F. Lists")[2]
    found = []
    for line in re.findall(r"^\| .* \|$", text, re.MULTILINE)[1:]:
        where, paths, least, twice, tested = (cell.strip() for cell in line.strip("|").split("|"))
        assert twice in ("rejected", "allowed"), line
        row = Row(where, int(least), twice == "allowed", tuple(re.findall(r"`(\S+?)`", tested)))
        found += [(path, row) for path in re.findall(r"`(\S+?)`", paths)]
    return found


ROWS = rows()


def shape(path: Place) -> str:
    """Return a position as the table writes it; of a list inside an expression its operation."""
    path = tuple(key for key in path if key not in ("nonnegative", "nonpositive"))  # the two parts of a split
    keys = [key for key in path if isinstance(key, str)]
    if keys[-1] in EXPRESSIONS and isinstance(path[-1], str) and _is_tree(path):
        return keys[-1]
    return "".join("[]" if isinstance(key, int) else f".{key}" for key in path).removeprefix(".")


def _is_tree(path: Place) -> bool:
    roots = ("value", "left", "right", "polynomial", "exact", "cofactors", "size", "share", "costs", "right", "weight")
    return any(key in roots for key in path) and not {"orbits", "mechanism", "restricted-response"} & set(path)


def row_of(document: Any, path: Place) -> Row | None:
    """Return the row of a list: that of the statement or the way where there are several."""
    asked = shape(path)
    own = [row for name, row in ROWS if name == asked]
    way = document["proof"].get("way") if isinstance(document["proof"], dict) else None
    named = [row for row in own if f"`{document['statement']}`" in row.where or way in row.where.split(", ")]
    shared = [row for row in own if not any(f"`{name}`" in row.where for name in stored.STATEMENTS)]
    return next(iter(named or shared or own), None)


@cache
def listed() -> dict[tuple[str, Row], list[tuple[Any, Place]]]:
    """Return the lists of short accepted files, by their row."""
    found = defaultdict(list)
    for documents in stored.accepted().values():
        for document in documents:
            for path in lists.lists(document):
                row = row_of(document, path)
                assert row is not None, f"no row of part F has {shape(path)}: {json.dumps(document)[:1500]}"
                found[shape(path), row].append((document, path))
    return found


def test_every_list_has_a_row_and_every_row_a_list() -> None:
    assert [(name, row.where) for name, row in ROWS if (name, row) not in listed()] == []
    for (name, row), own in listed().items():
        assert min(len(at(document, path)) for document, path in own) >= row.least, name


def test_the_functions_that_test_a_list_exist() -> None:
    for name in {name for _, row in ROWS for name in row.tested}:
        parts = name.split(".")
        for n in range(len(parts) - 1, 0, -1):
            try:
                found: Any = importlib.import_module(f"rropt.checker.{'.'.join(parts[:n])}")
            except ModuleNotFoundError:
                continue
            for part in parts[n:]:
                found = getattr(found, part)
            break
        assert callable(found), name


def test_the_least_number_of_entries(size: Callable[[int, int], int]) -> None:
    """With fewer entries a file is rejected, in both checkers; and with an entry twice, where the table says so."""
    rng = random.Random(SEED)
    for (name, row), own in listed().items():
        shortest = sorted(own, key=lambda each: len(at(*each)))[:3]
        for document, path in [*shortest, *rng.sample(own, min(len(own), size(1, 30)))]:
            entries = at(document, path)
            for few in range(min(row.least, len(entries))):
                text = json.dumps(put(document, path, entries[:few]))
                assert outcome(text) == "rejected", f"{name} with {few} entries: {text[:1500]}"
            verdicts = {outcome(text) for text in _doubled(document, path)}
            assert row.may_be_twice or "accepted" not in verdicts, name


def _doubled(document: Any, path: Place) -> Iterator[str]:
    """Iterate over a file with the first, and the last, entry of a list twice."""
    entries = at(document, path)
    for entry in entries[:1] + entries[1:][-1:]:
        yield json.dumps(put(document, path, [*entries, entry]))


def test_an_entry_twice(size: Callable[[int, int], int]) -> None:
    """A row of the table says "allowed" if and only if a file with an entry of its list twice is accepted."""
    most = size(600, 2000)
    for (name, row), own in listed().items():
        short = [each for each in own if len(json.dumps(each[0])) <= most]
        accepted = any(check_text(text) for each in short for text in _doubled(*each))
        assert accepted == row.may_be_twice, (name, row.where)


def judged(made: Any, truths: Counter[bool | None]) -> None:
    """Hold that both checkers agree, and that what they accept is true wherever the oracle decides it."""
    text = json.dumps(made)
    verdict = ask(text)
    assert outcome(text) != "explained" or len(text) > 10_000, text[:3000]
    if verdict:
        truth = oracle.truth(made)
        truths[truth] += 1
        assert truth is not False, text[:3000]


@pytest.mark.slow
@every_case("statement", stored.STATEMENTS)
def test_no_falsehood_with_changed_lists_is_accepted(statement: str, size: Callable[[int, int], int]) -> None:
    """By the oracle, which reads no proof; of a proof that lacks an entry nothing else is asked."""
    rng, truths = random.Random(SEED), Counter[bool | None]()
    documents = sorted(stored.accepted()[statement], key=lambda each: len(json.dumps(each)))
    short = documents[: len(documents) // 2 + 1]
    for n, document in enumerate(rng.sample(short, len(short))):
        if n >= size(4, 40) and truths.total():  # the oracle must have decided something
            break
        made = list(lists.forged(document))
        for each in rng.sample(made, min(len(made), size(12, 150))):
            judged(each, truths)
        for _ in range(size(2, 25)):
            judged(lists.drawn(document, rng.choice((2, 3)), rng), truths)
    assert truths.total() > 0


def test_a_piece_without_cells_proves_nothing() -> None:
    """For every cover of a file: no cell, no piece, or a piece more whose end is no point."""
    documents = [*stored.accepted()["every-level"], *stored.accepted()["parity-bound"]]
    for document in documents:
        for path in lists.lists(document):
            keys = [key for key in path if isinstance(key, str)]
            if keys in (["proof", "cells"], ["proof", "up"], ["proof", "down"]) and len(path) in (2, 3):
                assert not check_text(json.dumps(put(document, path, []))), (path, document)


@pytest.mark.slow
def test_an_inserted_piece_that_ends_nowhere_is_rejected() -> None:
    for document in stored.accepted()["every-level"]:
        pieces, cells = document["claim"]["pieces"], document["proof"]["cells"]
        for n in range(len(pieces) + 1):
            for end in ("", None, [], {}, pieces[max(n - 1, 0)]["to"], document["problem"]["from"]):
                for own in ([], [{"to": end, "y": []}], cells[max(n - 1, 0)]):
                    piece = {**pieces[min(n, len(pieces) - 1)], "to": end}
                    made = put(document, ("claim", "pieces"), [*pieces[:n], piece, *pieces[n:]])
                    made = put(made, ("proof", "cells"), [*cells[:n], own, *cells[n:]])
                    assert not check_text(json.dumps(made)), made


def test_hollow_values() -> None:
    assert list(lists.hollow({"to": ["1"], "y": "2"})) == [
        {"to": [], "y": ""},
        {"to": [], "y": "2"},
        {"to": ["1"], "y": ""},
    ]
    assert [] in list(lists.changed(["1", "2"]))
    assert ["2", "1"] in list(lists.changed(["1", "2"]))
