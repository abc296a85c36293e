"""Quantiles of the normal distribution, enclosed by rationals."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.balls import FIRST_PRECISION, LAST_PRECISION, ball, bracket
from rropt.exact import rational

__all__ = ["exact_confidence", "normal_quantile", "two_sided_quantile"]

# A confidence, a significance or a power keeps this distance from 0 and 1: no survey needs more, and tails of 10^-400
# would need a precision at which ball arithmetic takes minutes.
_LEAST_RISK = Fraction(1, 10**50)


@lru_cache(maxsize=256)
def normal_quantile(probability: Fraction, digits: int = 20) -> tuple[Fraction, Fraction]:
    """Return rationals ``lo <= z <= hi``, ``hi - lo <= 10^-digits``, with Pr(G <= z) = probability, G standard normal.

    ``z = sqrt(2) erfinv(2 probability - 1)`` in ball arithmetic. At probability 1/2 both are 0.

    >>> lo, hi = normal_quantile(Fraction(39, 40))
    >>> round(float(lo), 9), lo < hi
    (1.959963985, True)
    """
    from flint import arb, ctx

    if probability == Fraction(1, 2):
        return Fraction(0), Fraction(0)
    width = Fraction(1, 10**digits)
    precision = FIRST_PRECISION
    while precision <= LAST_PRECISION:
        with ctx.workprec(precision):
            value = arb(2).sqrt() * ball(2 * probability - 1).erfinv()
            if value.is_finite():
                low, high = bracket(value)
                if high - low <= width:
                    return low, high
        precision *= 2
    raise InvalidParameterError(
        f"the confidence is too near 0 or 1: received a probability of {shown(str(probability))}; "
        "give one with fewer digits"
    )


def two_sided_quantile(confidence: Fraction, digits: int = 20) -> tuple[Fraction, Fraction]:
    """Return the bracket of z with Pr(-z <= G <= z) = confidence."""
    return normal_quantile((1 + confidence) / 2, digits)


def exact_confidence(confidence: object, name: str = "confidence") -> Fraction:
    """Return a confidence (or a significance, a power) as an exact number in [10^-50, 1 - 10^-50].

    Raises:
        InvalidParameterError: another form, or out of range.
    """
    exact = rational(confidence, name=name)
    if not _LEAST_RISK <= exact <= 1 - _LEAST_RISK:
        raise InvalidParameterError(
            f"{name} is out of range: received {shown(confidence)}; allowed is 0 < {name} < 1, at least 1e-50 from "
            "both ends, for example 0.95"
        )
    return exact
