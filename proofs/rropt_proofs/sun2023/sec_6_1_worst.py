"""Section 6.1, after Theorem 6.1: where the improved mechanism performs worst."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Point, Reading, Value
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

MW, MC = "Var_IC - Var_MW", "Var_IC - Var_MC"
INSIDE, OUTSIDE = "Var_IC in the interval - Var_MW", "Var_IC outside - Var_MW"
EDGE = "size*{0}*(1 - {0})*(4*odds + p2*(odds - 1)**2) {1} odds*(size - 1)*(1 - p2)"


def theory(_: Point) -> dict[str, Bound]:
    """Neither variance is above that of the improved mechanism."""
    return {MW: Bound("at-least", 0), MC: Bound("at-least", 0)}


def computed(point: Point) -> dict[str, Any]:
    """The differences of the variances."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    ic = improved(odds, p2, share, size)
    return {MW: ic - warner(odds, size), MC: ic - modified(odds, p2, size)}


def own_theory(_: Point) -> dict[str, Bound]:
    """Its variance is at least Var_MW in the interval, which does not depend on pi_A, and at most that outside."""
    return {INSIDE: Bound("at-least", 0), OUTSIDE: Bound("at-most", 0)}


def own_computed(point: Point) -> dict[str, Any]:
    """The differences of the variances at a proportion in the interval and at one outside."""
    odds, p2, size = point["odds"], point["p2"], point["size"]
    level = warner(odds, size)
    return {
        INSIDE: improved(odds, p2, point["pi"], size) - level,
        OUTSIDE: improved(odds, p2, point["other"], size) - level,
    }


def mutant(_: Point) -> dict[str, Bound]:
    """By a thousandth at least."""
    return {MW: Bound("at-least", 0), MC: Bound("at-least", Fraction(1, 1000))}


def proof() -> Anchored:
    """Var_IC - Var_MC is 1 - N(1 - 2 pi_A)^2 times a positive number, and Var_MC is at least Var_MW."""
    return Anchored(Value(of=MW), Value(of=MC))


def working(point: Point) -> str:
    """The three variances."""
    odds, p2, share, size = point["odds"], point["p2"], point["pi"], point["size"]
    return (
        f"Var_MW = {value_text(warner(odds, size))}, Var_IC = {value_text(improved(odds, p2, share, size))}, Var_MC = "
        f"{value_text(modified(odds, p2, size))}\nN(1 - 2 pi_A)^2 = {value_text(size * (1 - 2 * share) ** 2)}: pi_A is "
        "in [pi_A1, pi_A2], and not in the interval of length 1/sqrt N around 1/2"
    )


IN_INTERVAL = Condition("pi_A is in [pi_A1, pi_A2]", EDGE.format("pi", ">="))
CLAIM = Claim(
    id="sun2023.sec-6.1-worst",
    source=f"{PAPER}, section 6.1, after Theorem 6.1",
    place=(6, 3),
    printed=r"The improved Christofides mechanism performs worst in interval $[\pi_{A_1},\pi_{A_2}]$.",
    precise="For L = 3, every epsilon > 0, N >= 2, 0 <= p_2 < 1, each mechanism at its optimum for epsilon: where "
    "pi_A1 <= pi_A <= pi_A2, that is where Var_IC is not below Var_MW, no mechanism has a larger variance.",
    variables={"odds": LEVEL, "p2": SECOND, "pi": SHARE, "size": PERSONS},
    assumptions=(IN_INTERVAL,),
    defined=(positive_level, some),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"It performs worst in $[1/2-1/(2\sqrt N),1/2+1/(2\sqrt N)]$, and there only. In the rest of "
        r"$[\pi_{A_1},\pi_{A_2}]$ modified Christofides is worse.",
        theory,
        conditions=(Condition("|pi_A - 1/2| <= 1/(2 sqrt N)", "size*(1 - 2*pi)**2 <= 1"),),
    ),
    proof=proof,
    working=working,
    readings=(
        Reading(
            "it performs worse there than it does elsewhere",
            r"The variance of $\hat{\pi_A}$ is [...] "
            r"$=\frac{4\pi_A\left(1-\pi_A\right)\mathbf{Var}(Y)}{(N-1)(L+1-2\mathbf{E}(Y))^2}$.",
            {
                "variables": {"odds": LEVEL, "p2": SECOND, "pi": SHARE, "other": SHARE, "size": PERSONS},
                "assumptions": (
                    IN_INTERVAL,
                    Condition("the other share is not in ]pi_A1, pi_A2[", EDGE.format("other", "<=")),
                ),
                "theory": own_theory,
                "computed": own_computed,
                "mutant": lambda _: {INSIDE: Bound("at-least", 1), OUTSIDE: Bound("at-most", 0)},
                "proof": lambda: Anchored(Value(of=INSIDE), Value(of=OUTSIDE)),
                "correction": None,
                "working": None,
                "stated": (),
                "further": (
                    {
                        "odds": Fraction(2),
                        "p2": Fraction(1, 3),
                        "pi": Fraction(2, 9),
                        "other": Fraction(1, 9),
                        "size": 9,
                    },
                ),
            },
        ),
        Reading(
            "no other mechanism performs worse there",
            "This section compares the utility of these four mechanisms by calculating variances under "
            r"the same privacy budget $\varepsilon$.",
        ),
    ),
    stated=(MEMBERS, DECK),
    further=({"odds": Fraction(2), "p2": Fraction(1, 3), "pi": Fraction(2, 9), "size": 9},),
    count=20,
    notes="Of its own variance the sentence is true. As a comparison with the other mechanisms it would "
    "contradict part (ii) of the theorem before it, which is right. For p_2 = 0 both intervals are the "
    "same. Figure 3 shows the case: N = 9, p_2 = 0.36, pi_A = 2/9.",
)
