"""A run of claims as a whole: its outcomes, how they stand to the records, and each of them in words."""

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
from rropt.core.results import Result, hints_of, read_result

if TYPE_CHECKING:
    from rropt.claims.judging import Judged

_FEW = 8  # claims that are run before a second process has started


@dataclass(frozen=True, slots=True)
class Verification(Result):
    """The result of a run of claims; its truth value is true iff no entry is in error and every record was reproduced.

    Attributes:
        patterns: the requested claims; empty: all claims.
        outcomes: of the claims.
        comparison: how they stand to the records that the registries ship.
        papers: of the claims.
        claims: each claim with its module, by id, or with the hash of its files, where it was judged in another
            process: Python, which no JSON contains; none from a file.
    """

    patterns: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    comparison: Comparison
    papers: tuple[Paper, ...]
    claims: Mapping[str, tuple[Claim, Any]] = field(default_factory=dict, compare=False, repr=False)

    def __bool__(self) -> bool:
        return not self.comparison.changed and not any(outcome.problems for outcome in self.outcomes)

    @property
    def entries(self) -> dict[str, tuple[Claim, Outcome]]:
        """Claim and outcome by id."""
        found = {outcome.id: outcome for outcome in self.outcomes}
        return {name: (claim, found[name]) for name, (claim, _) in self.claims.items()}

    @property
    def recorded(self) -> dict[str, tuple[Outcome, Any]]:
        """The outcome of each claim with its module: what a record is written from."""
        return {name: (outcome, self.claims[name][1]) for name, (_, outcome) in self.entries.items()}

    @property
    def named(self) -> dict[str, Paper]:
        """The papers that were asked for by name."""
        return {paper.id: paper for paper in self.papers if paper.id in self.patterns}

    def to_dict(self) -> dict[str, Any]:
        """Return the form of ``rropt verify --json``."""
        return {
            "patterns": list(self.patterns),
            "claims": [outcome.to_dict() for outcome in self.outcomes],
            "papers": {paper.id: paper.to_dict() for paper in self.papers},
            **self.comparison.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Verification:
        """Return an equal object from the output of ``to_dict``, without the claims' Python."""
        given = dict(data) if isinstance(data, Mapping) else {}
        papers = given.get("papers")
        if isinstance(papers, Mapping) and all(isinstance(paper, Mapping) for paper in papers.values()):
            listed = [{**paper, "id": name} for name, paper in papers.items()]
            given["papers"] = [
                {**paper, "conventions": [*paper["conventions"].items()]}
                for paper in listed
                if isinstance(paper.get("conventions"), Mapping)
            ]
        names = [name for name in (*hints_of(Comparison), "agrees") if name in given]
        given["comparison"] = {name: given.pop(name) for name in names}
        given["outcomes"] = given.pop("claims", None)
        made: Verification = read_result(cls, given)
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return the totals, and each claim with its verdict."""
        head, evidence = self.totals().split("\n")
        rows = [("claims", head), ("evidence", evidence.partition(": ")[2])]
        return [row for row in rows if row[1]] + [(outcome.id, outcome.verdict) for outcome in self.outcomes]

    def rows(self) -> list[tuple[str, ...]]:
        """Return claim, verdict, evidence, number of points and time of each, for people."""
        return [(o.id, o.verdict, o.label, str(o.points), f"{o.seconds:.2f} s") for o in self.outcomes]

    def totals(self) -> str:
        """Return how many claims have each verdict and each evidence, and the time."""
        outcomes = self.outcomes
        verdicts = _counted(outcome.verdict for outcome in outcomes)
        evidence = _counted(_kind(outcome) for outcome in outcomes if not outcome.problems)
        seconds = sum(outcome.seconds for outcome in outcomes)
        return f"{len(outcomes)} claims in {seconds:.1f} s: {verdicts}\nevidence: {evidence}"

    def conventions(self) -> str:
        """Return the common conventions of the named papers, a paragraph for each."""
        return "\n".join(_conventions(paper) for paper in self.named.values())

    def explain(self) -> str:
        """Return every claim in full, a paragraph for each."""
        return "\n".join(explained(claim, outcome) for claim, outcome in self.entries.values())

    def remarks(self) -> list[str]:
        """Return the errors in files, entries and records, and the claims without a record."""
        errors = [f"rropt: entry {o.id} is in error: {'; '.join(o.problems)}" for o in self.outcomes if o.problems]
        changed = [f"rropt: the recorded verdict of {name} is not reproduced" for name in self.comparison.changed]
        skipped = [] if self.patterns or len(package_names()) > 1 else skipped_files()
        return [*skipped, *errors, *changed]


def verification(
    patterns: Sequence[str] = (), *, effort: int = 1, progress: Progress | None = None, processes: int = 1
) -> Verification:
    """Run the claims that match a paper, an id or a glob, and hold them against the records that registries ship.

    Args:
        patterns: papers, ids or globs; none: all claims.
        effort: multiplies the random points.
        progress: called after each claim with the number done, the number of all, and its outcome.
        processes: most of them; more than one is for programs that can be imported again, as the command line can.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    from rropt.claims.verifying import run_all

    packages = package_names()
    claims: Mapping[str, tuple[Claim, Any]]
    outcomes: dict[str, tuple[Outcome, Any]]
    if len(packages) > 1:  # each in a process of its own, none here
        each = _apart(patterns, effort=effort, progress=progress)
        claims = {name: (claim, part.fingerprints[name]) for part in each for name, claim in part.claims.items()}
        outcomes = {name: (out, part.fingerprints[name]) for part in each for name, out in part.outcomes.items()}
        papers = {name: paper for part in each for name, paper in part.papers.items()}
    else:
        claims = found_here = find_claims(patterns)
        papers = papers_of(found_here)
        most = processes if len(claims) > _FEW else 1
        outcomes = dict(run_all(found_here, effort=effort, progress=progress, processes=most))
    recorded: dict[str, Any] = {}
    for package in packages:
        spec = find_spec(package)
        for folder in spec.submodule_search_locations or () if spec is not None else ():
            recorded |= load_record(Path(folder) / "results.json")
    comparison = compare_with_record(outcomes, recorded, effort=effort)
    found = tuple(outcomes[name][0] for name in sorted(outcomes))
    return Verification(tuple(patterns), found, comparison, tuple(papers.values()), dict(sorted(claims.items())))


def expected_papers(patterns: Sequence[str]) -> set[str]:
    """Return the papers that have claims that match, before any is run."""
    if len(package_names()) > 1:
        return {claim.paper for part in _apart(patterns, run=False) for claim in part.claims.values()}
    return {claim.paper for claim, _ in find_claims(patterns).values()}


def _apart(
    patterns: Sequence[str], *, effort: int = 1, run: bool = True, progress: Progress | None = None
) -> list[Judged]:
    """Return the outcomes that a process for each package computes for its claims.

    Raises:
        InvalidParameterError: a pattern matches nothing, or two packages have a claim of the same id.
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
    """Return a claim in full: as printed, made precise, its verdict, and what that rests on."""
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
    """Return the point with the meaning of each variable, both values, the correct value, and the derivation."""
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
    """Return the title of a paper and its conventions, wrapped."""
    lines = [paper.title]
    for what, how in paper.conventions:
        lines += textwrap.wrap(f"{what}: {how}", 110, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _kind(outcome: Outcome) -> str:
    """Return the key by which outcomes are counted: the evidence, and for a refuted statement that of its
    correction."""
    if outcome.evidence != REFUTED:
        return outcome.evidence
    return f"refuted (correction {outcome.correction_evidence})" if outcome.correction_evidence else "refuted"


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))
