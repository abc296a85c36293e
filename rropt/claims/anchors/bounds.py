"""Least and greatest bounds of members: the value by exact roots, the relation for a member in general."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Greatest, Least, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner, component, number_of
from rropt.claims.anchors.instances import RESERVED, Instance, named, require_new
from rropt.claims.relations import Relation, expression, relations, values_of


def link_least(examiner: Examiner, shape: Value, least: Least, side: str, instances: Sequence[Instance]) -> int:
    """The least bound of the members is the value, at every point."""
    points: dict[int, list[Instance]] = {}
    for each in instances:
        points.setdefault(each.key, []).append(each)
    for here in points.values():
        value = number_of(component(here[0].says if side == "theory" else here[0].is_, shape.of))
        if least.members is None:
            members = [each.values for each in here]
        else:
            own = here[0].values
            for member in (listed := least.members(here[0].point)):
                require_new(member, {*here[0].point, *own, *RESERVED})
            members = [{**own, **named(m, here[0].point, own, {})} for m in listed]
        found = _root(least, members, here[0].values)
        if found != value:
            raise NotAnchoredError(f"{side} is {value} at {dict(here[0].point)}, the bound of its members is {found}")
    return len(points)


def _root(least: Least, members: Sequence[Any], own: Any) -> Any:
    """Return the least (greatest) g with the relation for all members."""
    sense = -1 if isinstance(least, Greatest) else 1
    best = -inf * sense if least.floor is None else values_of(expression(least.floor))(own)
    for relation in relations(least.relation):
        slope, rest = _affine(relation)
        for member in members:
            by, free = values_of(slope)(member) * sense, values_of(rest)(member)
            if by < 0:
                raise NotAnchoredError(f"the relation {relation} bounds g from the other side at a member")
            if by == 0:
                best = best if free >= 0 else inf * sense
            elif -free > best * by * sense:
                best = -free / by * sense
    return best


def _affine(relation: Relation) -> tuple[Any, Any]:
    """Return slope and rest of a relation ``slope g + rest >= 0``."""
    g = sp.Symbol("g")
    rest = relation.difference.subs(g, 0)
    slope = sp.expand(relation.difference - rest).coeff(g, 1)
    if relation.sign != ">=" or sp.expand(relation.difference - rest - slope * g) != 0:
        raise NotAnchoredError(f"a bound's relation is affine in g, with >= or <=: received {relation}")
    return slope, rest


def prove_least(examiner: Examiner, least: Least, theory: Any, strength: str, how: tuple[Any, ...]) -> None:
    """Prove the relation with ``theory`` in the place of g for a member in general; for equality, that one is tight."""
    where, name, degree = how
    prover = examiner.prover(where)
    instances = examiner.here(where)
    downwards = strength == ("at-least" if isinstance(least, Greatest) else "at-most")
    if strength not in ("equality", "unique") and not downwards:
        raise NotAnchoredError(f"a bound of members does not compare so: received {strength}")
    if least.floor is not None:
        floor = expression(least.floor)
        goal = Relation(floor, ">=", theory) if isinstance(least, Greatest) else Relation(theory, ">=", floor)
        examiner.proved(prover, goal, f"{name}: the floor", degree)
    for relation in relations(least.relation):
        examiner.proved(prover, relation.renamed({"g": theory}), f"{name}, for every member", degree)
    if downwards:
        return
    tight = {key: expression(value) for key, value in least.tight.items()}
    points: dict[int, bool] = {}
    for each in instances:
        meets = all(values_of(value)(each.values) == each.values.get(key) for key, value in tight.items())
        points[each.key] = points.get(each.key, False) or meets
    if not tight or not all(points.values()):
        raise NotAnchoredError("for an equality `tight` names a member that occurs at every point")
    for relation in relations(least.relation)[:1]:
        at = relation.renamed({**tight, "g": theory})
        examiner.proved(prover, Relation(at.left, "=", at.right), f"{name}: attained", degree)
        slope = _affine(relation)[0].xreplace({sp.Symbol(key): value for key, value in tight.items()})
        examiner.proved(prover, Relation(slope, "!=", sp.Integer(0)), f"{name}: attained once", degree)
