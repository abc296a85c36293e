"""The table of design problems over rays that tests solve and ``benchmarks/ray_designs.py`` measures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from rropt import Problem
from rropt.objectives import (
    AOptimality,
    ChiSquare,
    COptimality,
    DOptimality,
    EOptimality,
    MutualInformation,
    TotalVariation,
)
from rropt.privacy import PrivacyRegion

KINDS = ("a", "c", "d", "e", "chi-square", "total-variation", "mutual-information")
LEVELS = ("1/10", "1/2", "1", "2", "5", "log(3/2)", "log(3)", "log(20)")
DELTAS = ("1/100", "1/20", "1/5")


def table(*inputs: int) -> list[tuple[str, int, str, str]]:
    """Return kind, number of categories, epsilon and delta of each problem."""
    return list(product(KINDS, inputs, LEVELS, DELTAS))


def shares(k: int) -> list[Fraction]:
    """Return shares proportional to 1, 1/2, 1/3, ..."""
    total = sum(Fraction(1, j) for j in range(1, k + 1))
    return [Fraction(1, j) / total for j in range(1, k + 1)]


def objective(kind: str, k: int) -> Any:
    """Return the objective of a kind; divergences are from the uniform population."""
    uniform = [Fraction(1, k)] * k
    return {
        "a": AOptimality,
        "c": lambda: COptimality([1, -1] + [0] * (k - 2)),
        "d": DOptimality,
        "e": EOptimality,
        "chi-square": lambda: ChiSquare(uniform),
        "total-variation": lambda: TotalVariation(uniform),
        "mutual-information": MutualInformation,
    }[kind]()


def problem(kind: str, k: int, epsilon: object, delta: object, pi: Any = None) -> Problem:
    """Return a problem with an unrestricted output alphabet."""
    return Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs="any"), objective(kind, k), pi or shares(k))
