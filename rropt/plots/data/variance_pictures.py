"""Data of n Var over the informative half R' of a region, with its level curves in closed form.

With ``y = p00 + p11 - 1`` and ``x = p11 - p00`` equation (6) of Holohan, Leith and Mason (2016) reads
``n Var = lambda (1 - lambda) / y^2``, ``lambda = Pr(answer 1) = (1 + x - (1 - 2 pi) y) / 2``. Put
``lambda = (1 - cos t) / 2``: the level curve n Var = v is

    ``y = sin(t) / (2 sqrt(v))``,  ``x = -cos(t) + (1 - 2 pi) y``,  0 < t < pi,

one half of an ellipse through A = (1, 0) (t = 0) and E = (0, 1) (t = pi), for every prevalence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, InvalidParameterError, shown
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import labelled
from rropt.designs import closed_forms
from rropt.mechanisms import Mechanism
from rropt.objectives import binary_variance
from rropt.plots.data.marked_designs import CURVE_POINTS, Coordinate, MarkedOptimum, level_numbers
from rropt.plots.data.region_pictures import Axes, RegionPicture, region_picture

AXES = ("auto", "design", "stretched")

# Below this height of R' over the line p00 + p11 = 1 (it is at most 1) contours cannot be read in the unit square:
# the landscape is then drawn over p00 + p11 - 1, stretched.
THIN_REGION = Fraction(3, 10)

# The lowest contour has this share of the region's height (contours crowd towards p00 + p11 = 1, where n Var is
# infinite), and the contours begin at most this many powers of ten below the highest: lower ones lie close to a vertex.
LOWEST_CONTOUR = Fraction(1, 7)
CONTOUR_DECADES = 2
MAX_CONTOURS = 7  # more could not all be labelled at paper size

# Levels go 1, 1.5, 2, 3, 5, 7, 10, ... or in coarser steps when these would be too many.
_STEPS = tuple(
    tuple(Fraction(step) for step in steps)
    for steps in (("1", "3/2", "2", "3", "5", "7"), ("1", "2", "5"), ("1", "3"), ("1",))
)


@dataclass(frozen=True, slots=True)
class VariancePicture:
    """The data of a picture of n Var.

    Attributes:
        shape: the region with its optimum and the marked mechanism.
        optimum: the certified optimum.
        candidates: the exact n Var at B, C and D (those that identify the prevalence), by letter.
        levels: the levels of the contours, exact, ascending.
        axes: ``"design"``: (p00, p11); ``"stretched"``: (p11 - p00, p00 + p11 - 1), for thin regions.
    """

    shape: RegionPicture
    optimum: MarkedOptimum
    candidates: Mapping[str, Coordinate]
    levels: tuple[Fraction, ...]
    axes: Axes

    @property
    def height(self) -> float:
        """The largest p00 + p11 - 1 in R'."""
        return float(_top(self.shape))

    def mechanism_variance(self) -> Fraction | None:
        """Return n Var of the marked mechanism; ``None`` if there is none or p00 + p11 = 1."""
        mechanism = self.shape.mechanism
        if mechanism is None or mechanism.p00 + mechanism.p11 == 1:
            return None
        return binary_variance(mechanism.p00, mechanism.p11, self.optimum.prevalence)

    def ceiling(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the largest ``p00 + p11 - 1`` in R' at ``x = p11 - p00``.

        ``p00, p11 <= 1`` is ``y <= 1 - |x|``; (11a) and (11b) are ``y <= (gamma - 1 + 2 delta -+ (gamma - 1) x) /
        (gamma + 1)``.
        """
        gamma = self.shape.region.epsilon.exact_gamma()
        slope = float(Coordinate(gamma - 1, gamma + 1))
        return np.minimum(1 - abs(x), self.height - slope * abs(x))

    def plane(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the coordinates of the picture's axes for ``x = p11 - p00``, ``y = p00 + p11 - 1``."""
        return ((1 + y - x) / 2, (1 + y + x) / 2) if self.axes == "design" else (x, y)

    def contour(self, level: Fraction) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return the pieces of a level curve that lie in R', as ``(p11 - p00, p00 + p11 - 1)``."""
        x, y = level_curve(level, self.optimum.prevalence)
        inside = y <= self.ceiling(x)
        pieces = np.split(np.arange(len(x)), np.flatnonzero(np.diff(inside)) + 1)
        return [(x[piece], y[piece]) for piece in pieces if inside[piece[0]] and len(piece) > 1]

    LABELS = labelled(contours="", mechanism_variance="")

    @property
    def contours(self) -> tuple[list[tuple[NDArray[np.float64], NDArray[np.float64]]], ...]:
        """The pieces of each level curve that lie in R', as ``(p11 - p00, p00 + p11 - 1)``."""
        return tuple(self.contour(level) for level in self.levels)


def variance_picture(
    epsilon: object,
    delta: object = 0,
    *,
    prevalence: object,
    mechanism: Mechanism | str | None = None,
    axes: str = "auto",
) -> VariancePicture:
    """Return the data of a picture of n Var over R'.

    Args:
        epsilon, delta: the level, not (0, 0).
        prevalence: pi in [0, 1].
        mechanism: a binary mechanism to be marked.
        axes: ``"auto"``, ``"design"`` or ``"stretched"``; auto is ``"design"`` unless R' is thin.

    Raises:
        InvalidParameterError, InvalidMechanismError, InfeasibleError: as for ``region_picture``.
    """
    if axes not in AXES:
        raise InvalidParameterError(f"axes are unknown: received {shown(axes)}; allowed are {', '.join(AXES)}")
    shape = region_picture(epsilon, delta, prevalence=prevalence, mechanism=mechanism)
    if shape.optimum is None:
        raise InfeasibleError("the variance depends on the prevalence: received none; give one in [0, 1]")
    candidates = _candidates(shape, shape.optimum.prevalence)
    top = _top(shape)
    thin = Coordinate(top.above - THIN_REGION * top.below, top.below).sign < 0
    chosen: Axes = "stretched" if axes == "stretched" or (axes == "auto" and thin) else "design"
    least = min(float(value) for value in candidates.values())
    return VariancePicture(shape, shape.optimum, candidates, _levels(least, float(top)), chosen)


def level_curve(
    level: Fraction, prevalence: Fraction, points: int = CURVE_POINTS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return ``(p11 - p00, p00 + p11 - 1)`` along the level curve n Var = ``level`` > 0 (module docstring)."""
    t = np.linspace(0.0, np.pi, points)
    y = np.sin(t) / (2 * math.sqrt(level))
    return -np.cos(t) + float(1 - 2 * prevalence) * y, y


def _candidates(shape: RegionPicture, pi: Fraction) -> Mapping[str, Coordinate]:
    """Return n Var at the candidates of the theorem, except at points on the line p00 + p11 = 1."""
    gamma, delta = level_numbers(shape.region.epsilon, shape.region.delta)
    values = {"C": Coordinate(*closed_forms.diagonal_variance(gamma, delta, pi))}
    if delta:
        values["B"] = Coordinate(*closed_forms.corner_p00_variance(delta, pi))
        values["D"] = Coordinate(*closed_forms.corner_p11_variance(delta, pi))
    return ReadOnlyMapping((name, values[name]) for name in sorted(values) if shape.design(name).is_vertex)


def _top(shape: RegionPicture) -> Coordinate:
    """Return the maximum of p00 + p11 - 1 on R', which is ``(gamma + 2 delta - 1) / (gamma + 1)`` at C."""
    return shape.design("C").height


def _levels(least: float, top: float) -> tuple[Fraction, ...]:
    """Return round levels from the smallest variance up; the last contour is still visibly apart from p00 + p11 = 1."""
    highest = 1 / (2 * top * float(LOWEST_CONTOUR)) ** 2  # the ellipse n Var = v is 1 / (2 sqrt(v)) high
    lowest = max(least, highest / 10**CONTOUR_DECADES)
    decades = range(math.floor(math.log10(lowest)), math.floor(math.log10(highest)) + 1)
    levels: list[Fraction] = []
    for steps in _STEPS:
        levels = [step * Fraction(10) ** decade for decade in decades for step in steps]
        levels = [level for level in levels if lowest < level <= highest]
        if len(levels) <= MAX_CONTOURS:
            break
    return tuple(levels[-MAX_CONTOURS:])
