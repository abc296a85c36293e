"""The table of design problems over rays that tests solve and ``benchmarks/ray_designs.py`` measures."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from rropt import Problem
from rropt.objectives import (
    AlphaDivergence,
    AOptimality,
    BayesMixture,
    ChiSquare,
    Contrast,
    Contrasts,
    DOptimality,
    EOptimality,
    Hellinger,
    JensenShannon,
    KullbackLeibler,
    Loss,
    MutualInformation,
    Payoff,
    TotalVariation,
    Trace,
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


def objectives(k: int) -> dict[str, Any]:
    """Return objectives of every kind; divergences are from the uniform population."""
    pi, uniform = shares(k), [Fraction(1, k)] * k
    difference = [1, -1] + [0] * (k - 2)
    return {
        "trace": Trace([Fraction(1, j) for j in range(1, k + 1)]),
        "loss": Loss.absolute(k),
        "payoff": Payoff([[int(i == j) + Fraction(i, 4) for j in range(k)] for i in range(k)]),
        "a": AOptimality(),
        "c": Contrast(difference),
        "contrasts": Contrasts([difference, [1] + [0] * (k - 1)]),
        "d": DOptimality(),
        "e": EOptimality(),
        "mutual-information": MutualInformation(),
        "total-variation": TotalVariation(uniform),
        "chi-square": ChiSquare(uniform),
        "kullback-leibler": KullbackLeibler(uniform),
        "hellinger": Hellinger(uniform),
        "jensen-shannon": JensenShannon(uniform),
        "alpha-divergence": AlphaDivergence(uniform, "3/2"),
        "bayes a": BayesMixture(AOptimality(), ["1/2", "1/2"], [pi, uniform]),
        "bayes information": BayesMixture(MutualInformation(), ["1/3", "2/3"], [pi, uniform]),
    }


def objective(kind: str, k: int) -> Any:
    """Return the objective of a kind."""
    return objectives(k)[kind]


def problem(kind: str, k: int, epsilon: object, delta: object, pi: Any = None) -> Problem:
    """Return a problem with any number of outputs, or with one output for each decision."""
    wanted = objective(kind, k)
    region = PrivacyRegion(epsilon, delta, inputs=k, outputs=wanted.outputs(k) or "any")
    return Problem(region, wanted, pi or shares(k))


def row_values(objective: Any, pi: Any, rows: Any, matrix: Any = None) -> Any:
    """Return phi of rows in floats, by its definition; ``matrix`` is W of an objective of the information."""
    pi = np.array([float(p) for p in pi])
    a, b = rows @ pi, rows @ np.array([float(q) for q in getattr(objective, "against", [0] * len(pi))])
    with np.errstate(all="ignore"):
        if matrix is not None:
            return ((rows @ np.array([[float(x) for x in row] for row in matrix])) ** 2).sum(1) / a
        if objective.kind == "payoff":
            return (rows @ (np.array([[float(u) for u in row] for row in objective.matrix]) * pi).T).max(1)
        if objective.kind == "mutual-information":
            return np.where(rows > 0, rows * np.log(rows / a[:, None]), 0) @ pi
        if objective.kind == "alpha-divergence":
            r = float(objective.order)
            return (a**r * b ** (1 - r) - r * a - (1 - r) * b) / (r * (r - 1))
        return {
            "chi-square": (a - b) ** 2 / b,
            "total-variation": np.abs(a - b) / 2,
            "kullback-leibler": a * np.log(a / b),
            "hellinger": (np.sqrt(a) - np.sqrt(b)) ** 2 / 2,
            "jensen-shannon": (a * np.log(2 * a / (a + b)) + b * np.log(2 * b / (a + b))) / 2,
        }[objective.kind]


def require_dual(given: Problem, dual: Any, rows: Any) -> None:
    """Require that the inequality ``phi <= g`` of a dual holds on rows, up to rounding in floats."""
    g = rows @ np.array([float(x) for x in dual.alpha])
    for slope in dual.slopes:
        j, i = slope.pair
        g = g + float(slope.value) * np.maximum(0, rows[:, j] - float(slope.gamma) * rows[:, i])
    room = 1e-9 * np.abs(rows).max(1) * max(1.0, *(abs(float(x)) for x in dual.alpha))
    assert (row_values(given.objective, given.population, rows, dual.matrix) <= g + room).all()
