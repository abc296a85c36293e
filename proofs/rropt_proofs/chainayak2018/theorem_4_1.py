"""Theorem 4.1: two procedures are equivalent exactly when one is the other with its rows in another order."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import equivalent, in_class, matrix, product
from rropt_proofs.chainayak2018._sufficiency_cores import FIXED_POINT
from rropt_proofs.chainayak2018._sufficiency_members import draw_member, random_tpm, with_constant_row


def draw(rng: random.Random) -> dict[str, Any]:
    """P with a reordering, a garbling, a copy with a constant row, or another member."""
    member = draw_member(rng)
    rows, gamma = member["P"], member["gamma"]
    kind = rng.choice(("reordered", "reordered", "garbled", "constant", "other"))
    other = tuple(rng.sample(rows, len(rows)))
    if kind == "garbled":
        other = product(random_tpm(len(rows), len(rows), rng), rows)
    elif kind == "constant":
        other = with_constant_row(other, rows[0][0])
    elif kind == "other":
        fresh = draw_member(rng)["P"]
        other = fresh if len(fresh[0]) == len(rows[0]) else other
    return {"gamma": gamma, "A": other, "P": rows}


SQUARES = "the sum of b_iu s_u (x_u - x_i)^2, by B P and B s"
SAME = "equivalent"


def _square(point: Point) -> tuple[tuple[tuple[Fraction, ...], ...], list[Fraction], list[Fraction]]:
    """B of the order of P; s, the sums of the rows of P; x, one column of P over s."""
    rows = point["case"]["P"]
    b = tuple(tuple(Fraction(x) for x in row[: len(rows)]) for row in point["B"][: len(rows)])
    s = [sum(row, Fraction(0)) for row in rows]
    return b, s, [row[0] / total for row, total in zip(rows, s, strict=True)]


def theory(point: Point) -> dict[str, Any]:
    """m = r and A = C P for a permutation matrix C: the same rows, each as often; and the sum of squares expanded."""
    case, (b, s, x) = point["case"], _square(point)
    columns = [sum(column, Fraction(0)) for column in zip(*b, strict=True)]
    first = sum((total * y * y * c for total, y, c in zip(s, x, columns, strict=True)), Fraction(0))
    mixed = product(b, tuple((row[0],) for row in case["P"]))  # B P, one column
    sums = product(b, tuple((total,) for total in s))  # B s
    rest = sum((y * y * bs[0] - 2 * y * bp[0] for y, bp, bs in zip(x, mixed, sums, strict=True)), Fraction(0))
    return {SQUARES: first + rest, SAME: sorted(case["A"]) == sorted(case["P"])}


def computed(point: Point) -> dict[str, Any]:
    """Both garblings exist, by two exact linear programs; and the sum of squares term by term."""
    b, s, x = _square(point)
    order = range(len(b))
    squares = sum((b[i][u] * s[u] * (x[u] - x[i]) ** 2 for i in order for u in order), Fraction(0))
    return {SQUARES: squares, SAME: equivalent(point["case"]["A"], point["case"]["P"])}


def mutant(point: Point) -> dict[str, Any]:
    """C is the identity."""
    return {**theory(point), SAME: bool(point["case"]["A"] == point["case"]["P"])}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument="'If' is Remark 4.2. 'Only if': let A = C P and P = C* A. Then B = C* C is a TPM with B P = P, and C "
        "C* one with (C C*) A = A. "
        + FIXED_POINT
        + " So C* C = I of order r and C C* = I of order m, and m = r, the common trace. In C* C = I the sum of the "
        "nonnegative c*_iu c_uj over u is 0 for i != j. Column j of C has a positive entry c_uj; then c*_iu = 0 for i "
        "!= j, so column u of C*, which sums to 1, has c*_ju = 1; hence c_uj' = 0 for j' != j. Every column of C thus "
        "has a row of its own; as there are as many rows as columns, C has one positive entry in each row and column, "
        "and it is 1.",
        unchecked_steps=(
            "'if' is Remark 4.2, (ii): a permutation matrix is no relation",
            "'only if', from the sum of squares: B = C* C has columns that sum to 1, B P = P and B s = s, so that "
            "the sum is 0 and every b_iu with i != u, x_u != x_i is 0; B is a product of matrices that a garbling "
            "only says exist, and 'for every column of P' is needed at once",
            "'only if', from C* C = I and C C* = I to a permutation: the places of positive entries, in words",
        ),
    )


_WARNER = matrix("2/3 1/3; 1/3 2/3")
_THREE = matrix("1/2 1/4; 1/4 1/2; 1/4 1/4")

CLAIM = Claim(
    id="chainayak2018.theorem-4.1",
    source=f"{PAPER}, Theorem 4.1",
    place=(4, 3),
    printed=r"Two procedures $A_{m\times k},P_{r\times k}\in\mathcal{C}_\gamma$ are equivalent if and only if $m=r$ "
    r"and $A=CP$, where $C$ is a permutation matrix.",
    precise="For A and P in C_gamma: A = C P and P = C* A for some TPMs C and C* if and only if A and P have the same "
    "rows up to their order.",
    variables={
        "case": Domain(
            "gamma > 1 and two matrices A, P of equally many columns, meant to be in C_gamma",
            (
                {"gamma": 2, "A": _WARNER, "P": _WARNER},
                {"gamma": 2, "A": _WARNER[::-1], "P": _WARNER},
                {"gamma": 2, "A": matrix("3/5 2/5; 2/5 3/5"), "P": _WARNER},
                {"gamma": 2, "A": _THREE[::-1], "P": _THREE},
                {"gamma": 2, "A": _THREE, "P": _WARNER},
                {"gamma": 2, "A": matrix("1/3 1/6; 1/3 1/6; 1/3 2/3"), "P": _WARNER[::-1]},  # proportional rows: out
            ),
            draw,
        ),
        "B": Domain(
            "a matrix B, nonnegative; its part of the order of P is taken",
            (tuple(tuple(Fraction(int(i == j)) for j in range(12)) for i in range(12)),),
            lambda rng: tuple(tuple(Fraction(rng.randint(0, 6), 6) for _ in range(12)) for _ in range(12)),
            entries={(): "x >= 0"},
        ),
    },
    assumptions=(
        Condition("A is in C_gamma", lambda p: in_class(p["case"]["A"], p["case"]["gamma"])),
        Condition("P is in C_gamma", lambda p: in_class(p["case"]["P"], p["case"]["gamma"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="The bound on the parity is not used: what matters is that no row is zero and no two are proportional. The "
    "printed proof rests on Lemma 6.1, whose printed proof has a slip (lemma-6.1-proof); the proof here is another "
    "one.",
)
