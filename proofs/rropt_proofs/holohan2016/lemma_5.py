"""Lemma 5: t0, the end point (1, delta), and the two remarks after it."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Domain, Min, Point, Reading, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import DELTA, A, B, Design, determinant, no_slack, yes_slack
from rropt_proofs.holohan2016._segments import T0, R, S, T, segment_at, t0_at

ZERO = Fraction(0)
SLACKS = {
    "1 - p00": 1 - A,
    "1 - p11": 1 - B,
    "gamma (1 - p00) + delta - p11": yes_slack,
    "gamma (1 - p11) + delta - p00": no_slack,
}
U, V = sp.symbols("u v")


def theory(point: Point) -> dict[str, Fraction | Bound]:
    inside = Bound("at-least", ZERO)
    return {
        "t0, from below": inside,
        "t0, from above": Bound("at-most", Fraction(1)),
        "p00 at t0": Fraction(1),
        "p11 at t0": Fraction(point["delta"]),
        "R' is not empty: p00 + p11 - 1 at t = 1": Bound("greater", ZERO),
        "the boundary: the least slack at t0": ZERO,
        "p00 + p11 - 1 at t0": Bound("greater" if point["delta"] else "at-most", ZERO),
        "the least slack at t > t0": inside,
        "p00 + p11 - 1 at t > t0": Bound("greater", ZERO),
        "1 - p00 at t < t0": Bound("less", ZERO),
    }


def _slacks(point: Point, design: Design) -> list[Fraction]:
    """What is at least 0 in R'."""
    (a, b), gamma, delta = design, Fraction(point["gamma"]), Fraction(point["delta"])
    return [1 - a, 1 - b, gamma * (1 - a) + delta - b, gamma * (1 - b) + delta - a]


def computed(point: Point) -> dict[str, Fraction]:
    """The inequalities of R' at the points of (22) for t0, for a t above it and for one below it."""
    t0 = t0_at(point)
    end, last = segment_at(point, t0), segment_at(point, Fraction(1))
    above, below = segment_at(point, t0 + point["u"] * (1 - t0)), segment_at(point, t0 - point["v"])
    return {
        "t0, from below": t0,
        "t0, from above": t0,
        "p00 at t0": end[0],
        "p11 at t0": end[1],
        "R' is not empty: p00 + p11 - 1 at t = 1": Fraction(sum(last) - 1),
        "the boundary: the least slack at t0": min(*_slacks(point, end), Fraction(sum(end) - 1)),
        "p00 + p11 - 1 at t0": Fraction(sum(end) - 1),
        "the least slack at t > t0": min(_slacks(point, above)),
        "p00 + p11 - 1 at t > t0": Fraction(sum(above) - 1),
        "1 - p00 at t < t0": 1 - below[0],
    }


def mutant(point: Point) -> dict[str, Fraction | Bound]:
    """A threshold a little below t0."""
    return {**theory(point), "t0, from above": Bound("at-most", Fraction(99, 100))}


def proof() -> Anchored:
    end, last, above, below = (
        {A: R.subs(T, t), B: S.subs(T, t)} for t in (T0, sp.Integer(1), T0 + U * (1 - T0), T0 - V)
    )
    gap = "p00 + p11 - 1 at t0"
    slacks = SLACKS.values()
    return Anchored(
        Value(of="t0, from below", theory=0, computed=T0),
        Value(of="t0, from above", theory=1, computed=T0),
        Value(of="p00 at t0", theory=1, computed=end[A]),
        Value(of="p11 at t0", theory=DELTA, computed=end[B]),
        Value(of="R' is not empty: p00 + p11 - 1 at t = 1", theory=0, computed=determinant.subs(last)),
        Value(
            of="the boundary: the least slack at t0",
            theory=0,
            computed=Min(*(slack.subs(end) for slack in (*slacks, determinant))),
        ),
        Value(of=gap, theory=0, computed=determinant.subs(end), where="delta > 0"),
        Value(of=gap, theory=0, computed=determinant.subs(end), where="delta == 0"),
        Value(of="the least slack at t > t0", theory=0, computed=Min(*(slack.subs(above) for slack in slacks))),
        Value(of="p00 + p11 - 1 at t > t0", theory=0, computed=determinant.subs(above)),
        Value(of="1 - p00 at t < t0", theory=0, computed=1 - below[A]),
        argument="t0 = delta (gamma + 1)/(gamma + delta) and 1 - t0 = gamma (1 - delta)/(gamma + delta). At t0 the "
        "point is (1, delta): p00 <= 1 and (11a) are tight, (11b) holds, p00 + p11 - 1 = delta. The boundary of a "
        "polygon that is not empty is where its inequalities hold, the strict one as >=, with one tight. 1 - r(t) has "
        "the sign of t - t0.",
    )


def working(point: Point) -> str:
    """The slacks at the end point and on both sides of it; all must be >= 0 (the last > 0) for R'."""
    gamma, delta, t0 = Fraction(point["gamma"]), Fraction(point["delta"]), t0_at(point)
    lines = [
        f"t0 = delta (gamma + 1)/(gamma + delta) = ({value_text(delta)})({value_text(gamma + 1)})/"
        f"({value_text(gamma + delta)}) = {value_text(t0)}"
    ]
    for t in (t0, t0 + point["u"] * (1 - t0), t0 - point["v"]):
        design = segment_at(point, t)
        slacks = dict(zip((*SLACKS, "p00 + p11 - 1"), (*_slacks(point, design), sum(design) - 1), strict=True))
        listed = ", ".join(f"{name} = {value_text(value)}" for name, value in slacks.items())
        lines.append(f"at t = {value_text(t)} the point (p00, p11) is {value_text(design)}: {listed}")
    return "\n".join(lines)


AWAY = Condition("u > 0 and v > 0: t is not t0", "u > 0 and v > 0")
SOME_LEVEL = Condition("not epsilon = delta = 0: there R' is empty", lambda p: p["gamma"] != 1 or p["delta"] != 0)
LEVELS = (
    Condition("epsilon >= 0", "gamma >= 1"),
    Condition("0 <= delta <= 1", "0 <= delta <= 1"),
    Condition("not epsilon = delta = 0, where R' is empty", "gamma - 1 + delta > 0"),
)
CLAIM = Claim(
    id="holohan2016.lemma-5",
    source=f"{PAPER}, Lemma 5 and the two remarks after it",
    place=(6, 7),
    printed=r"Define $t_0:\mathbb R\times\mathbb R\to[0,1]$ by "
    r"$t_0(\epsilon,\delta)=\frac{\delta(e^\epsilon+1)}{e^\epsilon+\delta}$, then, "
    r"$(r_\delta(t_0(\epsilon,\delta)),s_\delta(t_0(\epsilon,\delta)))\in\partial\mathcal R'$. [...] Remark: "
    r"When $\delta=0$, "
    r"$\left(r_\delta(t_0(\epsilon,\delta)),s_\delta(t_0(\epsilon,\delta))\right)\notin\mathcal R'$, since we "
    r"require $r_\delta+s_\delta>1$. Remark: By linearity, it follows that "
    r"$(r_\delta(t),s_\delta(t))\in\mathcal R'$ for all $t_0(\epsilon,\delta)<t\le1$, and that "
    r"$(r_\delta(t),s_\delta(t))\notin\mathcal R'$ when $t<t_0(\epsilon,\delta)$.",
    precise="For all epsilon and delta of the range, but epsilon = delta = 0: 0 <= t0 <= 1; (r(t0), "
    "s(t0)) = (1, delta) lies in the boundary of R': R' is not empty, and at that point its inequalities "
    "hold, the strict one as >=, with one tight. If delta = 0 it is not in R'. (r(t), s(t)) is in R' for "
    "t0 < t <= 1, that is t = t0 + u (1 - t0) with 0 < u <= 1, and not for t < t0, that is t = t0 - v "
    "with v > 0 (t = t0 is left open).",
    variables={
        "gamma": Domain(
            "gamma = exp(epsilon) > 0", tuple(map(Fraction, ("1/2", "1", "2", "1000"))), Domain.odds().draw
        ),
        "delta": Domain.interval("real", "-1/4", 2, also=(0, "1/100", "1/4", 1)),
        "u": Domain.interval("0 < u <= 1, t = t0 + u (1 - t0)", 0, 1, also=("1/3",)),
        "v": Domain(
            "v > 0, t = t0 - v",
            (Fraction(0), Fraction(1, 1000), Fraction(1)),
            lambda rng: Fraction(rng.randint(1, 90), 30),
            "x >= 0",
        ),
    },
    assumptions=(AWAY, SOME_LEVEL),
    defined=(Condition("e^epsilon + delta is not 0", "gamma + delta != 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$t_0:[0,\infty)\times[0,1]\to[0,1]$ (on $\mathbb R\times\mathbb R$ it takes values outside $[0,1]$, for "
        r"example $t_0(0,2)=\frac43$); for $\epsilon\ge0$, $0\le\delta\le1$ and not $\epsilon=\delta=0$, where "
        r"$\mathcal R'$ is empty, the end point and both remarks are right, and for $\delta>0$ the end point, "
        r"$t=t_0$, is itself in $\mathcal R'$.",
        theory,
        conditions=LEVELS,
    ),
    proof=proof,
    working=working,
    readings=(
        Reading(
            "for privacy levels: epsilon at least 0, delta from 0 to 1",
            r"If $D$ is assumed to be discrete, the mechanism $X_{\mathbf d}$ is said to satisfy ($\epsilon$,"
            r"$\delta$)-differential privacy if",
            {"assumptions": (AWAY, SOME_LEVEL, *LEVELS), "correction": None},
        ),
        Reading(
            "for all real numbers epsilon and delta, where Theorem 3 has its function g too",
            r"define $g:\mathbb R\times\mathbb R\to\mathbb R$ by",
        ),
    ),
    notes="For every privacy level, except epsilon = delta = 0 where nothing can be estimated, all that the lemma and "
    "its remarks say is true. Only the range that is printed, R x R, is too wide: t0 maps it outside [0, 1], for "
    "example at epsilon = 0, delta = 2. At epsilon = delta = 0, which the paper excludes elsewhere, the region R' is "
    "empty and has no boundary.",
)
