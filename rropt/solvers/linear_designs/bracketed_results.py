"""The result of a route from a mechanism and a dual: values in the problem's own sense."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rropt.mechanisms import Mechanism
from rropt.privacy.levels import RationalLevels
from rropt.problem import Problem
from rropt.solvers.linear_designs.design_programme import DesignProgramme, Pair
from rropt.solvers.linear_designs.exact_rows import write_programme
from rropt.solvers.linear_designs.interior import interior_mechanism
from rropt.solvers.linear_designs.rounding import round_dual, round_mechanism
from rropt.solvers.results import ProvedDesign


def result_of(
    design: DesignProgramme, mechanism: Mechanism, dual: Mapping[int, Fraction], bound: Fraction
) -> ProvedDesign:
    """Return the result in the problem's sense.

    Args:
        design: the programme, which minimises.
        mechanism: of the region at the level below.
        dual: multipliers of the minimised programme at the level above.
        bound: the lower bound they prove.
    """
    cost = design.cost(mechanism)
    if design.sign > 0:
        return ProvedDesign(lower=bound, upper=cost, mechanism=mechanism, dual=dual)
    return ProvedDesign(lower=-cost, upper=-bound, mechanism=mechanism, dual={row: -y for row, y in dual.items()})


def rounded_result(
    problem: Problem,
    levels: RationalLevels,
    pairs: tuple[Pair, ...],
    primal: Sequence[int],
    dual: Mapping[int, int],
    *,
    blind: Mechanism | None = None,
) -> ProvedDesign | None:
    """Return the result that an approximate answer is rounded to, or None where there is no room to round in.

    Args:
        problem: of a linear objective.
        levels: rational levels around the problem's.
        pairs: the pairs that the answer's programme has.
        primal: p_ij times ``2^GRID_BITS`` at ``i k + j``.
        dual: multipliers of the minimised programme times the same, by the certificate's row index.
        blind: the answer itself, exact, if its answers do not depend on the truth: that is private at every level, and
            needs no rounding.
    """
    below = DesignProgramme.of(problem, levels, "below", pairs)
    interior = None if blind else interior_mechanism(below)
    mechanism = blind if interior is None else round_mechanism(below, primal, interior)
    if mechanism is None:
        return None
    above = DesignProgramme.of(problem, levels, "above", pairs)
    written = write_programme(above)
    multipliers, bound = round_dual(above, written, [dual.get(place, 0) for place in written.places])
    return result_of(above, mechanism, multipliers, bound)
