"""Polynomials with exact coefficients, expanded from expression trees within a budget of work (FORMAT.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .documents import NAME, Rejected, fields, fraction, items
from .limits import MAX_COEFFICIENT_BITS, MAX_DEGREE, MAX_TERMS, MAX_WORK

Exponents = tuple[int, ...]
Polynomial = dict[Exponents, Fraction]  # no zero coefficients
Quotient = tuple[Polynomial, Polynomial]  # numerator, denominator


@dataclass
class Ring:
    """Polynomials in these names; every multiplication of coefficients is charged to one budget."""

    names: tuple[str, ...]
    work: int = field(default=0)

    def constant(self, value: Fraction) -> Polynomial:
        """Return a constant polynomial."""
        return {(0,) * len(self.names): value} if value else {}

    def variable(self, name: str) -> Polynomial:
        """Return the polynomial of one name."""
        return {tuple(int(other == name) for other in self.names): Fraction(1)}

    def add(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the sum."""
        bits = _bits(left) + _bits(right)
        if bits > MAX_COEFFICIENT_BITS:
            raise Rejected(f"a coefficient would have more than {MAX_COEFFICIENT_BITS} bits")
        self.charge(1 + (len(left) + len(right)) // 4 + bits // 2048)
        total = dict(left)
        for exponents, coefficient in right.items():
            value = total.get(exponents, 0) + coefficient
            if value:
                total[exponents] = value
            else:
                del total[exponents]
        return total

    def multiply(self, left: Polynomial, right: Polynomial) -> Polynomial:
        """Return the product; rejects what is too large before it is computed."""
        bits = _bits(left) + _bits(right)
        if bits * min(len(left), len(right)) > MAX_COEFFICIENT_BITS:  # so many products may meet in one coefficient
            raise Rejected(f"a coefficient would have more than {MAX_COEFFICIENT_BITS} bits")
        self.charge(len(left) * len(right) * (1 + bits // 2048 + len(self.names) // 8))
        product: Polynomial = {}
        for e, a in left.items():
            for f, b in right.items():
                key = tuple(map(sum, zip(e, f, strict=True)))
                product[key] = product.get(key, Fraction(0)) + a * b
        product = {key: value for key, value in product.items() if value}
        if len(product) > MAX_TERMS or any(sum(key) > MAX_DEGREE for key in product):
            raise Rejected(f"a polynomial has more than {MAX_TERMS} terms or a degree above {MAX_DEGREE}")
        return product

    def power(self, base: Polynomial, exponent: int) -> Polynomial:
        """Return a power, 0 <= exponent <= MAX_DEGREE."""
        result = self.constant(Fraction(1))
        for _ in range(exponent):
            result = self.multiply(result, base)
        return result

    def charge(self, units: int) -> None:
        """Count work; reject when the budget is used up."""
        self.work += units
        if self.work > MAX_WORK:
            raise Rejected(f"the certificate needs more than {MAX_WORK} multiplications")

    def polynomial(self, tree: Any, where: str) -> Polynomial:
        """Return the polynomial that a tree without quotients writes."""
        numerator, denominator = self.quotient(tree, where, division=False)
        return numerator if denominator else {}

    def quotient(self, tree: Any, where: str, *, division: bool = True) -> Quotient:
        """Return (numerator, denominator) of a tree: sum, product, negative, power, quotient, number, name."""
        self.charge(4 + len(self.names) // 8)
        one = self.constant(Fraction(1))
        if isinstance(tree, str):
            self.charge((len(tree) // 512) ** 2)  # reading a number is quadratic in its digits
            if tree in self.names:
                return self.variable(tree), one
            if NAME.fullmatch(tree):
                raise Rejected(f"{where} has the unknown name {tree}")
            return self.constant(fraction(tree, where)), one
        if not isinstance(tree, dict) or len(tree) != 1:
            raise Rejected(f"{where} is not an expression")
        ((operation, arguments),) = tree.items()
        if operation == "negative":
            n, d = self.quotient(arguments, where, division=division)
            return {key: -value for key, value in n.items()}, d
        if operation == "power":
            base, exponent = items(arguments, where, count=2)
            times = whole(exponent, where, MAX_DEGREE)
            n, d = self.quotient(base, where, division=division)
            return self.power(n, times), self.power(d, times)
        if operation == "quotient" and division:
            (n, d), (m, e) = (self.quotient(part, where) for part in items(arguments, where, count=2))
            if not m:
                raise Rejected(f"{where} divides by the zero polynomial")
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
        """Return the product of two quotients, or their sum."""
        (n, d), (m, e) = left, right
        if operation == "product":
            return self.multiply(n, m), self.multiply(d, e)
        if d == e:
            return self.add(n, m), d
        return self.add(self.multiply(n, e), self.multiply(m, d)), self.multiply(d, e)


def names(data: Any, where: str) -> list[str]:
    """Return a list of distinct names."""
    listed = items(data, where)
    if any(not isinstance(name, str) or not NAME.fullmatch(name) for name in listed) or len(set(listed)) < len(listed):
        raise Rejected(f"{where} is not a list of distinct names")
    return listed


def whole(text: Any, where: str, most: int) -> int:
    """Return an integer from 0 to ``most``, written as a canonical string."""
    value = fraction(text, where, 20)
    if value.denominator != 1 or not 0 <= value <= most:
        raise Rejected(f"{where} is not an integer from 0 to {most}")
    return value.numerator


def check_identity(problem: Any, claim: Any, witness: Any) -> None:
    """Rule 9: ``n_left d_right - n_right d_left = sum cofactor * relation``, coefficient by coefficient."""
    _, variables, relations, left, right = fields(
        problem, ["kind", "variables", "relations", "left", "right"], "problem"
    )
    if problem["kind"] != "identity" or fields(claim, ["kind"], "claim") != ["identity"]:
        raise Rejected("the rule identity proves claims of kind identity")
    _, cofactors = fields(witness, ["rule", "cofactors"], "witness")
    ring = Ring(tuple(names(variables, "variables")))
    (n, d), (m, e) = ring.quotient(left, "left"), ring.quotient(right, "right")
    difference = _minus(ring, ring.multiply(n, e), ring.multiply(m, d))
    factors = items(cofactors, "cofactors", count=len(items(relations, "relations")))
    for relation, cofactor in zip(relations, factors, strict=True):
        term = ring.multiply(ring.polynomial(relation, "a relation"), ring.polynomial(cofactor, "a cofactor"))
        difference = _minus(ring, difference, term)
    if difference:
        raise Rejected("the two sides of the identity differ")


def _minus(ring: Ring, left: Polynomial, right: Polynomial) -> Polynomial:
    return ring.add(left, {key: -value for key, value in right.items()})


def _bits(polynomial: Polynomial) -> int:
    return max((max(c.numerator.bit_length(), c.denominator.bit_length()) for c in polynomial.values()), default=0)


def product_of(ring: Ring, factors: Sequence[Polynomial], powers: Sequence[tuple[int, int]]) -> Polynomial:
    """Return the product of ``factors[i]^e`` over the pairs (i, e)."""
    result = ring.constant(Fraction(1))
    for index, exponent in powers:
        result = ring.multiply(result, ring.power(factors[index], exponent))
    return result
