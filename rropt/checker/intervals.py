"""Interval arithmetic on decimal numbers with a fixed number of digits, rounded outwards (``decimal``).

An interval (low, high) is the set of finite reals between its endpoints. Only low may be -infinity, only high may be
infinity, and 0 times an unbounded interval is 0. Sums, products and quotients are rounded down and up. ``decimal``
rounds exp, ln and square roots to nearest, so these are widened by one unit in the last digit. An operation that is not
defined on its whole argument is rejected.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from .documents import Rejected, WorkBudget, whole
from .limits import MAX_INTERVAL_DIGITS

Interval = tuple[Decimal, Decimal]

ZERO, ONE, INFINITY = Decimal(0), Decimal(1), Decimal("Infinity")
_RESERVE = 12  # digits beyond those that a file states, as in the checker in JavaScript
_MAX_EXPONENT = 999_999  # exponent of ten: larger numbers count as unbounded


def _times(context: Context, x: Decimal, y: Decimal) -> Decimal:
    return context.multiply(x, y) if x and y else ZERO


class Arithmetic:
    """Operations on intervals whose endpoints have the given number of digits."""

    def __init__(self, digits: int, budget: WorkBudget) -> None:
        self.digits, self.budget = digits, budget
        self._down, self._up = (
            Context(digits, rounding, -_MAX_EXPONENT, _MAX_EXPONENT, traps=[InvalidOperation])
            for rounding in (ROUND_FLOOR, ROUND_CEILING)
        )
        self.zero: Interval = (ZERO, ZERO)
        self.unit: Interval = (ONE, ONE)

    def of(self, x: Fraction) -> Interval:
        """Return the smallest interval that contains a rational."""
        n, d = x.numerator, x.denominator
        self.budget.spend(2, n.bit_length() + d.bit_length(), n.bit_length() + d.bit_length())
        return self._down.divide(Decimal(n), Decimal(d)), self._up.divide(Decimal(n), Decimal(d))

    def add(self, a: Interval, b: Interval) -> Interval:
        """Return a + b."""
        self.budget.spend(1)
        return self._down.add(a[0], b[0]), self._up.add(a[1], b[1])

    def negative(self, a: Interval) -> Interval:
        """Return -a."""
        return a[1].copy_negate(), a[0].copy_negate()

    def multiply(self, a: Interval, b: Interval) -> Interval:
        """Return the product a b; the signs of the endpoints decide which products are its endpoints."""
        self.budget.spend(2 + self.digits // 60)
        (p, q), (r, s) = a, b
        if p >= 0:
            low, high = (p if r >= 0 else q, r), (q if s >= 0 else p, s)
        elif q <= 0:
            low, high = (p if s >= 0 else q, s), (q if r >= 0 else p, r)
        elif r >= 0:
            low, high = (p, s), (q, s)
        elif s <= 0:
            low, high = (q, r), (p, r)
        else:
            least = min(_times(self._down, p, s), _times(self._down, q, r))
            return least, max(_times(self._up, p, r), _times(self._up, q, s))
        return _times(self._down, *low), _times(self._up, *high)

    def square(self, a: Interval) -> Interval:
        """Return a^2, which is at least 0 also if a may be 0."""
        low, high = self.multiply(a, a)
        return max(low, ZERO), high

    def inverse(self, a: Interval) -> Interval:
        """Return 1/a; reject an interval that contains 0."""
        self.budget.spend(2 + self.digits // 100)
        if a[0] <= 0 <= a[1]:
            raise Rejected("a divisor may be 0")
        return self._down.divide(ONE, a[1]), self._up.divide(ONE, a[0])

    def power(self, a: Interval, exponent: Fraction) -> Interval:
        """Return a^r; unless r is an integer, the interval must be nonnegative."""
        if exponent < 0:
            return self.inverse(self.power(a, -exponent))
        if exponent.denominator == 1:
            result, n = self.unit, exponent.numerator
            while n:
                result, n = (self.multiply(result, a) if n & 1 else result), n >> 1
                a = self.multiply(a, a) if n else a
            return result
        if a[0] < 0:
            raise Rejected("a root or fractional power of what may be negative")
        if exponent == Fraction(1, 2):
            self._spend()
            return max(self._down.next_minus(self._down.sqrt(a[0])), ZERO), self._up.next_plus(self._up.sqrt(a[1]))
        return self.exp(self.multiply(self.of(exponent), self._ln(a)))

    def exp(self, a: Interval) -> Interval:
        """Return e^a; e^0 = 1."""
        self._spend()
        low, high = self._down.exp(a[0]), self._up.exp(a[1])
        return max(self._down.next_minus(low), ZERO) if a[0] else low, self._up.next_plus(high) if a[1] else high

    def log(self, a: Interval) -> Interval:
        """Return the logarithm of a positive interval; log 1 = 0."""
        if a[0] <= 0:
            raise Rejected("the logarithm of what may not be positive")
        return self._ln(a)

    def _ln(self, a: Interval) -> Interval:
        """Return the logarithm of a nonnegative interval."""
        self._spend()
        low, high = self._down.ln(a[0]), self._up.ln(a[1])
        return self._down.next_minus(low) if low else low, self._up.next_plus(high) if high else high

    def _spend(self) -> None:
        self.budget.spend(12 + self.digits**2 // 110)

    @staticmethod
    def interval(a: Interval) -> Interval:
        """Return the interval itself, so that intervals serve as a field of coefficients."""
        return a

    @staticmethod
    def hull(a: Interval, b: Interval) -> Interval:
        """Return the smallest interval that contains both."""
        return min(a[0], b[0]), max(a[1], b[1])

    @staticmethod
    def meet(a: Interval, b: Interval) -> Interval:
        """Return the intersection of two intervals that contain the same number."""
        return max(a[0], b[0]), min(a[1], b[1])


def read_arithmetic(digits: Any, budget: WorkBudget) -> Arithmetic:
    """Return the arithmetic for a proof that states so many digits: it has a few more."""
    return Arithmetic(whole(digits, "digits", MAX_INTERVAL_DIGITS, 1) + _RESERVE, budget)
