"""Corollary 4.1: a member of C_gamma^0 has no equivalent outside C_gamma^0."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._rigidity import GARBLING, PLACE, garbled, given
from rropt_proofs.chainayak2018._sufficiency import (
    Rows,
    equivalent,
    garbles,
    in_class,
    matrix,
    product,
    refined,
    satisfies_c1,
    satisfies_c2,
    strictly_better,
)
from rropt_proofs.chainayak2018._sufficiency_cores import RIGIDITY, RIGIDITY_GAP
from rropt_proofs.chainayak2018._sufficiency_members import (
    GAMMAS,
    Member,
    admissible_member,
    draw_member,
    random_tpm,
    with_constant_row,
)


def _is_core(rows: Rows, gamma: Fraction) -> bool:
    """Whether a procedure is in C_gamma^0."""
    return in_class(rows, gamma) and satisfies_c1(rows, gamma) and satisfies_c2(rows)


def draw(rng: random.Random) -> Member:
    """A in C_gamma^0 with a garbling of it, P with the mechanism that its rows split into, or two unrelated ones."""
    if rng.random() < 0.4:
        member = draw_member(rng, ("three values", "constant", "garbled", "slack"))
        return {"gamma": member["gamma"], "A": refined(member["P"], member["gamma"]), "P": member["P"]}
    gamma = rng.choice(GAMMAS)
    better = admissible_member(rng, gamma)
    other = admissible_member(rng, gamma)
    worse = with_constant_row(other, Fraction(1, rng.randint(2, 9)))
    if rng.random() < 0.7 or len(other[0]) != len(better[0]):
        worse = product(random_tpm(rng.randint(2, 4), len(better), rng), better)
    return {"gamma": gamma, "A": better, "P": worse}


EQUIVALENT, BETTER = "equivalent", "strictly better"


def theory(point: Point) -> dict[str, Any]:
    """Not equivalent; and better as soon as it is sufficient."""
    case = point["case"]
    return {**given(point), EQUIVALENT: False, BETTER: garbles(case["A"], case["P"])}


def computed(point: Point) -> dict[str, Any]:
    """The steps of garbling one by one; equivalence and order by exact linear programs."""
    case = point["case"]
    return {
        **garbled(point),
        EQUIVALENT: equivalent(case["A"], case["P"]),
        BETTER: strictly_better(case["A"], case["P"]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Better without being sufficient."""
    return {**theory(point), BETTER: True}


def proof() -> Proof:
    return Proof(
        scope="all gamma > 1, all orders of the matrices",
        argument="If A and P were equivalent, P would be sufficient for A. "
        + RIGIDITY
        + " Then P has the rows of A, hence "
        "satisfies C1 and C2, which it does not. So A and P are not equivalent; if A is sufficient for P, P is not "
        "sufficient for A, which is the second form.",
        unchecked_steps=(RIGIDITY_GAP,),
    )


_WARNER, _DIAGONAL = matrix("2/3 1/3; 1/3 2/3"), matrix("1/2 1/4 1/4; 1/4 1/2 1/4; 1/4 1/4 1/2")

CLAIM = Claim(
    id="chainayak2018.corollary-4.1",
    source=f"{PAPER}, Corollary 4.1",
    place=(4, 6),
    printed=r"If $A\in\mathcal{C}_\gamma^0$, then no $P\in(\mathcal{C}_\gamma\setminus\mathcal{C}_\gamma^0)$ can be "
    r"equivalent to $A$. Stated another way, if $A\in\mathcal{C}_\gamma^0$, "
    r"$P\in(\mathcal{C}_\gamma\setminus\mathcal{C}_\gamma^0)$ and $A\succeq P$, then $A\succ P$.",
    precise="Let A be in C_gamma^0 and P in C_gamma but not in C_gamma^0. Then not both A = C P and P = D A for TPMs; "
    "and A is strictly better than P if and only if it is sufficient for P.",
    variables={
        "case": Domain(
            "gamma > 1, A meant to be in C_gamma^0 and P in C_gamma but not in C_gamma^0",
            (
                {"gamma": Fraction(2), "A": _WARNER, "P": matrix("3/5 2/5; 2/5 3/5")},
                {"gamma": Fraction(2), "A": _WARNER, "P": with_constant_row(_WARNER, Fraction(1, 2))},
                {"gamma": Fraction(2), "A": _DIAGONAL, "P": matrix("2/3 1/2 1/3; 1/3 1/2 2/3")},  # incomparable
                {"gamma": Fraction(2), "A": _DIAGONAL, "P": _DIAGONAL[::-1]},  # both inside
            ),
            draw,
            entries={("P",): "x >= 0"},
        ),
        "C": GARBLING,
        "place": PLACE,
    },
    assumptions=(
        Condition("A is in C_gamma^0", lambda p: _is_core(p["case"]["A"], p["case"]["gamma"])),
        Condition("P is in C_gamma", lambda p: in_class(p["case"]["P"], p["case"]["gamma"])),
        Condition("P is not in C_gamma^0", lambda p: not _is_core(p["case"]["P"], p["case"]["gamma"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    count=50,
)
