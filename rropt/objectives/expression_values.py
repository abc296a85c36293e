"""Expressions of rational functions as text: their names, and their values at numbers of any kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from operator import add, mul, sub, truediv
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.mechanisms.columns import listed

_OWN = re.compile("[rp][1-9][0-9]{0,3}")
_NAME = re.compile("[A-Za-z][A-Za-z0-9_]{0,30}")
_LONGEST = 4000  # characters of an expression
_MOST = 64  # the largest exponent
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: add,
    ast.Sub: sub,
    ast.Mult: mul,
    ast.Div: truediv,
}
_ALLOWED = "allowed are names, exact numbers, + - * /, ** with a whole exponent, and parentheses"


def exact_form(name: str, line: object) -> tuple[Fraction, ...]:
    """Return the coefficients of a linear function of the row.

    Raises:
        InvalidParameterError: the name is that of an entry, or no name; or the coefficients are no exact numbers.
    """
    if not _NAME.fullmatch(name) or _OWN.fullmatch(name):
        raise InvalidParameterError(
            f"a form has a name that is not allowed: received {shown(name)}; use a letter, then letters and digits, "
            "but not r1 or p1, which are entries and proportions"
        )
    given = listed(line)
    if not given:
        raise InvalidParameterError(f"the form {name} is no list: received {shown(line)}; give k exact numbers")
    return tuple(rational(x, name=f"coefficient {j} of the form {name}") for j, x in enumerate(given))


def names_of(text: str, forms: Mapping[str, object]) -> list[str]:
    """Return the names of an expression.

    Raises:
        InvalidParameterError: it is no expression of the four operations, or it has an unknown name.
    """
    found = [node.id for node in _nodes(_parsed(text)) if isinstance(node, ast.Name)]
    for name in found:
        if name not in forms and not _OWN.fullmatch(name):
            raise InvalidParameterError(
                f"the expression has an unknown name: received {shown(name)}; use r1, r2, ... for the entries of a "
                "row, p1, p2, ... for the proportions, or the names of forms"
            )
    return list(dict.fromkeys(found))


def value_of(text: str, values: Mapping[str, Any]) -> Any:
    """Return the value of an expression at the values of its names."""
    return _value(_parsed(text), values)


@lru_cache(maxsize=64)
def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise InvalidParameterError(f"the expression is too long: received {len(text)} characters; allowed {_LONGEST}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        for node in _nodes(tree):
            _require_allowed(node, text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, InvalidParameterError):
            raise
        raise InvalidParameterError(f"not an expression: received {shown(text)}; {_ALLOWED}") from error
    return tree


def _nodes(tree: ast.expr) -> Iterator[ast.expr]:
    yield tree
    if isinstance(tree, ast.BinOp):
        yield from _nodes(tree.left)
        yield from _nodes(tree.right)
    elif isinstance(tree, ast.UnaryOp):
        yield from _nodes(tree.operand)


def _require_allowed(node: ast.expr, text: str) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
        is_allowed = isinstance(exponent, ast.Constant) and type(exponent.value) is int and exponent.value <= _MOST
    elif isinstance(node, ast.BinOp):
        is_allowed = type(node.op) in _OPERATIONS
    elif isinstance(node, ast.UnaryOp):
        is_allowed = isinstance(node.op, (ast.USub, ast.UAdd))
    else:
        is_allowed = isinstance(node, ast.Name) or (
            isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value == node.value
        )
    if not is_allowed:
        part = ast.unparse(node)
        raise InvalidParameterError(f"a part of the expression is not allowed: received {shown(part)}; {_ALLOWED}")


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.BinOp):
        left = _value(node.left, values)
        if isinstance(node.op, ast.Pow):
            return left ** int(ast.literal_eval(node.right))
        return _OPERATIONS[type(node.op)](left, _value(node.right, values))
    if isinstance(node, ast.UnaryOp):
        own = _value(node.operand, values)
        return -own if isinstance(node.op, ast.USub) else own
    return rational(ast.literal_eval(node))
