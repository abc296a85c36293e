"""``rropt verify``: put the claims of the literature through the machine.

Run the claims of the registered papers: each statement as printed, made precise,
with a computed verdict and evidence that others can check. PATTERN is a paper, an
id or a shell glob; none means all. Exit status 1 when a recorded verdict is not
reproduced, or an entry is in error.
"""

from __future__ import annotations

import argparse
import os
import textwrap
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.files import Target

if TYPE_CHECKING:
    from types import ModuleType

    from rropt.claims import Claim, Comparison, Outcome, Paper
    from rropt.claims.outcomes import Counterexample

    Entries = dict[str, tuple[Claim, ModuleType]]
    Outcomes = dict[str, tuple[Outcome, ModuleType]]

_FEW = 8  # claims that are run before a second process has started


_OPTIONS = """
patterns [PATTERN]...     a paper, an id, or a glob such as 'ziani.*'
--explain                 print each claim in full
--report >FILE            write an index in HTML, and beside FILE a page and a JSON file for each paper
--coq >DIR                write every proved inequality and identity as a Coq theorem
--record >FILE            write the record of a full run (no PATTERN)
--effort N = 1            multiply the random points by N
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


def run(args: argparse.Namespace) -> int:
    """Run the claims, compare with the record, print and write what was asked for."""
    from rropt.claims import compare_with_record, find_claims
    from rropt.claims.registry import papers_of
    from rropt.claims.verify import record_text, run_all
    from rropt.cli.arguments import whole_number
    from rropt.errors import InvalidParameterError

    if args.record is not None and args.patterns:
        raise InvalidParameterError("a record is of a full run: leave out PATTERN with --record")
    claims = find_claims(args.patterns)
    papers = papers_of(claims)
    if args.report is not None:
        _require_formulas()
        args.pending.expect(*_report_files(args.report, claims).values())
    effort = whole_number(args.effort, "--effort", 1, 1000)
    if args.record is not None and effort > 1:
        raise InvalidParameterError("a record is of effort 1: leave out --effort with --record")
    outcomes = _with_progress(run_all, claims, effort=effort)
    comparison = compare_with_record(outcomes, _recorded(claims), effort=effort)
    if args.report is not None:
        _put_report(args, claims, outcomes, papers)
    if args.coq is not None:
        _put_coq(args, claims, outcomes)
    if args.record is not None:
        args.pending.put(args.record, record_text(outcomes), "record")
    if args.json:
        data: dict[str, Any] = {"claims": [outcome.to_dict() for outcome, _ in outcomes.values()]}
        named = {name: paper.to_dict() for name, paper in papers.items() if name in args.patterns}
        more = {"papers": named} if named else {}
        print_json({**data, **more, "changed": list(comparison.changed), "stale": list(comparison.stale)})
        return _status(args, outcomes, comparison)
    for paper in (paper for name, paper in papers.items() if name in args.patterns):
        print_text(_conventions(paper))
    if args.explain:
        for name, (claim, _) in claims.items():
            print_text(_explained(claim, outcomes[name][0]))
    else:
        _print_summary(outcomes)
    return _status(args, outcomes, comparison)


def _status(args: argparse.Namespace, outcomes: Outcomes, comparison: Comparison) -> int:
    """Say on standard error what is wrong with the entries or the record, and return the exit status."""
    from rropt.claims.registry import skipped_files

    errors = [name for name, (outcome, _) in outcomes.items() if outcome.problems]
    for skipped in () if args.patterns else skipped_files():
        note(skipped)
    for name in errors:
        note(f"rropt: entry {name} is in error: {'; '.join(outcomes[name][0].problems)}")
    for name in comparison.changed:
        note(f"rropt: the recorded verdict of {name} is not reproduced")
    if comparison.stale and not args.record:
        note(f"{len(comparison.stale)} claims have no record for this version of their file; --record makes one")
    return 1 if errors or comparison.changed else 0


def _require_formulas() -> None:
    """What a report needs beside the library is missed before the claims are run, not after."""
    from rropt.report.formulas import text_html

    text_html("$x$")


def _with_progress(run_all: Any, claims: Entries, *, effort: int) -> Outcomes:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("claims", total=len(claims))

        def progress(done: int, _total: int, outcome: Outcome) -> None:
            bar.update(task, completed=done, description=outcome.id)

        processes = min(os.cpu_count() or 1, 8) if len(claims) > _FEW else 1
        outcomes: Outcomes = run_all(claims, effort=effort, progress=progress, processes=processes)
        return outcomes


def _recorded(claims: Entries) -> dict[str, Any]:
    """Return the records that the registries ship: ``results.json`` at the root of each package."""
    from rropt.claims.verify import load_record

    recorded: dict[str, Any] = {}
    for root in {module.__name__.partition(".")[0] for _, module in claims.values()}:
        for folder in import_module(root).__path__:
            recorded |= load_record(Path(folder) / "results.json")
    return recorded


def _print_summary(outcomes: Outcomes) -> None:
    rows = [
        (name, outcome.verdict, outcome.label, str(outcome.points), f"{outcome.seconds:.2f} s")
        for name, (outcome, _) in outcomes.items()
    ]
    print_table(rows, title="Claims", header=("claim", "verdict", "evidence", "points", "time"))
    total = sum(outcome.seconds for outcome, _ in outcomes.values())
    verdicts = _counted(outcome.verdict for outcome, _ in outcomes.values())
    evidence = _counted(outcome.evidence for outcome, _ in outcomes.values() if not outcome.problems)
    print_text(f"{len(outcomes)} claims in {total:.1f} s: {verdicts}\nevidence: {evidence}")


def _counted(words: Iterable[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in sorted(Counter(words).items()))


def _explained(claim: Claim, outcome: Outcome) -> str:
    lines = [
        f"{claim.id}  ({claim.source})",
        f"  printed: {claim.printed}",
        f"  precise: {claim.precise}",
        f"  verdict: {outcome.verdict} ({_evidence(outcome)}; {outcome.points} points in {outcome.seconds:.2f} s)",
    ]
    if outcome.reason:
        lines.append(f"  not checkable: {outcome.reason}")
    if outcome.scope:
        lines.append(f"  scope: {outcome.scope}")
    if outcome.assumption:
        lines.append(f"  missing assumption: {outcome.assumption}")
    if outcome.counterexample is not None:
        lines += _counterexample_lines(claim, outcome.counterexample)
        lines.append(f"    false at {outcome.failing} of {outcome.points} points")
        lines += [f"    false at {cell}" for cell in outcome.cells]
    lines += [f"  remark: {remark}" for remark in outcome.remarks]
    if outcome.correction:
        lines.append(f"  what is true: {outcome.correction}")
    if claim.notes:
        lines.append(f"  note: {claim.notes}")
    if outcome.argument:
        lines.append(f"  argument: {outcome.argument}")
    lines += [f"  anchored: {part}" for part in outcome.anchored]
    lines += [f"  link: {link}" for link in outcome.links]
    lines += [f"  not needed: {condition}" for condition in outcome.unneeded]
    lines += [f"  unchecked: {step}" for step in outcome.unchecked_steps]
    lines += [f"  certificate: {name}: {certificate.check()}" for name, certificate in outcome.certificates]
    lines += [f"  defect: {problem}" for problem in outcome.problems]
    return "\n".join(lines) + "\n"


def _evidence(outcome: Outcome) -> str:
    """Return the label, and of which form of the statement it is the label."""
    return outcome.label if outcome.about in ("", "as printed") else f"{outcome.label} {outcome.about}"


def _counterexample_lines(claim: Claim, example: Counterexample) -> list[str]:
    """Return the point with the meaning of each variable, both values, what should be, and the working."""
    from rropt.claims.outcomes import value_text

    says, is_ = (value_text(value) for value in example.differing())
    lines = ["  counterexample:"]
    for name, value in example.point.items():
        lines.append(f"    {name} = {value_text(value)}   ({claim.variables[name].meaning})")
    lines.append(f"    the statement says {says}; the true value is {is_}; it should be: {example.relation}")
    if example.working:
        lines += ["    by hand:", *(f"      {step}" for step in example.working.splitlines())]
    return lines


def _conventions(paper: Paper) -> str:
    """Return the title of a paper and its conventions, wrapped."""
    lines = [paper.title]
    for what, how in paper.conventions:
        lines += textwrap.wrap(f"{what}: {how}", 110, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def _report_files(report: str, claims: Entries) -> dict[str, str]:
    """Return what stands beside the index, by name; nothing where the index is no regular file, a FIFO for example."""
    if not Target.of(report).is_file:
        return {}
    index = Path(report)
    return {
        f"{paper}{suffix}": str(index.with_name(f"{index.stem}-{paper}{suffix}"))
        for paper in {claim.paper for claim, _ in claims.values()}
        for suffix in (".html", ".json")
    }


def _put_report(args: argparse.Namespace, claims: Entries, outcomes: Outcomes, papers: dict[str, Paper]) -> None:
    """Hand over the index and the files beside it, or one page with everything where none can stand beside it."""
    from rropt.report import claims_page, claims_report

    entries = {name: (claim, outcomes[name][0]) for name, (claim, _) in claims.items()}
    files = _report_files(args.report, claims)
    if not files:
        args.pending.put(args.report, lambda: claims_page(entries, papers), "report")
        return
    index = Path(args.report)
    names = {"": index.name, **{claim.paper: f"{index.stem}-{claim.paper}" for claim, _ in entries.values()}}
    made = cache(lambda: claims_report(entries, papers, {paper: quote(name) for paper, name in names.items()}))
    args.pending.put(args.report, lambda: made()[0], "report")
    for paper in names.keys() - {""}:
        args.pending.put(files[f"{paper}.html"], lambda paper=paper: made()[1][paper][0])
        args.pending.put(files[f"{paper}.json"], lambda paper=paper: made()[1][paper][1])


def _put_coq(args: argparse.Namespace, claims: Entries, outcomes: Outcomes) -> None:
    """Hand over one file of theorems per claim, and the list of what has none; compile with ``coqc FILE``."""
    from rropt.report.coq_files import coq_files

    files = coq_files({name: (claim, outcomes[name][0]) for name, (claim, _) in claims.items()})
    for name, text in files.texts.items():
        args.pending.put(str(Path(args.coq) / name), text)
    args.pending.remark(
        f"{files.theorems} theorems written to {args.coq}; what has none, and why, stands in {files.missing} there"
    )
