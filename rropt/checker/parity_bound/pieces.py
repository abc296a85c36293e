"""Pieces of the functions of a criterion and their expressions, all as functions h of the prior p of the side up.

The side down is reflected: h(p) = 1 - h_l(1-p), and its pieces run from right to left. An irrational endpoint is known
only by two rationals around it. Hence a piece has an interval that surely contains it (``outer``), and it reports which
points belong to it.

An expression is a tree: a number, ``"p"``, or (operation, operands). The second operand of a power is its exponent. A
tree is read once and evaluated in any algebra (rational functions, constants, expansions). An algebra has the methods
``of, add, multiply, negative, power, exp, log, least``; each rejects operands for which it is not defined.
"""

from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

from ..documents import NAME, Rejected, WorkBudget, fields, items
from ..limits import MAX_BRACKET_DIGITS, MAX_DEGREE, MAX_TERMS
from ..polynomials import Polynomial
from .constants import Constants, bernstein_signs

EXTREMA = ("minimum", "maximum")
_UNARY = ("negative", "sqrt", "exp", "log")
_EXPONENT_DIGITS = 20  # of numerator and denominator of an exponent: MAX_DEGREE has 4


def read_tree(data: Any, budget: WorkBudget) -> Any:
    """Return the tree of an expression in a file."""
    budget.spend(4)
    if isinstance(data, str):
        if NAME.fullmatch(data) and data != "p":
            raise Rejected(f"a function has the unknown name {data}")
        return data if data == "p" else budget.number(data, "a number of a function")
    if not isinstance(data, dict) or len(data) != 1:
        raise Rejected("a function has what is no expression")
    ((operation, arguments),) = data.items()
    if operation == "power":
        base, exponent = items(arguments, "a power", count=2)
        value = budget.number(exponent, "an exponent", _EXPONENT_DIGITS)
        if value < 0 or max(value.numerator, value.denominator) > MAX_DEGREE:
            raise Rejected(f"an exponent is negative, or has a part above {MAX_DEGREE}")
        return operation, (read_tree(base, budget), value)
    if operation in _UNARY:
        parts = [arguments]
    elif operation in ("sum", "product", "quotient", *EXTREMA):
        parts = items(arguments, "an expression", count=2 if operation == "quotient" else None, most=MAX_TERMS)
    else:
        raise Rejected(f"a function has the unknown operation {str(operation)[:40]!r}")
    if operation not in _UNARY and len(parts) < 2:
        raise Rejected(f"a function has a {operation} of fewer than two parts")
    return operation, tuple(read_tree(part, budget) for part in parts)


def evaluate(tree: Any, algebra: Any, prior: Any) -> Any:
    """Return the value of a tree in an algebra; ``prior`` is the value of p, or ``None`` if p is not allowed."""
    algebra.budget.spend(4)
    if not isinstance(tree, tuple):
        if tree == "p" and prior is None:
            raise Rejected("a constant has the name p")
        return prior if tree == "p" else algebra.of(tree)
    operation, parts = tree
    if operation == "power":
        return algebra.power(evaluate(parts[0], algebra, prior), parts[1])
    values = [evaluate(part, algebra, prior) for part in parts]
    if operation == "quotient":
        return algebra.multiply(values[0], algebra.power(values[1], Fraction(-1)))
    if operation == "sqrt":
        return algebra.power(values[0], Fraction(1, 2))
    if operation in _UNARY:
        return getattr(algebra, operation)(values[0])
    if operation == "maximum":
        return algebra.negative(reduce(algebra.least, map(algebra.negative, values)))
    return reduce({"sum": algebra.add, "product": algebra.multiply, "minimum": algebra.least}[operation], values)


class Endpoint(NamedTuple):
    """An endpoint of a piece: a rational number, low = high, or the only root of a polynomial in (low, high)."""

    low: Fraction
    high: Fraction
    owned: bool  # whether the endpoint belongs to its piece


class Piece(NamedTuple):
    """An interval on which h is a single expression: of p, or 1 minus an expression of 1-p (``mirrored``)."""

    start: Endpoint
    end: Endpoint
    tree: Any
    mirrored: bool

    @property
    def outer(self) -> tuple[Fraction, Fraction]:
        """A closed interval that contains the piece."""
        return self.start.low, self.end.high

    def may_hold(self, p: Fraction) -> bool:
        """Return whether a prior of the outer interval may belong to the piece."""
        (a, b, owns_start), (c, d, owns_end) = self.start, self.end
        return 0 < p < 1 and (p > a or (a == b and owns_start)) and (p < d or (c == d and owns_end))

    def owns(self, low: Fraction, high: Fraction) -> bool:
        """Return whether a point (low = high), or the irrational endpoint in an interval, belongs to the piece.

        Reject a point that is neither in the piece nor an endpoint of it: h is continuous up to its endpoints.
        """
        if low == high and self.start.high <= low <= self.end.low:
            return self.may_hold(low)
        for end in (self.start, self.end):
            if low <= end.low < end.high <= high:
                return end.owned
        raise Rejected("the point is not in its piece, or its interval holds no irrational end of it")

    def is_closed_on(self, low: Fraction, high: Fraction) -> bool:
        """Return whether the part of the piece in a cell is surely a compact subset of (0, 1)."""
        from_start = low < self.start.high or low == self.start.low
        to_end = high > self.end.low or high == self.end.high
        return low > 0 and high < 1 and (self.start.owned or not from_start) and (self.end.owned or not to_end)


def read_pieces(function: Any, constants: Constants, *, mirrored: bool) -> list[Piece]:
    """Return the pieces of a function, which cover [0, 1] without overlap; pieces that contain no prior in (0, 1) are
    omitted.
    """
    (listed,) = fields(function, ["pieces"], "a function")
    found: list[Piece] = []
    written: Any = "0"
    start = Endpoint(Fraction(0), Fraction(0), owned=True)
    for part in items(listed, "pieces"):
        to, closed, value = fields(part, ["to", "closed", "value"], "a piece")
        if not isinstance(closed, bool):
            raise Rejected("closed is not true or false")
        low, high = start[:2] if to == written else _end(to, constants)
        if to == written and not (start.owned and closed):
            raise Rejected("a piece is empty")
        if to != written and (low < start.high or (low == start.low and high == start.high)):
            raise Rejected("the pieces do not ascend, or their ends are not told apart")
        found.append(Piece(start, Endpoint(low, high, closed), read_tree(value, constants.budget), mirrored))
        written, start = to, Endpoint(low, high, not closed)
    if not found or start != Endpoint(Fraction(1), Fraction(1), owned=False):
        raise Rejected("the pieces do not end at 1, closed")
    if mirrored:
        found = [Piece(_turned(piece.end), _turned(piece.start), piece.tree, True) for piece in reversed(found)]
    return [piece for piece in found if piece.start.low < 1 and piece.end.high > 0]


def _turned(end: Endpoint) -> Endpoint:
    return Endpoint(1 - end.high, 1 - end.low, end.owned)


def _end(data: Any, constants: Constants) -> tuple[Fraction, Fraction]:
    if isinstance(data, str):
        value = constants.budget.number(data, "the end of a piece", MAX_BRACKET_DIGITS)
        if not 0 <= value <= 1:
            raise Rejected("the end of a piece is not in [0, 1]")
        return value, value
    coefficients, between = fields(data, ["root", "between"], "the end of a piece")
    ends = items(between, "between", count=2)
    low, high = (constants.budget.number(text, "an end", MAX_BRACKET_DIGITS) for text in ends)
    if not 0 < low < high < 1:
        raise Rejected("the end of a piece is not in (0, 1)")
    polynomial: Polynomial = {}
    for i, text in enumerate(items(coefficients, "a polynomial", most=MAX_DEGREE)):
        for (_, *names), value in constants.of(constants.budget.number(text, "a coefficient"))[0].items():
            polynomial[(i, *names)] = value
    signs = bernstein_signs(constants, polynomial, low, high)
    changes = sum(a != b for a, b in pairwise([sign for sign in signs if sign]))
    # Descartes' rule of signs: the number of roots inside equals the number of changes, or is smaller by an even number
    if changes != 1:
        raise Rejected("the polynomial is not shown to have exactly one root between the two numbers")
    return low, high
