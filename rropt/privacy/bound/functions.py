"""Functions of the prior p on cells of (0, 1): rational, or composed of rational functions.

The module computes their signs, and their values in ball arithmetic at points and on small balls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Union

from flint import fmpq, fmpq_poly

from rropt.core.errors import InvalidParameterError
from rropt.core.exact.algebraic_numbers import (
    Algebraic,
    polynomial_ball,
    polynomial_roots,
    polynomial_sign,
    quotient_at,
    simplest_between,
)
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.core.exact.rational_bounds import ball

MAX_PIECE_DEGREE = 96  # of a rational piece: root isolation takes seconds at this degree


@dataclass(frozen=True, eq=False, slots=True)
class Rational:
    """A rational function ``above / below`` over Q in lowest terms (``fmpq_poly``, ``below`` monic)."""

    above: Any
    below: Any

    @classmethod
    def reduced(cls, above: Any, below: Any) -> Rational:
        """Build the quotient in lowest terms."""
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
        """Build a constant function."""
        return cls(fmpq_poly([as_flint(value)]), fmpq_poly([1]))

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
        """Return a power with an integer exponent; if it is negative, the base must not be the zero function."""
        size = abs(exponent)
        if size * max(self.above.degree(), self.below.degree(), 0) > MAX_PIECE_DEGREE or size > MAX_PIECE_DEGREE:
            raise InvalidParameterError(
                f"an exponent is too large: received {exponent}; a piece may have degree {MAX_PIECE_DEGREE} at most"
            )
        pair = self.above**size, self.below**size
        return Rational.reduced(*(pair if exponent >= 0 else pair[::-1]))

    def sign(self, at: Algebraic) -> int:
        """Return the sign at a point that is not a pole."""
        return polynomial_sign(self.above, at) * polynomial_sign(self.below, at)

    def value(self, at: Algebraic) -> Algebraic:
        """Return the value at a point that is not a pole."""
        return quotient_at(self.above, self.below, at)


@dataclass(frozen=True, slots=True)
class Composite:
    """An expression that is not a rational function: ``+ - * / ^``, ``sqrt exp log`` or ``min max`` of its parts."""

    name: str
    parts: tuple[Leaf, ...]


Leaf = Union[Rational, Composite]  # noqa: UP007  # the alias is used above its definition


PRIOR, ZERO, ONE = (Rational(fmpq_poly(line), fmpq_poly([1])) for line in ([0, 1], [0], [1]))


def _restored(*parts: list[tuple[int, int]]) -> Rational:
    return Rational(*(fmpq_poly([fmpq(*c) for c in part]) for part in parts))


def constant_value(leaf: Leaf) -> Fraction | None:
    """Return the value of a function that is a rational constant, else ``None``."""
    if not isinstance(leaf, Rational) or leaf.above.degree() > 0 or leaf.below.degree() > 0:
        return None
    return as_fraction(leaf.above[0])


def parts_of(leaf: Leaf) -> Iterator[Leaf]:
    """Iterate over a function and all its parts, recursively."""
    yield leaf
    if isinstance(leaf, Composite):
        for part in leaf.parts:
            yield from parts_of(part)


def reflected_in_prior(leaf: Leaf) -> Leaf:
    """Return the function with 1-p substituted for p."""
    if isinstance(leaf, Rational):
        other = fmpq_poly([1, -1])
        return Rational.reduced(leaf.above(other), leaf.below(other))
    return Composite(leaf.name, tuple(reflected_in_prior(part) for part in leaf.parts))


@dataclass(frozen=True, slots=True)
class Cell:
    """The open interval (low, high), or the point ``low == high``; flags state which endpoints belong to it."""

    low: Algebraic
    high: Algebraic
    has_low: bool = False
    has_high: bool = False

    @property
    def is_point(self) -> bool:
        """Whether the cell is a single point."""
        return self.low == self.high

    def sample(self) -> Algebraic:
        """Return a point of the cell; for an interval, the rational number with the smallest denominator."""
        return self.low if self.is_point else Algebraic.of(simplest_between(self.low, self.high))


def zeros(function: Rational, cell: Cell) -> list[Algebraic]:
    """Return the zeros of a function in a cell; for the zero function, one point of the cell."""
    if cell.is_point:
        return [cell.low] if function.above == 0 or polynomial_sign(function.above, cell.low) == 0 else []
    return [cell.sample()] if function.above == 0 else polynomial_roots(function.above, cell.low, cell.high)


def sign_cells(function: Rational, cell: Cell) -> Iterator[tuple[Cell, int]]:
    """Split a cell at the zeros of a function without poles in it, and yield each part with its sign."""
    if cell.is_point or function.above == 0:
        yield cell, 0 if function.above == 0 else function.sign(cell.low)
        return
    low = cell.low
    for root in polynomial_roots(function.above, cell.low, cell.high):
        between = Cell(low, root)
        yield between, function.sign(between.sample())
        yield Cell(root, root), 0
        low = root
    last = Cell(low, cell.high)
    yield last, function.sign(last.sample())


PRECISION = 256  # bits: at a distance 2^-120 from 0 or 1 the odds ratio still has 30 digits


def ball_of(x: Fraction | Algebraic) -> Any:
    """Return a ball around a number at the working precision."""
    return ball(x) if isinstance(x, Fraction) else x.ball(PRECISION)


def value_ball(leaf: Leaf, p: Any, **analytic: bool) -> Any:
    """Return a ball that contains the values at all priors in a ball; not finite if the function may be undefined.

    For an integral the ball is complex, and ``analytic`` is passed on to FLINT: the result is NaN where the function
    must be analytic and may not be.
    """
    if isinstance(leaf, Rational):
        above = polynomial_ball(leaf.above, p)
        return above if leaf.below == 1 else above / polynomial_ball(leaf.below, p)
    a, *rest = (value_ball(part, p, **analytic) for part in leaf.parts)
    if leaf.name == "exp":
        return a.exp()
    if leaf.name in ("sqrt", "log"):
        return getattr(a, leaf.name)(**analytic)
    (b,) = rest
    if leaf.name in ("min", "max"):
        return getattr(a, f"{'real_' * bool(analytic)}{leaf.name}")(b, **analytic)
    if leaf.name == "^" and analytic:
        return (b * a.log(**analytic)).exp()
    if leaf.name == "^":
        exponent = constant_value(leaf.parts[1])
        whole = exponent is not None and exponent.denominator == 1
        return a ** (int(exponent) if whole and exponent is not None else b)
    return a + b if leaf.name == "+" else a - b if leaf.name == "-" else a * b if leaf.name == "*" else a / b


def odds_ball(h: Any, p: Any) -> Any:
    """Return a ball around ``F = (1-p) h / (p (1-h))``; infinite if h may be 1."""
    return (1 - p) * h / (p * (1 - h))
