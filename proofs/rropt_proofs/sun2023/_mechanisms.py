"""The mechanisms of Sun, Zhou and Yan (2023): who is asked, and the algorithms on a source of coins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt_proofs._coins import Coins, bernoulli, law_of_runs
from rropt_proofs._laws import FiniteLaw, independent, law_of

__all__ = [
    "algorithm_1",
    "algorithm_2",
    "algorithm_3",
    "answers",
    "estimate",
    "in_random_order",
    "meant",
    "meant_simmons",
    "reported",
]

Answer = Callable[[Coins, int, Fraction], int]


def algorithm_1(coins: Coins, x: int, p: Fraction) -> int:
    """Return the answer of Algorithm 1, as it is printed: the condition of its fourth line compares u with p."""
    u = bernoulli(coins, p)
    if u < p:  # noqa: SIM108  # as printed
        answer = x
    else:
        answer = 1 - x
    return answer


def meant(coins: Coins, x: int, p: Fraction) -> int:
    """Return the answer of Algorithm 1 with the condition u = 1."""
    return x if bernoulli(coins, p) == 1 else 1 - x


def algorithm_2(coins: Coins, x: int, p: Fraction, share: Fraction) -> int:
    """Return the answer of Algorithm 2, as it is printed: u and v are compared with their own probabilities."""
    u = bernoulli(coins, p)
    if u < p:
        answer = x
    else:
        v = bernoulli(coins, share)
        if v < share:  # noqa: SIM108  # as printed
            answer = 1
        else:
            answer = 0
    return answer


def meant_simmons(coins: Coins, x: int, p: Fraction, share: Fraction) -> int:
    """Return the answer of Algorithm 2 with the conditions u = 1 and v = 1."""
    return x if bernoulli(coins, p) == 1 else bernoulli(coins, share)


def algorithm_3(k: Any, x: Any, most: Any) -> Any:
    """Return the answer X_i of Algorithms 3 and 4, as they are printed, to the card k; ``most`` is L."""
    if x == 1:  # noqa: SIM108  # as printed
        answer = k
    else:
        answer = most + 1 - k
    return answer


def reported(k: Any, x: Any, most: Any) -> Any:
    """Return how far the card k is from L + 1 for a member of group A, from 0 for others, as section 2.2.3 says."""
    return most + 1 - k if x == 1 else k


def answers(bits: Sequence[int], p: Fraction, answer: Answer) -> FiniteLaw:
    """Return the distribution of (X_1, ..., X_N), for persons with these x_i, each with coins of one's own."""
    return independent(*(_answer(x, p, answer) for x in bits))


def _answer(x: int, p: Fraction, answer: Answer) -> FiniteLaw:
    return law_of_runs(lambda coins: answer(coins, x, p))


def in_random_order(members: int, size: int) -> FiniteLaw:
    """Return the distribution of (x_1, ..., x_N) when N persons, some of them in group A, are asked in a random
    order."""
    orders = list(permutations((1,) * members + (0,) * (size - members)))
    return law_of((order, Fraction(1, len(orders))) for order in orders)


def estimate(ones: Any, size: int, p: Fraction) -> Fraction:
    """Return the estimate of pi_A from the number of answers 1."""
    return (Fraction(ones) / size - (1 - p)) / (2 * p - 1)
