"""Exact real numbers of the form ``sum c * q^(i/b) * e^r``: every comparison at a privacy level can be decided.

Let gamma = q^(a/b) (algebraic) or e^s (transcendental), and let delta be rational or e^r. Then every polynomial in
gamma and delta with rational coefficients is a finite sum of terms ``c * q^(i/b) * e^r``, c and r rational, 0 <= i < b.

*Zero test by normal form.* A sum is 0 iff every coefficient is 0, by two facts:

1. If q > 0 is rational and not a perfect power, x^b - q^a (a, b coprime) is irreducible over Q. Hence 1, q^(1/b), ...,
   q^((b-1)/b) are linearly independent over Q.
2. By the theorem of Lindemann and Weierstrass, the numbers e^r for distinct rational r are linearly independent over
   the algebraic numbers.

*The sign* of a nonzero sum follows from ball arithmetic at increasing precision, which terminates because the sum is
not 0.

Quotients of these numbers form the ordered field in which designs at an irrational level are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import total_ordering
from math import isclose, isnan, lcm
from typing import Any, Union, overload

from rropt.core.exact.rational_bounds import Bracket, ball, decimal_bracket, sign_of
from rropt.core.exact.real_numbers import RealNumber, plain_number

_ONE = Fraction(1)
_UNIT = (0, Fraction(0))


class ExactReal(RealNumber):
    """An element of Q(q^(1/b))[e^r : r rational], with exact ring operations, comparisons and brackets.

    Args:
        terms: the coefficient of ``q^(i/b) e^r`` for each pair ``(i, r)``.
        base: q, a positive rational that is not a perfect power (1 if there is no algebraic part).
        root: b >= 1.

    Operations mix with ``int`` and ``Fraction``; with a float, and other divisions, they give a float. A problem has
    one gamma, so sums and products of two irrational bases never occur and raise ``ValueError``; two gammas can be
    compared. Cost: products multiply term by term.
    """

    __slots__ = ("base", "root", "terms")

    def __init__(self, terms: Mapping[tuple[int, Fraction], Fraction], base: Fraction = _ONE, root: int = 1) -> None:
        self.terms = {key: value for key, value in terms.items() if value}
        self.base = base
        self.root = root

    @classmethod
    def of(cls, value: Scalar) -> ExactReal:
        """Convert a number to an ``ExactReal``."""
        return value if isinstance(value, ExactReal) else cls({_UNIT: Fraction(value)})

    @classmethod
    def power(cls, base: Fraction, exponent: Fraction) -> ExactReal:
        """Return ``base^exponent``, base a positive rational that is not a perfect power."""
        whole, rest = divmod(exponent.numerator, exponent.denominator)
        return cls({(rest, Fraction(0)): base**whole}, base, exponent.denominator)

    @classmethod
    def exponential(cls, exponent: Fraction) -> ExactReal:
        """Return ``e^exponent``."""
        return cls({(0, exponent): _ONE})

    @property
    def rational(self) -> Fraction | None:
        """The number itself when it is rational, else ``None``."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(_UNIT) if len(self.terms) == 1 else None

    def sign(self) -> int:
        """Return the exact sign: -1, 0 or 1."""
        exact = self.rational
        if exact is not None:
            return (exact > 0) - (exact < 0)
        return sign_of(self._ball)  # terminates: the sum is not zero (module docstring)

    def bracket(self, digits: int = 20) -> Bracket:
        """Return a bracket of width about ``10^-digits``; exact if the number is rational."""
        exact = self.rational
        if exact is not None:
            return Bracket.of(exact)
        return decimal_bracket(self._ball, digits)

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational within the given number of significant digits of the number, and whether it is exact."""
        places = digits
        while True:  # terminates: an irrational number is not 0
            ends = self.bracket(places)
            if ends.gap * 10**digits <= min(abs(ends.lower), abs(ends.upper)):
                return ends.lower, ends.is_exact
            places *= 2

    def _ball(self, precision: int) -> Any:
        from flint import arb, ctx

        with ctx.workprec(precision):
            total = arb(0)
            root = (ball(self.base).log() / self.root).exp()
            for (i, r), c in self.terms.items():
                total += ball(c) * ball(r).exp() * root**i
            return total

    def _mixes(self, other: ExactReal) -> bool:
        return 1 not in (self.root, other.root) and (self.base, self.root) != (other.base, other.root)

    def _merged(self, other: ExactReal) -> tuple[Fraction, int]:
        if self._mixes(other):
            raise ValueError("numbers with different irrational bases do not mix: one problem has one gamma")
        return (other.base, other.root) if self.root == 1 else (self.base, self.root)

    def _compared(self, other: Scalar) -> int:
        """Return the sign of ``self - other``, also of single terms with different bases, such as two gammas."""
        right = ExactReal.of(other)
        if not self._mixes(right) or len(self.terms) + len(right.terms) > 2:
            return (self - right).sign()
        # floats of equal numbers agree to twelve digits; whether others are equal is decided exactly
        if isclose(float(self), float(right), rel_tol=1e-12) and self.sign() == right.sign():
            n = lcm(self.root, right.root)  # c q^(i/b) = d p^(j/k) iff the n-th powers and the signs are equal
            if (self**n).terms == (right**n).terms:
                return 0
        return sign_of(lambda bits: self._ball(bits) - right._ball(bits))

    def compared(self, other: Any) -> Any:
        """Return the exact sign of ``self - other``; ``None`` for NaN."""
        right = other if isinstance(other, (ExactReal, Fraction, int)) else plain_number(other)
        if isinstance(right, float):  # infinite, or no number
            return None if isnan(right) else -1 if right > 0 else 1
        return NotImplemented if right is None else self._compared(right)

    @overload
    def __add__(self, other: Scalar) -> ExactReal: ...

    @overload
    def __add__(self, other: Any) -> Any: ...

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (ExactReal, Fraction, int)):
            return RealNumber.__add__(self, other)
        right = ExactReal.of(other)
        terms = dict(self.terms)
        for key, value in right.terms.items():
            terms[key] = terms.get(key, Fraction(0)) + value
        return ExactReal(terms, *self._merged(right))

    __radd__ = __add__

    def __neg__(self) -> ExactReal:
        return ExactReal({key: -value for key, value in self.terms.items()}, self.base, self.root)

    @overload
    def __sub__(self, other: Scalar) -> ExactReal: ...

    @overload
    def __sub__(self, other: Any) -> Any: ...

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, (ExactReal, Fraction, int)) else RealNumber.__sub__(self, other)

    @overload
    def __rsub__(self, other: Scalar) -> ExactReal: ...

    @overload
    def __rsub__(self, other: Any) -> Any: ...

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, (Fraction, int)):
            return self * (1 / Fraction(other))
        return RealNumber.__truediv__(self, other)

    @overload
    def __mul__(self, other: Scalar) -> ExactReal: ...

    @overload
    def __mul__(self, other: Any) -> Any: ...

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (ExactReal, Fraction, int)):
            return RealNumber.__mul__(self, other)
        right = ExactReal.of(other)
        base, root = self._merged(right)
        terms: dict[tuple[int, Fraction], Fraction] = {}
        for (i, r), c in self.terms.items():
            for (j, s), d in right.terms.items():
                carry, rest = divmod(i + j, root)
                key = (rest, r + s)
                terms[key] = terms.get(key, Fraction(0)) + c * d * base**carry
        return ExactReal(terms, base, root)

    __rmul__ = __mul__

    @overload
    def __pow__(self, exponent: int) -> ExactReal: ...

    @overload
    def __pow__(self, exponent: Any) -> Any: ...

    def __pow__(self, exponent: Any) -> Any:
        if not isinstance(exponent, int) or exponent < 0:
            return RealNumber.__pow__(self, exponent)
        result = ExactReal.of(1)
        for _ in range(exponent):
            result = result * self
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (ExactReal, Fraction, int)):
            return RealNumber.__eq__(self, other)
        return not (self._compared(other) if self._mixes(ExactReal.of(other)) else (self - other).terms)

    def __hash__(self) -> int:  # type: ignore[override]
        exact = self.rational
        return hash(frozenset(r for _, r in self.terms)) if exact is None else hash(exact)  # bases may be written anew

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __float__(self) -> float:
        exact = self.rational
        return float(exact) if exact is not None else float(self._ball(128).mid())

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        text = ""
        for key in sorted(self.terms):
            piece = self._term_text(key, abs(self.terms[key]))
            negative = self.terms[key] < 0
            text += (" - " if negative else " + ") + piece if text else ("-" if negative else "") + piece
        return text

    def __repr__(self) -> str:
        return str(self) if self.rational is not None else f"{self} ~ {float(self):.9g}"

    def _term_text(self, key: tuple[int, Fraction], size: Fraction) -> str:
        i, r = key
        factors = []
        if i:
            base = str(self.base) if self.base.denominator == 1 else f"({self.base})"
            factors.append(f"{base}^({Fraction(i, self.root)})")
        if r:
            factors.append(f"exp({r})")
        if size != 1 or not factors:
            factors.insert(0, str(size))
        return "*".join(factors)

    def _latex(self, printer: Any, **options: Any) -> str:
        """Return the text of a number within an expression that SymPy writes in LaTeX."""
        from rropt.symbolic.symbols import printed_in_latex

        return printed_in_latex(self, printer, **options)

    def _sympy_(self) -> Any:
        """Return an exact real number as the sum of its terms ``c q^(i/b) e^r``."""
        from rropt.symbolic.symbols import real_expression

        return real_expression(self)

    def _repr_latex_(self) -> str:
        """Return a number in LaTeX, as notebooks show it."""
        from rropt.symbolic.symbols import number_latex

        return number_latex(self)


Scalar = Union[ExactReal, Fraction, int]  # noqa: UP007  # the runtime alias needs the class above


@total_ordering
class Quotient:
    """An exact quotient ``numerator / denominator`` of real numbers, denominator > 0; all comparisons are exact.

    Args:
        numerator, denominator: exact; the denominator is not 0 (a negative sign is moved to the numerator).

    Raises:
        ZeroDivisionError: the denominator is 0.

    >>> third = Quotient(1) / (Quotient(ExactReal.exponential(Fraction(1))) + 1)
    >>> third < Fraction(269, 1000), third + third == 2 * third
    (True, True)
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: ExactReal | Fraction | int, denominator: ExactReal | Fraction | int = 1) -> None:
        above, below = ExactReal.of(numerator), ExactReal.of(denominator)
        sign = below.sign()
        if not sign:
            raise ZeroDivisionError("quotient of exact reals: the denominator is 0")
        self.numerator, self.denominator = (above, below) if sign > 0 else (-above, -below)

    def __add__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        if self.denominator == right.denominator:  # sums over one denominator keep few terms
            return Quotient(self.numerator + right.numerator, self.denominator)
        crossed = self.numerator * right.denominator + right.numerator * self.denominator
        return Quotient(crossed, self.denominator * right.denominator)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Operand) -> Quotient:
        return self + -_quotient(other)

    def __rsub__(self, other: Operand) -> Quotient:
        return -self + other

    def __mul__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        return Quotient(self.numerator * right.numerator, self.denominator * right.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: Operand) -> Quotient:
        right = _quotient(other)
        return Quotient(self.numerator * right.denominator, self.denominator * right.numerator)

    def sign(self) -> int:
        """Return the exact sign: -1, 0 or 1."""
        return self.numerator.sign()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Quotient, ExactReal, Fraction, int)):
            return NotImplemented
        return not (self - other).numerator

    def __lt__(self, other: Operand) -> bool:
        return (self - other).sign() < 0

    __hash__ = None  # type: ignore[assignment]  # equal quotients have no common normal form to hash

    def __float__(self) -> float:
        return float(self.numerator) / float(self.denominator)

    def __repr__(self) -> str:
        return f"Quotient({self.numerator}, {self.denominator})"


Operand = Quotient | ExactReal | Fraction | int


def _quotient(value: Operand) -> Quotient:
    return value if isinstance(value, Quotient) else Quotient(value)
