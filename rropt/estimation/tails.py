"""Tails of the binomial distribution: enclosed in balls, compared with a level, or summed exactly."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.estimation.balls import FIRST_PRECISION, ball

__all__ = ["affordable", "exact_tail", "tail_at_most", "upper_tail", "weights_of_counts"]

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
