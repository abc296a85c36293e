"""Affine designs: blocks ``{x: a.x + b in T}`` over a prime field, which need about 2 log2 k bits for any k.

The categories are vectors of GF(q)^t: the entries of the vector x are the digits of the number x to base q, the least
significant one first. Two kinds of T are available.

* *Interval* ``T = {0, ..., s-1}``: there is a block for each a other than 0 and each b, so ``q (q^t - 1)`` blocks. With
  s = 1 the map ``x -> a.x + b`` is a pairwise independent hash with q values, and the mechanism is local hashing
  (Bassily and Smith 2015; optimal local hashing of Wang et al. 2017 has q near gamma + 1).
* *Classes*, t = 1: e divides q - 1, H is the group of e-th powers, and T is the union of j of its cosets, with or
  without 0. Multiplying (a, b) by an element of H does not change the block, so only ``q e`` distinct blocks remain.
  Block ``i q + w`` is ``{x: theta^i (x + w) in T}``, where theta is a primitive root. T contains the elements
  ``theta^l`` with ``l mod e < j``.

*Theorem.* Let s = |T|. Every category lies in a proportion ``rho = s/q`` of the blocks, and every pair of categories
in a proportion ``eta = ((q^(t-1) - 1) s + q^(t-1) s (s - 1)) / (q (q^t - 1))``.

*Proof.*

1. For fixed a and x, the value ``a.x + b`` takes every element of the field once as b varies. This gives rho.
2. Let x and y be different. There are ``q^(t-1) - 1`` vectors a other than 0 with ``a.(x - y) = 0``. For these the two
   values are equal, and they are in T for s of the b.
3. For each other difference c of the two values there are ``q^(t-1)`` vectors a. The number of b with both values in T
   is the number of pairs in T with difference c. The sum over c is ``q^(t-1) s (s - 1)``.
4. With classes, ``(q - 1)/e`` pairs (a, b) define the same block, so the proportions do not change. QED

If k = q^t, all blocks contain the same number of categories, s q^(t-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rropt.core.errors import InvalidMechanismError
from rropt.core.lazy import numpy as np
from rropt.mechanisms.families.blocks import Blocks, Flags, Integers, correlation_sums, flag, prime, whole
from rropt.mechanisms.families.primes import primitive_root

MAX_CLASSES = 64  # largest e: counting all categories takes e correlations
_MOST_CELLS = 1 << 25  # of an incidence matrix that is kept in memory: 32 MB
_MOST_AT_ONCE = 1 << 20  # cells that are processed at once


@dataclass(eq=False, repr=False)
class Affine(Blocks, family="affine"):
    """Blocks ``{x: a.x + b in {0, ..., s-1}}`` over GF(q)^t, q a prime: block number ``(a - 1) q + b``.

    Args:
        categories: k <= q^t.
        q: a prime.
        size: s, 1 <= s < q.
        dimension: t >= 1.

    >>> design = Affine(7, 7, 3)
    >>> design.count, str(design.density), str(design.together), design.members(0)
    (42, '3/7', '1/7', (0, 1, 2))
    """

    title = "affine design (interval)"
    MOST = 1 << 48  # categories; if they are too many to be listed, candidates are counted (prefix trees)

    q: int = prime()
    size: int = whole("the size of T", 1, lambda own: own.q - 1)
    dimension: int = whole("the dimension", 1, 64, 1)

    @property
    def room(self) -> int:
        """``q^t``."""
        return int(self.q**self.dimension)

    @property
    def count(self) -> int:
        """``q (q^t - 1)``."""
        return self.q * (self.room - 1)

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return s/q, and eta of the theorem."""
        q, s, planes = self.q, self.size, self.room // self.q
        return Fraction(s, q), Fraction((planes - 1) * s + planes * s * (s - 1), q * (planes * q - 1))

    def value(self, block: Any, category: Any) -> Any:
        """Return ``a.x + b`` modulo q, for numbers or for arrays that broadcast."""
        a, total = block // self.q, block % self.q
        a, x = a + 1, category
        for _ in range(self.dimension):
            total = (total + products_modulo(a % self.q, x % self.q, self.q)) % self.q
            a, x = a // self.q, x // self.q
        return total

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether ``a.x + b < s``, with a few operations for each pair."""
        return self.value(blocks, categories) < self.size

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it, with t operations for each block."""
        counts = np.empty(self.categories, np.int64)
        if self.categories * self.count <= _MOST_CELLS:
            for first, held in _incidence(self):
                counts[first : first + len(held)] = held @ histogram
            return counts
        blocks = np.flatnonzero(histogram)
        weights, step = histogram[blocks], max(_MOST_AT_ONCE // max(len(blocks), 1), 1)
        for first in range(0, self.categories, step):
            held = self.held(blocks, np.arange(first, min(first + step, self.categories))[:, None])
            counts[first : first + step] = held @ weights
        return counts

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of values of ``a.x + b`` in T (outside T if ``inside`` is false), and the number of a."""
        return self.size if inside else self.q - self.size, int(self.q**self.dimension) - 1

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the block (a, b) for which ``a.x + b`` is the drawn value; it is unique for each a."""
        value, first = drawn[0] if inside else drawn[0] + self.size, drawn[1] * self.q
        return first + (value - self.value(first, category)) % self.q


@lru_cache(maxsize=1)
def _incidence(design: Affine) -> tuple[tuple[int, Flags], ...]:
    """Return the incidence matrix in batches of categories, each batch with its first category."""
    step, blocks = max(_MOST_AT_ONCE // design.count, 1), np.arange(design.count, dtype=np.int64)
    starts = range(0, design.categories, step)
    return tuple((x, design.held(blocks, np.arange(x, min(x + step, design.categories))[:, None])) for x in starts)


def products_modulo(left: Any, right: Any, q: int) -> Any:
    """Return ``left right mod q`` for numbers below q <= 10^12; arrays have 64-bit integers."""
    # the product of two numbers below q is then below 2^63
    if q < 3_000_000_000:
        return left * right % q
    high, low = left >> 20, left & ((1 << 20) - 1)  # both below 2^20, and right is below 2^40
    return ((high * right % q << 20) % q + low * right) % q


@dataclass(eq=False, repr=False)
class AffineClasses(Blocks, family="affine-classes"):
    """Blocks ``{x: theta^i (x + w) in T}`` over GF(q), T a union of cosets of the e-th powers: block ``i q + w``.

    Args:
        categories: k <= q.
        q: a prime.
        index: e, a divisor of q - 1, at most 64.
        cosets: j, 0 <= j <= e: T contains ``theta^l`` for ``l mod e < j``, where theta is the least primitive root.
        zero: whether T contains 0.

    >>> design = AffineClasses(7, 7, 2, 1, False)
    >>> design.count, str(design.density), str(design.together), design.members(0)
    (14, '3/7', '1/7', (1, 2, 4))
    """

    title = "affine design (classes)"

    q: int = prime()
    index: int = whole("the index e", 1, MAX_CLASSES)
    cosets: int = whole("the number j of cosets", 0, lambda own: own.index)
    zero: bool = flag("zero")

    def require(self) -> None:
        """Raise ``InvalidMechanismError`` unless e divides q - 1, T is a proper subset, and the categories fit."""
        if (self.q - 1) % self.index:
            raise InvalidMechanismError(
                f"e does not divide q - 1: received e = {self.index} and q = {self.q}; choose a divisor of {self.q - 1}"
            )
        if not 0 < self.size < self.q:
            raise InvalidMechanismError(
                f"T is empty or the whole field: received j = {self.cosets} of e = {self.index}, zero = {self.zero}; "
                "choose fewer or more cosets"
            )
        super().require()

    @property
    def size(self) -> int:
        """The number of elements of T."""
        return self.cosets * ((self.q - 1) // self.index) + self.zero

    @property
    def room(self) -> int:
        """``q``."""
        return self.q

    @property
    def count(self) -> int:
        """``q e``."""
        return self.q * self.index

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return ``|T|/q`` and ``|T| (|T| - 1)/(q (q - 1))``."""
        return Fraction(self.size, self.q), Fraction(self.size * (self.size - 1), self.q * (self.q - 1))

    def _inside(self, i: Any, y: Any) -> Any:
        """Return whether ``theta^i y`` is in T, for numbers or for arrays that broadcast."""
        return np.where(y == 0, self.zero, (_class_of(y, self.q, self.index) + i) % self.index < self.cosets)

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether ``theta^i (x + w)`` is in T."""
        i, w = blocks // self.q, blocks % self.q
        return self._inside(i, (categories + w) % self.q)

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of elements of T (if ``inside`` is false, outside T), and the number of classes."""
        return self.size if inside else self.q - self.size, self.index

    def element(self, rank: Any, inside: bool) -> tuple[Any, Any]:
        """Return the exponent l of element ``rank`` of T, and whether the element is a power ``theta^l`` at all.

        The last element may be 0, which is not a power. If ``inside`` is false, the elements outside T are numbered. T
        has the exponents l with ``l mod e < j``, the first j of each run of e exponents.
        """
        many = self.cosets if inside else self.index - self.cosets
        powers = many * ((self.q - 1) // self.index)
        start = 0 if inside else self.cosets
        return (rank // max(many, 1)) * self.index + start + rank % max(many, 1), rank < powers

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the block (i, w) for which ``theta^i (x + w)`` is the drawn element."""
        exponent, is_power = self.element(drawn[0], inside)
        i = drawn[1]
        y = power_modulo(primitive_root(self.q), (exponent - i) % (self.q - 1), self.q) * is_power
        return i * self.q + (y - category) % self.q

    def indicators(self) -> Flags:
        """Return whether ``theta^i y`` is in T, for every class i and every field element y, shape (e, q)."""
        return np.asarray(self._inside(np.arange(self.index)[:, None], np.arange(self.q)), bool)

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it, by e correlations.

        ``c_x = sum_i sum_w n_i(w) [theta^i (x + w) in T]``.
        """
        rows, held = histogram.reshape(self.index, self.q), self.indicators().astype(int)
        return np.array(correlation_sums(rows.tolist(), held.tolist(), self.categories))


@lru_cache(maxsize=8)
def _roots(q: int, e: int) -> tuple[Integers, Integers]:
    """Return the e-th roots of unity ``theta^(l (q-1)/e)`` in ascending order, and their l."""
    step = pow(primitive_root(q), (q - 1) // e, q)
    roots = np.array([pow(step, i, q) for i in range(e)], np.int64)
    return np.sort(roots), np.argsort(roots)


def _class_of(y: Any, q: int, e: int) -> Any:
    """Return the discrete logarithm modulo e of nonzero elements of GF(q): l if ``y^((q-1)/e)`` is the l-th root."""
    roots, order = _roots(q, e)
    return order[np.searchsorted(roots, power_modulo(y, (q - 1) // e, q))]


def power_modulo(base: Any, exponent: Any, q: int) -> Any:
    """Return ``base^exponent mod q`` for numbers below q, or for arrays of them."""
    found: Any = 1
    for _ in range(q.bit_length()):
        found = products_modulo(found, 1 + (exponent & 1) * (base - 1), q)
        base, exponent = products_modulo(base, base, q), exponent >> 1
    return found
