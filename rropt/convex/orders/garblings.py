"""Blackwell's order in CVXPY: how far a mechanism is from being a garbling of another, and the task that shows it.

The *deficiency* of P for A is ``min sum_ij abs(A - C P)_ij`` over kernels C >= 0 whose columns sum to 1. It is 0 iff
A is a garbling of P (Le Cam 1964, with the sum over inputs in place of the maximum). Its dual is a decision task:
maximize ``sum_ij Y_ij A_ij - sum_o max_i (Y P^T)_io`` over payoffs with ``abs(Y) <= 1``. Both have the same value.

An exact kernel means deficiency 0. An exact task with payoff Y proves that the deficiency is at least its gain
divided by the largest ``abs(Y)``. No float decides whether a tiny deficiency is 0, so that values are compared, not
words.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import cvxpy as cp
import numpy as np

from rropt.convex.posing import compare, explained, solve
from rropt.convex.regions import Array
from rropt.core.errors import UnsupportedProblemError
from rropt.core.results.twins import INSIDE, NO_CONTENT, Twin, short

_MOST_ENTRIES = 5_000  # of the kernel: two programs take a second
_MOST_LISTED = 6
_TELLING = 1e-7  # a smaller deficiency may be 0


def to_cvxpy(asked: Any) -> cp.Problem:
    """Return the program of the deficiency: minimize ``sum abs(target - kernel source)``.

    ``source`` and ``target`` are Parameters, ``kernel`` is the variable. The program of a comparison of A and B is that
    of its first direction, with the source A and the target B; that of ``comparison.backward`` is the other one. The
    program of a partial order is the sum over its computed pairs, with names such as ``kernel[0,1]``.

    Raises:
        UnsupportedProblemError: the kernel has too many entries.
    """
    if not hasattr(asked, "answers"):
        return _deficiency(getattr(asked, "forward", asked), "")
    parts = [_deficiency(asked.answers[i, j], f"[{i},{j}]") for i, j in sorted(asked.answers)]
    total = cp.Minimize(sum((part.objective.expr for part in parts), cp.Constant(0)))
    return _explained(cp.Problem(total, [line for part in parts for line in part.constraints]))


def _deficiency(answer: Any, place: str) -> cp.Problem:
    source, target = _matrices(answer)
    P, A = (cp.Parameter(x.shape, name=name + place, value=x) for name, x in (("source", source), ("target", target)))
    C = cp.Variable((len(target), len(source)), nonneg=True, name=f"kernel{place}")
    return _explained(cp.Problem(cp.Minimize(cp.sum(cp.abs(A - C @ P))), [cp.sum(C, axis=0) == 1]))


def _explained(program: cp.Problem) -> cp.Problem:
    return explained(
        program,
        kernel="the second randomization, of outputs of the source to those of the target",
        source="the mechanism that is randomized once more",
        target="the mechanism that is to be obtained",
    )


def task_program(asked: Any) -> cp.Problem:
    """Return the dual program: the payoffs of a decision task at which the target earns most more than the source."""
    P, A = _matrices(asked)
    Y = cp.Variable(A.shape, name="payoff")
    gain = cp.sum(cp.multiply(Y, A)) - cp.sum(cp.max(Y @ P.T, axis=0))
    return explained(
        cp.Problem(cp.Maximize(gain), [cp.abs(Y) <= 1]),
        payoff="the payoff of each decision for each input",
    )


def _matrices(asked: Any) -> tuple[Any, Any]:
    (m, _), (r, _) = asked.source.shape, asked.target.shape
    if m * r > _MOST_ENTRIES:
        raise UnsupportedProblemError("too many entries")
    P, A = (np.array([[float(x) for x in row] for row in one.matrix]) for one in (asked.source, asked.target))
    return P, A


def gain_of(answer: Any) -> Any:
    """Return the exact gain of the task of a refutation, for payoffs of at most 1: a lower bound of the deficiency."""
    if answer.task is None:
        return Fraction(0)
    largest = max(abs(y) for row in answer.task.payoff for y in row)
    return (answer.task.earned - answer.task.best) * answer.source.inputs / largest


def directions(asked: Any) -> tuple[Any, ...]:
    """Return the two directions of a comparison, the computed pairs of an order, or a direction itself."""
    if hasattr(asked, "forward"):
        return asked.forward, asked.backward
    return tuple(asked.answers[pair] for pair in sorted(asked.answers)) if hasattr(asked, "answers") else (asked,)


class Deficiency(NamedTuple):
    """The solution of both programs of a direction, in floats.

    Attributes:
        value: the deficiency.
        kernel: the best kernel C.
        payoff: the payoffs Y of the task; None if the deficiency is 0 up to the accuracy of the solver.
    """

    value: float
    kernel: Array
    payoff: Array | None


def solved(answer: Any) -> Deficiency:
    """Return the deficiency of a direction with its kernel, and with its task if it is not 0."""
    program = to_cvxpy(answer)
    value = solve(program).value
    if value <= _TELLING:
        return Deficiency(value, np.asarray(program.var_dict["kernel"].value), None)
    task = task_program(answer)
    solve(task)
    return Deficiency(value, np.asarray(program.var_dict["kernel"].value), np.asarray(task.var_dict["payoff"].value))


def direction_twin(answer: Any) -> Twin:
    """Return the deficiency of one direction, compared with the exact kernel or task."""
    solved, gain = solve(to_cvxpy(answer)), gain_of(answer)
    upper = Fraction(0) if answer.task is None else max(gain, Fraction(solved.value))
    if answer.task is not None and gain < _TELLING:
        return Twin("CVXPY", True, solved.value, None, NO_CONTENT, solver=solved.solver)
    return compare(solved, gain, upper, "a garbling", size=float(answer.source.inputs))


def cvxpy_twin(asked: Any) -> Twin:
    """Return the deficiencies of both directions (A for B, B for A), compared with the exact kernels and tasks.

    For a partial order these are the pairs that were computed.
    """
    answers = directions(asked)
    twins = [direction_twin(answer) for answer in answers]
    told = [0.0 if abs(float(twin.value or 0)) < _TELLING else float(twin.value or 0) for twin in twins]
    listed = ", ".join(f"{x:.6g}" for x in told[:_MOST_LISTED]) + ", ..." * (len(told) > _MOST_LISTED)
    value = ("deficiencies " if len(told) > 1 else "deficiency ") + listed
    silent = next((twin for twin in twins if twin.agrees is None), None)
    if silent is not None:
        return Twin("CVXPY", True, value, None, silent.why, solver=silent.solver)
    distances = [float(twin.agrees.split()[-1]) for twin in twins if twin.agrees and twin.agrees != INSIDE]
    agrees = f"within {short(max(distances))}" if distances else INSIDE
    return Twin("CVXPY", True, value, agrees, solver=twins[0].solver)
