"""Bayes factors: posteriors of one row under any prior, by a sum in a sum.

A prior gives a category j of a property Q the weight ``p a_j/w`` and a category l outside ``(1 - p) b_l/n``, where
``w`` and ``n`` are the sums of the weights ``a_j >= 0`` and ``b_l >= 0``. With ``s`` the sum of ``a_j p_ij`` and ``t``
that of ``b_l p_il`` the posterior is ``p s n/(p s n + (1 - p) t w)``, and ``s n/(t w)`` is the Bayes factor.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rropt.claims import Domain
from rropt_proofs._matrices import row_ratio
from rropt_proofs.chainayak2018._paper import PROCEDURES, Matrix

__all__ = [
    "FACTOR",
    "MATRIX",
    "PRIOR",
    "share_at",
    "worst_pair",
]

MATRIX = replace(PROCEDURES, entries={(): "x >= 0"})


def share_at(q: Fraction, p: Fraction) -> Fraction:
    """Return r/(1 + r) of the Bayes factor r that leads from the prior p to the posterior q."""
    return q * (1 - p) / (q * (1 - p) + (1 - q) * p)


def worst_pair(procedure: Matrix) -> tuple[int, int, int]:
    """Return the response and the two categories of the largest ratio of likelihoods."""
    i = max(range(len(procedure)), key=lambda u: row_ratio(max(procedure[u]), min(procedure[u])))
    row = procedure[i]
    return i, row.index(max(row)), row.index(min(row))


FACTOR = "the parity gamma and the largest Bayes factor r, as gamma/(1 + gamma) and r/(1 + r)"
PRIOR = Domain.interval("a prior, 0 < p < 1", 0, 1, also=("1/2",))
