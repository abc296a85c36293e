"""Remark 4.1: proportional rows may be merged."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.orders import merge_proportional_rows
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._sufficiency import (
    PAPER,
    Rows,
    equivalent,
    has_proportional_rows,
    identity,
    is_tpm,
    matrix,
    product,
    proportional,
)
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

SPLIT, MERGE, SAME, REPEATED = (
    "A = C P*, the matrix C P*",
    "P* = C* A, the matrix C* A",
    "A and P* are equivalent",
    "repeated, it ends in a P without proportional rows, equivalent to A",
)


def draw(rng: random.Random) -> Rows:
    """A TPM whose first row is split in two proportional ones, perhaps again."""
    rows = random_tpm(rng.randint(2, 3), rng.randint(2, 3), rng, least=rng.randint(0, 1))
    for _ in range(rng.randint(1, 2)):
        share = Fraction(rng.randint(1, 5), 6)
        rows = (tuple(share * x for x in rows[0]), tuple((1 - share) * x for x in rows[0]), *rows[1:])
    return rows


def _merged(rows: Rows) -> Rows:
    """P*: the sum of the first two rows, then the others."""
    return (tuple(x + y for x, y in zip(rows[0], rows[1], strict=True)), *rows[2:])


def _blocks(rows: Rows, top: str) -> Rows:
    """The blocks ``top`` and I of order m - 2 on the diagonal, zeros elsewhere."""
    head = matrix(top)
    rest = identity(len(rows) - 2)
    width = len(head[0])
    below = tuple((Fraction(0),) * width + row for row in rest)
    return tuple(row + (Fraction(0),) * len(rest) for row in head) + below


def _splitting(rows: Rows) -> Rows:
    """C as printed, delta from the sums of the first two rows."""
    delta = sum(rows[0]) / (sum(rows[0]) + sum(rows[1]))
    return _blocks(rows, f"{delta}; {1 - delta}")


def theory(point: Point) -> Any:
    rows, part = point["A"], point["part"]
    if part == SPLIT:
        return product(_splitting(rows), _merged(rows))
    if part == MERGE:
        return product(_blocks(rows, "1 1"), rows)
    return True


def computed(point: Point) -> Any:
    rows, part = point["A"], point["part"]
    if part == SPLIT:
        return rows
    if part == MERGE:
        return _merged(rows)
    if part == SAME:
        return equivalent(rows, _merged(rows))
    last = merge_proportional_rows(Mechanism(rows)).mechanism.matrix
    return equivalent(rows, last) and not has_proportional_rows(last)


def mutant(point: Point) -> Any:
    """delta and 1 - delta exchanged in C."""
    rows = point["A"]
    if point["part"] != SPLIT:
        return theory(point)
    first, second, *others = product(_splitting(rows), _merged(rows))
    return (second, first, *others)


def proof() -> Proof:
    x, y, d = sp.symbols("x y delta")
    return Proof(
        scope="all m >= 2, all k, all TPMs whose first two rows are proportional",
        argument="The first two rows of C P* are delta (a_1 + a_2) = a_1 and (1 - delta)(a_1 + a_2) = a_2, the first "
        "row of C* A is a_1 + a_2, the other rows are carried over by I. Both matrices are nonnegative, and their "
        "columns sum to delta + (1 - delta) = 1, or to 1. Each merging takes one row away, so finitely many end in a P "
        "without proportional rows, and equivalence is transitive, since a product of TPMs is one.",
        certificates=(
            ("delta (a_1 + a_2) = a_1", prove_identity(d * (x + y), x, [x - d * (x + y)])),
            ("(1 - delta)(a_1 + a_2) = a_2", prove_identity((1 - d) * (x + y), y, [x - d * (x + y)])),
        ),
        unchecked_steps=("rows that a unit block carries over", "repetition: the number of rows falls each time"),
    )


CLAIM = Claim(
    id="chainayak2018.remark-4.1",
    source=f"{PAPER}, Remark 4.1",
    printed=r"Let the first two rows of $A_{m\times k}$ be proportional, $\vec a_1=\delta(\vec a_1+\vec a_2)$, "
    r"$0<\delta<1$, and let $P^*_{(m-1)\times k}$ be $A$ with these rows merged. Then $A$ and $P^*$ are equivalent, as "
    r"$A=CP^*$ and $P^*=C^*A$ with "
    r"$C=\left(\begin{array}{c|c}\delta&0\\1-\delta&0\\\hline 0&I\end{array}\right)$ and "
    r"$C^*=\left(\begin{array}{c|c}1&1\\0&0\\\hline 0&I\end{array}\right)$. Repeating this eliminates all proportional "
    r"rows: there is a $P\sim A$ without any.",
    precise="For every TPM A without zero rows whose first two rows are proportional, and P* = (a_1 + a_2; a_3; ...; "
    "a_m): C P* = A and C* A = P* with the printed matrices; A and P* are equivalent; so is the matrix that is left "
    "when all proportional rows are merged. C* is read with the blocks (1 1 | 0; 0 0 | I), of order (m - 1) x m, as "
    "the orders of A and P* demand.",
    variables={
        "A": Domain(
            "a TPM whose first two rows are meant to be proportional, m >= 3",
            (
                matrix("1/2 1/4; 1/4 1/8; 1/4 5/8"),
                matrix("1/2 0; 1/2 0; 0 1"),
                matrix("1/6 1/6; 1/3 1/3; 1/2 1/2"),
                matrix("2/3 1/3; 1/3 2/3"),  # not proportional
            ),
            draw,
        ),
        "part": Domain.values("what is said", SPLIT, MERGE, SAME, REPEATED),
    },
    assumptions=(
        Condition("A is a TPM without zero rows", lambda p: is_tpm(p["A"]) and all(map(any, p["A"]))),
        Condition("the first two rows are proportional", lambda p: proportional(p["A"][0], p["A"][1])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=80,
    notes="The text as extracted shows C* with a row (0 | 0) more than the orders allow. The same text has gamma^k for "
    "gamma k in Theorem 4.4 and T for I in the proof of Lemma 4.4, where the same matrix stands in its right form; so "
    "the row is taken for a slip of the extraction. With it, C* A would be P* and a row of zeros, and nothing else "
    "changes: if it is printed so, C* must lose that row.",
)
