"""Declarations that the author of a proof writes: shapes, quantities and folds.

A declaration contains no certificate, no final statement and no scope. A proof consists of one shape for each
component of ``theory`` and ``computed``, the named quantities of a point, and intermediate steps. The engine
(``examine``) links the shapes to the claim's own values and builds every certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import sympy as sp

from rropt.claims.domains import Point
from rropt.core.errors import InvalidParameterError
from rropt.core.mappings import ReadOnlyMapping

_NODES = {sp.Symbol, sp.Dummy, sp.Add, sp.Mul, sp.Pow, sp.Integer, sp.Rational, sp.Float} | {
    type(number) for number in (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.S.Half)
}
_COMPARISONS = {sp.And, sp.Equality, sp.Unequality, sp.GreaterThan, sp.LessThan}
_COMPARISONS |= {sp.StrictGreaterThan, sp.StrictLessThan, type(sp.true), type(sp.false)}


def frozen(value: Any) -> Any:
    """Return a frozen copy of an author's input, so later changes of the input have no effect.

    Raises:
        InvalidParameterError: a text, a shape or an expression is of a user-defined type, whose meaning could change
            later.
    """
    if isinstance(value, (str, *DECLARED)) and type(value) not in (str, *DECLARED):
        raise InvalidParameterError(f"a kind of its own: received {type(value).__name__}; write plain text and shapes")
    if isinstance(value, sp.Basic):
        for node in sp.preorder_traversal(value):
            if type(node) not in _NODES | _COMPARISONS:
                raise InvalidParameterError(f"no rational expression: received {type(node).__name__}")
    elif isinstance(value, Mapping):
        return ReadOnlyMapping({frozen(key): frozen(part) for key, part in value.items()})
    elif isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(map(frozen, value))
    return value


class Frozen:
    """Base class of declarations; it freezes their fields."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            object.__setattr__(self, each.name, frozen(getattr(self, each.name)))


@dataclass(frozen=True, slots=True, init=False)
class Entry:
    """A quantity of a point: ``Entry("P", 0, 1)`` is ``point["P"][0][1]``, with the facts that its domain implies."""

    path: tuple[Any, ...]

    def __init__(self, *path: Any) -> None:
        object.__setattr__(self, "path", path)

    def value(self, point: Point) -> Any:
        """Return the value of the entry at a point."""
        found: Any = point
        for key in self.path:
            found = found[key]
        return found


@dataclass(frozen=True, slots=True)
class Exp(Frozen):
    """The quantity exp(exponent) of an expression; the engine knows ``exp(x) > 0`` and ``exp(x) >= 1 + x``."""

    exponent: Any


@dataclass(frozen=True, slots=True)
class Flag:
    """A quantity that is 0 or 1, for example an indicator of set membership. The engine knows that it is 0 or 1."""

    up: bool


@dataclass(frozen=True, slots=True, init=False)
class Max:
    """The maximum of finitely many expressions."""

    parts: tuple[Any, ...]

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", frozen(parts))


@dataclass(frozen=True, slots=True, init=False)
class Min(Max):
    """The minimum of finitely many expressions."""

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", frozen(parts))


@dataclass(frozen=True, slots=True)
class Fold(Frozen):
    """Induction over a list of any length: a base case, a step, and a replay on the actual lists.

    It is the only form of induction.

    Attributes:
        over: a function from a point and an instance to the list: the named quantities of each element.
        start: the state before the first element, expressions by name.
        update: the state after an element, in the names of the state and of the element.
        invariants: the relations that are true after every element; ``count`` is the number of elements so far. The
            engine proves them for ``start`` and proves that ``update`` preserves them. They are then facts about the
            final state.
        count: an expression for the length of the list; it is evaluated and checked on every list.
        family: whether the elements are members of the claim's ``Least`` of ``theory`` and so satisfy its relation.
        inner: a fold for each element (a sum within a sum), over ``inner.over(point, at, element)``. Its invariants
            are facts in the step. Names of its state may occur in the invariants if their values are the same for all
            elements.
        where: the case in which the invariants are proved; they may be used only in this case.
        degree: the degree of the Handelman sums; by default the engine searches for it.
        totals: a mapping from names of states to final values, 1 or an expression. An equation of a domain or a group
            that sums to 1 must imply them.
        each: a mapping from names of an instance to names of the elements. Every element must be an instance of the
            point, so relations already proved for the names of the instance are true for the element.
    """

    over: Callable[..., Sequence[Mapping[str, Any]]]
    start: Mapping[str, Any]
    update: Mapping[str, Any]
    invariants: Any
    count: Any = None
    family: bool = False
    inner: Fold | None = None
    where: Any = ()
    degree: int | None = None
    totals: Mapping[str, Any] = field(default_factory=dict)
    each: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two orders of summation of one double sum, ``sum_i sum_j a_ij = sum_j sum_i a_ij``, of any size.

    Attributes:
        first, second: folds that are already proved.
        sums: pairs of states, one of each fold, with the same final value. The updates of a state determine which
            cells it adds.
    """

    first: Fold
    second: Fold
    sums: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Least(Frozen):
    """The smallest number ``g >= floor`` for which ``relation``, which is affine in ``g``, is true for all members.

    Attributes:
        relation: a relation in the name ``g`` and the names of a member.
        members: a function from a point to all members; by default the instances of the proof.
        floor: an expression.
        tight: for an equality, the names of a member at which the relation is an equation.
    """

    relation: Any
    members: Callable[[Point], Sequence[Mapping[str, Any]]] | None = None
    floor: Any = None
    tight: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Greatest(Least):
    """The largest number ``g <= floor`` for which ``relation`` is true for all members."""


@dataclass(frozen=True, slots=True)
class Value(Frozen):
    """A number: ``theory`` and ``computed`` equal these expressions at every admissible point.

    Attributes:
        theory, computed: expressions (SymPy or text), ``Max``, ``Min``, ``Least``, ``Greatest``; an omitted expression
            is traced from the claim's own function.
        of: the key or index of the component; by default the whole value.
        where: the case in which the equations are true; the cases of a component must cover the domain.
        degree: the degree of the Handelman sums; by default the engine searches for it.
    """

    theory: Any = None
    computed: Any = None
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class Truth(Frozen):
    """A truth value: ``theory`` and ``computed`` are true exactly where these relations hold.

    Both truth values must occur at points of the domain; these points may lie outside the assumptions.
    """

    theory: Any
    computed: Any
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class Entrywise(Frozen):
    """A component without an expression: only the run of both sides with a symbol for each entry can prove it.

    If this run does not succeed at every shape of the sweep, the component has no proof. At least one other component
    needs a shape with a nontrivial obligation.
    """

    of: Any = None
    where: Any = field(default=(), init=False)


@dataclass(frozen=True, slots=True)
class Cell(Frozen):
    """A part of the region of an ``ArgMin`` that has exactly one minimizer or none.

    Attributes:
        where: relations that define the cell; the cells of a shape must cover the region.
        best: the coordinates of the minimizer by name, as expressions; ``None`` for a cell without a minimizer.
        tight: the relations of ``within`` and ``where`` that are equations at the minimizer; together these equations
            must have exactly one solution.
        terms: the terms of a sum that equals the objective minus its minimum; the factors of each term determine its
            sign. If omitted, one Handelman sum is searched for.
    """

    where: Any = ()
    best: Mapping[str, Any] | None = None
    tight: Any = ()
    terms: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class ArgMin(Frozen):
    """The set of minimisers: ``theory`` and ``computed`` are the minimizers of the cells.

    Attributes:
        objective: an expression in the names of the members and of the point.
        within: relations that define the members (the feasible region).
        best: the coordinates of the unique minimizer by name, as expressions; or cells, each with its minimizer.
        member: the claim's own feasibility test, ``member(point, *values of the names)``.
        value: the claim's own objective, with the same arguments.
        tight: as in ``Cell``, where the whole region is the only cell.
        candidates: a function from a point to the tuples that are tried as members; by default a grid on [0, 1].
    """

    objective: Any
    within: Any
    best: Mapping[str, Any] | Sequence[Cell]
    member: Callable[..., bool]
    value: Callable[..., Any]
    tight: Any = ()
    candidates: Callable[[Point], Sequence[Sequence[Any]]] | None = None
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class ArgMinEnds(Frozen):
    """The minimizers on [low, high] are endpoints: inside, ``objective`` exceeds a mean of its endpoint values.

    Attributes:
        objective: an expression in ``variable`` and the names of the point.
        variable: the name of the variable.
        low, high: the endpoints, as expressions.
        weight: the weight of the lower endpoint in the mean, an expression in ``variable``; the upper endpoint has
            weight ``1 - weight``.
        value: the claim's own objective, ``value(point, x)``.
    """

    objective: Any
    variable: str
    low: Any
    high: Any
    weight: Any
    value: Callable[..., Any]
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class Step(Frozen):
    """An intermediate relation that is proved first and may then be used as a fact.

    Attributes:
        relation: the relation to prove.
        degree: the degree of the Handelman sums; by default the engine searches for it.
        where: the case in which it is proved; it may be used only in this case.
    """

    relation: Any
    degree: int | None = None
    where: Any = ()


DECLARED = (Entry, Exp, Flag, Max, Min, Fold, Least, Greatest, Value, Truth, Cell, ArgMin, ArgMinEnds, Entrywise, Step)
