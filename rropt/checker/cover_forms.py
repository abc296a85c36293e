"""Rational functions of p with constants such as exp(1/2), and their Bernstein coefficients (FORMAT.md, rule 12).

A constant that is no rational number (a root, exponential, logarithm or fractional power of constants) is a new name
of the ring. What is zero as a polynomial is zero; the sign of anything else is read off an interval around it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from .cover_intervals import Arithmetic, Interval
from .cover_jets import constant, exponent_of, operation_of
from .documents import Rejected
from .limits import MAX_COEFFICIENT_BITS
from .polynomials import Polynomial, Quotient, Ring

_CONSTANTS = 8  # constants of one side that are no rational numbers
_NAMES = ("p", *(f"#{i}" for i in range(_CONSTANTS)))
_MAX_WHOLE_POWER = 64  # exp(n log q) is q^n up to this n


class NotRationalError(Rejected):
    """The function is no rational function of p."""


class Forms:
    """Expansion of trees; equal constants have one name."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self.ring = Ring(_NAMES)
        self.one = self.ring.constant(Fraction(1))
        self.prior = self.ring.variable("p")
        self.values: list[Interval] = []
        self._known: list[tuple[str, Fraction, Quotient]] = []

    def of(self, tree: Any, prior: Polynomial) -> Quotient:
        """Return (numerator, denominator) of a tree with a polynomial in place of p."""
        ring = self.ring
        ring.charge(4)
        if isinstance(tree, str):
            ring.charge((len(tree) // 512) ** 2)  # reading a number is quadratic in its digits
            return (prior if tree == "p" else ring.constant(constant(tree))), self.one
        operation, parts = operation_of(tree)
        if operation in ("minimum", "maximum"):
            raise NotRationalError(f"a {operation} that is not decided is no rational function")
        if operation == "power":
            exponent, base = exponent_of(parts[1]), self.of(parts[0], prior)
            if exponent.denominator > 1:
                return self._constant("power", exponent, base)
            return ring.power(base[0], exponent.numerator), ring.power(base[1], exponent.numerator)
        forms = [self.of(part, prior) for part in parts]
        found = forms[0]
        if operation == "negative":
            return negative(found[0]), found[1]
        if operation in ("sqrt", "exp", "log"):
            return self._constant(operation, Fraction(0), found)
        if operation == "quotient":
            (n, d), (m, e) = forms
            if not m or (not any(key[0] for key in m) and not self.sign(m)):
                raise Rejected("a function divides by zero")
            return ring.multiply(n, e), ring.multiply(d, m)
        for form in forms[1:]:
            found = ring.combined(operation, found, form)
        return found

    def _constant(self, kind: str, exponent: Fraction, argument: Quotient) -> Quotient:
        """Return a root, exponential, logarithm or power of a constant: itself if it is rational, else its name."""
        n, d = argument
        if any(key[0] for key in (*n, *d)):
            raise NotRationalError(f"a {kind} of p is no rational function")
        value = rational(argument)
        found = None if value is None else _folded(kind, value)
        if kind == "exp" and found is None:
            found = self._power_of_logarithm(argument)
        if found is not None:
            return self.ring.constant(found), self.one
        for i, (other, power, (m, e)) in enumerate(self._known):
            if other == kind and power == exponent and self.ring.multiply(n, e) == self.ring.multiply(m, d):
                return self.ring.variable(_NAMES[i + 1]), self.one
        if len(self._known) == _CONSTANTS:
            raise NotRationalError(f"a function has more than {_CONSTANTS} constants that are no rational numbers")
        self.values.append(self._interval(kind, exponent, argument))
        self._known.append((kind, exponent, argument))
        return self.ring.variable(_NAMES[len(self._known)]), self.one

    def _power_of_logarithm(self, argument: Quotient) -> Fraction | None:
        """Return q^n for exp(n log q)."""
        n, d = argument
        if len(n) != 1 or rational((d, self.one)) is None:
            return None
        ((key, coefficient),) = n.items()
        times = coefficient / d[(0,) * len(_NAMES)]
        if sum(key) != 1 or times.denominator > 1 or abs(times) > _MAX_WHOLE_POWER:
            return None
        kind, _, logarithm = self._known[key.index(1) - 1]
        base = rational(logarithm)
        return base ** int(times) if kind == "log" and base is not None else None

    def _interval(self, kind: str, exponent: Fraction, argument: Quotient) -> Interval:
        a = self.arithmetic
        value = a.divide(self.value(argument[0]), self.value(argument[1]))
        if kind == "exp":
            return a.exp(value)
        if value[0] < 0 or (kind == "log" and value[0] <= 0):
            raise Rejected(f"the {kind} of a constant that may not be positive")
        return a.sqrt(value) if kind == "sqrt" else a.log(value) if kind == "log" else a.power(value, exponent)

    def value(self, polynomial: Polynomial) -> Interval:
        """Return an interval around a polynomial of the constants."""
        a = self.arithmetic
        total = a.zero
        for key, coefficient in polynomial.items():
            term = a.of(coefficient)
            for i, e in enumerate(key):
                if e:
                    term = a.multiply(term, a.power(self.values[i - 1], Fraction(e)))
            total = a.add(total, term)
        return total

    def sign(self, polynomial: Polynomial) -> int:
        """Return the sign of a polynomial of the constants: 0 only for the zero polynomial."""
        if not polynomial:
            return 0
        if len(polynomial) == 1 and (0,) * len(_NAMES) in polynomial:
            return 1 if polynomial[(0,) * len(_NAMES)] > 0 else -1
        low, high = self.value(polynomial)
        if low <= 0 <= high:
            raise Rejected("the sign of a constant is not certain at this precision")
        return 1 if low > 0 else -1

    def by_powers(self, polynomial: Polynomial) -> list[Polynomial]:
        """Return the coefficients of 1, p, p^2, ...: polynomials of the constants."""
        parts: list[Polynomial] = [{} for _ in range(max((key[0] for key in polynomial), default=0) + 1)]
        for key, coefficient in polynomial.items():
            parts[key[0]][(0, *key[1:])] = coefficient
        return parts

    def derivative(self, polynomial: Polynomial) -> Polynomial:
        """Return the derivative by p."""
        return {(key[0] - 1, *key[1:]): key[0] * c for key, c in polynomial.items() if key[0]}

    def is_nonnegative(self, tree: Any, low: Fraction, high: Fraction) -> bool:
        """Whether a tree is a rational function with Bernstein coefficients >= 0 above and > 0 below."""
        try:
            n, d = self.of(tree, self.prior)
            sign = first_nonzero(below := self.bernstein_signs(d, low, high))
            return min(sign * s for s in below) > 0 and min(sign * s for s in self.bernstein_signs(n, low, high)) >= 0
        except Rejected:
            return False

    def bernstein_signs(self, polynomial: Polynomial, low: Fraction, high: Fraction) -> list[int]:
        """Return the signs of the Bernstein coefficients on [low, high]."""
        bits = sum(c.denominator.bit_length() for c in polynomial.values())
        if bits > MAX_COEFFICIENT_BITS:
            raise Rejected(f"a common denominator would have more than {MAX_COEFFICIENT_BITS} bits")
        common = lcm(*(c.denominator for c in polynomial.values()))
        parts: dict[tuple[int, ...], dict[int, int]] = {}
        for key, c in polynomial.items():
            parts.setdefault((0, *key[1:]), {})[key[0]] = c.numerator * (common // c.denominator)
        degree = max((key[0] for key in polynomial), default=0)
        coefficients: list[Polynomial] = [{} for _ in range(degree + 1)]
        for key, by_degree in parts.items():
            for target, value in zip(coefficients, self._bernstein(by_degree, degree, low, high), strict=True):
                if value:
                    target[key] = Fraction(value)
        return [self.sign(coefficient) for coefficient in coefficients]

    def _bernstein(self, coefficients: dict[int, int], degree: int, low: Fraction, high: Fraction) -> list[int]:
        """Return the coefficients of ``x^(n-i) y^i`` in ``(x+y)^n f((low x + high y)/(x+y))``, n = degree, times D^n.

        By Horner's rule: ``sum c_i (A x + B y)^i (D x + D y)^(n-i)`` with low = A/D, high = B/D.
        """
        scale = lcm(low.denominator, high.denominator)
        a, b = (int(end * scale) for end in (low, high))
        bits = max(c.bit_length() for c in coefficients.values()) + degree * scale.bit_length()
        self.ring.charge((degree + 1) ** 2 // 2 * (1 + bits // 2048))
        total, power = [0], [1]  # power: (D x + D y)^(n-i)
        for i in range(degree, -1, -1):
            c = coefficients.get(i, 0)
            if c:
                total = [t + c * s for t, s in zip(total, power, strict=True)]
            if i:
                total = [a * x + b * y for x, y in zip([*total, 0], [0, *total], strict=True)]
                power = [scale * (x + y) for x, y in zip([*power, 0], [0, *power], strict=True)]
        return total


def negative(polynomial: Polynomial) -> Polynomial:
    """Return the negative."""
    return {key: -value for key, value in polynomial.items()}


def rational(form: Quotient) -> Fraction | None:
    """Return the value of a form without p and constants, else ``None``."""
    zero = (0,) * len(_NAMES)
    n, d = form
    if any(key != zero for key in (*n, *d)):
        return None
    return n.get(zero, Fraction(0)) / d[zero]


def _folded(kind: str, value: Fraction) -> Fraction | None:
    """Return sqrt of a square, exp(0) or log(1)."""
    if kind == "sqrt" and value >= 0:
        above, below = isqrt(value.numerator), isqrt(value.denominator)
        if above * above == value.numerator and below * below == value.denominator:
            return Fraction(above, below)
    if kind == "power" and value in (0, 1):
        return value
    return Fraction(kind == "exp") if (kind == "exp" and value == 0) or (kind == "log" and value == 1) else None


def first_nonzero(signs: Sequence[int]) -> int:
    """Return the first sign that is not 0, or 0."""
    return next((sign for sign in signs if sign), 0)


def over_prior(tree: Any, charge: Callable[[int], None]) -> Any:
    """Return ``tree / p`` where p divides the expression as it is written, else ``None``."""
    charge(1)
    if isinstance(tree, str):
        return "1" if tree == "p" else None
    operation, parts = operation_of(tree)
    if operation == "power":
        exponent = exponent_of(parts[1])
        if parts[0] != "p" or exponent == 0:
            return None
        below = {"power": ["p", str(abs(exponent - 1))]}
        return below if exponent >= 1 else {"quotient": ["1", below]}
    divided = [over_prior(part, charge) for part in parts]
    if operation in ("product", "quotient"):
        at = next((i for i, part in enumerate(divided) if part is not None), None)
        if at is None or (operation == "quotient" and at == 1):
            return None
        return {operation: [*parts[:at], divided[at], *parts[at + 1 :]]}
    if operation not in ("sum", "negative", "minimum", "maximum") or any(part is None for part in divided):
        return None
    return {operation: divided[0] if operation == "negative" else divided}
