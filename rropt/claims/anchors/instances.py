"""Instances (points with named quantities), the facts about each name, and the replay of folds on the actual lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Entry, Exp, Flag, Fold
from rropt.claims.anchors.examination import Anchored
from rropt.claims.comparisons import Bound
from rropt.claims.domains import Domain, Point
from rropt.claims.relations import Fact, Relation, exact_values, expression, relations, values_of
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import ExactReal

Origins = dict[str, set[tuple[Any, ...]]]  # name -> the paths from which its value was read
NAMED = "the name of an expression"  # the source of a fact
RESERVED = ("count", "g", "theory")  # names with a meaning in the engine


@dataclass(slots=True)
class Instance:
    """One point with its quantities.

    Attributes:
        point: the point.
        says, is_: the values of ``theory`` and ``computed`` at the point.
        values: the exact values of all names.
        given: the mapping that ``at`` returned; the lists of folds use it.
        key: an identifier that all instances of one point share.
    """

    point: Point
    says: Any
    is_: Any
    values: dict[str, Any]
    given: Mapping[str, Any] = field(default_factory=dict)
    key: int = 0


def require_new(names: Iterable[str], taken: Iterable[str]) -> None:
    """Reject names that already have a meaning; otherwise facts about one quantity would be used for another.

    Raises:
        InvalidParameterError: a name is already in use.
    """
    if clash := sorted(set(names) & set(taken)):
        raise InvalidParameterError(f"a name that is taken cannot be given another value: received {clash}; rename it")


def instances_of(
    proof: Anchored, point: Point, says: Any, is_: Any, origins: Origins, bound: Mapping[str, Domain]
) -> list[Instance]:
    """Return the instances of a point.

    Raises:
        InvalidParameterError: a quantity has the name of a variable of the claim.
    """
    given = proof.at(point) if proof.at else {}
    listed: Sequence[Mapping[str, Any]] = [given] if isinstance(given, Mapping) else list(given)
    own = {name: value for name, value in exact_values(point).items() if is_number(value)}
    found = []
    for each in listed:
        require_new(each, {*point, *RESERVED} - set(bound))
        place = {**point, **{name: value for name, value in each.items() if name in bound}}
        found.append(Instance(place, says, is_, own | named(each, place, own, origins), each, id(point)))
    return found


def named(given: Mapping[str, Any], point: Point, own: Mapping[str, Any], origins: Origins) -> dict[str, Any]:
    """Return the values of named quantities, and record in ``origins`` from where each value was read."""
    values: dict[str, Any] = {}
    for name, quantity in given.items():
        path: tuple[Any, ...] = ()
        if type(quantity) is Entry:
            value, path = quantity.value(point), quantity.path
        elif type(quantity) is Exp:
            value = ExactReal.exponential(values_of(expression(quantity.exponent))({**own, **values}))
            path = (Exp, expression(quantity.exponent))
        elif type(quantity) is Flag:
            value, path = Fraction(quantity.up), (Flag,)
        elif isinstance(quantity, (str, sp.Expr)):
            path = (sp.Expr, expression(quantity))
            value = values_of(path[1])({**own, **values})
        else:
            value = quantity
        if name not in origins:
            origins[name] = set()
        origins[name].add(path)
        if type(value) is not Fraction:
            value = exact_values({name: value})[name]
        if is_number(value):
            values[name] = value
    return values


def is_number(value: Any) -> bool:
    """Return whether a value is an exact number."""
    return type(value) in (int, Fraction, ExactReal)


def entry_facts(
    name: str, paths: Iterable[tuple[Any, ...]], domains: Mapping[str, Domain], *, of_all: bool = False
) -> list[Fact]:
    """Return the facts about a name: those that its domain states for every path from which it was read.

    With ``of_all`` the facts must be true for lists of any length. Statements about fixed positions of a list are then
    omitted.
    """
    common: list[Relation] | None = None
    paths = sorted(paths, key=str)
    x = sp.Symbol(name)
    if paths and all(path == (Flag,) for path in paths):
        ends = (Relation(x, ">=", sp.Integer(0)), Relation(sp.Integer(1), ">=", x), Relation(x**2, "=", x))
        return [Fact(relation, "a flag is 0 or 1") for relation in ends]
    if len(paths) == 1 and paths[0][:1] == (sp.Expr,):
        return [Fact(Relation(x, "=", paths[0][1]), NAMED)]
    for path in paths:
        if len(path) < 2 or path[0] not in domains:
            return []
        said = [
            relation.renamed({"x": x})
            for pattern, listed in domains[path[0]].entries.items()
            if path[1 : 1 + len(pattern)] == pattern and not (of_all and _of_places(pattern, paths))
            for relation in listed
        ]
        common = said if common is None else [relation for relation in common if relation in said]
    return [Fact(relation, f"entries of {next(iter(paths))[0]}") for relation in common or []]


def _of_places(pattern: tuple[Any, ...], paths: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether a pattern fixes a position at which the paths differ, or a position of the only path."""
    return any(
        isinstance(part, int) and (len(paths) == 1 or len({path[1 + place] for path in paths}) > 1)
        for place, part in enumerate(pattern)
    )


def exp_facts(
    name: str, paths: Sequence[tuple[Any, ...]] | set[tuple[Any, ...]]
) -> list[tuple[Any, list[Fact], dict[str, Fact]]]:
    """Return the exponents of a name's exponentials, with the facts about each.

    An item contains the exponent, the facts that are always true, and the facts that depend on the exponent's sign.
    """
    x, found = sp.Symbol(name), []
    for path in paths if len(paths) == 1 else ():
        if path and path[0] is Exp:
            always = [Relation(x, ">", sp.Integer(0)), Relation(x, ">=", 1 + path[1])]
            by_sign = {
                "<=": Fact(Relation(sp.Integer(1), ">=", x), "exponential"),
                ">=": Fact(Relation(x, ">=", sp.Integer(1)), "exponential"),
            }
            found.append((path[1], [Fact(relation, "exponential") for relation in always], by_sign))
    return found


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The initial values and the updates of a fold as functions, and the names in its invariants."""

    fold: Fold
    start: list[tuple[str, Any]]
    update: list[tuple[str, Any]]
    used: set[str]


@dataclass(slots=True)
class Replay:
    """The replays of a fold on all instances.

    Attributes:
        family, names: the members of the claim's own family at a point, and the names that identify them.
        before: for each element of the outer list, the id of the instance and all values before the element.
        inside: for each element of the inner lists, all values before the element.
        origins: the paths from which the elements' names were read.
        sums: for each name of an element, whether its list was a whole group of its domain at every instance.
        elements, parts: the names in elements of the outer list and of the inner lists.
        walked: each instance with its elements, and the inner list of each element.
    """

    names: set[str]
    domains: Mapping[str, Domain]
    before: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    inside: list[dict[str, Any]] = field(default_factory=list)
    origins: Origins = field(default_factory=dict)
    sums: dict[str, bool] = field(default_factory=dict)
    elements: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    walked: list[tuple[Instance, Mapping[str, Any], Sequence[Mapping[str, Any]]]] = field(default_factory=list)
    _compiled: dict[int, _Compiled] = field(default_factory=dict)  # by the id of a fold, which is kept alive in it

    def run(self, fold: Fold, instance: Instance, family: set[Any] | None) -> dict[str, Any]:
        """Replay a fold on the actual list of an instance; return the final state.

        Raises:
            InvalidParameterError: the length of the list is not ``count``, an element is not a member of the family,
                or an invariant uses a name of the inner fold whose value changes from element to element.
        """
        listed = list(fold.over(instance.point, instance.given))
        compiled = self._functions(fold)
        state = {name: start(instance.values) for name, start in compiled.start}
        fixed: dict[str, Any] = {}
        used = compiled.used
        taken = {*instance.point, *instance.values, *fold.start, *RESERVED, *(fold.inner.start if fold.inner else ())}
        for count, element in enumerate(map(dict, listed)):  # copies, so later changes of an element have no effect
            require_new(element, taken)
            self.elements.update(element)
            inside = fold.inner.over(instance.point, instance.given, element) if fold.inner else ()
            listed_parts = list(map(dict, inside))
            self.walked.append((instance, element, listed_parts))
            here = {**instance.values, **named(element, instance.point, instance.values, self.origins)}
            if fold.inner is not None:
                inner = self._inner(fold.inner, instance, (element, listed_parts, set(fold.start)), here, family)
                changed = [name for name, value in inner.items() if fixed.setdefault(name, value) != value]
                if used & set(changed):
                    raise InvalidParameterError(f"an invariant uses {changed}, which change from element to element")
                here |= inner
            elif family is not None and _paths(element, self.names) not in family:
                raise InvalidParameterError(f"an element of the fold is no member of the family: received {element}")
            here |= state
            self.before.append((id(instance), {**here, "count": Fraction(count)}))
            state = {name: new(here) for name, new in compiled.update}
        if fold.count is not None and values_of(expression(fold.count))(instance.values) != len(listed):
            raise InvalidParameterError(f"a list has another length than {fold.count}: received {len(listed)}")
        self._sums(listed, instance)
        return {**fixed, **state}

    def _inner(
        self,
        fold: Fold,
        instance: Instance,
        outer: tuple[Any, Any, set[str]],
        here: dict[str, Any],
        family: set[Any] | None,
    ) -> dict[str, Any]:
        element, parts, states = outer
        compiled = self._functions(fold)
        state = {name: start(here) for name, start in compiled.start}
        for count, part in enumerate(parts):
            require_new(part, {*instance.point, *here, *states, *fold.start, *RESERVED})
            self.parts.update(part)
            if family is not None and _paths({**element, **part}, self.names) not in family:
                raise InvalidParameterError(f"an element of the fold is no member of the family: received {part}")
            now = {**here, **named(part, instance.point, here, self.origins), **state}
            self.inside.append({**now, "count": Fraction(count)})
            state = {name: new(now) for name, new in compiled.update}
        return state

    def _functions(self, fold: Fold) -> _Compiled:
        """Return the functions of a fold, which every instance and every element of an outer list uses again."""
        if id(fold) not in self._compiled:
            self._compiled[id(fold)] = _Compiled(
                fold,
                [(name, values_of(expression(given))) for name, given in fold.start.items()],
                [(name, values_of(expression(given))) for name, given in fold.update.items()],
                set[str]().union(*(relation.names() for relation in relations(fold.invariants))),
            )
        return self._compiled[id(fold)]

    def _sums(self, listed: Sequence[Mapping[str, Any]], instance: Instance) -> None:
        """Record for each name whether its entries form a group that sums to 1, as its domain states."""
        for name in {name for element in listed for name in element}:
            paths = [element[name].path for element in listed if type(element.get(name)) is Entry]
            domain = self.domains.get(paths[0][0]) if len(paths) == len(listed) else None
            groups = domain.whole_groups(instance.point[paths[0][0]]) if domain and domain.whole_groups else ()
            is_group = any(sorted(group) == sorted(path[1:] for path in paths) for group in groups)
            is_group = is_group and len({path[0] for path in paths}) == 1
            self.sums[name] = self.sums.get(name, True) and is_group


def _paths(element: Mapping[str, Any], names: set[str]) -> Any:
    """Return the key that identifies a member: its names and the paths from which they are read.

    Raises:
        InvalidParameterError: a name of the relation is a plain number, which cannot identify an entry.
    """
    if plain := sorted(n for n, value in element.items() if n in names and type(value) is not Entry):
        raise InvalidParameterError(
            f"a member of a family is identified by entries: received plain numbers for {plain}"
        )
    return frozenset((n, value.path) for n, value in element.items() if type(value) is Entry and n in names)


def family_of(members: Sequence[Mapping[str, Any]], names: set[str]) -> set[Any]:
    """Return the keys of the members of a family, for ``Replay.run``."""
    return {_paths(member, names) for member in members}


def component(value: Any, of: Any) -> Any:
    """Return the component ``of`` of a value, or the value itself if ``of`` is None."""
    return value if of is None else value[of]


def number_of(value: Any) -> Any:
    """Return the number in a ``Bound``, or the value itself."""
    return value.value if isinstance(value, Bound) else value


def keys_of(value: Any) -> set[Any]:
    """Return the keys or indices of the components of a value; {None} for a single value."""
    if isinstance(value, Mapping):
        return set(value)
    return set(range(len(value))) if isinstance(value, tuple) else {None}
