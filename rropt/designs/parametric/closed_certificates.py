"""Certificates of closed forms for every level: the statement ``every-level-closed`` of the checker.

The pieces come from formulas (``closed_levels``). The checker derives the value of each design from its definition, and
proves that no mechanism does better on the interval of its piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.exact import as_text
from rropt.core.exact.texts import fraction_of
from rropt.designs.parametric.level_formulas import Place, is_before
from rropt.designs.parametric.level_pieces import point_text
from rropt.designs.parametric.quadratic_formulas import Triple, triple

WHAT = "closed form for every level"


class StatedPiece(NamedTuple):
    """A piece as a certificate states it.

    Attributes:
        place: the end; None is infinity.
        above, below: the value as a quotient of quadratics in gamma; of a log determinant that of its eigenvalue.
        design: the design, in the words of the statement.
    """

    place: Place | None
    above: Triple
    below: Triple
    design: str


def stated_problem(
    objective: Mapping[str, Any], delta: Fraction, start: Fraction, stop: Fraction | None
) -> dict[str, Any]:
    """Return the problem of a certificate.

    Args:
        objective: the objective, in the form of the statement.
        delta: the slack.
        start, stop: rational ends of the interval of gamma, which holds the levels; ``stop`` is None for infinity.
    """
    end = None if stop is None else [as_text(stop)]
    return {"objective": dict(objective), "delta": as_text(delta), "from": [as_text(start)], "to": end}


def certify_closed(problem: Mapping[str, Any], pieces: Sequence[StatedPiece]) -> Certificate:
    """Return the certificate of the pieces on the interval of a problem (``stated_problem``).

    Args:
        problem: the problem of the certificate.
        pieces: pieces of all levels, in order.
    """
    ends = problem["from"], problem["to"]
    start, stop = (None if end is None else (Fraction(end[0]), Fraction(0), 0) for end in ends)
    claim = []
    for piece in pieces:
        if start is not None and piece.place is not None and not is_before(start, piece.place):
            continue
        is_last = stop is not None and not is_before(piece.place, stop)
        value = [[*map(as_text, part)] for part in (piece.above, piece.below)]
        end = point_text(stop if is_last else piece.place)
        claim.append({"to": end, "value": value, "design": piece.design})
        if is_last:
            break
    return Certificate.state("every-level-closed", problem, {"pieces": claim}, {})


def stated_pieces(certificate: Certificate) -> Iterator[StatedPiece]:
    """Yield the pieces of an accepted certificate."""
    for piece in part_of(certificate, "claim", "pieces", WHAT):
        place = None
        if piece["to"] is not None:
            p, q, root = (*map(fraction_of, piece["to"]), Fraction(0), Fraction(0))[:3]
            place = p, q, int(root)
        above, below = (triple(*map(fraction_of, part)) for part in piece["value"])
        yield StatedPiece(place, above, below, piece["design"])
