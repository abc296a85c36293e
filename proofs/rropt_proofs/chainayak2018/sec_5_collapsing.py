"""Section 5: collapsing categories gives no strict information privacy, unless it destroys everything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, parity

MOST = 5
LOSS, DISTANCE, POSTERIOR = (
    "1 - 1/parity, 1 for infinite parity",
    "the largest difference of two response probabilities: 0 for a response that is independent of the truth",
    "largest posterior probability of a category of prior p",
)


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
        LOSS: Fraction(int(not alone)),
        DISTANCE: Fraction(int(not alone)),
        POSTERIOR: prior if alone else Fraction(1),
    }


def computed(point: Point) -> dict[str, Any]:
    """By the definitions; the posterior over all responses and all priors p, 1 - p on two categories."""
    rows, prior = _tpm(point["cells"]), Fraction(point["p"])
    ratio = parity(rows)
    pairs = [(row[j], row[other]) for row in rows for j, other in permutations(range(len(row)), 2)]
    return {
        LOSS: Fraction(1) if ratio == math.inf else 1 - 1 / Fraction(ratio),
        DISTANCE: max(a - b for a, b in pairs),
        POSTERIOR: max(prior * a / (prior * a + (1 - prior) * b) for a, b in pairs if a or b),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Two cells are private still."""
    if max(point["cells"]) != 1:
        return theory(point)
    return {**theory(point), LOSS: Fraction(1, 2)}


CLAIM = Claim(
    id="chainayak2018.sec-5-collapsing",
    source=f"{PAPER}, section 5",
    place=(5, 1),
    printed="Cell collapsing (or generalization) is a common privacy protection tool, which can be viewed as a "
    r"special case of RR, with $P_\alpha(Z=d_i|X=c_j)=1$ if $c_j$ is collapsed within $d_i$ (or $d_i$ contains "
    "$c_j$) and 0 otherwise. But, the parity of any such TPM is infinity, unless $m=1$, in which case data "
    "utility is null. So, cell collapsing cannot give any strict information privacy without totally "
    "destroying data utility.",
    precise="For every partition of k >= 2 categories into m cells: if m >= 2 the parity is infinite, and for every "
    "prior probability 0 < p < 1 some category of prior p gets posterior 1, so that h-CSIP holds for no h with h(p) < "
    "1 somewhere on (0, 1); if m = 1 the parity is 1 and the response is independent of the truth.",
    variables={
        "cells": Domain.values(
            "the cell of each category", *(cells for k in range(2, MOST + 1) for cells in _partitions(k))
        ),
        "p": Domain.interval("prior probability", 0, 1, also=("1/100", "1/2", "99/100")),
    },
    assumptions=(Condition("0 < p < 1", "0 < p < 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="Only the empty demand is met by m >= 2 cells: h = 1 on all of (0, 1), where B(h) is infinite and no pair "
    "(prior, posterior) is a breach. Which restricted families of properties collapsing does protect is the paper's "
    "open question.",
)
