"""Rows of private mechanisms mix patterns of 1 and gamma, and so do the inequalities behind bounds of designs."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import dot, least_alpha, matrix, numbers, population

Case = dict[str, Any]


def _made(row: Any, gamma: Fraction, pi: Any, images: Any, weights: Any, slopes: Any) -> Case:
    """Return a row in descending order, the patterns of that order, the weights that it has on them, and a dual."""
    k = len(row)
    rays = tuple(tuple(gamma if j < s else Fraction(1) for j in range(k)) for s in range(k))
    first = (gamma * row[-1] - row[0]) / (gamma - 1)
    shares = (first, *((row[s - 1] - row[s]) / (gamma - 1) for s in range(1, k)))

    def square(s: Any) -> Fraction:
        return dot(weights, ([dot(s, column) ** 2 for column in zip(*images, strict=True)]))

    alpha = least_alpha(square, slopes, pi, rays)
    return {
        "p": tuple(row),
        "odds": gamma,
        "pi": pi,
        "F": images,
        "d": weights,
        "a": alpha,
        "rays": rays,
        "c": shares,
    }


def _case(row: str, gamma: str, pi: str, images: str, weights: str) -> Case:
    slopes = (Fraction(0),) * len(pi.split())
    return _made(numbers(row), Fraction(gamma), numbers(pi), matrix(images), numbers(weights), slopes)


def _draw(rng: random.Random) -> Case:
    k, r = rng.randint(2, 4), rng.randint(1, 3)
    gamma = 1 + Fraction(rng.randint(1, 40), 10)
    pi = population(rng, k)
    inside = sorted((Fraction(rng.randint(0, 6), 6) for _ in range(k)), reverse=True)
    scale = Fraction(rng.randint(1, 9), 20)
    row = [scale * (1 + (gamma - 1) * x) for x in inside]
    images = tuple(tuple(Fraction(rng.randint(-4, 4), 2) for _ in range(r)) for _ in range(k))
    weights = tuple(Fraction(rng.randint(0, 4)) for _ in range(r))
    return _made(row, gamma, pi, images, weights, tuple(Fraction(rng.randint(-3, 3)) for _ in range(k)))


def theory(point: Point) -> dict[str, Any]:
    """Weights are at least 0, the mixture is the row, and the inequality holds for it."""
    found, place = point["case"], point["place"]
    return {
        "weight": Bound("at-least", 0),
        "mixture": found["p"][place],
        "inequality": Bound("at-most", dot(found["a"], found["p"]) * dot(found["p"], found["pi"])),
    }


def computed(point: Point) -> dict[str, Any]:
    """The weight of a pattern, an entry of the mixture, and the weighted squares of the row's products with F."""
    found, place = point["case"], point["place"]
    row, gamma, k = found["p"], found["odds"], len(found["p"])
    rest = (gamma * row[-1] - row[0]) / (gamma - 1)
    weights = [rest, *((row[s - 1] - row[s]) / (gamma - 1) for s in range(1, k))]
    entries = [weight * (gamma if place < s else 1) for s, weight in enumerate(weights)]
    return {
        "weight": weights[place],
        "mixture": sum(entries, Fraction(0)),
        "inequality": dot(found["d"], [dot(row, column) ** 2 for column in zip(*found["F"], strict=True)]),
    }


def mutant(point: Point) -> dict[str, Any]:
    """A tenth less."""
    said = theory(point)
    return {**said, "inequality": Bound("at-most", said["inequality"].value * Fraction(9, 10))}


CLAIM = Claim(
    id="rropt.patterns",
    source=f"{PAPER}, any number of answers of k categories",
    place=(9, 1),
    printed=r"Let $p\in\mathbb R^k$ have positive entries with ratios of at most $\gamma=e^\varepsilon>1$. Then $p$ "
    r"is a sum of nonnegative multiples of $k$ patterns $S\in\{1,\gamma\}^k$. If, with a matrix $F$, weights "
    r"$d_l\ge0$ and $\alpha\in\mathbb R^k$, $\sum_ld_l(SF)_l^2\le(\alpha\cdot S)(S\cdot\pi)$ for these patterns, "
    r"then $\sum_ld_l(pF)_l^2\le(\alpha\cdot p)(p\cdot\pi)$: a dual that holds for all $2^k$ patterns holds for all "
    r"rows of all $\varepsilon$-private mechanisms.",
    precise="For k >= 1 and pi with p . pi > 0 and S . pi > 0. In descending order p_1 >= ... >= p_k the patterns "
    "are gamma at the first s inputs and 1 at the others, s = 0, ..., k - 1, with the weights (p_s - p_(s+1))/(gamma "
    "- 1) and, for s = 0, (gamma p_k - p_1)/(gamma - 1). With u = p F/(p . pi), each pattern has 2 sum_l d_l u_l (S "
    "F)_l - (S . pi) sum_l d_l u_l^2 - alpha . S <= 0, which is linear in S, so that it holds for every nonnegative "
    "mixture, and at p it is the inequality. The second part holds for any rays in the place of the patterns, so for "
    "the cells of `rropt.cones`. It serves A-optimality (F = W, d = 1), contrasts (one column), and D- and "
    "E-optimality (F d F^T = W).",
    variables={
        "case": Domain(
            "a row in descending order, gamma, the rays and weights that it is mixed of, pi, F, d and alpha",
            (
                _case("3 1", "3", "1/2 1/2", "5/4 -3/4;-3/4 5/4", "1 1"),
                _case("3 3 1", "3", "1/2 1/4 1/4", "1 0;0 1;-1 -1", "1 2"),
                _case("1/4 1/4", "2", "1/3 2/3", "1;-1", "1"),
                _case("4 2 1 1", "4", "1/10 1/5 3/10 2/5", "1 2;0 1;-1 0;0 -3", "1 1/2"),
            ),
            _draw,
            entries={("c",): "x >= 0", ("d",): "x >= 0", ("p",): "x > 0", ("pi",): "x >= 0"},
        ),
        "place": Domain.whole("a place of the row, and of a pattern", 0, 3),
    },
    assumptions=(
        Condition("the place is one of the row", lambda point: point["place"] < len(point["case"]["p"])),
        Condition(
            "gamma > 1, and epsilon-privacy",
            lambda point: (
                point["case"]["odds"] > 1 and max(point["case"]["p"]) <= point["case"]["odds"] * min(point["case"]["p"])
            ),
        ),
        Condition(
            "the inequality of the dual holds for the patterns",
            lambda point: all(
                dot(point["case"]["d"], [dot(s, f) ** 2 for f in zip(*point["case"]["F"], strict=True)])
                <= dot(point["case"]["a"], s) * dot(point["case"]["pi"], s)
                for s in point["case"]["rays"]
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=30,
    notes="That patterns suffice: Kairouz, Oh and Viswanath, Extremal mechanisms for local differential privacy "
    "(JMLR 17, 2016), for utilities that are sums of a sublinear function of the rows; the chain of patterns is the "
    "usual one of a sorted vector (Lovasz's extension). Rule 5 of the checker tests all patterns, rule 22 chains.",
)
