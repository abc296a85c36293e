"""Section 4.1: mean and variance of pi^T pi for a uniformly distributed pi."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from rropt.claims import Claim, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER

MEAN, VARIANCE = "E(pi^T pi)", "Var(pi^T pi)"


def theory(point: Point) -> dict[str, Fraction]:
    size = Fraction(2) ** point["n"]
    return {
        MEAN: 2 / (size + 1),
        VARIANCE: 4 * (size - 1) / ((size + 1) ** 2 * (size + 2) * (size + 3)),
    }


def _mean_of_powers(first: int, rest: int, others: int) -> Fraction:
    """Return the mean of B^first (1-B)^rest, where B has the density others (1-u)^(others-1) on [0, 1]."""
    power = rest + others - 1  # integrate u^first (1-u)^power, expanded
    return others * sum((Fraction((-1) ** j * comb(power, j), first + j + 1) for j in range(power + 1)), Fraction(0))


def stick_breaking(size: int) -> tuple[Fraction, Fraction]:
    """Return the means of S and S^2, S = pi^T pi, for pi uniform on the simplex of ``size`` categories.

    The first share B leaves the others a proportion 1 - B, divided by a pi that is uniform on one category less and
    independent of B: ``S = B^2 + (1-B)^2 S'``.
    """
    one = two = Fraction(1)
    for others in range(1, size):
        squared, both = _mean_of_powers(0, 2, others), _mean_of_powers(2, 2, others)
        one, two = (
            _mean_of_powers(2, 0, others) + squared * one,
            _mean_of_powers(4, 0, others) + 2 * both * one + _mean_of_powers(0, 4, others) * two,
        )
    return one, two


def computed(point: Point) -> dict[str, Fraction]:
    """Both moments of the sum of squares, by breaking a stick."""
    one, two = stick_breaking(2 ** point["n"])
    return {MEAN: one, VARIANCE: two - one**2}


def mutant(point: Point) -> dict[str, Fraction]:
    """2^n in the place of 2^n - 1 in the variance."""
    size = Fraction(2) ** point["n"]
    return {**theory(point), VARIANCE: 4 * size / ((size + 1) ** 2 * (size + 2) * (size + 3))}


CLAIM = Claim(
    id="vinterbo2018.greenwood",
    source=f"{PAPER}, section 4.1, before Proposition 4.7 (Moran 1947)",
    place=(4, 9),
    printed=r"When $\pi$ is a random uniformly sampled probability distribution on $2^n$ categories [...] the quantity "
    r"$\pi^T\pi$, also known as the Greenwood statistic, has expected value "
    r"$\operatorname{E}(\pi^T\pi)=\frac2{2^n+1}$ and variance "
    r"$\operatorname{Var}(\pi^T\pi)=\frac{4(2^n-1))}{(2^n+1)^2\;(2^n+2)\;(2^n+3)}$ (Moran 1947).",
    precise="For every n >= 0; pi has the flat Dirichlet law on 2^n categories. Its shares are broken off one after "
    "the other, each by a law with a polynomial density, which is integrated exactly.",
    variables={"n": Domain("n, the number of bits", (0, 1, 2, 3, 4, 5), None, "x >= 0")},
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="The printed variance has one closing bracket too many.",
)
