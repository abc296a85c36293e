"""Theorem 1.1: small parity is sufficient for rho1-to-rho2 privacy."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Point
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import (
    PROCEDURES,
    RHOS,
    extreme_posteriors,
    ordered_rhos,
    rho_breach,
    two_categories,
)


def bound(point: Point) -> Fraction:
    """The right side of (1.6)."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    return high * (1 - low) / (low * (1 - high))


def theory(point: Point) -> dict[str, Bound]:
    """No posterior above rho2 from a prior below rho1; of the complement, none above 1 - rho1 from below 1 - rho2."""
    return {"upward": Bound("at-most", point["rho2"]), "downward": Bound("at-most", 1 - Fraction(point["rho1"]))}


def computed(point: Point) -> dict[str, Fraction]:
    """The posteriors of a breach by Definition 1.1, if there is one; else the extreme ones at the priors rho1, rho2."""
    low, high = Fraction(point["rho1"]), Fraction(point["rho2"])
    extreme = {
        "upward": extreme_posteriors(point["P"], low)[1],
        "downward": 1 - extreme_posteriors(point["P"], high)[0],
    }
    found = rho_breach(point["P"], low, high)
    if found is None:
        return extreme
    return {**extreme, **({"upward": found.posterior} if found.prior < low else {"downward": 1 - found.posterior})}


def mutant(point: Point) -> dict[str, Bound]:
    """A thousandth less than rho2."""
    return {**theory(point), "upward": Bound("at-most", point["rho2"] * Fraction(999, 1000))}


CLAIM = Claim(
    id="chainayak2018.theorem-1.1",
    source=f"{PAPER}, Theorem 1.1 (Evfimievski et al., 2003)",
    place=(1, 4),
    printed="A sufficient condition for an RR procedure with transition probability matrix $P$ to guarantee "
    r"$\rho_1$-to-$\rho_2$ privacy is: $\eta(P)\le\frac{\rho_2(1-\rho_1)}{\rho_1(1-\rho_2)}$.",
    precise="For k >= 2 (one category has no uncertain property) and 0 < rho1 < rho2 < 1: if (1.6) holds there is no "
    "response, property Q and prior with P(Q) < rho1 and P(Q | d_i) > rho2, or P(Q) > rho2 and P(Q | d_i) < rho1; nor "
    "at P(Q) = rho1, P(Q) = rho2.",
    variables={"P": PROCEDURES, **RHOS},
    assumptions=(ordered_rhos, two_categories, Condition("(1.6)", lambda point: parity(point["P"]) <= bound(point))),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=80,
    notes="Let X and Y be the means of the likelihoods p_ij over Q and over its complement, by the prior given either. "
    "By (1.6) rho1 (1 - rho2) X <= rho2 (1 - rho1) Y. With p = P(Q) the posterior is p X/(p X + (1 - p) Y), at "
    "most rho2 for p <= rho1; the complement gives the other part.",
)
