"""Kernels C with ``A = C P``: by a system of equations if the kernel is unique, otherwise by a linear program.

*P has full row rank.* C is unique if it exists. Choose m columns S with P_S nonsingular, and let C = A_S P_S^-1. C is a
kernel iff ``C P = A`` also holds in the other columns and no entry is negative. Otherwise a bet with stakes y, where
passing pays nothing, proves that there is no kernel:

* If A_i is not a combination of rows of P, some y has ``P y = 0`` and ``A_i . y > 0``.
* If C_io < 0, the y with ``P y = -e_o`` has ``A_i . y = -C_io > 0``.

Both inequalities are strict, so y may be rounded to short numbers.

*The rows of P are dependent.* ``C P = A`` does not determine C, and an exact linear program finds it. Each column of C
sums to 1, which determines the last row. So the variables are the other r - 1 rows of C:

    sum_o C_io P_oj = A_ij  (multiplier y_ij),    sum_i C_io <= 1  (multiplier z_o <= 0),    C >= 0.

A Farkas vector has ``sum_j y_ij P_oj + z_o <= 0`` and ``sum y_ij A_ij + sum z_o > 0``. Let Y_i = y_i, and 0 for the
last act. Then ``sum_o max(0, max_i Y_i . P_o) <= -sum z_o < sum_i Y_i . A_i``: Y is the payoff of a task at which A
earns more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpz_mat, nmod_mat

from rropt.core.exact.numbers import whole_numbers
from rropt.core.linear import Infeasible, LinearProgram, Optimal, ProgramBuilder, solve
from rropt.designs.orders.reduced_pairs import KernelOrPayoff, Pair
from rropt.designs.orders.refutations import rounded_payoff

_UNIQUE, _PROGRAMMED = "unique kernel", "linear program"


def unique_kernel(pair: Pair) -> KernelOrPayoff | None:
    """Return the kernel, or a payoff that refutes it; ``None`` if P does not have full row rank."""
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
        return KernelOrPayoff(_UNIQUE, kernel)
    unit = [[-int(o == other) for other in range(len(source))]]
    solved = solve_left(_transposed(_block(source, chosen)), unit)[0]
    return _bet(pair, i, _spread(pair, dict(zip(chosen, solved, strict=True))))


def _null_vector(pair: Pair, chosen: list[int], j: int) -> list[Fraction]:
    """Return stakes y with ``P y = 0`` and y_j > 0."""
    source = pair.source.rows
    solved = solve_left(_transposed(_block(source, chosen)), [[row[j] for row in source]])[0]
    return _spread(pair, {j: Fraction(1), **{s: -x for s, x in zip(chosen, solved, strict=True)}})


def _spread(pair: Pair, entries: dict[int, Fraction]) -> list[Fraction]:
    """Return the vector with these entries at the integer columns, converted to stakes for the probabilities."""
    zero = Fraction(0)
    return [entries.get(j, zero) * scale for j, scale in enumerate(pair.scales)]


def _bet(pair: Pair, act: int, stakes: list[Fraction]) -> KernelOrPayoff:
    return KernelOrPayoff(_UNIQUE, task="bet", payoff=rounded_payoff(pair, {act: stakes}))


def _block(rows: Sequence[Sequence[int]], columns: Sequence[int]) -> list[list[int]]:
    return [[row[j] for j in columns] for row in rows]


def _transposed(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]


def programmed_kernel(pair: Pair) -> KernelOrPayoff:
    """Return a kernel, or a payoff that refutes it, from one exact linear program with (r - 1) m variables."""
    r, m, k = pair.shape
    outcome = solve(_program(pair))
    if isinstance(outcome, Infeasible):
        y = outcome.farkas
        stakes = {i: [y[i * k + j] * scale for j, scale in enumerate(pair.scales)] for i in range(r - 1)}
        payoff = rounded_payoff(pair, {i: row for i, row in stakes.items() if any(row)})
        return KernelOrPayoff(_PROGRAMMED, task="acts", payoff=payoff)
    point = list(outcome.primal if isinstance(outcome, Optimal) else outcome.point)
    rows = [point[i * m : (i + 1) * m] for i in range(r - 1)]
    last = [1 - sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
    return KernelOrPayoff(_PROGRAMMED, [*rows, last])


def _program(pair: Pair) -> LinearProgram:
    r, m, k = pair.shape
    builder = ProgramBuilder("minimise")
    c = [[builder.variable(f"C[{i},{o}]") for o in range(m)] for i in range(r - 1)]
    for i in range(r - 1):
        for j in range(k):
            terms = {c[i][o]: row[j] for o, row in enumerate(pair.source.rows)}
            builder.row(f"A[{i},{j}]", terms, "=", pair.target.rows[i][j])
    for o in range(m):
        builder.row(f"column {o}", {c[i][o]: 1 for i in range(r - 1)}, "<=", 1)
    return builder.build()


# The largest prime below 2^62: FLINT's fastest word-sized modulus. It divides a determinant with probability about
# n/2^62, and this is detected.
RANK_PRIME = 2**62 - 57


def independent_columns(rows: Sequence[Sequence[int]]) -> list[int] | None:
    """Return columns that form a nonsingular square block of an integer matrix with full row rank; else ``None``.

    The rank is computed modulo a prime. Columns that are found are independent. If the rank is smaller only modulo the
    prime, the function returns ``None``; the caller then uses a slower method, and the result stays correct.
    """
    m, k = len(rows), len(rows[0])
    if m > k:
        return None
    reduced, rank = nmod_mat(_integers(rows), RANK_PRIME).rref()
    if rank < m:
        return None
    pivots: list[int] = []
    for i in range(m):
        start = pivots[-1] + 1 if pivots else 0
        pivots.append(next(j for j in range(start, k) if int(reduced[i, j])))
    return pivots


def solve_left(matrix: Sequence[Sequence[int]], right: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    """Solve ``X B = R`` exactly by FLINT (Dixon's p-adic lifting), whose cost grows with the length of the solution.

    Args:
        matrix: B, n x n, integers, nonsingular.
        right: R, r x n, integers.
    """
    numerators, denominator = _integers(matrix).transpose().solve(_integers(right).transpose()).numer_denom()
    return [[Fraction(int(n), int(denominator)) for n in row] for row in numerators.transpose().tolist()]


def remainder(
    left: Sequence[Sequence[Fraction]], matrix: Sequence[Sequence[int]], right: Sequence[Sequence[int]]
) -> Any:
    """Return the exact ``R - X B`` times the positive common denominator of X, as an integer matrix."""
    integers, common = whole_numbers(x for row in left for x in row)
    return _integers(right) * common - fmpz_mat(len(left), len(matrix), integers) * _integers(matrix)


def _integers(rows: Sequence[Sequence[int]]) -> Any:
    return fmpz_mat(len(rows), len(rows[0]), [x for row in rows for x in row])
