"""The same problem in other words: categories exchanged, a part written twice, a category split into two.

The value of each restatement is that of the problem, by an argument of its own:

*relabelled*: the categories get other names; where outputs are categories, they get the same names.
*duplicated*: a part is written twice, such as a level, a decision, an output of a loss, or a population.
*split*: a category becomes two that the objective does not distinguish, with half of its proportion each. The average
of the two columns of a mechanism is as private as they are, and has the same value; equal columns show the converse.

A class of a third party joins by a method: ``relabelled(order)``, ``duplicated()`` or ``split(j)``. An object without
parameters for categories needs none for relabelling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any

from rropt.core.exact import Delta, Epsilon
from rropt.designs.problem import Problem
from rropt.objectives import (
    BayesMixture,
    ConditionalVariance,
    Contrast,
    Contrasts,
    Loss,
    Objective,
    Payoff,
    Trace,
)
from rropt.objectives.possible_populations import Populations
from rropt.objectives.two_populations import Divergence
from rropt.privacy import BoundedRegion, CriterionRegion, EntryInequality, LevelsRegion, PrivacyRegion, Region
from rropt.testing.failures import NotApplicable

Order = Sequence[int]

RESTATEMENTS = ("relabelled", "duplicated", "split")
"""The names of the restatements."""


def restated_problem(problem: Problem, how: str) -> Problem:
    """Return a problem in other words, with the same optimum.

    Args:
        problem: the problem.
        how: ``"relabelled"``, ``"duplicated"`` or ``"split"``.

    Raises:
        NotApplicable: the suite knows no such restatement; the message says what is missing.

    >>> from rropt.objectives import Contrast
    >>> problem = Problem(PrivacyRegion(1, inputs=2, outputs="any"), Contrast([0, 1]), ["3/4", "1/4"])
    >>> [str(p) for p in restated_problem(problem, "split").population]
    ['3/4', '1/8', '1/8']
    """
    if problem.is_uniform:
        raise NotApplicable("the proportions are one number, so that the categories have no order")
    written: Callable[[Problem], Problem] = {"relabelled": _relabelled, "duplicated": _duplicated, "split": _split}[how]
    return written(problem)


def _own(thing: Any, how: str, *arguments: Any) -> Any:
    """Return the restatement that the class of an object defines."""
    method = getattr(thing, how, None)
    if method is None:
        raise NotApplicable(f"no {how} form of {type(thing).__name__} is known: define a method `{how}` in its class")
    return method(*arguments)


# Relabelled


def _relabelled(problem: Problem) -> Problem:
    """Return the problem with the first category moved to the end."""
    order = [*range(1, problem.region.inputs), 0]
    region, objective = (relabelled(each, order) for each in (problem.region, problem.objective))
    return Problem(region, objective, _moved_shares(problem, order))


def _moved_shares(problem: Problem, order: Order) -> Any:
    if problem.populations is None:
        return [problem.population[j] for j in order]
    return Populations.hull([[vertex[j] for j in order] for vertex in problem.populations.vertices])


@singledispatch
def relabelled(thing: Any, order: Order) -> Any:
    """Return a region or an objective whose category j is the category ``order[j]`` of another one."""
    if hasattr(thing, "relabelled"):
        return thing.relabelled(order)
    if is_dataclass(thing) and all(_is_plain(getattr(thing, field.name)) for field in fields(thing)):
        return thing
    return _own(thing, "relabelled", order)


def _is_plain(value: object) -> bool:
    """Return whether a parameter is one value, which belongs to no category."""
    return value is None or isinstance(value, (int, str, Fraction, Epsilon, Delta))


@relabelled.register
def _(region: LevelsRegion, order: Order) -> LevelsRegion:
    place = {old: new for new, old in enumerate(order)}
    levels = [
        (
            level.epsilon,
            level.delta,
            None if level.pairs is None else [(place[j], place[other]) for j, other in level.pairs],
        )
        for level in region.levels
    ]
    return LevelsRegion(levels, inputs=region.inputs, outputs=region.outputs or "any")


@relabelled.register
def _(region: BoundedRegion, order: Order) -> BoundedRegion:
    inner = relabelled(region.region, order)
    bounds = [moved_rows(rows, order) for rows in (region.least, region.most)]
    return BoundedRegion(
        inner, bounds[0], bounds[1], [_moved_entries(one, region, order) for one in region.entry_inequalities]
    )


def _moved_entries(one: EntryInequality, region: BoundedRegion, order: Order) -> EntryInequality:
    """Return an inequality about the entries where ``moved_rows`` puts them."""
    column = {old: new for new, old in enumerate(order)}
    row = column if region.outputs == len(order) else {i: i for i in range(region.outputs)}
    parts = tuple(
        tuple(tuple(sorted(((row[i], column[j]), x) for (i, j), x in terms)) for terms in part) for part in one.parts
    )
    return EntryInequality(parts, one.bound)


@relabelled.register
def _(region: CriterionRegion, order: Order) -> CriterionRegion:
    return region  # a criterion does not depend on the categories


def moved_rows(rows: Sequence[Sequence[Any]], order: Order) -> list[list[Any]]:
    """Return the rows with exchanged columns; rows of a square matrix belong to categories, and move too."""
    moved = [[row[j] for j in order] for row in rows]
    return [moved[i] for i in order] if len(rows) == len(order) else moved


@relabelled.register
def _(objective: Trace, order: Order) -> Trace:
    return Trace([objective.weights[j] for j in order])


@relabelled.register
def _(objective: Loss, order: Order) -> Loss:
    return Loss(moved_rows(_matrix(objective), order))


@relabelled.register
def _(objective: Contrast, order: Order) -> Contrast:
    return Contrast([objective.contrast[j] for j in order])


@relabelled.register
def _(objective: ConditionalVariance, order: Order) -> ConditionalVariance:
    return ConditionalVariance([objective.contrast[j] for j in order])


@relabelled.register
def _(objective: Contrasts, order: Order) -> Contrasts:
    return Contrasts([[row[j] for j in order] for row in objective.contrasts])


@relabelled.register
def _(objective: Payoff, order: Order) -> Payoff:
    return Payoff([[row[j] for j in order] for row in objective.matrix])


@relabelled.register
def _(objective: Divergence, order: Order) -> Objective:
    return _against(objective, [objective.against[j] for j in order])


@relabelled.register
def _(objective: BayesMixture, order: Order) -> BayesMixture:
    moved = [[pi[j] for j in order] for pi in objective.populations]
    return BayesMixture(relabelled(objective.objective, order), objective.weights, moved)


def _against(objective: Divergence, against: Sequence[Fraction]) -> Objective:
    """Return a divergence from another distribution, with the same further parameters."""
    written = {**objective.to_dict(), "against": [str(q) for q in against]}
    return type(objective).from_dict(written)


def _matrix(objective: Loss) -> Any:
    if not isinstance(objective.matrix, tuple):
        raise NotApplicable("the 0/1 loss of many categories is stored as one number")
    return objective.matrix


# Duplicated


_MOST_OF_LEVELS = 6  # categories under one level that is written as several: 12 take a minute


def _duplicated(problem: Problem) -> Problem:
    """Return the problem with a part of the objective written twice, else with a level of the region written twice."""
    region, objective = problem.region, problem.objective
    shares = problem.population if problem.populations is None else problem.populations
    if isinstance(objective, Payoff):
        return Problem(region, Payoff([objective.matrix[0], *objective.matrix]), shares)
    if isinstance(objective, BayesMixture):
        (first, *rest), populations = objective.weights, objective.populations
        weights = [first / 2, first / 2, *rest]
        return Problem(region, BayesMixture(objective.objective, weights, [populations[0], *populations]), shares)
    if isinstance(objective, Loss) and isinstance(region, PrivacyRegion | LevelsRegion):
        rows = _matrix(objective)
        return Problem(_with_sizes(region, region.inputs, region.outputs + 1), Loss([rows[0], *rows]), shares)
    if hasattr(objective, "duplicated"):
        return Problem(region, objective.duplicated(), shares)
    return Problem(duplicated(region), objective, shares)


@singledispatch
def duplicated(region: Any) -> Any:
    """Return the same region with a level written twice."""
    return _own(region, "duplicated")


@duplicated.register
def _(region: PrivacyRegion) -> Region:
    """As several levels for all pairs; with given outputs as a level for each pair, which has delta = 0."""
    if region.family != "all":
        raise NotApplicable(f"the family {region.family} has no form with several levels")
    if region.inputs > _MOST_OF_LEVELS:
        raise NotApplicable(f"several levels of more than {_MOST_OF_LEVELS} categories take long")
    if not region.outputs:
        return LevelsRegion([(region.epsilon, region.delta)] * 2, inputs=region.inputs)
    if region.form != "parity" or region.outputs != region.inputs or region.is_uninformative:
        raise NotApplicable("a given number of outputs has one level with delta > 0 only")
    k = region.inputs
    return LevelsRegion.by_pair([[None if j == other else region.epsilon for other in range(k)] for j in range(k)])


@duplicated.register
def _(region: LevelsRegion) -> LevelsRegion:
    if region.outputs:
        raise NotApplicable("levels for pairs with a given number of outputs are disjoint")
    return LevelsRegion([*region.levels, region.levels[0]], inputs=region.inputs)


# Split


def _split(problem: Problem) -> Problem:
    """Return the problem with two categories in place of the last one."""
    if problem.populations is not None:
        raise NotApplicable("a polytope of distributions is not split")
    j, (*rest, last) = problem.region.inputs - 1, problem.population
    region, objective = split(problem.region, j), split(problem.objective, j)
    return Problem(region, objective, [*rest, last / 2, last / 2])


@singledispatch
def split(thing: Any, j: int) -> Any:
    """Return a region or an objective with two categories in place of the last one, j, which it does not distinguish.

    Raises:
        NotApplicable: the objective estimates each proportion, so that two parts of one are another question.
    """
    return _own(thing, "split", j)


def _with_sizes(region: PrivacyRegion | LevelsRegion, inputs: int, outputs: int) -> Region:
    m: Any = outputs or "any"
    if isinstance(region, LevelsRegion):
        return LevelsRegion(region.levels, inputs=inputs, outputs=m)
    if region.family != "all":
        raise NotApplicable(f"the family {region.family} has two inputs and two outputs")
    return PrivacyRegion(region.epsilon, region.delta, inputs=inputs, outputs=m)


@split.register
def _(region: PrivacyRegion, j: int) -> Region:
    return _with_sizes(region, j + 2, region.outputs)


@split.register
def _(region: LevelsRegion, j: int) -> LevelsRegion:
    """Levels for pairs apply to both parts of the category; levels for all pairs stay."""

    def parts(pair: tuple[int, int]) -> list[tuple[int, int]]:
        first, second = ([x, j + 1] if x == j else [x] for x in pair)
        return [(a, b) for a in first for b in second]

    levels = [
        (level.epsilon, level.delta, None if level.pairs is None else [p for pair in level.pairs for p in parts(pair)])
        for level in region.levels
    ]
    return LevelsRegion(levels, inputs=region.inputs + 1, outputs=region.outputs or "any")


@split.register
def _(objective: Loss, j: int) -> Loss:
    return Loss([[*row, row[j]] for row in _matrix(objective)])


@split.register
def _(objective: Contrast, j: int) -> Contrast:
    return Contrast([*objective.contrast, objective.contrast[j]])


@split.register
def _(objective: ConditionalVariance, j: int) -> ConditionalVariance:
    return ConditionalVariance([*objective.contrast, objective.contrast[j]])


@split.register
def _(objective: Contrasts, j: int) -> Contrasts:
    return Contrasts([[*row, row[j]] for row in objective.contrasts])


@split.register
def _(objective: Payoff, j: int) -> Payoff:
    return Payoff([[*row, row[j]] for row in objective.matrix])


@split.register
def _(objective: Divergence, j: int) -> Objective:
    *rest, last = objective.against
    return _against(objective, [*rest, last / 2, last / 2])


@split.register
def _(objective: BayesMixture, j: int) -> BayesMixture:
    populations = [[*pi[:-1], pi[-1] / 2, pi[-1] / 2] for pi in objective.populations]
    return BayesMixture(split(objective.objective, j), objective.weights, populations)
