"""Theorem 4.1: two procedures are equivalent exactly when one is the other with its rows in another order."""

from __future__ import annotations

import random
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt_proofs.chainayak2018._sufficiency import PAPER, equivalent, in_class, matrix, product
from rropt_proofs.chainayak2018._sufficiency_cores import FIXED_POINT, FIXED_POINT_STEPS, fixed_point_core
from rropt_proofs.chainayak2018._sufficiency_members import draw_member, random_tpm, with_constant_row


def draw(rng: random.Random) -> dict[str, Any]:
    """P beside a reordering, a garbling, a copy with a constant row, or another member."""
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


def theory(point: Point) -> bool:
    """m = r and A = C P for a permutation matrix C: the same rows, each as often."""
    return sorted(point["case"]["A"]) == sorted(point["case"]["P"])


def computed(point: Point) -> bool:
    """Both garblings exist, by two exact linear programmes."""
    return equivalent(point["case"]["A"], point["case"]["P"])


def mutant(point: Point) -> bool:
    """C is the identity."""
    return bool(point["case"]["A"] == point["case"]["P"])


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all m, r, k, all A and P without zero and without proportional rows",
        argument="'If' is Remark 4.2. 'Only if': let A = C P and P = C* A. Then B = C* C is a TPM with B P = P, and C "
        "C* one with (C C*) A = A. "
        + FIXED_POINT
        + " So C* C = I of order r and C C* = I of order m, and m = r, the common trace. In C* C = I the sum of the "
        "nonnegative c*_iu c_uj over u is 0 for i != j. Column j of C has a positive entry c_uj; then c*_iu = 0 for i "
        "!= j, so column u of C*, which sums to 1, has c*_ju = 1; hence c_uj' = 0 for j' != j. Every column of C thus "
        "has a row of its own; as there are as many rows as columns, C has one positive entry in each row and column, "
        "and it is 1.",
        certificates=fixed_point_core(),
        unchecked_steps=(
            *FIXED_POINT_STEPS,
            "trace(C* C) = trace(C C*)",
            "the argument on the places of the positive entries of C, given in words",
        ),
    )


_WARNER = matrix("2/3 1/3; 1/3 2/3")
_THREE = matrix("1/2 1/4; 1/4 1/2; 1/4 1/4")

CLAIM = Claim(
    id="chainayak2018.theorem-4.1",
    source=f"{PAPER}, Theorem 4.1",
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
        )
    },
    assumptions=(
        Condition("A is in C_gamma", lambda p: in_class(p["case"]["A"], p["case"]["gamma"])),
        Condition("P is in C_gamma", lambda p: in_class(p["case"]["P"], p["case"]["gamma"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="iff",
    proof=proof,
    count=60,
    notes="The bound on the parity is not used: what matters is that no row is zero and no two are proportional. The "
    "printed proof rests on Lemma 6.1, whose printed proof has a slip (lemma-6.1-proof); the proof here is another "
    "one.",
)
