"""Interval arithmetic in fixed point, rounded outwards: integers in units of 2^-bits (FORMAT.md, rule 12).

An interval (low, high) stands for the finite reals in it. ``infinity`` is an integer beyond every finite end: -infinity
stands only as a low end, infinity only as a high end. So 0 times an infinite end is 0; exactly 0 times an unbounded
interval (a limit at p = 0 or p = 1) is unknown. Every operation is charged to one budget.
"""

from fractions import Fraction
from math import isqrt

from .documents import Rejected
from .limits import MAX_COVER_WORK, MAX_EXPONENT

Interval = tuple[int, int]

_SPARE = 512  # bits before the point: larger numbers count as infinite


class Arithmetic:
    """Intervals with ends in multiples of 2^-bits, and the work done with them."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.one = 1 << bits
        self.infinity = 1 << (bits + _SPARE)
        self.unknown: Interval = (-self.infinity, self.infinity)
        self.unit: Interval = (self.one, self.one)
        self.zero: Interval = (0, 0)
        self.price = 1 + bits // 512
        self.work = 0
        self._log_two: Interval | None = None

    def charge(self, units: int) -> None:
        """Count work; reject when the budget is used up."""
        self.work += units * self.price
        if self.work > MAX_COVER_WORK:
            raise Rejected(f"the certificate needs more than {MAX_COVER_WORK} operations on intervals")

    def clip(self, low: int, high: int) -> Interval:
        """Return the interval with ends beyond ``infinity`` moved outwards to it."""
        return (
            -self.infinity if low <= -self.infinity else min(low, self.infinity - 1),
            self.infinity if high >= self.infinity else max(high, 1 - self.infinity),
        )

    def of(self, low: Fraction, high: Fraction | None = None) -> Interval:
        """Return the least interval around rationals ``low <= high`` (``high`` left out: one number)."""
        self.charge(1 + (low.numerator.bit_length() + low.denominator.bit_length()) // 256)
        high = low if high is None else high
        below = (low.numerator << self.bits) // low.denominator
        return self.clip(below, -((-high.numerator << self.bits) // high.denominator))

    def add(self, a: Interval, b: Interval) -> Interval:
        """Return a + b."""
        self.charge(1)
        infinity = self.infinity
        low = -infinity if -infinity in (a[0], b[0]) else a[0] + b[0]
        high = infinity if infinity in (a[1], b[1]) else a[1] + b[1]
        return self.clip(low, high)

    def subtract(self, a: Interval, b: Interval) -> Interval:
        """Return a - b."""
        return self.add(a, (-b[1], -b[0]))

    def multiply(self, a: Interval, b: Interval) -> Interval:
        """Return a b; exactly 0 times an unbounded interval is unknown."""
        self.charge(3)
        if (a == (0, 0) and self.is_unbounded(b)) or (b == (0, 0) and self.is_unbounded(a)):
            return self.unknown
        products = [self._product(x, y) for x in a for y in b]
        return self.clip(min(products) >> self.bits, -(-max(products) >> self.bits))

    def _product(self, x: int, y: int) -> int:
        """Return x y in units of 2^-2 bits; 0 if x or y is 0, at least ``infinity`` in size if one is infinite."""
        if abs(x) == self.infinity or abs(y) == self.infinity:
            sign = ((x > 0) - (x < 0)) * ((y > 0) - (y < 0))
            return sign * self.infinity << self.bits
        return x * y

    def is_unbounded(self, a: Interval) -> bool:
        """Whether an end is infinite."""
        return a[0] == -self.infinity or a[1] == self.infinity

    def inverse(self, a: Interval) -> Interval:
        """Return 1/a: unknown around 0, unbounded where 0 is an end."""
        self.charge(3)
        low, high = a
        if low < 0 < high or a == (0, 0):
            return self.unknown
        square = self.one * self.one
        below = -self.infinity if high == 0 else square // high if high < self.infinity else 0
        above = self.infinity if low == 0 else -(-square // low) if low > -self.infinity else 0
        return self.clip(below, above)

    def divide(self, a: Interval, b: Interval) -> Interval:
        """Return a/b."""
        return self.multiply(a, self.inverse(b))

    def square(self, a: Interval) -> Interval:
        """Return a^2, which is nowhere negative."""
        low, high = self.multiply(a, a)
        return (0 if a[0] <= 0 <= a[1] else max(low, 0)), high

    def hull(self, a: Interval, b: Interval) -> Interval:
        """Return the least interval around both."""
        return min(a[0], b[0]), max(a[1], b[1])

    def meet(self, a: Interval, b: Interval) -> Interval:
        """Return the common part of two intervals around one number."""
        return max(a[0], b[0]), min(a[1], b[1])

    def sqrt(self, a: Interval) -> Interval:
        """Return the root of the part of a that is not negative."""
        self.charge(8)
        low, high = max(a[0], 0), max(a[1], 0)
        above = self.infinity if high == self.infinity else isqrt(high << self.bits)
        return isqrt(low << self.bits), above + (above * above < high << self.bits)

    def exp(self, a: Interval) -> Interval:
        """Return e^a."""
        low = 0 if a[0] == -self.infinity else self._exp(a[0])[0]
        high = self.infinity if a[1] == self.infinity else self._exp(a[1])[1]
        return self.clip(low, high)

    def _exp(self, x: int) -> Interval:
        """Return bounds of e^x for x in units of 2^-bits.

        ``e^|x| = (e^r)^(2^k)`` with r = |x|/2^k <= 2^-4: Taylor's series, whose terms fall by 16 or more, so that the
        rest is at most twice the first term left out; all roundings go one way. Beyond MAX_EXPONENT one side is lost.
        """
        if x == 0:
            return self.unit
        size = min(abs(x), MAX_EXPONENT << self.bits)
        cut = size < abs(x)
        k = max(0, size.bit_length() - self.bits + 4)
        bits = self.bits + 2 * k + 16 + (3 * (size >> self.bits) if x < 0 else 0)
        self.charge(20 + bits // 4 + 2 * k)
        r, scale = size << (bits - self.bits), k + bits  # e^r: |x| = r / 2^bits
        low = high = low_sum = high_sum = 1 << bits
        n = 0
        while high > 1:
            n += 1
            low = low * r // (n << scale)
            high = -(-high * r // (n << scale))
            low_sum += low
            high_sum += high
        high_sum += 2 * high
        for _ in range(k):
            low_sum = low_sum * low_sum >> bits
            high_sum = -(-high_sum * high_sum >> bits)
        if x < 0:
            one = 1 << (2 * bits)
            low_sum, high_sum = (0 if cut else one // high_sum), -(-one // low_sum)
        shift = bits - self.bits
        return low_sum >> shift, self.infinity if cut and x > 0 else -(-high_sum >> shift)

    def log(self, a: Interval) -> Interval:
        """Return the logarithm of the part of a that is not negative; log 0 is -infinity."""
        low = -self.infinity if a[0] <= 0 else self._log(a[0])[0]
        high = self.infinity if a[1] == self.infinity else 1 - self.infinity if a[1] <= 0 else self._log(a[1])[1]
        return low, high

    def _log(self, x: int) -> Interval:
        """Return bounds of log(x/2^bits), x > 0: ``log m + e log 2`` with 1 <= m < 2."""
        if x == self.one:
            return self.zero
        e = x.bit_length() - self.bits - 1
        bits = self.bits + x.bit_length() + 16  # m is exact
        if self._log_two is None:
            wide = 2 * self.bits + _SPARE + 32
            self._log_two = _artanh(1, 3, wide)  # log 2 = 2 artanh(1/3)
        self.charge(20 + bits // 4)
        one, m = 1 << bits, x << (bits - self.bits - e)
        low, high = _artanh(m - one, m + one, bits)
        wide = 2 * self.bits + _SPARE + 32 - bits
        below, above = (e * end for end in (self._log_two if e >= 0 else self._log_two[::-1]))
        shift = bits - self.bits
        return (low + (below >> wide)) >> shift, -(-(high - (-above >> wide)) >> shift)

    def power(self, a: Interval, exponent: Fraction) -> Interval:
        """Return a^r; unless r is an integer, of the part of a that is not negative."""
        if exponent == 0:
            return self.unit
        if exponent < 0:
            return self.inverse(self.power(a, -exponent))
        if exponent.denominator > 1:
            return self.exp(self.multiply(self.of(exponent), self.log(a))) if a[1] > 0 else self.zero
        result, base, n = self.unit, a, exponent.numerator
        if n % 2 == 0:
            base, n = self.square(a), n // 2
        while n:  # of one sign, or of an odd power: products of ends are ends of products
            if n & 1:
                result = self.multiply(result, base)
            base, n = self.multiply(base, base) if n > 1 else base, n >> 1
        return result


def _artanh(above: int, below: int, bits: int) -> Interval:
    """Return bounds of ``2 artanh(z) = 2 sum z^(2i+1)/(2i+1)`` in units of 2^-bits, 0 <= z = above/below <= 1/3.

    Terms fall by 9 or more: the rest is at most twice the first term left out.
    """
    low, high = (above << bits) // below, -((-above << bits) // below)
    low_square, high_square = low * low >> bits, -(-high * high >> bits)
    low_sum = high_sum = 0
    n = 1
    while high > 1:
        low_sum += low // n
        high_sum += -(-high // n)
        low, high = low * low_square >> bits, -(-high * high_square >> bits)
        n += 2
    return 2 * low_sum, 2 * (high_sum + 2 * high)
