"""Respondents that a variance needs in a finite population: samples without replacement, full surveys, whole decks."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from rropt.errors import InfeasibleError, InvalidParameterError
from rropt.estimation.counts import answer_count
from rropt.estimation.finite_populations import Device, SurveyVariance, device_variance, survey_variance
from rropt.exact import Epsilon, as_text, rational_where
from rropt.limits import MAX_ANSWERS
from rropt.mechanisms import DealtDeck, DrawnAnswers, Mechanism
from rropt.mechanisms.columns import whole_numbers

_DIGITS = 60  # of an irrational gamma
_MOST_DECKS = 10**6  # sizes of decks that are tried beyond the least one that a formula allows


@dataclass(frozen=True, slots=True)
class SurveyPlan:
    """How many respondents a variance needs in a finite population.

    Attributes:
        n: the least number that serves; of a dealt deck, whose cards are whole.
        variance: what it achieves.
        population: N, ``None`` when all are asked.
        deck: the cards, of a dealt deck.
        formula_n: the least number by the formula, cards whole or not.
    """

    n: int
    variance: SurveyVariance
    population: int | None
    deck: tuple[int, ...] | None
    formula_n: int

    def to_dict(self) -> dict[str, Any]:
        """Return all, exact numbers as texts."""
        return {
            "n": self.n,
            "formula_n": self.formula_n,
            "population": self.n if self.population is None else self.population,
            "deck": None if self.deck is None else list(self.deck),
            "variance": self.variance.to_dict(),
        }


def plan_survey(
    mechanism: Mechanism, goal: object, prevalence: object, *, population: int | None = None, dealt: bool = False
) -> SurveyPlan:
    """Return the least number of respondents at which the variance of the estimate is at most ``goal``, exactly.

    Args:
        mechanism: about one trait; of a dealt deck its proportions.
        goal, prevalence: the variance, and pi.
        population: N, of which they are a sample without replacement; ``None``: all of the population are asked.
        dealt: whether a deck of as many cards is dealt.

    Raises:
        InfeasibleError: not even all N give that variance.
    """
    most, pi = _asked(goal, prevalence)
    unit = whole_numbers(mechanism.column(0))[1] if dealt else 1
    sample: Device = DealtDeck.of(mechanism, unit) if dealt else DrawnAnswers(mechanism, 1)
    share = pi * (1 - pi)
    if population is None:
        own = device_variance(sample, pi, share)
        needed = max(ceil(own / most) + dealt, 1)  # dealt: N - 1 in the denominator
    else:
        size = answer_count(population, "population", least=2)
        pairs = share * Fraction(size, size - 1)
        needed = max(ceil((pairs + device_variance(sample, pi, pairs)) / (most + pairs / size)), 1)
    n = -(-needed // unit) * unit
    if n > (MAX_ANSWERS if population is None else population):
        raise InfeasibleError(
            f"no number of respondents gives that variance: received {as_text(most)}, for which {n} are needed; at "
            f"most {MAX_ANSWERS if population is None else population} can be asked; allow a larger variance"
        )
    device: Device = DealtDeck.of(mechanism, n) if dealt else DrawnAnswers(mechanism, n)
    deck = device.deck if isinstance(device, DealtDeck) else None
    return SurveyPlan(n, survey_variance(device, pi, population or n), population, deck, needed)


def _asked(goal: object, prevalence: object) -> tuple[Fraction, Fraction]:
    most = rational_where(goal, lambda v: v > 0, "a number > 0", name="variance")
    return most, rational_where(prevalence, lambda p: 0 <= p <= 1, "0 <= pi <= 1", name="prevalence")


def plan_deck(epsilon: object, goal: object, prevalence: object, *, middle: object) -> SurveyPlan:
    """Return the smallest deck of cards 1, 2, 3 that is dealt to a fully surveyed population, one to each of N.

    One answer alone is epsilon-private, ``c_3/c_1 <= exp(epsilon)``, and ``c_2 = middle N`` is whole. Of the decks of
    one size the best has the fewest cards 1. With ``e = (c_3 - c_1)/N`` the variance is ``pi (1 - pi) / (N - 1)`` times
    ``(1 - middle)/e^2 - 1``: sizes are tried in turn, from where e is the largest that epsilon allows.

    Args:
        epsilon: of one answer, > 0.
        goal, prevalence: the variance, and pi.
        middle: the share of cards 2, in [0, 1).

    Raises:
        InfeasibleError: no such deck is found.

    Source: Sun, Zhou and Yan (2023), table 2.

    >>> plan_deck("1/2", "1/10", "1/10", middle="1/100").deck
    (38, 1, 61)
    """
    most, pi = _asked(goal, prevalence)
    share = rational_where(middle, lambda p: 0 <= p < 1, "0 <= middle < 1", name="middle")
    gamma = Epsilon.of(epsilon).gamma_bracket(_DIGITS).lower
    if gamma <= 1:
        raise InvalidParameterError("epsilon is 0: no deck tells anything then; give a level above 0")

    def variance(n: int, e: Fraction) -> Fraction:
        return ((1 - share) / (e * e) - 1) * pi * (1 - pi) / (n - 1)

    largest = (1 - share) * (gamma - 1) / (gamma + 1)
    formula = max(ceil(variance(2, largest) / most) + 1, 2)
    unit = share.denominator
    for n in range(-(-formula // unit) * unit, (formula // unit + _MOST_DECKS) * unit, unit):
        rest = int(n * (1 - share))
        low = ceil(rest / (1 + gamma))
        if 0 < low < rest - low and variance(n, Fraction(rest - 2 * low, n)) <= most:
            deck = DealtDeck((low, n - rest, rest - low))
            return SurveyPlan(n, survey_variance(deck, pi, n), None, deck.deck, formula)
    raise InfeasibleError(
        f"no deck was found: received the variance {as_text(most)}, for which more than {formula} cards are needed; "
        "allow a larger variance, or another share of middle cards"
    )
