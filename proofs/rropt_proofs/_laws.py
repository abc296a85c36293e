"""Finite laws: what a survey's answers are, with exact chances. An oracle: nothing of the library's mechanisms is used.

A law gives every possible outcome its chance. Answers of several respondents are an outcome that is a tuple, and what
somebody sees of them is a view: one answer, all of them, their sum.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product as combinations_of
from math import inf, prod
from typing import Any

__all__ = ["FiniteLaw", "independent", "level", "number_of_ones"]

Outcome = Hashable


def _itself(outcome: Any) -> Any:
    return outcome


@dataclass(frozen=True, slots=True)
class FiniteLaw:
    """The chances of finitely many outcomes: positive, and together 1.

    Attributes:
        chances: by outcome.

    Raises:
        ArithmeticError: the chances are no law.
    """

    chances: Mapping[Any, Fraction]

    def __post_init__(self) -> None:
        if sum(self.chances.values()) != 1 or min(self.chances.values()) <= 0:
            raise ArithmeticError(f"chances are positive and sum to 1: received {dict(self.chances)}")

    @classmethod
    def of(cls, pairs: Iterable[tuple[Any, Fraction]]) -> FiniteLaw:
        """Return the law with these outcomes and chances; equal outcomes are added, those of chance 0 left out."""
        chances: dict[Any, Fraction] = {}
        for outcome, chance in pairs:
            if chance:
                chances[outcome] = chances.get(outcome, Fraction(0)) + chance
        return cls(chances)

    def view(self, seen: Callable[[Any], Any]) -> FiniteLaw:
        """Return the law of what is seen of the outcome."""
        return FiniteLaw.of((seen(outcome), chance) for outcome, chance in self.chances.items())

    def chance(self, event: Callable[[Any], bool]) -> Fraction:
        """Return the chance of an event."""
        return sum((chance for outcome, chance in self.chances.items() if event(outcome)), Fraction(0))

    def given(self, event: Callable[[Any], bool]) -> FiniteLaw:
        """Return the conditional law, given an event of positive chance."""
        total = self.chance(event)
        return FiniteLaw.of((o, chance / total) for o, chance in self.chances.items() if event(o))

    def mean(self, value: Callable[[Any], Any] = _itself) -> Fraction:
        """Return the mean of a number that the outcome determines; the outcome itself when left out."""
        return sum((value(outcome) * chance for outcome, chance in self.chances.items()), Fraction(0))

    def covariance(self, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Fraction:
        """Return the covariance of two numbers that the outcome determines."""
        return self.mean(lambda o: first(o) * second(o)) - self.mean(first) * self.mean(second)

    def variance(self, value: Callable[[Any], Any] = _itself) -> Fraction:
        """Return the variance of a number that the outcome determines."""
        return self.covariance(value, value)


def independent(*laws: FiniteLaw) -> FiniteLaw:
    """Return the law of independent outcomes, as tuples."""
    rows = combinations_of(*(law.chances.items() for law in laws))
    return FiniteLaw.of((tuple(o for o, _ in row), prod((c for _, c in row), start=Fraction(1))) for row in rows)


def number_of_ones(chances: Iterable[Fraction]) -> FiniteLaw:
    """Return the law of the number of answers 1 among independent ones, with these chances, one after another."""
    found = {0: Fraction(1)}
    for yes in chances:
        longer = dict.fromkeys(range(len(found) + 1), Fraction(0))
        for ones, chance in found.items():
            longer[ones] += chance * (1 - yes)
            longer[ones + 1] += chance * yes
        found = longer
    return FiniteLaw.of(found.items())


def level(laws: Iterable[FiniteLaw]) -> Fraction | float:
    """Return exp(epsilon): the largest ratio of the chances of one outcome under two laws; infinite if one is 0."""
    listed = list(laws)
    outcomes = {outcome for law in listed for outcome in law.chances}
    columns = [[law.chances.get(outcome, Fraction(0)) for law in listed] for outcome in outcomes]
    return max(max(column) / min(column) if min(column) else inf for column in columns)
