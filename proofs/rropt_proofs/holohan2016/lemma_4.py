"""Lemma 4: the two boundary segments compared, with the difference formula."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PI
from rropt_proofs.holohan2016._segments import R, S, T, estimator_variance, n_variance_of, segment_at


def _difference(point: Point) -> Fraction:
    gamma, delta, pi, t = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "t"))
    below = (gamma * (gamma - 1) * t + delta * (1 - t + gamma * (1 + t))) * point["n"]
    return -(gamma + 1) * (gamma + delta) * (1 - 2 * pi) * (1 - t) / below


def theory(point: Point) -> dict[str, Any]:
    return {"difference": _difference(point), "<= if pi <= 1/2": True, ">= if pi >= 1/2": True}


def computed(point: Point) -> dict[str, Any]:
    """Both variances from the distribution of the number of answers 1."""
    r, s = segment_at(point, Fraction(point["t"]))
    pi = Fraction(point["pi"])
    first, second = (estimator_variance(design, pi, point["n"]) for design in ((r, s), (s, r)))
    return {
        "difference": first - second,
        "<= if pi <= 1/2": 2 * pi > 1 or first <= second,
        ">= if pi >= 1/2": 2 * pi < 1 or first >= second,
    }


def mutant(point: Point) -> dict[str, Any]:
    """Without the factor gamma + 1."""
    return {**theory(point), "difference": _difference(point) / (point["gamma"] + 1)}


POSITIVE = [Hypothesis(GAMMA, strict=True), Hypothesis(DELTA, strict=True), Hypothesis(T), Hypothesis(1 - T)]


def proof() -> Proof:
    numerator = (GAMMA + 1) * (GAMMA + DELTA) * (1 - 2 * PI) * (1 - T)
    below = GAMMA * (GAMMA - 1) * T + DELTA * (1 - T + GAMMA * (1 + T))
    return Proof(
        scope="all real epsilon, delta > 0, 0 <= pi <= 1, 0 <= t <= 1 with p00 + p11 > 1 (for epsilon >= 0: all)",
        argument="The difference is an identity, and its denominator is gamma (gamma + 1)(p00 + p11 - 1) n, which is "
        "positive on the side p00 + p11 > 1 that the paper works on; for epsilon >= 0 it is positive by itself. The "
        "numerator has the sign of -(1 - 2 pi) or is 0.",
        certificates=(
            ("the difference", prove_identity(n_variance_of((R, S)) - n_variance_of((S, R)), -numerator / below)),
            ("its denominator", prove_identity(below, GAMMA * (GAMMA + 1) * (R + S - 1))),
            (
                "the denominator is positive for epsilon >= 0",
                prove_positive(below, [*POSITIVE, Hypothesis(GAMMA - 1)], strict=True, degree=3),
            ),
            ("the sign for pi <= 1/2", prove_positive(numerator, [*POSITIVE, Hypothesis(1 - 2 * PI)], degree=4)),
            ("the sign for pi >= 1/2", prove_positive(-numerator, [*POSITIVE, Hypothesis(2 * PI - 1)], degree=4)),
        ),
        unchecked_steps=("the factor 1/n",),
    )


def mutant_proof() -> object:
    """The other direction."""
    return prove_positive(
        -(GAMMA + DELTA) * (1 - 2 * PI) * (1 - T), [*POSITIVE, Hypothesis(1 - 2 * PI), Hypothesis(PI)], degree=3
    )


CLAIM = Claim(
    id="holohan2016.lemma-4",
    source="Holohan, Leith and Mason (2016), Lemma 4 with the formula of its proof",
    printed=r"Let $\delta>0$ and $t\in[0,1]$. When $\pi\le\frac12$, "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)\le"
    r"\operatorname{Var}(\hat\Pi(s_\delta(t),r_\delta(t))|\pi)$; when $\pi\ge\frac12$, $\ge$. The difference is "
    r"$-\frac{(e^\epsilon+1)(e^\epsilon+\delta)(1-2\pi)(1-t)}"
    r"{(e^\epsilon(e^\epsilon-1)t+\delta(1-t+e^\epsilon(1+t)))n}$.",
    precise="For 0 <= t <= 1, delta > 0 and p00 + p11 > 1 (assumed since Section III, automatic for epsilon >= 0): "
    "with (r, s) of equation (22), Var(r, s) - Var(s, r) equals the fraction, is <= 0 if pi <= 1/2 and >= 0 if "
    "pi >= 1/2. Where t < t0 the point is no design, and Var means formula (6).",
    variables={
        "gamma": Domain(
            "gamma = exp(epsilon) > 0", tuple(map(Fraction, ("1/2", "1", "2", "1000"))), Domain.odds().draw
        ),
        "delta": Domain.interval("delta >= 0", 0, 2, also=("1/100", "1/4", 1)),
        "pi": Domain.interval("0 <= pi <= 1", 0, 1, also=("1/4", "1/2")),
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2",)),
        "n": Domain.values("respondents", 1, 3),
    },
    assumptions=(
        Condition("delta > 0", lambda p: p["delta"] > 0),
        Condition("p00 + p11 > 1 (Section III)", lambda p: sum(segment_at(p, Fraction(p["t"]))) > 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
)
