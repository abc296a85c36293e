"""The classes of designs of the library, registered."""

from __future__ import annotations

from rropt.solvers.convex.a_optimality import AOptimalDesigns
from rropt.solvers.design_class import register_design_class
from rropt.solvers.design_classes.binary_variance import BinaryVariance
from rropt.solvers.design_classes.criterion_designs import CriterionDesigns
from rropt.solvers.design_classes.linear_designs import LinearDesigns

__all__ = ["AOptimalDesigns", "BinaryVariance", "CriterionDesigns", "LinearDesigns"]

register_design_class(CriterionDesigns())
register_design_class(BinaryVariance())
register_design_class(LinearDesigns())
register_design_class(AOptimalDesigns())
