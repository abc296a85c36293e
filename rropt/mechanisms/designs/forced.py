"""The forced response design (directed response, Boruch's contamination design)."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability, require


def _forced(truth: Fraction, yes: Fraction, no: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    for value, symbol in ((truth, "t"), (yes, "y"), (no, "n")):
        probability(value, symbol)
    require(
        truth + yes + no == 1,
        f"t + y + n is not 1: received {truth} + {yes} + {no} = {truth + yes + no}; the three outcomes of the device "
        "exclude each other and exhaust it",
    )
    return ((truth + no, no), (yes, truth + yes))


FORCED = Design(
    name="forced",
    title="Forced response (directed response, Boruch)",
    parameters=(
        Parameter("t", "probability of answering truthfully"),
        Parameter("y", "probability of a forced yes"),
        Parameter("n", "probability of a forced no", "t + y + n = 1"),
    ),
    device="A die tells the respondent to answer truthfully (probability t), to say yes (y), or to say no (n).",
    epsilon="log(1 + t/min(y, n))",
    source="Boruch 1971; Blair, Imai and Zhou 2015",
    example="2/3,1/6,1/6",
    build=_forced,
    required=3,
)
