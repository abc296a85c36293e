"""Orders of mechanisms: Blackwell sufficiency (garbling, post-processing, refinement), admissibility, equal privacy.

P is at least as informative as A when A = C P for a column-stochastic C. Chai and Nayak (2018), section 4.
"""

from __future__ import annotations

from rropt.orders.admissibility import Admissibility, admissible, admissible_under
from rropt.orders.admissible_class import balanced_collections, extreme_members, random_member
from rropt.orders.compared_designs import ComparedDesign
from rropt.orders.dominating_mechanisms import Domination, MergedRows, RowReason, dominate, merge_proportional_rows
from rropt.orders.equal_privacy import DesignComparison, compare_designs, two_point_bound
from rropt.orders.partial_orders import PartialOrder, partial_order
from rropt.orders.products import ProductComparison, ProductSufficiency, compare_products, sufficient_products
from rropt.orders.refutations import DecisionTask
from rropt.orders.sufficiency import Comparison, Relation, Sufficiency, compare, sufficient

__all__ = [
    "Admissibility",
    "ComparedDesign",
    "Comparison",
    "DecisionTask",
    "DesignComparison",
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
    "balanced_collections",
    "compare",
    "compare_designs",
    "compare_products",
    "dominate",
    "extreme_members",
    "merge_proportional_rows",
    "partial_order",
    "random_member",
    "sufficient",
    "sufficient_products",
    "two_point_bound",
]
