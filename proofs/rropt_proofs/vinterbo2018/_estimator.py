"""Invertible randomizers with a population, for what section 3.2 says of the estimator m^{-1} C^{-1} Y."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Condition, Domain
from rropt_proofs._matrices import identity
from rropt_proofs.vinterbo2018._paper import bit_randomizer, draw_distribution, inverse, keeping, randomizer, shares

K_ARY = tuple(tuple(Fraction(1 + 2 * (i == j), 5) for j in range(3)) for i in range(3))


def _case(rows: Any, pi: str) -> dict[str, Any]:
    back = inverse(rows)
    return {"C": rows, "pi": shares(pi), "inverse": back or ()}


def draw(rng: random.Random) -> dict[str, Any]:
    """Draw a randomizer of one or two bits, or of three categories, whose columns sum to 1."""
    kind = rng.randint(0, 2)
    if kind < 2:
        bits = [bit_randomizer(Fraction(rng.randint(0, 6), 6), Fraction(rng.randint(0, 6), 6)) for _ in range(kind + 1)]
        rows = randomizer(bits)
    else:
        columns = [draw_distribution(rng, 3) for _ in range(3)]
        rows = tuple(zip(*columns, strict=True))
    return {"C": rows, "pi": draw_distribution(rng, len(rows)), "inverse": inverse(rows) or ()}


CASE = Domain(
    "the matrix C of a randomizer, its inverse, and pi",
    (
        _case(keeping(Fraction(3, 4)), "1/4 3/4"),
        _case(keeping(Fraction(1, 3)), "0 1"),
        _case(keeping(Fraction(1, 2)), "1/2 1/2"),
        _case(bit_randomizer(1, "1/3"), "1/2 1/2"),
        _case(randomizer([keeping(Fraction(3, 4)), bit_randomizer("4/5", "2/3")]), "1/20 3/20 3/10 1/2"),
        _case(K_ARY, "1/6 1/3 1/2"),
        _case(identity(4), "1/4 1/4 1/4 1/4"),
    ),
    draw,
    entries={("C",): "0 <= x <= 1", ("pi",): "0 <= x <= 1"},
    whole_groups=lambda case: [
        [("pi", i) for i in range(len(case["pi"]))],
        *([("C", i, j) for i in range(len(case["C"]))] for j in range(len(case["C"]))),
    ],
)
PLACE = Domain.whole("a category", 0, 3)
RESPONDENTS = Domain("m, the number of respondents", (1, 2, 3), None, "x >= 1")
has_inverse = Condition("C is invertible", lambda p: bool(p["case"]["inverse"]))


def within(*names: str) -> Condition:
    """Return the relations that these places are categories."""
    return Condition(f"{', '.join(names)}: categories", lambda p: all(p[name] < len(p["case"]["pi"]) for name in names))
