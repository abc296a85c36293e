"""The shapes of minimisers: a set of best designs, and minimisers at the ends of an interval."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import ArgMin, ArgMinEnds
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner, component
from rropt.claims.anchors.instances import RESERVED, Instance, require_new
from rropt.claims.anchors.prover import Fact, Prover
from rropt.claims.relations import Relation, expression, relations, values_of

__all__ = ["check_argmin", "check_argmin_ends"]

_GRID = [Fraction(x, 12) for x in (-1, 0, 1, 3, 5, 6, 7, 8, 9, 11, 12, 13)]
_POINTS = 40  # points at which members and objective are compared
_BETWEEN = [Fraction(x, 60) for x in (0, 1, 7, 20, 30, 41, 53, 59, 60)]


def check_argmin(examiner: Examiner, shape: ArgMin, where: tuple[Relation, ...]) -> None:
    """The minimiser is a member, no member is better, and one that is as good is the minimiser.

    Raises:
        NotAnchoredError: region, objective or minimiser are not the claim's.
        NoProofError: an obligation is not proved.
    """
    objective, within, tight = expression(shape.objective), relations(shape.within), relations(shape.tight)
    best = {name: expression(value) for name, value in shape.best.items()}
    instances = examiner.here(where)
    require_new(best, {*instances[0].point, *instances[0].values, *RESERVED})
    compared = 0
    for each in instances:
        design = tuple(values_of(value)(each.values) for value in best.values())
        for side, said in (("theory", each.says), ("computed", each.is_)):
            if component(said, shape.of) not in ({design}, frozenset({design})):
                raise NotAnchoredError(f"{side} is not the one design {design} at {dict(each.point)}")
    for each in instances[:: max(1, len(instances) // _POINTS)]:
        compared += _compare_members(shape, each, objective, within, best)
    examiner.found.links.append(f"members and objective: sweep, {compared} designs, in and out of the region")
    examiner.found.links.append(f"theory and computed: the set of one design, sweep, {len(instances)} instances")
    names = {sp.Symbol(name): value for name, value in best.items()}
    prover = examiner.prover(where)
    for relation in within:
        at_best = Relation(relation.left.xreplace(names), relation.sign, relation.right.xreplace(names))
        examiner.proved(prover, at_best, f"the minimiser meets {relation}", shape.degree)
    least = objective.xreplace(names)
    facts = [Fact(relation, "member") for relation in within]
    member = prover.with_facts(facts, samples=())
    examiner.proved(member, Relation(objective, ">=", least), "no member is better", shape.degree)
    _unique(examiner, shape, prover, within, tight, objective, least)
    examiner.found.anchored.append("the minimiser is a member, no member is better, and it is the only one")


def _compare_members(shape: ArgMin, each: Instance, objective: Any, within: Any, best: Any) -> int:
    """Compare region and objective with the claim's own at candidates; return how many."""
    design = tuple(values_of(value)(each.values) for value in best.values())
    listed = list(shape.candidates(each.point)) if shape.candidates else list(product(_GRID, repeat=len(best)))
    listed += [design, *(tuple((x + y) / 2 for x, y in zip(design, other, strict=True)) for other in listed)]
    seen = set()
    for candidate in listed:
        values = {**each.values, **dict(zip(best, candidate, strict=True))}
        inside = all(relation.holds(values) for relation in within)
        if bool(shape.member(each.point, *candidate)) is not inside:
            raise NotAnchoredError(f"the claim's members are not those of `within`: they differ at {candidate}")
        if inside and shape.value(each.point, *candidate) != values_of(objective)(values):
            raise NotAnchoredError(f"the claim's objective is another one: they differ at {candidate}")
        seen.add(inside)
    if seen != {True, False}:
        raise NotAnchoredError(f"the candidates are all in or all out of the region at {dict(each.point)}")
    return len(listed)


def _unique(
    examiner: Examiner, shape: ArgMin, prover: Prover, within: Any, tight: Any, objective: Any, least: Any
) -> None:
    """Strictly better where a tight relation is slack; all tight are linear equations with one solution."""
    symbols = [sp.Symbol(name) for name in shape.best]
    if len(tight) != len(symbols) or not set(tight) <= set(within):
        raise NotAnchoredError("`tight` names as many relations of `within` as there are names")
    for slack in tight:
        facts = [Fact(Relation(r.left, ">", r.right) if r == slack else r, "member") for r in within]
        member = prover.with_facts(facts, samples=())
        examiner.proved(member, Relation(objective, ">", least), f"worse where {slack} is slack", shape.degree)
    matrix, _ = sp.linear_eq_to_matrix([relation.difference for relation in tight], symbols)
    determinant = sp.factor(matrix.det())
    names = {symbol: expression(value) for symbol, value in zip(symbols, shape.best.values(), strict=True)}
    examiner.proved(prover, Relation(determinant, "!=", sp.Integer(0)), "all tight has one solution", shape.degree)
    for relation in tight:
        at_best = Relation(relation.left.xreplace(names), "=", relation.right.xreplace(names))
        examiner.proved(prover, at_best, f"{relation} is tight at the minimiser", shape.degree)


def check_argmin_ends(examiner: Examiner, shape: ArgMinEnds, where: tuple[Relation, ...]) -> None:
    """Strictly between the ends the objective exceeds a mean of its values at the ends.

    Raises:
        NotAnchoredError: objective or minimisers are not the claim's.
        NoProofError: an obligation is not proved.
    """
    low, high, weight = (expression(part) for part in (shape.low, shape.high, shape.weight))
    objective, variable = expression(shape.objective), sp.Symbol(shape.variable)
    instances = examiner.here(where)
    require_new([shape.variable], {*instances[0].point, *instances[0].values, *RESERVED})
    samples = []
    for each in instances:
        ends = [values_of(end)(each.values) for end in (low, high)]
        listed = sorted({ends[0] + (ends[1] - ends[0]) * share for share in _BETWEEN})
        found = {x: values_of(objective)({**each.values, shape.variable: x}) for x in listed}
        if component(each.says, shape.of) not in (set(ends), frozenset(ends)):
            raise NotAnchoredError(f"theory is not the set of the two ends at {dict(each.point)}")
        least = min(found.values())
        if set(component(each.is_, shape.of)) != {x for x, value in found.items() if value == least}:
            raise NotAnchoredError(f"computed is not the set of minimisers at {dict(each.point)}")
        samples += [{**each.values, shape.variable: x} for x in listed[1:-1:3]]
        if any(shape.value(each.point, x) != value for x, value in found.items()):
            raise NotAnchoredError(f"the claim's objective is another one at {dict(each.point)}")
    examiner.found.links.append(
        f"objective and minimisers: sweep, {len(instances)} instances, {len(_BETWEEN)} places on each"
    )
    inside = [Fact(Relation(variable, ">", low), "member"), Fact(Relation(high, ">", variable), "member")]
    prover = examiner.prover(where, samples=()).with_facts(inside, samples=samples[:: max(1, len(samples) // 250)])
    examiner.proved(prover, Relation(weight, ">=", sp.Integer(0)), "the weight is not negative", shape.degree)
    examiner.proved(prover, Relation(sp.Integer(1), ">=", weight), "the weight is at most 1", shape.degree)
    at_low, at_high = (objective.xreplace({variable: end}) for end in (low, high))
    mean = weight * at_low + (1 - weight) * at_high
    examiner.proved(
        prover, Relation(objective, ">", mean), "strictly between, above the mean of the ends", shape.degree
    )
    examiner.found.anchored.append("every minimiser is an end")
