"""The sentence that introduces Lemma 4: which segment has the greater error."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Anchored, Bound, Claim, Condition, Correction, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import variance_at, variance_working
from rropt_proofs.holohan2016._segments import T0, R, S, T, n_variance_of, segment_at


def theory(point: Point) -> Fraction:
    """The error along (11b)."""
    r, s = segment_at(point, Fraction(point["t"]))
    return variance_at((s, r), Fraction(point["pi"]))


def computed(point: Point) -> Fraction:
    """The error along (11a)."""
    return variance_at(segment_at(point, Fraction(point["t"])), Fraction(point["pi"]))


def mutant(point: Point) -> Any:
    """The error along (11a) is less for t = 1 too."""
    return theory(point) if point["pi"] == Fraction(1, 2) else Bound("less", theory(point))


def corrected(point: Point) -> Any:
    """Less than the error along (11b), and equal to it only for pi = 1/2 or t = 1."""
    equal = point["pi"] == Fraction(1, 2) or point["t"] == 1
    return theory(point) if equal else Bound("less", theory(point))


def proof() -> Anchored:
    """The difference is a fraction with (1 - 2 pi)(1 - t) in the numerator, everything else positive."""
    first, second = n_variance_of((R, S)), n_variance_of((S, R))
    return Anchored(*(Value(second, first, where=case) for case in ("pi < 1/2 and t < 1", "pi == 1/2", "t == 1")))


def working(point: Point) -> str:
    """n Var at both designs."""
    (r, s), pi = segment_at(point, Fraction(point["t"])), Fraction(point["pi"])
    return (
        f"(11a) is tight at (r(t), s(t)): {variance_working((r, s), pi)}\n(11b) is tight at (s(t), r(t)): "
        f"{variance_working((s, r), pi)}"
    )


CLAIM = Claim(
    id="holohan2016.lemma-4-prose",
    source=f"{PAPER}, Section VI-A, the sentence before Lemma 4",
    place=(6, 5),
    printed=r"We next show that the error of $\hat\Pi$ along the boundary constrained by (11a) is uniformly greater "
    r"than along the boundary constrained by (11b) when $\pi\le\frac12$.",
    precise="For 0 < pi <= 1/2 and every t with t0 <= t <= 1 (the segment inside the unit square): n Var at "
    "(r(t), s(t)), where (11a) is tight, is at least n Var at its mirror image (s(t), r(t)), where (11b) is tight. "
    "(`Greater` is read as `at least`, in favour of the sentence.)",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("0 <= pi <= 1/2", 0, "1/2", also=("1/100", "1/4")),
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2", "3/4")),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("0 < pi <= 1/2", "0 < pi <= 1/2"),
        Condition("t0 <= t <= 1: the designs are in R'", sp.And(T0 <= T, T <= 1)),
    ),
    theory=theory,
    computed=computed,
    strength="at-least",
    mutant=mutant,
    correction=Correction(
        r"It is nowhere greater: for $\pi\le\frac12$ the error along (11a) is at most the error along (11b), as Lemma "
        r"4 itself says, with equality only for $\pi=\frac12$ or $t=1$.",
        corrected,
        strength="equality",
    ),
    proof=proof,
    working=working,
    notes="The sentence has the direction of pi >= 1/2. Theorem 3 uses the lemma, not the sentence.",
)
