"""``python -m rropt.checker.conformance COMMAND``: run the suite against any checker.

Exit status: 0 if every verdict is as expected, 1 if some differ, 2 if the command or a file cannot be used.
"""

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from .boundary_suite import File, suite_files, vector_files
from .suite_runner import run_suite


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {__package__}",
        description="Run the boundary suite against a checker. The page is conformance.md, beside this program.",
        epilog="exit status: 0 every verdict is as expected, 1 some differ, 2 the command or a file cannot be used",
    )
    parser.add_argument("--vectors", type=Path, metavar="FOLDER", help="judge the vectors of this folder, too")
    parser.add_argument("--statements", metavar="NAME,NAME", help="judge the files of these statements alone")
    parser.add_argument("--without", metavar="NAME,NAME", help="leave out the files of these statements")
    parser.add_argument("--no-limits", action="store_true", help="leave out files that are beyond a limit")
    parser.add_argument("--stdin", action="store_true", help="write the file names to standard input, one on a line")
    parser.add_argument("--seconds", type=float, default=300.0, help="time limit of one call (default: 300)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write the files and their verdicts; run nothing")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="the checker and its arguments")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the suite and return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        command = shlex.split(options.command[0]) if len(options.command) == 1 else options.command
    except ValueError as error:
        parser.error(f"the command cannot be read: {error}")
    if bool(command) == bool(options.write):
        parser.error("write either a COMMAND or --write FOLDER, for example: python -m rropt.checker")
    if not options.seconds > 0:
        parser.error(f"--seconds is {options.seconds:g}; write a positive number")
    if options.vectors and not any(options.vectors.glob("*.jsonl")):
        parser.error(f"no vectors (files STATEMENT.jsonl) in the folder {str(options.vectors)!a}")
    try:
        files = [*suite_files(), *(vector_files(options.vectors) if options.vectors else ())]
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"the files cannot be read: {ascii(str(error))[:200]}")
    known = {file.statement for file in files}
    only, without = (set(filter(None, (text or "").split(","))) for text in (options.statements, options.without))
    if unknown := sorted((only | without) - known):
        parser.error(f"no files of a statement {unknown[0]!a}; there are {', '.join(sorted(known))}")
    kept = [
        file
        for file in files
        if file.statement not in without and (not only or file.statement in only)
        if not (options.no_limits and file.because == "limit")
    ]
    if options.write:
        return _write(kept, options.write)
    try:
        outcome = run_suite(command, kept, seconds=options.seconds, names_on_input=options.stdin)
    except (OSError, ValueError) as error:
        parser.error(f"the command cannot be started: {ascii(str(error))[:200]}")
    outcome.skipped = len(files) - len(kept)
    if options.json:
        differences = [
            {"name": each.file.name, "statement": each.file.statement, "expected": each.file.accepted}
            | {"found": each.found, "because": each.file.because, "line": each.words}
            for each in outcome.differences
        ]
        counts = {"files": outcome.judged, "left_out": outcome.skipped}
        counts |= {"not_covered": outcome.not_covered, "not_reached": outcome.not_run}
        print(json.dumps({"conforms": not outcome.differences, **counts, "differences": differences}))
    else:
        print("\n".join([*map(str, outcome.differences), outcome.summary()]))
    return 1 if outcome.differences else 0


def _write(files: list[File], folder: Path) -> int:
    """Write every file to the folder, and ``expected.tsv`` with name, verdict, cause and reason; return the exit
    status.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = []
        for file in files:
            (folder / f"{file.name}.json").write_bytes(file.text.encode("utf-8", "surrogatepass"))
            verdict = "accepted" if file.accepted else "rejected"
            lines.append(f"{file.name}.json\t{verdict}\t{file.because}\t{ascii(file.reason)[1:-1]}\n")
        (folder / "expected.tsv").write_text("".join(lines), encoding="utf-8")
    except OSError as error:
        print(f"the files cannot be written: {error.strerror or error}", file=sys.stderr)
        return 2
    print(f"{len(files)} files written, with their verdicts in expected.tsv")
    return 0


if __name__ == "__main__":
    sys.exit(main())
