"""R'' as the union of two line segments."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
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
    no_slack,
    some_slack,
    yes_slack,
)

Piece = tuple[str, Fraction, Fraction]


def tight_piece(gamma: Fraction, delta: Fraction) -> Piece:
    """Return the part of R' on which (11a) is tight: its kind, and its range of p00.

    Along ``(a, gamma (1 - a) + delta)`` every condition of R' is an affine inequality in a, solved one after another.
    """

    def along(condition: Callable[[Design], Fraction]) -> tuple[Fraction, Fraction]:
        values = [condition((Fraction(a), gamma * (1 - a) + delta)) for a in (0, 1)]
        return values[0], values[1] - values[0]

    weak: list[Callable[[Design], Fraction]] = [
        lambda d: d[0],
        lambda d: d[1],
        lambda d: 1 - d[0],
        lambda d: 1 - d[1],
        lambda d: gamma * (1 - d[1]) + delta - d[0],
        lambda d: gamma * d[1] + delta - (1 - d[0]),
        lambda d: gamma * d[0] + delta - (1 - d[1]),
    ]
    low, high, empty = Fraction(-1), Fraction(2), False  # 0 <= a <= 1 is among the conditions
    for constant, slope in map(along, weak):
        if slope:
            low, high = (max(low, -constant / slope), high) if slope > 0 else (low, min(high, -constant / slope))
        empty = empty or (not slope and constant < 0)
    gap = [a + gamma * (1 - a) + delta - 1 for a in (low, high)]  # p00 + p11 - 1 > 0 is wanted, affine in a
    if empty or low > high or max(gap) <= 0:
        return "nothing", low, high
    return ("one point" if low == high else "a segment"), low, high


def theory(point: Point) -> tuple[str, str]:
    """What is tight in (11a), and what is tight in (11b)."""
    return "a segment", "a segment"


def computed(point: Point) -> tuple[str, str]:
    """Both pieces; the second is the first with the coordinates exchanged, as R' is symmetric."""
    kind, _, _ = tight_piece(Fraction(point["gamma"]), Fraction(point["delta"]))
    return kind, kind


def mutant(point: Point) -> tuple[str, str]:
    """A single point in the place of the second segment."""
    return "a segment", "one point"


def proof() -> Proof:
    gap = R_OF_T + S_OF_T - 1
    exchange = {A: B, B: A}
    here = {A: R_OF_T, B: S_OF_T}
    corner = GAMMA + DELTA
    start = DELTA * (GAMMA + 1)  # t0 times corner
    private = [Hypothesis(GAMMA - 1), Hypothesis(DELTA)]
    cleared = sp.expand(corner * (GAMMA - 1) * T + DELTA * (GAMMA + 1))
    return Proof(
        scope="all epsilon >= 0, 0 <= delta < 1, not both 0",
        argument="The line (11a) is (r(t), s(t)) of (22), t real. On it p00 <= 1 means t >= t0 = "
        "delta (gamma + 1)/(gamma + delta), as 1 - r = (gamma + delta)(t - t0)/(gamma (gamma + 1)). For gamma > 1, "
        "(11b) means t <= 1, as its slack is (gamma - 1)(gamma + delta)(1 - t)/gamma; then p11 <= 1. For gamma = 1 "
        "both lines are one line, and p11 <= 1 means t <= 2/(1 + delta). Moreover p00 + p11 - 1 is a positive multiple "
        "of (gamma + delta)(gamma - 1) t + delta (gamma + 1), positive for delta > 0 and t >= 0, or gamma > 1 and "
        "t > 0. So the piece is t0 <= t <= 1 (gamma = 1: t <= 2/(1 + delta)), without its end t0 = 0 if delta = 0, "
        "and t0 < 1 exactly when delta < 1. Exchanging the coordinates turns (11a) into (11b). For gamma = 1 the two "
        "pieces are the same segment from (1, delta) to (delta, 1).",
        certificates=(
            ("(11a) is tight on (22)", prove_identity(yes_slack.subs(here, simultaneous=True), 0)),
            ("p00 <= 1 from t0 on", prove_identity(1 - R_OF_T, (corner * T - start) / (GAMMA * (GAMMA + 1)))),
            (
                "(11b) up to t = 1",
                prove_identity(no_slack.subs(here, simultaneous=True), (GAMMA - 1) * corner * (1 - T) / GAMMA),
            ),
            ("p00 + p11 - 1", prove_identity(gap, cleared / (GAMMA * (GAMMA + 1)))),
            (
                "p00 + p11 > 1 for delta > 0",
                prove_positive(
                    cleared, [Hypothesis(GAMMA - 1), Hypothesis(DELTA, strict=True), Hypothesis(T)], strict=True
                ),
            ),
            (
                "p00 + p11 > 1 for gamma > 1, t > 0",
                prove_positive(
                    cleared,
                    [Hypothesis(GAMMA - 1, strict=True), Hypothesis(DELTA), Hypothesis(T, strict=True)],
                    strict=True,
                    degree=3,
                ),
            ),
            (
                "p11 <= 1 up to t = 1",
                prove_positive(1 + GAMMA - corner, [*private, Hypothesis(1 - DELTA)], degree=1),
            ),
            (
                "t0 < 1 for delta < 1",
                prove_positive(corner - start, [*private, Hypothesis(1 - DELTA, strict=True)], strict=True, degree=2),
            ),
            ("the exchange", prove_identity(yes_slack.subs(exchange, simultaneous=True), no_slack)),
        ),
        unchecked_steps=("an affine inequality in t is solved by its sign at the ends",),
    )


def mutant_proof() -> object:
    """t0 < 1 for delta = 1 too."""
    hypotheses = [Hypothesis(GAMMA - 1), Hypothesis(DELTA), Hypothesis(1 - DELTA)]
    return prove_positive(GAMMA + DELTA - DELTA * (GAMMA + 1), hypotheses, strict=True, degree=2)


CLAIM = Claim(
    id="holohan2016.region-segments",
    source=f"{PAPER}, the sentence on R'' before (13)",
    printed=r"The set $\mathcal R''$ consists of the union of two line segments in the unit square, where (11a) and "
    r"(11b) are tight.",
    precise="For every epsilon >= 0 and 0 <= delta <= 1 the part of R' on which (11a) is tight is a segment with two "
    "different ends (an end on p00 + p11 = 1 is not in it), and so is the part on which (11b) is tight.",
    variables={"gamma": PRIVATE["gamma"], "delta": PRIVATE["delta"]},
    theory=theory,
    computed=computed,
    mutant=mutant,
    missing=(some_slack, Condition("delta < 1", lambda p: p["delta"] < 1)),
    proof=proof,
    mutant_proof=mutant_proof,
    notes="At epsilon = delta = 0 nothing is private and useful: R' and R'' are empty. At delta = 1 every mechanism is "
    "private and R'' is the one point (1, 1), direct questioning. For delta = 0 each segment lacks its end on "
    "p00 + p11 = 1, and for epsilon = 0 the two segments are one and the same.",
)
