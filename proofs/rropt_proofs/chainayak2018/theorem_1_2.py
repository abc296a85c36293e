"""Theorem 1.2: beta-factor privacy is parity at most beta."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Point
from rropt_proofs._matrices import parity
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import MATRIX, PRIOR
from rropt_proofs.chainayak2018._beta_factor import (
    at_most_beta,
    breached,
    reciprocal,
    unbreached,
)
from rropt_proofs.chainayak2018._paper import beta_breach, beta_domain, extreme_posteriors, two_categories

FACTOR = "1/gamma for the parity gamma, and one over the largest Bayes factor"


def theory(point: Point) -> dict[str, Any]:
    """At the prior p nothing is beyond beta if the parity is at most beta; else a posterior is at some prior."""
    eta = parity(point["P"])
    return {FACTOR: reciprocal(eta), **at_most_beta(eta <= point["beta"], point["beta"])}


def computed(point: Point) -> dict[str, Any]:
    """Definition 1.2, decided over all responses, properties and priors; where it is met, the ratio at the prior p."""
    procedure, beta, p = point["P"], Fraction(point["beta"]), Fraction(point["p"])
    q = extreme_posteriors(procedure, p)[1]
    met = beta_breach(procedure, beta) is None
    said = unbreached(procedure, p) if met else breached(procedure, beta)
    return {FACTOR: (1 - q) * p / (q * (1 - p)), **said}


def mutant(point: Point) -> dict[str, Any]:
    """< in the place of <=."""
    eta = parity(point["P"])
    return {FACTOR: reciprocal(eta), **at_most_beta(eta < point["beta"], point["beta"])}


CLAIM = Claim(
    id="chainayak2018.theorem-1.2",
    source=f"{PAPER}, Theorem 1.2 (Nayak et al., 2015)",
    place=(1, 5),
    printed=r"An RR procedure guarantees $\beta$-factor privacy if and only if $\eta(P)\le\beta$.",
    precise="For beta > 1: the parity is at most beta if and only if no response, property Q and prior with P(Q) > 0 "
    "have P(Q | d_i)/P(Q) > beta or < 1/beta. If the parity is at most beta, then at every prior 0 < p < 1 of every "
    "property, however it is spread, neither ratio exceeds beta (at p = 1 the posterior is 1); if not, there is a "
    "prior on two categories, 0 < p < 1, at which P(Q | d_i) > beta P(Q).",
    variables={"P": MATRIX, "beta": beta_domain, "p": PRIOR},
    assumptions=(Condition("beta > 1", "beta > 1"), Condition("0 < p < 1", "0 < p < 1")),
    defined=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=30,
    notes="At parity exactly beta the ratio comes as close to beta as one likes, for small P(Q), and never reaches it."
    " The sums s, w over Q and t, n over its complement, of weights that make up any prior p of Q, satisfy w t >= "
    "s n/gamma and s n >= w t/gamma, one pair of categories at a time.",
)
