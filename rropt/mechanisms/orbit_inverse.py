"""The left inverse of a mechanism given by orbits, by a system with one unknown for each group.

With a reference population that is uniform, ``D = diag(P r)`` is constant on orbits, and ``M = P^T D^-1 P`` is
``diag(alpha_a) + B_ab`` in blocks: alpha_a on the diagonal of group a, B_ab everywhere in the block of groups a and b.
For ``M x = t`` the sums X_a of x over the groups satisfy ``alpha_a X_a + k_a sum_b B_ab X_b = T_a``, T_a of t, and

    ``x_j = (t_j - sum_b B_ab X_b) / alpha_a``.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rropt.errors import InfeasibleError

_Orbit = tuple[tuple[tuple[Fraction, int], ...], ...]


def orbit_inverse(
    groups: Sequence[int], orbits: Sequence[tuple[int, _Orbit]], t: Sequence[Fraction]
) -> tuple[Fraction, ...]:
    """Return x with ``M x = t``.

    Args:
        groups: k_a, the sizes of the groups.
        orbits: the number of outputs of each orbit, and for each group its pairs (entry, how often).
        t: ``P^T D^-1 l`` for shares l of the answers, shape (k,).

    Raises:
        InfeasibleError: M is singular: the population is not identified.
    """
    from flint import fmpq, fmpq_mat

    alpha, blocks = _blocks(groups, orbits)
    size = len(groups)
    starts = [sum(groups[:a]) for a in range(size + 1)]
    sums = [sum(t[starts[a] : starts[a + 1]], Fraction(0)) for a in range(size)]
    system = [[groups[a] * blocks[a][b] + alpha[a] * (a == b) for b in range(size)] for a in range(size)]
    try:
        if not all(alpha):
            raise ZeroDivisionError
        flat = [fmpq(x.numerator, x.denominator) for row in system for x in row]
        solved = fmpq_mat(size, size, flat).solve(fmpq_mat(size, 1, [fmpq(x.numerator, x.denominator) for x in sums]))
    except ZeroDivisionError:
        raise InfeasibleError(
            f"the answers do not identify the population: received orbits over groups of sizes {list(groups)} whose "
            "columns are linearly dependent; use a mechanism of full column rank"
        ) from None
    totals = [Fraction(int(solved[a, 0].p), int(solved[a, 0].q)) for a in range(size)]
    shifts = [sum((x * total for x, total in zip(row, totals, strict=True)), Fraction(0)) for row in blocks]
    return tuple((t[j] - shifts[a]) / alpha[a] for a in range(size) for j in range(starts[a], starts[a + 1]))


def _blocks(groups: Sequence[int], orbits: Sequence[tuple[int, _Orbit]]) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Return alpha and B."""
    size = len(groups)
    blocks = [[Fraction(0)] * size for _ in groups]
    diagonal = [Fraction(0)] * size
    for n, orbit in orbits:
        sums = [sum((v * c for v, c in values), Fraction(0)) for values in orbit]
        squares = [sum((v * v * c for v, c in values), Fraction(0)) for values in orbit]
        if not any(sums):
            continue  # an answer that nobody gives
        weight = n * sum(groups) / sum(sums, Fraction(0))
        for a, k in enumerate(groups):
            diagonal[a] += weight * squares[a] / k
            for b in range(size):
                if a != b:
                    blocks[a][b] += weight * sums[a] * sums[b] / (k * groups[b])
                elif k > 1:
                    blocks[a][a] += weight * (sums[a] ** 2 - squares[a]) / (k * (k - 1))
    return [diagonal[a] - blocks[a][a] for a in range(size)], blocks
