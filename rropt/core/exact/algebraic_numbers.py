"""Real algebraic numbers: a root of an irreducible polynomial over Z, identified by its position among the real roots.

Two numbers are equal iff their polynomials and positions are equal. Otherwise enclosures at increasing precision decide
which is larger; this terminates. The sign of a rational polynomial g at alpha is 0 iff the minimal polynomial divides
g; otherwise ball arithmetic at increasing precision decides it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, total_ordering
from math import isqrt
from typing import Any

from flint import ctx, fmpq_mat, fmpq_poly, fmpz_poly

from rropt.core.exact import rational_bounds
from rropt.core.exact.display import as_text
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.exact.rational_bounds import Bracket, decimal_bracket, sign_of, to_fraction

_FIRST_PRECISION = 64  # first precision of balls in bits; it is doubled until they decide


@total_ordering
class Algebraic:
    """A real algebraic number.

    Args:
        minimal: irreducible primitive polynomial over Z (``fmpz_poly``), positive leading coefficient.
        place: the position, from 0, among the real roots of ``minimal`` in ascending order.
    """

    __slots__ = ("minimal", "place")

    def __init__(self, minimal: Any, place: int = 0) -> None:
        self.minimal, self.place = minimal, place

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, ([int(c) for c in self.minimal.coeffs()], self.place)

    @classmethod
    def of(cls, value: Fraction | int) -> Algebraic:
        """Convert a rational number to an ``Algebraic``."""
        exact = Fraction(value)
        return cls(fmpz_poly([-exact.numerator, exact.denominator]))

    @property
    def rational(self) -> Fraction | None:
        """The number itself when it is rational, else ``None``."""
        if self.minimal.degree() != 1:
            return None
        return Fraction(-int(self.minimal[0]), int(self.minimal[1]))

    @property
    def complement(self) -> Algebraic:
        """``1 - x`` for the number x."""
        return quotient_at(fmpq_poly([1, -1]), fmpq_poly([1]), self)

    def ball(self, precision: int) -> Any:
        """Return a ball (``arb``) that contains the number, with a precision of about ``precision`` bits."""
        exact = self.rational
        if exact is not None:
            with ctx.workprec(precision):
                return rational_bounds.ball(exact)
        return _real_root_balls(self.minimal, precision)[self.place]

    def bracket(self, digits: int) -> Bracket:
        """Return a bracket with ``digits`` decimals after the point; exact if the number is rational."""
        exact = self.rational
        if exact is not None:
            return Bracket.of(exact)
        return decimal_bracket(self.ball, digits)

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational within the given number of decimals of the number, and whether it is exact."""
        return self.bracket(digits).lower, self.rational is not None

    def _key(self) -> tuple[str, int]:
        return str(self.minimal), self.place

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Algebraic) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, other: Algebraic) -> bool:
        mine, yours = self.rational, other.rational
        if mine is not None and yours is not None:
            return mine < yours
        if self == other:
            return False
        return sign_of(lambda precision: self.ball(precision) - other.ball(precision)) < 0  # they differ

    def __float__(self) -> float:
        exact = self.rational
        return float(exact) if exact is not None else float(self.ball(_FIRST_PRECISION).mid())

    def __str__(self) -> str:
        exact = self.rational
        if exact is not None:
            return as_text(exact)
        if self.minimal.degree() == 2:
            return _quadratic_text(self)
        low, high = self.bracket(6)
        polynomial = str(self.minimal).replace("+ (-", "- (").replace("(", "").replace(")", "")
        return f"root of {polynomial} between {low} and {high}"

    def __repr__(self) -> str:
        return f"Algebraic({self})"


@lru_cache(maxsize=4096)
def _real_root_balls_of(coefficients: tuple[int, ...], precision: int) -> tuple[Any, ...]:
    with ctx.workprec(precision):
        found = [
            root.real if hasattr(root, "imag") else root
            for root, _ in fmpz_poly(list(coefficients)).complex_roots()
            if not hasattr(root, "imag") or root.imag.is_zero()  # FLINT gives real roots an imaginary part exactly 0
        ]
    return tuple(sorted(found, key=lambda ball: to_fraction(ball.mid())))


def _restored(coefficients: list[int], place: int) -> Algebraic:
    return Algebraic(fmpz_poly(coefficients), place)


def _real_root_balls(polynomial: Any, precision: int) -> tuple[Any, ...]:
    return _real_root_balls_of(tuple(int(c) for c in polynomial.coeffs()), precision)


def polynomial_roots(polynomial: Any, low: Algebraic, high: Algebraic) -> list[Algebraic]:
    """Return the distinct real roots of a non-zero ``fmpq_poly`` in the open interval (low, high), ascending."""
    found = []
    for factor, _ in polynomial.numer().factor()[1]:
        minimal = factor if factor.leading_coefficient() > 0 else -factor
        if minimal.degree() < 1:
            continue
        count = 1 if minimal.degree() == 1 else len(_real_root_balls(minimal, _FIRST_PRECISION))
        found += [root for place in range(count) if low < (root := Algebraic(minimal, place)) < high]
    return sorted(found)


def polynomial_ball(polynomial: Any, at: Any) -> Any:
    """Return the value of an ``fmpq_poly`` at a ball, by Horner's rule."""
    *rest, leading = polynomial.coeffs() or (0,)
    total = type(at)(leading)
    for c in reversed(rest):
        total = total * at + c if c else total * at
    return total


def polynomial_sign(polynomial: Any, at: Algebraic) -> int:
    """Return the sign of an ``fmpq_poly`` at an algebraic number, exactly."""
    exact = at.rational
    if exact is not None:
        value = polynomial(as_flint(exact))
        return int(value > 0) - int(value < 0)
    if (polynomial % fmpq_poly(at.minimal)) == 0:
        return 0
    return sign_of(lambda precision: polynomial_ball(polynomial, at.ball(precision)))


def quotient_at(above: Any, below: Any, at: Algebraic) -> Algebraic:
    """Return ``above(alpha) / below(alpha)``, exactly; ``below(alpha)`` is not 0.

    In the field Q[x]/(m), where m is the minimal polynomial of alpha, the quotient is represented by an element v. The
    characteristic polynomial of the multiplication by v is a power of the minimal polynomial of v. Ball arithmetic then
    determines which root of the minimal polynomial the quotient is.
    """
    exact = at.rational
    if exact is not None:
        x = as_flint(exact)
        return Algebraic.of(as_fraction(above(x) / below(x)))
    modulus = fmpq_poly(at.minimal)
    divisor, inverse, _ = (below % modulus).xgcd(modulus)
    element = (above % modulus) * inverse / divisor % modulus
    degree = modulus.degree()
    rows, power = [], element
    for _ in range(degree):
        rows.append([power[j] for j in range(degree)])
        power = power * fmpq_poly([0, 1]) % modulus
    minimal = fmpq_mat(rows).charpoly().numer().factor()[1][0][0]
    minimal = minimal if minimal.leading_coefficient() > 0 else -minimal
    if minimal.degree() == 1:
        return Algebraic(minimal)
    precision = _FIRST_PRECISION
    while True:  # terminates: the roots of an irreducible polynomial are distinct
        with ctx.workprec(precision):
            value = polynomial_ball(element, at.ball(precision))
        near = [i for i, root in enumerate(_real_root_balls(minimal, precision)) if root.overlaps(value)]
        if len(near) == 1:
            return Algebraic(minimal, near[0])
        precision *= 2


def simplest_between(low: Algebraic, high: Algebraic) -> Fraction:
    """Return the rational of smallest denominator strictly between two algebraic numbers ``0 <= low < high``."""
    digits = 6
    while True:
        a, b = low.bracket(digits).upper, high.bracket(digits).lower
        if a < b:
            return rational_bounds.simplest_between(a, b, low_open=True, high_open=True)
        digits *= 2


def _quadratic_text(number: Algebraic) -> str:
    """Return the text ``u + v*sqrt(r)``, where r has no square factor found by trial division below 1000."""
    c, b, a = (int(number.minimal[i]) for i in range(3))
    inside, outside = b * b - 4 * a * c, 1
    for factor in range(2, min(isqrt(inside) + 1, 1000)):
        while inside % factor**2 == 0:
            inside, outside = inside // factor**2, outside * factor
    rational, times = Fraction(-b, 2 * a), Fraction(outside, 2 * a)
    sign = "-" if number.place == 0 else "+"
    root = f"sqrt({inside})" if times == 1 else f"{times}*sqrt({inside})"
    if rational:
        return f"{rational} {sign} {root}"
    return root if sign == "+" else f"-{root}"
