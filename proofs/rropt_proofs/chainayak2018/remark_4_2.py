"""Remark 4.2: permuting the rows changes neither the parity nor the information."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product as pairs
from typing import Any

from rropt.claims import Anchored, Claim, Condition, Domain, Entry, Fold, Least, Point, Value
from rropt_proofs.chainayak2018._bayes import share
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, equivalent, identity, is_tpm, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

ETA, SAME = "(i) eta/(1 + eta), 1 for eta infinite", "(ii) A and P are equivalent"


def draw(rng: random.Random) -> dict[str, Any]:
    m, k = rng.randint(1, 4), rng.randint(1, 4)
    unit = identity(m)
    return {"C": tuple(unit[i] for i in rng.sample(range(m), m)), "P": random_tpm(m, k, rng)}


def _is_permutation(c: Rows) -> bool:
    unit = identity(len(c))
    return sorted(c) == sorted(unit)


def theory(point: Point) -> dict[str, Any]:
    """(i) the parity of P; (ii) equivalent."""
    return {ETA: share(parity(point["case"]["P"])), SAME: True}


def computed(point: Point) -> dict[str, Any]:
    rows = product(point["case"]["C"], point["case"]["P"])
    return {ETA: share(parity(rows)), SAME: equivalent(rows, point["case"]["P"])}


def mutant(point: Point) -> dict[str, Any]:
    """Equivalent only if nothing moves."""
    return {**theory(point), SAME: point["case"]["C"] == identity(len(point["case"]["P"]))}


def _ratios(point: Point) -> list[dict[str, Entry]]:
    """The pairs of entries of one row of P."""
    rows, columns = range(len(point["case"]["P"])), range(len(point["case"]["P"][0]))
    return [
        {"p": Entry("case", "P", u, j), "q": Entry("case", "P", u, other)}
        for u, j, other in pairs(rows, columns, columns)
    ]


def _instances(point: Point) -> list[dict[str, Any]]:
    """The pairs of entries of one row of C P; factor is 1/a where that is a number."""
    found = []
    for i, row in enumerate(product(point["case"]["C"], point["case"]["P"])):
        for j, other in pairs(range(len(row)), range(len(row))):
            found.append({"i": i, "j": j, "l": other, "factor": 1 / row[j] if row[j] else Fraction(1)})
    return found


def proof() -> Anchored:
    """(1 - g) a <= g b for two entries of a row of C P, as a sum over u; attained since a row of P is a row of C P."""
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
        invariants=("(1 - theory)*a <= theory*b", "a >= 0", "b >= 0"),
        family=True,
    )
    return Anchored(
        Value(
            of=ETA,
            theory=Least("p <= g*(p + q) and q <= g*(p + q)", _ratios, floor="1/2"),
            computed=Least(
                "factor*a <= g*factor*(a + b)",
                floor="1/2",
                tight={"a": "1/factor", "b": "(1 - theory)/(theory*factor)"},
            ),
        ),
        at=_instances,
        folds=[rows],
        unanchored=(
            "(ii): the transpose of C is a TPM and undoes it, since each row and each column of C has one entry 1; "
            "that a matrix is a permutation is no relation between its entries",
        ),
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
            entries={("C",): "x >= 0", ("P",): "x >= 0"},
        )
    },
    bound={"factor": Domain("a positive factor of an inequality", (), relation="x > 0")},
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
