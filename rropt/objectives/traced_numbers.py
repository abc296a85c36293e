"""Numbers that record how they depend on a row, as sums of quotients of polynomials in linear functions of it.

A user's function of a row is called once with such numbers (``objectives.stated_sums``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from numbers import Rational
from typing import Any

from rropt.core.errors import RroptError

Form = tuple[Fraction, ...]  # a linear function of the row, by its coefficients
Monomial = tuple[tuple[Form, int], ...]  # a product of powers of forms, sorted
_MOST = 400  # terms of a polynomial and quotients of a sum


class UncertifiedError(RroptError, ValueError):
    """A function of the row that is no rational function, or is not proved to be convex."""


@dataclass(frozen=True)
class TracedQuotient:
    """A quotient of polynomials in forms.

    Attributes:
        above: the coefficients of the numerator, by monomial.
        below: those of the denominator.
    """

    above: Mapping[Monomial, Fraction]
    below: Mapping[Monomial, Fraction]


def _product(left: Mapping[Monomial, Fraction], right: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    found: dict[Monomial, Fraction] = {}
    for one, x in left.items():
        for other, y in right.items():
            powers = dict(one)
            for form, e in other:
                powers[form] = powers.get(form, 0) + e
            key = tuple(sorted(powers.items()))
            found[key] = found.get(key, Fraction(0)) + x * y
    return _merged(found)


def _sum(left: Mapping[Monomial, Fraction], right: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    found = dict(left)
    for key, x in right.items():
        found[key] = found.get(key, Fraction(0)) + x
    return _merged(found)


def _merged(found: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction]:
    """Return a polynomial whose terms of degree 1 are one form."""
    lines = [(key[0][0], x) for key, x in found.items() if len(key) == 1 and key[0][1] == 1]
    rest = {key: x for key, x in found.items() if x and not (len(key) == 1 and key[0][1] == 1)}
    if lines:
        rest.update(
            _linear(tuple(sum((x * form[j] for form, x in lines), Fraction(0)) for j in range(len(lines[0][0]))))
        )
    if len(rest) > _MOST:
        raise UncertifiedError(f"it has more than {_MOST} terms")
    return rest


def _linear(line: Sequence[Fraction]) -> dict[Monomial, Fraction]:
    """Return a linear function as a multiple of a form: of a distribution if its coefficients have one sign."""
    first = next((Fraction(x) for x in line if x), None)
    if first is None:
        return {}
    scale = sum(line, Fraction(0)) if min(line) >= 0 or max(line) <= 0 else first
    return {((tuple(x / scale for x in line), 1),): scale}


def without_common(above: dict[Monomial, Fraction], below: dict[Monomial, Fraction]) -> TracedQuotient:
    """Return a quotient without the powers of forms that divide every term of both polynomials."""
    shared = dict(next(iter(below)))
    for key in chain(above, below):
        powers = dict(key)
        shared = {form: min(e, powers[form]) for form, e in shared.items() if form in powers}
    if shared and above:

        def left(part: Mapping[Monomial, Fraction]) -> dict[Monomial, Fraction]:
            rest = {}
            for key, x in part.items():
                powers = {form: e - shared.get(form, 0) for form, e in key}
                rest[tuple(sorted((form, e) for form, e in powers.items() if e))] = x
            return _merged(rest)

        above, below = left(above), left(below)
    scale = next(iter(below.values())) if len(below) == 1 else Fraction(1)
    return TracedQuotient({key: x / scale for key, x in above.items()}, {key: x / scale for key, x in below.items()})


class Traced:
    """A number that records how it depends on the row: a sum of quotients.

    Args:
        parts: the quotients, with different denominators.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[TracedQuotient]) -> None:
        self.parts = tuple(parts)

    @classmethod
    def entry(cls, j: int, k: int) -> Traced:
        """Return entry j of a row with k entries."""
        return cls([TracedQuotient(_linear([Fraction(i == j) for i in range(k)]), {(): Fraction(1)})])

    @staticmethod
    def of(value: Any) -> Traced | None:
        """Return a number as a traced one; None for other objects and for floats, which are not exact."""
        if isinstance(value, Traced):
            return value
        if isinstance(value, Rational):
            exact = Fraction(value)
            return Traced([TracedQuotient({(): exact}, {(): Fraction(1)})] if exact else [])
        return None

    def __add__(self, other: Any) -> Any:
        right = Traced.of(other)
        if right is None:
            return NotImplemented
        parts = list(self.parts)
        for each in right.parts:
            at = next((i for i, own in enumerate(parts) if own.below == each.below), None)
            if at is None:
                parts.append(each)
            else:
                parts[at] = TracedQuotient(_sum(parts[at].above, each.above), each.below)
        return Traced([each for each in parts if each.above])

    def __mul__(self, other: Any) -> Any:
        right = Traced.of(other)
        if right is None:
            return NotImplemented
        total = Traced([])
        for one in self.parts:
            for each in right.parts:
                above, below = _product(one.above, each.above), _product(one.below, each.below)
                if above:
                    total += Traced([without_common(above, below)])
        return total

    def inverse(self) -> Traced:
        """Return 1 divided by the number."""
        if not self.parts:
            raise ZeroDivisionError
        above, below = dict(self.parts[0].above), dict(self.parts[0].below)
        for each in self.parts[1:]:
            above = _sum(_product(above, each.below), _product(each.above, below))
            below = _product(below, each.below)
        if not above:
            raise ZeroDivisionError
        return Traced([without_common(below, above)])

    def __truediv__(self, other: Any) -> Any:
        right = Traced.of(other)
        return NotImplemented if right is None else self * right.inverse()

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, Rational) or exponent.denominator != 1:
            return NotImplemented
        times = int(Fraction(exponent))
        base, found = (self if times >= 0 else self.inverse()), Traced.of(1)
        for _ in range(abs(times)):
            found = found * base
        return found

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __sub__(self, other: Any) -> Any:
        right = Traced.of(other)
        return NotImplemented if right is None else self + right * -1

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __rtruediv__(self, other: Any) -> Any:
        return self.inverse() * other

    __radd__, __rmul__ = __add__, __mul__

    def _sign(self, other: Any) -> int:
        """Return the sign of the difference to another number, if it is the same at every positive row.

        Raises:
            UncertifiedError: the sign depends on the row.
        """
        apart = self - other
        if apart is NotImplemented:
            raise UncertifiedError("it compares entries with other objects")
        if not apart.parts:
            return 0
        for sign, each in ((1, apart), (-1, -apart)):
            if all(map(_is_positive, chain.from_iterable((part.above, part.below) for part in each.parts))):
                return sign
        raise UncertifiedError("it depends on a comparison of entries")

    def __bool__(self) -> bool:
        return self._sign(0) != 0

    def __eq__(self, other: object) -> bool:
        return self._sign(other) == 0

    def __lt__(self, other: Any) -> bool:
        return self._sign(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._sign(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._sign(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._sign(other) >= 0

    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        raise UncertifiedError("it converts entries to floats")

    __int__ = __index__ = __abs__ = __float__


def _is_positive(part: Mapping[Monomial, Fraction]) -> bool:
    """Return whether the coefficients of a polynomial and of its forms show that it is positive at positive rows."""
    return all(x > 0 and all(min(form) >= 0 for form, _ in key) for key, x in part.items())
