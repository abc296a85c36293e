"""Expression trees of a criterion: read once, evaluated in any algebra (rational functions, constants, expansions).

A tree is a number, ``"p"``, or (operation, operands); the second operand of a power is its exponent. An algebra has
``of, add, multiply, negative, power, exp, log, least``; each operation rejects what is not defined.
"""

from fractions import Fraction
from functools import reduce
from typing import Any

from ..budget import Budget
from ..documents import NAME, Rejected, items
from ..limits import MAX_DEGREE, MAX_TERMS

EXTREMA = ("minimum", "maximum")
_UNARY = ("negative", "sqrt", "exp", "log")
_EXPONENT_DIGITS = 20  # of the two parts of an exponent: MAX_DEGREE has 4


def read_tree(data: Any, budget: Budget) -> Any:
    """Return the tree of an expression of a file."""
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
    """Return the value of a tree; ``prior`` is that of p, ``None`` where no p may stand."""
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
