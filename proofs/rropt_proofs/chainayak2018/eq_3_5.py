"""Equation (3.5): the up and the down boundary of a procedure of parity gamma, and B(h_gamma) = gamma."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt.privacy.criteria import bayes_factor
from rropt.privacy.parity_bounds import parity_bound
from rropt_proofs.chainayak2018._paper import (
    FACTOR_ARGUMENT,
    FACTOR_STEPS,
    GAMMA,
    PAPER,
    PROCEDURES,
    H,
    P,
    extreme_posteriors,
    factor_certificates,
    in_finite_range,
    parity,
)


def h_gamma(gamma: Any, p: Any) -> Any:
    """Return (3.5)."""
    return gamma * p / (1 + (gamma - 1) * p)


def theory(point: Point) -> dict[str, Any]:
    gamma, p, h = Fraction(parity(point["P"])), Fraction(point["p"]), Fraction(point["h"])
    return {
        "largest posterior": h_gamma(gamma, p),
        "least posterior": 1 - h_gamma(gamma, 1 - p),
        "gamma <= F(p)": h >= h_gamma(gamma, p),
        "B(h_gamma)": gamma,
    }


def computed(point: Point) -> dict[str, Any]:
    """Posteriors from the joint distribution, over responses, properties and extreme priors; B by the library."""
    gamma, p, h = parity(point["P"]), Fraction(point["p"]), Fraction(point["h"])
    least, largest = extreme_posteriors(point["P"], p)
    return {
        "largest posterior": largest,
        "least posterior": least,
        "gamma <= F(p)": h == 1 or gamma <= (1 - p) / p * h / (1 - h),
        "B(h_gamma)": parity_bound(bayes_factor(gamma)).lower,
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma p/(1 + gamma p)."""
    gamma, p = Fraction(parity(point["P"])), Fraction(point["p"])
    return {**theory(point), "largest posterior": gamma * p / (1 + gamma * p)}


def proof() -> Proof:
    b = sp.Symbol("b")
    ratio = (1 - P) / P * h_gamma(GAMMA, P) / (1 - h_gamma(GAMMA, P))
    two_point = GAMMA * b * P / (GAMMA * b * P + b * (1 - P))
    return Proof(
        scope="all m, k, all procedures with parity gamma, 1 < gamma < infinity, 0 < p < 1",
        argument=f"{FACTOR_ARGUMENT}So every posterior is at most h_gamma(p), and at least 1 - h_gamma(1 - p), by the "
        "complement. Two entries gamma b and b of one row attain it: the prior p on the one category and 1 - p on the "
        "other has the posterior h_gamma(p). gamma <= F(p) reads h (1 + (gamma - 1) p) >= gamma p. F of h_gamma is "
        "gamma at every p.",
        certificates=(
            *factor_certificates(),
            ("h_gamma is attained", prove_identity(two_point, h_gamma(GAMMA, P))),
            (
                "gamma <= F(p) against h >= h_gamma(p)",
                prove_identity((1 - P) * H - GAMMA * P * (1 - H), H * (1 + (GAMMA - 1) * P) - GAMMA * P),
            ),
            ("F of h_gamma is gamma", prove_identity(ratio, GAMMA)),
            ("the down boundary", prove_identity(1 - h_gamma(GAMMA, 1 - P), P / (GAMMA - (GAMMA - 1) * P))),
            (
                "the divisor is positive",
                prove_positive(1 + (GAMMA - 1) * P, [Hypothesis(GAMMA - 1), Hypothesis(P)], strict=True, degree=2),
            ),
        ),
        unchecked_steps=FACTOR_STEPS,
    )


def mutant_proof() -> object:
    return prove_identity(GAMMA * P / (GAMMA * P + (1 - P)), GAMMA * P / (1 + GAMMA * P))


CLAIM = Claim(
    id="chainayak2018.eq-3.5",
    source=f"{PAPER}, equation (3.5) and the text around it",
    printed=r"For $\eta(P)=\gamma>1$, $P$ guarantees $h$-CSIP for all $h$ such that "
    r"$\gamma\le(\frac{1-p}p)(\frac{h(p)}{1-h(p)})$ for all $0<p<1$, or equivalently $h(p)\ge h_{(\gamma)}(p)"
    r"=\frac{\gamma p}{1+(\gamma-1)p}$ (3.5). $h_{(\gamma)}$ is the up breach boundary of any $P$ with parity "
    r"$\gamma$; the corresponding down boundary is $\tilde h_{(\gamma)}(p)=1-h_{(\gamma)}(1-p)$.",
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
        Condition("0 < p < 1", lambda point: 0 < point["p"] < 1),
        Condition("p <= h <= 1", lambda point: point["p"] <= point["h"]),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=400,
)
