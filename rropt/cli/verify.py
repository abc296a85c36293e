"""``rropt verify``: verdicts on the claims of the literature, with evidence that others can check."""

from __future__ import annotations

import argparse
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rropt.cli import options
from rropt.cli.arguments import whole
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import named_record, print_json, print_note, print_table, print_text, progress_bar
from rropt.cli.pending import OutputFile, OutputFolder, ReportFile
from rropt.core.files import Target
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from rropt.claims.verifications import Verification

COMMAND = Command(
    """\
Run the claims of the registered papers. Each statement is quoted as printed and made
precise; its verdict is computed. PATTERN is a paper, an id or a shell glob; without it all
claims run. Claims of installed packages of third parties, and files of cards (.toml), run
after those of rropt, each in a process of its own. Exit status 1: an entry is in error.""",
    arguments=(
        Option(
            "patterns",
            "PATTERN",
            help="a paper, an id, a glob such as 'ziani.*', or a file of cards (.toml)",
            nargs="*",
        ),
        Flag("--explain", help="print every claim in full"),
        Option(
            "--report",
            "FILE",
            help="write an HTML index, and next to it a page and a JSON file for each paper; .tex and .md: one text",
            type=ReportFile,
        ),
        Option(
            "--certificate",
            "FILE",
            help="write the certificates of all claims as one file, which has one SHA-256 and which rropt check reads",
            type=OutputFile,
            dest="certificates",
        ),
        Option("--coq", "DIR", help="write every proved inequality and identity as a Coq theorem", type=OutputFolder),
        Option(
            "--time-limit",
            "N",
            help="seconds for all claims of a file of cards, or of a package of a third party",
            type=whole(1, 86400),
            default="300",
        ),
        options.JSON,
    ),
)


def run(args: argparse.Namespace) -> int:
    """Run the claims, print the results, and write the requested files."""
    from rropt.claims.verifications import verification

    beside = _expected_files(args)
    with progress_bar("claims") as advance:
        found = verification(
            args.patterns,
            progress=lambda _, total, __: advance(1, total),
            processes=min(os.cpu_count() or 1, 8),
            time_limit=args.time_limit,
            shown=None if args.json else lambda package, part: _print_package(args, package, part),
        )
    if args.json:
        print_json(named_record(found, found.to_dict()))
    elif not args.explain:
        print_text(found.totals())
    if args.report is not None:
        with args.pending.left_out_on_failure(args.report):
            _put_report(args, found, beside)
    if args.certificates is not None:
        with args.pending.left_out_on_failure(args.certificates):
            _put_certificates(args, found)
    if args.coq is not None:
        with args.pending.left_out_on_failure(args.coq):
            _put_coq(args, found)
    for remark in found.remarks():
        print_note(remark)
    return 0 if found else 1


def _print_package(args: argparse.Namespace, package: str, part: Verification) -> None:
    """Print the verdicts on the claims of a package; those of rropt come first."""
    from rropt.claims.registry import OFFICIAL

    if part.named:
        print_text(part.conventions())
    if args.explain:
        print_text(part.explain())
    elif part.outcomes:
        title = "Claims" if package == OFFICIAL else f"Claims of the package {package}"
        print_table(part.rows(), title=title, header=("claim", "verdict", "evidence", "points", "time"))
    sys.stdout.flush()


def _expected_files(args: argparse.Namespace) -> list[str]:
    """Return the files that a report on rropt's claims writes next to its index, after checking that it can.

    The list is empty if there is no report, or if its index is a FIFO.
    """
    from rropt.claims.registry import OFFICIAL, find_claims
    from rropt.reports.mathematics import formula_converter

    if args.report is None or _format(args) != ".html":
        return []
    formula_converter()  # fail now, not after the run, if a dependency of the report is missing
    beside = _files_beside(args, {claim.paper for claim, _ in find_claims(args.patterns, package=OFFICIAL).values()})
    args.pending.expect(*beside)
    return beside


def _format(args: argparse.Namespace) -> str:
    from rropt.reports.document_writers import format_of

    return format_of(args.report, "--report")


def _files_beside(args: argparse.Namespace, papers: set[str]) -> list[str]:
    from rropt.reports.claims_pages import files_beside

    return files_beside(args.report, papers) if Target.of(args.report).is_file else []


def _put_report(args: argparse.Namespace, found: Verification, beside: list[str]) -> None:
    """Store the index and the files next to it, or a single page with everything if no files can be next to it."""
    from rropt.reports.claims_documents import claims_document
    from rropt.reports.claims_pages import claims_files, claims_page

    if _format(args) != ".html":
        args.pending.put(args.report, lambda: claims_document([found]).text_of(args.report), "report")
        return
    papers = {paper.id: paper for paper in found.papers}
    every = _files_beside(args, {claim.paper for claim in found.claims.values()})
    args.pending.expect(*(path for path in every if path not in beside))
    if not every:
        args.pending.put(args.report, lambda: claims_page(found.entries, papers), "report")
        return
    made = cache(lambda: claims_files(args.report, found.entries, papers))
    for path in (args.report, *every):
        args.pending.put(path, lambda path=path: made()[path], "report" if path == args.report else "")


def _put_certificates(args: argparse.Namespace, found: Verification) -> None:
    """Write the certificates of the claims as one file, and print its SHA-256."""
    from rropt.core.certificates import Bundle

    proofs = [proof for outcome in found.outcomes for _, proof in outcome.certificates]
    if not proofs:
        args.pending.leave_out(args.certificates, "no claim of this run has a certificate")
        return
    made = Bundle.of(proofs)
    args.pending.put(args.certificates, made.file_text)
    told = with_noun(len(made.certificates), "certificate")
    args.pending.remark(f"{told} written to {args.certificates} (SHA-256 {made.sha256})")


def _put_coq(args: argparse.Namespace, found: Verification) -> None:
    """Write a file of theorems per claim, and the list of claims without theorems; compile with ``coqc FILE``."""
    from rropt.reports.coq_files import coq_files

    files = coq_files(found.entries)
    for name, text in files.texts.items():
        args.pending.put(str(Path(args.coq) / name), text)
    args.pending.remark(
        f"{files.theorems} theorems written to {args.coq}; what has none, and why, stands in {files.missing} there"
    )
