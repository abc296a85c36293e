r"""Intervals for the proportion with a trait in a finite population that are valid for every number of holders.

Of N people, K have the trait (the *holders*), and n are asked, a simple random sample without replacement. The number X
of holders among them is hypergeometric. Let T(x) be the probability that the sum S of the responses is at least the
observed one, given X = x. The exact interval consists of all K/N that two one-sided tests of ``(1 - confidence)/2``
each accept: ``Pr_K(S >= s) = E T(X)`` is above this level, and so is ``Pr_K(S <= s)``. So no K is rejected with a
larger probability than 1 - confidence.

*Bisection over K.* X grows stochastically with K: of K + 1 holders, forget one, and each sample has as many holders or
one less. If T does not decrease in x, then ``Pr_K(S >= s)`` does not decrease in K, and one comparison at each end
proves the interval. With two outputs this is so: respondent i responds 1 if a uniform number U_i is below a (holders)
or b (others), and each indicator grows with the trait if a > b. For other devices the code compares all T(x), and
leaves out the interval if they are not in order.

*T with two outputs.* With M = n - 1 other respondents, of whom x have the trait, let ``q(x) = Pr(m of them respond 1)``
for ``m = s - 1``. Then ``T(x + 1) - T(x) = (a - b) q(x)``: only where the others give m responses 1 does the trait of
the last one matter. The generating function ``(1 - a + a z)^x (1 - b + b z)^(M - x)`` gives a recurrence in x (that of
Krawtchouk's polynomials):

    ``(M - x) b (1 - b) q(x + 1) = c(x) q(x) + x a (1 - a) q(x - 1)``,
    ``c(x) = (M - x) (1 - a) b - x a (1 - b) + m (a - b)``.

c decreases. Where it is not negative, the recurrence is used upwards from q(0), elsewhere downwards from q(M): all
terms are positive then, and no digits are lost. Balls enclose every number, a tie is decided in fractions, and a
comparison that is not decided counts as accepted, which only widens the interval.

*Many respondents.* S with two outputs has the law of n independent indicators, as the generating function of X has real
zeros only (Vatutin and Mikhailov 1982). Its mean is ``n lambda``, ``lambda = b + (a - b) K/N``. So for every
``s >= n lambda + 1`` its upper tail is at most that of the binomial (n, lambda) (Hoeffding 1956), and for s = 1 at most
``n lambda``. The Clopper-Pearson interval, moved outwards where it does not obey these conditions, is therefore valid
too, and a little wider.

*Chebyshev's interval* is valid for every device and for dealt cards: all pi with
``(estimate - pi)^2 <= V(pi)/(1 - confidence)``, where V is the exact variance, a polynomial of degree 2.

Source: Hoeffding (1956), On the distribution of the number of successes in independent trials, theorem 5; Wright
(1991), Exact Confidence Bounds when Sampling from Small Finite Universes (direct responses).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb, isqrt, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.accounting.decks import DealtDeck
from rropt.accounting.trait_devices import DrawnAnswers
from rropt.answers.response_counts import least_integer
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import root_above
from rropt.core.exact.rational_bounds import ball
from rropt.inference.distributions import (
    FIRST_PRECISION,
    TAIL_PRECISION,
    at_most,
    binomial_mass,
    exact_tail,
    upper_tail,
)
from rropt.inference.interval_estimates import Interval, cut_interval
from rropt.inference.interval_kinds import INTERVAL_KINDS, IntervalKind, clopper_pearson, end_digits

MOST_COUNTED = 50_000  # respondents of two outputs whose law is computed, in two seconds at the most
_MOST_SUMMED = 100  # respondents of other devices: the laws of the sum for each number of holders take a fifth of one
_MOST_RATIONAL = 1 << 10  # respondents for whom a tie is decided in fractions
_GUARD = 32  # bits, beside two for each digit of n: a recurrence of n steps loses log2(n) bits
_DEVIATIONS = 12  # hypergeometric standard deviations of the floating-point proposal

_FINITE = IntervalKind(
    "exact",
    "coverage at least nominal for every number of people with the trait (the law of a sample without replacement, and "
    "of the device)",
    clopper_pearson,
)
_BINOMIAL = _FINITE._replace(
    guarantee="coverage at least nominal for every number of people with the trait: the interval of the binomial "
    "distribution, whose tails are not below those of a sample without replacement"
)
_CHEBYSHEV = INTERVAL_KINDS["chebyshev"]._replace(
    guarantee="coverage at least nominal for every number of people with the trait (Chebyshev's inequality, with the "
    "exact variance)"
)


@dataclass(frozen=True)
class FiniteSample:
    """The responses of n people of a population of N.

    Attributes:
        device: their device.
        population: N.
        total: the sum of the responses.
    """

    device: DrawnAnswers | DealtDeck
    population: int
    total: int

    @property
    def n(self) -> int:
        """The number of respondents."""
        return self.device.respondents

    @property
    def counted(self) -> tuple[int, Fraction, Fraction] | None:
        """For two outputs the number of responses of the second one, and its probabilities without and with the trait.

        ``None`` for other devices.
        """
        if not isinstance(self.device, DrawnAnswers) or self.device.mechanism.outputs != 2:
            return None
        low, high = self.device.mechanism.row(1)
        return self.total - self.n * self.device.first, low, high


def exact_interval(sample: FiniteSample, confidence: Fraction) -> Interval | None:
    """Return the interval of two one-sided tests by the law of the responses; ``None`` if this law takes too long.

    With two outputs and more than ``MOST_COUNTED`` respondents it is the interval of the binomial distribution.

    >>> from rropt.mechanisms import named_mechanism
    >>> sample = FiniteSample(DrawnAnswers(named_mechanism("forced:2/3,0,1/3"), 30), 200, 1)
    >>> found = exact_interval(sample, Fraction(19, 20))
    >>> found.lower, found.upper
    (Fraction(1, 200), Fraction(49, 200))
    """
    if (counted := sample.counted) is not None:
        return _of_two_outputs(*counted, sample.n, sample.population, confidence)
    return _of_sums(sample, confidence)


@lru_cache(maxsize=1 << 12)
def _of_two_outputs(
    hits: int, low: Fraction, high: Fraction, n: int, population: int, confidence: Fraction
) -> Interval:
    if low > high:  # count the other responses
        hits, low, high = n - hits, 1 - low, 1 - high
    level = (1 - confidence) / 2
    if n > MOST_COUNTED:
        ends = _binomial_end(hits, n, level, confidence), 1 - _binomial_end(n - hits, n, level, confidence)
        lower, upper = ((end - low) / (high - low) for end in ends)
        return cut_interval(_BINOMIAL, lower, upper, confidence)
    lower = _end(hits, low, high, n, population, confidence)
    # the other output, counted among those without the trait
    upper = 1 - _end(n - hits, 1 - high, 1 - low, n, population, confidence)
    return cut_interval(_FINITE, lower, upper, confidence)


def _end(hits: int, low: Fraction, high: Fraction, n: int, population: int, confidence: Fraction) -> Fraction:
    """Return the lower end for at least so many hits, below 0 or above 1 where no K or every K is rejected.

    If K = 0 is accepted, or K = N rejected, the responses are those of a binomial distribution there, and the end is
    that of Clopper and Pearson for the probability of a hit: it continues the law beyond K = 0 or K = N.
    """
    level = (1 - confidence) / 2
    least = _least_holders(hits, low, high, n, population, level)
    if 0 < least <= population:
        return Fraction(least, population)
    outside = (clopper_pearson(hits, n, confidence)[0] - low) / (high - low)
    return min(outside, Fraction(0)) if least == 0 else max(outside, Fraction(1))


def _least_holders(hits: int, low: Fraction, high: Fraction, n: int, population: int, level: Fraction) -> int:
    """Return the least K with ``Pr_K(Y >= hits) > level`` for two outputs, low < high; N + 1 if there is none."""
    if hits <= 0:
        return 0

    def tails(*, exact: bool) -> Sequence[Any]:
        return _tails(hits, low, high, n, exact=exact)

    return _least(tails, n, population, level)


def _least(tails: Callable[..., Sequence[Any]], n: int, population: int, level: Fraction) -> int:
    """Return the least K for which the mean of T over the hypergeometric law is above a level; N + 1 if there is none.

    Args:
        tails: returns T(0), ..., T(n), which do not decrease, as balls or as fractions.
        n, population: the numbers of respondents and of people.
        level: the level.
    """

    from flint import ctx

    def is_accepted(holders: int) -> bool:
        decided = at_most(lambda: _mixed_balls(tails(exact=False), n, population, holders), level, TAIL_PRECISION)
        if decided is None and n <= _MOST_RATIONAL:
            first, last = max(0, n - (population - holders)), min(n, holders)
            decided = _mixed(tails(exact=True), n, population, holders, first, last) <= level
        return decided is not True

    with ctx.workprec(FIRST_PRECISION):  # the tails that the first comparison needs too
        known = np.array([float(t) for t in tails(exact=False)])
    return least_integer(is_accepted, _proposal(known, n, population, float(level)), 0, population + 1)


def _proposal(known: NDArray[np.float64], n: int, population: int, level: float) -> int:
    """Return the least K with floats, by bisection."""
    from scipy.special import gammaln

    def mixed(holders: int) -> float:
        share = holders / population
        spread = np.sqrt(n * share * (1 - share)) + 1
        first = max(0, n - (population - holders), int(n * share - _DEVIATIONS * spread))
        last = min(n, holders, int(n * share + _DEVIATIONS * spread) + 1)
        x = np.arange(first, last + 1, dtype=np.float64)
        logarithms = -(gammaln(x + 1) + gammaln(holders - x + 1) + gammaln(n - x + 1))
        logarithms -= gammaln(population - holders - n + x + 1)
        weights = np.exp(logarithms - logarithms.max())
        return float(weights @ known[first : last + 1] / weights.sum())

    outside, inside = -1, population + 1
    while inside - outside > 1:
        middle = (outside + inside) // 2
        outside, inside = (outside, middle) if mixed(middle) > level else (middle, inside)
    return inside


def _mixed_balls(tails: Sequence[Any], n: int, population: int, holders: int) -> Any:
    """Return a ball around the mean of T over the number X of holders among the respondents.

    As ``Pr(|X - mean| >= t) <= 2 exp(-2 t^2/n) = r`` (Hoeffding 1963), the numbers next to the mean are enough: if m is
    the mean of T over them, the mean of T lies between ``(1 - r) m`` and ``(1 - r) m + r``.
    """
    from flint import arb, ctx

    mean, reach = n * holders // population, isqrt(n * ctx.prec // 2) + 2  # r < 2 exp(-prec)
    first, last = max(0, n - (population - holders), mean - reach), min(n, holders, mean + reach)
    with ctx.workprec(ctx.prec + 2 * n.bit_length() + _GUARD):
        found = _mixed(tails, n, population, holders, first, last)
    rest = 2 * (-2 * arb(reach - 1) ** 2 / n).exp()
    return found * (1 - rest) + rest.union(arb(0))


def _mixed(tails: Sequence[Any], n: int, population: int, holders: int, first: int, last: int) -> Any:
    """Return the mean of T over the number of holders among the respondents, if it is from ``first`` to ``last``."""
    weight: Any = 0 * tails[0] + 1
    total, found = weight, weight * tails[first]
    for x in range(first, last):
        weight = weight * ((holders - x) * (n - x)) / ((x + 1) * (population - holders - n + x + 1))
        total += weight
        found += weight * tails[x + 1]
    return found / total


def _tails(hits: int, low: Fraction, high: Fraction, n: int, *, exact: bool) -> Sequence[Any]:
    """Return ``Pr(Y >= hits)`` for x = 0, ..., n holders among the respondents, as fractions or balls."""
    from flint import ctx

    if exact:
        return _listed_tails(hits, low, high, n, 0)
    with ctx.workprec(ctx.prec + 2 * n.bit_length() + _GUARD):
        return _listed_tails(hits, low, high, n, ctx.prec)


@lru_cache(maxsize=64)
def _listed_tails(hits: int, low: Fraction, high: Fraction, n: int, precision: int) -> Sequence[Any]:
    """Return the tails at a precision in bits, the working one; 0 for fractions."""
    from flint import arb

    step = high - low
    if not 0 < hits <= n:
        one: Any = arb(1) if precision else Fraction(1)
        return [one if hits <= 0 else 0 * one] * (n + 1)
    start: Any = upper_tail(hits, n, low) if precision else exact_tail(hits, n, low)
    scale: Any = arb(step.numerator) / step.denominator if precision else step
    found = [start]
    for mass in _masses(hits - 1, low, high, n - 1, is_exact=not precision):
        found.append(found[-1] + scale * mass)
    return found


def _masses(m: int, low: Fraction, high: Fraction, others: int, *, is_exact: bool) -> list[Any]:
    """Return q(0), ..., q(M), the probabilities of m hits among M respondents of whom x have the trait."""
    below = lcm(low.denominator, high.denominator)
    b, a = int(low * below), int(high * below)
    first, last = (_binomial_chance(m, others, share, is_exact=is_exact) for share in (low, high))
    zero: Any = 0 * first
    if b == 0 and a == below:
        return [zero] * m + [zero + 1] + [zero] * (others - m)
    falls, rises = (below - a) * b, a * (below - b)
    least, most = b * (below - b), a * (below - a)

    def c(x: int) -> int:
        return (others - x) * falls - x * rises + m * below * (a - b)

    # the last x that is computed upwards; if b = 0, only holders are hits, so that q(x) = 0 for x < m
    turn = m - 1 if b == 0 else min((others * falls + m * below * (a - b)) // (falls + rises), others)
    upwards: list[Any] = [first] if b else [zero] * m
    for x in range(turn if b else 0):
        before = upwards[x - 1] * (x * most) if x else zero
        upwards.append((upwards[x] * c(x) + before) / ((others - x) * least))
    downwards: list[Any] = [last] * (turn < others)
    for x in range(others, turn + 1, -1):
        after = downwards[-2] * ((others - x) * least) if x < others else zero
        downwards.append((after - downwards[-1] * c(x)) / (x * most) if most else zero)
    return upwards + downwards[::-1]


def _binomial_chance(m: int, others: int, share: Fraction, *, is_exact: bool) -> Any:
    """Return ``Pr(Y = m)`` for Y binomial (others, share)."""
    from flint import arb

    if share in (0, 1):
        is_hit = int(m == (others if share else 0))
        return Fraction(is_hit) if is_exact else arb(is_hit)
    if is_exact:
        return comb(others, m) * share**m * (1 - share) ** (others - m)
    return binomial_mass(m, others, share)


def _binomial_end(hits: int, n: int, level: Fraction, confidence: Fraction) -> Fraction:
    """Return the Clopper-Pearson lower end, moved outwards to where the binomial tail bounds that of the sample."""
    known = level / n if hits == 1 else Fraction(max(hits - 1, 0), n)
    return min(clopper_pearson(hits, n, confidence)[0], known)


def _of_sums(sample: FiniteSample, confidence: Fraction) -> Interval | None:
    """Return the exact interval from the laws of the sum for each number of holders; ``None`` if these are many."""
    n, total = sample.n, sample.total
    if n > _MOST_SUMMED:
        return None
    try:
        laws = [sample.device.view_law("sum", holders) for holders in range(n + 1)]
    except UnsupportedProblemError:
        return None
    above = [sum((p for z, p in law.items() if z >= total), Fraction(0)) for law in laws]
    under = [sum((p for z, p in law.items() if z <= total), Fraction(0)) for law in laws]
    rising, falling = (above, under) if sample.device.slope() > 0 else (under, above)
    # the tails that are not in order become larger, which only widens the interval; the second ones are in the order of
    # the number of respondents without the trait
    up, down = (tuple(accumulate(own, max)) for own in (rising, falling[::-1]))

    def least(tails: tuple[Fraction, ...]) -> int:
        def listed(*, exact: bool) -> Sequence[Any]:
            return tails if exact else [ball(t) for t in tails]

        return _least(listed, n, sample.population, (1 - confidence) / 2)

    lower, upper = Fraction(least(up), sample.population), 1 - Fraction(least(down), sample.population)
    return cut_interval(_FINITE, lower, upper, confidence)


def chebyshev_interval(
    estimate: Fraction, variance: Callable[[Fraction], Fraction], n: int, confidence: Fraction
) -> Interval:
    """Return all pi with ``(estimate - pi)^2 <= V(pi)/(1 - confidence)``.

    Args:
        estimate: the unbiased estimate.
        variance: V, a polynomial of degree 2 in pi.
        n: the number of respondents, for the rounding of the ends.
        confidence: the confidence.
    """
    square = 1 / (1 - confidence)
    first, middle, last = (square * variance(Fraction(i, 2)) for i in range(3))
    bend = 4 * middle - 2 * (first + last)  # V = first + (last - first) pi + bend pi (1 - pi)
    # (1 + bend) pi^2 - 2 half pi + rest <= 0
    half, rest, digits = estimate + (last - first + bend) / 2, estimate**2 - first, end_digits(n)
    root = root_above(max(half**2 - (1 + bend) * rest, Fraction(0)), digits + 4)
    ends = ((half - root) / (1 + bend), (half + root) / (1 + bend))
    return cut_interval(_CHEBYSHEV, *ends, confidence)
