"""Section 3.2: the estimator m^{-1} C^{-1} Y is unbiased."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._estimator import CASE, PLACE, RESPONDENTS, has_inverse, matrix_of, within
from rropt_proofs.vinterbo2018._paper import estimator_mean


def theory(point: Point) -> Fraction:
    """pi_i."""
    return Fraction(point["case"]["pi"][point["i"]])


def computed(point: Point) -> Fraction:
    """Entry i of m^-1 C^-1 E(Y); E(Y) is the sum of the means of m responses."""
    case = point["case"]
    return estimator_mean(matrix_of(case), case["pi"], point["m"])[point["i"]]


def mutant(point: Point) -> Fraction:
    """Shrunk towards 1/2."""
    return (theory(point) * 9 + Fraction(1, 2)) / 10


CLAIM = Claim(
    id="vinterbo2018.sec-3.2-unbiased",
    source=f"{PAPER}, section 3.2",
    place=(3, 3),
    printed=r"If $C$ invertible, then we can let $\hat\pi(m)=m^{-1}C^{-1}Y$ be an estimator for $\pi$ with "
    r"$\operatorname{E}(\hat\pi(m))=m^{-1}C^{-1}\operatorname{E}(Y)=m^{-1}C^{-1}m\,C\pi=\pi$, from which we see that "
    r"it is unbiased.",
    precise="For every invertible C, every pi, every m >= 1 and every category i, the mean of the estimate of pi_i is "
    "pi_i; Y is the histogram of the responses. As printed, this mean is taken as m^-1 C^-1 E(Y), for the mean is "
    "linear, and E(Y) as the sum of the means of the m responses.",
    variables={"case": CASE, "m": RESPONDENTS, "i": PLACE},
    assumptions=(has_inverse, within("i")),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
