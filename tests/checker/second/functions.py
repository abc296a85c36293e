"""Rule 12: the functions of a criterion, their expressions and pieces."""

from fractions import Fraction
from itertools import pairwise

from .constants import NONE, bernstein
from .reading import array, keys, number, numbers, want

EXTREMA = ("minimum", "maximum")
DEGREE = 1024


def expression(value, names):
    """Return a tree: a number, "p", or (operation, operands); the second operand of a power is a number."""
    if isinstance(value, str):
        return value if value in names else number(value)
    want(isinstance(value, dict) and len(value) == 1, "an expression")
    ((operation, operands),) = value.items()
    if operation in ("negative", "sqrt", "exp", "log"):
        return operation, (expression(operands, names),)
    if operation == "power":
        base, exponent = array(operands, 2)
        r = number(exponent)
        want(r >= 0 and max(r.numerator, r.denominator) <= DEGREE, "an exponent")
        return operation, (expression(base, names), r)
    want(operation in ("sum", "product", "quotient", *EXTREMA), "an operation")
    parts = array(operands, 2 if operation == "quotient" else None)
    want(len(parts) >= 2, "two operands at least")
    return operation, tuple(expression(part, names) for part in parts)


def evaluate(tree, algebra, prior):
    if not isinstance(tree, tuple):
        return prior if tree == "p" else algebra.of(tree)
    operation, parts = tree
    if operation == "power":
        return algebra.power(evaluate(parts[0], algebra, prior), parts[1])
    first, *others = [evaluate(part, algebra, prior) for part in parts]
    if operation in ("negative", "exp", "log", "sqrt"):
        if operation == "sqrt":
            return algebra.power(first, Fraction(1, 2))
        return -first if operation == "negative" else getattr(algebra, operation)(first)
    for other in others:
        if operation == "sum":
            first = first + other
        elif operation == "product":
            first = first * other
        elif operation == "quotient":
            first = algebra.quotient(first, other)
        elif operation == "minimum":
            first = algebra.least(first, other)
        else:
            first = -algebra.least(-first, -other)
    return first


class Piece:
    """Where h is one expression (mirrored: 1 less one of 1-p). Ends are (low, high), low < high around a root."""

    def __init__(self, start, owns_start, end, owns_end, tree, mirrored):
        self.start, self.owns_start, self.end, self.owns_end = start, owns_start, end, owns_end
        self.tree, self.mirrored = tree, mirrored

    def turned(self):
        (a, b), (c, d) = self.start, self.end
        return Piece((1 - d, 1 - c), self.owns_end, (1 - b, 1 - a), self.owns_start, self.tree, True)

    def may_hold(self, p):
        (a, b), (c, d) = self.start, self.end
        inside = 0 < p < 1 and a <= p <= d
        return inside and (p > a or (a == b and self.owns_start)) and (p < d or (c == d and self.owns_end))


def end_of(value):
    if isinstance(value, str):
        p = number(value)
        want(0 <= p <= 1, "an end")
        return p, p
    root, between = keys(value, ["root", "between"])
    (low, high), coefficients = numbers(between, 2), numbers(root)
    want(0 < low < high < 1, "between")
    polynomial = {(i, *NONE[1:]): x for i, x in enumerate(coefficients) if x}
    signs = [sum(each.values()) > 0 for each in bernstein(polynomial, low, high) if each]
    want(sum(a != b for a, b in pairwise(signs)) == 1, "one root")
    return low, high


def pieces_of(function, mirrored):
    (listed,) = keys(function, ["pieces"])
    found, start, written, owned = [], (Fraction(0), Fraction(0)), "0", True
    for each in array(listed):
        to, closed, value = keys(each, ["to", "closed", "value"])
        want(isinstance(closed, bool), "closed")
        end = end_of(to)
        if to == written:
            want(owned and closed, "an empty piece")
        else:
            want(start[1] <= end[0] and start != end, "ends ascend")
        found.append(Piece(start, owned, end, closed, expression(value, ("p",)), False))
        start, written, owned = end, to, not closed
    want(found and written == "1" and not owned, "the last end")
    if mirrored:
        found = [piece.turned() for piece in reversed(found)]
    return [piece for piece in found if piece.end[1] > 0 and piece.start[0] < 1]
