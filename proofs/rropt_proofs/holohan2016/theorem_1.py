"""Theorem 1: the maximum likelihood estimator of the prevalence."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.claims.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import (
    PI,
    A,
    B,
    at,
    determinant,
    polynomial,
    rational_roots,
    yes_probability,
)

YES, SIZE = sp.symbols("yes n")  # N answers 1 among n
ESTIMATE = (A - 1) / determinant + YES / (determinant * SIZE)

UNIT = Domain.interval("a probability in [0, 1]", 0, 1, also=("1/4", "1/2", "3/4"))


def theory(point: Point) -> frozenset[Fraction]:
    """The set of maximisers: formula (4) alone."""
    gap = Fraction(point["p00"] + point["p11"] - 1)
    return frozenset({(point["p00"] - 1) / gap + point["N"] / (gap * point["n"])})


def computed(point: Point) -> frozenset[Fraction]:
    """All prevalences in [0, 1] of largest likelihood: the polynomial L(pi) at both endpoints and at the roots of
    L'."""
    a, b, n, yes = (point[name] for name in ("p00", "p11", "n", "N"))
    positive = polynomial(1 - a, a + b - 1)  # Pr(X = 1), a polynomial in pi
    likelihood = positive**yes * (1 - positive) ** (n - yes)
    inside = [x for x in rational_roots(likelihood.derivative()) if 0 < x < 1]
    values = {x: at(likelihood, x) for x in (Fraction(0), Fraction(1), *inside)}
    return frozenset(x for x, value in values.items() if value == max(values.values()))


def mutant(point: Point) -> frozenset[Fraction]:
    """p00 in the place of p00 - 1."""
    gap = Fraction(point["p00"] + point["p11"] - 1)
    return frozenset({point["p00"] / gap + point["N"] / (gap * point["n"])})


def _in_range(point: Point) -> bool:
    low, high = sorted((1 - point["p00"], point["p11"]))
    return bool(low <= Fraction(point["N"], point["n"]) <= high)


def proof() -> Proof:
    score = YES / yes_probability * determinant - (SIZE - YES) / (1 - yes_probability) * determinant
    inside = [Hypothesis(PI, strict=True), Hypothesis(1 - PI, strict=True)]
    truthful = [Hypothesis(1 - A), Hypothesis(1 - B), Hypothesis(determinant, strict=True), *inside]
    reversed_ = [Hypothesis(A), Hypothesis(B), Hypothesis(-determinant, strict=True), *inside]
    return Proof(
        scope="all n >= 1, 0 <= N <= n, p00 + p11 != 1, with N/n between 1 - p00 and p11",
        argument="With D = p00 + p11 - 1 and lambda = Pr(X = 1), the derivative of log L is "
        "n D^2 (estimate - pi) / (lambda (1 - lambda)), where the estimate is (4). For 0 < pi < 1 both lambda and "
        "1 - lambda are positive, so L rises strictly below the estimate and falls strictly above it; L is continuous "
        "on [0, 1]. Hence (4) is the only maximiser when it lies in [0, 1], and otherwise the nearer end is. As "
        "D estimate = N/n - (1 - p00) and D (1 - estimate) = p11 - N/n, it lies in [0, 1] exactly when N/n lies "
        "between 1 - p00 and p11.",
        certificates=(
            (
                "the derivative of log L",
                prove_identity(
                    score, SIZE * determinant**2 * (ESTIMATE - PI) / (yes_probability * (1 - yes_probability))
                ),
            ),
            ("lambda > 0 for D > 0", prove_positive(yes_probability, truthful, strict=True, degree=2)),
            ("1 - lambda > 0 for D > 0", prove_positive(1 - yes_probability, truthful, strict=True, degree=2)),
            ("lambda > 0 for D < 0", prove_positive(yes_probability, reversed_, strict=True, degree=2)),
            ("1 - lambda > 0 for D < 0", prove_positive(1 - yes_probability, reversed_, strict=True, degree=2)),
            ("when (4) >= 0", prove_identity(determinant * ESTIMATE, YES / SIZE - (1 - A))),
            ("when (4) <= 1", prove_identity(determinant * (1 - ESTIMATE), B - YES / SIZE)),
        ),
        unchecked_steps=(
            "log L has the derivative N lambda'/lambda - (n - N) lambda'/(1 - lambda), lambda' = D: logarithms and "
            "derivatives have no shape",
            "a continuous function that rises strictly before a point and falls strictly after it has its only "
            "maximum there: continuity is no relation",
        ),
    )


def working(point: Point) -> str:
    """Formula (4), and the likelihood at the endpoints of [0, 1]."""
    a, b, n, yes = (point[name] for name in ("p00", "p11", "n", "N"))
    (estimate,) = theory(point)
    ends = [
        f"L({x}) = ({value_text(share)})^{yes} ({value_text(1 - share)})^{n - yes} = "
        f"{value_text(share**yes * (1 - share) ** (n - yes))}"
        for x, share in ((0, 1 - Fraction(a)), (1, Fraction(b)))
    ]
    where = "in" if 0 <= estimate <= 1 else "outside"
    return (
        f"(4) is ({value_text(a - 1)} + {yes}/{n})/({value_text(a + b - 1)}) = {value_text(estimate)}, {where} [0, 1]\n"
        f"L(pi) = Pr(X = 1)^{yes} Pr(X = 0)^{n - yes} with Pr(X = 1) = 1 - p00 + (p00 + p11 - 1) pi has "
        f"{' and '.join(ends)}, and is largest at pi in {value_text(computed(point))}"
    )


CLAIM = Claim(
    id="holohan2016.theorem-1",
    source=f"{PAPER}, Theorem 1",
    place=(2, 2),
    printed=r"Let $p_{00}+p_{11}\ne1$. Then the MLE for $\pi$ of the randomised response mechanism given by (2) is "
    r"$\hat\Pi(p_{00},p_{11})=\frac{p_{00}-1}{p_{00}+p_{11}-1}+\frac{N}{(p_{00}+p_{11}-1)n}$.",
    precise="For n >= 1 and every number N = 0, ..., n of answers 1 the likelihood Pr(X=1)^N Pr(X=0)^(n-N), as a "
    "function of the proportion pi in [0, 1], is largest at (4) and only there.",
    variables={
        "p00": UNIT,
        "p11": UNIT,
        "n": Domain.whole("sample size", 1, 4),
        "N": Domain.whole("answers 1", 0, 4),
    },
    assumptions=(
        Condition("p00 + p11 != 1", lambda p: p["p00"] + p["p11"] != 1),
        Condition("0 <= N <= n", lambda p: 0 <= p["N"] <= p["n"]),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    missing=(Condition("N/n lies between 1 - p00 and p11, that is (4) lies in [0, 1]", _in_range),),
    proof=proof,
    working=working,
    notes="A proportion lies in [0, 1], and (4) need not: with Warner's p = 3/4 and no answer 1 it is -1/2, while the "
    "likelihood (3/4 - pi/2)^n is largest at pi = 0. The printed proof looks for a zero of the derivative and does not "
    "ask whether that zero is a proportion. In general the maximum likelihood estimate is (4) moved to the nearer end "
    "of [0, 1]; it is then biased, so Corollary 1 is about the formula (4), not about that estimate.",
)
