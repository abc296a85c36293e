"""Theorem 4.1: the Kronecker product, and the order of its factors."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce
from typing import Any

from rropt.claims import Claim, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import kronecker
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import draw_bit_randomizer, index, keeping, randomizer, string


def _case(r: str, x: str, *bits: Any) -> dict[str, Any]:
    return {"M": bits, "r": tuple(map(int, r)), "x": tuple(map(int, x))}


def draw(rng: random.Random) -> dict[str, Any]:
    n = rng.choice((1, 2, 2, 3, 4))
    bits = tuple(draw_bit_randomizer(rng) for _ in range(n))
    return {"M": bits, "r": string(rng.randrange(2**n), n), "x": string(rng.randrange(2**n), n)}


def _entry(point: Point, order: int) -> Fraction:
    case = point["case"]
    return Fraction(reduce(kronecker, case["M"][::order])[index(case["r"])][index(case["x"])])


def theory(point: Point) -> Fraction:
    """The entry (eta(r), eta(x)) of the product as printed: C_{M_0} is the leftmost factor."""
    return _entry(point, 1)


def computed(point: Point) -> Fraction:
    """P(r = R(M)(x)), bit by bit."""
    case = point["case"]
    return randomizer(case["M"])[index(case["r"])][index(case["x"])]


def corrected(point: Point) -> Fraction:
    """C_{M_0} is the rightmost factor."""
    return _entry(point, -1)


def mutant(point: Point) -> Fraction:
    """The transposed product."""
    case = point["case"]
    return _entry({"case": {**case, "r": case["x"], "x": case["r"]}}, -1)


def working(point: Point) -> str:
    """Both products of entries."""
    case = point["case"]
    n, r, x = len(case["M"]), index(case["r"]), index(case["x"])
    bits = " ".join(f"P({a} | {b}) = {rows[a][b]}" for rows, a, b in zip(case["M"], case["r"], case["x"], strict=True))
    factors = [rows[r >> (n - 1 - place) & 1][x >> (n - 1 - place) & 1] for place, rows in enumerate(case["M"])]
    return (
        f"eta(r) = {r}, eta(x) = {x}\nbit by bit: {bits}; together {value_text(computed(point))}\nin a Kronecker "
        f"product the leftmost factor sees the highest bit of both indices: the entry ({r}, {x}) of the printed one is "
        f"{' '.join(map(str, factors))} multiplied, {value_text(theory(point))}"
    )


CLAIM = Claim(
    id="vinterbo2018.theorem-4.1",
    source=f"{PAPER}, Theorem 4.1 (Bourke 1982)",
    place=(4, 2),
    printed=r"For a sequence $M=(M_0,M_1,\ldots,M_{n-1})$ of independent bit randomizers, "
    r"$C_{R(M)}=C_{M_0}\otimes C_{M_1}\otimes\cdots\otimes C_{M_{n-1}}$.",
    precise="For every sequence of n >= 1 bit randomizers and all strings r and x, the entry (eta(r), eta(x)) of the "
    "Kronecker product is P(r = R(M)(x)). Strings are indices by eta(x_0, ..., x_{n-1}) = sum x_i 2^i (section 3.1), "
    "and the Kronecker product of A and B has the blocks a_ij B.",
    variables={
        "case": Domain(
            "the bit randomizers M_0, ..., M_{n-1} (matrices, columns sum to 1), the strings r and x, bit 0 first",
            (
                _case("0", "1", keeping(Fraction(3, 4))),
                _case("10", "00", keeping(Fraction(3, 4)), keeping(Fraction(3, 4))),
                _case("10", "00", keeping(Fraction(3, 4)), keeping(Fraction(2, 3))),
                _case("11", "01", keeping(Fraction(3, 4)), keeping(Fraction(2, 3))),
                _case("110", "011", *(keeping(Fraction(3, k)) for k in (4, 5, 3))),
            ),
            draw,
            entries={("M",): "0 <= x <= 1"},
        )
    },
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"With the index $\eta$ of the paper the factors stand in the reverse order: "
        r"$C_{R(M)}=C_{M_{n-1}}\otimes\cdots\otimes C_{M_1}\otimes C_{M_0}$. (As printed it is true of the index that "
        r"counts bit $i$ as $2^{n-1-i}$.)",
        corrected,
    ),
    working=working,
    count=150,
    notes="The leftmost factor of a Kronecker product belongs to the highest digit of the index, while eta makes bit 0 "
    "the lowest. With identical bits the order does not matter, so Proposition 4.2 and what follows from it hold; "
    "with different bits (section 4.3) it does. The program of section 4.2 counts bit i as 2^{n-1-i}: see "
    "implementation-1.",
)
