"""Findings of ``rropt privacy`` and ``rropt repair`` about a matrix, also somebody else's, and audits."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.errors import InvalidParameterError, shown
from rropt.exact.display import extended_text

if TYPE_CHECKING:
    from rropt.exact import Delta, Epsilon, ExactReal
    from rropt.mechanisms import Mechanism, PrivacyProfile
    from rropt.mechanisms.excesses import Excess
    from rropt.mechanisms.raw_matrices import Audit


@dataclass(frozen=True, slots=True)
class Finding:
    """The exact privacy of an audited matrix at a level.

    Attributes:
        audit: the matrix.
        epsilon: the level at which delta is wanted; ``None``: every finite one, or the matrix's own.
        asked: the delta that was allowed there; ``None``: no question was asked.
        delta: the least delta at the level.
        worst: the two inputs and the answers from which it comes.
        meets: whether the level is met, exactly; ``None``: no question was asked.
    """

    audit: Audit
    epsilon: Epsilon | None
    asked: Delta | None
    delta: Fraction | ExactReal
    worst: Excess
    meets: bool | None = None

    @classmethod
    def at(cls, audit: Audit, epsilon: Epsilon | None, asked: Delta | None = None) -> Finding:
        """Return what is found at a level; ``None``: as epsilon grows."""
        from rropt.mechanisms.excesses import Excess, worst_excess

        gamma = None if epsilon is None else epsilon.exact_gamma()
        if gamma is None and audit.parity is not None:  # no zero meets a positive entry
            worst = Excess((0, 0), (), Fraction(0), Fraction(0))
        else:
            worst = worst_excess(audit.normalised.matrix, gamma)
        delta = worst.at(gamma)
        meets = None
        if asked is not None and gamma is not None:
            meets = not asked.exact() < delta
            if asked.rational == 0:  # the entries as they are are asked too, where the columns miss the sum 1
                meets = meets and audit.parity is not None and not gamma < audit.parity
        return cls(audit, epsilon, asked, delta, worst, meets)


def read_question(args: argparse.Namespace) -> tuple[Epsilon, Delta | None] | None:
    """Return the level (epsilon, delta) that is asked about; ``None`` without one, or with a criterion.

    Beside ``--properties`` the question is about these alone, and delta (``None``) is only told.

    Raises:
        InvalidParameterError: --delta without --epsilon or --gamma, or beside --properties.
    """
    from rropt.exact import Delta, Epsilon

    allowed = Delta.of(args.delta)
    given = args.epsilon is not None or args.gamma is not None
    if allowed != Delta.of(0) and (not given or args.properties is not None):
        raise InvalidParameterError(
            "--delta stands beside --epsilon or --gamma, and not beside --properties: received "
            f"{shown(args.delta)}; leave it out"
        )
    if not given:
        return None
    epsilon = Epsilon.of_gamma(args.gamma) if args.epsilon is None else Epsilon.of(args.epsilon)
    return epsilon, allowed if args.properties is None else None


def finding_json(found: Finding, *, judged: bool = False) -> dict[str, Any]:
    """Return the finding for ``--json``.

    Args:
        found: at a level.
        judged: whether a criterion was asked about: ``worst`` is told then too, and ``judgement_record`` has ``meets``.
    """
    audit = found.audit
    record: dict[str, Any] = {
        "parity": extended_text(audit.parity),
        "epsilon": str(audit.epsilon),
        "delta": str(found.delta),
    }
    if found.asked is None and not judged:
        return record
    if found.asked is not None:
        record["meets"] = found.meets
    if found.epsilon is not None:  # a criterion is met iff the parity is at most B(h): with delta = 0
        record["level"] = {"epsilon": str(found.epsilon), "delta": "0" if found.asked is None else str(found.asked)}
    place, worst = audit.worst, found.worst
    record["worst"] = {
        "odds": None
        if place is None
        else {"answer": place[0], "inputs": list(place[1:]), "ratio": extended_text(audit.parity)},
        "delta": None
        if not worst.outputs
        else {"answers": list(worst.outputs), "inputs": list(worst.pair), "value": str(found.delta)},
    }
    return record


def finding_rows(found: Finding, *, judged: bool = False) -> list[tuple[str, str]]:
    """Return the finding as rows of a table; ``judged`` as in ``finding_json``."""
    from rropt.exact import both_texts

    rows = found.audit.lines()[:2]
    where = "at every larger epsilon too" if found.epsilon is None else f"at epsilon = {found.epsilon}"
    rows.append(("delta", f"{both_texts(found.delta)} {where}"))
    if found.asked is not None:
        question = f"meets epsilon = {found.epsilon}, delta = {found.asked}"
        rows.append((question, "yes" if found.meets else "no"))
    return rows + _worst_rows(found) if judged or found.asked is not None else rows


def _worst_rows(found: Finding) -> list[tuple[str, str]]:
    """Return who is told apart most: by the odds of one answer, and at the level by a set of answers."""
    from rropt.exact import both_texts

    rows, place, worst = [], found.audit.worst, found.worst
    if place is not None:
        answer, likely, rare = place
        ratio = both_texts(found.audit.parity)
        rows.append(("worst answer", f"{answer}: input {likely} against input {rare}, odds ratio {ratio}"))
    if worst.outputs:
        answers = ", ".join(map(str, worst.outputs[:_LISTED])) + ", ..." * (len(worst.outputs) > _LISTED)
        pair = f"input {worst.pair[0]} against input {worst.pair[1]}"
        rows.append(("delta comes from", f"answers {{{answers}}}: {pair}, {both_texts(found.delta)} is needed"))
    return rows


_LISTED = 12  # answers of a set that people are shown


def profile_json(profile: PrivacyProfile | None) -> dict[str, Any]:
    """Return the keys ``profile`` and ``profile_width`` for ``--json``; nothing where it was not asked for."""
    if profile is None:
        return {}
    pieces = [
        {
            "gamma_from": str(piece.start),
            "gamma_to": "inf" if piece.end is None else str(piece.end),
            "intercept": str(piece.intercept),
            "slope": str(-piece.slope),
        }
        for piece in profile.pieces
    ]
    return {"profile": pieces, "profile_width": str(profile.width)}


def profile_rows(profile: PrivacyProfile | None) -> list[tuple[str, str]]:
    """Return the profile as rows of a table."""
    rows = []
    for piece in () if profile is None else profile.pieces:
        end = "" if piece.end is None else f" <= {piece.end}"
        line = f"{piece.intercept} - {piece.slope} gamma" if piece.slope else str(piece.intercept)
        rows.append((f"delta for {piece.start} <= gamma{end}", line))
    if profile is not None and profile.width:
        text = f"an enclosure: delta is at least what these lines say, and at most {float(profile.width):g} more"
        rows.append(("profile", text))
    return rows


def add_transposed(parser: argparse.ArgumentParser) -> None:
    """Add ``--transposed``."""
    parser.add_argument(
        "--transposed",
        action="store_true",
        help="the file's rows are inputs and sum to 1 (a row-stochastic channel, such as qif's); without it rows are "
        "outputs",
    )


def read_audit(text: str, *, transposed: bool) -> Audit:
    """Return the audit of a mechanism argument: a file of numbers as they are, or a named design."""
    from rropt.cli.arguments import read_mechanism
    from rropt.mechanisms.imports import load_raw_matrix
    from rropt.mechanisms.raw_matrices import audit

    if os.path.exists(text):  # noqa: PTH110  # Path.exists raises for names that no file can have
        return audit(load_raw_matrix(text, transposed=transposed))
    mechanism: Mechanism = read_mechanism(text)
    return audit(mechanism.design_matrix if transposed else mechanism)


def audit_json(audit: Audit) -> dict[str, Any]:
    """Return what an audit says beside parity, epsilon and the matrix, for ``--json``."""
    return {key: x for key, x in audit.to_dict().items() if key not in ("matrix", "parity", "epsilon", "decimals")}
