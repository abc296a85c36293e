"""Definition 2.1: epsilon-DLP is parity at most exp(epsilon), and the same as beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt.core.exact import Epsilon
from rropt_proofs._matrices import parity, row_ratio
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import MATRIX, PRIOR
from rropt_proofs.chainayak2018._beta_factor import (
    at_most_beta,
    breached,
    reciprocal,
    unbreached,
)
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import Matrix, beta_breach, epsilon_domain, two_categories, within

MAXIMUM = "one over the maximum in (2.1)"


def largest_ratio(procedure: Matrix) -> Factor:
    """Return the left side of (2.1): over all sets S of responses, the empty one included, and all pairs of truths."""
    best: Factor = Fraction(1)
    for size in range(len(procedure) + 1):
        for some in combinations(procedure, size):
            given = [sum((row[j] for row in some), Fraction(0)) for j in range(len(procedure[0]))]
            best = max(best, *(row_ratio(x, y) for x in given for y in given))
    return best


def theory(point: Point) -> dict[str, Any]:
    """The maximum is the parity; at most exp(epsilon) makes every ratio so, and else a ratio is beyond it."""
    eta = parity(point["P"])
    private = within(eta, point["epsilon"])
    return {MAXIMUM: reciprocal(eta), **at_most_beta(private, Epsilon.of(point["epsilon"]).exact_gamma())}


def _exceeded(point: Point) -> Fraction | None:
    """A rational number, at least exp(epsilon), that is no bound by Definition 1.2; None if exp(epsilon) is one."""
    epsilon = Epsilon.of(point["epsilon"])
    low, high = epsilon.gamma_bracket(20)
    if beta_breach(point["P"], low) is None:
        return None
    if beta_breach(point["P"], high) is None:
        raise ArithmeticError("the enclosure of exp(epsilon) is too wide to decide")
    return high


def computed(point: Point) -> dict[str, Any]:
    """(2.1) over all 2^m sets S; beta-factor privacy by its definition (an irrational beta is enclosed)."""
    ratio, beta = largest_ratio(point["P"]), _exceeded(point)
    if within(ratio, point["epsilon"]) is not (beta is None):
        raise ArithmeticError("one of (2.1) and beta-factor privacy is met, and the other is not")
    said = unbreached(point["P"], Fraction(point["p"])) if beta is None else breached(point["P"], beta)
    return {MAXIMUM: reciprocal(ratio), **said}


def mutant(point: Point) -> dict[str, Any]:
    """exp(2 epsilon) in the place of exp(epsilon)."""
    private = within(parity(point["P"]), point["epsilon"], times=2)
    return {**theory(point), **at_most_beta(private, Epsilon.of(point["epsilon"]).exact_gamma())}


CLAIM = Claim(
    id="chainayak2018.definition-2.1",
    source=f"{PAPER}, Definition 2.1 and the two sentences after it",
    place=(2, 1),
    printed=r"An RR method provides $\epsilon$-differentially local privacy ($\epsilon$-DLP), for $\epsilon>0$, if "
    r"$\max\{\frac{P(Z\in S|X=c_j)}{P(Z\in S|X=c_l)}\mid S\subseteq\mathcal S_Z,1\le j,l\le "
    r"k\}\le\exp(\epsilon)$. (2.1) It can be seen that (2.1) is equivalent to $\eta(P)\le\exp(\epsilon)$. So, "
    r"in view of Theorem 1.2, $\epsilon$-DLP and $\beta$-factor privacy are equivalent, with "
    r"$\beta=\exp(\epsilon)$.",
    precise="With 0/0 = 1 and a/0 infinite as in Definition 1.3, for every epsilon > 0, beta = exp(epsilon): the "
    "maximum in (2.1) is the parity; it is at most beta if and only if the procedure is beta-factor private. If it is, "
    "then at every prior 0 < p < 1 of every property P(Q | d_i)/P(Q) and its inverse are at most beta; if not, there "
    "is a prior on two categories at which the ratio exceeds beta.",
    variables={
        "P": MATRIX,
        "epsilon": Domain(epsilon_domain.meaning, epsilon_domain.boundary[1:], epsilon_domain.draw),
        "p": PRIOR,
    },
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    defined=(two_categories,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=20,
    notes="For the empty set (2.1) reads 0/0; the convention of Definition 1.3 (or leaving the empty set out) makes it "
    "harmless.",
)
