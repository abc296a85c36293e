"""``rropt check``: the independent checker's verdict on certificate files."""

from __future__ import annotations

import argparse
from pathlib import Path

from rropt.cli.arguments import add_json
from rropt.cli.output import print_json, print_text


def add(check: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    check.add_argument("files", metavar="FILE", nargs="+", help="certificate files")
    add_json(check)
    check.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge every file; status 1 if one is rejected."""
    from rropt.certificates import check
    from rropt.checker.verdicts import UNFORESEEN

    verdicts = [(file, check(file_path(file))) for file in args.files]
    accepted = all(verdict.accepted for _, verdict in verdicts)
    if args.json:
        reason = next((verdict.reason for _, verdict in verdicts if not verdict), "")
        files = [{"file": file, "accepted": bool(verdict), "reason": verdict.reason} for file, verdict in verdicts]
        print_json({"accepted": accepted, "reason": reason, "files": files})
    else:
        for file, verdict in verdicts:
            print_text(f"{file}: {verdict}")
    if any(verdict.reason.startswith(UNFORESEEN) for _, verdict in verdicts):
        return 3  # a defect of the checker: it did not accept, but this is no negative answer
    return 0 if accepted else 1


def file_path(text: str) -> Path:
    """Return a path that is taken as a path, whatever it looks like."""
    return Path(text)
