"""Figure 2: the ordering at pi_A = 1/9."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Point, Value
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._variances import LEVEL, improved, modified, positive_level, warner

SIZE, SECOND = 9, Fraction(9, 25)
IC_MW, MW_MC = "Var_MW - Var_IC", "Var_MC - Var_MW"


def differences(odds: Any, share: Fraction) -> tuple[Any, Any, Any]:
    """Return the variances of MW, MC and IC for N = 9 and p_2 = 0.36."""
    return warner(odds, SIZE), modified(odds, SECOND, SIZE), improved(odds, SECOND, share, SIZE)


def theory(_: Point) -> dict[str, Bound]:
    """IC is best, then MW, then MC."""
    return {IC_MW: Bound("greater", 0), MW_MC: Bound("greater", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances."""
    mw, mc, ic = differences(point["odds"], Fraction(1, 9))
    return {IC_MW: mw - ic, MW_MC: mc - mw}


def mutant(_: Point) -> dict[str, Bound]:
    """IC is better by a tenth."""
    return {IC_MW: Bound("greater", Fraction(1, 10)), MW_MC: Bound("greater", 0)}


CLAIM = Claim(
    id="sun2023.figure-2",
    source=f"{PAPER}, section 6.2 and Figure 2",
    place=(6, 6),
    printed=r"We fix sample size $N=9$ for four mechanisms, fix proportions $\pi_B=0.5$ for modified Simmons "
    "mechanism, fix proportion $p_2=0.36$ for modified Christofides and the improved Christofides mechanisms, "
    r"and set proportion $\pi_A\in\left\{1/9,2/9,4/9\right\}$. [...] Fig. 2 shows that when proportion $\pi_A$ "
    r"is in interval $\left(0,\pi_{A_1}\right)\cup\left(\pi_{A_2},1\right)$, the improved Christofides "
    "mechanism is the best, and modified Warner/Simmons mechanism is suboptimal, while modified Christofides "
    "mechanism is the worst.",
    precise="With N = 9, p_2 = 9/25 and pi_A = 1/9, for every epsilon > 0 with pi_A < pi_A1, that is e^epsilon + "
    "e^-epsilon < 62/9: Var_IC < Var_MW = Var_MS < Var_MC, each mechanism at its optimum for epsilon.",
    variables={"odds": LEVEL},
    assumptions=(Condition("1/9 < pi_A1", "9*odds**2 + 9 < 62*odds"),),
    defined=(positive_level,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(Value(of=IC_MW), Value(of=MW_MC)),
    count=60,
    notes="From epsilon = 1.908 on, 1/9 is in the second interval, and modified Warner is best. No deck of 9 cards has "
    "p_2 = 0.36: it would need 3.24 cards. With decks that exist, 3 cards of 9 with number 2, the ordering is the same "
    "at both their levels, e^epsilon = 2 and 5, by all deals of the cards.",
)
