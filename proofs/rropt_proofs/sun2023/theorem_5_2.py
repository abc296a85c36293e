"""Theorem 5.2: the privacy of modified Simmons."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Point
from rropt_proofs._laws import level
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import PROBABILITY, simmons
from rropt_proofs.sun2023._views import NAMED, ONE, OTHERS, SUM, seen
from rropt_proofs.sun2023.eq_2 import UNRELATED


def _odds(point: Point) -> Fraction:
    p, b = Fraction(point["p"]), Fraction(point["b"])
    if b <= Fraction(1, 2):
        return (p + (1 - p) * b) / ((1 - p) * b)
    return (p + (1 - p) * (1 - b)) / ((1 - p) * (1 - b))


def theory(point: Point) -> dict[str, Any]:
    """e^epsilon, exactly where answers are seen one by one, and at most where only their sum is."""
    return {ONE: _odds(point), NAMED: _odds(point), SUM: Bound("at-most", _odds(point))}


def computed(point: Point) -> dict[str, Any]:
    """The largest ratio of the probabilities of what is seen."""
    each = simmons(Fraction(point["p"]), Fraction(point["b"]))
    return {view: level(laws) for view, laws in seen(each, point["others"]).items()}


def mutant(point: Point) -> dict[str, Any]:
    """1/(1 - p) for one answer, as if the other question were always answered yes."""
    return {**theory(point), ONE: 1 / (1 - Fraction(point["p"]))}


CLAIM = Claim(
    id="sun2023.theorem-5.2",
    source=f"{PAPER}, Theorem 5.2 and equation (4)",
    place=(5, 2),
    printed=r"Modified Simmons mechanism satisfies $\varepsilon$-differential privacy, where "
    r"$\varepsilon=\begin{cases}\ln\frac{p+(1-p)\pi_B}{(1-p)\pi_B}&,\pi_B\le\frac12\\\ln\frac{p+(1-p)"
    r"\left(1-\pi_B\right)}{(1-p)\left(1-\pi_B\right)}&,\pi_B>\frac12.\end{cases}$",
    precise="For 0 <= p < 1, 0 < pi_B < 1, N persons with fixed x_i and coins u, v of one's own: the chances of what "
    "is seen, when one person's x changes, have the printed ratio as the largest where that person's answer is seen, "
    "alone or with all others and their names, and at most that where only the sum is seen.",
    variables={"p": PROBABILITY, "b": UNRELATED, "others": replace(OTHERS, boundary=((1,), (0, 1)))},
    defined=(Condition("p < 1 and 0 < pi_B < 1: otherwise epsilon is infinite", "p < 1 and 0 < b < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=20,
    notes="The answer to the unrelated question is a coin v that nobody but the person sees. If it is a trait, a "
    "birthday, a collector who knows it sees through every answer that it does not explain: epsilon is infinite. "
    "Answers are independent, so the answers of other persons reveal nothing about a person.",
)
