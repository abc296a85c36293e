"""Theorem 5.1: the privacy of modified Warner, and its variance at a level."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Least, Point, Value
from rropt_proofs._laws import level
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._surveys import SIZE, fixed, spread, warner
from rropt_proofs.sun2023._views import NAMED, ONE, OTHERS, SUM, seen, weights_of_sum

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


def _at(point: Point) -> list[dict[str, Any]]:
    """Each answer seen, and next to it each value of the sum with the probabilities of the others."""
    p = Fraction(point["p"])
    sums = weights_of_sum(warner(p), point["others"], (0, 1))
    size = 1 + len(point["others"])
    units = ((1, 0), (0, 1))
    return [{"w0": a, "w1": b, "t0": c, "t1": d, "size": size} for a, b in units for c, d in sums]


def proof() -> Anchored:
    """A member answers 1 with probability p, another person with 1 - p; the others' answers have the same
    probabilities."""

    def ratio(no: str, yes: str) -> str:
        member, other = f"({yes}*p + {no}*(1 - p))", f"({yes}*(1 - p) + {no}*p)"
        return f"{member} <= g*{other} and {other} <= g*{member}"

    odds, tight = "(1 - p)/p", {"w0": 1, "w1": 0}
    return Anchored(
        Value(of=ONE, theory=odds, computed=Least(ratio("w0", "w1"), tight=tight)),
        Value(of=NAMED, theory=odds, computed=Least(ratio("w0", "w1"), tight=tight)),
        Value(of=SUM, theory=odds, computed=Least(ratio("t0", "t1"))),
        Value(of=VARIANCE, theory=f"{odds}/(size*({odds} - 1)**2)", computed="p*(1 - p)/(size*(2*p - 1)**2)"),
        at=_at,
    )


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
    bound={
        "size": SIZE,
        "t0": Domain("the chance that the others' answers make 0 up to what is seen", (), relation="x >= 0"),
        "t1": Domain("the chance that the others' answers make 1 up to what is seen", (), relation="x >= 0"),
        "w0": Domain("1 where the answer 0 is seen, else 0", (), relation="x >= 0"),
        "w1": Domain("1 where the answer 1 is seen, else 0", (), relation="x >= 0"),
    },
    assumptions=(Condition("p < 1/2", "p < 1/2"),),
    defined=(Condition("p > 0: otherwise epsilon is infinite", "p > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="Answers are independent, so the answers of other persons reveal nothing about a person. Neighbours differ "
    "in one person's trait, N fixed.",
)
