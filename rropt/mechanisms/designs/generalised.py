"""The generalised binary design (p00, p11): every mechanism with two inputs and two outputs."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability


def _generalised(p00: Fraction, p11: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    probability(p00, "p00")
    probability(p11, "p11")
    return ((p00, 1 - p11), (1 - p00, p11))


GENERALISED = Design(
    name="generalised",
    title="Generalised binary design (binary channel; direct questioning is 1,1)",
    parameters=(
        Parameter("p00", "probability of answer 0 when the truth is 0"),
        Parameter("p11", "probability of answer 1 when the truth is 1"),
    ),
    device="The true answer is kept with probability p00 when it is 0, p11 when it is 1, and turned over otherwise.",
    epsilon="log(max(p00/(1-p11), p11/(1-p00), (1-p11)/p00, (1-p00)/p11))",
    source="Holohan, Leith and Mason 2016, equation (2)",
    example="1,1/4",
    build=_generalised,
    required=2,
)
