"""Linear design problems with k inputs: the class, certified by primal and dual, and its exact route.

Trace and expected loss are linear in P, and so are all privacy conditions: one level with delta = 0 as
``t_i <= p_ij <= gamma t_i`` (t_i = min_j p_ij: 2 m k rows instead of m k (k - 1)), delta > 0 with the excesses
``e_i,jl >= p_ij - gamma p_il``, levels by pair with those pairs that imply the others, bounds as they stand.

*Rational level*: HiGHS proposes a basis, exact arithmetic makes a vertex and a dual of it; the gap is 0.

*Irrational level*: the vertex and the dual at a short rational level a hair above are moved to the true level by
``rounding``: the mechanism, mixed with a little of an interior one, is exactly private at the level below, the dual
bounds the objective at the level above; the relative gap is about 1e-15. Where the bounds leave no interior, the
program is solved exactly at both endpoints of the level.

One optimal mechanism is found. It need not be the only one: the trace has a unique optimum when all weights are equal
(Chai and Nayak 2018, Theorem 4.4 (b), gamma > 1); in general optimal mechanisms form a face of the region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NoReturn

from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact.brackets import FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS
from rropt.core.linear import Infeasible, LinearProgram, Unbounded
from rropt.designs.certificates.linear_designs import certify_design, certify_infeasible_design
from rropt.designs.infeasible_designs import InfeasibleDesignError, infeasibility_in_words
from rropt.designs.linear_programs import (
    SHORT_WIDTH,
    DesignProgram,
    Pairs,
    first_pairs,
    short_levels,
    write_program,
)
from rropt.designs.problem import Problem
from rropt.designs.rounding import result_of, rounded_result, violated_pairs
from rropt.designs.solution import ProvedDesign, RouteResult, multipliers_of, recorded_design
from rropt.designs.solving import DesignClass, Route, UndecidedLevelError, is_of_one_population
from rropt.designs.weighted_trace import is_weighted_trace, solve_weighted_trace
from rropt.mechanisms import Mechanism
from rropt.privacy.region import RationalLevels, Side

# Levels that differ by more nats than this within one problem give vertices with entries from 1 to e^-70 = 4e-31, which
# no float solver proposes: the program is then solved with every entry at least FLOOR, which costs about as much,
# and at a level as short as that allows.
LONG_CHAIN = 70
FLOOR = Fraction(1, 2**50)
FLOOR_WIDTH = Fraction(1, 10**14)

# Beyond so many entries p_ij a problem with a closed form is left to it, and one without is not given to the convex
# route: a linear program takes minutes there.
LARGEST_CROSS_CHECK = 4900

# Beyond so many numbers e_i,jl of an (epsilon, delta) program likewise.
CONVEX_ENTRIES = 60_000

# Beyond so many entries fewer digits of an irrational level: with 24 the certificate would be megabytes long.
LARGE_ENTRIES = 10_000
LARGE_DIGITS = 15

# Entries p_ij of the largest mechanism whose certificate the checker reads (its limit on the tokens of a file).
MOST_ENTRIES = 90_000


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
        (mechanism, dual, _), pairs = _vertex(problem, levels, near, "above", pairs, floor)
        blind = mechanism if all(len(set(row)) == 1 for row in mechanism.matrix) else None
        rounded = rounded_result(problem, levels, pairs, mechanism.matrix, dual, blind=blind)
        if rounded is not None:
            return rounded
    (mechanism, dual, bound), pairs = _vertex(problem, levels, levels, "above", pairs)
    if not levels.is_exact:
        (mechanism, _, _), pairs = _vertex(problem, levels, levels, "below", pairs)
    return result_of(DesignProgram.of(problem, levels, "below", pairs), mechanism, dual, bound)


def _vertex(
    problem: Problem,
    levels: RationalLevels,
    at: RationalLevels,
    side: Side,
    pairs: Pairs,
    floor: Fraction | None = None,
) -> tuple[Vertex, Pairs]:
    """Return an optimal vertex that meets every pair, and the pairs it took.

    With a floor, 0 too, it meets those written down: it is only rounded, and slightly above an irrational level it may
    violate the others slightly.
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
) -> Vertex | dict[int, Fraction]:
    """Return mechanism, dual (by the certificate's row index) and value at an end of the levels, or a Farkas vector.

    With a floor f the entries are ``p_ij = f + q_ij``, q >= 0: only right-hand sides change, so the dual is one of the
    program itself, and the value is that of the raised program.
    """
    from rropt.core.linear import solve  # HiGHS: only when it is used

    design = DesignProgram.of(problem, at, side, pairs)
    written = write_program(design)
    program = _raised(written.program, floor) if floor else written.program
    outcome = solve(program)
    if isinstance(outcome, Infeasible):
        return {place: y for place, y in zip(written.places, outcome.farkas, strict=True) if y}
    if isinstance(outcome, Unbounded):
        raise UnsupportedProblemError(
            f"the program of {problem} is unbounded; this is an internal error, please report it"
        )
    m, k = design.shape
    matrix = tuple(tuple(floor + outcome.primal[i * k + j] for j in range(k)) for i in range(m))
    dual = {place: y for place, y in zip(written.places, outcome.dual, strict=True) if y}
    return Mechanism(matrix), dual, outcome.value


def _raised(program: LinearProgram, floor: Fraction) -> LinearProgram:
    """Return the program in ``x - floor``, up to a constant in the objective."""
    rows = tuple(row._replace(rhs=row.rhs - floor * sum(row.values)) for row in program.rows)
    return replace(program, rows=rows)


def _floor(problem: Problem) -> Fraction:
    """Return the least required entry: 0 unless levels of pairs are large."""
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


def _fits(problem: Problem) -> bool:
    """Return whether a linear program of the problem is solved in seconds."""
    m, k = problem.region.outputs, problem.region.inputs
    return m * k <= LARGEST_CROSS_CHECK and _excesses(problem) <= CONVEX_ENTRIES


def _convex(problem: Problem, levels: RationalLevels) -> RouteResult:
    from rropt.designs.convex.linear_designs import solve_design_convex  # numpy: only when it is used

    return solve_design_convex(problem, levels)


def _exactly(problem: Problem) -> bool:
    return _fits(problem) or not is_weighted_trace(problem)


def _exact_cost(problem: Problem) -> float:
    """Return the seconds of the exact route, by measured times: with delta > 0 they grow as k^12 from k = 20."""
    excesses = _excesses(problem)
    return float(21.6 * (excesses / 13_248) ** 3.9 if excesses else 0.15 * (_entries(problem) / 1600) ** 3)


def _convex_cost(problem: Problem) -> float:
    """Return the seconds of the convex route, by measured times."""
    excesses = _excesses(problem)
    return float(2.3 * (excesses / 26_100) ** 1.5 if excesses else 0.23 * (_entries(problem) / 1600) ** 1.5)


def _excesses(problem: Problem) -> int:
    m, k = problem.region.outputs, problem.region.inputs
    return m * k * (k - 1) if problem.region.form == "excess" else 0


_EXACT = Route("exact", solve_design_exactly, _exactly, _exact_cost)


@dataclass(frozen=True)
class LinearDesigns(DesignClass[ProvedDesign]):
    """Linear programs in the mechanism, over regions of every form of FORMAT.md, rule 3, with or without bounds."""

    name = "linear k-ary"
    routes = (
        Route("closed-form", solve_weighted_trace, is_weighted_trace),
        Route("convex", _convex, _fits, _convex_cost, decides=False),
        _EXACT,
    )
    found = ProvedDesign

    def accepts(self, problem: Problem) -> bool:
        """Return whether objective and region make a linear program whose certificate is not too large."""
        return _is_linear(problem) and _entries(problem) <= MOST_ENTRIES

    def refusal(self, problem: Problem) -> str | None:
        """Return that a linear program is too large to be certified."""
        if not _is_linear(problem) or self.accepts(problem):
            return None
        return (
            f"the mechanism is too large to be certified: received {_entries(problem)} entries; allowed are "
            f"{MOST_ENTRIES}, 300 categories; merge categories"
        )

    def recorded(self, problem: Problem, certificate: Certificate) -> ProvedDesign:
        """Return the design of a certificate, with the multipliers of the linear program."""
        found = recorded_design(problem, certificate)
        return ProvedDesign(found.lower, found.upper, found.recorded[0], multipliers_of(certificate))

    def digits(self, problem: Problem) -> tuple[int, int]:
        """Return fewer digits of large mechanisms; no rational level is so near to an algebraic one by accident."""
        return LARGE_DIGITS if _entries(problem) > LARGE_ENTRIES else FIRST_BRACKET_DIGITS, MAX_BRACKET_DIGITS // 4

    def results(self, problem: Problem, levels: RationalLevels, routes: Sequence[Route]) -> dict[str, RouteResult]:
        """Return what the routes find; with bounds the exact route goes first, since it alone proves infeasibility."""
        first = {} if problem.region.bounds is None else {"exact": _EXACT.solve(problem, levels)}
        return {route.name: first.get(route.name) or route.solve(problem, levels) for route in routes}

    def certificate(self, problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
        """Return the certificate of primal and dual."""
        return certify_design(
            problem, levels, lower=best.lower, upper=best.upper, mechanism=best.mechanism, dual=best.dual
        )


def _is_linear(problem: Problem) -> bool:
    return is_of_one_population(problem) and problem.objective.is_linear and problem.region.form is not None


def _entries(problem: Problem) -> int:
    return problem.region.inputs * problem.region.outputs
