"""The same problems written down naively: every ordered pair of inputs, nothing reduced, solved elsewhere."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from later import later

from rropt.core.linear import LinearProgram, ProgramBuilder
from rropt.designs.problem import Problem
from rropt.privacy import LevelsRegion
from rropt.privacy.bounded_regions import BoundedRegion

linprog = later("scipy.optimize", "linprog")


def naive_program(problem: Problem, gammas: dict[tuple[int, int], Fraction], delta: Fraction) -> LinearProgram:
    """Return ``p_ij <= gamma_jl p_il`` (with delta: ``+ e_i,jl``) for all pairs, at rational gammas."""
    objective, region = problem.objective, problem.region
    m, k = region.outputs, region.inputs
    costs = objective.costs(problem.population)
    builder = ProgramBuilder(objective.sense)
    p = [[builder.variable(f"p{i}{j}", cost=costs[i][j]) for j in range(k)] for i in range(m)]
    for (j, other), gamma in gammas.items():
        excess = []
        for i in range(m):
            terms = {p[i][j]: Fraction(1), p[i][other]: -gamma}
            if delta:
                excess.append(builder.variable(f"e{i}{j}{other}"))
                terms[excess[-1]] = Fraction(-1)
            builder.row("privacy", terms, "<=", 0)
        if delta:
            builder.row("delta", dict.fromkeys(excess, 1), "<=", delta)
    if isinstance(region, BoundedRegion):
        for i in range(m):
            for j in range(k):
                if region.least[i][j] > 0:
                    builder.row("least", {p[i][j]: 1}, ">=", region.least[i][j])
                if region.most[i][j] < 1:
                    builder.row("most", {p[i][j]: 1}, "<=", region.most[i][j])
    for j in range(k):
        builder.row("sum", {p[i][j]: 1 for i in range(m)}, "=", 1)
    return builder.build()


def gammas_of(problem: Problem) -> tuple[dict[tuple[int, int], float], float]:
    """Return the odds bound of every pair with a condition, and delta, in floats."""
    region = problem.region.region if isinstance(problem.region, BoundedRegion) else problem.region
    k = region.inputs
    if isinstance(region, LevelsRegion):
        return {
            (j, other): float(np.exp(float(level)))
            for j, row in enumerate(region.pair_levels)
            for other, level in enumerate(row)
            if level is not None
        }, 0.0
    gamma = float(np.exp(float(region.epsilon)))
    return {(j, other): gamma for j in range(k) for other in range(k) if j != other}, float(region.delta)


def exact_gammas(problem: Problem) -> tuple[dict[tuple[int, int], Fraction], Fraction]:
    """Return the same exactly, at rational levels."""
    region = problem.region.region if isinstance(problem.region, BoundedRegion) else problem.region
    k = region.inputs
    if isinstance(region, LevelsRegion):
        found = {
            (j, other): level.gamma
            for j, row in enumerate(region.pair_levels)
            for other, level in enumerate(row)
            if level is not None
        }
        assert None not in found.values()
        return found, Fraction(0)  # type: ignore[return-value]
    assert region.epsilon.gamma is not None
    assert region.delta.rational is not None
    return {(j, o): region.epsilon.gamma for j in range(k) for o in range(k) if j != o}, region.delta.rational


def scipy_optimum(program: LinearProgram) -> float | None:
    """Return the optimum by SciPy in floats, or None when it says infeasible."""
    sign = 1 if program.sense == "minimise" else -1
    n = len(program.variables)
    upper, bounds, equal, sums = [], [], [], []
    for row in program.rows:
        line = np.zeros(n)
        line[list(row.columns)] = [float(x) for x in row.values]
        if row.relation == "=":
            equal.append(line)
            sums.append(float(row.rhs))
        else:
            turn = 1 if row.relation == "<=" else -1
            upper.append(turn * line)
            bounds.append(turn * float(row.rhs))
    cost = np.array([sign * float(v.cost) for v in program.variables])
    found = linprog(cost, A_ub=np.array(upper), b_ub=bounds, A_eq=np.array(equal), b_eq=sums, method="highs")
    return sign * float(found.fun) if found.status == 0 else None
