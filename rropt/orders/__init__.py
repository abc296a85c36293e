"""Orders of mechanisms: admissibility in the sense of Blackwell sufficiency (garbling, post-processing).

P is at least as informative as A when A = C P for a column-stochastic C. Chai and Nayak (2018), section 4.
"""

from __future__ import annotations

from rropt.orders.admissibility import Admissibility, RowReason, admissible
from rropt.orders.admissible_class import balanced_collections, extreme_members, random_member
from rropt.orders.patterns import Domination, dominate
from rropt.orders.proportional_rows import MergedRows, merge_proportional_rows

__all__ = [
    "Admissibility",
    "Domination",
    "MergedRows",
    "RowReason",
    "admissible",
    "balanced_collections",
    "dominate",
    "extreme_members",
    "merge_proportional_rows",
    "random_member",
]
