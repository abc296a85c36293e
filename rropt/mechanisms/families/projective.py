"""Projective designs: the points of PG(t-1, q) are the categories, its hyperplanes (or their complements) the blocks.

A point is a vector of GF(q)^t whose first nonzero entry is 1, where q is a prime. There are ``b = (q^t - 1)/(q - 1)``
points. Block i is the hyperplane orthogonal to point i, which has ``(q^(t-1) - 1)/(q - 1)`` points. Two points lie
together in ``(q^(t-2) - 1)/(q - 1)`` hyperplanes.

Special cases: for q = 2 the complements give Hadamard response (Acharya, Sun and Zhang 2019). t = 3, q = 2 is the Fano
plane. For q near gamma + 1 the design is the projective geometry response of Feldman et al. (2022).

*Proof.* The vectors orthogonal to one vector form a space of dimension t - 1. The vectors orthogonal to two independent
vectors form a space of dimension t - 2. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import UnsupportedProblemError
from rropt.core.lazy import numpy as np
from rropt.mechanisms.families.affine import products_modulo
from rropt.mechanisms.families.blocks import Blocks, Integers, flag, prime, whole


@dataclass(eq=False, repr=False)
class Projective(Blocks, family="projective"):
    """The hyperplanes of PG(t-1, q), or with ``complement`` their complements.

    Args:
        categories: k <= (q^t - 1)/(q - 1).
        q: a prime.
        dimension: t >= 2, the dimension of the vectors.
        complement: whether a block consists of the points outside its hyperplane.

    >>> fano = Projective(7, 2, 3, False)
    >>> fano.count, str(fano.density), str(fano.together), [fano.members(i) for i in range(2)]
    (7, '3/7', '1/7', [(1, 3, 5), (0, 3, 4)])
    """

    title = "projective design"

    q: int = prime()
    dimension: int = whole("the dimension", 2, 64)
    complement: bool = flag("complement")

    @property
    def count(self) -> int:
        """``(q^t - 1)/(q - 1)``."""
        return self._spaces(self.dimension)

    @property
    def room(self) -> int:
        """The number of blocks."""
        return self.count

    def _spaces(self, dimension: int) -> int:
        return (int(self.q**dimension) - 1) // (self.q - 1)

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return the proportions of hyperplanes with one and with two given points; with ``complement``, without."""
        one, two = (Fraction(self._spaces(self.dimension - points), self.count) for points in (1, 2))
        return (1 - one, 1 - 2 * one + two) if self.complement else (one, two)

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether the point is orthogonal to the point of the block; with ``complement``, whether it is not."""
        return (self._inner(self.points(blocks), self.points(categories)) != 0) == self.complement

    def _inner(self, vectors: Any, others: Any) -> Any:
        """Return the inner products modulo q of the rows of two matrices, which broadcast."""
        return sum(products_modulo(x, y, self.q) for x, y in zip(vectors.T, others.T, strict=True)) % self.q

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return the number of nonzero vectors a with ``a.x = 0``, or of the vectors with ``a.x = 1``."""
        vectors = int(self.q ** (self.dimension - 1))
        return (vectors - 1,) if inside != self.complement else (vectors,)

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the point of a vector a with ``a.x = 0`` or ``a.x = 1``; all entries of a but one are drawn.

        The remaining entry, at the pivot of x, is computed. If a point satisfies ``a.x = 0``, so do all its q - 1
        multiples. Otherwise exactly one multiple satisfies ``a.x = 1``. Hence the points are uniformly distributed.
        """
        orthogonal = inside != self.complement
        x = self.points(np.atleast_1d(category))
        rest = np.atleast_1d(np.asarray(drawn[0], np.int64)) + orthogonal
        pivot = (x != 0).argmax(axis=1)
        a = np.zeros_like(x)
        for place in range(self.dimension):
            free = pivot != place
            a[free, place], rest[free] = rest[free] % self.q, rest[free] // self.q
        a[np.arange(len(a)), pivot] = (int(not orthogonal) - self._inner(a, x)) % self.q
        lead = a[np.arange(len(a)), (a != 0).argmax(axis=1)]
        values, places = np.unique(lead, return_inverse=True)
        inverses = np.array([pow(int(value), -1, self.q) for value in values], np.int64)[places]
        found = self.numbers(products_modulo(a, inverses[:, None], self.q))
        return found if np.ndim(category) else int(found[0])

    def points(self, numbers: Any) -> Any:
        """Return the points with these indices, shape (n, t).

        They are ordered by the number of entries after the first 1, then as numbers to base q.

        >>> Projective(4, 3, 2, False).points(range(4)).tolist()
        [[0, 1], [1, 0], [1, 1], [1, 2]]
        """
        numbers = np.asarray(numbers, np.int64 if self.output_bits < 64 else object)
        found = np.zeros((len(numbers), self.dimension), numbers.dtype)
        for free in range(self.dimension):
            first, many = self._spaces(free), self.q**free
            own = (numbers >= first) & (numbers < first + many)
            rest = numbers[own] - first
            rows = np.zeros((len(rest), self.dimension), numbers.dtype)
            rows[:, self.dimension - 1 - free] = 1
            for place in range(free):
                rows[:, self.dimension - 1 - place], rest = rest % self.q, rest // self.q
            found[own] = rows
        return found

    def numbers(self, points: Integers) -> Integers:
        """Return the indices of points, shape (n, t), whose first nonzero entry is 1."""
        first = (points != 0).argmax(axis=1)
        free = self.dimension - 1 - first
        total = np.zeros(len(points), np.int64)
        for place in range(self.dimension):
            total = total * self.q + np.where(place > first, points[:, place], 0)
        starts = np.array([self._spaces(f) for f in range(self.dimension)], np.int64)
        return np.asarray(starts[free] + total, np.int64)

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the number of responses that contain it, by a Fourier transform over GF(q)^t.

        Let n(v) be the number of responses with the block of the point of v, for every nonzero vector v of GF(q)^t. Let
        h(x) be the number of responses whose point is orthogonal to x, and w a primitive q-th root of unity. The
        multiples of a point that is not orthogonal to x contribute -1 in total for each response, hence
        ``T(x) = sum_v n(v) w^(v.x) = q h(x) - total``.
        """
        size = self.q**self.dimension
        if size > 1 << 26:
            raise UnsupportedProblemError(
                f"the transform is too long: received {size} vectors; allowed are {1 << 26}; estimate single categories"
            )
        total = int(histogram.sum())
        spread = np.zeros(size, np.int64)
        weights = self.q ** np.arange(self.dimension - 1, -1, -1, dtype=np.int64)
        points = self.points(np.arange(self.count, dtype=np.int64))
        for c in range(1, self.q):
            spread[(points * c % self.q) @ weights] = histogram
        if self.q == 2:
            transformed = walsh_hadamard(spread)
        else:
            # a number that is off by less than a half is rounded to the right integer
            if float(np.linalg.norm(spread.astype(float))) * size**0.5 * 2.0**-50 * self.dimension > 0.2:
                raise UnsupportedProblemError(
                    f"the counts are too many for an exact transform: received {total} responses; merge fewer of them"
                )
            cube = spread.astype(float).reshape((self.q,) * self.dimension)
            transformed = np.rint(np.fft.fftn(cube).real).astype(np.int64).reshape(-1)
        held = (transformed[points[: self.categories] @ weights] + total) // self.q
        return np.asarray(total - held if self.complement else held, np.int64)


def walsh_hadamard(values: Integers) -> Integers:
    """Return ``sum_v values[v] (-1)^(v.x)`` for all x, for 2^t integers; exact, as it uses additions only.

    >>> import numpy as np
    >>> walsh_hadamard(np.array([1, 2, 3, 4])).tolist()
    [10, -2, -4, 0]
    """
    found, half = values.astype(np.int64), 1
    while half < len(found):
        pairs = found.reshape(-1, 2, half)
        found = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        half *= 2
    return found
