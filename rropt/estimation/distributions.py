"""Normal quantiles and binomial tails, enclosed by ball arithmetic.

A ball (Arb, through python-flint) holds its number, rigorously. Tails are enclosed in balls, compared with a level, or
summed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.errors import InvalidParameterError, shown
from rropt.exact import rational
from rropt.exact.brackets import ball, bracket

# Binary digits of ball arithmetic, doubling from the first to the last; tails end before, at `TAIL_PRECISION`.
FIRST_PRECISION = 64
LAST_PRECISION = 2048


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


# 512 bits tell a tail from a level unless they agree to more than 100 digits (a tie), and take a fifth of a second
# there; quantiles are cheaper.
TAIL_PRECISION = 512
# Bits of the integers that a tie may cost: where balls do not decide, tails are summed exactly up to here.
_EXACT_TAIL_BITS = 1 << 24


def upper_tail(y: int, n: int, p: Fraction) -> Any:
    """Return a ball that holds ``Pr(Y >= y)`` for Y binomial (n, p), at the working precision.

    ``Pr(Y >= y) = I_p(y, n - y + 1)``, the regularized incomplete beta function (DLMF 8.17.5), by Arb: a few
    milliseconds up to n = 10^15.
    """
    from flint import arb

    if y <= 0:
        return arb(1)
    if y > n or p == 0:
        return arb(0)
    if p == 1:
        return arb(1)
    if 2 * p > 1:  # near p = 1 Arb is up to a thousand times slower than near 0
        return 1 - ball(1 - p).beta_lower(arb(n - y + 1), arb(y), 1)
    return ball(p).beta_lower(arb(y), arb(n - y + 1), 1)


def tail_at_most(y: int, n: int, p: Fraction, level: Fraction) -> bool | None:
    """Return whether ``Pr(Y >= y) <= level``, Y binomial (n, p); ``None`` when it was not decided.

    Balls of growing precision decide, unless the two are equal or agree to more than 100 digits; then the tail is
    summed in integers, where it has at most about 10^7 bits.
    """
    from flint import ctx

    if y <= 0 or y > n:
        return level >= (1 if y <= 0 else 0)
    precision = FIRST_PRECISION
    while precision <= TAIL_PRECISION:
        with ctx.workprec(precision):
            tail, bound = upper_tail(y, n, p), ball(level)
            if tail <= bound:
                return True
            if tail > bound:
                return False
        precision *= 2
    return exact_tail(y, n, p) <= level if affordable(n, p) else None


def exact_tail(y: int, n: int, p: Fraction) -> Fraction:
    """Return ``Pr(Y >= y) = sum_{i >= y} C(n, i) p^i (1 - p)^(n - i)``, Y binomial (n, p), as a rational.

    >>> exact_tail(2, 3, Fraction(1, 3)), round(float(exact_tail(2, 3, Fraction(1, 3))), 6)
    (Fraction(7, 27), 0.259259)
    """
    weights = list(weights_of_counts(n, p))
    return Fraction(sum(weights[max(y, 0) :]), p.denominator**n)


def weights_of_counts(n: int, p: Fraction) -> Iterator[int]:
    """Yield the integers ``b^n Pr(Y = i)`` for i = 0..n, Y binomial (n, p), p = a/b."""
    a, b = p.numerator, p.denominator
    powers = [1]
    for _ in range(n):
        powers.append(powers[-1] * (b - a))
    binomial, power = 1, 1
    for i in range(n + 1):
        yield binomial * power * powers[n - i]
        binomial = binomial * (n - i) // (i + 1)
        power *= a


def affordable(n: int, p: Fraction) -> bool:
    """Return whether a tail may be summed in integers."""
    return n * n * p.denominator.bit_length() <= _EXACT_TAIL_BITS
