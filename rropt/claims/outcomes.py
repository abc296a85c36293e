"""The outcome of running a claim: a computed verdict with its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

from rropt.claims.stated_values import agrees
from rropt.core.certificates import Bundle, Certificate
from rropt.core.exact import as_text, decimal_text
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled, read_result
from rropt.core.visible import with_noun

# Labels of evidence. AT_SHAPES: proved at the sizes that are listed (numbers of rows and columns, integers and texts).
# REFUTED: the claim is false.
AT_SHAPES = "proved at sizes"
REFUTED = "refuted"
BY_READING = "by reading"
VERDICTS = (
    *("holds", "holds-with-assumption", "not-refuted", "not-refuted-with-assumption"),
    *("fails", "depends-on-reading", "not-checkable", "error"),
)
EVIDENCE = (
    "",
    "proved",
    AT_SHAPES,
    "argued",
    "enumerated",
    "tested",
    REFUTED,
    BY_READING,
)

_NOT_REFUTED = {"holds": "not-refuted", "holds-with-assumption": "not-refuted-with-assumption"}
_STRONGER = {weak: strong for strong, weak in _NOT_REFUTED.items()}


def supported(verdict: str, evidence: str) -> str:
    """Return the verdict that the evidence supports.

    A statement holds if it is proved, proved at sizes, or enumerated. What was only sampled, or rests on an argument
    that no machine checks, is not refuted.
    """
    return _NOT_REFUTED.get(verdict, verdict) if evidence in ("tested", "argued") else verdict


@dataclass(frozen=True, slots=True, eq=False)
class Counterexample(Result):
    """An exact point at which the statement as printed is false.

    Two counterexamples are equal if their dictionaries are equal; a file contains values as ``value_text`` writes them.

    Attributes:
        point: a value for every variable.
        theory: the value in the statement at the point.
        computed: the true value at the point.
        relation: how the true value should compare with the statement, in words.
        working: the calculation, one step per line, for checking by hand.
    """

    point: Mapping[str, Any]
    theory: Any
    computed: Any
    relation: str
    working: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counterexample) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash((self.relation, self.working, *self.point))

    @classmethod
    def from_dict(cls, data: Any) -> Counterexample:
        """Return the object from the output of ``to_dict``; its values are texts."""
        names = {"says": "theory", "is": "computed", "should": "relation"}
        given = {names.get(key, key): value for key, value in data.items()} if isinstance(data, Mapping) else data
        told = read_result(_Told, given)
        return cls(told.point, told.theory, told.computed, told.relation, told.working)

    def lines(self) -> list[tuple[str, str]]:
        """Return labelled lines: the point, both values, the required relation, and the calculation."""
        says, is_ = map(value_text, self.differing())
        at = ", ".join(f"{name} = {value_text(x)}" for name, x in self.point.items())
        rows = [("at", at), ("the statement says", says), ("the true value is", is_), ("it should be", self.relation)]
        return [(what, text) for what, text in [*rows, ("by hand", self.working)] if text]

    def __post_init__(self) -> None:
        for name in ("point", "theory", "computed"):
            if isinstance(value := getattr(self, name), Mapping):
                object.__setattr__(self, name, ReadOnlyMapping(value))

    def differing(self) -> tuple[Any, Any]:
        """Return the stated and the true value; for two mappings only the entries that disagree."""
        says, is_ = self.theory, self.computed
        if isinstance(says, Mapping) and isinstance(is_, Mapping) and says.keys() == is_.keys():
            keys = [key for key in says if not agrees(says[key], is_[key])]
            return {key: says[key] for key in keys}, {key: is_[key] for key in keys}
        return says, is_

    def to_dict(self) -> dict[str, Any]:
        """Return the point, both values in full, the required relation, and the calculation, as text."""
        data: dict[str, Any] = {
            "point": {name: value_text(value) for name, value in self.point.items()},
            "says": value_text(self.theory),
            "is": value_text(self.computed),
            "should": self.relation,
        }
        return {**data, "working": self.working} if self.working else data


@dataclass(frozen=True, slots=True)
class _Told:
    """A counterexample as a file contains it, with values as text."""

    point: Mapping[str, str]
    theory: str
    computed: str
    relation: str
    working: str = ""


@dataclass(frozen=True, slots=True)
class ReadingOutcome(Result):
    """The verdict on one reading of a sentence.

    Attributes:
        name: the reading, in a few words.
        rests_on: the definition on which it is based, quoted.
        verdict, evidence, scope, points, failing, correction_evidence, assumption, sizes: as in ``Outcome``.
    """

    name: str
    rests_on: str
    verdict: str
    evidence: str
    scope: str
    points: int
    failing: int = 0
    correction_evidence: str = ""
    assumption: str = ""
    sizes: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", supported(self.verdict, self.evidence))

    @property
    def label(self) -> str:
        """The printed label of the evidence."""
        return label_of(self)


def label_of(outcome: Outcome | ReadingOutcome) -> str:
    """Return the printed label of the evidence.

    It includes, for a refutation, the evidence of the correction, and the verdict on each reading.
    """
    if outcome.evidence == BY_READING and isinstance(outcome, Outcome):
        return "; ".join(f"read as {each.name}: {each.verdict} ({each.label})" for each in outcome.readings)
    if outcome.evidence == "tested":
        return f"tested at {with_noun(outcome.points, 'point')}"
    if outcome.evidence != REFUTED:
        return _with_sizes(outcome.evidence, outcome.sizes)
    said = "refuted by an exact counterexample"
    if outcome.correction_evidence:
        said += f"; correction {_with_sizes(outcome.correction_evidence, outcome.sizes)}"
    return said


def _with_sizes(label: str, sizes: str) -> str:
    return f"{label} {sizes}" if label == AT_SHAPES and sizes else label


_WRITTEN = (  # the keys of an outcome in JSON, in this order
    *("id", "printed", "precise", "note", "verdict", "evidence", "correction_evidence", "sizes", "scope"),
    *(
        "readings",
        "reason",
        "unchecked_steps",
        "theorems",
        "definitions",
        "points",
        "undefined",
        "failing",
        "about",
        "seconds",
    ),
    *("assumption", "correction", "cells", "remarks", "source", "relations", "sha256"),
)
_OF_READING = [each.name for each in fields(ReadingOutcome) if each.name not in ("name", "rests_on")]


@dataclass(frozen=True, slots=True)
class Outcome(Result):
    """The verdict on a claim, with its evidence.

    ``to_latex`` returns the statement, its scope, the verdict and the evidence, with the counterexample as a table and
    the SHA-256 of each certificate, for the packages amsmath, amssymb, booktabs and longtable.

    Attributes:
        id: the id of the claim.
        verdict: ``holds``, ``holds-with-assumption``, ``not-refuted``, ``not-refuted-with-assumption``, ``fails``,
            ``depends-on-reading`` or ``not-checkable``; a statement that was only sampled or argued is not refuted.
        evidence: ``proved``, ``proved at sizes``, ``argued``, ``enumerated``, ``tested``;
            ``refuted`` for a false statement; ``by reading`` if the verdicts on the readings differ.
        correction_evidence: for a refuted statement, the evidence of its correction; empty without a correction.
        scope: the scope of the evidence; for a refuted statement, its scope, and that of what is true.
        readings: the verdict on each reading of an ambiguous sentence.
        reason: why no computation decides the statement, if the verdict is ``not-checkable``.
        assumption: the missing assumption, in words.
        counterexample: a counterexample to the statement as printed.
        cells: every failing case of a family, if the whole family was enumerated.
        remarks: remarks on the conditions of the entry.
        correction: the corrected statement, and the evidence for it.
        argument: the written part of the proof.
        unchecked_steps: what no machine proved, and why.
        theorems: the Coq theorems that state the claim.
        source: the paper and the place in it.
        relations: of a card, the abbreviations and the rows of the statement, as the card writes them.
        sha256: the SHA-256 of the one file with all certificates (a bundle); empty without certificates.
        definitions: of a card, the meaning of its variables and its definitions, each with what proves it.
        certificates: the accepted certificates, each with the name of its step; a file contains only the names.
        points: the number of distinct points at which the assumptions were true and the comparison was made.
        failing: the number of these points at which the statement as printed is false.
        about: the form of the statement to which the evidence applies: ``as printed``, ``with the assumption``, or
            ``corrected``.
        undefined: the number of points skipped because an expression is undefined there.
        mutant_rejected_at: a point at which the mutant was rejected.
        seconds: the elapsed time, rounded to milliseconds.
        problems: defects of the entry itself; an entry with a problem has no valid verdict.
        steps: the names of the certificates.
        printed, precise: the statement as printed, and made precise.
        note: a remark for the reader, such as the source of an error and the emendation.
        sizes: the sizes at which it is proved, such as ``n = 1, 2``; empty for other evidence.
    """

    id: str
    verdict: str
    evidence: str
    scope: str
    points: int
    seconds: float
    undefined: int = 0
    failing: int = 0
    about: str = ""
    reason: str = ""
    assumption: str = ""
    counterexample: Counterexample | None = None
    cells: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    correction: str = ""
    argument: str = ""
    unchecked_steps: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    certificates: tuple[tuple[str, Certificate], ...] = field(default=(), compare=False)
    mutant_rejected_at: Mapping[str, Any] | None = field(default=None, compare=False)
    problems: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    correction_evidence: str = ""
    readings: tuple[ReadingOutcome, ...] = ()
    printed: str = ""
    precise: str = ""
    note: str = ""
    sizes: str = ""
    theorems: tuple[str, ...] = ()
    source: str = ""
    relations: tuple[str, ...] = ()
    sha256: str = ""

    LABELS = labelled(
        id="claim",
        verdict="verdict",
        label="evidence",
        about="of the statement",
        scope="scope",
        points="points",
        reason="why not",
        assumption="missing assumption",
        counterexample="counterexample",
        correction="what is true",
        note="note",
        theorems="Coq theorems",
        unchecked_steps="unchecked",
        problems="defects",
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", round(self.seconds, 3))
        object.__setattr__(self, "verdict", supported(self.verdict, self.evidence))
        if self.certificates:
            object.__setattr__(self, "steps", tuple(name for name, _ in self.certificates))
            object.__setattr__(self, "sha256", Bundle.of(proof for _, proof in self.certificates).sha256)
        if self.mutant_rejected_at is not None:
            object.__setattr__(self, "mutant_rejected_at", ReadOnlyMapping(self.mutant_rejected_at))

    @property
    def label(self) -> str:
        """The printed label of the evidence."""
        return label_of(self)

    @property
    def verdict_text(self) -> str:
        """The verdict in words: of a statement that was only sampled, at how many points."""
        if self.verdict not in _STRONGER:
            return self.verdict
        added = " with the assumption" * self.verdict.endswith("assumption")
        return f"not refuted{added} at {with_noun(self.points, 'point')}"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt verify --json`` for one claim."""
        data = {key: getattr(self, key) for key in _WRITTEN}
        data = {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}
        data |= {"readings": [each.to_dict() for each in self.readings], "certificates": list(self.steps)}
        if self.counterexample is not None:
            data["counterexample"] = self.counterexample.to_dict()
        if self.problems:
            data["problems"] = list(self.problems)
        return data

    @classmethod
    def from_dict(cls, data: Any) -> Outcome:
        """Return an equal object from the output of ``to_dict``; only the names of certificates are kept."""
        names = {"certificates": "steps"}
        given = {names.get(key, key): value for key, value in data.items()} if isinstance(data, Mapping) else data
        made: Outcome = read_result(cls, given)
        return made

    def to_latex(self) -> str:
        """Return an outcome as LaTeX: the parts one below the other."""
        from rropt.claims.written_claims import outcome_latex

        return outcome_latex(self)


UNREPAIRED = "for a corrected statement, give `fails` and `true` or `true_for`, or `assume`"
"""The remark on a card that is refuted and states no correction."""


def in_error(name: str, told: str) -> Outcome:
    """Return the outcome of an entry that has a defect, with the reason."""
    return Outcome(name, "error", "", "", 0, 0.0, problems=(told,))


def by_readings(found: Sequence[tuple[str, str, Outcome]], printed: str) -> Outcome:
    """Return the outcome of a sentence with several readings, each with its own verdict.

    Args:
        found: for each reading its name, the passage on which it rests, and its outcome.
        printed: the sentence.
    """
    problems = [f"read as {name}: {told}" for name, _, outcome in found for told in outcome.problems]
    problems += [
        f"read as {name}: a reading rests on a passage other than the sentence itself; quote one in `rests_on`"
        for name, passage, _ in found
        if "".join(passage.split()) in "".join(printed.split())
    ]
    outcomes = [outcome for _, _, outcome in found]
    first = next((each for each in outcomes if each.verdict == "fails"), outcomes[0])
    is_one = len({_STRONGER.get(each.verdict, each.verdict) for each in outcomes}) == 1
    weakest = next((each.verdict for each in outcomes if each.verdict in _STRONGER), first.verdict)
    is_alike = is_one and len({each.label for each in outcomes}) == 1
    return replace(
        first,
        verdict="error" if problems else weakest if is_one else "depends-on-reading",
        evidence="" if problems else first.evidence if is_alike else BY_READING,
        readings=tuple(
            ReadingOutcome(name, passage, **{key: getattr(each, key) for key in _OF_READING})
            for name, passage, each in found
        ),
        certificates=tuple(step for each in outcomes for step in each.certificates),
        problems=tuple(problems),
    )


def value_text(value: Any) -> str:
    """Return the text of a value of a claim, for output and for the record; short exact values are printed exactly."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {value_text(x)}" for key, x in value.items()) + "}"
    if isinstance(value, (set, frozenset)):
        return "{" + ", ".join(sorted(value_text(x) for x in value)) + "}"
    if isinstance(value, (list, tuple)):
        return "(" + ", ".join(value_text(x) for x in value) + ")"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        text = as_text(value)
        return text if len(text) <= 40 else f"~{decimal_text(value, 15)}"
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)
