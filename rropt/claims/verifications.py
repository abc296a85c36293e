"""A run of several claims: its outcomes, their comparison with the records, and their description as text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rropt.claims.claim import Claim
from rropt.claims.outcomes import REFUTED, Counterexample, Outcome, value_text
from rropt.claims.registry import Paper, find_claims, package_names, papers_of, skipped_files
from rropt.claims.verifying import Comparison, Progress, compare_with_record, load_record
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.results import Result, field_annotations, read_result

if TYPE_CHECKING:
    from rropt.claims.judging import Judged

_FEW = 8  # up to this number of claims, a single process is faster than starting a second one


@dataclass(frozen=True, slots=True)
class Verification(Result):
    """The result of a run of claims; it is true if no entry is in error and every recorded outcome is reproduced.

    Attributes:
        patterns: the requested claims; empty: all claims.
        outcomes: the outcomes of the claims.
        comparison: their comparison with the records that the registries ship.
        papers: the papers of the claims.
        claims: each claim by id. The JSON form has their texts only, and they are missing after reading a file.
    """

    patterns: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    comparison: Comparison
    papers: tuple[Paper, ...]
    claims: Mapping[str, Claim] = field(default_factory=dict, compare=False, repr=False)

    def __bool__(self) -> bool:
        return not self.comparison.changed and not any(outcome.problems for outcome in self.outcomes)

    @property
    def entries(self) -> dict[str, tuple[Claim, Outcome]]:
        """The claim and the outcome of each id."""
        found = {outcome.id: outcome for outcome in self.outcomes}
        return {name: (claim, found[name]) for name, claim in self.claims.items()}

    @property
    def named(self) -> dict[str, Paper]:
        """The papers that were requested by name."""
        return {paper.id: paper for paper in self.papers if paper.id in self.patterns}

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``rropt verify --json``."""
        return {
            "patterns": list(self.patterns),
            "claims": [outcome.to_dict() for outcome in self.outcomes],
            "papers": {paper.id: paper.to_dict() for paper in self.papers},
            **self.comparison.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Verification:
        """Return an equal object from the output of ``to_dict``, without the Python objects of the claims."""
        given = dict(data) if isinstance(data, Mapping) else {}
        papers = given.get("papers")
        if isinstance(papers, Mapping) and all(isinstance(paper, Mapping) for paper in papers.values()):
            listed = [{**paper, "id": name} for name, paper in papers.items()]
            given["papers"] = [
                {**paper, "conventions": [*paper["conventions"].items()]}
                for paper in listed
                if isinstance(paper.get("conventions"), Mapping)
            ]
        names = [name for name in (*field_annotations(Comparison), "agrees") if name in given]
        given["comparison"] = {name: given.pop(name) for name in names}
        given["outcomes"] = given.pop("claims", None)
        made: Verification = read_result(cls, given)
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return labelled lines: the totals, and the verdict on each claim."""
        head, evidence = self.totals().split("\n")
        rows = [("claims", head), ("evidence", evidence.partition(": ")[2])]
        return [row for row in rows if row[1]] + [(outcome.id, outcome.verdict) for outcome in self.outcomes]

    def rows(self) -> list[tuple[str, ...]]:
        """Return a table of claims with verdict, evidence, number of points and time."""
        return [(o.id, o.verdict, o.label, str(o.points), f"{o.seconds:.2f} s") for o in self.outcomes]

    def totals(self) -> str:
        """Return the numbers of claims with each verdict and with each kind of evidence, and the time."""
        outcomes = self.outcomes
        verdicts = _counted(outcome.verdict for outcome in outcomes)
        evidence = _counted(_kind(outcome) for outcome in outcomes if not outcome.problems)
        seconds = sum(outcome.seconds for outcome in outcomes)
        return f"{len(outcomes)} claims in {seconds:.1f} s: {verdicts}\nevidence: {evidence}"

    def conventions(self) -> str:
        """Return the shared conventions of the requested papers, one paragraph for each paper."""
        return "\n".join(_conventions(paper) for paper in self.named.values())

    def explain(self) -> str:
        """Return a full description of every claim, one paragraph for each claim."""
        return "\n".join(explained(claim, outcome) for claim, outcome in self.entries.values())

    def remarks(self) -> list[str]:
        """Return messages about skipped files, entries in error, and records that were not reproduced."""
        errors = [f"rropt: entry {o.id} is in error: {'; '.join(o.problems)}" for o in self.outcomes if o.problems]
        changed = [f"rropt: the recorded verdict of {name} is not reproduced" for name in self.comparison.changed]
        skipped = [] if self.patterns or len(package_names()) > 1 else skipped_files()
        return [*skipped, *errors, *changed]


def verification(
    patterns: Sequence[str] = (), *, effort: int = 1, progress: Progress | None = None, processes: int = 1
) -> Verification:
    """Run the claims that match a paper, an id or a glob, and compare them with the records that registries ship.

    Args:
        patterns: papers, ids or globs; an empty list selects all claims.
        effort: a factor for the number of random points.
        progress: a function that is called after each claim with the number done, the total number, and its outcome.
        processes: the maximum number of processes; more than one requires a main program that can be imported again,
            such as the command line.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    from rropt.claims.verifying import run_all

    packages = package_names()
    claims: Mapping[str, Claim]
    outcomes: Mapping[str, Outcome]
    if len(packages) > 1:  # run each package in a separate process and import none of them here
        each = _apart(patterns, effort=effort, progress=progress)
        claims = {name: claim for part in each for name, claim in part.claims.items()}
        outcomes = {name: out for part in each for name, out in part.outcomes.items()}
        papers = {name: paper for part in each for name, paper in part.papers.items()}
    else:
        entries = find_claims(patterns)
        claims = {name: claim for name, (claim, _) in entries.items()}
        papers = papers_of(entries)
        most = processes if len(claims) > _FEW else 1
        outcomes = run_all(entries, effort=effort, progress=progress, processes=most)
    recorded: dict[str, Any] = {}
    for package in packages:
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec is not None else ():
            recorded |= load_record(Path(folder) / "results.json")
    comparison = compare_with_record(outcomes, recorded, effort=effort)
    found = tuple(outcomes[name] for name in sorted(outcomes))
    return Verification(tuple(patterns), found, comparison, tuple(papers.values()), dict(sorted(claims.items())))


def expected_papers(patterns: Sequence[str]) -> set[str]:
    """Return the papers of the matching claims, without running the claims."""
    if len(package_names()) > 1:
        return {claim.paper for part in _apart(patterns, run=False) for claim in part.claims.values()}
    return {claim.paper for claim, _ in find_claims(patterns).values()}


def _apart(
    patterns: Sequence[str], *, effort: int = 1, run: bool = True, progress: Progress | None = None
) -> list[Judged]:
    """Run the claims of each package in a separate process, and return their outcomes.

    Raises:
        InvalidParameterError: a pattern matches nothing, or two packages have a claim with the same id.
    """
    from rropt.claims.judging import judged

    found = [judged(name, patterns, effort=effort, run=run, progress=progress) for name in package_names()]
    listed = [(name, claim) for part in found for name, claim in part.claims.items()]
    for pattern in patterns:
        if not any(pattern in (name, claim.paper) or fnmatchcase(name, pattern) for name, claim in listed):
            raise InvalidParameterError(f"no claim matches {shown(pattern)}: allowed are a paper, an id or a glob")
    for name, count in Counter(name for name, _ in listed).items():
        if count > 1:
            raise InvalidParameterError(f"two packages have a claim with the id {name}: rename one of them")
    return found


def explained(claim: Claim, outcome: Outcome) -> str:
    """Return a full description of a claim: as printed, made precise, its verdict, and the evidence."""
    label = f"{outcome.label} {outcome.about}" if outcome.about == "with the assumption" else outcome.label
    told: list[tuple[str, Iterable[str]]] = [
        ("printed", [claim.printed]),
        ("precise", [claim.precise]),
        ("verdict", [f"{outcome.verdict} ({label}; {outcome.points} points in {outcome.seconds:.2f} s)"]),
        ("reading", [f"{each.name}: {each.verdict} ({each.label}); {each.rests_on}" for each in outcome.readings]),
        ("not checkable", [outcome.reason]),
        ("scope", [outcome.scope]),
        ("missing assumption", [outcome.assumption]),
        ("counterexample", _counterexample(claim, outcome, outcome.counterexample)),
        ("remark", outcome.remarks),
        ("what is true", [outcome.correction]),
        ("note", [claim.notes]),
        ("argument", [outcome.argument]),
        ("anchored", outcome.anchored),
        ("link", outcome.links),
        ("not needed", outcome.unneeded),
        ("unchecked", outcome.unchecked_steps),
        ("certificate", (f"{name}: {proof.check()}" for name, proof in outcome.certificates)),
        ("defect", outcome.problems),
    ]
    lines = [f"  {what}: {text}".replace(": \n", ":\n", 1) for what, texts in told for text in texts if text]
    return "\n".join([f"{claim.id}  ({claim.source})", *lines]) + "\n"


def _counterexample(claim: Claim, outcome: Outcome, example: Counterexample | None) -> list[str]:
    """Return the text of a counterexample: the point, both values, the required relation, and the calculation."""
    if example is None:
        return []
    says, is_ = (value_text(value) for value in example.differing())
    lines = [f"{name} = {value_text(x)}   ({claim.variables[name].meaning})" for name, x in example.point.items()]
    lines.append(f"the statement says {says}; the true value is {is_}; it should be: {example.relation}")
    if example.working:
        lines += ["by hand:", *(f"  {step}" for step in example.working.splitlines())]
    lines.append(f"false at {outcome.failing} of {outcome.points} points")
    lines += [f"false at {cell}" for cell in outcome.cells]
    return ["".join(f"\n    {line}" for line in lines)]


def _conventions(paper: Paper) -> str:
    """Return the title of a paper and its conventions, as wrapped text."""
    lines = [paper.title]
    for what, how in paper.conventions:
        lines += textwrap.wrap(f"{what}: {how}", 110, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _kind(outcome: Outcome) -> str:
    """Return the category of an outcome: its evidence, and for a refuted statement the evidence of its correction."""
    if outcome.evidence != REFUTED:
        return outcome.evidence
    return f"refuted (correction {outcome.correction_evidence})" if outcome.correction_evidence else "refuted"


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))
