"""Figure 1 (c): the ratio of the loss and its approximation."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Bound, Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._greenwood import centred_moments

LEAST, NEAR = "the ratio for the uniform pi", "the share of pi with |ratio - 1| >= 1/4"


def _ratio(point: Point, s: Fraction) -> Fraction:
    """Return f_L(s)/f_L(2/(2^n+1)) of the unrelated-question device."""
    p, n = Fraction(point["p"]), point["n"]
    c, at = ((p**2 - 2 * p + 2) / (2 * (p - 1) ** 2)) ** n, Fraction(2, 2**n + 1)
    return ((c - s) / (1 - s)) / ((c - at) / (1 - at))


def theory(point: Point) -> dict[str, Bound]:
    """At least 1/2; and a proportion that falls with n."""
    return {LEAST: Bound("at-least", Fraction(1, 2)), NEAR: Bound("at-most", Fraction(16, 4 ** point["n"]))}


def computed(point: Point) -> dict[str, Fraction]:
    """Chebyshev: where |S - E S| <= t the ratio is between those at both endpoints, as f_L grows."""
    n, t = point["n"], Fraction(1, 8)
    mean, variance, _ = centred_moments(2**n)
    ends = _ratio(point, max(mean - t, Fraction(1, 2**n))), _ratio(point, mean + t)
    near = all(abs(end - 1) < Fraction(1, 4) for end in ends)
    return {LEAST: _ratio(point, Fraction(1, 2**n)), NEAR: variance / t**2 if near else Fraction(1)}


def mutant(point: Point) -> dict[str, Bound]:
    return {**theory(point), LEAST: Bound("at-least", Fraction(1))}


CLAIM = Claim(
    id="vinterbo2018.figure-1c",
    source=f"{PAPER}, Figure 1 (c) and section 5.1",
    place=(5, 5),
    printed="three probabilities $p$ of 0.0001, 0.5, and 0.9999. [...] (c): The ratio "
    r"$\frac{f_L(\pi^T\pi)}{f_L(2(2^n+1)^{-1})}$ for 100 random uniformly sampled $\pi$ for each $2\le n\le12$ "
    "and three values of $p$",
    precise="Computed beside the picture, for the unrelated-question device: f_L grows, so that the least ratio is "
    "that of the uniform pi, and it is at least 1/2; by Chebyshev's inequality the ratio differs by 1/4 or more from "
    "1 for at most a share 16/4^n of all pi.",
    variables={
        "n": Domain.whole("n, the number of bits", 2, 8),
        "p": Domain.values("p", *map(Fraction, ("0.0001", "0.5", "0.9999"))),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    not_checkable="a picture of a random sample that is not given",
)
