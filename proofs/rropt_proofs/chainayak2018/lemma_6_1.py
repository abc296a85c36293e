"""Lemma 6.1: B P = P forces B = I."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.linear import Optimal, ProgrammeBuilder, solve
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, has_proportional_rows, identity, is_tpm, matrix
from rropt_proofs.chainayak2018._sufficiency_cores import FIXED_POINT, FIXED_POINT_STEPS, fixed_point_core
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm


def draw(rng: random.Random) -> Rows:
    return random_tpm(rng.randint(1, 5), rng.randint(2, 4), rng, least=rng.choice((0, 0, 1)))


@lru_cache(maxsize=2000)
def _freedom(rows: Rows) -> Fraction:
    """Return the largest m - trace(B) over the TPMs B with B P = P: 0 iff B = I is the only one."""
    m = len(rows)
    builder = ProgrammeBuilder("minimise")
    b = [[builder.variable(f"b{i},{u}", cost=int(i == u)) for u in range(m)] for i in range(m)]
    for u in range(m):
        builder.row(f"column {u}", {b[i][u]: 1 for i in range(m)}, "=", 1)
    for i in range(m):
        for j in range(len(rows[0])):
            builder.row(f"entry {i},{j}", {b[i][u]: rows[u][j] for u in range(m)}, "=", rows[i][j])
    outcome = solve(builder.build())
    if not isinstance(outcome, Optimal):
        raise ArithmeticError("B = I is always a solution")
    return m - Fraction(outcome.value)


def theory(_: Point) -> Fraction:
    """No freedom: the trace of B is m."""
    return Fraction(0)


def computed(point: Point) -> Fraction:
    return _freedom(point["P"])


def mutant(point: Point) -> Fraction:
    """Some freedom with more rows than columns."""
    return Fraction(int(len(point["P"]) > len(point["P"][0])), 2)


def proof() -> Proof:
    return Proof(
        scope="all m and k, all TPMs B and P, P without zero and without proportional rows",
        argument=FIXED_POINT,
        certificates=fixed_point_core(),
        unchecked_steps=FIXED_POINT_STEPS,
    )


CLAIM = Claim(
    id="chainayak2018.lemma-6.1",
    source=f"{PAPER}, Lemma 6.1",
    printed=r"Suppose $B_{m\times m}$ and $P_{m\times k}$ are two transition probability matrices, $P$ has no zero or "
    r"proportional rows and $(B-I)P=0$. Then, $B=I$, the identity matrix of order $m$.",
    precise="For every TPM P (m x k) without zero rows and without two proportional rows, the only TPM B with B P = P "
    "is the identity: the largest m - trace(B) over all of them is 0.",
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
                matrix("1/5 1/10; 1/5 1/5; 1/5 3/10; 1/5 1/20; 1/5 7/20"),
                matrix("1/3 1/3; 2/3 2/3"),  # proportional rows
                matrix("1 1; 0 0"),  # a zero row
            ),
            draw,
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
    proof=proof,
    count=80,
    notes="The proof here needs neither irreducibility nor a theorem on ranks. It shows in general that b_iu > 0 only "
    "where rows i and u of P are proportional.",
)
