"""Remark 4.2: permuting the rows changes neither the parity nor the information."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._bayes import share
from rropt_proofs.chainayak2018._sufficiency import Rows, equivalent, identity, is_tpm, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

ETA = "(i) eta/(1 + eta), 1 for eta infinite"
BACK, COLUMN = "(ii) an entry of P = C^-1 A, C^-1 the transpose of C", "(ii) a column sum of C^-1"


def draw(rng: random.Random) -> dict[str, Any]:
    m, k = rng.randint(1, 4), rng.randint(1, 4)
    unit = identity(m)
    return {"C": tuple(unit[i] for i in rng.sample(range(m), m)), "P": random_tpm(m, k, rng)}


def _is_permutation(c: Rows) -> bool:
    unit = identity(len(c))
    return sorted(c) == sorted(unit)


def _place(point: Point) -> tuple[int, int]:
    """A row of P and a column."""
    (u, j), rows = point["place"], point["case"]["P"]
    return u % len(rows), j % len(rows[0])


def theory(point: Point) -> dict[str, Any]:
    """(i) the parity of P; (ii) P itself, and the transpose of C is a TPM."""
    u, j = _place(point)
    return {ETA: share(parity(point["case"]["P"])), BACK: point["case"]["P"][u][j], COLUMN: Fraction(1)}


def computed(point: Point) -> dict[str, Any]:
    """A = C P, and the transpose of C times A; by linear programs A and P are equivalent."""
    c, rows = point["case"]["C"], point["case"]["P"]
    made, back, (u, j) = product(c, rows), tuple(zip(*c, strict=True)), _place(point)
    if not equivalent(made, rows):
        raise ArithmeticError("each garbles to the other, but not by linear programs")
    return {ETA: share(parity(made)), BACK: product(back, made)[u][j], COLUMN: sum(c[u], Fraction(0))}


def mutant(point: Point) -> dict[str, Any]:
    """C in the place of C^-1."""
    c, (u, j) = point["case"]["C"], _place(point)
    return {**theory(point), BACK: product(c, product(c, point["case"]["P"]))[u][j]}


CLAIM = Claim(
    id="chainayak2018.remark-4.2",
    source=f"{PAPER}, Remark 4.2",
    place=(4, 2),
    printed=r"Specifically, it can be seen that if $C_{m\times m}$ is a permutation matrix and $A=CP$, then (i) "
    r"$\eta(A)=\eta(P)$ and (ii) $A\sim P$ (as $C^{-1}$ is a also a permutation matrix and hence TPM).",
    precise="For every TPM P and every permutation matrix C that fits, C P has the parity of P, and each garbles to "
    "the other: A = C P, and P = C^-1 A at every place, where C^-1, the transpose of C, is a TPM.",
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
            entries={("C",): "x >= 0", ("P",): "x >= 0"},
        ),
        "place": Domain(
            "the numbers of a row of P and of a column",
            ((0, 0), (1, 1)),
            lambda rng: (rng.randint(0, 11), rng.randint(0, 11)),
        ),
    },
    assumptions=(
        Condition("C is a permutation matrix", lambda p: _is_permutation(p["case"]["C"])),
        Condition("P is a TPM", lambda p: is_tpm(p["case"]["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="(ii) C P garbles from P by C, and P from C P by the transpose of C, which is nonnegative. A row of P stands "
    "in one row of C P, and nothing else does, as a row and a column of C have one entry 1 and zeros.",
)
