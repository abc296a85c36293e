"""The beta-factor: posterior over prior and prior over posterior, against a bound on the parity.

``theory`` is 1/gamma, which is 0 for an infinite parity. If 1 <= beta/gamma no posterior is above beta p or below
p/beta; if not, a row has entries a > beta b >= 0, and the prior p = (a - beta b)/(2 beta (a - b)) on the two leads to
a posterior above beta p.
"""

from __future__ import annotations

from fractions import Fraction
from math import isinf
from typing import Any

from rropt.claims import Bound
from rropt_proofs.chainayak2018._bayes import worst_pair
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import Matrix, extreme_posteriors, posterior

__all__ = [
    "RATIO",
    "SOME",
    "at_most_beta",
    "breached",
    "reciprocal",
    "unbreached",
]

RATIO = "posterior over prior or prior over posterior, against beta"
SOME = "the prior at which this is said, and its complement"


def reciprocal(ratio: Factor) -> Fraction:
    """Return 1/ratio, 0 for an infinite one."""
    return Fraction(0) if isinf(ratio) else 1 / Fraction(ratio)


def at_most_beta(private: bool, beta: Any) -> dict[str, Bound]:
    """Return what the theorem says of the ratio, and that the prior is one."""
    return {RATIO: Bound("at-most" if private else "greater", beta), SOME: Bound("greater", Fraction(0))}


def unbreached(procedure: Matrix, p: Fraction) -> dict[str, Fraction]:
    """Return the largest ratio at the prior p, over all responses and properties; no posterior is 0."""
    least, largest = extreme_posteriors(procedure, p)
    return {RATIO: max(largest / p, p / least), SOME: min(p, 1 - p)}


def breached(procedure: Matrix, beta: Fraction) -> dict[str, Fraction]:
    """Return the ratio at an explicit prior on two categories, from the joint distribution."""
    i, j, other = worst_pair(procedure)
    a, b = procedure[i][j], procedure[i][other]
    p = (a - beta * b) / (2 * beta * (a - b))
    alpha = tuple(p if c == j else 1 - p if c == other else Fraction(0) for c in range(len(procedure[i])))
    return {RATIO: posterior(procedure, alpha, (j,), i) / p, SOME: min(p, 1 - p)}
