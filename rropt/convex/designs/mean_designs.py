"""Designs of numbers in CVXPY: the problem of the listed numbers, without the variance of the numbers themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import cvxpy as cp

from rropt.convex.posing import explained
from rropt.core.results.twins import Twin


def constant(design: Any) -> Fraction:
    """Return the variance of the numbers at their proportions, which the value of the problem contains beside V."""
    if design.proportions is None:
        return Fraction(0)
    pairs = list(zip(design.inputs, design.proportions, strict=True))
    mean = sum((p * x for x, p in pairs), Fraction(0))
    return sum((p * x * x for x, p in pairs), Fraction(0)) - mean * mean


def to_cvxpy(design: Any) -> cp.Problem:
    """Return the program of the listed numbers; its value is V. Of a range it is a lower bound, for the grid alone.

    Raises:
        UnsupportedProblemError: there are too many numbers.
    """
    program = design.solution.to_cvxpy()
    shifted = cp.Problem(cp.Minimize(program.objective.expr - float(constant(design))), program.constraints)
    return explained(shifted, program.rows, **program.meanings)


def cvxpy_twin(design: Any) -> Twin:
    """Return the twin of the problem of the listed numbers."""
    twins = design.solution.kept_twins
    found: Twin = design.solution.cvxpy_twin() if twins is None else twins.cvxpy
    return found
