"""Privacy levels of all forms, with gamma by mpmath, and brackets that hold it or narrowly do not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import mpmath as mp

F = Fraction
DIGITS = 80
mp.mp.dps = DIGITS


@dataclass(frozen=True)
class Level:
    """exp of a number: how a file writes it, and its value, exact where it is rational."""

    kind: str
    text: Any
    number: mp.mpf
    exact: Fraction | None

    @property
    def oracle(self) -> str:
        """What finds the number."""
        return "fractions" if self.exact is not None else "mpmath"

    def near(self, step: Fraction) -> Fraction:
        """Return a rational within 10^-70 of ``number (1 + step)``."""
        return self._rational * (1 + step)

    @property
    def _rational(self) -> Fraction:
        if self.exact is not None:
            return self.exact
        return F(int(mp.floor(self.number * mp.mpf(10) ** (DIGITS - 10))), 10 ** (DIGITS - 10))


def _mpf(x: Fraction) -> mp.mpf:
    return mp.mpf(x.numerator) / x.denominator


@lru_cache(maxsize=4096)
def _exp(r: Fraction) -> mp.mpf:
    return mp.exp(_mpf(r))


def random_level(rng: random.Random) -> Level:
    """Return an epsilon: a rational, a logarithm, or a rational times a logarithm."""
    kind = rng.choice(("exp", "exp", "log", "power", "zero"))
    if kind == "exp":
        r = F(rng.randint(1, 30), rng.choice((3, 7, 10, 100)))
        return Level(kind, {"rational": str(r)}, _exp(r), None)
    if kind == "zero":
        return Level(kind, {"rational": "0"}, mp.mpf(1), F(1))
    q = rng.choice((F(2), F(3), F(5, 3), F(7, 2), F(11, 10), F(10)))  # no perfect powers
    if kind == "log":
        return Level(kind, {"log": str(q)}, _mpf(q), q)
    times = F(rng.choice((1, 2, 3, 5, 7)), rng.choice((2, 3, 4, 6, 9, 11)))
    if times.denominator == 1:
        return Level("log", {"log": str(q**times.numerator)}, _mpf(q) ** times.numerator, q**times.numerator)
    number = mp.exp(_mpf(times) * mp.log(_mpf(q)))
    return Level(kind, {"log": str(q), "times": str(times)}, number, None)


def random_brackets(rng: random.Random) -> Iterator[tuple[Level, str, Fraction, Fraction]]:
    """Iterate over epsilons with brackets above 0: nine of ten are honest, and none allows gamma above 100."""
    while True:
        level = random_level(rng)
        method, low, high = bracket_of(level, rng)
        if low > 1 and high <= 100 and (method == "honest" or rng.random() >= 0.9):
            yield level, method, low, high


def random_delta(rng: random.Random) -> Level:
    """Return a delta: a rational, or exp of a negative number."""
    if rng.random() < 0.5:
        d = rng.choice((F(0), F(1), F(1, 2), F(rng.randint(1, 19), 20), F(1, 10**6)))
        return Level("rational", str(d), _mpf(d), d)
    r = -F(rng.randint(1, 60), rng.choice((3, 7, 10)))
    return Level("exp", {"exp": str(r)}, _exp(r), None)


def bracket_of(level: Level, rng: random.Random, most: Fraction | None = None) -> tuple[str, Fraction, Fraction]:
    """Return a bracket: of the number, or (three of four) beside it or too wide for a rational number."""
    a, b = (F(1, 10 ** rng.choice((2, 4, 8, 20, 40))) for _ in range(2))
    if level.exact is not None:
        method = rng.choice(("honest", "above", "below", "wide"))
        low, high = {"honest": (F(0), F(0)), "above": (a, a), "below": (-a, -a), "wide": (-a, b)}[method]
    else:
        method = rng.choice(("honest", "above", "below", "far above"))
        low, high = {"honest": (-a, b), "above": (a, a + b), "below": (-a - b, -a), "far above": (F(1), F(2))}[method]
    ends = [max(F(1), level.near(x)) if most is None else min(most, level.near(x)) for x in (low, high)]
    return (method if ends[0] < ends[1] or level.exact == ends[0] else "one point"), ends[0], ends[1]
