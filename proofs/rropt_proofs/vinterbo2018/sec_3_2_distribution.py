"""Section 3.2: the histogram of the randomized responses is multinomial, but it is not C X."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product as tuples
from math import factorial, prod
from typing import Any

from rropt.claims import Claim, Condition, Correction, Domain, Point
from rropt.claims.outcomes import value_text
from rropt_proofs._matrices import Row, identity
from rropt_proofs.vinterbo2018 import PAPER
from rropt_proofs.vinterbo2018._paper import Bits, draw_bit_randomizer, histograms, image, keeping, randomizer, shares

Law = frozenset[tuple[tuple[Any, ...], Fraction]]


def _case(rows: Any, pi: str) -> dict[str, Any]:
    return {"C": rows, "pi": shares(pi)}


def draw(rng: random.Random) -> dict[str, Any]:
    n = rng.choice((1, 1, 2))
    bits = [draw_bit_randomizer(rng) for _ in range(n)]
    weights = [rng.randint(1, 12) for _ in range(2**n)]
    return {"C": randomizer(bits), "pi": tuple(Fraction(w, sum(weights)) for w in weights)}


def _counts(size: int, m: int) -> Iterator[Bits]:
    return (counts for counts in tuples(range(m + 1), repeat=size) if sum(counts) == m)


def theory(point: Point) -> Law:
    """Mult(m, C pi): m!/prod y_r! times prod (C pi)_r^y_r; what has probability 0 is left out."""
    shares_, m = image(point["case"]["C"], point["case"]["pi"]), point["m"]
    law = {
        counts: Fraction(factorial(m), prod(map(factorial, counts)))
        * prod((share**y for share, y in zip(shares_, counts, strict=True)), start=Fraction(1))
        for counts in _counts(len(shares_), m)
    }
    return frozenset((tuple(map(Fraction, counts)), chance) for counts, chance in law.items() if chance)


def computed(point: Point) -> Law:
    """The distribution of the vector C X, X the histogram of the truths."""
    law: dict[Row, Fraction] = {}
    for truths, chance in histograms(point["case"]["pi"], point["m"]).items():
        vector = image(point["case"]["C"], tuple(map(Fraction, truths)))
        law[vector] = law.get(vector, Fraction(0)) + chance
    return frozenset(law.items())


def responses(point: Point) -> Law:
    """The distribution of the histogram Y of the responses: each respondent with the truth x answers by column x of
    C."""
    rows, size = point["case"]["C"], len(point["case"]["C"])
    law: dict[Bits, Fraction] = {}
    for truths, chance in histograms(point["case"]["pi"], point["m"]).items():
        given: dict[Bits, Fraction] = {(0,) * size: chance}
        for x, count in enumerate(truths):
            of_column = histograms(tuple(row[x] for row in rows), count)
            longer: dict[Bits, Fraction] = {}
            for (before, one), (more, other) in tuples(given.items(), of_column.items()):
                after = tuple(a + b for a, b in zip(before, more, strict=True))
                longer[after] = longer.get(after, Fraction(0)) + one * other
            given = longer
        for counts, share in given.items():
            law[counts] = law.get(counts, Fraction(0)) + share
    return frozenset((tuple(map(Fraction, counts)), chance) for counts, chance in law.items() if chance)


def mutant(point: Point) -> Law:
    """Mult(m, pi)."""
    return theory({**point, "case": {**point["case"], "C": identity(len(point["case"]["C"]))}})


def working(point: Point) -> str:
    """The values of C X, which are no counts."""
    case = point["case"]
    values = [
        f"X = {value_text(truths)} (probability {value_text(chance)}): C X = "
        f"{value_text(image(case['C'], tuple(map(Fraction, truths))))}"
        for truths, chance in sorted(histograms(case["pi"], point["m"]).items())
    ]
    return "\n".join([*values, f"Mult(m, C pi) gives vectors of whole numbers: {value_text(theory(point))}"])


CLAIM = Claim(
    id="vinterbo2018.sec-3.2-distribution",
    source=f"{PAPER}, section 3.2",
    place=(3, 2),
    printed=r"Then, if $C=C_M$ and $X$ is $\mathrm{Mult}(m,\pi)$, then $Y=CX$ is $\mathrm{Mult}(m,C\pi)$.",
    precise="For every randomizer C, every distribution pi and every m >= 1 the law of the vector C X, X the histogram "
    "of the truths of m respondents, is Mult(m, C pi).",
    variables={
        "case": Domain(
            "the matrix C of a randomizer (columns sum to 1), and pi",
            (
                _case(keeping(Fraction(3, 4)), "1/2 1/2"),
                _case(keeping(Fraction(3, 4)), "1/4 3/4"),
                _case(identity(2), "1/3 2/3"),
                _case(((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))), "1/3 2/3"),
                _case(keeping(Fraction(1, 3)), "1/2 1/2"),
                _case(randomizer([keeping(Fraction(3, 4))] * 2), "1/20 3/20 3/10 1/2"),
            ),
            draw,
        ),
        "m": Domain.values("m, the number of respondents", 1, 2, 3),
    },
    assumptions=(Condition("m >= 1", "m >= 1"),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    correction=Correction(
        r"$Y$, the histogram of the $m$ independently randomized responses, is $\mathrm{Mult}(m,C\pi)$; $CX$ is the "
        r"conditional mean $\operatorname{E}(Y\mid X)$.",
        theory,
        computed=responses,
    ),
    working=working,
    count=40,
    notes="C X is a vector of means, not of counts: for one respondent it is a column of C. Read literally, the "
    "estimator m^{-1} C^{-1} Y would be m^{-1} X, the direct one, and nothing would be lost; the covariance of the "
    "same section is that of the histogram. The section 1.1 says it as corrected. If C only permutes the strings, both "
    "agree.",
)
