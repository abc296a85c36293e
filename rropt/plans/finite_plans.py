"""Sample sizes for a variance in a finite population: samples without replacement, censuses, dealt decks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, isqrt

from rropt.accounting.decks import DealtDeck
from rropt.accounting.trait_devices import MAX_RESPONDENTS, DrawnAnswers, required_respondents
from rropt.answers.response_counts import answer_count, least_integer
from rropt.core.errors import InfeasibleError, InvalidParameterError, one_of, shown
from rropt.core.exact import Epsilon, as_text, exact_confidence, rational, rational_where
from rropt.core.exact.numbers import square_root, whole_numbers
from rropt.core.limits import MAX_ANSWERS
from rropt.core.results import Result, labelled, plain_lines
from rropt.core.visible import with_noun
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.finite_intervals import MOST_COUNTED
from rropt.inference.finite_populations import (
    Device,
    VarianceParts,
    device_variance,
    population_variance,
    survey_variance,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.named.tuned import tuned_deck
from rropt.mechanisms.words import dealt_words
from rropt.plans.finite_margins import (
    HalfWidth,
    beta_of_device,
    chebyshev_half_width,
    exact_half_width,
    finite_half_width,
    range_of,
)
from rropt.plans.sample_conditions import ONE, SIMPLE_SAMPLE, Conditions, SampleSizes, require_conditions

_DIGITS = 60  # digits of an irrational gamma
_MOST_SIZES = 10**5  # the number of deck sizes that are tried, from the lower bound on
_MOST_DECKS = 10**6  # the number of deck sizes that are tried, from the size that the formula gives on


@dataclass(frozen=True, slots=True)
class Respondents:
    """The respondents of a survey, and the population that they come from.

    Attributes:
        prevalence: pi.
        respondents: n; ``None`` if the number is open.
        population: N, if the respondents are a sample without replacement from N people; otherwise ``None``.
        surveyed: whether the survey is a census, so the respondents are the whole population. Otherwise, and without N,
            the population is infinite.

    Raises:
        InvalidParameterError: the values contradict each other, or a population of one person has a prevalence strictly
            between 0 and 1.
    """

    prevalence: Fraction
    respondents: int | None
    population: int | None
    surveyed: bool

    def __post_init__(self) -> None:
        n, size, pi = self.respondents, self.population, self.prevalence
        if n is not None:
            object.__setattr__(self, "respondents", required_respondents(n))
        if size is not None:
            object.__setattr__(self, "population", answer_count(size, "population", least=1))
        rational_where(pi, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="the prevalence")
        if size is not None and (self.surveyed or n is None or size < n):
            raise InvalidParameterError(
                f"the population does not fit: received N = {size}; allowed is N >= n for n respondents; leave N out "
                "if all are surveyed"
            )
        self.pairs(self.respondents)  # raises if the population is one person

    def __str__(self) -> str:
        n, size = self.respondents, self.population
        sampled = f"a sample of {with_noun(size, 'person', 'people')}" if size else "a sample"
        whom = "everybody" if self.surveyed else sampled
        return f"prevalence {as_text(self.prevalence)}, {whom}" + (f", {with_noun(n, 'respondent')}" if n else "")

    def pairs(self, n: int | None) -> Fraction:
        """Return ``pi (1 - pi) N/(N - 1)``, or ``pi (1 - pi)`` for an infinite population."""
        return population_variance(self.prevalence, n if self.surveyed else self.population)

    def sampling(self, n: int | None) -> Fraction:
        """Return n times the variance due to sampling respondents: ``pi (1 - pi) (N - n)/(N - 1)``."""
        if self.surveyed:
            return Fraction(0)
        left = 1 if self.population is None or n is None else 1 - Fraction(n, self.population)
        return self.pairs(n) * left

    def least(self, own: Fraction, goal: Fraction) -> int | None:
        """Return the number of respondents needed for a variance, if the device adds ``own`` to n Var.

        ``None`` means that the population is too small.
        """
        pairs, size = (Fraction(0), None) if self.surveyed else (self.pairs(None), self.population)
        needed = max(ceil((pairs + own) / (goal + (pairs / size if size else 0))), 1)
        return needed if needed <= (size or MAX_ANSWERS) else None

    def least_noisy(self, noise: Fraction, goal: Fraction) -> int | None:
        """Return the number of respondents needed for a variance, if noise of variance ``noise`` is added to the count.

        ``None`` means that the population is too small.
        """
        most = self.population or MAX_ANSWERS

        def works(n: int) -> bool:
            return self.sampling(n) * n + noise <= goal * n * n

        return least_integer(works, isqrt(ceil(noise / goal)), 1, most) if works(most) else None

    def least_deck(self, gamma: Fraction, delta: Fraction, middle: Fraction, goal: Fraction) -> int | None:
        """Return the size of the smallest tuned deck that achieves the variance ``goal``, or ``None`` if none is found.

        Let ``s = 1 - c2/n`` and ``e = (c3 - c1)/n``, where c1, c2, c3 are the numbers of cards 1, 2, 3. The device
        contributes ``pairs (s/e^2 - 1)`` to n Var. Privacy requires ``e <= ((gamma - 1) s + 2 delta)/(gamma + 1)``, and
        always ``e <= s``. At the largest such e, ``s/e^2`` has its minimum at an endpoint of the range of s, or at
        ``s = delta``. The range is ``1 - middle <= s <= 1 - middle + 1/n``. This gives a lower bound of the size, from
        which on the code tries the sizes in turn.
        """

        def ratio(s: Fraction) -> Fraction:
            e = min(((gamma - 1) * s + 2 * delta) / (gamma + 1), s)
            return s / (e * e)

        def enough(n: int, spread: Fraction) -> bool:
            return self.sampling(n) + self.pairs(n) * (spread - 1) <= goal * n

        low, high = 1 - middle, Fraction(1)
        first, most = 2, self.population or MAX_RESPONDENTS
        for _ in range(2):
            spread = min(ratio(s) for s in (low, high, min(max(low, delta), high)) if s)
            if first > most or not enough(most, spread):
                return None
            first = least_integer(partial(enough, spread=spread), first, first, most)
            high = min(low + Fraction(1, first), high)
        for n in range(first, min(first + _MOST_SIZES, most) + 1):
            cards = tuned_deck(n, gamma, delta, middle)
            if cards and enough(n, Fraction(n * (cards[0] + cards[2]), (cards[2] - cards[0]) ** 2)):
                return n
        return None


@dataclass(frozen=True, slots=True)
class SurveyPlan(Result):
    """The number of respondents needed for a variance in a finite population.

    Attributes:
        n: the least sufficient number of respondents. For a dealt deck, the numbers of cards must be integers.
        sampling_variance, device_variance: the two parts of the achieved variance: that due to sampling respondents,
            and that due to the device.
        population: N; equal to n in a census.
        deck: the numbers of cards, for a dealt deck.
        formula_n: the least number by the formula, which ignores that numbers of cards are integers.
        asked: the requested variance or margin; ``None`` if n is given.
        mechanism: the mechanism of one response.
        confidence: that of the interval whose margin is planned; ``None`` if a variance is.
        sample: the sizes of the sample, if its design effect, response rate, clusters or regions are given; N and n are
            then those of each region.
        prevalence: the guessed prevalence.
        interval: the kind of this interval: ``"exact"``, ``"chebyshev"``, ``"beta"`` or ``"normal"``; the first three
            are those that ``rropt estimate`` recommends. ``None`` without a confidence.
    """

    n: int
    sampling_variance: Fraction
    device_variance: Fraction
    population: int
    deck: tuple[int, ...] | None
    formula_n: int
    asked: Fraction | None
    mechanism: Mechanism
    confidence: Fraction | None = None
    sample: SampleSizes | None = None
    prevalence: Fraction | None = None
    interval: str | None = None
    ANSWER = ("n", "goal", "margin", "population")
    LABELS = labelled(
        n="respondents",
        goal="goal",
        margin="margin of the interval",
        interval="interval",
        confidence="confidence",
        prevalence="",
        formula_n="by the formula, cards whole or not",
        device_in_words="device",
        population="population",
        deck="cards 1, 2, ...",
        sampling_variance="variance of sampling",
        device_variance="variance of the device",
        variance="variance",
        sample="",
    )

    @property
    def variance(self) -> Fraction:
        """The variance of the estimate, the sum of both parts."""
        return self.sampling_variance + self.device_variance

    @property
    def device_in_words(self) -> str:
        """The device in words."""
        return dealt_words(self.mechanism.in_words(), dealt=self.deck is not None)

    @property
    def goal(self) -> str | None:
        """The kind of goal: ``"variance"`` or ``"margin"``; ``None`` if n is given."""
        if self.asked is None:
            return None
        return "variance" if self.confidence is None else "margin"

    @property
    def margin(self) -> float | None:
        """The half-width of the interval, before it is cut; ``None`` if a variance is planned."""
        if self.confidence is None or self.interval is None or self.prevalence is None:
            return None
        conditions = SIMPLE_SAMPLE if self.sample is None else self.sample.conditions()
        trust = 1 - conditions.risk(1 - self.confidence)
        given = self.prevalence, self.population, trust
        if self.interval == "beta":
            effect, device = conditions.parts(ONE, ONE)[0], DrawnAnswers(self.mechanism, self.n)
            return beta_of_device(device, self.prevalence, self.variance, trust, effect)
        if self.interval == "exact":
            return float(exact_half_width(DrawnAnswers(self.mechanism, self.n), *given))
        if self.interval == "chebyshev":
            cards: Device = DrawnAnswers(self.mechanism, self.n) if self.deck is None else DealtDeck(self.deck)
            return float(chebyshev_half_width(cards, *given))
        return float(two_sided_quantile(trust)[1]) * square_root(self.variance)

    def lines(self) -> list[tuple[str, str]]:
        """Return (label, value) pairs for a table."""
        own = plain_lines(self)
        if self.sample is None:
            return own
        if self.sample.regions is not None:
            each = {"respondents": "respondents, each region", "population": "population, each region"}
            own = [(each.get(what, what), text) for what, text in own]
        return [*own, *self.sample.lines(), ("with a finite population", self.sample.conditions().formula())]


def asked_variance(
    variance: object | None,
    standard_error: object | None = None,
    margin: object | None = None,
    confidence: object | None = None,
) -> Fraction | None:
    """Return the requested variance, given directly, as a standard error or as a margin; ``None`` if none is given.

    For a margin it is ``(margin/z)^2``, z rounded up: that for which the normal interval has this margin.

    Args:
        variance: the variance, exact, above 0.
        standard_error: its square root, exact, above 0.
        margin: half the width of the normal interval, exact, in (0, 1).
        confidence: of the interval, with a margin only; 0.95 by default.

    Raises:
        InvalidParameterError: more than one of them is given, one is out of range, or a confidence is given without a
            margin.
    """
    if confidence is not None and margin is None:
        raise InvalidParameterError(f"confidence belongs to a margin: received {shown(confidence)}; leave it out")
    if sum(goal is not None for goal in (variance, standard_error, margin)) > 1:
        raise InvalidParameterError("the goal is given twice: give one of variance, standard_error and margin")
    if margin is not None:
        half = rational_where(margin, lambda h: 0 < h < 1, "0 < margin < 1", name="margin")
        return (half / two_sided_quantile(exact_confidence("0.95" if confidence is None else confidence))[1]) ** 2
    if standard_error is not None:
        return rational_where(standard_error, lambda s: s > 0, "a number > 0", name="standard error") ** 2
    return None if variance is None else rational_where(variance, lambda v: v > 0, "a number > 0", name="variance")


def plan_survey(
    mechanism: Mechanism,
    variance: object | None = None,
    prevalence: object | None = None,
    *,
    standard_error: object | None = None,
    margin: object | None = None,
    n: object | None = None,
    confidence: object | None = None,
    interval: str | None = None,
    population: int | None = None,
    cards_without_replacement: bool = False,
    sample: Conditions = SIMPLE_SAMPLE,
) -> SurveyPlan:
    """Return the smallest number of respondents for a variance or a margin of the estimate, or what n achieve.

    A margin is that of the interval that ``rropt estimate`` prints at the expected responses: the ``"exact"`` one of
    a finite population; ``"chebyshev"`` of a dealt deck, or with more than two outputs; with a design effect or the
    correlation of clusters ``"beta"``. The exact one is not monotone in n: n suffices, n - 1 does not, and the next
    numbers at which it jumps suffice.

    Args:
        mechanism: a mechanism about one trait; for a dealt deck, the proportions of its cards.
        variance, standard_error: the largest allowed variance or standard error.
        margin: instead, the half-width of the interval, before it is cut to [0, 1].
        n: instead, the number of respondents.
        confidence: with a margin or n, the confidence of the interval, 0.95 by default.
        interval: instead of the interval above, ``"normal"``: that of the plug-in variance, without a guarantee.
        prevalence: pi, the prevalence at which the variance is computed.
        population: N, the size of the population from which respondents are sampled without replacement; ``None`` for
            a census.
        cards_without_replacement: whether the cards are sampled without replacement from a deck of n cards.
        sample: the design effect, response rate, clusters and regions of a sample of independent responses; N is then
            the number of people of each region. The formula is that of ``Conditions``.

    Raises:
        InvalidParameterError: not exactly one goal is given, or the prevalence is missing, or a census or a dealt deck
            has conditions of a sample, or ``sample`` is of another type, or the width of
            the normal interval is always 0.
        InfeasibleError: not even all people who respond achieve that variance or margin.
    """
    mechanism = required_mechanism(mechanism)
    require_conditions(sample)
    trust = None if margin is None and n is None else _trusted(confidence)
    if n is not None:
        most, pi = None, _prevalence(prevalence)
        if (variance, standard_error, margin) != (None,) * 3:
            raise InvalidParameterError("the goal is given twice: received n and another goal; give one of them")
    else:
        most, pi = _asked(variance, standard_error, prevalence, margin, confidence)
    unit = whole_numbers(mechanism.column(0))[1] if cards_without_replacement else 1
    one: Device = DealtDeck.of(mechanism, unit) if cards_without_replacement else DrawnAnswers(mechanism, 1)
    size = None if population is None else answer_count(population, "population", least=2)
    if size is None or cards_without_replacement:
        _require_no_conditions(sample)
    rate = ONE if sample.response_rate is None else rational(sample.response_rate)
    possible = MAX_ANSWERS if size is None else floor(size * rate)
    pairs = population_variance(pi, size)
    sampled, own = sample.parts(pairs, device_variance(one, pi, pairs))
    kind = None if trust is None else _planned_interval(interval, one, sample, sampled + own)
    if trust is None and interval is not None:
        raise InvalidParameterError(f"an interval belongs to a margin or n: received {shown(interval)}; leave it out")
    if most is None:
        needed = least = _possible(answer_count(n, "n", least=1), size, possible)
    elif trust is not None and kind != "normal":
        planned = _PlannedMargin(one, unit, pi, size, sampled, own, 1 - sample.risk(1 - trust), sample)
        enough = planned.least(kind, rational(margin, name="margin"), possible)
        if enough is None:
            raise _too_few(f"the margin {shown(margin)}", f"more than {possible}", possible, sample, "margin")
        needed = least = enough
    else:
        if trust is not None and sample.simultaneous:
            together = 1 - sample.risk(1 - trust)
            most = asked_variance(None, margin=margin, confidence=together)
            assert most is not None
        if size is None:
            needed = max(
                ceil(own / most) + bool(cards_without_replacement),  # a deck has N - 1 in the denominator
                1 if pi in (0, 1) else 2,  # one person has the prevalence 0 or 1
            )
        else:
            needed = max(ceil((sampled + own) / (most + sampled / size)), 1)
        least = -(-needed // unit) * unit
        if least > possible:
            what = f"the variance {as_text(most)}" if trust is None else f"the margin {shown(margin)}"
            raise _too_few(what, str(least), possible, sample, "variance" if trust is None else "margin")
    device: Device = DealtDeck.of(mechanism, least) if cards_without_replacement else DrawnAnswers(mechanism, least)
    deck = tuple(device.deck) if isinstance(device, DealtDeck) else None
    found = survey_variance(device, pi, size or least)
    if sample.is_given and size is not None:
        found = VarianceParts(sampled * (1 - Fraction(least, size)) / least, own / least)
    plain = device_variance(one, pi, pairs) + pairs
    sizes = sample.sizes(least, (sampled + own) / plain if plain else ONE)
    asked = most if margin is None else rational(margin, name="margin")
    known = least, *found, size or least, deck, needed, asked, device.one_answer(), trust, sizes
    return SurveyPlan(*known, None if trust is None else pi, kind)


def _too_few(what: str, needed: str, possible: int, sample: Conditions, goal: str) -> InfeasibleError:
    """Return the error for a goal that not even all people who respond achieve."""
    return InfeasibleError(
        f"no number of respondents gives {what}: {needed} are needed; at most {possible} "
        f"{'can be asked' if sample.response_rate is None else 'respond, at the response rate'}; allow a larger {goal}"
    )


def _require_no_conditions(sample: Conditions) -> None:
    """Check that a census or a dealt deck has no conditions of a sample."""
    if sample.is_given:
        raise InvalidParameterError(
            "a census, and a dealt deck, have no design effect, no regions and no nonresponse: received conditions of "
            "a sample; leave them out, or give `population=N` with independent responses"
        )


def _trusted(confidence: object | None) -> Fraction:
    """Return the confidence of an interval, 0.95 by default."""
    return exact_confidence("0.95" if confidence is None else confidence)


def _planned_interval(interval: str | None, device: Device, sample: Conditions, spread: Fraction) -> str:
    """Return the kind of interval whose margin is planned: by default the one that ``rropt estimate`` prints."""
    own = "exact" if isinstance(device, DrawnAnswers) and device.mechanism.outputs == 2 else "chebyshev"
    if sample.clustering or sample.effect(ONE, ONE) != 1:
        own = "beta"
    kind = own if interval is None else one_of(interval, (own, "normal"), "the interval of this plan")
    if kind == "normal" and spread == 0:
        raise InvalidParameterError(
            "the normal interval cannot be planned here: the expected responses are all equal, or the variance of the "
            f"estimate is 0, so its plug-in width is always 0; use {own}"
        )
    return kind


@dataclass(frozen=True)
class _PlannedMargin:
    """The margin of a finite population that is planned.

    Attributes:
        device: the device; of a deck, that of the smallest one.
        unit: the number of cards of the smallest deck, otherwise 1.
        prevalence: the guess.
        population: N; ``None`` for a census.
        sampled, own: n times the variances of sampling and of the device.
        trust: the confidence of one region.
        sample: the conditions of the sample.
    """

    device: Device
    unit: int
    prevalence: Fraction
    population: int | None
    sampled: Fraction
    own: Fraction
    trust: Fraction
    sample: Conditions

    def least(self, kind: str | None, asked: Fraction, most: int) -> int | None:
        """Return the least number of respondents for a margin, at most ``most``; ``None`` if it is larger."""
        device, first = self.device, min(2, most)  # the variance of one response cannot be estimated
        if kind == "chebyshev" or not isinstance(device, DrawnAnswers):
            return self._least_chebyshev(asked, most)
        if kind == "beta":
            return HalfWidth(self._beta, self._beta, range_of(device).share(self.prevalence)).least(asked, first, most)
        found = finite_half_width(device, self.prevalence, self.population, self.trust)
        least = found.least(asked, first, min(most, MOST_COUNTED))
        if least is None and most > MOST_COUNTED:
            return found.least(asked, MOST_COUNTED + 1, most)
        return least

    def _least_chebyshev(self, asked: Fraction, most: int) -> int | None:
        one = self.device.one_answer()

        def works(count: int) -> bool:
            n = count * self.unit
            device = DealtDeck.of(one, n) if isinstance(self.device, DealtDeck) else DrawnAnswers(one, n)
            return chebyshev_half_width(device, self.prevalence, self.population or n, self.trust) <= asked

        largest = min(most, MAX_RESPONDENTS) // self.unit
        first = min(-(-2 // self.unit), largest)
        return least_integer(works, first, first, largest) * self.unit if largest and works(largest) else None

    def _beta(self, n: int) -> float:
        left = 1 - Fraction(n, self.population) if self.population else Fraction(0)
        variance = (self.sampled * left + self.own) / n
        effect, device = self.sample.parts(ONE, ONE)[0], DrawnAnswers(self.device.one_answer(), n)
        return beta_of_device(device, self.prevalence, variance, self.trust, effect)


def _possible(n: int, size: int | None, possible: int) -> int:
    """Return n, if so many of the N people respond.

    Raises:
        InvalidParameterError: n exceeds N.
        InfeasibleError: too few people respond, at the response rate.
    """
    if size is not None and n > size:
        raise InvalidParameterError(
            f"the population is smaller than the sample: received N = {size} and n = {n}; allowed is N >= n"
        )
    if size is not None and n > possible:
        raise InfeasibleError(
            f"too few people respond: received n = {n}; at most {possible} of {size} respond, at the response rate; "
            "give a smaller n"
        )
    return n


def _asked(
    variance: object | None,
    standard_error: object | None,
    prevalence: object | None,
    margin: object | None = None,
    confidence: object | None = None,
) -> tuple[Fraction, Fraction]:
    most = asked_variance(variance, standard_error, margin, confidence)
    if most is None:
        raise InvalidParameterError(
            "a finite population has no goal: give a margin, a variance or a standard error, or n, the number of "
            "respondents"
        )
    return most, _prevalence(prevalence)


def _prevalence(prevalence: object | None) -> Fraction:
    if prevalence is None:
        raise InvalidParameterError(
            "a finite population is planned for a variance, which depends on the prevalence: received none; give a "
            "prevalence"
        )
    return rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")


def plan_deck(
    epsilon: object,
    variance: object | None = None,
    prevalence: object | None = None,
    *,
    middle: object,
    standard_error: object | None = None,
) -> SurveyPlan:
    """Return the smallest deck of cards 1, 2, 3 for a census of N respondents, one card for each.

    A single response is epsilon-private, ``c_3/c_1 <= exp(epsilon)``, and ``c_2 = middle N`` is an integer. Among the
    decks of one size, the one with the fewest cards 1 is best. With ``e = (c_3 - c_1)/N`` the variance is
    ``pi (1 - pi)/(N - 1)`` times ``(1 - middle)/e^2 - 1``. The largest e that epsilon allows gives a lower bound of N.
    From there on, the function tries the sizes in turn.

    Args:
        epsilon: the epsilon of one response, > 0.
        variance, standard_error: the goal, exactly one of them.
        prevalence: pi, the prevalence at which the variance is computed.
        middle: the proportion of cards 2, in [0, 1).

    Raises:
        InvalidParameterError: not exactly one goal is given, or the prevalence is missing.
        InfeasibleError: no such deck exists among the sizes tried.

    Source: Sun, Zhou and Yan (2023), table 2.

    >>> plan_deck("1/2", "1/10", "1/10", middle="1/100").deck
    (38, 1, 61)
    """
    most, pi = _asked(variance, standard_error, prevalence)
    share = rational_where(middle, lambda p: 0 <= p < 1, "0 <= middle < 1", name="middle")
    gamma = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
    if gamma <= 1:
        raise InvalidParameterError("epsilon is 0: no deck reveals anything then; give a level above 0")

    def achieved(n: int, e: Fraction) -> Fraction:
        return ((1 - share) / (e * e) - 1) * pi * (1 - pi) / (n - 1)

    largest = (1 - share) * (gamma - 1) / (gamma + 1)
    formula = max(ceil(achieved(2, largest) / most) + 1, 2)
    unit = share.denominator
    for n in range(-(-formula // unit) * unit, (formula // unit + _MOST_DECKS) * unit, unit):
        rest = int(n * (1 - share))
        low = ceil(rest / (1 + gamma))
        if 0 < low < rest - low and achieved(n, Fraction(rest - 2 * low, n)) <= most:
            deck = DealtDeck((low, n - rest, rest - low))
            return SurveyPlan(n, *survey_variance(deck, pi, n), n, tuple(deck.deck), formula, most, deck.one_answer())
    raise InfeasibleError(
        f"no deck was found: received the variance {as_text(most)}, for which more than {formula} cards are needed; "
        "allow a larger variance, or another share of middle cards"
    )
