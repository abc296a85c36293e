"""One report, or one interview, that a panel repeats: what it is composed of, and how often a kept one shows a change.

*Kept*: the first report is stored and repeated in every wave, so that any number of reports reveals what one does.
When the true value changes the person randomizes anew, and keeps that report too. Two values x and x' then have
different reports with probability ``1 - sum_i P[i, x] P[i, x']``: the change is visible.

*dBitFlip* (Ding, Kulkarni and Yekhanin 2017). There are B buckets, and d of them are drawn for each person, openly. For
each drawn bucket the person reports a bit: whether the value is in it, by binary randomized response at epsilon/2. Two
values differ in two drawn bits, or in one where d = 1, so that one report has the level epsilon, or epsilon/2. The
other bits have equal distributions. So with a = min(d, 2) and p = exp(epsilon/2)/(1 + exp(epsilon/2)) a fresh report is
the composition of a bits, and kept reports of two values agree with probability ``(2 p (1 - p))^a (p^2 + (1 - p)^2)^(d
- a)``.

*RAPPOR, randomized anew*: two values differ in two bits; a bit 1 is reported as 1 with probability ``(1 - f/2) q + f/2
p``, a bit 0 with probability ``f/2 q + (1 - f/2) p``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Bracket, Epsilon, rational_where
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import given_mechanism
from rropt.survey.accounting.curves import shortened
from rropt.survey.accounting.items import Item, is_level, read_items

MAX_BUCKETS = 10**6
_DIGITS = 40  # of rationals around an irrational level
_MOST_CELLS = 10**6  # of a matrix that is looked at entry by entry
_NAME = "dbitflip:"
DBITFLIP = "dbitflip:B,D,LEVEL, such as dbitflip:32,4,1"


@dataclass(frozen=True, slots=True)
class OneReport:
    """One report, or one interview.

    Attributes:
        name: in words.
        items: what its privacy is composed of.
        change: an upper bound of the probability that kept reports of two values differ; ``None`` where it is not
            known.
    """

    name: str
    items: tuple[Item, ...]
    change: Fraction | None

    def repeated(self, count: int) -> tuple[Item, ...]:
        """Return the items of the given number of reports, each randomized again."""
        return tuple(
            Item(one.name, one.epsilon, one.delta, one.count * count, one.atoms, one.attained) for one in self.items
        )

    @classmethod
    def of(cls, mechanism: Any) -> OneReport:
        """Return a report of a level, a mechanism, or a text."""
        if isinstance(mechanism, str) and mechanism.startswith(_NAME):
            return _d_bit_flip(mechanism)
        (item,) = read_items((mechanism,))
        if isinstance(mechanism, str) and not is_level(mechanism) and not item.name.endswith(mechanism):
            return cls(item.name, (item,), None)  # N of a mechanism
        if isinstance(mechanism, str) and not is_level(mechanism):
            mechanism = given_mechanism(mechanism)
        if isinstance(mechanism, Mechanism):
            return cls(item.name, (item,), changed(mechanism))
        return cls(item.name, (item,), _changed_level(item))

    @classmethod
    def of_pair(cls, one: Fraction, zero: Fraction) -> OneReport:
        """Return a report with a bit of its own for each value: a bit 1 or 0 is reported as 1 with these
        probabilities."""
        columns = [(a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)) for a, b in ((one, zero), (zero, one))]
        name = f"two bits, reported as 1 with chance {one} or {zero}"
        return cls.of(Mechanism(list(zip(*columns, strict=True)), name=name))


def changed(mechanism: Mechanism) -> Fraction | None:
    """Return the largest probability that the outputs of two inputs differ; ``None`` for a matrix of too many
    entries."""
    if mechanism.inputs**2 * mechanism.outputs > _MOST_CELLS:
        return None
    columns = list(zip(*mechanism.matrix, strict=True))
    agree = (sum((p * q for p, q in zip(x, y, strict=True)), Fraction(0)) for x, y in combinations(columns, 2))
    return 1 - min(agree, default=Fraction(1))


def _changed_level(item: Item) -> Fraction | None:
    """Return the same of the worst mechanism at a level, rounded up."""
    if item.count != 1:
        return None
    if item.epsilon.is_infinite:
        return Fraction(1)
    g, delta = item.epsilon.gamma_bracket(_DIGITS).upper, item.delta.bracket(_DIGITS).upper
    return _rounded_up(1 - 2 * (1 - delta) ** 2 * g / (1 + g) ** 2)


def _rounded_up(chance: Fraction) -> Fraction:
    return chance if chance.denominator < 10**_DIGITS else min(shortened(Bracket.of(chance)).upper, Fraction(1))


def _d_bit_flip(text: str) -> OneReport:
    """Return a report of dBitFlip."""
    parts = [part.strip() for part in text.removeprefix(_NAME).split(",")]
    if len(parts) != 3:
        raise InvalidParameterError(f"dBitFlip is not read: received {shown(text)}; allowed is {DBITFLIP}")
    buckets = _whole(parts[0], "buckets", 2, MAX_BUCKETS)
    bits = _whole(parts[1], "bits", 1, buckets)
    level = Epsilon.of(parts[2])
    half = (
        Epsilon("rational", level.times / 2)
        if level.kind == "rational"
        else Epsilon.of(f"{level.times / 2}*log({level.base})")
    )
    (bit,) = read_items((half,))
    differ = min(bits, 2)
    g = half.gamma_bracket(_DIGITS).upper
    p = g / (1 + g)
    agree = (2 * p * (1 - p)) ** differ * (p * p + (1 - p) ** 2) ** (bits - differ) if bits <= _DIGITS * 8 else 0
    # in p the first factor falls and the second rises: the chance at the upper end is off by less than 10^-30
    name = f"dBitFlip, {bits} of {buckets} buckets, a bit at {half}"
    item = Item(f"a bit of dBitFlip at {half}", bit.epsilon, bit.delta, differ, bit.atoms, bit.attained)
    return OneReport(
        name, (item,), _rounded_up(min(1 - agree + Fraction(1, 10**30) * (half.gamma is None), Fraction(1)))
    )


def _whole(text: str, what: str, least: int, most: int) -> int:
    value = rational_where(
        text, lambda x: x.denominator == 1 and least <= x <= most, f"a whole number from {least} to {most}", name=what
    )
    return int(value)
