"""Optimal designs for many categories in groups of equal proportions, by orbits of staircase rows.

*Symmetry.* Some optimal mechanism is invariant under permutations inside the groups. The objective is convex, and all
permutations of a mechanism have the same value, so their average with equal probabilities is at least as good
(Pukelsheim, Optimal design of experiments (1993), chapter 13). An orbit consists of all staircase rows with the same
counts (c_1, ..., c_r) of entries gamma in the groups. So there is one weight per vector of counts, not one per row
(``engine.orbit_designs``); the information is a block matrix (``mechanisms.orbits``).

*Objectives.* Total variance, largest eigenvalue, log determinant and mutual information (``knows_groups``). The total
variance at equal proportions of all categories has a theorem. Contrasts and distances between two
distributions do not need orbits: ``reduced_designs`` joins the categories of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any

from rropt.checker import is_large_budget
from rropt.core.certificates import Certificate
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket
from rropt.designs.engine.orbit_designs import direct, drawn, lifted, rounded_dual, rounded_mechanism, weighed
from rropt.designs.engine.ray_enumeration import MOST_INPUTS as MOST_LISTED
from rropt.designs.problem import Problem
from rropt.designs.routes import ProvedDesign, Route
from rropt.designs.writers.bracket_writer import RayDual, state_bracket
from rropt.mechanisms import OrbitMechanism
from rropt.mechanisms.families.memberships import best_subset_size
from rropt.privacy.region import RationalLevel, RationalLevels

MOST_INPUTS = 10  # up to this number of categories, the engine lists all staircase rows for the total variance instead
MOST_GROUPS = 8  # the program then has 36 unknowns between groups
MOST_LARGE_GROUPS = 12  # if there are two categories for each group: 78 unknowns


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


def _by_newton(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the exact mechanism at the lower level and the exact dual at the upper level."""
    form = _form(problem, levels.above)
    found = weighed(form)
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
    dual = dual.raised(max(form.excess(dual, [c]) for c in range(k + 1)), form.pi)
    return ProvedDesign(form.bound(dual), problem.objective.value(below, problem.population), below, dual)


def _has_theorem(problem: Problem) -> bool:
    return problem.objective.is_total and len(groups_of(problem.population)) == 1


def _is_grouped(population: Sequence[Fraction]) -> bool:
    """Return whether equal neighbouring proportions make few groups."""
    groups = groups_of(population)
    return len(groups) <= (MOST_LARGE_GROUPS if 2 * len(groups) <= sum(groups) else MOST_GROUPS)


def _most_listed(problem: Problem) -> int:
    return MOST_INPUTS if problem.objective.is_total else MOST_LISTED[is_large_budget()]


def is_of_many_categories(problem: Problem) -> bool:
    """Return whether the way of groups knows the objective, and there are too many categories to list all rows."""
    return problem.objective.knows_groups and problem.region.inputs > _most_listed(problem)


def limit_of_groups(problem: Problem) -> str | None:
    """Return which limit the groups of neighbouring categories exceed."""
    if problem.objective.constant_value(problem.population) is not None:
        return f"the objective {problem.objective.kind} is the same for all mechanisms: one category has proportion 1"
    if _has_theorem(problem) or _is_grouped(problem.population):
        return None
    groups = groups_of(problem.population)
    advice = (
        "order the categories by their proportions" if _is_grouped(sorted(problem.population)) else "merge categories"
    )
    return (
        f"the objective {problem.objective.kind} with more than {_most_listed(problem)} categories is solved "
        f"over groups of equal neighbouring proportions: received {len(groups)} groups of {sum(groups)} "
        f"categories; allowed are at most {MOST_GROUPS} groups, or {MOST_LARGE_GROUPS} if they have two categories "
        f"on average; {advice}"
    )


def certify_groups(problem: Problem, levels: RationalLevels, best: ProvedDesign) -> Certificate:
    """Return the certificate by the way of groups (checker/groups_way.md).

    Raises:
        UnsupportedProblemError: the mechanism does not identify the proportions.
    """
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
    Route("exact", _by_newton, lambda problem: _is_grouped(problem.population)),
)
