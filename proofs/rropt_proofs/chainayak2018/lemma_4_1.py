"""Lemma 4.1: garbling does not raise the parity."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER, identity, is_tpm, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA, garbling_core
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm


def draw(rng: random.Random) -> dict[str, Any]:
    r, k = rng.randint(1, 4), rng.randint(1, 4)
    source = random_tpm(r, k, rng, least=rng.choice((0, 1, 1)))
    return {"C": random_tpm(rng.randint(1, 4), r, rng), "P": source}


def theory(point: Point) -> Fraction | float:
    """The parity of P."""
    return parity(point["case"]["P"])


def computed(point: Point) -> Fraction | float:
    """The parity of C P."""
    return parity(product(point["case"]["C"], point["case"]["P"]))


def mutant(point: Point) -> Fraction | float:
    """The parity falls by half of what it exceeds 1 by."""
    return (theory(point) + 1) / 2


def proof() -> Proof:
    return Proof(
        scope="all m, r, k, all TPMs C and P of finite parity gamma; for infinite gamma there is nothing to show",
        argument="eta(P) = gamma means p_uj <= gamma p_ul for all u, j, l (with 0/0 = 1 also for zero entries). Then "
        "gamma a_il - a_ij = sum_u c_iu (gamma p_ul - p_uj) is a sum of products of nonnegative numbers. So "
        "a_ij <= gamma a_il; if a_il = 0 the whole row is zero, and its parity is 1.",
        certificates=garbling_core(),
        unchecked_steps=("the sum over u for r > 3",),
    )


def mutant_proof() -> object:
    """gamma (1 - 1/100) in the place of gamma."""
    c, high, low = sp.symbols("c h l")
    hypotheses = [Hypothesis(c), Hypothesis(low), Hypothesis(GAMMA - 1), Hypothesis(GAMMA * low - high)]
    return prove_positive(c * (GAMMA * sp.Rational(99, 100) * low - high), hypotheses, degree=3)


def _case(c: str, p: str) -> dict[str, Any]:
    return {"C": matrix(c), "P": matrix(p)}


CLAIM = Claim(
    id="chainayak2018.lemma-4.1",
    source=f"{PAPER}, Lemma 4.1",
    printed=r"Suppose $C_{m\times r}$ and $P_{r\times k}$ are two TPMs, $\eta(P)=\gamma$ and let $A_{m\times k}=CP$. "
    r"Then $\eta(A)\le\gamma$.",
    precise="For all TPMs C and P that fit, the parity of C P is at most that of P (infinite allowed; 0/0 = 1).",
    variables={
        "case": Domain(
            "TPMs C (m x r) and P (r x k), zeros allowed",
            (
                {"C": identity(2), "P": matrix("2/3 1/3; 1/3 2/3")},
                _case("1 1", "2/3 1/3; 1/3 2/3"),
                _case("1/2 1/2; 1/2 1/2", "1 0; 0 1"),  # infinite parity becomes 1
                _case("1 0; 0 1", "1 0; 0 1"),
                _case("1 1 0; 0 0 1", "1/2 1/4; 1/4 1/2; 1/4 1/4"),
                _case("1 1; 0 0", "2/3 1/3; 1/3 2/3"),  # a zero row: 0/0 = 1
                _case("1 1 0; 0 0 1", "1/2 1/2; 0 0; 1/2 1/2"),
            ),
            draw,
        )
    },
    assumptions=(Condition("C and P are TPMs", lambda p: is_tpm(p["case"]["C"]) and is_tpm(p["case"]["P"])),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    mutant_proof=mutant_proof,
)
