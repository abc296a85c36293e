"""The certificate as one JSON document: a statement, its problem, a claim about the problem, and the proof."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rropt.checker import BUDGETS, Verdict, allowed_budget, check_file, check_text, is_large_budget
from rropt.core.argument_checks import clear_calls, require_given, require_texts
from rropt.core.errors import (
    CertificateError,
    FileAccessError,
    FileFormatError,
    InvalidParameterError,
    RroptError,
    UnsupportedProblemError,
    one_of,
    shown,
)
from rropt.core.files import looks_like_json, parse_json, read_text, write_text
from rropt.core.results import Result

FORMAT = "2"
_KEYS = ("format", "statement", "problem", "claim", "proof")

_READABLE = 100_000  # characters; a longer document has no line breaks: half the time, two thirds of the space


_COMPACT = ("every-level", "every-level-closed")  # statements whose files are lists of lists, written without blanks


def _layout(document: Mapping[str, Any]) -> str:
    if document["statement"] in _COMPACT:
        return json.dumps(document, separators=(",", ":"))
    text = json.dumps(document)
    return text if len(text) > _READABLE else json.dumps(document, indent=1)


@dataclass(frozen=True, slots=True)
class Certificate(Result):
    """A proof that anyone can check: a statement, its problem, a claim, and its proof (checker/FORMAT.md).

    Attributes:
        text: the JSON document, exactly as it is saved and checked.
        failure: why a result has no accepted certificate (``attempt``); else empty.
    """

    text: str
    failure: str = field(default="", compare=False)

    @classmethod
    def state(
        cls, statement: str, problem: Mapping[str, Any], claim: Mapping[str, Any], proof: Mapping[str, Any]
    ) -> Certificate:
        """Return the certificate with this statement, problem, claim and proof."""
        return cls(_layout(dict(zip(_KEYS, (FORMAT, statement, problem, claim, proof), strict=True))))

    @classmethod
    def attempt(cls, make: Callable[[], Certificate]) -> Certificate:
        """Return a certificate that the checker accepts; a proof that fails gives one with the reason as ``failure``.

        A proof that fails never takes its result along: the result has a remark, and status 2 if the file was
        requested.

        Args:
            make: a function that returns the certificate.

        Raises:
            UnsupportedProblemError: the levels do not decide the problem.
        """
        try:
            made = make()
            verdict = made.check()
        except UnsupportedProblemError:
            raise
        except Exception as error:  # whatever fails here, the result is computed already
            why = str(error) if isinstance(error, RroptError) else f"it could not be made ({type(error).__name__})"
            return cls(_layout({"format": FORMAT, "statement": "", "problem": {}, "claim": {}, "proof": {}}), why)
        return made if verdict else cls(made.text, f"{verdict.reason}{_advice(verdict)}")

    @classmethod
    def accepted(
        cls, statement: str, problem: Mapping[str, Any], claim: Mapping[str, Any], proof: Mapping[str, Any]
    ) -> Certificate | None:
        """Return the certificate with these parts; ``None`` if the checker rejects it, or if it cannot be made."""
        made = cls.attempt(lambda: cls.state(statement, problem, claim, proof))
        return None if made.failure else made

    @property
    def is_missing(self) -> bool:
        """Whether the certificate could not be made, so that longer numbers do not help."""
        return bool(self.failure) and not self.proof

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Read a certificate from a file without checking it; call ``check`` to check it."""
        return cls(read_text(path, what="certificate"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate atomically."""
        write_text(path, self.file_text)

    @property
    def file_text(self) -> str:
        """The text of the certificate's file: the document and an end of line."""
        return self.text + "\n"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the certificate's file, in hexadecimal digits: what a citation names."""
        return hashlib.sha256(self.file_text.encode()).hexdigest()

    def to_json(self) -> str:
        """Return the text of the certificate, as a checker reads it."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the document as a fresh dictionary."""
        document = parse_json(self.text, what="certificate")
        if not isinstance(document, dict):
            raise FileFormatError(f"certificate is not an object: received {shown(self.text)}")
        return document

    @classmethod
    def from_dict(cls, data: Any) -> Certificate:
        """Return the certificate of a document from ``to_dict`` without checking it; call ``check`` to check it.

        Raises:
            FileFormatError: the document is not an object with the keys of a certificate.
        """
        named = set(data) - {"question"} if isinstance(data, Mapping) else set()
        if named != set(_KEYS):
            raise FileFormatError(
                f"certificate is of another form: received {shown(data)}; allowed is what to_dict returns"
            )
        ordered = {key: data[key] for key in _KEYS}
        return cls(_layout(parse_json(_document_text(ordered), what="certificate")))

    def lines(self) -> list[tuple[str, str]]:
        """Return the verdict, the statement and, if there are several, the way of its proof, as label and value."""
        kinds = [("statement", self.to_dict()), ("way", self.proof)]
        told = [(what, str(part[what])) for what, part in kinds if isinstance(part, Mapping) and what in part]
        return [("certificate", str(self.check())), *told]

    def __repr__(self) -> str:
        return f"<Certificate of {len(self.text)} characters>"

    @property
    def statement(self) -> Any:
        """The statement, by its name."""
        return self.to_dict().get("statement")

    @property
    def problem(self) -> Any:
        """The problem part."""
        return self.to_dict().get("problem")

    @property
    def claim(self) -> Any:
        """The claim part: what is proved, often with ``lower`` and ``upper``."""
        return self.to_dict().get("claim")

    @property
    def proof(self) -> Any:
        """The proof part: the evidence for the claim."""
        return self.to_dict().get("proof")

    def check(self, budget: str | None = None) -> Verdict:
        """Return the independent checker's verdict.

        Args:
            budget: ``"default"`` or ``"large"``; ``None`` keeps the budget in effect.
        """
        with budget_allowed(budget):
            if self.failure and (not is_large_budget() or self.is_missing):
                return Verdict(False, self.failure)
            return _verdict_of(self.text, is_large_budget())

    def require_accepted(self) -> Certificate:
        """Return self if the checker accepts the certificate, else raise an error.

        Raises:
            CertificateError: the checker rejects the certificate.
        """
        verdict = self.check()
        if not verdict:
            raise CertificateError(
                f"the certificate is {verdict}; nothing is called proved without an accepted certificate"
                f"{_advice(verdict)}"
            )
        return self

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=1)  # a design is checked when it is made, and again before the verdict is printed
def _verdict_of(text: str, is_large: bool) -> Verdict:
    """Return the checker's verdict, which depends on the text and the budget in effect alone."""
    return check_text(text)


def _advice(verdict: Verdict) -> str:
    is_budget = "more work" in verdict.reason and not is_large_budget()
    more = '; allow the large budget (--effort large, budget="large")' if is_budget else ""
    return f"{more}; if the parameters are extreme, round them, else please report this"


@contextmanager
def budget_allowed(budget: str | None) -> Iterator[None]:
    """Set the checker's limit on work within a ``with`` block.

    Args:
        budget: ``"default"``, or ``"large"`` for designs with many categories (FORMAT.md, part A). ``None`` keeps the
            budget in effect.

    Raises:
        InvalidParameterError: the budget has another name.
    """
    if budget is None:
        yield
        return
    one_of(budget, BUDGETS, "`budget`")
    with allowed_budget(budget):
        yield


@clear_calls
def check(certificate: Certificate | Mapping[str, Any] | str | os.PathLike[str], budget: str | None = None) -> Verdict:
    """Judge a certificate with the independent checker: ``accepted``, or ``rejected`` with a reason.

    Args:
        certificate: a ``Certificate``, its document as a dictionary, its JSON text, or the path of its file.
        budget: the checker's limit on work: ``"default"``, or ``"large"`` for designs with many categories.

    Returns:
        A ``Verdict``, true if the certificate is accepted, with ``reason``: the condition that fails.

    Raises:
        FileAccessError: the path cannot be read.
        InvalidParameterError: the argument is of another type, or a dictionary that is not valid JSON.

    >>> print(check("{}"))
    rejected: the format is not 2
    """
    require_texts(budget=budget)
    require_given(budget=budget)
    with budget_allowed(budget):
        return _judged(certificate)


def _judged(certificate: Certificate | Mapping[str, Any] | str | os.PathLike[str]) -> Verdict:
    if isinstance(certificate, Certificate):
        return certificate.check()
    if isinstance(certificate, Mapping):
        return check_text(_document_text(certificate))
    if not isinstance(certificate, (str, os.PathLike)):  # open() would take an integer as a file descriptor
        raise InvalidParameterError(
            f"there is no certificate: received {shown(certificate)}, of type {type(certificate).__name__}; allowed "
            "are a Certificate (of a result, its attribute `certificate`), its dictionary, its JSON text, and the path "
            "of its file"
        )
    if isinstance(certificate, str) and looks_like_json(certificate):
        return check_text(certificate)
    try:
        return check_file(certificate)
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or not a path
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"certificate cannot be read: {shown(str(certificate))}: {reason}") from None


def _document_text(document: Mapping[str, Any]) -> str:
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError) as error:  # a Fraction, a circular reference, deep nesting
        raise InvalidParameterError(
            f"the certificate is not JSON: received {shown(document)}: {error}; give what Certificate.to_dict returns"
        ) from None
