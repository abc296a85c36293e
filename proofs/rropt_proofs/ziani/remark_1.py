"""Remark 1: a fair coin, then a biased one, is RR_p with q = 2p."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import PAPER, P, randomized_response


def theory(point: Point) -> tuple[Fraction, Fraction]:
    """Pr[M(b) = 1 - b] = q/2, and RR_p with p = q/2 sends b to 1 - b with that probability."""
    b, p = point["b"], Fraction(point["q"]) / 2
    return Fraction(point["q"]) / 2, randomized_response(p)[1 - b, b]


def computed(point: Point) -> tuple[Fraction, Fraction]:
    b, q = point["b"], Fraction(point["q"])
    second = {1 - b: q, b: 1 - q}
    law = {report: Fraction(1, 2) * (report == b) + Fraction(1, 2) * second[report] for report in (0, 1)}
    return law[1 - b], law[1 - b]


def mutant(point: Point) -> tuple[Fraction, Fraction]:
    """q = p in the place of q = 2p."""
    return Fraction(point["q"]), randomized_response(Fraction(point["q"]) / 2)[1 - point["b"], point["b"]]


def proof() -> Proof:
    half, q = sp.Rational(1, 2), 2 * P
    flip = Hypothesis(half - P)
    return Proof(
        scope="all p in [0, 1/2], that is all q = 2p in [0, 1]",
        argument="Heads (1/2) never flips, tails (1/2) flips with probability q: in all q/2 = p. The map q = 2p is a "
        "bijection of [0, 1/2] onto [0, 1].",
        certificates=(
            ("Pr[M(b) = 1 - b] = p", prove_identity(half * 0 + half * q, P)),
            ("Pr[M(b) = b] = 1 - p", prove_identity(half + half * (1 - q), 1 - P)),
            ("q <= 1", prove_positive(1 - q, [Hypothesis(P), flip], degree=1)),
        ),
    )


def mutant_proof() -> object:
    return prove_identity(sp.Rational(1, 2) * P, P)


CLAIM = Claim(
    id="ziani.remark-1",
    source=f"{PAPER}, Remark 1",
    printed=r"Flip a first coin. If heads (probability $\frac12$), report $b$; if tails, output $1-b$ with probability "
    r"$q$ and $b$ with probability $1-q$. This is equivalent to $RR_p(b)$ with $q=2p$; "
    r"$P[\mathcal{M}(b)=1-b]=\frac q2$.",
    precise="For b in {0, 1} and q in [0, 1] the two-coin mechanism reports 1 - b with probability q/2 and so has the "
    "law of RR_p, p = q/2.",
    variables={
        "q": Domain.interval("bias of the second coin, 0 <= q <= 1", 0, 1, also=("1/4", "1/2", "99/100")),
        "b": Domain.values("private bit", 0, 1),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="In the cited book (Dwork and Roth, section 3.2) the second coin decides between the answers yes and no, not "
    "between $b$ and $1-b$. With a fair second coin, as there, both give $p=\\frac14$; with a biased one they differ.",
)
