"""The beta-factor in anchored proofs: posterior over prior and prior over posterior, against a bound on the parity.

``theory`` is 1/gamma, which is 0 for an infinite parity. If 1 <= beta/gamma no posterior is above beta p or below
p/beta; if not, a row has entries a > beta b >= 0, and the prior p = (a - beta b)/(2 beta (a - b)) on the two leads to
a posterior above beta p.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import isinf
from typing import Any

from rropt.claims import Bound, Domain, Entry, Fold, Greatest, Least, Min, Point, Step, Value
from rropt_proofs.chainayak2018._bayes import WEIGHTS, atoms, bayes_fold, properties, ratios, worst_pair
from rropt_proofs.chainayak2018._boundaries import Factor
from rropt_proofs.chainayak2018._paper import Matrix, extreme_posteriors, posterior

__all__ = [
    "BOUND",
    "RATIO",
    "RECIPROCAL",
    "SOME",
    "STEPS",
    "at_most_beta",
    "breached",
    "factor_fold",
    "instances",
    "reciprocal",
    "shapes",
    "unbreached",
]

RATIO = "posterior over prior or prior over posterior, against beta"
SOME = "the prior at which this is said, and its complement"
RECIPROCAL = Greatest("y >= g*x and x >= g*y", ratios, floor=1)  # 1/parity

_PRIVATE, _NOT_PRIVATE = "theory*beta >= 1", "theory*beta < 1"
STEPS = [Step(said, where=_PRIVATE) for said in ("(beta - 1)*n*s >= 0", "beta*t*w >= n*s", "beta*n*s >= t*w")]

_A = "(beta_used*c + excess)"
_P = f"(excess/(2*beta_used*({_A} - c)))"

BOUND = {
    "weights": WEIGHTS,
    "beta_used": Domain("beta, or a number above it", (), relation="x > 1 and x >= beta"),
    "excess": Domain("a - beta b for two entries of a row, positive where the parity exceeds beta", (), None, "x > 0"),
}


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


def instances(point: Point, beta: Any, used: Fraction | None) -> Iterator[dict[str, Any]]:
    """Iterate over properties under priors; with the entries of the worst row where beta is exceeded."""
    procedure = point["P"]
    own: dict[str, Any] = {"beta": beta}
    if used is not None:
        i, j, other = worst_pair(procedure)
        own |= {"beta_used": used, "c": Entry("P", i, other), "excess": procedure[i][j] - used * procedure[i][other]}
    for each in (*atoms(procedure), *properties(procedure)):
        yield {**each, **own}


def factor_fold() -> Fold:
    """Return the sums over Q and its complement: w t >= s n/gamma, and s n >= w t/gamma."""
    return bayes_fold(
        "t >= theory*n*x and n*x >= theory*t", ("w*t >= theory*n*s", "n*s >= theory*w*t", "t >= 0", "n >= 0")
    )


def shapes() -> list[Value]:
    """Return the shapes of the ratio and of its prior, in both cases."""
    evidence = "(p*s*n + (1 - p)*t*w)"
    within = Least(f"s*n <= g*{evidence} and {evidence} <= g*s*n")
    return [
        Value(of=RATIO, theory="beta", computed=within, where=_PRIVATE),
        Value(of=RATIO, theory="beta", computed=f"{_A}/({_P}*{_A} + (1 - {_P})*c)", where=_NOT_PRIVATE),
        Value(of=SOME, theory=0, computed=Min("p", "1 - p"), where=_PRIVATE),
        Value(of=SOME, theory=0, computed=Min(_P, f"1 - {_P}"), where=_NOT_PRIVATE),
    ]
