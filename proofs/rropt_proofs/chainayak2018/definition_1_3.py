"""Definition 1.3: the parity of a row and of a matrix, by two expressions; its range."""

from __future__ import annotations

from fractions import Fraction
from math import inf, isinf
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._paper import MATRICES, PAPER, draw_matrix, matrix, parity, row_ratio

ZERO_ROW = matrix("1/2 1/2; 1/2 1/2; 0 0")


def theory(point: Point) -> dict[str, Any]:
    """The second expression of (1.5), parity >= 1, and finite exactly when all entries are positive."""
    rows = [row_ratio(max(row), min(row)) for row in point["P"]]
    return {
        "eta_i": tuple(rows),
        "eta": max(rows),
        "eta by the library": max(rows),
        "eta >= 1": True,
        "finite": all(x > 0 for row in point["P"] for x in row),
    }


def computed(point: Point) -> dict[str, Any]:
    """The first expression of (1.5): the largest ratio over all pairs of entries of a row."""
    eta, known = parity(point["P"]), Mechanism(point["P"]).parity()
    return {
        "eta_i": tuple(max(row_ratio(x, y) for x in row for y in row) for row in point["P"]),
        "eta": eta,
        "eta by the library": inf if known is None else known,
        "eta >= 1": eta >= 1,
        "finite": not isinf(eta),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The least positive entry in the place of the least entry."""
    rows = [max(row) / min((x for x in row if x), default=Fraction(1)) for row in point["P"]]
    return {**theory(point), "eta_i": tuple(rows), "eta": max(rows)}


def proof() -> Proof:
    high, low, x, y = sp.symbols("a b x y")
    row = [Hypothesis(high - x), Hypothesis(y - low), Hypothesis(x), Hypothesis(low, strict=True)]
    return Proof(
        scope="all m, k, all procedures without a zero row",
        argument="Let a and b be the largest and least entry of a row, a > 0. If b > 0, every ratio x/y of two entries "
        "is at most a/b, for a y - b x >= 0, and a/b is one of the ratios; an entry over itself has ratio 1. If b = 0, "
        "a/b is infinite in both expressions. So the parity is at least 1, and finite exactly when no entry is 0.",
        certificates=(
            ("a y - b x is a sum of products", prove_identity(high * y - low * x, high * (y - low) + low * (high - x))),
            ("a y >= b x", prove_positive(high * y - low * x, [*row, Hypothesis(high)], degree=2)),
            ("the ratio of an entry to itself", prove_identity(x / x, 1)),
        ),
        unchecked_steps=("the largest of finitely many ratios is one of them",),
    )


def mutant_proof() -> object:
    high, low, x, y = sp.symbols("a b x y")
    return prove_positive(
        high * y - 2 * low * x, [Hypothesis(high - x), Hypothesis(y - low), Hypothesis(low)], degree=2
    )


CLAIM = Claim(
    id="chainayak2018.definition-1.3",
    source=f"{PAPER}, Definition 1.3 and the remark after Theorem 1.2",
    printed=r"$\eta_i(P)=\max\{\frac{p_{ij}}{p_{il}}\mid j,l=1,\dots,k\}=\frac{\max_j\{p_{ij}\}}{\min_j\{p_{ij}\}}$, "
    r"with $0/0=1$ and $a/0=\infty$ for any $a>0$; $\eta(P)=\max_i\{\eta_i(P)\}$. Clearly, $\eta(P)\ge1$ and it is "
    r"finite if and only if all elements of $P$ are positive.",
    precise="For every matrix without a zero row: both expressions agree in every row, and with the parity that the "
    "library computes; parity >= 1; it is finite if and only if all entries are positive.",
    variables={"P": Domain("a transition probability matrix, m x k", (*MATRICES, ZERO_ROW), draw_matrix)},
    assumptions=(
        Condition("each row of P contains at least one nonzero element", lambda p: all(any(row) for row in p["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="The last part uses the requirement of section 1 that no row is zero: a zero row has parity 0/0 = 1 and "
    "entries that are not positive.",
)
