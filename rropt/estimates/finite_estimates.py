"""The proportion with a trait in a finite population, from counts: its basis, its row and its remarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rropt.answers.response_counts import answer_count, answer_counts
from rropt.core.exact import as_text, decimal_text
from rropt.core.exact.numbers import square_root
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.estimates.conclusions import TRAIT
from rropt.estimates.estimate_bases import Combined, Ends, EstimateBasis
from rropt.estimates.estimated import Estimate, Estimates
from rropt.inference.finite_intervals import MOST_COUNTED
from rropt.inference.finite_populations import FinitePopulation, finite_population
from rropt.inference.interval_estimates import DEFAULT_CONFIDENCE, Interval
from rropt.inference.interval_kinds import EMPTY, RECOMMENDED
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.words import dealt_words, named_in_words

Pair = tuple[Fraction, Fraction]
TRAIT_PAIR: Pair = (Fraction(0), Fraction(1))  # the weights of people without and with the trait


@dataclass(frozen=True, eq=False)
class FiniteBasis(EstimateBasis):
    """The counts of a sample of a finite population, and linear combinations ``c_0 (1 - pi) + c_1 pi``.

    Attributes:
        found: the estimated proportion with the trait.
        contrasts: the pair (c_0, c_1) of each estimate.
    """

    found: FinitePopulation
    contrasts: tuple[Pair, ...] = (TRAIT_PAIR,)
    _cache: dict[Fraction, Mapping[str, Interval]] = field(default_factory=dict, compare=False, repr=False)

    def intervals(self, confidence: Fraction) -> Mapping[str, Interval]:
        """Return the intervals of the proportion by kind, the recommended one first."""
        if confidence not in self._cache:
            self._cache[confidence] = self.found.intervals(confidence)
        return self._cache[confidence]

    def kinds(self, place: int) -> tuple[str, ...]:
        """Return the kinds of intervals of an estimate, the recommended one first."""
        return tuple(self.intervals(DEFAULT_CONFIDENCE))

    def ends(self, place: int, kind: str, confidence: Fraction) -> Ends | None:
        """Return the endpoints of an interval."""
        one = self.interval(place, kind, confidence)
        return one.lower, one.upper

    def interval(self, place: int, kind: str, confidence: Fraction) -> Interval:
        """Return an interval with its guarantee."""
        one, (first, last) = self.intervals(confidence)[kind], self.contrasts[place]
        slope = last - first
        low, high = sorted(first + slope * end for end in (one.lower, one.upper))
        return replace(one, lower=low, upper=high, margin=abs(slope) * one.margin)

    def covariance(self, places: Sequence[int]) -> Any:
        """Return the covariance of some estimates."""
        slopes = np.array([last - first for first, last in (self.contrasts[place] for place in places)], object)
        return np.outer(slopes, slopes) * self.found.variance.total

    def _contrast(self, weights: Mapping[int, Fraction]) -> Pair:
        first, last = (
            sum((w * self.contrasts[place][end] for place, w in weights.items()), Fraction(0)) for end in (0, 1)
        )
        return first, last

    def combined(self, weights: Mapping[int, Fraction]) -> Combined:
        """Return a linear combination of estimates."""
        first, last = self._contrast(weights)
        value = first + (last - first) * self.found.estimate
        return Combined(value, (last - first) ** 2 * self.found.variance.total, None)

    def with_contrast(self, weights: Mapping[int, Fraction]) -> FiniteBasis:
        """Return the basis of one linear combination."""
        return FiniteBasis(self.found, (self._contrast(weights),), self._cache)


def finite_row(found: FinitePopulation, name: str, question: str, category: str | None, pair: Pair) -> Estimate:
    """Return the estimate of ``c_0 (1 - pi) + c_1 pi``, where pi is the proportion with the trait.

    Args:
        found: the estimated proportion.
        name, question, category: what is estimated.
        pair: c_0 and c_1.
    """
    first, last = pair
    slope, variance, plain = last - first, found.variance, found.with_replacement

    def error(part: Fraction | None) -> float | None:
        return None if part is None or part < 0 else square_root(slope**2 * part)

    return Estimate(
        name,
        first + slope * found.estimate,
        error(variance.total),
        found.n,
        question,
        category,
        device_se=error(variance.device),
        shrunk_se=error(found.shrunk),
        deff=float(variance.total / plain) if plain and variance.total >= 0 else None,
        basis=FiniteBasis(found, (pair,)),
    )


def sample_in_words(found: FinitePopulation) -> str:
    """Return how the respondents were sampled, in words."""
    n, whole = found.n, found.population
    if n == whole:
        return f"census of {with_noun(f'{whole:,}', 'person', 'people')}"
    return f"{n:,} of {with_noun(f'{whole:,}', 'person', 'people')}, without replacement"


def finite_remarks(found: FinitePopulation) -> tuple[str, ...]:
    """Return what to know of an estimate outside [0, 1], of intervals, and of a standard error that misleads."""
    total, told = found.variance.total, []
    n, whole, plain = found.n, found.population, found.with_replacement
    intervals = found.intervals(DEFAULT_CONFIDENCE)
    if not 0 <= found.estimate <= 1:
        share = decimal_text(found.estimate)
        told.append(f"the unbiased estimate {share} lies outside [0, 1]: it is unbiased only if left as it is")
    if total == 0 and n < whole:
        asked = f"{n} of {with_noun(whole, 'person was', 'people were')} asked"
        told.append(f"the standard error is 0 and does not measure the precision: {asked}")
    elif total > 0 and plain == 0 and n < whole:
        why = "there is one response" if n == 1 else "all answers are equal"
        told.append(
            f"{why}: the standard error does not measure the precision, since the variance of "
            f"sampling, {as_text(found.variance.sampling)}, is estimated from {'it' if n == 1 else 'them'}"
        )
    if total < 0:
        told.append(
            "no standard error and no normal interval: the variance cannot be estimated: received "
            f"{as_text(total)} < 0 from these answers; take the exact one at a guessed prevalence (survey_variance)"
        )
    if RECOMMENDED not in intervals:
        told.append(
            "no exact interval: the law of these responses takes too long to compute; Chebyshev's interval is "
            "valid, and wider"
        )
    elif n > MOST_COUNTED and found.device.one_answer().outputs == 2:
        told.append(
            f"more than {MOST_COUNTED} people responded: the exact interval is that of the binomial distribution, "
            "as without a population; it is valid, and a little wider"
        )
    kind = next(iter(intervals))
    if intervals[kind].emptied:
        told.append(f"{kind} interval: {EMPTY}; check the mechanism and the responses")
    return tuple(told)


def estimates_of_population(
    found: FinitePopulation, mechanism: Mechanism, question: str, *, contrast: Pair | None = None
) -> Estimates:
    """Return the estimated proportion with the trait, or a contrast of it, as ``Estimates``.

    Args:
        found: the estimated proportion.
        mechanism: the mechanism of one response, with the names of the categories.
        question: the name of the question.
        contrast: instead of the proportion, the weights of people without and with the trait.
    """
    category = mechanism.categories[1] if mechanism.categories else "1"
    if contrast is None:
        name = category if mechanism.categories else TRAIT
        kind, row = "proportions", finite_row(found, name, question, category, TRAIT_PAIR)
    else:
        kind = "contrast"
        row = finite_row(found, f"contrast {','.join(map(as_text, contrast))}", question, None, contrast)
    is_dealt = found.with_replacement is None
    words = dealt_words(named_in_words([mechanism]), dealt=True) if is_dealt else ""
    told = finite_remarks(found)
    more: dict[str, Any] = {"population": found.population, "mechanisms": (mechanism,)}
    return Estimates(kind, (row,), (question,), (), words, sample_in_words(found), told, **more)


def estimate_dealt(mechanism: Mechanism | str, counts: Sequence[object], population: object) -> Estimates:
    """Estimate the proportion with the trait in a finite population, from cards that were dealt from one deck.

    The responses depend on each other, because each card is dealt once. For independent responses, write
    ``Responses.from_counts(counts, mechanism, population=N)``.

    Args:
        mechanism: the proportions of the cards, ``christofides:p1,..,pL``; n times each must be an integer.
        counts: the number of times each response occurred, n in total.
        population: N >= n; equal to n for a census.

    Raises:
        InvalidParameterError: the counts, the population or the deck are invalid.
        InfeasibleError: the slope of the device is 0, or the variance cannot be estimated.

    >>> estimate_dealt("christofides:1/4,1/4,1/2", [10, 11, 11], 32).estimate
    Fraction(7, 16)
    """
    made = required_mechanism(mechanism)
    exact = answer_counts(made, counts)
    whole = answer_count(population, "population", least=1)
    return estimates_of_population(finite_population(made, exact, whole, is_dealt=True), made, "response")
