"""Theorem 2: the privacy level of RR_p."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import FLIP, PAPER, P, randomized_response

RANGE = [Hypothesis(P, strict=True), Hypothesis(sp.Rational(1, 2) - P)]


def theory(point: Point) -> tuple[Fraction, Fraction]:
    """exp(epsilon): by the maximum, and by the form for p <= 1/2."""
    p = Fraction(point["p"])
    return max(p / (1 - p), (1 - p) / p), (1 - p) / p


def computed(point: Point) -> tuple[Fraction | None, Fraction | None]:
    gamma = randomized_response(Fraction(point["p"])).parity()
    return gamma, gamma


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """The level of the two-coin mechanism with q = p: (2 - p) / p."""
    p = Fraction(point["p"])
    return (2 - p) / p, (2 - p) / p


def proof() -> Proof:
    gamma = (1 - P) / P
    return Proof(
        scope="all p in (0, 1/2]; p = 0 has no finite level",
        argument="Put gamma = (1-p)/p. The four inequalities Pr[M(b) = z] <= gamma Pr[M(1-b) = z] are 1-p <= gamma p, "
        "an equality, and p <= gamma (1-p), which times p is (1-p)^2 - p^2 = 1 - 2p >= 0. The equality makes gamma "
        "the least possible. The same inequality says that (1-p)/p is the larger of the two in the maximum.",
        certificates=(
            ("1 - p = gamma p: no smaller level will do", prove_identity(gamma * P, 1 - P)),
            ("p (gamma (1 - p) - p) = 1 - 2p", prove_identity(P * (gamma * (1 - P) - P), 1 - 2 * P)),
            ("gamma (1 - p) >= p", prove_positive(1 - 2 * P, RANGE, degree=1)),
        ),
        unchecked_steps=(
            "the events {0} and {1} decide: the empty event and {0, 1} have equal probabilities",
            "the logarithm increases",
        ),
    )


def mutant_proof() -> object:
    """gamma / 2 in the place of gamma."""
    return prove_positive((1 - P) / 2 - P, RANGE, degree=2)


CLAIM = Claim(
    id="ziani.theorem-2",
    source=f"{PAPER}, Theorem 2",
    printed=r"Let $p\in[0,\frac12]$. $RR_p$ is $(\varepsilon,0)$-differentially private with "
    r"$\varepsilon=\max\left(\ln\frac p{1-p},\ln\frac{1-p}p\right)$. "
    r"When $p\le\frac12$, this reduces to $\ln\frac{1-p}p$.",
    precise="For 0 < p <= 1/2 the least epsilon at which RR_p is epsilon-differentially private is "
    "max(ln(p/(1-p)), ln((1-p)/p)) = ln((1-p)/p), compared as gamma = exp(epsilon). At p = 0 both logarithms are "
    "undefined; the paper gives the limit, no privacy.",
    variables={"p": FLIP},
    defined=(Condition("p > 0: at p = 0 the expressions divide by 0 and epsilon is infinite", lambda p: p["p"] > 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
