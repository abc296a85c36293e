"""Universal inequalities for binomial tails: bounds that stay true for every larger n, for plans of any size."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rropt.exact.brackets import ball

# Universal tail bounds: 2^-70 of the unit interval is finer than any plan; the precision exceeds it twice over.
_BISECTION_BITS = 70
_UNIVERSAL_PRECISION = 192


def divergence(t: Any, p: Any) -> Any:
    """Return ``KL(t | p) = t log(t/p) + (1 - t) log((1 - t)/(1 - p))`` of balls, 0 < t, p < 1.

    For Y binomial (n, p) and ``C(k) = Phi(sign(k/n - p) sqrt(2 n KL(k/n | p)))``:
    ``C(k) <= Pr(Y <= k) <= C(k + 1)``, for all n and p and k = 0..n - 1.

    Source: Zubkov and Serov, A complete proof of universal inequalities for the distribution function of the
    binomial law (2013).
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

    * ``t < share``: as n grows s serves still, t falls to it, and ``n KL(t | share)`` grows.
    * ``t >= share``, quantile <= 0: let s_n be the exact critical shares, ``n KL(s_n | null) = const``, null < share;
      what holds at t holds at ``x = s_n + 2/n <= t``. For ``G_p(s) = KL(s | p) / KL'(s | p)``, s > p, convexity gives
      ``0 <= G_p(s) <= s - p``, ``G_p' <= 1``, and G falls in p. So ``KL(s | share) / KL(s | null)`` grows in s (its
      logarithm has the slope ``1/G_share - 1/G_null``), and falls with x as n grows; and ``n KL(x | null)`` falls,
      since ``KL(x | null) - KL'(x | null) (G(s_n) + 2/n) <= 0``, G = G_null. Their product ``n KL(x | share)`` falls
      until x passes the share; then C <= 1/2. (Where s_n stays at the null, because z = 0 or null = 0,
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
