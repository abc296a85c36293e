"""What the entries of Holohan, Leith and Mason (2016) share: symbols, the variance, the region, and its true optima."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import sympy as sp

import rropt
from rropt.claims import Condition, Domain, Point
from rropt.exact import Epsilon
from rropt.objectives import binary_variance

__all__ = [
    "DELTA",
    "GAMMA",
    "PI",
    "PRIVATE",
    "A",
    "B",
    "Design",
    "determinant",
    "n_variance",
    "no_slack",
    "optima",
    "some_slack",
    "variance_at",
    "yes_probability",
    "yes_slack",
]

PAPER = "Holohan, Leith and Mason (2016)"

# gamma = exp(epsilon); (a, b) is the design (p00, p11)
GAMMA, DELTA, PI, A, B = sp.symbols("gamma delta pi a b")

Design = tuple[Fraction, Fraction]

determinant = A + B - 1
yes_probability = (1 - PI) * (1 - A) + PI * B
n_variance = yes_probability * (1 - yes_probability) / determinant**2  # equation (6) times n
yes_slack = GAMMA * (1 - A) + DELTA - B  # (11a)
no_slack = GAMMA * (1 - B) + DELTA - A  # (11b)

PRIVATE: dict[str, Domain] = {
    "gamma": Domain.odds(),
    "delta": Domain.interval("0 <= delta <= 1", 0, 1, also=("1/100", "1/4", "1/3", "99/100")),
    "pi": Domain.interval("prevalence, 0 <= pi <= 1", 0, 1, also=("1/100", "1/4", "1/2", "9/10")),
}

some_slack = Condition(
    "epsilon > 0 or delta > 0: there is something to estimate", lambda p: p["gamma"] > 1 or p["delta"] > 0
)


def variance_at(design: Design, pi: Fraction) -> Fraction:
    """Return n Var of a design, by equation (6)."""
    return binary_variance(design[0], design[1], pi)


@lru_cache(maxsize=200_000)
def _optima(gamma: Fraction, delta: Fraction, pi: Fraction, family: str) -> frozenset[Design]:
    problem = rropt.binary_problem(epsilon=Epsilon.of_gamma(gamma), delta=delta, prevalence=pi, family=family)
    solution = rropt.solve(problem, routes=["exact"])
    return frozenset((mechanism.p00, mechanism.p11) for mechanism in solution.optima)


def optima(point: Point, family: str = "all") -> frozenset[Design]:
    """Return the true optimal extreme designs at a point with gamma, delta, pi: by enumeration, certified."""
    return _optima(Fraction(point["gamma"]), Fraction(point["delta"]), Fraction(point["pi"]), family)
