"""The largest chi-square between the answers of two populations: its dual over all private mechanisms."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import dot, matrix, numbers, population, private
from rropt_proofs.rropt._ellipsoids import Case, dual, holds


def _made(first: Any, second: Any, rows: Any, gamma: Fraction, slopes: Any) -> Case:
    """Return the case, with the population whose probabilities chi-square is divided by as the pi of the dual."""
    found = {
        "first": first,
        "pi": second,
        "P": rows,
        "d": (Fraction(1),),
        "G": tuple((p - q,) for p, q in zip(first, second, strict=True)),
    }
    return dual(found, gamma, slopes)


def _case(first: str, second: str, rows: str, gamma: str) -> Case:
    slopes = (Fraction(0),) * len(first.split())
    return _made(numbers(first), numbers(second), matrix(rows), Fraction(gamma), slopes)


def _draw(rng: random.Random) -> Case:
    k = rng.randint(2, 3)
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    slopes = tuple(Fraction(rng.randint(-2, 2), 4) for _ in range(k))
    rows = private(rng, k, rng.randint(1, 2), gamma)
    return _made(population(rng, k), population(rng, k), rows, gamma, slopes)


def theory(point: Point) -> Bound:
    """Return sum alpha."""
    return Bound("at-most", sum(point["case"]["alpha"], Fraction(0)))


def computed(point: Point) -> Fraction:
    """The squares of the differences of the probabilities of answers, by those under the second population."""
    found = point["case"]
    chances = [(dot(row, found["first"]), dot(row, found["pi"])) for row in found["P"]]
    return sum(((one - other) ** 2 / other for one, other in chances), Fraction(0))


def mutant(point: Point) -> Bound:
    """Half of it."""
    return Bound("at-most", theory(point).value / 2)


CLAIM = Claim(
    id="rropt.chi-square",
    source=f"{PAPER}, how far answers under two populations are apart",
    place=(10, 2),
    printed=r"Let $(S\cdot(\pi-\rho))^2\le(\alpha\cdot S)(S\cdot\rho)$ for all patterns $S\in\{1,\gamma\}^k$. Then "
    r"no $\varepsilon$-private mechanism, with any number of answers, has a $\chi^2$ of its answers under $\pi$ from "
    r"those under $\rho$ above $\sum_j\alpha_j$.",
    precise="For gamma > 1, any k >= 2, populations with p_i . rho > 0, sum_i p_ij = 1. chi^2 = sum_i (p_i . pi - "
    "p_i . rho)^2/(p_i . rho). The inequality holds for the rows (`rropt.patterns`, F of one column pi - rho); over "
    "p_i . rho and summed, alpha . sum_i p_i = sum alpha.",
    variables={
        "case": Domain(
            "two populations (rho is called pi), a mechanism, gamma and alpha",
            (
                _case("3/4 1/4", "1/4 3/4", "3/4 1/4;1/4 3/4", "3"),
                _case("1/2 1/4 1/4", "1/4 1/4 1/2", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "2"),
                _case("1/2 1/2", "1/2 1/2", "3/4 1/4;1/4 3/4", "3"),
            ),
            _draw,
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["pi"]))],
        ),
    },
    assumptions=(Condition("epsilon-privacy, and the inequality of the dual for all patterns", holds),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=20,
    notes="chi-square is a sum of sublinear functions of the rows, so that staircase mechanisms are best: Kairouz, "
    "Oh and Viswanath, Extremal mechanisms for local differential privacy (JMLR 17, 2016), by a linear program "
    "over all patterns, of which alpha is the dual.",
)
