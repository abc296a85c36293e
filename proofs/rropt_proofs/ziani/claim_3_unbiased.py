"""Claim 3, second part: the estimator of the population mean."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Correction, Point, Proof
from rropt.claims.outcomes import value_text
from rropt.positivity import prove_identity
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


def _expectation(estimator: Callable[[Any, Any], Any]) -> Callable[[Point], Fraction]:
    def expectation(point: Point) -> Fraction:
        (n, s), p = point["population"], Fraction(point["p"])
        law = reports_of_ones(p, n, s)
        return sum((chance * estimator(Fraction(ones, n), p) for ones, chance in law.items()), Fraction(0))

    return expectation


def mutant(point: Point) -> Fraction:
    """What the printed estimator estimates."""
    return 1 - true_mean(point)


def proof() -> Proof:
    m = sp.Symbol("m")
    mean_report = P + (1 - 2 * P) * m
    return Proof(
        scope="all n, all bits, all p in [0, 1/2)",
        argument="With m the population mean, the mean report has expectation p + (1 - 2p) m, and both estimators are "
        "affine in it. The corrected one has expectation m, the printed one 1 - m: its bias is 1 - 2m, for every p.",
        certificates=(
            ("the corrected estimator has mean m", prove_identity(corrected(mean_report, P), m)),
            ("the printed estimator has mean 1 - m", prove_identity(as_printed(mean_report, P), 1 - m)),
        ),
        unchecked_steps=("the expectation is linear, so the mean of n reports has expectation p + (1 - 2p) m",),
    )


def mutant_proof() -> object:
    """The printed estimator is unbiased."""
    m = sp.Symbol("m")
    return prove_identity(as_printed(P + (1 - 2 * P) * m, P), m)


def working(point: Point) -> str:
    """Every estimate with its probability, and their mean."""
    mean = value_text(_expectation(as_printed)(point))
    return f"{reports_working(point)}\nthe mean of the estimates, each times its probability, is {mean}"


CLAIM = Claim(
    id="ziani.claim-3-unbiased",
    source=f"{PAPER}, Claim 3",
    printed=r"$\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal{M}(b_i)-(1-p)}{2p-1}$ is an unbiased estimator of "
    r"$\frac1n\sum_{i=1}^n b_i$.",
    precise="For RR_p as defined (the bit is flipped with probability p), 0 <= p < 1/2, every n and all bits: the "
    "expectation of the printed estimator is the population mean.",
    variables={"p": FLIP, "population": POPULATION},
    defined=(flip_estimable,),
    theory=true_mean,
    computed=_expectation(as_printed),
    mutant=mutant,
    correction=Correction(
        r"$\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal{M}(b_i)-p}{1-2p}$ is unbiased for $0\le p<\frac12$. The printed "
        r"estimator has expectation $1-\frac1n\sum_{i=1}^n b_i$.",
        true_mean,
        computed=_expectation(corrected),
    ),
    proof=proof,
    mutant_proof=mutant_proof,
    working=working,
    notes=r"The printed estimator estimates the share of zeros: an analyst who uses it reports $90\%$ for $10\%$. Its "
    r"bias is $1-\frac2n\sum b_i$, whatever $p$ and $n$.",
)
