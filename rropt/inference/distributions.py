"""Normal quantiles and binomial tails: enclosures in ball arithmetic, and universal bounds.

A ball (Arb, in python-flint) is a rigorous enclosure of a number. Binomial tails are enclosed in balls, compared with a
level, or summed exactly. The universal bounds remain valid for every larger n, for plans of any size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.rational_bounds import ball, bracket
from rropt.core.lazy import numpy as np

# Precision of ball arithmetic in bits. It doubles from the first value, slightly more than that of a float, to the
# last, about 600 decimals: twice as many as the finest quantile of a plan needs. Tails stop earlier, at
# `TAIL_PRECISION`.
FIRST_PRECISION = 64
LAST_PRECISION = 2048


@lru_cache(maxsize=256)
def normal_quantile(probability: Fraction, digits: int = 20) -> tuple[Fraction, Fraction]:
    """Return rationals ``lo <= z <= hi`` around the normal quantile z, with ``hi - lo <= 10^-digits``.

    The quantile is ``z = sqrt(2) erfinv(2 probability - 1)``, computed in ball arithmetic. At probability 1/2 the
    function returns (0, 0).

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


@lru_cache(maxsize=256)  # asked for each row and kind of interval
def two_sided_quantile(confidence: Fraction, digits: int = 20) -> tuple[Fraction, Fraction]:
    """Return a bracket of the two-sided normal quantile z, with Pr(-z <= G <= z) = confidence for standard normal G."""
    return normal_quantile((1 + confidence) / 2, digits)


# 512 bits distinguish a tail from a level unless they agree to more than 100 digits (a tie). This takes a fifth of a
# second; quantiles take less.
TAIL_PRECISION = 512
# Limit for the bits of the integers in a tie: if balls do not decide, tails are summed exactly up to here.
_EXACT_TAIL_BITS = 1 << 24


# An approximate endpoint is found by sums of floats up to this number of responses, in a fortieth of a second.
_MOST_SUMMED = 10**9
_MOST_STEPS = 60  # of Newton's method; three to six are needed

# A tail is summed term by term up to so many terms, about 15 standard deviations at the first precision. Beyond them
# Arb's incomplete beta function is faster: the terms are then those of n near 10^5.
_MOST_TERMS = 4000


def upper_tail(y: int, n: int, p: Fraction, mass: Any = None) -> Any:
    """Return a ball that contains ``Pr(Y >= y)`` for Y binomial (n, p), at the working precision.

    Args:
        y, n, p: a number of successes, and the binomial distribution.
        mass: ``binomial_mass`` of them, if it is known.

    Beyond the mean the terms fall, and are summed (``_tail_beyond_mean``); below it the other tail is. With too many
    terms it is the regularized incomplete beta function ``I_p(y, n - y + 1)`` (DLMF 8.17.5), which Arb computes within
    a few milliseconds up to n = 10^15.
    """
    from flint import arb

    if y <= 0:
        return arb(1)
    if y > n or p == 0:
        return arb(0)
    if p == 1:
        return arb(1)
    if y >= n * p:
        tail = _tail_beyond_mean(y, n, p, mass)
    else:
        other = _tail_beyond_mean(n - y + 1, n, 1 - p, None)
        tail = None if other is None else 1 - other
    if tail is not None:
        return tail
    if 2 * p > 1:  # for p near 1, Arb is up to a thousand times slower than for p near 0
        return 1 - ball(1 - p).beta_lower(arb(n - y + 1), arb(y), 1)
    return ball(p).beta_lower(arb(y), arb(n - y + 1), 1)


def binomial_mass(y: int, n: int, p: Fraction) -> Any:
    """Return a ball that contains ``Pr(Y = y)`` for Y binomial (n, p), 0 < p < 1, at the working precision."""
    from flint import arb, ctx

    with ctx.workprec(
        ctx.prec + 2 * n.bit_length() + 16
    ):  # logarithms of factorials have log2(n log n) bits before the point
        chance, hits, misses = ball(p), arb(y), arb(n - y)
        logarithm = arb(n + 1).lgamma() - (hits + 1).lgamma() - (misses + 1).lgamma()
        return (logarithm + hits * chance.log() + misses * (1 - chance).log()).exp()


def _tail_beyond_mean(y: int, n: int, p: Fraction, mass: Any) -> Any:
    """Return a ball that contains ``Pr(Y >= y)`` for ``0 < y`` and ``n p <= y <= n``; ``None`` if it has many terms.

    With ``m(k) = Pr(Y = k)`` the tail is ``m(y) (1 + r(y) + r(y) r(y + 1) + ...)`` where
    ``r(k) = m(k + 1)/m(k) = (n - k) p / ((k + 1)(1 - p))`` is below 1 and falls, as ``k >= n p``. The sum is computed
    in units of 2^-bits, each product rounded down. As each factor is below 1, the j-th product is short by at most j
    units, so that J of them are short by at most ``J (J + 1)/2``. When a product is rounded to 0 its true value is at
    most J units, and those after it sum to at most ``J r/(1 - r)``.
    """
    from flint import arb, ctx

    hit, miss = p.numerator, p.denominator - p.numerator
    bits = ctx.prec + 32
    if n - y > _MOST_TERMS and bits * n * hit * miss > (_MOST_TERMS * p.denominator) ** 2:  # exp(-terms^2/(2 n p q))
        return None
    product = total = 1 << bits
    for steps in range(min(n - y, _MOST_TERMS + 1)):
        numerator, denominator = (n - y - steps) * hit, (y + steps + 1) * miss
        product = product * numerator // denominator
        total += product
        if not product:
            done = steps + 1  # the next factors are below the one at k = y + done
            numerator, denominator = (n - y - done) * hit, (y + done + 1) * miss
            rest = done * numerator // (denominator - numerator) + 1
            break
    else:
        if n - y > _MOST_TERMS:
            return None
        done, rest = n - y, 0
    short = done * (done + 1) // 2 + rest
    mass = binomial_mass(y, n, p) if mass is None else mass
    return mass * arb(total).union(arb(total + short)) * arb(2) ** -bits


def lower_probability(n: Any, hits: Any, level: float) -> Any:
    """Return the Clopper-Pearson lower bound, the solution p of ``Pr(Bin(n, p) >= hits) = level``; 0 if hits = 0."""
    from scipy import special

    n, hits = np.asarray(n, np.float64), np.asarray(hits, np.float64)
    # SciPy needs a positive number; without hits the answer is 0
    found = special.betaincinv(np.maximum(hits, 1e-300), n - hits + 1, level)
    return np.where(hits <= 0, 0.0, found)


def proposed_lower_end(y: int, n: int, level: float) -> float:
    """Return an approximate Clopper-Pearson lower bound, the solution x of ``Pr(Bin(n, x) >= y) = level``, 0 < y <= n.

    Newton's method for ``log F`` as a function of ``log x``, where ``F(x) = Pr(Y >= y)``, converges from any start: the
    function increases and is concave, as ``d log F / d log x = y m(y)/F = y/S`` falls in x. Here m(y) is the
    probability of y, and ``S = F/m(y) = 1 + r(y) + r(y) r(y + 1) + ...`` with the ratios of ``_tail_beyond_mean``. The
    cost is O(sqrt(n)): 20 us at n = 200, 2 ms at n = 10^7. Beyond ``_MOST_SUMMED`` the result is that of SciPy.
    """
    proposed = float(lower_probability(n, y, level)) if n > _MOST_SUMMED else math.nan
    if not math.isnan(proposed):  # SciPy before 1.17 has none for some y beyond 10^11 responses
        return proposed
    square, share = float(normal_quantile(1 - Fraction(level))[0]) ** 2 / n, y / n
    root = math.sqrt(square * share * (1 - share) + square * square / 4)
    wilson = (share + square / 2 - root) / (1 + square)  # the lower bound
    x = min(max(wilson, share * 1e-3), 1 - 2.0**-53)  # of y = n and a small confidence it is 1 in floats
    if n > _MOST_SUMMED:
        return x
    few = min(y, n - y)
    if few <= 100:
        ways = math.log(math.comb(n, few))
    else:
        ways = math.lgamma(n + 1) - math.lgamma(y + 1) - math.lgamma(n - y + 1)
    goal = math.log(level) - ways
    before = 1.0
    for _ in range(_MOST_STEPS):
        odds, term, tail, k = x / (1 - x), 1.0, 1.0, y
        while k < n and term > 1e-17 * tail:  # a smaller term changes no digit of a float
            term *= (n - k) / (k + 1) * odds
            tail += term
            k += 1
        step = (goal - y * math.log(x) - (n - y) * math.log1p(-x) - math.log(tail)) * tail / y
        x = min(x * math.exp(step), (1 + x) / 2)
        if abs(step) < 1e-12 or abs(step) ** 3 < 1e-17 * before**2:  # the next step is about step^3/before^2
            break
        before = step
    return x


def upper_probability(n: Any, hits: Any, level: float) -> Any:
    """Return the Clopper-Pearson upper bound, the solution q of ``Pr(Bin(n, q) <= hits) = level``; 1 if hits = n."""
    from scipy import special

    n, hits = np.asarray(n, np.float64), np.asarray(hits, np.float64)
    # SciPy needs a positive number; if all are hits the answer is 1
    found = special.betainccinv(hits + 1, np.maximum(n - hits, 1e-300), level)
    return np.where(hits >= n, 1.0, found)


def tail_at_most(y: int, n: int, p: Fraction, level: Fraction) -> bool | None:
    """Return whether ``Pr(Y >= y) <= level`` for Y binomial (n, p); ``None`` if this was not decided.

    Balls of growing precision decide, unless the two numbers agree to more than 100 digits. In this case the tail is
    summed in integers, if they have at most about 10^7 bits.
    """
    if y <= 0 or y > n:
        return level >= (1 if y <= 0 else 0)
    decided = at_most(lambda: upper_tail(y, n, p), level, TAIL_PRECISION)
    return exact_tail(y, n, p) <= level if decided is None and is_tail_small(n, p) else decided


def at_most(number: Callable[[], Any], bound: Fraction, last: int) -> bool | None:
    """Return whether a number is at most a bound, decided by balls of growing precision; ``None`` if not decided.

    Args:
        number: a function that returns the number as a fraction, or a ball around it at the working precision.
        bound: the bound, exact.
        last: the largest precision in bits.
    """
    from flint import ctx

    precision = FIRST_PRECISION
    while precision <= last:
        with ctx.workprec(precision):
            value, most = number(), ball(bound)
            if isinstance(value, Fraction):
                return value <= bound
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


def is_tail_small(n: int, p: Fraction) -> bool:
    """Return whether a binomial tail is small enough to be summed in integers."""
    return n * n * p.denominator.bit_length() <= _EXACT_TAIL_BITS


# Universal tail bounds: bisection to 2^-70 of the unit interval, finer than any plan needs, with more than twice the
# precision.
_BISECTION_BITS = 70
_UNIVERSAL_PRECISION = 192


def divergence(t: Any, p: Any) -> Any:
    """Return ``KL(t | p) = t log(t/p) + (1 - t) log((1 - t)/(1 - p))`` for balls t and p with 0 < t, p < 1.

    Let Y be binomial (n, p) and ``C(k) = Phi(sign(k/n - p) sqrt(2 n KL(k/n | p)))``. Then
    ``C(k) <= Pr(Y <= k) <= C(k + 1)`` for all n and p, and k = 0..n - 1.

    Source: Zubkov and Serov, A complete proof of universal inequalities for the distribution function of the
    binomial distribution (2013).
    """
    return t * (t / p).log() + (1 - t) * ((1 - t) / (1 - p)).log()


def bound_above(share: Fraction, n: int, square: Fraction) -> Fraction:
    """Return u with ``u >= U(y)`` for the upper Clopper-Pearson endpoint U of every count ``y <= n share + 1``.

    Let ``t = share + 2/n < u``. If ``2 n KL(t | u) >= z^2``, then ``Pr(Y <= y | u) <= C(y + 1) <= Phi(-z)``. The same u
    is valid for every larger n, because t decreases and 2 n increases.
    """
    t = share + Fraction(2, n)
    if t >= 1:
        return Fraction(1)
    return _crossing(lambda u: 2 * n * divergence(ball(t), u) - ball(square), t, Fraction(1))


def critical_share(share: Fraction, n: int, square: Fraction) -> Fraction | None:
    """Return t with ``Pr(Y >= k) <= Phi(-z)`` for every count ``k >= n t + 1``, Y binomial (n, share).

    Let t > share. If ``2 n KL(t | share) >= z^2``, then ``Pr(Y >= k) <= 1 - C(k - 1) <= Phi(-z)``. The same t is valid
    for every larger n. The result is ``None`` if there is no such t below 1.
    """
    if share == 0:
        return Fraction(0)  # one success is enough evidence: under the hypothesis it never occurs
    t = _crossing(lambda x: 2 * n * divergence(x, ball(share)) - ball(square), share, Fraction(1))
    return t if t < 1 else None


def lower_tail_bound(t: Fraction, n: int, share: Fraction) -> Any:
    """Return C with ``Pr(Y <= n t - 1) <= C`` for Y binomial (n, share), as a fraction or a ball.

    Here ``t = s + 2/n``, where s is a critical proportion for this n; it may differ for a larger n. The bound is
    ``C = Phi(sign(t - share) sqrt(2 n KL(t | share)))``, by ``Pr(Y <= k) <= C(k + 1)``. It does not increase in n while
    ``t >= share``, and below it remains at most 1/2 and decreases. Two cases:

    * ``t < share``: as n grows, s remains sufficient, t decreases to s, and ``n KL(t | share)`` grows.
    * ``t >= share``. Let s_n be the exact critical proportions, with ``n KL(s_n | null) = const`` and null < share. It
      suffices to consider ``x = s_n + 2/n <= t`` in place of t.

      1. For s > p let ``G_p(s) = KL(s | p) / KL'(s | p)``. By convexity, ``0 <= G_p(s) <= s - p`` and ``G_p' <= 1``,
         and G_p(s) decreases in p.
      2. The logarithm of ``KL(s | share) / KL(s | null)`` has the slope ``1/G_share - 1/G_null``. Hence this ratio
         increases in s. As n grows, x decreases, and so does the ratio at x.
      3. ``n KL(x | null)`` decreases in n, since ``KL(x | null) - KL'(x | null) (G_null(s_n) + 2/n) <= 0``.
      4. By steps 2 and 3, the product ``n KL(x | share)`` decreases in n until x is below ``share``. From there on,
         C <= 1/2.

      If s_n is always equal to null, because z = 0 or null = 0, then ``n KL(null + 2/n | share)`` decreases by the same
      convexity.
    """
    if t >= 1:
        return Fraction(1)
    if share == 1:
        return Fraction(0)
    if t == share:
        return Fraction(1, 2)
    exponent = (n * divergence(ball(t), ball(share))).sqrt()
    return (exponent if t < share else -exponent).erfc() / 2


def _crossing(difference: Callable[[Any], Any], low: Fraction, high: Fraction) -> Fraction:
    """Return x in (low, high] near the zero of an increasing function that is provably >= 0 at x; else high."""
    from flint import ctx

    with ctx.workprec(_UNIVERSAL_PRECISION):
        for _ in range(_BISECTION_BITS):
            middle = (low + high) / 2
            low, high = (low, middle) if difference(ball(middle)) >= 0 else (middle, high)
    return high


def t_lower_quantile(freedom: Any, tail: float) -> Any:
    """Return the quantile of Student's t distribution at a lower tail probability, for each degrees of freedom.

    SciPy's before version 1.17 is right to 4e-11 only; one step of Newton's method brings it to the last digits. The
    density is ``Gamma((f + 1)/2) / (Gamma(f/2) sqrt(f pi)) (1 + t^2/f)^(-(f + 1)/2)``.

    >>> round(float(t_lower_quantile(11, 0.025)), 12)
    -2.200985160092
    """
    from scipy import special

    f = np.asarray(freedom, dtype=float)
    t = special.stdtrit(f, tail)
    gammas = special.gammaln((f + 1) / 2) - special.gammaln(f / 2)
    with np.errstate(all="ignore"):
        density = np.exp(gammas - (f + 1) / 2 * np.log1p(t * t / f)) / np.sqrt(f * np.pi)
        step = (special.stdtr(f, t) - tail) / density
    return t - np.where(np.isfinite(step), step, 0.0)
