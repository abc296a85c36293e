"""Lemma 3: along a boundary segment the least variance is at an end."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PAPER,
    PRIVATE,
    R_OF_T,
    S_OF_T,
    A,
    B,
    T,
    at,
    rational_roots,
    variance_along,
    yes_probability,
)

LOW, HIGH, L0, L1, D0, D1 = sp.symbols("low high l0 l1 d0 d1")


def theory(point: Point) -> frozenset[Fraction]:
    return frozenset({Fraction(point["a"]), Fraction(point["b"])})


def computed(point: Point) -> frozenset[Fraction]:
    """All t in [a, b] of least n Var(r(t), s(t)), among the ends and all zeros of the derivative."""
    above, below = variance_along(*(Fraction(point[name]) for name in ("gamma", "delta", "pi")))
    low, high = Fraction(point["a"]), Fraction(point["b"])
    zeros = rational_roots(above.derivative() * below - above * below.derivative())
    values = {t: at(above, t) / at(below, t) for t in (low, high, *(t for t in zeros if low < t < high))}
    return frozenset(t for t, value in values.items() if value == min(values.values()))


def mutant(point: Point) -> frozenset[Fraction]:
    """Always the upper end."""
    return frozenset({Fraction(point["b"])})


def _along(t: Any) -> tuple[Any, Any]:
    """Pr(X = 1) and p00 + p11 - 1, affine in t, with general coefficients."""
    return L0 + L1 * t, D0 + D1 * t


def _chord() -> tuple[object, object]:
    """The excess of the variance at t over a mean of its values at the ends, and what it is identically."""
    (yes, gap), (yes_a, gap_a), (yes_b, gap_b) = _along(T), _along(LOW), _along(HIGH)
    value, at_a, at_b = (y * (1 - y) / d**2 for y, d in ((yes, gap), (yes_a, gap_a), (yes_b, gap_b)))
    weight = gap_a * (HIGH - T) / (gap * (HIGH - LOW))
    other = gap_b * (T - LOW) / (gap * (HIGH - LOW))
    turn = L1 * D0 - L0 * D1
    return value - weight * at_a - other * at_b, turn * (turn + D1) * (HIGH - T) * (T - LOW) / (gap_a * gap_b * gap**2)


def proof() -> Proof:
    here = {A: R_OF_T, B: S_OF_T}
    yes = sp.expand(yes_probability.subs(here, simultaneous=True))
    gap = sp.expand(R_OF_T + S_OF_T - 1)
    actual = {
        L0: yes.subs(T, 0),
        L1: yes.subs(T, 1) - yes.subs(T, 0),
        D0: gap.subs(T, 0),
        D1: gap.subs(T, 1) - gap.subs(T, 0),
    }
    turn, corner = L1 * D0 - L0 * D1, (GAMMA + DELTA) / (GAMMA + 1)
    private = [Hypothesis(GAMMA - 1), Hypothesis(DELTA, strict=True)]
    left, right = _chord()
    gap_a, gap_b, gap_t = (D0 + D1 * t for t in (LOW, HIGH, T))
    return Proof(
        scope="all epsilon >= 0, delta > 0, 0 <= pi <= 1, 0 <= a <= b <= 1",
        argument="Along the segment lambda = Pr(X = 1) and D = p00 + p11 - 1 are affine in t, and D > 0 for t >= 0. "
        "Let a < t < b. With the weights D(a)(b - t)/(D(t)(b - a)) and D(b)(t - a)/(D(t)(b - a)), which are positive "
        "and sum to 1, the value of n Var at t exceeds the mean of its values at a and b by "
        "w (w + D') (b - t)(t - a)/(D(a) D(b) D(t)^2), w = lambda' D(0) - lambda(0) D', whatever lambda and D are. "
        "Here w = delta q/gamma and w + D' = (gamma + delta - 1) q/gamma, q = (gamma + delta)/(gamma + 1), so the "
        "excess is positive: n Var(t) is greater than the smaller of the values at the ends. For a = b there is "
        "nothing to prove.",
        certificates=(
            ("the excess over the chord", prove_identity(left, right)),
            (
                "the weights sum to 1",
                prove_identity(gap_a * (HIGH - T) + gap_b * (T - LOW), gap_t * (HIGH - LOW)),
            ),
            ("w", prove_identity(turn.subs(actual, simultaneous=True), DELTA * corner / GAMMA)),
            (
                "w + D'",
                prove_identity((turn + D1).subs(actual, simultaneous=True), (GAMMA + DELTA - 1) * corner / GAMMA),
            ),
            (
                "gamma (gamma + 1) D",
                prove_identity(GAMMA * (GAMMA + 1) * gap, (GAMMA + DELTA) * (GAMMA - 1) * T + DELTA * (GAMMA + 1)),
            ),
            (
                "D > 0 for t >= 0",
                prove_positive(
                    (GAMMA + DELTA) * (GAMMA - 1) * T + DELTA * (GAMMA + 1),
                    [*private, Hypothesis(T)],
                    strict=True,
                    degree=3,
                ),
            ),
            (
                "the excess is positive",
                prove_positive(
                    DELTA * (GAMMA + DELTA - 1) * (HIGH - T) * (T - LOW),
                    [*private, Hypothesis(HIGH - T, strict=True), Hypothesis(T - LOW, strict=True)],
                    strict=True,
                    degree=4,
                ),
            ),
        ),
    )


def mutant_proof() -> object:
    """The opposite curvature."""
    hypotheses = [Hypothesis(GAMMA - 1), Hypothesis(DELTA), Hypothesis(HIGH - T), Hypothesis(T - LOW)]
    return prove_positive(-DELTA * (GAMMA + DELTA - 1) * (HIGH - T) * (T - LOW), hypotheses, degree=4)


CLAIM = Claim(
    id="holohan2016.lemma-3",
    source=f"{PAPER}, Lemma 3",
    printed=r"Let $\delta>0$ and $a\le b\in[0,1]$. Then $\operatorname{arg\,min}_{t\in[a,b]}"
    r"\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)\subseteq\{a,b\}$.",
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
        Condition("delta > 0", lambda p: p["delta"] > 0),
        Condition("a <= b", lambda p: p["a"] <= p["b"]),
        Condition("0 < pi < 1 (stated before Section V)", lambda p: 0 < p["pi"] < 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="contained",
    proof=proof,
    mutant_proof=mutant_proof,
    notes="It is also true for epsilon = 0, where the variance is a strictly concave parabola, and for pi = 0 and 1.",
)
