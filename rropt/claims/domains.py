"""Domains of the variables of a claim: boundary values that are always tested, and random exact values."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from rropt.claims.relations import relations
from rropt.core.exact import rational

# A point assigns an exact value (usually a Fraction or an int) to every variable of a claim.
Point = Mapping[str, Any]

_TRIES = 3  # maximum number of draws per requested random point
_MOST_BOUNDARY = 1500  # combinations of boundary values that are tested; if there are more, a random sample of them


@dataclass(frozen=True, slots=True)
class Domain:
    """The range of one variable.

    Attributes:
        meaning: the meaning and the range of the variable, in words.
        boundary: exact values that are always tested: endpoints of intervals, ties, degenerate cases.
        draw: a function that returns a random exact value; None if the boundary values are the whole (finite) domain.
        relation: a relation that every value x satisfies, e.g. ``"x >= 1"``; proofs may use it.
        entries: for a structured value, the relations of every entry x below a path: ``{(): "0 <= x <= 1"}`` for all
            entries of a matrix, ``{("C",): "x >= 0"}`` for the entries below the key C.
        whole_groups: for a structured value, a function that returns the groups of entries that sum to 1, each a list
            of paths (``columns``).
    """

    meaning: str
    boundary: tuple[Any, ...]
    draw: Callable[[random.Random], Any] | None = None
    relation: Any = ()
    entries: Mapping[tuple[Any, ...], Any] = field(default_factory=dict, hash=False)
    whole_groups: Callable[[Any], Iterable[Sequence[tuple[Any, ...]]]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "relation", relations(self.relation))
        object.__setattr__(self, "entries", {path: relations(said) for path, said in self.entries.items()})

    @property
    def is_interval(self) -> bool:
        """Whether the variable may take every rational value that the relation of its domain allows."""
        if self.draw is None or not self.relation:
            return False
        rng = random.Random(4)
        return all(isinstance(x, Fraction) for x in (*self.boundary, *(self.draw(rng) for _ in range(5))))

    @classmethod
    def interval(cls, meaning: str, low: object, high: object, *, also: Sequence[object] = ()) -> Domain:
        """Return the closed interval [low, high]; its endpoints and ``also`` are boundary values.

        To make an endpoint open, exclude it by a condition of the claim; it then counts as an excluded point.
        """
        least, largest = rational(low), rational(high)

        def draw(rng: random.Random) -> Fraction:
            return least + (largest - least) * _share(rng)

        ends = (least, largest, *(rational(x) for x in also))
        return cls(meaning, ends, draw, f"{least} <= x <= {largest}")

    @classmethod
    def odds(cls, meaning: str = "gamma = exp(epsilon) >= 1", *, also: Sequence[object] = ()) -> Domain:
        """Return the domain gamma >= 1, with boundary values 1, just above 1, moderate, large, and ``also``."""
        values = tuple(rational(x) for x in ("1", "1001/1000", "11/10", "3/2", "2", "5", "1000", *also))

        def draw(rng: random.Random) -> Fraction:
            if rng.random() < 0.2:  # far beyond the values in a survey, and just above 1
                return 1 + Fraction(10) ** rng.randint(-12, 9) * rng.randint(1, 9)
            return 1 + Fraction(rng.randint(1, 400), rng.randint(1, 100))

        return cls(meaning, values, draw, "x >= 1")

    @classmethod
    def whole(cls, meaning: str, low: int, high: int) -> Domain:
        """Return the domain of all integers from low to high, each of which is tested."""
        return cls(meaning, tuple(range(low, high + 1)), None, f"{low} <= x <= {high}")

    @classmethod
    def values(cls, meaning: str, *listed: Any, entries: Mapping[tuple[Any, ...], Any] | None = None) -> Domain:
        """Return a finite domain of exactly these values; for ``entries`` see the attribute."""
        numbers = [rational(x) for x in listed if isinstance(x, (int, Fraction)) and not isinstance(x, bool)]
        said = f"{min(numbers)} <= x <= {max(numbers)}" if listed and len(numbers) == len(listed) else ()
        return cls(meaning, tuple(listed), None, said, entries or {})


def not_drawn(_: random.Random) -> tuple[()]:
    """Return nothing: the draw of a domain whose values are drawn by a shape, a card or another process."""
    return ()


def _share(rng: random.Random) -> Fraction:
    """Draw a fraction in (0, 1): usually a simple one, sometimes a long one, or one very close to an endpoint."""
    kind = rng.random()
    if kind < 0.6:
        return Fraction(rng.randint(1, 59), 60)
    if kind < 0.85:
        return Fraction(rng.randint(1, 9999), 10_000)
    near = Fraction(rng.randint(1, 9), 10 ** rng.randint(1, 13))
    return near if kind < 0.93 else 1 - near


def is_whole(domains: Mapping[str, Domain]) -> bool:
    """Return whether ``points`` enumerates every case: all domains are finite and have few combinations."""
    return all(domain.draw is None for domain in domains.values()) and _combinations(domains) <= _MOST_BOUNDARY


def every_case(domains: Mapping[str, Domain]) -> Iterator[Point]:
    """Iterate over all combinations of boundary values."""
    for values in product(*(domain.boundary for domain in domains.values())):
        yield dict(zip(domains, values, strict=True))


def degenerate(domains: Mapping[str, Domain], point: Point) -> int:
    """Return how many variables are at an endpoint of their interval: epsilon = 0, a prevalence of 0, ..."""
    return sum(
        point[name] in (min(domain.boundary), max(domain.boundary))
        for name, domain in domains.items()
        if domain.draw is not None and domain.boundary and all(isinstance(x, (int, Fraction)) for x in domain.boundary)
    )


def points(domains: Mapping[str, Domain], count: int, seed: int = 1) -> Iterator[Point]:
    """Iterate over boundary combinations and then over ``count`` random points, without repetition.

    Random points take some of their coordinates from the boundary values. A claim without variables has exactly one
    point, the empty one.
    """
    rng = random.Random(seed)
    seen: set[str] = set()

    def new(point: Point) -> bool:
        key = repr(list(point.values()))
        is_new = key not in seen
        seen.add(key)
        return is_new

    if _combinations(domains) <= _MOST_BOUNDARY:
        yield from filter(new, every_case(domains))
    else:
        for _ in range(_MOST_BOUNDARY):
            point = {name: rng.choice(domain.boundary) for name, domain in domains.items()}
            if new(point):
                yield point
    if any(domain.draw for domain in domains.values()):
        found = 0
        for _ in range(_TRIES * count):  # a small domain may have fewer points than requested
            point = {name: _value(domain, rng) for name, domain in domains.items()}
            if new(point):
                yield point
                found += 1
                if found == count:
                    return


def _combinations(domains: Mapping[str, Domain]) -> int:
    return prod(len(domain.boundary) for domain in domains.values())


def _value(domain: Domain, rng: random.Random) -> Any:
    if domain.draw is None or rng.random() < 0.2:
        return rng.choice(domain.boundary)
    return domain.draw(rng)
