"""Theorem 2: the optimal epsilon-differentially private binary design."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PI,
    PRIVATE,
    A,
    B,
    Design,
    determinant,
    n_variance,
    no_slack,
    optima,
    yes_probability,
    yes_slack,
)


def theory(point: Point) -> frozenset[Design]:
    p = Fraction(point["gamma"]) / (point["gamma"] + 1)
    return frozenset({(p, p)})


def computed(point: Point) -> frozenset[Design]:
    return optima({**point, "delta": 0})


def mutant(point: Point) -> frozenset[Design]:
    """gamma / (gamma + 2) in the place of gamma / (gamma + 1)."""
    p = Fraction(point["gamma"]) / (point["gamma"] + 2)
    return frozenset({(p, p)})


def _excess(best: object) -> object:
    """(gamma - 1)^2 (a + b - 1)^2 times n Var - best, a polynomial."""
    return sp.expand(
        (GAMMA - 1) ** 2 * yes_probability * (1 - yes_probability) - best * (GAMMA - 1) ** 2 * determinant**2
    )


BEST = (1 + PI * (GAMMA - 1)) * (GAMMA - PI * (GAMMA - 1)) / (GAMMA - 1) ** 2
HYPOTHESES = [
    Hypothesis(yes_slack.subs(DELTA, 0)),
    Hypothesis(no_slack.subs(DELTA, 0)),
    Hypothesis(determinant),
    Hypothesis(PI),
    Hypothesis(1 - PI),
    Hypothesis(GAMMA - 1),
]


def _slack_in(which: int) -> list[Hypothesis]:
    """The hypotheses on R' with one of the two inequalities (11) strict."""
    strict = (which, 2)  # and p00 + p11 > 1
    return [Hypothesis(h.polynomial, strict=i in strict) for i, h in enumerate(HYPOTHESES)]


def proof() -> Proof:
    y, n, s = yes_slack.subs(DELTA, 0), no_slack.subs(DELTA, 0), GAMMA - 1
    p = GAMMA / (GAMMA + 1)
    as_sum = y * n + y * determinant * (GAMMA - PI * s) + n * determinant * (1 + PI * s)
    return Proof(
        scope="all epsilon > 0, 0 < pi < 1, all binary designs with p00 + p11 > 1",
        argument="With Y = gamma (1 - p00) - p11 and N = gamma (1 - p11) - p00, the slacks of (11), and "
        "D = p00 + p11 - 1, (gamma - 1)^2 D^2 (n Var - best) = Y N + Y D (gamma - pi (gamma - 1)) "
        "+ N D (1 + pi (gamma - 1)). Every term is nonnegative on the region, and the sum is positive where Y > 0 or "
        "N > 0. For gamma > 1, Y = N = 0 has one solution, the design stated.",
        certificates=(
            ("the excess as a sum", prove_identity(_excess(BEST), as_sum)),
            ("the excess is nonnegative on the region", prove_positive(_excess(BEST), HYPOTHESES)),
            ("the excess is positive where (11a) is slack", prove_positive(_excess(BEST), _slack_in(0), strict=True)),
            ("the excess is positive where (11b) is slack", prove_positive(_excess(BEST), _slack_in(1), strict=True)),
            (
                "the optimum is attained at p00 = p11 = gamma / (gamma + 1)",
                prove_identity(n_variance.subs({A: p, B: p}), BEST),
            ),
            ("Y = 0 there", prove_identity(y.subs({A: p, B: p}), sp.Integer(0))),
            ("N = 0 there", prove_identity(n.subs({A: p, B: p}), sp.Integer(0))),
        ),
        unchecked_steps=("two linear equations with determinant gamma^2 - 1 have one solution",),
    )


def mutant_proof() -> object:
    """A better optimum than the best."""
    return prove_positive(_excess(BEST * sp.Rational(101, 100)), HYPOTHESES)


CLAIM = Claim(
    id="holohan2016.theorem-2",
    source="Holohan, Leith and Mason (2016), Theorem 2",
    printed=r"Let $\pi\in(0,1)$, $p_{00}+p_{11}>1$ and $\epsilon>0$. The $\epsilon$-differentially private "
    r"mechanism which minimises estimator error has $p_{00}=p_{11}=\frac{e^\epsilon}{e^\epsilon+1}$.",
    precise="For gamma = exp(epsilon) > 1 and 0 < pi < 1 the set of designs of least n Var among those with "
    "p00 + p11 > 1 that satisfy (11) with delta = 0 is exactly {(gamma/(gamma+1), gamma/(gamma+1))}.",
    variables={name: PRIVATE[name] for name in ("gamma", "pi")},
    assumptions=(
        Condition("epsilon > 0", lambda p: p["gamma"] > 1),
        Condition("0 < pi < 1", lambda p: 0 < p["pi"] < 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="unique",
    proof=proof,
    mutant_proof=mutant_proof,
)
