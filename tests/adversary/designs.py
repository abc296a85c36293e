"""Binary designs: the region, the designs that can be optimal, and n Var from the estimator's own definition."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

from adversary.levels import DELTA, GAMMA, ONE, Level, Polynomial

Design = tuple[Fraction, Fraction]  # (p00, p11)


# Homogeneous (p00 w, p11 w, w) of the points that can be optimal: n Var falls in p00 and in p11, and on either edge
# where it falls no further its least value is at an end. ``test_oracle.py`` searches the region for a better one.
CANDIDATES: dict[str, tuple[Polynomial, Polynomial, Polynomial]] = {
    "diagonal": (GAMMA + DELTA, GAMMA + DELTA, GAMMA + 1),
    "corner-p00": (ONE, DELTA, ONE),
    "corner-p11": (DELTA, ONE, ONE),
}


def half_planes(gamma: Any, delta: Any) -> list[tuple[Any, Any, Any]]:
    """Return (a, b, c) of ``a p00 + b p11 + c >= 0`` from ``P <= gamma Q + delta``."""
    return [
        (-1, 0, 1),
        (0, -1, 1),
        (1, 0, 0),
        (0, 1, 0),
        (gamma * -1, -1, gamma + delta),
        (-1, gamma * -1, gamma + delta),
        (gamma, 1, delta - 1),
        (1, gamma, delta - 1),
    ]


def variance(design: Design, pi: Fraction) -> Fraction:
    """Return n Var: the estimator is affine in the share of answers 1, with slope 1/(p00 + p11 - 1)."""
    a, b = design
    yes = (1 - pi) * (1 - a) + pi * b
    return yes * (1 - yes) / (a + b - 1) ** 2


def is_private(design: Design, level: Level) -> bool:
    """Whether a rational design is in the region at the exact level."""
    planes = half_planes(GAMMA, DELTA)
    return all(level.sign(ONE * c + ONE * a * design[0] + ONE * b * design[1]) >= 0 for a, b, c in planes)


@lru_cache(maxsize=4096)
def optimal_candidates(level: Level, pi: Fraction, family: str) -> tuple[str, ...]:
    """Return the names of the optimal candidates at the exact level; several where they tie."""
    best: list[str] = []
    for name in ["diagonal"] if family == "warner" else CANDIDATES:
        a, b, w = CANDIDATES[name]
        if level.sign(a + b - w) <= 0:
            continue
        order = _compare(name, best[0], level, pi) if best else -1
        best = [name] if order < 0 else [*best, name] if order == 0 else best
    return tuple(best)


def exceeds_optimum(bound: Fraction, level: Level, pi: Fraction, family: str) -> bool:
    """Whether a rational is above the least n Var at the exact level."""
    numerator, denominator = value(optimal_candidates(level, pi, family)[0], pi)
    return level.sign(denominator * bound - numerator) > 0


def value(name: str, pi: Fraction) -> tuple[Polynomial, Polynomial]:
    """Return numerator and denominator of n Var at a candidate."""
    a, b, w = CANDIDATES[name]
    yes = (w - a) * (1 - pi) + b * pi
    return yes * (w - yes), (a + b - w) * (a + b - w)


def design_at(name: str, gamma: Fraction, delta: Fraction) -> Design:
    """Return a candidate at a rational level."""
    a, b, w = (coordinate.at(gamma, delta) for coordinate in CANDIDATES[name])
    return a / w, b / w


def _compare(left: str, right: str, level: Level, pi: Fraction) -> int:
    (p, q), (r, s) = value(left, pi), value(right, pi)
    return level.sign(p * s - r * q)
