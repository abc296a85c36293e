"""The conditions of linear programs in plain fractions, one entry at a time; and changes of one entry of a document."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

from adversary.writing import Path, is_number, walk
from rropt import solve
from rropt.core.linear import LinearProgram
from rropt.designs.problem import Problem
from rropt.objectives import Trace
from rropt.privacy import PrivacyRegion

F = Fraction
WORDS = {"minimise", "maximise", "nonnegative", "free", "<=", ">=", "="}


def largest_trace(k: int, epsilon: str, delta: str = "0") -> str:
    """Return the file of the largest trace over k inputs, which has multipliers for all pairs."""
    problem = Problem(PrivacyRegion(epsilon, delta, inputs=k, outputs=k), Trace([1] * k), [F(1, k)] * k)
    certificate = solve(problem, ["closed-form"]).certificate
    assert certificate is not None
    return certificate.file_text


def pairs(data: list[list[str]], below: int) -> dict[int, Fraction] | None:
    """Return the entries of a sparse list, None when it is malformed."""
    indices = [F(index) for index, _ in data]
    whole = all(index.denominator == 1 and 0 <= index < below for index in indices)
    ascending = all(a < b for a, b in pairwise(indices))
    if not whole or not ascending or any(F(value) == 0 for _, value in data):
        return None
    return {int(index): F(value) for index, (_, value) in zip(indices, data, strict=True)}


def feasible(program: LinearProgram, x: list[Fraction]) -> bool:
    holds = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "=": lambda a, b: a == b}
    signs = all(value >= 0 or variable.sign == "free" for value, variable in zip(x, program.variables, strict=True))
    return signs and all(holds[row.relation](row.at(x), row.rhs) for row in program.rows)


def bounds(program: LinearProgram, y: dict[int, Fraction], costs: list[Fraction], sense: str) -> bool:
    """Whether y has the right signs, and so have the reduced costs."""
    sign = 1 if sense == "minimise" else -1
    for i, value in y.items():
        relation = program.rows[i].relation
        if (relation == ">=" and sign * value < 0) or (relation == "<=" and sign * value > 0):
            return False
    for j, variable in enumerate(program.variables):
        column = (
            y.get(i, F(0)) * dict(zip(row.columns, row.values, strict=True)).get(j, F(0))
            for i, row in enumerate(program.rows)
        )
        reduced = sign * (costs[j] - sum(column, F(0)))
        if reduced < 0 or (reduced and variable.sign == "free"):
            return False
    return True


def places(document: Any) -> list[Path]:
    """Return the positions of all numbers, and of the words that have alternatives."""
    return [path for path, value in walk(document) if is_number(value) or (isinstance(value, str) and value in WORDS)]


def mutated(text: str, rng: random.Random) -> str:
    for group in ({"minimise", "maximise"}, {"nonnegative", "free"}, {"<=", ">=", "="}):
        if text in group:
            return rng.choice(sorted(group - {text}))
    value = F(text)
    tiny = F(1, 10 ** rng.choice([3, 30]))
    others = [
        value + 1,
        value - 1,
        -value,
        2 * value,
        value / 2,
        value + tiny,
        value - tiny,
        F(0),
        F(rng.randint(-9, 9), 4),
    ]
    return str(rng.choice([other for other in others if other != value]))
