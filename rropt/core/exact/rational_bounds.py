"""Brackets: rational lower and upper bounds of a number, and the simplest rational between two numbers.

Balls (Arb, through python-flint) are intervals, midpoint and radius, that contain the exact number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from rropt.core.exact.display import as_text, both_texts, decimal_outwards, decimal_text
from rropt.core.exact.real_numbers import RealNumber, plain_number

# Significant decimal digits of gamma - 1 and of delta in the first bracket, and their maximal number. The gap is about
# value * 10^-digits: 24 digits suffice for n Var up to 10^10; each retry doubles the number of digits.
FIRST_BRACKET_DIGITS = 24
_SHORT_BITS = 256  # of a fraction whose logarithm is computed in decimals
_LONGEST_END = 12  # characters of an end that is shown as it is
MAX_BRACKET_DIGITS = 1536  # with MAX_PARAMETER_DIGITS, the precision at which the checker stops (8192 bits)


class Bounded:
    """A result with rational bounds ``lower <= x <= upper`` of a number x, such as an optimum or an area."""

    __slots__ = ()

    lower: Fraction
    upper: Fraction

    @property
    def bracket(self) -> Bracket:
        """The bounds as a ``Bracket``."""
        return Bracket(self.lower, self.upper)

    @property
    def is_exact(self) -> bool:
        """Whether the bounds are equal, so that the number is known exactly."""
        return self.lower == self.upper

    @property
    def gap(self) -> Fraction:
        """``upper - lower``; 0 if the number is known exactly."""
        return self.upper - self.lower


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bracket(Bounded, RealNumber):
    """Rational bounds ``lower <= x <= upper`` of a number x. Subclasses add further facts about x.

    It unpacks to both bounds, and it is a number: a comparison is true only if it is certain, so that of ``b < 1`` and
    ``b >= 1`` both may be false; sums and products with integers, fractions and brackets have bounds again; ``float``
    and ``format`` take the middle. Two brackets are equal if their bounds are, and a bracket equals a number if the
    number is known exactly.

    Attributes:
        lower: a rational not above the number.
        upper: a rational not below it.

    >>> low, high = Bracket(Fraction(1, 3), Fraction(1, 2))
    >>> print(high - low, Bracket.of(Fraction(1, 3)).is_exact, Bracket.of(Fraction(1, 3)).to_json())
    1/6 True 1/3
    >>> x = Bracket(Fraction(1, 3), Fraction(1, 2))
    >>> x < 1, x < Fraction(2, 5), x >= Fraction(2, 5), 1 - x, f"{x:.3f}"
    (True, False, False, [1/2, 2/3] ~ 0.583333333, '0.417')
    """

    lower: Fraction
    upper: Fraction

    @classmethod
    def of(cls, value: Fraction) -> Bracket:
        """Return the bracket of a rational number, with equal bounds."""
        return Bracket(value, value)

    def __iter__(self) -> Iterator[Fraction]:
        return iter((self.lower, self.upper))

    @property
    def rational(self) -> Fraction | None:
        """The number itself if it is known exactly, else ``None``."""
        return self.lower if self.lower == self.upper else None

    @property
    def middle(self) -> Fraction:
        """The middle of both bounds."""
        return (self.lower + self.upper) / 2

    def compared(self, other: Any) -> Any:
        """Return the sign of ``self - other``; ``None`` if the bounds do not decide it."""
        ends = _ends(other)
        if ends is None:
            return NotImplemented
        if self.upper < ends[0] or self.lower > ends[1]:
            return -1 if self.upper < ends[0] else 1
        return 0 if self.lower == self.upper == ends[0] == ends[1] else None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Bracket):
            return (self.lower, self.upper) == (other.lower, other.upper)
        return RealNumber.__eq__(self, other)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.lower if self.lower == self.upper else (self.lower, self.upper))

    def __le__(self, other: Any) -> bool:
        ends = _ends(other)
        return NotImplemented if ends is None else bool(self.upper <= ends[0])

    def __ge__(self, other: Any) -> bool:
        ends = _ends(other)
        return NotImplemented if ends is None else bool(self.lower >= ends[1])

    def __add__(self, other: Any) -> Any:
        if (ends := _exact_ends(other)) is None:
            return RealNumber.__add__(self, other)
        return Bracket(self.lower + ends[0], self.upper + ends[1])

    def __sub__(self, other: Any) -> Any:
        if (ends := _exact_ends(other)) is None:
            return RealNumber.__sub__(self, other)
        return Bracket(self.lower - ends[1], self.upper - ends[0])

    def __rsub__(self, other: Any) -> Any:
        if (ends := _exact_ends(other)) is None:
            return RealNumber.__rsub__(self, other)
        return Bracket(ends[0] - self.upper, ends[1] - self.lower)

    def __mul__(self, other: Any) -> Any:
        if (ends := _exact_ends(other)) is None:
            return RealNumber.__mul__(self, other)
        products = [x * y for x in self for y in ends]
        return Bracket(min(products), max(products))

    def __truediv__(self, other: Any) -> Any:
        ends = _exact_ends(other)
        if ends is None or ends[0] <= 0 <= ends[1]:
            return RealNumber.__truediv__(self, other)
        return self * Bracket(1 / ends[1], 1 / ends[0])

    def __rtruediv__(self, other: Any) -> Any:
        ends = _exact_ends(other)
        return RealNumber.__rtruediv__(self, other) if ends is None else Bracket(*ends) / self

    def __neg__(self) -> Bracket:
        return Bracket(-self.upper, -self.lower)

    def __abs__(self) -> Bracket:
        ends = [abs(end) for end in self]
        return Bracket(min(ends) if self.lower >= 0 or self.upper <= 0 else Fraction(0), max(ends))

    def __float__(self) -> float:
        return float(self.middle)

    def __str__(self) -> str:
        if self.is_exact:
            return as_text(self.lower)
        texts = [as_text(end) for end in self]
        if max(map(len, texts)) > _LONGEST_END:
            texts = [decimal_outwards(end, up=is_upper) for end, is_upper in zip(self, (False, True), strict=True)]
        return f"[{', '.join(texts)}]"

    def __repr__(self) -> str:
        if self.is_exact:
            return both_texts(self.lower)
        return f"{self} ~ {decimal_text(self.middle, 9)}"

    @property
    def complement(self) -> Bracket:
        """The bracket of ``1 - x``."""
        return Bracket(1 - self.upper, 1 - self.lower)

    def rounded_outwards(self, digits: int = 25) -> Bracket:
        """Return the bracket whose endpoints are rounded outwards to multiples of ``10^-digits``."""
        scale = 10**digits
        below = self.lower.numerator * scale // self.lower.denominator
        above = -(-self.upper.numerator * scale // self.upper.denominator)
        return Bracket(Fraction(below, scale), Fraction(above, scale))

    def written(self, lower: str = "lower", upper: str = "upper") -> dict[str, str]:
        """Return both endpoints as strings under the given names, as in certificates."""
        return {lower: as_text(self.lower), upper: as_text(self.upper)}

    def to_json(self) -> str | dict[str, str]:
        """Return one string if the number is known exactly, otherwise ``{"lower": ..., "upper": ...}``."""
        return as_text(self.upper) if self.is_exact else self.written()

    def _latex(self, printer: Any, **options: Any) -> str:
        """Return lower and upper bounds in LaTeX, as decimals; a number that is known exactly by itself."""
        from rropt.symbolic.symbols import bounds_in_latex

        return bounds_in_latex(self, printer, **options)

    def _repr_latex_(self) -> str:
        """Return a number in LaTeX, as notebooks show it."""
        from rropt.symbolic.symbols import number_latex

        return number_latex(self)


def _ends(value: Any) -> tuple[Any, Any] | None:
    """Return what a bracket is compared with: the bounds of another, or a number twice; ``None`` if it is none."""
    if isinstance(value, Bracket):
        return value.lower, value.upper
    found = value if isinstance(value, RealNumber) else plain_number(value)
    return None if found is None else (found, found)


def _exact_ends(value: Any) -> tuple[Fraction, Fraction] | None:
    """Return the bounds of a bracket, or a rational number twice; ``None`` for a float and what is no number."""
    if isinstance(value, Bracket):
        return value.lower, value.upper
    found = None if isinstance(value, float) else plain_number(value)
    return (found, found) if isinstance(found, Fraction) else None


def simplest_between(
    low: Fraction, high: Fraction | None, *, low_open: bool = False, high_open: bool = False
) -> Fraction:
    """Return the fraction of smallest denominator between ``low >= 0`` and ``high`` (``None`` means infinity).

    The method uses continued fractions; each step takes reciprocals, which exchanges the endpoints. The interval must
    not be empty.

    Args:
        low, high: the endpoints.
        low_open, high_open: whether the endpoint is excluded.

    >>> print(simplest_between(Fraction(314, 100), Fraction(315, 100)))
    22/7
    >>> print(simplest_between(Fraction(0), Fraction(1, 2), low_open=True, high_open=True))
    1/3
    """
    wholes: list[int] = []
    while True:
        value = Fraction(math.floor(low) + 1 if low_open else math.ceil(low))
        if high is None or value < high or (value == high and not high_open):
            break
        whole = math.floor(low)
        low, high = 1 / (high - whole), None if low == whole else 1 / (low - whole)
        low_open, high_open = high_open, low_open
        wholes.append(whole)
    for whole in reversed(wholes):
        value = whole + 1 / value
    return value


def largest_below(x: Fraction, most: int, times: int = 1, below: int = 0) -> Fraction:
    """Return the largest fraction a/b <= x with ``below a + times b <= most`` (Stern-Brocot tree, with jumps).

    Between the last two fractions of the search, every other one exceeds ``most``: its a and b are at least their sums.

    Args:
        x: a number >= 0.
        most: a bound, at least ``times``.
        times, below: the coefficients; by default the bound is one of the denominator.

    >>> print(largest_below(Fraction(2718281828, 10**9), 100, below=1))
    19/7
    """
    n, e = x.as_integer_ratio()
    (a, b), (c, d) = (0, 1), (1, 0)  # a/b <= x < c/d
    while True:
        room = most - (below * a + times * b)
        cost = below * c + times * d
        up = (n * b - a * e) // (c * e - n * d)  # steps that keep a + up c <= x (b + up d)
        if cost:
            up = min(up, room // cost)
        a, b = a + up * c, b + up * d
        room, cost = most - (below * c + times * d), below * a + times * b
        down = room // cost
        if a * e < n * b:  # steps that keep c + down a > x (d + down b)
            down = min(down, -((n * d - c * e) // (n * b - a * e)) - 1)
        if a * e == n * b or (not up and down <= 0):
            return Fraction(a, b)
        c, d = c + max(down, 0) * a, d + max(down, 0) * b


def ball(value: Fraction) -> Any:
    """Return a ball that contains a rational, at the working precision."""
    from flint import arb, fmpq

    return arb(fmpq(value.numerator, value.denominator))


def bracket(value: Any) -> Bracket:
    """Return the rational endpoints of a finite ball."""
    return Bracket(to_fraction(value.lower()), to_fraction(value.upper()))


def normal_cdf(x: Any) -> Any:
    """Return a ball around the standard normal distribution function Phi at a ball."""
    from flint import arb

    return (-x / arb(2).sqrt()).erfc() / 2


def to_fraction(exact: Any) -> Fraction:
    """Convert an exact ``arb`` (a dyadic number) to a ``Fraction``."""
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def logarithm(value: Fraction, bits: int) -> Fraction:
    """Return the midpoint of a ball around ``log(value)``, computed with the given precision in bits."""
    from flint import ctx

    with ctx.workprec(bits):
        return to_fraction(ball(value).log().mid())


def short_logarithm(value: Fraction, bits: int) -> Fraction:
    """Return ``log(value)`` with a relative error of at most ``2^-bits``: a short fraction needs no FLINT."""
    size = value.numerator.bit_length() + value.denominator.bit_length()
    if size > _SHORT_BITS:
        return logarithm(value, bits)
    # value - 1 is 0 or above 2^-size, so the quotient has that many digits more
    with localcontext(prec=(bits + 2 * size) // 3 + 5):
        return Fraction((Decimal(value.numerator) / value.denominator).ln())


def sign_of(enclosure: Callable[[int], Any], precision: int = 64) -> int:
    """Return the sign, 1 or -1, of a number that is not 0, from balls of growing precision.

    Args:
        enclosure: gives a ball around the number; it is called at a working precision, in bits, that it receives.
        precision: the first one.
    """
    from flint import ctx

    while True:  # terminates: the number is not 0
        with ctx.workprec(precision):
            ball = enclosure(precision)
        if ball > 0 or ball < 0:
            return 1 if ball > 0 else -1
        precision *= 2


def decimal_bracket(enclosure: Callable[[int], Any], digits: int) -> Bracket:
    """Return a bracket of x whose endpoints are decimals at most three units of the last digit apart.

    Args:
        enclosure: a function from a precision in bits to a ball that contains x.
        digits: the number of digits after the decimal point.
    """
    from flint import ctx

    scale, precision = 10**digits, 4 * digits + 64
    while True:
        with ctx.workprec(precision):
            scaled = enclosure(precision) * scale
            if scaled.rad() < 1:
                low, high = scaled.lower().floor().unique_fmpz(), scaled.upper().ceil().unique_fmpz()
                return Bracket(Fraction(int(low), scale), Fraction(int(high), scale))
        precision *= 2
