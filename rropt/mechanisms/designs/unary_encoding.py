"""Unary encoding (basic RAPPOR, SUE, OUE): the one-hot vector of the category, each bit randomized on its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

from rropt.mechanisms.designs.design import Design, Parameter, probability, require

_MAX_CATEGORIES = 14  # 2^k rows of k entries are held explicitly


def unary_rows(k: int, one: Fraction, zero: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    """Return the 2^k rows (rows of zeros left out): row i is the reported vector with ``i = sum of bit_x 2^x``.

    A true bit is reported as 1 with probability ``one`` (p), a false one with probability ``zero`` (q).
    """
    rows = []
    for reversed_bits in product((0, 1), repeat=k):
        bits = reversed_bits[::-1]
        chance = [(one, zero) if bit else (1 - one, 1 - zero) for bit in bits]
        row = tuple(
            prod((kept if x == truth else other for x, (kept, other) in enumerate(chance)), start=Fraction(1))
            for truth in range(k)
        )
        if any(row):
            rows.append(row)
    return tuple(rows)


def _unary(categories: Fraction, one: Fraction, zero: Fraction) -> tuple[tuple[Fraction, ...], ...]:
    require(
        categories.denominator == 1 and 2 <= categories <= _MAX_CATEGORIES,
        f"k is not a number of categories: received {categories}; allowed is an integer 2 <= k <= {_MAX_CATEGORIES} "
        "(the matrix has 2^k rows)",
    )
    probability(one, "p")
    probability(zero, "q")
    return unary_rows(int(categories), one, zero)


UNARY = Design(
    name="unary",
    title="Unary encoding (RAPPOR's bits, SUE with q = 1 - p, OUE with p = 1/2)",
    parameters=(
        Parameter("k", "number of categories", "an integer 2 <= k <= 14"),
        Parameter("p", "probability that the bit of the true category is reported as 1"),
        Parameter("q", "probability that the bit of another category is reported as 1"),
    ),
    device="Of the k bits 'is it category x?' each is reported by itself: a true one as 1 with probability p, a false "
    "one with probability q.",
    epsilon="abs(log(p (1-q)/((1-p) q)))",
    source="Erlingsson, Pihur and Korolova 2014; Wang, Blocki, Li and Jha 2017",
    example="3,1/2,1/4",
    build=_unary,
    required=3,
)
