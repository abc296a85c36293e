"""The four inequalities (11): (epsilon, delta)-differential privacy of a binary output."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, Claim, Domain, Point, Truth
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PRIVATE, is_private

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "3/4"))


def _slacks(point: Point) -> list[Fraction]:
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    return [
        gamma * (1 - a) + delta - b,
        gamma * (1 - b) + delta - a,
        gamma * b + delta - (1 - a),
        gamma * a + delta - (1 - b),
    ]


def theory(point: Point) -> dict[str, bool]:
    """Private exactly when all four hold; held against two computations."""
    private = min(_slacks(point)) >= 0
    return {"(9)": private, "profile": private}


def computed(point: Point) -> dict[str, bool]:
    """The definition (9) over all sets of answers, and the sums of the positive parts of p_iz - gamma p_iw."""
    a, b, gamma, delta = (Fraction(point[name]) for name in ("p00", "p11", "gamma", "delta"))
    columns = ((a, 1 - a), (1 - b, b))
    sums = [
        sum((max(x - gamma * y, Fraction(0)) for x, y in zip(one, other, strict=True)), Fraction(0))
        for one, other in (columns, columns[::-1])
    ]
    return {"(9)": is_private((a, b), gamma, delta), "profile": max(sums) <= delta}


def mutant(point: Point) -> dict[str, bool]:
    """Without the last inequality."""
    private = min(_slacks(point)[:3]) >= 0
    return {"(9)": private, "profile": private}


def proof() -> Anchored:
    """A set {j} and the truths (x, 1 - x) give the four inequalities; the empty and the full set ask nothing."""
    a, b = sp.symbols("p00 p11")
    given = {0: (a, 1 - a), 1: (1 - b, b)}
    single = [GAMMA * given[1 - x][j] + DELTA >= given[x][j] for x in (0, 1) for j in (0, 1)]
    four = (
        "p11 <= gamma*(1 - p00) + delta",
        "p00 <= gamma*(1 - p11) + delta",
        "1 - p00 <= gamma*p11 + delta",
        "1 - p11 <= gamma*p00 + delta",
    )
    return Anchored(
        Truth(of="(9)", theory=four, computed=(*single, DELTA >= 0, GAMMA + DELTA >= 1)),
        Truth(of="profile", theory=four, computed=single),
    )


CLAIM = Claim(
    id="holohan2016.eq-11",
    source=f"{PAPER}, equations (11)",
    place=(3, 2),
    printed=r"For the RR mechanism given by (2) to satisfy ($\epsilon$, $\delta$)-differential privacy, we require the "
    r"following to hold: $p_{11}\le e^\epsilon(1-p_{00})+\delta$, (11a) $p_{00}\le "
    r"e^\epsilon(1-p_{11})+\delta$, (11b) $1-p_{00}\le e^\epsilon p_{11}+\delta$, $1-p_{11}\le e^\epsilon "
    r"p_{00}+\delta$.",
    precise="For epsilon >= 0 and 0 <= delta <= 1 the design (p00, p11) satisfies (9), for the truths 0 and 1 in "
    "either order and for every set of answers, if and only if the four inequalities hold.",
    variables={"gamma": PRIVATE["gamma"], "delta": PRIVATE["delta"], "p00": UNIT, "p11": UNIT},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    notes="epsilon >= 0 belongs to the definition. (For epsilon < 0 the set of both answers would ask "
    "1 <= exp(epsilon) + delta in addition.)",
)
