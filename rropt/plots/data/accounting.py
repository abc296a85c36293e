"""Data of the accountant's pictures: privacy curves and losses over time; every point is a proved bracket."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rropt.accounting import Composition, CurvePoint, Longitudinal, ReportsPoint, Shuffle
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Bracket, Delta, Epsilon
from rropt.core.results import Extended, Result

_DIGITS = 30  # of a level in nats


@dataclass(frozen=True, slots=True)
class PrivacyCurvePicture(Result):
    """The data of a picture of a privacy curve.

    Attributes:
        what: a description of the composition or the shuffled reports.
        points: bounds of delta at several epsilons.
        asked: the requested or computed epsilon, and bounds of its delta; ``None`` if epsilon is infinite.
    """

    what: str
    points: tuple[CurvePoint, ...]
    asked: CurvePoint | None

    def visible(self) -> Iterator[tuple[float, float, float]]:
        """Iterate over epsilon and the bounds of delta, without the points at which delta is 0."""
        for point in self.points:
            if point.upper > 0:
                yield float(point.epsilon), float(point.lower), float(point.upper)


@dataclass(frozen=True, slots=True)
class ReportsPicture(Result):
    """The data of a picture of the privacy loss over time.

    Attributes:
        what: a description of the report and of the memo.
        delta: delta of the level.
        points: bounds of epsilon after the given number of reports.
        limit: epsilon of any number of reports, in nats; ``None``: infinite.
    """

    what: str
    delta: Delta
    points: tuple[ReportsPoint, ...]
    limit: Extended

    def visible(self) -> Iterator[tuple[int, float, float]]:
        """Iterate over the number of reports and the bounds of epsilon, without the points at which it is infinite."""
        for point in self.points:
            if point.lower is not None and point.upper is not None:
                yield point.reports, float(point.lower), float(point.upper)


def privacy_curve_picture(found: Composition | Shuffle) -> PrivacyCurvePicture:
    """Return the privacy curve of a composition or of shuffled reports.

    Args:
        found: the result of ``compose`` or ``shuffle``, with points of the curve.

    Raises:
        InvalidParameterError: the object is of another type, or the curve has no points.
    """
    if not isinstance(found, Composition | Shuffle):
        raise InvalidParameterError(
            f"there is no privacy curve: received {shown(found)}; allowed is what compose or shuffle returns"
        )
    if isinstance(found, Composition):
        what = f"All responses together of {found.composed}"
    else:
        what = f"One report among {found.n} shuffled reports of {found.mechanism}"
    if not found.curve:
        raise InvalidParameterError("the curve has no points for a picture: received none; ask for at least 2 points")
    return PrivacyCurvePicture(what, found.curve, _asked(found.epsilon, found.delta))


def reports_picture(found: Longitudinal) -> ReportsPicture:
    """Return epsilon against the number of reports.

    Args:
        found: the result of ``longitudinal``.

    Raises:
        InvalidParameterError: the object is of another type.
    """
    if not isinstance(found, Longitudinal):
        raise InvalidParameterError(
            f"there is no loss over time: received {shown(found)}; allowed is what longitudinal returns"
        )
    memo = "" if found.memo is None else f", of a memo: {found.memo}"
    return ReportsPicture(f"{found.mechanism}{memo}", found.delta, found.curve, _upper(found.limit))


def _upper(level: Epsilon | Bracket) -> Fraction | None:
    """Return a level in nats, rounded up; ``None`` if it is infinite."""
    if isinstance(level, Bracket):
        return level.upper
    return None if level.is_infinite else level.nats(_DIGITS).upper


def _asked(epsilon: Epsilon | Bracket, delta: Bracket | Delta) -> CurvePoint | None:
    """Return the requested point, at the upper bound if epsilon is only known within bounds."""
    if isinstance(epsilon, Epsilon) and epsilon.is_infinite:
        return None
    nats = epsilon.nats(_DIGITS) if isinstance(epsilon, Epsilon) else epsilon
    slack = delta.bracket(_DIGITS) if isinstance(delta, Delta) else delta
    at = Fraction(math.ceil(nats.upper * 10**12), 10**12)
    return CurvePoint(at, slack.lower, slack.upper)
