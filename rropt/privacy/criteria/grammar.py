"""The grammar of functions of the prior p: its own words and signs, in the syntax of Python.

```text
EXPR      = TERM (("+" | "-") TERM)*
TERM      = FACTOR (("*" | "/") FACTOR)*
FACTOR    = ("+" | "-") FACTOR | ATOM ["^" FACTOR]            (a ^ b ^ c is a ^ (b ^ c); -a ^ b is -(a ^ b))
ATOM      = NUMBER | p | "(" EXPR ")" | (sqrt | exp | log) "(" EXPR ")" | (min | max) "(" EXPR ("," EXPR)+ ")"
          | piecewise "(" (EXPR "," CONDITION ",")* ... [EXPR] ")"      (value, condition, value, condition, otherwise)
CONDITION = CHAIN ("and" CHAIN)*          CHAIN = EXPR (CMP EXPR)+          CMP = < | <= | > | >=
```

A text is cut into words, each number is replaced by a name, and Python's parser gives the tree. Nothing is evaluated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NoReturn

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.privacy.criteria.expressions import (
    PRIOR,
    Call,
    Expression,
    Extremum,
    Inequality,
    Number,
    Operation,
    Piecewise,
    Power,
)

# Limits of the input, against texts that would take too long: a criterion in practice has a few dozen characters.
_MAX_EXPRESSION_CHARACTERS = 2000  # of the text
_MAX_EXPRESSION_TOKENS = 300  # numbers, names, signs: a sum of n terms is a tree of depth n, traversed by recursion
_MAX_EXPRESSION_NESTING = 40  # of brackets, signs and powers
_MAX_EXPRESSION_DIGITS = 60  # of one number: exact pieces multiply a few numbers at a time

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|<=|>=|[-+*/^(),<>]))")
_FUNCTIONS = ("sqrt", "exp", "log", "min", "max", "piecewise")
_SIGNS: dict[Any, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS: dict[Any, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def parse(text: str, *, name: str = "expression") -> Expression:
    """Parse a function of p into an expression tree.

    Args:
        text: an expression in p with + - * / ^, min, max, sqrt, exp, log, piecewise.
        name: a name of the expression, for error messages.

    Raises:
        InvalidParameterError: the text does not follow the grammar, contains an unknown name, or exceeds a limit.

    >>> print(parse("min(1, 3*p)"))
    min(1, (3 * p))
    """
    if not isinstance(text, str):
        raise InvalidParameterError(
            f"{name} is not an expression: received {shown(text)}; give text such as min(1, 3*p)"
        )
    if len(text) > _MAX_EXPRESSION_CHARACTERS:
        raise InvalidParameterError(
            f"{name} is too long: received {len(text)} characters; at most {_MAX_EXPRESSION_CHARACTERS} are allowed"
        )
    return _Reader(text, name).whole()


class _Reader:
    """The words of one text, and the expression that they are."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.tokens = self._tokens()

    def whole(self) -> Expression:
        words = [f"n{i}" if x[0] in ".0123456789" else "**" if x == "^" else x for i, x in enumerate(self.tokens)]
        try:
            tree = ast.parse(" ".join(words), mode="eval").body
        except SyntaxError as error:
            place = " ".join(words)[: (error.offset or 1) - 1].count(" ")
            self._fail(f"it cannot be read from {self.tokens[place]!r} on" if place < len(words) else "it has no end")
        return self._read(tree)

    def _tokens(self) -> list[str]:
        found: list[str] = []
        at = depth = 0
        while self.text[at:].strip():
            match = _TOKEN.match(self.text, at)
            if match is None:
                self._fail(f"the character {self.text[at:].strip()[0]!r} is not allowed")
            number, word = match[1], match[2]
            if number and len(number) > _MAX_EXPRESSION_DIGITS:
                self._fail(f"a number has more than {_MAX_EXPRESSION_DIGITS} digits")
            if word and word not in ("p", "and", *_FUNCTIONS):
                self._fail(f"the name {shown(word)} is unknown")
            found.append(match[0].strip())
            if found[-2:] == [",", ")"]:
                self._fail("no value stands after the last comma")
            depth += (found[-1] == "(") - (found[-1] == ")")
            self._require_depth(depth)
            at = match.end()
        if len(found) > _MAX_EXPRESSION_TOKENS:
            self._fail(f"more than {_MAX_EXPRESSION_TOKENS} numbers, names and signs")
        return found

    def _fail(self, what: str) -> NoReturn:
        raise InvalidParameterError(
            f"{self.name} is not an expression in p: received {shown(self.text)}: {what}; allowed are numbers, p, "
            f"+ - * / ^, brackets and {', '.join(_FUNCTIONS)}"
        )

    def _require_depth(self, depth: int) -> None:
        if depth > _MAX_EXPRESSION_NESTING:
            self._fail(f"more than {_MAX_EXPRESSION_NESTING} levels deep")

    def _read(self, tree: ast.expr, depth: int = 0) -> Expression:
        self._require_depth(depth)
        match tree:
            case ast.Name(id="p"):
                return PRIOR
            case ast.Name(id=name) if name[0] == "n":
                return Number(rational(self.tokens[int(name[1:])], name=self.name))
            case ast.UnaryOp(op=ast.UAdd()):
                return self._read(tree.operand, depth + 1)
            case ast.UnaryOp(op=ast.USub()):
                return Operation("-", Number(Fraction(0)), self._read(tree.operand, depth + 1))
            case ast.BinOp(op=ast.Pow()):
                return Power(self._read(tree.left, depth), self._read(tree.right, depth + 1))
            case ast.BinOp(op=sign):
                return Operation(_SIGNS[type(sign)], self._read(tree.left, depth), self._read(tree.right, depth))
            case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]) if function in _FUNCTIONS:
                return self._call(function, arguments, depth + 1)
        return self._fail("a part has no value: a comparison outside piecewise, a list, or a function without brackets")

    def _call(self, function: str, given: list[ast.expr], depth: int) -> Expression:
        if function == "piecewise" and len(given) > 1:
            pairs = zip(given[::2], given[1::2], strict=False)
            cases = [(self._read(value, depth), tuple(self._condition(where, depth))) for value, where in pairs]
            return Piecewise(tuple(cases), self._read(given[-1], depth) if len(given) % 2 else None)
        arguments = tuple(self._read(one, depth) for one in given)
        if function in ("min", "max") and len(arguments) > 1:
            return Extremum(function, arguments)
        if function in ("sqrt", "exp", "log") and len(arguments) == 1:
            return Call(function, arguments[0])
        wanted = {"min": "two or more arguments", "max": "two or more arguments", "piecewise": "values and conditions"}
        return self._fail(f"{function} takes {wanted.get(function, 'one argument')}")

    def _condition(self, tree: ast.expr, depth: int) -> Iterator[Inequality]:
        for chain in tree.values if isinstance(tree, ast.BoolOp) else [tree]:
            if not isinstance(chain, ast.Compare):
                self._fail("piecewise takes a comparison after each value")
            ends = [self._read(end, depth) for end in (chain.left, *chain.comparators)]
            for sign, left, right in zip(chain.ops, ends, ends[1:], strict=False):
                yield Inequality(_COMPARISONS[type(sign)], left, right)
