"""Definition 2.1: epsilon-DLP is parity at most exp(epsilon), and the same as beta-factor privacy."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.exact import Epsilon
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import (
    PAPER,
    PROCEDURES,
    Matrix,
    beta_breach,
    epsilon_domain,
    parity,
    row_ratio,
    within,
)


def largest_ratio(procedure: Matrix) -> Factor:
    """Return the left side of (2.1): over all sets S of responses, the empty one included, and all pairs of truths."""
    best: Factor = Fraction(1)
    for size in range(len(procedure) + 1):
        for some in combinations(procedure, size):
            given = [sum((row[j] for row in some), Fraction(0)) for j in range(len(procedure[0]))]
            best = max(best, *(row_ratio(x, y) for x in given for y in given))
    return best


def theory(point: Point) -> dict[str, bool | str]:
    eta = parity(point["P"])
    private = within(eta, point["epsilon"])
    return {"(2.1)": private, "the maximum": value_text(eta), "beta-factor privacy, beta = exp(epsilon)": private}


def computed(point: Point) -> dict[str, bool | str]:
    """(2.1) over all 2^m sets S; beta-factor privacy by its definition (an irrational beta is enclosed)."""
    ratio = largest_ratio(point["P"])
    gamma = Epsilon.of(point["epsilon"]).gamma
    if gamma is not None:
        unbreached = beta_breach(point["P"], gamma) is None
    else:  # no breach at a beta below exp(epsilon) is none at exp(epsilon), a breach at one above it is one
        low, high = Epsilon.of(point["epsilon"]).gamma_bracket(20)
        unbreached = beta_breach(point["P"], low) is None
        if not unbreached and beta_breach(point["P"], high) is None:
            raise ArithmeticError("the enclosure of exp(epsilon) is too wide to decide")
    return {
        "(2.1)": within(ratio, point["epsilon"]),
        "the maximum": value_text(ratio),
        "beta-factor privacy, beta = exp(epsilon)": unbreached,
    }


def mutant(point: Point) -> dict[str, bool | str]:
    """exp(2 epsilon) in the place of exp(epsilon)."""
    private = within(parity(point["P"]), point["epsilon"], times=2)
    return {**theory(point), "(2.1)": private}


def proof() -> Proof:
    gamma, x, y, u, v = sp.symbols("gamma x y u v")
    sums = [Hypothesis(gamma * x - y), Hypothesis(gamma * u - v)]
    return Proof(
        scope="all m, k, all procedures, epsilon > 0",
        argument="Let gamma = exp(epsilon). S = {d_i} gives the ratios p_ij/p_il, so (2.1) bounds the parity. If "
        "p_ij <= gamma p_il for all i, adding over S gives P(S | c_j) <= gamma P(S | c_l), one response at a time; the "
        "empty S gives 0/0 = 1. A row with an entry 0 has another that is positive, a ratio a/0, on both sides. "
        "Theorem 1.2 at beta = gamma is the last equivalence.",
        certificates=(
            ("a response joins S", prove_positive(gamma * (x + u) - (y + v), sums, degree=1)),
            ("S = {d_i}", prove_identity((gamma * (0 + u) - (0 + v)), gamma * u - v)),
        ),
        unchecked_steps=("induction over the responses in S", "Theorem 1.2, an entry of its own"),
    )


def mutant_proof() -> object:
    gamma, x, y, u, v = sp.symbols("gamma x y u v")
    return prove_positive(
        gamma * (x + u) - (y + 2 * v), [Hypothesis(gamma * x - y), Hypothesis(gamma * u - v)], degree=1
    )


CLAIM = Claim(
    id="chainayak2018.definition-2.1",
    source=f"{PAPER}, Definition 2.1 and the two sentences after it",
    printed=r"$\epsilon$-DLP, for $\epsilon>0$: $\max\{\frac{P(Z\in S\mid X=c_j)}{P(Z\in S\mid X=c_l)}\mid "
    r"S\subseteq\mathcal S_Z,1\le j,l\le k\}\le\exp(\epsilon)$ (2.1). (2.1) is equivalent to "
    r"$\eta(P)\le\exp(\epsilon)$. So $\epsilon$-DLP and $\beta$-factor privacy are equivalent, with "
    r"$\beta=\exp(\epsilon)$.",
    precise="With 0/0 = 1 and a/0 infinite as in Definition 1.3, for every epsilon > 0: the maximum in (2.1) is the "
    "parity; it is at most exp(epsilon) if and only if the procedure is exp(epsilon)-factor private.",
    variables={"P": PROCEDURES, "epsilon": epsilon_domain},
    assumptions=(Condition("epsilon > 0", lambda p: p["epsilon"] != "0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="For the empty set (2.1) reads 0/0; the convention of Definition 1.3 (or leaving the empty set out) makes it "
    "harmless.",
)
