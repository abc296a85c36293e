"""Mangat and Singh's two-stage design of 1990: the truth with probability T, else Warner's device."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability


def _mangat_singh(truth: Fraction, p: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    probability(truth, "T")
    probability(p, "p")
    keep = truth + (1 - truth) * p
    return ((keep, 1 - keep), (1 - keep, keep))


MANGAT_SINGH = Design(
    name="mangat-singh",
    title="Mangat-Singh (1990, two stages)",
    parameters=(
        Parameter("T", "probability of answering truthfully at the first stage"),
        Parameter("p", "probability of the sensitive statement on Warner's device at the second"),
    ),
    device="A first device asks for the truth with probability T, else sends the respondent to Warner's device.",
    epsilon="abs(log(q/(1-q))) with q = T + (1-T)*p",
    source="Mangat and Singh 1990",
    example="1/4,2/3",
    build=_mangat_singh,
    required=2,
)
