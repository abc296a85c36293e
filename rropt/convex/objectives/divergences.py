"""Divergences of the output between two distributions of the categories, ``sum_r w_r phi(r.pi, r.q)``.

Total variation is linear in the entries of P: an output of either sign of ``(pi - q).r``, with payoff ``+-(pi - q)/2``.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import kl_div, rel_entr

from rropt.convex.objectives.goal import Goal, sum_of
from rropt.convex.regions import Array, Rows, numbers

TERMS: dict[str, Callable[[Array, Array, float], Any]] = {
    "total-variation": lambda a, b, _: abs(a - b) / 2,
    "chi-square": lambda a, b, _: (a - b) ** 2 / b,
    "kullback-leibler": lambda a, b, _: kl_div(a, b),  # a log(a/b) - a + b: the sums of a and of b are 1
    "hellinger": lambda a, b, _: (np.sqrt(a) - np.sqrt(b)) ** 2 / 2,
    "jensen-shannon": lambda a, b, _: (rel_entr(a, (a + b) / 2) + rel_entr(b, (a + b) / 2)) / 2,
    "alpha-divergence": lambda a, b, n: (a**n * b ** (1 - n) - n * a - (1 - n) * b) / (n * (n - 1)),
}
SHIFTS = {"kullback-leibler": 1.0}
"""What times ``a - b`` a term above leaves out: it adds nothing to the sum over the outputs."""
_IN_FULL = ("total-variation", "chi-square", "hellinger")  # their terms are products, which keep their digits


def lines(objective: dict[str, Any], pi: Array) -> Array | None:
    """Return the payoff of both outputs for each truth, for total variation; None for the other divergences."""
    if objective["kind"] != "total-variation":
        return None
    line = (pi - numbers(objective["against"])) / 2
    return np.array([line, -line])


def goal(objective: dict[str, Any], rows: Rows, pi: Array) -> Goal:
    """Return the divergence of the outputs."""
    both = np.stack([pi, numbers(objective["against"])], axis=1)
    return _of_means(objective, rows, lambda r: r @ both)


def goal_over(objective: dict[str, Any], rows: Any) -> Goal:
    """Return the divergence of the outputs; a function of the rows gets their probabilities under pi and q."""
    return _of_means(objective, rows, lambda means: means)


def _of_means(objective: dict[str, Any], rows: Any, means: Callable[[Array], Array]) -> Goal:
    kind, order = objective["kind"], float(Fraction(objective.get("order", 0)))
    parts = None if kind in _IN_FULL else lambda r: means(r)[:, 0]

    def phi(listed: Array) -> Array:
        a, b = means(listed).T
        return np.asarray(TERMS[kind](a, b, order))

    return sum_of(rows, phi, parts)
