"""Proof of Lemma 3: the root of the derivative in t."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    derivative_along,
    n_variance,
    value_of,
)

SQUARE = "its coefficient of t^2"


def _statement(point: Point, last: int) -> dict[str, Any]:
    gamma, delta, pi, t = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "t"))
    gap = gamma + 2 * delta - 1
    above = delta * (1 + gamma) * (2 * gamma + 2 * delta - last - pi * gap)
    root = above / ((gamma + delta) * gap * (1 + (gamma - 1) * pi))
    slope = (1 + (gamma - 1) * pi) * gap * ((gamma + delta) / (gamma * (gamma + 1))) ** 2
    return {"root": root, "numerator": slope * (root - t), "its slope": Bound("less", 0), SQUARE: Fraction(0)}


def theory(point: Point) -> dict[str, Any]:
    """The root, and the numerator of the derivative over (p00 + p11 - 1)^3: linear in t, with this root."""
    return _statement(point, 1)


def computed(point: Point) -> dict[str, Any]:
    """The numerator of the derivative of the variance over (p00 + p11 - 1)^3, by its coefficients; its root."""
    gamma, delta, pi, t = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "t"))
    numerator = derivative_along(gamma, delta, pi)
    constant, slope, square = numerator
    return {"root": -constant / slope, "numerator": value_of(numerator, t), "its slope": slope, SQUARE: square}


def mutant(point: Point) -> dict[str, Any]:
    """2 exp(epsilon) + 2 delta - 2 in the place of 2 exp(epsilon) + 2 delta - 1."""
    return _statement(point, 2)


def proof() -> Anchored:
    """The numerator is -K (t - root), with K > 0."""
    along = n_variance.subs({A: R_OF_T, B: S_OF_T}, simultaneous=True)
    numerator = sp.factor(sp.diff(along, T) * (R_OF_T + S_OF_T - 1) ** 3)
    first, slope = numerator.subs(T, 0), numerator.subs(T, 1) - numerator.subs(T, 0)
    return Anchored(
        Value(of="root", computed=-first / slope),
        Value(of="numerator", computed=numerator),
        Value(of="its slope", computed=slope),
        Value(of=SQUARE, computed=0),
    )


CLAIM = Claim(
    id="holohan2016.lemma-3-root",
    source=f"{PAPER}, proof of Lemma 3, the root",
    place=(6, 3),
    printed="By some manipulation, it can be shown that the numerator of "
    r"$\frac{\partial\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t}$ is linear in $t$, hence it "
    "has at most one root at "
    r"$t=\frac{\delta(1+e^\epsilon)(2e^\epsilon+2\delta-1-\pi(e^\epsilon+2\delta-1))}{(e^\epsilon+\delta)"
    r"(e^\epsilon+2\delta-1)(1+(e^\epsilon-1)\pi)}$.",
    precise="For delta > 0 and 0 < pi < 1 the derivative of the variance along (22) is a quotient with the denominator "
    "(p00 + p11 - 1)^3. Its numerator is linear in t, for 0 <= t <= 1, and falls; so it has one root, which is the "
    "printed number.",
    variables={
        **{name: PRIVATE[name] for name in ("gamma", "delta", "pi")},
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2",)),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("0 < pi < 1 (stated before Section V)", "0 < pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
