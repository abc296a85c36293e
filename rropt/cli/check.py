"""``rropt check``: the independent checker's verdict on certificate files, and on the numbers that are deployed."""

from __future__ import annotations

import argparse
from dataclasses import replace
from hashlib import sha256
from typing import Any, NamedTuple

from rropt.cli import options
from rropt.cli.arguments import call_library
from rropt.cli.command import Command, Flag, Option
from rropt.cli.output import print_json, print_note, print_table, print_text
from rropt.cli.pending import InputFile, PageFile, TheoremFile
from rropt.core.errors import FileAccessError, InvalidParameterError, RroptError, refuse_given
from rropt.core.files import shown_path, stream_bytes
from rropt.core.files.streams import is_stream
from rropt.core.visible import visible, with_noun

COMMAND = Command(
    """\
Let the independent checker judge certificate files: accepted, or rejected with the first
condition that fails. Of an accepted file the command prints one sentence: what is proved, from the
file alone. Of a bundle, one file with several certificates (rropt verify --certificate), it prints
one verdict for each. Long numbers, lists and matrices are named by their SHA-256; --exact prints them.
--mechanism compares the numbers in use with the certified numbers: each must be the
certified fraction or the nearest double. The command also prints the exact epsilon and delta
of the numbers in use (a double is read as its shortest decimal). If the certificate is of
merged categories, each column is compared with the certified column that it repeats.""",
    epilog="""\
examples:
  rropt check design.json
  rropt check --exact design.json
  rropt check design.json --mechanism deployed.npy
  rropt check --output checker.html
exit status: 0 every certificate is accepted, and the mechanism is as certified; 1 otherwise; 2 bad input
--json: one object whatever the status, with an entry for each file: verdict accepted, rejected or error""",
    arguments=(
        Option("files", "FILE", help="certificate files; - is standard input", nargs="*", type=InputFile),
        Option(
            "--effort",
            help="how much work the checker may do; large is for designs with many categories",
            choices=("default", "large"),
            default="default",
        ),
        Flag("--quiet", help="print the verdict without the sentence"),
        Flag("--exact", help="print long numbers, lists and matrices in full", dest="full"),
        Option(
            "--mechanism",
            "MECHANISM",
            help="compare the certified mechanism with this one: a file or a named design",
            type=InputFile,
        ),
        replace(options.TRANSPOSED, goes_with="--mechanism"),
        Option(
            "--coq",
            "FILE.v",
            help="write an accepted certificate of every level, or of a polynomial, as theorems for Coq",
            type=TheoremFile,
        ),
        Option(
            "--output",
            "FILE.html",
            help="instead of files: write a page that checks certificates offline, in a browser",
            type=PageFile,
            dest="page",
        ),
        options.JSON,
    ),
)


class _Judged(NamedTuple):
    """A checked file: its exit status, its entry for ``--json``, its lines of text, and its bytes."""

    status: int
    entry: dict[str, Any]
    told: str
    data: bytes = b""


def run(args: argparse.Namespace) -> int:
    """Check every file, and compare a deployed mechanism with its certificate."""
    from rropt.core.files import parse_json
    from rropt.mechanisms.imports import audit_of_argument
    from rropt.mechanisms.privacy_findings import deployed

    if args.page is not None:
        refuse_given(
            args.typed,
            "--output writes a page, and checks no file",
            "coq",
            "effort",
            "files",
            "full",
            "mechanism",
            "quiet",
        )
        return _put_page(args)
    if not args.files:
        raise InvalidParameterError(
            "there is nothing to check: received no FILE; give a certificate, or --output FILE.html"
        )
    if len(args.files) != 1 and args.mechanism is not None:
        raise InvalidParameterError(
            f"--mechanism is compared with one certificate: received {with_noun(len(args.files), 'file')}"
        )
    if len(args.files) != 1 and args.coq is not None:
        raise InvalidParameterError(
            f"--coq writes the theorems of one certificate: received {with_noun(len(args.files), 'file')}"
        )
    from rropt.core.certificates.record import budget_allowed

    with budget_allowed(args.effort):
        judged = [_judge(file, quiet=args.quiet, full=args.full) for file in args.files]
    compared = None
    if args.mechanism is not None and judged[0].status == 0:
        compared = deployed(
            call_library(audit_of_argument, args), parse_json(judged[0].data.decode(), what="certificate")
        )
    if args.coq is not None:
        _put_theorems(args, judged[0])
    if args.json:
        reasons = [each.entry["reason"] for each in judged if each.status]
        about = {"accepted": not reasons, "reason": (reasons or [""])[0], "files": [each.entry for each in judged]}
        print_json(about | ({} if compared is None else {"deployed": compared.to_dict()}))
    else:
        for each in judged:
            (print_note if each.entry["verdict"] == "error" else print_text)(each.told)
        if compared is not None:
            print_table(compared.lines(), title="Deployed numbers")
    return max(0 if compared is None or compared else 1, *(each.status for each in judged))


def _put_theorems(args: argparse.Namespace, judged: _Judged) -> None:
    """Write the theorems of an accepted certificate; compile them with ``coqc FILE.v``."""
    from rropt.core.certificates import Certificate
    from rropt.reports.coq_files import certificate_theorems

    if judged.status:
        args.pending.leave_out(args.coq, "the certificate is not accepted")
        return
    with args.pending.left_out_on_failure(args.coq):
        text = certificate_theorems(Certificate(judged.data.decode()))
        args.pending.put(args.coq, text, "theorems")


def _put_page(args: argparse.Namespace) -> int:
    """Write the page that checks certificates in a browser, with the checker in JavaScript."""
    from rropt.reports.browser_checker import drop_page

    args.pending.put(args.page, drop_page, "page")
    if args.json:
        print_json({"page": args.page})
    return 0


_OTHER_FILES = (
    (("matrix", "product", "bits", "orbits"), "a mechanism", "judge it with rropt privacy, or give its certificate"),
    (("region", "objective"), "a problem", "solve it with rropt design problem, which writes a certificate"),
    (("question",), "what a command printed", "give the file that --certificate wrote"),
)


def _other_file(data: bytes) -> str:
    """Describe a file that is not a certificate, and how to use it; return "" if it looks like a certificate."""
    from rropt.core.files import parse_json

    try:
        found = parse_json(data.decode(), what="file")
    except (RroptError, UnicodeDecodeError):
        return "a page is no certificate; give the file that --certificate wrote" if data[:1] == b"<" else ""
    if not isinstance(found, dict) or "format" in found:
        return ""
    if isinstance(found.get("certificate"), dict):
        return "the file is the result of a command and contains a certificate; write it alone: --certificate FILE"
    return next((f"the file is {what}; {advice}" for keys, what, advice in _OTHER_FILES if set(keys) & set(found)), "")


def _is_of_claims(data: bytes) -> bool:
    """Return whether a file is what ``rropt verify --json`` prints."""
    from rropt.core.files import parse_json

    try:
        found = parse_json(data.decode(), what="file")
    except (RroptError, UnicodeDecodeError):
        return False
    return isinstance(found, dict) and "format" not in found and {"claims", "papers"} <= found.keys()


def _judge(file: str, *, quiet: bool, full: bool) -> _Judged:
    from rropt.checker.verdicts import UNFORESEEN, check_text, lines_text, read_file, state_text

    entry: dict[str, Any] = {"file": file, "verdict": "error", "accepted": False, "reason": "", "note": ""}
    entry |= {"sentence": "", "remarks": [], "sha256": ""}
    lines: list[str] = []
    try:
        data = stream_bytes(file) if file != "-" and is_stream(file) else read_file(file)
    except (OSError, ValueError) as error:  # a name with a null character is not a path
        why = f"cannot read {shown_path(file)}: {getattr(error, 'strerror', None) or error}"
        entry["reason"] = str(error) if isinstance(error, FileAccessError) else why  # a pipe to which no program writes
        return _Judged(2, entry, f"rropt: {entry['reason']}")
    if _is_of_claims(data):
        entry["reason"] = (
            "the file is the result of rropt verify, which is no certificate: its verdicts are claims about papers; "
            "run rropt verify again, or check the certificates of its report (rropt verify --report FILE.html)"
        )
        return _Judged(2, entry, f"rropt: {visible(file)}: {entry['reason']}")
    verdict, lines = (check_text(data), lines) if quiet else state_text(data, full=full)
    if verdict.reason.startswith("the file is not JSON"):
        verdict = replace(verdict, reason=f"{verdict.reason}; a certificate is the file that --certificate wrote")
    elif not verdict and (other := _other_file(data)):
        verdict = replace(verdict, reason=f"{verdict.reason}: {other}")
    entry |= {"verdict": "accepted" if verdict else "rejected", "accepted": bool(verdict)}
    entry |= {"reason": verdict.reason, "note": verdict.note}
    if verdict.statements:
        entry["statements"] = list(lines)
    else:
        entry |= {"sentence": (lines or [""])[0], "remarks": lines[1:]}
    if verdict:
        entry["sha256"] = sha256(data).hexdigest()
        lines = [*lines, f"SHA-256 of the file: {entry['sha256']}."] if lines else lines
    status = 3 if verdict.reason.startswith(UNFORESEEN) else 0 if verdict else 1  # an internal error is not a rejection
    return _Judged(status, entry, f"{visible(file)}: {verdict}{lines_text(verdict, lines)}", data)
