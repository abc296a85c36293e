"""The identities behind the proof of Lemma 6.1, for all k and m.

*Fixed points are trivial* (Lemma 6.1). B P = P, s_i = sum_j p_ij > 0, x_i = p_ij / s_i for one j. Then B s = s, and

    sum_{i,u} b_iu s_u (x_u - x_i)^2 = 0,

so b_iu > 0 only where row u is proportional to row i.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate

__all__ = [
    "FIXED_POINT",
    "FIXED_POINT_STEPS",
    "Certificates",
    "fixed_point_core",
]

Certificates = tuple[tuple[str, Certificate], ...]

FIXED_POINT = (
    "Let B P = P with TPMs B and P, no row of P zero; s_i > 0 the sum of row i of P, and x_i = p_ij / s_i for a fixed "
    "j. Summing B P = P over j gives B s = s. Since the columns of B sum to 1, sum_{i,u} b_iu s_u (x_u - x_i)^2 = "
    "sum_u s_u x_u^2 - 2 sum_i x_i (B P)_ij + sum_i x_i^2 (B s)_i = 0. Every term is nonnegative, so b_iu > 0 forces "
    "x_u = x_i, for every j: rows i and u are proportional. If no two rows are, b_iu = 0 for i != u, and b_uu = 1."
)
FIXED_POINT_STEPS = (
    "B P = P with b_iu > 0 only where rows i and u are proportional: the sum of squares has certificates for m = 2, 3 "
    "and 4 alone",
)


@cache
def fixed_point_core() -> Certificates:
    """Return the identities behind B P = P => B = I."""
    b, p, q, s, t = sp.symbols("b p q s t")  # b_iu; p = p_uj, s = s_u; q = p_ij, t = s_i
    term = b * p**2 / s - 2 * (q / t) * (b * p) + (q / t) ** 2 * (b * s)
    found = [("one term of the sum", prove_identity(b * s * (p / s - q / t) ** 2, term))]
    for m in (2, 3, 4):
        weights, x = sp.symbols(f"s1:{m + 1}"), sp.symbols(f"x1:{m + 1}")
        free = [[sp.Symbol(f"b{i + 1}{u + 1}") for u in range(m)] for i in range(m)]
        matrix = [
            [free[i][u] if i != u else 1 - sum(free[v][u] for v in range(m) if v != u) for u in range(m)]
            for i in range(m)
        ]
        pairs = [(i, u) for i in range(m) for u in range(m)]
        energy = sum(matrix[i][u] * weights[u] * (x[u] - x[i]) ** 2 for i, u in pairs)
        excess = [  # of (B P)_ij over p_ij, and of (B s)_i over s_i
            (
                sum(matrix[i][u] * weights[u] * x[u] for u in range(m)) - weights[i] * x[i],
                sum(matrix[i][u] * weights[u] for u in range(m)) - weights[i],
            )
            for i in range(m)
        ]
        vanishing = sum(-2 * x[i] * first + x[i] ** 2 * second for i, (first, second) in enumerate(excess))
        found.append((f"the sum is a combination of B P - P and B s - s, m = {m}", prove_identity(energy, vanishing)))
    return tuple(found)
