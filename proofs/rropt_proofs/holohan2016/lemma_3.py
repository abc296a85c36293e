"""Lemma 3: along a boundary segment the least variance is at an end."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, ArgMinEnds, Claim, Condition, Domain, Point, Step
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    at,
    determinant,
    n_variance,
    rational_roots,
    variance_along,
)


def theory(point: Point) -> frozenset[Fraction]:
    return frozenset({Fraction(point["a"]), Fraction(point["b"])})


def computed(point: Point) -> frozenset[Fraction]:
    """All t in [a, b] of least n Var(r(t), s(t)), among the endpoints and all zeros of the derivative."""
    above, below = variance_along(*(Fraction(point[name]) for name in ("gamma", "delta", "pi")))
    low, high = Fraction(point["a"]), Fraction(point["b"])
    zeros = rational_roots(above.derivative() * below - above * below.derivative())
    values = {t: at(above, t) / at(below, t) for t in (low, high, *(t for t in zeros if low < t < high))}
    return frozenset(t for t, value in values.items() if value == min(values.values()))


def mutant(point: Point) -> frozenset[Fraction]:
    """Always the upper end."""
    return frozenset({Fraction(point["b"])})


def _value(point: Point, t: Fraction) -> Fraction:
    above, below = variance_along(*(Fraction(point[name]) for name in ("gamma", "delta", "pi")))
    return at(above, t) / at(below, t)


def proof() -> Anchored:
    """The value exceeds a mean of those at the endpoints, its weights in proportion to p00 + p11 - 1 there."""
    here = {A: R_OF_T, B: S_OF_T}
    gap = determinant.subs(here, simultaneous=True)
    low, high = sp.symbols("a b")
    weight = gap.subs(T, low) * (high - T) / (gap * (high - low))
    objective = n_variance.subs(here, simultaneous=True)
    return Anchored(
        ArgMinEnds(objective, "t", low, high, weight, _value),
        steps=[Step(gap.subs(T, low) > 0), Step(gap.subs(T, high) > 0)],
    )


CLAIM = Claim(
    id="holohan2016.lemma-3",
    source=f"{PAPER}, Lemma 3",
    place=(6, 2),
    printed=r"Let $r_\delta$ and $s_\delta$ be given by (22), let $\delta>0$ and let $a\le b\in[0,1]$. Then, "
    r"$\operatorname{arg\,min}_{t\in[a,b]}\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)"
    r"\subseteq\{a,b\}$.",
    precise="For epsilon >= 0, delta > 0, 0 < pi < 1 and 0 <= a <= b <= 1 every t in [a, b] at which the formula (6) "
    "at (r(t), s(t)) is least is a or b. (For t < t0 the formula is evaluated although r(t) > 1.)",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "pi": Domain.interval("prevalence", 0, 1, also=("1/4", "1/2")),
        "a": Domain.interval("0 <= a <= 1", 0, 1, also=("1/2",)),
        "b": Domain.interval("0 <= b <= 1", 0, 1, also=("3/4",)),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("a <= b", "a <= b"),
        Condition("0 < pi < 1 (stated before Section V)", "0 < pi < 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="contained",
    proof=proof,
    notes="It is also true for epsilon = 0, where the variance is a strictly concave parabola, and for pi = 0 and 1.",
)
