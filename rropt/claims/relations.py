"""Relations, which compare two rational functions.

Domains, conditions and steps of proofs assert relations. The text of a condition is written for the reader. The sweep
tests its relation, and proofs use the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add, eq, ge, gt, itemgetter, mul, ne
from typing import Any

import sympy as sp
from flint import fmpq

from rropt.claims.language import Tree, conjuncts, expression_of, nodes, read_condition
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.flint_numbers import as_flint, as_fraction

_MOST_POWER = 10**6
_MEANINGS: dict[str, Callable[[Any, Any], bool]] = {">": gt, ">=": ge, "=": eq, "!=": ne}

# the signs of a number that each relation with 0 allows; "" allows every sign, "false" none
_ALLOWED = {"": {-1, 0, 1}, ">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}, "<=": {-1, 0}, "<": {-1}, "false": set()}
_NAMES = {frozenset(value): key for key, value in _ALLOWED.items()}
TURNED = {key: _NAMES[frozenset(-sign for sign in value)] for key, value in _ALLOWED.items()}  # of the negative


@dataclass(frozen=True, slots=True)
class Relation:
    """The relation ``left sign right`` between rational functions with rational coefficients.

    Attributes:
        left, right: SymPy expressions in plain symbols.
        sign: ``>``, ``>=``, ``=`` or ``!=``.
    """

    left: Any
    sign: str
    right: Any

    @property
    def difference(self) -> Any:
        """The expression that is compared with 0."""
        return _difference(self.left, self.right)

    def opposite(self) -> tuple[Relation, ...]:
        """Return relations of which exactly one is true wherever this relation is false."""
        if self.sign in (">", ">="):
            return (Relation(self.right, ">=" if self.sign == ">" else ">", self.left),)
        if self.sign == "!=":
            return (Relation(self.left, "=", self.right),)
        return Relation(self.left, ">", self.right), Relation(self.right, ">", self.left)

    def holds(self, values: Mapping[str, Any]) -> bool:
        """Return whether the relation is true at these exact values; it is false where a side is undefined."""
        try:
            return _MEANINGS[self.sign](values_of(self.left)(values), values_of(self.right)(values))
        except ZeroDivisionError:
            return False

    def first_false(self, places: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
        """Return the first place at which the relation is false, or None.

        Raises:
            KeyError: a place has no value for one of the names.
        """
        return next((values for values in places if not self.holds(values)), None)

    def names(self) -> set[str]:
        """Return the names that occur in the relation."""
        return set(_names_in(self.left) | _names_in(self.right))

    def renamed(self, names: Mapping[str, Any]) -> Relation:
        """Return the relation with symbols replaced by expressions."""
        change = {sp.Symbol(name): new for name, new in names.items()}
        return Relation(self.left.xreplace(change), self.sign, self.right.xreplace(change))

    def __str__(self) -> str:
        left, right = self.left, self.right
        if self.sign in (">", ">=") and left.is_Rational and not right.is_Rational:  # x <= 1 reads better than 1 >= x
            return f"{text_of(right)} {'<' if self.sign == '>' else '<='} {text_of(left)}"
        return f"{text_of(left)} {self.sign} {text_of(right)}"


@lru_cache(maxsize=20_000)
def _difference(left: Any, right: Any) -> Any:
    return left - right


@lru_cache(maxsize=20_000)
def text_of(node: Any) -> str:
    """Return an expression as text, cached since SymPy's printer is slow and the same text is needed often."""
    return str(node)


def relations(given: Any) -> tuple[Relation, ...]:
    """Return the relations that text such as ``"0 < x <= 1"`` asserts together; a tuple of relations is returned.

    Raises:
        InvalidParameterError: the input has another form.

    >>> [str(relation) for relation in relations("0 < x <= 1/2 and y != 0")]
    ['x > 0', 'x <= 1/2', 'y != 0']
    """
    if type(given) is str:
        return _asserted(given)
    if type(given) is tuple and all(type(part) is Relation for part in given):
        return given
    raise InvalidParameterError(f"no relation: received {shown(given)}; write text such as '0 < x <= 1'")


@lru_cache(maxsize=20_000)
def _names_in(node: Any) -> frozenset[str]:
    return frozenset(map(str, node.free_symbols))


@lru_cache(maxsize=20_000)
def _asserted(text: str) -> tuple[Relation, ...]:
    tree = read_condition(text.replace("**", "^").replace("==", "="), {})
    if any(node[0] in ("or", "not", "min", "max", "if") for node in nodes(tree)):
        raise InvalidParameterError(f"no relation: received {shown(text)}; write comparisons joined by 'and'")
    found = tuple(map(relation_of, conjuncts([tree])))
    if any(side.has(sp.zoo, sp.nan) for each in found for side in (each.left, each.right)):
        raise InvalidParameterError(f"a divisor is 0: received {shown(text)}")
    return found


def relation_of(tree: Tree) -> Relation:
    """Return the relation of a comparison without ``min``, ``max`` and ``if``."""
    sign, left, right = tree[0], expression_of(tree[1]), expression_of(tree[2])
    return Relation(right, {"<": ">", "<=": ">="}[sign], left) if sign in ("<", "<=") else Relation(left, sign, right)


@lru_cache(maxsize=20_000)
def values_of(node: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Return the function that evaluates an expression at exact values of its symbols, integers and fractions.

    The function raises ``ZeroDivisionError`` where a divisor is 0. It runs at thousands of points, so that it has one
    step for each different part of the expression, which is not expanded.

    Raises:
        InvalidParameterError: a part of the expression is not a rational function.
    """
    if node.is_Symbol:
        return itemgetter(str(node))
    steps: list[Callable[[Mapping[str, Any], list[Any]], Any]] = []
    places: dict[Any, int] = {}

    def place(part: Any) -> int:
        """Return the place of the step of a part; its own parts have earlier places."""
        if part not in places:
            step = _step(part, place)
            places[part] = len(steps)
            steps.append(step)
        return places[part]

    place(node)

    def value(values: Mapping[str, Any]) -> Any:
        known: list[Any] = []
        for step in steps:
            known.append(step(values, known))
        return as_fraction(known[-1])

    return value


def _step(part: Any, place: Callable[[Any], int]) -> Callable[[Mapping[str, Any], list[Any]], Any]:
    """Return the function that computes a part of an expression from the values of its symbols and of its own parts."""
    if part.is_Rational:
        constant = fmpq(int(part.p), int(part.q))
        return lambda values, known: constant
    if part.is_Symbol:
        name = str(part)
        return lambda values, known: as_flint(values[name])
    if part.is_Add or part.is_Mul:
        operation, (first, *rest) = add if part.is_Add else mul, map(place, part.args)
        return lambda values, known: reduce(operation, [known[i] for i in rest], known[first])
    if part.is_Pow and part.exp.is_Integer:
        base, power = place(part.base), int(part.exp)
        if abs(power) > _MOST_POWER:  # FLINT would end the program
            raise InvalidParameterError(f"a power is too large: received {power}; allowed are up to {_MOST_POWER}")
        return lambda values, known: known[base] ** power
    raise InvalidParameterError(f"no rational expression: received {shown(str(part))}; allowed are + - * / and powers")


def sign_of(value: Any) -> int:
    """Return the sign of a number: -1, 0 or 1."""
    return int(value > 0) - int(value < 0)


def both(one: str, other: str) -> str:
    """Return the conjunction of two known signs of one number."""
    return _NAMES[frozenset(_ALLOWED[one] & _ALLOWED[other])]


def times(one: str, other: str) -> str:
    """Return the sign of a product from the signs of its factors."""
    return _NAMES[frozenset(a * b for a in _ALLOWED[one] for b in _ALLOWED[other])]


def powered(sign: str, power: int) -> str:
    """Return the sign of a power of a number."""
    return sign if power % 2 else ">" if sign in (">", "<", "!=") else ">="


def implies(one: str, other: str) -> bool:
    """Return whether a number of one sign has the other."""
    return _ALLOWED[one] <= _ALLOWED[other]


def contradicts(one: str, other: str) -> bool:
    """Return whether no number has both signs."""
    return not _ALLOWED[one] & _ALLOWED[other]


def has_sign(value: Any, sign: str) -> bool:
    """Return whether a number compares with 0 so."""
    return sign_of(value) in _ALLOWED[sign]
