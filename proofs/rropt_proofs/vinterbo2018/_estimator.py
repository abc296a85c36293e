"""Invertible randomizers with a population, for what section 3.2 says of the estimator m^{-1} C^{-1} Y."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import prod
from typing import Any

from rropt.claims import Condition, Domain
from rropt_proofs._matrices import Rows, determinant, identity, kronecker
from rropt_proofs.vinterbo2018._paper import bit_randomizer, draw_distribution, keeping, shares

K_ARY = tuple(tuple(Fraction(1 + 2 * (i == j), 5) for j in range(3)) for i in range(3))


def _case(pi: str, *factors: Rows) -> dict[str, Any]:
    return {"M": factors, "pi": shares(pi)}


def matrix_of(case: Mapping[str, Any]) -> Rows:
    """Return C, the Kronecker product of the matrices of a case."""
    return reduce(kronecker, case["M"])


def draw(rng: random.Random) -> dict[str, Any]:
    """Draw a randomizer of one or two bits, or of three categories, whose columns sum to 1."""
    kind = rng.randint(0, 2)
    if kind < 2:
        share = [Fraction(rng.randint(0, 6), 6) for _ in range(2 * kind + 2)]
        factors = tuple(bit_randomizer(*pair) for pair in zip(share[::2], share[1::2], strict=True))
    else:
        columns = [draw_distribution(rng, 3) for _ in range(3)]
        factors = (tuple(zip(*columns, strict=True)),)
    return {"M": factors, "pi": draw_distribution(rng, prod(map(len, factors)))}


CASE = Domain(
    "the matrix C of a randomizer, which is the Kronecker product of the matrices M, and pi",
    (
        _case("1/4 3/4", keeping(Fraction(3, 4))),
        _case("0 1", keeping(Fraction(1, 3))),
        _case("1/2 1/2", keeping(Fraction(1, 2))),
        _case("1/2 1/2", bit_randomizer(1, "1/3")),
        _case("1/20 3/20 3/10 1/2", keeping(Fraction(3, 4)), bit_randomizer("4/5", "2/3")),
        _case("1/6 1/3 1/2", K_ARY),
        _case("1/4 1/4 1/4 1/4", identity(2), identity(2)),
    ),
    draw,
    entries={("M",): "0 <= x <= 1", ("pi",): "0 <= x <= 1"},
    whole_groups=lambda case: [
        [("pi", i) for i in range(len(case["pi"]))],
        *([("M", n, i, j) for i in range(len(rows))] for n, rows in enumerate(case["M"]) for j in range(len(rows))),
    ],
)
PLACE = Domain.whole("a category", 0, 3)
RESPONDENTS = Domain("m, the number of respondents", (1, 2, 3), None, "x >= 1")
has_inverse = Condition("C is invertible", lambda p: all(determinant(rows) != 0 for rows in p["case"]["M"]))


def within(*names: str) -> Condition:
    """Return the relations that these places are categories."""
    return Condition(f"{', '.join(names)}: categories", lambda p: all(p[name] < len(p["case"]["pi"]) for name in names))
