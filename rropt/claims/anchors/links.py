"""Links between an expression and the claim's Python: a trace of every branch, or a test at the sweep's points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp

from rropt.claims.anchors.bounds import link_least, prove_extremes
from rropt.claims.anchors.declarations import Least, Max, Min, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import THEORY, Examiner
from rropt.claims.anchors.instances import Instance, component, is_number, keys_of, number_of
from rropt.claims.anchors.prover import Prover
from rropt.claims.anchors.shape_links import NotAtShapesError, tied_at_shapes
from rropt.claims.anchors.tracing import Traced, TraceEndedError, traced
from rropt.claims.comparisons import Bound
from rropt.claims.positivity import NoProofError
from rropt.claims.relations import Relation, expression, text_of, values_of
from rropt.core.errors import InvalidParameterError

_MOST_BRANCHES = 16  # runs of a trace; a claim with more branches is linked by a sweep
_MOST_COMPARISONS = 12  # in runs of a side whose expression is given; there a trace only makes the link exact
_BRANCH_DEGREE = 1  # of the proof that a comparison has one outcome; otherwise both outcomes are followed

Run = tuple[tuple[Relation, ...], Any, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Branch:
    """One execution path of the claim's Python.

    Attributes:
        path: the outcomes of the comparisons on the path, as relations.
        value: the returned expression, or the maximum or minimum of several expressions.
    """

    path: tuple[Relation, ...]
    value: Any


def linked(examiner: Examiner, shape: Value, given: Any, side: str, where: tuple[Relation, ...]) -> list[Branch]:
    """Link one side; return its branches if it is traced without a given expression, else the given expression.

    Raises:
        NotAnchoredError: the expression differs from the result of the claim's function.
    """
    instances = examiner.here(where)
    if isinstance(given, Least):
        points = link_least(examiner, shape, given, side, instances)
        reached(examiner, shape, side, where)
        examiner.found.link(f"{of_side(shape, side)}: least bound of its members: sweep, {points} points", swept=points)
        return [Branch((), THEORY)]
    branches, ended = _traced(examiner, shape, side, where, None if given is None else _MOST_COMPARISONS)
    if given is None and ended:
        raise NotAnchoredError(f"{side} needs an expression: its trace ended at {ended}")
    wanted = branches if given is None else [Branch((), given if isinstance(given, Max) else expression(given))]
    _swept(shape, wanted, side, instances)
    if given is not None:
        for branch in branches:
            _same(examiner, shape, branch, wanted[0].value, side, where)
    if ended:
        examiner.later.append((len(examiner.found.links), len(examiner.found.swept), shape, given, side, ended))
        examiner.sweep_link(of_side(shape, side), instances, f"trace ended: {ended}")
    else:
        how = "traced" if len(branches) == 1 else f"traced, {len(branches)} branches"
        examiner.found.link(f"{of_side(shape, side)}: {how}")
    return wanted


def link_at_shapes(examiner: Examiner) -> None:
    """Link those sides whose trace ended by a trace at every shape of the sweep, where this is possible."""
    found, exact = examiner.found, set()
    for place, swept, shape, given, side, ended in examiner.later:
        try:
            shapes = tied_at_shapes(examiner, shape, given, side)
        except (InvalidParameterError, TypeError, LookupError, ArithmeticError) as reason:
            if isinstance(reason, NotAtShapesError):
                said = f"(trace ended: {ended}"
                found.links[place] = found.links[place].replace(f"{said})", f"{said}; at shapes: {reason})")
        else:
            where = f", {shapes}" if shapes else ""
            found.links[place] = f"{of_side(shape, side)}: traced with a symbol for each entry{where}"
            found.shapes.append(shapes)
            found.undefined = True
            exact.add(swept)
    found.swept = [points for i, points in enumerate(found.swept) if i not in exact]


def of_side(shape: Any, side: str) -> str:
    """Return the title of one side of a component."""
    return side if shape.of is None else f"{side} of {shape.of}"


def of_both(shape: Any) -> str:
    """Return the title of a component without an expression."""
    return "theory and computed" if shape.of is None else f"theory and computed of {shape.of}"


def _swept(shape: Value, wanted: Sequence[Branch], side: str, instances: Sequence[Instance]) -> None:
    """Check at every instance that the expression has the claim's value."""
    for each in instances:
        value = number_of(component(each.says if side == "theory" else each.is_, shape.of))
        if not is_number(value):
            raise NotAnchoredError(f"{side} is no number: received {value!r}; allowed are exact numbers")
        try:
            for branch in wanted:
                if all(relation.holds(each.values) for relation in branch.path):
                    found = _found(branch.value, each)
                    if not found == value:
                        raise NotAnchoredError(
                            f"{side} is not {branch.value} at {dict(each.point)}: it is {value}, not {found}"
                        )
        except KeyError as error:
            raise NotAnchoredError(f"{side} uses the name {error}, which nothing gives a value") from None


def _found(wanted: Any, each: Instance) -> Any:
    if isinstance(wanted, Max):
        return (min if isinstance(wanted, Min) else max)(values_of(expression(x))(each.values) for x in wanted.parts)
    return values_of(wanted)(each.values)


def _same(examiner: Examiner, shape: Value, branch: Branch, wanted: Any, side: str, where: Any) -> None:
    """Prove that on a reachable branch the traced expression equals the given one."""
    prover = examiner.prover((*where, *branch.path))
    name = f"{of_side(shape, side)}: the trace"
    try:
        if isinstance(wanted, Max):
            prove_extremes(examiner, prover, wanted, branch.value, ("equality", name, None))
        else:
            prover.prove(Relation(branch.value, "=", wanted), name)
    except NoProofError as reason:
        if not branch.path:
            raise NotAnchoredError(f"{side} is {branch.value} by its trace, not {wanted}: {reason}") from None
        _never(examiner, branch.path, side, where, f"is {branch.value} on the branch {{path}}, not {wanted}")


def _never(examiner: Examiner, path: Sequence[Relation], side: str, where: Any, what: str) -> None:
    """Prove that a branch is never taken.

    Raises:
        NotAnchoredError: this is not proved; ``what`` is the template of the message.
    """
    try:
        examiner.prover(where, samples=()).refute(path, f"{side}: a branch that is never taken")
    except NoProofError:
        raise NotAnchoredError(f"{side} {what.format(path=' and '.join(map(str, path)))}") from None


def reached(examiner: Examiner, shape: Any, side: str, where: tuple[Relation, ...]) -> None:
    """Check that the sweep contains a point on every reachable branch, where a side is linked only by a sweep.

    Raises:
        NotAnchoredError: a branch contains no point of the sweep and is not proved unreachable.
    """
    for path, _, _ in _runs(examiner, side, where, _MOST_COMPARISONS)[0]:
        _seen(examiner, shape, path, side, where)


def _seen(examiner: Examiner, shape: Any, path: Sequence[Relation], side: str, where: tuple[Relation, ...]) -> None:
    if path and not examiner.inside((*where, *path)):
        _never(examiner, path, of_side(shape, side), where, "has a branch without a point: {path}")


def truth_ended(examiner: Examiner, shape: Any, said: Sequence[Relation], side: str, where: Any) -> str:
    """Return why the trace of a truth value does not link it to its relations, or an empty text if it does."""
    runs, ended = _runs(examiner, side, where, _MOST_COMPARISONS)
    for path, returned, divisors in runs:
        try:
            for divisor in divisors:
                relation = Relation(divisor, "!=", sp.Integer(0))
                examiner.prover((*where, *path)).prove(
                    relation, f"{of_side(shape, side)}: the divisor {text_of(divisor)}"
                )
            value = component(returned, shape.of)
        except NoProofError as reason:
            ended = f"a divisor that may be 0 ({reason})"
            continue
        except (TypeError, LookupError) as reason:
            ended = str(reason)
            continue
        try:
            if value is True:
                for relation in said:
                    examiner.prover((*where, *path), samples=()).prove(relation, f"{of_side(shape, side)}: the trace")
            elif value is False:
                examiner.prover((*where, *path), samples=()).refute(said, f"{of_side(shape, side)}: the trace")
            else:
                ended = "a value that is no truth value"
        except NoProofError:
            ended = ended or "a branch on which it does not follow"
            _seen(examiner, shape, path, side, where)
    return ended


def _traced(
    examiner: Examiner, shape: Value, side: str, where: tuple[Relation, ...], most: int | None
) -> tuple[list[Branch], str]:
    """Return the completely traced branches, and the reason why there may be others."""
    runs, ended = _runs(examiner, side, where, most)
    found: list[Branch] = []
    for path, returned, divisors in runs:
        if not _alike(examiner, shape, returned, side):
            _never(examiner, path, of_side(shape, side), where, "has other parts or another kind on the branch {path}")
            continue
        try:
            found.append(Branch(path, _plain(number_of(component(returned, shape.of)))))
            prover = examiner.prover((*where, *path))
            for divisor in divisors:
                prover.prove(
                    Relation(divisor, "!=", sp.Integer(0)), f"{of_side(shape, side)}: the divisor {text_of(divisor)}"
                )
        except NoProofError as reason:
            ended = f"a divisor that may be 0 ({reason})"
        except (TypeError, LookupError) as reason:
            ended = str(reason)
    return found, ended


def _alike(examiner: Examiner, shape: Any, returned: Any, side: str) -> bool:
    """Return whether a trace has the same components as the values at the instances, and the same kind of bound."""
    first = examiner.instances[0]
    if keys_of(returned) != keys_of(first.says if side == "theory" else first.is_):
        return False
    if side == "computed":
        return not isinstance(component(returned, shape.of), Bound)
    strengths = {strength_of(examiner, shape, each.says) for each in examiner.instances}
    return strength_of(examiner, shape, returned) in strengths


def strength_of(examiner: Examiner, shape: Any, says: Any) -> str:
    """Return the strength of a component: that of its bound if it is one, otherwise that of the claim."""
    value = component(says, shape.of)
    return value.strength if isinstance(value, Bound) else examiner.form.strength


def _runs(examiner: Examiner, side: str, where: tuple[Relation, ...], most: int | None) -> tuple[list[Run], str]:
    """Return the cached symbolic runs of a side on every branch, and the reason why there may be others."""
    if (side, where, most) not in examiner.traces:
        examiner.traces[side, where, most] = _new_runs(examiner, side, where, most)
    found: tuple[list[Run], str] = examiner.traces[side, where, most]
    return found


def _new_runs(examiner: Examiner, side: str, where: tuple[Relation, ...], most: int | None) -> tuple[list[Run], str]:
    """Run a side of the claim with symbols on every branch; return the path, result and divisors of each run."""
    names = list(examiner.form.variables)
    numbers = {
        name: any(type(each.point[name]) is int for each in examiner.instances)
        for name in names
        if all(is_number(each.point[name]) for each in examiner.instances)
    }
    function = examiner.form.theory if side == "theory" else examiner.form.computed
    waiting: list[tuple[bool, ...]] = [()]
    found: list[Run] = []
    ended, runs = "", 0
    compared = count()
    while waiting:
        if (runs := runs + 1) > _MOST_BRANCHES:
            return found, "too many branches"
        forced, path = waiting.pop(), list[Relation]()
        answers = list(forced)

        def decide(relation: Relation, path: list[Relation] = path, answers: list[bool] = answers) -> bool:
            if most is not None and next(compared) >= most:
                raise TraceEndedError("many comparisons")
            known = _known(examiner.prover((*where, *path)), relation)
            if known is not None:
                return known
            if len(path) >= len(answers):
                answers.append(True)
                waiting.append((*answers[:-1], False))
            answer = answers[len(path)]
            path.append(relation if answer else _not(relation))
            return answer

        try:
            returned, divisors = traced(function, names, numbers, decide)
            found.append((tuple(path), returned, divisors))
        except (TraceEndedError, TypeError, LookupError) as reason:
            ended = str(reason)
    return found, ended


def _not(relation: Relation) -> Relation:
    if relation.sign == "=":
        return Relation(relation.left, "!=", relation.right)
    (opposite,) = relation.opposite()
    return opposite


def _known(prover: Prover, relation: Relation) -> bool | None:
    """Return the outcome of a comparison if the facts prove it, otherwise None."""
    for answer, goal in ((True, relation), (False, _not(relation))):
        try:
            prover.prove(goal, f"the branch {relation}", degree=_BRANCH_DEGREE)
        except NoProofError:
            continue
        return answer
    return None


def _plain(value: Any) -> Any:
    if isinstance(value, Traced):
        return value.expression
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return expression(value)
    raise TraceEndedError("a value that is no rational number")
