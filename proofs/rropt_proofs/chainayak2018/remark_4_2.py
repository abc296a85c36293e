"""Remark 4.2: permuting the rows changes neither the parity nor the information."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.positivity import prove_identity
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, equivalent, identity, is_tpm, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm


def draw(rng: random.Random) -> dict[str, Any]:
    m, k = rng.randint(1, 4), rng.randint(1, 4)
    unit = identity(m)
    return {"C": tuple(unit[i] for i in rng.sample(range(m), m)), "P": random_tpm(m, k, rng)}


def _is_permutation(c: Rows) -> bool:
    unit = identity(len(c))
    return sorted(c) == sorted(unit)


def theory(point: Point) -> tuple[Fraction | float, bool]:
    """(i) the parity of P; (ii) equivalent."""
    return parity(point["case"]["P"]), True


def computed(point: Point) -> tuple[Fraction | float, bool]:
    rows = product(point["case"]["C"], point["case"]["P"])
    return parity(rows), equivalent(rows, point["case"]["P"])


def mutant(point: Point) -> tuple[Fraction | float, bool]:
    """Equivalent only if nothing moves."""
    return parity(point["case"]["P"]), point["case"]["C"] == identity(len(point["case"]["P"]))


def proof() -> Proof:
    c, x, y = sp.symbols("c x y")
    once = ((1 - c) * x + c * y, c * x + (1 - c) * y)
    twice = (1 - c) * once[0] + c * once[1]
    return Proof(
        scope="all m and k, all P, all permutation matrices C",
        argument="eta is the largest of the row parities, and C P has the same rows. A permutation matrix has "
        "nonnegative entries and columns that sum to 1. Every permutation is a product of exchanges of two rows, and "
        "an exchange is its own inverse, so C^-1 is a permutation matrix, a TPM: A = C P and P = C^-1 A.",
        certificates=(
            ("C C = I for C = [[1 - c, c], [c, 1 - c]] with c = 0 or 1", prove_identity(twice, x, [c**2 - c])),
        ),
        unchecked_steps=("every permutation is a product of exchanges", "a largest value does not depend on the order"),
    )


CLAIM = Claim(
    id="chainayak2018.remark-4.2",
    source=f"{PAPER}, Remark 4.2",
    printed=r"If $C_{m\times m}$ is a permutation matrix and $A=CP$, then (i) $\eta(A)=\eta(P)$ and (ii) $A\sim P$ (as "
    r"$C^{-1}$ is also a permutation matrix and hence TPM).",
    precise="For every TPM P and every permutation matrix C that fits, C P has the parity of P and each garbles to the "
    "other.",
    variables={
        "case": Domain(
            "a permutation matrix C and a TPM P, zeros allowed",
            (
                {"C": identity(2), "P": matrix("2/3 1/3; 1/3 2/3")},
                {"C": identity(2)[::-1], "P": matrix("2/3 1/3; 1/3 2/3")},
                {"C": identity(2)[::-1], "P": identity(2)},
                {"C": identity(1), "P": matrix("1 1")},
                {"C": matrix("0 0 1; 1 0 0; 0 1 0"), "P": matrix("1/2 1/4; 1/4 1/2; 1/4 1/4")},
                {"C": matrix("1/2 1/2; 1/2 1/2"), "P": identity(2)},  # no permutation
            ),
            draw,
        )
    },
    assumptions=(
        Condition("C is a permutation matrix", lambda p: _is_permutation(p["case"]["C"])),
        Condition("P is a TPM", lambda p: is_tpm(p["case"]["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
)
