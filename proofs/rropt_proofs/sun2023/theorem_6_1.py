"""Theorem 6.1: the orderings of the four variances at one level."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Point, Value
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

EDGE, IC_MW, IC_MC, MC_MW = (
    "(pi_A2 - pi_A1)^2, from where Var_IC = Var_MW",
    "(Var_IC - Var_MW)((1 - 2 pi_A)^2 - (pi_A2 - pi_A1)^2)",
    "(Var_IC - Var_MC)(N(1 - 2 pi_A)^2 - 1)",
    "Var_MC - Var_MW",
)
some = Condition("p_2 < 1: otherwise all cards are alike, and E Y = 2", "p2 < 1")


def width(odds: Any, p2: Any, size: Any) -> Any:
    """Return (pi_A2 - pi_A1)^2 by equation (5)."""
    d = odds + 1 / odds - 2
    return 1 - (size - 1) * (1 - p2) / (size * (1 + p2 * d / 4))


def theory(point: Point) -> dict[str, Any]:
    """The ends, and the orderings: far from 1/2 IC is below MW, and below MC; MW is below MC everywhere."""
    return {
        EDGE: width(point["odds"], point["p2"], point["size"]),
        IC_MW: Bound("less", 0),
        IC_MC: Bound("less", 0),
        MC_MW: Bound("greater", 0),
    }


def computed(point: Point) -> dict[str, Any]:
    """The variances: where two of them meet; their differences, times the distances from the printed ends."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    mw, mc, ic = warner(odds, size), modified(odds, p2, size), improved(odds, p2, share, size)
    largest = improved(odds, p2, Fraction(1, 2), size)  # Var_IC is 1 - (1 - 2 pi_A)^2 times this
    far = (1 - 2 * share) ** 2
    return {
        EDGE: 1 - mw / largest,
        IC_MW: (ic - mw) * (far - width(odds, p2, size)),
        IC_MC: (ic - mc) * (far * size - 1),
        MC_MW: mc - mw,
    }


def mutant(point: Point) -> dict[str, Any]:
    """N in the place of N - 1 in equation (5)."""
    size = point["size"]
    return {**theory(point), EDGE: 1 - (1 - theory(point)[EDGE]) * size / (size - 1)}


def proof() -> Anchored:
    """Each product is a negative number times the square of a difference that is not 0."""
    return Anchored(*(Value(of=key) for key in (EDGE, IC_MW, IC_MC, MC_MW)))


def working(point: Point) -> str:
    """The three variances and the ends."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    mw, mc, ic = warner(odds, size), modified(odds, p2, size), improved(odds, p2, share, size)
    return (
        f"Var_MW = {value_text(mw)}, Var_MC = {value_text(mc)}, Var_IC = {value_text(ic)}\n(1 - 2 pi_A)^2 = "
        f"{value_text((1 - 2 * share) ** 2)}, (pi_A2 - pi_A1)^2 = {value_text(width(odds, p2, size))}, 1/N = 1/{size}"
    )


CLAIM = Claim(
    id="sun2023.theorem-6.1",
    source=f"{PAPER}, Theorem 6.1 and equation (5)",
    place=(6, 1),
    printed=r"(i.) When proportion $\pi_A$ is in interval $\left(0,\pi_{A_1}\right)\cup\left(\pi_{A_2},1\right)$, "
    r"$\mathbf{Var_{IC}}<\mathbf{Var_{MW/MS}}<\mathbf{Var_{MC}}$. $\pi_{A_1}$ and $\pi_{A_2}$ are shown in "
    r"equation (5). (ii.) When proportion $\pi_A$ is in interval $(\pi_{A_1},1/2-1/2\sqrt N)\cup(1/2+1/2\sqrt "
    r"N,\pi_{A_2})$, $\mathbf{Var_{MW/MS}}<\mathbf{Var_{IC}}<\mathbf{Var_{MC}}$. (iii.) When proportion "
    r"$\pi_A$ is in interval $(1/2-1/2\sqrt N,1/2+1/2\sqrt N)$, "
    r"$\mathbf{Var_{MW/MS}}<\mathbf{Var_{MC}}<\mathbf{Var_{IC}}$. [...] "
    r"$d=e^\varepsilon+\frac1{e^\varepsilon}-2$. [...] "
    r"$\pi_{A_1}=\frac12-\frac12\sqrt{1-\frac{N-1}N\cdot\frac{1-p_2}{1+\frac{p_2d}4}}$ "
    r"$\pi_{A_2}=\frac12+\frac12\sqrt{1-\frac{N-1}N\cdot\frac{1-p_2}{1+\frac{p_2d}4}}$. [Equation (5).]",
    precise="For L = 3, every epsilon > 0, N >= 2, 0 <= p_2 < 1 and 0 < pi_A < 1, no end of an interval, each "
    "mechanism at its optimum for epsilon (Theorems 5.1, 5.3, 5.5, 5.7): the variances meet at the printed ends, and "
    "the three orderings hold. 1/2 sqrt N is 1/(2 sqrt N); the squares of twice the distances from 1/2 are compared.",
    variables={"odds": LEVEL, "p2": SECOND, "pi": SHARE, "size": PERSONS},
    assumptions=(
        Condition("0 < pi_A < 1", "0 < pi < 1"),
        Condition(
            "pi_A is not pi_A1 or pi_A2", "size*pi*(1 - pi)*(4*odds + p2*(odds - 1)**2) != odds*(size - 1)*(1 - p2)"
        ),
        Condition("pi_A is not 1/2 - 1/(2 sqrt N), 1/2 + 1/(2 sqrt N)", "size*(1 - 2*pi)**2 != 1"),
    ),
    defined=(positive_level, some),
    missing=(Condition("$p_2>0$", "p2 > 0"),),
    stated=(MEMBERS, DECK),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    working=working,
    count=20,
    notes="At p_2 = 0 modified Christofides is modified Warner, the second intervals are empty, and < is = between the "
    "two. Variances are compared at one epsilon for what is seen of one answer alone: to a collector of all answers, "
    "or of their sum, the improved mechanism has no finite epsilon (`theorem-5.6`). Its variance is that of decks that "
    "exist; none has p_3/p_1 = e^epsilon for a rational epsilon > 0 (`theorem-5.7`).",
)
