"""The pieces of a function of the prior, with rational or algebraic ends (FORMAT.md, rule 12)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .cover_forms import Forms, first_nonzero
from .documents import Rejected, fields, fraction, items
from .limits import MAX_BRACKET_DIGITS, MAX_DEGREE
from .polynomials import Polynomial


@dataclass(frozen=True)
class End:
    """A rational number ``low = high``, or the only root of a polynomial in (low, high)."""

    low: Fraction
    high: Fraction
    root: tuple[str, ...] = ()

    @property
    def is_rational(self) -> bool:
        """Whether it is a rational number."""
        return not self.root


@dataclass(frozen=True)
class Piece:
    """Where a function is one expression."""

    start: End
    end: End
    owns_start: bool
    owns_end: bool
    tree: Any

    @property
    def is_point(self) -> bool:
        """Whether it is one point."""
        return self.start == self.end

    @property
    def is_end(self) -> bool:
        """Whether it is the point 0 or the point 1, which is no prior."""
        return self.is_point and self.start.low in (0, 1)


def pieces(function: Any, forms: Forms) -> list[Piece]:
    """Return the pieces of a function, which cover [0, 1] without overlap."""
    (listed,) = fields(function, ["pieces"], "a function")
    found: list[Piece] = []
    start, owns_start = End(Fraction(0), Fraction(0)), True
    for part in items(listed, "pieces"):
        to, closed, value = fields(part, ["to", "closed", "value"], "a piece")
        if not isinstance(closed, bool):
            raise Rejected("closed is not true or false")
        end = start if found and to == _written(start) else _end(to, forms)
        if end == start and not (owns_start and closed):
            raise Rejected("a piece is empty")
        if end != start and not start.high <= end.low:
            raise Rejected("the pieces do not ascend, or their ends are not told apart")
        found.append(Piece(start, end, owns_start, closed, value))
        start, owns_start = end, not closed
    if not found or start != End(Fraction(1), Fraction(1)) or owns_start:
        raise Rejected("the pieces do not end at 1, closed")
    return found


def _written(end: End) -> Any:
    if end.is_rational:
        return str(end.low)
    return {"root": list(end.root), "between": [str(end.low), str(end.high)]}


def _end(data: Any, forms: Forms) -> End:
    if isinstance(data, str):
        value = fraction(data, "the end of a piece", MAX_BRACKET_DIGITS)
        if not 0 <= value <= 1:
            raise Rejected("the end of a piece is not in [0, 1]")
        return End(value, value)
    coefficients, between = fields(data, ["root", "between"], "the end of a piece")
    texts = items(coefficients, "a polynomial", most=MAX_DEGREE)
    low, high = (fraction(text, "an end", MAX_BRACKET_DIGITS) for text in items(between, "between", count=2))
    if not 0 < low < high < 1:
        raise Rejected("the end of a piece is not in (0, 1)")
    one = (0,) * len(forms.ring.names)
    polynomial: Polynomial = {}
    for i, text in enumerate(texts):
        value = fraction(text, "a coefficient", MAX_BRACKET_DIGITS)
        if value:
            polynomial[(i, *one[1:])] = value
    signs = forms.bernstein_signs(polynomial, low, high)
    slopes = forms.bernstein_signs(forms.derivative(polynomial), low, high)
    if signs[0] * signs[-1] >= 0 or min(slopes) * max(slopes) <= 0 or not first_nonzero(slopes):
        raise Rejected("the polynomial has not exactly one root between the two numbers")
    return End(low, high, tuple(texts))
