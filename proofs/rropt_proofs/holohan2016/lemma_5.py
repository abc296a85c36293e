"""Lemma 5: t0, the end point (1, delta), and the two remarks after it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.certificates import Certificate
from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, A, B, determinant, no_slack, yes_slack
from rropt_proofs.holohan2016._segments import (
    CORNER,
    T0,
    R,
    S,
    T,
    corner_at,
    in_region,
    on_boundary,
    segment_at,
    t0_at,
)

SILENT = None  # nothing is said
RANGE, END, BOUNDARY, DELTA_ZERO, SEGMENT_PART = (
    "t0 is in [0, 1]",
    "(r(t0), s(t0))",
    "(r(t0), s(t0)) is in the boundary of R'",
    "first remark: (r(t0), s(t0)) is in R'",
    "second remark: (r(t), s(t)) is in R'",
)


def _says(point: Point, threshold: Fraction) -> Any:
    t = Fraction(point["t"])
    part = point["part"]
    if part == END:
        return Fraction(1), Fraction(point["delta"])
    if part == DELTA_ZERO:
        return SILENT if point["delta"] else False
    if part == SEGMENT_PART:
        return SILENT if t == threshold or t > 1 else t > threshold
    return True


def theory(point: Point) -> Any:
    return _says(point, t0_at(point))


def computed(point: Point) -> Any:
    gamma, delta, t = (Fraction(point[name]) for name in ("gamma", "delta", "t"))
    t0, end = t0_at(point), corner_at(point)
    inside = in_region(segment_at(point, t), gamma, delta)
    facts = {
        RANGE: 0 <= t0 <= 1,
        END: end,
        BOUNDARY: on_boundary(end, gamma, delta),
        DELTA_ZERO: SILENT if delta else in_region(end, gamma, delta),
        SEGMENT_PART: SILENT if t == t0 or t > 1 else inside,
    }
    return facts[point["part"]]


def mutant(point: Point) -> Any:
    """The threshold delta in the place of t0."""
    return _says(point, Fraction(point["delta"]))


LEVEL = [Hypothesis(GAMMA - 1), Hypothesis(DELTA), Hypothesis(1 - DELTA)]
SEGMENT = [*LEVEL, Hypothesis(T), Hypothesis(1 - T)]


def _at(form: sp.Expr, design: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    return form.subs({A: design[0], B: design[1]}, simultaneous=True)


def _end_point() -> tuple[tuple[str, Certificate], ...]:
    return (
        ("1 - t0", prove_identity(1 - T0, GAMMA * (1 - DELTA) / (GAMMA + DELTA))),
        ("delta (gamma + 1) >= 0", prove_positive(DELTA * (GAMMA + 1), LEVEL, degree=2)),
        ("gamma (1 - delta) >= 0", prove_positive(GAMMA * (1 - DELTA), LEVEL, degree=2)),
        ("r(t0) = 1", prove_identity(R.subs(T, T0), sp.Integer(1))),
        ("s(t0) = delta", prove_identity(S.subs(T, T0), DELTA)),
        ("(11a) is tight at (1, delta)", prove_identity(_at(yes_slack, CORNER), sp.Integer(0))),
        ("(11b) holds at (1, delta)", prove_positive(sp.expand(_at(no_slack, CORNER)), LEVEL, degree=2)),
        ("p00 + p11 - 1 = delta at (1, delta)", prove_identity(_at(determinant, CORNER), DELTA)),
    )


def _segment() -> tuple[tuple[str, Certificate], ...]:
    drop = (GAMMA + DELTA) / (GAMMA * (GAMMA + 1))
    rest = (GAMMA - 1) * (GAMMA + DELTA) * T + DELTA * (GAMMA + 1)
    return (
        ("1 - r(t) has the sign of t - t0", prove_identity(1 - R, drop * (T - T0))),
        ("1 - s(t)", prove_identity(1 - S, ((GAMMA + 1) * (1 - T) + (1 - DELTA) * T) / (GAMMA + 1))),
        ("1 - s(t) >= 0", prove_positive((GAMMA + 1) * (1 - T) + (1 - DELTA) * T, SEGMENT, degree=2)),
        ("(11a) is tight at (r, s)", prove_identity(_at(yes_slack, (R, S)), sp.Integer(0))),
        (
            "the slack of (11b) at (r, s)",
            prove_identity(_at(no_slack, (R, S)), (GAMMA - 1) * (GAMMA + DELTA) * (1 - T) / GAMMA),
        ),
        (
            "the slack of (11b) is >= 0",
            prove_positive((GAMMA - 1) * (GAMMA + DELTA) * (1 - T), SEGMENT, degree=3),
        ),
        ("r + s - 1", prove_identity(R + S - 1, rest / (GAMMA * (GAMMA + 1)))),
        (
            "r + s > 1 if delta > 0",
            prove_positive(rest, [Hypothesis(DELTA, strict=True), *SEGMENT], strict=True, degree=3),
        ),
        (
            "r + s > 1 if epsilon > 0 and t > 0",
            prove_positive(
                rest,
                [Hypothesis(GAMMA - 1, strict=True), Hypothesis(DELTA), Hypothesis(T, strict=True)],
                strict=True,
                degree=3,
            ),
        ),
    )


def proof() -> Proof:
    return Proof(
        scope="all epsilon >= 0, 0 <= delta <= 1, not both epsilon = 0 and delta = 0",
        argument="t0 = delta (gamma + 1)/(gamma + delta) and 1 - t0 are fractions of nonnegative numbers. At t0 the "
        "point is (1, delta): p00 <= 1 and (11a) are tight, (11b) holds, p00 + p11 - 1 = delta. If delta > 0 it is in "
        "R', and if delta = 0 it is not, but the limit of (r(t), s(t)), t -> 0+, which are; in both cases p00 > 1 is "
        "near, so it is a boundary point. For t < t0, r(t) > 1 is not allowed; for t0 < t <= 1 all inequalities of R' "
        "hold: r <= 1, s <= 1, (11a) tight, (11b), r + s > 1 (t > t0 = 0 if delta = 0).",
        certificates=(*_end_point(), *_segment()),
        unchecked_steps=(
            "a limit of points of R' that has points with p00 > 1 near it is in the boundary of R'",
            "a fraction with positive denominator has the sign of its numerator",
        ),
    )


def mutant_proof() -> object:
    """t0 <= 1 without delta <= 1."""
    return prove_positive(GAMMA * (1 - DELTA), [Hypothesis(GAMMA - 1), Hypothesis(DELTA)], degree=3)


def working(point: Point) -> str:
    """t0, the design in question, and what must be >= 0 (the last > 0) for it to be in R'."""
    gamma, delta, t0 = Fraction(point["gamma"]), Fraction(point["delta"]), t0_at(point)
    first = (
        f"t0 = delta (gamma + 1)/(gamma + delta) = ({value_text(delta)})({value_text(gamma + 1)})/"
        f"({value_text(gamma + delta)}) = {value_text(t0)}"
    )
    if point["part"] == RANGE:
        return first
    t = Fraction(point["t"]) if point["part"] == SEGMENT_PART else t0
    a, b = segment_at(point, t)
    slacks = {
        "1 - p00": 1 - a,
        "1 - p11": 1 - b,
        "gamma (1 - p00) + delta - p11": gamma * (1 - a) + delta - b,
        "gamma (1 - p11) + delta - p00": gamma * (1 - b) + delta - a,
        "p00 + p11 - 1": a + b - 1,
    }
    listed = ", ".join(f"{name} = {value_text(value)}" for name, value in slacks.items())
    return f"{first}\nat t = {value_text(t)} the point (p00, p11) is {value_text((a, b))}: {listed}"


CLAIM = Claim(
    id="holohan2016.lemma-5",
    source="Holohan, Leith and Mason (2016), Lemma 5 and the two remarks after it",
    printed=r"Define $t_0:\mathbb R\times\mathbb R\to[0,1]$ by "
    r"$t_0(\epsilon,\delta)=\frac{\delta(e^\epsilon+1)}{e^\epsilon+\delta}$; then $(r_\delta(t_0),s_\delta(t_0))"
    r"\in\partial\mathcal R'$. When $\delta=0$ it is not in $\mathcal R'$. $(r_\delta(t),s_\delta(t))\in\mathcal R'$ "
    r"for all $t_0<t\le1$, and $\notin\mathcal R'$ when $t<t_0$.",
    precise="For all real epsilon and delta: 0 <= t0 <= 1; (r(t0), s(t0)) = (1, delta) lies in the boundary of R'; if "
    "delta = 0 it is not in R'; (r(t), s(t)) is in R' for t0 < t <= 1 and not for t < t0 (t = t0 is left open).",
    variables={
        "gamma": Domain(
            "gamma = exp(epsilon) > 0", tuple(map(Fraction, ("1/2", "1", "2", "1000"))), Domain.odds().draw
        ),
        "delta": Domain.interval("real", "-1/4", 2, also=(0, "1/100", "1/4", 1)),
        "t": Domain.interval("real, -1 <= t <= 1", -1, 1, also=(0, "1/3", "1/2")),
        "part": Domain.values("the assertions", RANGE, END, BOUNDARY, DELTA_ZERO, SEGMENT_PART),
    },
    defined=(Condition("e^epsilon + delta is not 0", lambda p: p["gamma"] + p["delta"] != 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$t_0:[0,\infty)\times[0,1]\to[0,1]$ (on $\mathbb R\times\mathbb R$ it takes values outside $[0,1]$, for "
        r"example $t_0(0,2)=\frac43$); for $\epsilon\ge0$, $0\le\delta\le1$ and not $\epsilon=\delta=0$, where "
        r"$\mathcal R'$ is empty, the end point and both remarks are right, and for $\delta>0$ the end point, "
        r"$t=t_0$, is itself in $\mathcal R'$.",
        theory,
        conditions=(
            Condition("epsilon >= 0", lambda p: p["gamma"] >= 1),
            Condition("0 <= delta <= 1", lambda p: 0 <= p["delta"] <= 1),
            Condition("not epsilon = delta = 0, where R' is empty", lambda p: p["gamma"] != 1 or p["delta"] != 0),
        ),
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes="The verdict is `fails` because a range that the statement itself names, R x R, must change: t0 maps it "
    "outside [0, 1], the other range that it names. For every privacy level, epsilon >= 0 and 0 <= delta <= 1, except "
    "epsilon = delta = 0, everything that the lemma and its remarks say is true. At epsilon = delta = 0 the region R' "
    "is empty: it has no boundary points, and no (r(t), s(t)) is in it, although t0 = 0 < t. For epsilon < 0 and "
    "0 < delta < 1, (1, delta) violates (11b).",
)
