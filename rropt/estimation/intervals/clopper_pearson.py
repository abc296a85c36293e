"""The exact interval for a share: Clopper and Pearson's, with ends that are verified and rounded outwards."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from rropt.estimation.balls import FIRST_PRECISION, ball, bracket
from rropt.estimation.intervals.rounding import end_digits
from rropt.estimation.tails import tail_at_most, upper_tail

__all__ = ["clopper_pearson"]

_SMALLEST_PROPOSAL = 1e-300  # a float proposal of an end is never 0; about 10^-68 is the least that occurs


def clopper_pearson(y: int, n: int, confidence: Fraction) -> tuple[Fraction, Fraction]:
    """Return the interval of Clopper and Pearson for lambda, from y among n.

    With ``a = (1 - confidence)/2`` the lower end L has ``Pr(Y >= y | L) <= a`` (0 when y = 0) and the upper end U has
    ``Pr(Y <= y | U) <= a`` (1 when y = n), each the extreme decimal of about 13 significant digits for which this is
    verified: floats only propose. Since ``Pr(Y >= y | lambda)`` grows with lambda, ``lambda < L(Y)`` and
    ``lambda > U(Y)`` each have probability at most a, for every n and lambda.

    Source: Clopper and Pearson (1934).

    >>> lower, upper = clopper_pearson(0, 10, Fraction(19, 20))
    >>> lower, round(float(upper), 6)  # 1 - 40^(-1/10)
    (Fraction(0, 1), 0.308497)
    """
    level = (1 - confidence) / 2
    return _lower_end(y, n, level), 1 - _lower_end(n - y, n, level)


@lru_cache(maxsize=1 << 16)
def _lower_end(y: int, n: int, level: Fraction) -> Fraction:
    """Return the largest multiple L of a power of ten, L <= y/n, for which ``Pr(Y >= y | L) <= level`` is verified."""
    if y == 0:
        return Fraction(0)
    proposal = _proposal(y, n, level)
    scale = 10 ** (end_digits(n) + max(0, -math.floor(math.log10(proposal))))

    units = {math.floor(end * scale) for end in _bracket(y, n, level, Fraction(proposal))}
    if len(units) == 1:
        return Fraction(units.pop(), scale)

    def verified(unit: int) -> bool:
        return tail_at_most(y, n, Fraction(unit, scale), level) is True

    good = bad = min(int(Fraction(proposal) * scale), scale)
    step = 1
    while good > 0 and not verified(good):
        bad, good, step = good, max(good - step, 0), 2 * step
    if bad == good:
        step = 1
        bad = good + 1
        while bad < scale and verified(bad):
            good, bad, step = bad, min(bad + step, scale), 2 * step
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if verified(middle) else (good, middle)
    return Fraction(good, scale)


def _bracket(y: int, n: int, level: Fraction, near: Fraction) -> tuple[Fraction, ...]:
    """Return a proved bracket of the solution x of ``Pr(Y >= y | x) = level``, 0 < y <= n, or nothing.

    An interval Newton step: F(x) = Pr(Y >= y | x) - level grows, with F' = f the density of the beta distribution
    (y, n - y + 1), whose logarithm has the slope ``g(x) = (y - 1)/x - (n - y)/(1 - x)``. If the whole of
    ``c - F(c) / (f(c) exp(g(X) (X - c)))`` lies in X, an interval around c, so does the solution, and in the former.
    """
    from flint import arb, ctx

    if not 0 < near < 1:
        return ()
    with ctx.workprec(2 * FIRST_PRECISION):
        hits, misses, centre = arb(y), arb(n - y + 1), ball(near)
        miss = upper_tail(y, n, near) - ball(level)
        mass = hits.lgamma() + misses.lgamma() - arb(n + 1).lgamma()
        density = ((hits - 1) * centre.log() + (misses - 1) * (1 - centre).log() - mass).exp()
        step = 2 * abs(miss / density) + arb(2) ** (-2 * FIRST_PRECISION)
        around = centre.union(centre + step).union(centre - step)
        slope = (hits - 1 - (n - 1) * around) / (around * (1 - around))
        found = centre - miss / (density * (slope * (around - centre)).exp())
        return bracket(found) if around.contains(found) and found.is_finite() else ()


def _proposal(y: int, n: int, level: Fraction) -> float:
    """Return a float near the solution of ``Pr(Y >= y | L) = level``."""
    from scipy.special import betaincinv

    return max(float(betaincinv(y, n - y + 1, float(level))), _SMALLEST_PROPOSAL)
