"""Data of pictures of groups: one share in each group, with its intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rropt.errors import InvalidParameterError, shown
from rropt.estimation.groups import ShareComparison
from rropt.responses import GroupEstimates

_MOST_GROUPS = 60  # rows of a picture in print


@dataclass(frozen=True, slots=True)
class GroupsPicture:
    """One share in all groups.

    Attributes:
        share: its estimates, with intervals.
        by: the columns of the groups.
    """

    share: ShareComparison
    by: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the picture's data."""
        return {"picture": "groups", "by": list(self.by), **self.share.to_dict()}


def groups_picture(found: GroupEstimates, share: str | None = None) -> GroupsPicture:
    """Return one share in all groups.

    Args:
        found: estimates by group.
        share: which, by name; ``None``: the only one, or the first.

    Raises:
        InvalidParameterError: no estimates by group, no such share, or more than 60 groups.
    """
    if not isinstance(found, GroupEstimates):
        raise InvalidParameterError(
            f"there are no estimates by group: received {shown(found)}; allowed is what estimate_table returns"
        )
    named = [one for one in found.shares if share in (None, one.name)]
    if not named:
        raise InvalidParameterError(
            f"there is no such share: received {shown(share)}; allowed are "
            f"{shown(', '.join(one.name for one in found.shares))}"
        )
    if len(named[0].groups) > _MOST_GROUPS:
        raise InvalidParameterError(
            f"the groups are too many for a picture: received {len(named[0].groups)}; allowed are {_MOST_GROUPS}"
        )
    return GroupsPicture(named[0], found.by)
