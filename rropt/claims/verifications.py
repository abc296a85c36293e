"""A run of several claims: its outcomes, and their description as text."""

from __future__ import annotations

import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.judging import SECONDS, JudgedClaims, judged
from rropt.claims.outcomes import REFUTED, UNREPAIRED, Counterexample, Outcome, value_text
from rropt.claims.registry import (
    OFFICIAL,
    Paper,
    cards_of,
    find_claims,
    is_file,
    matches,
    no_match,
    papers_of,
    third_parties,
)
from rropt.claims.verifying import Progress, run_all
from rropt.core.argument_checks import clear_calls
from rropt.core.results import Result, own_part, read_result
from rropt.core.visible import with_noun

_FEW = 8  # up to this number of claims, a single process is faster than starting a second one


@dataclass(frozen=True, slots=True)
class Verification(Result):
    """The result of a run of claims; it is true if no entry is in error.

    Attributes:
        patterns: the requested claims; empty: all claims.
        outcomes: the outcomes of the claims.
        papers: the papers of the claims.
        claims: each claim by id. The JSON form has their texts only, and they are missing after reading a file.
        skipped: messages about files of packages of third parties that contain no claim; the JSON form omits them.
        seconds: the time of the whole run by the clock; the claims may share it, as several processes judge them.
    """

    patterns: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    papers: tuple[Paper, ...]
    claims: Mapping[str, Claim] = field(default_factory=dict, compare=False, repr=False)
    skipped: tuple[str, ...] = field(default=(), compare=False, repr=False)
    seconds: float = 0.0

    ANSWER = ("patterns", "outcomes")

    def __bool__(self) -> bool:
        return not any(outcome.problems or UNREPAIRED in outcome.remarks for outcome in self.outcomes)

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
            "seconds": self.seconds,
        }

    @classmethod
    def from_dict(cls, data: Any) -> Verification:
        """Return an equal object from the output of ``to_dict``, without the Python objects of the claims."""
        given = dict(own_part(cls, data)) if isinstance(data, Mapping) else {}
        papers = given.get("papers")
        if isinstance(papers, Mapping) and all(isinstance(paper, Mapping) for paper in papers.values()):
            listed = [{**paper, "id": name} for name, paper in papers.items()]
            given["papers"] = [
                {**paper, "conventions": [*paper["conventions"].items()]}
                for paper in listed
                if isinstance(paper.get("conventions"), Mapping)
            ]
        given["outcomes"] = given.pop("claims", None)
        made: Verification = read_result(cls, given)
        return made

    def lines(self) -> list[tuple[str, str]]:
        """Return labelled lines: the totals, and the verdict on each claim."""
        head, evidence = self.totals().split("\n")
        verdicts = [(outcome.id, outcome.verdict) for outcome in self.outcomes]
        return [("claims", head), ("evidence", evidence.partition(": ")[2]), *verdicts]

    def rows(self) -> list[tuple[str, ...]]:
        """Return a table of claims with verdict, evidence, number of points and time."""
        return [(o.id, o.verdict, o.label, str(o.points), f"{o.seconds:.2f} s") for o in self.outcomes]

    def totals(self) -> str:
        """Return the numbers of claims with each verdict and with each kind of evidence, and the time."""
        outcomes = self.outcomes
        verdicts = _counted(outcome.verdict for outcome in outcomes)
        evidence = _counted(_kind(outcome) for outcome in outcomes if not outcome.problems) or "none"
        claims = with_noun(len(outcomes), "claim")
        return f"{claims} in {self.seconds:.1f} s: {verdicts}\nevidence: {evidence}"

    def conventions(self) -> str:
        """Return the shared conventions of the requested papers, one paragraph for each paper."""
        return "\n".join(_conventions(paper) for paper in self.named.values())

    def explain(self) -> str:
        """Return a full description of every claim, one paragraph for each claim."""
        return "\n".join(explained(claim, outcome) for claim, outcome in self.entries.values())

    def remarks(self) -> list[str]:
        """Return messages about skipped files and entries in error."""
        errors = [f"rropt: entry {o.id} is in error: {'; '.join(o.problems)}" for o in self.outcomes if o.problems]
        refuted = [f"rropt: {o.id} is refuted: {UNREPAIRED}" for o in self.outcomes if UNREPAIRED in o.remarks]
        return [*self.skipped, *errors, *refuted]


def verification(
    patterns: Sequence[str] = (),
    *,
    progress: Progress | None = None,
    processes: int = 1,
    time_limit: float = SECONDS,
    shown: Callable[[str, Verification], object] | None = None,
) -> Verification:
    """Run the claims that match a paper, an id or a glob.

    The claims of rropt are run first, in this process or in a pool of processes. Then each package of a third party is
    run in a process of its own, with a limit of time and of 4 GiB of memory; what it prints is discarded.

    Args:
        patterns: papers, ids or globs, and paths of files of cards (``.toml``), which are run like a package of a
            third party; an empty list selects all claims.
        progress: a function that is called after each claim of rropt with the number done, the total number, and its
            outcome.
        processes: the maximum number of processes; more than one requires a main program that can be imported again,
            such as the command line.
        time_limit: the time limit in seconds for all claims of a file of cards, or of a package of a third party.
        shown: a function that is called with the name and the results of each package as soon as they are there.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    start = time.perf_counter()
    files = [pattern for pattern in patterns if is_file(pattern)]
    for path in files:
        cards_of(path)  # an error in a file ends the command before anything runs
    installed = third_parties()
    only = OFFICIAL if installed else ""  # without third parties, a pattern that matches nothing is an error now
    entries = {} if files and len(files) == len(patterns) else find_claims(_named(patterns), package=only)
    claims = {name: claim for name, (claim, _) in entries.items()}
    missing = [each for each in _named(patterns) if not any(matches(each, claim) for claim in claims.values())]
    others = [*(installed if _named(patterns) or not files else ()), *files]
    most = processes if len(claims) > _FEW else 1
    outcomes = run_all(entries, progress=progress, processes=most)

    def result(part: JudgedClaims) -> Verification:
        listed = tuple(part.outcomes[name] for name in sorted(part.outcomes))
        papers, sorted_claims = tuple(part.papers.values()), dict(sorted(part.claims.items()))
        seconds = round(time.perf_counter() - start, 3)
        return Verification(tuple(patterns), listed, papers, sorted_claims, part.skipped, seconds)

    everything = JudgedClaims(claims, outcomes, papers_of(entries))
    if shown is not None:
        shown(OFFICIAL, result(everything))
    for package in others:
        part = judged(package, _named(patterns), seconds=time_limit)
        if part.failure is not None and (not patterns or missing or is_file(package)):
            part.add_error(part.failure, part.failure.printed)
        for name in part.claims.keys() & everything.claims.keys():  # the claim that was there first keeps its verdict
            twin = replace(part.take(name), id=f"{Path(package).stem.replace('_', '-').lower()}.{name}")
            part.add_error(twin, f"another package has a claim with the id {name}: rename this one")
        if shown is not None:
            shown(package, result(part))
        everything.add(part)
    for pattern in missing:
        if not any(matches(pattern, claim) for claim in everything.claims.values()) and not everything.failure:
            raise no_match(pattern, everything.claims.values())
    return result(everything)


def _named(patterns: Sequence[str]) -> list[str]:
    return [pattern for pattern in patterns if not is_file(pattern)]


@clear_calls
def verify(*patterns: str) -> dict[str, Outcome]:
    """Run the claims that match a paper, an id or a glob (by default all) and return their outcomes by id.

    Args:
        patterns: ids or papers, or globs of them, such as ``"chainayak2018.lemma-*"``.

    Returns:
        A dict from the id of a claim to its ``Outcome``: ``verdict``, ``evidence``, ``counterexample``,
        ``certificates``.

    Raises:
        InvalidParameterError: a pattern matches nothing.
    """
    return {outcome.id: outcome for outcome in verification(patterns).outcomes}


def explained(claim: Claim, outcome: Outcome) -> str:
    """Return a full description of a claim: as printed, made precise, its verdict, and the evidence."""
    label = f"{outcome.label} {outcome.about}" if outcome.about == "with the assumption" else outcome.label
    label = f"{label}; " if label else ""
    points = with_noun(outcome.points, "point")
    told_by = f"{outcome.verdict_text} ({label}{points} in {outcome.seconds:.2f} s)"
    if outcome.verdict_text != outcome.verdict:  # the points are in the verdict
        told_by = f"{outcome.verdict_text} ({outcome.evidence}, in {outcome.seconds:.2f} s)"
    told: list[tuple[str, Iterable[str]]] = [
        ("printed", [claim.printed]),
        ("precise", [claim.precise]),
        ("verdict", [told_by]),
        ("reading", [f"{each.name}: {each.verdict} ({each.label}); {each.rests_on}" for each in outcome.readings]),
        ("not checkable", [outcome.reason]),
        ("scope", [outcome.scope]),
        ("missing assumption", [outcome.assumption]),
        ("counterexample", _counterexample(claim, outcome, outcome.counterexample)),
        ("remark", outcome.remarks),
        ("what is true", [outcome.correction]),
        ("note", [claim.notes]),
        ("argument", [outcome.argument]),
        ("definition", outcome.definitions),
        ("Coq theorem", outcome.theorems),
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
    lines.append(f"false at {outcome.failing} of {with_noun(outcome.points, 'point')}")
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
