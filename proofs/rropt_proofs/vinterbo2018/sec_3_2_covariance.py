"""Section 3.2: the covariance matrix of the estimator m^{-1} C^{-1} Y."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs._matrices import adjugate_inverse
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._estimator import CASE, PLACE, RESPONDENTS, has_inverse, matrix_of, within
from rropt_proofs.vinterbo2018._paper import estimator_covariance, image


def _weighted(point: Point) -> Fraction:
    """Return the entry (i, j) of C^{-1} diag(C pi) C^{-T}."""
    case, i, j = point["case"], point["i"], point["j"]
    rows = matrix_of(case)
    back = adjugate_inverse(rows)
    weighted = zip(back[i], image(rows, case["pi"]), back[j], strict=True)
    return sum((x * share * y for x, share, y in weighted), Fraction(0))


def theory(point: Point) -> Fraction:
    """Entry (i, j) of m^{-1} (C^{-1} diag(C pi) C^{-T} - pi pi^T)."""
    pi = point["case"]["pi"]
    return (_weighted(point) - pi[point["i"]] * pi[point["j"]]) / point["m"]


def computed(point: Point) -> Fraction:
    """Entry (i, j) of m^-2 C^-1 cov(Y) C^-T; cov(Y) from the moments of a sum of m independent responses."""
    case = point["case"]
    return estimator_covariance(matrix_of(case), case["pi"], point["m"], point["i"], point["j"])


def mutant(point: Point) -> Fraction:
    """diag(pi) in the place of C^{-1} diag(C pi) C^{-T}: the covariance of the direct estimator."""
    pi, i, j = point["case"]["pi"], point["i"], point["j"]
    return (pi[i] * (i == j) - pi[i] * pi[j]) / Fraction(point["m"])


CLAIM = Claim(
    id="vinterbo2018.sec-3.2-covariance",
    source=f"{PAPER}, section 3.2",
    place=(3, 5),
    printed=r"The covariance matrix of $\hat\pi(m)$ is $\operatorname{cov}(\hat\pi(m))="
    r"\operatorname{cov}(m^{-1}C^{-1}Y)=m^{-1}\left(C^{-1}\operatorname{diag}(C\pi){C^{-1}}^T-\pi\pi^T\right)$.",
    precise="For every invertible C, every pi, every m >= 1 and every two categories i and j (equal or not): the entry "
    "(i, j); Y is the histogram of the responses. The covariance is taken as m^-2 C^-1 cov(Y) C^-T, and cov(Y) from "
    "the first two moments of Y, which are added up response by response, each independent of those before.",
    variables={"case": CASE, "m": RESPONDENTS, "i": PLACE, "j": PLACE},
    assumptions=(has_inverse, within("i", "j")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
