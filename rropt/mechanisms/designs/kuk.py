"""Kuk's design: r cards are drawn, with replacement, from the deck of one's group; the number of red ones is told."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from rropt.mechanisms.designs.design import Design, Parameter, probability, require

_MAX_DRAWS = 200  # entries are probabilities with up to r times the digits of theta


def _binomial(draws: int, theta: Fraction) -> tuple[Fraction, ...]:
    return tuple(comb(draws, i) * theta**i * (1 - theta) ** (draws - i) for i in range(draws + 1))


def _kuk(theta1: Fraction, theta0: Fraction, draws: Fraction = Fraction(1)) -> tuple[tuple[Fraction, ...], ...]:
    probability(theta1, "theta1")
    probability(theta0, "theta0")
    require(
        draws.denominator == 1 and 1 <= draws <= _MAX_DRAWS,
        f"r is not a number of draws: received {draws}; allowed is an integer 1 <= r <= {_MAX_DRAWS}",
    )
    digits = max(len(str(theta.denominator)) for theta in (theta1, theta0))
    require(
        int(draws) * digits <= 2 * _MAX_DRAWS,
        f"r times the digits of theta is too large: received {draws} * {digits}; at most {2 * _MAX_DRAWS}; round theta",
    )
    return tuple(zip(_binomial(int(draws), theta0), _binomial(int(draws), theta1), strict=True))


KUK = Design(
    name="kuk",
    title="Kuk (r draws, r+1 outputs)",
    parameters=(
        Parameter("theta1", "share of red cards in the deck of those with the attribute"),
        Parameter("theta0", "share of red cards in the other deck"),
        Parameter("r", "number of draws", "an integer 1 <= r <= 200, 1 when left out"),
    ),
    device="The respondent draws r cards, each put back, from the deck of the own group and tells how many were red.",
    epsilon="r*log(max(a/b, b/a, (1-a)/(1-b), (1-b)/(1-a))) with a = theta1, b = theta0",
    source="Kuk 1990",
    example="4/5,1/5,3",
    build=_kuk,
    required=2,
)
