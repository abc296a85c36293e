"""The anchored proof that an author writes, and the result of its examination by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rropt.claims.anchors.declarations import Step, frozen
from rropt.claims.anchors.prover import Named
from rropt.claims.domains import Point
from rropt.claims.relations import Fact
from rropt.core.errors import RroptError


class NotAnchoredError(RroptError, ValueError):
    """A proof does not fit its claim: a link fails, a component is not covered, or a shape does not match."""


@dataclass(frozen=True, slots=True, init=False)
class Anchored:
    """A proof whose expressions the engine links to the claim.

    Attributes:
        shapes: one shape for each component, or several shapes whose cases cover it.
        at: a function from a point to the named quantities of its instances: one mapping, or several.
        folds: ``Fold``, ``Law`` or ``Exchange``, in order; the names of each final state become named quantities. A
            ``Step`` among them is proved at its position and may be used afterwards.
        steps: further steps, proved in order after the folds.
        unanchored: the parts that no machine checks, with the reasons; if there are any, the label is ``argued``.
        argument: an explanation for the reader.
    """

    shapes: tuple[Any, ...]
    at: Callable[[Point], Any] | None
    folds: tuple[Any, ...]
    steps: tuple[Step, ...]
    unanchored: tuple[str, ...]
    argument: str

    def __init__(
        self,
        *shapes: Any,
        at: Callable[[Point], Any] | None = None,
        folds: Sequence[Any] = (),
        steps: Sequence[Any] = (),
        unanchored: Sequence[str] = (),
        argument: str = "",
    ) -> None:
        said = tuple(step if isinstance(step, Step) else Step(step) for step in steps)
        parts = (frozen(shapes), at, frozen(folds), frozen(said), frozen(unanchored), argument)
        for name, value in zip(self.__slots__, parts, strict=True):
            object.__setattr__(self, name, value)


@dataclass(slots=True)
class Examination:
    """The result of examining a proof.

    Attributes:
        anchored: descriptions of the parts that are proved and linked to the claim.
        links: for each side, how its expression is linked to the claim's Python.
        swept: for each link that is tested rather than traced, the number of points of the test; empty if every link
            is exact.
        certificates: all accepted certificates.
        used: the facts that occur in the certificates.
        unneeded: relations of the claim that no certificate used; computed only if every link is exact.
        failures: the reasons why parts are not proved; with any failure the label is ``argued``.
        trivial: whether every obligation of the shapes restates a relation or is an identity of equal expressions.
        lemmas: whether a fold or a step proves a nontrivial statement.
        lists: whether lists of any length occur.
        sums: the variables whose domains state the values of sums that the proof uses.
        shapes: descriptions of the shapes at which sides were traced with one symbol per entry. The list is empty if
            no side was traced in this way; a description is empty if all points have one shape.
        whole: the variables that count the elements of a list, so they are integers.
        undefined: whether a side traced with one symbol per entry may be undefined at points of one shape.
    """

    anchored: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    swept: list[int] = field(default_factory=list)
    certificates: list[Named] = field(default_factory=list)
    used: set[Fact] = field(default_factory=set)
    unneeded: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)
    trivial: bool = True
    lemmas: bool = False
    lists: bool = False
    sums: set[str] = field(default_factory=set)
    shapes: list[str] = field(default_factory=list)
    whole: set[str] = field(default_factory=set)
    undefined: bool = False

    def link(self, text: str, *, swept: int = 0, shapes: str | None = None) -> None:
        """Record how a component is linked to the claim: exactly, exactly at some shapes, or by a test at points.

        Args:
            text: the description of the link.
            swept: the number of points of the test, if the link is not traced.
            shapes: a description of the shapes at which each entry is a symbol; empty if all points have one shape.
        """
        self.links.append(text)
        if shapes is not None:
            self.shapes.append(shapes)
        if swept:
            self.swept.append(swept)

    def scope(
        self,
        facts: Iterable[Fact],
        words: Iterable[str],
        meanings: Mapping[str, str] = MappingProxyType({}),
        integers: Iterable[str] = (),
    ) -> str:
        """Return the scope of the proof, which is never wider than its links.

        Args:
            facts: the relations of domains and conditions. If every link is exact, the scope contains those that the
                certificates used; with a link by a sweep it contains all of them.
            words: the conditions and domains that are given only as text; the scope contains them if a link is a sweep.
            meanings: the meanings of names that are not variables of the claim; the scope explains those that it uses.
            integers: the variables that are integers at all points of the sweep; the scope names them if a link is one.
        """
        used = [fact.relation for fact in facts if self.swept or self.shapes or fact in self.used]
        strict = {(relation.left, relation.right) for relation in used if relation.sign == ">"}
        kept = [each for each in used if each.sign != ">=" or (each.left, each.right) not in strict]
        whole = integers if self.swept else () if self.shapes else sorted(self.whole)  # shapes list their integers
        counts = [f"{name} an integer" for name in whole]
        parts = list(dict.fromkeys([*map(str, kept), *counts, *(words if self.swept or self.shapes else ())]))
        said = "all points with " + ", ".join(parts) if parts else "all points at which both sides are defined"
        if self.sums:
            said += f"; sums as the domains of {', '.join(sorted(self.sums))} say"
        names = set[str]().union(*(relation.names() for relation in kept))
        explained: dict[str, list[str]] = {}
        for name, meaning in meanings.items():
            if name in names:
                explained.setdefault(meaning, []).append(name)
        for meaning, alike in explained.items():
            said += f"; {', '.join(alike)}: {'each ' * (len(alike) > 1)}{meaning}"
        said += "".join(f"; {shapes}, where both sides are defined" for shapes in dict.fromkeys(self.shapes) if shapes)
        if self.undefined and self.shapes and parts and not any(self.shapes):
            said += "; where both sides are defined"
        return said + ("; lists of any length" if self.lists and not (self.swept or self.shapes) else "")
