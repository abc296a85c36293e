"""Verify saved results: the checker must accept the certificate, and the fields must follow from it.

``proof_of_record`` checks the certificate of a saved result. It raises an error if the checker rejects the certificate,
or if the certificate belongs to another problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact import as_text
from rropt.core.results import equal_in_json


def proof_of_record(certificate: Certificate, problem: Mapping[str, Any], what: str) -> None:
    """Check the certificate of a saved result.

    Args:
        certificate: the certificate in the saved result.
        problem: the problem to which the certificate must belong, in the form that certificates use.
        what: the name of the result, for messages.

    Raises:
        FileFormatError: the checker rejects the certificate, or it belongs to another problem.
    """
    require_same_problem(certificate, problem, what)
    verdict = certificate.check()
    if not verdict:
        raise FileFormatError(
            f"the record of a {what} is not proved: its certificate is {verdict}; use the record as it was written, or "
            "solve the problem again"
        )


def require_same_problem(certificate: Certificate, problem: Mapping[str, Any], what: str) -> None:
    """Raise ``FileFormatError`` unless a certificate belongs to this problem."""
    own = certificate.problem
    if not equal_in_json(own, problem):
        raise FileFormatError(
            f"the record of a {what} contains the certificate of another problem: received {shown(str(own))}; "
            f"allowed is "
            f"{shown(str(problem))}; use the record as it was written, or solve the problem again"
        )


def part_of(certificate: Certificate, part: str, key: str, what: str) -> Any:
    """Return an entry of the problem, the claim or the proof of a certificate.

    Raises:
        FileFormatError: the part has no such entry.
    """
    entries = getattr(certificate, part)
    if not isinstance(entries, Mapping) or key not in entries:
        raise FileFormatError(
            f"the record of a {what} contains a certificate without the {part} {key}: received "
            f"{shown(str(entries))}; use "
            "the record as it was written"
        )
    return entries[key]


def require_value(certificate: Certificate, value: Fraction, what: str) -> None:
    """Raise ``FileFormatError`` unless the certificate proves this optimum of a linear program."""
    ends = {part_of(certificate, "claim", end, what) for end in ("lower", "upper")}
    if ends != {as_text(value)}:
        raise FileFormatError(
            f"the record of a {what} contradicts its certificate: received {shown(as_text(value))}; allowed is "
            f"{shown(', '.join(map(str, ends)))}; use the record as it was written"
        )
