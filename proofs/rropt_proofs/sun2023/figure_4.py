"""Figure 4: the ordering at pi_A = 4/9, as the text reads it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Correction, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import LEVEL, positive_level
from rropt_proofs.sun2023.figure_2 import differences

MW_MC, IC_MC = "Var_MC - Var_MW", "Var_IC - Var_MC"


def theory(_: Point) -> dict[str, Bound]:
    """MC is best, then MW, then IC."""
    return {MW_MC: Bound("less", 0), IC_MC: Bound("greater", 0)}


def corrected(_: Point) -> dict[str, Bound]:
    return {MW_MC: Bound("greater", 0), IC_MC: Bound("greater", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances."""
    mw, mc, ic = differences(point["odds"], Fraction(4, 9))
    return {MW_MC: mc - mw, IC_MC: ic - mc}


def mutant(_: Point) -> dict[str, Bound]:
    """IC is worse by a tenth."""
    return {MW_MC: Bound("greater", 0), IC_MC: Bound("greater", Fraction(1, 10))}


def working(point: Point) -> str:
    """The three variances."""
    mw, mc, ic = differences(point["odds"], Fraction(4, 9))
    return (
        f"e^epsilon = {value_text(point['odds'])}: Var_MW = {value_text(mw)} < Var_MC = {value_text(mc)} < Var_IC = "
        f"{value_text(ic)}"
    )


CLAIM = Claim(
    id="sun2023.figure-4",
    source=f"{PAPER}, section 6.2 and Figure 4",
    place=(6, 8),
    printed=r"We fix sample size $N=9$ for four mechanisms, fix proportions $\pi_B=0.5$ for modified Simmons "
    "mechanism, fix proportion $p_2=0.36$ for modified Christofides and the improved Christofides mechanisms, "
    r"and set proportion $\pi_A\in\left\{1/9,2/9,4/9\right\}$. [...] Fig. 4 shows that when proportion $\pi_A$ "
    r"is in interval $(1/2-1/2\sqrt N,1/2+1/2\sqrt N)$, modified Christofides mechanism is the best, and "
    "modified Warner/Simmons mechanism is suboptimal, while the improved Christofides mechanism is the worst.",
    precise="With N = 9, p_2 = 9/25 and pi_A = 4/9, for every epsilon > 0: Var_MC < Var_MW = Var_MS < Var_IC, each "
    "mechanism at its optimum for epsilon.",
    variables={"odds": LEVEL},
    defined=(positive_level,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"Modified Warner/Simmons mechanism is the best, modified Christofides mechanism is second, and the improved "
        r"Christofides mechanism is the worst, as Theorem 6.1 (iii) says.",
        corrected,
    ),
    proof=lambda: Anchored(Value(of=MW_MC), Value(of=IC_MC)),
    working=working,
    count=60,
    notes="Modified Christofides never has a smaller variance than modified Warner at the same epsilon: the card 2 "
    "reveals nothing. The text exchanges the first two. A deck of 9 cards with p_2 = 0.36 does not exist; with 3 cards "
    "of number 2 the ordering is the corrected one, by all deals.",
)
