"""Exact composition of rational loss pairs: the event ``{P/Q > gamma}``, computed in integers.

The code calls the likelihood ratio P/Q the *odds*. For loss pairs with rational masses, ``delta = A - gamma B``, where
A and B are the probabilities of ``{P/Q > gamma}`` under P and under Q. The pair (A, gamma B) is called a *cut*. There
are two ways to compute it:

* ``LatticeTails``: all ratios are powers of one number g. The distribution of the exponent is a product of polynomials.
  The mass of Q at exponent e is the mass of P times ``g^-e``. Equal levels have this form (Kairouz, Oh and Viswanath
  2015).
* ``HalvedTails``: the items are split into two halves, and the joint outcomes (cells) of each half are sorted by their
  ratio. One pass over both lists, in opposite directions, finds the pairs above gamma (meeting in the middle).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import comb, lcm, prod
from typing import Protocol

from rropt.accounting.loss_pairs import LossPair
from rropt.core.exact import Bracket
from rropt.core.exact.brackets import ball
from rropt.core.exact.numbers import perfect_power

MAX_CELLS = 1 << 17  # cells of one half; with this many, a cut takes about a second
MAX_BITS = 1 << 29  # bits of all coefficients of a polynomial together; about a second
MAX_CELL_BITS = 1 << 28  # bits of all cells of one half together
MAX_ODDS_BITS = 1 << 15  # bits of the ratio of all responses together; longer ones take long to sort
MAX_UNIT_BITS = 1 << 16  # bits of one coefficient; fractions of longer integers take long to reduce
_BITS = 200  # working precision of logarithms

Items = Sequence[tuple[LossPair, int]]


class LossTails(Protocol):
    """The cuts of a composition: the probabilities of the event ``{P/Q > gamma}``."""

    def event_probabilities(self, gamma: Fraction) -> tuple[Bracket, Bracket]:
        """Return brackets of A = P(event) and of gamma B = gamma Q(event)."""


def delta_of(cuts: LossTails, gamma: Fraction) -> Bracket:
    """Return delta at gamma = exp(epsilon), conditional on no item revealing its input."""
    first, second = cuts.event_probabilities(gamma)
    lower, upper = first.lower - second.upper, first.upper - second.lower
    return Bracket(max(lower, Fraction(0)), min(upper, Fraction(1)))


def common_base(items: Items) -> tuple[Fraction, list[list[int]]] | None:
    """Return g and the exponents of all atoms if every ratio P/Q is a power of one rational g; else None."""
    base: Fraction | None = None
    exponents: list[list[int]] = []
    for pair, _ in items:
        found = []
        for p, q in pair.atoms:
            odds = p / q
            if odds == 1:
                found.append(0)
                continue
            degree, root = perfect_power(odds if odds > 1 else 1 / odds)
            if base is None:
                base = root
            if root != base:
                return None
            found.append(int(degree) if odds > 1 else -int(degree))
        exponents.append(found)
    return base or Fraction(2), exponents


@dataclass(frozen=True)
class LatticeTails:
    """The distribution of the exponent under P: ``g^(start + i)`` has probability ``weights[i] / unit``."""

    base: Fraction
    start: int
    weights: tuple[int, ...]
    unit: int

    @classmethod
    def of(cls, items: Items) -> LatticeTails | None:
        """Return the cuts of a composition; None if its ratios have no common base, or the integers are too long."""
        from flint import fmpz_poly

        found = common_base(items)
        if found is None:
            return None
        base, exponents = found
        degree = sum(count * (max(own) - min(own)) for own, (_, count) in zip(exponents, items, strict=True))
        scales = [lcm(*(p.denominator for p, _ in pair.atoms)) for pair, _ in items]
        bits = sum(count * scale.bit_length() for scale, (_, count) in zip(scales, items, strict=True))
        if (degree + 1) * bits > MAX_BITS or bits > MAX_UNIT_BITS:
            return None
        law, start, unit = fmpz_poly([1]), 0, 1
        for own, scale, (pair, count) in zip(exponents, scales, items, strict=True):
            terms = [0] * (max(own) - min(own) + 1)
            for exponent, (p, _) in zip(own, pair.atoms, strict=True):
                terms[exponent - min(own)] += int(p * scale)
            law *= fmpz_poly(terms) ** count
            start += count * min(own)
            unit *= scale**count
        return cls(base, start, tuple(map(int, law.coeffs())), unit)

    def event_probabilities(self, gamma: Fraction) -> tuple[Bracket, Bracket]:
        """Return A and gamma B, exactly."""
        first = max(power_above(self.base, gamma), self.start) - self.start
        if first >= len(self.weights):
            return Bracket.of(Fraction(0)), Bracket.of(Fraction(0))
        x, y = self.base.as_integer_ratio()
        total, scale = 0, 1  # total/scale is the sum of w_i (y/x)^(i - first + 1), from the last i down (Horner's rule)
        for weight in reversed(self.weights[first:]):
            total, scale = total * y + weight * scale * y, scale * x
        second = gamma * Fraction(total, scale * self.unit) / self.base ** (self.start + first - 1)
        return Bracket.of(Fraction(sum(self.weights[first:]), self.unit)), Bracket.of(second)


def power_above(base: Fraction, gamma: Fraction) -> int:
    """Return the least integer e with ``base^e > gamma``, for base > 1 and gamma > 0.

    >>> power_above(Fraction(3), Fraction(9)), power_above(Fraction(3), Fraction(8))
    (3, 2)
    """
    from flint import ctx

    with ctx.workprec(_BITS + 2 * (gamma.numerator.bit_length() + gamma.denominator.bit_length()).bit_length()):
        quotient = ball(gamma).log() / ball(base).log()
        low, high = (int(end.floor().unique_fmpz()) for end in (quotient.lower(), quotient.upper()))
    if low == high:
        return low + 1
    return high + 1 if base**high <= gamma else high


@dataclass(frozen=True)
class HalvedTails:
    """Two lists of cells: the first by increasing ratio, the second by decreasing ratio, with cumulative sums."""

    first: tuple[tuple[int, int], ...]
    second: tuple[tuple[int, int], ...]
    sums: tuple[tuple[int, int], ...]
    unit: int

    @classmethod
    def of(cls, items: Items) -> HalvedTails | None:
        """Return the cuts of a composition; None if a half has too many cells."""
        sized = sorted(((cells_of(pair, count), pair, count) for pair, count in items), key=lambda one: -one[0])
        halves: list[list[tuple[LossPair, int]]] = [[], []]
        sizes = [1, 1]
        for size, pair, count in sized:
            at = 0 if sizes[0] <= sizes[1] else 1
            halves[at].append((pair, count))
            sizes[at] *= size
        bits = sum(count * pair.parity.denominator.bit_length() * 2 for pair, count in items)
        if max(sizes) > MAX_CELLS or max(sizes) * bits > MAX_CELL_BITS or bits > MAX_ODDS_BITS:
            return None
        (first, unit), (second, other) = (_by_odds(half) for half in halves)
        second = second[::-1]
        sums = [*accumulate(second, lambda s, cell: (s[0] + cell[0], s[1] + cell[1]), initial=(0, 0))]
        return cls(tuple(first), tuple(second), tuple(sums), unit * other)

    def event_probabilities(self, gamma: Fraction) -> tuple[Bracket, Bracket]:
        """Return A and gamma B, exactly."""
        g, h = gamma.as_integer_ratio()
        at, above, below = 0, 0, 0
        for p, q in self.first:
            left, right = p * h, q * g
            while at < len(self.second) and left * self.second[at][0] > right * self.second[at][1]:
                at += 1
            above += p * self.sums[at][0]
            below += q * self.sums[at][1]
        return Bracket.of(Fraction(above, self.unit)), Bracket.of(gamma * Fraction(below, self.unit))


def cells_of(pair: LossPair, count: int) -> int:
    """Return the number of cells of ``count`` copies of a pair, one for each vector of counts of its atoms."""
    return comb(count + len(pair.atoms) - 1, len(pair.atoms) - 1)


def _by_odds(items: Items) -> tuple[list[tuple[int, int]], int]:
    """Return the cells (P, Q) of one half in order of their ratio, as integers over a common denominator."""
    cells, unit = [(1, 1)], 1
    for pair, count in items:
        scale = lcm(*(x.denominator for atom in pair.atoms for x in atom))
        own = _multiples([(int(p * scale), int(q * scale)) for p, q in pair.atoms], count)
        cells = [(p * x, q * y) for p, q in cells for x, y in own]
        unit *= scale**count
    # different ratios differ by at least 2^-(2 bits), so truncated quotients have the order of the ratios
    bits = 2 * max((max(cell).bit_length() for cell in cells), default=1) + 1
    merged: dict[int, tuple[int, int]] = {}
    for p, q in cells:
        key = (p << bits) // q
        s, t = merged.get(key, (0, 0))
        merged[key] = s + p, t + q
    return [merged[key] for key in sorted(merged)], unit


def _multiples(atoms: list[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """Return the cells of ``count`` copies: one for each vector of multinomial counts of the atoms."""
    found = []

    def fill(at: int, left: int, p: int, q: int) -> None:
        x, y = atoms[at]
        if at == len(atoms) - 1:
            found.append((p * x**left, q * y**left))
            return
        for n in range(left + 1):
            ways = comb(left, n)
            fill(at + 1, left - n, p * ways * x**n, q * ways * y**n)

    fill(0, count, 1, 1)
    return found


def exact_loss_tails(items: Items) -> LossTails | None:
    """Return the cuts of a composition of rational pairs; None if it is too large."""
    found: LossTails | None = LatticeTails.of(items)
    if found is None and prod(min(cells_of(pair, count), MAX_CELLS) for pair, count in items) <= MAX_CELLS**2:
        found = HalvedTails.of(items)
    return found
