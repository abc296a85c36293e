"""Data of the feasible region of (epsilon, delta) in the unit square of designs (p00, p11)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from rropt.core.errors import InvalidMechanismError
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.plots.data.marked_designs import Coordinate, MarkedOptimum, level_numbers
from rropt.privacy import PrivacyRegion
from rropt.privacy.region import binary_corners

_DECIMAL_DIGITS = 15  # of coordinates in JSON: a float gives so many back as they were

# (p00, p11), or (p11 - p00, p00 + p11 - 1): the same plane, in which a thin R' can be stretched
Axes = Literal["design", "stretched"]


@dataclass(frozen=True, slots=True)
class NamedDesign:
    """A design with its letters in a picture. If designs coincide, it has several letters.

    Attributes:
        names: the letters of A = (1, 0), B = (1, delta), C (p00 = p11), D = (delta, 1), E = (0, 1); a prime marks their
            mirror images in (1/2, 1/2), which relabel the outputs.
        p00, p11: exact coordinates.
        height: the exact value of ``p00 + p11 - 1``.
        is_vertex: whether it is a vertex of R.
    """

    names: tuple[str, ...]
    p00: Coordinate
    p11: Coordinate
    height: Coordinate
    is_vertex: bool

    @property
    def label(self) -> str:
        """The letters, joined."""
        return " = ".join(self.names)

    @property
    def is_mirrored(self) -> bool:
        """Whether it is a mirror image with its own letter."""
        return self.names[0].endswith("'")

    def point(self, axes: Axes = "design") -> tuple[float, float]:
        """Return ``(p00, p11)``, or ``(p11 - p00, p00 + p11 - 1)`` on stretched axes, as plotted."""
        p00, p11 = float(self.p00), float(self.p11)
        return (p00, p11) if axes == "design" else (p11 - p00, float(self.height))

    @property
    def inwards_is_up(self) -> bool:
        """Whether p00 and p11 increase towards the line p00 + p11 = 1. Decimals are rounded towards it."""
        return self.height.sign < 0

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object; its decimals are themselves a design in the region."""
        parts = {"p00": self.p00, "p11": self.p11}
        return {
            "names": list(self.names),
            **{
                name: {"exact": str(p), "decimal": float(p.rounded(_DECIMAL_DIGITS, up=self.inwards_is_up))}
                for name, p in parts.items()
            },
            "vertex": self.is_vertex,
        }


@dataclass(frozen=True, slots=True)
class RegionPicture:
    """The data of a picture of a region.

    Attributes:
        region: R, binary.
        designs: the named designs: first those with p00 + p11 >= 1 (A to E), then their mirror images.
        optimum: the optimum at the given prevalence, if any.
        mechanism: the mechanism to mark, if any.
    """

    region: PrivacyRegion
    designs: tuple[NamedDesign, ...]
    optimum: MarkedOptimum | None
    mechanism: Mechanism | None

    def outline(self, axes: Axes = "design", *, informative: bool = False) -> list[tuple[float, float]]:
        """Return the vertices of R in order around it; ``informative``: of the closure of R' (p00 + p11 > 1)."""
        return [d.point(axes) for d in self.designs if d.is_vertex and not (informative and d.height.sign < 0)]

    def design(self, name: str) -> NamedDesign:
        """Return the design with a given letter."""
        return next(design for design in self.designs if name in design.names)


def region_picture(
    epsilon: object, delta: object = 0, *, prevalence: object = None, mechanism: Mechanism | str | None = None
) -> RegionPicture:
    """Return the exact data of a picture of the (epsilon, delta) region.

    The vertices are those of equation (12) of Holohan, Leith and Mason (2016), as Lemma 5 lists them.

    Args:
        epsilon, delta: the privacy level.
        prevalence: the prevalence for which the optimum is shown; by default no optimum.
        mechanism: a binary mechanism to mark, or its text; by default none.

    Raises:
        InvalidParameterError: a parameter of the wrong form or out of range.
        InvalidMechanismError: the mechanism is not binary.
        InfeasibleError: a prevalence is given and epsilon = delta = 0.
    """
    region = PrivacyRegion(epsilon, delta)
    marked = None if mechanism is None else required_mechanism(mechanism)
    if marked is not None and not marked.is_binary:
        m, k = marked.shape
        raise InvalidMechanismError(
            f"the mechanism is not in the picture's plane: received {k} inputs and {m} outputs; "
            "allowed are 2 and 2; give a binary mechanism"
        )
    return RegionPicture(
        region=region,
        designs=named_designs(region),
        optimum=None if prevalence is None else MarkedOptimum.at(region, prevalence),
        mechanism=marked,
    )


def named_designs(region: PrivacyRegion) -> tuple[NamedDesign, ...]:
    """Return A to E and their mirror images in order around R; points that coincide are one design."""
    gamma, delta = level_numbers(region.epsilon, region.delta)
    rows = list(region.inequalities().values())
    names = [*"ABCDE", *(f"{letter}'" for letter in "ABCDE")]
    found: dict[tuple[int, ...] | str, NamedDesign] = {}
    for name, (p00, p11, w) in zip(names, binary_corners(gamma, delta), strict=True):
        tight = tuple(i for i, (a, b, c) in enumerate(rows) if not a * p00 + b * p11 + c * w)
        is_vertex, mirrored = name[0] != "C" or gamma > 1 or delta == 1, name.endswith("'")
        if mirrored and (not is_vertex or (tight in found and not found[tight].is_mirrored)):
            continue  # no corner, or one that has its letter already, such as A' = E
        letters = (*found[tight].names, name) if is_vertex and tight in found else (name,)
        height = Coordinate(p00 + p11 - w, w)
        found[tight if is_vertex else name] = NamedDesign(
            letters, Coordinate(p00, w), Coordinate(p11, w), height, is_vertex
        )
    return tuple(found.values())


def design_point(p00: Fraction, p11: Fraction, axes: Axes) -> tuple[float, float]:
    """Return the plotted coordinates of a design; differences are exact."""
    return (float(p00), float(p11)) if axes == "design" else (float(p11 - p00), float(p00 + p11 - 1))
