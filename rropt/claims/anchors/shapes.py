"""The shapes of numbers and truth values: what each obliges the engine to link and to prove."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from rropt.claims.anchors.bounds import prove_extremes, prove_least
from rropt.claims.anchors.declarations import ArgMin, ArgMinEnds, Least, Max, Truth, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import Instance, component
from rropt.claims.anchors.links import linked, of_side, strength_of, truth_ended
from rropt.claims.anchors.minimisers import check_argmin, check_argmin_ends
from rropt.claims.relations import Fact, Relation, exact_values, relations
from rropt.positivity import NoProofError

_SIGNS = {"at-most": ">=", "less": ">", "at-least": "<=", "greater": "<"}


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
        check_argmin(examiner, shape, where)
    elif isinstance(shape, ArgMinEnds):
        check_argmin_ends(examiner, shape, where)
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
    """Return how the component compares: as its bounds say, or as the claim does."""
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
    """Both sides are true exactly where their relations hold; the relations imply each other as the claim says."""
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
        how = f"sweep, {len(rows)} instances, both truth values" if ended else "traced"
        text = f"{of_side(shape, side)}: {how}" + (f" (trace ended: {ended})" if ended else "")
        examiner.found.link(text, swept=len(rows) if ended else 0)
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
        except Exception:  # outside its assumptions a claim may be undefined
            continue
    return rows
