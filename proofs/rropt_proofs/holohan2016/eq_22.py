"""Equation (22): the parametrisation of R'' by t in [0, 1], and the extreme point t = 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from rropt.claims import Claim, Correction, Domain, Point, Proof
from rropt.claims.outcomes import value_text
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
    Design,
    T,
    boundary_design,
    no_slack,
    on_tight_boundary,
    some_slack,
    yes_slack,
)
from rropt_proofs.holohan2016.region_segments import tight_piece


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["gamma"]), Fraction(point["delta"]), Fraction(point["t"])


def _statement(point: Point, *, inside: bool, extreme: bool) -> dict[str, object]:
    gamma, delta, t = _numbers(point)
    corner = (gamma + delta) / (gamma + 1)
    return {
        "r(t), s(t)": (1 - (corner * t - delta) / gamma, corner * t),  # by the second printed form of r
        "(r(t), s(t)) in R''": inside,
        "(s(t), r(t)) in R''": inside,
        "designs of R'' are reached": True,
        "t = 1": (corner, corner),
        "t = 1 is tight in both": True,
        "t = 1 is an extreme point of R'": extreme,
    }


def theory(point: Point) -> dict[str, object]:
    """Every t in [0, 1] gives designs of R'', and t = 1 an extreme point."""
    return _statement(point, inside=True, extreme=True)


def computed(point: Point) -> dict[str, object]:
    gamma, delta, t = _numbers(point)
    design, corner = boundary_design(gamma, delta, t), boundary_design(gamma, delta, Fraction(1))
    return {
        "r(t), s(t)": design,
        "(r(t), s(t)) in R''": on_tight_boundary(design, gamma, delta),
        "(s(t), r(t)) in R''": on_tight_boundary(design[::-1], gamma, delta),
        "designs of R'' are reached": _reached(gamma, delta, t),
        "t = 1": corner,
        "t = 1 is tight in both": corner[1] == gamma * (1 - corner[0]) + delta
        and corner[0] == gamma * (1 - corner[1]) + delta,
        "t = 1 is an extreme point of R'": _is_vertex(corner, gamma, delta),
    }


def _reached(gamma: Fraction, delta: Fraction, share: Fraction) -> bool:
    """Return whether a design inside the piece (11a) of R'' has a parameter in [t0, 1], here or exchanged."""
    _, low, high = tight_piece(gamma, delta)
    p00 = low + (high - low) * (1 + share) / 3
    first = t0(gamma, delta)
    for b in (gamma * (1 - p00) + delta, p00):
        t = b * (gamma + 1) / (gamma + delta)
        other = (gamma * (1 - p00) + delta + p00) - b
        if first <= t <= 1 and boundary_design(gamma, delta, t) == (other, b):
            return True
    return False


def t0(gamma: Fraction, delta: Fraction) -> Fraction:
    """Return the parameter at which p00 = r(t) is 1."""
    return delta * (gamma + 1) / (gamma + delta)


def _is_vertex(design: Design, gamma: Fraction, delta: Fraction) -> bool:
    """Return whether two independent inequalities of R' are tight at a design of R'."""
    a, b = design
    rows = (
        ((1, 0), 1 - a),
        ((0, 1), 1 - b),
        ((gamma, 1), gamma * (1 - a) + delta - b),
        ((1, gamma), gamma * (1 - b) + delta - a),
    )
    tight = [row for row, slack in rows if slack == 0]
    return any(p[0] * q[1] != p[1] * q[0] for p, q in combinations(tight, 2))


def corrected(point: Point) -> dict[str, object]:
    gamma, delta, t = _numbers(point)
    return _statement(point, inside=t > 0 and t >= t0(gamma, delta), extreme=gamma > 1 or delta == 1)


def mutant(point: Point) -> dict[str, object]:
    """t > delta in the place of t >= t0."""
    gamma, delta, t = _numbers(point)
    return _statement(point, inside=t > delta, extreme=gamma > 1 or delta == 1)


def proof() -> Proof:
    here = {A: R_OF_T, B: S_OF_T}
    corner = GAMMA + DELTA
    first = (1 + DELTA / GAMMA) * (1 - T) + corner / (GAMMA + 1) * T
    gap = corner * (GAMMA - 1) * T + DELTA * (GAMMA + 1)
    private = [Hypothesis(GAMMA - 1), Hypothesis(DELTA)]
    end = (A + B - 1 - DELTA).subs({A: S_OF_T.subs(T, 1), B: S_OF_T.subs(T, 1)})
    return Proof(
        scope="all epsilon >= 0, 0 <= delta <= 1, not both 0",
        argument="Both forms of r agree. On (r(t), s(t)) the inequality (11a) is tight for every t, r <= 1 means "
        "t >= t0, (11b) has the slack (gamma - 1)(gamma + delta)(1 - t)/gamma >= 0 for t <= 1, then s <= 1, and "
        "p00 + p11 - 1 is a positive multiple of (gamma + delta)(gamma - 1) t + delta (gamma + 1), which is positive "
        "for t > 0, or for t = 0 < delta. So for t in [0, 1] the design is in R'' exactly when t >= t0 and t > 0. "
        "Conversely a design with (11a) tight has a parameter t, which is <= 1 if gamma > 1; if gamma = 1 both "
        "inequalities are the same, the two coordinates sum to 1 + delta, and the design or the exchanged one has "
        "t <= 1. At t = 1 two inequalities are tight whose normals (gamma, 1), (1, gamma) are independent for "
        "gamma > 1. For gamma = 1 and delta < 1 the point is the middle of (1, delta) and (delta, 1), both in R'; for "
        "delta = 1 it is the corner (1, 1).",
        certificates=(
            ("both forms of r", prove_identity(first, R_OF_T)),
            ("(11a) is tight", prove_identity(yes_slack.subs(here, simultaneous=True), 0)),
            (
                "the slack of (11b)",
                prove_identity(no_slack.subs(here, simultaneous=True), (GAMMA - 1) * corner * (1 - T) / GAMMA),
            ),
            (
                "r <= 1 from t0 on",
                prove_identity(1 - R_OF_T, (corner * T - DELTA * (GAMMA + 1)) / (GAMMA * (GAMMA + 1))),
            ),
            ("p00 + p11 - 1", prove_identity(R_OF_T + S_OF_T - 1, gap / (GAMMA * (GAMMA + 1)))),
            (
                "p00 + p11 > 1 for delta > 0",
                prove_positive(
                    gap,
                    [Hypothesis(GAMMA - 1), Hypothesis(DELTA, strict=True), Hypothesis(T)],
                    strict=True,
                    degree=3,
                ),
            ),
            (
                "p00 + p11 > 1 for gamma > 1, t > 0",
                prove_positive(
                    gap,
                    [Hypothesis(GAMMA - 1, strict=True), Hypothesis(DELTA), Hypothesis(T, strict=True)],
                    strict=True,
                    degree=3,
                ),
            ),
            ("s(1) <= 1", prove_positive(GAMMA + 1 - corner, [*private, Hypothesis(1 - DELTA)], degree=1)),
            ("r(1) = s(1)", prove_identity(R_OF_T.subs(T, 1), corner / (GAMMA + 1))),
            (
                "independent normals for gamma > 1",
                prove_positive(GAMMA**2 - 1, [Hypothesis(GAMMA - 1, strict=True)], strict=True, degree=2),
            ),
            ("the middle of (1, delta) and (delta, 1) for gamma = 1", prove_identity(end.subs(GAMMA, 1), 0)),
        ),
        unchecked_steps=("an affine inequality in t is solved by its sign at the ends",),
    )


def mutant_proof() -> object:
    """r <= 1 already from t = delta on."""
    hypotheses = [Hypothesis(GAMMA - 1), Hypothesis(DELTA), Hypothesis(1 - DELTA), Hypothesis(T - DELTA)]
    return prove_positive((GAMMA + DELTA) * T - DELTA * (GAMMA + 1), hypotheses, degree=3)


def working(point: Point) -> str:
    """The coordinates, t0, and what keeps the designs out of R''."""
    gamma, delta, t = _numbers(point)
    r, s = boundary_design(gamma, delta, t)
    steps = [
        f"s(t) = t (gamma + delta)/(gamma + 1) = {value_text(s)}",
        f"r(t) = 1 - (s(t) - delta)/gamma = {value_text(r)}",
        f"t0 = delta (gamma + 1)/(gamma + delta) = {value_text(t0(gamma, delta))}",
    ]
    if r > 1:
        steps.append("r(t) > 1 is no probability, so that neither design is in R''")
    if r + s <= 1:
        steps.append(f"r(t) + s(t) = {value_text(r + s)} is not above 1, so that neither design is in R''")
    if gamma == 1 and delta < 1:
        steps.append("t = 1 is the middle of (1, delta) and (delta, 1), both in R', hence no extreme point")
    return "\n".join(steps)


CLAIM = Claim(
    id="holohan2016.eq-22",
    source=f"{PAPER}, equation (22) and the paragraph after it",
    printed=r"We parametrise $\mathcal R''$: with "
    r"$r_\delta(t)=(1+e^{-\epsilon}\delta)(1-t)+\frac{e^\epsilon+\delta}{e^\epsilon+1}t=1-e^{-\epsilon}(s_\delta(t)-\delta)$,"
    r" $s_\delta(t)=\frac{e^\epsilon+\delta}{e^\epsilon+1}t$ for $t\in[0,1]$, the boundary where (11a) holds is "
    r"$p_{00}=r_\delta(t)$, $p_{11}=s_\delta(t)$; that where (11b) holds is $p_{00}=s_\delta(t)$, "
    r"$p_{11}=r_\delta(t)$. "
    r"$t=1$ denotes an extreme point of $\mathcal R'$, at which both are tight, "
    r"$p_{00}=p_{11}=\frac{e^\epsilon+\delta}{e^\epsilon+1}$.",
    precise="The two forms of r agree; for every t in [0, 1] both designs are in R'', and every design of R'' is one "
    "of them; t = 1 is the printed design, tight in (11a) and (11b), and an extreme point of R'.",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2", "99/100")),
    },
    defined=(some_slack,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$\mathcal R''$ is the set of $(r_\delta(t),s_\delta(t))$ and $(s_\delta(t),r_\delta(t))$ for $t_0\le t\le1$, "
        r"$t>0$, where $t_0=\frac{\delta(e^\epsilon+1)}{e^\epsilon+\delta}$ (for $t<t_0$, $r_\delta(t)>1$ is no "
        r"probability). Both forms of $r_\delta$ agree, and $t=1$ is an extreme point of $\mathcal R'$ if and only if "
        r"$\epsilon>0$ or $\delta=1$.",
        corrected,
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes="The range [0, 1] belongs to delta = 0, where t = 0 alone drops out. The paper itself says after Lemma 5 "
    "that t < t0 leaves R', yet evaluates (r(0), s(0)) in Example 1. At epsilon = 0 the inequalities (11a) and (11b) "
    "are one, and t = 1 is the middle of an edge.",
)
