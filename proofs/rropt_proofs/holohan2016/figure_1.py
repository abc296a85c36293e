"""Figure 1: the level sets of g, and what they are for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.holohan2016 import PAPER
from rropt_proofs.holohan2016._paper import Design, optima

HALF = Fraction(1, 2)


def _diagonal(point: Point) -> Design:
    """Return (m, m), m = (gamma + delta)/(gamma + 1)."""
    m = (point["gamma"] + point["delta"]) / (point["gamma"] + 1)
    return m, m


def _on_level_set(point: Point) -> Point | None:
    """Return gamma and delta on the level set g = level, on the ray delta = slope (gamma - 1); None if there is none.

    ``g = level`` is the conic ``delta (gamma + delta) = level (gamma - 1 + 2 delta)^2`` through (gamma, delta) =
    (1, 0), so every ray meets it once more: ``gamma - 1 = slope/(level - (1 - 4 level)(slope + slope^2))``.
    """
    level, slope = point["level"], point["slope"]
    divisor = level - (1 - 4 * level) * (slope + slope**2)
    if divisor <= 0 or slope**2 > divisor:
        return None  # no such point, or delta > 1
    return {"gamma": 1 + slope / divisor, "delta": slope**2 / divisor}


def _with_mirror(point: Point) -> frozenset[Any]:
    """Return both candidates, and at pi = 1/2 the third optimum."""
    one, delta = Fraction(1), point["delta"]
    corners = {(one, delta), (delta, one)} if point["pi"] == HALF else {(one, delta)}
    return frozenset(corners | {_diagonal(point)})


def theory(point: Point) -> dict[str, Any]:
    """g is the level; there both candidates tie; below it (1, delta) is optimal; above it (m, m)."""
    there = {**(_on_level_set(point) or {}), "pi": point["level"]}
    said = {
        "g": point["level"],
        "optima at pi = g": _with_mirror(there),
        "at pi = 9 g/10": frozenset({(Fraction(1), there["delta"])}),
    }
    return {**said, "at pi = 11 g/10": frozenset({_diagonal(there)})} if point["level"] < HALF else said


def computed(point: Point) -> dict[str, Any]:
    """g by its formula, the optima by the certified enumeration of vertices."""
    there, level = _on_level_set(point) or {}, point["level"]
    found = {
        "g": there["delta"] * (there["gamma"] + there["delta"]) / (there["gamma"] + 2 * there["delta"] - 1) ** 2,
        "optima at pi = g": optima({**there, "pi": level}),
        "at pi = 9 g/10": optima({**there, "pi": level * Fraction(9, 10)}),
    }
    return {**found, "at pi = 11 g/10": optima({**there, "pi": level * Fraction(11, 10)})} if level < HALF else found


def mutant(point: Point) -> dict[str, Any]:
    """The optima on both sides of the level set exchanged."""
    says = theory(point)
    below, above = "at pi = 9 g/10", "at pi = 11 g/10"
    return {**says, below: says[above], above: says[below]} if above in says else says


CLAIM = Claim(
    id="holohan2016.figure-1",
    source=f"{PAPER}, Figure 1",
    place=(6, 15),
    printed=r"A contour plot of various level sets of $g(\epsilon,\delta)$. Given $\pi$, $\epsilon$ and $\delta$, "
    r"these level sets can be used to determine the optimal ($\epsilon$, $\delta$)-differentially private RR "
    "mechanism.",
    precise="Computed beside the picture: at exact points of the level sets g = 1/20, ..., 1/2, found as rational "
    "points of a conic, formula (23) gives the level; at pi = g the two candidates tie (three designs at pi = 1/2), "
    "for pi 10 % below (1, delta) is the one optimum, for pi 10 % above (m, m) is.",
    variables={
        "level": Domain.values("a level of g", *(Fraction(n, 20) for n in (1, 2, 3, 4, 5, 6, 8, 10))),
        "slope": Domain.values(
            "delta/(gamma - 1)", *map(Fraction, ("1/100", "1/20", "1/10", "1/5", "1/3", "1/2", "1", "2", "10"))
        ),
    },
    assumptions=(
        Condition("the ray meets the level set where 0 < delta <= 1", lambda p: _on_level_set(p) is not None),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    not_checkable="a picture whose levels and axes the text does not name",
)
