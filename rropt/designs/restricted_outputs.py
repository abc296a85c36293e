"""A- and c-optimal designs with a given number of outputs, with or without bounds on entries: a certified bracket.

Neither problem is convex: with m outputs the variance is not a convex function of the matrix, and the set of
information matrices is not convex.

* The mechanism is the best one that a local search from many starts finds, made rational on the face on which it lies.
* The lower bound is that of all mechanisms with *any* number of outputs. For few categories, a branch and
  bound over the directions of the rows (``branch_and_bound.nodes``) improves it; the certificate contains its cells
  and duals (checker/branches_way.md).
* If the two bounds agree within ``solution.CLOSED``, relatively, the design is reported as optimal. Otherwise it is
  reported as the best one found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from rropt.checker.limits import MAX_ENTRIES
from rropt.core.certificates import Certificate
from rropt.core.certificates.record_proofs import part_of
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Epsilon, decimal_text
from rropt.core.exact.numbers import dot
from rropt.core.exact.rational_bounds import FIRST_BRACKET_DIGITS
from rropt.core.visible import with_noun
from rropt.designs.drawable_designs import drawable, equal_columns, is_near
from rropt.designs.engine.ray_designs import solved_by_rays
from rropt.designs.engine.ray_rounding import meets
from rropt.designs.infeasible_designs import contradiction_without_privacy
from rropt.designs.problem import Problem
from rropt.designs.recorded_designs import recorded_design_of
from rropt.designs.routes import ProvedDesign
from rropt.designs.writers.bracket_writer import RayDual
from rropt.designs.writers.branches import BranchCover, bound_of, centred_dual, excess_on, largest_ratio
from rropt.mechanisms import Mechanism
from rropt.mechanisms.fisher_information import information_solution
from rropt.mechanisms.left_inverse import consistent_solution
from rropt.objectives.estimators import raised_to_bits, rounded_to_bits
from rropt.privacy import PrivacyRegion
from rropt.privacy.region import RationalLevels

if TYPE_CHECKING:
    from rropt.designs.branch_and_bound.cell_bounds import FloatDual, Task
    from rropt.designs.branch_and_bound.nodes import BranchNode

MOST_CELLS = 6000  # of branch and bound; two such searches take a minute
_FIRST_CELLS = 500  # with more initial cells, there is no branch and bound
_MOST_CATEGORIES = 3  # with more categories, there is no branch and bound
_MOST_TOLD = 12  # 2^12 staircase rows take half a minute
_MOST_INPUTS = 16  # the checker can afford their 2^16 staircase rows, for a dual without merged categories
_BITS = 60  # of rational duals, relative to the largest number of the same kind


@dataclass(frozen=True, slots=True)
class CoveredDesign(ProvedDesign):
    """The best mechanism found, and the cover by cells that bounds all other mechanisms."""

    def lines(self) -> list[tuple[str, str]]:
        """Return what is proved about the optimality of the design, as label and value."""
        share = decimal_text(100 * self.gap / self.upper, 2)
        cells = len(self.dual.cells or ())
        proof = f"by {with_noun(cells, 'cell')}" if cells else "by the best mechanism with any number of outputs"
        if self.is_closed:
            return [("optimality", f"proved {proof}: the bracket is closed")]
        low = f"no mechanism has less than {decimal_text(self.lower, 9)}, {share} % below"
        return [("optimality", f"NOT proved: this is the best design found; {proof}, {low}")]


def _free(problem: Problem, levels: RationalLevels) -> Any:
    """Return the optimal design for any number of outputs, without bounds on entries."""
    level, above = problem.region.unbounded.one_level(), levels.above.gamma
    reach = largest_ratio(problem, above)
    region = PrivacyRegion(level.epsilon, inputs=level.inputs, outputs="any")
    if reach < above:
        region = PrivacyRegion(Epsilon.of_gamma(reach), inputs=level.inputs, outputs="any")
        levels = region.bracket(FIRST_BRACKET_DIGITS)
    return solved_by_rays(Problem(region, problem.objective, problem.population), levels)


def _padded(mechanism: Mechanism, problem: Problem) -> Mechanism | None:
    """Split one row of a mechanism evenly to get the given number of outputs; ``None`` if no such split is allowed."""
    rows = [row for row in mechanism.matrix if any(row)]
    more = problem.region.outputs - len(rows)
    if more < 0:
        return None
    for split in rows:
        parts = [tuple(x / (more + 1) for x in split)] * (more + 1)
        padded = Mechanism([*parts, *(row for row in rows if row is not split)])
        if problem.region.contains(padded):
            return padded
    return None


def _begin(problem: Problem, levels: RationalLevels) -> CoveredDesign:
    """Return the best mechanism found, and the bound for any number of outputs."""
    free = _free(problem, levels)
    mechanism = _padded(free.mechanism, problem)
    if mechanism is None:
        from rropt.designs.branch_and_bound.local_search import best_found

        mechanism = best_found(problem, levels)
    upper = problem.objective.value(mechanism, problem.population)
    return CoveredDesign(min(free.lower, upper), upper, mechanism, BranchCover((free.dual,), None))


def solved_by_cells(problem: Problem, levels: RationalLevels) -> CoveredDesign:
    """Return the best design that branch and bound finds, with the bound of its cells.

    Raises:
        InvalidParameterError: the bounds contradict each other, or identify nothing.
    """
    from rropt.designs.branch_and_bound.local_search import polished, task_of
    from rropt.designs.branch_and_bound.nodes import BranchAndBound

    _require_room(problem)
    begun = _begin(problem, levels)
    task = task_of(problem, levels)
    if begun.is_closed or not _has_few_cells(task):
        return begun
    search = BranchAndBound(task, begun.mechanism.to_numpy(), float(begun.upper))
    cells = search.run(MOST_CELLS)
    mechanism, upper = begun.mechanism, begun.upper
    if search.value < float(upper):
        better = polished(problem, levels, search.best)
        value = problem.objective.value(better, problem.population) if better else upper
        mechanism, upper = (better, value) if better and value < upper else (mechanism, upper)
    cover, lower = _cover(problem, levels, task, cells, mechanism, upper)
    if lower < begun.lower:
        cover, lower = begun.dual, begun.lower
    return CoveredDesign(min(lower, upper), upper, mechanism, cover)


def _has_few_cells(task: Task) -> bool:
    """Return whether the branch and bound starts with few cells."""
    from rropt.designs.branch_and_bound.nodes import first_orders

    return len(task.pi) <= _MOST_CATEGORIES and len([*islice(first_orders(task), _FIRST_CELLS + 1)]) <= _FIRST_CELLS


def _cover(
    problem: Problem, levels: RationalLevels, task: Task, cells: list[BranchNode], mechanism: Mechanism, upper: Fraction
) -> tuple[BranchCover, Fraction]:
    """Return the cells with rational duals, and the lower bound that they prove together."""
    from rropt.designs.branch_and_bound.nodes import exact_cones, first_orders

    pi, gamma = problem.population, largest_ratio(problem, levels.above.gamma)
    walked = list(exact_cones(cells, gamma, first_orders(task)))
    leaves = [(cell, cones) for cell, cones in walked if cell.halving is None]
    needed: dict[int, Fraction] = {}
    exact = {id(cell.dual): _rational(cell.dual, problem) for cell, _ in leaves}
    for cell, cones in leaves:
        more = excess_on(exact[id(cell.dual)], cones, pi)
        needed[id(cell.dual)] = max(more, needed.get(id(cell.dual), more))
    duals = {
        key: dual.raised(raised_to_bits(needed[key], max(map(abs, dual.alpha)), _BITS), pi)
        for key, dual in exact.items()
    }
    bounds = {key: bound_of(dual, problem) for key, dual in duals.items()}
    tight = _tight(problem, mechanism)
    used: list[RayDual] = []
    places: dict[int, int] = {}
    proved: list[Fraction] = [upper]
    tokens: list[tuple[int, int, int] | int] = []
    for cell, cones in walked:
        if cell.halving is not None:
            tokens.append(cell.halving)
            continue
        key, bound = id(cell.dual), bounds[id(cell.dual)]
        if tight is not None and bound is not None and bound < upper and excess_on(tight, cones, pi) <= 0:
            key, bound = 0, upper
        if key not in places:
            places[key] = len(used)
            used.append(duals[key] if key else tight)  # type: ignore[arg-type]
        tokens.append(places[key])
        proved += [] if bound is None else [bound]
    return BranchCover(tuple(used), tuple(tokens)), min(proved)


def _tight(problem: Problem, mechanism: Mechanism) -> RayDual | None:
    """Return the dual that proves the value of a mechanism itself, if its rows determine the dual; else ``None``."""
    if problem.region.bounds is not None:
        return None
    pi = problem.population
    matrix = information_solution(mechanism, pi, problem.objective.contrast_rows(mechanism.inputs))
    if matrix is None:
        return None
    rows = [row for row in mechanism.matrix if any(row)]
    columns = list(zip(*matrix, strict=True))
    squares = [sum((dot(row, column) ** 2 for column in columns), Fraction(0)) / dot(row, pi) for row in rows]
    alpha = consistent_solution(rows, squares)
    return None if alpha is None else centred_dual(matrix, alpha, None, pi)


def _rational(dual: FloatDual, problem: Problem) -> RayDual:
    """Round a dual to rationals with a few more digits than floats have."""

    def rounded(rows: Any) -> tuple[tuple[Fraction, ...], ...]:
        largest = max((abs(float(x)) for row in rows for x in row), default=0.0)
        return tuple(tuple(rounded_to_bits(float(x), largest, _BITS) for x in row) for row in rows)

    limits = rounded(dual.beta) if problem.region.bounds is not None and dual.beta.any() else None
    return centred_dual(rounded(dual.w), rounded([dual.alpha])[0], limits, problem.population)


def limit_of_cells(problem: Problem) -> str | None:
    """Return the exceeded limit: too few or too many outputs, too many categories or values in a contrast."""
    region, is_total = problem.region, problem.objective.is_total
    told = len(set(zip(*problem.objective.targets(region.inputs), strict=True)))
    what = "a number of outputs is bounded over all staircase rows: received"
    most = _MOST_TOLD if is_total else _MOST_INPUTS
    if region.inputs > most:
        return f"{what} {region.inputs} categories; allowed are at most {most} categories; merge categories"
    if told > _MOST_TOLD:
        return f"{what} {told} different numbers in the contrast; allowed are at most {_MOST_TOLD}; merge categories"
    if region.outputs > MAX_ENTRIES:  # of the checker
        return f"{what} {region.outputs} outputs; allowed are at most {MAX_ENTRIES} outputs, or any number"
    if is_total and region.outputs < region.inputs:
        return (
            f"{region.outputs} outputs do not identify {region.inputs} proportions: no unbiased estimate of all "
            f"of them exists; allowed are at least {region.inputs} outputs, or a contrast (c-optimal)"
        )
    return None


def shorter_cover(problem: Problem, levels: RationalLevels, best: CoveredDesign) -> CoveredDesign:
    """Return the design with short numbers, if its rounded mechanism has nearly the same value."""
    parts, region = levels.parts(problem.region.inputs), problem.region
    near = best.mechanism.matrix
    mechanism = drawable(near, lambda made: meets(made, parts) and region.contains(made), within=equal_columns(near))
    if mechanism is None:
        return best
    try:
        value = problem.objective.value(mechanism, problem.population)
    except InfeasibleError:  # few outputs identify a contrast only at the exact numbers
        return best
    short = replace(best, lower=min(best.lower, value), upper=value, mechanism=mechanism)
    return short if is_near(short, best) else best


def read_cover(problem: Problem, certificate: Certificate) -> CoveredDesign:
    """Return the design in a certificate, with the number of cells of its cover."""
    found = recorded_design_of(CoveredDesign, problem, certificate)
    way = part_of(certificate, "proof", "way", "solution")
    cells = part_of(certificate, "proof", "cells", "solution") if way == "branches" else None
    made: CoveredDesign = replace(found, dual=BranchCover((), None if cells is None else (0,) * len(cells)))
    return made


def _require_room(problem: Problem) -> None:
    """Reject bounds that no probability distribution over the outputs satisfies."""
    contradiction = problem.region.bounds and contradiction_without_privacy(*problem.region.bounds)
    if contradiction:
        raise InvalidParameterError(contradiction)
    if largest_ratio(problem, Fraction(2)) <= 1:
        raise InvalidParameterError(
            f"the bounds leave nothing to estimate: received {problem}; no two entries of a row may differ; relax them"
        )
