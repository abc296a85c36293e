"""Rule 12: intervals with rational ends.

Ends are rounded outwards, to more digits than a file asks for: so nothing is refused for too few.
"""

import decimal
from fractions import Fraction

INFINITY = float("inf")
MORE = 30  # digits


class UndefinedError(Exception):
    """A value that is not defined, is no pair, or has no certain sign: a condition does not hold."""


def is_infinite(x):
    return isinstance(x, float)


class Intervals:
    """Arithmetic of intervals (low, high) to a number of digits."""

    def __init__(self, digits):
        self.digits = digits + MORE
        self.near, self.down, self.up = (
            decimal.Context(prec=self.digits, Emax=10**12, Emin=-(10**12), rounding=rounding)
            for rounding in (decimal.ROUND_HALF_EVEN, decimal.ROUND_FLOOR, decimal.ROUND_CEILING)
        )

    def of(self, low, high):
        return self._rounded(low, False), self._rounded(high, True)

    def point(self, x):
        return self.of(x, x)

    def _rounded(self, x, upwards):
        if is_infinite(x) or max(abs(x.numerator), x.denominator).bit_length() < 200:
            return x
        places = self.digits - int((x.numerator.bit_length() - x.denominator.bit_length()) * 0.30103)
        unit = Fraction(10) ** -places
        return (-(-x // unit) if upwards else x // unit) * unit

    def add(self, x, y):
        low = -INFINITY if is_infinite(x[0]) or is_infinite(y[0]) else x[0] + y[0]
        return self.of(low, INFINITY if is_infinite(x[1]) or is_infinite(y[1]) else x[1] + y[1])

    def multiply(self, x, y):
        ends = [times(a, b) for a in x for b in y]
        return self.of(min(ends), max(ends))

    def inverse(self, x):
        if x[0] <= 0 <= x[1]:
            raise UndefinedError("the inverse of what may be 0")
        return self.of(*(Fraction(0) if is_infinite(end) else 1 / end for end in reversed(x)))

    def _called(self, function, x, upwards):
        context = self.up if upwards else self.down
        value = function(context.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator)))
        return Fraction(self.near.next_plus(value) if upwards else self.near.next_minus(value))

    def _log(self, x, upwards):
        if is_infinite(x) or x in (0, 1):
            return Fraction(0) if x == 1 else INFINITY if x else -INFINITY
        return self._called(self.near.ln, x, upwards)

    def _exp(self, x, upwards):
        if is_infinite(x) or x == 0:
            return Fraction(1) if x == 0 else INFINITY if x > 0 else Fraction(0)
        if abs(x) > 10**5:
            large = Fraction(10) ** 40_000
            return (INFINITY if upwards else large) if x > 0 else (1 / large if upwards else Fraction(0))
        return self._called(self.near.exp, x, upwards)

    def log(self, x):
        if x[0] < 0 or x[1] <= 0:
            raise UndefinedError("the logarithm of what may not be positive")
        return self._log(x[0], False), self._log(x[1], True)

    def exp(self, x):
        return self._exp(x[0], False), self._exp(x[1], True)

    def _power(self, x, r, upwards):
        if is_infinite(x) or x in (0, 1):
            return Fraction(1) if x == 1 else Fraction(0) if (x == 0) == (r > 0) else INFINITY
        if r == Fraction(1, 2):
            return self._called(self.near.sqrt, x, upwards)
        if r.denominator == 1 and abs(r) <= 8:
            return x ** int(r)
        return self._exp(times(r, self._log(x, upwards == (r > 0))), upwards)

    def power(self, x, r):
        """Return x^r, x >= 0, r a rational number."""
        if x[0] < 0 or (r < 0 and x[1] == 0):
            raise UndefinedError("a power of what may be negative")
        if r == 0:
            return Fraction(1), Fraction(1)
        low, high = x if r > 0 else x[::-1]
        return self._power(low, r, False), self._power(high, r, True)


def times(a, b):
    """Return the product of two ends: 0 times an unbounded one is 0."""
    if a == 0 or b == 0:
        return Fraction(0)
    if is_infinite(a) or is_infinite(b):
        return INFINITY if (a > 0) == (b > 0) else -INFINITY
    return a * b


def common(x, y):
    """What two intervals around the same values have in common."""
    low, high = max(x[0], y[0]), min(x[1], y[1])
    return (low, high) if low <= high else x
