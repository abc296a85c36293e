"""The claim: one statement of a paper in precise and executable form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rropt.claims.cards.card_files import Card
from rropt.claims.domains import Domain, Point
from rropt.claims.relations import Relation, relations
from rropt.claims.stated_values import StatedBound
from rropt.core.certificates import Certificate
from rropt.core.errors import InvalidParameterError


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof: a written argument, so that the label is ``argued``, theorems in Coq, or a run on symbols.

    Attributes:
        scope: the parameters that it covers, e.g. ``"all gamma > 1, 0 < pi < 1"`` or ``"k <= 5"``.
        argument: the argument that reduces the claim to the certificates, in prose without LaTeX.
        certificates: the certificates, each with a short name of the step that it proves.
        unchecked_steps: steps of the argument that no machine checked (a symmetry, an induction, a sum over k).
        sizes: the sizes at which the engine proves a claim; an argument has none.
        theorems: the Coq theorems that state the claim for every value of the scope. With them, and without an
            unchecked step, the label is ``proved``.
    """

    scope: str
    argument: str
    certificates: tuple[tuple[str, Certificate], ...] = ()
    unchecked_steps: tuple[str, ...] = ()
    sizes: str = ""
    theorems: tuple[str, ...] = ()


# the rows of a claim at a point: (name, true value, sign, stated value); the signs are = ~ <= >= < >
Row = tuple[str, Any, str, Any]
Rows = Callable[[Point], Sequence[Row]]
STRENGTHS = {"<=": "at-most", ">=": "at-least", "<": "less", ">": "greater", "~": "rounds-to"}


def sides(rows: Sequence[Row]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what each row states, a value or a bound, and the true value of each row.

    Raises:
        ValueError: there is no row, two rows have one name, or a sign is unknown.
    """
    if not rows:
        raise ValueError("the claim states no row here, so that nothing would be judged")
    says: dict[str, Any] = {}
    for name, _, sign, said in rows:
        if sign != "=" and sign not in STRENGTHS:
            raise ValueError(f"a row has an unknown sign: received {sign}; allowed are = ~ <= >= < >")
        says[name] = said if sign == "=" else StatedBound(STRENGTHS[sign], said)
    if len(says) < len(rows):
        raise ValueError("two rows have one name")
    return says, {name: value for name, value, _, _ in rows}


def no_rows(_: Point) -> Sequence[Row]:
    """Raise an error: the claim is a text, a card or a claim of another process.

    Raises:
        InvalidParameterError: always.
    """
    raise InvalidParameterError("the rows of this claim are a text: a card, or a claim of another process")


@dataclass(frozen=True, slots=True)
class Reading:
    """One interpretation of an ambiguous sentence: its basis and the parts of the claim that it changes.

    Attributes:
        name: the interpretation in a few words.
        rests_on: the definition on which it is based, quoted from the text.
        changes: the parts of the claim that differ in this reading, by name: ``rows``,
            ``assumptions``, ``correction``, ``missing``, ``proof``, ``mutants``, ``variables``, ...
    """

    name: str
    rests_on: str
    changes: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """An executable assumption: a text, and a relation that tests a point and that proofs may use.

    Attributes:
        text: the condition in words.
        holds: the test of a point. It is given as the text of a relation in the claim's variables, ``"0 < pi < 1"``, or
            as a function of the point if no relation expresses it. The run on symbols runs this function too. A claim
            that another process judges, or a card, has only the text.
        relation: the relations that ``holds`` expresses; empty for a function.
    """

    text: str
    holds: Any = None
    relation: tuple[Relation, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if self.holds is not None and (isinstance(self.holds, str) or not callable(self.holds)):
            said = relations(self.holds)
            object.__setattr__(self, "relation", said)

            def holds(point: Point) -> bool:
                return all(part.holds(point) for part in said)

            object.__setattr__(self, "holds", holds)


@dataclass(frozen=True, slots=True)
class Stated:
    """A part of the range that the paper states. Counterexamples must lie within it.

    Attributes:
        text: the range in words.
        holds: a relation in the claim's variables, or a function of the point, as in ``Condition``.
        says: the sentence of the paper, quoted.
        names: the variables that the range restricts.
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
    """The true statement that replaces a false claim.

    Attributes:
        statement: the corrected statement, in words with LaTeX between dollar signs.
        rows: its rows at a point.
        conditions: further conditions of the corrected statement.
    """

    statement: str
    rows: Rows = no_rows
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """One entry of the registry of claims.

    The verdict is computed. A claim ``holds`` if the comparison is true at every admissible point. It
    ``holds-with-assumption`` if adding ``missing`` removes every disagreement. Otherwise it ``fails``, and
    ``correction`` must agree everywhere. A claim with ``not_checkable`` has no rows that could decide it.

    Attributes:
        id: ``<paper>.<entry>``.
        source: paper and label, e.g. ``"Holohan, Leith and Mason (2016), Theorem 2"``.
        place: section and position within it, which define the order of print; an entry without a place comes last.
        printed: the statement as printed, LaTeX between dollar signs.
        precise: the statement made precise.
        variables: the domain of each variable; empty for a single statement.
        rows: the rows at a point; the true value of a row comes from a method that does not use the statement.
        assumptions: the assumptions of the paper, in executable form.
        defined: conditions under which the statement is defined; points outside are not counterexamples and are counted
            separately.
        missing: assumptions that the paper omits and that make the statement true.
        correction: the true statement, if no missing assumption repairs the printed one.
        proof: a function that returns a written argument for the true form (as printed, with ``missing``, or the
            correction). Without one the engine tries to prove this form with a symbol for each entry.
        notes: remarks for the reader, such as the source of an error and its practical meaning.
        not_checkable: the reason why no computation decides the statement.
        count: the number of random points in addition to the boundary.
        readings: the plausible readings of an ambiguous sentence; each has its own verdict. If the verdicts differ, the
            verdict of the claim is ``depends-on-reading``. The first reading has the parts of the claim itself, except
            those that it changes.
        stated: the range that the paper states in addition to the assumptions; the reported counterexample lies in it.
        working: a function from a counterexample to its calculation in plain text, one step per line, for checking by
            hand.
        card: the card that is judged; the claim then has no rows.
        mutants: the rows of each mutant: each is false at some point, and each row is false in one of them.
        cases: of a claim in rows, the points of the sweep.
        sizes: of a claim in rows, the variables that are sizes of others.
        told: further texts that pages print about the sides and the conditions, by title.
    """

    id: str
    source: str
    printed: str
    precise: str
    rows: Rows = no_rows
    variables: Mapping[str, Domain] = field(default_factory=dict)
    assumptions: tuple[Condition, ...] = ()
    defined: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()
    correction: Correction | None = None
    proof: Callable[[], Proof] | None = None
    notes: str = ""
    not_checkable: str = ""
    count: int = 200
    working: Callable[[Point], str] | None = None
    place: tuple[int, ...] = ()
    readings: tuple[Reading, ...] = ()
    stated: tuple[Stated, ...] = ()
    card: Card | None = None
    mutants: tuple[Rows, ...] = ()
    cases: Callable[[], Iterable[Point]] | None = None
    sizes: tuple[str, ...] = ()
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "." not in self.id or self.id != self.id.lower():
            raise InvalidParameterError(f"a claim's id is <paper>.<entry> in lower case: received {self.id}")

    @property
    def order(self) -> tuple[bool, tuple[int, ...], str]:
        """The sort key of the claims of a paper, in the order of print."""
        return not self.place, self.place, self.id

    @property
    def facts(self) -> dict[str, tuple[str, ...]]:
        """What pages say of the sides, the range and the conditions, by title."""
        conditions = {
            "Assumptions": self.assumptions,
            "Undefined unless": self.defined,
            "Missing": self.missing,
            "Conditions of the correction": self.correction.conditions if self.correction else (),
        }
        ranges = tuple(
            f"{part.text}: \N{LEFT DOUBLE QUOTATION MARK}{part.says}\N{RIGHT DOUBLE QUOTATION MARK}"
            for part in self.stated
        )
        own = {"Range that the paper states": ranges}
        own |= {title: tuple(each.text for each in part) for title, part in conditions.items()}
        return {**self.told, **{title: texts for title, texts in own.items() if texts}}

    @property
    def paper(self) -> str:
        """The name of the paper: the part of the id before the first dot."""
        return self.id.partition(".")[0]
