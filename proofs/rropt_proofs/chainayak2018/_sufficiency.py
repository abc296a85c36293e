"""What the entries of sections 4 to 6 share: C_gamma by definition, and garbling and domination by linear programs.

A procedure is its matrix P, rows are responses, columns (true categories) sum to 1. Nothing here uses C1 and C2 to
decide: a garbling is a feasible point of an exact linear program, and whether something dominates P is read off the
extreme rays of the cone of rows of parity at most gamma, which are found by exact vertex enumeration.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

from rropt.core.exact.flint_numbers import flint_matrix
from rropt.core.linear import Optimal, ProgramBuilder, solve
from rropt.core.linear.vertices import vertices
from rropt_proofs._matrices import (
    Numbers,
    Rows,
    is_tpm,
    row_parity,
)


def proportional(left: Numbers, right: Numbers) -> bool:
    """Return whether two rows that are not zero are multiples of each other: all minors of order 2 vanish."""
    return all(left[i] * right[j] == left[j] * right[i] for i, j in combinations(range(len(left)), 2))


def has_proportional_rows(rows: Rows) -> bool:
    """Return whether two of the rows are proportional."""
    return any(proportional(a, b) for a, b in combinations(rows, 2))


def in_class(rows: Rows, gamma: Fraction) -> bool:
    """Return whether P is in C_gamma: a TPM without zero row, m >= 2, parity at most gamma, no proportional rows."""
    if len(rows) < 2 or gamma <= 1 or not is_tpm(rows):
        return False
    if not all(x <= gamma * y for row in rows for x in row for y in row):  # a row without zeros, or a zero row
        return False
    return all(map(any, rows)) and not has_proportional_rows(rows)


def satisfies_c1(rows: Rows, gamma: Fraction) -> bool:
    """Return whether every row has parity gamma."""
    return all(row_parity(row) == gamma for row in rows)


def satisfies_c2(rows: Rows) -> bool:
    """Return whether every row has exactly two distinct values."""
    return all(len(set(row)) == 2 for row in rows)


@cache
def garbles(source: Rows, target: Rows) -> bool:
    """Return whether ``target = C source`` for some TPM C: an exact linear program in the entries of C."""
    builder = ProgramBuilder("minimise")
    c = [[builder.variable(f"c{i},{u}") for u in range(len(source))] for i in range(len(target))]
    for u in range(len(source)):
        builder.row(f"column {u} of C", {row[u]: 1 for row in c}, "=", 1)
    for i, row in enumerate(target):
        for j, entry in enumerate(row):
            builder.row(f"entry {i},{j}", {c[i][u]: source[u][j] for u in range(len(source))}, "=", entry)
    return isinstance(solve(builder.build()), Optimal)


def equivalent(left: Rows, right: Rows) -> bool:
    """Return whether each garbles to the other."""
    return garbles(left, right) and garbles(right, left)


@cache
def extreme_rows(k: int, gamma: Fraction) -> Rows:
    """Return the extreme rays of {v >= 0 : v_j <= gamma v_l for all j, l}, scaled to sum 1, for k <= 4.

    With v_k = 1 - v_1 - ... - v_(k-1) they are the vertices of a polytope of dimension k - 1.
    """
    forms = [[Fraction(int(i == j)) for i in range(k - 1)] + [Fraction(0)] for j in range(k - 1)]
    forms.append([Fraction(-1)] * (k - 1) + [Fraction(1)])
    pairs = [[gamma * x - y for x, y in zip(forms[i], forms[j], strict=True)] for i, j in permutations(range(k), 2)]
    return tuple(sorted((*corner, 1 - sum(corner, Fraction(0))) for corner in vertices(pairs)))


@cache
def _weights(row: Numbers, gamma: Fraction) -> tuple[tuple[int, Fraction], ...]:
    """Return nonnegative weights of extreme rays that make a row up, by an exact linear program."""
    rays = extreme_rows(len(row), gamma)
    builder = ProgramBuilder("minimise")
    columns = [builder.variable(f"ray {r}") for r in range(len(rays))]
    for j, entry in enumerate(row):
        builder.row(f"entry {j}", {columns[r]: ray[j] for r, ray in enumerate(rays)}, "=", entry)
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal):
        raise ArithmeticError("a row of parity at most gamma lies in the cone of the extreme rays")
    return tuple((r, Fraction(x)) for r, x in enumerate(outcome.primal) if x)


def refined(rows: Rows, gamma: Fraction) -> Rows:
    """Return a procedure that garbles to P and whose rows are extreme rays: each row of P, split along the rays."""
    totals: dict[int, Fraction] = {}
    for row in filter(any, rows):
        size = sum(row, Fraction(0))
        for ray, weight in _weights(tuple(x / size for x in row), gamma):
            totals[ray] = totals.get(ray, Fraction(0)) + size * weight
    rays = extreme_rows(len(rows[0]), gamma)
    return tuple(tuple(weight * x for x in rays[ray]) for ray, weight in sorted(totals.items()))


def strictly_better(better: Rows, worse: Rows) -> bool:
    """Return whether ``better`` garbles to ``worse`` and not conversely."""
    return garbles(better, worse) and not garbles(worse, better)


def is_admissible(rows: Rows, gamma: Fraction) -> bool:
    """Return whether no member of C_gamma is strictly better than P in C_gamma, without using C1 and C2.

    If A is strictly better, each row of P is a combination of rows of A and these of extreme rays. So splitting the
    rows of P along the rays in some way gives a strictly better procedure; if one way gives an equivalent one, that is
    P with its rows in another order (Theorem 4.1), its rows are extreme rays, and there is no other way.
    """
    return not strictly_better(refined(rows, gamma), rows)


def has_full_row_rank(rows: Rows) -> bool:
    """Return whether the rows are linearly independent."""
    return bool(flint_matrix(rows).rank() == len(rows))
