"""A run of claims as a whole: its outcomes, how they stand to the records, and each of them in words."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.outcomes import Counterexample, Outcome, value_text
from rropt.claims.registry import Entries, Paper, find_claims, papers_of, skipped_files
from rropt.claims.verify import Comparison, Progress, compare_with_record, load_record

_FEW = 8  # claims that are run before a second process has started


@dataclass(frozen=True, slots=True)
class Verification:
    """What a run of claims found; true in a condition iff no entry is in error and every record was reproduced.

    Attributes:
        patterns: what was asked for; nothing: all claims.
        claims: each claim with its module, by id.
        outcomes: the outcome of each, with the same module.
        comparison: how they stand to the records that the registries ship.
        papers: the papers of the claims, by id.
    """

    patterns: tuple[str, ...]
    claims: Entries
    outcomes: dict[str, tuple[Outcome, Any]]
    comparison: Comparison
    papers: dict[str, Paper]

    def __bool__(self) -> bool:
        return not self.comparison.changed and not any(outcome.problems for _, outcome in self)

    def __iter__(self) -> Iterator[tuple[Claim, Outcome]]:
        return ((claim, self.outcomes[name][0]) for name, (claim, _) in self.claims.items())

    @property
    def entries(self) -> dict[str, tuple[Claim, Outcome]]:
        """Claim and outcome by id."""
        return {name: (claim, self.outcomes[name][0]) for name, (claim, _) in self.claims.items()}

    @property
    def named(self) -> dict[str, Paper]:
        """The papers that were asked for by name."""
        return {name: paper for name, paper in self.papers.items() if name in self.patterns}

    def to_dict(self) -> dict[str, Any]:
        """Return the form of ``rropt verify --json``."""
        papers = {name: paper.to_dict() for name, paper in self.named.items()}
        return {
            "claims": [outcome.to_dict() for _, outcome in self],
            **({"papers": papers} if papers else {}),
            "changed": list(self.comparison.changed),
            "stale": list(self.comparison.stale),
        }

    def rows(self) -> list[tuple[str, ...]]:
        """Return claim, verdict, evidence, number of points and time of each, for people."""
        return [(o.id, o.verdict, o.label, str(o.points), f"{o.seconds:.2f} s") for _, o in self]

    def totals(self) -> str:
        """Return how many claims have each verdict and each evidence, and the time."""
        outcomes = [outcome for _, outcome in self]
        verdicts = _counted(outcome.verdict for outcome in outcomes)
        evidence = _counted(outcome.evidence for outcome in outcomes if not outcome.problems)
        seconds = sum(outcome.seconds for outcome in outcomes)
        return f"{len(outcomes)} claims in {seconds:.1f} s: {verdicts}\nevidence: {evidence}"

    def conventions(self) -> str:
        """Return what the entries of the papers that were named share, a paragraph for each paper."""
        return "\n".join(_conventions(paper) for paper in self.named.values())

    def explain(self) -> str:
        """Return every claim in full, a paragraph for each."""
        return "\n".join(explained(claim, outcome) for claim, outcome in self)

    def remarks(self) -> list[str]:
        """Return what is wrong with files, entries and records; and which claims have no record."""
        errors = [f"rropt: entry {o.id} is in error: {'; '.join(o.problems)}" for _, o in self if o.problems]
        changed = [f"rropt: the recorded verdict of {name} is not reproduced" for name in self.comparison.changed]
        skipped = [] if self.patterns else skipped_files()
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
    from rropt.claims.verify import run_all

    claims = find_claims(patterns)
    papers = papers_of(claims)
    most = processes if len(claims) > _FEW else 1
    outcomes = run_all(claims, effort=effort, progress=progress, processes=most)
    recorded: dict[str, Any] = {}
    for root in {module.__name__.partition(".")[0] for _, module in claims.values()}:
        for folder in import_module(root).__path__:
            recorded |= load_record(Path(folder) / "results.json")
    comparison = compare_with_record(outcomes, recorded, effort=effort)
    return Verification(tuple(patterns), claims, outcomes, comparison, papers)


def explained(claim: Claim, outcome: Outcome) -> str:
    """Return a claim in full: as printed, made precise, its verdict, and what that rests on."""
    label = outcome.label if outcome.about in ("", "as printed") else f"{outcome.label} {outcome.about}"
    told: list[tuple[str, Iterable[str]]] = [
        ("printed", [claim.printed]),
        ("precise", [claim.precise]),
        ("verdict", [f"{outcome.verdict} ({label}; {outcome.points} points in {outcome.seconds:.2f} s)"]),
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
    """Return the point with the meaning of each variable, both values, what should be, and the working."""
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


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))
