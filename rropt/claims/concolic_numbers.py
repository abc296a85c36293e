"""Concolic numbers: a number records its value as a rational function of one variable, and all comparisons with it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import fmpq

_DEGREE = 60  # largest degree of polynomials whose roots are computed


class Along(Fraction):
    """A number together with the rational function of the moving variable whose value it is.

    Attributes:
        value: the number, a FLINT rational, which is faster than ``Fraction``.
        over, below: numerator and denominator of the function.
        marks: the polynomials whose signs comparisons needed, in order, each with its first outcome; all numbers of a
            run share this dictionary.
    """

    __slots__ = ("below", "marks", "over", "value")

    over: Any
    below: Any
    value: Any
    marks: dict[Any, bool | None]

    @classmethod
    def of(cls, value: Any, over: Any, below: Any, marks: dict[Any, bool | None]) -> Along:
        """Return a number from its value and the numerator and denominator of its function."""
        if below.degree() > 0 and max(over.degree(), below.degree()) > 2:
            common = over.gcd(below)
            over, below = over / common, below / common
        self = object.__new__(cls)
        self.value, self.over, self.below, self.marks = value, over, below, marks
        return self

    # the attributes that ``Fraction`` reads, computed only on demand
    _numerator = property(lambda self: int(self.value.p))
    _denominator = property(lambda self: int(self.value.q))

    @property
    def plain(self) -> Fraction:
        """The value as a ``Fraction``, without its function."""
        return Fraction(self.numerator, self.denominator)

    def __add__(self, other: Any) -> Any:
        if type(other) is Along:
            over = self.over * other.below + other.over * self.below
            return Along.of(self.value + other.value, over, self.below * other.below, self.marks)
        c = exact(other)
        if c is NotImplemented:
            return c
        return Along.of(self.value + c, self.over + c * self.below, self.below, self.marks)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if type(other) is Along:
            over = self.over * other.below - other.over * self.below
            return Along.of(self.value - other.value, over, self.below * other.below, self.marks)
        c = exact(other)
        if c is NotImplemented:
            return c
        return Along.of(self.value - c, self.over - c * self.below, self.below, self.marks)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if type(other) is Along:
            return Along.of(self.value * other.value, self.over * other.over, self.below * other.below, self.marks)
        c = exact(other)
        return c if c is NotImplemented else Along.of(self.value * c, self.over * c, self.below, self.marks)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if type(other) is Along:
            return Along.of(self.value / other.value, self.over * other.below, self.below * other.over, self.marks)
        c = exact(other)
        return c if c is NotImplemented else Along.of(self.value / c, self.over, self.below * c, self.marks)

    def __rtruediv__(self, other: Any) -> Any:
        c = exact(other)
        return c if c is NotImplemented else Along.of(c / self.value, self.below * c, self.over, self.marks)

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, (int, Fraction)) or power.denominator != 1:
            return self.plain**power
        size = abs(int(power))
        if max(self.over.degree(), self.below.degree()) * size > 2 * _DEGREE:
            return self.plain ** int(power)
        over, below = self.over**size, self.below**size
        return Along.of(self.value ** int(power), *((over, below) if power >= 0 else (below, over)), self.marks)

    def __neg__(self) -> Any:
        return Along.of(-self.value, -self.over, self.below, self.marks)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def _compared(self, other: Any, operation: Callable[[Any, Any], bool]) -> Any:
        if type(other) is Along:
            value, difference = other.value, self.over * other.below - other.over * self.below
        else:
            value = exact(other)
            if value is NotImplemented:
                return value
            difference = self.over - value * self.below
        answer = bool(operation(self.value, value))
        self.marks.setdefault(polynomial_of(difference), answer)
        return answer

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __bool__(self) -> bool:
        return bool(self._compared(0, operator.ne))

    __hash__ = Fraction.__hash__


def exact(value: Any) -> Any:
    """Convert a plain number to a FLINT rational."""
    if isinstance(value, float):
        value = Fraction(value)
    return fmpq(value.numerator, value.denominator) if isinstance(value, (int, Fraction)) else NotImplemented


def polynomial_of(polynomial: Any) -> tuple[int, ...]:
    """Return the integer coefficients of a polynomial; empty if its degree is 0 or too large for computing roots."""
    return tuple(map(int, polynomial.numer())) if 0 < polynomial.degree() <= _DEGREE else ()
