"""Lemma 4: the two boundary segments compared, with the difference formula."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import N
from rropt_proofs.holohan2016._segments import R, S, estimator_variance, n_variance_of, segment_at


def _difference(point: Point) -> Fraction:
    gamma, delta, pi, t = (Fraction(point[name]) for name in ("gamma", "delta", "pi", "t"))
    below = (gamma * (gamma - 1) * t + delta * (1 - t + gamma * (1 + t))) * point["n"]
    return -(gamma + 1) * (gamma + delta) * (1 - 2 * pi) * (1 - t) / below


def theory(point: Point) -> dict[str, Any]:
    return {"difference": _difference(point), "at most 0": Bound("at-most", 0), "at least 0": Bound("at-least", 0)}


def computed(point: Point) -> dict[str, Any]:
    """Both variances from the distribution of the number of answers 1."""
    r, s = segment_at(point, Fraction(point["t"]))
    pi = Fraction(point["pi"])
    first, second = (estimator_variance(design, pi, point["n"]) for design in ((r, s), (s, r)))
    difference = first - second
    return {
        "difference": difference,
        "at most 0": difference if 2 * pi <= 1 else Fraction(0),  # is said for pi <= 1/2
        "at least 0": difference if 2 * pi >= 1 else Fraction(0),  # is said for pi >= 1/2
    }


def mutant(point: Point) -> dict[str, Any]:
    """Without the factor gamma + 1."""
    return {**theory(point), "difference": _difference(point) / (point["gamma"] + 1)}


def proof() -> Anchored:
    first, second = n_variance_of((R, S)) / N, n_variance_of((S, R)) / N
    return Anchored(
        Value(of="difference", computed=first - second),
        Value(of="at most 0", computed=first - second, where="pi <= 1/2"),
        Value(of="at most 0", computed=0, where="pi > 1/2"),
        Value(of="at least 0", computed=first - second, where="pi >= 1/2"),
        Value(of="at least 0", computed=0, where="pi < 1/2"),
    )


CLAIM = Claim(
    id="holohan2016.lemma-4",
    source=f"{PAPER}, Lemma 4 with the formula of its proof",
    place=(6, 6),
    printed=r"Let $r_\delta$ and $s_\delta$ be given by (22) and let $\delta>0$. Then, when $\pi\le\frac12$, "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)\le\operatorname{Var}(\hat\Pi(s_\delta(t)"
    r",r_\delta(t))|\pi)$, for $t\in[0,1]$. Conversely, if $\pi\ge\frac12$, then "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)\ge\operatorname{Var}(\hat\Pi(s_\delta(t)"
    r",r_\delta(t))|\pi)$, for $t\in[0,1]$. [...] After manipulation of the terms, we can show that "
    r"$\operatorname{Var}(\hat\Pi(r_\delta(t),s_\delta(t))|\pi)-\operatorname{Var}(\hat\Pi(s_\delta(t)"
    r",r_\delta(t))|\pi)=-\frac{(e^\epsilon+1)(e^\epsilon+\delta)(1-2\pi)(1-t)}{(e^\epsilon(e^\epsilon-1)"
    r"t+\delta(1-t+e^\epsilon(1+t)))n}$.",
    precise="For epsilon >= 0, 0 < delta <= 1, 0 <= pi <= 1 and 0 <= t <= 1, "
    "with (r, s) of equation (22), Var(r, s) - Var(s, r) equals the fraction, is <= 0 if pi <= 1/2 and >= 0 if "
    "pi >= 1/2. Where t < t0 the point is no design, and Var means formula (6).",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("0 <= pi <= 1", 0, 1, also=("1/4", "1/2")),
        "t": Domain.interval("0 <= t <= 1", 0, 1, also=("1/2",)),
        "n": Domain.values("respondents", 1, 3),
    },
    assumptions=(Condition("delta > 0", "delta > 0"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
