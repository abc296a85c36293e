"""Proof of Lemma 3: the root of the derivative in t."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PAPER,
    PI,
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    n_variance,
    rational_roots,
    variance_along,
)

GAP = GAMMA + 2 * DELTA - 1
ROOT = DELTA * (1 + GAMMA) * (2 * GAMMA + 2 * DELTA - 1 - PI * GAP) / ((GAMMA + DELTA) * GAP * (1 + (GAMMA - 1) * PI))
STEEPNESS = (1 + (GAMMA - 1) * PI) * GAP * ((GAMMA + DELTA) / (GAMMA * (GAMMA + 1))) ** 2


def _root(point: Point, last: int) -> tuple[int, Fraction]:
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    gap = gamma + 2 * delta - 1
    above = delta * (1 + gamma) * (2 * gamma + 2 * delta - last - pi * gap)
    return 1, above / ((gamma + delta) * gap * (1 + (gamma - 1) * pi))


def theory(point: Point) -> tuple[int, Fraction]:
    """The degree of the derivative's numerator in t, and its root."""
    return _root(point, 1)


def computed(point: Point) -> tuple[int, Fraction | None]:
    """The derivative of the variance, a quotient of polynomials, in lowest terms."""
    above, below = variance_along(*(Fraction(point[name]) for name in ("gamma", "delta", "pi")))
    numerator = above.derivative() * below - above * below.derivative()
    lowest = numerator // numerator.gcd(below**2)
    roots = rational_roots(lowest)
    return lowest.degree(), roots[0] if roots else None


def mutant(point: Point) -> tuple[int, Fraction]:
    """2 exp(epsilon) + 2 delta - 2 in the place of 2 exp(epsilon) + 2 delta - 1."""
    return _root(point, 2)


def proof() -> Proof:
    along = n_variance.subs({A: R_OF_T, B: S_OF_T}, simultaneous=True)
    gap = R_OF_T + S_OF_T - 1
    private = [Hypothesis(GAMMA - 1), Hypothesis(DELTA, strict=True), Hypothesis(PI)]
    return Proof(
        scope="all epsilon >= 0, delta > 0, 0 <= pi <= 1",
        argument="The derivative of n Var(r(t), s(t)) by t is - K (t - root)/D(t)^3 with D = r + s - 1 and "
        "K = (1 + (gamma - 1) pi)(gamma + 2 delta - 1)((gamma + delta)/(gamma (gamma + 1)))^2 > 0, the root being the "
        "printed one: its numerator is linear in t and has this root only.",
        certificates=(
            ("the derivative", prove_identity(sp.diff(along, T), -STEEPNESS * (T - ROOT) / gap**3)),
            ("gamma + 2 delta - 1 > 0", prove_positive(GAP, private, strict=True, degree=1)),
            ("1 + (gamma - 1) pi > 0", prove_positive(1 + (GAMMA - 1) * PI, private, strict=True, degree=2)),
        ),
    )


def mutant_proof() -> object:
    """gamma + 2 delta - 1 > 0 for delta = 0 too."""
    return prove_positive(GAP, [Hypothesis(GAMMA - 1), Hypothesis(DELTA)], strict=True, degree=2)


CLAIM = Claim(
    id="holohan2016.lemma-3-root",
    source=f"{PAPER}, proof of Lemma 3, the root",
    printed=r"The numerator of $\frac{\partial\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t}$ is linear in "
    r"$t$, hence it has at most one root at $t="
    r"\frac{\delta(1+e^\epsilon)(2e^\epsilon+2\delta-1-\pi(e^\epsilon+2\delta-1))}"
    r"{(e^\epsilon+\delta)(e^\epsilon+2\delta-1)(1+(e^\epsilon-1)\pi)}$.",
    precise="For delta > 0 and 0 < pi < 1 the derivative of the variance along (22), in lowest terms, has a numerator "
    "of degree 1 in t, and the printed number is its root.",
    variables={name: PRIVATE[name] for name in ("gamma", "delta", "pi")},
    assumptions=(
        Condition("delta > 0", lambda p: p["delta"] > 0),
        Condition("0 < pi < 1 (stated before Section V)", lambda p: 0 < p["pi"] < 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
