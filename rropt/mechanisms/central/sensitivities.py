"""Sensitivities of queries: the largest change of the result that one person can cause."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rropt.core.errors import InvalidParameterError, one_of, shown
from rropt.core.exact import Epsilon, as_text, rational_where
from rropt.core.exact.numbers import whole_where

NEIGHBOURS = ("substitution", "add-remove")
_MOST_COORDINATES = 10**4


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The sensitivity of a query: the changes of its coordinates by one person, and their l1 sum Delta.

    The neighbouring relation is *substitution* (the data of one person change; N is fixed and public) or *add-remove*
    (one person is added or removed). Use ``count``, ``total``, ``histogram`` or ``given``.

    Attributes:
        what: what is released, in words.
        moves: the largest change of each coordinate that one person can move; their sum is Delta.
        dimension: the number of coordinates.
        neighbours: ``"substitution"`` or ``"add-remove"``.

    >>> [Sensitivity.histogram(4, how).l1 for how in NEIGHBOURS], Sensitivity.total(-1, 3).l1
    ([Fraction(2, 1), Fraction(1, 1)], Fraction(4, 1))
    """

    what: str
    moves: tuple[Fraction, ...]
    dimension: int = 1
    neighbours: str = NEIGHBOURS[0]

    def __post_init__(self) -> None:
        one_of(self.neighbours, NEIGHBOURS, "neighbours")

    @classmethod
    def count(cls, neighbours: str = NEIGHBOURS[0]) -> Sensitivity:
        """Return the sensitivity of a count of people: 1."""
        return cls("a count", (Fraction(1),), 1, neighbours)

    @classmethod
    def total(cls, low: object, high: object, neighbours: str = NEIGHBOURS[0]) -> Sensitivity:
        """Return the sensitivity of a sum of values in [low, high]: ``high - low``, or ``max(|low|, |high|)``.

        The second formula is for add-remove.

        Raises:
            InvalidParameterError: a bound is infinite or not a number, or ``low >= high``.
        """
        least = finite(low, "the least value")
        most = finite(high, "the largest value")
        if least >= most:
            raise InvalidParameterError(
                f"the bounds of the values are no interval: received {shown(low)} and {shown(high)}; allowed is low < "
                "high"
            )
        move = most - least if neighbours == NEIGHBOURS[0] else max(abs(least), abs(most))
        return cls(f"a sum of values in [{as_text(least)}, {as_text(most)}]", (move,), 1, neighbours)

    @classmethod
    def histogram(cls, cells: int, neighbours: str = NEIGHBOURS[0]) -> Sensitivity:
        """Return the sensitivity of a histogram: 2 (one count decreases, another increases), or 1 for add-remove."""
        moves, dimension = 2 if neighbours == NEIGHBOURS[0] else 1, _dimension(cells, 2)
        return cls(f"a histogram of {dimension} cells", (Fraction(1),) * moves, dimension, neighbours)

    @classmethod
    def given(cls, l1: object, dimension: int = 1, neighbours: str = NEIGHBOURS[0]) -> Sensitivity:
        """Return a sensitivity with a given l1 norm; delta is computed for the worst query with it.

        Raises:
            InvalidParameterError: the sensitivity is not positive and finite, or the dimension is invalid.
        """
        delta = finite(l1, "the sensitivity")
        if delta <= 0:
            raise InvalidParameterError(
                f"the sensitivity is out of range: received {shown(l1)}; allowed is a number > 0: a query that nobody "
                "moves is public and needs no noise"
            )
        return cls("a query", (delta,), _dimension(dimension, 1), neighbours)

    @property
    def l1(self) -> Fraction:
        """Delta, the sensitivity in the l1 norm."""
        return sum(self.moves, Fraction(0))


def finite(value: object, name: str) -> Fraction:
    """Return a finite number, or raise ``InvalidParameterError``."""
    if shown(value).strip("'").strip().lstrip("+-").lower() in ("inf", "infinity"):
        raise InvalidParameterError(
            f"{name} is infinite: received {shown(value)}; allowed is a finite number: where one person can move the "
            "query without bound no noise protects them; cut the data to an interval"
        )
    return rational_where(value, lambda _: True, "a number", name=name)


def _dimension(value: int, least: int) -> int:
    return whole_where(value, least, _MOST_COORDINATES, name="the dimension")


def positive_level(epsilon: object) -> Epsilon:
    """Return a privacy level above 0, or raise ``InvalidParameterError``."""
    level = Epsilon.of(epsilon)
    if level.is_infinite or level == Epsilon.of(0):
        raise InvalidParameterError(
            f"epsilon is out of range: received {shown(epsilon)}; allowed is 0 < epsilon <= 100: at 0 the noise would "
            "be unbounded"
        )
    return level


def a_chance(beta: object) -> Fraction:
    """Return a probability in (0, 1), or raise ``InvalidParameterError``."""
    return rational_where(beta, lambda b: 0 < b < 1, "0 < beta < 1", name="beta")
