"""Comparisons of mechanisms: Blackwell sufficiency (garbling, post-processing, refinement) and admissibility.

P is at least as informative as A if A = C P for a column-stochastic C. See Chai and Nayak (2018), section 4.
"""

from __future__ import annotations

from rropt.designs.orders.admissibility import Admissibility, admissible, admissible_under
from rropt.designs.orders.dominating_mechanisms import (
    Domination,
    MergedRows,
    RowReason,
    dominate,
    merge_proportional_rows,
)
from rropt.designs.orders.garblings import DecisionTask
from rropt.designs.orders.partial_orders import PartialOrder, partial_order
from rropt.designs.orders.sufficiency import (
    Comparison,
    ProductComparison,
    ProductSufficiency,
    Relation,
    Sufficiency,
    compare,
    compare_products,
    sufficient,
    sufficient_products,
)

__all__ = [
    "Admissibility",
    "Comparison",
    "DecisionTask",
    "Domination",
    "MergedRows",
    "PartialOrder",
    "ProductComparison",
    "ProductSufficiency",
    "Relation",
    "RowReason",
    "Sufficiency",
    "admissible",
    "admissible_under",
    "compare",
    "compare_products",
    "dominate",
    "merge_proportional_rows",
    "partial_order",
    "sufficient",
    "sufficient_products",
]
