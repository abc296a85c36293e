"""Pairs of inputs as dichotomies: the masses that each gives to the answers, answers of equal odds taken together.

For inputs (j, l) everything that privacy asks is in the masses (p, q) of the answers at each value of the odds p/q
(the privacy loss is log(p/q)): ``sum max(0, p - gamma q)``. Of a product of mechanisms, asked about the pair
``((j_1, ..., j_n), (l_1, ..., l_n))``, odds and masses multiply, so that equal factors give n + 1 odds instead of 2^n.

*Order.* A dichotomy is below another if its curve of (sum q, sum p), odds largest first, is nowhere above: then it is
the other one randomized again (Blackwell), its excess is at most the other's at every gamma, and so it stays in every
product. So for each factor only undominated pairs count, and pairs with equal output distributions never do.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, permutations
from math import comb, gcd, lcm, log, prod

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import ExactReal
from rropt.core.exact.numbers import whole_numbers
from rropt.mechanisms.columns import Columns
from rropt.mechanisms.excesses import Excess, Gamma, exceeds, gamma_of, more
from rropt.mechanisms.profiles import PrivacyProfile, upper_envelope

MAX_LOSSES = 10**6  # values of the odds, over all pairs that may be worst: some seconds and a few hundred megabytes
_MAX_TERMS = 4 * MAX_LOSSES  # products of masses, before equal odds are taken together
_MAX_PAIR_MASSES = 10**7  # of one factor: k (k - 1) m, half a minute
_MAX_STEPS = 10**7  # along the curves of one factor's pairs, in comparing them: ten seconds at most
# Of the same products, in multiplications of words of 64 bits: equal factors have few odds, and masses as long as they
# are many. Some seconds: the masses of 4000 equal bits.
_MAX_WORK = 10**8
_WORD = 64

_NEAR = 9  # decimals of a logarithm of the odds in floats

_Masses = tuple[tuple[int, int], ...]
_Curve = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Dichotomy:
    """The masses of an ordered pair of inputs, answers of equal odds together, largest odds first.

    Attributes:
        pair: (j, l).
        masses: integers (p, q), not both 0, in units of ``1 / below``; of all answers each sums to ``below``.
        below: the common denominator.
    """

    pair: tuple[int, int]
    masses: _Masses
    below: int

    @classmethod
    def of(cls, pair: tuple[int, int], masses: Iterable[tuple[int, int]], below: int) -> Dichotomy:
        """Return a dichotomy of masses in any order, over any common denominator."""
        merged: dict[tuple[int, int], int] = {}  # odds in lowest terms -> how many times them
        for p, q in masses:
            scale = gcd(p, q)
            if scale:
                odds = p // scale, q // scale
                merged[odds] = merged.get(odds, 0) + scale
        common = gcd(below, *merged.values())
        # odds a/b and c/d that differ do so by 1/(b d) at least: their whole parts, shifted, are in the same order
        shift = 2 * max((q for _, q in merged), default=0).bit_length() + 1
        ordered = sorted(merged, key=lambda odds: (not odds[1], (odds[0] << shift) // (odds[1] or 1)), reverse=True)
        scales = [merged[odds] // common for odds in ordered]
        return cls(pair, tuple([(p * n, q * n) for (p, q), n in zip(ordered, scales, strict=True)]), below // common)

    @classmethod
    def of_fractions(cls, pair: tuple[int, int], masses: Sequence[tuple[Fraction, Fraction]]) -> Dichotomy:
        """Return a dichotomy of masses (p, q) in any order."""
        whole, below = whole_numbers([x for both in masses for x in both])
        return cls.of(pair, zip(whole[::2], whole[1::2], strict=True), below)

    def times(self, other: Dichotomy, stride: int = 1) -> Dichotomy:
        """Return the product; the other's inputs count ``stride`` times."""
        pair = self.pair[0] + stride * other.pair[0], self.pair[1] + stride * other.pair[1]
        masses = ((p * r, q * s) for p, q in self.masses for r, s in other.masses)
        return Dichotomy.of(pair, masses, self.below * other.below)

    def _is_under(self, own: _Curve, other: Dichotomy, points: _Curve) -> bool:
        at = 0
        for q, p in own:
            while at < len(points) - 1 and points[at][0] * self.below < q * other.below:
                at += 1
            # the other's curve at q, between its points at - 1 and at; both have q and p over their own denominators
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
        """Return ``sum max(0, p - gamma q)``; the answers themselves are not listed."""
        # the odds fall: bisection takes a few exact comparisons
        above = bisect_left(self.masses, True, key=lambda mass: not exceeds(mass[0], mass[1], gamma))
        intercept, slope = (sum(part) for part in zip((0, 0), *self.masses[:above], strict=True))
        return Excess(self.pair, (), Fraction(intercept, self.below), Fraction(slope, self.below))


def _curve(masses: _Masses) -> _Curve:
    """Return the points (sum q, sum p) of the odds from the largest down; the last of those above each other."""
    points = dict(accumulate([(0, 0), *[(q, p) for p, q in masses]], lambda a, b: (a[0] + b[0], a[1] + b[1])))
    return list(points.items())


def dichotomies_of(matrix: Sequence[Sequence[Fraction]]) -> list[Dichotomy]:
    """Return the pairs of inputs of a matrix that are below no other one, one of equal ones.

    Raises:
        UnsupportedProblemError: too many pairs.
    """
    columns = Columns(matrix).columns
    work = len(columns) * (len(columns) - 1) * len(matrix)
    if work > _MAX_PAIR_MASSES:
        raise UnsupportedProblemError(
            f"the pairs of inputs of one factor are too many: received {len(columns)} different inputs and "
            f"{len(matrix)} outputs, {work} masses; at most {_MAX_PAIR_MASSES} are compared; use smaller factors"
        )
    if len(columns) == 1:
        return [Dichotomy((0, 0), ((1, 1),), 1)]
    found: dict[_Masses, Dichotomy] = {}
    for left, right in permutations(columns, 2):
        below = lcm(left.denominator, right.denominator)
        a, b = below // left.denominator, below // right.denominator
        masses = [(p * a, q * b) for p, q in zip(left.numerators, right.numerators, strict=True)]
        one = Dichotomy.of((left.index, right.index), masses, below)
        found.setdefault(one.masses, one)
    return maximal(list(found.values()))


def maximal(pairs: Sequence[Dichotomy]) -> list[Dichotomy]:
    """Return the dichotomies that are below no other one; they differ.

    Raises:
        UnsupportedProblemError: too many comparisons, counted before each is made.
    """
    kept: list[tuple[Dichotomy, _Curve]] = []
    steps = 0
    for one in pairs:
        curve = _curve(one.masses)
        steps += 2 * sum(len(curve) + len(other) for _, other in kept)
        if steps > _MAX_STEPS:
            raise UnsupportedProblemError(
                f"the pairs of inputs of one factor are too many to be compared: received {len(pairs)} pairs that "
                f"differ, with up to {max(len(each.masses) for each in pairs)} odds; at most {_MAX_STEPS} steps along "
                "their curves are made; use smaller factors"
            )
        if not any(one._is_under(curve, other, points) for other, points in kept):
            kept = [(other, points) for other, points in kept if not other._is_under(points, one, curve)]
            kept.append((one, curve))
    return [one for one, _ in kept]


def products(factors: Sequence[tuple[Sequence[Dichotomy], int]]) -> list[Dichotomy] | None:
    """Return the dichotomies of a product that may be worst; ``None`` when they have more than 10^6 odds together.

    Args:
        factors: for each its maximal dichotomies, and the stride of its index in the inputs. Which of equal factors
            has which pair makes no difference: multisets of pairs count once.
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
    """Return how many values the odds of a product have, in floats: it only spares work that would be given up.

    Args:
        kinds: a pair of inputs of a factor, and how many factors have it.
        most: more than these are not counted.
    """
    import numpy

    values, work, bits = numpy.zeros(1), 0, 0
    for one, count in kinds:
        steps = numpy.array([log(p) - log(q) for p, q in one.masses if p and q])
        at_once = count if len(one.masses) <= 2 else 1
        if at_once > 1 and len(steps) == 2:
            steps = steps[0] * numpy.arange(count + 1) + steps[1] * numpy.arange(count, -1, -1)
        elif at_once > 1:
            steps = steps * count
        for _ in range(count // at_once):
            bits += at_once * one.below.bit_length()
            work += len(values) * len(steps) * (1 + bits // _WORD) ** 2
            if len(values) * len(steps) > _MAX_TERMS or work > _MAX_WORK:
                return most + 1
            values = numpy.unique((values[:, None] + steps).round(_NEAR))
            if len(values) > most:
                return len(values)
    return len(values)


def _powers(kind: Sequence[tuple[Sequence[Dichotomy], int]]) -> list[Dichotomy] | None:
    """Return a dichotomy for every multiset of pairs of equal factors; ``None`` when they are too many."""
    if all(len(options) == 1 and len(options[0].masses) == 2 for options, _ in kind):
        return [_binomial(kind)]
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


def _binomial(kind: Sequence[tuple[Sequence[Dichotomy], int]]) -> Dichotomy:
    """Return the power of a pair with two odds: the terms ``comb(n, i) p^i r^(n - i)`` of its masses (p, q), (r, s)."""
    n, one = len(kind), kind[0][0][0]
    pair = [sum(stride * options[0].pair[side] for options, stride in kind) for side in (0, 1)]
    first, second = zip(*one.masses, strict=True)
    sides = []
    for p, r in (first, second):
        highest = list(accumulate(range(n), lambda power, _, p=p: power * p, initial=1))  # type: ignore[misc]
        lowest = list(accumulate(range(n), lambda power, _, r=r: power * r, initial=1))  # type: ignore[misc]
        sides.append([a * b for a, b in zip(highest, reversed(lowest), strict=True)])
    times = accumulate(range(n), lambda c, i: c * (n - i) // (i + 1), initial=1)
    masses = ((c * p, c * q) for c, p, q in zip(times, *sides, strict=True))
    return Dichotomy.of((pair[0], pair[1]), masses, one.below**n)


class PrivacyOfPairs:
    """The privacy of a mechanism that names its dichotomies, one for each kind of pair of inputs."""

    __slots__ = ()

    def _pairs(self) -> Iterable[Dichotomy]:
        raise NotImplementedError

    def worst_pair(self, epsilon: object) -> Excess:
        """Return the pair from which delta comes at a level."""
        return worst_of(self._pairs(), gamma_of(epsilon))

    def delta(self, epsilon: object) -> Fraction | ExactReal:
        """Return the least delta at a level, exactly."""
        return self.worst_pair(epsilon).at(gamma_of(epsilon))

    def profile(self) -> PrivacyProfile:
        """Return the exact privacy profile."""
        return profile_of_pairs(self._pairs())


def worst_of(pairs: Iterable[Dichotomy], gamma: Gamma) -> Excess:
    """Return the largest excess at a level among pairs of inputs."""
    best = Excess((0, 0), (), Fraction(0), Fraction(0))
    for one in pairs:
        found = one.excess(gamma)
        if more(found, best, gamma):
            best = found
    return best


def profile_of_pairs(pairs: Iterable[Dichotomy]) -> PrivacyProfile:
    """Return the privacy profile: the largest excess among pairs of inputs at every gamma >= 1."""
    lines: dict[tuple[int, int, int, int], tuple[int, int]] = {}
    for one in pairs:
        slope = intercept = 0
        for p, q in one.masses:
            if p <= q:
                break
            intercept, slope = intercept + p, slope + q
            lines.setdefault((intercept, one.below, slope, one.below), one.pair)
    return PrivacyProfile(upper_envelope(lines))
