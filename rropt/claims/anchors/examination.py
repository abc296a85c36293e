"""The anchored proof of an author, and its examination by the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rropt.claims.anchors.declarations import Step, frozen
from rropt.claims.anchors.prover import Named
from rropt.claims.domains import Point
from rropt.claims.relations import Fact
from rropt.core.errors import RroptError


class NotAnchoredError(RroptError, ValueError):
    """A proof is not about its claim: a link that fails, a part that is not covered, a shape that does not fit."""


@dataclass(frozen=True, slots=True, init=False)
class Anchored:
    """A proof whose expressions the engine ties to the claim.

    Attributes:
        shapes: one for each component, or several whose cases cover it.
        at: from a point, the named quantities of its instances: one mapping, or several.
        folds: in order, ``Fold``, ``Law`` or ``Exchange``; the final state of each is named quantities. A ``Step``
            among them is proved there, and may then be used.
        steps: in order, after the folds.
        unanchored: the parts that no machine checks, and why; the label is then ``argued``.
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
        anchored: what is proved and tied to the claim, in words, one per part.
        links: how the expressions are tied to the claim's Python, one per side.
        swept: at how many points each link was tested that is not a trace; none when every link is exact.
        certificates: all that were accepted.
        used: facts that occur in them.
        unneeded: relations of the claim that no certificate used; only where every link is exact.
        failures: why parts are not proved; any makes the label ``argued``.
        trivial: whether every obligation of the shapes restates a relation, or is an identity of equal expressions.
        lemmas: whether a fold or a step proves something that is not trivial.
        lists: whether lists of any length occur.
        sums: variables whose domains say what sums are; this was used.
        shapes: at which sides were traced with a symbol for each entry, in words; none where they were traced at all,
            and no words where every point has one shape.
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

    def link(self, text: str, *, swept: int = 0, shapes: str | None = None) -> None:
        """Note how something is tied to the claim: exactly, at some shapes, or as far as so many points show.

        Args:
            text: for people.
            swept: at how many points it was tested, where it was not traced.
            shapes: at which a symbol stands for each entry, in words; no words where every point has one shape.
        """
        self.links.append(text)
        if shapes is not None:
            self.shapes.append(shapes)
        if swept:
            self.swept.append(swept)

    def scope(self, facts: Iterable[Fact], words: Iterable[str]) -> str:
        """Return the scope, which is never wider than the links.

        Args:
            facts: the relations of domains and conditions. Where every link is exact, those that certificates used are
                the scope; with a link by a sweep, all of them.
            words: conditions and domains in words; they belong to the scope where a link is a sweep.
        """
        used = [fact.relation for fact in facts if self.swept or self.shapes or fact in self.used]
        strict = {(relation.left, relation.right) for relation in used if relation.sign == ">"}
        kept = [each for each in used if each.sign != ">=" or (each.left, each.right) not in strict]
        parts = list(dict.fromkeys([*map(str, kept), *(words if self.swept or self.shapes else ())]))
        said = "all points with " + ", ".join(parts) if parts else "all points at which both sides are defined"
        if self.sums:
            said += f"; sums as the domains of {', '.join(sorted(self.sums))} say"
        said += "".join(f"; {shapes}, where both sides are defined" for shapes in dict.fromkeys(self.shapes) if shapes)
        return said + ("; lists of any length" if self.lists and not (self.swept or self.shapes) else "")
