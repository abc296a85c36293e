"""The abstract: the smallest variance under a certain assumption."""

from __future__ import annotations

from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
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
from rropt_proofs.sun2023.conclusion import OUTSIDE_RELATION
from rropt_proofs.sun2023.theorem_6_1 import some

IC_MW, IC_MC, BETRAYED = "Var_IC - Var_MW", "Var_IC - Var_MC", "chance to see what excludes a neighbouring population"


def theory(_: Point) -> dict[str, Bound]:
    """The improved mechanism has the smallest variance, and some epsilon: no answer excludes a neighbour."""
    return {IC_MW: Bound("less", 0), IC_MC: Bound("less", 0), BETRAYED: Bound("at-most", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances at the optima, and the chance 1 - p_2 of `theorem-5.6` if all is seen."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    ic = improved(odds, p2, share, size)
    return {
        IC_MW: ic - warner(odds, size),
        IC_MC: ic - modified(odds, p2, size),
        BETRAYED: point["everything"] * (1 - p2),
    }


def mutant(point: Point) -> dict[str, Bound]:
    """Smaller by 1 at least."""
    return {**theory(point), IC_MW: Bound("less", -1)}


def working(point: Point) -> str:
    """The variances, and what is seen."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    seen = "all answers: no epsilon is finite (theorem-5.6)" if point["everything"] else "one answer alone"
    return (
        f"Var_IC = {value_text(improved(odds, p2, share, size))}, Var_MW = {value_text(warner(odds, size))}, Var_MC = "
        f"{value_text(modified(odds, p2, size))}\nthe collector sees {seen}"
    )


CLAIM = Claim(
    id="sun2023.abstract",
    source=f"{PAPER}, abstract",
    place=(0, 1),
    printed="we introduce a new mechanism called the improved Christofides mechanism, which is found to have the "
    "smallest variance under certain assumption when using LDP as a measurement of privacy leakage.",
    precise="For L = 3, every epsilon > 0, N >= 2, 0 <= p_2 < 1 and 0 <= pi_A <= 1, each of the four mechanisms at its "
    "optimum for epsilon: the improved one has the smallest variance, and what the collector sees, all answers or "
    "one alone, is possible under every population with one person's trait changed, as a finite epsilon implies.",
    variables={
        "odds": LEVEL,
        "p2": SECOND,
        "pi": SHARE,
        "size": PERSONS,
        "everything": Domain.values("1 if the collector sees all answers, 0 if one alone", 0, 1),
    },
    defined=(positive_level, some),
    missing=(
        Condition(r"$\pi_A<\pi_{A_1}$ or $\pi_A>\pi_{A_2}$, as Theorem 6.1 says", OUTSIDE_RELATION),
        Condition("the collector sees one answer alone", "everything == 0"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=lambda: Anchored(*(Value(of=key) for key in (IC_MW, IC_MC, BETRAYED))),
    working=working,
    count=20,
    notes="The abstract does not name its assumption. The first is that of Theorem 6.1. The second is what Theorem 5.6 "
    "needs: a collector who computes the estimate sees the sum of the answers at least, and then the mechanism has no "
    "finite epsilon. Whether the assumption is usually satisfied in the real world is no matter of computation.",
)
