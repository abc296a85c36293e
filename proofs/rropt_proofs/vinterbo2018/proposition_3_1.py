"""Proposition 3.1: the loss L, and how many randomized responses suffice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._matrices import Row, Rows, identity
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._estimator import CASE, has_inverse, matrix_of
from rropt_proofs.vinterbo2018._paper import estimator_error, estimator_mean, squares

LOSS, ERROR = "L(m')", "the mean squared error of m' responses"


def _loss(case: Any, m: int) -> Fraction:
    """Return L(m), both traces from the moments of the histograms."""
    return estimator_error(matrix_of(case), case["pi"], m) / estimator_error(identity(len(case["pi"])), case["pi"], m)


def _error(rows: Rows, pi: Row, m: int) -> Fraction:
    """Return E |estimate - pi|^2 for m responses; for the identity matrix, that of m true answers."""
    mean = estimator_mean(rows, pi, m)
    return estimator_error(rows, pi, m) + squares([x - p for x, p in zip(mean, pi, strict=True)])


def theory(point: Point) -> dict[str, Any]:
    """L(m), and the error of m true answers over alpha = m'/(L m)."""
    case, m = point["case"], point["m"]
    loss, direct = _loss(case, m), _error(identity(len(case["pi"])), case["pi"], m)
    return {LOSS: loss, ERROR: direct * loss * m / point["many"]}


def computed(point: Point) -> dict[str, Fraction]:
    """L for another number of respondents; E |estimate - pi|^2 for m' = alpha L m responses."""
    case, large = point["case"], point["many"]
    return {LOSS: _loss(case, large), ERROR: _error(matrix_of(case), case["pi"], large)}


def mutant(point: Point) -> dict[str, Any]:
    """Half of the error."""
    said = theory(point)
    return {**said, ERROR: said[ERROR] / 2}


CLAIM = Claim(
    id="vinterbo2018.proposition-3.1",
    source=f"{PAPER}, Proposition 3.1",
    place=(3, 6),
    printed="If "
    r"$L(m)=\frac{\operatorname{Tr}(\operatorname{cov}(\hat\pi(m)))}{\operatorname{Tr}(\operatorname{cov}"
    r"(\hat\pi^*(m)))}$ where $\operatorname{Tr}(A)$ denotes the sum of the elements along the diagonal of "
    r"square matrix $A$. Then $L=L(m)=L(m')$ for any $m,m'>0$, and for $\alpha\ge1$, "
    r"$\operatorname{E}\left(\|\hat\pi(\alpha "
    r"Lm)-\pi\|_2^2\right)\le\operatorname{E}\left(\|\hat\pi^*(m)-\pi\|_2^2\right)$.",
    precise="For every invertible C, every pi with pi^T pi < 1 and all m, m' >= 1: L(m) = L(m'), and the mean squared "
    "error of m' randomized responses is L m/m' times that of m true answers. So it is 1/alpha times that for m' = "
    "alpha L m, and at most that for alpha >= 1. (An estimator has a whole number of respondents. Every whole m' >= "
    "L m is alpha L m for some alpha >= 1, so that alpha L m may be rounded up.)",
    variables={
        "case": CASE,
        "m": Domain("m, the number of true answers", (1, 2, 3), None, "x >= 1"),
        "many": Domain("m', the number of randomized responses", (1, 2, 3, 6), None, "x >= 1"),
    },
    assumptions=(has_inverse,),
    defined=(Condition("pi^T pi < 1: otherwise L is 0/0 or infinite", lambda p: squares(p["case"]["pi"]) < 1),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=40,
    notes="alpha L m is rarely a whole number. Rounded up it suffices; rounded down, or to the nearest number, it does "
    "not: for a = 9/10, n = 1 and pi = (1/2, 1/2) the loss is 25/16, and with m = 1 one randomized response has 25/16 "
    "times the error of a true answer. L is not defined for a certain population (pi^T pi = 1).",
)
