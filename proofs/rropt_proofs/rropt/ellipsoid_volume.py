"""The volume of the confidence ellipsoid: the dual of D-optimality, by pivots and by smoothing to their mean."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Exchange, Fold, Point, Step, Value
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import Matrix, dot, matrix, named, numbers, population, private
from rropt_proofs.rropt._ellipsoids import Case, answers, columns, dual, holds, of_answer, quantities, sums, trace


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


def _pivots(entries: Matrix) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Return D and the unit lower triangular U of ``U D U^T``."""
    work, k = [list(row) for row in entries], len(entries)
    pivots, lower = [], [[Fraction(i == j) for j in range(k)] for i in range(k)]
    for j in range(k):
        pivots.append(work[j][j])
        for i in range(j + 1, k):
            lower[i][j] = work[i][j] / work[j][j]
        for i in range(j + 1, k):
            work[i] = [x - lower[i][j] * y for x, y in zip(work[i], work[j], strict=True)]
    return pivots, lower


def _smoothing(numbers_: list[Fraction], mean: Fraction) -> list[int]:
    """Return an order in which each number is on the other side of the mean than what is carried to it."""
    left, order, carried = set(range(len(numbers_))), [], mean
    while left:
        pick = min(left, key=lambda j: ((carried - mean) * (numbers_[j] - mean) > 0, j))
        carried += numbers_[pick] - mean
        order.append(pick)
        left.remove(pick)
    return order


def _at(point: Point) -> list[dict[str, Any]]:
    found = point["case"]
    own, k = quantities(found), len(found["pi"])
    lines = list(zip(own["images"], own["means"], strict=True))
    moved = tuple(tuple(sum((y[a] * y[b] / s for y, s in lines), Fraction(0)) for b in range(k)) for a in range(k))
    pivots, lower = _pivots(moved)
    products = [d * x for d, x in zip(found["d"], pivots, strict=True)]
    mean = sum(products, Fraction(0)) / k
    order = _smoothing(products, mean)
    common = {
        **own,
        "pivots": tuple(pivots),
        "U": tuple(map(tuple, lower)),
        "lifts": tuple(tuple(pivots[x] * lower[j][x] ** 2 for x in range(k)) for j in range(k)),
        "products": tuple(products),
        "order": tuple(order),
        "k": Fraction(k),
        "mid": mean,
        "top": sum(found["alpha"], Fraction(0)) / k,
    }
    return [
        {
            **common,
            **of_answer(i),
            "answer": i,
            "place": j,
            "q": Entry("told", j),
            "pivot": Entry("pivots", j),
        }
        for i in answers(point)
        for j in columns(point)
    ]


def proof() -> Anchored:
    """tr W M >= sum_j d_j D_j, D the pivots of G^T M G; the product of these is at most the power of their mean."""
    folds, told = trace()
    lifted = Fold(
        over=lambda point, at: [
            {"pivot6": Entry("pivots", x), "lower6": Entry("U", at["place"], x), "lift": Entry("lifts", at["place"], x)}
            for x in range(at["place"])
        ],
        start={"raised": "pivot"},
        update={"raised": "raised + pivot6*lower6*lower6"},
        invariants="raised >= pivot",
        totals={"raised": "q"},
    )
    weighted = Fold(
        over=lambda point, at: [
            {"d7": Entry("case", "d", x), "q7": Entry("told", x), "pivot7": Entry("pivots", x)} for x in columns(point)
        ],
        start={"told7": 0, "least": 0},
        update={"told7": "told7 + d7*q7", "least": "least + d7*pivot7"},
        invariants="told7 >= least",
        each={"q": "q7", "pivot": "pivot7"},
    )
    smoothing = Fold(
        over=lambda point, at: [
            {
                "d8": Entry("case", "d", j),
                "pivot8": Entry("pivots", j),
                "x8": Entry("products", j),
            }
            for j in at["order"]
        ],
        start={"carried": "mid", "sum8": 0, "y": 1, "weight": 1, "det": 1, "power": 1, "bound": 1},
        update={
            "carried": "carried + x8 - mid",
            "sum8": "sum8 + d8*pivot8",
            "y": "y*x8",
            "weight": "weight*d8",
            "det": "det*pivot8",
            "power": "power*mid",
            "bound": "bound*top",
        },
        invariants=(
            "carried == mid + sum8 - count*mid",
            "y == weight*det",
            "weight > 0",
            "power > 0",
            "power <= bound",
            "y*mid <= power*carried",
        ),
        count="k",
    )
    return Anchored(
        Value(theory="bound/weight", computed="det"),
        at=_at,
        folds=[
            *folds,
            lifted,
            Step("q >= pivot"),
            weighted,
            Exchange(weighted, told, {"told7": "told_all"}),
            Step("least <= sum_alpha"),
            Step("k*(top - mid) >= 0"),
            Step("mid <= top"),
            smoothing,
            Exchange(smoothing, weighted, {"sum8": "least"}),
            Step("carried == mid"),
            Step("mid*(power - y) >= 0"),
            Step("y <= power"),
            Step("y <= bound"),
        ],
    )


def _of_pivots(point: Point) -> Iterator[Any]:
    """The diagonal of G^T M G, whose entries are the q_j."""
    for j in columns(point):
        yield (
            [(("pivots", j),), *((("pivots", x), ("U", j, x), ("U", j, x)) for x in range(j))],
            ("told", j),
        )


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
    bound={
        **sums(),
        "k": Domain("the number of categories", (), relation="x >= 1"),
        "pivots": named("D of G^T M G = U D U^T", "x > 0", equations=_of_pivots),
        "U": named("U, unit triangular"),
        "lifts": named("D_x U_jx^2", "x >= 0 and x <= pivot6*lower6**2"),
        "products": named(
            "d_j D_j, in an order in which each is on the other side of their mean than what is carried to it",
            "x > 0 and x == d8*pivot8 and (carried - mid)*(mid - x) >= 0",
        ),
        "mid": Domain("the mean of d_j D_j", (), relation="x > 0 and k*x == least"),
        "top": Domain("sum alpha/k", (), relation="x > 0 and k*x == sum_alpha"),
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
    proof=proof,
    count=26,
    notes="The equivalence theorem of D-optimality: Kiefer and Wolfowitz, The equivalence of two extremum problems "
    "(Canad. J. Math. 12, 1960); for designs whose weights meet linear equations alpha is their multiplier, and that "
    "some alpha attains the bound is cited (Pukelsheim, Optimal design of experiments, 1993). For private mechanisms "
    "it was not found in the literature.",
)
