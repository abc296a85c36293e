"""Proofs about bounds over members (``Least``, ``Greatest``) and about maxima and minima of finitely many expressions.

A bound over members is the smallest or largest number g that satisfies a relation for every member. At a point its
value is computed exactly. In general the relation is proved for an arbitrary member. Maxima and minima are compared by
pairwise comparisons of their parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import inf
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import Greatest, Least, Max, Min, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import Examiner
from rropt.claims.anchors.instances import RESERVED, Instance, component, named, number_of, require_new
from rropt.claims.anchors.prover import Prover
from rropt.claims.positivity import NoProofError
from rropt.claims.relations import Relation, expression, relations, values_of


def link_least(examiner: Examiner, shape: Value, least: Least, side: str, instances: Sequence[Instance]) -> int:
    """Check at every point that the bound over the members is the value of the claim; return the number of points."""
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
    """Return the smallest (for ``Greatest`` the largest) g that satisfies the relation for all members."""
    sense = -1 if isinstance(least, Greatest) else 1
    best = -inf * sense if least.floor is None else values_of(expression(least.floor))(own)
    for relation in relations(least.relation):
        slope, rest = map(values_of, _affine(relation))
        for member in members:
            by, free = slope(member) * sense, rest(member)
            if by < 0:
                raise NotAnchoredError(f"the relation {relation} bounds g from the other side at a member")
            if by == 0:
                best = best if free >= 0 else inf * sense
            elif -free > best * by * sense:
                best = -free / by * sense
    return best


@lru_cache(maxsize=1000)
def _affine(relation: Relation) -> tuple[Any, Any]:
    """Return ``slope`` and ``rest`` of a relation ``slope g + rest >= 0``."""
    g = sp.Symbol("g")
    rest = relation.difference.subs(g, 0)
    slope = sp.expand(relation.difference - rest).coeff(g, 1)
    if relation.sign != ">=" or sp.expand(relation.difference - rest - slope * g) != 0:
        raise NotAnchoredError(f"a bound's relation is affine in g, with >= or <=: received {relation}")
    return slope, rest


def prove_least(examiner: Examiner, least: Least, theory: Any, strength: str, how: tuple[Any, ...]) -> None:
    """Prove the relation with g = ``theory`` for an arbitrary member; for equality also that a member attains it."""
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


_WEAK = ("equality", "unique", "iff")  # strengths that need both directions


def prove_extremes(examiner: Examiner, prover: Prover, theory: Any, computed: Any, how: tuple[Any, ...]) -> None:
    """Prove how two maxima or minima of finitely many expressions compare, by pairwise comparisons of their parts."""
    strength, name, degree = how
    if strength not in (*_WEAK, "at-most", "at-least", "less", "greater"):
        raise NotAnchoredError(f"extremes do not compare so: received {strength}")
    if strength in (*_WEAK, "at-most"):
        _below(examiner, prover, computed, theory, (">=", name, degree))
    if strength in (*_WEAK, "at-least"):
        _below(examiner, prover, theory, computed, (">=", name, degree))
    if strength in ("less", "greater"):
        low, high = (computed, theory) if strength == "less" else (theory, computed)
        _below(examiner, prover, low, high, (">", name, degree))


def _below(examiner: Examiner, prover: Prover, low: Any, high: Any, how: tuple[Any, ...]) -> None:
    """Prove ``low <= high`` (with sign ">": ``low < high``) by comparisons of parts.

    It suffices that each part of a maximum ``low`` (some part of a minimum ``low``) is at most some part of a maximum
    ``high`` (each part of a minimum ``high``).
    """
    sign, name, degree = how
    lows, every_low = _parts(low), not isinstance(low, Min)
    highs, every_high = _parts(high), isinstance(high, Min)
    if every_low and not every_high:  # the part of ``high`` may differ from part to part of ``low``
        for part in lows:
            _some(examiner, prover, [[Relation(other, sign, part)] for other in highs], (name, degree))
        return
    if not every_low and every_high:
        for other in highs:
            _some(examiner, prover, [[Relation(other, sign, part)] for part in lows], (name, degree))
        return
    pairs = [Relation(h, sign, part) for h in highs for part in lows]
    _some(examiner, prover, [pairs] if every_low else [[pair] for pair in pairs], (name, degree))


def _parts(side: Any) -> list[Any]:
    return [expression(part) for part in side.parts] if isinstance(side, Max) else [side]


def _some(examiner: Examiner, prover: Prover, choices: Sequence[Sequence[Relation]], how: tuple[Any, ...]) -> None:
    """Prove all relations of at least one of the choices."""
    error = NoProofError(f"{how[0]}: nothing to prove")
    for goals in choices:
        tried = prover.with_facts(())
        try:
            with tried.attempt():
                for goal in goals:
                    examiner.proved(tried, goal, how[0], how[1])
        except NoProofError as reason:
            error = reason
        else:
            return
    raise error
