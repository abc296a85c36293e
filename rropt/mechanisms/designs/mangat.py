"""Mangat's one-stage design of 1994: those who have the attribute say yes; the others use Warner's device."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability


def _mangat(p: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    probability(p, "p")
    return ((p, Fraction(0)), (1 - p, Fraction(1)))


MANGAT = Design(
    name="mangat",
    title="Mangat (1994, one stage)",
    parameters=(Parameter("p", "probability of the sensitive statement on Warner's device"),),
    device="Who has the attribute says yes; who has not uses Warner's device: the statement with probability p.",
    epsilon="inf for p > 0 (a no is certainly true); delta = p at every epsilon",
    source="Mangat 1994",
    example="3/4",
    build=_mangat,
    required=1,
)
