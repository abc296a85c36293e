"""Algorithms as they are printed, run on a source of coins that goes through all runs with their exact
probabilities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt_proofs._laws import FiniteLaw, added, law_of

__all__ = ["Coins", "bernoulli", "drawn", "law_of_runs"]

# The source of one run, a plain dict that a trace can follow: "told", the sides that earlier coins fall on (later ones
# show the first of theirs); "fell", the side of every coin so far, by its number; "sides", how many each coin has;
# "chance", that of the run so far. Sides of chance 0 are no sides.
Coins = dict[str, Any]


def drawn(coins: Coins, law: FiniteLaw) -> Any:
    """Return an outcome of a law."""
    listed = list(law.items())
    number = len(coins["fell"])
    side = coins["told"][number] if number < len(coins["told"]) else 0
    coins["fell"].append(side)
    coins["sides"].append(len(listed))
    outcome, chance = listed[side]
    coins["chance"] = coins["chance"] * chance
    return outcome


def bernoulli(coins: Coins, p: Fraction) -> int:
    """Return 1 with chance p, else 0."""
    return int(drawn(coins, law_of(((1, p), (0, 1 - p)))))


def law_of_runs(algorithm: Callable[[Coins], Any]) -> FiniteLaw:
    """Return the exact distribution of what an algorithm returns: all its runs, each once.

    After a run, the last coin that has a further side is turned to it, and those after it are forgotten. An algorithm
    that may fail to stop has no finite distribution, and this function refuses it.
    """
    runs: list[tuple[Any, Fraction]] = []
    told: tuple[int, ...] | None = ()
    while told is not None:
        coins: Coins = {"told": told, "fell": [], "sides": [], "chance": Fraction(1)}
        returned = algorithm(coins)
        runs.append((returned, coins["chance"]))
        told = _next(coins["fell"], coins["sides"])
    return added(runs)


def _next(fell: list[int], sides: list[int]) -> tuple[int, ...] | None:
    for i in reversed(range(len(fell))):
        if fell[i] + 1 < sides[i]:
            return (*fell[:i], fell[i] + 1)
    return None
