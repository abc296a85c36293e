"""Declarations of an author: shapes, quantities and folds. No certificate, no final statement, no scope.

A proof is one shape for each component of ``theory`` and ``computed``, the quantities that a point gives names to,
and steps. The engine (``examine``) ties the shapes to the claim's own values and builds every certificate.
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
    """Return a frozen copy of an author's input: later changes have no effect.

    Raises:
        InvalidParameterError: a text, a shape or an expression has a type of its own, whose meaning may change later.
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
    """A declaration with frozen parts."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            object.__setattr__(self, each.name, frozen(getattr(self, each.name)))


@dataclass(frozen=True, slots=True, init=False)
class Entry:
    """A quantity of a point: ``Entry("P", 0, 1)`` is ``point["P"][0][1]``, with the facts of its domain."""

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
    """The quantity exp(exponent), exponent an expression; its sign and ``exp(x) >= 1 + x`` are facts of the engine."""

    exponent: Any


@dataclass(frozen=True, slots=True)
class Flag:
    """A quantity that is 0 or 1, for example whether a category is in a set. The engine knows this fact."""

    up: bool


@dataclass(frozen=True, slots=True, init=False)
class Max:
    """The largest of finitely many expressions."""

    parts: tuple[Any, ...]

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", frozen(parts))


@dataclass(frozen=True, slots=True, init=False)
class Min(Max):
    """The smallest of finitely many expressions."""

    def __init__(self, *parts: Any) -> None:
        object.__setattr__(self, "parts", frozen(parts))


@dataclass(frozen=True, slots=True)
class Fold(Frozen):
    """Induction over a list of any length, the only form of induction: base, step, and a replay on the actual lists.

    Attributes:
        over: a function from a point and an instance to the list: for each element its named quantities.
        start: the state before the first element, expressions by name.
        update: the state after an element, in the names of state and element.
        invariants: the relations that are true after every element; ``count`` is the number of elements so far. Proved
            of ``start``, and of ``update`` from itself; then facts about the final state.
        count: an expression that is the length of the list; its value is checked on every list.
        family: the elements are members of the claim's ``Least`` of ``theory``, whose relation they satisfy.
        inner: a fold for each element (a sum in a sum), over ``inner.over(point, at, element)``; its invariants are
            facts in the step. Names of its state may stand in the invariants where all elements have the same.
        where: the case in which the invariants are proved, and in which alone they may be used.
        degree: the degree of the Handelman sums; by default searched for.
        totals: by state, what a sum is in the end by an equation or a whole group of a domain: 1, or an expression.
        each: by name of an instance, a name of the elements: every element is an instance of the point, so that what
            has been proved of these names so far holds for it.
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
    """Two orders of the same sum: ``sum_i sum_j a_ij = sum_j sum_i a_ij``, with any number of rows and columns.

    Attributes:
        first, second: folds, proved before.
        sums: by state of the first, a state of the second: the final ones are equal. Its entries determine what is
            added up.
    """

    first: Fold
    second: Fold
    sums: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Least(Frozen):
    """The smallest number ``g >= floor`` for which ``relation`` is true for all members; it is affine in ``g``.

    Attributes:
        relation: in the name ``g`` and the names of a member.
        members: a function from a point to all members; by default the instances of the proof.
        floor: an expression.
        tight: for an equality, the names of a member for which the relation is an equation at the other side.
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
        theory, computed: expressions (SymPy or text), ``Max``, ``Min``, ``Least``, ``Greatest``; omitted expressions
            are traced from the claim's own function.
        of: the key or index of the component; by default the value itself.
        where: the case in which this holds; the cases of a component must cover the domain.
        degree: the degree of the Handelman sums; by default searched for.
    """

    theory: Any = None
    computed: Any = None
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class Truth(Frozen):
    """A truth value: ``theory`` and ``computed`` are true exactly where these relations hold.

    Both truth values must occur at points of the domain, possibly outside the assumptions.
    """

    theory: Any
    computed: Any
    of: Any = None
    where: Any = ()
    degree: int | None = None


@dataclass(frozen=True, slots=True)
class Cell(Frozen):
    """A part of the region of an ``ArgMin`` with one minimiser or none.

    Attributes:
        where: relations of its members; the cells of a shape have to cover the region.
        best: the names of its minimiser as expressions; none when it has none.
        tight: which relations of ``within`` and ``where`` are tight at the minimiser; all tight has one solution.
        terms: a sum that the objective exceeds the least value by, each term with a sign by its factors; found by one
            Handelman sum when left out.
    """

    where: Any = ()
    best: Mapping[str, Any] | None = None
    tight: Any = ()
    terms: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class ArgMin(Frozen):
    """The set of minimisers: ``theory`` and ``computed`` are the minimisers of the cells.

    Attributes:
        objective: in the names of the members and of the point.
        within: relations that define the members.
        best: the names of the minimiser as expressions, the only one; or cells, each with its minimiser.
        member: the claim's own test, ``member(point, *values of the names)``.
        value: the claim's own objective, likewise.
        tight: as in a cell, where the whole region is the only one.
        candidates: a function from a point to tuples that are tried as members; by default a grid on [0, 1].
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
    """The minimisers on [low, high] are endpoints: strictly between, ``objective`` exceeds a mean of its end values.

    Attributes:
        objective: in ``variable`` and the names of the point.
        variable: its name.
        low, high: the endpoints, as expressions.
        weight: the weight of the lower end in the mean, an expression in ``variable``; the other is the rest.
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
    """An intermediate relation, which is proved and may then be used.

    Attributes:
        relation: the relation to prove.
        degree: the degree of the Handelman sums; by default searched for.
        where: the only case in which it is proved and may be used.
    """

    relation: Any
    degree: int | None = None
    where: Any = ()


DECLARED = (Entry, Exp, Flag, Max, Min, Fold, Least, Greatest, Value, Truth, Cell, ArgMin, ArgMinEnds, Step)
