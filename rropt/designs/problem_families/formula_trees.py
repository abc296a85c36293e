"""Formulas in parameters as text and as trees: ``(1-p)/k`` is read, and a quotient is written for people.

The grammar is that of Python for numbers, names, + - * / ^ and brackets. Python's parser gives the tree; nothing is
evaluated. A tree is that of certificates (FORMAT.md, A): a number, a name, or an object with one operation.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import rational
from rropt.core.exact.flint_numbers import as_flint, as_fraction
from rropt.designs.problem_families.quotients import ParameterRing, Polynomial, RationalFunction, terms_of

Tree = Any
_MOST_CHARACTERS = 1000
_MOST_POWER = 8
_DEPTH = 40
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]*)?|\.[0-9]+)|([a-z][a-z0-9_]*)|(\*\*|[-+*/^()]))")
_SIGNS: dict[type, str] = {ast.Add: "sum", ast.Mult: "product", ast.Div: "quotient"}


def tree_of_text(text: object, names: Sequence[str], what: str) -> Tree:
    """Return the tree of a formula.

    Args:
        text: the formula, for example ``(1-p)/k``, or a rational number.
        names: the names that may occur.
        what: what the formula is, for messages.

    Raises:
        InvalidParameterError: the text is not a formula in these names.

    >>> tree_of_text("(1-p)/k", ["k", "p"], "share")
    {'quotient': [{'sum': ['1', {'negative': 'p'}]}, 'k']}
    """
    if not isinstance(text, str):
        return str(rational(text, name=what))
    words, at = [], 0

    def fail(why: str) -> InvalidParameterError:
        allowed = ", ".join(names) or "no names"
        return InvalidParameterError(
            f"the {what} is no formula: received {shown(text)}: {why}; allowed are numbers, + - * / ^, brackets and "
            f"the parameters ({allowed})"
        )

    if len(text) > _MOST_CHARACTERS:
        raise fail(f"more than {_MOST_CHARACTERS} characters")
    numbers: list[str] = []
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise fail(f"{shown(text[at:].strip()[0])} is not allowed")
        number, name, sign = match.groups()
        if name and name not in names:
            raise fail(f"the name {shown(name)} is unknown")
        numbers += [number] if number else []
        words.append(f"N{len(numbers) - 1}" if number else name or {"^": "**"}.get(sign, sign))
        at = match.end()
    try:
        node = ast.parse(" ".join(words), mode="eval").body
    except (SyntaxError, RecursionError, MemoryError):
        raise fail("it is not complete") from None
    return _tree(node, numbers, fail, 0)


def _tree(node: ast.AST, numbers: Sequence[str], fail: Any, depth: int) -> Tree:
    if depth > _DEPTH:
        raise fail(f"more than {_DEPTH} levels deep")
    match node:
        case ast.Name(id=name):
            return str(rational(numbers[int(name[1:])], name="a number")) if name[0] == "N" else name
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return {"negative": _tree(part, numbers, fail, depth + 1)}
        case ast.UnaryOp(op=ast.UAdd(), operand=part):
            return _tree(part, numbers, fail, depth + 1)
        case ast.BinOp(op=ast.Pow(), left=base, right=exponent):
            power = _tree(exponent, numbers, fail, depth + 1)
            if not isinstance(power, str) or not power.isdigit() or int(power) > _MOST_POWER:
                raise fail(f"a power is a whole number up to {_MOST_POWER}")
            return {"power": [_tree(base, numbers, fail, depth + 1), power]}
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            first, second = (_tree(part, numbers, fail, depth + 1) for part in (left, right))
            return {"sum": [first, {"negative": second}]}
        case ast.BinOp(op=sign, left=left, right=right) if type(sign) in _SIGNS:
            parts = [_tree(part, numbers, fail, depth + 1) for part in (left, right)]
            is_number = all(isinstance(part, str) and part[0].isdigit() for part in parts)
            if isinstance(sign, ast.Div) and is_number and Fraction(parts[1]):
                return str(Fraction(parts[0]) / Fraction(parts[1]))  # 1/3 is a number
            return {_SIGNS[type(sign)]: parts}
    raise fail("a part has no value")


def quotient_of_tree(tree: Tree, names: Mapping[str, RationalFunction], ring: ParameterRing) -> RationalFunction:
    """Return the rational function of a tree.

    Raises:
        InvalidParameterError: it divides by 0.
    """
    if isinstance(tree, str):
        return names[tree] if tree in names else ring.number(Fraction(tree))
    ((operation, given),) = tree.items()
    if operation == "negative":
        return -quotient_of_tree(given, names, ring)
    if operation == "power":
        base, found = quotient_of_tree(given[0], names, ring), ring.number(1)
        for _ in range(int(given[1])):
            found = found * base
        return found
    first, *others = (quotient_of_tree(part, names, ring) for part in given)
    for other in others:
        if operation == "quotient":
            if not other:
                raise InvalidParameterError(f"a formula divides by 0: received {text_of_tree(tree)}")
            first = first / other
        else:
            first = first + other if operation == "sum" else first * other
    return first


def text_of_tree(tree: Tree) -> str:
    """Return a tree as people write it.

    >>> text_of_tree({"quotient": [{"sum": ["1", {"negative": "p"}]}, "k"]})
    '(1 - p)/k'
    """
    return _text(tree, 0)


def _text(tree: Tree, strength: int) -> str:
    """Return a tree as text, in brackets if an operation around it binds more tightly."""
    if isinstance(tree, str):
        return f"({tree})" if "/" in tree and strength > 1 else tree
    ((operation, given),) = tree.items()
    if operation == "negative":
        text, own = f"-{_text(given, 2)}", 1
    elif operation == "sum":
        text, own = _text(given[0], 1), 1
        for part in given[1:]:
            is_less = isinstance(part, dict) and "negative" in part
            text += f" - {_text(part['negative'], 2)}" if is_less else f" + {_text(part, 1)}"
    elif operation == "product":
        text, own = " ".join(_text(part, 2) for part in given), 2
    elif operation == "quotient":
        text, own = f"{_text(given[0], 2)}/{_text(given[1], 3)}", 2
    else:
        text, own = f"{_text(given[0], 4)}^{given[1]}", 3
    return f"({text})" if own < strength else text


def tree_of_quotient(quotient: RationalFunction, names: Sequence[str]) -> Tree:
    """Return the tree of a rational function, numerator and denominator as products of their factors."""
    constant, above = quotient.above.factor() if quotient.above else (0, [])
    lower, below = quotient.below.factor()
    number = as_fraction(constant) / as_fraction(lower) if above or constant else Fraction(0)
    scaled: list[list[tuple[Tree, int]]] = []
    for listed, side in ((below, -1), (above, 1)):
        parts = []
        for factor, power in listed:
            content = _content(factor)
            number = number * content ** (side * int(power))
            parts.append((factor / as_flint(content), int(power)))
        for n, (factor, power) in enumerate(parts):  # -(p - 1) is written 1 - p
            if side > 0 and number < 0 and power == 1 and len(factor.coeffs()) > 1:
                parts[n], number = (-factor, 1), -number
        written = [(tree_of_polynomial(factor, names), power) for factor, power in parts]
        scaled.insert(0, sorted(written, key=lambda pair: (isinstance(pair[0], dict), len(str(pair[0])), str(pair[0]))))
    if not scaled[0] and not scaled[1]:
        return str(number)
    top = _product(number.numerator, scaled[0])
    bottom = _product(number.denominator, scaled[1])
    return top if bottom == "1" else {"quotient": [top, bottom]}


def _product(number: int, parts: Sequence[tuple[Tree, int]]) -> Tree:
    factors = [part if power == 1 else {"power": [part, str(power)]} for part, power in parts]
    if abs(number) != 1 or not factors:
        factors.insert(0, str(abs(number)))
    found = factors[0] if len(factors) == 1 else {"product": factors}
    return {"negative": found} if number < 0 else found


def _content(polynomial: Polynomial) -> Fraction:
    """Return the number by which a polynomial has whole coefficients without a common factor, the first positive."""
    listed = [as_fraction(x) for x in polynomial.coeffs()]
    content = Fraction(gcd(*(x.numerator for x in listed)), lcm(*(x.denominator for x in listed)))
    return content if listed[0] > 0 else -content


def tree_of_polynomial(polynomial: Polynomial, names: Sequence[str]) -> Tree:
    """Return the tree of a polynomial: a sum of terms in descending order, positive ones first."""
    parts = []
    for exponents, value in sorted(terms_of(polynomial).items(), key=lambda pair: (pair[1] < 0, [-e for e in pair[0]])):
        number = as_fraction(value)
        factors: list[Tree] = [str(abs(number))] if abs(number) != 1 or not any(exponents) else []
        for name, e in zip(names, exponents, strict=True):
            factors += [name if e == 1 else {"power": [name, str(e)]}] if e else []
        term = factors[0] if len(factors) == 1 else {"product": factors}
        parts.append({"negative": term} if number < 0 else term)
    return parts[0] if len(parts) == 1 else {"sum": parts} if parts else "0"
