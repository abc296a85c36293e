"""A restricted output alphabet, or bounds on entries: what a dual of a cell proves about all mechanisms in it."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._cells import NUMBERS, Case, beta
from rropt_proofs.rropt._designs import Matrix, Numbers, dot, matrix, numbers, population, private, some_numbers


def _chains(rows: Matrix, gamma: Fraction) -> tuple[Matrix, ...]:
    """Return for each row the patterns of its order: gamma at the s largest entries."""
    inputs = range(len(rows[0]))

    def chain(row: Numbers) -> Matrix:
        order = sorted(inputs, key=lambda j: -row[j])
        return tuple(tuple(gamma if j in order[:s] else Fraction(1) for j in inputs) for s in inputs)

    return tuple(map(chain, rows))


def _square(found: Case, row: Numbers) -> Fraction:
    return sum((dot(row, w) ** 2 for w in zip(*found["W"], strict=True)), Fraction(0))


def _made(found: Case, gamma: Fraction) -> Case:
    """Return the case with the rays of the cell, what the estimates estimate, and alpha no less than the rays need."""
    rays, rows, pi = _chains(found["P"], gamma), found["P"], found["pi"]
    needed = []
    for i, cone in enumerate(rays):
        cost = [a + b for a, b in zip(found["alpha"], beta(found, i), strict=True)]
        needed += [(_square(found, ray) / dot(ray, pi) - dot(cost, ray)) / dot(ray, pi) for ray in cone]
    alpha = tuple(a + max(needed) * p for a, p in zip(found["alpha"], pi, strict=True))
    targets = tuple(
        tuple(dot(column, estimate) for estimate in zip(*found["A"], strict=True)) for column in zip(*rows, strict=True)
    )
    return _scaled({**found, "alpha": alpha, "C": targets, "rays": rays})


def _scaled(found: Case) -> Case:
    """Return the case with the best multiple of its dual, if there is one."""
    t, bill = _along(found), _bill(found)
    u = t / bill if bill > 0 and t else Fraction(1)
    return {
        **found,
        "W": tuple(tuple(u * x for x in row) for row in found["W"]),
        "alpha": tuple(u**2 * x for x in found["alpha"]),
        **{name: tuple(tuple(u**2 * x for x in row) for row in found[name]) for name in ("up", "down")},
    }


def _of_page() -> Case:
    """Two categories, three answers, no entry above 1/2: the optimum at gamma = 3 and one of its duals."""
    return _made(
        {
            "pi": numbers("1/2 1/2"),
            "P": matrix("1/2 1/6;1/3 1/3;1/6 1/2"),
            "A": matrix("2 -1;1/2 1/2;-1 2"),
            "W": matrix("7/4 -5/4;-5/4 7/4"),
            "alpha": numbers("19/4 -17/4"),
            "up": matrix("0 0;0 0;0 6"),
            "down": matrix("0 0;0 0;0 0"),
            "low": matrix("1/10 1/10;1/10 1/10;1/10 1/10"),
            "high": matrix("1/2 1/2;1/2 1/2;1/2 1/2"),
            **dict.fromkeys(NUMBERS, Fraction(1)),
        },
        Fraction(3),
    )


def _draw(rng: random.Random) -> Case:
    k, r = rng.randint(2, 3), rng.randint(1, 2)
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    rows = private(rng, k, rng.randint(1, 2), gamma)

    def some(lines: int, width: int, least: int, over: int) -> Matrix:
        return tuple(tuple(Fraction(rng.randint(least, 4), over) for _ in range(width)) for _ in range(lines))

    m = len(rows)
    costs = rng.choice((0, 1))
    return _made(
        {
            "pi": population(rng, k),
            "P": rows,
            "A": some(m, r, -4, 2),
            "W": some(k, r, -4, 2),
            "alpha": some(1, k, -4, 1)[0],
            "up": tuple(tuple(costs * x for x in row) for row in some(m, k, 0, 2)),
            "down": tuple(tuple(costs * x for x in row) for row in some(m, k, 0, 2)),
            "low": tuple(tuple(x * rng.choice((0, 1, Fraction(1, 2))) for x in row) for row in rows),
            "high": tuple(tuple(x + (1 - x) * rng.choice((0, 1, Fraction(1, 2))) for x in row) for row in rows),
            **some_numbers(rng, NUMBERS),
        },
        gamma,
    )


def _bill(found: Case) -> Fraction:
    """Return B: what alpha and the bounds cost."""
    ends = zip(found["up"], found["high"], found["down"], found["low"], strict=True)
    return sum(found["alpha"], Fraction(0)) + sum(dot(up, high) - dot(down, low) for up, high, down, low in ends)


def _along(found: Case) -> Fraction:
    return sum((dot(w, c) for w, c in zip(found["W"], found["C"], strict=True)), Fraction(0))


def theory(point: Point) -> dict[str, Any]:
    """2 t - B; the best multiple of a dual; and a mixture of two rays."""
    found = point["case"]
    bill, t, x, y, a, b = (found[name] for name in NUMBERS)
    return {
        "second moment": Bound("at-least", 2 * _along(found) - _bill(found)),
        "multiple of a dual": Bound("at-most", t**2 / bill),
        "best multiple": t**2 / bill,
        "halved": x * a + y * b,
    }


def computed(point: Point) -> dict[str, Any]:
    """The squares of the estimates by the probabilities of the answers; 2 t - B of multiples; the mixture in a half."""
    found = point["case"]
    bill, t, x, y, a, b = (found[name] for name in NUMBERS)
    squares = [dot(row, found["pi"]) * dot(own, own) for row, own in zip(found["P"], found["A"], strict=True)]
    best = t / bill
    return {
        "second moment": sum(squares, Fraction(0)),
        "multiple of a dual": 2 * x * t - x**2 * bill,
        "best multiple": 2 * best * t - best**2 * bill,
        "halved": (x - y) * a + 2 * y * ((a + b) / 2),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Bounds on entries that cost nothing."""
    found = point["case"]
    free = 2 * _along(found) - sum(found["alpha"], Fraction(0))
    return {**theory(point), "second moment": Bound("at-least", free)}


def _holds_at_rays(point: Point) -> bool:
    found = point["case"]
    return all(
        _square(found, ray)
        <= dot([a + b for a, b in zip(found["alpha"], beta(found, i), strict=True)], ray) * dot(ray, found["pi"])
        for i, cone in enumerate(found["rays"])
        for ray in cone
    )


def _within(point: Point) -> bool:
    found = point["case"]
    lines = zip(found["low"], found["P"], found["high"], strict=True)
    return all(a <= p <= b for low, row, high in lines for a, p, b in zip(low, row, high, strict=True))


CLAIM = Claim(
    id="rropt.cones",
    source=f"{PAPER}, restricted output alphabets, and bounds on entries",
    place=(9, 2),
    printed=r"Let every answer $i$ have a cone of rows that rays generate, and let $W\in\mathbb R^{k\times r}$, "
    r"$\alpha$ and $\beta_i\in\mathbb R^k$ have $|\rho W|^2\le((\alpha+\beta_i)\cdot\rho)(\rho\cdot\pi)$ for the "
    r"rays $\rho$ of each $i$. For all mechanisms $P$ whose rows are in the cones, with $l_{ij}\le p_{ij}\le "
    r"b_{ij}$, and all estimates $a_i\in\mathbb R^r$ that are unbiased for $C^T\pi$: "
    r"$\sum_i|a_i|^2(p_i\cdot\pi)\ge2t-B$, with $t=\operatorname{tr}W^TC$ and "
    r"$B=\sum_j\alpha_j+\sum_{ij}(\beta_{ij}^+b_{ij}-\beta_{ij}^-l_{ij})$; so, by the best multiple of the dual, "
    r"$n\operatorname{Var}\ge\frac{t^2}B-|C^T\pi|^2$ if $B>0$. The cells of the branch and bound cover all "
    r"mechanisms.",
    precise="For k >= 1, any number of answers, r . pi > 0 for the rays, s_i = p_i . pi > 0 (answers of chance 0 are "
    "left out), sum_i p_ij = 1, and sum_i p_ij a_i = C_j, the row j of C: C = I is the trace of the covariance, one "
    "column a contrast. The inequality holds for the rows too (`rropt.patterns`); with s_i in both it leaves the "
    "square |p_i W - s_i a_i|^2. beta = up - down with up, down >= 0. A dual times u (W u, alpha u^2, beta u^2) is "
    "one: with B < 0, or B = 0 and t not 0, no mechanism of the cell has such an estimate. Cells cover: the rows of "
    "each order of the entries are the cone of its patterns (`rropt.patterns`), and x a + y b with x >= y >= 0 is (x "
    "- y) a + 2 y m, m = (a + b)/2; with y >= x likewise, a and b exchanged: each mixture of rays is in one of the "
    "halves. With all patterns as rays and beta = 0 it is the bound of any number of answers, for A- and "
    "c-optimality.",
    variables={
        "case": Domain(
            "a population, a mechanism within bounds, estimates, what they estimate, a dual, the rays of its cell",
            (_of_page(),),
            _draw,
            entries={
                ("P",): "0 <= x <= 1",
                ("bill",): "x > 0",
                ("up",): "x >= 0",
                ("down",): "x >= 0",
            },
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["pi"]))],
        ),
    },
    assumptions=(
        Condition("the inequality of the dual holds at the rays", _holds_at_rays),
        Condition("the entries are within the bounds", _within),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=26,
    notes="Branch and bound over directions with duals for the cells is a routine of global optimisation (Horst and "
    "Tuy, Global optimization, 1996, simplicial partitions). For private mechanisms with a restricted output "
    "alphabet, or bounds on entries, it was not found in the literature; `rropt design kary --outputs 2` writes the "
    "duals of all cells (rule 22).",
)
