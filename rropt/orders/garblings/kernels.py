"""Kernels: one system of equations where the kernel is unique, a linear programme where it is not.

When P has full row rank C is unique if it exists. Choose m columns S with P_S nonsingular. C = A_S P_S^-1; it is the
answer iff ``C P = A`` at the other columns too and no entry is negative. Otherwise one act proves that there is none,
with stakes y and nothing for passing:

* A_i is no combination of rows of P: some y has ``P y = 0`` and ``A_i . y > 0``;
* C_io < 0: y with ``P y = -e_o`` has ``A_i . y = -C_io > 0``.

Both are strict, so y may be rounded to short numbers.

When rows of P are dependent C is not determined by ``C P = A``, and is found by an exact linear programme. The last row
of C is what the others leave of 1, so the programme has the other r - 1 rows of C as variables:

    sum_o C_io P_oj = A_ij  (multiplier y_ij),    sum_i C_io <= 1  (multiplier z_o <= 0),    C >= 0.

A Farkas vector has ``sum_j y_ij P_oj + z_o <= 0`` and ``sum y_ij A_ij + sum z_o > 0``; so with Y_i = y_i, and 0 for the
last act, ``sum_o max(0, max_i Y_i . P_o) <= -sum z_o < sum_i Y_i . A_i``: the payoff of a task at which A earns more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.linear import Infeasible, LinearProgramme, Optimal, ProgrammeBuilder, solve
from rropt.orders.garblings.lifting import independent_columns, remainder, solve_left
from rropt.orders.garblings.pairs import Answer, Pair
from rropt.orders.garblings.refutations import rounded_payoff

_UNIQUE, _PROGRAMMED = "unique kernel", "linear programme"


def unique_kernel(pair: Pair) -> Answer | None:
    """Return the kernel, or a payoff that refutes it; None when P has not full row rank."""
    source, target = pair.source.rows, pair.target.rows
    chosen = independent_columns(source)
    if chosen is None:
        return None
    kernel = solve_left(_block(source, chosen), _block(target, chosen))
    others = sorted(set(range(len(pair.scales))) - set(chosen))
    if others:
        excess = remainder(kernel, _block(source, others), _block(target, others)).entries()
        if any(excess):
            found = next(n for n, x in enumerate(excess) if x)
            i, j = divmod(found, len(others))
            stakes = _null_vector(pair, chosen, others[j])
            return _bet(pair, i, stakes if excess[found] > 0 else [-y for y in stakes])
    least, i, o = min((c, i, o) for i, row in enumerate(kernel) for o, c in enumerate(row))
    if least >= 0:
        return Answer(_UNIQUE, kernel)
    unit = [[-int(o == other) for other in range(len(source))]]
    solved = solve_left(_transposed(_block(source, chosen)), unit)[0]
    return _bet(pair, i, _spread(pair, dict(zip(chosen, solved, strict=True))))


def _null_vector(pair: Pair, chosen: list[int], j: int) -> list[Fraction]:
    """Return y with ``P y = 0`` and y_j > 0."""
    source = pair.source.rows
    solved = solve_left(_transposed(_block(source, chosen)), [[row[j] for row in source]])[0]
    return _spread(pair, {j: Fraction(1), **{s: -x for s, x in zip(chosen, solved, strict=True)}})


def _spread(pair: Pair, entries: dict[int, Fraction]) -> list[Fraction]:
    """Return the vector with these entries for the integer columns, as stakes for the probabilities."""
    zero = Fraction(0)
    return [entries.get(j, zero) * scale for j, scale in enumerate(pair.scales)]


def _bet(pair: Pair, act: int, stakes: list[Fraction]) -> Answer:
    return Answer(_UNIQUE, task="bet", payoff=rounded_payoff(pair, {act: stakes}))


def _block(rows: Sequence[Sequence[int]], columns: Sequence[int]) -> list[list[int]]:
    return [[row[j] for j in columns] for row in rows]


def _transposed(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def programmed_kernel(pair: Pair) -> Answer:
    """Return a kernel, or a payoff that refutes it, by one exact linear programme of (r - 1) m variables."""
    r, m, k = pair.shape
    outcome = solve(_programme(pair))
    if isinstance(outcome, Infeasible):
        y = outcome.farkas
        stakes = {i: [y[i * k + j] * scale for j, scale in enumerate(pair.scales)] for i in range(r - 1)}
        payoff = rounded_payoff(pair, {i: row for i, row in stakes.items() if any(row)})
        return Answer(_PROGRAMMED, task="acts", payoff=payoff)
    point = list(outcome.primal if isinstance(outcome, Optimal) else outcome.point)
    rows = [point[i * m : (i + 1) * m] for i in range(r - 1)]
    last = [1 - sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
    return Answer(_PROGRAMMED, [*rows, last])


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
