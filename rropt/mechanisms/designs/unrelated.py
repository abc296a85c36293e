"""The unrelated question design with known prevalence of the innocuous attribute (Simmons, Greenberg; U-model)."""

from __future__ import annotations

from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.exact import rational
from rropt.mechanisms.designs.design import Design, Parameter, probability


def _unrelated(p: Fraction, prevalence: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    probability(p, "p")
    probability(prevalence, "piB")
    yes = (1 - p) * prevalence
    no = (1 - p) * (1 - prevalence)
    return ((p + no, no), (yes, p + yes))


def unrelated_probability(gamma: object, prevalence: object) -> Fraction:
    """Return the p at which the unrelated question design has parity ``gamma``.

    The parity is ``1 + p / ((1 - p) min(piB, 1 - piB))``, hence with ``c = (gamma - 1) min(piB, 1 - piB)``
    ``p = c / (1 + c)``.

    Args:
        gamma: the parity, a rational >= 1.
        prevalence: piB, strictly between 0 and 1.
    """
    g, b = rational(gamma, name="gamma"), rational(prevalence, name="piB")
    if g < 1 or not 0 < b < 1:
        raise InvalidParameterError(
            f"no unrelated question has that parity: received gamma = {g}, piB = {b}; "
            "allowed are gamma >= 1 and 0 < piB < 1"
        )
    c = (g - 1) * min(b, 1 - b)
    return c / (1 + c)


UNRELATED = Design(
    name="unrelated",
    title="Unrelated question with known prevalence (Simmons, Greenberg, U-model)",
    parameters=(
        Parameter("p", "probability of the sensitive question"),
        Parameter("piB", "known prevalence of the innocuous attribute"),
    ),
    device="A device asks the sensitive question with probability p, else a harmless one of known prevalence piB.",
    epsilon="log(1 + p/((1-p)*min(piB, 1-piB)))",
    source="Greenberg, Abul-Ela, Simmons and Horvitz 1969",
    example="1/2,1/4",
    build=_unrelated,
    required=2,
)
