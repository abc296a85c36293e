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
from math import ceil, floor, lcm

from rropt.core.exact.numbers import root_above
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.information import binary_variance, share_variances
from rropt.reports.randomizer_steps import MOST_CARDS, RandomizerStep, randomizer_step
from rropt.reports.sheet_languages import Language
from rropt.survey.estimates.distributions import two_sided_quantile

_MOST_SHOWN = 8  # categories of a device with a table
_MOST_INVERTED = 60  # categories whose margins are computed: the inverse of larger matrices takes long
_ROOT_DIGITS = 9
BELIEFS = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))  # before an answer, of which the sheet speaks
NUMBERS = (500, 1000, 2000)  # of respondents, where none is given
_MOST_DIGITS = 8  # after the point of a percentage, of numbers near 0 or 100


@dataclass(frozen=True, slots=True)
class Device:
    """The randomizing device of a respondent.

    Attributes:
        name: the name of the device, such as ``a die``.
        instruction: the instruction for the respondent, at most 25 words.
        uses: pairs of a group of outcomes and its instruction.
        square: the instruction for each of the 36 throws of two dice, row by row; empty for other devices.
    """

    name: str
    instruction: str
    uses: tuple[tuple[str, str], ...] = ()
    square: tuple[str, ...] = ()


_PROGRAM = (
    "Type your true answer. The program may change it by chance before anything is stored or sent. "
    "Nobody sees what you typed."
)


def device_of(mechanism: Mechanism) -> Device:
    """Return a device with exactly the probabilities of a mechanism, or a computer program if no small deck exists.

    Let ``t = p00 + p11 - 1``. If t >= 0, a binary mechanism reports the truth with probability t, a forced yes with
    probability ``1 - p00`` and a forced no with probability ``1 - p11``. If t < 0, it reports the opposite of the truth
    with probability -t, yes with probability p11 and no with probability p00.

    >>> from rropt.mechanisms import named_mechanism
    >>> device_of(named_mechanism("forced:2/3,1/6,1/6")).instruction
    'Roll a die in secret. 1 to 4: tell the truth. 5: say yes. 6: say no.'
    """
    m, k = mechanism.shape
    if m * k > MOST_CARDS**2:
        return Device("a program", _PROGRAM)
    names = ("no", "yes") if mechanism.is_binary else tuple(f"answer {i}" for i in range(1, m + 1))
    total = lcm(*(p.denominator for row in mechanism.matrix for p in row))
    if total > MOST_CARDS:
        return Device("a program", _PROGRAM)
    if m == k and (parts := forced_parts(mechanism.matrix, names)) is not None:
        return _binary_device(parts) if k == 2 else _category_device([part for part in parts if part[0]])
    if k > _MOST_SHOWN or m > _MOST_SHOWN:
        return Device("a program", _PROGRAM)
    boxes = [
        (f"box {j}", ", ".join(f"{p * total} of {names[i]}" for i, p in enumerate(column) if p))
        for j, column in enumerate(mechanism.columns(), 1)
    ]
    return Device(
        f"{k} boxes of {total} cards",
        "In secret, take the box of your own answer. Draw a card, say what it shows, and put it back.",
        tuple(boxes),
    )


def forced_parts(matrix: Sequence[Sequence[Fraction]], names: Sequence[str]) -> list[tuple[Fraction, str]] | None:
    """Return the probabilities of the truth and of each forced answer; ``None`` where a mechanism is not of that
    kind."""
    k = len(matrix)
    others = [[p for j, p in enumerate(row) if j != i] for i, row in enumerate(matrix)]
    if any(len(set(row)) > 1 for row in others):
        return None
    forced = [row[0] for row in others]
    truth = 1 - sum(forced, Fraction(0))
    order = range(k - 1, -1, -1) if k == 2 else range(k)  # yes before no
    if truth >= 0:
        return [(truth, "tell the truth"), *((forced[i], f"say {names[i]}") for i in order)]
    if k > 2:
        return None
    return [(-truth, "say the opposite"), (matrix[1][1], "say yes"), (matrix[0][0], "say no")]


def _binary_device(parts: Sequence[tuple[Fraction, str]]) -> Device:
    draw, uses = _device_and_parts(parts)
    if len(uses) == 1:  # no chance is involved
        return Device("no device", f"{uses[0][1].capitalize()}.", ())
    if draw.kind == "dice":
        square = tuple(what for count, (_, what) in zip(draw.counts, parts, strict=True) for _ in range(count))
        said = "Roll a red and a white die in secret. Find their square in the table and do what it says."
        return Device("a red and a white die", said, square=square)
    action = {"coin": "Toss a coin", "die": "Roll a die", "cards": f"Draw one of {draw.total} cards"}[draw.kind]
    name = {"coin": "a coin", "die": "a die", "cards": f"{draw.total} numbered cards"}[draw.kind]
    return Device(name, f"{action} in secret. {_uses_text(uses)}", tuple(uses))


def _category_device(parts: Sequence[tuple[Fraction, str]]) -> Device:
    draw, uses = _device_and_parts(parts, "cards")
    truth = uses[0][0] if uses[0][1] == "tell the truth" else ""
    said = (
        f"{truth}: tell the truth. Any other: say the answer that stands on it." if truth else "Say the answer on it."
    )
    shown = tuple(uses) if len(uses) <= _MOST_SHOWN else (*uses[:2], ("and so on up to", f"card {draw.total}"))
    return Device(f"{draw.total} numbered cards", f"Draw one of {draw.total} cards in secret. {said}", shown)


def _device_and_parts(
    parts: Sequence[tuple[Fraction, str]], randomizer: str = "auto"
) -> tuple[RandomizerStep, list[tuple[str, str]]]:
    """Return a randomizing device, and for each part with positive probability its outcomes and instruction."""
    draw, words = randomizer_step([chance for chance, _ in parts], randomizer), Language.of("en")
    said = [(i, what) for i, (_, what) in enumerate(parts) if draw.counts[i]]
    return draw, [(words.say(draw.outcomes(i)).capitalize(), what) for i, what in said]


def _uses_text(uses: Sequence[tuple[str, str]]) -> str:
    return " ".join(f"{which}: {what}." for which, what in uses)


@dataclass(frozen=True, slots=True)
class Factor:
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

    most: Factor
    least: Factor

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
        return cls(Factor(most), Factor(least))


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
        f"Whoever believed {percent(prior, up=True)} before believes at most <b>{high}</b>{middle} "
        f"and at least <b>{low}</b> after {after[1]}."
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
    if not mechanism.is_binary or not _is_informative(mechanism):
        return None
    low, high = sorted((1 - mechanism.p00, mechanism.p11))
    share = min(max(Fraction(1, 2), low), high)
    return share * (1 - share) / (high - low) ** 2


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
