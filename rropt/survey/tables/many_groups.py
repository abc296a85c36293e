"""Printed tables of many groups: a summary of all groups and the first groups; --exact and JSON show all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from rropt.core.exact.display import is_in_full
from rropt.core.results import Table

MOST_SHOWN = 50  # above this number of groups, a table shows a summary and the first groups
FIRST_SHOWN = 20
_QUARTILES = ("least", "lower quartile", "median", "upper quartile", "greatest")

Group = TypeVar("Group")


def first_groups(groups: Sequence[Group]) -> Sequence[Group]:
    """Return the groups to print: all of them, or the first if there are many and not all are requested."""
    return groups if len(groups) <= MOST_SHOWN or is_in_full() else groups[:FIRST_SHOWN]


def group_title(title: str, groups: Sequence[object]) -> str:
    """Return the title of the table of the printed groups, which states how many of them are shown.

    >>> group_title("q", range(100)), group_title("q", range(3))
    ('q: the first 20 of 100 groups; --json has all', 'q')
    """
    shown = len(first_groups(groups))
    return title + f": the first {shown} of {len(groups)} groups; --json has all" * (shown < len(groups))


def summary_table(title: str, columns: dict[str, Sequence[float]]) -> list[Table]:
    """Return a table of the quartiles of each column for many groups; empty if all groups are printed.

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
