"""Claim 3, second part: the estimator of the population mean."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Correction, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import mean_of
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import (
    FLIP,
    POPULATION,
    as_printed,
    corrected,
    flip_estimable,
    reports_of_ones,
    reports_working,
    true_mean,
)


def _expectation(estimator: Callable[[Any, Any], Any]) -> Callable[[Point], Fraction]:
    def expectation(point: Point) -> Fraction:
        """The mean of the estimator over the distribution of the number of reports 1, respondent by respondent."""
        (n, bits), p = point["population"], Fraction(point["p"])
        return mean_of(reports_of_ones(p, bits), lambda ones: estimator(Fraction(ones, n), p))

    return expectation


def mutant(point: Point) -> Fraction:
    """A thousandth too much."""
    return true_mean(point) + Fraction(1, 1000)


def working(point: Point) -> str:
    """Every estimate with its probability, and their mean."""
    mean = value_text(_expectation(as_printed)(point))
    return f"{reports_working(point)}\nthe mean of the estimates, each times its probability, is {mean}"


CLAIM = Claim(
    id="ziani.claim-3-unbiased",
    source=f"{PAPER}, Claim 3",
    place=(1, 5),
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
    working=working,
    notes=r"The printed estimator estimates the share of zeros: an analyst who uses it reports $90\%$ for $10\%$. Its "
    r"bias is $1-\frac2n\sum b_i$, whatever $p$ and $n$.",
)
