"""Level sets of the threshold g of Holohan, Leith and Mason (2016), Theorem 3 and Figure 1, in closed form.

``g(epsilon, delta) = delta (gamma + delta) / (gamma + 2 delta - 1)^2``, gamma = exp(epsilon). With
``u = gamma + 2 delta - 1`` the equation g = L is ``L u^2 = delta (u + 1 - delta)``, whose only positive root is

    ``u = (delta + sqrt(delta^2 + 4 L delta (1 - delta))) / (2 L)``,  ``gamma - 1 = u - 2 delta``.

So delta is a parameter of the level set. It has epsilon >= 0 where ``g(0, delta) = (1 + delta) / (4 delta) >= L``:
for all delta when L <= 1/2, else for ``delta <= 1 / (4 L - 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Delta, Epsilon, rational_where
from rropt.core.results import labelled
from rropt.designs import closed_forms
from rropt.mechanisms.columns import required_pair
from rropt.plots.data.marked_designs import CURVE_POINTS, Coordinate, drawn_items, level_numbers
from rropt.plots.drawing import MAX_CURVES

_End = TypeVar("_End", Epsilon, Delta)

_MARK = '(epsilon, delta), such as ("1", "1/4")'
LEVELS = ("1/100", "1/20", "1/10", "3/20", "1/5", "1/4", "3/10", "2/5", "1/2")


@dataclass(frozen=True, slots=True)
class MarkedLevel:
    """A marked privacy level with its exact g."""

    epsilon: Epsilon
    delta: Delta
    value: Coordinate


@dataclass(frozen=True, slots=True)
class ThresholdPicture:
    """The data of a picture of level sets of g.

    Attributes:
        levels: L > 0, exact, ascending.
        epsilon, delta: the ranges drawn, (low, high).
        marks: the marked privacy levels.
    """

    levels: tuple[Fraction, ...]
    epsilon: tuple[Epsilon, Epsilon]
    delta: tuple[Delta, Delta]
    marks: tuple[MarkedLevel, ...]

    LABELS = labelled(curves="")

    @property
    def curves(self) -> tuple[tuple[NDArray[np.float64], NDArray[np.float64]], ...]:
        """(epsilon, delta) along each level set for the whole range of delta; epsilon may leave the picture."""
        return tuple(level_set(level, float(self.delta[0]), float(self.delta[1])) for level in self.levels)


def threshold_picture(
    levels: Iterable[object] | None = None,
    *,
    epsilon_range: tuple[object, object] = ("0", "3"),
    delta_range: tuple[object, object] = ("0", "1"),
    marks: Iterable[tuple[object, object]] = (),
) -> ThresholdPicture:
    """Return the data of a picture of level sets of g.

    Args:
        levels: values of g, rational and > 0; values above 1/2 are not prevalences.
        epsilon_range, delta_range: the ranges drawn, (low, high).
        marks: pairs (epsilon, delta) to be marked with their exact g.

    Raises:
        InvalidParameterError: a level or a range is out of its domain, or there are too many.
        InfeasibleError: a mark at epsilon = delta = 0, where g is 0/0.
    """
    given = LEVELS if levels is None else drawn_items(levels, "`levels`", 'a list such as ["1/4", "1/2"]')
    exact = sorted(set(map(_level, given)))
    pairs = drawn_items(marks, "`marks`", f"a list of pairs {_MARK}")
    if not exact or len(exact) + len(pairs) > MAX_CURVES:
        raise InvalidParameterError(
            f"levels and marks are not of a number that can be drawn: received {len(exact)} and {len(pairs)}; "
            f"allowed are 1 level at least and {MAX_CURVES} of both at most"
        )
    return ThresholdPicture(
        levels=tuple(exact),
        epsilon=ordered_levels(epsilon_range),
        delta=_ordered(Delta, delta_range, "delta", "0 <= low < high <= 1"),
        marks=tuple(_mark(*required_pair(pair, "a mark", _MARK)) for pair in pairs),
    )


def level_set(
    level: Fraction, low: float = 0.0, high: float = 1.0, points: int = CURVE_POINTS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return (epsilon, delta) along ``g = level``, low <= delta <= high, where epsilon >= 0 (module docstring).

    Points are dense near the lower end, where epsilon grows like the square root of delta. The result is empty if no
    delta of the range is on the level set.
    """
    if 2 * level > 1:
        high = min(high, float(1 / (4 * level - 1)))
    if high < low:
        return np.empty(0), np.empty(0)
    t = np.linspace(0.0, 1.0, points)
    delta = low + (high - low) * t**2
    u = (delta + np.sqrt(delta**2 + 4 * float(level) * delta * (1 - delta))) / (2 * float(level))
    return np.log1p(np.maximum(u - 2 * delta, 0.0)), delta


def ordered_levels(ends: tuple[object, object]) -> tuple[Epsilon, Epsilon]:
    """Return the exact endpoints of a range of levels, low < high."""
    return _ordered(Epsilon, ends, "epsilon", "0 <= low < high")


def level_grid(
    ends: tuple[object, object], delta: Delta, points: int
) -> tuple[tuple[Epsilon, Epsilon], tuple[float, ...]]:
    """Return the exact endpoints of a range of levels, and equally spaced levels in nats.

    Raises:
        InvalidParameterError: the range is empty.
        InfeasibleError: epsilon = delta = 0 is in the range.
    """
    found = ordered_levels(ends)
    low, high = map(float, found)
    if not low and delta == Delta.of(0):
        raise InfeasibleError(
            "nothing can be estimated at epsilon = delta = 0: start the range above 0 or take delta > 0"
        )
    return found, (*(low + (high - low) * i / (points - 1) for i in range(points - 1)), high)


def _ordered(kind: type[_End], ends: tuple[object, object], name: str, allowed: str) -> tuple[_End, _End]:
    low, high = map(kind.of, required_pair(ends, f"`{name}_range`", '(low, high), such as ("1/10", "1/2")'))
    if not float(low) < float(high):
        raise InvalidParameterError(f"the range of {name} is empty: received {low} to {high}; allowed is {allowed}")
    return low, high


def _level(value: object) -> Fraction:
    allowed = "0 < level <= 1, and up to 1/2 it is a prevalence at which two designs tie"
    return rational_where(value, lambda level: 0 < level <= 1, allowed, name="level of g")


def _mark(epsilon: object, delta: object) -> MarkedLevel:
    level, slack = Epsilon.of(epsilon), Delta.of(delta)
    value = Coordinate(*closed_forms.threshold(*level_numbers(level, slack)))
    if not value.below:
        raise InfeasibleError(
            "g is 0/0 at epsilon = delta = 0, where nothing can be estimated: mark epsilon > 0 or delta > 0"
        )
    return MarkedLevel(level, slack, value)
