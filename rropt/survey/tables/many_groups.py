"""Tables of many groups for people: a summary of all and the first of them; --exact and JSON have the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from rropt.core.exact.display import is_in_full
from rropt.core.results import Table

MOST_SHOWN = 50  # groups of one table; of more, a summary and the first ones are shown
FIRST_SHOWN = 20
_QUARTILES = ("least", "lower quartile", "median", "upper quartile", "greatest")

Group = TypeVar("Group")


def first_groups(groups: Sequence[Group]) -> Sequence[Group]:
    """Return the groups that are shown: all of them, or the first where they are many and not shown in full."""
    return groups if len(groups) <= MOST_SHOWN or is_in_full() else groups[:FIRST_SHOWN]


def group_title(title: str, groups: Sequence[object]) -> str:
    """Return the title of the table of the groups that are shown: of many it says that they are the first ones.

    >>> group_title("q", range(100)), group_title("q", range(3))
    ('q: the first 20 of 100 groups; --json has all', 'q')
    """
    shown = len(first_groups(groups))
    return title + f": the first {shown} of {len(groups)} groups; --json has all" * (shown < len(groups))


def summary_table(title: str, columns: dict[str, Sequence[float]]) -> list[Table]:
    """Return the quartiles of the numbers of many groups; nothing where all groups are shown.

    >>> (title, header, rows), = summary_table("q", {"n": range(1, 102)})
    >>> title, rows
    ('q: summary of 101 groups', [('n', '1', '26', '51', '76', '101')])
    """
    size = max(map(len, columns.values()), default=0)
    if size <= MOST_SHOWN:
        return []
    rows: list[tuple[str, ...]] = []
    for name, numbers in columns.items():
        ends = np.quantile(np.array(numbers, np.float64), (0, 0.25, 0.5, 0.75, 1))
        rows.append((name, *(f"{end:.4g}" if abs(end) < 1000 else f"{end:.0f}" for end in ends.tolist())))
    return [(f"{title}: summary of {size} groups", ("", *_QUARTILES), rows)]
