"""Linear design problems with k inputs by exact linear programming.

Trace and expected loss are linear in P, and so are all privacy conditions: one level with delta = 0 as
``t_i <= p_ij <= gamma t_i`` (t_i = min_j p_ij: 2 m k rows instead of m k (k - 1)), delta > 0 with the excesses
``e_i,jl >= p_ij - gamma p_il``, levels by pair with those pairs that imply the others, bounds as they stand.

*Rational level*: HiGHS proposes a basis, exact arithmetic makes a vertex and a dual of it; the gap is 0.

*Irrational level*: the vertex and the dual at a short rational level a hair above are moved to the true level by
``rounding``: the mechanism, mixed with a little of an interior one, is exactly private at the level below, the dual
bounds the objective at the level above; the relative gap is about 1e-15. Where the bounds leave no interior, the
programme is solved exactly at both ends of the level.

One optimal mechanism is found. It need not be the only one: the trace has a unique optimum when all weights are equal
(Chai and Nayak 2018, Theorem 4.4 (b), gamma > 1); in general optimal mechanisms form a face of the region.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NoReturn

from rropt.certificates.design_programmes import certify_infeasible_design
from rropt.errors import UnsupportedProblemError
from rropt.linear import Infeasible, LinearProgramme, Unbounded, solve
from rropt.mechanisms import Mechanism
from rropt.privacy.levels import RationalLevels, Side
from rropt.problem import Problem
from rropt.solvers.design_class import UndecidedLevelError
from rropt.solvers.linear_designs.bracketed_results import result_of, rounded_result
from rropt.solvers.linear_designs.design_programme import DesignProgramme, Pair, first_pairs
from rropt.solvers.linear_designs.exact_rows import write_programme
from rropt.solvers.linear_designs.infeasible_designs import InfeasibleDesignError
from rropt.solvers.linear_designs.least_levels import infeasibility_in_words, short_levels
from rropt.solvers.linear_designs.limits import FLOOR, FLOOR_WIDTH, GRID_BITS, LONG_CHAIN, SHORT_WIDTH
from rropt.solvers.linear_designs.rounding import violated_pairs
from rropt.solvers.results import ProvedDesign

Vertex = tuple[Mechanism, Mapping[int, Fraction], Fraction]
_ZERO = Fraction(0)


def solve_design_exactly(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return mechanism, dual and bracket of a linear design problem.

    Args:
        problem: of objective ``trace`` or ``loss``.
        levels: rational levels around the problem's.

    Raises:
        InfeasibleDesignError: no mechanism meets the bounds, with its certificate.
        UndecidedLevelError: they can be met above the level and not below: give a finer bracket.

    >>> from rropt.objectives import Trace
    >>> from rropt.privacy import PrivacyRegion
    >>> problem = Problem(PrivacyRegion("log(3)", inputs=4, outputs=4), Trace([1] * 4), ["1/4"] * 4)
    >>> result = solve_design_exactly(problem, problem.region.bracket(24))
    >>> result.lower, round(float(result.upper), 9)
    (Fraction(2, 1), 2.0)
    """
    pairs = first_pairs(problem)
    if not levels.is_exact:
        floor = _floor(problem)
        near = short_levels(levels, FLOOR_WIDTH if floor else SHORT_WIDTH)
        (mechanism, dual, _), pairs = _vertex(problem, levels, near, "above", pairs, floor=floor)
        rounded = rounded_result(
            problem,
            levels,
            pairs,
            _on_grid(p for row in mechanism.matrix for p in row),
            _grid_of(dual),
            blind=mechanism if all(len(set(row)) == 1 for row in mechanism.matrix) else None,
        )
        if rounded is not None:
            return rounded
    (mechanism, dual, bound), pairs = _vertex(problem, levels, levels, "above", pairs)
    if not levels.is_exact:
        (mechanism, _, _), pairs = _vertex(problem, levels, levels, "below", pairs)
    return result_of(DesignProgramme.of(problem, levels, "below", pairs), mechanism, dual, bound)


def _vertex(
    problem: Problem,
    levels: RationalLevels,
    at: RationalLevels,
    side: Side,
    pairs: tuple[Pair, ...],
    *,
    floor: Fraction | None = None,
) -> tuple[Vertex, tuple[Pair, ...]]:
    """Return an optimal vertex that meets every pair (with a floor: those written down), and the pairs it took."""
    while True:
        found = vertex_at(problem, at, side, pairs, floor or _ZERO)
        if isinstance(found, dict):
            _refuse(problem, levels, side, found)
        missed = [] if floor is not None else violated_pairs(DesignProgramme.of(problem, at, side, pairs), found[0])
        if not missed:
            return found, pairs
        pairs = tuple(sorted({*pairs, *missed}))


def vertex_at(
    problem: Problem, at: RationalLevels, side: Side, pairs: tuple[Pair, ...], floor: Fraction = _ZERO
) -> Vertex | dict[int, Fraction]:
    """Return mechanism, dual (by the certificate's row index) and value at an end of the levels, or a Farkas vector.

    With a floor f the entries are ``p_ij = f + q_ij``, q >= 0: only right-hand sides change, so the dual is one of the
    programme itself, and the value is that of the raised programme.
    """
    design = DesignProgramme.of(problem, at, side, pairs)
    written = write_programme(design)
    programme = _raised(written.programme, floor) if floor else written.programme
    outcome = solve(programme)
    if isinstance(outcome, Infeasible):
        return {place: y for place, y in zip(written.places, outcome.farkas, strict=True) if y}
    if isinstance(outcome, Unbounded):
        raise UnsupportedProblemError(f"the programme of {problem} is unbounded; this is a defect, please report it")
    m, k = design.shape
    matrix = tuple(tuple(floor + outcome.primal[i * k + j] for j in range(k)) for i in range(m))
    dual = {place: y for place, y in zip(written.places, outcome.dual, strict=True) if y}
    return Mechanism(matrix), dual, outcome.value


def _raised(programme: LinearProgramme, floor: Fraction) -> LinearProgramme:
    """Return the programme in ``x - floor``, up to a constant in the objective."""
    rows = tuple(row._replace(rhs=row.rhs - floor * sum(row.values)) for row in programme.rows)
    return replace(programme, rows=rows)


def _floor(problem: Problem) -> Fraction:
    """Return the least entry that is asked for: 0 unless levels of pairs reach far."""
    levels = problem.region.pair_levels
    if levels is None or problem.region.bounds is not None:
        return _ZERO
    highest = max(float(level) for row in levels for level in row if level is not None)
    return FLOOR if highest > LONG_CHAIN else _ZERO


def _refuse(problem: Problem, levels: RationalLevels, side: Side, farkas: dict[int, Fraction]) -> NoReturn:
    if side == "below":
        raise UndecidedLevelError(
            f"the bounds are feasible just above the level and not just below it: {problem}; a level so near to the "
            "least feasible one is not decided; raise it a little"
        )
    certificate = certify_infeasible_design(problem, levels, farkas).require_accepted()
    raise InfeasibleDesignError(infeasibility_in_words(problem, farkas), certificate)


def _on_grid(values: Iterable[Fraction]) -> list[int]:
    return [(x.numerator << GRID_BITS) // x.denominator for x in values]


def _grid_of(dual: Mapping[int, Fraction]) -> dict[int, int]:
    return {row: (y.numerator << GRID_BITS) // y.denominator for row, y in dual.items()}
