"""Data of pictures of groups: one proportion in each group with its intervals, also for complex surveys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import as_text
from rropt.survey.estimates.proportion_intervals import RECOMMENDED
from rropt.survey.groups.groups import ShareComparison
from rropt.survey.tables import GroupEstimates, WeightedEstimates
from rropt.survey.tables.regressions import PredictedPrevalence
from rropt.survey.tables.weighted_estimates import WeightedCategory

MOST_GROUPS = 60  # rows of a picture in print


@dataclass(frozen=True, slots=True)
class GroupsPicture:
    """One proportion in all groups.

    Attributes:
        share: the estimates of the proportion, with intervals, or those that a regression predicts.
        by: the columns of the groups.
        confidence: the confidence of the intervals.
    """

    share: ShareComparison | WeightedCategory | PredictedPrevalence
    by: tuple[str, ...]
    confidence: Fraction

    def to_dict(self) -> dict[str, Any]:
        """Return the picture's data."""
        return {
            "picture": "groups",
            "by": list(self.by),
            "confidence": as_text(self.confidence),
            **self.share.to_dict(),
        }

    def rows(self) -> list[tuple[str, float]]:
        """Return, for each group, its name with the number of respondents, and its estimate."""
        if isinstance(self.share, PredictedPrevalence):
            sizes = zip(self.share.groups, self.share.n, self.share.estimates, strict=True)
            return [(f"{group} ({n})", estimate) for group, n, estimate in sizes]
        if isinstance(self.share, WeightedCategory):
            return [(f"{group.group} ({group.n})", group.share.value) for group in self.share.groups]
        return [(f"{group.group} ({group.n})", float(group.estimate)) for group in self.share.groups]

    def intervals(self) -> dict[str, list[tuple[float, float] | None]]:
        """Return the kinds of interval shown, each with its endpoints by group; ``None`` for a group without one."""
        if isinstance(self.share, PredictedPrevalence):
            return {"delta method": [*self.share.intervals]}
        if isinstance(self.share, WeightedCategory):
            return {f"recommended ({RECOMMENDED})": [group.recommended for group in self.share.groups]}
        kinds = " or ".join(dict.fromkeys(group.guaranteed for group in self.share.groups))
        return {
            f"guaranteed ({kinds})": [group.intervals[group.guaranteed] for group in self.share.groups],
            "guaranteed, all groups at once": [group.simultaneous[group.guaranteed] for group in self.share.groups],
        }


def groups_picture(
    found: GroupEstimates | WeightedEstimates | PredictedPrevalence, share: str | None = None
) -> GroupsPicture:
    """Return one proportion in all groups.

    Args:
        found: estimates by group, or the predicted prevalence by group of a regression.
        share: the name of the proportion; by default the first one.

    Raises:
        InvalidParameterError: there are no estimates by group, no such proportion, or more than 60 groups.
    """
    if not isinstance(found, GroupEstimates | WeightedEstimates | PredictedPrevalence):
        raise InvalidParameterError(
            f"there are no estimates by group: received {shown(found)}; allowed is what estimate_table returns (the "
            "JSON that rropt estimate prints of groups), or prevalence of a regression"
        )
    shares: Sequence[ShareComparison | WeightedCategory | PredictedPrevalence]
    shares = [found] if isinstance(found, PredictedPrevalence) else [*found.shares]
    named = [one for one in shares if share in (None, one.name)]
    if not named:
        raise InvalidParameterError(
            f"there is no such proportion: received {shown(share)}; allowed are "
            f"{shown(', '.join(one.name for one in shares))}"
        )
    if len(named[0].groups) > MOST_GROUPS:
        raise InvalidParameterError(
            f"the groups are too many for a picture: received {len(named[0].groups)}; allowed are {MOST_GROUPS}"
        )
    by = (found.by,) if isinstance(found, PredictedPrevalence) else found.by
    return GroupsPicture(named[0], by, found.confidence)
