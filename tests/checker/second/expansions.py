"""Rule 12: expansions ``f = w^a (l log w + z_0 + z_1 w + ... + w^j s)`` on a cell, s in S; V holds the series."""

from fractions import Fraction
from math import ceil, factorial

from .constants import of
from .intervals import INFINITY, UndefinedError, common, is_infinite

ZERO = (Fraction(0), Fraction(0))


class Cell:
    """Where a function is expanded, and the arithmetic of its coefficients: intervals in ``middle``, else constants."""

    def __init__(self, constants, low, high, method, order):
        self.constants, self.intervals, self.order = constants, constants.intervals, order
        self.method, self.is_middle = method, method == "middle"
        self.at = {"low": low, "high": high}.get(method, (low + high) / 2)
        half = (high - low) / 2
        self.w = (-half, half) if self.is_middle else (Fraction(0), high - low)

    def number(self, x):
        return self.intervals.point(Fraction(x)) if self.is_middle else of(x)

    def around(self, z):
        return z if self.is_middle else self.constants.around(z)

    def add(self, x, y):
        return self.intervals.add(x, y) if self.is_middle else x + y

    def multiply(self, x, y):
        return self.intervals.multiply(x, y) if self.is_middle else x * y

    def series(self, z, rest):
        """Return an interval around ``z_0 + w (z_1 + ... + w s)``."""
        for each in reversed(z):
            rest = self.intervals.add(self.around(each), self.intervals.multiply(self.w, rest))
        return rest

    def cut(self, z, rest, count):
        return z[:count], self.series(z[count:], rest)

    def _power(self, d):
        """Return W^d, W the largest w."""
        i, r = self.intervals, d.known()
        top = i.point(self.w[1])
        return i.power(top, r) if r is not None else i.exp(i.multiply(self.constants.around(d), i.log(top)))

    def power(self, d):
        """Return the range of w^d."""
        sign = self.constants.sign(d)
        value = self._power(d)
        return (Fraction(0), value[1]) if sign > 0 else (value[0], INFINITY) if sign else value

    def power_log(self, d):
        """Return the range of w^d log w."""
        i = self.intervals
        log = i.log(i.point(self.w[1]))
        if self.constants.sign(d) <= 0:
            return -INFINITY, i.multiply(self._power(d), log)[1]
        around = self.constants.around(d)
        if i.multiply(around, log)[1] <= -1:
            return i.multiply(self._power(d), log)[0], Fraction(0)
        least = i.inverse(i.multiply(around, i.exp(i.point(Fraction(1)))))
        return -least[1], Fraction(0)

    def constant(self, c):
        z = [self.around_or(c)] + [self.number(0)] * (self.order - 1)
        return Expansion(self, of(0), of(0), z, ZERO)

    def around_or(self, c):
        return self.constants.around(c) if self.is_middle else c

    def prior(self, mirrored):
        at, slope = self.at, -1 if self.method == "high" else 1
        if mirrored:
            at, slope = 1 - at, -slope
        z = [self.number(at), self.number(slope)] + [self.number(0)] * (self.order - 1)
        return Expansion(self, of(0), of(0), z, ZERO)


class Expansion:
    """One function."""

    def __init__(self, cell, a, logs, z, s, v=None, *, settle=True):
        self.cell, self.a, self.logs = cell, a, logs  # logs: the l of the page
        self.z, self.s = cell.cut(list(z), s, cell.order)
        self.v = cell.series(self.z, self.s) if v is None else common(v, cell.series(self.z, self.s))
        while settle and not cell.is_middle and self.z and logs.is_zero and self.z[0].is_zero:
            self.a, self.z = self.a + of(1), self.z[1:]
            self.v = common(over_w(self.v, cell.w[1]), cell.series(self.z, self.s))

    def without_logarithm(self):
        """With l log w in V, j = 0."""
        if self.logs.is_zero:
            return self
        i, cell = self.cell.intervals, self.cell
        high = i.log(i.point(cell.w[1]))[1]
        v = i.add(self.v, i.multiply(cell.constants.around(self.logs), (-INFINITY, high)))
        return Expansion(cell, self.a, of(0), [], v)

    def range(self):
        return self.without_logarithm().v

    def times_power(self, d):
        """Return the same function with an exponent that is less by d > 0."""
        cell, i, r = self.cell, self.cell.intervals, d.known()
        n = min(ceil(r if r is not None else cell.constants.around(d)[1]), cell.order)
        rest = d - of(n)
        v, s = i.multiply(cell.power(d), self.v), i.multiply(cell.power(rest), self.v)
        z, more = [cell.number(0)] * n, []
        if not self.logs.is_zero:
            slope = cell.constants.around(self.logs)
            v = i.add(v, i.multiply(slope, cell.power_log(d)))
            s = i.add(s, i.multiply(slope, cell.power_log(rest)))
        elif rest.is_zero:
            more, s = self.z, self.s
        return Expansion(cell, self.a - d, of(0), z + more, s, v, settle=False)

    def __neg__(self):
        minus = [(-z[1], -z[0]) if self.cell.is_middle else -z for z in self.z]
        s, v = ((-x[1], -x[0]) for x in (self.s, self.v))
        return Expansion(self.cell, self.a, -self.logs, minus, s, v)

    def __add__(self, other):
        cell = self.cell
        f, g = brought(self, other)
        j = min(len(f.z), len(g.z))
        (y, s), (z, t) = cell.cut(f.z, f.s, j), cell.cut(g.z, g.s, j)
        total = [cell.add(a, b) for a, b in zip(y, z, strict=True)]
        return Expansion(cell, f.a, f.logs + g.logs, total, cell.intervals.add(s, t), cell.intervals.add(f.v, g.v))

    def __mul__(self, other):
        cell, i, f, g = self.cell, self.cell.intervals, self, other
        if not f.logs.is_zero and not g.logs.is_zero:
            f, g = f.without_logarithm(), g.without_logarithm()
        if not g.logs.is_zero:
            f, g = g, f
        if not g.z:
            f = f.without_logarithm()
        z, s, v = multiplied(cell, (f.z, f.s, f.v), (g.z, g.s, g.v))
        if f.logs.is_zero:
            return Expansion(cell, f.a + g.a, of(0), z, s, v)
        slope = i.multiply(cell.constants.around(f.logs), cell.series(g.z[1:], g.s))  # l t
        bent = i.multiply(slope, cell.power_log(of(1)))
        z, s = cell.cut(z, s, 1)
        s = i.add(s, i.multiply(slope, cell.power_log(of(0))) if z else bent)
        return Expansion(cell, f.a + g.a, f.logs * g.z[0], z, s, i.add(v, bent))


def over_w(v, top):
    """Return an interval divided by w in (0, top]."""
    low, high = v
    return (
        -INFINITY if low < 0 else low / top if not is_infinite(low) else low,
        INFINITY if high > 0 else high / top if not is_infinite(high) else high,
    )


def brought(f, g):
    """Bring two to the lesser exponent."""
    sign = 0 if f.cell.is_middle else f.cell.constants.sign(f.a - g.a)
    if sign > 0:
        f = f.times_power(f.a - g.a)
    return f, g.times_power(g.a - f.a) if sign < 0 else g


def multiplied(cell, one, other):
    """Return the product of two series (z, s, v)."""
    i = cell.intervals
    j = min(len(one[0]), len(other[0]))
    (y, s), (z, t) = cell.cut(*one[:2], j), cell.cut(*other[:2], j)
    terms = [cell.number(0)] * max(2 * j - 1, 0)
    for a, left in enumerate(y):
        for b, right in enumerate(z):
            terms[a + b] = cell.add(terms[a + b], cell.multiply(left, right))
    rest = i.add(i.multiply(s, other[2]), i.multiply(t, cell.series(y, ZERO)))
    rest = i.add(rest, cell.series(terms[j:], ZERO))
    return terms[:j], rest, common(i.multiply(one[2], other[2]), cell.series(terms[:j], rest))


class Smooth:
    """v^r, log v or exp v, and their derivatives over factorials."""

    def __init__(self, cell, name, r=None):
        self.cell, self.name, self.r = cell, name, r

    def _factor(self, n):
        factor = Fraction(1)
        for i in range(n):
            factor *= Fraction(self.r - i, i + 1)
        return factor

    def _power(self, h, r):
        i = self.cell.intervals
        if r.denominator != 1:
            return i.power(h, r)
        result = i.point(Fraction(1))
        for _ in range(abs(int(r))):
            result = i.multiply(result, h)
        return result if r >= 0 else i.inverse(result)

    def on(self, h, n):
        """Return the n-th derivative over n! on an interval."""
        i = self.cell.intervals
        if self.name == "exp":
            return i.multiply(i.exp(h), i.point(Fraction(1, factorial(n))))
        if self.name == "log":
            if n == 0:
                return i.log(h)
            return i.multiply(i.point(Fraction((-1) ** (n + 1), n)), self._power(h, Fraction(-n)))
        return i.multiply(i.point(self._factor(n)), self._power(h, self.r - n))

    def at(self, z, n):
        """Return the same at a coefficient."""
        if self.cell.is_middle:
            return self.on(z, n)
        constants = self.cell.constants
        if self.name == "exp":
            return constants.exp(z) * of(Fraction(1, factorial(n)))
        if self.name == "log":
            return constants.log(z) if n == 0 else of(Fraction((-1) ** (n + 1), n)) * constants.power(z, Fraction(-n))
        whole = self.r // 1
        rest = constants.power(z, self.r - whole)
        return of(self._factor(n)) * rest * constants.power(z, Fraction(whole - n))

    def of_series(self, f):
        """Return the series (z, s, v) of this of f's, which has no logarithm."""
        cell, (low, high) = self.cell, f.v
        if (self.name == "log" and low <= 0) or (self.name == "power" and self.r != -1 and low < 0):
            raise UndefinedError("out of the domain")
        if self.name == "power" and self.r < 0 and low <= 0 <= high:
            raise UndefinedError("out of the domain")
        v = self.on(f.v, 0)
        if not f.z:
            return [], v, v
        first = cell.around(f.z[0])
        hull = min(low, first[0]), max(high, first[1])
        if not (self.name == "exp" or hull[0] > 0 or (self.r == -1 and hull[1] < 0)):
            return [], v, v
        slope = f.z[1:], f.s, cell.series(f.z[1:], f.s)  # u / w
        steep = self.on(hull, len(f.z))
        total = [], steep, steep
        for n in reversed(range(len(f.z))):  # Horner's rule
            z, s, _ = multiplied(cell, slope, total)
            z = [self.at(f.z[0], n), *z]
            total = z, s, cell.series(z, s)
        return *total[:2], common(v, total[2])


class Expansions:
    """What an expression is evaluated in."""

    def __init__(self, cell):
        self.cell = cell

    def of(self, x):
        return self.cell.constant(of(x))

    def power(self, f, r):
        if r.denominator == 1 and r >= 0:
            result = self.of(1)
            for _ in range(int(r)):
                result = result * f
            return result
        f = f.without_logarithm()
        return Expansion(self.cell, f.a * of(r), of(0), *Smooth(self.cell, "power", r).of_series(f))

    def log(self, f):
        f = f.without_logarithm()
        return Expansion(self.cell, of(0), f.a, *Smooth(self.cell, "log").of_series(f))

    def exp(self, f):
        sign = 0 if self.cell.is_middle else self.cell.constants.sign(f.a)
        if sign > 0:
            f = f.times_power(f.a)
        elif sign < 0:
            v = self.cell.intervals.multiply(self.cell.power(f.a), f.range())
            f = Expansion(self.cell, of(0), of(0), [], v)
        return Expansion(self.cell, f.logs, of(0), *Smooth(self.cell, "exp").of_series(f))

    def least(self, f, g):
        one, other = f.without_logarithm(), g.without_logarithm()
        f, g = brought(one, other)
        if f.v[1] <= g.v[0] or g.v[1] <= f.v[0]:
            return one if f.v[1] <= g.v[0] else other
        v = min(f.v[0], g.v[0]), min(f.v[1], g.v[1])
        return Expansion(self.cell, f.a, of(0), [], v)

    def quotient(self, f, g):
        return f * self.power(g, Fraction(-1))
