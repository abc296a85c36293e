"""Pairs of inputs as dichotomies: the probabilities of the outputs under both inputs, grouped by likelihood ratio.

For a pair of inputs (j, l), privacy depends only on the masses (p, q) that the two output distributions have at each
value of the odds p/q. The privacy loss is log(p/q), and the excess at gamma is ``sum max(0, p - gamma q)``. For a
product of mechanisms and the pair ``((j_1, ..., j_n), (l_1, ..., l_n))``, the odds and the masses multiply. Hence n
equal factors with two odds have n + 1 odds instead of 2^n.

*Order.* A dichotomy is below another one if its curve of (sum q, sum p), largest odds first, is nowhere above the
other's curve. Then it is a postprocessing of the other dichotomy (Blackwell). Its excess is at most the other's at
every gamma, also after both are multiplied by the same factors. So for each factor only undominated pairs matter. Pairs
with equal output distributions never do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import accumulate, chain, pairwise, permutations, starmap
from math import comb, gcd, inf, lcm, log, prod
from operator import itemgetter, mul

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import ExactReal
from rropt.core.exact.numbers import whole_numbers
from rropt.core.lazy import numpy as np
from rropt.mechanisms.columns import Column, distinct_columns
from rropt.mechanisms.hockey_stick import NO_EXCESS, Excess, Gamma, larger_excess, odds_exceed

MAX_LOSSES = 10**6  # values of the odds over all candidate pairs: a few seconds and a few hundred megabytes
_MAX_TERMS = 4 * MAX_LOSSES  # products of masses before equal odds are merged
_MAX_PAIR_MASSES = 10**7  # k (k - 1) m for one factor: half a minute
_MAX_STEPS = 10**7  # along the curves while the pairs of one factor are compared: at most ten seconds
# Limit on the multiplications of 64-bit words in these products: equal factors have few odds but very long masses.
# Takes a few seconds, as for 4000 equal bits.
_MAX_WORK = 10**8
_WORD = 64

_DIGITS = 40  # of the bracket of an irrational gamma
_CLOSE = 1e-8  # distance of logarithms of odds in floats below which the odds are compared exactly
_PAIRWISE = 8  # masses whose odds are compared in pairs, by products; a division takes longer
_LEADING = 320  # bits of a mass that are compared first
_NEAR = 9  # decimals to which logarithms of the odds are rounded in floats

_Masses = tuple[tuple[int, int], ...]
Curve = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Dichotomy:
    """The masses of an ordered pair of inputs, grouped by odds and sorted from the largest odds down.

    Attributes:
        pair: (j, l).
        masses: integers (p, q), not both 0, in units of ``1 / below``; the p sum to ``below``, and so do the q.
        below: the common denominator.
    """

    pair: tuple[int, int]
    masses: _Masses
    below: int

    @classmethod
    def of(cls, pair: tuple[int, int], masses: Iterable[tuple[int, int]], below: int) -> Dichotomy:
        """Build a dichotomy from masses in any order over any common denominator."""
        keyed = [((log(p) if p else -inf) - (log(q) if q else -inf), p, q) for p, q in masses if p or q]
        keyed.sort(key=itemgetter(0), reverse=True)
        logs = [key for key, _, _ in keyed]
        far = [i for i in range(1, len(logs)) if logs[i - 1] != logs[i] and logs[i - 1] - logs[i] > _CLOSE]
        ordered: list[tuple[int, int]] = []
        for start, end in pairwise([0, *far, len(keyed)]):
            near = [(p, q) for _, p, q in keyed[start:end]]
            ordered += _merged(near, below) if len(near) > 1 else near
        common = gcd(below, *chain.from_iterable(ordered))
        if common > 1:
            ordered = [(p // common, q // common) for p, q in ordered]
        return cls(pair, tuple(ordered), below // common)

    @classmethod
    def of_fractions(cls, pair: tuple[int, int], masses: Sequence[tuple[Fraction, Fraction]]) -> Dichotomy:
        """Build a dichotomy from fractions (p, q) in any order."""
        whole, below = whole_numbers([x for both in masses for x in both])
        return cls.of(pair, zip(whole[::2], whole[1::2], strict=True), below)

    @classmethod
    def of_columns(cls, left: Column, right: Column) -> Dichotomy:
        """Build the dichotomy of an ordered pair of columns of a matrix."""
        below = lcm(left.denominator, right.denominator)
        a, b = below // left.denominator, below // right.denominator
        counts = Counter(zip(left.numerators, right.numerators, strict=True))
        masses = [(p * a * n, q * b * n) for (p, q), n in counts.items()]
        return cls.of((left.index, right.index), masses, below)

    def fractions(self) -> list[tuple[Fraction, Fraction]]:
        """Return the masses as fractions."""
        return [(Fraction(p, self.below), Fraction(q, self.below)) for p, q in self.masses]

    def times(self, other: Dichotomy, stride: int = 1) -> Dichotomy:
        """Return the product of two dichotomies; input indices of the other factor are multiplied by ``stride``."""
        pair = self.pair[0] + stride * other.pair[0], self.pair[1] + stride * other.pair[1]
        masses = ((p * r, q * s) for p, q in self.masses for r, s in other.masses)
        return Dichotomy.of(pair, masses, self.below * other.below)

    def power(self, count: int) -> Dichotomy:
        """Return the product of equal dichotomies, for one pair: a mass for each vector of counts of the odds."""
        powers = [[list(accumulate([1] + [x] * count, mul)) for x in mass] for mass in self.masses]
        terms = [(count, 1, 1)]  # factors that are left, and the masses of the others
        for above, below in powers[:-1]:
            terms = [
                (left - n, p * ways * above[n], q * ways * below[n])
                for left, p, q in terms
                for n, ways in enumerate(map(comb, [left] * (left + 1), range(left + 1)))
            ]
        above, below = powers[-1]
        return Dichotomy.of(self.pair, ((p * above[n], q * below[n]) for n, p, q in terms), self.below**count)

    def is_under(self, own: Curve, other: Dichotomy, points: Curve) -> bool:
        """Return whether the curve ``own`` of this dichotomy is nowhere above the curve ``points`` of another one."""
        at = 0
        for q, p in own:
            while at < len(points) - 1 and points[at][0] * self.below < q * other.below:
                at += 1
            # height / width is the other curve at q, interpolated between its points at - 1 and at; each curve has its
            # own denominator
            x1, y1 = points[at]
            if x1 * self.below == q * other.below:
                height, width = y1, 1
            else:
                x0, y0 = points[at - 1]
                width = self.below * (x1 - x0)
                height = y0 * width + (q * other.below - x0 * self.below) * (y1 - y0)
            if p * width * other.below > height * self.below:
                return False
        return True

    def excess(self, gamma: Gamma) -> Excess:
        """Return ``sum max(0, p - gamma q)`` without listing the outputs."""
        # the odds decrease, so bisection needs only a few exact comparisons
        above = bisect_left(self.masses, True, key=lambda mass: not odds_exceed(mass[0], mass[1], gamma))
        intercept, slope = (sum(part) for part in zip((0, 0), *self.masses[:above], strict=True))
        return Excess(self.pair, (), Fraction(intercept, self.below), Fraction(slope, self.below))


def curve(masses: _Masses) -> Curve:
    """Return the points (sum q, sum p), largest odds first; of points with equal sum q only the highest is kept."""
    points = dict(accumulate([(0, 0), *[(q, p) for p, q in masses]], lambda a, b: (a[0] + b[0], a[1] + b[1])))
    return list(points.items())


def dichotomies_of(matrix: Sequence[Sequence[Fraction]]) -> list[Dichotomy]:
    """Return the undominated pairs of inputs of a matrix, without duplicates.

    Raises:
        UnsupportedProblemError: too many pairs.
    """
    columns = distinct_columns(matrix)
    work = len(columns) * (len(columns) - 1) * len(matrix)
    if work > _MAX_PAIR_MASSES:
        raise UnsupportedProblemError(
            f"the pairs of inputs of one factor are too many: received {len(columns)} different inputs and "
            f"{len(matrix)} outputs, {work} masses; at most {_MAX_PAIR_MASSES} are compared; use smaller factors"
        )
    if len(columns) == 1:
        return [Dichotomy((0, 0), ((1, 1),), 1)]
    found: dict[_Masses, Dichotomy] = {}
    for one in starmap(Dichotomy.of_columns, permutations(columns, 2)):
        found.setdefault(one.masses, one)
    return maximal(list(found.values()))


def maximal(pairs: Sequence[Dichotomy]) -> list[Dichotomy]:
    """Return the undominated dichotomies among distinct ones.

    Raises:
        UnsupportedProblemError: too many comparisons; they are counted before they are made.
    """
    kept: list[tuple[Dichotomy, Curve]] = []
    steps = 0
    for one in pairs:
        own = curve(one.masses)
        steps += 2 * sum(len(own) + len(other) for _, other in kept)
        if steps > _MAX_STEPS:
            raise UnsupportedProblemError(
                f"the pairs of inputs of one factor are too many to be compared: received {len(pairs)} pairs that "
                f"differ, with up to {max(len(each.masses) for each in pairs)} odds; at most {_MAX_STEPS} steps along "
                "their curves are made; use smaller factors"
            )
        if not any(one.is_under(own, other, points) for other, points in kept):
            kept = [(other, points) for other, points in kept if not other.is_under(points, one, own)]
            kept.append((one, own))
    return [one for one, _ in kept]


def _merged(masses: Sequence[tuple[int, int]], below: int) -> Iterable[tuple[int, int]]:
    """Return masses by decreasing odds, with those of equal odds added."""
    if len(masses) <= _PAIRWISE:
        found: list[tuple[int, int]] = []
        for p, q in sorted(masses, key=cmp_to_key(_sign_of_odds), reverse=True):
            if found and not _sign_of_odds(found[-1], (p, q)):
                p, q = found[-1][0] + p, found.pop()[1] + q
            found.append((p, q))
        return found
    # distinct odds a/b and c/d differ by at least 1/(b d), so their shifted integer parts have the same order
    shift = 2 * below.bit_length() + 1
    merged: dict[float, tuple[int, int]] = {}
    for p, q in masses:
        odds = (p << shift) // q if q else inf
        before = merged.get(odds, (0, 0))
        merged[odds] = before[0] + p, before[1] + q
    return (merged[odds] for odds in sorted(merged, reverse=True))


def _sign_of_odds(one: tuple[int, int], other: tuple[int, int]) -> int:
    """Return the sign of the difference of two odds p/q."""
    (p, q), (r, s) = one, other
    cut, drop = (max(min(x.bit_length(), y.bit_length()) - _LEADING, 0) for x, y in ((p, r), (q, s)))
    if cut and drop:  # p s > r q if their leading bits, rounded down and up, show it
        a, b, c, d = p >> cut, q >> drop, r >> cut, s >> drop
        if a * d >= (c + 1) * (b + 1):
            return 1
        if c * b >= (a + 1) * (d + 1):
            return -1
    left, right = p * s, r * q
    return (left > right) - (left < right)


def products(factors: Sequence[tuple[Sequence[Dichotomy], int]]) -> list[Dichotomy] | None:
    """Return the dichotomies of a product that may attain the maximum; ``None`` if they have more than 10^6 odds.

    Args:
        factors: for each factor its maximal dichotomies and the stride of its index in the inputs. Permuting the pairs
            among equal factors changes nothing, so each multiset of pairs is counted once.
    """
    kinds: dict[tuple[_Masses, ...], list[tuple[Sequence[Dichotomy], int]]] = {}
    for options, stride in factors:
        kinds.setdefault(tuple(one.masses for one in options), []).append((options, stride))
    choices = prod(comb(len(kind) + len(key) - 1, len(kind)) for key, kind in kinds.items())
    first = [(kind[0][0][0], len(kind)) for kind in kinds.values()]
    if choices * _losses(first, MAX_LOSSES // choices) > MAX_LOSSES:
        return None
    found = [Dichotomy((0, 0), ((1, 1),), 1)]
    for kind in kinds.values():
        powers = _powers(kind)
        if powers is None:
            return None
        joined: dict[_Masses, Dichotomy] = {}
        held = 0
        for one in found:
            for other in powers:
                if held + len(one.masses) * len(other.masses) > _MAX_TERMS:
                    return None
                product = one.times(other)
                if joined.setdefault(product.masses, product) is product:
                    held += len(product.masses)
                if held > MAX_LOSSES:
                    return None
        found = list(joined.values())
    return found


def _losses(kinds: Iterable[tuple[Dichotomy, int]], most: int) -> int:
    """Estimate in floats how many distinct odds a product has, to avoid work that would be abandoned later.

    Args:
        kinds: pairs of inputs of a factor, each with the number of factors that use it.
        most: counting stops above this number.
    """
    values, work, bits = np.zeros(1), 0, 0
    for one, count in kinds:
        steps = np.array([log(p) - log(q) for p, q in one.masses if p and q])
        at_once = count if len(one.masses) <= 2 else 1
        if at_once > 1 and len(steps) == 2:
            steps = steps[0] * np.arange(count + 1) + steps[1] * np.arange(count, -1, -1)
        elif at_once > 1:
            steps = steps * count
        for _ in range(count // at_once):
            bits += at_once * one.below.bit_length()
            work += len(values) * len(steps) * (1 + bits // _WORD) ** 2
            if len(values) * len(steps) > _MAX_TERMS or work > _MAX_WORK:
                return most + 1
            values = np.unique((values[:, None] + steps).round(_NEAR))
            if len(values) > most:
                return len(values)
    return len(values)


def _powers(kind: Sequence[tuple[Sequence[Dichotomy], int]]) -> list[Dichotomy] | None:
    """Return a dichotomy for every multiset of pairs of equal factors; ``None`` if there are too many."""
    if all(len(options) == 1 and len(options[0].masses) == 2 for options, _ in kind):
        first, second = (sum(stride * options[0].pair[side] for options, stride in kind) for side in (0, 1))
        return [replace(kind[0][0][0].power(len(kind)), pair=(first, second))]
    level: dict[tuple[int, ...], Dichotomy] = {(): Dichotomy((0, 0), ((1, 1),), 1)}
    terms = 0
    for options, stride in kind:
        longer: dict[tuple[int, ...], Dichotomy] = {}
        held = 0
        for chosen, one in level.items():
            for c in range(chosen[-1] if chosen else 0, len(options)):
                terms += len(one.masses) * len(options[c].masses)
                if terms > _MAX_TERMS:
                    return None
                longer[(*chosen, c)] = product = one.times(options[c], stride)
                held += len(product.masses)
                if held > MAX_LOSSES:
                    return None
        level = longer
    return list(level.values())


def worst_of(pairs: Iterable[Dichotomy], gamma: Gamma) -> Excess:
    """Return the largest excess over given pairs of inputs at a privacy level."""
    # an irrational gamma is compared exactly only where its bracket does not decide: excesses decrease in gamma
    low, high = gamma.bracket(_DIGITS) if isinstance(gamma, ExactReal) else (gamma, gamma)
    best = NO_EXCESS
    for one in pairs:
        found = one.excess(low)
        if low != high:
            if found.at(low) <= best.at(high):
                continue
            found = found if found == one.excess(high) else one.excess(gamma)
        if larger_excess(found, best, gamma):
            best = found
    return best
