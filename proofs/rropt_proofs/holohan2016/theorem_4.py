"""Theorem 4: the optimal Warner design."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PI, PRIVATE, Design, optima, some_slack
from rropt_proofs.holohan2016._segments import DIAGONAL, SLOPE, n_variance_of

P, Q = sp.symbols("p q")


def theory(point: Point) -> frozenset[Design]:
    p = (Fraction(point["gamma"]) + point["delta"]) / (point["gamma"] + 1)
    return frozenset({(p, p)})


def computed(point: Point) -> frozenset[Design]:
    return optima(point, family="warner")


def mutant(point: Point) -> frozenset[Design]:
    """delta left out of the numerator."""
    p = Fraction(point["gamma"]) / (point["gamma"] + 1)
    return frozenset({(p, p)})


ABOVE = [Hypothesis(Q - P, strict=True), Hypothesis(2 * P - 1, strict=True), Hypothesis(2 * Q - 1, strict=True)]


def proof() -> Proof:
    variance = n_variance_of((P, P))
    best = DIAGONAL[0]
    level = [Hypothesis(GAMMA - 1), Hypothesis(DELTA), Hypothesis(1 - DELTA)]
    fall = (Q - P) * (P + Q - 1)
    return Proof(
        scope="all epsilon >= 0, 0 <= delta <= 1, not both 0; 0 <= pi <= 1",
        argument="n Var = 1/(4 (2p - 1)^2) - (1 - 2 pi)^2/4, with derivative 1/(1 - 2p)^3, and n Var(p) - n Var(q) = "
        "(q - p)(p + q - 1)/((2p - 1)^2 (2q - 1)^2) > 0 for 1/2 < p < q, whatever pi is. With p* = (gamma + delta)/"
        "(gamma + 1), both inequalities (11) say p <= p*, p* <= 1, the two reversed ones are implied by p > 1/2, and "
        "p* > 1/2 unless epsilon = delta = 0. So the region is (1/2, p*], and n Var is least at p* and only there.",
        certificates=(
            ("n Var of Warner's design", prove_identity(variance, 1 / (4 * (2 * P - 1) ** 2) - (1 - 2 * PI) ** 2 / 4)),
            ("its derivative", prove_identity(sp.diff(variance, P), 1 / (1 - 2 * P) ** 3)),
            (
                "its decrease",
                prove_identity(variance - variance.subs(P, Q), fall / ((2 * P - 1) ** 2 * (2 * Q - 1) ** 2)),
            ),
            ("it decreases strictly", prove_positive(fall, ABOVE, strict=True, degree=2)),
            ("(11) says p <= p*", prove_identity(GAMMA * (1 - P) + DELTA - P, (GAMMA + 1) * (best - P))),
            ("1 - p*", prove_identity(1 - best, (1 - DELTA) / (GAMMA + 1))),
            ("2 p* - 1", prove_identity(2 * best - 1, SLOPE / (GAMMA + 1))),
            (
                "p* > 1/2 if delta > 0",
                prove_positive(SLOPE, [level[0], Hypothesis(DELTA, strict=True)], strict=True, degree=1),
            ),
            (
                "p* > 1/2 if epsilon > 0",
                prove_positive(SLOPE, [Hypothesis(GAMMA - 1, strict=True), level[1]], strict=True, degree=1),
            ),
            (
                "the reversed inequalities",
                prove_positive(GAMMA * P + DELTA - (1 - P), [*level, Hypothesis(2 * P - 1), Hypothesis(P)], degree=2),
            ),
        ),
        unchecked_steps=("a strictly decreasing function has its least value at the right end, and only there",),
    )


def mutant_proof() -> object:
    """n Var grows with p."""
    return prove_positive(-(Q - P) * (P + Q - 1), ABOVE, degree=2)


CLAIM = Claim(
    id="holohan2016.theorem-4",
    source="Holohan, Leith and Mason (2016), Theorem 4 with the derivative of its proof",
    printed=r"For Warner's mechanism, $\operatorname{arg\,min}_{p_w\in\mathcal R_w}"
    r"\operatorname{Var}(\hat\Pi_w(p_w)|\pi)=\left\{\frac{e^\epsilon+\delta}{e^\epsilon+1}\right\}$ with $\mathcal R_w="
    r"\left(\frac12,\frac{e^\epsilon+\delta}{e^\epsilon+1}\right]$; "
    r"$\frac{\partial\operatorname{Var}(\hat\Pi_w(p_w)|\pi)}{\partial p_w}=\frac1{(1-2p_w)^3n}$.",
    precise="Among the designs p00 = p11 = p > 1/2 that satisfy (epsilon, delta)-DP, n Var is least at "
    "p = (gamma + delta)/(gamma + 1) and only there, for every pi in [0, 1].",
    variables=PRIVATE,
    defined=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    proof=proof,
    mutant_proof=mutant_proof,
    count=60,
    notes="For epsilon = delta = 0 the region (1/2, 1/2] is empty and n Var at 1/2 has the denominator 0.",
)
