"""Honest certificates: the library's own, at ordinary points and on every boundary of the theorem."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import rropt

Point = tuple[str, str, str, str]  # epsilon, delta, prevalence, family

ROUTES = ("closed-form", "exact")

# (gamma, delta) with g = delta (gamma + delta) / (gamma + 2 delta - 1)^2 in (0, 1/2]; at the last three g = 1/2.
_TIES = [("2", "1/4"), ("3", "1/10"), ("3/2", "1/20"), ("7/5", "1/5"), ("7/5", "2/5"), ("17/13", "8/13")]

_EPSILONS = [
    "log(2)",
    "log(5)",
    "log(11/10)",
    "1/2*log(2)",
    "2/3*log(5/2)",
    "3/7*log(10)",
    "1/2",
    "3",
    "1/1000",
    "29/10",
]
_DELTAS = ["0", "1/4", "1/1000000", "9/10", "exp(-10)", "exp(-1/2)", "exp(-33/10)"]
_PREVALENCES = ["1/4", "1/2", "0", "1", "2/3", "1/1000", "7/8"]


def points() -> list[Point]:
    """Return the parameter points of the pool."""
    chosen = [("log(2)", "1/4", "1/4", "all"), ("1/2", "1/10", "1/4", "all")]
    for gamma, delta in _TIES:
        g = _threshold(Fraction(gamma), Fraction(delta))
        near = g + Fraction(1, 10**30)
        chosen += [(f"log({gamma})", delta, str(pi), "all") for pi in dict.fromkeys((g, 1 - g, near))]
    for delta in ("1/3", "9/10", "1", "exp(-2)"):  # epsilon = 0
        chosen += [("0", delta, pi, family) for pi, family in (("1/2", "all"), ("1/3", "all"), ("1/3", "warner"))]
    for epsilon in ("log(3)", "1/3*log(2)", "2"):  # delta = 1
        chosen += [(epsilon, "1", pi, "all") for pi in ("0", "1/2", "1", "3/5")]
    for i, epsilon in enumerate(_EPSILONS):
        for j, delta in enumerate(_DELTAS):
            chosen.append((epsilon, delta, _PREVALENCES[(3 * i + j) % 7], "warner" if (i + 2 * j) % 6 == 0 else "all"))
    return list(dict.fromkeys(chosen))


@lru_cache(maxsize=1)
def honest() -> dict[Point, str]:
    """Return the text of one accepted certificate per point."""
    return {point: certificate(*point) for point in points()}


def certificate(epsilon: str, delta: str, prevalence: str, family: str = "all") -> str:
    """Return the text of the library's certificate at a point."""
    problem = rropt.designs.binary_problem(epsilon=epsilon, delta=delta, prevalence=prevalence, family=family)
    return rropt.solve(problem, routes=list(ROUTES)).certificate.text


def _threshold(gamma: Fraction, delta: Fraction) -> Fraction:
    """Return the prevalence at which the diagonal design and a corner tie."""
    return delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2
