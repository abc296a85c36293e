"""Warner's design (related question, spinner; symmetric or binary randomized response)."""

from __future__ import annotations

from fractions import Fraction

from rropt.errors import InvalidParameterError
from rropt.exact import rational
from rropt.mechanisms.designs.design import Design, Parameter, probability


def _warner(p: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    probability(p, "p")
    return ((p, 1 - p), (1 - p, p))


def warner_probability(gamma: object) -> Fraction:
    """Return the p > 1/2 at which Warner's design has parity ``gamma``: ``gamma / (1 + gamma)``."""
    g = rational(gamma, name="gamma")
    if g < 1:
        raise InvalidParameterError(f"gamma is out of range: received {g}; allowed is gamma >= 1")
    return g / (1 + g)


WARNER = Design(
    name="warner",
    title="Warner (related question, symmetric randomized response)",
    parameters=(Parameter("p", "probability of the sensitive statement rather than its opposite"),),
    device="A spinner shows the statement (probability p) or its opposite; the respondent says whether it is true.",
    epsilon="abs(log(p/(1-p)))",
    source="Warner 1965; Holohan, Leith and Mason 2016, section II-D",
    example="3/4",
    build=_warner,
    required=1,
)
