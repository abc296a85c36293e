"""Tail probabilities of Laplace noise in the l1, l2 and linf norms, as rationals or balls (formulas in ``laplace``)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import isqrt
from typing import Any

from rropt.core.exact import Bracket, Epsilon
from rropt.core.exact.numbers import perfect_power
from rropt.core.exact.rational_bounds import ball, bracket, sign_of

MOST_EXACT_BITS = 1 << 16  # largest length of an exact power
_ACCURATE_BITS = 110  # relative accuracy of a probability: 33 digits
_MOST_BITS = 1 << 14  # largest working precision; a probability below 10^-4000 gets the lower bound 0


def enclosed(function: Callable[[], Any], bits: int = 128) -> Bracket:
    """Return bounds of a number >= 0, computed as a ball with increasing precision until it is accurate."""
    from flint import ctx

    while True:
        with ctx.workprec(bits):
            found = function()
            if found.rel_accuracy_bits() >= _ACCURATE_BITS or (bits >= _MOST_BITS and found.is_finite()):
                ends = bracket(found)
                return Bracket(max(Fraction(0), ends.lower), ends.upper)
        bits *= 2


def some_of(exact: Fraction | None, share: Callable[[], Any], d: int) -> Bracket:
    """Return ``1 - (1 - p)^d``, the probability that at least one of d coordinates is large."""
    if exact is not None and d * exact.denominator.bit_length() <= MOST_EXACT_BITS:
        return Bracket.of(1 - (1 - exact) ** d)
    return enclosed(lambda: -(d * (-share()).log1p()).expm1())


def root_form(epsilon: Epsilon, times: Fraction) -> tuple[Fraction, Fraction]:
    """Return (q, r) with ``exp(epsilon times) = q^r``, where q is not a perfect power, for epsilon = ``r*log(q)``."""
    degree, base = perfect_power(epsilon.base)
    return base, epsilon.times * times * degree


def exact_power(epsilon: Epsilon, times: Fraction) -> Fraction | None:
    """Return ``exp(-epsilon times)`` if it is rational and not too long, else ``None``."""
    if epsilon.kind != "log":
        return None
    base, power = root_form(epsilon, times)
    if power.denominator > 1 or base.numerator.bit_length() * power > MOST_EXACT_BITS:
        return None
    return (1 / base) ** int(power)


def ball_of(epsilon: Epsilon) -> Any:
    """Return a ball around epsilon at the working precision."""
    return ball(epsilon.times) if epsilon.kind == "rational" else ball(epsilon.times) * ball(epsilon.base).log()


def is_less(one: Epsilon, other: Epsilon) -> bool:
    """Return whether one epsilon is smaller than another."""
    if one == other:
        return False
    return sign_of(lambda _: ball_of(other) - ball_of(one), 128) > 0


@lru_cache(maxsize=8)
def _ball_series(d: int, terms: int, bits: int) -> list[Any]:
    """Return the coefficients ``(-1)^M c_M`` (see ``laplace``) at a given precision."""
    from flint import arb, ctx

    with ctx.workprec(bits):
        one = [(-1) ** j * (arb(j + 1) / 2).gamma() / (arb(j) + 1).gamma() for j in range(terms)]
        power = truncated_power(one, d, terms)
        return [power[m] / (arb(2) ** d * (arb(d + m) / 2 + 1).gamma()) for m in range(terms)]


def truncated_power(coefficients: list[Any], d: int, terms: int) -> Any:
    """Return the first coefficients of the power with exponent d of a power series."""
    from flint import arb_series, ctx

    known, ctx.cap = ctx.cap, terms
    try:
        return arb_series(coefficients, prec=terms) ** d
    finally:
        ctx.cap = known


def euclidean_tail(x: Any, d: int, terms: int) -> Any:
    """Return ``Pr(E_1^2 + ... + E_d^2 >= x^2)`` for independent exponential variables with mean 1.

    The probability is enclosed by the given number of terms of the series.
    """
    from flint import arb, arb_poly, ctx

    total = arb_poly(_ball_series(d, terms, ctx.prec))(x)
    wide = arb(d).sqrt() * x
    volume = arb.pi() ** (arb(d) / 2) / (arb(2) ** d * (arb(d) / 2 + 1).gamma())
    rest = volume * wide**terms / (arb(terms) + 1).gamma() * wide.exp()
    return 1 - x**d * (total + rest * arb(0, 1))


@lru_cache(maxsize=16)
def points(d: int, norms: int) -> tuple[int, ...]:
    """Return the numbers of integer points in d dimensions with the l1 norms 0, 1, ..., norms - 1."""
    counts = [1, 2 * d]
    for m in range(1, norms - 1):
        counts.append((2 * d * counts[m] + (m - 1) * counts[m - 1]) // (m + 1))
    return tuple(counts[:norms])


def sum_tail(a: Any, d: int, points: tuple[int, ...]) -> Any:
    """Return ``Pr(l1 norm >= len(points))`` for d discrete coordinates; ``points[m]`` is N(d, m) of ``laplace``."""
    total = a * 0
    for count in reversed(points):
        total = total * a + count
    return 1 - ((1 - a) / (1 + a)) ** d * total


@lru_cache(maxsize=4)
def square_sums(epsilon: Epsilon, rate: Fraction, d: int, size: int, bits: int) -> list[Any]:
    """Return the probabilities that the sum of squares is at most 0, 1, ..., size - 1, at a given precision."""
    from flint import ctx

    with ctx.workprec(bits):
        a = (-ball_of(epsilon) * ball(rate)).exp()
        one: list[Any] = [0] * size
        for z in range(isqrt(size - 1) + 1):
            one[z * z] = a**z * (2 if z else 1)
        law = truncated_power(one, d, size)
        least = ((1 - a) / (1 + a)) ** d
        return list(accumulate(least * law[s] for s in range(size)))


def least_integer(holds: Callable[[int], bool], high: int) -> int:
    """Return the smallest integer >= 0 that satisfies a monotone condition; the search starts at ``high``."""
    low = -1
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:  # the module bisect takes machine words only
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
