"""Section 7: which mechanism has the smallest variance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._range import DECK, MEMBERS
from rropt_proofs.sun2023._variances import (
    LEVEL,
    PERSONS,
    SECOND,
    SHARE,
    improved,
    modified,
    positive_level,
    warner,
)
from rropt_proofs.sun2023.theorem_6_1 import some

OUTSIDE_RELATION = "size*pi*(1 - pi)*(4*odds + p2*(odds - 1)**2) < odds*(size - 1)*(1 - p2)"
MC_MW, IC_MC, IC_MW = "Var_MC - Var_MW", "Var_IC - Var_MC", "Var_IC - Var_MW"


def theory(_: Point) -> dict[str, Bound]:
    """Modified Christofides is the smallest."""
    return {MC_MW: Bound("at-most", 0), IC_MC: Bound("at-least", 0)}


def _variances(point: Point) -> tuple[Any, Any, Any]:
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    return warner(odds, size), modified(odds, p2, size), improved(odds, p2, share, size)


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances."""
    mw, mc, ic = _variances(point)
    return {MC_MW: mc - mw, IC_MC: ic - mc}


def corrected(_: Point) -> dict[str, Bound]:
    return {IC_MW: Bound("less", 0), IC_MC: Bound("less", 0)}


def all_of_improved(point: Point) -> dict[str, Any]:
    """The differences of the improved mechanism from the others."""
    mw, mc, ic = _variances(point)
    return {IC_MW: ic - mw, IC_MC: ic - mc}


def mutant(_: Point) -> dict[str, Bound]:
    """By 1 at least."""
    return {IC_MW: Bound("less", -1), IC_MC: Bound("less", 0)}


def working(point: Point) -> str:
    """The three variances."""
    mw, mc, ic = _variances(point)
    return f"Var_IC = {value_text(ic)} < Var_MW = {value_text(mw)} <= Var_MC = {value_text(mc)}"


CLAIM = Claim(
    id="sun2023.conclusion",
    source=f"{PAPER}, section 7",
    place=(7, 1),
    printed=r"We found that the variance of modified Christofides mechanism was the smallest when the proportion of "
    r"people with sensitive attributes $\pi_A<\pi_{A_1}$ or $\pi_A>\pi_{A_2}$.",
    precise="For L = 3, every epsilon > 0, N >= 2, 0 <= p_2 < 1 and every such pi_A, each mechanism at its optimum for "
    "epsilon: the variance of modified Christofides is at most those of the others.",
    variables={"odds": LEVEL, "p2": SECOND, "pi": SHARE, "size": PERSONS},
    assumptions=(Condition("pi_A < pi_A1 or pi_A > pi_A2", OUTSIDE_RELATION),),
    defined=(positive_level, some),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The variance of the improved Christofides mechanism is the smallest there.",
        corrected,
        computed=all_of_improved,
    ),
    proof=lambda: Anchored(Value(of=IC_MW), Value(of=IC_MC)),
    working=working,
    stated=(MEMBERS, DECK),
    further=({"odds": Fraction(2), "p2": Fraction(1, 3), "pi": Fraction(1, 9), "size": 9},),
    count=20,
    notes="A word is missing: there modified Christofides has the largest variance. Epsilon is that of one answer seen "
    "alone; to a collector of all answers the improved mechanism has none (`theorem-5.6`).",
)
