"""Linear design problems with k inputs: the exact route, certified by primal and dual solutions.

Trace and expected loss are linear in P, and so are all privacy conditions:

* one level with delta = 0: ``t_i <= p_ij <= gamma t_i`` with t_i = min_j p_ij (2 m k rows instead of m k (k - 1));
* delta > 0: with the excesses ``e_i,jl >= p_ij - gamma p_il``;
* levels by pair: only the pairs that imply the others;
* bounds on the entries as they are.

*Rational level*: HiGHS proposes a basis, from which exact arithmetic computes a vertex and a dual; the gap is 0.

*Irrational level*: the program is solved at a short rational level slightly above, and ``rounding`` moves vertex and
dual to the true level. The mechanism is mixed with a small proportion of an interior mechanism; the result is exactly
private at the level below. The dual bounds the objective at the level above. The relative gap is about 1e-15. If the
bounds leave no interior, or the gap is wide because losses differ by many orders of magnitude, the program is solved
exactly at both endpoints of the level.

The solver returns one optimal mechanism, which need not be unique. The trace has a unique optimum if all weights are
equal (Chai and Nayak 2018, Theorem 4.4 (b), gamma > 1). In general, the optimal mechanisms form a face of the region.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

from rropt.core.certificates import Certificate
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.linear import Infeasible, LinearProgram
from rropt.designs.design_programs import (
    SHORT_WIDTH,
    DesignProgram,
    Pairs,
    first_pairs,
    short_levels,
    write_program,
)
from rropt.designs.drawable_designs import WORD_BITS, is_near
from rropt.designs.infeasible_designs import InfeasibleDesignError, infeasibility_in_words
from rropt.designs.permuted_costs import has_permuted_costs, solve_permuted_costs
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design
from rropt.designs.rounding import interior_mechanism, result_of, round_mechanism, rounded_result, violated_pairs
from rropt.designs.routes import ProvedDesign, Route, UndecidedLevelError
from rropt.designs.way_table import LevelRound, Way
from rropt.designs.weighted_trace import is_weighted_trace, solve_weighted_trace
from rropt.designs.writers.linear_writer import (
    Name,
    certify_infeasible_design,
    certify_linear_design,
    recorded_dual,
)
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels, Side

# If levels within one problem differ by more nats than this, vertices have entries from 1 to e^-70 = 4e-31, which a
# floating-point solver cannot find. The program is then solved with every entry at least FLOOR, which costs about as
# much, at a short level for which this is accurate enough.
LONG_CHAIN = 70
FLOOR = Fraction(1, 2**50)
FLOOR_WIDTH = Fraction(1, 10**14)

# A problem with more entries p_ij, or with more excesses e_i,jl, that has a closed form uses only the closed form: a
# linear program takes minutes at this size.
LARGEST_CROSS_CHECK = 4900
MOST_EXCESSES = 60_000

# With more entries, an irrational level gets fewer digits: with 24 digits the certificate would take megabytes.
LARGE_ENTRIES = 10_000
LARGE_DIGITS = 15

# Number of entries p_ij of the largest mechanism whose certificate the checker reads (its limit on tokens of a file).
MOST_ENTRIES = 90_000


Vertex = tuple[Mechanism, Mapping[Name, Fraction]]
_ZERO = Fraction(0)


def solve_design_exactly(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal mechanism, its dual and the bracket of a linear design problem.

    Args:
        problem: a problem with the objective ``trace`` or ``loss``.
        levels: rational levels around the problem's level.

    Raises:
        InfeasibleDesignError: no mechanism satisfies the bounds; the error contains the certificate.
        UndecidedLevelError: the bounds are feasible at the level above but not below; a finer bracket is needed.

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
        (mechanism, dual), pairs = _vertex(problem, levels, near, "above", pairs, floor)
        blind = mechanism if all(len(set(row)) == 1 for row in mechanism.matrix) else None
        rounded = rounded_result(problem, levels, pairs, mechanism.matrix, dual, blind=blind)
        if rounded is not None and rounded.is_closed:
            return rounded
    (mechanism, dual), pairs = _vertex(problem, levels, levels, "above", pairs)
    if not levels.is_exact:
        (mechanism, _), pairs = _vertex(problem, levels, levels, "below", pairs)
    return result_of(DesignProgram.of(problem, levels, "above", pairs), mechanism, dual)


def _vertex(
    problem: Problem,
    levels: RationalLevels,
    at: RationalLevels,
    side: Side,
    pairs: Pairs,
    floor: Fraction | None = None,
) -> tuple[Vertex, Pairs]:
    """Return an optimal vertex that satisfies the condition of every pair, and the pairs in its program.

    If ``floor`` is given (also 0), only the conditions in the program are satisfied. The vertex is then rounded later,
    and at a level slightly above an irrational one it may violate the others slightly.
    """
    while True:
        found = vertex_at(problem, at, side, pairs, floor or _ZERO)
        if isinstance(found, dict):
            _refuse(problem, levels, side, found)
        missed = [] if floor is not None else violated_pairs(DesignProgram.of(problem, at, side, pairs), found[0])
        if not missed:
            return found, pairs
        pairs = tuple(sorted({*pairs, *missed}))


def vertex_at(
    problem: Problem, at: RationalLevels, side: Side, pairs: Pairs, floor: Fraction = _ZERO
) -> Vertex | dict[Name, Fraction]:
    """Return mechanism and dual (by the names of rows) at one endpoint, or a Farkas vector.

    With a floor f the entries are ``p_ij = f + q_ij``, q >= 0. Only the right-hand sides change, so the dual is also
    one of the original program.
    """
    from rropt.core.linear import solve  # import HiGHS only when it is needed

    design = DesignProgram.of(problem, at, side, pairs)
    written = write_program(design)
    program = _raised(written.program, floor) if floor else written.program
    outcome = solve(program)
    if isinstance(outcome, Infeasible):
        return {place: y for place, y in zip(written.names, outcome.farkas, strict=True) if y}
    m, k = design.shape
    matrix = tuple(tuple(floor + outcome.primal[i * k + j] for j in range(k)) for i in range(m))
    dual = {place: y for place, y in zip(written.names, outcome.dual, strict=True) if y}
    return Mechanism(matrix), dual


def _raised(program: LinearProgram, floor: Fraction) -> LinearProgram:
    """Return the program in the variables ``x - floor``, up to a constant in the objective."""
    rows = tuple(row._replace(rhs=row.rhs - floor * sum(row.values)) for row in program.rows)
    return replace(program, rows=rows)


def _floor(problem: Problem) -> Fraction:
    """Return the smallest allowed entry for the float solver: 0 unless some levels of pairs are large."""
    levels = problem.region.pair_levels
    if levels is None or problem.region.bounds is not None:
        return _ZERO
    highest = max(float(level) for row in levels for level in row if level is not None)
    return FLOOR if highest > LONG_CHAIN else _ZERO


def _refuse(problem: Problem, levels: RationalLevels, side: Side, farkas: dict[Name, Fraction]) -> NoReturn:
    if side == "below":
        raise UndecidedLevelError(
            f"the bounds are feasible just above the level and not just below it: {problem}; a level so close to the "
            "smallest feasible one cannot be decided; raise it slightly"
        )
    certificate = Certificate.attempt(lambda: certify_infeasible_design(problem.certified_dict(), levels, farkas))
    raise InfeasibleDesignError(infeasibility_in_words(problem, farkas), certificate)


def _exactly(problem: Problem) -> bool:
    """Return whether the linear program of the problem can be solved within seconds, or no other route solves it."""
    is_small = _entries(problem) <= LARGEST_CROSS_CHECK and _excesses(problem) <= MOST_EXCESSES
    return is_small or not _has_closed_form(problem)


def _has_closed_form(problem: Problem) -> bool:
    return is_weighted_trace(problem) or has_permuted_costs(problem)


def _in_closed_form(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimum of a weighted trace, or of costs that are permuted."""
    solve = solve_weighted_trace if is_weighted_trace(problem) else solve_permuted_costs
    return solve(problem, levels)


def _exact_cost(problem: Problem) -> float:
    """Estimate the seconds of the exact route from measured times; with delta > 0 they grow as k^12 from k = 20.

    Measured were 21.6 s with 13 248 excesses, and without delta 0.15 s with 1 600 entries.
    """
    excesses = _excesses(problem)
    return float(21.6 * (excesses / 13_248) ** 3.9 if excesses else 0.15 * (_entries(problem) / 1600) ** 3)


def _excesses(problem: Problem) -> int:
    return _entries(problem) * (problem.region.inputs - 1) if problem.region.form == "excess" else 0


LINEAR = (
    Route("closed-form", _in_closed_form, _has_closed_form),
    Route("exact", solve_design_exactly, _exactly, _exact_cost),
)


def limit_of_entries(problem: Problem) -> str | None:
    """Return an error message if a linear program is too large to be certified; else ``None``."""
    if _entries(problem) <= MOST_ENTRIES:
        return None
    return (
        f"the mechanism is too large to be certified: received {_entries(problem)} entries; allowed are "
        f"{MOST_ENTRIES}, 300 categories; merge categories"
    )


def read_linear(problem: Problem, certificate: Certificate) -> ProvedDesign:
    """Return the design in a certificate, with the multipliers of the linear program."""
    found = recorded_design(problem, certificate)
    return replace(found, dual=recorded_dual(problem.certified_dict(), certificate))


class LinearWay(Way[ProvedDesign]):
    """The row of linear programs over the entries."""

    def first_bracket(self, problem: Problem) -> LevelRound:
        """Return a bracket of fewer digits for large mechanisms; near-ties that need more do not occur by accident."""
        digits = LARGE_DIGITS if _entries(problem) > LARGE_ENTRIES else FIRST_BRACKET_DIGITS
        return LevelRound.first(problem.region, digits, MAX_BRACKET_DIGITS // 4)


def shorter_vertex(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> ProvedDesign:
    """Return the design with short numbers; it keeps its dual, so one endpoint of the bracket does not move."""
    design = DesignProgram.of(problem, levels, "below", first_pairs(problem))
    interior = interior_mechanism(design)
    near = best.mechanism.matrix
    mechanism = None if interior is None else round_mechanism(design, near, interior, bits=WORD_BITS)
    if mechanism is None:
        return best
    value = problem.objective.value(mechanism, problem.population)
    end: dict[str, Any] = {"upper" if design.sign > 0 else "lower": value}
    short = replace(best, mechanism=mechanism, **end)
    return short if is_near(short, best) else best


def certify_linear(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Return the certificate with the primal and dual solutions."""
    ends = {"lower": best.lower, "upper": best.upper}
    return certify_linear_design(problem.certified_dict(), levels, **ends, mechanism=best.mechanism, dual=best.dual)


def _entries(problem: Problem) -> int:
    return problem.region.inputs * problem.region.outputs
