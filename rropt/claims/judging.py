"""Judge a package of a third party in a process of its own.

A package of claims is Python code. It can end its process, never return, fill the memory, or print. Only the official
registry is therefore run in the process that prints the verdicts. Every other package is imported, listed and run in a
process that has a limit of time and memory, and whose answers come on a pipe that the package's own output does not
reach. The process names each module and each claim before it begins. If it ends, the claim that it has begun is in
error, and another process judges the remaining ones. This is not a sandbox: malicious code can change files. Since it
can change the engine of its process, its labels are at most ``tested``; only a file of cards, which is text, is proved.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from queue import Empty, Queue
from threading import Thread
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.domains import Domain, not_drawn
from rropt.claims.outcomes import BY_READING, EVIDENCE, REFUTED, VERDICTS, Outcome, ReadingOutcome, in_error, value_text
from rropt.claims.registry import Paper, broken_entry, cards_of, find_claims, is_file, papers_of, skipped_files
from rropt.claims.runner import run_claim
from rropt.core.certificates import Certificate
from rropt.core.errors import RroptError, shown
from rropt.core.results import read_result

_START = 120  # seconds in which a process has to import the library
SECONDS = 300  # of the clock, for all claims of a package
_MEMORY = 4 * 2**30  # bytes
_LONGEST = 2**28  # bytes of all messages of a process
_ID = re.compile(r"[a-z0-9][a-z0-9_-]*\.[a-z0-9][a-z0-9._-]*")


@dataclass(slots=True)
class JudgedClaims:
    """What the processes of a package reported.

    Attributes:
        claims: the claims by id; their functions are replaced by their documentation.
        outcomes: the outcomes by id.
        papers: the papers by id.
        skipped: messages about files without a claim.
        failure: why the package has no claims, as an entry in error; None if they were listed.
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    papers: dict[str, Paper] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    failure: Claim | None = None

    def add_error(self, claim: Claim, told: str) -> None:
        """Add a claim whose entry is in error."""
        self.claims[claim.id] = claim
        self.outcomes[claim.id] = in_error(claim.id, told)

    def take(self, name: str) -> Claim:
        """Remove a claim and its outcome; return the claim."""
        self.outcomes.pop(name, None)
        return self.claims.pop(name)

    def add(self, other: JudgedClaims) -> None:
        """Add what is new in another package."""
        self.claims = other.claims | self.claims
        self.outcomes = other.outcomes | self.outcomes
        self.papers = other.papers | self.papers
        self.skipped += other.skipped
        self.failure = self.failure or other.failure


def judged(package: str, patterns: Sequence[str], *, seconds: float = SECONDS) -> JudgedClaims:
    """Return the outcomes that separate processes compute for the claims of a package.

    Args:
        package: the name of the package, or the path of a file of cards.
        patterns: papers, ids or globs; an empty list selects all claims.
        seconds: the time limit for all claims together, from the first import of the package.
    """
    found, broken = JudgedClaims(), dict[str, str]()
    left = seconds
    while True:
        request = {"package": package, "patterns": list(patterns), "seconds": seconds}
        request |= {"broken": broken, "done": list(found.outcomes), "path": sys.path}
        begun, listed, reason = package, False, ""
        with _process(request) as (process, lines):
            try:
                started = time.monotonic() + _START
                for message in _messages(process, lines, left):
                    started = min(started, time.monotonic())
                    if "end" in message:
                        return _completed(found, "no answer came for it")
                    if "begin" in message:
                        begun = str(message["begin"])
                    elif "outcome" in message and begun in found.claims and begun not in found.outcomes:
                        found.outcomes[begun] = _outcome(message, begun, is_text=is_file(package))
                    elif "claims" in message:
                        _list(message, found)
                        listed = True
            except _EndedError as error:
                what = "file" if is_file(package) else "package"
                reason = f"the {what} {package} {error} while it runs {shown(begun)}"
                left = 0 if isinstance(error, _LateError) else left - max(time.monotonic() - started, 0)
        advice = "let a claim return values or raise an error"
        if left == 0:
            fewer = ", or split the card: fewer conditions in `for` and `says`" if is_file(package) else ""
            advice = f"allow more than {seconds:g} seconds with --time-limit{fewer}"
        told = f"{reason}; {advice}"
        if left > 0 and listed and begun in found.claims and begun not in found.outcomes:
            found.outcomes[begun] = in_error(begun, told)
        elif left > 0 and not listed and begun not in (package, *broken):
            broken[begun] = told
        else:  # no time, or no progress
            if not found.claims:
                found.failure = broken_entry(f"{package}.package", told)
            return _completed(found, told)


class _EndedError(RroptError):
    """The process of a package gives no further answer."""


class _LateError(_EndedError):
    """The time of a package is up."""


@contextmanager
def _process(request: Mapping[str, Any]) -> Iterator[tuple[subprocess.Popen[bytes], Queue[bytes]]]:
    """Start a process for a package, and a thread that reads its lines; at the end kill it with its children."""
    process = subprocess.Popen(
        [sys.executable, "-c", "from rropt.claims.judging import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},  # each thread reserves memory
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: Queue[bytes] = Queue()
    pipe = process.stdout

    def read() -> None:
        left = _LONGEST
        with pipe:
            while left > 0 and (line := pipe.readline(left)):
                lines.put(line)
                left -= len(line)

    try:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.close()
        Thread(target=read, daemon=True).start()
        yield process, lines
    finally:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()


def _messages(process: subprocess.Popen[bytes], lines: Queue[bytes], seconds: float) -> Iterator[dict[str, Any]]:
    """Iterate over the messages of a process, for a number of seconds from the first of them.

    Raises:
        _EndedError: the process ends, its time is up, or it sends something else.
    """
    deadline, is_first = time.monotonic() + _START, True
    while True:
        has_ended = process.poll() is not None  # asked first: what it wrote before its end is read below
        if time.monotonic() > deadline:
            raise _LateError("has used up its time")
        try:
            line = lines.get(timeout=0.1)
        except Empty:
            if has_ended:
                raise _EndedError(_end_of(process.returncode)) from None
            continue
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise _EndedError("sends an answer that cannot be read")
        deadline, is_first = time.monotonic() + seconds if is_first else deadline, False
        yield message


def _end_of(status: int) -> str:
    names = {each.value: each.name for each in signal.Signals}
    return f"ends its process ({names.get(-status, 'a signal')})" if status < 0 else f"ends its process ({status})"


def _completed(found: JudgedClaims, told: str) -> JudgedClaims:
    """Return the outcomes of all claims: an error for a claim without one."""
    found.outcomes |= {name: in_error(name, told) for name in found.claims if name not in found.outcomes}
    for name, claim in found.claims.items():
        found.outcomes[name] = replace(
            found.outcomes[name], printed=claim.printed, precise=claim.precise, note=claim.notes
        )
    return found


@dataclass(frozen=True, slots=True)
class _Sent:
    """A claim as a message contains it: its texts."""

    id: str
    source: str
    printed: str
    precise: str
    notes: str
    place: tuple[int, ...]
    variables: Mapping[str, tuple[str, ...]]  # the meaning, and the values that are always tested
    drawn: tuple[str, ...]
    facts: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, claim: Claim) -> _Sent:
        """Return the texts of a claim."""
        return cls(
            *(claim.id, claim.source, claim.printed, claim.precise, claim.notes, tuple(claim.place)),
            {name: (d.meaning, *map(value_text, d.boundary)) for name, d in claim.variables.items()},
            tuple(name for name, d in claim.variables.items() if d.draw is not None),
            claim.facts,
        )

    def claim(self) -> Claim:
        """Return the claim with texts in place of its functions."""
        variables = {
            name: Domain(meaning, tuple(values), not_drawn if name in self.drawn else None)
            for name, (meaning, *values) in self.variables.items()
        }
        texts = (self.id, self.source, self.printed, self.precise)
        return Claim(*texts, variables=variables, notes=self.notes, place=self.place, told=self.facts)


def _list(message: Mapping[str, Any], found: JudgedClaims) -> None:
    """Store the claims and papers of a message.

    Raises:
        _EndedError: they cannot be read.
    """
    try:
        claims = [read_result(_Sent, each).claim() for each in message["claims"]]
        papers = [
            Paper(each["id"], each["name"], each["title"], (*each["conventions"].items(),))
            for each in message["papers"]
        ]
        skipped = tuple(map(str, message["skipped"]))
    except (RroptError, LookupError, TypeError, ValueError, AttributeError):
        raise _EndedError("sends an answer that cannot be read") from None
    if wrong := [claim.id for claim in claims if not _ID.fullmatch(claim.id)]:
        raise _EndedError(f"has a claim with the id {shown(wrong[0])}, where a-z, 0-9, hyphens and dots are allowed,")
    found.claims = {claim.id: claim for claim in claims} | found.claims
    found.papers, found.skipped = {paper.id: paper for paper in papers}, skipped


def _outcome(message: Mapping[str, Any], name: str, *, is_text: bool) -> Outcome:
    """Return the outcome of a message; what Python of a third party says of itself is at most ``tested``.

    Raises:
        _EndedError: it cannot be read.
    """
    try:
        outcome = Outcome.from_dict(message["outcome"])
        texts = [str(text) for text in message["certificates"]]
        certificates = tuple(zip(outcome.steps, map(Certificate, texts), strict=True))
    except (RroptError, LookupError, TypeError, ValueError, AttributeError):
        raise _EndedError("sends an answer that cannot be read") from None
    if outcome.id != name or outcome.verdict not in VERDICTS or outcome.evidence not in EVIDENCE:
        raise _EndedError("sends an answer that cannot be read")
    if is_text:
        return replace(outcome, certificates=certificates)
    readings = tuple(replace(each, **_tested(each)) for each in outcome.readings)
    return replace(outcome, **_tested(outcome), readings=readings, steps=(), sha256="")


_PASSED = ("", REFUTED, BY_READING)  # labels that say no more than `tested`


def _tested(given: Outcome | ReadingOutcome) -> dict[str, Any]:
    """Return the labels of an outcome, each at most ``tested``."""
    labels = {"evidence": given.evidence, "correction_evidence": given.correction_evidence}
    return {key: label if label in _PASSED else "tested" for key, label in labels.items()}


def _limit(seconds: float) -> None:
    """Limit the memory of this process, and the processor time of each process that it starts."""
    try:
        import resource
    except ImportError:  # not on this system
        return
    most = int(seconds * (os.cpu_count() or 1)) + 1
    for what, limit in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, most), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(OSError, ValueError):  # a lower limit is set already
            resource.setrlimit(what, (limit, limit))


def main() -> None:
    """Read a request from standard input, and answer on what is standard output now; then nothing else writes there."""
    request = json.loads(sys.stdin.readline())
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.path[:] = request["path"]
    _limit(request["seconds"])
    own = os.getpid()

    def tell(**message: Any) -> None:
        if os.getpid() != own:  # a copy of this process, which the package has made
            os._exit(1)
        answers.write(json.dumps(message).encode() + b"\n")
        answers.flush()

    package, broken = request["package"], request["broken"]

    def load(name: str) -> Any:
        if name in broken:
            raise RroptError(broken[name])
        tell(begin=name)
        return import_module(name)

    entries = cards_of(package) if is_file(package) else find_claims(request["patterns"], package=package, load=load)
    sent = [asdict(_Sent.of(claim)) for claim, _ in entries.values()]
    papers = [{"id": name, **paper.to_dict()} for name, paper in papers_of(entries).items()]
    tell(claims=sent, papers=papers, skipped=[] if request["patterns"] or is_file(package) else skipped_files(package))
    for name, (claim, _) in entries.items():
        if name not in request["done"]:
            tell(begin=name)
            outcome = run_claim(claim)
            data = {**outcome.to_dict(), "argument": outcome.argument}
            tell(outcome=data, certificates=[proof.text for _, proof in outcome.certificates])
    tell(end=True)
