"""Proof of Lemma 3: the second derivative at the root."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
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
    at,
    n_variance,
    rational_roots,
    variance_along,
)
from rropt_proofs.holohan2016.lemma_3_root import GAP, ROOT, STEEPNESS

MIXED = 1 + (GAMMA - 1) * PI
PRINTED = (
    -((GAMMA + DELTA) ** 2)
    * GAP**4
    * MIXED**4
    / (8 * GAMMA**2 * DELTA**3 * (GAMMA + DELTA - 1) ** 3 * (1 + GAMMA) ** 2)
)


def _second(point: Point, power: int) -> tuple[Fraction, bool]:
    gamma, delta, pi, n = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "n"))
    above = (gamma + delta) ** 2 * (gamma + 2 * delta - 1) ** 4 * (1 + (gamma - 1) * pi) ** power
    return -above / (8 * gamma**2 * delta**3 * (gamma + delta - 1) ** 3 * (1 + gamma) ** 2 * n), True


def theory(point: Point) -> tuple[Fraction, bool]:
    """The printed value, and that it is negative."""
    return _second(point, 4)


def computed(point: Point) -> tuple[Fraction, bool]:
    """The derivative of the derivative, as quotients of polynomials in t, at the zero of the first."""
    above, below = variance_along(*(Fraction(point[name]) for name in ("gamma", "delta", "pi")))
    numerator = above.derivative() * below - above * below.derivative()
    common = numerator.gcd(below**2)
    first, under = numerator // common, below**2 // common
    (root,) = rational_roots(first)
    value = (at(first.derivative(), root) * at(under, root)) / at(under, root) ** 2 / point["n"]
    return value, value < 0


def mutant(point: Point) -> tuple[Fraction, bool]:
    """The exponent 3 in the place of the last 4 in the numerator."""
    return _second(point, 3)


def proof() -> Proof:
    along = n_variance.subs({A: R_OF_T, B: S_OF_T}, simultaneous=True)
    gap = R_OF_T + S_OF_T - 1
    at_root = 2 * DELTA * (GAMMA + DELTA - 1) / (MIXED * GAP)
    slope = (GAMMA - 1) * (GAMMA + DELTA) / (GAMMA * (GAMMA + 1))  # D'
    private = [Hypothesis(GAMMA - 1), Hypothesis(DELTA, strict=True), Hypothesis(PI)]
    return Proof(
        scope="all epsilon >= 0, delta > 0, 0 <= pi <= 1, n >= 1",
        argument="The first derivative is - K (t - root)/D^3 (lemma-3-root). Its own derivative is "
        "- K/D^3 + 3 K (t - root) D'/D^4, which at the root is - K/D(root)^3, and D(root) = 2 delta (gamma + delta - 1)"
        "/((1 + (gamma - 1) pi)(gamma + 2 delta - 1)). That is the printed value; every factor is positive for "
        "delta > 0, so it is negative. Division by n changes nothing.",
        certificates=(
            ("the first derivative", prove_identity(sp.diff(along, T), -STEEPNESS * (T - ROOT) / gap**3)),
            ("D'", prove_identity(sp.diff(gap, T), slope)),
            ("D at the root", prove_identity(gap.subs(T, ROOT), at_root)),
            ("the second derivative at the root", prove_identity(-STEEPNESS / at_root**3, PRINTED)),
            ("gamma + delta - 1 > 0", prove_positive(GAMMA + DELTA - 1, private, strict=True, degree=1)),
            ("gamma + 2 delta - 1 > 0", prove_positive(GAP, private, strict=True, degree=1)),
            ("1 + (gamma - 1) pi > 0", prove_positive(MIXED, private, strict=True, degree=2)),
        ),
        unchecked_steps=("the derivative of - K (t - root)/D^3 by the quotient rule",),
    )


def mutant_proof() -> object:
    """gamma + 2 delta - 1 > 0 for delta = 0 too."""
    return prove_positive(GAP, [Hypothesis(GAMMA - 1), Hypothesis(DELTA)], strict=True, degree=2)


CLAIM = Claim(
    id="holohan2016.lemma-3-second",
    source=f"{PAPER}, proof of Lemma 3, the second derivative",
    printed=r"$\frac{\partial^2\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t^2}="
    r"-\frac{(e^\epsilon+\delta)^2(e^\epsilon+2\delta-1)^4(1+(e^\epsilon-1)\pi)^4}"
    r"{8e^{2\epsilon}\delta^3(e^\epsilon+\delta-1)^3(1+e^\epsilon)^2n}<0$ where the first derivative is 0.",
    precise="For delta > 0, 0 < pi < 1 and every n the second derivative of the variance along (22), at the zero of "
    "the first, has the printed value, which is negative.",
    variables={
        **{name: PRIVATE[name] for name in ("gamma", "delta", "pi")},
        "n": Domain.values("sample size", 1, 3),
    },
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
