"""Theorem 4.2: the members of C_gamma^0 are admissible."""

from __future__ import annotations

import sympy as sp

from rropt.claims import Claim, Condition, Point, Proof
from rropt.positivity import Hypothesis, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER, is_admissible, satisfies_c1, satisfies_c2
from rropt_proofs.chainayak2018._sufficiency_cores import GAMMA, RIGIDITY, RIGIDITY_STEPS, garbling_core, rigidity_core
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, members, unpack


def theory(_: Point) -> bool:
    return True


def computed(point: Point) -> bool:
    """Whether no member of C_gamma is strictly better, by linear programmes over the extreme rows."""
    return is_admissible(*unpack(point))


def mutant(point: Point) -> bool:
    """Admissible only with as many rows as columns."""
    rows, _ = unpack(point)
    return len(rows) == len(rows[0])


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all k and m, all members of C_gamma^0",
        argument=RIGIDITY + " Then P = C^-1 A is A with its rows in another order, A is sufficient for P, and P is not "
        "better than A.",
        certificates=(*garbling_core(), *rigidity_core()),
        unchecked_steps=RIGIDITY_STEPS,
    )


def mutant_proof() -> object:
    """Equality in (4.1) without the slack of any row of P."""
    c, high, low = sp.symbols("c h l")
    hypotheses = [Hypothesis(c), Hypothesis(GAMMA * low - high)]
    return prove_positive(c * (GAMMA * low - high), hypotheses, strict=True, degree=2)


CLAIM = Claim(
    id="chainayak2018.theorem-4.2",
    source=f"{PAPER}, Theorem 4.2",
    printed=r"Any randomization procedure $A\in\mathcal{C}_\gamma^0$ is admissible within $\mathcal{C}_\gamma$.",
    precise="Let gamma > 1 and let P in C_gamma satisfy C1 (every row has parity gamma) and C2 (every row has exactly "
    "two distinct values). Then no A in C_gamma has P = C A for a TPM C without A = D P for a TPM D.",
    variables={"case": members("admissible")},
    assumptions=(
        IN_CLASS,
        Condition("C1: every row has parity gamma", lambda p: satisfies_c1(*unpack(p))),
        Condition("C2: every row has exactly two distinct values", lambda p: satisfies_c2(unpack(p)[0])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    count=50,
    notes="The printed proof is right. It shows more: what is sufficient for A in C_gamma^0 is A with its rows in "
    "another order. That gamma > 1, stated at the beginning of section 4, is used: at gamma = 1 all rows are constant "
    "and C_gamma is empty.",
)
