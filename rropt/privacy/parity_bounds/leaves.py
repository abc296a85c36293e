"""What a function of p is on one cell: a rational function, or an expression of such functions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from flint import fmpq, fmpq_poly

from rropt.errors import InvalidParameterError
from rropt.privacy.parity_bounds.algebraic_numbers import Algebraic, polynomial_sign, quotient_at
from rropt.tolerances import MAX_PIECE_DEGREE

__all__ = ["Composite", "Leaf", "Rational", "constant_value"]


@dataclass(frozen=True, eq=False, slots=True)
class Rational:
    """A rational function ``above / below`` over Q in lowest terms (``fmpq_poly``, ``below`` monic)."""

    above: Any
    below: Any

    @classmethod
    def reduced(cls, above: Any, below: Any) -> Rational:
        """Return the quotient in lowest terms."""
        common = above.gcd(below)
        above, below = above // common, below // common
        lead = below[below.degree()]
        degree = max(above.degree(), below.degree())
        if degree > MAX_PIECE_DEGREE:
            raise InvalidParameterError(
                f"the expression has too high a degree: a piece of it has degree {degree}; "
                f"at most {MAX_PIECE_DEGREE} is allowed"
            )
        return cls(above / lead, below / lead)

    @classmethod
    def constant(cls, value: Fraction) -> Rational:
        """Return a constant function."""
        return cls(fmpq_poly([fmpq(value.numerator, value.denominator)]), fmpq_poly([1]))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rational) and self.above == other.above and self.below == other.below

    def __hash__(self) -> int:
        return hash((str(self.above), str(self.below)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, tuple([(int(c.p), int(c.q)) for c in part.coeffs()] for part in (self.above, self.below))

    def combined(self, sign: str, other: Rational) -> Rational:
        """Return the sum, difference, product or quotient."""
        a, b, c, d = self.above, self.below, other.above, other.below
        if sign in "+-":
            return Rational.reduced(a * d + b * c if sign == "+" else a * d - b * c, b * d)
        return Rational.reduced(a * c, b * d) if sign == "*" else Rational.reduced(a * d, b * c)

    def power(self, exponent: int) -> Rational:
        """Return a power with an integer exponent; the base is not 0 when it is negative."""
        size = abs(exponent)
        if size * max(self.above.degree(), self.below.degree(), 0) > MAX_PIECE_DEGREE or size > MAX_PIECE_DEGREE:
            raise InvalidParameterError(
                f"an exponent is too large: received {exponent}; a piece may have degree {MAX_PIECE_DEGREE} at most"
            )
        pair = self.above**size, self.below**size
        return Rational.reduced(*(pair if exponent >= 0 else pair[::-1]))

    def sign(self, at: Algebraic) -> int:
        """Return the sign at a point that is no pole."""
        return polynomial_sign(self.above, at) * polynomial_sign(self.below, at)

    def value(self, at: Algebraic) -> Algebraic:
        """Return the value at a point that is no pole."""
        return quotient_at(self.above, self.below, at)


@dataclass(frozen=True, slots=True)
class Composite:
    """An expression that is no rational function: ``+ - * / ^``, ``sqrt exp log`` or ``min max`` of its parts."""

    name: str
    parts: tuple[Leaf, ...]


Leaf = Union[Rational, Composite]  # noqa: UP007  # the alias is used above its definition


def _restored(*parts: list[tuple[int, int]]) -> Rational:
    return Rational(*(fmpq_poly([fmpq(*c) for c in part]) for part in parts))


def constant_value(leaf: Leaf) -> Fraction | None:
    """Return the number that a function is, when it is a rational constant."""
    if not isinstance(leaf, Rational) or leaf.above.degree() > 0 or leaf.below.degree() > 0:
        return None
    value = leaf.above[0]
    return Fraction(int(value.p), int(value.q))
