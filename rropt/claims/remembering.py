"""Numbers that remember the rational function of one variable that they are values of, and what was asked of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_poly

_DEGREE = 60  # of polynomials whose roots are looked for


class Along(Fraction):
    """A number with the rational function of the moving variable that it is a value of.

    Attributes:
        over, below: numerator and denominator of the function.
        marks: the polynomials whose signs were asked for, in order, with the first answers; shared by all numbers of a
            run.
    """

    __slots__ = ("below", "marks", "over")

    over: Any
    below: Any
    marks: dict[Any, bool | None]

    @classmethod
    def of(cls, value: Fraction, over: Any, below: Any, marks: dict[Any, bool | None]) -> Along:
        """Return a value with the numerator and the denominator of its function."""
        if below.degree() > 0 and max(over.degree(), below.degree()) > 2:
            common = over.gcd(below)
            over, below = over / common, below / common
        self = super().__new__(cls, value)
        self.over, self.below, self.marks = over, below, marks
        return self

    def _parts(self, other: Any) -> tuple[Fraction, Any, Any] | None:
        if isinstance(other, Along):
            return Fraction(other.numerator, other.denominator), other.over, other.below
        if isinstance(other, (int, float, Fraction)):
            value = Fraction(other)
            return value, fmpq_poly([fmpq(value.numerator, value.denominator)]), fmpq_poly([1])
        return None

    @property
    def plain(self) -> Fraction:
        """The value alone."""
        return Fraction(self.numerator, self.denominator)

    def _with(self, other: Any, operation: str, *, turned: bool = False) -> Any:
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        left, right = (self.plain, self.over, self.below), parts
        if turned:
            left, right = right, left
        (a, n, d), (b, m, e) = left, right
        value = getattr(operator, operation)(a, b)
        if operation in ("add", "sub"):
            return Along.of(value, getattr(operator, operation)(n * e, m * d), d * e, self.marks)
        over, below = (n * m, d * e) if operation == "mul" else (n * e, d * m)
        return Along.of(value, over, below, self.marks)

    def __add__(self, other: Any) -> Any:
        return self._with(other, "add")

    def __radd__(self, other: Any) -> Any:
        return self._with(other, "add")

    def __sub__(self, other: Any) -> Any:
        return self._with(other, "sub")

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, "sub", turned=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, "mul")

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, "mul")

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, "truediv")

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, "truediv", turned=True)

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, (int, Fraction)) or power.denominator != 1:
            return self.plain**power
        size = abs(int(power))
        if max(self.over.degree(), self.below.degree()) * size > 2 * _DEGREE:
            return self.plain ** int(power)
        over, below = self.over**size, self.below**size
        return Along.of(self.plain ** int(power), *((over, below) if power >= 0 else (below, over)), self.marks)

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def _compared(self, other: Any, operation: Callable[[Any, Any], bool]) -> Any:
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        answer = operation(self.plain, parts[0])
        self.marks.setdefault(polynomial_of(self.over * parts[2] - parts[1] * self.below), answer)
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


def polynomial_of(polynomial: Any) -> tuple[int, ...]:
    """Return the coefficients of a polynomial over the integers; none where its roots are not looked for."""
    return tuple(map(int, polynomial.numer())) if 0 < polynomial.degree() <= _DEGREE else ()
