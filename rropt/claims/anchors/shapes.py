"""The shapes of numbers and truth values: what each obliges the engine to link and to prove."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any

import sympy as sp

from rropt.claims.anchors.declarations import ArgMin, ArgMinEnds, Greatest, Least, Max, Min, Truth, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import THEORY, Examiner, component
from rropt.claims.anchors.extremes import prove_extremes
from rropt.claims.anchors.instances import Instance, is_number, named
from rropt.claims.anchors.minimisers import check_argmin, check_argmin_ends
from rropt.claims.anchors.prover import Fact, Prover
from rropt.claims.anchors.tracing import Traced, TraceEndedError, traced
from rropt.claims.relations import Relation, expression, relations, values_of
from rropt.claims.strengths import Bound
from rropt.positivity import NoProofError

__all__ = ["check_shape"]

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
    prover = examiner.prover(where)
    instances = examiner.here(where)
    strength = _strength(examiner, shape, instances)
    theory = _side(examiner, shape, shape.theory, "theory", where, instances, prover)
    computed = _side(examiner, shape, shape.computed, "computed", where, instances, prover)
    name = f"{'' if shape.of is None else f'{shape.of}: '}computed {strength} theory"
    if isinstance(shape.computed, Least):
        _prove_least(examiner, shape.computed, theory, strength, instances, (where, name, shape.degree))
    elif isinstance(computed, Max) or isinstance(theory, Max):
        prove_extremes(examiner, prover, theory, computed, (strength, name, shape.degree))
    else:
        for goal in _goals(computed, strength, theory):
            examiner.proved(prover, goal, name, shape.degree)
    case = f" where {' and '.join(map(str, where))}" if where else ""
    examiner.found.anchored.append(name + case)


def _strength(examiner: Examiner, shape: Value, instances: Sequence[Instance]) -> str:
    """Return how the component compares: as its bounds say, or as the claim does."""
    said = {
        value.strength if isinstance(value := component(each.says, shape.of), Bound) else examiner.form.strength
        for each in instances
    }
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


def _side(
    examiner: Examiner,
    shape: Value,
    given: Any,
    side: str,
    where: tuple[Relation, ...],
    instances: Sequence[Instance],
    prover: Prover,
) -> Any:
    """Link one side; return its expression, or the symbol of a least bound."""
    if isinstance(given, Least):
        count = _link_least(examiner, shape, given, side, instances)
        examiner.found.links.append(f"{_of(shape, side)}: least bound of its members, sweep, {count} instances")
        return THEORY
    exact, ended = (None, "an extreme") if isinstance(given, Max) else _trace(examiner, shape, side, prover)
    if given is None and exact is None:
        raise NotAnchoredError(f"{side} needs an expression: its trace ended at {ended}")
    wanted = exact if given is None else given if isinstance(given, Max) else expression(given)
    for each in instances:
        value = _number(component(each.says if side == "theory" else each.is_, shape.of))
        if not is_number(value):
            raise NotAnchoredError(f"{side} is no number: received {value!r}; allowed are exact numbers")
        try:
            found = _found(wanted, each)
        except KeyError as error:
            raise NotAnchoredError(f"{side} uses the name {error}, which nothing gives a value") from None
        if not found == value:
            raise NotAnchoredError(f"{side} is not {wanted} at {dict(each.point)}: it is {value}, not {found}")
    if exact is not None and given is not None:
        try:
            prover.prove(Relation(exact, "=", wanted), f"{_of(shape, side)}: the trace")
        except NoProofError as reason:
            raise NotAnchoredError(f"{side} is {exact} by its trace, not {wanted}: {reason}") from None
    how = "traced" if exact is not None else f"sweep, {len(instances)} instances (trace ended: {ended})"
    examiner.found.links.append(f"{_of(shape, side)}: {how}")
    return wanted


def _found(wanted: Any, each: Instance) -> Any:
    if isinstance(wanted, Max):
        return (min if isinstance(wanted, Min) else max)(values_of(expression(x))(each.values) for x in wanted.parts)
    return values_of(wanted)(each.values)


def _trace(examiner: Examiner, shape: Value, side: str, prover: Prover) -> tuple[Any, str]:
    """Return the traced expression of a side, or None and where its trace ended."""
    names = {name: None for name in examiner.form.variables if is_number(_first(examiner, name))}

    def decide(relation: Relation) -> bool | None:
        for answer, goals in ((True, (relation,)), (False, relation.opposite())):
            if len(goals) == 1:
                try:
                    prover.prove(goals[0], f"the branch {relation}")
                except NoProofError:
                    continue
                return answer
        return None

    try:
        function = examiner.form.theory if side == "theory" else examiner.form.computed
        value, divisors = traced(function, names, decide)
        value = _number(component(value, shape.of))
        for divisor in divisors:
            prover.prove(Relation(divisor, "!=", sp.Integer(0)), f"{_of(shape, side)}: the divisor {divisor}")
    except NoProofError as reason:
        return None, f"a divisor that may be 0 ({reason})"
    except (TraceEndedError, TypeError, LookupError) as reason:
        return None, str(reason)
    if isinstance(value, Traced):
        return value.expression, ""
    return (
        (expression(value), "")
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool)
        else (
            None,
            "a value that is no rational number",
        )
    )


def _first(examiner: Examiner, name: str) -> Any:
    return examiner.instances[0].point[name]


def _link_least(examiner: Examiner, shape: Value, least: Least, side: str, instances: Sequence[Instance]) -> int:
    """The least bound of the members is the value, at every point."""
    points: dict[int, list[Instance]] = {}
    for each in instances:
        points.setdefault(each.key, []).append(each)
    for here in points.values():
        value = _number(component(here[0].says if side == "theory" else here[0].is_, shape.of))
        if least.members is None:
            members = [each.values for each in here]
        else:
            own = here[0].values
            members = [{**own, **named(m, here[0].point, own, {})} for m in least.members(here[0].point)]
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
            elif -free * sense > best * by * sense:
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


def _prove_least(
    examiner: Examiner, least: Least, theory: Any, strength: str, instances: Sequence[Instance], how: tuple[Any, ...]
) -> None:
    """Prove the relation with ``theory`` in the place of g for a member in general; for equality, that one is tight."""
    where, name, degree = how
    prover = examiner.prover(where, samples=[each.values for each in instances][:250])
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


def _check_truth(examiner: Examiner, shape: Truth, where: tuple[Relation, ...]) -> None:
    """Both sides are true exactly where their relations hold; the relations imply each other as the claim says."""
    sides = {"theory": relations(shape.theory), "computed": relations(shape.computed)}
    rows = [(each.says, each.is_, each.values) for each in examiner.here(where)]
    rows += _outside(examiner)
    for number, (side, said) in enumerate(sides.items()):
        seen = set()
        for row in rows:
            holds = all(relation.holds(row[2]) for relation in said)
            if component(row[number], shape.of) is not holds:
                raise NotAnchoredError(f"{side} is not {' and '.join(map(str, said))} at a point")
            seen.add(holds)
        if seen != {True, False}:
            raise NotAnchoredError(f"{side} has one truth value at all points, which ties it to nothing: give numbers")
        examiner.found.links.append(f"{_of(shape, side)}: sweep, {len(rows)} instances, both truth values")
    strength = examiner.form.strength
    directions = [("theory", "computed")] if strength in ("equality", "iff", "unique", "at-least") else []
    directions += [("computed", "theory")] if strength in ("equality", "iff", "unique", "at-most") else []
    for given, goal in directions:
        prover = examiner.prover(where, samples=())
        assumed = [Fact(relation, "assumed") for relation in sides[given]]
        inner = prover.with_facts(assumed)
        for relation in sides[goal]:
            examiner.proved(inner, relation, f"{_of(shape, goal)} from {given}", shape.degree)
    examiner.found.anchored.append(f"{_of(shape, 'theory')} {strength} computed, as relations")


def _outside(examiner: Examiner) -> list[tuple[Any, Any, Any]]:
    from rropt.claims.relations import exact_values

    rows = []
    for point in examiner.form.outside:
        try:
            rows.append((examiner.form.theory(point), examiner.form.computed(point), exact_values(point)))
        except Exception:  # outside its assumptions a claim may be undefined
            continue
    return rows


def _number(value: Any) -> Any:
    return value.value if isinstance(value, Bound) else value


def _of(shape: Any, side: str) -> str:
    return side if shape.of is None else f"{side} of {shape.of}"
