"""Example 1 of Holohan, Leith and Mason (2016): each figure as a rational enclosure, each optimum certified."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import rropt
from rropt.claims.stated_values import Enclosure
from rropt.core.exact import Epsilon
from rropt.designs.writers.binary import certified_levels
from rropt.objectives import binary_variance

CORNER, MIRRORED = "(1, delta)", "(delta, 1)"
DIAGONAL = "(m, m) with m = (e^epsilon + delta)/(e^epsilon + 1)"
_DIGITS = 30  # of the bracket of gamma = exp(epsilon): far more than the three that are printed


def _enclosure(epsilon: str, function: Callable[[Fraction], Fraction]) -> Enclosure:
    """Return the least and largest value between the endpoints of the bracket of gamma, for a decreasing function."""
    low, high = Epsilon.of(epsilon).gamma_bracket(_DIGITS)
    return Enclosure(function(high), function(low))


def g(epsilon: str, delta: Fraction) -> Enclosure:
    """Return g; ``dg/dgamma = -delta (gamma + 1)/(gamma + 2 delta - 1)^3 < 0`` for gamma > 1."""
    return _enclosure(epsilon, lambda gamma: delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2)


def diagonal_variance(epsilon: str, delta: Fraction, pi: Fraction) -> Enclosure:
    """Return n Var at t = 1; it falls with p = (gamma + delta)/(gamma + 1), which grows with gamma for delta < 1."""

    def value(gamma: Fraction) -> Fraction:
        p = (gamma + delta) / (gamma + 1)
        return binary_variance(p, p, pi)

    return _enclosure(epsilon, value)


def corner_variance(delta: Fraction, pi: Fraction, *, mirrored: bool = False) -> Fraction:
    """Return n Var at t = t0: of the design (1, delta), or (delta, 1)."""
    design = (delta, Fraction(1)) if mirrored else (Fraction(1), delta)
    return binary_variance(*design, pi)


def at_zero(epsilon: str, delta: Fraction, pi: Fraction) -> Enclosure:
    """Return formula (6) at (1 + delta/gamma, 0): ``-(1 - pi) gamma/delta - (1 - pi)^2``, falling with gamma."""
    return _enclosure(epsilon, lambda gamma: binary_variance(1 + delta / gamma, Fraction(0), pi))


def optimal_designs(epsilon: str, delta: Fraction, pi: Fraction) -> frozenset[str]:
    """Return the names of the optimal designs, by the certified enumeration of vertices."""
    problem = rropt.Problem.binary(pi, epsilon=epsilon, delta=delta)
    solution = rropt.designs.solve(problem, fast=True)
    gamma = certified_levels(solution.proof, "solution").below.gamma  # the optima are given there
    p = (gamma + delta) / (gamma + 1)
    names = {(Fraction(1), delta): CORNER, (delta, Fraction(1)): MIRRORED, (p, p): DIAGONAL}
    return frozenset(names[design.p00, design.p11] for design in solution.optima)
