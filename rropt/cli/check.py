"""``rropt check``: the independent checker's verdict on certificate files, and on the numbers that are deployed.

The independent checker's verdict: accepted, or rejected with the first thing that fails.
--explain: what has been verified, from the file alone. --mechanism: whether each number that is
deployed is the certified fraction or its nearest double, and what epsilon and delta the numbers
have, taken as exact decimals (a double is its shortest decimal).

examples:
  rropt check --explain design.json
  rropt check design.json --mechanism deployed.npy
exit status: 0 all is accepted, and as certified; 1 not all; 2 a file cannot be read, or bad input
--json: one object whatever the status, with an entry for each file: verdict accepted, rejected or error
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.cli.arguments import read_audit
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.errors import InvalidParameterError
from rropt.files import shown_path

if TYPE_CHECKING:
    from rropt.checker import Verdict
    from rropt.mechanisms.findings import Deployed

_OPTIONS = """
files FILE...             certificate files; - is standard input
--explain                 say what has been verified, too
--mechanism
--transposed
--json
"""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    declare(parser, __doc__, _OPTIONS, run=run)


class _Judged(NamedTuple):
    """A file, its verdict (``None``: unreadable, for the reason), and what has been verified."""

    file: str
    verdict: Verdict | None
    reason: str
    explanation: list[str]
    data: bytes

    @property
    def status(self) -> int:
        """The exit status; what is a defect of the checker is not accepted, but no negative answer."""
        from rropt.checker.verdicts import UNFORESEEN

        if self.verdict is None:
            return 2
        return 3 if self.reason.startswith(UNFORESEEN) else 0 if self.verdict else 1

    def to_dict(self) -> dict[str, Any]:
        """Return the entry of the file for ``--json``."""
        kind = "error" if self.verdict is None else "accepted" if self.verdict else "rejected"
        told = {"file": self.file, "verdict": kind, "accepted": kind == "accepted", "reason": self.reason}
        return {**told, "note": "" if self.verdict is None else self.verdict.note}

    def __str__(self) -> str:
        return "\n".join([f"{self.file}: {self.verdict}", *(f"  {line}" for line in self.explanation)])


def run(args: argparse.Namespace) -> int:
    """Judge every file, and compare what is deployed."""
    if len(args.files) != 1 and args.mechanism is not None:
        raise InvalidParameterError(f"--mechanism is compared with one certificate: received {len(args.files)} files")
    judged = [_judge(file, args.explain) for file in args.files]
    compared = _deployed(args, judged[0])
    if args.json:
        _print_json(args, judged, compared)
    else:
        for each in judged:
            if each.verdict is None:
                note(f"rropt: {each.reason}")
            else:
                print_text(str(each))
        if compared is not None:
            print_table(compared.lines(), title="Deployed numbers")
    return max(0 if compared is None or compared else 1, *(each.status for each in judged))


def _print_json(args: argparse.Namespace, judged: list[_Judged], compared: Deployed | None) -> None:
    reasons = [each.reason for each in judged if not each.verdict]
    explained = [{"explanation": each.explanation} if args.explain else {} for each in judged]
    files = [{**each.to_dict(), **more} for each, more in zip(judged, explained, strict=True)]
    deployed = {} if compared is None else {"deployed": compared.to_dict()}
    print_json({"accepted": not reasons, "reason": (reasons or [""])[0], "files": files, **deployed})


def _judge(file: str, explained: bool) -> _Judged:
    from rropt.checker.verdicts import check_text, explain_text, read_file

    try:
        data = read_file(file)
    except (OSError, ValueError) as error:  # a name with a null character is no path
        reason = getattr(error, "strerror", None) or str(error)
        return _Judged(file, None, f"cannot read {shown_path(file)}: {reason}", [], b"")
    verdict, lines = explain_text(data) if explained else (check_text(data), [])
    return _Judged(file, verdict, verdict.reason, lines, data)


def _deployed(args: argparse.Namespace, judged: _Judged) -> Deployed | None:
    """Compare deployed numbers with the mechanism of an accepted certificate; ``None`` where none is asked."""
    from rropt.files import parse_json
    from rropt.mechanisms.findings import deployed

    if args.mechanism is None or not judged.verdict:
        return None
    audit = read_audit(args.mechanism, transposed=args.transposed)
    return deployed(audit, parse_json(judged.data.decode(), what="certificate"))
