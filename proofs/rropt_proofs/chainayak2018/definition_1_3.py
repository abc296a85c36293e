"""Definition 1.3: the parity of a row and of a matrix, by two expressions; its range."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt.mechanisms import Mechanism
from rropt_proofs._matrices import matrix, parity, row_ratio
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES

ZERO_ROW = matrix("1/2 1/2; 1/2 1/2; 0 0")
ROW, WHOLE, LEAST, FINITE = (
    "one over the parity of a row",
    "one over the parity of P",
    "that, as parity >= 1 has it",
    "the parity is finite",
)


def _inverse(row: tuple[Fraction, ...]) -> Fraction:
    """One over the second expression of (1.5)."""
    return min(row) / max(row)


def _row(point: Point) -> int:
    return int(point["row"]) % len(point["P"])


def theory(point: Point) -> dict[str, Any]:
    """The second expression of (1.5), parity >= 1, and finite exactly when all entries are positive."""
    rows = point["P"]
    return {
        ROW: _inverse(rows[_row(point)]),
        WHOLE: min(map(_inverse, rows)),
        LEAST: Bound("at-most", Fraction(1)),
        FINITE: all(x > 0 for row in rows for x in row),
    }


def computed(point: Point) -> dict[str, Any]:
    """The first expression of (1.5): the largest ratio over all pairs of entries of a row; by the library too."""
    rows, known = point["P"], Mechanism(point["P"]).parity()
    eta = parity(rows)
    if (inf if known is None else known) != eta:
        raise ArithmeticError("the parity of the library is another one")
    own = rows[_row(point)]
    return {
        ROW: _over(max(row_ratio(x, y) for x in own for y in own)),
        WHOLE: _over(eta),
        LEAST: _over(eta),
        FINITE: eta < inf,
    }


def _over(ratio: Fraction | float) -> Fraction:
    return Fraction(0) if ratio == inf else 1 / Fraction(ratio)


def mutant(point: Point) -> dict[str, Any]:
    """The least positive entry in the place of the least entry."""
    row = point["P"][_row(point)]
    return {**theory(point), ROW: min(x for x in row if x) / max(row)}


CLAIM = Claim(
    id="chainayak2018.definition-1.3",
    source=f"{PAPER}, Definition 1.3 and the remark after Theorem 1.2",
    place=(1, 3),
    printed=r"$\eta_i(P)=\max\{\frac{p_{ij}}{p_{il}}\mid j,l=1,\dots,k\}=\frac{\max_j\{p_{ij}\}}{\min_j\{p_{ij}\}}$, "
    r"[...] with the convention $0/0=1$ and $a/0=\infty$ for any $a>0$. Furthermore, the parity of $P$ is "
    r"defined as $\eta(P)=\max_i\{\eta_i(P)\}$. [...] Clearly, $\eta(P)\ge1$ and it is finite if and only if "
    "all elements of $P$ are positive.",
    precise="For every matrix without a zero row: both expressions agree in every row, and for the largest of all rows "
    "with the parity that the library computes (each as 1/eta, which is 0 for eta infinite); parity >= 1; it is finite "
    "if and only if all entries are positive, that is if the least entry is.",
    variables={
        "P": replace(PROCEDURES, boundary=(*PROCEDURES.boundary, ZERO_ROW)),
        "row": Domain.values("the number of a row", 0, 1, 2),
    },
    assumptions=(
        Condition("each row of P contains at least one nonzero element", lambda p: all(any(row) for row in p["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    notes="The last part uses the requirement of section 1 that no row is zero: a zero row has parity 0/0 = 1 and "
    "entries that are not positive.",
)
