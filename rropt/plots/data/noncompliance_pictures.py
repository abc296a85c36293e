"""Data of pictures of sharp bounds against the proportion of non-compliers; every point is exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.exact import rational_where
from rropt.core.results import Result
from rropt.noncompliance.bounds import prevalence_bounds
from rropt.noncompliance.breakdown import Breakdown, breakdown_point

_GRID = 33  # points of the curves, which are linear in pieces

Curve = tuple[tuple[Fraction | None, Fraction | None], ...]


@dataclass(frozen=True, slots=True)
class NoncompliancePicture(Result):
    """The data of a picture of bounds against the proportion of non-compliers.

    Attributes:
        model: the behaviour of non-compliers, in words.
        grid: upper bounds of the proportion of non-compliers.
        sharp: the endpoints at the observed proportions; None if no population gives them.
        covering: the endpoints with sampling error.
        confidence: the confidence of ``covering``.
        conclusion: the breakdown point of a conclusion at the observed proportions; None without a conclusion.
    """

    model: str
    grid: tuple[Fraction, ...]
    sharp: Curve
    covering: Curve
    confidence: Fraction
    conclusion: Breakdown | None


def noncompliance_picture(
    samples: Any,
    *,
    conclusion: str | None = None,
    most: object = None,
    model: str = "adversarial",
    contrast: Sequence[object] | None = None,
    versus: Any = None,
    confidence: object = "0.95",
) -> NoncompliancePicture:
    """Return the bounds against the largest proportion of non-compliers.

    Args:
        samples, model, contrast, versus: as for ``prevalence_bounds``.
        conclusion: drawn as a line, with its breakdown point.
        most: the largest proportion drawn, in (0, 1]; by default twice the breakdown point, at least 1/10.
        confidence: the confidence of the wider band.
    """
    options: dict[str, Any] = {"model": model, "contrast": contrast, "versus": versus}
    broken = None if conclusion is None else breakdown_point(samples, conclusion, **options)
    given = min(max(2 * broken.theta, Fraction(1, 10)), Fraction(1)) if broken and broken.against else Fraction(1, 4)
    end = given if most is None else rational_where(most, lambda x: 0 < x <= 1, "0 < most <= 1", name="most")
    grid = tuple(end * i / (_GRID - 1) for i in range(_GRID))
    found = [prevalence_bounds(samples, theta=f"0..{theta}", confidence=confidence, **options) for theta in grid]
    return NoncompliancePicture(
        model="; ".join(behaviour.words for behaviour in found[0].behaviours),
        grid=grid,
        sharp=_curve([bounds.sharp for bounds in found]),
        covering=_curve([bounds.covering for bounds in found]),
        confidence=found[0].confidence or Fraction(0),
        conclusion=broken,
    )


def _curve(intervals: Sequence[Any]) -> Curve:
    return tuple((None, None) if interval is None else (interval.lower, interval.upper) for interval in intervals)
