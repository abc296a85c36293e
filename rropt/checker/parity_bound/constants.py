"""Rational functions of p with coefficients in Q and in named constants, and their signs on an interval.

Named constants are roots, exponentials and logarithms. A constant that is zero as a polynomial in the names is zero. An
enclosure decides the sign of any other constant, or fails to decide it. Equal arguments get the same name. sqrt(q^2),
exp(0), log(1), exp(r log x) and log(exp x) are simplified.

Signs on an interval are those of exact Bernstein coefficients, without subdivision. A polynomial f of degree n equals
``sum_i c_i x^(n-i) y^i`` at low x + high y, x + y = 1; the c_i include the binomial coefficients. If all c_i >= 0 then
f >= 0 on [low, high], and f > 0 in the interior unless all c_i are 0. The first c_i has the sign of f(low), the last
has that of f(high).
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt, lcm
from typing import NamedTuple

from ..documents import Rejected
from ..intervals import Arithmetic, Interval
from ..limits import MAX_CONSTANTS
from ..polynomials import Polynomial, Quotient, Ring, negative

_NAMES = ("p", *(f"#{i}" for i in range(MAX_CONSTANTS)))
_ONE = (0,) * len(_NAMES)


class Constants:
    """The algebra of these functions; a constant is a function without p."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic, self.budget = arithmetic, arithmetic.budget
        self.ring = Ring(_NAMES, arithmetic.budget)
        self.prior: Quotient = self.ring.variable("p"), self.ring.constant(Fraction(1))
        self.named: list[tuple[str, Fraction, Quotient]] = []  # function, exponent, argument
        self.values: list[Interval] = []

    def of(self, x: Fraction) -> Quotient:
        """Return a rational number as a function."""
        return self.ring.constant(x), self.ring.constant(Fraction(1))

    def add(self, f: Quotient, g: Quotient) -> Quotient:
        """Return f + g."""
        return self._reduced(self.ring.combined("sum", f, g))

    def multiply(self, f: Quotient, g: Quotient) -> Quotient:
        """Return the product f g."""
        return self._reduced(self.ring.combined("product", f, g))

    def negative(self, f: Quotient) -> Quotient:
        """Return -f."""
        return negative(f[0]), f[1]

    def power(self, f: Quotient, exponent: Fraction) -> Quotient:
        """Return f^r: a rational function if r is an integer or f^r is rational, otherwise a named constant."""
        if exponent < 0:
            if not self.sign(f) if not self.has_prior(f) else self._may_vanish(f[0]):
                raise Rejected("a function divides by zero")
            above, below = self.power(f, -exponent)  # the named constants are those of f^-r
            return below, above
        if exponent.denominator == 1:
            n, d = (self.ring.power(each, exponent.numerator) for each in f)
            return self._reduced((n, d))
        if exponent > 1:
            return self.multiply(self.power(f, exponent - exponent // 1), self.power(f, Fraction(exponent // 1)))
        f = self._without_prior(f)
        value = _rational(f)
        if value is not None and value >= 0 and exponent.denominator == 2:
            root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
            if root * root == value:
                return self.of(root)
        return f if value in (0, 1) else self._named("power", exponent, f)

    def exp(self, f: Quotient) -> Quotient:
        """Return e^f: 1 if f = 0, a power of x if f = r log x, otherwise a named constant."""
        f = self._without_prior(f)
        if not f[0]:
            return self.of(Fraction(1))
        for name, (kind, _, argument) in enumerate(self.named):
            factor = _rational((f[0], self.ring.multiply(f[1], self._variable(name)[0])))
            if kind == "log" and factor is not None:
                return self.power(argument, factor)
        return self._named("exp", Fraction(0), f)

    def log(self, f: Quotient) -> Quotient:
        """Return log f: 0 if f = 1, x if f = e^x, otherwise a named constant."""
        f = self._without_prior(f)
        if _rational(f) == 1:
            return self.of(Fraction(0))
        for name, (kind, _, argument) in enumerate(self.named):
            if kind == "exp" and self.is_equal(f, self._variable(name)):
                return argument
        return self._named("log", Fraction(0), f)

    def least(self, f: Quotient, g: Quotient) -> Quotient:
        """Return the smaller of two constants."""
        if self.has_prior(f) or self.has_prior(g):
            raise Rejected("a minimum or maximum of functions of p is no rational function")
        return f if self.compare(f, g) <= 0 else g

    def is_equal(self, f: Quotient, g: Quotient) -> bool:
        """Return whether two functions are equal as quotients of polynomials."""
        return self.ring.multiply(f[0], g[1]) == self.ring.multiply(g[0], f[1])

    @staticmethod
    def has_prior(f: Quotient) -> bool:
        """Return whether p occurs in f."""
        return any(key[0] for part in f for key in part)

    def at_end(self, polynomial: Polynomial, end: int, order: int) -> Quotient:
        """Return the value (order 0) or the derivative in p (order 1) of a polynomial at p = 0 or 1."""
        total = self.of(Fraction(0))
        for (i, *names), c in polynomial.items():
            if i >= order and (end or i == order):
                total = self.add(total, ({(0, *names): c * i**order}, total[1]))
        return total

    def sign(self, f: Quotient) -> int:
        """Return the sign of a constant: 0 only if it is zero as a polynomial."""
        return self.sign_of(f[0]) * self.sign_of(f[1])

    def compare(self, f: Quotient, g: Quotient) -> int:
        """Return the sign of f - g."""
        return self.sign(self.add(f, self.negative(g)))

    def sign_of(self, polynomial: Polynomial) -> int:
        """Return the sign of a polynomial in the named constants; reject if the enclosure does not decide it."""
        if set(polynomial) <= {_ONE}:
            value = polynomial.get(_ONE, Fraction(0))
            return (value > 0) - (value < 0)
        low, high = self._value(polynomial)
        if low <= 0 <= high:
            raise Rejected("the sign of a constant is not certain at this precision")
        return 1 if low > 0 else -1

    def interval(self, f: Quotient) -> Interval:
        """Return an interval that contains a constant."""
        a = self.arithmetic
        return a.multiply(self._value(f[0]), a.inverse(self._value(f[1])))

    def _value(self, polynomial: Polynomial) -> Interval:
        a = self.arithmetic
        total = a.zero
        for key, coefficient in polynomial.items():
            term = a.of(coefficient)
            for name, e in enumerate(key[1:]):
                if e:
                    term = a.multiply(term, a.power(self.values[name], Fraction(e)))
            total = a.add(total, term)
        return total

    def _variable(self, name: int) -> Quotient:
        return self.ring.variable(_NAMES[name + 1]), self.ring.constant(Fraction(1))

    def _without_prior(self, f: Quotient) -> Quotient:
        """Return the constant that f is: a function of p only if it is a multiple of m/m, m a monomial.

        A denominator that may be 0 at a prior would be lost, and with it that f is not defined there. A monomial is not
        0 there, since no divisor is 0 for all p.
        """
        if not self.has_prior(f):
            return f
        n, d = f
        if len(d) == 1 and n.keys() <= d.keys():
            ((key, below),) = d.items()
            return self.of(n.get(key, Fraction(0)) / below)
        raise Rejected("a root, exponential or logarithm of p is no rational function")

    def _may_vanish(self, polynomial: Polynomial) -> bool:
        """Return whether a polynomial in p may be 0 for all p: no coefficient has a certain sign other than 0."""
        parts: dict[int, Polynomial] = {}
        for (i, *names), c in polynomial.items():
            parts.setdefault(i, {})[(0, *names)] = c
        for part in parts.values():
            try:
                self.sign_of(part)
            except Rejected:
                self.budget.spend(1)  # the work that was spent is not given back
            else:
                return False
        return True

    def _named(self, kind: str, exponent: Fraction, f: Quotient) -> Quotient:
        known = _rational(f)
        f = f if known is None else self.of(known)
        for name, (other, power, argument) in enumerate(self.named):
            if (other, power) == (kind, exponent) and self.is_equal(f, argument):
                return self._variable(name)
        if len(self.named) == MAX_CONSTANTS:
            raise Rejected(f"a criterion has more than {MAX_CONSTANTS} constants that are no rational numbers")
        a, value = self.arithmetic, self.interval(f)
        result = a.exp(value) if kind == "exp" else a.log(value) if kind == "log" else a.power(value, exponent)
        self.values.append(result)
        self.named.append((kind, exponent, f))
        return self._variable(len(self.named) - 1)

    def _reduced(self, f: Quotient) -> Quotient:
        """Return f, in lowest terms if it is a rational number."""
        if set(f[0]) <= {_ONE} == set(f[1]):
            return self.of(f[0].get(_ONE, Fraction(0)) / f[1][_ONE])
        return f


def _rational(f: Quotient) -> Fraction | None:
    """Return the value of a constant that is visibly a rational number (proportional polynomials), otherwise None."""
    if not f[0]:
        return Fraction(0)
    if f[0].keys() != f[1].keys():
        return None
    first, *others = (above / f[1][key] for key, above in f[0].items())  # in no set: their hashes may collide
    return first if all(other == first for other in others) else None


class Strictness(NamedTuple):
    """Where a function that is >= 0 on a cell is known to be > 0."""

    inside: bool
    at_low: bool
    at_high: bool


def require_nonnegative(constants: Constants, f: Quotient, low: Fraction, high: Fraction) -> Strictness:
    """Reject unless a rational function is defined and >= 0 on the open cell and at endpoints in (0, 1)."""
    below = bernstein_signs(constants, f[1], low, high)
    sign = next((s for s in below if s), 0)
    if sign == 0 or min(sign * s for s in below) < 0:
        raise Rejected("a denominator may change its sign on a cell")
    if (below[0] == 0 and low > 0) or (below[-1] == 0 and high < 1):
        raise Rejected("a denominator is 0 at an end of a cell")
    above = [sign * s for s in bernstein_signs(constants, f[0], low, high)]
    if min(above) < 0:
        raise Rejected("a Bernstein coefficient is negative on a cell")
    return Strictness(max(above) > 0, above[0] > 0, above[-1] > 0)


def bernstein_signs(constants: Constants, polynomial: Polynomial, low: Fraction, high: Fraction) -> list[int]:
    """Return the signs of the Bernstein coefficients on [low, high] of a polynomial in p and named constants."""
    bits = sum(c.denominator.bit_length() for c in polynomial.values())
    constants.budget.spend(1 + len(polynomial), bits, bits)
    common = lcm(*(c.denominator for c in polynomial.values()))
    degree = max((key[0] for key in polynomial), default=0)
    parts: dict[tuple[int, ...], list[int]] = {}  # for each monomial in the names, the coefficients of 1, p, p^2, ...
    for key, c in polynomial.items():
        parts.setdefault((0, *key[1:]), [0] * (degree + 1))[key[0]] = c.numerator * (common // c.denominator)
    coefficients: list[Polynomial] = [{} for _ in range(degree + 1)]
    for key, by_degree in parts.items():
        for target, value in zip(coefficients, _bernstein(constants, by_degree, low, high), strict=True):
            if value:
                target[key] = Fraction(value)
    return [constants.sign_of(coefficient) for coefficient in coefficients]


def _bernstein(constants: Constants, coefficients: Sequence[int], low: Fraction, high: Fraction) -> list[int]:
    """Return ``c_0, ..., c_n`` times the n-th power of a common denominator D of the endpoints.

    Horner's rule evaluates ``sum_i a_i (A x + B y)^i (D x + D y)^(n-i)`` with low = A/D, high = B/D.
    """
    scale, degree = lcm(low.denominator, high.denominator), len(coefficients) - 1
    a, b = (int(end * scale) for end in (low, high))
    bits = max(c.bit_length() for c in coefficients) + degree * scale.bit_length()
    constants.budget.spend(2 * (degree + 1) ** 2, bits // 4)
    total, power = [0], [1]  # power: (D x + D y)^(n-i)
    for i in range(degree, -1, -1):
        total = [t + coefficients[i] * s for t, s in zip(total, power, strict=True)]
        if i:
            total = [a * x + b * y for x, y in zip([*total, 0], [0, *total], strict=True)]
            power = [scale * (x + y) for x, y in zip([*power, 0], [0, *power], strict=True)]
    return total
