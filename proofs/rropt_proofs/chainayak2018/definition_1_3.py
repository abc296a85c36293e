"""Definition 1.3: the parity of a row and of a matrix, by two expressions; its range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Flag, Greatest, Point, Truth, Value
from rropt.mechanisms import Mechanism
from rropt_proofs._matrices import matrix, parity, row_ratio
from rropt_proofs.chainayak2018 import PAPER
from rropt_proofs.chainayak2018._paper import PROCEDURES, Matrix

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


def _names(point: Point) -> Iterator[dict[str, Any]]:
    """All pairs x, y of entries of a row: x = high - up and y = high inverse + over; and the rows of the least."""
    rows: Matrix = point["P"]
    worst, weakest = min(rows, key=_inverse), min(rows, key=min)
    fixed = {
        "inverse_own": _inverse(rows[_row(point)]),
        "inverse_worst": _inverse(worst),
        "high_worst": max(worst),
        "high_weakest": max(weakest),
        "inverse_weakest": _inverse(weakest),
    }
    for i, row in enumerate(rows):
        for x in row:
            for y in row:
                yield {
                    **fixed,
                    "own": Flag(i == _row(point)),
                    "high": max(row),
                    "inverse": _inverse(row),
                    "up": max(row) - x,
                    "over": y - min(row),
                }


def proof() -> Anchored:
    """Y >= g x for all pairs of entries of a row; the least entry against the largest is tight."""
    pair, tight = ("(high*inverse + over)", "(high - up)"), {"up": 0, "over": 0}
    return Anchored(
        Value(
            of=ROW,
            theory="inverse_own",
            computed=Greatest(
                f"own*{pair[0]} >= g*own*{pair[1]}", floor=1, tight={**tight, "own": 1, "inverse": "inverse_own"}
            ),
        ),
        Value(
            of=WHOLE,
            theory="inverse_worst",
            computed=Greatest(f"{pair[0]} >= g*{pair[1]}", floor=1, tight={**tight, "inverse": "inverse_worst"}),
        ),
        Value(of=LEAST, theory=1, computed="inverse_worst"),
        Truth(of=FINITE, theory="high_weakest*inverse_weakest > 0", computed="inverse_worst > 0"),
        at=lambda point: list(_names(point)),
    )


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
    bound={
        "high": Domain("the largest entry of a row, which is not zero", (), relation="0 < x <= 1"),
        "inverse": Domain("its least entry over the largest", (), relation="inverse_worst <= x <= 1"),
        "inverse_own": Domain("that of the row in question", (), relation="0 <= x <= 1"),
        "inverse_worst": Domain("the least of these", (), relation="0 <= x <= 1"),
        "high_worst": Domain("the largest entry of the row where it is the least", (), relation="0 < x <= 1"),
        "high_weakest": Domain("the largest entry of the row with the least entry", (), relation="0 < x <= 1"),
        "inverse_weakest": Domain(
            "the least entry of P over it",
            (),
            relation="x >= inverse_worst and high_weakest*x <= high_worst*inverse_worst",
        ),
        "own": Domain("whether it is the row in question", (), relation="x*(inverse - inverse_own) == 0"),
        "up": Domain("what an entry is below the largest", (), relation="0 <= x <= high"),
        "over": Domain("what an entry is above the least", (), relation="x >= 0"),
    },
    assumptions=(
        Condition("each row of P contains at least one nonzero element", lambda p: all(any(row) for row in p["P"])),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
    notes="The last part uses the requirement of section 1 that no row is zero: a zero row has parity 0/0 = 1 and "
    "entries that are not positive.",
)
