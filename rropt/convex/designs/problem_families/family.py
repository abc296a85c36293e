"""Families of designs in CVXPY: the program of one member, with a weight for each kind of row.

A row of a decision has the larger probability on all categories of some classes (its own category counts apart). With
theta the least entries of these rows, added over the outputs of the decision, the cost is ``sum theta (L + u l)``, and
the columns of a class of n categories sum to 1 if ``sum theta (n + u m) = n``, m the members of the row. The number of
weights does not depend on the sizes. It is linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import cvxpy as cp
import numpy as np

from rropt.convex.posing import explained, solve
from rropt.core.errors import InvalidParameterError, RouteDisagreementError
from rropt.core.results.twins import Twin

_POINTS = 12  # at which the program is compared
_AGREES = 1e-6
_VARIABLES = (0.2, 1.0, 3.5, 0.6, 9.0, 2.0)  # of the parameters, in turn
_LEVELS = (1.3, 3.0, 12.0, 60.0)


def to_cvxpy(result: Any, gamma: float = 3.0, **values: float) -> cp.Problem:
    """Return the linear program of a member of a family; its size does not depend on the sizes of the classes.

    ``costs``, ``cover`` and ``sizes`` are Parameters.

    Args:
        result: the family.
        gamma: the level.
        values: the parameters; by default those near the start of their ranges.

    Raises:
        InvalidParameterError: a value has the name of no parameter, or gamma is below 1.
    """
    problem = result.problem.certified()
    known = _values(problem, 1)
    if wrong := sorted(values.keys() - known.keys()):
        raise InvalidParameterError(
            f"the family has no such parameter: received {wrong[0]}; allowed are {', '.join(known) or 'none'}"
        )
    if not gamma >= 1:
        raise InvalidParameterError(f"gamma is out of range: received {gamma}; allowed is gamma >= 1")
    chosen = {**known, **values}
    costs, cover, sizes = numbers_at(problem, chosen, gamma)
    theta = cp.Variable(len(costs), nonneg=True, name="weights")
    own = cp.Parameter(len(costs), name="costs", value=costs)
    covers = cp.Parameter(cover.shape, name="cover", value=cover)
    counts = cp.Parameter(len(sizes), name="sizes", value=sizes)
    goal = cp.Minimize(own @ theta) if problem["sense"] == "minimise" else cp.Maximize(own @ theta)
    program = cp.Problem(goal, [covers @ theta == counts])
    return explained(
        program,
        weights="of each kind of row: its least entry, added over the outputs of its decision",
        costs="the expected cost of each kind of row, for weight 1",
        cover="what each kind of row adds to the columns of each class, for weight 1",
        sizes="the number of categories of each class",
    )


def numbers_at(problem: Any, values: Mapping[str, float], gamma: float) -> tuple[Any, Any, Any]:
    """Return the costs of the rows, what they add to the columns of each class, and the sizes of the classes."""
    sizes = np.array([_number(one["size"], values) for one in problem["classes"]])
    shares = [_number(one["share"], values) for one in problem["classes"]]
    costs, cover = [], []
    for decision in problem["decisions"]:
        own = None if decision["own"] is None else int(decision["own"])
        parts = [share * _number(cost, values) for share, cost in zip(shares, decision["costs"], strict=True)]
        right = 0.0 if own is None else shares[own] * _number(decision["right"], values)
        others = [size - (i == own) for i, size in enumerate(sizes)]
        total = sum(n * part for n, part in zip(others, parts, strict=True)) + right
        for chosen in product((0, 1), repeat=len(sizes)):
            for is_in in (0,) if own is None else (0, 1):
                members = [
                    n * bit + (is_in if i == own else 0) for i, (n, bit) in enumerate(zip(others, chosen, strict=True))
                ]
                inside = sum(n * bit * part for n, bit, part in zip(others, chosen, parts, strict=True)) + is_in * right
                costs.append(total + (gamma - 1) * inside)
                cover.append(sizes + (gamma - 1) * np.array(members))
    return np.array(costs), np.array(cover).T, sizes


def _number(tree: Any, values: Mapping[str, float]) -> float:
    """Return the value of a formula."""
    if isinstance(tree, str):
        return values[tree] if tree in values else float(Fraction(tree))
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return -_number(parts, values)
    if operation == "power":
        return float(_number(parts[0], values) ** int(parts[1]))
    found = [_number(part, values) for part in parts]
    if operation == "quotient":
        return found[0] / found[1]
    return sum(found) if operation == "sum" else float(np.prod(found))


def _values(problem: Any, number: int) -> dict[str, float]:
    """Return values of the parameters in their ranges."""
    values = {}
    for i, one in enumerate(problem["parameters"]):
        t = _VARIABLES[(number + 2 * i) % len(_VARIABLES)]
        low = float(Fraction(one["from"]))
        if one["whole"]:
            values[one["name"]] = low + round(t)
        elif one["to"] is None:
            values[one["name"]] = low + t
        else:
            values[one["name"]] = (low + float(Fraction(one["to"])) * t) / (1 + t)
    return values


def _points(problem: Any) -> Iterator[tuple[dict[str, float], float]]:
    for number in range(_POINTS):
        yield _values(problem, number), _LEVELS[number % len(_LEVELS)]


def cvxpy_twin(result: Any) -> Twin:
    """Return the twin: the linear program at several parameters and levels, beside the formulas.

    Raises:
        RouteDisagreementError: the least of the formulas is not the value of the program at some of them.
    """
    problem = result.problem.certified()
    pick = min if problem["sense"] == "minimise" else max
    program = to_cvxpy(result)
    parts = program.param_dict
    worst = 0.0
    for values, gamma in _points(problem):
        parts["costs"].value, parts["cover"].value, parts["sizes"].value = numbers_at(problem, values, gamma)
        value = solve(program, once=False, solvers=(cp.CLARABEL,)).value
        formulas = [_number(formula.tree, {**values, "gamma": gamma}) for formula in result.formulas]
        distance = abs(value - pick(formulas)) / max(1.0, abs(value))
        worst = max(worst, distance)
        if distance > _AGREES:
            at = ", ".join(f"{name} = {x:.6g}" for name, x in {**values, "gamma": gamma}.items())
            raise RouteDisagreementError(f"CVXPY: {value:.9g} at {at}, where the formulas give {pick(formulas):.9g}")
    return Twin(
        "CVXPY", value=f"equal at {_POINTS} points", agrees=f"within {max(worst, 1e-10):.0e}", solver="CLARABEL"
    )
