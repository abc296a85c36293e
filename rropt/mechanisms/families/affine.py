"""Affine designs: blocks ``{x: a.x + b in T}`` over a prime field, which need about 2 log2 k bits for any k.

Categories are numbered by vectors of GF(q)^t: x has its digits to base q, the last one first. Two kinds of T are built.

* *Interval* ``T = {0, ..., s-1}``: a block for each a other than 0 and each b, so ``q (q^t - 1)`` blocks. With s = 1
  the map ``x -> a.x + b`` is a pairwise independent hash with q values, and the mechanism is local hashing (Bassily
  and Smith 2015; optimal local hashing of Wang et al. 2017 has q near gamma + 1).
* *Classes*, t = 1: e divides q - 1, H is the group of e-th powers, T the union of j of its cosets, with 0 or without.
  Multiplying (a, b) by H changes no block: only ``q e`` blocks are left. Block ``i q + w`` is
  ``{x: theta^i (x + w) in T}``, theta a primitive root, T the elements ``theta^l`` with ``l mod e < j``.

*Theorem.* Every category lies in ``rho = T/q`` of the blocks, every pair together in
``eta = ((q^(t-1) - 1) T + q^(t-1) T (T - 1)) / (q (q^t - 1))`` of them (T also: its size).
*Proof.* For fixed a and x the value ``a.x + b`` takes every element once as b varies: rho. For x other than y there are
``q^(t-1) - 1`` vectors a other than 0 with ``a.(x - y) = 0``; both values are then equal, and in T for T of the b. For
each other difference c of the two values there are ``q^(t-1)`` vectors a, and as many b as there are pairs in T with
that difference: in all ``q^(t-1) T (T - 1)``. With classes ``(q - 1)/e`` pairs (a, b) make one block. QED
If k = q^t all blocks hold equally many categories, T q^(t-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidMechanismError
from rropt.mechanisms.families.blocks import MAX_CATEGORIES, Blocks, only, whole
from rropt.mechanisms.families.primes import MAX_PRIME, is_prime, primitive_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

MAX_CLASSES = 64  # e: as many correlations count all categories
_MOST_CELLS = 1 << 25  # of an incidence matrix that is kept: 32 MB
_MOST_AT_ONCE = 1 << 20  # cells that are worked on at once


def _prime(value: object) -> int:
    q = whole(value, "q", 2, MAX_PRIME)
    if not is_prime(q):
        raise InvalidMechanismError(f"q is not a prime: received {q}; choose a prime, for example the next one")
    return q


def _require_room(categories: int, points: int) -> None:
    if categories > points:
        raise InvalidMechanismError(
            f"the field is too small: received {categories} categories for {points} points, so that two of them "
            "would be one; choose a larger q"
        )


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

    __slots__ = ("categories", "dimension", "q", "size")
    title = "affine design (interval)"
    MOST = 1 << 48  # categories: more than can be listed are counted as candidates only (prefix trees)

    def __init__(self, categories: int, q: int, size: int, dimension: int = 1) -> None:
        self.categories = whole(categories, "categories", 2, self.MOST)
        self.q = _prime(q)
        self.size = whole(size, "the size of T", 1, self.q - 1)
        self.dimension = whole(dimension, "the dimension", 1, 64)
        _require_room(self.categories, self.q**self.dimension)

    @property
    def count(self) -> int:
        """``q (q^t - 1)``."""
        return self.q * (int(self.q**self.dimension) - 1)

    @property
    def density(self) -> Fraction:
        """T/q."""
        return Fraction(self.size, self.q)

    @property
    def together(self) -> Fraction:
        """eta of the theorem, the proportion of blocks that contain two given categories."""
        q, s, planes = self.q, self.size, self.q ** (self.dimension - 1)
        return Fraction((planes - 1) * s + planes * s * (s - 1), q * (planes * q - 1))

    @property
    def is_balanced(self) -> bool:
        """Whether all q^t vectors are categories."""
        return bool(self.categories == self.q**self.dimension)

    def value(self, block: int, category: int) -> int:
        """Return ``a.x + b`` modulo q."""
        a, b = divmod(block, self.q)
        a, total, x = a + 1, b, category
        for _ in range(self.dimension):
            a, digit = divmod(a, self.q)
            x, other = divmod(x, self.q)
            total += digit * other
        return total % self.q

    def holds(self, block: int, category: int) -> bool:
        """Return whether a block contains a category, that is, ``a.x + b < s``."""
        return self.value(block, category) < self.size

    def hits(self, responses: Integers, category: int) -> int:
        """Return the number of responses that contain one category, with a few operations for each."""
        import numpy as np

        a, total = np.divmod(responses, self.q)
        a, x = a + 1, category
        for _ in range(self.dimension):
            a, digits = np.divmod(a, self.q)
            x, digit = divmod(x, self.q)
            total = (total + products_modulo(digits, digit, self.q)) % self.q
        return int((total < self.size).sum())

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it; t operations for each block."""
        import numpy as np

        counts = np.empty(self.categories, np.int64)
        if self.categories * self.count <= _MOST_CELLS:
            for first, held in _incidence(self):
                counts[first : first + len(held)] = held @ histogram
            return counts
        blocks = np.flatnonzero(histogram)
        weights, step = histogram[blocks], max(_MOST_AT_ONCE // max(len(blocks), 1), 1)
        for first in range(0, self.categories, step):
            held = self._held(blocks, np.arange(first, min(first + step, self.categories)))
            counts[first : first + step] = held @ weights
        return counts

    def _held(self, blocks: Integers, categories: Integers) -> NDArray[np.bool_]:
        """Return which of these blocks (columns) hold which of these categories (rows)."""
        import numpy as np

        a, total = np.divmod(blocks, self.q)
        a, x, found = a + 1, categories, total[None]
        for _ in range(self.dimension):
            a, digits = np.divmod(a, self.q)
            x, own = np.divmod(x, self.q)
            found = (found + products_modulo(digits[None], own[:, None], self.q)) % self.q
        return np.asarray(found < self.size)

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of values in T (outside of it), and of vectors a."""
        return self.size if inside else self.q - self.size, int(self.q**self.dimension) - 1

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the block (a, b) in which ``a.x + b`` is the drawn value; each a has one such b."""
        value, a = drawn[0] if inside else drawn[0] + self.size, drawn[1] + 1
        total, rest, x = value, a, category
        for _ in range(self.dimension):
            rest, digit = rest // self.q, rest % self.q
            x, other = x // self.q, x % self.q
            total = (total - products_modulo(digit, other, self.q)) % self.q
        return (a - 1) * self.q + total

    def parameters(self) -> dict[str, str]:
        """Return q, s and t."""
        return {"q": str(self.q), "size": str(self.size), "dimension": str(self.dimension)}

    @classmethod
    def of_parameters(cls, categories: int, parameters: dict[str, Any]) -> Affine:
        """Return the design with k categories and parameters q, s and t."""
        q, size, dimension = only(parameters, "q", "size", "dimension")
        return cls(categories, _prime(q), whole(size, "size", 1, MAX_PRIME), whole(dimension, "dimension", 1, 64))


@lru_cache(maxsize=1)
def _incidence(design: Affine) -> tuple[tuple[int, NDArray[np.bool_]], ...]:
    """Return which blocks contain which categories, in batches of categories, each batch with its first category."""
    import numpy as np

    step, blocks = max(_MOST_AT_ONCE // design.count, 1), np.arange(design.count, dtype=np.int64)
    starts = range(0, design.categories, step)
    return tuple((x, design._held(blocks, np.arange(x, min(x + step, design.categories)))) for x in starts)


def products_modulo(left: Any, right: Any, q: int) -> Any:
    """Return ``left right mod q`` for numbers below q <= 10^12, of arrays in words of 64 bits."""
    if q < 3_000_000_000:
        return left * right % q
    high, low = left >> 20, left & ((1 << 20) - 1)  # below 2^20 each, and right below 2^40
    return ((high * right % q << 20) % q + low * right) % q


class AffineClasses(Blocks, family="affine-classes"):
    """Blocks ``{x: theta^i (x + w) in T}`` over GF(q), T a union of cosets of the e-th powers: block ``i q + w``.

    Args:
        categories: k <= q.
        q: a prime.
        index: e, a divisor of q - 1, at most 64.
        cosets: j, 0 <= j <= e: T holds ``theta^l`` for ``l mod e < j``, theta the least primitive root.
        zero: whether T contains 0.

    >>> design = AffineClasses(7, 7, 2, 1, False)
    >>> design.count, str(design.density), str(design.together), design.members(0)
    (14, '3/7', '1/7', (1, 2, 4))
    """

    __slots__ = ("categories", "cosets", "index", "q", "zero")
    title = "affine design (classes)"

    def __init__(self, categories: int, q: int, index: int, cosets: int, zero: bool) -> None:
        self.categories = whole(categories, "categories", 2, MAX_CATEGORIES)
        self.q = _prime(q)
        self.index = whole(index, "the index e", 1, MAX_CLASSES)
        self.cosets = whole(cosets, "the number j of cosets", 0, self.index)
        self.zero = bool(zero)
        if (self.q - 1) % self.index:
            raise InvalidMechanismError(
                f"e does not divide q - 1: received e = {index} and q = {q}; choose a divisor of {q - 1}"
            )
        if not 0 < self.size < self.q:
            raise InvalidMechanismError(
                f"T is empty or the whole field: received j = {cosets} of e = {index}, zero = {self.zero}; "
                "choose fewer or more cosets"
            )
        _require_room(self.categories, self.q)

    @property
    def size(self) -> int:
        """The number of elements of T."""
        return self.cosets * ((self.q - 1) // self.index) + self.zero

    @property
    def count(self) -> int:
        """``q e``."""
        return self.q * self.index

    @property
    def density(self) -> Fraction:
        """T/q."""
        return Fraction(self.size, self.q)

    @property
    def together(self) -> Fraction:
        """``T (T - 1)/(q (q - 1))``."""
        return Fraction(self.size * (self.size - 1), self.q * (self.q - 1))

    @property
    def is_balanced(self) -> bool:
        """Whether all elements of the field are categories."""
        return self.categories == self.q

    def holds(self, block: int, category: int) -> bool:
        """Return whether ``theta^i (x + w)`` is in T."""
        i, w = divmod(block, self.q)
        y = (category + w) % self.q
        if not y:
            return self.zero
        # theta^l is in T iff its power (q-1)/e, an e-th root of unity, is that of an l below j
        root = pow(y, (self.q - 1) // self.index, self.q)
        return (i + _roots(self.q, self.index)[root]) % self.index < self.cosets

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of elements of T (outside of it), and of classes."""
        return self.size if inside else self.q - self.size, self.index

    def element(self, rank: Any, inside: bool) -> tuple[Any, Any]:
        """Return l, and whether it is one: element ``rank`` of T (outside of it) is ``theta^l``; the last may be 0.

        T has the exponents l with ``l mod e < j``: in each run of e of them the first j.
        """
        many = self.cosets if inside else self.index - self.cosets
        powers = many * ((self.q - 1) // self.index)
        start = 0 if inside else self.cosets
        return (rank // max(many, 1)) * self.index + start + rank % max(many, 1), rank < powers

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the block (i, w) in which ``theta^i (x + w)`` is the element drawn."""
        exponent, is_power = self.element(drawn[0], inside)
        i = drawn[1]
        if isinstance(exponent, int):
            y = pow(primitive_root(self.q), (exponent - i) % (self.q - 1), self.q) if is_power else 0
        else:
            y = _powers_of(self.q)[(exponent - i) % (self.q - 1)] * is_power
        return i * self.q + (y - category) % self.q

    def indicators(self) -> NDArray[np.bool_]:
        """Return for every class i, for every element y of the field whether ``theta^i y`` is in T, shape (e, q)."""
        import numpy as np

        logarithm = _class_of(self.q, self.index)
        held = np.empty((self.index, self.q), bool)
        for i in range(self.index):
            held[i] = (logarithm + i) % self.index < self.cosets
            held[i, 0] = self.zero
        return held

    def hits(self, responses: Integers, category: int) -> int:
        """Return the number of responses that contain one category, from the table of classes."""
        import numpy as np

        i, w = np.divmod(responses, self.q)
        y = (w + category) % self.q
        inside = (_class_of(self.q, self.index)[y] + i) % self.index < self.cosets
        return int(np.where(y == 0, self.zero, inside).sum())

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it; exact, by e Fourier correlations.

        ``c_x = sum_i sum_w n_i(w) [theta^i (x + w) in T]``. The indicator is centred at its middle, so that rounding
        errors stay small; the a priori bound decides (``correlations``).
        """
        from rropt.mechanisms.families.correlations import correlation_sums

        rows = histogram.reshape(self.index, self.q)
        return correlation_sums(rows, self.indicators(), self.categories)

    def parameters(self) -> dict[str, str]:
        """Return q, e, j and whether T contains 0."""
        zero = "1" if self.zero else "0"
        return {"q": str(self.q), "index": str(self.index), "cosets": str(self.cosets), "zero": zero}

    @classmethod
    def of_parameters(cls, categories: int, parameters: dict[str, Any]) -> AffineClasses:
        """Return the design with k categories and parameters q, e, j and zero."""
        q, index, cosets, zero = only(parameters, "q", "index", "cosets", "zero")
        numbers = whole(index, "index", 1, MAX_CLASSES), whole(cosets, "cosets", 0, MAX_CLASSES)
        return cls(categories, _prime(q), *numbers, bool(whole(zero, "zero", 0, 1)))


@lru_cache(maxsize=8)
def _roots(q: int, e: int) -> dict[int, int]:
    """Return for the e-th roots of unity ``theta^(l (q-1)/e)`` their l."""
    step = pow(primitive_root(q), (q - 1) // e, q)
    return {pow(step, i, q): i for i in range(e)}


@lru_cache(maxsize=2)
def _class_of(q: int, e: int) -> NDArray[np.int16]:
    """Return for every element of GF(q) its logarithm modulo e, shape (q,); 0 for 0."""
    import numpy as np

    classes = np.zeros(q, np.int16)
    classes[_powers_of(q)] = np.arange(q - 1) % e
    return classes


@lru_cache(maxsize=2)
def _powers_of(q: int) -> Integers:
    """Return the powers of the least primitive root, shape (q - 1,)."""
    return powers_modulo(primitive_root(q), q)


def powers_modulo(g: int, q: int) -> Integers:
    """Return ``g^0, ..., g^(q-2)`` modulo q, by doubling."""
    import numpy as np

    powers = np.ones(1, np.int64)
    while len(powers) < q - 1:
        step = pow(g, len(powers), q)
        powers = np.concatenate([powers, products_modulo(powers, step, q)])[: q - 1]
    return powers
