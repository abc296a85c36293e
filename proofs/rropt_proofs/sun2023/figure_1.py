"""Figure 1: the four variances fall with epsilon."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import LEVEL, improved, modified, positive_level, simmons, warner

MW, MS, MC, IC = "modified Warner", "modified Simmons", "modified Christofides", "improved Christofides"
SIZE, SHARE, HALF = 100, Fraction(1, 10), Fraction(1, 2)


def theory(_: Point) -> dict[str, Bound]:
    """The larger epsilon is, the smaller the variance: at the smaller one it is larger."""
    return {MW: Bound("greater", 0), MS: Bound("greater", 0), MC: Bound("greater", 0), IC: Bound("greater", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The variance at a smaller epsilon less that at a larger one, N = 100, pi_A = 1/10, pi_B = p_2 = 1/2."""
    less, more = point["odds"], point["odds"] * point["times"]
    return {
        MW: warner(less, SIZE) - warner(more, SIZE),
        MS: simmons(less, HALF, SHARE, SIZE) - simmons(more, HALF, SHARE, SIZE),
        MC: modified(less, HALF, SIZE) - modified(more, HALF, SIZE),
        IC: improved(less, HALF, SHARE, SIZE) - improved(more, HALF, SHARE, SIZE),
    }


def mutant(_: Point) -> dict[str, Bound]:
    """By a thousandth at least."""
    return {**theory({}), IC: Bound("greater", Fraction(1, 1000))}


CLAIM = Claim(
    id="sun2023.figure-1",
    source=f"{PAPER}, section 6.2 and Figure 1",
    place=(6, 5),
    printed=r"we fix sample size $N=10^2$ and proportion $\pi_A=0.1$ for four mechanisms, fix proportion $\pi_B=0.5$ "
    "for modified Simmons mechanism, and proportion $p_2=0.5$ for modified Christofides and the improved "
    "Christofides mechanisms. [...] It shows that for these four mechanisms, the larger the privacy budget "
    r"$\varepsilon$ is, the smaller the variance is.",
    precise="With these N, pi_A, pi_B and p_2, for all 0 < epsilon < epsilon': the variance of each mechanism at "
    "epsilon, at its optimum for it, exceeds that at epsilon'.",
    variables={
        "odds": LEVEL,
        "times": Domain("e^(epsilon' - epsilon)", tuple(map(Fraction, ("101/100", "2"))), Domain.odds().draw, "x >= 1"),
    },
    assumptions=(Condition("epsilon < epsilon'", "times > 1"),),
    defined=(positive_level,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(*(Value(of=key) for key in (MW, MS, MC, IC))),
    count=30,
    notes="The curves are a picture; this is what the text reads from it. The orders of the curves change: up to "
    "e^epsilon + e^-epsilon = 5 (epsilon = 1.567) the improved mechanism has the least variance, beyond that modified "
    "Warner. Half of the 100 cards have number 2; the ratio of the others, of 50, is e^epsilon for 24 levels only, so "
    "that Algorithm 4 cannot be run at the others.",
)
