"""The machine-checked cores of sections 4 to 6: identities and inequalities that carry the proofs for all k, m, gamma.

Two of them bear everything.

*Fixed points are trivial* (Lemma 6.1). B P = P, s_i = sum_j p_ij > 0, x_i = p_ij / s_i for one j. Then B s = s, and

    sum_{i,u} b_iu s_u (x_u - x_i)^2 = 0,

so b_iu > 0 only where row u is proportional to row i.

*Every row is a sum of patterns* (Lemmas 4.2 to 4.4). e_S is gamma on the set S of columns and 1 elsewhere. A row with
values v_1 > ... > v_r, v_1 <= gamma v_r, taken >= v_s on S_s, is sum_{s<r} w_s e_{S_s} + c with
w_s = (v_s - v_{s+1})/(gamma - 1) > 0 and c = v_r - (v_1 - v_r)/(gamma - 1) >= 0.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from rropt.claims.positivity import prove_identity
from rropt.core.certificates import Certificate

__all__ = [
    "DOMINATION",
    "DOMINATION_GAPS",
    "FIXED_POINT",
    "FIXED_POINT_STEPS",
    "RIGIDITY",
    "RIGIDITY_GAP",
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


RIGIDITY = (
    "Let A = C P with A in C_gamma^0 and P in C_gamma, and let S be the set of columns where row i of A has its larger "
    "value. For j in S and l outside, a_ij = gamma a_il, so 0 = gamma a_il - a_ij = sum_u c_iu (gamma p_ul - p_uj), a "
    "sum of nonnegative terms: c_iu > 0 forces p_uj = gamma p_ul, for all such pairs. Hence p_uj is the same for all j "
    "in S, and the same for all l outside, and row u of P is proportional to row i of A. As no two rows of P are "
    "proportional, row i of C has one positive entry, in column u(i); as no two rows of A are, u is injective; as the "
    "columns of C sum to 1, no column is zero, so u is onto and the entries are 1: C is a permutation matrix."
)
DOMINATION = (
    "For a set S of columns, neither empty nor full, let e_S be gamma on S and 1 elsewhere. A row with values v_1 > "
    "... > v_r, v_1 <= gamma v_r, is sum_{s<r} w_s e_{S_s} + c, where S_s is the set of columns with values >= v_s, "
    "w_s = (v_s - v_{s+1})/(gamma - 1) > 0 and c = v_r - (v_1 - v_r)/(gamma - 1) = (gamma v_r - v_1)/(gamma - 1) >= 0. "
    "Add up over the rows of A in C_gamma: W_S e_S summed over S is 1 - d in every column, d the sum of the c_i. Some "
    "row is not constant (else all are proportional), so some W_S > 0 and d < 1. The rows W_S e_S/(1 - d), W_S > 0, "
    "form a TPM P; e_S is a multiple of e_T only for S = T, and no single e_S is constant, so P has at least two rows, "
    "no two of them proportional, each with two values of ratio gamma: P is in C_gamma^0. A = C P with C_iS = (1 - d) "
    "w_iS/W_S + c_i >= 0, whose columns sum to (1 - d) + d = 1. Strictly: on rows v of parity at most gamma, Y_S(v), "
    "the sum of v_j - gamma v_l over j in S and l outside, is at most 0, and 0 only at multiples of e_S. If P = D A, "
    "then 0 = sum_S Y_S(P_S) = sum_S sum_i D_Si Y_S(a_i), so D_Si > 0 forces row i of A to be a multiple of e_S; each "
    "column of D has a positive entry, so every row of A has two values of ratio gamma. Hence P is strictly better "
    "than A unless A itself is in C_gamma^0."
)
RIGIDITY_GAP = (
    "whether a garbling exists is no expression, and that C is a permutation matrix is read off the places of its "
    "positive entries; (4.1) and its terms are tested"
)
DOMINATION_GAPS = (
    "W_S e_S/(1 - d) is a TPM P and A = C P: that every row is a sum of patterns is tested; that the rows are added up "
    "by sets S is in words",
    "e_S is proportional to e_T only for S = T: a statement about sets, which are no numbers",
    "P is strictly better: that no TPM D has P = D A is a quantifier over D",
)
