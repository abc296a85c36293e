"""Proposition 4.3: symmetries and distinct entries of the iterated Kronecker product."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from rropt.claims import Claim, Condition, Domain, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import INDEX, LENGTH, iterated

MAIN, ANTI, DIAGONAL, ANTIDIAGONAL, DISTINCT = (
    "a: entry (j, i)",
    "a: entry (N-1-j, N-1-i)",
    "b: entry (i, i)",
    "c: entry (i, N-1-i)",
    "d: the product of the differences from n + 1 of the entries",
)
ENTRY = Domain(
    "an entry of C_{a,b}, any number",
    tuple(map(Fraction, ("-2", "0", "1/2", "3/4", "1", "2"))),
    lambda rng: Fraction(rng.randint(-240, 240), 120),
)


def theory(point: Point) -> dict[str, Any]:
    """Symmetric about both diagonals; the constants are those of i = 0."""
    rows = iterated(Fraction(point["a"]), Fraction(point["b"]), point["n"])
    same = rows[point["i"]][point["j"]]
    return {
        MAIN: same,
        ANTI: same,
        DIAGONAL: rows[0][0],
        ANTIDIAGONAL: rows[0][-1],
        DISTINCT: Fraction(0),
    }


def computed(point: Point) -> dict[str, Fraction]:
    """The entries of the iterated Kronecker product of Definition 4.1, each at its own place."""
    rows, i, j = iterated(Fraction(point["a"]), Fraction(point["b"]), point["n"]), point["i"], point["j"]
    last = len(rows) - 1
    return {
        MAIN: rows[j][i],
        ANTI: rows[last - j][last - i],
        DIAGONAL: rows[i][i],
        ANTIDIAGONAL: rows[i][last - i],
        DISTINCT: _product(rows[i][j] - rows[0][2**d - 1] for d in range(point["n"] + 1)),
    }


def _product(factors: Iterable[Fraction]) -> Fraction:
    found = Fraction(1)
    for factor in factors:
        found = found * factor
    return found


def mutant(point: Point) -> dict[str, Any]:
    """The anti-diagonal is that of a and b exchanged."""
    return {**theory(point), ANTIDIAGONAL: Fraction(point["a"]) ** point["n"]}


CLAIM = Claim(
    id="vinterbo2018.proposition-4.3",
    source=f"{PAPER}, Proposition 4.3",
    place=(4, 4),
    printed="The matrix $C_{a,b}(n)$ a. is bisymmetric, b. has a constant diagonal, and c. has a constant "
    "anti-diagonal, and d. contains at most $n+1$ distinct entries.",
    precise="For every n >= 1 and all real a and b, with N = 2^n: the entries (i, j), (j, i) and (N-1-j, N-1-i) are "
    "equal, the entries (i, i) are those of i = 0, so are the entries (i, N-1-i), and there are at most n + 1 "
    "different entries: every entry is one of the n + 1 entries (0, 2^d - 1), d = 0, ..., n, that is, the product of "
    "its differences from them is 0.",
    variables={"a": ENTRY, "b": ENTRY, "n": LENGTH, "i": INDEX, "j": INDEX},
    assumptions=(Condition("i and j are indices: below 2^n", lambda p: max(p["i"], p["j"]) < 2 ** p["n"]),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="n + 1 different entries occur, e.g. with a = 3/4, b = 1/4; fewer with a = b, or where a or b is 0.",
)
