"""Every list of a file, made empty, shorter or longer, with an entry twice, exchanged or hollow: what a loop may miss.

A loop over an empty list tests nothing, and what it was to find keeps the value from before the loop. So the changes
know no statement: they take each list anywhere in a file, and lists of equal length together, since a file often has
a list with an entry for each entry of another one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations
from typing import Any

from adversary.writing import Path, at, put, walk

MOST_PLACES = 12  # of a list, at which an entry is changed: its ends and some between them


def lists(document: Any) -> list[Path]:
    """Return the positions of all lists."""
    return [path for path, value in walk(document) if isinstance(value, list)]


def changed(listed: list[Any]) -> Iterator[list[Any]]:
    """Iterate over what may become of a list."""
    yield []
    yield listed[::-1]
    for i in _places(len(listed)):
        before, entry, after = listed[:i], listed[i], listed[i + 1 :]
        yield [*before, *after]  # shorter, at its ends too
        yield [*before, entry, entry, *after]  # with an entry twice
        yield [*listed, entry]
        yield before  # ends early
        for own in hollow(entry):
            yield [*before, own, *after]
            yield [*before, own, entry, *after]
        if after:
            yield [*before, after[0], entry, *after[1:]]  # exchanged
    if listed:
        for own in hollow(listed[-1]):
            yield [*listed, own]


def _places(count: int) -> list[int]:
    ends = {*range(min(count, MOST_PLACES // 2)), *range(max(0, count - MOST_PLACES // 2), count)}
    return sorted(ends)


def hollow(value: Any) -> Iterator[Any]:
    """Iterate over a value without its content: an empty text, an empty list, and these in place of its parts."""
    if isinstance(value, str):
        yield ""
    if isinstance(value, list):
        yield []
        if any(isinstance(part, str) for part in value):
            yield ["" if isinstance(part, str) else part for part in value]
    if isinstance(value, dict):
        yield {key: _emptied(part) for key, part in value.items()}
        for key, part in value.items():
            yield {**value, key: _emptied(part)}


def _emptied(value: Any) -> Any:
    return type(value)() if isinstance(value, (str, list, dict)) else value


def forged(document: Any) -> Iterator[Any]:
    """Iterate over copies of a file with one list changed, or two lists of one length changed alike."""
    paths = lists(document)
    for path in paths:
        for other in changed(at(document, path)):
            yield put(document, path, other)
    for one, other in combinations(paths, 2):
        first, second = at(document, one), at(document, other)
        if len(first) != len(second) or not first or one == other[: len(one)]:
            continue
        for i in _places(len(first)):
            for together in _alike(first, second, i):
                yield put(put(document, one, together[0]), other, together[1])


def _alike(first: list[Any], second: list[Any], i: int) -> Iterator[tuple[list[Any], list[Any]]]:
    """Iterate over two lists changed alike at a place."""
    yield first[:i] + first[i + 1 :], second[:i] + second[i + 1 :]
    yield first[: i + 1] + first[i:], second[: i + 1] + second[i:]
    yield first[:i], second[:i]
    for own in hollow(first[i]):
        for its in (second[i], *hollow(second[i])):
            yield [*first[:i], own, *first[i:]], [*second[:i], its, *second[i:]]
            yield [*first[: i + 1], own, *first[i + 1 :]], [*second[: i + 1], its, *second[i + 1 :]]
            yield [*first[:i], own, *first[i + 1 :]], [*second[:i], its, *second[i + 1 :]]


def drawn(document: Any, changes: int, rng: random.Random) -> Any:
    """Return a copy of a file in which so many lists are changed, one after the other."""
    made = deepcopy(document)
    for _ in range(changes):
        paths = lists(made)
        if not paths:
            break
        path = rng.choice(paths)
        own = at(made, path)
        found = list(changed(own))
        made = put(made, path, rng.choice(found))
    return made
