"""Links at every shape of the sweep: a side runs with one symbol for each entry.

A structured value (a matrix, a list) is not a number, so a trace cannot run with one symbol for it. But the sweep has
only finitely many shapes, that is, numbers of rows and columns, integers and texts. At each shape every fraction of the
point becomes a symbol of its own, and the side is traced. The expression of the proof, including its folds, is replayed
on the same symbols. If the two results are equal as rational functions, the side is linked for all values of the
entries at this shape. The scope lists the shapes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Entry, Flag, Fold, Max, Min, Value
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import Instance, component, number_of
from rropt.claims.anchors.tracing import Traced, TraceEndedError, traced_at
from rropt.claims.comparisons import Bound
from rropt.claims.positivity.expressions import quotient
from rropt.claims.relations import Relation, expression
from rropt.core.errors import InvalidParameterError
from rropt.core.mappings import ReadOnlyMapping

_MOST_SHAPES = 200
_MOST_TERMS = 20_000  # terms of the numerator of a difference
_MOST_RUNS = 8  # branches at one shape
_MOST_INSTANCES = 12  # instances of one point
_MOST_LEAVES = 40  # symbols of one point
_UNNAMED = re.compile("[^a-z0-9_]")  # characters that the names of certificates do not contain
MAXIMUM, _BOUND = "largest_", "bound_"  # prefixes of the symbols of maxima and of entries of bound variables


class NotAtShapesError(InvalidParameterError):
    """A side could not be linked at every shape of the sweep."""


def tied_at_shapes(examiner: Examiner, shape: Value, given: Any, side: str) -> str:
    """Link a side to its expression at every shape of the sweep; return a description of the shapes.

    Raises:
        NotAtShapesError: a shape cannot be linked; the message contains the reason.
    """
    shapes = shapes_of(examiner)
    if len(shapes) > _MOST_SHAPES:
        raise NotAtShapesError(f"{len(shapes)} shapes are too many")
    for instances in shapes.values():
        _tie(examiner, shape, given, side, instances)
    return words(examiner, shapes)


def words(examiner: Examiner, shapes: Mapping[Any, Sequence[Instance]]) -> str:
    """Return a text that lists all shapes by the sizes, integers and texts of the variables.

    The text is empty if no variable has any of these; all points then have one shape.
    """
    points = [instances[0].point for instances in shapes.values()]
    rows: list[dict[str, str]] = [{} for _ in points]
    for name in examiner.form.variables:
        texts = [_size(point[name]) for point in points]
        if len(set(texts)) < len({key_of(point[name]) for point in points}):  # shapes that sizes do not distinguish
            texts = [_size(point[name], full=True) for point in points]
        for row, text in zip(rows, texts, strict=True):
            row[name] = text
    names = [name for name in examiner.form.variables if any(row[name] for row in rows)]
    if not names:
        return ""
    if len(names) == 1:
        return f"{names[0]} of the shape {', '.join(dict.fromkeys(row[names[0]] for row in rows))}"
    listed = dict.fromkeys("(" + ", ".join(row[name] or "any" for name in names) + ")" for row in rows)
    return f"({', '.join(names)}) of the shapes {', '.join(listed)}"


def _size(value: Any, *, full: bool = False) -> str:
    """Describe the shape of a value: ``2 x 3`` for a matrix; an integer or a text is itself.

    With ``full`` all keys of a mapping and all parts of a list are listed, and a fraction is ``*``.
    """
    if isinstance(value, Mapping):
        parts = [f"{key}: {size}" for key, part in value.items() if (size := _size(part, full=full))]
        return f"({', '.join(parts)})" if parts or full else ""
    if isinstance(value, (tuple, list)):
        if full or any(isinstance(part, (int, str)) for part in value):
            return f"({', '.join(_size(part, full=full) for part in value)})"
        inner = list(dict.fromkeys(map(_size, value)))
        return str(len(value)) + (f" x {inner[0]}" if len(inner) == 1 and inner[0] else "")
    return ("*" if full else "") if type(value) is Fraction else str(value)


def shapes_of(examiner: Examiner) -> dict[Any, list[Instance]]:
    """Return, for each shape, the instances of the first point with this shape."""
    found: dict[Any, list[Instance]] = {}
    keys: dict[int, Any] = {}  # shape by point
    for each in examiner.instances:
        if each.key not in keys:
            keys[each.key] = key_of({name: each.point[name] for name in examiner.form.variables})
        listed = found.setdefault(keys[each.key], [])
        if not listed or listed[0].key == each.key:
            listed.append(each)
    return found


def points_of(examiner: Examiner, most: int) -> dict[Any, list[Mapping[str, Any]]]:
    """Return, for each shape, at most ``most`` of its points."""
    found: dict[Any, list[Mapping[str, Any]]] = {}
    met: set[int] = set()
    for each in examiner.instances:
        if each.key not in met:
            met.add(each.key)
            point = {name: each.point[name] for name in examiner.form.variables}
            listed = found.setdefault(key_of(point), [])
            if len(listed) < most:
                listed.append(point)
    return found


def key_of(value: Any) -> Any:
    """Return a value with its fractions replaced by a placeholder: the common part of all points of a shape.

    Raises:
        NotAtShapesError: the value has an unsupported type.
    """
    if type(value) in (dict, ReadOnlyMapping):  # other mappings may answer otherwise than the dict of a run
        return tuple((key, key_of(part)) for key, part in value.items())
    if type(value) in (tuple, list):
        return type(value).__name__, *map(key_of, value)
    if type(value) is Fraction:
        return "*"
    if type(value) is bool:
        return "bool", value  # True and 1 are equal
    if type(value) in (int, str, type(None)):
        return value
    raise NotAtShapesError(f"a value of the type {type(value).__name__}")


def _tie(examiner: Examiner, shape: Value, given: Any, side: str, instances: Sequence[Instance]) -> None:
    """Run a side on every branch at one shape, and compare it with the expression at several instances."""
    point = {name: instances[0].point[name] for name in examiner.form.variables}
    leaves = leaves_of(point)
    if not leaves:
        raise NotAtShapesError("no entry is a symbol: every value is a shape of its own")
    if len(leaves) > _MOST_LEAVES:
        raise NotAtShapesError(f"{len(leaves)} entries at one shape are too many")
    eliminated(examiner, point, leaves)
    if isinstance(given, (Max, Min)) or given is None:
        raise NotAtShapesError("no expression to compare with")
    branches = _known_branches(examiner, side, instances[0].key, (point, leaves))  # first, since it fails quickly
    wanted = [_given(examiner, given, each, leaves) for each in instances[:_MOST_INSTANCES]]
    for returned in branches:
        value = number_of(component(returned, shape.of))
        first = component(instances[0].says if side == "theory" else instances[0].is_, shape.of)
        if isinstance(component(returned, shape.of), Bound) is not isinstance(first, Bound):
            raise NotAtShapesError("another kind of bound on a branch")
        if type(value) not in (Traced, int, Fraction):
            raise NotAtShapesError(f"a value of the type {type(value).__name__}")
        found = value.expression if type(value) is Traced else expression(value)
        for each in wanted:
            difference = found - each
            terms = comb(sum(_degrees(difference)) + len(difference.free_symbols), len(difference.free_symbols))
            if terms > _MOST_TERMS:
                raise NotAtShapesError("an expression of high degree in many entries")
            if quotient(difference)[0] != 0:
                raise NotAtShapesError("another expression on a branch")


@lru_cache(maxsize=20_000)
def _degrees(node: Any) -> tuple[int, int]:
    """Return upper bounds of the total degrees of an expression's numerator and denominator, as it is written."""
    if node.is_Symbol:
        return 1, 0
    if node.is_Pow and node.exp.is_Integer:
        above, below = _degrees(node.base)
        size = abs(int(node.exp))
        return (above * size, below * size) if node.exp > 0 else (below * size, above * size)
    parts = [_degrees(part) for part in node.args]
    below = sum(part[1] for part in parts)
    if node.is_Add:
        return max(above + below - own for above, own in parts), below
    return sum(part[0] for part in parts), below


def leaves_of(point: Mapping[str, Any]) -> dict[tuple[Any, ...], Any]:
    """Return a symbol for each fraction of a point, indexed by path.

    Raises:
        NotAtShapesError: two fractions would get the same symbol and count as equal, or a name is reserved.
    """
    leaves: dict[tuple[Any, ...], Any] = {}
    for name, value in point.items():
        _find_leaves(value, (name,), leaves)
    named: dict[Any, tuple[Any, ...]] = {}
    for path, symbol in leaves.items():
        if named.setdefault(symbol, path) != path:
            raise NotAtShapesError(f"two entries have the name {symbol}: rename a variable or a key")
        if symbol.name.startswith((MAXIMUM, _BOUND)):
            raise NotAtShapesError(f"the engine gives the name {symbol} a meaning of its own: rename the variable")
    return leaves


def _find_leaves(value: Any, path: tuple[Any, ...], leaves: dict[tuple[Any, ...], Any]) -> None:
    if isinstance(value, Mapping):
        for key, part in value.items():
            _find_leaves(part, (*path, key), leaves)
    elif isinstance(value, (tuple, list)):
        for place, part in enumerate(value):
            _find_leaves(part, (*path, place), leaves)
    elif type(value) is Fraction:
        leaves[path] = sp.Symbol(_UNNAMED.sub("_", "_".join(map(str, path)).lower()))  # a name that certificates allow


def eliminated(examiner: Examiner, point: Mapping[str, Any], leaves: dict[tuple[Any, ...], Any]) -> None:
    """Replace the last entry of every group that sums to 1 by 1 minus the other entries."""
    for name, domain in examiner.form.variables.items():
        for group in domain.whole_groups(point[name]) if domain.whole_groups else ():
            paths = [(name, *path) for path in group]
            known: list[Any] = [leaves.get(path) for path in paths]
            if known and all(part is not None and part.is_Symbol for part in known):
                leaves[paths[-1]] = 1 - sum(known[:-1])


def _known_branches(examiner: Examiner, side: str, key: int, at: tuple[Any, Any]) -> list[Any]:
    """Return the results of a side on all branches at one shape; they are cached for all components.

    Raises:
        NotAtShapesError: the side cannot be run on symbols.
    """
    if ("at shapes", side, key) not in examiner.traces:
        function = examiner.form.theory if side == "theory" else examiner.form.computed
        try:
            found: Any = _branches(function, *at)
        except NotAtShapesError as reason:
            found = reason
        examiner.traces["at shapes", side, key] = found
    known = examiner.traces["at shapes", side, key]
    if isinstance(known, NotAtShapesError):
        raise known
    branches: list[Any] = known
    return branches


def _branches(function: Any, point: Mapping[str, Any], leaves: Mapping[tuple[Any, ...], Any]) -> list[Any]:
    """Run a side on every branch at one shape, and return its results."""
    waiting: list[tuple[bool, ...]] = [()]
    found: list[Any] = []
    while waiting:
        if len(found) >= _MOST_RUNS:
            raise NotAtShapesError("too many branches")
        answers, asked = list(waiting.pop()), list[Relation]()

        def decide(relation: Relation, answers: list[bool] = answers, asked: list[Relation] = asked) -> bool:
            if relation in asked:
                return answers[asked.index(relation)]
            if len(asked) >= len(answers):
                answers.append(True)
                waiting.append((*answers[:-1], False))
            asked.append(relation)
            return answers[len(asked) - 1]

        try:
            found.append(traced_at(function, point, leaves, decide))
        except TraceEndedError as reason:
            raise NotAtShapesError(str(reason)) from None
    return found


def _given(examiner: Examiner, given: Any, each: Instance, leaves: Mapping[tuple[Any, ...], Any]) -> Any:
    """Write the expression of the proof at an instance in the symbols of the entries."""
    if ("names", id(each)) not in examiner.traces:
        examiner.traces["names", id(each)] = _names_at(examiner, each, leaves)
    names = examiner.traces["names", id(each)]
    wanted = expression(given)
    if missing := sorted(str(x) for x in wanted.free_symbols if str(x) not in names):
        raise NotAtShapesError(f"no value of {', '.join(missing)} in the symbols of the entries")
    return _put(wanted, names)


def _names_at(examiner: Examiner, each: Instance, leaves: Mapping[tuple[Any, ...], Any]) -> dict[str, Any]:
    """Return the value of each name of the proof at an instance, in the symbols of the entries."""
    names: dict[str, Any] = {}
    for name in examiner.form.variables:
        value = each.point[name]
        if type(value) in (int, Fraction):
            names[name] = leaves[(name,)] if type(value) is Fraction else sp.Integer(value)
    for name, quantity in each.given.items():
        names[name] = _quantity(quantity, each, names, leaves)
    for fold in examiner.proof.folds:
        if isinstance(fold, Fold):
            names |= _replayed(fold, each, names, leaves)
    return names


def _put(node: Any, names: Mapping[str, Any]) -> Any:
    return node.xreplace({x: names[x.name] for x in node.free_symbols if x.name in names})


def _quantity(quantity: Any, each: Instance, names: Mapping[str, Any], leaves: Mapping[tuple[Any, ...], Any]) -> Any:
    """Write a named quantity in the symbols of the entries; a plain number keeps its value at this point."""
    if type(quantity) is Entry:
        found = leaves.get(quantity.path)
        if found is not None:
            return found
        value = quantity.value(each.point)
        if quantity.path[0] in each.point and type(value) is Fraction:  # an entry of a bound variable gets a new symbol
            return sp.Symbol(f"{_BOUND}{quantity.path}")
        return _constant(value)
    if type(quantity) is Flag:
        return sp.Integer(int(quantity.up))
    if isinstance(quantity, (str, sp.Expr)):
        return _put(expression(quantity), names)
    return _constant(quantity)


def _constant(value: Any) -> Any:
    """Return an integer of a shape; a fraction may depend on the entries, so it becomes an unknown symbol."""
    return sp.Integer(value) if type(value) is int else sp.Dummy()


def _replayed(fold: Fold, each: Instance, names: Mapping[str, Any], leaves: Mapping[tuple[Any, ...], Any]) -> Any:
    """Return the final state of a fold, written in the symbols of the entries."""
    state = {name: _put(expression(start), names) for name, start in fold.start.items()}
    fixed: dict[str, Any] = {}
    for element in list(fold.over(each.point, each.given)):
        own = dict(names)
        for name, quantity in element.items():
            own[name] = _quantity(quantity, each, own, leaves)
        if fold.inner is not None:
            inner = {name: _put(expression(start), own) for name, start in fold.inner.start.items()}
            for part in list(fold.inner.over(each.point, each.given, element)):
                here = dict(own)
                for name, quantity in part.items():
                    here[name] = _quantity(quantity, each, here, leaves)
                inner = {name: _put(expression(new), {**here, **inner}) for name, new in fold.inner.update.items()}
            own |= inner
            fixed |= inner
        state = {name: _put(expression(new), {**own, **state}) for name, new in fold.update.items()}
    return {**fixed, **state}
