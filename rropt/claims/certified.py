"""Certificates at points: what each says is read from its own document and compared with what the claim computed.

That a certificate is accepted says that its claim about its problem is true, not that either is that of the point. So
the problem in it has to be the one that the claim poses at the point, every point has to have a problem of its own,
and the value that it certifies has to be the value that the claim computed there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from rropt.claims.claim import Claim
from rropt.claims.domains import Point
from rropt.claims.enclosures import Enclosure

_TRUTHS = {"garbling": True, "no-garbling": False, "admissible": True, "inadmissible": False}
_BRACKETS = (
    "optimal-value",
    "optimal-design",
    "design-bracket",
    "minimax-design",
    "least-regret-design",
    "infimum",
    "profile",
)


def is_certified(claim: Claim, values: Sequence[tuple[Point, Any]]) -> bool:
    """Return whether at every point a certificate that the checker accepts says the value that was computed there."""
    if claim.certify is None or claim.poses is None or not values:
        return False
    problems = [claim.poses(point) for point, _ in values]
    if len({json.dumps(problem, sort_keys=True) for problem in problems}) < len(values):
        return False  # a problem that two points share is about neither of them
    return all(_says(claim, point, value, problem) for (point, value), problem in zip(values, problems, strict=True))


def _says(claim: Claim, point: Point, value: Any, problem: Any) -> bool:
    certificate = claim.certify(point, value) if claim.certify is not None else None
    if certificate is None or not certificate.check():
        return False
    return bool(certificate.problem == problem) and _is_value(stated(certificate.claim), value)


def stated(said: Mapping[str, Any]) -> Any:
    """Return what the claim part of a certificate states: two ends of a number, a truth value, or None for neither."""
    kind = said["kind"]
    if kind in _TRUTHS:
        return _TRUTHS[kind]
    if kind == "parity":
        return inf if said["parity"] == "infinite" else (Fraction(said["parity"]),) * 2
    if kind not in _BRACKETS:
        return None  # an identity or an inequality states no value
    if "infinite" in (said["lower"], said["upper"]):
        return inf
    return Fraction(said["lower"]), Fraction(said["upper"])


def _is_value(found: Any, value: Any) -> bool:
    """Return whether what is stated is the value: the number itself, or a bracket within an enclosure of it."""
    if isinstance(value, bool) or isinstance(found, bool):
        return found is value
    if isinstance(found, tuple) and isinstance(value, Enclosure):
        return bool(value.low <= found[0] and found[1] <= value.high)
    if isinstance(found, tuple):
        return isinstance(value, (int, Fraction)) and found == (value, value)
    return isinstance(found, float) and isinstance(value, float) and found == value
