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
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.answers.response_counts import answer_count, answer_counts
from rropt.core.errors import InfeasibleError, InvalidParameterError, required
from rropt.core.exact import as_text, both_texts, decimal_text, exact_confidence, rational_where
from rropt.core.exact.display import decimal_places, estimate_text, rounded
from rropt.core.exact.numbers import square_root, whole_where
from rropt.core.limits import MAX_ANSWERS
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled, plain_lines
from rropt.core.results.result_frames import row_with
from rropt.estimates.conclusions import Concluded, share_of_people, share_sentence, trait_of, unit_in_all
from rropt.inference.confidence_intervals import DEFAULT_CONFIDENCE, Interval, normal_interval
from rropt.inference.interval_kinds import EMPTY, RECOMMENDED
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.words import dealt_words
from rropt.survey.devices.decks import DealtDeck
from rropt.survey.devices.independent import DrawnAnswers, TraitDevice
from rropt.survey.populations.finite_intervals import (
    MOST_COUNTED,
    FiniteSample,
    chebyshev_interval,
    exact_interval,
)

Device = DrawnAnswers | DealtDeck
# the names of the variances that other software prints, and their labels
_OTHERS = {
    "with_replacement": "variance with replacement, divisor n",
    "with_replacement_unbiased": "variance with replacement, divisor n - 1",
    "corrected": "the latter times 1 - n/N",
}


@dataclass(frozen=True, slots=True)
class SurveyVariance(Result):
    """The exact variance of the estimated proportion, as the sum of two parts.

    Attributes:
        sampling: the variance due to sampling respondents.
        device: the variance due to the device.
    """

    sampling: Fraction
    device: Fraction
    LABELS = labelled(sampling="variance of sampling", device="variance of the device", total="variance")

    @property
    def total(self) -> Fraction:
        """The variance of the estimate, the sum of both parts."""
        return self.sampling + self.device


def survey_variance(device: Device, prevalence: object, population: int | None = None) -> SurveyVariance:
    """Return the variance of the estimate for a sample without replacement.

    Args:
        device: the device of the n respondents.
        prevalence: pi, in [0, 1].
        population: N >= n; ``None`` for an infinite population.

    Raises:
        InvalidParameterError: N < n, or N = 1 with pi strictly between 0 and 1.
        InfeasibleError: the slope of the device is 0.

    >>> survey_variance(DealtDeck([3, 9, 18]), "1/10", 30)  # fully surveyed: 4 pi (1 - pi) VarY / ((N - 1) d^2)
    <SurveyVariance sampling=0 device=~0.00558621 total=~0.00558621>
    """
    required(device, TraitDevice, "the device", "DrawnAnswers(mechanism, n) or DealtDeck([1, 2, 1])")
    n, pi = device.respondents, rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")
    if population is not None:
        whole_where(population, n, MAX_ANSWERS, name=f"the population, of which {n} are asked,")
    pairs = population_variance(pi, population)
    left = Fraction(1) if population is None else 1 - Fraction(n, population)
    return SurveyVariance(pairs * left / n, device_variance(device, pi, pairs) / n)


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
class FiniteEstimate(Result, Concluded):
    """The estimated proportion in a population of N, from a sample of n without replacement or a census.

    Let s^2 be the sample variance of the responses with denominator n - 1, f = n/N, and v the variance of a response
    at the estimate.

    Attributes:
        n, population: the number of respondents n, and N; equal in a census.
        estimate: the unbiased estimate ``(S/n - m_0)/d``, where S is the sum of the responses.
        variance: the estimated variance in two parts, each unbiased; the sampling part can be negative. For independent
            responses the parts are ``(1 - f) (s^2 - v)/(n d^2)`` for sampling and ``v/(n d^2)`` for the device,
            together ``(1 - f) s^2/(n d^2) + v/(N d^2)``. The variance for a dealt deck has the form ``k pi (1 - pi)``,
            so its unbiased estimate is ``k/(1 - k)`` times ``estimate (1 - estimate)``.
        confidence: the confidence of the intervals.
        variances: the estimated variance by name. ``without_replacement`` is the sum of both parts. The others are
            estimators that other software prints: ``with_replacement`` is ``s^2 (n - 1)/(n^2 d^2)``, which for yes/no
            responses is ``l (1 - l)/(n d^2)``; ``with_replacement_unbiased`` is ``s^2/(n d^2)``; ``corrected`` is
            ``(1 - f)`` times the latter, which is too small because the device is not sampled.
        mechanism: the mechanism of one response.
        is_dealt: whether the cards were sampled without replacement from one deck.
        all_intervals: whether to print the intervals of every kind, or only the recommended one.
    """

    n: int
    population: int
    estimate: Fraction
    variance: SurveyVariance
    variances: Mapping[str, Fraction]
    confidence: Fraction = DEFAULT_CONFIDENCE
    mechanism: Mechanism = field(kw_only=True)
    is_dealt: bool = field(default=False, kw_only=True)
    all_intervals: bool = field(default=False, kw_only=True, compare=False, repr=False)
    ANSWER = ("n", "estimate", "standard_error", "population")
    LABELS = labelled(
        device_in_words="device",
        n="answers",
        population="population",
        estimate="unbiased estimate",
        standard_error="",
        variances="",
        intervals="",
        recommended="recommended interval",
    )

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return dealt_words(self.mechanism.in_words(), dealt=self.is_dealt)

    @property
    def standard_error(self) -> float | None:
        """The root of the estimated variance; ``None`` if that is negative."""
        return None if self.variance.total < 0 else square_root(self.variance.total)

    @property
    def _device(self) -> Device:
        return DealtDeck.of(self.mechanism, self.n) if self.is_dealt else DrawnAnswers(self.mechanism, self.n)

    @property
    def intervals(self) -> Mapping[str, Interval | None]:
        """The intervals by kind: exact if its law can be computed, Chebyshev's, and the approximate normal one.

        The normal one is ``None`` if the estimated variance is negative.
        """
        return _intervals(self)

    @property
    def best(self) -> Interval:
        """The recommended interval."""
        found = self.intervals[self.recommended]
        assert found is not None  # the normal one alone may be missing
        return found

    @property
    def recommended(self) -> str:
        """The kind of interval to report: the exact one if there is one, else Chebyshev's; both are proved."""
        return RECOMMENDED if RECOMMENDED in self.intervals else "chebyshev"

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row: n, N, estimate, standard error, recommended interval, and both parts of the variance."""
        best = self.best
        low, high = (None, None) if best.emptied else (best.lower, best.upper)
        numbers = {"estimate": self.estimate, "standard_error": self.standard_error, "low": low, "high": high}
        parts = {"sampling_variance": self.variance.sampling, "device_variance": self.variance.device}
        return [row_with(n=self.n, population=self.population, **numbers, interval=self.recommended, **parts)]

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        error, best = self.standard_error, self.recommended
        places = decimal_places(error)
        places = decimal_places(self.best.margin) if places is None else places
        rows = [("proportion with the trait", estimate_text(self.estimate, places))]
        if error is not None:
            rows.append(("standard error", rounded(error, places) if error else "0"))
        shown = {kind: one for kind, one in self.intervals.items() if one and (self.all_intervals or kind == best)}
        shown = dict(sorted(shown.items(), key=lambda each: each[0] != best))  # the recommended one first
        percent = f"{decimal_text(100 * self.confidence)} %"
        for kind, one in shown.items():
            told = ", recommended" if kind == best else ", approximate" if kind == "normal" else ""
            rows.append((f"{percent} interval ({kind})", one.ends_text(places) + told * (not one.emptied)))
        others = [line for line in plain_lines(self) if line[0] not in ("unbiased estimate", "recommended interval")]
        named = [(label, both_texts(self.variances[name])) for name, label in _OTHERS.items() if name in self.variances]
        guarantees = [(f"{kind} interval", one.guarantee) for kind, one in shown.items()]
        return [*rows, *others, *guarantees, *self.variance.lines(), *named]

    def concluded(self, unit: str = "", population: object = None) -> str:
        """Return the result in one sentence.

        Args:
            unit: the people in the plural.
            population: not used: the estimate has its own N.
        """
        best = self.best
        ends = best.lower, best.upper
        number = "" if best.emptied else share_of_people(self.estimate, ends, unit, self.population)
        words = {"unit": unit_in_all(unit, self.population), "people": number}
        name = f"Prevalence of {trait_of(self.mechanism.categories)}"
        return share_sentence(name, self.estimate, ends, self.confidence, **words)

    def remarks(self) -> tuple[str, ...]:
        """Return what to know of an estimate outside [0, 1], of intervals, and of a standard error that misleads."""
        total, found = self.variance.total, []
        if not 0 <= self.estimate <= 1:
            share = decimal_text(self.estimate)
            found.append(f"the unbiased estimate {share} lies outside [0, 1]: it is unbiased only if left as it is")
        if total == 0 and self.n < self.population:
            asked = f"{self.n} of {self.population} people were asked"
            found.append(f"the standard error is 0 and does not measure the precision: {asked}")
        elif total > 0 and not self.variances.get("with_replacement", 1) and self.n < self.population:
            why = "there is one response" if self.n == 1 else "all answers are equal"
            found.append(
                f"{why}: the standard error does not measure the precision, since the variance of "
                f"sampling, {as_text(self.variance.sampling)}, is estimated from {'it' if self.n == 1 else 'them'}"
            )
        if total < 0:
            found.append(
                "no standard error and no normal interval: the variance cannot be estimated: received "
                f"{as_text(total)} < 0 from these answers; take the exact one at a guessed prevalence (survey_variance)"
            )
        if RECOMMENDED not in self.intervals:
            found.append(
                "no exact interval: the law of these responses takes too long to compute; Chebyshev's interval is "
                "valid, and wider"
            )
        elif self.n > MOST_COUNTED and self.mechanism.outputs == 2:
            found.append(
                f"more than {MOST_COUNTED} people responded: the exact interval is that of the binomial distribution, "
                "as without a population; it is valid, and a little wider"
            )
        for kind in self.intervals if self.all_intervals else (self.recommended,):
            if (one := self.intervals[kind]) is not None and one.emptied:
                found.append(f"{kind} interval: {EMPTY}; check the mechanism and the responses")
        return tuple(found)


@lru_cache(maxsize=256)
def _intervals(found: FiniteEstimate) -> Mapping[str, Interval | None]:
    """Return the intervals of an estimate by kind, in the order of ``INTERVAL_KINDS`` of one question."""
    device, total = found._device, found.variance.total
    normal = None if total < 0 else normal_interval(found.estimate, total, found.n, found.confidence)
    made: dict[str, Interval | None] = {"normal": normal}

    def variance(pi: Fraction) -> Fraction:
        if found.population == 1:  # a polynomial, whose values between 0 and 1 are needed
            return device_variance(device, pi, Fraction(0))
        return survey_variance(device, pi, found.population).total

    made["chebyshev"] = chebyshev_interval(found.estimate, variance, found.n, found.confidence)
    responses = (found.estimate * device.slope() + device.moments(0)[0]) * found.n
    exact = exact_interval(FiniteSample(device, found.population, int(responses)), found.confidence)
    return ReadOnlyMapping(made if exact is None else {**made, RECOMMENDED: exact})


def estimate_finite(
    mechanism: Mechanism,
    counts: Sequence[object],
    population: object,
    *,
    cards_without_replacement: bool = False,
    confidence: object = DEFAULT_CONFIDENCE,
    all_intervals: bool = False,
) -> FiniteEstimate:
    """Estimate the proportion with the trait in a finite population.

    Args:
        mechanism: a mechanism about one trait, shape (m, 2). For a dealt deck, it has the proportions of the cards, and
            n times each proportion must be an integer.
        counts: the number of times each of the m outputs occurred, n in total.
        population: N >= n; equal to n for a census.
        cards_without_replacement: whether the cards were sampled without replacement from a deck of n cards.
        confidence: the confidence of the intervals.
        all_intervals: whether to print the intervals of every kind, or only the recommended one.

    Raises:
        InvalidParameterError: the confidence, the counts, the population or the deck are invalid.
        InfeasibleError: the slope of the device is 0, or the variance of a deck cannot be estimated.

    >>> from rropt.mechanisms import named_mechanism
    >>> found = estimate_finite(named_mechanism("unrelated:1/2,1/12"), [382, 328], 10777)  # students who copied
    >>> round(float(found.estimate), 7), round(float(found.variance.total), 9)
    (0.8406103, 0.001389716)
    """
    mechanism = required_mechanism(mechanism)
    exact, level = answer_counts(mechanism, counts), exact_confidence(confidence)
    n, whole = sum(exact), answer_count(population, "population", least=1)
    if whole < n:
        raise InvalidParameterError(
            f"the population is smaller than the sample: received N = {whole} and {n} answers; allowed is N >= n"
        )
    device: Device = DealtDeck.of(mechanism, n) if cards_without_replacement else DrawnAnswers(mechanism, n)
    first, slope = device.first, device.slope()
    total = sum(count * z for z, count in enumerate(exact, first))
    found = device.estimate_of(total)
    squares = Fraction(sum(count * z * z for z, count in enumerate(exact, first))) - Fraction(total * total, n)
    plain = squares / (n * n * slope**2)
    if isinstance(device, DealtDeck):
        variance, named = _dealt_parts(device, found, whole), {}
    else:
        left, own = 1 - Fraction(n, whole), device_variance(device, found, Fraction(0)) / n
        unbiased = plain * n / (n - 1) if n > 1 else plain  # 0, as for two equal responses; a remark says it
        named = {"with_replacement": plain, "with_replacement_unbiased": unbiased, "corrected": left * unbiased}
        variance = SurveyVariance(left * (unbiased - own), own)
    variances = ReadOnlyMapping({"without_replacement": variance.total, **named})
    dealt = isinstance(device, DealtDeck)
    return FiniteEstimate(
        n, whole, found, variance, variances, level, mechanism=mechanism, is_dealt=dealt, all_intervals=all_intervals
    )


def _dealt_parts(device: DealtDeck, found: Fraction, population: int) -> SurveyVariance:
    if device.respondents == 1:  # one card is the honest answer, or its opposite: plug-in, 0
        return SurveyVariance(Fraction(0), Fraction(0))
    at_half = survey_variance(device, Fraction(1, 2), population)  # at pi = 1/2 the variance is k/4
    k = 4 * at_half.total
    if k == 1:
        raise InfeasibleError(
            f"the variance cannot be estimated: received a deck and N = {population} for which it is pi (1 - pi), that "
            "of one honest answer; ask more"
        )
    scale = 4 * found * (1 - found) / (1 - k)
    return SurveyVariance(at_half.sampling * scale, at_half.device * scale)
