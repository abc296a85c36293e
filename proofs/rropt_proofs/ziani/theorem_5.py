"""Theorem 5: the accuracy of the estimator with probability 1 - delta."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._laws import FiniteLaw, chance_of, mean_of
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


def theory(point: Point) -> Fraction:
    """1 - delta."""
    return 1 - _delta(point)


def _delta(point: Point) -> Fraction:
    return 1 / Fraction(point["inverse"])


def _squared_bound(point: Point) -> Fraction:
    """t^2 = 1 / (4 delta (1 - 2p)^2 n) for the printed bound t."""
    (n, _), p = point["population"], Fraction(point["p"])
    return 1 / (4 * _delta(point) * (1 - 2 * p) ** 2 * n)


def _within(estimator: Callable[[Any, Any], Any]) -> Callable[[Point], Fraction]:
    """Return the function Pr[|estimate - mean| <= t] of a point."""

    def probability(point: Point) -> Fraction:
        """The distribution of the number of reports 1, respondent by respondent; squared errors against the squared
        bound."""
        error, bound = _squared_error(estimator, point), _squared_bound(point)
        return chance_of(_reports(point), lambda ones: error(ones) <= bound)

    return probability


def _reports(point: Point) -> FiniteLaw:
    """The law of the number of reports 1."""
    return reports_of_ones(Fraction(point["p"]), point["population"][1])


def _squared_error(estimator: Callable[[Any, Any], Any], point: Point) -> Callable[[int], Fraction]:
    """Return the squared error of the estimate as a function of the number of reports 1."""
    (n, _), p, mean = point["population"], Fraction(point["p"]), true_mean(point)
    return lambda ones: (estimator(Fraction(ones, n), p) - mean) ** 2


def right(point: Point) -> dict[str, Bound]:
    """The mean squared error is at most delta t^2, and so the error at most t with probability 1 - delta."""
    return {
        "mean squared error": Bound("at-most", _delta(point) * _squared_bound(point)),
        "probability": Bound("at-least", theory(point)),
    }


def corrected_errors(point: Point) -> dict[str, Fraction]:
    """The mean squared error and the probability, over the same distribution."""
    return {
        "mean squared error": mean_of(_reports(point), _squared_error(corrected, point)),
        "probability": _within(corrected)(point),
    }


def mutant(point: Point) -> dict[str, Bound]:
    """1 - delta/3 in the place of 1 - delta."""
    return {**right(point), "probability": Bound("at-least", 1 - _delta(point) / 3)}


def working(point: Point) -> str:
    """The square of the bound, and every estimate with its probability."""
    delta, squared = _delta(point), _squared_bound(point)
    return (
        f"{reports_working(point)}\nthe square of the bound is 1/(4 delta (1 - 2p)^2 n) = {value_text(squared)}\nthe "
        f"squared error is at most that with probability {value_text(_within(as_printed)(point))}, and should be with "
        f"at least 1 - delta = {value_text(1 - delta)}"
    )


CLAIM = Claim(
    id="ziani.theorem-5",
    source=f"{PAPER}, Theorem 5",
    place=(1, 7),
    printed=r"With probability at least $1-\delta$, $|\hat b-\mathbb{E}[b]|\le\frac{\sqrt{1/\delta}}{2(1-2p)\sqrt n}$. "
    r"[...] [The estimator is that of Claim 3,] $\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal M(b_i)-(1-p)}{2p-1}$",
    precise="For RR_p as defined (the bit is flipped with probability p), 0 <= p < 1/2, n >= 1, all bits and "
    "0 < delta <= 1 (the variable is 1/delta): the printed estimator of Claim 3 is within 1/(2 (1-2p) sqrt(delta n)) "
    "of the population mean (1/n) sum b_i with probability at least 1 - delta.",
    variables={
        "p": FLIP,
        "population": replace(POPULATION, boundary=tuple(each for each in POPULATION.boundary if each[0] <= 3)),
        "inverse": Domain(
            "1/delta, the inverse of the failure probability, at least 1",
            tuple(map(Fraction, ("1", "4/3", "2", "10", "100"))),
            lambda rng: Fraction(rng.randint(20, 400), 20),
            "x >= 1",
        ),
    },
    defined=(flip_estimable,),
    theory=theory,
    computed=_within(as_printed),
    mutant=mutant,
    strength="at-least",
    correction=Correction(
        r"For $0\le p<\frac12$ the same bound holds with probability at least $1-\delta$ for "
        r"$\hat b=\frac{\frac1n\sum_{i=1}^n\mathcal{M}(b_i)-p}{1-2p}$.",
        right,
        strength="equality",
        computed=corrected_errors,
    ),
    working=working,
    notes=r"The error comes from Claim 3: the printed $\hat b$ tends to $1-\frac1n\sum b_i$. The bound itself, its "
    r"exponent of $n$ and the factor $1-2p$ are right. With $\mathbb{E}[b]$ read as the mean of independent random "
    r"bits the corrected statement stays true, since a report is then still a Bernoulli variable.",
)
