"""Data of the picture of a report: proportions on one scale, each with its recommended interval alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple


class SharePoint(NamedTuple):
    """One proportion with its interval; ``ends`` is ``None`` without one."""

    value: float
    ends: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class SharesPicture:
    """Proportions in rows, each with a point and an interval for each series.

    Attributes:
        rows: the names of the rows: categories, or groups.
        series: the names of the series, groups if the rows are categories; one name "" if there is one series.
        points: for each series the proportions by row; ``None`` for a proportion that was not estimated.
        confidence: the confidence of the intervals.
        text: what the picture shows, in one sentence.
        is_chosen: whether the sentence is needed to read the rows, as of the largest of many.
    """

    rows: tuple[str, ...]
    series: tuple[str, ...]
    points: tuple[Sequence[SharePoint | None], ...]
    confidence: Fraction
    text: str
    is_chosen: bool = False
