"""Equation (24): the simplified difference of the two candidate variances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Correction, Domain, Point, Value
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import N
from rropt_proofs.holohan2016._segments import (
    T0,
    R,
    S,
    T,
    corner_at,
    diagonal_at,
    estimator_variance,
    n_variance_of,
)


def _value(point: Point, power: int) -> dict[str, Any]:
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    slope = gamma + 2 * delta - 1
    numerator = (1 - delta) * (pi * slope**power - delta * (gamma + delta))
    return {
        "(24)": numerator / (delta * slope**2 * point["n"]),
        "r(t0)": Fraction(1),
        "1 - s(t0), 0 at delta = 1": 1 - delta,
        "1 - r(1) = 1 - s(1), 0 at delta = 1": (1 - delta) / (gamma + 1),
    }


def theory(point: Point) -> dict[str, Any]:
    return _value(point, 1)


def computed(point: Point) -> dict[str, Any]:
    """Both variances from the distribution of the number of answers 1; the coordinates of both designs by (22)."""
    corner, diagonal, pi = corner_at(point), diagonal_at(point), Fraction(point["pi"])
    difference = estimator_variance(corner, pi, point["n"]) - estimator_variance(diagonal, pi, point["n"])
    return {
        "(24)": difference,
        "r(t0)": corner[0],
        "1 - s(t0), 0 at delta = 1": 1 - corner[1],
        "1 - r(1) = 1 - s(1), 0 at delta = 1": 1 - diagonal[0],
    }


def corrected(point: Point) -> dict[str, Any]:
    return _value(point, 2)


def mutant(point: Point) -> dict[str, Any]:
    """The cube in the place of the square."""
    return _value(point, 3)


def proof() -> Anchored:
    corner, diagonal = ((R.subs(T, t), S.subs(T, t)) for t in (T0, 1))
    return Anchored(
        Value(of="(24)", computed=(n_variance_of(corner) - n_variance_of(diagonal)) / N),
        Value(of="r(t0)", computed=corner[0]),
        Value(of="1 - s(t0), 0 at delta = 1", computed=1 - corner[1]),
        Value(of="1 - r(1) = 1 - s(1), 0 at delta = 1", computed=1 - diagonal[0]),
    )


CLAIM = Claim(
    id="holohan2016.eq-24",
    source=f"{PAPER}, equation (24) and its simplification in the proof of Theorem 3",
    place=(6, 9),
    printed=r"$\operatorname{Var}(\hat\Pi(1,\delta)|\pi)-\operatorname{Var}"
    r"\left(\left.\hat\Pi\left(\frac{e^\epsilon+\delta}{e^\epsilon+1},\frac{e^\epsilon+\delta}"
    r"{e^\epsilon+1}\right)\right|\pi\right)$. (24) After some manipulation, we can show that (24) simplifies "
    "to "
    r"$\frac{(1-\delta)(\pi(e^\epsilon+2\delta-1)-\delta(e^\epsilon+\delta))}{\delta(e^\epsilon+2\delta-1)"
    r"^2n}$, and we note that its denominator is strictly positive since $\delta>0$. Note additionally that "
    r"(24) simplifies to zero when $\delta=1$, which is trivial since $r_1(t_0)=s_1(t_0)=r_1(1)=s_1(1)=1$.",
    precise="For epsilon >= 0, 0 < delta <= 1, 0 < pi <= 1/2 and n respondents the difference of the two variances is "
    "the fraction; at delta = 1 both designs are (1, 1), and it is 0.",
    variables={
        "gamma": Domain.odds(),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("0 <= pi <= 1/2", 0, "1/2", also=("1/100", "1/4")),
        "n": Domain.values("respondents", 1, 3),
    },
    assumptions=(
        Condition("delta > 0", "delta > 0"),
        Condition("0 < pi <= 1/2", "0 < pi <= 1/2"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"The numerator lacks a square: the difference is "
        r"$\frac{(1-\delta)(\pi(e^\epsilon+2\delta-1)^2-\delta(e^\epsilon+\delta))}"
        r"{\delta(e^\epsilon+2\delta-1)^2n}$, zero when $\delta=1$.",
        corrected,
    ),
    proof=proof,
    notes="The same square is missing in the sentence after it; with it, solving for pi gives g of equation (23), as "
    "the paper says, so Theorem 3 is not affected.",
)
