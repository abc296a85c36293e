"""Algorithms as they are printed, run on a source of coins that goes through all runs with their exact chances."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt_proofs._laws import FiniteLaw

__all__ = ["Coins", "law_of_runs"]


class Coins:
    """The source of one run: earlier coins fall as they are told to, later ones show the first of their sides.

    Attributes:
        fell: the side of every coin so far, by its number among those of positive chance.
        sides: how many such sides each coin has.
        chance: of the run so far.
    """

    def __init__(self, told: tuple[int, ...] = ()) -> None:
        self._told = told
        self.fell: list[int] = []
        self.sides: list[int] = []
        self.chance = Fraction(1)

    def draw(self, law: FiniteLaw) -> Any:
        """Return an outcome of a law."""
        listed = list(law.chances.items())
        number = len(self.fell)
        side = self._told[number] if number < len(self._told) else 0
        self.fell.append(side)
        self.sides.append(len(listed))
        outcome, chance = listed[side]
        self.chance *= chance
        return outcome

    def bernoulli(self, p: Fraction) -> int:
        """Return 1 with chance p, else 0."""
        return int(self.draw(FiniteLaw.of(((1, p), (0, 1 - p)))))


def law_of_runs(algorithm: Callable[[Coins], Any]) -> FiniteLaw:
    """Return the exact law of what an algorithm returns: all its runs, each once.

    After a run, the last coin that has a further side is turned to it, and those after it are forgotten. An algorithm
    that need not end on some run has no finite law, and is none for this function.
    """
    runs: list[tuple[Any, Fraction]] = []
    told: tuple[int, ...] | None = ()
    while told is not None:
        coins = Coins(told)
        runs.append((algorithm(coins), coins.chance))
        told = _next(coins.fell, coins.sides)
    return FiniteLaw.of(runs)


def _next(fell: list[int], sides: list[int]) -> tuple[int, ...] | None:
    for i in reversed(range(len(fell))):
        if fell[i] + 1 < sides[i]:
            return (*fell[:i], fell[i] + 1)
    return None
