"""The shapes of a claim (numbers, truth values, minimizers): the links and the proof obligations of each shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from rropt.claims.anchors.bounds import prove_extremes, prove_least
from rropt.claims.anchors.combined import cover, positive_sum, prove_sum
from rropt.claims.anchors.declarations import ArgMin, ArgMinEnds, Cell, Entrywise, Least, Max, Truth, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import RESERVED, Instance, component, require_new
from rropt.claims.anchors.links import linked, of_both, of_side, reached, strength_of, truth_ended
from rropt.claims.anchors.prover import Prover
from rropt.claims.positivity import NoProofError
from rropt.claims.relations import Fact, Relation, exact_values, expression, relations, values_of

_SIGNS = {"at-most": ">=", "less": ">", "at-least": "<=", "greater": "<"}
_GRID = [Fraction(x, 12) for x in (-1, 0, 1, 3, 5, 6, 7, 8, 9, 11, 12, 13)]
_POINTS = 40  # points at which members and objective are compared
_BETWEEN = [Fraction(x, 60) for x in (0, 1, 7, 20, 30, 41, 53, 59, 60)]


def check_shape(examiner: Examiner, shape: Any, where: tuple[Relation, ...]) -> None:
    """Link a shape to the claim and prove its obligations.

    Raises:
        NotAnchoredError: a link fails.
        NoProofError: an obligation is not proved.
    """
    if isinstance(shape, Value):
        _check_value(examiner, shape, where)
    elif isinstance(shape, Truth):
        _check_truth(examiner, shape, where)
    elif isinstance(shape, ArgMin):
        _check_argmin(examiner, shape, where)
    elif isinstance(shape, ArgMinEnds):
        _check_argmin_ends(examiner, shape, where)
    elif isinstance(shape, Entrywise):
        examiner.sweep_link(of_both(shape), examiner.here(where))
    else:
        raise NotAnchoredError(f"an unknown shape: received {type(shape).__name__}")


def _check_value(examiner: Examiner, shape: Value, where: tuple[Relation, ...]) -> None:
    instances = examiner.here(where)
    strength = _strength(examiner, shape, instances)
    theory = linked(examiner, shape, shape.theory, "theory", where)
    computed = linked(examiner, shape, shape.computed, "computed", where)
    name = f"{'' if shape.of is None else f'{shape.of}: '}computed {strength} theory"
    for says, is_ in product(theory, computed):
        case = (*where, *says.path, *is_.path)
        try:
            _prove_value(examiner, shape, (says.value, strength, is_.value), case, name)
        except NoProofError:
            if not (says.path or is_.path):
                raise
            if examiner.inside(case):
                raise
            examiner.prover(where, samples=()).refute((*says.path, *is_.path), f"{name}: a branch that is never taken")
    said = f" where {' and '.join(map(str, where))}" if where else ""
    examiner.found.anchored.append(name + said)


def _prove_value(examiner: Examiner, shape: Value, sides: tuple[Any, str, Any], case: Any, name: str) -> None:
    theory, strength, computed = sides
    if isinstance(shape.computed, Least):
        prove_least(examiner, shape.computed, theory, strength, (case, name, shape.degree))
    elif isinstance(computed, Max) or isinstance(theory, Max):
        prove_extremes(examiner, examiner.prover(case), theory, computed, (strength, name, shape.degree))
    else:
        prover = examiner.prover(case)
        for goal in _goals(computed, strength, theory):
            examiner.proved(prover, goal, name, shape.degree)


def _strength(examiner: Examiner, shape: Value, instances: Sequence[Instance]) -> str:
    """Return the strength of a component: that of its bounds, or that of the claim; all instances must agree."""
    said = {strength_of(examiner, shape, each.says) for each in instances}
    if len(said) > 1:
        raise NotAnchoredError(f"the component compares in several ways: received {sorted(said)}; give each a case")
    return said.pop()


def _goals(computed: Any, strength: str, theory: Any) -> list[Relation]:
    sign = _SIGNS.get(strength, "=")
    if sign in ("<=", "<"):
        return [Relation(computed, sign.replace("<", ">"), theory)]
    if sign == "=" and strength not in ("equality", "iff", "unique", "as-printed"):
        raise NotAnchoredError(f"numbers do not compare so: received {strength}")
    return [Relation(computed, "=", theory)] if sign == "=" else [Relation(theory, sign, computed)]


def _check_truth(examiner: Examiner, shape: Truth, where: tuple[Relation, ...]) -> None:
    """Check a truth value: each side is true exactly where its relations are, and the relations imply each other.

    The strength of the claim determines which implications are proved.
    """
    sides = {"theory": relations(shape.theory), "computed": relations(shape.computed)}
    rows = [(each.says, each.is_, each.values) for each in examiner.here(where)]
    rows += _outside(examiner)
    for number, (side, said) in enumerate(sides.items()):
        seen = set()
        names = set[str]().union(*(relation.names() for relation in said))
        for row in rows:
            if missing := sorted(names - row[2].keys()):
                raise NotAnchoredError(
                    f"{side} uses names that have no value at a point, perhaps one outside the assumptions: received "
                    f"{missing}; write the relation in the claim's variables"
                )
            holds = all(relation.holds(row[2]) for relation in said)
            if component(row[number], shape.of) is not holds:
                raise NotAnchoredError(f"{side} is not {' and '.join(map(str, said))} at a point")
            seen.add(holds)
        if seen != {True, False}:
            raise NotAnchoredError(f"{side} has one truth value at all points, which ties it to nothing: give numbers")
        ended = truth_ended(examiner, shape, said, side, where)
        how = f"sweep, {len(rows)} points, both truth values (trace ended: {ended})" if ended else "traced"
        examiner.found.link(f"{of_side(shape, side)}: {how}", swept=len(rows) if ended else 0)
    strength = examiner.form.strength
    if strength not in ("equality", "iff", "unique", "at-least", "at-most"):
        raise NotAnchoredError(f"truth values do not compare so: received {strength}")
    directions = [("theory", "computed")] if strength in ("equality", "iff", "unique", "at-least") else []
    directions += [("computed", "theory")] if strength in ("equality", "iff", "unique", "at-most") else []
    for given, goal in directions:
        prover = examiner.prover(where, samples=())
        assumed = [Fact(relation, "assumed") for relation in sides[given]]
        inner = prover.with_facts(assumed)
        for relation in sides[goal]:
            examiner.proved(inner, relation, f"{of_side(shape, goal)} from {given}", shape.degree)
    examiner.found.anchored.append(f"{of_side(shape, 'theory')} {strength} computed, as relations")


def _outside(examiner: Examiner) -> list[tuple[Any, Any, Any]]:
    rows = []
    for point in examiner.form.outside:
        try:
            rows.append((examiner.form.theory(point), examiner.form.computed(point), exact_values(point)))
        except Exception:  # a claim may be undefined outside its assumptions
            continue
    return rows


def _check_argmin(examiner: Examiner, shape: ArgMin, where: tuple[Relation, ...]) -> None:
    """Check an ``ArgMin``: the minimizers are members, no member is better, and every optimal member is listed.

    Raises:
        NotAnchoredError: the region, the objective or the minimizers differ from the claim's.
        NoProofError: an obligation is not proved.
    """
    objective, within = expression(shape.objective), relations(shape.within)
    cells = (Cell(best=shape.best, tight=shape.tight),) if isinstance(shape.best, Mapping) else tuple(shape.best)
    listed = [{name: expression(value) for name, value in cell.best.items()} for cell in cells if cell.best]
    if not listed or any(best.keys() != listed[0].keys() for best in listed):
        raise NotAnchoredError("the minimizers of an ArgMin are named, by the same names")
    instances = examiner.here(where)
    _reached(examiner, shape, where)
    require_new(listed[0], {*examiner.domains, *(name for each in instances for name in each.values), *RESERVED})
    compared = 0
    for each in instances:
        designs = _designs(listed, each)
        for side, said in (("theory", each.says), ("computed", each.is_)):
            if set(component(said, shape.of)) != designs:
                raise NotAnchoredError(f"{side} is not the set of {sorted(designs)} at {dict(each.point)}")
    shapes = sum(isinstance(other, ArgMin) for other in examiner.proof.shapes)
    for each in instances[:: max(1, len(instances) * shapes // _POINTS)]:
        compared += _compare_members(shape, each, objective, within, listed)
    examiner.sweep_link("members and objective", instances, f"{compared} designs, in and out of the region")
    examiner.sweep_link("theory and computed: the set of minimisers", instances)
    prover = examiner.prover(where)
    least = _at(objective, listed[0])
    for best in listed:
        for relation in within:
            at_best = Relation(_at(relation.left, best), relation.sign, _at(relation.right, best))
            examiner.proved(prover, at_best, f"the minimizer meets {relation}", shape.degree)
        if _at(objective, best) != least:
            equal = Relation(_at(objective, best), "=", least)
            examiner.proved(prover, equal, "the minimizers have one value", shape.degree)
    for cell in cells:
        _check_cell(examiner, shape, prover, cell, (within, Relation(objective, ">", least)))
    _cover(prover, within, [relations(cell.where) for cell in cells])
    said = "it is the only one" if len(listed) == 1 else f"they are the only ones, in {len(cells)} cells"
    examiner.found.anchored.append(f"the minimizers are members, no member is better, and {said}")


def _at(side: Any, best: Any) -> Any:
    return side.xreplace({sp.Symbol(name): value for name, value in best.items()})


def _designs(listed: Sequence[Mapping[str, Any]], each: Instance) -> set[tuple[Any, ...]]:
    return {tuple(values_of(value)(each.values) for value in best.values()) for best in listed}


def _check_cell(examiner: Examiner, shape: ArgMin, prover: Prover, cell: Cell, goal: tuple[Any, Relation]) -> None:
    """Prove that a cell's minimizer is optimal and unique.

    The proof has two parts:

    1. wherever a tight relation is slack, the objective exceeds its minimum;
    2. the tight relations are linear equations whose only solution is the minimizer.

    In a cell without a minimizer the objective exceeds its minimum everywhere.
    """
    (within, worse), here, tight = goal, relations(cell.where), relations(cell.tight)
    members, terms = (*within, *here), [expression(term) for term in cell.terms]
    if cell.best is not None and (len(tight) != len(cell.best) or not set(tight) <= set(members)):
        raise NotAnchoredError("`tight` names as many relations of the region or the cell as there are names")
    if terms:
        member = prover.with_facts([Fact(relation, "member") for relation in members], samples=())
        prove_sum(member, worse, terms, "the excess in a cell")
    for slack in tight if cell.best is not None else (None,):
        facts = [Fact(Relation(r.left, ">", r.right) if r == slack else r, "member") for r in members]
        member = prover.with_facts(facts, samples=())
        name = "worse in a cell" if slack is None else f"worse where {slack} is slack"
        if terms:
            positive_sum(member, terms, name)
        else:
            examiner.proved(member, worse, name, shape.degree)
    if cell.best is None:
        return
    symbols = [sp.Symbol(name) for name in cell.best]
    matrix, _ = sp.linear_eq_to_matrix([relation.difference for relation in tight], symbols)
    determinant = sp.factor(matrix.det())
    examiner.proved(prover, Relation(determinant, "!=", sp.Integer(0)), "all tight has one solution", shape.degree)
    best = {name: expression(value) for name, value in cell.best.items()}
    for relation in tight:
        at_best = Relation(_at(relation.left, best), "=", _at(relation.right, best))
        examiner.proved(prover, at_best, f"{relation} is tight at the minimiser", shape.degree)


def _cover(prover: Prover, within: Sequence[Relation], cells: Sequence[tuple[Relation, ...]]) -> None:
    """Prove that every member of the region lies in one of the cells."""
    if all(cells):
        member = prover.with_facts([Fact(relation, "member") for relation in within], samples=())
        cover(member, cells, "the cells are the whole region")


def _reached(examiner: Examiner, shape: Any, where: tuple[Relation, ...]) -> None:
    """Require that the sweep reaches every branch of either side, since only a sweep links the sets."""
    for side in ("theory", "computed"):
        reached(examiner, shape, side, where)


def _compare_members(shape: ArgMin, each: Instance, objective: Any, within: Any, listed: Any) -> int:
    """Compare region and objective with the claim's own at candidate points; return the number of candidates."""
    names, designs = list(listed[0]), _designs(listed, each)
    tried = list(shape.candidates(each.point)) if shape.candidates else list(product(_GRID, repeat=len(names)))
    design = min(designs)
    tried += [*designs, *(tuple((x + y) / 2 for x, y in zip(design, other, strict=True)) for other in tried)]
    seen = set()
    for candidate in tried:
        values = {**each.values, **dict(zip(names, candidate, strict=True))}
        inside = all(relation.holds(values) for relation in within)
        if bool(shape.member(each.point, *candidate)) is not inside:
            raise NotAnchoredError(f"the claim's members are not those of `within`: they differ at {candidate}")
        if inside and shape.value(each.point, *candidate) != values_of(objective)(values):
            raise NotAnchoredError(f"the claim's objective is another one: they differ at {candidate}")
        seen.add(inside)
    if seen != {True, False}:
        raise NotAnchoredError(f"the candidates are all in or all out of the region at {dict(each.point)}")
    return len(tried)


def _check_argmin_ends(examiner: Examiner, shape: ArgMinEnds, where: tuple[Relation, ...]) -> None:
    """Check an ``ArgMinEnds``: strictly between the endpoints the objective exceeds a mean of its endpoint values.

    Raises:
        NotAnchoredError: the objective or the minimizers differ from the claim's.
        NoProofError: an obligation is not proved.
    """
    low, high, weight = (expression(part) for part in (shape.low, shape.high, shape.weight))
    objective, variable = expression(shape.objective), sp.Symbol(shape.variable)
    instances = examiner.here(where)
    if examiner.form.strength != "contained":
        raise NotAnchoredError("all minimizers are endpoints: this is the strength contained, and no other")
    _reached(examiner, shape, where)
    taken = {*examiner.domains, *(name for each in instances for name in each.values), *RESERVED}
    require_new([shape.variable], taken)
    samples = []
    for each in instances:
        ends = [values_of(end)(each.values) for end in (low, high)]
        listed = sorted({ends[0] + (ends[1] - ends[0]) * share for share in _BETWEEN})
        found = {x: values_of(objective)({**each.values, shape.variable: x}) for x in listed}
        if component(each.says, shape.of) not in (set(ends), frozenset(ends)):
            raise NotAnchoredError(f"theory is not the set of the two ends at {dict(each.point)}")
        least = min(found.values())
        if set(component(each.is_, shape.of)) != {x for x, value in found.items() if value == least}:
            raise NotAnchoredError(f"computed is not the set of minimizers at {dict(each.point)}")
        samples += [{**each.values, shape.variable: x} for x in listed[1:-1:3]]
        if any(shape.value(each.point, x) != value for x, value in found.items()):
            raise NotAnchoredError(f"the claim's objective is another one at {dict(each.point)}")
    examiner.sweep_link("objective and minimisers", instances, f"{len(_BETWEEN)} places on each")
    inside = [Fact(Relation(variable, ">", low), "member"), Fact(Relation(high, ">", variable), "member")]
    prover = examiner.prover(where, samples=()).with_facts(inside, samples=samples[:: max(1, len(samples) // 250)])
    examiner.proved(prover, Relation(weight, ">=", sp.Integer(0)), "the weight is not negative", shape.degree)
    examiner.proved(prover, Relation(sp.Integer(1), ">=", weight), "the weight is at most 1", shape.degree)
    at_low, at_high = (objective.xreplace({variable: end}) for end in (low, high))
    mean = weight * at_low + (1 - weight) * at_high
    examiner.proved(
        prover, Relation(objective, ">", mean), "strictly between, above the mean of the endpoints", shape.degree
    )
    examiner.found.anchored.append("every minimizer is an endpoint")
