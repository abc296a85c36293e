"""The kernel as an exact linear programme, for P whose rows are dependent: C is then not determined by ``C P = A``.

The last row of C is what the others leave of 1, so the programme has the other r - 1 rows of C as variables:

    sum_o C_io P_oj = A_ij  (multiplier y_ij),    sum_i C_io <= 1  (multiplier z_o <= 0),    C >= 0.

A Farkas vector has ``sum_j y_ij P_oj + z_o <= 0`` and ``sum y_ij A_ij + sum z_o > 0``; so with Y_i = y_i, and 0 for the
last act, ``sum_o max(0, max_i Y_i . P_o) <= -sum z_o < sum_i Y_i . A_i``: the payoff of a task at which A earns more.
"""

from __future__ import annotations

from fractions import Fraction

from rropt.linear import Infeasible, LinearProgramme, Optimal, ProgrammeBuilder, solve
from rropt.orders.garblings.answers import Answer
from rropt.orders.garblings.pairs import Pair
from rropt.orders.garblings.refutations import rounded_payoff

__all__ = ["programmed_kernel"]

_ROUTE = "linear programme"


def programmed_kernel(pair: Pair) -> Answer:
    """Return a kernel, or a payoff that refutes it, by one exact linear programme of (r - 1) m variables."""
    r, m, k = pair.shape
    outcome = solve(_programme(pair))
    if isinstance(outcome, Infeasible):
        y = outcome.farkas
        stakes = {i: [y[i * k + j] * scale for j, scale in enumerate(pair.scales)] for i in range(r - 1)}
        payoff = rounded_payoff(pair, {i: row for i, row in stakes.items() if any(row)})
        return Answer(_ROUTE, task="acts", payoff=payoff)
    point = list(outcome.primal if isinstance(outcome, Optimal) else outcome.point)
    rows = [point[i * m : (i + 1) * m] for i in range(r - 1)]
    last = [1 - sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
    return Answer(_ROUTE, [*rows, last])


def _programme(pair: Pair) -> LinearProgramme:
    r, m, k = pair.shape
    builder = ProgrammeBuilder("minimise")
    c = [[builder.variable(f"C[{i},{o}]") for o in range(m)] for i in range(r - 1)]
    for i in range(r - 1):
        for j in range(k):
            terms = {c[i][o]: row[j] for o, row in enumerate(pair.source.rows)}
            builder.row(f"A[{i},{j}]", terms, "=", pair.target.rows[i][j])
    for o in range(m):
        builder.row(f"column {o}", {c[i][o]: 1 for i in range(r - 1)}, "<=", 1)
    return builder.build()
