"""The abstract: the smallest variance under a certain assumption."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Point, Reading, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.sun2023 import PAPER
from rropt_proofs.sun2023._one_answer import ONE_ANSWER
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
from rropt_proofs.sun2023.conclusion import OUTSIDE_RELATION
from rropt_proofs.sun2023.theorem_6_1 import some

IC_MW, IC_MC, BETRAYED = "Var_IC - Var_MW", "Var_IC - Var_MC", "chance to see what excludes a neighbouring population"


def theory(_: Point) -> dict[str, Bound]:
    """The improved mechanism has the smallest variance."""
    return {IC_MW: Bound("less", 0), IC_MC: Bound("less", 0)}


def private_as_well(point: Point) -> dict[str, Bound]:
    """It has the smallest variance, and some epsilon: what is seen excludes no neighbour."""
    return {**theory(point), BETRAYED: Bound("at-most", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances at the optima."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    ic = improved(odds, p2, share, size)
    return {IC_MW: ic - warner(odds, size), IC_MC: ic - modified(odds, p2, size)}


def everything(point: Point) -> dict[str, Any]:
    """The differences, and the probability 1 - p_2 of `theorem-5.6` if all is seen."""
    return {**computed(point), BETRAYED: 1 - point["p2"]}


def mutant(point: Point) -> dict[str, Bound]:
    """Smaller by 1 at least."""
    return {**theory(point), IC_MW: Bound("less", -1)}


def proof() -> Anchored:
    return Anchored(Value(of=IC_MW), Value(of=IC_MC))


def working(point: Point) -> str:
    """The variances, and what is seen."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    return (
        f"Var_IC = {value_text(improved(odds, p2, share, size))}, Var_MW = {value_text(warner(odds, size))}, Var_MC = "
        f"{value_text(modified(odds, p2, size))}\na collector who sees the sum of all answers excludes a neighbouring "
        f"population with probability 1 - p_2 = {value_text(1 - p2)} (theorem-5.6)"
    )


CLAIM = Claim(
    id="sun2023.abstract",
    source=f"{PAPER}, abstract",
    place=(0, 1),
    printed="we introduce a new mechanism called the improved Christofides mechanism, which is found to have the "
    "smallest variance under certain assumption when using LDP as a measurement of privacy leakage.",
    precise=r"For $L=3$, every $\varepsilon>0$, $N\ge2$, $0\le p_2<1$ and the $\pi_A$ of Theorem 6.1 (i), which is the "
    "assumption that the abstract leaves to the paper, each of the four mechanisms at its optimum for epsilon: the "
    "improved one has the smallest variance. In the second reading it keeps some epsilon too, so that what the "
    "collector sees is possible under every population with one person's trait changed.",
    variables={"odds": LEVEL, "p2": SECOND, "pi": SHARE, "size": PERSONS},
    assumptions=(Condition(r"$\pi_A<\pi_{A_1}$ or $\pi_A>\pi_{A_2}$, as Theorem 6.1 says", OUTSIDE_RELATION),),
    defined=(positive_level, some),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    readings=(
        replace(ONE_ANSWER, changes={}),
        Reading(
            "everything that the collector needs for the estimate",
            r"sends $\mathcal{A}(x)$ to the untrusted collector. The collector learns statistical "
            "information about users. [...] "
            r"$\hat\pi_A=\frac{\frac1N\sum_{i=1}^NX_i-\mathbf{E}(Y)}{L+1-2\mathbf{E}(Y)}$",
            {
                "theory": private_as_well,
                "computed": everything,
                "proof": lambda: Anchored(Value(of=IC_MW), Value(of=IC_MC), Value(of=BETRAYED)),
                "mutant": lambda point: {**mutant(point), BETRAYED: Bound("greater", 0)},
                "correction": Correction(
                    r"The variance is the smallest; but against a collector who sees the sum of all answers "
                    r"$\varepsilon=\infty$.",
                    lambda point: {**theory(point), BETRAYED: Bound("greater", 0)},
                ),
            },
        ),
    ),
    working=working,
    stated=(MEMBERS, DECK),
    further=({"odds": Fraction(2), "p2": Fraction(1, 3), "pi": Fraction(1, 9), "size": 9},),
    count=20,
    notes="One sentence with Theorem 5.6, on which it rests, and with its readings. Whether the assumption is usually "
    "satisfied in the real world is no matter of computation.",
)
