"""Equation (22): the parametrisation of R'' by t in [0, 1], and the extreme point t = 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from rropt.claims import Anchored, Bound, Claim, Correction, Domain, Point, Step, Truth, Value
from rropt.claims.outcomes import value_text
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PRIVATE,
    S_OF_T,
    A,
    B,
    Design,
    T,
    boundary_design,
    no_slack,
    on_tight_boundary,
    yes_slack,
)
from rropt_proofs.holohan2016.region_segments import tight_piece

TIGHT_A, TIGHT_B = "slack of (11a) at (r(t), s(t))", "slack of (11b) at (s(t), r(t))"
MIDDLE = "t = 1 is no extreme point of R'"
BETWEEN = "t = 1 is no extreme point of R''"
CORNER = (GAMMA + DELTA) / (GAMMA + 1)
START = DELTA * (GAMMA + 1) / (GAMMA + DELTA)


def _numbers(point: Point) -> tuple[Fraction, Fraction, Fraction]:
    return Fraction(point["gamma"]), Fraction(point["delta"]), Fraction(point["t"])


def _statement(point: Point, *, inside: bool, extreme: bool) -> dict[str, object]:
    gamma, delta, t = _numbers(point)
    corner = (gamma + delta) / (gamma + 1)
    return {
        "r(t)": 1 - (corner * t - delta) / gamma,  # by the second printed form of r
        "s(t)": corner * t,
        TIGHT_A: Fraction(0),
        TIGHT_B: Fraction(0),
        "(r(t), s(t)) in R''": inside,
        "(s(t), r(t)) in R''": inside,
        "parameter of a design of R''": Bound("at-least", t0(gamma, delta)),
        "1 - parameter of a design of R''": Bound("at-least", 0),
        "p00 of a design of R''": Fraction(0),
        "t = 1, p00": corner,
        "t = 1, p11": corner,
        "t = 1 is tight in (11a)": Fraction(0),
        "t = 1 is tight in (11b)": Fraction(0),
        MIDDLE: not extreme,
        BETWEEN: not extreme,
    }


def theory(point: Point) -> dict[str, object]:
    """Every t in [0, 1] gives designs of R'', and t = 1 an extreme point of R' and of R''."""
    return _statement(point, inside=True, extreme=True)


def computed(point: Point) -> dict[str, object]:
    """Membership by the definition (9), designs of R'' by solving its inequalities, vertices by tight ones."""
    gamma, delta, t = _numbers(point)
    design, corner = boundary_design(gamma, delta, t), boundary_design(gamma, delta, Fraction(1))
    inside, parameter = _of_the_boundary(gamma, delta, t)
    return {
        "r(t)": design[0],
        "s(t)": design[1],
        TIGHT_A: gamma * (1 - design[0]) + delta - design[1],
        TIGHT_B: gamma * (1 - design[0]) + delta - design[1],  # of the exchanged design
        "(r(t), s(t)) in R''": on_tight_boundary(design, gamma, delta),
        "(s(t), r(t)) in R''": on_tight_boundary(design[::-1], gamma, delta),
        "parameter of a design of R''": parameter,
        "1 - parameter of a design of R''": 1 - parameter,
        "p00 of a design of R''": boundary_design(gamma, delta, parameter)[0] - inside[0],
        "t = 1, p00": corner[0],
        "t = 1, p11": corner[1],
        "t = 1 is tight in (11a)": gamma * (1 - corner[0]) + delta - corner[1],
        "t = 1 is tight in (11b)": gamma * (1 - corner[1]) + delta - corner[0],
        MIDDLE: not _is_vertex(corner, gamma, delta),
        BETWEEN: _is_between_ends(gamma, delta),
    }


def _of_the_boundary(gamma: Fraction, delta: Fraction, share: Fraction) -> tuple[Design, Fraction]:
    """Return the design at a proportion of the piece (11a), exchanged where p11 is large, and the parameter of its
    p11."""
    _, low, high = tight_piece(gamma, delta)
    p00 = low + (high - low) * share
    p11 = gamma * (1 - p00) + delta
    if p11 > (gamma + delta) / (gamma + 1):  # for gamma = 1 both pieces are one
        p00, p11 = p11, p00
    return (p00, p11), p11 * (gamma + 1) / (gamma + delta)


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


def _is_between_ends(gamma: Fraction, delta: Fraction) -> bool:
    """Return whether t = 1 lies between two designs of R'', one of each piece: no turn there, and opposite directions.

    From t = 1, p00 = p11 = m, the pieces go up to p00 = 1 and p11 = 1; they have no length if m = 1.
    """
    first, second = (Fraction(1), -gamma), (-gamma, Fraction(1))
    turn = first[0] * second[1] - first[1] * second[0]
    opposite = first[0] * second[0] + first[1] * second[1] < 0
    return (gamma + delta) / (gamma + 1) < 1 and turn == 0 and opposite


def corrected(point: Point) -> dict[str, object]:
    gamma, delta, t = _numbers(point)
    return _statement(
        point, inside=t > 0 and t >= t0(gamma, delta) and gamma - 1 + delta > 0, extreme=gamma > 1 or delta == 1
    )


def mutant(point: Point) -> dict[str, object]:
    """t > delta in the place of t >= t0."""
    gamma, delta, t = _numbers(point)
    return _statement(point, inside=t > delta, extreme=gamma > 1 or delta == 1)


def proof() -> Anchored:
    """(11a) is tight on (r(t), s(t)); the slack of (11b) is (gamma - 1)(gamma + delta)(1 - t)/gamma."""
    first = (1 + DELTA / GAMMA) * (1 - T) + CORNER * T
    here, there = {A: first, B: S_OF_T}, {A: S_OF_T, B: first}
    allowed = [A <= 1, B <= 1, A >= 0, B >= 0, yes_slack >= 0, no_slack >= 0]
    above_one = (GAMMA - 1) * (GAMMA + DELTA) * T + DELTA * (GAMMA + 1) > 0  # p00 + p11 > 1 times gamma (gamma + 1)
    inside = [[T > 0, above_one, *(part.subs(to, simultaneous=True) for part in allowed)] for to in (here, there)]
    said = (T >= START, T > 0, GAMMA * (GAMMA - 1 + 2 * DELTA) > 0)  # not gamma - 1 = delta = 0
    at_one = {A: CORNER, B: CORNER}
    reached = []
    for case, low, exchanged in (
        ("gamma > 1", CORNER, False),
        ("gamma == 1 and t >= 1/2", DELTA, False),
        ("gamma == 1 and t < 1/2", DELTA, True),
    ):
        p00 = low + (1 - low) * T
        p11 = GAMMA * (1 - p00) + DELTA
        a, b = (p11, p00) if exchanged else (p00, p11)
        parameter = b / CORNER
        reached += [
            Value(START, parameter, of="parameter of a design of R''", where=case),
            Value(0, 1 - parameter, of="1 - parameter of a design of R''", where=case),
            Value(0, 1 - (CORNER * parameter - DELTA) / GAMMA - a, of="p00 of a design of R''", where=case),
        ]
    return Anchored(
        Value(1 - (S_OF_T - DELTA) / GAMMA, first, of="r(t)"),
        Value(S_OF_T, S_OF_T, of="s(t)"),
        Value(0, yes_slack.subs(here, simultaneous=True), of=TIGHT_A),
        Value(0, no_slack.subs(there, simultaneous=True), of=TIGHT_B),
        Truth(of="(r(t), s(t)) in R''", theory=said, computed=inside[0], degree=3),
        Truth(of="(s(t), r(t)) in R''", theory=said, computed=inside[1], degree=3),
        *reached,
        Value(CORNER, first.subs(T, 1), of="t = 1, p00"),
        Value(CORNER, S_OF_T.subs(T, 1), of="t = 1, p11"),
        Value(0, yes_slack.subs(at_one), of="t = 1 is tight in (11a)"),
        Value(0, no_slack.subs(at_one), of="t = 1 is tight in (11b)"),
        # the normals (gamma, 1), (1, gamma) of the two tight inequalities are dependent, and p00, p11 <= 1 are slack
        Truth(of=MIDDLE, theory="gamma**2 <= 1 and delta < 1", computed=(GAMMA**2 <= 1, CORNER < 1)),
        Truth(of=BETWEEN, theory="gamma**2 <= 1 and delta < 1", computed=(GAMMA**2 <= 1, CORNER < 1)),
        steps=[Step((GAMMA - 1) * (GAMMA + DELTA) * (1 - T) >= 0, degree=3)],
        argument="For gamma = 1 the coordinates of a design of R'' sum to 1 + delta, so that it or the exchanged one "
        "has a parameter that is at most 1.",
    )


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
    place=(6, 1),
    printed=r"We parametrise $\mathcal R''$ as follows. If we let "
    r"$r_\delta(t)=\left(1+e^{-\epsilon}\delta\right)(1-t)+\frac{e^\epsilon+\delta}{e^\epsilon+1}t$, (22) "
    r"$=1-e^{-\epsilon}(s_\delta(t)-\delta)$, $s_\delta(t)=\frac{e^\epsilon+\delta}{e^\epsilon+1}t$, for "
    r"$t\in[0,1]$, then the boundary where (11a) holds is parametrised by $p_{00}=r_\delta(t)$ and "
    r"$p_{11}=s_\delta(t)$; by symmetry, the boundary where (11b) holds is parametrised by "
    r"$p_{00}=s_\delta(t)$ and $p_{11}=r_\delta(t)$. We note that $t=1$ denotes an extreme point of $\mathcal "
    r"R'$ (and $\mathcal R''$), the point at which both inequalities (11) are tight. Here "
    r"$p_{00}=p_{11}=r_\delta(1)=s_\delta(1)=\frac{e^\epsilon+\delta}{e^\epsilon+1}$.",
    precise="The two forms of r agree; for every t in [0, 1] both designs are in R'', (11a) tight at the first and "
    "(11b) at the second, and every design of R'' is one of them; "
    "t = 1 is the printed design, tight in (11a) and (11b), an extreme point of R' (a vertex), and one of R'' "
    "(between no two designs of R'').",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2", "99/100")),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$\mathcal R''$ is the set of $(r_\delta(t),s_\delta(t))$ and $(s_\delta(t),r_\delta(t))$ for $t_0\le t\le1$, "
        r"$t>0$, where $t_0=\frac{\delta(e^\epsilon+1)}{e^\epsilon+\delta}$ (for $t<t_0$, $r_\delta(t)>1$ is no "
        r"probability); at $\epsilon=\delta=0$, where all of them have $p_{00}+p_{11}=1$, it is empty. Both forms of "
        r"$r_\delta$ agree, and $t=1$ is an extreme point of $\mathcal R'$, and of $\mathcal R''$, if and only if "
        r"$\epsilon>0$ or $\delta=1$.",
        corrected,
    ),
    proof=proof,
    working=working,
    notes="The range [0, 1] belongs to delta = 0, where t = 0 alone drops out. The paper itself says after Lemma 5 "
    "that t < t0 leaves R', yet evaluates (r(0), s(0)) in Example 1. At epsilon = 0 the inequalities (11a) and (11b) "
    "are one, and t = 1 is the middle of an edge.",
)
