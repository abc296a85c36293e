"""Links: how an expression is tied to what the claim's Python returns: traced on every branch, or by a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import sympy as sp

from rropt.claims.anchors.bounds import link_least
from rropt.claims.anchors.declarations import Least, Max, Min, Value
from rropt.claims.anchors.examination import NotAnchoredError
from rropt.claims.anchors.examine import THEORY, Examiner, component, number_of
from rropt.claims.anchors.instances import Instance, is_number
from rropt.claims.anchors.prover import Prover
from rropt.claims.anchors.tracing import Traced, TraceEndedError, traced
from rropt.claims.relations import Relation, expression, values_of
from rropt.positivity import NoProofError

_MOST_BRANCHES = 16  # runs of a trace: with more a sweep says as much
_MOST_COMPARISONS = 12  # in the runs of a side whose expression is given: there a trace only makes the link exact
_BRANCH_DEGREE = 1  # of the proof that a comparison has one answer: what needs more is followed both ways

Run = tuple[tuple[Relation, ...], Any, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Branch:
    """A way through the claim's Python.

    Attributes:
        path: the answers of the comparisons on it.
        value: the expression that is returned, or an extreme of several.
    """

    path: tuple[Relation, ...]
    value: Any


def linked(examiner: Examiner, shape: Value, given: Any, side: str, where: tuple[Relation, ...]) -> list[Branch]:
    """Link one side; return its expression, for each branch where it is traced and was not given.

    Raises:
        NotAnchoredError: the expression is not what the claim returns.
    """
    instances = examiner.here(where)
    if isinstance(given, Least):
        points = link_least(examiner, shape, given, side, instances)
        examiner.found.links.append(f"{of_side(shape, side)}: least bound of its members, sweep, {points} points")
        return [Branch((), THEORY)]
    branches, ended = _traced(examiner, shape, side, where, None if given is None else _MOST_COMPARISONS)
    if given is None and ended:
        raise NotAnchoredError(f"{side} needs an expression: its trace ended at {ended}")
    wanted = branches if given is None else [Branch((), given if isinstance(given, Max) else expression(given))]
    _swept(shape, wanted, side, instances)
    if given is not None and not isinstance(given, Max):
        for branch in branches:
            _same(examiner, shape, branch, wanted[0].value, side, where)
    how = f"sweep, {len(instances)} instances (trace ended: {ended or 'an extreme is not compared with it'})"
    if not ended and not isinstance(given, Max):
        how = "traced" if len(branches) == 1 else f"traced, {len(branches)} branches"
    examiner.found.links.append(f"{of_side(shape, side)}: {how}")
    return wanted


def of_side(shape: Any, side: str) -> str:
    """Return the name of a side of a component."""
    return side if shape.of is None else f"{side} of {shape.of}"


def _swept(shape: Value, wanted: Sequence[Branch], side: str, instances: Sequence[Instance]) -> None:
    """The expression has the claim's value at every instance."""
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
    """On a branch that can be taken, the traced expression is the one that was given."""
    prover = examiner.prover((*where, *branch.path))
    try:
        prover.prove(Relation(branch.value, "=", wanted), f"{of_side(shape, side)}: the trace")
    except NoProofError as reason:
        if not branch.path:
            raise NotAnchoredError(f"{side} is {branch.value} by its trace, not {wanted}: {reason}") from None
        try:
            examiner.prover(where, samples=()).refute(branch.path, f"{side}: a branch that is never taken")
        except NoProofError:
            path = " and ".join(map(str, branch.path))
            raise NotAnchoredError(f"{side} is {branch.value} on the branch {path}, not {wanted}") from None


def _traced(
    examiner: Examiner, shape: Value, side: str, where: tuple[Relation, ...], most: int | None
) -> tuple[list[Branch], str]:
    """Return the branches that were traced to their end, and why there may be others."""
    if (side, where, most) not in examiner.traces:
        examiner.traces[side, where, most] = _runs(examiner, side, where, most)
    runs, ended = examiner.traces[side, where, most]
    found: list[Branch] = []
    for path, returned, divisors in runs:
        try:
            found.append(Branch(path, _plain(number_of(component(returned, shape.of)))))
            prover = examiner.prover((*where, *path))
            for divisor in divisors:
                prover.prove(Relation(divisor, "!=", sp.Integer(0)), f"{of_side(shape, side)}: the divisor {divisor}")
        except NoProofError as reason:
            ended = f"a divisor that may be 0 ({reason})"
        except (TypeError, LookupError) as reason:
            ended = str(reason)
    return found, ended


def _runs(examiner: Examiner, side: str, where: tuple[Relation, ...], most: int | None) -> tuple[list[Run], str]:
    """Run a side of the claim with symbols on every branch: for each its path, what it returned, what it divided by."""
    names = [name for name in examiner.form.variables if is_number(examiner.instances[0].point[name])]
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
            returned, divisors = traced(function, names, decide)
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
    """Return the answer of a comparison that the facts prove, or None."""
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
