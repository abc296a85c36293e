"""One report, or one interview, that a panel repeats: its privacy, and the probability that kept reports differ.

*Kept reports.* The first report is stored and repeated in every wave, so any number of reports reveals as much as one.
When the true value changes, the respondent randomizes again, and keeps the new report as well. The reports for two
values x and x' then differ with probability ``1 - sum_i P[i, x] P[i, x']``. If they differ, the change is visible.

*dBitFlip* (Ding, Kulkarni and Yekhanin 2017). There are B buckets, and d of them are sampled publicly for each
respondent. For each sampled bucket the respondent reports one bit, whether the value is in the bucket, by binary
randomized response at epsilon/2. Let ``a = min(d, 2)`` and ``p = exp(epsilon/2)/(1 + exp(epsilon/2))``.

* The bits of two values differ in at most ``a`` sampled buckets. The other bits have equal distributions. A fresh
  report is therefore the composition of ``a`` bits. Its level is epsilon, or epsilon/2 if d = 1.
* The kept reports of two values agree with probability ``(2 p (1 - p))^a (p^2 + (1 - p)^2)^(d - a)``.

*RAPPOR with fresh reports.* Two values differ in two bits. A bit 1 is reported as 1 with probability
``(1 - f/2) q + f/2 p``, and a bit 0 with probability ``f/2 q + (1 - f/2) p``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from rropt.accounting.items import Item, read_items
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Bracket, Epsilon, rational_where
from rropt.mechanisms import Mechanism

MAX_BUCKETS = 10**6
_DIGITS = 40  # decimal digits of the rational bounds of an irrational level
_MOST_CELLS = 10**6  # entries of a matrix up to which all pairs of columns are compared
_NAME = "dbitflip:"
DBITFLIP = "dbitflip:B,D,LEVEL, such as dbitflip:32,4,1"


@dataclass(frozen=True, slots=True)
class OneReport:
    """One report, or one interview.

    Attributes:
        name: a description of the report.
        items: the mechanisms whose composition gives the privacy of the report.
        change: an upper bound of the probability that kept reports of two values differ, for a level that of binary
            randomized response; ``None`` if it is unknown.
    """

    name: str
    items: tuple[Item, ...]
    change: Fraction | None

    def repeated(self, count: int) -> tuple[Item, ...]:
        """Return the items of the given number of fresh reports."""
        return tuple(replace(one, count=one.count * count, mechanism=None) for one in self.items)

    @classmethod
    def of(cls, mechanism: Any) -> OneReport:
        """Build the report of a level, a mechanism, or a text form."""
        if isinstance(mechanism, str) and mechanism.startswith(_NAME):
            return _d_bit_flip(mechanism)
        item, *others = read_items((mechanism,))
        if others:  # the questions of a large product
            return cls(item.name.removeprefix("a question of "), (item, *others), None)
        if item.mechanism is not None and item.count == 1:
            return cls(item.name, (item,), largest_difference(item.mechanism))
        return cls(item.name, (item,), _difference_at_level(item))

    @classmethod
    def of_pair(cls, one: Fraction, zero: Fraction) -> OneReport:
        """Build the report of a unary encoding, given the probabilities that a bit 1 and a bit 0 are reported as 1."""
        columns = [(a * b, a * (1 - b), (1 - a) * b, (1 - a) * (1 - b)) for a, b in ((one, zero), (zero, one))]
        name = f"the two bits in which two categories differ, each 1 with chance {one} or {zero}"
        return cls.of(Mechanism(list(zip(*columns, strict=True)), name=name))


def largest_difference(mechanism: Mechanism) -> Fraction | None:
    """Return the largest probability that the outputs of two inputs differ; ``None`` if the matrix is too large."""
    k = mechanism.inputs
    if k**2 > _MOST_CELLS or k**2 * mechanism.outputs > _MOST_CELLS:  # many categories: outputs are not even counted
        return None
    columns = list(zip(*mechanism.matrix, strict=True))
    agree = (sum((p * q for p, q in zip(x, y, strict=True)), Fraction(0)) for x, y in combinations(columns, 2))
    return 1 - min(agree, default=Fraction(1))


def _difference_at_level(item: Item) -> Fraction | None:
    """Return the probability that outputs of binary randomized response differ, revealed or not, rounded up."""
    if item.count != 1:
        return None
    if item.epsilon.is_infinite:
        return Fraction(1)
    g, delta = item.epsilon.gamma_bracket(_DIGITS).upper, item.delta.bracket(_DIGITS).upper
    return _rounded_up(1 - 2 * (1 - delta) ** 2 * g / (1 + g) ** 2)


def _rounded_up(chance: Fraction) -> Fraction:
    return chance if chance.denominator < 10**_DIGITS else min(Bracket.of(chance).rounded_outwards().upper, Fraction(1))


def _d_bit_flip(text: str) -> OneReport:
    """Parse ``dbitflip:B,D,LEVEL`` and build its report."""
    parts = [part.strip() for part in text.removeprefix(_NAME).split(",")]
    if len(parts) != 3:
        raise InvalidParameterError(f"dBitFlip is not read: received {shown(text)}; allowed is {DBITFLIP}")
    buckets = _whole(parts[0], "buckets", 2, MAX_BUCKETS)
    bits = _whole(parts[1], "bits", 1, buckets)
    half = Epsilon.of(parts[2]).scaled(Fraction(1, 2))
    (bit,) = read_items((half,))
    differ = min(bits, 2)
    g = half.gamma_bracket(_DIGITS).upper
    p = g / (1 + g)
    agree = (2 * p * (1 - p)) ** differ * (p * p + (1 - p) ** 2) ** (bits - differ) if bits <= _DIGITS * 8 else 0
    # the first factor falls in p and the second rises: with p rounded up, the product is off by less than 10^-30
    name = f"dBitFlip, {bits} of {buckets} buckets, a bit at {half}"
    item = replace(bit, name=f"a bit of dBitFlip at {half}", count=differ)
    return OneReport(
        name, (item,), _rounded_up(min(1 - agree + Fraction(1, 10**30) * (half.gamma is None), Fraction(1)))
    )


def _whole(text: str, what: str, least: int, most: int) -> int:
    value = rational_where(
        text, lambda x: x.denominator == 1 and least <= x <= most, f"a whole number from {least} to {most}", name=what
    )
    return int(value)
