"""Expression trees of a criterion, evaluated in any algebra: rational functions of p, constants, expansions on a cell.

An algebra has ``budget, of, add, multiply, negative, power, exp, log, least``; each operation rejects what is not
defined.
"""

from fractions import Fraction
from functools import reduce
from typing import Any

from ..documents import NAME, Rejected, fraction, items
from ..limits import MAX_DEGREE, MAX_TERMS

EXTREMA = ("minimum", "maximum")
_UNARY = ("negative", "sqrt", "exp", "log")
_EXPONENT_DIGITS = 20  # of the two parts of an exponent: MAX_DEGREE has 4


def evaluate(tree: Any, algebra: Any, prior: Any) -> Any:
    """Return the value of a tree; ``prior`` is that of p, ``None`` where no p may stand."""
    algebra.budget.spend(4)
    if isinstance(tree, str):
        if tree == "p" and prior is not None:
            return prior
        if NAME.fullmatch(tree):
            raise Rejected(f"a function has the unknown name {tree}")
        return algebra.of(algebra.budget.number(tree, "a number of a function"))
    operation, parts = operation_of(tree)
    if operation == "power":
        return algebra.power(evaluate(parts[0], algebra, prior), _exponent(parts[1]))
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


def operation_of(tree: Any) -> tuple[str, list[Any]]:
    """Return the operation of a node and its operands; of a power, the base and the text of the exponent."""
    if not isinstance(tree, dict) or len(tree) != 1:
        raise Rejected("a function has what is no expression")
    ((operation, arguments),) = tree.items()
    if operation in _UNARY:
        return operation, [arguments]
    if operation in ("power", "quotient"):
        return operation, items(arguments, "an expression", count=2)
    if operation not in ("sum", "product", *EXTREMA):
        raise Rejected(f"a function has the unknown operation {str(operation)[:40]!r}")
    if len(items(arguments, "an expression", most=MAX_TERMS)) < 2:
        raise Rejected(f"a function has a {operation} of fewer than two parts")
    return operation, arguments


def _exponent(text: Any) -> Fraction:
    value = fraction(text, "an exponent", _EXPONENT_DIGITS)
    if value < 0 or max(value.numerator, value.denominator) > MAX_DEGREE:
        raise Rejected(f"an exponent is negative, or has a part above {MAX_DEGREE}")
    return value
