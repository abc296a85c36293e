"""Section 3.1: mean and covariance of the histogram and of the direct estimator."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._matrices import Row
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import POPULATION, POPULATIONS, count_moments, draw_distribution, shares

MEAN, VARIANCE, FIRST, SECOND, OFF = (
    "E X_i",
    "Var X_i",
    "cov(pi*)_ii, first form",
    "cov(pi*)_ii, second form",
    "cov(pi*)_ij, i != j",
)


def draw(rng: random.Random) -> Row:
    return draw_distribution(rng, rng.randint(2, 4))


def theory(point: Point) -> dict[str, Fraction]:
    m, p, q = Fraction(point["m"]), point["pi"][point["i"]], point["pi"][point["j"]]
    return {
        MEAN: m * p,
        VARIANCE: m * p * (1 - p),
        FIRST: (p * (1 - p) + p * p - p * p) / m,
        SECOND: (p - p * p) / m,
        OFF: -p * q / m,
    }


def computed(point: Point) -> dict[str, Fraction]:
    """From the distribution of the histogram of m independent experiments."""
    m = Fraction(point["m"])
    mean, spread = count_moments(point["pi"], point["m"], point["i"], point["j"])
    return {
        MEAN: mean[0],
        VARIANCE: spread[0][0],
        FIRST: spread[0][0] / m**2,
        SECOND: spread[0][0] / m**2,
        OFF: spread[0][1] / m**2,
    }


def mutant(point: Point) -> dict[str, Fraction]:
    """Without the sign."""
    said = theory(point)
    return {**said, OFF: -said[OFF]}


CLAIM = Claim(
    id="vinterbo2018.sec-3.1-covariance",
    source=f"{PAPER}, section 3.1",
    place=(3, 1),
    printed="The variables $X_i$ each have expectation $mp_i$ and variance $mp_i(1-p_i)$, [...] The estimator "
    r"$\hat\pi^*(m)=m^{-1}X$ is a maximum likelihood estimator for $\pi$ (e.g., (Lehmann and Casella 1998, "
    r"example 6.11)) and the covariance matrix of $\hat\pi^*(m)$ is "
    r"$\operatorname{cov}(\hat\pi^*(m))=m^{-1}(\text{diag}(\pi\odot(1-\pi)+\pi\odot\pi)-\pi\pi^T)=m^{-1}"
    r"(\text{diag}(\pi)-\pi\pi^T)$",
    precise="For every m >= 1 and every distribution pi on k >= 2 outcomes: means, variances, and both forms of the "
    "entries (i, i) and (i, j), i != j, of the covariance matrix, by the law of the histogram of m independent "
    "experiments.",
    variables={
        "pi": replace(POPULATION, meaning="a distribution", boundary=(*POPULATIONS, shares("1/2 1/3 1/6")), draw=draw),
        "m": Domain("m, the number of experiments", (1, 2, 3), None, "x >= 1"),
        "i": Domain.whole("an outcome", 0, 3),
        "j": Domain.whole("another one", 0, 3),
    },
    assumptions=(
        Condition("i and j are two outcomes", lambda p: p["i"] != p["j"] and max(p["i"], p["j"]) < len(p["pi"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="The outcomes are printed as {0, 2, ..., k-1}; {0, 1, ..., k-1} is meant. That m^{-1} X maximises the "
    "likelihood is quoted from a textbook.",
)
