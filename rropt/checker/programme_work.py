"""What checking a linear programme may cost, and rational vectors over one denominator (FORMAT.md, rules 3 and 4).

Every operation is paid for beforehand, by the lengths of its numbers, out of ``MAX_PROGRAMME_WORK``.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from .documents import Rejected, fraction, items
from .limits import MAX_PROGRAMME_ENTRIES, MAX_PROGRAMME_WORK

_WORD = 512  # bits below which a product counts once
_WORD_CHARACTERS = 308  # of a fraction whose numerator and denominator have that many bits
_BULK = 32  # products of a plain loop over integers that cost as much as one other operation
_BULK_WORD = 256  # bits below which such a product counts once
_INDEX = re.compile("0|[1-9][0-9]{0,11}")


class Work:
    """What may still be computed; one unit is at most about two microseconds."""

    def __init__(self) -> None:
        self.left = MAX_PROGRAMME_WORK

    def spend(self, count: int, bits: int = 0, other_bits: int = 0) -> None:
        """Pay for ``count`` operations on two numbers of these lengths, or reject."""
        self.left -= count * (1 + bits // _WORD) * (1 + other_bits // _WORD)
        if self.left < 0:
            raise Rejected("the programme is too large to be checked")

    def spend_in_bulk(self, count: int, bits: int, other_bits: int) -> None:
        """Pay for a plain loop of ``count`` products of two integers of these lengths, or reject."""
        self.spend(-(-count * (1 + bits // _BULK_WORD) * (1 + other_bits // _BULK_WORD) // _BULK))

    def number(self, text: Any, where: str) -> Fraction:
        """Read a number: its greatest common divisor costs the square of its length."""
        length = len(text) // _WORD_CHARACTERS * _WORD if isinstance(text, str) else 0
        self.spend(1, length, length)
        return fraction(text, where)


class Vector(NamedTuple):
    """The rational vector ``numerators / denominator``, ``denominator`` > 0."""

    numerators: list[int]
    denominator: int
    bits: int  # length of the longest integer


def over_one_denominator(entries: list[Fraction], work: Work) -> Vector:
    """Return the entries as integers over their least common denominator."""
    scale = 1
    for denominator in {entry.denominator for entry in entries}:
        work.spend(1, scale.bit_length(), denominator.bit_length())
        scale = lcm(scale, denominator)
    longest = max((bits_of(entry) for entry in entries), default=0)
    work.spend(len(entries) if scale > 1 else 0, scale.bit_length(), longest)
    numerators = [entry.numerator * (scale // entry.denominator) for entry in entries]
    return Vector(numerators, scale, max((abs(each).bit_length() for each in (*numerators, scale)), default=0))


def bits_of(number: Fraction) -> int:
    """Return the length of the longer of its two integers."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def sparse(data: Any, count: int, where: str, work: Work) -> Iterable[tuple[int, Fraction]]:
    """Iterate over a list of pairs [index, value]: indices below ``count``, ascending, no value zero."""
    last = -1
    for entry in items(data, where, most=MAX_PROGRAMME_ENTRIES):
        text, number = items(entry, f"an entry of {where}", count=2)
        index = int(text) if isinstance(text, str) and _INDEX.fullmatch(text) else count
        if index >= count:
            raise Rejected(f"an index of {where} is not one of the {count} there are")
        if index <= last:
            raise Rejected(f"the indices of {where} do not ascend")
        value = work.number(number, f"an entry of {where}")
        if not value:
            raise Rejected(f"{where} has a zero value")
        yield index, value
        last = index


def require_sum(terms: Iterable[tuple[int, int]], value: Fraction, what: str, work: Work) -> None:
    """Reject, because of ``what``, unless the fractions ``numerator / denominator`` sum to the value."""
    numerator, denominator = total(terms, work)
    work.spend(2, bits_of(value), max(numerator.bit_length(), denominator.bit_length()))
    if value.numerator * denominator != numerator * value.denominator:
        raise Rejected(what)


def total(terms: Iterable[tuple[int, int]], work: Work) -> tuple[int, int]:
    """Return numerator and denominator > 0 of a sum of fractions; those over one denominator are added first."""
    collected: dict[int, int] = {}
    for numerator, denominator in terms:
        work.spend(1)
        collected[denominator] = collected.get(denominator, 0) + numerator
    sums = [(numerator, denominator) for denominator, numerator in collected.items()]
    while len(sums) > 1:  # pair by pair, so that long integers meet long ones
        pairs = zip(sums[::2], sums[1::2], strict=False)
        sums = [_plus(left, right, work) for left, right in pairs] + ([sums[-1]] if len(sums) % 2 else [])
    return sums[0] if sums else (0, 1)


def _plus(left: tuple[int, int], right: tuple[int, int], work: Work) -> tuple[int, int]:
    (a, b), (c, d) = left, right
    work.spend(3, max(a.bit_length(), b.bit_length()), max(c.bit_length(), d.bit_length()))
    return a * d + b * c, b * d
