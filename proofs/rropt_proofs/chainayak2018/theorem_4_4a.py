"""Theorem 4.4 (a): the trace bound."""

from __future__ import annotations

import random
from fractions import Fraction
from math import inf
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._sufficiency import Rows, gamma_diagonal, identity, matrix, parity, trace
from rropt_proofs.chainayak2018._sufficiency_members import random_tpm
from rropt_proofs.chainayak2018.lemma_4_3 import columns_of

LEAST, TRACE, GROWS = "the least gamma whose bound the trace meets", "the trace", "the bound, for a larger gamma"


def draw(rng: random.Random) -> dict[str, Any]:
    """Draw a square TPM with its parity."""
    return _case(_rows(rng))


def _case(rows: Rows) -> dict[str, Any]:
    eta = parity(rows)
    return {"P": rows, "gamma": Fraction(eta) if eta < inf else Fraction(1)}


def _rows(rng: random.Random) -> Rows:
    """A square TPM, or one close to the gamma-diagonal matrix, whose trace is close to the bound."""
    k = rng.randint(1, 4)
    rows = random_tpm(k, k, rng, least=1)
    if rng.random() < 0.5:
        share = Fraction(1, rng.choice((2, 10, 1000)))
        best = gamma_diagonal(1 + Fraction(rng.randint(1, 400), rng.randint(1, 100)), k, k)
        pairs = [zip(*both, strict=True) for both in zip(best, rows, strict=True)]
        return tuple(tuple((1 - share) * x + share * y for x, y in row) for row in pairs)
    return rows


def _is_bounded(point: Point) -> bool:
    """Return whether p_ii <= gamma p_ij for all i and j."""
    rows, gamma = point["case"]["P"], point["case"]["gamma"]
    return all(row[i] <= gamma * row[j] for i, row in enumerate(rows) for j in range(len(rows)) if j != i)


def theory(point: Point) -> dict[str, Any]:
    gamma, k = point["case"]["gamma"], len(point["case"]["P"])
    more = gamma + point["excess"]
    return {
        LEAST: Bound("at-most", gamma),
        TRACE: Bound("at-most", k * gamma / (gamma + k - 1)),
        GROWS: Bound("at-most", k * more / (more + k - 1)),
    }


def computed(point: Point) -> dict[str, Any]:
    """The trace t, the least g >= 1 with t (g + k - 1) <= k g, and the bound for gamma."""
    gamma = point["case"]["gamma"]
    found, k = trace(point["case"]["P"]), len(point["case"]["P"])
    return {
        LEAST: max(Fraction(1), found * (k - 1) / (k - found)) if k > 1 else Fraction(1),
        TRACE: found,
        GROWS: k * gamma / (gamma + k - 1),
    }


def mutant(point: Point) -> dict[str, Any]:
    """gamma + k in the denominator."""
    gamma, k = point["case"]["gamma"], len(point["case"]["P"])
    return {**theory(point), TRACE: Bound("at-most", k * gamma / (gamma + k))}


CLAIM = Claim(
    id="chainayak2018.theorem-4.4a",
    source=f"{PAPER}, Theorem 4.4 (a)",
    place=(4, 13),
    printed=r"Suppose $P_{k\times k}$ is a TPM with $\eta(P)\le\gamma$. Then, "
    r"$\sum_{i=1}^k p_{ii}\le\frac{\gamma k}{\gamma+k-1}$.",
    precise="For every k >= 1, every k x k TPM P and every gamma >= 1 with eta(P) <= gamma, of which only "
    "p_ii <= gamma p_ij is used: the trace of P is at most k gamma / (gamma + k - 1); this bound grows with gamma; "
    "and the least gamma >= 1 whose bound the trace meets is at most every such gamma, "
    "so at most eta(P).",
    variables={
        "case": Domain(
            "a k x k TPM, and gamma >= 1",
            tuple(
                _case(rows)
                for rows in (
                    matrix("1"),
                    *(
                        gamma_diagonal(Fraction(gamma), k, k)
                        for k in (2, 3, 4)
                        for gamma in ("1", "101/100", "2", "1000")
                    ),
                    matrix("1/3 2/3; 2/3 1/3"),
                    matrix("2/5 2/5 1/5; 2/5 1/5 2/5; 1/5 2/5 2/5"),
                    matrix("1/3 1/3; 2/3 2/3"),
                    matrix("1 1; 0 0"),  # a zero row: 0/0 = 1
                    identity(2),  # infinite parity
                )
            ),
            draw,
            entries={("P",): "0 <= x <= 1", ("gamma",): "x >= 1"},
            whole_groups=columns_of,
        ),
        "excess": Domain(
            "gamma - eta(P)",
            (Fraction(0), Fraction(1, 100), Fraction(3)),
            lambda rng: Fraction(rng.randint(0, 400), rng.randint(1, 100)),
            "x >= 0",
        ),
    },
    assumptions=(Condition("p_ii <= gamma p_ij for all i and j, as eta(P) <= gamma says", _is_bounded),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=100,
    notes="The numerator is gamma times k: the extracted text has a power there, but the proof derives the product, "
    "and the matrix of (b) has this trace. The bound is attained for every k (theorem-4.4b).",
)
