"""Mutants of accepted certificates: one to three changes of numbers, texts, places and keys."""

from __future__ import annotations

import json
import random
from collections.abc import Container, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from adversary.fuzz.dropped import others
from adversary.writing import at, is_number, put, walk
from rropt.checker.conformance import File

TINY = Fraction(1, 10**6)
LONGEST = 50_000  # characters of a certificate that is changed
MOST = 3  # changes of one mutant
LONG = 2_000  # characters of a number that an earlier change made: Python converts up to 4 300 digits


def mutants(certificates: Sequence[Any], count: int, seed: int) -> Iterator[str]:
    """Return the texts of ``count`` mutants; each certificate of ``certificates`` is a JSON value."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        mutant = rng.choice(certificates)
        for _ in range(rng.choice((1, 1, 1, 2, MOST))):
            mutant = _changed(mutant, rng)
        text = json.dumps(mutant)
        if len(text) < 100_000:
            made += 1
            yield text


def _changed(document: Any, rng: random.Random) -> Any:
    """Return a copy with a number moved, or with a value of another form or of another place."""
    places = list(walk(document))
    numbers = [(path, value) for path, value in places if is_number(value) and len(value) < LONG]
    if numbers and rng.random() < 0.5:
        path, value = rng.choice(numbers)
        return put(document, path, str(_near(Fraction(value), rng)))
    path, value = rng.choice(places)
    return put(document, path, rng.choice([*others(value), rng.choice(places)[1]]))


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
        tuple(key for key in way if isinstance(key, str)): way for way, value in walk(certificate) if is_number(value)
    }
    for way in shapes.values():
        for step in (Fraction(sign, 10**digits) for digits in (401, 2601) for sign in (1, -1)):
            yield json.dumps(put(certificate, way, str(Fraction(at(certificate, way)) + step)))


def _near(x: Fraction, rng: random.Random) -> Fraction:
    near = [x + 1, x - 1, -x, x + TINY, x - TINY, 2 * x, x / 2, 1 - x, Fraction(0), Fraction(1)]
    return rng.choice([*near, 1 / x if x else x, x + Fraction(1, rng.randint(2, 9))])
