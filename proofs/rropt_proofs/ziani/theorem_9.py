"""Theorem 9: the accuracy of the Laplace mechanism."""

from __future__ import annotations

from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import PAPER, private_scale, sympy_tail, tail_certificates

DELTA = sp.Symbol("delta")


def theory(point: Point) -> Any:
    return sp.Rational(point["delta"])


def computed(point: Point) -> Any:
    """Pr[|Z| >= ln(1/delta) b] for Z ~ Lap(b), b = sensitivity / epsilon."""
    b = sp.Rational(point["sensitivity"]) / sp.Rational(point["epsilon"])
    return sympy_tail(sp.log(1 / sp.Rational(point["delta"])) * b, b)


def mutant(point: Point) -> Any:
    return sp.Rational(point["delta"]) * sp.Rational(9, 10)


def proof() -> Proof:
    t, b = sp.symbols("t b")
    return Proof(
        scope="all f with 0 < sensitivity < infinity, all epsilon > 0, all delta > 0",
        argument="The error is |Z| with Z ~ Lap(b), b = sensitivity/epsilon, and Pr[|Z| >= z] = exp(-z/b) for z >= 0. "
        "At z = t b with t = ln(1/delta) this is exp(-t) = delta exactly, for 0 < delta <= 1. For delta > 1 the "
        "threshold is negative, and the probability 1 is below delta.",
        certificates=(
            *tail_certificates(),
            ("z/b = t at z = t b", prove_identity(t * b / b, t)),
            ("1 <= delta for delta > 1", prove_positive(DELTA - 1, [Hypothesis(DELTA - 1, strict=True)], degree=1)),
        ),
        unchecked_steps=("exp(-z/b) tends to 0 as z grows", "exp(-ln(1/delta)) = delta"),
    )


def mutant_proof() -> object:
    return prove_positive(DELTA * sp.Rational(9, 10) - 1, [Hypothesis(DELTA - 1, strict=True)], degree=2)


CLAIM = Claim(
    id="ziani.theorem-9",
    source=f"{PAPER}, Theorem 9",
    printed=r"For any function $f:\mathbb{N}^{\mathcal{X}}\to\mathbb{R}$, "
    r"$\Pr\left[|f(x)-\mathcal{M}_L(x,f,\varepsilon)|\ge\ln\left(\frac1\delta\right)\cdot"
    r"\left(\frac{\Delta f}\varepsilon\right)\right]\le\delta$.",
    precise="For 0 < sensitivity < infinity, epsilon > 0 and delta > 0: Pr[|Z| >= ln(1/delta) b] <= delta for "
    "Z ~ Lap(b), b = sensitivity/epsilon.",
    variables={
        "delta": Domain.interval("delta", 0, 2, also=("1/100", "1/2", 1)),
        "sensitivity": Domain.values("sensitivity of f", *(sp.Rational(x) for x in ("0", "1/2", "1", "3"))),
        "epsilon": Domain.values("epsilon", *(sp.Rational(x) for x in ("0", "1/10", "1"))),
    },
    defined=(private_scale, Condition("delta > 0: ln(1/delta) is undefined otherwise", lambda p: p["delta"] > 0)),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
    mutant_proof=mutant_proof,
    count=60,
    notes=r"For $0<\delta\le1$ the probability is exactly $\delta$. For a constant $f$ the scale $\Delta "
    r"f/\varepsilon$ is $0$ and the mechanism is not defined.",
)
