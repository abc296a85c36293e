"""Exact facts for the ethics committee: the device, the posterior probabilities, the margin of error.

*Posterior.* An observer believes with probability p that a respondent belongs to category j, and sees response i. The
posterior probability is ``p f / (1 - p + p f)``. With two categories ``f = P[i, j] / P[i, l]``, where l is the other
category. With more categories f depends on the prior of the others. The posterior is monotone in
``sum_l q_l P[i, l]``, so the smallest and the largest quotient over l are sharp bounds of f.

*Margin of error.* ``z sqrt(V/n)`` with ``V = n Var`` of the estimated proportion (normal approximation).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.numbers import root_above
from rropt.core.results import Table
from rropt.inference.distributions import two_sided_quantile
from rropt.inference.precision import variance_at
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.fisher_information import binary_variance, share_variances
from rropt.reports.sheet_devices import device_of
from rropt.reports.sheet_languages import Language

_MOST_INVERTED = 60  # categories whose margins are computed: the inverse of larger matrices takes long
_ROOT_DIGITS = 9
BELIEFS = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))  # before an answer, of which the sheet speaks
NUMBERS = (500, 1000, 2000)  # of respondents, where none is given
_MOST_DIGITS = 8  # after the point of a percentage, of numbers near 0 or 100


@dataclass(frozen=True, slots=True)
class Device:
    """The randomizing device of a respondent in words.

    Attributes:
        kind: the kind of device, such as ``warner``, ``truth`` or ``a program``.
        prepare, steps: the material to prepare, and what the respondent does.
        has_table: whether the respondent needs the table of two dice.
    """

    kind: str
    prepare: str
    steps: str
    has_table: bool = False


PROGRAM = (
    "Type your true answer. The program may change it by chance before anything is stored or sent. "
    "Nobody sees what you typed."
)


def told_device(mechanism: Mechanism) -> Device:
    """Return the device of the instruction sheet in words, or a computer program if no device has the probabilities.

    >>> from rropt.mechanisms import named_mechanism
    >>> told_device(named_mechanism("forced:1,0,0")).steps
    'Tell the truth.'
    """
    try:
        made = device_of(mechanism)
    except UnsupportedProblemError:
        return Device("a program", "", PROGRAM)
    words = Language.of("en")
    prepare, steps = (" ".join(map(words.say, texts)) for texts in (made.prepare, made.steps))
    has_table = any(draw.kind == "dice" for draw in made.draws)
    return Device(made.kind, prepare and f"{words.text('prepare_title')}: {prepare}", steps, has_table)


def dice_table(language: str) -> Table:
    """Return the table of the numbers of two dice."""
    rows = [tuple(map(str, (red, *range(6 * red - 5, 6 * red + 1)))) for red in range(1, 7)]
    return Language.of(language).text("table_title"), ("", *map(str, range(1, 7))), rows


@dataclass(frozen=True, slots=True)
class BayesFactor:
    """The factor by which a response multiplies the odds; ``None`` stands for infinity (certainty)."""

    value: Fraction | None

    def posterior(self, prior: Fraction) -> Fraction:
        """Return the posterior probability ``p f / (1 - p + p f)``."""
        if self.value is None or prior in (0, 1):  # who was certain stays so
            return Fraction(prior != 0)
        return prior * self.value / (1 - prior + prior * self.value)


@dataclass(frozen=True, slots=True)
class Exposure:
    """The posterior probabilities of a respondent's category after the responses.

    Attributes:
        most, least: the largest and the smallest factor over all responses and all priors of the other categories. For
            a yes-or-no question they concern category yes; ``most`` belongs to the response yes, unless the opposite of
            the truth is more likely than the truth.
    """

    most: BayesFactor
    least: BayesFactor

    @classmethod
    def of(cls, mechanism: Mechanism, category: int) -> Exposure:
        """Return the exposure of a category."""
        most: Fraction | None = Fraction(0)
        least: Fraction | None = None
        for own, others in _entries_beside(mechanism, category):
            low, high = min(others), max(others)
            if own and most is not None:
                most = max(most, own / low) if low else None
            if high:
                least = own / high if least is None else min(least, own / high)
        return cls(BayesFactor(most), BayesFactor(least))


def _entries_beside(mechanism: Mechanism, category: int) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Yield for every row the entry of a category and the other entries; equal rows of an orbit are visited once."""
    if not isinstance(mechanism, OrbitMechanism):
        for row in mechanism.matrix:
            yield row[category], [p for j, p in enumerate(row) if j != category]
        return
    group, _ = mechanism.group_of(category)
    for orbit in mechanism.orbits:
        for own, _ in orbit[group]:
            pairs = ((a, value, count) for a, values in enumerate(orbit) for value, count in values)
            beside = [(value, count - (value == own and a == group)) for a, value, count in pairs]
            yield own, [value for value, count in beside if count]


def exposures(mechanism: Mechanism) -> list[Exposure]:
    """Return the exposure of yes or, for more than two categories, of each category."""
    return [Exposure.of(mechanism, j) for j in ((1,) if mechanism.is_binary else range(mechanism.inputs))]


def worst_exposure(found: Sequence[Exposure]) -> Exposure:
    """Return the largest and the smallest factor over categories."""
    most = max(found, key=lambda one: (one.most.value is None, one.most.value or 0)).most
    return Exposure(most, min(found, key=lambda one: one.least.value or 0).least)


def percent(value: Fraction, *, up: bool, digits: int = 1) -> str:
    """Return a proportion as a percentage with one decimal, rounded up (``up``) or down.

    It has more decimals if it would otherwise be 0 or 100 although the proportion is not.

    >>> percent(Fraction(1, 3), up=True), percent(Fraction(1, 4), up=True), percent(Fraction(999999, 10**6), up=True)
    ('33.4 %', '25 %', '99.9999 %')
    """
    for places in range(digits, _MOST_DIGITS + 1):
        scaled = value * 100 * 10**places
        units = ceil(scaled) if up else floor(scaled)
        if value in (0, 1) or 0 < units < 10 ** (places + 2):
            break
    whole, rest = divmod(units, 10**places)
    return f"{whole}.{rest:0{places}d}".rstrip("0").rstrip(".") + " %"


def belief_sentence(prior: Fraction, exposure: Exposure, after: tuple[str, str]) -> str:
    """Return the sentence on the largest and the smallest posterior probability."""
    high = percent(exposure.most.posterior(prior), up=True)
    low = percent(exposure.least.posterior(prior), up=False)
    middle = "" if after[0] == after[1] else f" after {after[0]}"
    return (
        f"If the probability was {percent(prior, up=True)} before, it is at most {high}{middle} and at least {low} "
        f"after {after[1]}."
    )


def variances(mechanism: Mechanism, population: Sequence[Fraction]) -> Fraction | None:
    """Return n Var of the estimated proportion of yes, or the maximum over categories; ``None`` if not identified."""
    if mechanism.is_binary:
        return binary_variance(mechanism.p00, mechanism.p11, population[1]) if _is_informative(mechanism) else None
    if mechanism.inputs > _MOST_INVERTED and not isinstance(mechanism, OrbitMechanism):
        return None
    found = share_variances(mechanism, population)
    return None if found is None else max(found)


def worst_variance(mechanism: Mechanism) -> Fraction | None:
    """Return the largest n Var over all prevalences of yes; ``None`` unless the question is yes-or-no."""
    return variance_at(mechanism, None) if mechanism.is_binary and _is_informative(mechanism) else None


def _is_informative(mechanism: Mechanism) -> bool:
    return mechanism.p00 + mechanism.p11 != 1


def margin_text(variance: Fraction, n: int, confidence: Fraction) -> str:
    """Return ``z sqrt(V/n)`` in percentage points, rounded up to one decimal.

    >>> margin_text(Fraction(15, 16), 1000, Fraction(19, 20))
    '6.1'
    """
    z = two_sided_quantile(confidence)[1]
    tenths = ceil(1000 * root_above(z * z * variance / n, _ROOT_DIGITS))
    return f"{tenths // 10}.{tenths % 10}" if tenths < 1000 else "100 or more"
