"""Lemma 4.2: a row whose parity lies strictly between 1 and gamma makes a procedure inadmissible."""

from __future__ import annotations

from typing import Any

from rropt.claims import Claim, Condition, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import is_admissible, row_parity
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
    """Inadmissible only if every row has a parity below gamma."""
    rows, gamma = unpack(point)
    return {**theory(point), WORSE: all(row_parity(row) < gamma for row in rows)}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument=DOMINATION + " A row of parity strictly between 1 and gamma keeps A out of C_gamma^0.",
        unchecked_steps=(*DOMINATION_GAPS,),
    )


CLAIM = Claim(
    id="chainayak2018.lemma-4.2",
    source=f"{PAPER}, Lemma 4.2",
    place=(4, 7),
    printed=r"Suppose $A_{m\times k}\in\mathcal{C}_\gamma$ and $1<\eta_i(A)<\gamma$ for some $i$. Then, $A$ is "
    r"inadmissible.",
    precise="Let gamma > 1 and A in C_gamma have a row of parity strictly between 1 and gamma. Then some P in C_gamma "
    "has A = C P for a TPM C, and not P = D A for any TPM D.",
    variables={"case": members("garbled", "slack")},
    assumptions=(
        IN_CLASS,
        Condition(
            "1 < eta_i < gamma for some i",
            lambda p: any(1 < row_parity(row) < p["case"]["gamma"] for row in p["case"]["P"]),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=45,
    notes="The matrix A of the statement is called P in the points. The printed proof needs more than the lemma "
    "assumes (lemma-4.2-proof); the proof here is another one.",
)
