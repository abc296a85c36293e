"""Section 1: a matrix of any given parity, for m >= k."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.mechanisms import Mechanism
from rropt.positivity import Hypothesis, prove_identity, prove_positive
from rropt_proofs.chainayak2018._paper import PAPER, gamma_diagonal, parity


def _eta(point: Point) -> Fraction:
    return Fraction(point["eta"])


def theory(point: Point) -> dict[str, Any]:
    eta, k = _eta(point), point["k"]
    return {"columns sum to": (Fraction(1),) * k, "parity": eta, "parity by the library": eta}


def _checked(procedure: tuple[tuple[Fraction, ...], ...]) -> dict[str, Any]:
    totals = tuple(sum(column, Fraction(0)) for column in zip(*procedure, strict=True))
    known = Mechanism(procedure).parity() if set(totals) == {1} else None
    return {"columns sum to": totals, "parity": parity(procedure), "parity by the library": known}


def computed(point: Point) -> dict[str, Any]:
    """The m x k matrix as printed, its column sums and its parity by Definition 1.3."""
    return _checked(gamma_diagonal(_eta(point), point["m"], point["k"]))


def mutant(point: Point) -> dict[str, Any]:
    """The column sums of the matrix with eta + k - 1 in the place of eta + m - 1."""
    eta, m, k = _eta(point), point["m"], point["k"]
    return {**theory(point), "columns sum to": ((eta + m - 1) / (eta + k - 1),) * k}


def proof() -> Proof:
    eta, m = sp.symbols("eta m")
    diagonal, other = eta / (eta + m - 1), 1 / (eta + m - 1)
    return Proof(
        scope="all eta >= 1, 2 <= k <= m",
        argument="As m >= k, every column has one entry eta/(eta + m - 1) and m - 1 entries 1/(eta + m - 1), all "
        "positive. Each of the first k rows has both values (k >= 2) and so the parity eta; the other rows are "
        "constant, with parity 1 <= eta.",
        certificates=(
            ("a column sums to 1", prove_identity(diagonal + (m - 1) * other, 1)),
            ("the ratio of the two values", prove_identity(diagonal / other, eta)),
            (
                "the divisor is positive",
                prove_positive(eta + m - 1, [Hypothesis(eta - 1), Hypothesis(m - 2)], strict=True, degree=1),
            ),
        ),
        unchecked_steps=("m - 1 equal entries are added as (m - 1) times one",),
    )


def mutant_proof() -> object:
    eta, m, k = sp.symbols("eta m k")
    return prove_identity(eta / (eta + k - 1) + (m - 1) / (eta + k - 1), 1)


CLAIM = Claim(
    id="chainayak2018.sec-1-construction",
    source=f"{PAPER}, section 1, after Theorem 1.2",
    printed=r"For any given $\eta_0$, it is possible to construct $P$ with parity $\eta_0$. In particular, for $m\ge "
    r"k$, one $P$ with $\eta(P)=\eta_0$ is obtained by taking $p_{ii}=\eta_0/[\eta_0+m-1]$, $i=1,\dots,k$, and "
    r"$p_{ij}=1/[\eta_0+m-1]$ for all $i\ne j$.",
    precise="For every eta >= 1 and 2 <= k <= m the matrix has columns that sum to 1 and parity eta.",
    variables={
        "eta": Domain.odds("a given parity, eta >= 1"),
        "m": Domain.whole("number of responses", 2, 6),
        "k": Domain.whole("number of categories", 2, 5),
    },
    assumptions=(
        Condition("m >= k", lambda p: p["m"] >= p["k"]),
        Condition("eta >= 1, as every parity is", lambda p: p["eta"] >= 1),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    mutant_proof=mutant_proof,
    notes="With a single category, k = 1, every row has parity 1 and there is nothing to protect. For m > k the rows "
    "beyond the k-th are constant: they carry no information, and any two of them are proportional.",
)
