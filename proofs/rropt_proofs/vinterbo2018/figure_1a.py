"""Figure 1 (a): the loss of the example."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Correction, Domain, Point, Reading
from rropt_proofs._matrices import identity
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import error_of_one, inverse, shares, squares, unrelated_question

LOSS, APPROXIMATION = "L of Proposition 3.1", "L(2) = f_L(2/(2^2 + 1)), the approximation"
PI, P = shares("1/20 3/20 3/10 1/2"), Fraction(1, 2)


def _error() -> Fraction:
    rows = unrelated_question(P, 2)
    return error_of_one(rows, inverse(rows), PI)


def theory(_: Point) -> str:
    return "9.75"


def computed(point: Point) -> Fraction:
    """The loss, from the distributions of one randomized and one true response; the approximation, from c of the same
    device."""
    error, direct = _error(), error_of_one(identity(4), identity(4), PI)
    if point["reading"] == LOSS:
        return error / direct
    at = Fraction(2, 5)
    return (error + squares(PI) - at) / (1 - at)


def corrected(point: Point) -> str:
    return "9.27" if point["reading"] == LOSS else "9.75"


def mutant(point: Point) -> str:
    return "9.26" if point["reading"] == LOSS else "9.74"


def working(_: Point) -> str:
    """The numbers in the quotient."""
    s = squares(PI)
    error = _error()
    return (
        f"c = {error + s}, s = pi^T pi = {s}: L = (c - s)/(1 - s) = ({error})/({1 - s}) = {error / (1 - s)} = "
        "9.2677...\n"
        f"with 2/(2^2 + 1) in the place of s: {computed({'reading': APPROXIMATION})}"
    )


CLAIM = Claim(
    id="vinterbo2018.figure-1a",
    source=f"{PAPER}, Figure 1 (a) and section 5.1",
    place=(5, 3),
    printed="Figure 1(a) shows the effect of increasing the number of randomized response data points by a factor $L$ "
    r"for computing $\hat\pi$. As expected, the plot for $\hat\pi(L1000)$ is close to the target "
    r"$\hat\pi^*(1000)$. [...] Plot of $\hat\pi^*(1000)$, $\hat\pi(1000)$, and $\hat\pi(L1000)$ for 100 "
    r"randomly generated datasets with the same fixed $\pi=(0.05,0.15,0.3,0.5)^T$, $p=0.5$, and $L=9.75$.",
    precise="The loss L of this pi under the unrelated-question device with p = 1/2 on two bits rounds to 9.75. Two "
    "readings: L is the loss (Proposition 3.1, Theorem 4.6); or its approximation L(n) = f_L(2/(2^n + 1)), which the "
    "caption of part (b) calls L as well.",
    variables={"reading": Domain.values("what L is", LOSS, APPROXIMATION)},
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="rounds-to",
    correction=Correction(
        r"$L=\frac{1177}{127}=9.27$ (rounded); $9.75$ is exactly the approximation $L(2)=f_L(\frac25)=\frac{39}4$.",
        corrected,
    ),
    working=working,
    readings=(
        Reading(
            "the approximation, which the same caption calls L",
            r"$\log(L)=\log(f_L(2(2^n+1)^{-1}))$ for $n=1,2,\ldots,12$",
            {"variables": {"reading": Domain.values("what L is", APPROXIMATION)}, "correction": None},
        ),
        Reading(
            "the loss of Proposition 3.1",
            "the loss of quality of estimation when using randomized responses over non-randomized responses can be "
            "described by $L$.",
            {"variables": {"reading": Domain.values("what L is", LOSS)}},
        ),
    ),
    notes="9750 responses are more than the 9268 "
    "that suffice in place of 1000 true answers, so the figure shows what it is to show. The 100 data sets are random.",
)
