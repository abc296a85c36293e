"""Theorem 4.2: the members of C_gamma^0 are admissible."""

from __future__ import annotations

from typing import Any

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._rigidity import GARBLING, PLACE, garbled, given
from rropt_proofs.chainayak2018._sufficiency import is_admissible, satisfies_c1, satisfies_c2
from rropt_proofs.chainayak2018._sufficiency_cores import RIGIDITY, RIGIDITY_GAP
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, members, unpack

MEMBERS = members("admissible")


def theory(point: Point) -> dict[str, Any]:
    return {**given(point), "admissible": True}


def computed(point: Point) -> dict[str, Any]:
    """(4.1); and whether no member of C_gamma is strictly better, by linear programs over the extreme rows."""
    return {**garbled(point), "admissible": is_admissible(*unpack(point))}


def mutant(point: Point) -> dict[str, Any]:
    """Admissible only with as many rows as columns."""
    rows, _ = unpack(point)
    return {**theory(point), "admissible": len(rows) == len(rows[0])}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument=RIGIDITY
        + " Then P = C^-1 A is A with its rows in another order, A is sufficient for P, and P is not better "
        "than A.",
        unchecked_steps=(RIGIDITY_GAP, "nothing is better than A: a statement about all procedures of all orders"),
    )


CLAIM = Claim(
    id="chainayak2018.theorem-4.2",
    source=f"{PAPER}, Theorem 4.2",
    place=(4, 5),
    printed=r"Any randomization procedure $A\in\mathcal{C}_\gamma^0$ is admissible within $\mathcal{C}_\gamma$.",
    precise="Let gamma > 1 and let P in C_gamma satisfy C1 (every row has parity gamma) and C2 (every row has exactly "
    "two distinct values). Then no A in C_gamma has P = C A for a TPM C without A = D P for a TPM D.",
    variables={
        "case": Domain(MEMBERS.meaning, MEMBERS.boundary, MEMBERS.draw, entries={("P",): "x >= 0"}),
        "C": GARBLING,
        "place": PLACE,
    },
    assumptions=(
        IN_CLASS,
        Condition("C1: every row has parity gamma", lambda p: satisfies_c1(*unpack(p))),
        Condition("C2: every row has exactly two distinct values", lambda p: satisfies_c2(unpack(p)[0])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=50,
    notes="The printed proof is right. It shows more: what is sufficient for A in C_gamma^0 is A with its rows in "
    "another order. That gamma > 1, stated at the beginning of section 4, is used: at gamma = 1 all rows are constant "
    "and C_gamma is empty.",
)
