"""Theorem 3.1: a procedure provides h-CSIP exactly when its parity is at most B(h)."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import PRIOR
from rropt_proofs.chainayak2018._rows import ROW, SEEN_IN_ROW, mean, sides

CSIP = "posterior of Q less h(p), times a positive number"


def _met(point: Point) -> bool:
    """Return whether the largest ratio of an entry of Q and one outside is at most F(p)."""
    high, low = max(sides(point)[0]), min(sides(point)[1])
    return bool(high <= point["f"] * low)


def theory(point: Point) -> dict[str, Bound]:
    """(3.2) holds for Q at p if the ratios are at most F(p), and if not it fails."""
    return {CSIP: Bound("at-most" if _met(point) else "greater", Fraction(0))}


def computed(point: Point) -> dict[str, Fraction]:
    """The posterior under the prior; or under that on the likeliest category of Q and the least likely one outside."""
    p, f = Fraction(point["p"]), Fraction(point["f"])
    inside, outside = sides(point)
    given, otherwise = mean(point, "in Q"), mean(point, "outside")
    if not _met(point):
        given, otherwise = max(inside), min(outside)
    seen, below = p * given + (1 - p) * otherwise, 1 - p + f * p
    h = f * p / below  # F(p) = ((1 - p)/p) h/(1 - h)
    return {CSIP: (p * given / seen - h) * seen * below}


def mutant(point: Point) -> dict[str, Bound]:
    """The least entry of Q."""
    inside, outside = sides(point)
    met = min(inside) <= point["f"] * min(outside)
    return {CSIP: Bound("at-most" if met else "greater", Fraction(0))}


CLAIM = Claim(
    id="chainayak2018.theorem-3.1",
    source=f"{PAPER}, Theorem 3.1",
    place=(3, 6),
    printed=r"For any given $h$, an RR procedure $P$ provides $h$-CSIP if and only if $\eta(P)\le B(h)$.",
    precise="For every row of a procedure, every property Q, neither empty nor certain, every 0 < p < 1 and every "
    "h = h(p) < 1, that is F = F(p) = ((1 - p)/p) h/(1 - h): if p_ij <= F p_il for all c_j in Q and c_l outside, the "
    "posterior of Q at d_i is at most h for every prior with P(Q) = p; if not, it is above h for a prior on two "
    "categories. The rest is in words. For h = 1 F is infinite, and no posterior is above 1. So h-CSIP holds if and "
    "only if all ratios of entries of a row are at most F(p) for all p, that is if the parity, the largest of them, is "
    "at most B(h), the infimum of F. (0/0 = 1 is at most F(p), since h(p) >= p makes F(p) >= 1.)",
    variables={
        "row": ROW,
        "p": PRIOR,
        "f": Domain("F(p)", tuple(map(Fraction, (0, 1, 2, 3))), lambda rng: Fraction(rng.randint(0, 40), 8), "x >= 0"),
    },
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(SEEN_IN_ROW,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=150,
)
