"""R'' as the union of two line segments."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    DELTA,
    GAMMA,
    PRIVATE,
    A,
    B,
    Design,
    no_slack,
    some_slack,
    yes_slack,
)

UPPER = "its upper end, p00"
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


def _on_line(point: Point, p00: Fraction) -> Design:
    return p00, Fraction(point["gamma"]) * (1 - p00) + Fraction(point["delta"])


def theory(point: Point) -> dict[str, Any]:
    """The piece of (11a) is a segment: it has two ends, is in R' between them, and not beyond; and that of (11b)."""
    return {
        "length": Bound("greater", 0),
        "its upper end, p00": Fraction(1),
        "between the ends: p00": Bound("at-least", 0),
        "between the ends: p11": Bound("at-least", 0),
        "between the ends: 1 - p11": Bound("at-least", 0),
        "between the ends: the slack of (11b)": Bound("at-least", 0),
        "between the ends: p00 + p11 - 1": Bound("greater", 0),
        "below the lower end: the slack of (11b), or 1 - p11": Bound("less", 0),
        "exchanged: the slack of (11a)": no_slack_at(point, _on_line(point, Fraction(point["x"]))),
    }


def no_slack_at(point: Point, design: Design) -> Fraction:
    """Return the slack of (11b) at a design."""
    return Fraction(point["gamma"]) * (1 - design[1]) + Fraction(point["delta"]) - design[0]


def computed(point: Point) -> dict[str, Any]:
    """The piece, solved from all inequalities; the design at a proportion x of its length, and x below its lower
    end."""
    gamma, delta, x = (Fraction(point[name]) for name in ("gamma", "delta", "x"))
    _, low, high = tight_piece(gamma, delta)
    between, below, (b, a) = (_on_line(point, p) for p in (low + x * (high - low), low - x, x))
    return {
        "length": high - low,
        "its upper end, p00": high,
        "between the ends: p00": between[0],
        "between the ends: p11": between[1],
        "between the ends: 1 - p11": 1 - between[1],
        "between the ends: the slack of (11b)": no_slack_at(point, between),
        "between the ends: p00 + p11 - 1": sum(between) - 1,
        "below the lower end: the slack of (11b), or 1 - p11": no_slack_at(point, below) if gamma > 1 else 1 - below[1],
        "exchanged: the slack of (11a)": gamma * (1 - a) + delta - b,
    }


def mutant(point: Point) -> dict[str, Any]:
    """(11b) is slack by at least 1/100 between the endpoints."""
    return {**theory(point), "between the ends: the slack of (11b)": Bound("at-least", Fraction(1, 100))}


def proof() -> Anchored:
    """The lower end is where (11b) is tight; for gamma = 1, where (11a) and (11b) are one line, where p11 = 1."""
    x, shapes = sp.Symbol("x"), []
    for case, low in (("gamma > 1", (GAMMA + DELTA) / (GAMMA + 1)), ("gamma == 1", DELTA)):
        between = low + x * (1 - low)
        p11, beyond = (GAMMA * (1 - p) + DELTA for p in (between, low - x))
        forms = {
            "length": 1 - low,
            "its upper end, p00": sp.Integer(1),
            "between the ends: p00": between,
            "between the ends: p11": p11,
            "between the ends: 1 - p11": 1 - p11,
            "between the ends: the slack of (11b)": no_slack.subs({A: between, B: p11}, simultaneous=True),
            "between the ends: p00 + p11 - 1": between + p11 - 1,
            "below the lower end: the slack of (11b), or 1 - p11": 1 - beyond
            if case == "gamma == 1"
            else no_slack.subs({A: low - x, B: beyond}, simultaneous=True),
        }
        forms = {name: form.subs(GAMMA, 1) if case == "gamma == 1" else form for name, form in forms.items()}
        shapes += [Value(of=name, computed=form, theory=int(name == UPPER), where=case) for name, form in forms.items()]
    line = {A: GAMMA * (1 - x) + DELTA, B: x}
    exchanged = no_slack.subs({A: x, B: line[A]}, simultaneous=True), yes_slack.subs(line, simultaneous=True)
    return Anchored(*shapes, Value(*exchanged, of="exchanged: the slack of (11a)"))


CLAIM = Claim(
    id="holohan2016.region-segments",
    source=f"{PAPER}, the sentence on R'' before (13)",
    place=(3, 4),
    printed=r"The set $\mathcal R''$ therefore consists of the union of two line segments in the unit square, where "
    "(11a) and (11b) are tight.",
    precise="For every epsilon >= 0 and 0 <= delta <= 1 the part of R' on which (11a) is tight is a segment with two "
    "different ends (an end on p00 + p11 = 1 is not in it), and so is the part on which (11b) is tight.",
    variables={
        "gamma": PRIVATE["gamma"],
        "delta": PRIVATE["delta"],
        "x": Domain.interval("a share of the length", 0, 1, also=("1/100", "1/2")),
    },
    assumptions=(Condition("0 < x < 1", "0 < x < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    missing=(some_slack, Condition("delta < 1", "delta < 1")),
    proof=proof,
    notes="At epsilon = delta = 0 nothing is private and useful: R' and R'' are empty. At delta = 1 every mechanism is "
    "private and R'' is the one point (1, 1), direct questioning. For delta = 0 each segment lacks its end on "
    "p00 + p11 = 1, and for epsilon = 0 the two segments are one and the same.",
)
