"""Exact linear programs over the k x k TPMs of parity at most gamma (Theorem 4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rropt.claims import exact_cache
from rropt.core.linear import Optimal, ProgramBuilder, solve

__all__ = ["largest_trace"]


def _largest(k: int, gamma: Fraction, payoff: Mapping[tuple[int, int], int]) -> Fraction:
    """Return the largest ``sum payoff_ij p_ij``.

    ``t_i <= p_ij <= gamma t_i`` is the parity of row i, with t_i its least entry or less.
    """
    builder = ProgramBuilder("maximise")
    p = [[builder.variable(f"p{i},{j}", cost=payoff.get((i, j), 0)) for j in range(k)] for i in range(k)]
    least = [builder.variable(f"t{i}") for i in range(k)]
    for j in range(k):
        builder.row(f"column {j}", {p[i][j]: 1 for i in range(k)}, "=", 1)
    for i in range(k):
        for j in range(k):
            builder.row(f"t{i} <= p{i},{j}", {p[i][j]: 1, least[i]: -1}, ">=", 0)
            builder.row(f"p{i},{j} <= gamma t{i}", {least[i]: gamma, p[i][j]: Fraction(-1)}, ">=", 0)
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal):
        raise ArithmeticError("the matrices of parity at most gamma are a polytope that holds the constant one")
    return Fraction(outcome.value)


@exact_cache
def largest_trace(k: int, gamma: Fraction) -> Fraction:
    """Return the largest trace of a k x k TPM of parity at most gamma."""
    return _largest(k, gamma, {(i, i): 1 for i in range(k)})
