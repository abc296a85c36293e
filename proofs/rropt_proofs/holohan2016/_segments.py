"""The boundary of the region R' of Holohan, Leith and Mason (2016): equation (22), t0, candidates, exact geometry."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from rropt.claims import Point, exact_cache
from rropt.claims.outcomes import value_text
from rropt.core.errors import RouteDisagreementError
from rropt.objectives import binary_variance
from rropt_proofs.holohan2016._paper import (
    Design,
    boundary_design,
    in_reduced_region,
    optima,
    variance_working,
)

__all__ = [
    "best_designs",
    "candidates_working",
    "corner_at",
    "diagonal_at",
    "g_at",
    "region_vertices",
    "segment_at",
    "t0_at",
    "tie_points",
]


def segment_at(point: Point, t: Fraction) -> Design:
    """Return (r(t), s(t)) of equation (22)."""
    return boundary_design(Fraction(point["gamma"]), Fraction(point["delta"]), t)


def t0_at(point: Point) -> Fraction:
    """Return t0 of Lemma 5."""
    gamma, delta = Fraction(point["gamma"]), Fraction(point["delta"])
    return delta * (gamma + 1) / (gamma + delta)


def corner_at(point: Point) -> Design:
    """Return (r(t0), s(t0))."""
    return segment_at(point, t0_at(point))


def diagonal_at(point: Point) -> Design:
    """Return (r(1), s(1))."""
    return segment_at(point, Fraction(1))


def g_at(point: Point) -> Fraction:
    """Return g of equation (23)."""
    gamma, delta = Fraction(point["gamma"]), Fraction(point["delta"])
    return delta * (gamma + delta) / (gamma + 2 * delta - 1) ** 2


def candidates_working(point: Point) -> str:
    """Return g, and n Var of (1, delta), (delta, 1) and (m, m) with its steps, for a reader to compare."""
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    corner, diagonal = corner_at(point), diagonal_at(point)
    steps = [f"g = delta (gamma + delta)/(gamma + 2 delta - 1)^2 = {value_text(g_at(point))}"]
    for design in dict.fromkeys((corner, (corner[1], corner[0]), diagonal)):
        inside = in_reduced_region(design, gamma, delta)
        steps.append(variance_working(design, pi) if inside else f"{value_text(design)} is not in R'")
    return "\n".join(steps)


def _slacks(gamma: Fraction, delta: Fraction) -> list[tuple[Fraction, ...]]:
    """Return (x, y, z) with x p00 + y p11 + z >= 0 for the inequalities of R' (the last one is strict in R')."""
    one, zero = Fraction(1), Fraction(0)
    ratios = [(-gamma, -one, gamma + delta), (-one, -gamma, gamma + delta)]  # (11a), (11b)
    return [(-one, zero, one), (zero, -one, one), *ratios, (one, one, -one)]


@exact_cache
def region_vertices(gamma: Fraction, delta: Fraction) -> tuple[Design, ...]:
    """Return the vertices of the closed polygon with p00 + p11 > 1; there are none if and only if R' is empty."""
    found = set()
    for (x, y, z), (u, v, w) in combinations(_slacks(gamma, delta), 2):
        if x * v != y * u:
            design = (y * w - v * z) / (x * v - y * u), (u * z - x * w) / (x * v - y * u)
            if in_reduced_region(design, gamma, delta):
                found.add(design)
    return tuple(sorted(found))


def best_designs(point: Point) -> frozenset[Design]:
    """Return the true optimal designs of R' for 0 < pi < 1, any real epsilon.

    n Var is least at vertices of R' only (checker/binary_bracket.md), so the vertices are compared. For epsilon >= 0
    the certified solver has to agree.

    Raises:
        RouteDisagreementError: it does not.
    """
    gamma, delta, pi = (Fraction(point[name]) for name in ("gamma", "delta", "pi"))
    values = {(a, b): binary_variance(a, b, pi) for a, b in region_vertices(gamma, delta)}
    best = frozenset(design for design, value in values.items() if value == min(values.values()))
    if gamma >= 1 and best != optima(point):
        raise RouteDisagreementError(f"vertices and solver differ at gamma = {gamma}, delta = {delta}, pi = {pi}")
    return best


def tie_points() -> tuple[Point, ...]:
    """Return points at which all three designs tie at pi = 1/2, on the curve gamma^2 + (gamma + 2 delta - 2)^2 = 2."""
    found = []
    for size in range(3, 17):
        u = Fraction(1, size)
        gamma, s = ((1 + sign * 2 * u - u**2) / (1 + u**2) for sign in (1, -1))
        found += [{"gamma": gamma, "delta": (2 - gamma + sign * s) / 2, "pi": Fraction(1, 2)} for sign in (1, -1)]
    return tuple(found)
