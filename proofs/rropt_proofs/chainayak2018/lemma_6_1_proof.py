"""Lemma 6.1, its proof: identical columns do not make identical rows."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Correction, Domain, Point, Proof
from rropt.claims.positivity import prove_identity
from rropt.mechanisms.left_inverse import consistent_solution, flint_matrix
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    Row,
    Rows,
    has_proportional_rows,
    is_tpm,
    matrix,
    product,
    proportional,
    text,
)
from rropt_proofs.chainayak2018._sufficiency_cores import FIXED_POINT, FIXED_POINT_STEPS, fixed_point_core
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

RANK, COLUMNS, ROWS, CONTRADICTION, BLOCK_RANK, BLOCK, NONSINGULAR, NOTHING = (
    "B irreducible: rank(B - I) = m - 1",
    "B irreducible: all columns of P are identical",
    "B irreducible: all rows of P are identical",
    "B irreducible: P has proportional rows, a contradiction",
    "(i) L = 0: rank(R - I) = s - 1",
    "(i) L = 0: all rows of P_s are the same",
    "(ii) L is not 0: R - I is nonsingular",
    "(ii) L is not 0: P_s = 0",
)
KIND = {
    **dict.fromkeys((RANK, COLUMNS, ROWS, CONTRADICTION), "whole"),
    **dict.fromkeys((BLOCK_RANK, BLOCK), "L = 0"),
    **dict.fromkeys((NONSINGULAR, NOTHING), "L not 0"),
}


def _irreducible(rows: Rows) -> bool:
    """Whether there is a path between any two states."""
    size = len(rows)
    reached = [{u for u in range(size) if rows[u][j] or u == j} for j in range(size)]
    for _ in range(size):
        reached = [set().union(*(reached[u] for u in found)) for found in reached]
    return all(len(found) == size for found in reached)


def _stationary(rows: Rows) -> Row:
    """The distribution v with B v = v of an irreducible B."""
    one, zero = Fraction(1), Fraction(0)
    fixed = [[x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(rows)]
    found = consistent_solution([*fixed, [one] * len(rows)], [*[zero] * len(rows), one])
    assert found is not None
    return found


def _draw_irreducible(rng: random.Random, size: int) -> Rows:
    while True:
        rows = random_tpm(size, size, rng)
        if _irreducible(rows):
            return rows


def _beside(block: Rows, shares: Row) -> dict[str, Any]:
    """B = diag(1, R), and P whose columns mix the distributions that B leaves fixed: ``shares`` of R, the rest of 1."""
    zero, one = Fraction(0), Fraction(1)
    whole = ((one, *(zero,) * len(block)), *((zero, *row) for row in block))
    below = tuple(tuple(v * share for share in shares) for v in _stationary(block))
    return {"B": whole, "P": (tuple(1 - share for share in shares), *below), "R": block, "t": 1, "kind": "L = 0"}


def _between(block: Rows, shares: Row, last: Rows) -> dict[str, Any]:
    """B = diag(1, R, N): as above, the rest shared between 1 and N, so that a block N stands below R."""
    case, size = _beside(block, shares), len(last)
    wide = tuple((*row, *(Fraction(0),) * size) for row in case["B"])
    below = tuple((*(Fraction(0),) * len(case["B"]), *row) for row in last)
    rest = tuple(x / 2 for x in case["P"][0])
    tail = tuple(tuple(v * x for x in rest) for v in _stationary(last))
    return {**case, "B": (*wide, *below), "P": (rest, *case["P"][1:], *tail)}


def draw(rng: random.Random) -> dict[str, Any]:
    kind = rng.choice(tuple(KIND.values()))
    block = _draw_irreducible(rng, rng.randint(2, 3))
    k = rng.randint(2, 3)
    if kind == "L = 0":
        shares = tuple(Fraction(rng.randint(1, 5), 6) for _ in range(k))
        return _beside(block, shares) if rng.random() < 0.5 else _between(block, shares, _draw_irreducible(rng, 2))
    if kind == "L not 0":  # a last row takes a part of the first column of R
        part = Fraction(1, rng.randint(2, 5))
        shrunk = tuple((row[0] * (1 - part), *row[1:]) for row in block)
        last = (part, *(Fraction(0),) * (len(block) - 1), Fraction(1))
        whole = (*((*row, Fraction(0)) for row in shrunk), last)
        return {
            "B": whole,
            "P": (*((Fraction(0),) * k for _ in block), (Fraction(1),) * k),
            "R": shrunk,
            "t": 0,
            "kind": kind,
        }
    return _whole(block, k)


def _whole(rows: Rows, k: int = 2) -> dict[str, Any]:
    """B irreducible; B P = P leaves one P: the stationary distribution in every column."""
    return {"B": rows, "P": tuple((v,) * k for v in _stationary(rows)), "R": rows, "t": 0, "kind": "whole"}


def theory(_: Point) -> bool:
    return True


def computed(point: Point) -> bool:
    """The step by exact linear algebra; rows that the step calls the same are compared entry by entry."""
    return _is_true(point, lambda rows: len(set(rows)) == 1)


def corrected(point: Point) -> bool:
    """The step with proportional rows in the place of equal ones."""
    return _is_true(point, lambda rows: all(proportional(rows[0], row) for row in rows))


def _is_true(point: Point, same: Any) -> bool:
    case, step = point["case"], point["step"]
    rows, size = case["P"], len(case["R"])
    reduced = [[x - int(i == j) for j, x in enumerate(row)] for i, row in enumerate(case["R"])]
    if step in (RANK, BLOCK_RANK):
        return bool(flint_matrix(reduced).rank() == size - 1)
    if step == COLUMNS:
        return len(set(zip(*rows, strict=True))) == 1
    if step == CONTRADICTION:
        return has_proportional_rows(rows)
    if step == NONSINGULAR:
        return bool(flint_matrix(reduced).rank() == size)
    block = rows[case["t"] : case["t"] + size]
    return not any(map(any, block)) if step == NOTHING else bool(same(block))


def mutant(point: Point) -> bool:
    """In case (ii) R - I is singular."""
    return point["step"] != NONSINGULAR


def working(point: Point) -> str:
    """B P, and the rows in question."""
    case = point["case"]
    rows = case["P"]
    block = rows[case["t"] : case["t"] + len(case["R"])]
    ratio = block[0][0] / block[1][0]
    return (
        f"B = {text(case['B'])}, P = {text(rows)}: B P = {text(product(case['B'], rows))} = P\nthe rows "
        f"{text(block)} are not the same, but proportional: the first is {ratio} times the second"
    )


def proof() -> Proof:
    t, x, y = sp.symbols("t x y")
    return Proof(
        scope="all m >= 2, all k, all TPMs with B P = P: the corrected steps",
        argument=FIXED_POINT + " In an irreducible B, or an irreducible block R with L = 0, a path of positive entries "
        "joins any two states, and proportionality passes along it: all rows of P, or of P_s, are proportional. If B "
        "is irreducible, all columns are multiples of one vector and sum to 1, so they are identical: P = (v, ..., v), "
        "and row i is v_i (1, ..., 1), constant. Rows i and u are equal only if v_i = v_u, but v_u row_i = v_i row_u "
        "always. For m >= 2, or s >= 2, this contradicts that no two rows are proportional.",
        certificates=(
            *fixed_point_core(),
            (
                "a column t (x, y) with x + y = 1 sums to t, which is 1",
                prove_identity(t * x + t * y, t, [x + y - 1]),
            ),
        ),
        unchecked_steps=(
            *FIXED_POINT_STEPS,
            "irreducible: a path of positive entries joins any two states, and proportionality passes along it: a path "
            "that exists is no expression",
        ),
    )


CLAIM = Claim(
    id="chainayak2018.lemma-6.1-proof",
    source=f"{PAPER}, proof of Lemma 6.1",
    place=(6, 2),
    printed=r"First, suppose $B_{m\times m}$ is irreducible, if possible. [...] we obtain $\text{rank}(B-I)=m-1$. This "
    "implies that the dimension of $V_0$ is 1 and hence all columns of $P$ are proportional. Actually, they "
    "are identical (as the sum of each column is 1) and hence all rows of $P$ are also identical. This "
    "contradicts the assumption that $P$ has no proportional rows. [...] (i) $L=0$ or $L$ does not exist "
    r"(i.e., $s=m-t$). [...] $\text{rank}(R-I)=s-1$. So, the dimension of $V_1$ is 1, implying that all "
    "columns of $P_s$ are constant multiples of a common vector and consequently all rows of $P_s$ are the "
    r"same. [...] (ii) $L\ne0$. [...] $(R-I)$ is nonsingular. Now, $(R-I)P_s=0$ implies that $P_s=0$, which is "
    "a contradiction.",
    precise="For TPMs with B P = P, m >= 2: if B is irreducible, rank(B - I) = m - 1, the columns of P are identical, "
    "its rows are identical, and two are proportional. If B has the diagonal block R, irreducible of order s >= 2, "
    "with L = 0 or no L, rank(R - I) = s - 1 and the rows of P that belong to R are the same. If L is not 0, R - I is "
    "nonsingular, and those rows are 0. (The steps are read without the assumption that they are to contradict.)",
    variables={
        "case": Domain(
            "TPMs with B P = P, and the block R of B after t states; L is the block below R",
            (
                _whole(matrix("0 1; 1 0")),
                _whole(matrix("0 1/2; 1 1/2")),
                _whole(matrix("0 0 1/2; 1 0 1/2; 0 1 0")),
                _beside(matrix("0 1; 1 0"), (Fraction(1, 2), Fraction(1, 3))),
                _beside(matrix("0 1/2; 1 1/2"), (Fraction(1, 2), Fraction(1, 3))),
                _between(matrix("0 1/2; 1 1/2"), (Fraction(1, 2), Fraction(1, 3)), matrix("0 1; 1 0")),
            ),
            draw,
        ),
        "step": Domain.values("the step", *KIND),
    },
    assumptions=(
        Condition("the step speaks of this case", lambda p: KIND[p["step"]] == p["case"]["kind"]),
        Condition(
            "B and P are TPMs with B P = P, m >= 2",
            lambda p: (
                is_tpm(p["case"]["B"])
                and is_tpm(p["case"]["P"])
                and len(p["case"]["B"]) >= 2
                and product(p["case"]["B"], p["case"]["P"]) == p["case"]["P"]
            ),
        ),
        Condition("R is irreducible", lambda p: _irreducible(p["case"]["R"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"all columns of $P$ are identical, so each row is constant and all rows are proportional (for $m\ge2$ the "
        r"same contradiction); in (i) the columns of $P_s$ are multiples of one vector, so its rows are proportional.",
        theory,
        computed=corrected,
    ),
    proof=proof,
    working=working,
    count=250,
    notes="The contradiction is reached all the same, since proportional rows are excluded, and Lemma 6.1 is true. For "
    "m = 1 there is none: B = (1) is irreducible, and is the identity.",
)
