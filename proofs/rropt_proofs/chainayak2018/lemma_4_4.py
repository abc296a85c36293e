"""Lemma 4.4: three distinct values in a row make a procedure inadmissible."""

from __future__ import annotations

from typing import Any

from rropt.claims import Claim, Condition, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import is_admissible, satisfies_c1, satisfies_c2
from rropt_proofs.chainayak2018._sufficiency_cores import DOMINATION, DOMINATION_GAPS
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, members, unpack
from rropt_proofs.chainayak2018._sufficiency_patterns import (
    pattern_numbers,
    pattern_theory,
)

WORSE = "inadmissible"


def theory(_: Point) -> dict[str, Any]:
    """Inadmissible; and every row is a sum of patterns."""
    return {WORSE: True, **pattern_theory()}


def computed(point: Point) -> dict[str, Any]:
    """Whether some member of C_gamma is strictly better, by linear programs over the extreme rows."""
    return {WORSE: not is_admissible(*unpack(point)), **pattern_numbers(*unpack(point))}


def mutant(point: Point) -> dict[str, Any]:
    """Inadmissible only if no row has two values."""
    return {**theory(point), WORSE: all(len(set(row)) > 2 for row in unpack(point)[0])}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument=DOMINATION
        + " As A does not satisfy C2, it is not in C_gamma^0. (The printed step does the same one value at "
        "a time: with delta = (T - a)/(T - t) the row (a, ...) is delta (t, ...) + (1 - delta) (T, ...).)",
        unchecked_steps=(*DOMINATION_GAPS,),
    )


CLAIM = Claim(
    id="chainayak2018.lemma-4.4",
    source=f"{PAPER}, Lemma 4.4",
    place=(4, 10),
    printed=r"Any randomization procedure $A\in\mathcal{C}_\gamma$ that satisfies the condition C1 but not C2 is "
    r"inadmissible within $\mathcal{C}_\gamma$.",
    precise="Let gamma > 1 and A in C_gamma with all row parities gamma and a row of three or more distinct values. "
    "Then some P in C_gamma has A = C P for a TPM C, and not P = D A for any TPM D.",
    variables={"case": members("three values")},
    assumptions=(
        IN_CLASS,
        Condition("C1: every row has parity gamma", lambda p: satisfies_c1(*unpack(p))),
        Condition("not C2: some row has more than two distinct values", lambda p: not satisfies_c2(unpack(p)[0])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=60,
    notes="The matrix A of the statement is called P in the points. In the printed proof the last block of C is the "
    "identity matrix (the extracted text has T there).",
)
