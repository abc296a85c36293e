"""Theorem 4.4: entries of C_a(n) and its inverse."""

from __future__ import annotations

from fractions import Fraction

from rropt.claims import Claim, Point
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import (
    INDEX,
    LENGTH,
    A,
    are_indices,
    differing,
    invertible,
    iterated,
    kept,
    string,
)

ENTRY, BACK = "the entry (r, x) of C", "the entry (r, x) of C_{a/(2a-1)}(n) C"


def theory(point: Point) -> dict[str, Fraction]:
    """a^{n-d} (1-a)^d, and the identity matrix."""
    a, n = Fraction(point["a"]), point["n"]
    d = differing(string(point["r"], n), string(point["x"], n))
    return {ENTRY: a ** (n - d) * (1 - a) ** d, BACK: Fraction(int(point["r"] == point["x"]))}


def computed(point: Point) -> dict[str, Fraction]:
    """P(r = M(x)) bit by bit, and the product of the two matrices."""
    a, n, r, x = Fraction(point["a"]), point["n"], point["r"], point["x"]
    back = a / (2 * a - 1)
    left, right = iterated(back, 1 - back, n), kept(a, n)
    return {ENTRY: right[r][x], BACK: sum((left[r][y] * right[y][x] for y in range(2**n)), Fraction(0))}


def mutant(point: Point) -> dict[str, Fraction]:
    """a^d (1-a)^{n-d}."""
    a, n = Fraction(point["a"]), point["n"]
    d = differing(string(point["r"], n), string(point["x"], n))
    return {**theory(point), ENTRY: a**d * (1 - a) ** (n - d)}


CLAIM = Claim(
    id="vinterbo2018.theorem-4.4",
    source=f"{PAPER}, Theorem 4.4",
    place=(4, 5),
    printed=r"Let $M$ be a randomizer with $C_M=C_a(n)$. Then ${C_M}_{r,x}=a^{n-d}(1-a)^d$ where $d=|r\oplus x|$. If "
    r"$a\ne\frac12$, then $C_M^{-1}=C_{\frac a{2a-1}}(n)$.",
    precise="For every n >= 1, 0 <= a <= 1 and all strings r, x: the entry of the matrix of n bits that are each kept "
    "with probability a; for a != 1/2 the product of C_{a/(2a-1)}(n) and C_a(n) is the identity matrix.",
    variables={"a": A, "n": LENGTH, "r": INDEX, "x": INDEX},
    assumptions=(
        are_indices,
        invertible,
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
)
