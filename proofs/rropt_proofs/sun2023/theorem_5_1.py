"""Theorem 5.1: the privacy of modified Warner, and its variance at a level."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs._laws import level
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import fixed, spread, warner
from rropt_proofs.sun2023._views import NAMED, ONE, OTHERS, SUM, seen

VARIANCE = "Var, with e^epsilon = (1 - p)/p"


def theory(point: Point) -> dict[str, Any]:
    """e^epsilon, exactly where answers are seen one by one, and at most where only their sum is."""
    p = Fraction(point["p"])
    odds = (1 - p) / p
    size = 1 + len(point["others"])
    return {ONE: odds, NAMED: odds, SUM: Bound("at-most", odds), VARIANCE: odds / (size * (odds - 1) ** 2)}


def computed(point: Point) -> dict[str, Any]:
    """The largest ratio of the probabilities of what is seen, and the variance over the coins of all."""
    p, others = Fraction(point["p"]), point["others"]
    ratios = {view: level(laws) for view, laws in seen(warner(p), others).items()}
    return {**ratios, VARIANCE: spread(fixed((1, *others), warner(p)), 1 + len(others), 2 * p - 1)}


def mutant(point: Point) -> dict[str, Any]:
    """Half of the odds for one answer."""
    return {**theory(point), ONE: theory(point)[ONE] / 2}


CLAIM = Claim(
    id="sun2023.theorem-5.1",
    source=f"{PAPER}, Theorem 5.1 and the variance after it",
    place=(5, 1),
    printed=r"Modified Warner mechanism satisfies $\varepsilon$-differential privacy, where $\varepsilon=\ln[(1-p)/p]$ "
    r"(without losing of generality, suppose that $p<1/2$.). [...] The variance $\mathbf{Var_{MW}}$ can be "
    r"written as $\mathbf{Var}\hat{\pi_A}=\frac{e^\varepsilon}{N\left(e^\varepsilon-1\right)^2}$.",
    precise="For 0 < p < 1/2, N persons with fixed x_i and coins of one's own: the chances of what is seen, when one "
    "person's x changes, have the largest ratio (1 - p)/p where that person's answer is seen, alone or with all others "
    "and their names, and at most that where only the sum is seen. The variance is that of equation (1).",
    variables={
        "p": Domain.interval("probability of the first statement", 0, "1/2", also=("1/10", "1/4", "2/5")),
        "others": OTHERS,
    },
    assumptions=(Condition("p < 1/2", "p < 1/2"),),
    defined=(Condition("p > 0: otherwise epsilon is infinite", "p > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="Answers are independent, so the answers of other persons reveal nothing about a person. Neighbours differ "
    "in one person's trait, N fixed.",
)
