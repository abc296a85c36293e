"""The certificate: a problem, a claim about it, and a witness, as one JSON document."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rropt.checker import Verdict, check_file, check_text
from rropt.errors import CertificateError, FileAccessError, FileFormatError, InvalidParameterError, shown
from rropt.files import looks_like_json, parse_json, read_text, write_text

FORMAT = "rropt-certificate/1"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that others can check: ``format``, ``problem``, ``claim`` and ``witness`` (FORMAT.md).

    Attributes:
        text: the JSON document, exactly as it is saved and checked.
    """

    text: str

    @classmethod
    def write(cls, problem: Mapping[str, Any], claim: Mapping[str, Any], witness: Mapping[str, Any]) -> Certificate:
        """Return the certificate of these three parts."""
        document = {"format": FORMAT, "problem": problem, "claim": claim, "witness": witness}
        return cls(json.dumps(document, indent=1))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Certificate:
        """Return the certificate of a file, unjudged: call ``check``."""
        return cls(read_text(path, what="certificate"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate, whole or not at all."""
        write_text(path, self.file_text)

    @property
    def file_text(self) -> str:
        """The text of its file: the document and an end of line."""
        return self.text + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the document as a fresh dictionary."""
        document = parse_json(self.text, what="certificate")
        if not isinstance(document, dict):
            raise FileFormatError(f"certificate is not an object: received {shown(self.text)}")
        return document

    @property
    def problem(self) -> Any:
        """The problem part."""
        return self.to_dict().get("problem")

    @property
    def claim(self) -> Any:
        """The claim part: what is proved, with ``lower`` and ``upper``."""
        return self.to_dict().get("claim")

    @property
    def witness(self) -> Any:
        """The witness part: why it is true."""
        return self.to_dict().get("witness")

    def check(self) -> Verdict:
        """Return the independent checker's verdict."""
        return check_text(self.text)

    def require_accepted(self) -> Certificate:
        """Return self if the checker accepts; nothing is reported as optimal without it."""
        verdict = self.check()
        if not verdict:
            raise CertificateError(
                f"the certificate is {verdict}; no optimum is reported without an accepted certificate; "
                "if the parameters are extreme, round them, else please report this"
            )
        return self

    def __str__(self) -> str:
        return self.text


def check(certificate: Certificate | Mapping[str, Any] | str | os.PathLike[str]) -> Verdict:
    """Judge a certificate with the independent checker: ``accepted``, or ``rejected`` with a reason.

    Args:
        certificate: a ``Certificate``, its document as a dictionary, its JSON text, or the path of its file.

    Raises:
        FileAccessError: the path cannot be read.
        InvalidParameterError: none of these, or a dictionary that is no JSON.

    >>> print(check("{}"))
    rejected: the format is not rropt-certificate/1
    """
    if isinstance(certificate, Certificate):
        return certificate.check()
    if isinstance(certificate, Mapping):
        return check_text(_document_text(certificate))
    if not isinstance(certificate, (str, os.PathLike)):  # an integer would name an open file of the process
        raise InvalidParameterError(
            f"there is no certificate: received {shown(certificate)}, of type {type(certificate).__name__}; allowed "
            "are a Certificate, its dictionary, its JSON text, and the path of its file"
        )
    if isinstance(certificate, str) and looks_like_json(certificate):
        return check_text(certificate)
    try:
        return check_file(certificate)
    except (OSError, ValueError, TypeError) as error:  # a null character in the path, or no path at all
        reason = getattr(error, "strerror", None) or error
        raise FileAccessError(f"certificate cannot be read: {shown(str(certificate))}: {reason}") from None


def _document_text(document: Mapping[str, Any]) -> str:
    try:
        return json.dumps(document)
    except (TypeError, ValueError, RecursionError) as error:  # a Fraction, a circle, a nest without end
        raise InvalidParameterError(
            f"the certificate is no JSON: received {shown(document)}: {error}; give what Certificate.to_dict returns"
        ) from None
