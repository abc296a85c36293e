"""Optimal designs for many categories in groups of equal proportions, by orbits of staircase rows.

*Symmetry.* Some optimal mechanism is invariant under permutations inside the groups. The objective is convex, and all
permutations of a mechanism have the same value, so their average with equal probabilities is at least as good
(Pukelsheim, Optimal design of experiments (1993), chapter 13). An orbit consists of all staircase rows with the same
counts (c_1, ..., c_r) of entries gamma in the groups. So there is one weight per vector of counts, not one per row
(``engine.orbits``); the information is a block matrix (``mechanisms.orbits``).

*Objectives.* Total variance, largest eigenvalue, log determinant and mutual information (``knows_groups``). The total
variance at equal proportions of all categories has a theorem: see ``closed_forms``. Contrasts and distances between two
distributions do not need orbits: ``merged_designs`` joins the categories of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any

from rropt.checker import is_large_budget
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.core.lazy import numpy as np
from rropt.designs.certificates.design_bracket import RayDual, state_bracket
from rropt.designs.engine.certificate import certify_design
from rropt.designs.engine.designs import in_order, solved_by_rays
from rropt.designs.engine.orbits import Weighed, direct, drawn, lifted, raised, rounded_dual, rounded_mechanism, weighed
from rropt.designs.engine.rays import MOST_INPUTS as MOST_LISTED
from rropt.designs.engine.rays import fan_of
from rropt.designs.engine.rounding import exact_mechanism, meets
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.designs.solving import Route
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.privacy.region import RationalLevel, RationalLevels

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.objectives.criteria import Array

MOST_INPUTS = 10  # up to this number of categories, the engine lists all staircase rows for the total variance instead
MOST_GROUPS = 8  # the program then has 36 unknowns between groups
MOST_LARGE_GROUPS = 12  # if there are two categories for each group: 78 unknowns
_MOST_SORTED = 4096  # vectors of counts of a sorted problem, of which all rows are listed
_LEAST_WEIGHT = 1e-13  # smaller weights are rounded zeros
_SAMPLE, _SEED, _MOMENTS_ERR = 3000, 34, 1e-11  # sample of rows of the orbits and its seed; tolerance of moments


def groups_of(population: Sequence[Fraction]) -> tuple[int, ...]:
    """Return the lengths of the runs of equal neighbouring proportions.

    >>> groups_of([Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])
    (1, 2)
    """
    return tuple(len(list(run)) for _, run in groupby(population))


def _form(problem: Problem, level: RationalLevel) -> Any:
    """Return the objective as a function of the orbits at a level."""
    pi = problem.population
    form = problem.objective.on_rays([share for share, _ in groupby(pi)], level.gamma)
    return form.over(groups_of(pi))


def _design(problem: Problem, levels: RationalLevels, found: Weighed) -> ProvedDesign:
    """Return the exact mechanism at the lower level and the exact dual at the upper level."""
    form = _form(problem, levels.above)
    dual = lifted(rounded_dual(form, found), form)
    gamma = levels.below.gamma
    made = rounded_mechanism(form, found, gamma)
    for mechanism in (drawn(made, gamma), made, direct(form.groups, gamma)):
        proved = form.proved_by_orbits(mechanism)
        if proved is not None:  # else short numbers, or few orbits, do not identify the proportions
            break
    else:
        raise UnsupportedProblemError(
            f"k-ary randomized response does not identify the proportions: received {problem}; raise epsilon"
        )
    return ProvedDesign.between(proved, form.bound(dual), mechanism, dual)


def _by_newton(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    return _design(problem, levels, weighed(_form(problem, levels.above)))


def _sorted(problem: Problem) -> tuple[list[int], Problem]:
    """Return the order of the categories by increasing proportion, and the problem in this order."""
    order = sorted(range(len(problem.population)), key=lambda j: problem.population[j])
    return order, Problem(problem.region, problem.objective, [problem.population[j] for j in order])


def _in_any_order(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the design for categories in any order.

    If too few equal proportions are neighbours, the categories are sorted first. The result is then a design in the
    original order, with few rows and the same value.
    """
    if _is_grouped(problem):
        return _by_newton(problem, levels)
    order, ordered = _sorted(problem)
    found = weighed(_form(ordered, levels.above))
    dual = _design(ordered, levels, found).dual
    k, pi = len(order), problem.population
    form = problem.objective.on_rays(pi, levels.above.gamma)
    place = {j: i for i, j in enumerate(order)}
    made = _of_few_rows(problem, levels, order, found)
    proved = form.proved(made) if made else None
    if made is None or proved is None:
        return solved_by_rays(problem, levels)
    own, alpha = _written_out(dual), [a for a, n in zip(dual.alpha, dual.groups, strict=True) for _ in range(n)]
    matrix = tuple(tuple(own[place[i]][place[j]] for j in range(k)) for i in range(k))
    ray_dual = RayDual(tuple(alpha[place[j]] for j in range(k)), (), matrix)
    value, primal = proved
    return in_order(ProvedDesign.between(value, form.bound(ray_dual), made, ray_dual, primal))


def _written_out(dual: RayDual) -> list[list[Fraction]]:
    """Return W of A-optimality, shape (k, k): column i is ``a_g P e_i``, P the projection, plus that of group g."""
    place = [g for g, n in enumerate(dual.groups) for _ in range(n)]

    def entry(j: int, i: int) -> Fraction:
        g = place[i]
        between: Fraction = dual.matrix[place[j]][g]
        return between + dual.inside[g] * ((j == i) - Fraction(place[j] == g, dual.groups[g]))

    return [[entry(j, i) for i in range(len(place))] for j in range(len(place))]


def _of_few_rows(problem: Problem, levels: RationalLevels, order: Sequence[int], found: Weighed) -> Mechanism | None:
    """Return a mechanism of about k^2/2 rows with the information of the orbits; None if the search fails.

    The rows are rays of the engine, chosen from a random sample of the rows of the orbits. Their weights preserve the
    column sums and the information. The rounding of the engine makes the mechanism exact.
    """
    from scipy.optimize import nnls

    groups, rows = groups_of(_sorted(problem)[1].population), found.rows
    parts = levels.parts(len(order))
    fan = fan_of(len(order), parts, problem.population)
    member = np.repeat(np.eye(len(groups), dtype=np.int64), groups, axis=0)[np.argsort(order)]
    w = np.where(found.point.w > _LEAST_WEIGHT * found.point.w.max(), found.point.w, 0.0)
    weight = np.zeros([n + 1 for n in groups])  # of each vector of counts
    weight[tuple(rows.counts.T)] = w
    own = tuple((fan.places @ member).T)  # the counts of each ray
    often = np.zeros(weight.shape)
    np.add.at(often, own, 1)
    listed = np.flatnonzero(weight[own] > 0)
    weights = (weight / np.maximum(often, 1))[own][listed]

    def moments(kept: NDArray[np.intp]) -> Array:
        steps = fan.floats(kept).steps
        return np.column_stack([np.ones(len(kept)), steps / rows.unit])

    lines = moments(listed)
    i, j = np.triu_indices(lines.shape[1])
    target = ((lines * weights[:, None]).T @ lines)[i, j]
    scale = np.sqrt(np.diag((lines * weights[:, None]).T @ lines))
    scale = (scale[:, None] * scale)[i, j]
    for sample in (_SAMPLE, 4 * _SAMPLE):
        chosen = np.sort(np.random.default_rng(_SEED).permutation(len(listed))[:sample])
        try:
            fewer, left = nnls(((lines[chosen][:, i] * lines[chosen][:, j]) / scale).T, target / scale)
        except RuntimeError:  # it does not converge
            continue
        if left < _MOMENTS_ERR:
            kept = np.flatnonzero(fewer)
            support, chances = listed[chosen[kept]].tolist(), fewer[kept].tolist()
            return exact_mechanism(fan, support, chances, lambda made: meets(made, parts))
    return None


def _by_theorem(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return subset selection at the lower level, and the exact dual from subset selection at the upper level."""
    k, form, zero = len(problem.population), _form(problem, levels.above), Fraction(0)
    below, above = (
        OrbitMechanism.subset_selection(k, best_subset_size(k, end.gamma), end.gamma)
        for end in (levels.below, levels.above)
    )
    inverse = form.information(above).inverse()
    if inverse is None:
        raise UnsupportedProblemError(f"the mechanism reveals nothing about the truth: received {above}")
    dual = RayDual((zero,), (), ((zero,),), form.column_weights, groups=form.groups, inside=inverse.diagonal)
    dual = raised(dual, form, max(form.excess(dual, [c]) for c in range(k + 1)))
    return ProvedDesign(form.bound(dual), problem.objective.value(below, problem.population), below, dual)


def _has_theorem(problem: Problem) -> bool:
    return problem.objective.is_total and len(groups_of(problem.population)) == 1


def _is_grouped(problem: Problem) -> bool:
    """Return whether equal neighbouring proportions make few groups."""
    groups = groups_of(problem.population)
    return len(groups) <= (MOST_LARGE_GROUPS if 2 * len(groups) <= sum(groups) else MOST_GROUPS)


def _can_be_sorted(problem: Problem) -> bool:
    """Return whether the sorted problem has few groups and counts, and few enough categories for the checker.

    The checker lists all staircase rows of a sorted problem.
    """
    if problem.region.inputs > MOST_LISTED[is_large_budget()] or not problem.objective.is_total:
        return False
    groups = groups_of(_sorted(problem)[1].population)
    return len(groups) <= MOST_GROUPS and prod(n + 1 for n in groups) <= _MOST_SORTED


def _is_constant(problem: Problem) -> bool:
    return problem.objective.constant_value(problem.population) is not None


def _most_listed(problem: Problem) -> int:
    return MOST_INPUTS if problem.objective.is_total else MOST_LISTED[is_large_budget()]


def is_of_many_categories(problem: Problem) -> bool:
    """Return whether the way of groups knows the objective, and there are too many categories to list all rows."""
    return problem.objective.knows_groups and problem.region.inputs > _most_listed(problem)


def limit_of_groups(problem: Problem) -> str | None:
    """Return which limit the groups exceed.

    The categories of a group are neighbours, or there are so few categories that the checker can list all rows.
    """
    if _is_constant(problem):
        return f"the objective {problem.objective.kind} is the same for all mechanisms: one category has proportion 1"
    if _has_theorem(problem) or is_sorted_or_grouped(problem):
        return None
    groups, ordered = groups_of(problem.population), _sorted(problem)[1]
    advice = "order the categories by their proportions" if _is_grouped(ordered) else "merge categories"
    return (
        f"the objective {problem.objective.kind} with more than {_most_listed(problem)} categories is solved "
        f"over groups of equal neighbouring proportions: received {len(groups)} groups of {sum(groups)} "
        f"categories; allowed are at most {MOST_GROUPS} groups, or {MOST_LARGE_GROUPS} if they have two categories "
        f"on average; {advice}"
    )


def is_sorted_or_grouped(problem: Problem) -> bool:
    """Return whether equal neighbouring proportions make few groups, or the sorted problem has few."""
    return _is_grouped(problem) or _can_be_sorted(problem)


def certify_groups(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Return the certificate by the way of groups (checker/groups_way.md), or by rays if the categories were sorted.

    Raises:
        UnsupportedProblemError: the mechanism does not identify the proportions.
    """
    if not best.dual.groups:
        return certify_design(problem, levels, best)
    form, mechanism, dual = _form(problem, levels.above), best.mechanism, best.dual
    proof = {"alpha": dual.alpha, **dual.vectors(problem.objective.kind)}
    if form.is_sum:
        proof["slices"] = form.slices
    if form.digits is not None:
        proof["digits"] = form.digits
    else:
        inverse = form.information(mechanism).inverse() if isinstance(mechanism, OrbitMechanism) else None
        if inverse is None:
            raise UnsupportedProblemError(
                f"the way of groups takes mechanisms that identify the proportions: received {mechanism}"
            )
        proof["inverse"] = {"diagonal": inverse.diagonal, "blocks": inverse.blocks}
    ends = Bracket(best.lower, best.upper)
    return state_bracket(problem.certified_dict(), levels, ends, mechanism, "groups", proof)


GROUPS = (
    Route("closed-form", _by_theorem, _has_theorem),
    Route("exact", _in_any_order, is_sorted_or_grouped),
)
