"""Test vectors of a client, made by the Python client itself, which is the reference sampler.

*Draws* contain the random words. These words are at the thresholds: each integer with which the sampler compares a
draw, one below it, the largest word that is accepted, and the smallest one that is rejected. (Random vectors would not
detect a weight that is changed by 1.) The sampler is run on integers that keep what they are compared with. A report
that is a set may be long, so its vector contains a digest: ``h = (65537 h + y + 1) mod (2^31 - 1)`` over its numbers y.

The other vectors are memberships of reports, estimates from counts, and what a client must refuse: the categories -1
and K, the reports -1 and M, and counts of which one is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from math import floor
from typing import Any

from rropt.mechanisms.client_tables import ClientTable
from rropt_fieldwork.clients.templates import program

Program = dict[str, Any]

_MOST, _MOST_OF_SETS = 8, 2  # draws of a report whose words are varied
_MIXED = 32  # words of a mixed sequence behind the marks of a dense set


@dataclass(frozen=True, slots=True)
class ClientVector:
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
    constants = {**table.constants, **_numbers_of(table)}
    exec(compile(program(sections(table), constants, "python"), "client.py", "exec"), found)
    return found


def _numbers_of(table: ClientTable) -> dict[str, Any]:
    """Return the numbers of the test vectors of a mechanism with numbers: its grid, and one inside each of its steps.

    The numbers of the grid are written with as many decimals as they need; one that has none, such as 1/3, is left to
    its name, and the inner numbers beside it are tested.
    """
    if table.kind != "values":
        return {}
    numbers = table.constants
    grid, unit, most = numbers["GRID"], numbers["UNIT"], numbers["DECIMALS"]
    exact = [Fraction(x, unit) for x in grid]
    names, rounds = numbers["CATEGORIES"], numbers["ROUNDS"]
    own = [_decimal_of(x, most) or name for x, name in zip(exact, names, strict=True)]
    longest = [text + "0" * (most - len(text.partition(".")[2])) for text in own if text not in names]
    step = Fraction(1, 10**most)
    outside = [_decimal_of(x, most) for x in (min(exact) - step, max(exact) + step)]
    inside = [_inside(low, high, most) for low, high in pairwise(sorted(exact))]
    inner, wrong = ([text for text in texts if text is not None and text not in names] for texts in (inside, outside))
    wrong += [
        "",
        "-",
        ".",
        "1e0",
        "1_0",
        "0x1",
        " 0",
        "1.0.0",
        "9" * 20,
        f"{own[0]}{'' if '.' in own[0] else '.'}{'0' * (most + 1)}",
    ]
    own += longest[-1:]  # one with as many decimals as are allowed
    return {"NUMBERS": [*own, *inner] if rounds else own, "REFUSED_NUMBERS": wrong if rounds else [*wrong, *inner]}


def _decimal_of(number: Fraction, most: int) -> str | None:
    """Return a number as a decimal that is not its shortest one, or None if it has more decimals than ``most``."""
    for places in range(most + 1):
        scaled = number * 10**places
        if scaled.denominator == 1:
            digits = f"{abs(scaled.numerator):0{places + 1}d}"
            places_text = f".{digits[-places:]}" if places else ("." if most else "")
            return f"{'-' if number < 0 else '+'}{digits[: len(digits) - places]}{places_text}"
    return None


def _inside(low: Fraction, high: Fraction, most: int) -> str | None:
    """Return a decimal inside an interval, not in its middle and with few digits; None if there is none."""
    for places in range(most + 1):
        unit = Fraction(1, 10**places)
        found = (floor(low / unit) + 1) * unit
        if found < high and 2 * found != low + high:
            return _decimal_of(found, most)
    return None


@lru_cache(maxsize=8)
def vectors_of(table: ClientTable) -> tuple[ClientVector, ...]:
    """Return draws at the thresholds; changing any integer of the sampler makes one of them fail."""
    sampler = reference(table)
    if table.kind == "ranked":
        return tuple(_vectors_of_ranks(table, sampler))
    found: dict[tuple[int, tuple[int, ...], int], int] = {}
    known = set[Any]()
    for category, full in _categories(table, sampler).items():
        drawn_words = _words(table, sampler, category, known, full=full)
        for packed in chain((_packed(table, words) for words in drawn_words), _long_words(table)):
            report, drawn = sampler["replayed"](_spoken(sampler, category), packed)
            kept = tuple(packed[:drawn])
            while kept and not kept[-1]:
                kept = kept[:-1]
            found[category, kept, drawn] = report
    return tuple(ClientVector(x, words, drawn, report) for (x, words, drawn), report in found.items())


def _vectors_of_ranks(table: ClientTable, sampler: Program) -> Iterator[ClientVector]:
    """Yield the first and the last set with the truth, and of those without it; a word that is rejected."""
    truth, total = sampler["TRUTH"], sampler["TOTAL"]
    first = [(0, word) for word in (0, truth - 1, truth, total - 1, total)]
    for category, word in (*first, (table.constants["K"] - 1, truth // 2)):
        report, drawn = sampler["replayed"](category, [word])
        yield ClientVector(category, (word,) if word else (), drawn, report)


def checks_of(table: ClientTable) -> dict[str, Any]:
    """Return all test vectors as constants of the templates."""
    sampler, k, outputs = reference(table), table.constants["K"], table.constants.get("M", 0)
    draws = [(v.category, v.words, v.drawn, v.report) for v in vectors_of(table)]
    numbers = _numbers_of(table)
    refused = {} if numbers else {"REFUSED": (-1, k)}
    found: dict[str, Any] = {"VECTORS": draws, **numbers, **refused, "WORDS": max(1, *(len(v[1]) for v in draws))}
    if "holds" in sampler:
        pairs = [(report, x) for report in sorted({0, outputs // 2, outputs - 1}) for x in sorted({0, k // 2, k - 1})]
        found |= {"HELD": [(*pair, int(sampler["holds"](*pair))) for pair in pairs], "REFUSED_REPORTS": (-1, outputs)}
        found["REPORTS"] = outputs
    if table.is_matrix:
        given = [tuple(range(1, outputs + 1))]
    elif table.kind == "ranked":
        given = []  # the estimate has no constants of its own
    elif table.kind == "restricted":
        given = [(x, 1, 2, 4) for x in _categories(table, sampler)] if "SCALE" in table.constants else []
    else:
        given = [(1, 3)]
    if given:
        found["ESTIMATES"] = [(counts, tuple(sampler["estimates"](*counts))) for counts in given]
    rows = len(table.constants["ESTIMATOR"]) if table.is_matrix else 1
    lengths = {"GIVEN": len(given[0]) if given else 0, "ROWS": rows}
    return {**found, **lengths, "MANY": len(table.constants.get("RUNS", ()))}


def _packed(table: ClientTable, words: list[int]) -> list[int]:
    """Return the words that contain these words of the draws: those of a set after its coin are pieces of words."""
    if table.kind not in ("subset", "dense"):
        return words
    coin, size = table.constants["COIN"], table.constants["PIECE"]
    mask = (1 << (coin - 1).bit_length()) - 1
    tossed = next((i for i, word in enumerate(words, 1) if word & mask < coin), len(words))
    whole = tossed + _marking_words(table)
    pieces, many = [word & ((1 << size) - 1) for word in words[whole:]], 64 // size
    starts = range(0, len(pieces), many)
    return words[:whole] + [sum(x << size * i for i, x in enumerate(pieces[start : start + many])) for start in starts]


def _marking_words(table: ClientTable) -> int:
    """Return how many words mark the categories of a dense set."""
    k: int = table.constants["K"]
    layers: int = table.constants.get("LAYERS", 0)
    return -(-k // 64) * layers


def _long_words(table: ClientTable) -> Iterator[list[int]]:
    """Yield words of whole reports of a dense set: all bits 1, which marks too many categories; a mixed sequence."""
    if table.kind == "dense":
        many, most = _marking_words(table), (1 << 64) - 1
        mixed = [i * 0x9E3779B97F4A7C15 & most for i in range(1, many + _MIXED + 1)]
        for coin in (0, table.constants["HEADS"] % table.constants["COIN"]):
            yield [coin, *[most] * many]
            yield [coin, *mixed]


def _spoken(sampler: Program, category: int) -> Any:
    """Return a category as the client takes it: in a client of numbers by its text."""
    return sampler["spoken"](category) if "spoken" in sampler else category


def _categories(table: ClientTable, sampler: Program) -> dict[int, bool]:
    """Return the categories for which there are test vectors, and whether each draw of a category is varied."""
    k = table.constants["K"]
    if table.kind == "values":  # of the numbers inside a step the coin alone: their columns are those of the grid
        return {x: x < k for x in range(len(sampler["NUMBERS"]))}
    if table.is_matrix:
        return dict.fromkeys(range(k), True)
    if table.is_set:  # a report may be long
        return {x: not x for x in (0, 1, k // 2, k - 1)}
    first, near = {0, 1, k // 2, k - 1}, set[int]()
    if table.kind == "restricted":
        first.add(sampler["nth"](0, True))
        near = {x for end in accumulate(table.constants["RUNS"]) for x in (end - 1, end) if x >= 0}
    return {x: x in first for x in sorted(first | near)}


class _Watched(int):
    """A drawn integer that keeps the thresholds at which the sampler changes its course."""

    marks: set[int]
    taken: int  # what the sampler has subtracted so far

    def __sub__(self, other: Any) -> Any:
        return _watched(int(self) - other, self.marks, self.taken + other)

    def __lt__(self, other: int) -> bool:
        self.marks.add(other + self.taken)
        return int(self) < other

    def __ge__(self, other: int) -> bool:
        return not self < other


def _watched(value: int, marks: set[int], taken: int = 0) -> _Watched:
    found = _Watched(value)
    found.marks, found.taken = marks, taken
    return found


class _EnoughError(Exception):
    """The draws that are varied are done."""


def _draws(sampler: Program, category: int, words: list[int]) -> list[tuple[int, set[int]]]:
    """Return the bound of each of the first draws, and the thresholds that these words, and then zeros, meet."""
    given, draws = iter(words), list[tuple[int, set[int]]]()

    def below(n: int) -> int:
        if len(draws) == _MOST:
            raise _EnoughError
        draws.append((n, set()))
        return _watched(next(given, 0), draws[-1][1])

    with suppress(_EnoughError):
        sampler["randomize"](_spoken(sampler, category), below)
    return draws


def _words(table: ClientTable, sampler: Program, category: int, known: set[Any], *, full: bool) -> Iterator[list[int]]:
    """Yield words at the thresholds of the draws for a category, on both sides of each coin.

    Args:
        table: the constants.
        sampler: the functions of the client.
        category: the category.
        known: the thresholds that other categories have met; this call adds to them.
        full: whether each draw is varied: all its thresholds and its bound, or only the thresholds that zeros meet.
    """
    waiting, courses = [list[int]()], list[Any]()
    while waiting:
        start = waiting.pop()
        if (draws := _draws(sampler, category, start)) in courses:
            continue
        courses.append(draws)
        yield start
        for place, (bound, marks) in enumerate(draws[: _MOST_OF_SETS if table.is_set else _MOST]):
            if place < len(start):
                continue
            before, words = [*start, *[0] * (place - len(start))], set[int]()
            if full:
                marks = marks | _draws(sampler, category, [*before, bound - 1])[place][1]
                words = {bound - 1, bound, bound // 2, bound if place else (1 << 64) - 1}
                yield from ([*before, word, max(marks, default=0)] for word in (bound - 1, bound))
            elif table.kind == "values" and not place:  # the step of the grid
                words = {bound - 1, bound}
            if len(marks) == 1:  # a coin
                waiting += [[*before, word] for mark in marks for word in (mark - 1, mark) if 0 <= word < bound]
            words |= {x for mark in marks if (place, bound, mark) not in known for x in (mark - 1, mark) if x >= 0}
            known |= {(place, bound, mark) for mark in marks if not table.is_matrix}
            yield from ([*before, word] for word in sorted(words))
        if full:
            yield [*start, *(bound // 2 + 1 for bound, _ in draws[len(start) :])]
