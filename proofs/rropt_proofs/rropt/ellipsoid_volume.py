"""The volume of the confidence ellipsoid: the dual of D-optimality, by pivots and by smoothing to their mean."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import Matrix, dot, matrix, numbers, population, private
from rropt_proofs.rropt._ellipsoids import Case, dual, holds


def _case(pi: str, rows: str, weights: str, triangle: str, gamma: str) -> Case:
    found = {"pi": numbers(pi), "P": matrix(rows), "d": numbers(weights), "G": matrix(triangle)}
    return dual(found, Fraction(gamma), (Fraction(0),) * len(found["pi"]))


def _draw(rng: random.Random) -> Case:
    k = rng.randint(2, 3)
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    while True:
        rows, pi = private(rng, k, 2, gamma), population(rng, k)
        if determinant(information(rows, pi)):
            break
    weights = tuple(Fraction(rng.randint(1, 6), 2) for _ in range(k))
    triangle = tuple(
        tuple(Fraction(rng.randint(-2, 2), 2) if j < x else Fraction(j == x) for x in range(k)) for j in range(k)
    )
    found = {"pi": pi, "P": rows, "d": weights, "G": triangle}
    return dual(found, gamma, tuple(Fraction(rng.randint(-2, 2)) for _ in range(k)))


def information(rows: Matrix, pi: Sequence[Fraction]) -> Matrix:
    """Return ``M = sum_i p_i p_i^T/(p_i . pi)``."""
    order = range(len(pi))
    return tuple(tuple(sum((p[a] * p[b] / dot(p, pi) for p in rows), Fraction(0)) for b in order) for a in order)


def determinant(entries: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the determinant, along the first row."""
    if not entries:
        return Fraction(1)
    minors = ([[*row[:j], *row[j + 1 :]] for row in entries[1:]] for j in range(len(entries)))
    return sum(
        ((-1) ** j * x * determinant(minor) for j, (x, minor) in enumerate(zip(entries[0], minors, strict=True))),
        Fraction(0),
    )


def _form(found: Case) -> Matrix:
    """Return W = G d G^T."""
    return tuple(
        tuple(
            sum((x * d * y for x, d, y in zip(left, found["d"], right, strict=True)), Fraction(0))
            for right in found["G"]
        )
        for left in found["G"]
    )


def theory(point: Point) -> Bound:
    """(sum alpha/k)^k/det W."""
    found = point["case"]
    k = len(found["pi"])
    return Bound("at-most", (sum(found["alpha"], Fraction(0)) / k) ** k / determinant(_form(found)))


def computed(point: Point) -> Fraction:
    """The determinant of the information of the mechanism."""
    return determinant(information(point["case"]["P"], point["case"]["pi"]))


def mutant(point: Point) -> Bound:
    """A tenth less."""
    return Bound("at-most", theory(point).value * Fraction(9, 10))


CLAIM = Claim(
    id="rropt.ellipsoid-volume",
    source=f"{PAPER}, confidence ellipsoids of k shares",
    place=(9, 3),
    printed=r"Let $W\succ0$ and $SWS^T\le(\alpha\cdot S)(S\cdot\pi)$ for all patterns $S\in\{1,\gamma\}^k$. Every "
    r"$\varepsilon$-private mechanism with finitely many answers has $\det M\le\frac{(\sum\alpha/k)^k}{\det W}$, $M$ "
    r"its information $\sum_i\frac{p_ip_i^T}{p_i\cdot\pi}$. If $W=M^{-1}$ for a mechanism and the inequality is "
    r"tight at its rows, the two sides are equal, and no mechanism has a smaller confidence ellipsoid.",
    precise="For gamma > 1, any k >= 2, pi with p_i . pi > 0, sum_i p_ij = 1, M regular, W = G d G^T with G unit "
    "triangular and d > 0: every positive definite W is one. The inequality holds for the rows (`rropt.patterns`), "
    "so that tr W M = sum_l d_l q_l <= sum alpha, q the diagonal of G^T M G = U D U^T. As U is unit triangular q_j "
    ">= D_j. det W M is the product of d_j D_j, which is at most the k-th power of their mean: taken in an order in "
    "which each is on the other side of the mean m than what is carried to it, c, (c - m)(m - x) >= 0 is what is "
    "gained by carrying c + x - m on. If the inequality is tight at the rows of M = W^-1, sum alpha = tr W M = k. "
    "The covariance of any k - 1 shares has the determinant 1/det M, as M pi = 1.",
    variables={
        "case": Domain(
            "a population, a mechanism, a unit triangular G and weights d with W = G d G^T, gamma and alpha",
            (
                _case("1/2 1/2", "3/4 1/4;1/4 3/4", "4/5 5/4", "1 -3/5;0 1", "3"),
                _case("1/2 1/4 1/4", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "1 1 1", "1 0 0;0 1 0;0 0 1", "2"),
            ),
            _draw,
            entries={("d",): "x > 0"},
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["pi"]))],
        ),
    },
    assumptions=(
        Condition("epsilon-privacy, and the inequality of the dual for all patterns", holds),
        Condition(
            "M is not singular",
            lambda point: determinant(information(point["case"]["P"], point["case"]["pi"])) > 0,
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=26,
    notes="The equivalence theorem of D-optimality: Kiefer and Wolfowitz, The equivalence of two extremum problems "
    "(Canad. J. Math. 12, 1960); for designs whose weights meet linear equations alpha is their multiplier, and that "
    "some alpha attains the bound is cited (Pukelsheim, Optimal design of experiments, 1993). For private mechanisms "
    "it was not found in the literature.",
)
