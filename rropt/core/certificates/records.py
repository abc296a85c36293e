"""Verify saved results: the checker must accept the certificate, and the fields must follow from it.

``proof_of_record`` checks the certificate of a saved result. It raises an error if the checker rejects the certificate,
or if the certificate belongs to another problem. A certificate of a rule in ``RETIRED_RULES`` can still be read; it is
reported as not verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact import as_text
from rropt.core.results import equal_in_json

RETIRED_RULES = {"kary-zcdp": "since version 0.2: the rule zcdp covers it"}
"""Rules that an earlier version of the checker implemented. Each name maps to the version and reason of its removal.

A change that removes a rule from the checker also adds its line here, for example
``"pattern-sum": "since version 0.3: the rule pattern covers it"``. Results with such a certificate stay readable.
"""


def retirement(certificate: Certificate) -> str | None:
    """Return the version and reason of the removal of a certificate's rule; ``None`` if the rule is not retired."""
    witness = certificate.witness
    rule = witness.get("rule") if isinstance(witness, Mapping) else None
    return RETIRED_RULES.get(rule) if isinstance(rule, str) else None


def verdict_text(certificate: Certificate) -> str:
    """Return the checker's verdict as a text; for a retired rule, a text that the certificate is not verified."""
    retired = retirement(certificate)
    return str(certificate.check()) if retired is None else f"not verified (rule retired, {retired})"


def proof_of_record(
    certificate: Certificate, problem: Mapping[str, Any], what: str, *, follow: Iterable[str] = ()
) -> tuple[str, ...]:
    """Check the certificate of a saved result.

    Args:
        certificate: the certificate in the saved result.
        problem: the problem to which the certificate must belong, in the form that certificates use.
        what: the name of the result, for messages.
        follow: the names of the fields that follow from the certificate.

    Returns:
        The names of the fields that are not verified: empty if the checker accepts the certificate; if its rule is
        retired, ``certificate`` and all names in ``follow``.

    Raises:
        FileFormatError: the checker rejects the certificate, or it belongs to another problem.
    """
    require_same_problem(certificate, problem, what)
    if retirement(certificate) is not None:
        return ("certificate", *follow)
    verdict = certificate.check()
    if not verdict:
        raise FileFormatError(
            f"the record of a {what} is not proved: its certificate is {verdict}; use the record as it was written, or "
            "solve the problem again"
        )
    return ()


def require_same_problem(certificate: Certificate, problem: Mapping[str, Any], what: str) -> None:
    """Raise ``FileFormatError`` unless a certificate belongs to this problem."""
    own = certificate.problem
    if not equal_in_json(own, problem):
        raise FileFormatError(
            f"the record of a {what} holds the certificate of another problem: received {shown(str(own))}; allowed is "
            f"{shown(str(problem))}; use the record as it was written, or solve the problem again"
        )


def part_of(certificate: Certificate, part: str, key: str, what: str) -> Any:
    """Return an entry of the claim or the witness of a certificate.

    Raises:
        FileFormatError: the claim or the witness has no such entry.
    """
    entries = getattr(certificate, part)
    if not isinstance(entries, Mapping) or key not in entries:
        raise FileFormatError(
            f"the record of a {what} holds a certificate without the {part} {key}: received {shown(str(entries))}; use "
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


def require_infeasible(certificate: Certificate, what: str) -> None:
    """Raise ``FileFormatError`` unless the certificate claims that no point satisfies the constraints."""
    if part_of(certificate, "claim", "kind", what) != "infeasible":
        raise FileFormatError(
            f"the record of a {what} contradicts its certificate: received a certificate of an optimum; allowed is one "
            "that no point meets the constraints; use the record as it was written"
        )
