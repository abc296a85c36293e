"""Relations, which compare a rational function with 0, and facts: relations that a proof may use.

Domains, conditions and steps of proofs assert relations. The text of a condition is written for the reader. The sweep
tests its relation, and proofs use the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from operator import eq, ge, gt, ne
from typing import Any

import sympy as sp
from flint import fmpq

from rropt.claims.language import Tree, conjuncts, expression_of, nodes, read_condition
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact.flint_numbers import as_flint, as_fraction

_MOST_POWER = 10**6
_MEANINGS: dict[str, Callable[[Any, Any], bool]] = {">": gt, ">=": ge, "=": eq, "!=": ne}


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
            return _test_of(self.left, self.sign, self.right)(values)
        except ZeroDivisionError:
            return False

    def fails_at(self, places: Iterable[Mapping[str, Any]], known: dict[int, dict[str, Any]]) -> bool:
        """Return whether the relation is false at one of the places that have a value for all its names.

        Args:
            places: values of the symbols; the caller must keep them alive and unchanged.
            known: the same values as FLINT rationals, by the id of a place; this call adds to them.
        """
        names = self.names()
        distinct: dict[tuple[int, ...], Mapping[str, Any]] = {}  # by the ids of the values, which instances share
        for values in places:
            if names <= values.keys():
                distinct.setdefault(tuple([id(values[name]) for name in names]), values)
        return self.first_false(distinct.values(), known) is not None

    def first_false(
        self, places: Iterable[Mapping[str, Any]], known: dict[int, dict[str, Any]]
    ) -> Mapping[str, Any] | None:
        """Return the first place at which the relation is false, or None; for ``known`` see ``fails_at``.

        Raises:
            KeyError: a place has no value for one of the names.
        """
        names, meaning = self.names(), _MEANINGS[self.sign]
        left, right = _evaluated(self.left, fmpq), _evaluated(self.right, fmpq)
        for values in places:
            here = known.setdefault(id(values), {})
            try:
                for name in names:
                    if name not in here:
                        if type(x := values[name]) is not Fraction:
                            break
                        here[name] = as_flint(x)
                else:
                    if meaning(left(here), right(here)):
                        continue
                    return values
            except ZeroDivisionError:
                return values
            if not self.holds(values):
                return values
        return None

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


def exact_values(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a point with integers converted to fractions, so no quotient is a float."""
    return {
        name: Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value
        for name, value in point.items()
    }


@lru_cache(maxsize=20_000)
def _test_of(left: Any, sign: str, right: Any) -> Callable[[Mapping[str, Any]], bool]:
    """Return the function that decides a relation at exact values; it converts every value at most once."""
    meaning, names = _MEANINGS[sign], sorted(_names_in(left) | _names_in(right))
    quick = _evaluated(left, fmpq), _evaluated(right, fmpq)

    def is_true(values: Mapping[str, Any]) -> bool:
        here = {}
        for name in names:
            x = values[name]
            if type(x) is not Fraction:
                return meaning(_evaluated(left, Fraction)(values), _evaluated(right, Fraction)(values))
            here[name] = as_flint(x)
        return meaning(quick[0](here), quick[1](here))

    return is_true


@lru_cache(maxsize=20_000)
def values_of(node: Any) -> Callable[[Mapping[str, Any]], Any]:
    """Return the function that evaluates an expression at exact values of its symbols.

    Raises:
        InvalidParameterError: a part of the expression is not a rational function.
    """
    function = _evaluated(node, Fraction)
    if not node.args:  # a number or a symbol: nothing is computed
        return function
    quick, names = _evaluated(node, fmpq), sorted(_names_in(node))

    def value(values: Mapping[str, Any]) -> Any:
        here = {}
        for name in names:
            x = values[name]
            if type(x) is not Fraction:
                return function(values)
            here[name] = as_flint(x)
        return as_fraction(quick(here))

    return value


@lru_cache(maxsize=20_000)
def _evaluated(node: Any, number: Callable[[int, int], Any]) -> Callable[[Mapping[str, Any]], Any]:
    """Return the function that evaluates an expression in a given type of numbers.

    The function is compiled, one assignment for each symbol and operation, because it runs at thousands of points. Its
    source contains only generated names; the names of the symbols are constants of the function.
    """
    lines: list[str] = []
    places: dict[Any, str] = {}
    scope: dict[str, Any] = {}

    def made(text: str) -> str:
        lines.append(f"    v{len(lines)} = {text}")
        return f"v{len(lines) - 1}"

    def held(value: Any) -> str:
        scope[f"c{len(scope)}"] = value
        return f"c{len(scope) - 1}"

    def written(part: Any) -> str:
        if part.is_Rational:
            return held(number(int(part.p), int(part.q)))
        if part.is_Symbol:
            return made(f"values[{held(str(part))}]")
        if part.is_Add or part.is_Mul:
            return made((" + " if part.is_Add else " * ").join(map(place, part.args)))
        if part.is_Pow and part.exp.is_Integer:
            base, power = place(part.base), int(part.exp)
            if abs(power) > _MOST_POWER:  # FLINT would end the program
                raise InvalidParameterError(f"a power is too large: received {power}; allowed are up to {_MOST_POWER}")
            return made(f"{base} ** {power}" if power >= 0 else f"1 / {base} ** {-power}")
        raise InvalidParameterError(
            f"no rational expression: received {shown(str(part))}; allowed are + - * / and powers"
        )

    def place(part: Any) -> str:
        if part not in places:
            places[part] = written(part)
        return places[part]

    result = place(node)
    exec("\n".join(["def value(values):", *lines, f"    return {result}"]), scope)
    value: Callable[[Mapping[str, Any]], Any] = scope["value"]
    return value


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation that a proof may use, and its source: ``domain``, ``condition``, ``case``, ``step``, ..."""

    relation: Relation
    source: str
