"""Figure 5: the ordering on the health-insurance data."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Domain, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import improved, modified, simmons, warner

SIZE, SECOND, HALF = 3252599, Fraction(1, 100), Fraction(1, 2)
EQUAL, ABOVE, BELOW = "Var_MS - Var_MW", "Var_MC - Var_MW", "Var_MW - Var_IC"


def theory(_: Point) -> dict[str, Any]:
    """Warner and Simmons are equal, modified Christofides is above them, the improved mechanism below."""
    return {EQUAL: Fraction(0), ABOVE: Bound("greater", 0), BELOW: Bound("greater", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances, times N."""
    odds, share = point["odds"], point["pi"]
    mw = warner(odds, SIZE)
    return {
        EQUAL: SIZE * (simmons(odds, HALF, share, SIZE) - mw),
        ABOVE: SIZE * (modified(odds, SECOND, SIZE) - mw),
        BELOW: SIZE * (mw - improved(odds, SECOND, share, SIZE)),
    }


def mutant(_: Point) -> dict[str, Any]:
    """The improved mechanism saves more than 5/N."""
    return {EQUAL: Fraction(0), ABOVE: Bound("greater", 0), BELOW: Bound("greater", 5)}


CLAIM = Claim(
    id="sun2023.figure-5",
    source=f"{PAPER}, section 6.3 and Figure 5",
    place=(6, 9),
    printed=r"We select the subset of HCOVANY Dataset in our experiment (the health insurance coverage of $1\%$ of "
    "total population in USA in 2021, the sampling size $N=3252599$). [...] we set privacy budget "
    r"$\varepsilon$ from 0.05 to 0.5, [...] We fix proportion $p_2=0.01$ for modified Christofides mechanism "
    "and the improved Christofides mechanism. [...] The variance of modified Warner mechanism is the same "
    "with that of modified Simmons mechanism. The variance of modified Christofides mechanism is slightly "
    "larger than that of modified Warner and Simmons mechanism. The variance of the improved Christofides "
    "mechanism is the smallest of mechanisms.",
    precise="For N = 3252599, p_2 = 1/100, pi_B = 1/2, every pi_A that rounds to 0.0778 and every epsilon from 0.05 to "
    "0.5 (e^epsilon is between 105/100 and 165/100): Var_MS = Var_MW < Var_MC, and Var_IC < Var_MW, each mechanism at "
    "its optimum for epsilon.",
    variables={
        "odds": Domain.interval("e^epsilon", "105/100", "165/100", also=("106/100", "13/10")),
        "pi": Domain.interval("pi_A", "7775/100000", "7785/100000", also=("778/10000",)),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(*(Value(of=key) for key in (EQUAL, ABOVE, BELOW))),
    count=60,
    notes="Slightly: Var_MC is 1.010 to 1.075 percent above Var_MW. N p_2 = 32525.99 is no whole number of cards, and "
    "p_3/p_1 = e^epsilon none of whole numbers for a rational epsilon, so Algorithm 4 can be run for neighbouring "
    "proportions only. For a collector of all answers the improved mechanism has no epsilon at all (`theorem-5.6`).",
)
