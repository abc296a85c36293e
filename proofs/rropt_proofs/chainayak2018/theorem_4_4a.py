"""Theorem 4.4 (a): the trace bound."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA, TRACE, TRACE_STEPS, trace_core
from rropt_proofs.chainayak2018._sufficiency_programmes import largest_trace


def theory(point: Point) -> Fraction:
    gamma, k = Fraction(point["gamma"]), point["k"]
    return k * gamma / (gamma + k - 1)


def computed(point: Point) -> Fraction:
    """The largest trace of a k x k TPM of parity at most gamma, by an exact linear programme."""
    return largest_trace(point["k"], Fraction(point["gamma"]))


def mutant(point: Point) -> Fraction:
    """gamma + k in the denominator."""
    gamma, k = Fraction(point["gamma"]), point["k"]
    return k * gamma / (gamma + k)


def proof() -> Proof:
    return Proof(
        scope="all gamma >= 1, all k",
        argument=TRACE,
        certificates=trace_core(),
        unchecked_steps=TRACE_STEPS,
    )


def mutant_proof() -> object:
    """gamma + k in the place of gamma + k - 1, for k = 2."""
    p = [[sp.Symbol(f"p{i}{j}") for j in range(2)] for i in range(2)]
    hypotheses = [Hypothesis(GAMMA * p[i][1 - i] - p[i][i]) for i in range(2)]
    bound = sum(GAMMA * p[i][j] for i in range(2) for j in range(2))
    return prove_positive(sp.expand(bound - (GAMMA + 2) * (p[0][0] + p[1][1])), hypotheses, degree=1)


CLAIM = Claim(
    id="chainayak2018.theorem-4.4a",
    source=f"{PAPER}, Theorem 4.4 (a)",
    printed=r"Suppose $P_{k\times k}$ is a TPM with $\eta(P)\le\gamma$. Then, "
    r"$\sum_{i=1}^k p_{ii}\le\frac{\gamma k}{\gamma+k-1}$.",
    precise="For gamma > 1, every k >= 1 and every k x k TPM P of parity at most gamma, the trace of P is at most "
    "k gamma / (gamma + k - 1).",
    variables={"gamma": Domain.odds("gamma > 1"), "k": Domain.whole("number of categories", 1, 5)},
    assumptions=(Condition("gamma > 1", lambda p: p["gamma"] > 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    mutant_proof=mutant_proof,
    count=40,
    notes="The numerator is gamma times k: the extracted text has a power there, but the proof derives the product, "
    "and the matrix of (b) has this trace. The bound is attained for every k (theorem-4.4b).",
)
