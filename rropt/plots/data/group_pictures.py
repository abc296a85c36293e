"""Data of pictures of groups: one proportion or mean in each group, with its intervals; also for complex surveys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.survey import GroupEstimates, WeightedEstimates
from rropt.survey.regression.regressions import PredictedPrevalence
from rropt.survey.table_estimates.mean_estimates import MeanEstimates

MOST_GROUPS = 60  # rows of a picture in print


@dataclass(frozen=True, slots=True)
class GroupsPicture:
    """One proportion, or the mean of a number, in all groups.

    Attributes:
        name: the name of the proportion, or of the number.
        by: the columns of the groups; empty for all respondents together.
        confidence: the confidence of the intervals.
        estimator: what the estimates are, in words.
        groups, n, estimates: the names of the groups, their numbers of respondents, and their estimates.
        intervals: the kinds of interval, each with its endpoints by group; ``None`` for a group without one.
        quantity: what is estimated, ``"proportion"`` or ``"mean"``.
    """

    name: str
    by: tuple[str, ...]
    confidence: Fraction
    estimator: str
    groups: tuple[str, ...]
    n: tuple[int, ...]
    estimates: tuple[float, ...]
    intervals: Mapping[str, Sequence[tuple[float, float] | None]]
    quantity: str = "proportion"


def groups_picture(
    found: GroupEstimates | MeanEstimates | PredictedPrevalence, share: str | None = None
) -> GroupsPicture:
    """Return one proportion, or the mean of a number, in all groups.

    Args:
        found: estimates by group, a mean, or the predicted prevalence by group of a regression.
        share: the name of the proportion; by default the first one. Not for a mean.

    Raises:
        InvalidParameterError: there are no estimates by group, no such proportion, or more than 60 groups.
    """
    if isinstance(found, MeanEstimates):
        return _means(found, share)
    if not isinstance(found, GroupEstimates | PredictedPrevalence):
        raise InvalidParameterError(
            f"there are no estimates by group: received {type(found).__name__}; allowed are estimates by group, with "
            "weights, and of a mean (the JSON that rropt estimate prints of them), and prevalence of a regression"
        )
    if isinstance(found, PredictedPrevalence) and not found.category:
        raise InvalidParameterError(
            "the picture shows proportions: received the mean of an outcome that is a number in each group; print it "
            "as a table"
        )
    shares: Sequence[Any] = [found] if isinstance(found, PredictedPrevalence) else found.shares
    one = next((one for one in shares if share is None or (isinstance(share, str) and share == one.name)), None)
    if one is None:
        raise InvalidParameterError(
            f"there is no such proportion: received {shown(share)}; allowed are "
            f"{shown(', '.join(one.name for one in shares))}"
        )
    _require_few(len(one.groups))
    if isinstance(found, PredictedPrevalence):
        values = "predicted prevalence", found.groups, found.n, found.estimates, {"delta method": found.intervals}
        return GroupsPicture(found.name, (found.by,), found.confidence, *values)
    names, n = tuple(group.group for group in one.groups), tuple(group.n for group in one.groups)
    is_weighted = isinstance(found, WeightedEstimates)
    kinds = " or ".join(dict.fromkeys(group.recommended_kind for group in one.groups))
    kind, estimator = ("recommended", "weighted estimate") if is_weighted else ("guaranteed", "unbiased estimate")
    intervals = {f"{kind} ({kinds})": [group.recommended for group in one.groups]}
    if not is_weighted:
        all_at_once = [group.simultaneous[group.recommended_kind] for group in one.groups]
        intervals["guaranteed, all groups at once"] = all_at_once
    points = tuple(float(group.estimate) for group in one.groups)
    return GroupsPicture(one.name, found.by, found.confidence, estimator, names, n, points, intervals)


def _means(found: MeanEstimates, share: str | None) -> GroupsPicture:
    """Return the mean in each group; without groups the mean of all respondents."""
    if share is not None:
        raise InvalidParameterError(f"a mean has no proportions: received {shown(share)}; allowed is no share")
    _require_few(len(found.groups))
    names, n = tuple(one.group for one in found.groups), tuple(one.n for one in found.groups)
    points = tuple(one.estimate for one in found.groups)
    intervals = {"t-interval (approximate)": [one.interval for one in found.groups]}
    estimator = "unbiased estimate" if found.design is None else "weighted estimate"
    return GroupsPicture(found.column, found.by, found.confidence, estimator, names, n, points, intervals, "mean")


def _require_few(groups: int) -> None:
    if groups > MOST_GROUPS:
        raise InvalidParameterError(
            f"the groups are too many for a picture: received {groups}; allowed are {MOST_GROUPS}"
        )
