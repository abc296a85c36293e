"""The remark after Theorem 2: epsilon = 0 leaves nothing to estimate."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Truth, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PI,
    A,
    B,
    determinant,
    is_private,
    n_variance,
    no_slack,
    variance_at,
    yes_slack,
)

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "3/4"))
P00, P11, BOUND = sp.symbols("p00 p11 bound")


def theory(point: Point) -> dict[str, Any]:
    """0-differential privacy means identical rows; then the answer says nothing, and the error has no bound."""
    equal_rows, bound = point["p00"] == 1 - point["p11"], Fraction(point["bound"])
    return {
        "0-private": equal_rows,
        "the same answers for all pi": equal_rows,
        "p00 + p11 - 1 nearby": Bound("at-most", 1 / bound),
        "n Var nearby": Bound("at-least", bound),
    }


def computed(point: Point) -> dict[str, Any]:
    """The definition (9) at epsilon = delta = 0; the distribution at pi = 0 and 1; the error near such a design."""
    a, b, share = Fraction(point["p00"]), Fraction(point["p11"]), _share(point)
    near = ((1 - share) * a + share, (1 - share) * (1 - a) + share)  # now and then direct questioning
    return {
        "0-private": is_private((a, b), Fraction(1), Fraction(0)),
        "the same answers for all pi": _yes(a, b, Fraction(0)) == _yes(a, b, Fraction(1)),
        "p00 + p11 - 1 nearby": sum(near) - 1,
        "n Var nearby": variance_at(near, Fraction(point["pi"])),
    }


def _yes(a: Fraction, b: Fraction, pi: Fraction) -> Fraction:
    """Return Pr(X = 1) at a prevalence; it is linear in the prevalence, so two prevalences say all."""
    return (1 - pi) * (1 - a) + pi * b


def _share(point: Point) -> Fraction:
    """Return the probability of direct questioning: ``m/(m + bound)`` with ``m = pi (1 - pi)``."""
    pi = Fraction(point["pi"])
    return pi * (1 - pi) / (pi * (1 - pi) + point["bound"])


def mutant(point: Point) -> dict[str, Any]:
    """p00 = p11 in the place of p00 = 1 - p11."""
    equal = point["p00"] == point["p11"]
    return {**theory(point), "0-private": equal, "the same answers for all pi": equal}


def proof() -> Anchored:
    """With m = pi (1 - pi) and direct questioning of share h = m/(m + bound), h^2 n Var >= h (1 - h) m."""
    m = sp.Symbol("m")
    share = m / (m + BOUND)
    near = {A: (1 - share) * P00 + share, B: (1 - share) * (1 - P00) + share}
    slacks = [slack.subs({GAMMA: 1, DELTA: 0}) for slack in (yes_slack, no_slack)]
    equal = [slack.subs({A: P00, B: P11}) >= 0 for slack in slacks]
    equal += [slack.subs({A: 1 - P00, B: 1 - P11}) >= 0 for slack in slacks]
    return Anchored(
        Truth(of="0-private", theory=equal, computed=equal),
        Truth(of="the same answers for all pi", theory=equal, computed=equal),
        Value(of="p00 + p11 - 1 nearby", theory=1 / BOUND, computed=determinant.subs(near, simultaneous=True)),
        Value(of="n Var nearby", theory=BOUND, computed=n_variance.subs(near, simultaneous=True), degree=4),
        at=lambda point: {"m": PI * (1 - PI)},
        steps=["m > 0", "m <= 1", m <= (1 - P00) * (1 - PI) + P00 * PI],
        argument="The slacks of (11a) and of the third inequality of (11) sum to 0 at gamma = 1, delta = 0. A mixture "
        "of such a design with direct questioning, of share h, has p00 + p11 - 1 = h <= 1/bound.",
    )


CLAIM = Claim(
    id="holohan2016.remark-eps-zero",
    source=f"{PAPER}, the remark after Theorem 2",
    place=(5, 2),
    printed=r"When $\epsilon=0$, all rows of the design matrix must be identical, i. e. $p_{00}=1-p_{11}$ and "
    "$p_{11}=1-p_{00}$. This gives $p_{00}+p_{11}=1$, leading to an unbounded estimator error (6). In "
    "practical terms, $0$-differential privacy enforces the same output distribution for every respondent, "
    "hence nothing meaningful can be learned.",
    precise="Within Section V, where delta = 0 and 0 < pi < 1: a design satisfies (9) at epsilon = 0 exactly when "
    "p00 + p11 = 1, and exactly then the distribution of the answer is the same for every prevalence; (6) then has the "
    "denominator 0, and for every bound M >= 1 it is at least M at a design with 0 < p00 + p11 - 1 <= 1/M, "
    "beside each such design (p00, 1 - p00).",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "pi": Domain.interval("prevalence", 0, 1, also=("1/100", "1/2", "9/10")),
        "bound": Domain(
            "a bound of the error, at least 1",
            (Fraction(1), Fraction(100), Fraction(1000)),
            lambda rng: Fraction(rng.randint(10, 9999), 10),
            "x >= 1",
        ),
    },
    assumptions=(Condition("0 < pi < 1 (stated before Section V)", "0 < pi < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    notes="The remark belongs to delta = 0. At epsilon = 0 with delta > 0 there are useful designs, (1, delta) being "
    "one of them.",
)
