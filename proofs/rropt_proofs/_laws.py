"""Finite laws: what a survey's answers are, with exact probabilities. An oracle: nothing of the library's mechanisms is
used.

A distribution is a dict that gives every possible outcome its probability. Answers of several respondents are an
outcome that is a tuple, and what an adversary sees of them is a view: one answer, all of them, their sum. Laws are
plain dicts and functions of them, so that a trace follows them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import product as combinations_of
from math import inf, prod
from typing import Any

Outcome = Hashable
FiniteLaw = Mapping[Any, Fraction]  # the chances of finitely many outcomes: positive, and together 1


def _itself(outcome: Any) -> Any:
    return outcome


def law_of(pairs: Iterable[tuple[Any, Fraction]]) -> FiniteLaw:
    """Return the distribution with these outcomes and probabilities; equal outcomes are added, those of probability 0
    left out.

    Raises:
        ArithmeticError: the probabilities are no distribution.
    """
    chances: dict[Any, Fraction] = {}
    for outcome, chance in pairs:
        if chance:
            chances[outcome] = chances.get(outcome, Fraction(0)) + chance
    if sum(chances.values()) != 1 or any(chance <= 0 for chance in chances.values()):
        raise ArithmeticError("chances are positive and sum to 1")
    return chances


def added(pairs: Iterable[tuple[Any, Fraction]]) -> FiniteLaw:
    """Return the distribution of outcomes with probabilities that are positive and sum to 1; equal outcomes are
    added."""
    chances: dict[Any, Fraction] = {}
    for outcome, chance in pairs:
        chances[outcome] = chances.get(outcome, Fraction(0)) + chance
    return chances


def view_of(law: FiniteLaw, seen: Callable[[Any], Any]) -> FiniteLaw:
    """Return the distribution of what is seen of the outcome."""
    return added([(seen(outcome), chance) for outcome, chance in law.items()])


def chance_of(law: FiniteLaw, event: Callable[[Any], bool]) -> Fraction:
    """Return the chance of an event."""
    return sum((chance for outcome, chance in law.items() if event(outcome)), Fraction(0))


def mean_of(law: FiniteLaw, value: Callable[[Any], Any] = _itself) -> Fraction:
    """Return the mean of a number that the outcome determines; the outcome itself when left out."""
    return sum((value(outcome) * chance for outcome, chance in law.items()), Fraction(0))


def covariance_of(law: FiniteLaw, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> Fraction:
    """Return the covariance of two numbers that the outcome determines."""
    return mean_of(law, lambda o: first(o) * second(o)) - mean_of(law, first) * mean_of(law, second)


def variance_of(law: FiniteLaw, value: Callable[[Any], Any] = _itself) -> Fraction:
    """Return the variance of a number that the outcome determines."""
    return covariance_of(law, value, value)


def independent(*laws: FiniteLaw) -> FiniteLaw:
    """Return the distribution of independent outcomes, as tuples."""
    rows = combinations_of(*(law.items() for law in laws))
    return added([(tuple(o for o, _ in row), prod((c for _, c in row), start=Fraction(1))) for row in rows])


def total(laws: Iterable[FiniteLaw]) -> FiniteLaw:
    """Return the distribution of the sum of independent numbers; a sum of probability 0 stays in it."""
    found: dict[Any, Fraction] = {0: Fraction(1)}
    for law in laws:
        longer: dict[Any, Fraction] = {}
        for so_far, chance in found.items():
            for value, other in law.items():
                longer[so_far + value] = longer.get(so_far + value, Fraction(0)) + chance * other
        found = longer
    return found


def number_of_ones(chances: Iterable[Fraction]) -> FiniteLaw:
    """Return the distribution of the number of answers 1 among independent ones with these probabilities."""
    return total([{0: 1 - yes, 1: yes} for yes in chances])


def level(laws: Iterable[FiniteLaw]) -> Fraction | float:
    """Return exp(epsilon): the largest ratio of the probabilities of one outcome under two distributions; infinite if
    one is 0."""
    listed = list(laws)
    outcomes = list(dict.fromkeys([outcome for law in listed for outcome in law]))
    columns = [[law.get(outcome, Fraction(0)) for law in listed] for outcome in outcomes]
    return max([x / y if y else inf for column in columns for x in column for y in column])
