"""The table of ways: who solves which problem. The first row that takes a problem and has no reason against it.

Facts of a problem choose among the rows (``way_table.Way``); ``docs/developers/engine.md`` says why each row stays.
"""

from __future__ import annotations

from functools import partial

from rropt.designs.block_designs import (
    BlockFound,
    blocks_by_formulas,
    limit_of_formulas,
    read_blocks,
)
from rropt.designs.block_ratios import (
    certify_blocks,
    is_of_blocks,
    limit_of_blocks,
    read_block_ratios,
    solved_by_blocks,
)
from rropt.designs.engine.divergence_designs import solved_by_exchange
from rropt.designs.engine.ray_designs import is_listed, limit_of_exchange, limit_of_rays, solved_by_rays
from rropt.designs.engine.theorems import by_theorem, has_theorem
from rropt.designs.equal_information import (
    ComputedDesign,
    information_with_delta,
    is_of_information,
    limit_of_information,
)
from rropt.designs.group_designs import (
    GROUPS,
    certify_groups,
    is_of_many_categories,
    limit_of_groups,
)
from rropt.designs.linear_designs import (
    LINEAR,
    LinearWay,
    certify_linear,
    limit_of_entries,
    read_linear,
    shorter_vertex,
)
from rropt.designs.number_designs import (
    NumberDesign,
    certify_values,
    limit_of_values,
    read_values,
    solved_by_values,
)
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design_of
from rropt.designs.reduced_designs import (
    BY_LABELS,
    certify_labels,
    certify_merged_categories,
    certify_polygon,
    is_labelled,
    is_merged,
    is_of_many_payoffs,
    limit_between_polygons,
    limit_of_labelled,
    read_between_polygons,
    read_labels,
    read_merged,
    shorter_labels,
    solved_between_polygons,
    solved_by_decisions,
    solved_by_merging,
)
from rropt.designs.restricted_outputs import (
    CoveredDesign,
    limit_of_cells,
    read_cover,
    shorter_cover,
    solved_by_cells,
)
from rropt.designs.routes import DecidedDesigns, ProvedDesign, Route
from rropt.designs.saddle_designs import (
    SaddleDesign,
    certify_saddle,
    limit_over_polytope,
    read_saddle,
    solve_saddle,
)
from rropt.designs.two_inputs import (
    ANY_OUTPUT,
    THREE_OUTPUTS,
    BinaryWay,
    ThreeAnswers,
    certify_binary,
    is_of_two_inputs,
    limit_of_prevalence,
    read_binary,
    solve_closed_form,
    solve_exact,
)
from rropt.designs.way_table import Way, WayRow
from rropt.designs.weighted_trace import TraceFound, is_trace_of_runs, trace_by_formulas
from rropt.designs.writers.bracket_writer import certify_design, certify_formula, is_known
from rropt.designs.writers.branches import certify_cells

_ONE_LEVEL = ("parity", "excess")
_LEVELS = ("parity", "excess", "pairwise", "levels")


def _has_block_designs(problem: Problem) -> bool:
    return not problem.objective.is_linear and not is_of_information(problem)


WAYS: list[WayRow] = [
    Way(
        "worst case over distributions",
        (Route("exact", solve_saddle),),
        certify_saddle,
        SaddleDesign,
        population="range",
        reason=limit_over_polytope,
        read=read_saddle,
    ),
    Way(
        "information at equal proportions with delta > 0",
        (Route("exact", information_with_delta),),
        None,
        ComputedDesign,
        population="equal",
        levels=("excess",),
        fits=is_of_information,
        reason=limit_of_information,
    ),
    Way(
        "given by formulas for equal proportions",
        (Route("closed-form", blocks_by_formulas),),
        certify_formula,
        BlockFound,
        population="equal",
        fits=_has_block_designs,
        reason=limit_of_formulas,
        read=read_blocks,
    ),
    Way(
        "the largest weighted trace, given by formulas",
        (Route("closed-form", trace_by_formulas),),
        certify_formula,
        TraceFound,
        population="equal",
        fits=is_trace_of_runs,
        read=partial(recorded_design_of, TraceFound),
    ),
    Way(
        "any output",
        ANY_OUTPUT,
        certify_design,
        ProvedDesign,
        population="one",
        levels=_ONE_LEVEL,
        outputs="any",
        has_bounds=False,
        fits=is_of_two_inputs,
        reason=limit_of_prevalence,
    ),
    Way(
        "three answers",
        THREE_OUTPUTS,
        certify_binary,
        ThreeAnswers,
        population="one",
        levels=_ONE_LEVEL,
        outputs=3,
        has_bounds=False,
        objective="is_of_prevalence",
        reason=limit_of_prevalence,
        read=partial(recorded_design_of, ThreeAnswers),
    ),
    BinaryWay(
        "binary variance",
        (Route("closed-form", solve_closed_form), Route("exact", solve_exact)),
        certify_binary,
        DecidedDesigns,
        population="one",
        levels=(*_ONE_LEVEL, "warner"),
        outputs=2,
        has_bounds=False,
        objective="is_of_prevalence",
        read=read_binary,
    ),
    LinearWay(
        "linear k-ary",
        LINEAR,
        certify_linear,
        ProvedDesign,
        population="one",
        levels=(*_ONE_LEVEL, "pairwise"),
        objective="is_linear",
        reason=limit_of_entries,
        read=read_linear,
        shorter=shorter_vertex,
    ),
    Way(
        "restricted outputs",
        (Route("exact", solved_by_cells),),
        certify_cells,
        CoveredDesign,
        population="one",
        levels=_LEVELS,
        outputs="given",
        objective="with_few",
        reason=limit_of_cells,
        read=read_cover,
        shorter=shorter_cover,
    ),
    Way(
        "optimal in groups",
        GROUPS,
        certify_groups,
        ProvedDesign,
        population="one",
        levels=("parity",),
        outputs="any",
        has_bounds=False,
        fits=is_of_many_categories,
        reason=limit_of_groups,
    ),
    Way(
        "blocks of likelihood ratios",
        (Route("exact", solved_by_blocks),),
        certify_blocks,
        ProvedDesign,
        population="one",
        levels=("parity",),
        outputs="any",
        has_bounds=False,
        fits=is_of_blocks,
        reason=limit_of_blocks,
        read=read_block_ratios,
    ),
    Way(
        "merged categories",
        (Route("exact", solved_by_merging),),
        certify_merged_categories,
        ProvedDesign,
        population="one",
        levels=("parity", "divergences"),
        outputs="any",
        has_bounds=False,
        fits=is_merged,
        read=read_merged,
        knows=is_known,
    ),
    Way(
        "Renyi divergences",
        (Route("exact", solved_by_exchange),),
        certify_design,
        ProvedDesign,
        levels=("divergences",),
        reason=limit_of_exchange,
        knows=is_known,
    ),
    Way(
        "Gaussian differential privacy",
        (Route("exact", solved_between_polygons),),
        certify_polygon,
        ProvedDesign,
        levels=("gaussian",),
        reason=limit_between_polygons,
        read=read_between_polygons,
        knows=is_known,
    ),
    Way(
        "labelled outputs under several levels",
        (Route("exact", solved_by_decisions),),
        certify_design,
        ProvedDesign,
        population="one",
        levels=("levels", "other"),
        objective="is_linear",
        fits=is_labelled,
        reason=limit_of_labelled,
    ),
    Way(
        "payoffs of many categories",
        BY_LABELS,
        certify_labels,
        ProvedDesign,
        population="one",
        levels=_ONE_LEVEL,
        outputs="any",
        has_bounds=False,
        fits=is_of_many_payoffs,
        read=read_labels,
        shorter=shorter_labels,
    ),
    Way(
        "rays",
        (Route("closed-form", by_theorem, has_theorem), Route("exact", solved_by_rays, is_listed)),
        certify_design,
        ProvedDesign,
        population="one",
        levels=_LEVELS,
        outputs="any",
        has_bounds=False,
        objective="is_on_rays",
        reason=limit_of_rays,
        knows=is_known,
    ),
    Way(
        "values of one contrast",
        (Route("exact", solved_by_values),),
        certify_values,
        NumberDesign,
        population="one",
        levels=("parity",),
        outputs="any",
        has_bounds=False,
        objective="is_one_contrast",
        reason=limit_of_values,
        read=read_values,
    ),
]
"""The rows of the library, in the order in which they are asked."""
