"""The language of cards: rational functions and conditions, read from text that nothing evaluates as Python.

A tree is a tuple: ``("number", q)``, ``("name", x)``, ``("+", a, b)`` and likewise ``-``, ``*``, ``/``,
``("^", a, n)``, ``("max", a, b)``, ``("min", a, b)``, ``("if", condition, a, b)``; conditions are ``("<", a, b)`` and
the other comparisons, ``("and", ...)``, ``("or", ...)``, ``("not", c)``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce, wraps
from math import comb
from operator import add, eq, ge, gt, itemgetter, le, lt, mul, ne, sub, truediv
from typing import Any, TypeVar

import sympy as sp

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.flint_numbers import as_flint, as_fraction

Tree = tuple[Any, ...]
_Kept = TypeVar("_Kept")
NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")  # of a variable, as in certificates
ABBREVIATION = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")  # of a definition, which vanishes from the text
BUILT_IN = {"min", "max", "abs", "sum", "diff", "if", "else", "iff", "and", "or", "not", "in", "count"}
_CHARACTERS = re.compile(r"[A-Za-z0-9_ .,()+\-*/^<>=!\s]*")
_OPERATORS: dict[type, str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_COMPARISONS: dict[type, str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "=",
    ast.NotEq: "!=",
}
_MEANINGS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "max": max,
    "min": min,
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "=": eq,
    "!=": ne,
}
RELATIONS = ("<", "<=", ">", ">=", "=", "!=")
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "="}
_LONGEST, _MOST_NODES, _DEEPEST, _MOST_TERMS = 4000, 8000, 100, 40  # characters, nodes and depth, terms of a sum
_MOST_POWER, _MOST_BITS, _MOST_MONOMIALS = 60, 10_000, 10**10
_MOST_KEPT = 20_000  # trees whose names and steps are kept
_ALLOWED = "names, numbers, + - * / ^, ( ), comparisons, and, or, not, (a if C else b), min, max, abs, "
_ALLOWED += "sum(i, 1, 3, term), diff(x, term), definitions"


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a card: the names of its arguments, its tree, and its text."""

    arguments: tuple[str, ...]
    tree: Tree
    text: str = ""


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A row of a statement: ``R``, ``R if C`` or ``R iff C``; without a condition ``link`` is empty."""

    text: str
    relation: Tree
    link: str = ""
    condition: Tree = ("and",)

    @property
    def formula(self) -> Tree:
        """The row as one condition."""
        back: Tree = ("or", ("not", self.relation), self.condition)
        forth: Tree = ("or", ("not", self.condition), self.relation)
        return ("and", forth, back) if self.link == "iff" else forth if self.link else self.relation

    def is_true(self, values: Mapping[str, Fraction]) -> bool:
        """Return whether the row is true at a point.

        Raises:
            ZeroDivisionError: a side, or the condition, is undefined there.
        """
        if not self.link:
            return bool(evaluate(self.relation, values))
        meets = evaluate(self.condition, values)
        if self.link == "if":
            return not meets or bool(evaluate(self.relation, values))
        return bool(evaluate(self.relation, values)) == bool(meets)


def read_row(text: str, known: Mapping[str, Definition]) -> StatementRow:
    """Return a row from its text.

    Raises:
        InvalidParameterError: the text is not a row.
    """
    depth, place = 0, None
    for found in re.finditer(r"[()]|\b(?:iff|if)\b", text):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] in ("if", "iff") and depth == 0:
            if place is not None:
                raise InvalidParameterError(f"a row has one `if` or `iff`: received {shown(text)}; write two rows")
            place = found
    if place is None:
        return StatementRow(text, read_condition(text, known))
    first, second = text[: place.start()], text[place.end() :]
    return StatementRow(text, read_condition(first, known), place[0], read_condition(second, known))


def read_condition(text: str, known: Mapping[str, Definition]) -> Tree:
    """Return a condition from its text; raise ``InvalidParameterError`` if it is invalid."""
    tree = _read(text, known)
    if not is_condition(tree):
        raise InvalidParameterError(f"a condition compares: received {shown(text)}; write for example 0 < x <= 1")
    return tree


def read_expression(text: str, known: Mapping[str, Definition]) -> Tree:
    """Return an expression from its text; raise ``InvalidParameterError`` if it is invalid."""
    tree = _read(text, known)
    if is_condition(tree):
        raise InvalidParameterError(f"an expression does not compare: received {shown(text)}")
    return tree


def read_definition(text: str, known: Mapping[str, Definition]) -> tuple[str, Definition]:
    """Return the name and the definition of a text such as ``v(p, n) = p*(1 - p)/n``, or ``s = p + q``."""
    found = re.fullmatch(r"\s*(\w+)\s*(?:\(([\w\s,]*)\))?\s*=(?!=)(.*)", text, re.DOTALL)
    if found is None:
        raise InvalidParameterError(f"a definition is written f(x, y) = ...: received {shown(text)}")
    name, arguments = found[1], tuple(part.strip() for part in (found[2] or "").split(",") if part.strip())
    for each in (name, *arguments):
        if not ABBREVIATION.fullmatch(each) or each in BUILT_IN:
            raise InvalidParameterError(f"a name is letters and digits, and not built in: received {shown(each)}")
    if name in known or {name} & set(arguments) or len(set(arguments)) < len(arguments):
        raise InvalidParameterError(f"a name is defined twice: received {shown(text)}; rename one")
    tree = read_expression(found[3], {key: value for key, value in known.items() if key not in arguments})
    if name in names_of(tree):
        raise InvalidParameterError(f"a definition uses itself: received {shown(text)}")
    if found[2] is not None and (loose := names_of(tree) - set(arguments)):
        raise InvalidParameterError(f"a definition uses {', '.join(sorted(loose))}, which is none of its arguments")
    return name, Definition(arguments, tree, " ".join(text.split()))


def is_condition(tree: Tree) -> bool:
    """Return whether a tree is a condition."""
    return tree[0] in (*RELATIONS, "and", "or", "not")


def _read(text: str, known: Mapping[str, Definition]) -> Tree:
    if len(text) > _LONGEST or not _CHARACTERS.fullmatch(text):
        wrong = next((c for c in text if not _CHARACTERS.fullmatch(c)), "")
        told = f"the character {shown(wrong)}" if wrong else f"{len(text)} characters"
        raise InvalidParameterError(f"an expression has {told}: received {shown(text)}; allowed are {_ALLOWED}")
    for wrong, right in (("**", "^"), ("==", "="), ("//", "/")):
        if wrong in text:
            raise InvalidParameterError(f"an expression has {wrong}: received {shown(text)}; write {right}")
    python = re.sub(r"(?<![<>!])=", "==", text.replace("^", "**"))
    try:
        parsed = ast.parse(" ".join(python.split()), mode="eval").body
        tree = _built(parsed, known, text)
    except InvalidParameterError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InvalidParameterError(f"no expression: received {shown(text)}; allowed are {_ALLOWED}") from None
    if not _is_small(tree):
        raise InvalidParameterError(f"an expression is too large: received {shown(text)}; use smaller powers and sums")
    for node in nodes(tree):
        parts = [part for part in node[1:] if isinstance(part, tuple)]
        conditions = len(parts) if node[0] in ("and", "or", "not") else node[0] == "if"  # so many parts, from the first
        if [is_condition(part) for part in parts] != [number < conditions for number in range(len(parts))]:
            raise InvalidParameterError(f"numbers and conditions are mixed: received {shown(text)}; compare numbers")
    return tree


def _built(node: ast.expr, known: Mapping[str, Definition], text: str) -> Tree:
    def built(part: ast.expr, names: Mapping[str, Definition] = known) -> Tree:
        return _built(part, names, text)

    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            source = ast.get_source_segment(
                " ".join(re.sub(r"(?<![<>!])=", "==", text.replace("^", "**")).split()), node
            )
            if source is not None and re.fullmatch(r"[0-9]{1,40}(\.[0-9]{1,40})?", source):
                return ("number", Fraction(source))
        case ast.Name(id=name) if name in known and not known[name].arguments:
            return known[name].tree
        case ast.Name(id=name) if name not in known and name not in BUILT_IN:
            return ("name", name)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return ("-", ("number", Fraction(0)), built(part))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return ("not", built(part))
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            power = right.operand if isinstance(right, ast.UnaryOp) and isinstance(right.op, ast.USub) else right
            if isinstance(power, ast.Constant) and type(power.value) is int:
                if power.value > _MOST_POWER:
                    raise InvalidParameterError(
                        f"a power is too large: received {power.value}; allowed are up to {_MOST_POWER}"
                    )
                return ("^", built(left), power.value if power is right else -power.value)
        case ast.BinOp(op=operation, left=left, right=right) if type(operation) in _OPERATORS:
            return (_OPERATORS[type(operation)], built(left), built(right))
        case ast.Compare(left=left, ops=operations, comparators=others) if all(
            type(o) in _COMPARISONS for o in operations
        ):
            sides = [built(side) for side in (left, *others)]
            parts = [(_COMPARISONS[type(o)], a, b) for a, o, b in zip(sides, operations, sides[1:], strict=False)]
            return parts[0] if len(parts) == 1 else ("and", *parts)
        case ast.BoolOp(op=operation, values=values):
            return ("and" if isinstance(operation, ast.And) else "or", *map(built, values))
        case ast.IfExp(test=test, body=body, orelse=other):
            return ("if", built(test), built(body), built(other))
        case ast.Call(func=ast.Name(id="abs"), args=[part], keywords=[]):
            inner = built(part)
            return ("max", inner, ("-", ("number", Fraction(0)), inner))
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as parts, keywords=[]):
            return reduce(lambda a, b: (name, a, b), map(built, parts))
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[ast.Name(id=name), ast.Constant(value=int() as low), ast.Constant(value=int() as high), term],
            keywords=[],
        ) if bool not in (type(low), type(high)) and low <= high and name not in known:
            if high - low >= _MOST_TERMS:
                raise InvalidParameterError(
                    f"a sum is too long: received {high - low + 1} terms; allowed are up to {_MOST_TERMS}"
                )
            steps = [
                built(term, {**known, name: Definition((), ("number", Fraction(value)))})
                for value in range(low, high + 1)
            ]
            return reduce(lambda a, b: ("+", a, b), steps)
        case ast.Call(func=ast.Name(id="diff"), args=[ast.Name(id=name), term], keywords=[]) if name not in known:
            return derivative(built(term), name)
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=[]) if name in known and known[name].arguments:
            if len(parts) != len(known[name].arguments):
                raise InvalidParameterError(
                    f"{name} has {len(known[name].arguments)} arguments: received {len(parts)} in {shown(text)}"
                )
            return replaced(known[name].tree, dict(zip(known[name].arguments, map(built, parts), strict=True)))
    raise InvalidParameterError(f"no expression: received {shown(text)}; allowed are {_ALLOWED}")


def derivative(tree: Tree, name: str) -> Tree:
    """Return the derivative of a rational function by a variable, by the rules for sums, products and quotients.

    Raises:
        InvalidParameterError: the tree has ``min``, ``max`` or ``if``.
    """
    zero: Tree = ("number", Fraction(0))
    kind = tree[0]
    if name not in names_of(tree) or (kind == "^" and tree[2] == 0):
        return ("-", tree, tree) if any(node[0] in ("/", "^") for node in nodes(tree)) else zero  # divisors stay
    if kind == "name":
        return ("number", Fraction(1))
    if kind not in ("+", "-", "*", "/", "^"):
        raise InvalidParameterError(f"diff is for rational functions: received {kind}; write the cases as rows")
    first, below = derivative(tree[1], name), tree[2]
    if kind == "^":
        power: Tree = ("^", tree[1], below - 1) if below != 1 else ("number", Fraction(1))
        return ("*", ("*", ("number", Fraction(below)), power), first)
    second = derivative(below, name)
    if kind in ("+", "-"):
        return second if first == zero and kind == "+" else first if second == zero else (kind, first, second)
    if kind == "/" and second == zero:
        return ("/", first, below)
    left: Tree = ("*", first, below)
    right: Tree = ("*", tree[1], second)
    if kind == "/":
        return ("/", ("-", left, right), ("^", below, 2))
    return right if first == zero else left if second == zero else ("+", left, right)


def replaced(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Return a tree with names replaced by trees, all at once."""
    if tree[0] == "name":
        return values.get(tree[1], tree)
    if tree[0] == "number":
        return tree
    return (tree[0], *(replaced(part, values) if isinstance(part, tuple) else part for part in tree[1:]))


def nodes(tree: Tree) -> Iterator[Tree]:
    """Iterate over all parts of a tree, the outer ones first."""
    left = [tree]
    while left:
        here = left.pop()
        yield here
        left += [part for part in here[1:] if isinstance(part, tuple)]


def conjuncts(trees: Iterable[Tree]) -> Iterator[Tree]:
    """Iterate over conditions that together say the same, none of which is joined by ``and``."""
    for tree in trees:
        if tree[0] == "and":
            yield from conjuncts(tree[1:])
        else:
            yield tree


def _kept(function: Callable[[Tree], _Kept]) -> Callable[[Tree], _Kept]:
    """Compute a value of a tree once. The key is its identity: to hash a tree takes longer than to look a value up."""
    known: dict[int, tuple[Tree, _Kept]] = {}

    @wraps(function)
    def value(tree: Tree) -> _Kept:
        found = known.get(id(tree))
        if found is None:
            if len(known) >= _MOST_KEPT:
                known.clear()
            found = known[id(tree)] = tree, function(tree)  # the tree is kept, so no other one gets its identity
        return found[1]

    return value


@_kept
def names_of(tree: Tree) -> frozenset[str]:
    """Return the names in a tree."""
    return frozenset(node[1] for node in nodes(tree) if node[0] == "name")


def _is_small(tree: Tree) -> bool:
    """Return whether a tree has few nodes, and its rational functions have small degrees and numbers."""
    count, layer = 0, [tree]
    for _ in range(_DEEPEST):
        count += len(layer)
        layer = (
            [part for node in layer for part in node[1:] if isinstance(part, tuple)] if count <= _MOST_NODES else layer
        )
    if layer:
        return False
    count = len(names_of(tree))
    above, below, bits = _sizes(tree)
    degree = max(above, below)
    return bits <= _MOST_BITS and degree <= 10 * _MOST_POWER and comb(degree + count, count) <= _MOST_MONOMIALS


def _sizes(tree: Tree) -> tuple[int, int, int]:
    """Return upper bounds of the degrees of numerator and denominator, and of the bits of the coefficients."""
    kind = tree[0]
    if kind == "number":
        return 0, 0, tree[1].numerator.bit_length() + tree[1].denominator.bit_length()
    if kind == "name":
        return 1, 0, 1
    parts = [_sizes(part) for part in tree[1:] if isinstance(part, tuple)]
    if kind == "^":
        (above, below, bits), power = parts[0], abs(tree[2])
        above, below = (above, below) if tree[2] >= 0 else (below, above)
        return above * power, below * power, bits * max(power, 1)
    if kind in ("+", "-", "*", "/"):
        (a, b, bits), (c, d, more) = parts
        sizes = {"*": (a + c, b + d), "/": (a + d, b + c)}
        return (*sizes.get(kind, (max(a + d, b + c), b + d)), bits + more + 1)
    above, below, bits = (max(each) for each in zip((0, 0, 0), *parts, strict=True))
    return above, below, bits


def evaluate(tree: Tree, values: Mapping[str, Fraction]) -> Any:
    """Return the exact value of a tree at a point; all parts are evaluated, except the branch of ``if`` not taken.

    Raises:
        ZeroDivisionError: a part is undefined.
    """
    point = {name: as_flint(values[name]) for name in names_of(tree) if name in values}
    found = _steps_of(tree)(point)
    return found if isinstance(found, bool) else as_fraction(found)


@_kept
def _steps_of(tree: Tree) -> Callable[[dict[str, Any]], Any]:
    """Return the function that evaluates a tree in FLINT's rationals."""
    kind = tree[0]
    if kind == "number":
        number = as_flint(tree[1])
        return lambda point: number
    if kind == "name":
        return itemgetter(tree[1])
    if kind == "^":
        base, power = _steps_of(tree[1]), tree[2]
        return lambda point: base(point) ** power
    steps = [_steps_of(part) for part in tree[1:]]
    if kind == "if":
        condition, first, second = steps
        return lambda point: first(point) if condition(point) else second(point)
    if kind in ("and", "or"):
        joined = all if kind == "and" else any
        return lambda point: joined([step(point) for step in steps])
    if kind == "not":
        (inner,) = steps
        return lambda point: not inner(point)
    meaning, (left, right) = _MEANINGS[kind], steps
    return lambda point: meaning(left(point), right(point))


@_kept
def expression_of(tree: Tree) -> Any:
    """Return the SymPy expression of a tree without ``min``, ``max`` and ``if``; nothing is cancelled by it alone."""
    kind = tree[0]
    if kind == "number":
        return sp.Rational(tree[1].numerator, tree[1].denominator)
    if kind == "name":
        return sp.Symbol(tree[1])
    if kind == "^":
        return expression_of(tree[1]) ** tree[2]
    return _MEANINGS[kind](*map(expression_of, tree[1:]))
