"""The verdict on a certificate: accepted, or rejected with the reason of the first failure."""

import os
import stat
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .binary_bracket import check_binary_bracket
from .budget_split import check_budget_split
from .bundles import certificates_of, is_bundle, told
from .composition import check_composition
from .design_bracket import check_design_bracket
from .divergence_level import check_divergence_level
from .documents import Rejected, fields, parse, shared_budget
from .every_level import check_every_level
from .every_level_closed import check_every_level_closed
from .family import check_family
from .garbling import check_garbling
from .invariants import remarks, require_possible
from .likelihood_gap import check_likelihood_gap
from .limits import MAX_BYTES, MAX_REASON
from .linear_programs import check_infeasible, check_optimal_value
from .mechanism_levels import check_mechanism_levels
from .parity_bound import check_parity_bound
from .polynomial import check_polynomial
from .sentences import UnstatedError, sentence
from .shuffled import check_shuffled

FORMAT = "2"
UNFORESEEN = "the checker met an unforeseen error"
_LOOKS, _LOOK_SECONDS = 200, 0.05  # waits for a program to open a named pipe: 10 seconds in total

_STATEMENTS: dict[str, Callable[[Any, Any, Any], str]] = {
    "design-bracket": check_design_bracket,
    "binary-bracket": check_binary_bracket,
    "optimal-value": check_optimal_value,
    "infeasible": check_infeasible,
    "composition": check_composition,
    "garbling": check_garbling,
    "mechanism-levels": check_mechanism_levels,
    "likelihood-gap": check_likelihood_gap,
    "shuffled": check_shuffled,
    "divergence-level": check_divergence_level,
    "budget-split": check_budget_split,
    "every-level": check_every_level,
    "family": check_family,
    "every-level-closed": check_every_level_closed,
    "polynomial": check_polynomial,
    "parity-bound": check_parity_bound,
}


@dataclass(frozen=True)
class Verdict:
    """The verdict of the checker: accepted, or rejected with a ``reason``. Its truth value is ``accepted``.

    ``note`` qualifies an acceptance: it states the tier of a cover, or that a statement may be vacuous.

    Attributes:
        accepted: whether the claim was proved; of a bundle, all claims.
        reason: the first condition that fails.
        note: what qualifies an acceptance, or "".
        statements: the number of certificates of a bundle; 0 for a single certificate.
    """

    accepted: bool
    reason: str = ""
    note: str = ""
    statements: int = 0

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        return ("accepted" + (f" ({self.note})" if self.note else "")) if self.accepted else f"rejected: {self.reason}"


def check_text(text: str | bytes) -> Verdict:
    """Check the text of a certificate.

    Args:
        text: one JSON object, in UTF-8.
    """
    return _judged(text, full=False)[0]


def state_text(text: str | bytes, *, full: bool = False) -> tuple[Verdict, list[str]]:
    """Check the text of a certificate; also return its sentence and the remarks on it (nothing after a rejection).

    Of a bundle the lines are one verdict for each certificate, with its sentence, also after a rejection.

    Args:
        text: the text of the certificate.
        full: whether the sentence prints long numbers, lists and matrices in full.
    """
    return _judged(text, full=full)


def lines_text(verdict: Verdict, lines: list[str]) -> str:
    """Return the lines of ``state_text`` as they follow a verdict: those of a bundle one below the other."""
    if verdict.statements:
        return "".join(f"\n  {line}" for line in lines)
    return f": {' '.join(lines)}" if lines else ""


def _judged(text: str | bytes, *, full: bool) -> tuple[Verdict, list[str]]:
    """Return the verdict on a file, and the lines of ``state_text``."""
    try:
        document = parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        certificates = certificates_of(document, FORMAT) if is_bundle(document) else []
    except Exception as error:
        return _failed(error), []
    return _judged_bundle(certificates, full=full) if certificates else _judged_document(document, full=full)


def _judged_bundle(certificates: list[Any], *, full: bool) -> tuple[Verdict, list[str]]:
    """Return the verdict on a bundle, and one line for each certificate."""
    n = len(certificates)
    with shared_budget():
        judged = [_judged_document(certificate, full=full) for certificate in certificates]
    titles = [f"statement {i} of {n}" for i in range(1, n + 1)]
    lines = [
        f"{title}: {verdict}" + (f": {' '.join(words)}" if words else "")
        for title, (verdict, words) in zip(titles, judged, strict=True)
    ]
    for title, (verdict, _) in zip(titles, judged, strict=True):
        if not verdict:
            start = f"{UNFORESEEN}: " if verdict.reason.startswith(UNFORESEEN) else ""
            return Verdict(False, f"{start}{title}: {verdict.reason}"[:MAX_REASON], statements=n), lines
    return Verdict(True, note=told([verdict.note for verdict, _ in judged]), statements=n), lines


def _judged_document(document: Any, *, full: bool) -> tuple[Verdict, list[str]]:
    """Return the verdict on a certificate, and of an accepted one its sentence and the remarks on it.

    No claim is accepted of which nobody could say what it claims.
    """
    try:
        note = _check(document)
        return Verdict(True, note=note), [sentence(document, full=full), *remarks(document)]
    except Exception as error:  # an internal error: the checker accepts only what it has verified
        return _failed(error), []


def _failed(error: Exception) -> Verdict:
    """Return the verdict after an error: the reason of a rejection, or an error that the checker did not foresee."""
    reason = str(error)
    if not isinstance(error, Rejected):
        what = reason if isinstance(error, UnstatedError) else type(error).__name__
        reason = f"{UNFORESEEN}: {what}; please report the file"
    return Verdict(False, reason.encode("ascii", "backslashreplace").decode()[:MAX_REASON])


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return the bytes of a file (``-`` is standard input), up to one more than the limit. Raises ``OSError``."""
    if path == "-":
        if sys.stdin is None:
            raise OSError("standard input is closed")
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    with open(path, "rb", opener=_opened) as stream:  # the same call serves pathlib paths and text
        start = _start_of_pipe(stream.fileno()) if stat.S_ISFIFO(os.fstat(stream.fileno()).st_mode) else b""
        return start + stream.read(MAX_BYTES + 1 - len(start))


def _opened(path: str, flags: int) -> int:
    """Open a file; a named pipe opens at once, even without a writer."""
    return os.open(path, os.O_RDONLY | flags | getattr(os, "O_NONBLOCK", 0))


def _start_of_pipe(handle: int) -> bytes:
    """Wait until a program writes to a pipe, and return the bytes read; raise ``OSError`` after a time limit."""
    start = b""
    for _ in range(_LOOKS):
        try:
            start = os.read(handle, 1)
        except BlockingIOError:  # a program has opened the pipe but has not written yet
            break
        if start:
            break
        time.sleep(_LOOK_SECONDS)
    else:
        raise OSError("no program writes to this pipe; name a file, or - for standard input")
    os.set_blocking(handle, True)
    return start


def check_file(path: str | os.PathLike[str]) -> Verdict:
    """Check a certificate file (``-`` is standard input). Raises ``OSError`` if it cannot be read.

    Args:
        path: the file; ``-`` is standard input.

    Raises:
        OSError: the file cannot be read.
    """
    return check_text(read_file(path))


def _check(document: Any) -> str:
    """Return the note of the statement of a certificate; reject unless the statement is proved and possible."""
    if isinstance(document, dict) and document.get("format") != FORMAT:
        raise Rejected(f"the format is not {FORMAT}")
    _, statement, *parts = fields(document, ["format", "statement", "problem", "claim", "proof"], "the certificate")
    check = _STATEMENTS.get(statement) if isinstance(statement, str) else None
    if check is None:
        raise Rejected(f"no such statement in this checker: {str(statement)[:40]!r}")
    note = check(*parts)
    require_possible(statement, *parts)
    return note
