"""The trace problem: the largest program whose optimum is known for every size."""

from __future__ import annotations

from fractions import Fraction

from rropt.core.linear import LinearProgram, ProgramBuilder


def trace_program(gamma: Fraction, weights: list[Fraction]) -> LinearProgram:
    """Maximise `sum w_i p_ii` subject to `t_i <= p_ij <= gamma t_i` and columns that sum to 1."""
    k = len(weights)
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p[{i},{j}]", cost=weights[i] if i == j else 0) for j in range(k)] for i in range(k)]
    t = [builder.variable(f"t[{i}]") for i in range(k)]
    for i in range(k):
        for j in range(k):
            builder.row(f"low[{i},{j}]", {p[i][j]: 1, t[i]: -1}, ">=", 0)
            builder.row(f"high[{i},{j}]", {p[i][j]: 1, t[i]: -gamma}, "<=", 0)
    for j in range(k):
        builder.row(f"column[{j}]", {p[i][j]: 1 for i in range(k)}, "=", 1)
    return builder.build()
