"""Register the classes of designs that `solve` supports."""

from __future__ import annotations

from rropt.designs.any_output import AnyOutputDesigns
from rropt.designs.binary_variance import BinaryVariance
from rropt.designs.block_designs import BlockDesigns
from rropt.designs.criterion_designs import CriterionDesigns
from rropt.designs.divergence_designs import DivergenceDesigns
from rropt.designs.gaussian_designs import GaussianDesigns
from rropt.designs.group_designs import GroupDesigns
from rropt.designs.labelled_designs import LabelledDesigns
from rropt.designs.linear_designs import LinearDesigns
from rropt.designs.many_truths import ManyTruths
from rropt.designs.merged_designs import MergedDesigns
from rropt.designs.ray_designs import RayDesigns
from rropt.designs.restricted_outputs import RestrictedOutputDesigns
from rropt.designs.saddle_designs import SaddleDesigns
from rropt.designs.solution import RouteResult, Solution
from rropt.designs.solving import DESIGN_CLASSES, DesignClass, Route, register_design_class, solve
from rropt.designs.three_outputs import ThreeAnswerDesigns

__all__ = [
    "DESIGN_CLASSES",
    "BinaryVariance",
    "DesignClass",
    "LinearDesigns",
    "Route",
    "RouteResult",
    "Solution",
    "register_design_class",
    "solve",
]

for _designs in (
    BlockDesigns(),
    ManyTruths(),
    SaddleDesigns(),
    CriterionDesigns(),
    BinaryVariance(),
    LinearDesigns(),
    RestrictedOutputDesigns(),
    AnyOutputDesigns(),
    ThreeAnswerDesigns(),
    GroupDesigns(),
    RayDesigns(),
    DivergenceDesigns(),
    GaussianDesigns(),
    MergedDesigns(),
    LabelledDesigns(),
):
    register_design_class(_designs)
