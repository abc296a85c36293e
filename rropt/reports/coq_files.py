"""Coq theorems of a certificate, or of claims: a file per claim, and a list of claims without a theorem."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

from rropt.claims import Claim, Outcome
from rropt.claims.positivity.coq import HEADER, coq_theorem
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError, shown
from rropt.reports.level_theorems import level_theorems

_MISSING = "WITHOUT_THEOREM.txt"


@dataclass(frozen=True, slots=True)
class CoqFiles:
    """The files by name, their number of theorems, and the name of the list of claims without a theorem."""

    texts: Mapping[str, str]
    theorems: int
    missing: str = _MISSING


def coq_files(entries: Mapping[str, tuple[Claim, Outcome]]) -> CoqFiles:
    """Return one file of theorems for each claim whose certificates have theorems, and a list of the other claims.

    A theorem is named after its claim and step. Equal theorems of a claim are written once. An identity has the two
    sides of the certificate; for the value of a claim these are the expressions that were tied to its Python code.

    Args:
        entries: claim and outcome by id.
    """
    texts: dict[str, str] = {}
    lines = ["What has no Coq theorem, and why.", ""]
    theorems = 0
    for name, (claim, outcome) in entries.items():
        written, missing = _theorems(claim, outcome)
        lines += missing
        if written:
            texts[f"{coq_name(name)}.v"] = _comment(claim, outcome) + HEADER + "\n" + "\n".join(written)
            theorems += len(written)
    return CoqFiles({**texts, _MISSING: "\n".join(lines) + "\n"}, theorems)


def certificate_theorems(certificate: Certificate) -> str:
    """Return a file for ``coqc`` with the theorems of an accepted certificate.

    Raises:
        UnsupportedProblemError: the statement has no theorems in Coq, or the certificate is too long.
    """
    statement = certificate.to_dict()["statement"]
    if statement == "every-level":
        return level_theorems(certificate)
    if statement == "polynomial":
        return f"{HEADER}\n{coq_theorem('certificate', certificate)}"
    raise UnsupportedProblemError(
        f"no theorems are written for this statement: received {shown(statement)}; allowed are every-level and "
        "polynomial; the checker that is proved in Coq covers more (make coq)"
    )


def coq_name(text: str) -> str:
    """Return a text as a short name that Coq allows."""
    return re.sub(r"[^A-Za-z0-9]+", "_", text)[:60].strip("_")


def _theorems(claim: Claim, outcome: Outcome) -> tuple[list[str], list[str]]:
    """Return the theorems of a claim, each below its step, and lines about the steps without a theorem."""
    own = coq_name(claim.id)
    seen: set[str] = set()
    written, missing = [], []
    for i, (step, certificate) in enumerate(outcome.certificates):
        try:
            statement = coq_theorem("same", certificate)
        except UnsupportedProblemError as error:
            missing.append(f"{claim.id}, {step}: {error}; the checker alone accepts it")
            continue
        if statement not in seen:
            seen.add(statement)
            theorem = coq_theorem(f"{own}__{coq_name(step)}_{i}", certificate)
            written.append(f"{_quoted([step])}{theorem}")
    if outcome.theorems:
        missing.append(f"{claim.id}: stated and proved in rropt_proofs/coq, by {', '.join(outcome.theorems)}")
    elif not outcome.certificates:
        missing.append(f"{claim.id}: no certificate; the claim is {outcome.evidence}, not proved")
    missing += [f"{claim.id}, not proved by any machine: {step}" for step in outcome.unchecked_steps]
    return written, missing


def _comment(claim: Claim, outcome: Outcome) -> str:
    """Return the claim in words: the printed statement, the true statement, and the link to the theorems."""
    lines = [f"{claim.id}: {claim.source}", f"printed: {claim.printed}", f"precise: {claim.precise}"]
    lines += [f"verdict: {outcome.verdict}; {outcome.evidence} {outcome.about}".rstrip()]
    lines += [f"what is true: {outcome.correction}"] if outcome.correction else []
    lines += [f"assumption: {outcome.assumption}"] if outcome.assumption else []
    return _quoted([*lines, f"scope: {outcome.scope}"])


def _quoted(lines: list[str]) -> str:
    """Return lines as a Coq comment. Comment brackets and quotation marks are escaped, because Coq reads them there."""
    plain = [line.replace('"', "'").replace("(*", "( *").replace("*)", "* )") for line in lines]
    return "(* " + "\n   ".join(part for line in plain for part in textwrap.wrap(line, 110) or [""]) + " *)\n"
