"""The claim: one statement of a paper in precise and executable form, with its proof for all parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rropt.claims.anchors.examination import Anchored
from rropt.claims.anchors.laws import Law, values_at
from rropt.claims.comparisons import STRENGTHS
from rropt.claims.domains import Domain, Point
from rropt.claims.relations import Relation, exact_values, relations
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof that the function ``proof`` of a claim returns.

    Attributes:
        scope: the parameters that it covers, e.g. ``"all gamma > 1, 0 < pi < 1"`` or ``"k <= 5"``.
        argument: the written argument that reduces the claim to the certificates, in LaTeX-free prose.
        certificates: each with a short name of the step it proves.
        unchecked_steps: steps of the argument that no machine checked (a symmetry, an induction, a sum over k).
        anchored: the expressions that the engine tied to the claim; only the engine sets it.
        links: how expressions are tied to the claim's Python: traced, or a sweep of the given number of instances.
        unneeded: conditions of the claim that no certificate used; only where both sides are traced.
        swept: the least number of points at which a link was tested by a sweep; 0 if all links are traces.
        at_shapes: whether a link holds at the shapes that the scope lists alone.
    """

    scope: str
    argument: str
    certificates: tuple[tuple[str, Certificate], ...]
    unchecked_steps: tuple[str, ...] = ()
    anchored: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    unneeded: tuple[str, ...] = ()
    swept: int = 0
    at_shapes: bool = False


Side = Callable[[Point], Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """One interpretation of an ambiguous sentence: the parts of the claim that it changes, and its basis.

    Attributes:
        name: the interpretation in a few words.
        rests_on: the definition on which it rests, quoted from the text.
        changes: the parts of the claim that differ in this reading, by name: ``theory``, ``computed``, ``strength``,
            ``assumptions``, ``correction``, ``missing``, ``proof``, ``mutant``, ``variables``, ...
    """

    name: str
    rests_on: str
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """An executable assumption: a text, and a relation that tests a point and that proofs may use.

    Attributes:
        text: the condition in words.
        holds: a relation in the claim's variables, as text (``"0 < pi < 1"``) or in SymPy, from which the test is
            made; or a function of the point, where no relation says it. Only a proof entry by entry can use that: it
            runs the function on symbols.
        law: of a list of values whose means and probabilities have names in the relation; a proof that has it among
            its folds can use the relation.
        relation: what ``holds`` says, as relations; none for a function.
    """

    text: str
    holds: Any
    law: Law | None = None
    relation: tuple[Relation, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if isinstance(self.holds, str) or not callable(self.holds):
            said = relations(self.holds)
            object.__setattr__(self, "relation", said)
            law = self.law

            def holds(point: Point) -> bool:
                values = exact_values(point) if law is None else {**exact_values(point), **values_at(law, point)}
                return all(part.holds(values) for part in said)

            object.__setattr__(self, "holds", holds)


@dataclass(frozen=True, slots=True)
class Stated:
    """A part of the range that the paper states. Counterexamples must lie within it.

    Attributes:
        text: the range in words.
        holds: a relation in the claim's variables, or a function of the point, as for a condition.
        says: the quoted sentence of the paper.
        names: the variables that it concerns.
    """

    text: str
    holds: Any
    says: str
    names: tuple[str, ...]

    def admits(self, point: Point) -> bool:
        """Return whether a point lies in the range."""
        return bool(Condition(self.text, self.holds).holds(point))


@dataclass(frozen=True, slots=True)
class Correction:
    """The true statement that replaces a claim that fails.

    Attributes:
        statement: the corrected statement, in LaTeX between dollar signs and words.
        theory: its value at a point, compared with the claim's own ``computed``.
        strength: how they must compare; by default as in the claim.
        conditions: further conditions of the corrected statement.
        computed: the true value, if it differs from the claim's own.
    """

    statement: str
    theory: Side
    strength: str = ""
    conditions: tuple[Condition, ...] = ()
    computed: Side | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One entry of the registry.

    The verdict is computed: where every admissible point agrees the claim ``holds``; where adding ``missing``
    removes every disagreement it ``holds-with-assumption``; else it ``fails``, and ``correction`` must agree
    everywhere. A claim with ``not_checkable`` has no ``computed`` side that decides it.

    Attributes:
        id: ``<paper>.<entry>``.
        source: paper and label, e.g. ``"Holohan, Leith and Mason (2016), Theorem 2"``.
        place: section, and the place in it, in the order of print; an entry without one comes last.
        printed: the statement as printed, LaTeX between dollar signs.
        precise: the statement made precise.
        variables: range of each variable; empty for a single statement. The values of one called ``reading`` are
            readings of the sentence, and the remarks give a verdict for each.
        bound: variables that the statement quantifies over at a point (a prior, a set); an anchored proof names them.
        theory: the value in the statement at a point.
        computed: the true value at the point, by a method that does not use the statement.
        strength: how ``computed`` must compare with ``theory`` (``strengths.STRENGTHS``).
        mutant: a slightly false ``theory``, which the same comparison must reject at some point.
        assumptions: what the paper states, executable.
        defined: conditions under which the statement is defined; points outside are not counterexamples and are counted
            separately.
        missing: assumptions that the paper omits and that make the statement true.
        correction: the true statement, if no missing assumption repairs the printed one.
        proof: of the true form (as printed, with ``missing``, or the correction), for all parameters.
        mutant_proof: a function that tries to prove the mutant and must raise; given if ``proof`` proves an inequality.
        certify: a function from a point and its true value to a certificate of that value.
        poses: from a point, the problem of its certificate as the document writes it. The label is ``certified`` only
            if every certificate is accepted, is of this problem, another one at each point, and states the true value.
        evidence: ``sampled`` where floats decide, with the reason in ``precise``. All else is computed: all cases
            of finite domains are ``enumerated``, other exact points are ``tested``.
        notes: remarks for the reader, such as the source of an error and its practical meaning.
        not_checkable: why no computation decides the statement.
        count: the number of random points in addition to the boundary.
        further: additional points, for cases that random points miss.
        readings: the plain readings of a sentence that has several; each has a verdict of its own. Where they differ
            the verdict is ``depends-on-reading``. The parts of the claim itself are those of the first reading, where
            it changes nothing.
        stated: the range that the paper states, beyond the assumptions; the counterexample shown lies within it.
        working: at a counterexample, the steps with their numbers, one per line of plain text, to check by hand.
    """

    id: str
    source: str
    printed: str
    precise: str
    theory: Side
    computed: Side
    mutant: Side
    strength: str = "equality"
    variables: Mapping[str, Domain] = field(default_factory=dict)
    bound: Mapping[str, Domain] = field(default_factory=dict)
    assumptions: tuple[Condition, ...] = ()
    defined: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()
    correction: Correction | None = None
    proof: Callable[[], Proof | Anchored] | None = None
    mutant_proof: Callable[[], Any] | None = None
    certify: Callable[[Point, Any], Certificate] | None = None
    poses: Callable[[Point], Mapping[str, Any]] | None = None
    evidence: Literal["computed", "sampled"] = "computed"
    notes: str = ""
    not_checkable: str = ""
    count: int = 200
    further: tuple[Point, ...] = ()
    working: Callable[[Point], str] | None = None
    place: tuple[int, ...] = ()
    readings: tuple[Reading, ...] = ()
    stated: tuple[Stated, ...] = ()

    def __post_init__(self) -> None:
        for strength in (self.strength, self.correction.strength if self.correction else ""):
            if strength and strength not in STRENGTHS:
                raise InvalidParameterError(
                    f"{self.id} has an unknown strength: received {strength}; allowed are {', '.join(STRENGTHS)}"
                )
        if "." not in self.id or self.id != self.id.lower():
            raise InvalidParameterError(f"a claim's id is <paper>.<entry> in lower case: received {self.id}")

    @property
    def order(self) -> tuple[bool, tuple[int, ...], str]:
        """The sort key of the claims of a paper, in the order of print."""
        return not self.place, self.place, self.id

    @property
    def paper(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]
