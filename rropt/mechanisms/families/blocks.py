"""Block designs: families of sets in which every category, and every pair of categories, occurs equally often.

A family has b *blocks*. Every category lies in r of them, and every pair of categories lies together in lam of them.
Let ``rho = r/b`` be the density and ``eta = lam/b``. These two numbers and k determine privacy, variance and estimate
of the mechanism that outputs a block (``memberships``). The number b itself may have a million digits.

| family | blocks | rho | eta |
|---|---|---|---|
| ``direct`` | the single categories (k-ary randomized response) | 1/k | 0 |
| ``subsets`` | all sets of d categories (subset selection) | d/k | d(d-1)/(k(k-1)) |
| ``affine`` | ``{x: a.x + b in T}`` over GF(q)^t with a not 0 (``affine``) | s/q, s = size of T | see ``affine`` |
| ``projective`` | hyperplanes of PG(t-1, q) or their complements (``projective``) | see there | see there |
| ``cyclic`` | the translates of a difference set modulo b (``cyclic``) | see there | see there |
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from rropt.core.errors import InvalidMechanismError, UnsupportedProblemError, shown
from rropt.core.lazy import numpy as np
from rropt.mechanisms.arrangements import arrangement_at
from rropt.mechanisms.columns import whole_parameter
from rropt.mechanisms.families.primes import MAX_PRIME, is_prime

if TYPE_CHECKING:
    from numpy.typing import NDArray

Integers: TypeAlias = "NDArray[np.int64]"
Flags: TypeAlias = "NDArray[np.bool_]"

MAX_CATEGORIES = 10**7
"""Largest number of categories of a block design: a table of all estimates takes seconds and some gigabytes."""


_MOST_COUNTED = 10**5  # largest number of categories for which the number of all sets of a size is computed


def correlation_sums(counts: Sequence[list[int]], sets: Sequence[list[int]], most: int) -> list[int]:
    """Return ``c_x = sum_i sum_w n_i(w) f_i((x + w) mod q)`` for x = 0, ..., most - 1, by products of polynomials.

    f_i is extended periodically beyond q, so no index wraps around.

    Args:
        counts: n, e rows of q integers.
        sets: f, e rows of q integers, each 0 or 1.
        most: the number of values x, at most q.

    >>> correlation_sums([[5, 0, 2]], [[1, 0, 1]], 3)
    [7, 2, 5]
    """
    from flint import fmpz_poly

    total, last = fmpz_poly(), len(counts[0]) - 1
    for row, held in zip(counts, sets, strict=True):
        total += fmpz_poly(row[::-1]) * fmpz_poly(held + held[: most - 1])
    return [int(total[last + x]) for x in range(most)]


def _number(x: int) -> Any:
    return np.array([x], object if x >> 62 else np.int64)


def parameter(read: Callable[[Any, Any], object], default: Any = MISSING) -> Any:
    """Declare a parameter of a family; ``read(family, value)`` returns its value or refuses it."""
    return field(default=default, metadata={"read": read})


def whole(name: str, least: int, most: int | Callable[[Any], int], default: Any = MISSING) -> Any:
    """Declare an integer parameter of a family; its largest value may depend on the parameters before it."""

    def read(own: Blocks, value: object) -> int:
        return whole_parameter(value, name, least, most if isinstance(most, int) else most(own))

    return parameter(read, default)


def prime() -> Any:
    """Declare the parameter q, a prime."""
    return parameter(lambda _, value: prime_parameter(value))


def flag(name: str) -> Any:
    """Declare a parameter that is true or false, 1 or 0 in files."""

    def read(_: Blocks, value: object) -> bool:
        return bool(whole_parameter(int(value) if isinstance(value, bool) else value, name, 0, 1))

    return parameter(read)


def prime_parameter(value: object) -> int:
    """Return a prime.

    Raises:
        InvalidMechanismError: the value is not a prime up to 10^12.
    """
    q = whole_parameter(value, "q", 2, MAX_PRIME)
    if not is_prime(q):
        raise InvalidMechanismError(f"q is not a prime: received {q}; choose a prime, for example the next one")
    return q


@dataclass(eq=False, repr=False)
class Blocks(ABC):
    """A family of blocks; a subclass ``Mine(Blocks, family="mine")`` is registered for files automatically.

    A subclass is a dataclass that declares its parameters, which makes its constructor and its form in files. It
    defines ``count``, ``proportions`` and ``held``, and faster forms of other methods if it has them.

    Attributes:
        categories: k >= 2.
        family: the name of the family in files.
        title: the name of the family in printed text.
    """

    FAMILIES: ClassVar[dict[str, type[Blocks]]] = {}
    MOST: ClassVar[int] = MAX_CATEGORIES  # largest number of categories of the family
    family: ClassVar[str]
    title: ClassVar[str]

    def __init_subclass__(cls, *, family: str | None = None) -> None:
        super().__init_subclass__()
        if family is not None:
            cls.family = family
            Blocks.FAMILIES[family] = cls

    categories: int = whole("categories", 2, lambda own: own.MOST)

    def __post_init__(self) -> None:
        for each in fields(self):
            setattr(self, each.name, each.metadata["read"](self, getattr(self, each.name)))
        self.require()

    def require(self) -> None:
        """Raise ``InvalidMechanismError`` unless the parameters define a design with as many points as categories."""
        if self.categories > self.room:
            raise InvalidMechanismError(
                f"the field is too small: received {self.categories} categories for {self.room} points, so two of "
                "them would coincide; choose a larger q"
            )

    @property
    def room(self) -> int:
        """The number of points of the design, the largest number of categories; the default is the number of these."""
        return self.categories

    @property
    @abstractmethod
    def count(self) -> int:
        """b, the number of blocks."""

    @abstractmethod
    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return ``density`` and ``together``."""

    @property
    def density(self) -> Fraction:
        """``rho = r/b``, the proportion of blocks that contain a category."""
        return self.proportions()[0]

    @property
    def together(self) -> Fraction:
        """``eta = lam/b``, the proportion of blocks that contain two given categories."""
        return self.proportions()[1]

    @property
    def is_balanced(self) -> bool:
        """Whether all points are categories; then all blocks have the same size, and the estimator is efficient."""
        return self.categories == self.room

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether blocks contain categories, for two arrays of numbers that broadcast."""
        raise NotImplementedError(f"the family {self.family} looks at its blocks one by one")

    def holds(self, block: int, category: int) -> bool:
        """Return whether a block contains a category."""
        return bool(self.held(_number(block), _number(category))[0])

    def parameters(self) -> dict[str, str]:
        """Return the parameters other than ``family`` and ``categories`` as strings, for files."""
        values = {each.name: getattr(self, each.name) for each in fields(self)[1:]}
        return {name: str(int(value) if isinstance(value, bool) else value) for name, value in values.items()}

    def members(self, block: int) -> tuple[int, ...]:
        """Return the categories of a block in ascending order, in O(k)."""
        if self.categories > MAX_CATEGORIES:
            raise UnsupportedProblemError(
                f"the categories are too many to be listed: received {self}; allowed are {MAX_CATEGORIES}; count "
                "candidates (prefix trees)"
            )
        return tuple(np.flatnonzero(self.held(_number(block), np.arange(self.categories))).tolist())

    def memberships(self, histogram: Integers) -> Integers:
        """Return, for every category, the exact number of responses that contain it, shape (k,).

        Args:
            histogram: how often each block was reported, shape (b,).
        """
        counts = np.zeros(self.categories, np.int64)
        for block in np.flatnonzero(histogram):
            counts[list(self.members(int(block)))] += histogram[block]
        return counts

    def hits(self, responses: Integers, category: int) -> int:
        """Return the number of these responses (block numbers) that contain one category. The cost is O(n)."""
        return int(self.held(responses, _number(category)).sum())

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return bounds n_1, n_2, ...: independent uniform integers below them determine a block.

        Args:
            inside: whether the block must contain the true category.
        """
        raise NotImplementedError(f"the family {self.family} is drawn in its own way")

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the block that the drawn integers select; it is uniform among the blocks that contain x.

        If ``inside`` is false, it is uniform among the blocks that do not contain x.

        Args:
            category: x; or an array of categories.
            inside: whether the block contains x.
            drawn: integers below ``choices(inside)``; or arrays of such integers.
        """
        raise NotImplementedError(f"the family {self.family} is drawn in its own way")

    @property
    def output_bits(self) -> int:
        """``ceil(log2 b)``, the length of a response in bits when it is written as a number."""
        return (self.count - 1).bit_length()

    def to_dict(self) -> dict[str, str]:
        """Return the dictionary for files, in which all numbers are strings."""
        return {"family": self.family, "categories": str(self.categories), **self.parameters()}

    @staticmethod
    def from_dict(data: Any) -> Blocks:
        """Build the family from the output of ``to_dict``.

        Raises:
            InvalidMechanismError: the family is unknown, a key is missing, or the parameters do not define a design.
        """
        family = data.get("family") if isinstance(data, dict) else None
        known = Blocks.FAMILIES.get(family) if isinstance(family, str) else None
        if known is None:
            raise InvalidMechanismError(
                f"the family of blocks is unknown: received {shown(family)}; allowed are {', '.join(Blocks.FAMILIES)}"
            )
        rest = {key: value for key, value in data.items() if key not in ("family", "categories")}
        names = [each.name for each in fields(known)[1:]]
        if set(rest) != set(names):
            raise InvalidMechanismError(
                f"the parameters of the family do not fit: received {shown(sorted(rest))}; allowed are "
                f"{', '.join(names) or 'none'}"
            )
        made = known(data.get("categories"), **rest)
        if made.to_dict() != {key: str(value) for key, value in data.items()}:
            raise InvalidMechanismError(
                f"the family of blocks has other parameters: received {shown(data)}; allowed are those of "
                f"{shown(made.to_dict())}"
            )
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blocks) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.to_dict().items()))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    def __str__(self) -> str:
        rest = ", ".join(f"{key} = {value}" for key, value in self.parameters().items() if len(value) < 40)
        return f"{self.title}, k = {self.categories}{', ' if rest else ''}{rest}"


@dataclass(eq=False, repr=False)
class Direct(Blocks, family="direct"):
    """The single categories: k-ary randomized response (GRR, direct encoding).

    >>> Direct(5).count, str(Direct(5).density), Direct(5).members(3)
    (5, '1/5', (3,))
    """

    title = "k-ary randomized response"

    @property
    def count(self) -> int:
        """The number of categories, k."""
        return self.categories

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return 1/k and 0."""
        return Fraction(1, self.categories), Fraction(0)

    def held(self, blocks: Any, categories: Any) -> Any:
        """Return whether the block consists of the category."""
        return blocks == categories

    def members(self, block: int) -> tuple[int, ...]:
        """Return the only category of a block."""
        return (block,)

    def memberships(self, histogram: Integers) -> Integers:
        """Return a copy of the histogram: each block is a single category."""
        return histogram.copy()

    def choices(self, inside: bool) -> tuple[int, ...]:
        """Return no bound for the truth, and the bound k - 1 otherwise."""
        return () if inside else (self.categories - 1,)

    def report(self, category: Any, inside: bool, drawn: Sequence[Any]) -> Any:
        """Return the category, or the selected one of the others."""
        return category if inside else drawn[0] + (drawn[0] >= category)


@dataclass(eq=False, repr=False)
class AllSubsets(Blocks, family="subsets"):
    """All sets of d of the k categories: subset selection. Set {x_1 < x_2 < ...} has number ``sum_i C(x_i, i)``.

    >>> sets = AllSubsets(5, 2)
    >>> sets.count, str(sets.density), str(sets.together), sets.members(9)
    (10, '2/5', '1/10', (3, 4))
    """

    title = "subset selection"

    size: int = whole("the size d of the subsets", 1, lambda own: own.categories - 1)

    @property
    def count(self) -> int:
        """C(k, d).

        Raises:
            UnsupportedProblemError: there are more than 10^5 categories, so the computation would take seconds.
        """
        if self.categories > _MOST_COUNTED:
            raise UnsupportedProblemError(
                f"the number of sets is too large to be written out: received {self}; work with sets, parity and delta"
            )
        return comb(self.categories, self.size)

    @property
    def output_bits(self) -> int:
        """The bit length of C(k, d) - 1; for more than 10^4 categories k, the length of the 0/1 vector."""
        return self.categories if self.categories > 10**4 else (self.count - 1).bit_length()

    def proportions(self) -> tuple[Fraction, Fraction]:
        """Return d/k and ``d (d - 1)/(k (k - 1))``."""
        k, d = self.categories, self.size
        return Fraction(d, k), Fraction(d * (d - 1), k * (k - 1))

    def holds(self, block: int, category: int) -> bool:
        """Return whether set number ``block`` contains the category."""
        return bool(arrangement_at(block, (self.categories - self.size, self.size))[category])

    def members(self, block: int) -> tuple[int, ...]:
        """Return the categories of set number ``block``."""
        digits = arrangement_at(block, (self.categories - self.size, self.size))
        return tuple(x for x, digit in enumerate(digits) if digit)

    def hits(self, responses: Integers, category: int) -> int:
        """Return the number of these responses that contain one category, with one test for each distinct set."""
        counted = zip(*(part.tolist() for part in np.unique(responses, return_counts=True)), strict=True)
        return sum(n for block, n in counted if self.holds(block, category))

    def number(self, members: Sequence[int]) -> int:
        """Return the number of a set of d categories."""
        return sum(comb(x, i) for i, x in enumerate(sorted(members), 1))
