"""Certificates of compositions (FORMAT.md, rule 26)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rropt.checker.limits import MAX_COMPOSED_CELLS, MAX_COMPOSED_ITEMS
from rropt.core.certificates import Certificate
from rropt.core.exact import Bracket, Epsilon, as_text
from rropt.survey.accounting.curves import shortened
from rropt.survey.accounting.items import Item

_DIGITS = 60  # of brackets of irrational levels: those of the composition itself


def composition_problem(items: Sequence[Item], epsilon: Epsilon) -> dict[str, Any] | None:
    """Return the problem of a composition, as certificates write it; None where the rule has no form for an item."""
    listed: list[dict[str, Any]] = []
    for item in items:
        delta = item.delta.rational
        if item.atoms is not None or delta is None:
            return None
        if item.count:
            level = Epsilon.of(0) if item.epsilon.is_infinite else item.epsilon
            listed.append({"epsilon": level.to_dict(), "delta": as_text(delta), "count": str(item.count)})
    if len(listed) > MAX_COMPOSED_ITEMS or any(int(each["count"]) >= MAX_COMPOSED_CELLS for each in listed):
        return None
    return {"kind": "composition", "items": listed, "epsilon": epsilon.to_dict()}


def certify_composition(items: Sequence[Item], epsilon: Epsilon, delta: Bracket) -> Certificate | None:
    """Return the accepted certificate that delta of a composition is in a bracket; None where the checker accepts none.

    Args:
        items: what is composed.
        epsilon: the level at which delta is claimed.
        delta: the bracket; of irrational levels it has to leave room for brackets of 60 digits.
    """
    problem = composition_problem(items, epsilon)
    if problem is None:
        return None
    levels = [
        (Epsilon.of(0) if item.epsilon.is_infinite else item.epsilon).gamma_bracket(_DIGITS)
        for item in items
        if item.count
    ]
    ends = delta if delta.is_exact else shortened(delta, _DIGITS)
    ends = Bracket(max(ends.lower, Fraction(0)), min(ends.upper, Fraction(1)))
    witness = {
        "rule": "composition",
        "levels": [one.written("below", "above") for one in levels],
        "gamma": epsilon.gamma_bracket(_DIGITS).written("below", "above"),
    }
    made = Certificate.write(problem, {"kind": "composed-delta", **ends.written()}, witness)
    return made if made.check() else None
