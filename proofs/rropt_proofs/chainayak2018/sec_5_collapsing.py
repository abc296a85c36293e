"""Section 5: collapsing categories gives no strict information privacy, unless it destroys everything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

import sympy as sp

from rropt.claims import Claim, Domain, Point, Proof
from rropt.linear import rank
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._sufficiency import PAPER, Rows, parity

MOST = 5


def _partitions(k: int) -> Iterator[tuple[int, ...]]:
    """All partitions of k categories: the cell of each, cells numbered in the order in which they appear."""
    if k == 0:
        yield ()
        return
    for cells in _partitions(k - 1):
        for cell in range(max(cells, default=-1) + 2):
            yield (*cells, cell)


def _tpm(cells: tuple[int, ...]) -> Rows:
    """P(Z = d_i | X = c_j) = 1 if c_j is collapsed within d_i."""
    return tuple(tuple(Fraction(int(cell == i)) for cell in cells) for i in range(max(cells) + 1))


def theory(point: Point) -> dict[str, Any]:
    alone = max(point["cells"]) == 0  # m = 1
    prior = Fraction(point["p"])
    return {
        "parity": Fraction(1) if alone else math.inf,
        "the response is independent of the truth": alone,
        "largest posterior probability of a category of prior p": prior if alone else Fraction(1),
    }


def computed(point: Point) -> dict[str, Any]:
    """By the definitions; the posterior over all responses and all priors p, 1 - p on two categories."""
    rows, prior = _tpm(point["cells"]), Fraction(point["p"])
    posteriors = [
        prior * row[j] / (prior * row[j] + (1 - prior) * row[other])
        for row in rows
        for j, other in permutations(range(len(row)), 2)
        if row[j] or row[other]
    ]
    return {
        "parity": parity(rows),
        "the response is independent of the truth": rank(rows) == 1,
        "largest posterior probability of a category of prior p": max(posteriors),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Two cells are private still."""
    if max(point["cells"]) != 1:
        return theory(point)
    return {**theory(point), "parity": Fraction(2)}


def proof() -> Proof:
    p, h, a, b = sp.symbols("p h a b")  # a and b the entries of c_j and c_l in row i
    posterior = p * a / (p * a + (1 - p) * b)
    inside = [Hypothesis(p, strict=True), Hypothesis(1 - p, strict=True), Hypothesis(1 - h, strict=True)]
    return Proof(
        scope="all k >= 2, all partitions into m cells, all 0 < p < 1 and all h with h(p) < 1 for some such p",
        argument="Every cell holds a category. For m >= 2 take c_j in d_i and c_l in another cell: row i has the "
        "entries 1 and 0, and its parity is infinite. With the prior p on c_j and 1 - p on c_l, Z = d_i makes the "
        "posterior probability of c_j p 1/(p 1 + (1 - p) 0) = 1, above h(p) whenever h(p) < 1: h-CSIP fails for every "
        "h but h = 1 on (0, 1), which demands nothing. For m = 1 the matrix is a row of ones: parity 1, posterior "
        "equal to prior, and the response is independent of the truth.",
        certificates=(
            ("the posterior is 1", prove_identity(posterior, sp.Integer(1), [a - 1, b])),
            ("for m = 1 it is the prior", prove_identity(posterior, p, [a - 1, b - 1])),
            ("1 > h(p)", prove_positive(1 - h, inside, strict=True, degree=1)),
        ),
        unchecked_steps=("every cell holds a category, and for m >= 2 another cell holds another one",),
    )


def mutant_proof() -> object:
    """Above h(p) even where h(p) = 1."""
    h = sp.symbols("h")
    return prove_positive(1 - h, [Hypothesis(1 - h), Hypothesis(h)], strict=True, degree=2)


CLAIM = Claim(
    id="chainayak2018.sec-5-collapsing",
    source=f"{PAPER}, section 5",
    printed=r"Cell collapsing is a special case of RR, with $P_\alpha(Z=d_i|X=c_j)=1$ if $c_j$ is collapsed within "
    r"$d_i$ and $0$ otherwise. But, the parity of any such TPM is infinity, unless $m=1$, in which case data utility "
    r"is null. So, cell collapsing cannot give any strict information privacy without totally destroying data utility.",
    precise="For every partition of k >= 2 categories into m cells: if m >= 2 the parity is infinite, and for every "
    "prior probability 0 < p < 1 some category of prior p gets posterior 1, so that h-CSIP holds for no h with h(p) < "
    "1 somewhere on (0, 1); if m = 1 the parity is 1 and the response is independent of the truth.",
    variables={
        "cells": Domain.values(
            "the cell of each category", *(cells for k in range(2, MOST + 1) for cells in _partitions(k))
        ),
        "p": Domain.values("prior probability", *(Fraction(x) for x in ("1/100", "1/2", "99/100"))),
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    scope="all partitions of up to 5 categories",
    notes="Only the empty demand is met by m >= 2 cells: h = 1 on all of (0, 1), where B(h) is infinite and no pair "
    "(prior, posterior) is a breach. Which restricted families of properties collapsing does protect is the paper's "
    "open question.",
)
