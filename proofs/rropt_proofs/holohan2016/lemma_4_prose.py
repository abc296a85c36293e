"""The sentence that introduces Lemma 4: which segment has the greater error."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PI, variance_at, variance_working
from rropt_proofs.holohan2016._segments import R, S, T, n_variance_of, segment_at, t0_at


def theory(point: Point) -> Fraction:
    """The error along (11b)."""
    r, s = segment_at(point, Fraction(point["t"]))
    return variance_at((s, r), Fraction(point["pi"]))


def computed(point: Point) -> Fraction:
    """The error along (11a)."""
    return variance_at(segment_at(point, Fraction(point["t"])), Fraction(point["pi"]))


def mutant(point: Point) -> Fraction:
    """One percent less than the error along (11b)."""
    return theory(point) * Fraction(99, 100)


HYPOTHESES = [
    Hypothesis(GAMMA - 1),
    Hypothesis(DELTA, strict=True),
    Hypothesis(T),
    Hypothesis(1 - T),
    Hypothesis(1 - 2 * PI),
]


def proof() -> Proof:
    numerator = (GAMMA + 1) * (GAMMA + DELTA) * (1 - 2 * PI) * (1 - T)
    below = GAMMA * (GAMMA - 1) * T + DELTA * (1 - T + GAMMA * (1 + T))
    return Proof(
        scope="all epsilon >= 0, delta > 0, 0 <= pi <= 1/2, 0 <= t <= 1",
        argument="Var along (11b) minus Var along (11a) is a fraction with numerator >= 0 and denominator > 0; it is 0 "
        "only for pi = 1/2 or t = 1.",
        certificates=(
            ("the difference", prove_identity(n_variance_of((S, R)) - n_variance_of((R, S)), numerator / below)),
            ("its numerator is >= 0", prove_positive(numerator, HYPOTHESES, degree=4)),
            ("its denominator is > 0", prove_positive(below, HYPOTHESES[:4], strict=True, degree=3)),
        ),
    )


def mutant_proof() -> object:
    """The sentence as printed."""
    return prove_positive(-(GAMMA + DELTA) * (1 - 2 * PI) * (1 - T), [*HYPOTHESES, Hypothesis(PI)], degree=3)


def working(point: Point) -> str:
    """n Var at both designs."""
    (r, s), pi = segment_at(point, Fraction(point["t"])), Fraction(point["pi"])
    return (
        f"(11a) is tight at (r(t), s(t)): {variance_working((r, s), pi)}\n(11b) is tight at (s(t), r(t)): "
        f"{variance_working((s, r), pi)}"
    )


CLAIM = Claim(
    id="holohan2016.lemma-4-prose",
    source="Holohan, Leith and Mason (2016), Section VI-A, the sentence before Lemma 4",
    printed=r"The error of $\hat\Pi$ along the boundary constrained by (11a) is uniformly greater than along the "
    r"boundary constrained by (11b) when $\pi\le\frac12$.",
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
        Condition("delta > 0", lambda p: p["delta"] > 0),
        Condition("0 < pi <= 1/2", lambda p: 0 < p["pi"] <= Fraction(1, 2)),
        Condition("t0 <= t <= 1: the designs are in R'", lambda p: t0_at(p) <= p["t"] <= 1),
    ),
    theory=theory,
    computed=computed,
    strength="at-least",
    mutant=mutant,
    correction=Correction(
        r"It is nowhere greater: for $\pi\le\frac12$ the error along (11a) is at most the error along (11b), as Lemma "
        r"4 itself says, with equality only for $\pi=\frac12$ or $t=1$.",
        theory,
        strength="at-most",
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes="The sentence has the direction of pi >= 1/2. Theorem 3 uses the lemma, not the sentence.",
)
