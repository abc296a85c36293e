"""Lemma 6.1: B P = P forces B = I."""

from __future__ import annotations

import random
from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Domain, Point, exact_cache
from rropt.core.linear import Optimal, ProgramBuilder, solve
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, has_proportional_rows, identity, is_tpm, matrix, trace
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm


def draw(rng: random.Random) -> Rows:
    return random_tpm(rng.randint(1, 3), rng.randint(2, 3), rng, least=rng.choice((0, 0, 1)))


@exact_cache
def _freest(rows: Rows) -> Rows:
    """Return the TPM B of least trace with B P = P."""
    m = len(rows)
    builder = ProgramBuilder("minimise")
    b = [[builder.variable(f"b{i},{u}", cost=int(i == u)) for u in range(m)] for i in range(m)]
    for u in range(m):
        builder.row(f"column {u}", {b[i][u]: 1 for i in range(m)}, "=", 1)
    for i in range(m):
        for j in range(len(rows[0])):
            builder.row(f"entry {i},{j}", {b[i][u]: rows[u][j] for u in range(m)}, "=", rows[i][j])
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal):
        raise ArithmeticError("B = I is always a solution")
    return tuple(tuple(Fraction(outcome.primal[i * m + u]) for u in range(m)) for i in range(m))


def theory(_: Point) -> Bound:
    """No freedom: the trace of B is not below m."""
    return Bound("at-most", Fraction(0))


def computed(point: Point) -> Fraction:
    """The largest m - trace(B)."""
    return len(point["P"]) - trace(_freest(point["P"]))


def mutant(point: Point) -> Bound:
    """Less than no freedom with more rows than columns."""
    return Bound("at-most", -Fraction(int(len(point["P"]) > len(point["P"][0])), 2))


CLAIM = Claim(
    id="chainayak2018.lemma-6.1",
    source=f"{PAPER}, Lemma 6.1",
    place=(6, 1),
    printed=r"Suppose $B_{m\times m}$ and $P_{m\times k}$ are two transition probability matrices, $P$ has no zero or "
    r"proportional rows and $(B-I)P=0$. Then, $B=I$, the identity matrix of order $m$.",
    precise="For every TPM P (m x k) without zero rows and without two proportional rows, the only TPM B with B P = P "
    "is the identity: the largest m - trace(B) over all of them is not above 0 (B = I has 0).",
    variables={
        "P": Domain(
            "a TPM, zeros allowed",
            (
                matrix("1 1"),
                identity(2),
                identity(3),
                matrix("2/3 1/3; 1/3 2/3"),
                matrix("1/2 1/4; 1/4 1/2; 1/4 1/4"),
                matrix("1/2 0; 1/4 1/4; 1/4 3/4"),
                matrix("1/4 1/10; 1/4 1/5; 1/4 3/10; 1/4 2/5"),
                matrix("1/3 1/3; 2/3 2/3"),  # proportional rows
                matrix("1 1; 0 0"),  # a zero row
            ),
            draw,
            entries={(): "x >= 0"},
        )
    },
    assumptions=(
        Condition("P is a TPM", lambda p: is_tpm(p["P"])),
        Condition("no row of P is zero", lambda p: all(map(any, p["P"]))),
        Condition("no two rows of P are proportional", lambda p: not has_proportional_rows(p["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=16,
    notes="The proof here needs neither irreducibility nor a theorem on ranks. It shows in general that b_iu > 0 only "
    "where rows i and u of P are proportional."
    " Let B P = P with TPMs B and P, no row of P zero; s_i > 0 the sum of row i of P, and x_i = p_ij / s_i for a "
    "fixed j. Summing B P = P over j gives B s = s. Since the columns of B sum to 1, sum_{i,u} b_iu s_u (x_u - "
    "x_i)^2 = sum_u s_u x_u^2 - 2 sum_i x_i (B P)_ij + sum_i x_i^2 (B s)_i = 0. Every term is nonnegative, so "
    "b_iu > 0 forces x_u = x_i, for every j: rows i and u are proportional. If no two rows are, b_iu = 0 for i != "
    "u, and b_uu = 1.",
)
