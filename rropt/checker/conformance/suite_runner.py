"""Runs a checker on many files and compares its verdicts with those of the suite. See ``conformance.md``."""

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .boundary_suite import File

BATCH = 250  # files per call: their names stay far below the limit of a command line
MAX_FAILURES = 20  # calls that end early before the remaining files are abandoned
MAX_OUTPUT = 1 << 24  # bytes of the output of a call that are read
SHOWN = 200  # characters of a line that a report shows


@dataclass(frozen=True)
class VerdictDifference:
    """A file whose verdict differs from that of the suite; ``found`` is None if the command gave no verdict."""

    file: File
    found: bool | None
    words: str

    def __str__(self) -> str:
        expected = "accepted" if self.file.accepted else f"rejected (because: {self.file.because})"
        return f"{self.file.name}: expected {expected}, got {self.words}\n    {self.file.reason}"


@dataclass
class SuiteOutcome:
    """The result of a run: files per statement, differences, and files omitted, not covered or not reached."""

    judged: dict[str, int] = field(default_factory=dict)
    differences: list[VerdictDifference] = field(default_factory=list)
    skipped: int = 0
    not_covered: dict[str, int] = field(default_factory=dict)
    not_run: int = 0

    @property
    def false_acceptances(self) -> int:
        """The number of files that were accepted and must be rejected."""
        return sum(each.found is True for each in self.differences)

    def summary(self) -> str:
        """Return the result in one line."""
        lost = sum(each.found is None for each in self.differences)
        total = sum(self.judged.values())
        words = [
            f"{total} files",
            f"{total - len(self.differences)} as expected",
            f"{self.false_acceptances} accepted that must be rejected",
            f"{len(self.differences) - lost - self.false_acceptances} rejected that must be accepted",
            f"{lost} without a verdict",
        ]
        if self.skipped:
            words.append(f"{self.skipped} left out")
        if self.not_covered:
            words.append(f"{sum(self.not_covered.values())} not covered by this checker")
        if self.not_run:
            words.append(f"{self.not_run} not reached")
        return ", ".join(words)


def run_suite(
    command: Sequence[str], files: Sequence[File], *, seconds: float = 300, names_on_input: bool = False
) -> SuiteOutcome:
    """Run a command on files and compare its verdicts with the expected ones.

    Args:
        command: The program and its arguments. The names of the files follow them.
        files: The files with their expected verdicts.
        seconds: The time limit of one call, which has at most ``BATCH`` files.
        names_on_input: Write the names to standard input, one per line, instead of the command line.

    Returns:
        The differences. A call that ends early or runs out of time leaves one file without a verdict; a new call begins
        at the file after it, until ``MAX_FAILURES`` calls have failed.

    Raises:
        OSError: If the command cannot be started.
    """
    outcome, failures, at = SuiteOutcome(), 0, 0
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        names = list(_written(files, Path(folder)))
        while at < len(files):
            if failures == MAX_FAILURES:
                outcome.not_run = len(files) - at
                break
            batch = names[at : at + BATCH]
            lines, end = _call(command, batch, seconds, names_on_input)
            for file, line in zip(files[at:], lines, strict=False):
                _compare(outcome, file, line)
            at += len(lines)
            if len(lines) < len(batch):
                failures += 1
                _count(outcome, files[at])
                outcome.differences.append(VerdictDifference(files[at], None, f"no verdict: the command {end}"))
                at += 1
            elif end:
                failures += 1
                outcome.differences.append(
                    VerdictDifference(files[at - 1], None, f"all verdicts, but the command {end}")
                )
    return outcome


def _written(files: Sequence[File], folder: Path) -> Iterator[str]:
    for number, file in enumerate(files):
        path = folder / f"{number:05}.json"
        path.write_bytes(file.text.encode("utf-8", "surrogatepass"))
        yield str(path)


def _count(outcome: SuiteOutcome, file: File) -> None:
    outcome.judged[file.statement] = outcome.judged.get(file.statement, 0) + 1


def _compare(outcome: SuiteOutcome, file: File, line: str) -> None:
    if _is_not_covered(line):
        outcome.not_covered[file.statement] = outcome.not_covered.get(file.statement, 0) + 1
        return
    _count(outcome, file)
    found = verdict_of(line)
    if found is None:
        outcome.differences.append(VerdictDifference(file, None, f"a line without a verdict: {ascii(line)[:SHOWN]}"))
    elif found != file.accepted:
        outcome.differences.append(VerdictDifference(file, found, ascii(line)[1:-1][:SHOWN]))


def _forms(line: str) -> tuple[str, str]:
    """Return the text of a line that may be the verdict: the whole line, and the part after ``NAME.json: ``."""
    return line.strip(), line.strip().partition(".json: ")[2]


def _is_not_covered(line: str) -> bool:
    """Return whether a line states that the checker does not cover files of this kind."""
    return any(words == "not covered" or words.startswith(("not covered:", "not covered ")) for words in _forms(line))


def verdict_of(line: str) -> bool | None:
    """Return the verdict of a line, with or without ``NAME: `` before it; None if the line contains no verdict."""
    for words in _forms(line):
        if words == "accepted" or words.startswith(("accepted:", "accepted ")):
            return True
        if words == "rejected" or words.startswith(("rejected:", "rejected ")):
            return False
    return None


def _call(command: Sequence[str], names: list[str], seconds: float, names_on_input: bool) -> tuple[list[str], str]:
    """Run one call; return at most one line per name, and a description of its failure, if any."""
    arguments = list(command) if names_on_input else [*command, *names]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as given:
        given.write("".join(f"{name}\n" for name in names if names_on_input).encode())
        given.seek(0)
        # a process group of its own, so the children of the command also end at the time limit
        process = subprocess.Popen(
            arguments, stdin=given, stdout=output, stderr=subprocess.DEVNULL, start_new_session=os.name == "posix"
        )
        try:
            status = process.wait(timeout=seconds)
            end = "" if status in (0, 1) else f"ended with status {status}"
        except subprocess.TimeoutExpired:
            end = f"did not end within {seconds:g} seconds"
        finally:
            _end(process)
        output.seek(0)
        text = output.read(MAX_OUTPUT + 1).decode("utf-8", "replace")
    lines = text.split("\n")
    complete = [line for line in lines[:-1] if line.strip()] + [
        line for line in lines[-1:] if verdict_of(line) is not None or _is_not_covered(line)
    ]
    if len(complete) > len(names) or len(text) > MAX_OUTPUT:
        return complete[: len(names)], end or "printed more lines than there were files"
    return complete, end or ("" if len(complete) == len(names) else "ended and had printed too few lines")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process that this module started, and its children."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
