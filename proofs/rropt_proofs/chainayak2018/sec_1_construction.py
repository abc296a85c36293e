"""Section 1: a matrix of any given parity, for m >= k."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs._matrices import gamma_diagonal, parity
from rropt_proofs.chainayak2018 import PAPER


def _eta(point: Point) -> Fraction:
    return Fraction(point["eta"])


def theory(point: Point) -> dict[str, Any]:
    eta, one = _eta(point), Fraction(1)
    return {"least column sum": one, "largest column sum": one, "parity": eta}


def _checked(procedure: tuple[tuple[Fraction, ...], ...]) -> dict[str, Any]:
    totals = tuple(sum(column, Fraction(0)) for column in zip(*procedure, strict=True))
    return {"least column sum": min(totals), "largest column sum": max(totals), "parity": parity(procedure)}


def computed(point: Point) -> dict[str, Any]:
    """The m x k matrix as printed, its column sums and its parity by Definition 1.3."""
    return _checked(gamma_diagonal(_eta(point), point["m"], point["k"]))


def mutant(point: Point) -> dict[str, Any]:
    """The column sums of the matrix with eta + k - 1 in the place of eta + m - 1."""
    eta, m, k = _eta(point), point["m"], point["k"]
    return {**theory(point), "largest column sum": (eta + m - 1) / (eta + k - 1)}


CLAIM = Claim(
    id="chainayak2018.sec-1-construction",
    source=f"{PAPER}, section 1, after Theorem 1.2",
    place=(1, 7),
    printed=r"Also, for any given $\eta_0$, it is possible to construct $P$ with parity $\eta_0$; [...] In particular, "
    r"for $m\ge k$, one $P$ with $\eta(P)=\eta_0$ is obtained by taking $p_{ii}=\eta_0/[\eta_0+m-1]$, "
    r"$i=1,\dots,k$, and $p_{ij}=1/[\eta_0+m-1]$ for all $i\ne j$.",
    precise="For every eta_0 >= 1, as every parity is, and 2 <= k <= m the matrix has columns that sum to 1 and parity "
    "eta_0. (Here eta stands for eta_0.)",
    variables={
        "eta": Domain.odds("a given parity, eta >= 1"),
        "m": Domain.whole("number of responses", 2, 6),
        "k": Domain.whole("number of categories", 2, 5),
    },
    assumptions=(
        Condition("m >= k", "m >= k"),
        Condition("eta >= 1, as every parity is", "eta >= 1"),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="With a single category, k = 1, every row has parity 1 and there is nothing to protect. For m > k the rows "
    "beyond the k-th are constant: they carry no information, and any two of them are proportional.",
)
