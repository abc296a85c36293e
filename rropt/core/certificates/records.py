"""Records and their certificates: a record is believed if the checker accepts its certificate and its fields follow.

``proof_of_record`` judges the certificate of a record. It raises one clear error where the checker rejects it or where
it is of another problem. A certificate of a rule in ``RETIRED_RULES`` is read, and reported as not verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from rropt.core.certificates.record import Certificate
from rropt.core.errors import FileFormatError, shown
from rropt.core.exact import as_text
from rropt.core.results import same_in_json

RETIRED_RULES = {"kary-zcdp": "since version 0.2: the rule zcdp covers it"}
"""Rules that an earlier version of the checker implemented: the name of the rule, and since when and why it is gone.

Whoever removes a rule from the checker adds its line here in the same commit, for example
``"pattern-sum": "since version 0.3: the rule pattern covers it"``. Records with such a certificate stay readable.
"""


def retirement(certificate: Certificate) -> str | None:
    """Return since when and why the rule of a certificate is retired; None where it is not."""
    witness = certificate.witness
    rule = witness.get("rule") if isinstance(witness, Mapping) else None
    return RETIRED_RULES.get(rule) if isinstance(rule, str) else None


def verdict_text(certificate: Certificate) -> str:
    """Return the verdict on a certificate for people; of a retired rule that it is not verified."""
    retired = retirement(certificate)
    return str(certificate.check()) if retired is None else f"not verified (rule retired, {retired})"


def proof_of_record(
    certificate: Certificate, problem: Mapping[str, Any], what: str, *, follow: Iterable[str] = ()
) -> tuple[str, ...]:
    """Judge the certificate of a record.

    Args:
        certificate: as the record holds it.
        problem: the problem that it must be of, as certificates write it.
        what: the record, for messages.
        follow: the names of the fields that follow from the certificate.

    Returns:
        The names that are not verified: none where the checker accepts the certificate; where its rule is retired
        ``certificate`` and all names in ``follow``.

    Raises:
        FileFormatError: the checker rejects the certificate, or it is of another problem.
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
    """Raise ``FileFormatError`` unless a certificate is of this problem."""
    own = certificate.problem
    if not same_in_json(own, problem):
        raise FileFormatError(
            f"the record of a {what} holds the certificate of another problem: received {shown(str(own))}; allowed is "
            f"{shown(str(problem))}; use the record as it was written, or solve the problem again"
        )


def part_of(certificate: Certificate, part: str, key: str, what: str) -> Any:
    """Return an entry of the claim or the witness of a certificate.

    Raises:
        FileFormatError: it has none.
    """
    entries = getattr(certificate, part)
    if not isinstance(entries, Mapping) or key not in entries:
        raise FileFormatError(
            f"the record of a {what} holds a certificate without the {part} {key}: received {shown(str(entries))}; use "
            "the record as it was written"
        )
    return entries[key]


def require_value(certificate: Certificate, value: Fraction, what: str) -> None:
    """Raise ``FileFormatError`` unless a linear program has this optimum, by its certificate."""
    ends = {part_of(certificate, "claim", end, what) for end in ("lower", "upper")}
    if ends != {as_text(value)}:
        raise FileFormatError(
            f"the record of a {what} contradicts its certificate: received {shown(as_text(value))}; allowed is "
            f"{shown(', '.join(map(str, ends)))}; use the record as it was written"
        )


def require_infeasible(certificate: Certificate, what: str) -> None:
    """Raise ``FileFormatError`` unless a certificate claims that no point meets the constraints."""
    if part_of(certificate, "claim", "kind", what) != "infeasible":
        raise FileFormatError(
            f"the record of a {what} contradicts its certificate: received a certificate of an optimum; allowed is one "
            "that no point meets the constraints; use the record as it was written"
        )
