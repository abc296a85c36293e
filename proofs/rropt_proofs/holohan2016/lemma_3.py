"""Lemma 3: along a boundary segment the least variance is at an end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Step, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    boundary_design,
    determinant,
)

ZERO = Fraction(0)
INSIDE, FIRST, LAST = "n Var at t, against a mean of its values at a and b", "the weight of a", "the weight of b"


def _value(point: Point, t: Fraction) -> Any:
    """Return n Var(r(t), s(t)) by (6), with the first form of (22)."""
    p00, p11 = boundary_design(Fraction(point["gamma"]), Fraction(point["delta"]), t)
    yes, gap = (1 - point["pi"]) * (1 - p00) + point["pi"] * p11, p00 + p11 - 1
    return yes * (1 - yes) / gap**2


def _gap(point: Point, t: Fraction) -> Any:
    return sum(boundary_design(Fraction(point["gamma"]), Fraction(point["delta"]), t)) - 1


def _weight(point: Point) -> Any:
    """Return (b - t)/(b - a) D(a)/D(t), where D = r + s - 1."""
    a, t, b = (point[name] for name in ("a", "t", "b"))
    return (b - t) * _gap(point, a) / ((b - a) * _gap(point, t))


def theory(point: Point) -> dict[str, Bound]:
    """No t inside is a minimiser: n Var is above a mean of its values at a and b, and so above the lesser one."""
    weight, first, last = _weight(point), _value(point, point["a"]), _value(point, point["b"])
    mean = weight * first + (1 - weight) * last
    return {INSIDE: Bound("greater", mean), FIRST: Bound("greater", ZERO), LAST: Bound("greater", ZERO)}


def computed(point: Point) -> dict[str, Any]:
    """Formula (6) at t, and the weights."""
    weight = _weight(point)
    return {INSIDE: _value(point, point["t"]), FIRST: weight, LAST: 1 - weight}


def mutant(point: Point) -> dict[str, Bound]:
    """Above the value at b."""
    return {**theory(point), INSIDE: Bound("greater", _value(point, point["b"]))}


def proof() -> Anchored:
    """The weights of the mean are in proportion to p00 + p11 - 1 at the ends; both are positive."""
    here = {A: R_OF_T, B: S_OF_T}
    gap = determinant.subs(here, simultaneous=True)
    low, high = sp.symbols("a b")
    weight = gap.subs(T, low) * (high - T) / (gap * (high - low))
    return Anchored(
        Value(of=INSIDE),
        Value(of=FIRST, theory=0, computed=weight),
        Value(of=LAST, theory=0, computed=1 - weight),
        steps=[Step(gap.subs(T, t) > 0) for t in (low, T, high)],
    )


CLAIM = Claim(
    id="holohan2016.lemma-3",
    source=f"{PAPER}, Lemma 3",
    place=(6, 2),
    printed=r"Let $r_\delta$ and $s_\delta$ be given by (22), let $\delta>0$ and let $a\le b\in[0,1]$. Then, "
    r"$\operatorname{arg\,min}_{t\in[a,b]}\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)"
    r"\subseteq\{a,b\}$.",
    precise="For epsilon >= 0, delta > 0, 0 < pi < 1 and 0 <= a < t < b <= 1 the formula (6) at (r(t), s(t)) is larger "
    "than a mean of its values at a and b, with weights that are positive and sum to 1. So it is larger than the "
    "lesser of the two, and every minimiser over [a, b] is a or b; for a = b there is nothing to prove. (For t < t0 "
    "the formula is evaluated although r(t) > 1.)",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "pi": Domain.interval("prevalence", 0, 1, also=("1/4", "1/2")),
        "a": Domain.interval("0 <= a <= 1", 0, 1, also=("1/2",)),
        "b": Domain.interval("0 <= b <= 1", 0, 1, also=("3/4",)),
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("2/3",)),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("a < t < b", "a < t and t < b"),
        Condition("0 < pi < 1 (stated before Section V)", "0 < pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="It is also true for epsilon = 0, where the variance is a strictly concave parabola, and for pi = 0 and 1.",
)
