"""Binary problems at levels of every form: designs that can be optimal, n Var from its definition, levels by mpmath.

The optimum is at (1, delta), (delta, 1) or (m, m), m = (gamma + delta)/(gamma + 1): a smaller n Var at one of them
refutes a lower bound. Rational levels are compared in fractions, others with 80 digits: below 10^-50 is a tie.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from adversary.designs import half_planes, variance

from .levels import Level, bracket_of, random_delta, random_level

F = Fraction
Design = tuple[Any, Any]
TIE = mp.mpf(10) ** -50


def corners(gamma: Any, delta: Any, family: str) -> dict[str, Design]:
    """Return the designs that can be optimal, by name, in ascending order of p00."""
    m = (gamma + delta) / (gamma + 1)
    listed: dict[str, Design] = {}
    if family == "all" and 0 < delta < 1:
        listed["delta, 1"] = (delta, delta / delta)
    if delta == 1 or (gamma == 1 and family == "warner" and delta) or gamma > 1:
        listed["diagonal"] = (m, m)
    if family == "all" and 0 < delta < 1:
        listed["1, delta"] = (delta / delta, delta)
    return listed


def stated(
    region: tuple[Any, Any, str], goal: str, interval: tuple[Any, Any], claim: Any, brackets: Any, outputs: str = "2"
) -> dict[str, Any]:
    """Return a file of the statement, over a region of this epsilon, delta and family."""
    level = {"epsilon": region[0], "delta": region[1], "pairs": "all"}
    problem = {"outputs": outputs, "levels": [level], "family": region[2], "goal": goal}
    problem |= {"from": str(interval[0]), "to": str(interval[1])}
    whole = {"format": "2", "statement": "binary-bracket", "problem": problem}
    return {**whole, "claim": {"optima": None, "set": None, **claim}, "proof": {"brackets": [brackets]}}


@dataclass(frozen=True)
class Truth:
    """The level of a problem as numbers of one kind: fractions, or of 80 digits."""

    gamma: Any
    delta: Any
    family: str

    @classmethod
    def of(cls, gamma: Level, delta: Level, family: str) -> Truth:
        """Return it."""
        if gamma.exact is not None and delta.exact is not None:
            return cls(gamma.exact, delta.exact, family)
        return cls(gamma.number, delta.number, family)

    def number(self, x: Fraction) -> Any:
        """Return a rational as a number of this kind."""
        return x if isinstance(self.gamma, Fraction) else mp.mpf(x.numerator) / x.denominator

    def is_private(self, design: tuple[Fraction, Fraction]) -> bool:
        """Whether a design is certainly in the region: by more than a tie, or exactly."""
        a, b = map(self.number, design)
        edge = 0 if isinstance(self.gamma, Fraction) else -TIE
        inside = all(p * a + q * b + c >= edge for p, q, c in half_planes(self.gamma, self.delta))
        return inside and (self.family == "all" or a == b)

    def designs(self) -> dict[str, Design]:
        """Return the designs that can be optimal."""
        return corners(self.gamma, self.delta, self.family)

    def best(self, pi: Fraction) -> tuple[Any, list[str]]:
        """Return the least n Var and the designs that have it."""
        values = {name: variance(design, self.number(pi)) for name, design in self.designs().items()}
        least = min(values.values())
        return least, [name for name, value in values.items() if value - least <= self.tie]

    @property
    def tie(self) -> Any:
        """What counts as no difference."""
        return 0 if isinstance(self.gamma, Fraction) else TIE

    def exceeds(self, x: Fraction, value: Any) -> bool:
        """Whether a rational is above a number, by more than a tie."""
        return bool(self.number(x) - value > self.tie)


@dataclass(frozen=True)
class Problem:
    """A binary problem, and brackets of its level."""

    gamma: Level
    delta: Level
    family: str
    low: tuple[Fraction, Fraction]  # gamma, delta
    high: tuple[Fraction, Fraction]
    method: str

    @property
    def truth(self) -> Truth:
        """The true level."""
        return Truth.of(self.gamma, self.delta, self.family)

    @property
    def oracle(self) -> str:
        """How the truth is found."""
        return "fractions" if isinstance(self.truth.gamma, Fraction) else "mpmath"

    def brackets(self) -> Any:
        """Return the brackets of a proof."""
        ends = zip(("gamma", "delta"), self.low, self.high, strict=True)
        return {name: {"below": str(low), "above": str(high)} for name, low, high in ends}

    def file(self, goal: str, interval: tuple[Fraction, Fraction], claim: Any) -> Any:
        """Return a file."""
        return stated((self.gamma.text, self.delta.text, self.family), goal, interval, claim, self.brackets())


def problems(rng: random.Random) -> Iterator[Problem]:
    """Iterate over problems at honest brackets and others, at which something can be estimated."""
    while True:
        gamma, delta = random_level(rng), random_delta(rng)
        first, g, h = bracket_of(gamma, rng)
        second, d, e = bracket_of(delta, rng, F(1))
        if rng.random() < 0.6:
            first, g, h = _honest(gamma, F(10**9) ** 2, None)
            second, d, e = _honest(delta, F(10**9) ** 2, F(1))
        if d < 0 or e < d or h < g:
            continue
        family = rng.choice(("all", "all", "warner"))
        problem = Problem(gamma, delta, family, (g, d), (h, e), "honest" if first == second == "honest" else "bracket")
        ends = [corners(*problem.low, family), corners(*problem.high, family), problem.truth.designs()]
        if all(ends):
            yield problem


def _honest(level: Level, size: Fraction, most: Fraction | None) -> tuple[str, Fraction, Fraction]:
    if level.exact is not None:
        return "honest", level.exact, level.exact
    low, high = level.near(-1 / size), level.near(1 / size)
    return "honest", low, high if most is None else min(high, most)


def matrix(design: Design) -> Any:
    """Return a design as a file writes it."""
    a, b = design
    return {"matrix": [[str(a), str(1 - b)], [str(1 - a), str(b)]]}


def small(rng: random.Random) -> Fraction:
    """Return a small positive number of any size."""
    return F(1, 10 ** rng.choice((1, 2, 4, 9, 30)))


def encloses(problem: Problem) -> bool:
    """Whether both brackets are proper ones of their numbers."""
    pairs = zip((problem.gamma, problem.delta), problem.low, problem.high, strict=True)
    for level, low, high in pairs:
        if level.exact is not None:
            if not low == level.exact == high:
                return False
        else:
            ends = [mp.mpf(x.numerator) / x.denominator - level.number for x in (low, high)]
            if not (ends[0] < 0 < ends[1]) or low <= 0:
                return False
    return True
