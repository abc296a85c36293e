"""Test vectors of a client, made by the Python client itself, which is the reference sampler.

*Draws* contain the random words. These words are at the thresholds: each boundary of a column, one below it, the
largest word that is accepted, and the smallest one that is rejected. (Random vectors would not detect a weight that is
changed by 1.) A report that is a set may be long, so its vector contains a digest:
``h = (65537 h + y + 1) mod (2^31 - 1)`` over its numbers y.

The other vectors are memberships of reports, estimates from counts, and what a client must refuse: the categories -1
and K, the reports -1 and M, and counts of which one is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from rropt.mechanisms.clients.tables import ClientTable
from rropt.mechanisms.clients.templates import program

Program = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Vector:
    """A draw that a client must reproduce.

    Attributes:
        category: the truth.
        words: the 64-bit words that the sampler draws; further words are 0.
        drawn: the number of words drawn, including trailing zeros.
        report: the report; for a set or a bit vector, its digest.
    """

    category: int
    words: tuple[int, ...]
    drawn: int
    report: int


def sections(table: ClientTable) -> set[str]:
    """Return the kinds of sections of the templates that a client consists of."""
    if table.kind != "restricted":
        return {table.kind}
    return {"restricted", "identified" if "SCALE" in table.constants else "refusal"}


def reference(table: ClientTable) -> Program:
    """Return the functions of the Python client of a table."""
    found: Program = {"__name__": "client"}
    exec(compile(program(sections(table), table.constants, "python"), "client.py", "exec"), found)
    return found


@lru_cache(maxsize=8)
def vectors_of(table: ClientTable) -> tuple[Vector, ...]:
    """Return draws at the thresholds; changing any integer of the sampler makes one of them fail."""
    sampler = reference(table)
    found: dict[tuple[int, tuple[int, ...], int], int] = {}
    for category in _categories(table, sampler):
        for words in _words(table, sampler, category):
            report, drawn = sampler["replayed"](category, words)
            kept = tuple(words[:drawn])
            while kept and not kept[-1]:
                kept = kept[:-1]
            found[category, kept, drawn] = report
    return tuple(Vector(x, words, drawn, report) for (x, words, drawn), report in found.items())


def checks_of(table: ClientTable) -> dict[str, Any]:
    """Return all test vectors as constants of the templates."""
    sampler, k, outputs = reference(table), table.constants["K"], table.constants.get("M", 0)
    draws = [(v.category, v.words, v.drawn, v.report) for v in vectors_of(table)]
    found: dict[str, Any] = {"VECTORS": draws, "REFUSED": (-1, k), "WORDS": max(1, *(len(v[1]) for v in draws))}
    if "holds" in sampler:
        pairs = [(report, x) for report in sorted({0, outputs // 2, outputs - 1}) for x in sorted({0, k // 2, k - 1})]
        found |= {"HELD": [(*pair, int(sampler["holds"](*pair))) for pair in pairs], "REFUSED_REPORTS": (-1, outputs)}
        found["REPORTS"] = outputs
    if table.is_matrix:
        given = [tuple(range(1, outputs + 1))]
    elif table.kind == "restricted":
        given = [(x, 1, 2, 4) for x in _categories(table, sampler)] if "SCALE" in table.constants else []
    else:
        given = [(1, 3)]
    if given:
        found["ESTIMATES"] = [(counts, tuple(sampler["estimates"](*counts))) for counts in given]
    lengths = {"GIVEN": len(given[0]) if given else 0, "ROWS": k if table.is_matrix else 1}
    return {**found, **lengths, "MANY": len(table.constants.get("RUNS", ()))}


def _categories(table: ClientTable, sampler: Program) -> list[int]:
    """Return the categories for which there are test vectors."""
    if table.is_matrix:
        return list(range(table.constants["K"]))
    ends = accumulate(table.constants["RUNS"]) if table.kind == "restricted" else ()
    near = {x for end in ends for x in (end - 1, end) if x >= 0}
    return sorted(near | _first_categories(table, sampler))


def _first_categories(table: ClientTable, sampler: Program) -> set[int]:
    """Return the categories for which all coins are tested."""
    k = table.constants["K"]
    first = {sampler["nth"](0, True)} if table.kind == "restricted" else set()
    return first | {0, 1, k // 2, k - 1}


def _words(table: ClientTable, sampler: Program, category: int) -> Iterator[list[int]]:
    """Yield lists of words at the thresholds of the draws for a category."""
    if table.is_matrix:
        for before, column in enumerate(_columns_of(table, category)):
            for t in sorted({0, *column, *(c - 1 for c in column if c)}):
                yield [0] * before + [t]  # the total itself is rejected if it is within the mask
            yield [0] * before + [(1 << 64) - 1, column[-1] - 1]
        return
    heads, coin = table.constants["HEADS"], table.constants["COIN"]
    starts = [[first, 0] if first == coin else [first] for first in (0, heads - 1, heads, coin - 1, coin)]
    if table.is_set:
        yield from _words_of_sets(table, category, starts)
        return
    if table.kind == "restricted":
        yield from _words_of_restricted(table, sampler, category, starts)
        return
    for start in starts:
        for bounds in _bounds(sampler, category, start):
            yield start + bounds
    for inside, word in ((True, 0), (False, heads)) if not category else ():
        ends = accumulate(length for i, length in enumerate(table.constants.get("RUNS", ())) if (i % 2 == 0) == inside)
        yield from ([word, max(end + step, 0)] for end in ends for step in (-1, 0))


def _columns_of(table: ClientTable, category: int) -> Iterator[tuple[int, ...]]:
    """Yield the columns from which a report of a category is drawn: one, or one for each question."""
    n, row = table.constants, 0
    if table.kind == "columns":
        yield n["COLUMNS"][category]
    for inputs in n.get("INPUTS", ()):
        yield n["PARTS"][row + category % inputs]
        row, category = row + inputs, category // inputs


def _words_of_sets(table: ClientTable, category: int, starts: list[list[int]]) -> Iterator[list[int]]:
    """Yield words for reports that are sets or bit vectors, which may be long.

    All thresholds are tested for the first category, and only the coin of the truth for the others.
    """
    n = table.constants
    yield from ([0], [n["HEADS"]])
    if category:
        return
    yield from starts
    for inside in (1, 0) if table.kind == "subset" else (1,):
        start = [0 if inside else n["HEADS"]]
        least = table.constants["K"] - (n["SIZE"] - inside) if table.kind == "subset" else n["MISS_COIN"]
        marks = [least // 2] if table.kind == "subset" else [n["MISS_HEADS"] - 1, n["MISS_HEADS"]]
        yield from ([*start, word] for word in (*marks, least - 1, least))
        yield [*start, *range(min(table.constants["K"], 8))]


def _words_of_restricted(
    table: ClientTable, sampler: Program, category: int, starts: list[list[int]]
) -> Iterator[list[int]]:
    """Yield words for restricted responses: at the thresholds of both coins and at the endpoints of the runs of C."""
    n = table.constants
    hidden, coin, chosen = n["REVEAL_HEADS"], n["REVEAL_COIN"], n["CHOSEN"]
    of_coins = category in _first_categories(table, sampler)  # the other categories are at endpoints of runs
    if of_coins:
        yield from ([max(word, 0)] for word in (0, hidden - 1, hidden, coin - 1, coin))
    if hidden == coin:
        return
    is_chosen, rank = sampler["place"](category)
    ranks, before = {rank - 1, rank} if is_chosen else {0}, [hidden]
    if is_chosen:
        if of_coins:
            yield from ([hidden, *start] for start in starts)
        if chosen == 1:
            return
        before.append(n["HEADS"])
        if of_coins:
            yield from ([coin - 1, n["HEADS"]], [coin, hidden, n["HEADS"]], [coin, hidden, n["HEADS"], 1])
    if rank == (0 if is_chosen else category):  # the first category in C, or the first one outside
        ends = accumulate(length for i, length in enumerate(table.constants.get("RUNS", ())) if i % 2 == 0)
        ranks |= {chosen - 2, chosen - 1, chosen, *(end + step for end in ends for step in (-2, -1, 0))}
    yield from ([*before, word] for word in sorted(ranks) if word >= 0)


def _bounds(sampler: Program, category: int, start: list[int]) -> Iterator[list[int]]:
    """Yield the words after the coin: 0, the last accepted and the first rejected word of each draw."""
    given, limits = iter(start), list[int]()

    def below(n: int) -> int:
        limits.append(n)
        return int(sampler["below"](n, lambda: next(given, 0)))

    sampler["randomize"](category, below)
    del limits[0]  # of the coin
    yield [0] * len(limits)
    for place, limit in enumerate(limits):
        for word in (limit - 1, limit, limit // 2, limit // 3):
            words = [0] * len(limits)
            words[place] = word
            yield words
    yield [limit // 2 + 1 for limit in limits]
