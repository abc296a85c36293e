"""Lemma 4.1: garbling does not raise the parity."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import identity, matrix, parity, product
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm

MOST = 3  # rows and columns of C and P


def draw(rng: random.Random) -> dict[str, Any]:
    """Draw TPMs that fit, with gamma the parity of P or above."""
    r, k = rng.randint(1, MOST), rng.randint(1, MOST)
    source = random_tpm(r, k, rng, least=rng.choice((0, 1, 1)))
    eta = parity(source)
    own = eta if isinstance(eta, Fraction) else Fraction(2)
    return {
        "C": random_tpm(rng.randint(1, MOST), r, rng),
        "P": source,
        "gamma": own + rng.choice((0, 0, Fraction(rng.randint(1, 9), 4))),
    }


def place(point: Point) -> tuple[int, int, int]:
    """Return the number i of a row of A and the numbers j, l of two columns."""
    (i, j, other), k = point["place"], len(point["case"]["P"][0])
    return i % len(point["case"]["C"]), j % k, other % k


def is_bounded(point: Point) -> bool:
    """Return whether p_uj <= gamma p_ul for all entries of a row of P."""
    return all(x <= point["case"]["gamma"] * y for row in point["case"]["P"] for x in row for y in row)


def theory(_: Point) -> Fraction:
    """a_ij is at most gamma a_il."""
    return Fraction(0)


def computed(point: Point) -> Fraction:
    """a_ij - gamma a_il, two entries of the product C P."""
    i, j, other = place(point)
    row = product(point["case"]["C"], point["case"]["P"])[i]
    return row[j] - point["case"]["gamma"] * row[other]


def mutant(point: Point) -> Fraction:
    """The parity falls by half of what it exceeds 1 by."""
    i, _, other = place(point)
    row = product(point["case"]["C"], point["case"]["P"])[i]
    return (1 - point["case"]["gamma"]) / 2 * row[other]


def _case(c: str, p: str, gamma: int = 2) -> dict[str, Any]:
    return {"C": matrix(c), "P": matrix(p), "gamma": Fraction(gamma)}


CLAIM = Claim(
    id="chainayak2018.lemma-4.1",
    source=f"{PAPER}, Lemma 4.1",
    place=(4, 4),
    printed=r"Suppose $C_{m\times r}$ and $P_{r\times k}$ are two TPMs, $\eta(P)=\gamma$ and let $A_{m\times k}=CP$. "
    r"Then $\eta(A)\le\gamma$.",
    precise="For all TPMs C and P that fit and every finite gamma with eta(P) <= gamma, that is p_uj <= gamma p_ul for "
    "all entries of a row, which is what 0/0 = 1 and a/0 infinite mean: a_ij <= gamma a_il for all entries of a row of "
    "A = C P, that is eta(A) <= gamma. (An infinite parity bounds nothing.)",
    variables={
        "case": Domain(
            "TPMs C (m x r) and P (r x k), zeros allowed, and gamma",
            (
                {"C": identity(2), "P": matrix("2/3 1/3; 1/3 2/3"), "gamma": Fraction(2)},
                _case("1 1", "2/3 1/3; 1/3 2/3"),
                _case("1/2 1/2; 1/2 1/2", "1 0; 0 1"),  # infinite parity
                _case("1 1 0; 0 0 1", "1/2 1/4; 1/4 1/2; 1/4 1/4"),
                _case("1 1; 0 0", "2/3 1/3; 1/3 2/3"),  # a zero row: 0/0 = 1
                _case("1 1 0; 0 0 1", "1/2 1/2; 0 0; 1/2 1/2", 1),
            ),
            draw,
            entries={("C",): "x >= 0", ("P",): "x >= 0", ("gamma",): "x >= 1"},
        ),
        "place": Domain.values(
            "the numbers of a row of A and of two columns", (0, 0, 1), (0, 1, 0), (1, 1, 1), (1, 0, 2), (2, 2, 1)
        ),
    },
    assumptions=(Condition("eta(P) <= gamma", is_bounded),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    strength="at-most",
)
