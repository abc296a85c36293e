"""Polynomials with exact coefficients, expanded from expression trees within a work budget (FORMAT.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import add
from typing import Any

from .documents import NAME, Rejected, WorkBudget, bits_of, fraction, items, whole
from .limits import MAX_COEFFICIENT_BITS, MAX_DEGREE, MAX_NAMES, MAX_TERMS

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, Fraction]  # no zero coefficients
Quotient = tuple[Polynomial, Polynomial]  # numerator, denominator


@dataclass
class Ring:
    """Polynomials in the given names."""

    names: tuple[str, ...]
    budget: WorkBudget = field(default_factory=WorkBudget)
    divisors: list[Polynomial] = field(default_factory=list)  # the divisors in the trees read so far

    def constant(self, value: Fraction) -> Polynomial:
        """Return a constant polynomial."""
        return {(0,) * len(self.names): value} if value else {}

    def variable(self, name: str) -> Polynomial:
        """Return the polynomial that is a single name."""
        return {tuple(int(other == name) for other in self.names): Fraction(1)}

    def named(self, name: str) -> Quotient:
        """Return the pair that a name of an expression stands for."""
        return self.variable(name), self.constant(Fraction(1))

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the sum."""
        bits = _bits(left) + _bits(right)
        if bits > MAX_COEFFICIENT_BITS:
            raise Rejected(f"a coefficient would have more than {MAX_COEFFICIENT_BITS} bits")
        self.budget.spend(4 + len(left) + len(right))
        self.budget.spend(min(len(left), len(right)), bits, bits)  # cost of reducing a sum to lowest terms
        total = dict(left)
        for exponents, coefficient in right.items():
            value = total.get(exponents, 0) + coefficient
            if value:
                total[exponents] = value
            else:
                del total[exponents]
        return total

    def multiply(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the product; reject it before the work if it would be too large."""
        bits = _bits(left) + _bits(right)
        if bits * min(len(left), len(right)) > MAX_COEFFICIENT_BITS:  # this many products may meet in one coefficient
            raise Rejected(f"a coefficient would have more than {MAX_COEFFICIENT_BITS} bits")
        self.budget.spend(4 * len(left) * len(right) * (1 + len(self.names) // 8))
        self.budget.spend(len(left) * len(right), bits, bits)
        if all(value.denominator == 1 for part in (left, right) for value in part.values()):
            whole_right = [(f, b.numerator) for f, b in right.items()]  # products of integers are ten times faster
            wholes: dict[Exponents, int] = {}
            for e, a in left.items():
                for f, factor in whole_right:
                    key = tuple(map(add, e, f))
                    wholes[key] = wholes.get(key, 0) + a.numerator * factor
            product = {key: Fraction(value) for key, value in wholes.items() if value}
        else:
            sums: Polynomial = {}
            for e, a in left.items():
                for f, b in right.items():
                    key = tuple(map(add, e, f))
                    sums[key] = sums.get(key, Fraction(0)) + a * b
            product = {key: value for key, value in sums.items() if value}
        if len(product) > MAX_TERMS or any(sum(key) > MAX_DEGREE for key in product):
            raise Rejected(f"a polynomial has more than {MAX_TERMS} terms or a degree above {MAX_DEGREE}")
        return product

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        """Return a power with exponent from 0 to MAX_DEGREE."""
        result = self.constant(Fraction(1))
        for _ in range(exponent):
            result = self.multiply(result, base)
        return result

    def value(self, polynomial: Polynomial, point: Sequence[Fraction]) -> Fraction:
        """Return the value at a point, which gives a number for each name."""
        longest = max(map(bits_of, point), default=0)
        total = Fraction(0)
        for exponents, coefficient in polynomial.items():
            bits = bits_of(coefficient) + longest * sum(exponents)
            self.budget.spend(1 + sum(exponents), bits, bits)
            for x, e in zip(point, exponents, strict=True):
                coefficient *= x**e
            total += coefficient
        return total

    def polynomial(self, tree: Any, where: str) -> Polynomial:
        """Return the polynomial of a tree without quotients."""
        return self.quotient(tree, where, division=False)[0]

    def quotient(self, tree: Any, where: str, *, division: bool = True) -> Quotient:
        """Return (numerator, denominator) of a tree: sum, product, negative, power, quotient, number, name."""
        self.budget.spend(16 + len(self.names) // 2)
        one = self.constant(Fraction(1))
        if isinstance(tree, str):
            self.budget.spend(1, len(tree), 4 * len(tree))  # the cost of reading a number is quadratic in its digits
            if NAME.fullmatch(tree) and tree in self.names:
                return self.named(tree)
            if NAME.fullmatch(tree):
                raise Rejected(f"{where} has the unknown name {tree}")
            return self.constant(fraction(tree, where)), one
        if not isinstance(tree, dict) or len(tree) != 1:
            raise Rejected(f"{where} is not an expression")
        ((operation, arguments),) = tree.items()
        if operation == "negative":
            n, d = self.quotient(arguments, where, division=division)
            return negative(n), d
        if operation == "power":
            base, exponent = items(arguments, where, count=2)
            times = whole(exponent, where, MAX_DEGREE)
            n, d = self.quotient(base, where, division=division)
            return self.power(n, times), self.power(d, times)
        if operation == "quotient" and division:
            (n, d), (m, e) = (self.quotient(part, where) for part in items(arguments, where, count=2))
            if not m:
                raise Rejected(f"{where} divides by the zero polynomial")
            self.divisors.append(m)
            return self.multiply(n, e), self.multiply(d, m)
        if operation not in ("sum", "product"):
            raise Rejected(f"{where} has the unknown operation {str(operation)[:40]!r}")
        parts = [self.quotient(part, where, division=division) for part in items(arguments, where, most=MAX_TERMS)]
        if len(parts) < 2:
            raise Rejected(f"{where} has a {operation} of fewer than two parts")
        found = parts[0]
        for part in parts[1:]:
            found = self.combined(operation, found, part)
        return found

    def combined(self, operation: str, left: Quotient, right: Quotient) -> Quotient:
        """Return the product or the sum of two quotients."""
        (n, d), (m, e) = left, right
        if operation == "product":
            return self.multiply(n, m), self.multiply(d, e)
        if d == e:
            return self.add(n, m), d
        return self.add(self.multiply(n, e), self.multiply(m, d)), self.multiply(d, e)


def names(data: Any, where: str) -> list[str]:
    """Return a list of names; with so few, the hashes of exponents cannot collide in great numbers."""
    listed = items(data, where, most=MAX_NAMES)
    if any(not isinstance(name, str) or not NAME.fullmatch(name) for name in listed):
        raise Rejected(f"{where} is not a list of names")
    return listed


def negative(polynomial: Polynomial) -> Polynomial:
    """Return the negative of a polynomial."""
    return {key: -value for key, value in polynomial.items()}


def _bits(polynomial: Polynomial) -> int:
    return max(map(bits_of, polynomial.values()), default=0)
