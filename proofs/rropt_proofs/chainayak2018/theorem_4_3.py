"""Theorem 4.3 with Theorem 4.2: admissible within C_gamma exactly when C1 and C2 hold; a minimal complete class."""

from __future__ import annotations

from typing import Any

from rropt.claims import Claim, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import (
    in_class,
    is_admissible,
    refined,
    satisfies_c1,
    satisfies_c2,
    strictly_better,
)
from rropt_proofs.chainayak2018._sufficiency_cores import DOMINATION, DOMINATION_GAPS, RIGIDITY
from rropt_proofs.chainayak2018._sufficiency_members import IN_CLASS, MEMBERS, unpack
from rropt_proofs.chainayak2018._sufficiency_patterns import (
    pattern_numbers,
    pattern_theory,
)


def _is_core(point: Point) -> bool:
    rows, gamma = unpack(point)
    return satisfies_c1(rows, gamma) and satisfies_c2(rows)


def theory(point: Point) -> dict[str, Any]:
    """Admissible iff in C_gamma^0; what is not is strictly dominated from inside C_gamma^0."""
    core = _is_core(point)
    return {"admissible": core, "strictly dominated by a member of C_gamma^0": not core, **pattern_theory()}


def computed(point: Point) -> dict[str, Any]:
    """By linear programs over the extreme rows, found by vertex enumeration."""
    rows, gamma = unpack(point)
    found = refined(rows, gamma)
    inside = in_class(found, gamma) and satisfies_c1(found, gamma) and satisfies_c2(found)
    return {
        "admissible": is_admissible(rows, gamma),
        "strictly dominated by a member of C_gamma^0": inside and strictly_better(found, rows),
        **pattern_numbers(rows, gamma),
    }


def mutant(point: Point) -> dict[str, Any]:
    """C1 alone."""
    core = satisfies_c1(*unpack(point))
    return {"admissible": core, "strictly dominated by a member of C_gamma^0": not core, **pattern_theory()}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument="Only if, and completeness. "
        + DOMINATION
        + " So every member of C_gamma outside C_gamma^0 is strictly dominated by a member of C_gamma^0: it is "
        "inadmissible, and C_gamma^0 is a complete class. If (Theorem 4.2). "
        + RIGIDITY
        + " So a member of C_gamma^0 is strictly dominated by nothing in C_gamma; every complete class must contain "
        "it, and C_gamma^0 is the minimal complete class. By the same step nothing in C_gamma but its own reorderings "
        "is sufficient for it, so a class that is complete only up to equivalence still holds one order of each "
        "member.",
        unchecked_steps=(
            *DOMINATION_GAPS,
            "if: Theorem 4.2 (its own entry), that a garbling which attains C1 and C2 is a permutation",
        ),
    )


CLAIM = Claim(
    id="chainayak2018.theorem-4.3",
    source=f"{PAPER}, Theorem 4.3, and the sentence before Theorem 4.2",
    place=(4, 11),
    printed=r"We shall prove that a randomization procedure $P$ is admissible within $\mathcal{C}_\gamma$ if and only "
    r"if $P\in\mathcal{C}_\gamma^0$. [...] A randomization procedure $P\in\mathcal{C}_\gamma$ is admissible "
    r"within $\mathcal{C}_\gamma$ only if $P$ satisfies C1 and C2, i.e., $P\in\mathcal{C}_\gamma^0$.",
    precise="Let gamma > 1 and P in C_gamma. P is admissible within C_gamma if and only if every row has parity gamma "
    "and exactly two distinct values. Moreover, each other P is strictly dominated by a member of C_gamma^0, which is "
    "therefore a minimal complete class.",
    variables={"case": MEMBERS},
    assumptions=(IN_CLASS,),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=45,
    notes="Printed with 'only if'; the text before it announces 'if and only if', which Theorem 4.2 completes, and so "
    "does this entry. It adds what the paper leaves unsaid: C_gamma^0 is a complete class (its members dominate "
    "everything else, not only some members of C_gamma) and minimal.",
)
