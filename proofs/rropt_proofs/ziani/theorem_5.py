"""Theorem 5: the accuracy of the estimator with probability 1 - delta."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.ziani._paper import (
    FLIP,
    PAPER,
    POPULATION,
    P,
    as_printed,
    corrected,
    flip_estimable,
    reports_of_ones,
    reports_working,
    true_mean,
)

# q = Pr[error >= t], squared = t^2, v = the variance of the estimator
Q, SQUARED, V, DELTA = sp.symbols("q t v delta")
RANGE = [Hypothesis(P), Hypothesis(sp.Rational(1, 2) - P)]
CHEBYSHEV = [Hypothesis(V - SQUARED * Q), Hypothesis(DELTA * SQUARED - V)]


def theory(point: Point) -> Fraction:
    return 1 - Fraction(point["delta"])


def _within(estimator: Callable[[Any, Any], Any]) -> Callable[[Point], Fraction]:
    """Pr[|estimate - mean| <= t] with t^2 = 1 / (4 delta (1 - 2p)^2 n), exactly."""

    def probability(point: Point) -> Fraction:
        (n, s), p, mean = point["population"], Fraction(point["p"]), true_mean(point)
        squared = 1 / (4 * Fraction(point["delta"]) * (1 - 2 * p) ** 2 * n)
        law = reports_of_ones(p, n, s)
        return sum(
            (c for ones, c in law.items() if (estimator(Fraction(ones, n), p) - mean) ** 2 <= squared), Fraction(0)
        )

    return probability


def mutant(point: Point) -> Fraction:
    """1 - delta/3 in the place of 1 - delta."""
    return 1 - Fraction(point["delta"]) / 3


def proof() -> Proof:
    m, mean = sp.symbols("m r")  # population mean, mean report
    variance = P * (1 - P) ** 2 + (1 - P) * P**2
    return Proof(
        scope="the corrected estimator, all n >= 1, all bits, 0 <= p < 1/2, all delta > 0",
        argument="The corrected estimator has mean m and variance v = p (1-p) / ((1-2p)^2 n), at most "
        "1 / (4 (1-2p)^2 n) = delta t^2 with t the printed bound. Let q = Pr[|error| >= t]. As in Chebyshev's "
        "inequality t^2 q <= v, so t^2 (delta - q) = (v - t^2 q) + (delta t^2 - v) >= 0, and t > 0 gives q <= delta. "
        "The error is then at most t with probability at least 1 - q >= 1 - delta. The printed estimator is 1 minus "
        "the corrected one, so that its error is measured from the wrong point.",
        certificates=(
            ("the corrected estimator has mean m", prove_identity(corrected(P + (1 - 2 * P) * m, P), m)),
            ("a report has variance p (1 - p)", prove_identity(variance, P * (1 - P))),
            ("p (1 - p) <= 1/4", prove_positive(sp.Rational(1, 4) - P * (1 - P), RANGE, degree=2)),
            ("t^2 (delta - q) >= 0", prove_positive(SQUARED * (DELTA - Q), CHEBYSHEV, degree=1)),
            ("printed = 1 - corrected", prove_identity(as_printed(mean, P), 1 - corrected(mean, P))),
        ),
        unchecked_steps=(
            "the variance of a sum of independent reports is the sum of their variances",
            "t^2 q <= v: the expectation is monotone",
        ),
    )


def mutant_proof() -> object:
    """Variance at most 1/5."""
    return prove_positive(sp.Rational(1, 5) - P * (1 - P), RANGE, degree=2)


def working(point: Point) -> str:
    """The square of the bound, and every estimate with its probability."""
    (n, _), p, delta = point["population"], Fraction(point["p"]), Fraction(point["delta"])
    squared = 1 / (4 * delta * (1 - 2 * p) ** 2 * n)
    return (
        f"{reports_working(point)}\nthe square of the bound is 1/(4 delta (1 - 2p)^2 n) = {value_text(squared)}\nthe "
        f"squared error is at most that with probability {value_text(_within(as_printed)(point))}, and should be with "
        f"at least 1 - delta = {value_text(1 - delta)}"
    )


CLAIM = Claim(
    id="ziani.theorem-5",
    source=f"{PAPER}, Theorem 5",
    printed=r"With probability at least $1-\delta$, $|\hat b-\mathbb{E}[b]|\le\frac{\sqrt{1/\delta}}{2(1-2p)\sqrt n}$, "
    r"where $\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal{M}(b_i)-(1-p)}{2p-1}$ is the estimator of Claim 3.",
    precise="For RR_p as defined (the bit is flipped with probability p), 0 <= p < 1/2, n >= 1, all bits and delta > "
    "0: the printed estimator of Claim 3 is within 1/(2 (1-2p) sqrt(delta n)) of the population mean (1/n) sum b_i "
    "with probability at least 1 - delta.",
    variables={
        "p": FLIP,
        "population": POPULATION,
        "delta": Domain.interval("failure probability, 0 < delta <= 1", 0, 1, also=("1/100", "1/10", "1/2", "3/4")),
    },
    defined=(
        flip_estimable,
        Condition("delta > 0: the bound divides by sqrt(delta)", lambda p: p["delta"] > 0),
    ),
    theory=theory,
    computed=_within(as_printed),
    mutant=mutant,
    strength="at-least",
    correction=Correction(
        r"For $0\le p<\frac12$ the same bound holds with probability at least $1-\delta$ for "
        r"$\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal{M}(b_i)-p}{1-2p}$.",
        theory,
        computed=_within(corrected),
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes=r"The error comes from Claim 3: the printed $\hat b$ tends to $1-\frac1n\sum b_i$. The bound itself, its "
    r"exponent of $n$ and the factor $1-2p$ are right. With $\mathbb{E}[b]$ read as the mean of independent random "
    r"bits the corrected statement stays true, since a report is then still a Bernoulli variable.",
)
