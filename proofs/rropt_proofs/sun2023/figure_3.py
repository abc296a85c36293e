"""Figure 3: the ordering at pi_A = 2/9."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import LEVEL, positive_level
from rropt_proofs.sun2023.figure_2 import differences

MW_IC, IC_MC = "Var_IC - Var_MW", "Var_MC - Var_IC"


def theory(_: Point) -> dict[str, Bound]:
    """MW is best, then IC, then MC."""
    return {MW_IC: Bound("greater", 0), IC_MC: Bound("greater", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances."""
    mw, mc, ic = differences(point["odds"], Fraction(2, 9))
    return {MW_IC: ic - mw, IC_MC: mc - ic}


def mutant(_: Point) -> dict[str, Bound]:
    """MC is worse by a tenth."""
    return {MW_IC: Bound("greater", 0), IC_MC: Bound("greater", Fraction(1, 10))}


CLAIM = Claim(
    id="sun2023.figure-3",
    source=f"{PAPER}, section 6.2 and Figure 3",
    place=(6, 7),
    printed=r"We fix sample size $N=9$ for four mechanisms, fix proportions $\pi_B=0.5$ for modified Simmons "
    "mechanism, fix proportion $p_2=0.36$ for modified Christofides and the improved Christofides mechanisms, "
    r"and set proportion $\pi_A\in\left\{1/9,2/9,4/9\right\}$. [...] Fig. 3 shows that when proportion $\pi_A$ "
    r"is in interval $(\pi_{A_1},1/2-1/2\sqrt N)\cup\left(1/2+1/2\sqrt N,\pi_{A_2}\right)$, modified "
    "Warner/Simmons mechanism is the best, and the improved Christofides mechanism is suboptimal, while "
    "modified Christofides mechanism is the worst.",
    precise="With N = 9, p_2 = 9/25 and pi_A = 2/9, for every epsilon > 0: Var_MW = Var_MS < Var_IC < Var_MC, each "
    "mechanism at its optimum for epsilon.",
    variables={"odds": LEVEL},
    defined=(positive_level,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(Value(of=MW_IC), Value(of=IC_MC)),
    count=60,
    notes="2/9 is in the second interval at every epsilon: pi_A1 is at most 0.1718, and the interval ends at 1/3. A "
    "deck of 9 cards with p_2 = 0.36 does not exist; with 3 cards of number 2 the ordering is the same, by all deals.",
)
