"""Finite populations, with a sample or a census: the variances due to sampling and due to the device, separately.

The n respondents are a simple random sample without replacement from a population of N people, of whom a proportion pi
has the trait. Two other cases are included. If N is infinite (a *superpopulation*), each respondent has the trait
independently with probability pi. If N = n (a *census*, fully surveyed), the population is fixed and there is no
sampling. Let d be the slope of the device, v_x the variance of a response at trait x, VarY this variance for a deck,
and ``v = (1 - pi) v_0 + pi v_1``. The variance of the estimate is exactly the sum of a sampling and a device term:

* Sampling: ``pi (1 - pi) (N - n)/((N - 1) n)``.
* The device, with independent responses: ``v/(n d^2)``.
* The device, with n cards dealt without replacement from a deck of n cards: ``4 VarY pi (1 - pi) N/((N - 1) n d^2)``,
  because two cards of one deck have covariance ``-VarY/(n - 1)``.

Source: Cochran, Sampling Techniques (1977), 2.5; Sun, Zhou and Yan (2023), equations (1) to (3), for N = n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rropt.accounting.decks import DealtDeck
from rropt.accounting.trait_devices import DrawnAnswers, TraitDevice
from rropt.core.errors import InfeasibleError, InvalidParameterError, required
from rropt.core.exact import as_text, rational_where
from rropt.core.exact.numbers import whole_where
from rropt.core.limits import MAX_ANSWERS
from rropt.inference.finite_intervals import FiniteSample, chebyshev_interval, exact_interval
from rropt.inference.interval_estimates import Interval, normal_interval
from rropt.inference.interval_kinds import RECOMMENDED
from rropt.mechanisms import Mechanism

Device = DrawnAnswers | DealtDeck


class VarianceParts(NamedTuple):
    """The variance of an estimated proportion, as the sum of two parts.

    Attributes:
        sampling: the variance due to sampling respondents.
        device: the variance due to the device.
    """

    sampling: Fraction
    device: Fraction

    @property
    def total(self) -> Fraction:
        """The variance of the estimate, the sum of both parts."""
        return self.sampling + self.device


def survey_variance(device: Device, prevalence: object, population: int | None = None) -> VarianceParts:
    """Return the variance of the estimate for a sample without replacement.

    Args:
        device: the device of the n respondents.
        prevalence: pi, in [0, 1].
        population: N >= n; ``None`` for an infinite population.

    Raises:
        InvalidParameterError: N < n, or N = 1 with pi strictly between 0 and 1.
        InfeasibleError: the slope of the device is 0.

    >>> parts = survey_variance(DealtDeck([3, 9, 18]), "1/10", 30)  # a census: 4 pi (1 - pi) VarY / ((N - 1) d^2)
    >>> str(parts.sampling), str(parts.device), parts.total == parts.device
    ('0', '81/14500', True)
    """
    required(device, TraitDevice, "the device", "DrawnAnswers(mechanism, n) or DealtDeck([1, 2, 1])")
    n, pi = device.respondents, rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")
    if population is not None:
        whole_where(population, n, MAX_ANSWERS, name=f"the population, of which {n} are asked,")
    pairs = population_variance(pi, population)
    left = Fraction(1) if population is None else 1 - Fraction(n, population)
    return VarianceParts(pairs * left / n, device_variance(device, pi, pairs) / n)


def population_variance(pi: Fraction, population: int | None) -> Fraction:
    """Return ``pi (1 - pi) N/(N - 1)``, or ``pi (1 - pi)`` for an infinite population.

    Raises:
        InvalidParameterError: N = 1 with pi strictly between 0 and 1.
    """
    share = pi * (1 - pi)
    if population == 1 and share:
        raise InvalidParameterError(
            f"a population of 1 has the share 0 or 1: received prevalence {as_text(pi)}; give 0 or 1, or a larger N"
        )
    return share if population is None or not share else share * Fraction(population, population - 1)


def device_variance(device: Device, pi: Fraction, pairs: Fraction) -> Fraction:
    """Return n times the variance due to the device; ``pairs`` is that of ``population_variance``, for a dealt deck."""
    (low, first), (high, second) = (device.moments(trait) for trait in (0, 1))
    slope = high - low or device.slope()  # device.slope() raises if the slope is 0
    if isinstance(device, DealtDeck):
        return 4 * first * pairs / slope**2
    return ((1 - pi) * first + pi * second) / slope**2


@dataclass(frozen=True, slots=True)
class FinitePopulation:
    """The counts of n people of a population of N, sampled without replacement, or of a census (n = N).

    Let s^2 be the sample variance of the responses with denominator n - 1, f = n/N, and v the variance of a response
    at the estimate. The parts of ``variance`` are each unbiased; the sampling part can be negative. For independent
    responses they are ``(1 - f) (s^2 - v)/(n d^2)`` and ``v/(n d^2)``, together ``(1 - f) s^2/(n d^2) + v/(N d^2)``.
    The variance for a dealt deck has the form ``k pi (1 - pi)``, so its unbiased estimate is ``k/(1 - k)`` times
    ``estimate (1 - estimate)``.

    Attributes:
        device: the device of the respondents.
        population: N.
        total: the sum of the responses.
        estimate: the unbiased estimate of the proportion, ``(S/n - m_0)/d``, where S is the sum of the responses.
        variance: its estimated variance in two parts.
        with_replacement: ``s^2/(n d^2)``, the variance of a sample with replacement; ``None`` for a dealt deck.
    """

    device: Device
    population: int
    total: int
    estimate: Fraction
    variance: VarianceParts
    with_replacement: Fraction | None

    @property
    def n(self) -> int:
        """The number of respondents."""
        return self.device.respondents

    @property
    def shrunk(self) -> Fraction | None:
        """``(1 - f) s^2/(n d^2)``, which is too small because the device is not sampled; ``None`` for a dealt deck."""
        plain = self.with_replacement
        return None if plain is None else (1 - Fraction(self.n, self.population)) * plain

    def intervals(self, confidence: Fraction) -> Mapping[str, Interval]:
        """Return the intervals by kind, the recommended one first.

        They are the exact one, if its law can be computed, Chebyshev's, and the approximate normal one, if the
        estimated variance is not negative.
        """
        device, n = self.device, self.n
        exact = exact_interval(FiniteSample(device, self.population, self.total), confidence)
        made = {} if exact is None else {RECOMMENDED: exact}

        def variance(pi: Fraction) -> Fraction:
            if self.population == 1:  # a polynomial, whose values between 0 and 1 are needed
                return device_variance(device, pi, Fraction(0))
            return survey_variance(device, pi, self.population).total

        made["chebyshev"] = chebyshev_interval(self.estimate, variance, n, confidence)
        if self.variance.total >= 0:
            made["normal"] = normal_interval(self.estimate, self.variance.total, n, confidence)
        return made


def finite_population(
    mechanism: Mechanism, counts: Sequence[int], population: int, *, is_dealt: bool = False
) -> FinitePopulation:
    """Return the estimated proportion with the trait in a finite population, with its variance in two parts.

    Args:
        mechanism: a mechanism about one trait, shape (m, 2). For a dealt deck, it has the proportions of the cards, and
            n times each proportion must be an integer.
        counts: the number of times each of the m outputs occurred, n in total.
        population: N >= n; equal to n for a census.
        is_dealt: whether the cards were sampled without replacement from a deck of n cards.

    Raises:
        InvalidParameterError: the population is smaller than the sample, or the deck is invalid.
        InfeasibleError: the slope of the device is 0, or the variance of a deck cannot be estimated.

    >>> from rropt.mechanisms import named_mechanism
    >>> found = finite_population(named_mechanism("unrelated:1/2,1/12"), [382, 328], 10777)  # students who copied
    >>> round(float(found.estimate), 7), round(float(found.variance.total), 9)
    (0.8406103, 0.001389716)
    """
    n = sum(counts)
    if population < n:
        raise InvalidParameterError(
            f"the population is smaller than the sample: received N = {population} and {n} answers; allowed is N >= n"
        )
    device: Device = DealtDeck.of(mechanism, n) if is_dealt else DrawnAnswers(mechanism, n)
    first, slope = device.first, device.slope()
    total = sum(count * z for z, count in enumerate(counts, first))
    found = device.estimate_of(total)
    if isinstance(device, DealtDeck):
        return FinitePopulation(device, population, total, found, _dealt_parts(device, found, population), None)
    squares = Fraction(sum(count * z * z for z, count in enumerate(counts, first))) - Fraction(total * total, n)
    plain = squares / (n * max(n - 1, 1) * slope**2)  # 0 of one response, as for two equal ones; a remark says it
    left, own = 1 - Fraction(n, population), device_variance(device, found, Fraction(0)) / n
    return FinitePopulation(device, population, total, found, VarianceParts(left * (plain - own), own), plain)


def _dealt_parts(device: DealtDeck, found: Fraction, population: int) -> VarianceParts:
    if device.respondents == 1:  # one card is the honest answer, or its opposite: plug-in, 0
        return VarianceParts(Fraction(0), Fraction(0))
    at_half = survey_variance(device, Fraction(1, 2), population)  # at pi = 1/2 the variance is k/4
    k = 4 * at_half.total
    if k == 1:
        raise InfeasibleError(
            f"the variance cannot be estimated: received a deck and N = {population} for which it is pi (1 - pi), that "
            "of one honest answer; ask more"
        )
    scale = 4 * found * (1 - found) / (1 - k)
    return VarianceParts(at_half.sampling * scale, at_half.device * scale)
