"""Equation (24): the simplified difference of the two candidate variances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.holohan2016._paper import DELTA, GAMMA, PI
from rropt_proofs.holohan2016._segments import (
    CORNER,
    DIAGONAL,
    SLOPE,
    corner_at,
    diagonal_at,
    estimator_variance,
    n_variance_of,
)

BOTH_ONE = "at delta = 1 both candidates are (1, 1)"


def _value(point: Point, power: int) -> dict[str, Any]:
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    slope = gamma + 2 * delta - 1
    numerator = (1 - delta) * (pi * slope**power - delta * (gamma + delta))
    return {"(24)": numerator / (delta * slope**2 * point["n"]), BOTH_ONE: True}


def theory(point: Point) -> dict[str, Any]:
    return _value(point, 1)


def computed(point: Point) -> dict[str, Any]:
    """Both variances from the distribution of the number of answers 1."""
    corner, diagonal, pi = corner_at(point), diagonal_at(point), Fraction(point["pi"])
    difference = estimator_variance(corner, pi, point["n"]) - estimator_variance(diagonal, pi, point["n"])
    return {"(24)": difference, BOTH_ONE: point["delta"] != 1 or corner == diagonal == (Fraction(1), Fraction(1))}


def corrected(point: Point) -> dict[str, Any]:
    return _value(point, 2)


def mutant(point: Point) -> dict[str, Any]:
    """The cube in the place of the square."""
    return _value(point, 3)


def _right(power: int) -> Any:
    numerator = (1 - DELTA) * (PI * SLOPE**power - DELTA * (GAMMA + DELTA))
    return numerator / (DELTA * SLOPE**2)


def proof() -> Proof:
    return Proof(
        scope="all real epsilon with e^epsilon + 2 delta != 1, delta > 0, all pi",
        argument="An identity of rational functions in gamma, delta and pi; both sides have the factor 1/n. At "
        "delta = 1 the factor 1 - delta is 0, and (1, delta) and (m, m) are both (1, 1).",
        certificates=(
            ("the difference", prove_identity(n_variance_of(CORNER) - n_variance_of(DIAGONAL), _right(2))),
            ("1 - m, which is 0 at delta = 1", prove_identity(1 - DIAGONAL[0], (1 - DELTA) / (GAMMA + 1))),
        ),
        unchecked_steps=("the factor 1/n",),
    )


def mutant_proof() -> object:
    """The formula as printed."""
    return prove_identity(n_variance_of(CORNER) - n_variance_of(DIAGONAL), _right(1))


CLAIM = Claim(
    id="holohan2016.eq-24",
    source="Holohan, Leith and Mason (2016), equation (24) and its simplification in the proof of Theorem 3",
    printed=r"$\operatorname{Var}(\hat\Pi(1,\delta)|\pi)-\operatorname{Var}\left(\hat\Pi\left("
    r"\frac{e^\epsilon+\delta}{e^\epsilon+1},\frac{e^\epsilon+\delta}{e^\epsilon+1}\right)|\pi\right)="
    r"\frac{(1-\delta)(\pi(e^\epsilon+2\delta-1)-\delta(e^\epsilon+\delta))}{\delta(e^\epsilon+2\delta-1)^2n}$; it is "
    r"zero when $\delta=1$, since $r_1(t_0)=s_1(t_0)=r_1(1)=s_1(1)=1$.",
    precise="For delta > 0, 0 < pi <= 1/2 and n respondents the difference of the two variances is the fraction; at "
    "delta = 1 both designs are (1, 1), and it is 0.",
    variables={
        "gamma": Domain(
            "gamma = exp(epsilon) > 0", tuple(map(Fraction, ("1/2", "1", "2", "1000"))), Domain.odds().draw
        ),
        "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4")),
        "pi": Domain.interval("0 <= pi <= 1/2", 0, "1/2", also=("1/100", "1/4")),
        "n": Domain.values("respondents", 1, 3),
    },
    assumptions=(
        Condition("delta > 0", lambda p: p["delta"] > 0),
        Condition("0 < pi <= 1/2", lambda p: 0 < p["pi"] <= Fraction(1, 2)),
    ),
    defined=(Condition("e^epsilon + 2 delta - 1 is not 0", lambda p: p["gamma"] + 2 * p["delta"] != 1),),
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
    mutant_proof=mutant_proof,
    notes="The same square is missing in the sentence after it; with it, solving for pi gives g of equation (23), as "
    "the paper says, so Theorem 3 is not affected.",
)
