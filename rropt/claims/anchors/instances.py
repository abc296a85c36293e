"""Instances: a point with its named quantities, the facts about each name, and folds replayed on the actual lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Anchored, Entry, Exp, Fold
from rropt.claims.anchors.prover import Fact
from rropt.claims.domains import Domain, Point
from rropt.claims.relations import Relation, exact_values, expression, values_of
from rropt.errors import InvalidParameterError
from rropt.exact import ExactReal

__all__ = ["Instance", "entry_facts", "exp_facts", "family_of", "instances_of", "is_number", "named", "replayed"]

Origins = dict[str, set[tuple[Any, ...]]]  # name -> the paths that it has been read from
MOST = 60  # instances of one point


@dataclass(slots=True)
class Instance:
    """One point with its quantities.

    Attributes:
        point: the point.
        says, is_: the values of ``theory`` and ``computed`` there.
        values: exact values by name.
        given: what ``at`` returned, for the lists of folds.
    """

    point: Point
    says: Any
    is_: Any
    values: dict[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)


def instances_of(proof: Anchored, point: Point, says: Any, is_: Any, origins: Origins) -> list[Instance]:
    """Return the instances of a point.

    Raises:
        InvalidParameterError: a quantity has the name of a variable of the claim.
    """
    given = proof.at(point) if proof.at else {}
    listed: Sequence[Mapping[str, Any]] = [given] if isinstance(given, Mapping) else list(given)
    own = {name: value for name, value in exact_values(point).items() if is_number(value)}
    found = []
    for each in listed:
        if clash := sorted(set(each) & set(point)):
            raise InvalidParameterError(f"a variable of the claim cannot be given another value: received {clash}")
        found.append(Instance(point, says, is_, own | named(each, point, own, origins), each))
    return found


def named(given: Mapping[str, Any], point: Point, own: Mapping[str, Any], origins: Origins) -> dict[str, Any]:
    """Return the values of named quantities, and note where each is read from."""
    values: dict[str, Any] = {}
    for name, quantity in given.items():
        path: tuple[Any, ...] = ()
        if isinstance(quantity, Entry):
            value, path = quantity.value(point), quantity.path
        elif isinstance(quantity, Exp):
            value = ExactReal.exponential(values_of(expression(quantity.exponent))({**own, **values}))
            path = ("exp", expression(quantity.exponent))
        else:
            value = quantity
        origins.setdefault(name, set()).add(path)
        value = exact_values({name: value})[name]
        if is_number(value):
            values[name] = value
    return values


def is_number(value: Any) -> bool:
    """Return whether a value is an exact number."""
    return isinstance(value, (Fraction, ExactReal)) or (isinstance(value, int) and not isinstance(value, bool))


def entry_facts(name: str, paths: Iterable[tuple[Any, ...]], domains: Mapping[str, Domain]) -> list[Fact]:
    """Return the facts about a name: what the domain says of every path that it was read from."""
    common: list[Relation] | None = None
    for path in paths:
        if len(path) < 2 or path[0] not in domains:
            return []
        said = [
            relation.renamed({"x": sp.Symbol(name)})
            for pattern, listed in domains[path[0]].entries.items()
            if path[1 : 1 + len(pattern)] == pattern
            for relation in listed
        ]
        common = said if common is None else [relation for relation in common if relation in said]
    return [Fact(relation, f"entries of {next(iter(paths))[0]}") for relation in common or []]


def exp_facts(name: str, paths: Iterable[tuple[Any, ...]]) -> list[tuple[Any, list[Fact], dict[str, Fact]]]:
    """Return for each exponential its exponent, what always holds, and what holds by the sign of the exponent."""
    x, found = sp.Symbol(name), []
    for path in paths:
        if path and path[0] == "exp":
            always = [Relation(x, ">", sp.Integer(0)), Relation(x, ">=", 1 + path[1])]
            by_sign = {
                "<=": Fact(Relation(sp.Integer(1), ">=", x), "exponential"),
                ">=": Fact(Relation(x, ">=", sp.Integer(1)), "exponential"),
            }
            found.append((path[1], [Fact(relation, "exponential") for relation in always], by_sign))
    return found


def replayed(
    fold: Fold, instance: Instance, origins: Origins, family: set[Any] | None, names: set[str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the values before each element of the actual list (with the element's), and the final state.

    Raises:
        InvalidParameterError: the list has another length than ``count``, or an element is no member of the family.
    """
    state = {name: values_of(expression(start))(instance.values) for name, start in fold.start.items()}
    listed = fold.over(instance.point, instance.given)
    passed = []
    for count, element in enumerate(listed):
        if family is not None and _paths(element, names) not in family:
            raise InvalidParameterError(f"an element of the fold is no member of the family: received {element}")
        here = {**instance.values, **named(element, instance.point, instance.values, origins), **state}
        passed.append({**here, "count": Fraction(count)})
        state = {name: values_of(expression(new))(here) for name, new in fold.update.items()}
    if fold.count is not None and values_of(expression(fold.count))(instance.values) != len(listed):
        raise InvalidParameterError(f"a list has another length than {fold.count}: received {len(listed)}")
    return passed, state


def _paths(element: Mapping[str, Any], names: set[str]) -> Any:
    """Return what tells a member: the names and the paths that they are read from."""
    return frozenset((n, value.path) for n, value in element.items() if isinstance(value, Entry) and n in names)


def family_of(members: Sequence[Mapping[str, Any]], names: set[str]) -> set[Any]:
    """Return the members of a family, for ``replayed``."""
    return {_paths(member, names) for member in members}
