"""Half-widths of the intervals that ``rropt estimate`` prints, for plans of finite populations, strata and groups.

* ``exact``: the interval of a finite population (``finite_intervals``), at the integers next to the expected number of
  responses 1; the wider one counts. It is continued beyond 0 and 1, so that a plan near an end is that of a plan
  without population in a large one.
* ``beta``: of a complex survey, with the effective sample size ``m = t (1 - t)/V`` of the planned variance V of the
  proportion t of responses 1; where all responses are equal, m is the number of respondents
  (``proportion_intervals``).
* ``score``: of the difference of two groups (``score_tests``), with the effective sample sizes in place of the numbers.
* ``chebyshev``: of a dealt deck, or of more than two outputs, in a finite population.

A normal half-width ``z sqrt(V)`` is not planned: where few responses of one kind are expected, these intervals are much
wider, and at a proportion 0 or 1 its width is always 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from rropt.accounting.trait_devices import DrawnAnswers
from rropt.inference.distributions import lower_probability, t_lower_quantile, upper_probability
from rropt.inference.exact_tests import BinomialSample
from rropt.inference.finite_intervals import (
    MOST_COUNTED,
    FiniteSample,
    chebyshev_interval,
    exact_interval,
)
from rropt.inference.finite_populations import Device, survey_variance
from rropt.inference.score_tests import score_intervals
from rropt.plans.sample_conditions import ONE

_ROUNDS = 4  # of fitting a quick half-width to the exact one; two or three are enough
_PERIODS = 3  # in which the expected number of responses grows by 1: the half-width jumps at their beginnings
_FLOATS = 1e-9  # relative: half-widths in floats, by SciPy and by a bisection, have errors below it


def exact_half_width(device: DrawnAnswers, prevalence: Fraction, population: int, trust: Fraction) -> Fraction:
    """Return half the width of the exact interval of two outputs, not cut, at the expected responses."""
    low, high = device.mechanism.row(1)
    share = device.respondents * (low + (high - low) * prevalence)
    found = (
        exact_interval(FiniteSample(device, population, y + device.respondents * device.first), trust)
        for y in {math.floor(share), math.ceil(share)}
    )
    return max(one.margin for one in found if one is not None)


def chebyshev_half_width(device: Device, prevalence: Fraction, population: int, trust: Fraction) -> Fraction:
    """Return half the width of Chebyshev's interval, not cut, if the estimate is the expected one."""

    def variance(pi: Fraction) -> Fraction:
        return survey_variance(device, pi, population).total

    return chebyshev_interval(prevalence, variance, device.respondents, trust).margin


def beta_half_width(
    share: float, variance: float, n: int, trust: Fraction, effect: float = 1.0, freedom: int | None = None
) -> float:
    """Return half the width of the beta interval of a proportion of responses, at the frequencies next to it.

    Args:
        share: t, the expected proportion of responses 1.
        variance: V, of the frequency of responses 1.
        n: the number of respondents.
        trust: the confidence.
        effect: the design effect where all responses are equal.
        freedom: the degrees of freedom; by default n - 1.
    """
    tail = float(1 - trust) / 2
    effective = share * (1 - share) / variance if variance > 0 and 0 < share < 1 else float(n)
    factor = 1.0
    if freedom is not None and n > 1:
        factor = float((t_lower_quantile(n - 1, tail) / t_lower_quantile(max(freedom, 1), tail)) ** 2)
    widths = []
    for hits in {math.floor(n * share + _FLOATS), math.ceil(n * share - _FLOATS)}:
        m = factor * (n / effect if hits in (0, n) else effective)
        widths.append(float(upper_probability(m, m * hits / n, tail) - lower_probability(m, m * hits / n, tail)) / 2)
    return max(widths)


class ResponseRange(NamedTuple):
    """The range of the debiased responses of a device, from ``low`` to ``high``: t is the place of a value in it."""

    low: Fraction
    high: Fraction

    def share(self, value: Fraction) -> Fraction:
        """Return t, with two outputs the proportion of one of them."""
        return (value - self.low) / (self.high - self.low)


def range_of(device: DrawnAnswers) -> ResponseRange:
    """Return the range of the debiased responses of a device."""
    mean, slope = device.moments(0)[0], device.slope()
    met = [(i + device.first - mean) / slope for i in range(device.mechanism.outputs) if any(device.mechanism.row(i))]
    return ResponseRange(min(met), max(met))


def beta_of_device(
    device: DrawnAnswers, prevalence: Fraction, variance: Fraction, trust: Fraction, effect: Fraction = ONE
) -> float:
    """Return half the width of the beta interval of a prevalence, not cut, from the variance of its estimate."""
    own = range_of(device)
    width = own.high - own.low
    share, spread = float(own.share(prevalence)), float(variance / width**2)
    return float(width) * beta_half_width(share, spread, device.respondents, trust, float(max(effect, ONE)))


def score_half_width(
    ends: tuple[Fraction, Fraction], pair: Sequence[Fraction], sizes: Sequence[int], trust: Fraction
) -> float:
    """Return half the width of the score interval of a difference, at the counts next to the expected ones.

    Args:
        ends: the proportions of response 1 at the prevalences 0 and 1.
        pair: the prevalences of the groups.
        sizes: the numbers of respondents, or the effective ones.
        trust: the confidence.
    """
    counts = []
    for n, pi in zip(sizes, pair, strict=True):
        expected = n * (ends[0] + (ends[1] - ends[0]) * pi)
        near = {math.floor(expected), math.ceil(expected)}
        counts.append([BinomialSample(n, y, *ends) for y in near])
    first, second = counts
    found = score_intervals([(one, other) for one in first for other in second], trust)
    return max(upper - lower for lower, upper in found) / 2


@dataclass(frozen=True)
class HalfWidth:
    """A half-width as a function of the number of respondents, which need not fall at every step.

    Attributes:
        value: the half-width with n respondents.
        quick: a fast function that is nearly proportional to it.
        share: the expected proportion of responses 1: the half-width jumps where the integers next to ``n share`` do.
    """

    value: Callable[[int], Fraction | float]
    quick: Callable[[int], float]
    share: Fraction

    def least(self, asked: Fraction, first: int, most: int) -> int | None:
        """Return the least n from first to most from which on the half-width is at most ``asked``; ``None`` if none is.

        n suffices and n - 1 does not, and so do the numbers of the next periods after n, where the half-width jumps.
        """
        value = lru_cache(maxsize=1 << 12)(self.value)

        def works(n: int) -> bool:
            return value(n) <= asked

        if not works(most):
            return None
        n = self._near(value, float(asked), first, most)
        while True:
            while not works(n):  # ends at most
                n += 1
            later = next((jump for jump in self._jumps(n, most) if not works(jump)), None)
            if later is None:
                break
            n = later + 1
        while n > first and works(n - 1):
            n -= 1
        return n

    def _near(self, value: Callable[[int], Fraction | float], asked: float, first: int, most: int) -> int:
        """Return a number near the least one: where the quick half-width, fitted to the exact one, is small enough."""
        n, ratio = most, 1.0
        for _ in range(_ROUNDS):
            low, high = first - 1, most
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if ratio * self.quick(middle) <= asked else (middle, high)
            if high == n:
                break
            n, ratio = high, float(value(high)) / self.quick(high)
        return n

    def _jumps(self, n: int, most: int) -> Iterator[int]:
        """Yield the numbers after n at which an integer next to ``n share`` grows, or or of n times its complement."""
        for share in (self.share, 1 - self.share):
            if share in (0, 1):
                continue
            hits = math.floor(n * share)
            for count in range(hits, hits + _PERIODS + 1):
                for jump in (math.ceil(count / share), math.floor(count / share) + 1):
                    if n < jump <= most:
                        yield jump


def finite_half_width(device: DrawnAnswers, prevalence: Fraction, population: int | None, trust: Fraction) -> HalfWidth:
    """Return the half-width of the exact interval of two outputs as a function of n.

    Args:
        device: the device of one respondent.
        prevalence: the guessed prevalence.
        population: N; ``None`` for a census of n people.
        trust: the confidence.
    """
    mechanism = device.mechanism
    low, high = mechanism.row(1)
    share, slope = low + (high - low) * prevalence, float(abs(high - low))

    def value(n: int) -> Fraction:
        return exact_half_width(DrawnAnswers(mechanism, n, device.first), prevalence, population or n, trust)

    def quick(n: int) -> float:
        size = population or n
        spread = 0.0
        if size > 1 and n <= MOST_COUNTED:
            spread = float(survey_variance(DrawnAnswers(mechanism, n), prevalence, size).total) * slope**2
        elif size > 1:
            spread = float(share * (1 - share)) / n
        return beta_half_width(float(share), spread, n, trust) / slope

    return HalfWidth(value, quick, share)
