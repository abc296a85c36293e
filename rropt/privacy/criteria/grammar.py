"""The grammar of functions of the prior p: text is parsed into a tree and never evaluated by Python.

```text
EXPR      = TERM (("+" | "-") TERM)*
TERM      = FACTOR (("*" | "/") FACTOR)*
FACTOR    = ("+" | "-") FACTOR | ATOM ["^" FACTOR]            (a ^ b ^ c is a ^ (b ^ c); -a ^ b is -(a ^ b))
ATOM      = NUMBER | p | "(" EXPR ")" | (sqrt | exp | log) "(" EXPR ")" | (min | max) "(" EXPR ("," EXPR)+ ")"
          | piecewise "(" (EXPR "," CONDITION ",")* ... [EXPR] ")"      (value, condition, value, condition, otherwise)
CONDITION = CHAIN ("and" CHAIN)*          CHAIN = EXPR (CMP EXPR)+          CMP = < | <= | > | >=
```
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.privacy.criteria.expressions import (
    PRIOR,
    Branches,
    Call,
    Comparison,
    Expression,
    Extremum,
    Number,
    Operation,
    Power,
)

# Limits of the input, against texts that would take too long: a criterion in practice has a few dozen characters.
_MAX_EXPRESSION_CHARACTERS = 2000  # of the text
_MAX_EXPRESSION_TOKENS = 300  # numbers, names, signs: a sum of n terms is a tree of depth n, traversed by recursion
_MAX_EXPRESSION_NESTING = 40  # of brackets, signs and powers
_MAX_EXPRESSION_DIGITS = 60  # of one number: exact pieces multiply a few numbers at a time

_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|<=|>=|[-+*/^(),<>]))")
_COMPARISONS = ("<", "<=", ">", ">=")
_FUNCTIONS = ("sqrt", "exp", "log", "min", "max", "piecewise")


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
    return _Parser(text, name).whole()


class _Parser:
    """A recursive-descent parser of one text."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.depth = 0
        self.place = 0
        self.tokens = self._tokens()

    def whole(self) -> Expression:
        tree = self._sum()
        if self._next():
            self._fail(f"{self._next()!r} is not expected there")
        return tree

    def _tokens(self) -> list[str]:
        found, at = [], 0
        while self.text[at:].strip():
            match = _TOKEN.match(self.text, at)
            if match is None:
                self._fail(f"the character {self.text[at:].strip()[0]!r} is not allowed")
            number = match[1]
            if number and len(number) > _MAX_EXPRESSION_DIGITS:
                self._fail(f"a number has more than {_MAX_EXPRESSION_DIGITS} digits")
            found.append(match[0].strip())
            at = match.end()
        if len(found) > _MAX_EXPRESSION_TOKENS:
            self._fail(f"more than {_MAX_EXPRESSION_TOKENS} numbers, names and signs")
        return found

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self, *allowed: str) -> str:
        token = self._next()
        if token not in allowed:
            self._fail(f"{' or '.join(allowed)} is expected, not {repr(token) if token else 'the end'}")
        self.place += 1
        return token

    def _fail(self, what: str) -> NoReturn:
        raise InvalidParameterError(
            f"{self.name} is not an expression in p: received {shown(self.text)}: {what}; allowed are numbers, p, "
            f"+ - * / ^, brackets and {', '.join(_FUNCTIONS)}"
        )

    def _nested(self, rule: Callable[[], Expression]) -> Expression:
        self.depth += 1
        if self.depth > _MAX_EXPRESSION_NESTING:
            self._fail(f"more than {_MAX_EXPRESSION_NESTING} levels deep")
        tree = rule()
        self.depth -= 1
        return tree

    def _sum(self) -> Expression:
        tree = self._product()
        while self._next() in ("+", "-"):
            tree = Operation(self._take("+", "-"), tree, self._product())
        return tree

    def _product(self) -> Expression:
        tree = self._factor()
        while self._next() in ("*", "/"):
            tree = Operation(self._take("*", "/"), tree, self._factor())
        return tree

    def _factor(self) -> Expression:
        if self._next() == "-":
            self.place += 1
            return Operation("-", Number(Fraction(0)), self._nested(self._factor))
        if self._next() == "+":
            self.place += 1
            return self._nested(self._factor)
        base = self._atom()
        if self._next() in ("^", "**"):
            self.place += 1
            return Power(base, self._nested(self._factor))
        return base

    def _atom(self) -> Expression:
        token = self._next()
        if token[:1].isdigit() or token[:1] == ".":
            self.place += 1
            return Number(rational(token, name=self.name))
        if token == "p":
            self.place += 1
            return PRIOR
        if token == "(":
            self.place += 1
            tree = self._nested(self._sum)
            self._take(")")
            return tree
        if token in _FUNCTIONS:
            self.place += 1
            self._take("(")
            tree = self._nested(lambda: self._call(token))
            self._take(")")
            return tree
        if token[:1].isalpha() or token[:1] == "_":
            self._fail(f"the name {shown(token)} is unknown")
        return self._fail(f"a number, p or a bracket is expected, not {repr(token) if token else 'the end'}")

    def _call(self, function: str) -> Expression:
        first = self._sum()
        if function in ("sqrt", "exp", "log"):
            return Call(function, first)
        if function == "piecewise":
            return self._branches(first)
        arguments = [first]
        while self._next() == ",":
            self.place += 1
            arguments.append(self._sum())
        if len(arguments) < 2:
            self._fail(f"{function} takes two or more arguments")
        return Extremum(function, tuple(arguments))

    def _branches(self, value: Expression) -> Expression:
        cases = []
        while True:
            self._take(",")
            cases.append((value, self._condition()))
            if self._next() != ",":
                return Branches(tuple(cases), None)
            self.place += 1
            value = self._sum()
            if self._next() == ")":
                return Branches(tuple(cases), value)

    def _condition(self) -> tuple[Comparison, ...]:
        found: list[Comparison] = []
        while True:
            left = self._sum()
            sign = self._take(*_COMPARISONS)
            found.append(Comparison(sign, left, right := self._sum()))
            while self._next() in _COMPARISONS:
                found.append(Comparison(self._take(*_COMPARISONS), right, right := self._sum()))
            if self._next() != "and":
                return tuple(found)
            self.place += 1
