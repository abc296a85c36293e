"""Intervals from a bound on ``|lambda_hat - lambda|`` in standard deviations: normal, Wilson and Chebyshev."""

from __future__ import annotations

from fractions import Fraction

from rropt.estimation.intervals.rounding import end_digits, outward
from rropt.estimation.quantiles import two_sided_quantile
from rropt.estimation.roots import root_above

__all__ = ["chebyshev", "normal", "wilson"]


def normal(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return ``l -+ z sqrt(l (1 - l)/n)`` with l = y/n and z the two-sided normal quantile (Wald's interval)."""
    digits = end_digits(n)
    share = Fraction(y, n)
    z = two_sided_quantile(confidence, digits)[1]
    half = z * root_above(share * (1 - share) / n, digits + 4)
    return outward(share - half, share + half, digits)


def wilson(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return all lambda with ``|y/n - lambda| <= z sqrt(lambda (1 - lambda)/n)``, z the two-sided normal quantile.

    Source: Wilson, Probable inference (1927).
    """
    return _inverted(y, n, two_sided_quantile(confidence, end_digits(n))[1] ** 2)


def chebyshev(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return all lambda with ``|y/n - lambda| <= c sqrt(lambda (1 - lambda)/n)``, ``c = 1/sqrt(1 - confidence)``.

    By Chebyshev's inequality the true lambda fails this with probability at most ``1/c^2 = 1 - confidence``, whatever
    n and lambda: the variance is the true one, not its estimate.

    Source: Holohan, Leith and Mason (2016), (7b), inverted in lambda; at 95 % c = sqrt(20) = 4.47.
    """
    return _inverted(y, n, 1 / (1 - confidence))


def _inverted(y: int, n: int, square: Fraction) -> tuple[Fraction, Fraction]:
    """Return the roots of ``(y/n - t)^2 = square t (1 - t)/n``, rounded outwards.

    With h = square/n: ``t = (l + h/2 -+ sqrt(h l (1 - l) + h^2/4)) / (1 + h)``; they move outwards as ``square`` grows.
    """
    digits = end_digits(n)
    share, h = Fraction(y, n), square / n
    root = root_above(h * share * (1 - share) + h * h / 4, digits + 4)
    lower = (share + h / 2 - root) / (1 + h) if y else Fraction(0)
    upper = (share + h / 2 + root) / (1 + h) if y < n else Fraction(1)
    below, above = outward(lower, upper, digits)
    return max(below, Fraction(0)), min(above, Fraction(1))
