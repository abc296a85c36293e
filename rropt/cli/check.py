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
import json
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from rropt.cli.findings import Finding, audit_json, finding_json, finding_rows, read_audit
from rropt.cli.options import declare
from rropt.cli.output import note, print_json, print_table, print_text
from rropt.errors import InvalidParameterError, UnsupportedProblemError
from rropt.exact import both_texts
from rropt.files import shown_path

if TYPE_CHECKING:
    from rropt.checker import Verdict


_SHOWN = 12  # entries that people are shown


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

    def record(self, explained: bool) -> dict[str, Any]:
        """Return the entry of the file for ``--json``."""
        kind = "error" if self.verdict is None else "accepted" if self.verdict else "rejected"
        data: dict[str, Any] = {
            "file": self.file,
            "verdict": kind,
            "accepted": kind == "accepted",
            "reason": self.reason,
        }
        data["note"] = "" if self.verdict is None else self.verdict.note
        return {**data, "explanation": self.explanation} if explained else data


def run(args: argparse.Namespace) -> int:
    """Judge every file, and compare what is deployed."""
    if len(args.files) != 1 and args.mechanism is not None:
        raise InvalidParameterError(f"--mechanism is compared with one certificate: received {len(args.files)} files")
    judged = [_judge(file, args.explain) for file in args.files]
    deployed = None if args.mechanism is None or not judged[0].verdict else _Deployed.of(args, judged[0].data)
    status = max(_status(each) for each in judged)
    if args.json:
        reasons = [each.reason for each in judged if not each.verdict]
        files = [each.record(args.explain) for each in judged]
        more = {} if deployed is None else {"deployed": deployed.record()}
        print_json({"accepted": not reasons, "reason": (reasons or [""])[0], "files": files, **more})
    else:
        for each in judged:
            if each.verdict is None:
                note(f"rropt: {each.reason}")
                continue
            print_text("\n".join([f"{each.file}: {each.verdict}", *(f"  {line}" for line in each.explanation)]))
        if deployed is not None:
            deployed.show()
    return max(status, 1) if deployed is not None and deployed.others else status


def _judge(file: str, explained: bool) -> _Judged:
    from rropt.checker.verdicts import check_text, explain_text, read_file

    try:
        data = read_file(file)
    except (OSError, ValueError) as error:  # a name with a null character is no path
        reason = getattr(error, "strerror", None) or str(error)
        return _Judged(file, None, f"cannot read {shown_path(file)}: {reason}", [], b"")
    verdict, lines = explain_text(data) if explained else (check_text(data), [])
    return _Judged(file, verdict, verdict.reason, lines, data)


def _status(judged: _Judged) -> int:
    from rropt.checker.verdicts import UNFORESEEN

    if judged.verdict is None:
        return 2
    if judged.reason.startswith(UNFORESEEN):
        return 3  # a defect of the checker: it did not accept, but this is no negative answer
    return 0 if judged.verdict else 1


class _Deployed(NamedTuple):
    """Numbers that are used where a certified mechanism was meant: which are others, and their exact privacy."""

    found: Finding
    others: list[tuple[int, int, Fraction, Fraction]]  # output, input, certified, deployed

    @classmethod
    def of(cls, args: argparse.Namespace, data: bytes) -> _Deployed:
        """Compare the numbers with the mechanism of an accepted certificate."""
        from rropt.exact import Delta, Epsilon
        from rropt.mechanisms import Mechanism

        claim, problem = (json.loads(data)[part] for part in ("claim", "problem"))
        if "mechanism" not in claim:
            raise UnsupportedProblemError(
                f"--mechanism needs the certificate of a design: received a claim {claim['kind']}, of no mechanism"
            )
        audit = read_audit(args.mechanism, transposed=args.transposed)
        others = audit.raw.others_than(Mechanism.from_dict(claim["mechanism"]).matrix)
        region = problem.get("region", problem).get("region", problem.get("region", problem))  # of bounds, of bits
        if "epsilon" not in region:
            return cls(Finding.at(audit, None), others)
        level = Epsilon.from_dict(region["epsilon"]), Delta.from_dict(region.get("delta", "0"))
        return cls(Finding.at(audit, *level), others)

    def record(self) -> dict[str, Any]:
        """Return the comparison for ``--json``."""
        keys = ("output", "input", "certified", "deployed")
        others = [dict(zip(keys, (i, j, str(x), str(y)), strict=True)) for i, j, x, y in self.others]
        audited = {**finding_json(self.found), "audit": audit_json(self.found.audit)}
        return {"as_certified": not others, "others": others, **audited}

    def show(self) -> None:
        """Print the comparison."""
        answer = f"no: {len(self.others)} of {prod(self.found.audit.raw.shape)} are others" if self.others else "yes"
        listed = [
            (f"entry ({i}, {j})", f"{both_texts(y)} where {both_texts(x)} is certified, nearest double {float(x)!r}")
            for i, j, x, y in self.others[:_SHOWN]
        ]
        listed.insert(0, ("each entry as certified, or its nearest double", answer))
        print_table([*listed, *finding_rows(self.found), *self.found.audit.defects()], title="Deployed numbers")
