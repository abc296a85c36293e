"""Solve designs for the trace or a loss under several privacy levels: each output has a label, so rows are joined."""

from __future__ import annotations

from fractions import Fraction

from rropt.core.exact.numbers import dot
from rropt.designs.engine.designs import limit_of, solved_by_rays
from rropt.designs.problem import Problem
from rropt.designs.solution import ProvedDesign
from rropt.mechanisms import Mechanism
from rropt.objectives import Payoff
from rropt.privacy.region import RationalLevels


def _gains(problem: Problem) -> list[list[Fraction]]:
    """Return L with the objective ``sum_i L_i . p_i`` over the labels i, which is maximized; shape (m, k)."""
    sign = 1 if problem.objective.sense == "maximise" else -1
    return [[sign * x for x in row] for row in problem.objective.linear().costs(problem.population)]


def _of_decisions(problem: Problem) -> Problem:
    """Return the problem of the largest payoff with these gains, over mechanisms with any number of outputs."""
    k, region = problem.region.inputs, problem.region.any_outputs
    assert region is not None  # only called for problems of this kind
    return Problem(region, Payoff([[k * x for x in row] for row in _gains(problem)]), [Fraction(1, k)] * k)


def solved_by_decisions(problem: Problem, levels: RationalLevels) -> ProvedDesign:
    """Return the optimal design: the label of a row is its best decision, and rows with one label are added.

    Adding rows keeps the sum and does not increase any excess ``sum_i max(0, p_ij - gamma p_il)``.
    """
    found = solved_by_rays(_of_decisions(problem), levels)
    gains = _gains(problem)
    rows = [[Fraction(0)] * problem.region.inputs for _ in gains]
    for row in found.mechanism.matrix:
        label = max(range(len(gains)), key=lambda i: dot(gains[i], row))
        rows[label] = [x + p for x, p in zip(rows[label], row, strict=True)]
    ends = (found.lower, found.upper) if problem.objective.sense == "maximise" else (-found.upper, -found.lower)
    return ProvedDesign(*ends, Mechanism(rows), found.dual)


def limit_of_labelled(problem: Problem) -> str | None:
    """Return which limit a problem exceeds."""
    return limit_of(_of_decisions(problem))
