"""Lemma 4.1: garbling does not raise the parity."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product as pairs
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import identity, is_tpm, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm


def draw(rng: random.Random) -> dict[str, Any]:
    r, k = rng.randint(1, 4), rng.randint(1, 4)
    source = random_tpm(r, k, rng, least=rng.choice((0, 1, 1)))
    return {"C": random_tpm(rng.randint(1, 4), r, rng), "P": source}


def theory(point: Point) -> Fraction | float:
    """The parity of P."""
    return parity(point["case"]["P"])


def computed(point: Point) -> Fraction | float:
    """The parity of C P."""
    return parity(product(point["case"]["C"], point["case"]["P"]))


def mutant(point: Point) -> Fraction | float:
    """The parity falls by half of what it exceeds 1 by."""
    return (theory(point) + 1) / 2


def proof() -> Anchored:
    """a_ij <= gamma a_il, as a sum over u of c_iu (gamma p_ul - p_uj) >= 0."""
    rows = Fold(
        over=lambda point, at: [
            {
                "c": Entry("case", "C", at["i"], u),
                "p": Entry("case", "P", u, at["j"]),
                "q": Entry("case", "P", u, at["l"]),
            }
            for u in range(len(point["case"]["P"]))
        ],
        start={"a": 0, "b": 0},
        update={"a": "a + c*p", "b": "b + c*q"},
        invariants=("a <= theory*b", "a >= 0", "b >= 0"),
        family=True,
    )
    return Anchored(
        Value(
            theory=Least("p <= g*q", ratios, floor=1),
            computed=Least("a <= g*b", floor=1),
        ),
        at=lambda point: [
            {"i": i, "j": j, "l": other}
            for i, j, other in pairs(range(len(point["case"]["C"])), *2 * [range(len(point["case"]["P"][0]))])
        ],
        folds=[rows],
    )


def ratios(point: Point) -> list[dict[str, Entry]]:
    """The pairs of entries of one row of P."""
    rows, columns = range(len(point["case"]["P"])), range(len(point["case"]["P"][0]))
    return [
        {"p": Entry("case", "P", u, j), "q": Entry("case", "P", u, other)}
        for u, j, other in pairs(rows, columns, columns)
    ]


def _case(c: str, p: str) -> dict[str, Any]:
    return {"C": matrix(c), "P": matrix(p)}


CLAIM = Claim(
    id="chainayak2018.lemma-4.1",
    source=f"{PAPER}, Lemma 4.1",
    place=(4, 4),
    printed=r"Suppose $C_{m\times r}$ and $P_{r\times k}$ are two TPMs, $\eta(P)=\gamma$ and let $A_{m\times k}=CP$. "
    r"Then $\eta(A)\le\gamma$.",
    precise="For all TPMs C and P that fit, the parity of C P is at most that of P (infinite allowed; 0/0 = 1).",
    variables={
        "case": Domain(
            "TPMs C (m x r) and P (r x k), zeros allowed",
            (
                {"C": identity(2), "P": matrix("2/3 1/3; 1/3 2/3")},
                _case("1 1", "2/3 1/3; 1/3 2/3"),
                _case("1/2 1/2; 1/2 1/2", "1 0; 0 1"),  # infinite parity becomes 1
                _case("1 0; 0 1", "1 0; 0 1"),
                _case("1 1 0; 0 0 1", "1/2 1/4; 1/4 1/2; 1/4 1/4"),
                _case("1 1; 0 0", "2/3 1/3; 1/3 2/3"),  # a zero row: 0/0 = 1
                _case("1 1 0; 0 0 1", "1/2 1/2; 0 0; 1/2 1/2"),
            ),
            draw,
            entries={("C",): "x >= 0", ("P",): "x >= 0"},
        )
    },
    assumptions=(Condition("C and P are TPMs", lambda p: is_tpm(p["case"]["C"]) and is_tpm(p["case"]["P"])),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
    proof=proof,
)
