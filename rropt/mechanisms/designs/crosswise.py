"""The crosswise design: answer "same" or "different" about a sensitive and a harmless question asked together."""

from __future__ import annotations

from fractions import Fraction

from rropt.mechanisms.designs.design import Design, Parameter, probability


def _crosswise(p: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    # answer 1 is "same": both yes (truth 1, probability p) or both no (truth 0, probability 1 - p)
    probability(p, "p")
    return ((p, 1 - p), (1 - p, p))


CROSSWISE = Design(
    name="crosswise",
    title="Crosswise (non-randomized Warner)",
    parameters=(Parameter("p", "known prevalence of the harmless attribute"),),
    device="The respondent says whether the answers to both questions are the same (answer 1) or differ (answer 0).",
    epsilon="abs(log(p/(1-p)))",
    source="Yu, Tian and Tang 2008",
    example="1/4",
    build=_crosswise,
    required=1,
)
