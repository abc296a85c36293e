"""Equation (3.5): the up and the down boundary of a procedure of parity gamma, and B(h_gamma) = gamma."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria import bayes_factor
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES, extreme_posteriors, in_finite_range


def h_gamma(gamma: Any, p: Any) -> Any:
    """Return (3.5)."""
    return gamma * p / (1 + (gamma - 1) * p)


def theory(point: Point) -> dict[str, Any]:
    """The least posterior is 1 less the largest one of the complement, whose prior is 1 - p.

    h >= h_gamma(p) and gamma <= F(p), cleared of positive divisors, say that the same number is not negative.
    """
    gamma, p, h = Fraction(parity(point["P"])), Fraction(point["p"]), Fraction(point["h"])
    return {
        "largest posterior": h_gamma(gamma, p),
        "1 - least posterior": h_gamma(gamma, 1 - p),
        "gamma <= F(p), cleared": (h - h_gamma(gamma, p)) * (1 + (gamma - 1) * p),
        "B(h_gamma)": gamma,
    }


def computed(point: Point) -> dict[str, Any]:
    """Posteriors from the joint distribution, over responses, properties and extreme priors; B by the library."""
    gamma, p, h = parity(point["P"]), Fraction(point["p"]), Fraction(point["h"])
    least, largest = extreme_posteriors(point["P"], p)
    return {
        "largest posterior": largest,
        "1 - least posterior": 1 - least,
        "gamma <= F(p), cleared": ((1 - p) / p * h / (1 - h) - gamma) * p * (1 - h) if h < 1 else 1 - p,
        "B(h_gamma)": parity_bound(bayes_factor(gamma)).lower,
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma p/(1 + gamma p)."""
    gamma, p = Fraction(parity(point["P"])), Fraction(point["p"])
    return {**theory(point), "largest posterior": gamma * p / (1 + gamma * p)}


CLAIM = Claim(
    id="chainayak2018.eq-3.5",
    source=f"{PAPER}, equation (3.5) and the text around it",
    place=(3, 9),
    printed=r"Consider an RR procedure $P$ with $\eta(P)=\gamma>1$. Then, by Theorem 3.1 and (3.3), $P$ guarantees "
    r"$h$-CSIP for all $h$ such that $\gamma\le\left(\frac{1-p}p\right)\left(\frac{h(p)}{1-h(p)}\right)$ for "
    r"all $0<p<1$, or equivalently $h(p)\ge h_{(\gamma)}(p)$, where $h_{(\gamma)}(p)$ is defined as "
    r"$h_{(\gamma)}(p)=\frac{\gamma p}{1+(\gamma-1)p},\quad0<p<1$. (3.5) Thus, $h_{(\gamma)}(\cdot)$ is the up "
    r"breach boundary of any $P$ with parity $\gamma$. The corresponding down boundary is $\tilde "
    r"h_{(\gamma)}(p)=1-h_{(\gamma)}(1-p)$.",
    precise="For parity gamma, 1 < gamma < infinity, and 0 < p < 1: h_gamma(p) and 1 - h_gamma(1 - p) are the largest "
    "and the least posterior of a property of prior p, both attained; gamma <= F(p) if and only if h(p) >= h_gamma(p); "
    "B(h_gamma) = gamma.",
    variables={
        "P": PROCEDURES,
        "p": Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/100", "1/2")),
        "h": Domain.interval("a value of h at p, p <= h <= 1", 0, 1, also=("2/3",)),
    },
    assumptions=(
        Condition("the parity of P is a number gamma > 1", in_finite_range),
        Condition("0 < p < 1", "0 < p < 1"),
        Condition("p <= h <= 1", "p <= h"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=300,
    notes="With X and Y the means of the likelihoods p_ij over Q and over its complement, by the prior given either, X "
    "<= gamma Y, so that the posterior p X/(p X + (1 - p) Y) is at most h_gamma(p). Two entries gamma b and b of "
    "one row attain it. gamma <= F(p) reads h (1 + (gamma - 1) p) >= gamma p. F of h_gamma is gamma at every p.",
)
