"""Theorem 2: the privacy level of RR_p."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Anchored, Claim, Condition, Max, Point, Value
from rropt_proofs._matrices import parity
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import FLIP, randomized_response


def theory(point: Point) -> tuple[Fraction, Fraction]:
    """exp(epsilon): by the maximum, and by the form for p <= 1/2."""
    p = Fraction(point["p"])
    return max(p / (1 - p), (1 - p) / p), (1 - p) / p


def computed(point: Point) -> tuple[Fraction | float, Fraction | float]:
    """The largest ratio of two entries of a row of the matrix."""
    gamma = parity(randomized_response(Fraction(point["p"])))
    return gamma, gamma


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """The level of the two-coin mechanism with q = p: (2 - p) / p."""
    p = Fraction(point["p"])
    return (2 - p) / p, (2 - p) / p


def proof() -> Anchored:
    """The parity is the largest ratio of two entries of a row: 1, p/(1 - p) or (1 - p)/p."""
    ratios = Max(1, "p/(1 - p)", "(1 - p)/p")
    return Anchored(
        Value(of=0, theory=Max("p/(1 - p)", "(1 - p)/p"), computed=ratios),
        Value(of=1, computed=ratios),
    )


CLAIM = Claim(
    id="ziani.theorem-2",
    source=f"{PAPER}, Theorem 2",
    place=(1, 3),
    printed=r"Let $p\in[0,1/2]$. $RR_p$ is $(\varepsilon,0)$-differentially private with "
    r"$\varepsilon=\max\left(\ln\frac p{1-p},\ln\frac{1-p}p\right)$. When $p\le1/2$, this reduces to "
    r"$\ln\frac{1-p}p$.",
    precise="For 0 < p <= 1/2 the least epsilon at which RR_p is epsilon-differentially private is "
    "max(ln(p/(1-p)), ln((1-p)/p)) = ln((1-p)/p), compared as gamma = exp(epsilon). At p = 0 both logarithms are "
    "undefined; the paper gives the limit, no privacy.",
    variables={"p": FLIP},
    defined=(Condition("p > 0: at p = 0 the expressions divide by 0 and epsilon is infinite", "p > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
