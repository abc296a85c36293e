"""Normal quantiles and binomial tails: enclosed by ball arithmetic, and bounded by universal inequalities.

A ball (Arb, through python-flint) holds its number, rigorously. Tails are enclosed in balls, compared with a level, or
summed exactly. The bounds stay true for every larger n, for plans of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import decimal_text, rational_where
from rropt.core.exact.brackets import ball, bracket

# Binary digits of ball arithmetic, doubling from the first, a float's and some more, to the last: 600 decimals, twice
# those of the finest quantile that a plan asks for. Tails end before, at `TAIL_PRECISION`.
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
    allowed = f"0 < {name} < 1, at least {decimal_text(_LEAST_RISK)} from both ends, for example 0.95"
    return rational_where(confidence, lambda x: _LEAST_RISK <= x <= 1 - _LEAST_RISK, allowed, name=name)


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
    if y <= 0 or y > n:
        return level >= (1 if y <= 0 else 0)
    decided = at_most(lambda: upper_tail(y, n, p), level, TAIL_PRECISION)
    return exact_tail(y, n, p) <= level if decided is None and affordable(n, p) else decided


def at_most(number: Callable[[], Any], bound: Fraction, last: int) -> bool | None:
    """Return whether a number is at most a bound, by balls of growing precision; ``None``: not decided at the last.

    Args:
        number: returns a ball that holds it, at the working precision.
        bound: exact.
        last: binary digits.
    """
    from flint import ctx

    precision = FIRST_PRECISION
    while precision <= last:
        with ctx.workprec(precision):
            value, most = number(), ball(bound)
            if value <= most:
                return True
            if value > most:
                return False
        precision *= 2
    return None


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


# Universal tail bounds: 2^-70 of the unit interval is finer than any plan; the precision exceeds it twice over.
_BISECTION_BITS = 70
_UNIVERSAL_PRECISION = 192


def divergence(t: Any, p: Any) -> Any:
    """Return ``KL(t | p) = t log(t/p) + (1 - t) log((1 - t)/(1 - p))`` of balls, 0 < t, p < 1.

    For Y binomial (n, p) and ``C(k) = Phi(sign(k/n - p) sqrt(2 n KL(k/n | p)))``:
    ``C(k) <= Pr(Y <= k) <= C(k + 1)``, for all n and p and k = 0..n - 1.

    Source: Zubkov and Serov, A complete proof of universal inequalities for the distribution function of the
    binomial distribution (2013).
    """
    return t * (t / p).log() + (1 - t) * ((1 - t) / (1 - p)).log()


def bound_above(share: Fraction, n: int, square: Fraction) -> Fraction:
    """Return a u with ``u >= U(y)`` for the upper Clopper-Pearson end U of every count ``y <= n share + 1``.

    If ``t = share + 2/n < u`` and ``2 n KL(t | u) >= z^2`` then ``Pr(Y <= y | u) <= C(y + 1) <= Phi(-z)``. The same u
    serves for every larger n, since t falls and 2 n grows.
    """
    t = share + Fraction(2, n)
    if t >= 1:
        return Fraction(1)
    return _crossing(lambda u: 2 * n * divergence(ball(t), u) - ball(square), t, Fraction(1))


def critical_share(share: Fraction, n: int, square: Fraction) -> Fraction | None:
    """Return a t with ``Pr(Y >= k) <= Phi(-z)`` for every count ``k >= n t + 1``, Y binomial (n, share).

    If ``2 n KL(t | share) >= z^2``, t > share, then ``Pr(Y >= k) <= 1 - C(k - 1) <= Phi(-z)``. The same t serves for
    every larger n. ``None`` when there is none below 1.
    """
    if share == 0:
        return Fraction(0)  # one answer is enough: it never occurs
    t = _crossing(lambda x: 2 * n * divergence(x, ball(share)) - ball(square), share, Fraction(1))
    return t if t < 1 else None


def lower_tail_lasts(t: Fraction, n: int, share: Fraction, quantile: Fraction) -> bool:
    """Return whether ``Pr(Y <= n t - 1) <= Phi(-quantile)`` is proved for Y binomial (n, share), n and larger ones.

    ``t = s + 2/n`` for a critical share s of this n, which need not be the same for a larger one. By ``Pr(Y <= k) <=
    C(k + 1)`` it is proved when ``C = Phi(sign(t - share) sqrt(2 n KL(t | share))) <= Phi(-quantile)``. It lasts:

    * ``t < share``: as n grows, s remains sufficient, t decreases to s, and ``n KL(t | share)`` grows.
    * ``t >= share``, quantile <= 0: let s_n be the exact critical proportions, ``n KL(s_n | null) = const``, null <
      share; what holds at t holds at ``x = s_n + 2/n <= t``. For ``G_p(s) = KL(s | p) / KL'(s | p)``, s > p, convexity
      gives ``0 <= G_p(s) <= s - p``, ``G_p' <= 1``, and G falls in p. So ``KL(s | share) / KL(s | null)`` grows in s
      (its logarithm has the slope ``1/G_share - 1/G_null``), and falls with x as n grows; and ``n KL(x | null)`` falls,
      since ``KL(x | null) - KL'(x | null) (G(s_n) + 2/n) <= 0``, G = G_null. Their product ``n KL(x | share)`` falls
      until x passes the proportion; then C <= 1/2. (Where s_n stays at the null, because z = 0 or null = 0,
      ``n KL(null + 2/n | share)`` falls by the same convexity.)
    """
    from flint import ctx

    if t >= 1:
        return False
    if share == 1 or (t < share and quantile <= 0):
        return True
    with ctx.workprec(_UNIVERSAL_PRECISION):
        exponent, square = 2 * n * divergence(ball(t), ball(share)), ball(quantile**2)
        return bool(exponent >= square) if t < share else quantile <= 0 and bool(exponent <= square)


def _crossing(difference: Callable[[Any], Any], low: Fraction, high: Fraction) -> Fraction:
    """Return x in (low, high], near the zero of an increasing function, where it is proved nonnegative; else high."""
    from flint import ctx

    with ctx.workprec(_UNIVERSAL_PRECISION):
        for _ in range(_BISECTION_BITS):
            middle = (low + high) / 2
            low, high = (low, middle) if difference(ball(middle)) >= 0 else (middle, high)
    return high
