"""Mutants of accepted certificates: one to three changes of numbers, texts, places and keys."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from adversary.writing import at, replace, walk
from rropt.checker.conformance import File

TINY = Fraction(1, 10**6)
POOL = ("0", "1", "-1", "1/2", "2", "3", "infinite", "any", None, True, [], {}, "x", "10", "4/3", "64", "-1/1000000")
KEYS = ("extra", "point", "times", "excess", "lower", "family")
LONGEST = 50_000  # characters of a certificate that is changed
MOST = 3  # changes of one mutant


def mutants(certificates: Sequence[Any], count: int, seed: int) -> Iterator[str]:
    """Return the texts of ``count`` mutants; each certificate of ``certificates`` is a JSON value."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        mutant = copy.deepcopy(rng.choice(certificates))
        for _ in range(rng.choice((1, 1, 1, 2, MOST))):
            _change(mutant, rng)
        text = json.dumps(mutant)
        if len(text) < 100_000:
            made += 1
            yield text


def changeable(files: Iterable[File]) -> dict[str, list[Any]]:
    """Return the accepted certificates of each statement that are not too long to be changed."""
    found: dict[str, list[Any]] = {}
    for file in files:
        if file.accepted and len(file.text) < LONGEST:
            found.setdefault(file.statement, []).append(json.loads(file.text))
    return found


def mutant_texts(files: Iterable[File], statements: Container[str], share: int) -> list[str]:
    """Return so many mutants of each of the statements."""
    own = {name: found for name, found in changeable(files).items() if name in statements}
    return [text for seed, name in enumerate(sorted(own)) for text in mutants(own[name], share, seed)]


def lengthened(certificate: Any) -> Iterator[str]:
    """Return texts in which one number has moved by a tiny step, so that it has more digits than a limit: 401 or 2 601.

    Of the places whose ways differ in positions of lists alone there is one.
    """
    shapes = {
        tuple(key for key in way if isinstance(key, str)): way
        for way, value in walk(certificate)
        if _number(value) is not None
    }
    for way in shapes.values():
        for step in (Fraction(sign, 10**digits) for digits in (401, 2601) for sign in (1, -1)):
            longer = copy.deepcopy(certificate)
            replace(longer, way, str(Fraction(at(longer, way)) + step))
            yield json.dumps(longer)


def _number(value: Any) -> Fraction | None:
    try:
        return Fraction(value) if isinstance(value, str) else None
    except (ValueError, ZeroDivisionError):
        return None


def _change(mutant: Any, rng: random.Random) -> None:
    ways = [way for way, _ in walk(mutant)]
    kind = rng.random()
    if kind < 0.5:
        numbers = [way for way in ways if _number(at(mutant, way)) is not None]
        if numbers:
            way = rng.choice(numbers)
            replace(mutant, way, str(_near(Fraction(at(mutant, way)), rng)))
    elif kind < 0.75:
        replace(mutant, rng.choice(ways), copy.deepcopy(rng.choice(POOL)))
    elif kind < 0.85:
        lists = [at(mutant, way) for way in ways if isinstance(at(mutant, way), list) and at(mutant, way)]
        if lists:
            _change_list(rng.choice(lists), rng)
    elif kind < 0.95:
        replace(mutant, rng.choice(ways), copy.deepcopy(at(mutant, rng.choice(ways))))
    else:
        objects = [at(mutant, way) for way in ways if isinstance(at(mutant, way), dict) and at(mutant, way)]
        if objects:
            chosen = rng.choice(objects)
            if rng.random() < 0.5:
                del chosen[rng.choice(sorted(chosen))]
            else:
                chosen[rng.choice(KEYS)] = "1"


def _near(x: Fraction, rng: random.Random) -> Fraction:
    near = [x + 1, x - 1, -x, x + TINY, x - TINY, 2 * x, x / 2, 1 - x, Fraction(0), Fraction(1)]
    return rng.choice([*near, 1 / x if x else x, x + Fraction(1, rng.randint(2, 9))])


def _change_list(values: list[Any], rng: random.Random) -> None:
    i, j = rng.randrange(len(values)), rng.randrange(len(values))
    how = rng.randrange(3)
    if how == 0:
        del values[i]
    elif how == 1:
        values.insert(i, copy.deepcopy(values[i]))
    else:
        values[i], values[j] = values[j], values[i]
