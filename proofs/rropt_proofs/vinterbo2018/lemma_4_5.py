"""Lemma 4.5: the trace of the covariance matrix."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import (
    POPULATION,
    A,
    estimator_error,
    invertible,
    kept,
    length_of,
    spread_of,
    squares,
)


def theory(point: Point) -> Fraction:
    """(c - s)/m."""
    return (spread_of(Fraction(point["a"]), length_of(point["pi"])) - squares(point["pi"])) / Fraction(point["m"])


def computed(point: Point) -> Fraction:
    """The sum of the variances over the distribution of the histogram of m responses."""
    rows = kept(Fraction(point["a"]), length_of(point["pi"]))
    return estimator_error(rows, point["pi"], point["m"])


def mutant(point: Point) -> Fraction:
    """1 - s in the place of c - s: the trace of the direct estimator."""
    return (1 - squares(point["pi"])) / Fraction(point["m"])


CLAIM = Claim(
    id="vinterbo2018.lemma-4.5",
    source=f"{PAPER}, Lemma 4.5",
    place=(4, 7),
    printed=r"Let $\hat\pi$ be the unbiased estimator defined in Section 3.2 associated with the randomizer "
    r"$M$ with invertible $C=C_M=C_a(n)$. If $a\ne\frac12$ the trace of the variance-covariance matrix of "
    r"$\hat\pi$ is given by $\operatorname{Tr}(\operatorname{cov}(\hat\pi))=m^{-1}(c-s)$ where "
    r"$c=\left(\frac{a^2+(1-a)^2}{(2a-1)^2}\right)^n$, and $s=\pi^T\pi=\sum_xp_x^2$.",
    precise="For every n >= 1, m >= 1, 0 <= a <= 1, a != 1/2 and every pi: the sum of the variances of all 2^n "
    "estimates over the law of the histogram of m responses.",
    variables={
        "pi": POPULATION,
        "a": A,
        "m": Domain("m, the number of respondents", (1, 2, 3), lambda rng: rng.randint(1, 3), "x >= 1"),
    },
    assumptions=(invertible,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
