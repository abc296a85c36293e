"""Proof of Lemma 3: the second derivative at the root."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PI,
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    N,
    T,
    derivative_along,
    gap_along,
    n_variance,
    second_derivative_along,
    value_of,
)

SQUARE = "the coefficient of t^2 in the numerator of the first"

GAP = GAMMA + 2 * DELTA - 1
ROOT = DELTA * (1 + GAMMA) * (2 * GAMMA + 2 * DELTA - 1 - PI * GAP) / ((GAMMA + DELTA) * GAP * (1 + (GAMMA - 1) * PI))


def _second(point: Point, power: int) -> dict[str, Any]:
    gamma, delta, pi, n = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "n"))
    above = (gamma + delta) ** 2 * (gamma + 2 * delta - 1) ** 4 * (1 + (gamma - 1) * pi) ** power
    value = -above / (8 * gamma**2 * delta**3 * (gamma + delta - 1) ** 3 * (1 + gamma) ** 2 * n)
    return {"first": Fraction(0), "second": value, "its sign": Bound("less", 0), SQUARE: Fraction(0)}


def theory(point: Point) -> dict[str, Any]:
    """The first derivative at the root of lemma-3-root, the printed value, and that it is negative."""
    return _second(point, 4)


def computed(point: Point) -> dict[str, Any]:
    """The second derivative of the variance, by the rule for quotients, at the zero of the first."""
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    constant, slope, square = numerator = derivative_along(gamma, delta, pi)
    root = -constant / slope
    value = second_derivative_along(gamma, delta, pi, root) / point["n"]
    first = value_of(numerator, root) / value_of(gap_along(gamma, delta), root) ** 3
    return {"first": first, "second": value, "its sign": value, SQUARE: square}


def mutant(point: Point) -> dict[str, Any]:
    """The exponent 3 in the place of the last 4 in the numerator."""
    return _second(point, 3)


def proof() -> Anchored:
    along = n_variance.subs({A: R_OF_T, B: S_OF_T}, simultaneous=True) / N
    first, second = (sp.factor(sp.diff(along, T, order)) for order in (1, 2))
    there = sp.factor(second.subs(T, ROOT))
    return Anchored(
        Value(of="first", computed=first.subs(T, ROOT)),
        Value(of="second", computed=there),
        Value(of="its sign", computed=there),
        Value(of=SQUARE, computed=0),
    )


CLAIM = Claim(
    id="holohan2016.lemma-3-second",
    source=f"{PAPER}, proof of Lemma 3, the second derivative",
    place=(6, 4),
    printed=r"By substitution, we find that $\frac{\partial^2\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial "
    r"t^2}=-\frac{(e^\epsilon+\delta)^2(e^\epsilon+2\delta-1)^4(1+(e^\epsilon-1)\pi)^4}{8e^{2\epsilon}"
    r"\delta^3(e^\epsilon+\delta-1)^3(1+e^\epsilon)^2n}$, when "
    r"$\frac{\partial\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t}=0$. By inspection, and since "
    r"$\delta>0$, we see that $\frac{\partial^2\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t^2}<0$ "
    r"when $\frac{\partial\operatorname{Var}(\hat\Pi_{1,\delta}(t)|\pi)}{\partial t}=0$,",
    precise="For delta > 0, 0 < pi < 1 and every n the second derivative of the variance along (22), at the zero of "
    "the first, has the printed value, which is negative; that zero is one, because the numerator of the first is "
    "linear in t.",
    variables={
        **{name: PRIVATE[name] for name in ("gamma", "delta", "pi")},
        "n": Domain.values("sample size", 1, 3),
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
