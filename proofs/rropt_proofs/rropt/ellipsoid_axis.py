"""The longest axis of the confidence ellipsoid: the dual of E-optimality, for all unbiased estimates."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import dot, matrix, numbers, population, private, some_numbers
from rropt_proofs.rropt._ellipsoids import Case, dual, holds

_NUMBERS = ("total", "w", "u")  # sum alpha, tr W and a multiplier, of any dual


def _made(found: Case, gamma: Fraction, slopes: Any) -> Case:
    """Return the case with alpha and v; the contrasts are what the estimates estimate, G their best multiple."""
    contrasts = tuple(
        tuple(dot(column, estimate) for estimate in zip(*found["A"], strict=True))
        for column in zip(*found["P"], strict=True)
    )
    first = dual({**found, "G": contrasts}, gamma, slopes)
    w, total = _along({**first, "F": contrasts}), sum(first["alpha"], Fraction(0))
    u = w / total if total > 0 and w else Fraction(1)
    scaled = {
        "G": tuple(tuple(u * x for x in row) for row in contrasts),
        "alpha": tuple(u**2 * x for x in first["alpha"]),
    }
    made = {**first, **scaled, "F": contrasts}
    sizes = [sum(x * x for x in f) for f in zip(*contrasts, strict=True)]
    ratios = [x / size for x, size in zip(_variances(made), sizes, strict=True) if size]
    return {**made, "v": max([*ratios, Fraction(0)])}


def _case(pi: str, rows: str, estimates: str, gamma: str) -> Case:
    found: Case = {"pi": numbers(pi), "P": matrix(rows), "A": matrix(estimates), **dict.fromkeys(_NUMBERS, Fraction(1))}
    weights = (Fraction(1),) * len(found["A"][0])
    return _made({**found, "d": weights}, Fraction(gamma), (Fraction(0),) * len(found["pi"]))


def _draw(rng: random.Random) -> Case:
    """Estimates whose means sum to 0 over the categories."""
    k, r = rng.randint(2, 3), rng.randint(1, 2)
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    rows = private(rng, k, rng.randint(1, 2), gamma)
    totals = [sum(row, Fraction(0)) for row in rows]
    estimates = [[Fraction(rng.randint(-4, 4), 2) for _ in range(r)] for _ in rows]
    for x in range(r):
        excess = dot([line[x] for line in estimates], totals)
        for line in estimates:
            line[x] -= excess / k
        if all(dot([line[x] for line in estimates], column) == 0 for column in zip(*rows, strict=True)):
            return _case("1/2 1/2", "3/4 1/4;1/4 3/4", "1;-1", "3")
    found: Case = {
        "pi": population(rng, k),
        "P": rows,
        "A": tuple(map(tuple, estimates)),
        **some_numbers(rng, _NUMBERS),
    }
    weights = tuple(Fraction(rng.randint(0, 3)) for _ in range(r))
    return _made({**found, "d": weights}, gamma, tuple(Fraction(rng.randint(-2, 2)) for _ in range(k)))


def _along(found: Case) -> Fraction:
    """Return sum_l d_l f_l . g_l."""
    pairs = zip(found["d"], zip(*found["F"], strict=True), zip(*found["G"], strict=True), strict=True)
    return sum((d * dot(f, g) for d, f, g in pairs), Fraction(0))


def _variances(found: Case) -> list[Fraction]:
    """Return n times the variance of each estimate."""
    means = [dot(row, found["pi"]) for row in found["P"]]
    laws = zip(zip(*found["A"], strict=True), zip(*found["F"], strict=True), strict=True)
    return [dot(means, [(a - dot(f, found["pi"])) ** 2 for a in own]) for own, f in laws]


def theory(point: Point) -> dict[str, Any]:
    """2 sum d f . g - sum alpha; v tr W; the best multiple of a dual."""
    found = point["case"]
    total, w, _ = (found[name] for name in _NUMBERS)
    sizes = [dot(f, f) for f in zip(*found["F"], strict=True)]
    return {
        "variances": Bound("at-least", 2 * _along(found) - sum(found["alpha"], Fraction(0))),
        "longest axis": Bound("at-most", found["v"] * dot(found["d"], sizes)),
        "multiple of a dual": Bound("at-most", w**2 / total),
        "best multiple": w**2 / total,
    }


def computed(point: Point) -> dict[str, Any]:
    """The weighted variances of the estimates; 2 u w - u^2 a of multiples."""
    found = point["case"]
    total, w, u = (found[name] for name in _NUMBERS)
    variances = dot(found["d"], _variances(found))
    best = w / total
    return {
        "variances": variances,
        "longest axis": variances,
        "multiple of a dual": 2 * u * w - u**2 * total,
        "best multiple": 2 * best * w - best**2 * total,
    }


def mutant(point: Point) -> dict[str, Any]:
    """A tenth more."""
    said = theory(point)
    return {**said, "variances": Bound("at-least", said["variances"].value * Fraction(11, 10))}


CLAIM = Claim(
    id="rropt.ellipsoid-axis",
    source=f"{PAPER}, confidence ellipsoids of k shares",
    place=(9, 4),
    printed=r"Let $W=\sum_ld_lf_lf_l^T$ with $d_l\ge0$ and contrasts $f_l$ (of sum 0), and let $SWS^T\le(\alpha\cdot "
    r"S)(S\cdot\pi)$ for all patterns $S\in\{1,\gamma\}^k$. For all $\varepsilon$-private mechanisms with finitely "
    r"many answers, and all unbiased estimates: "
    r"$\sum_ld_l\,n\operatorname{Var}(\widehat{f_l\cdot\pi})\ge\frac{(\operatorname{tr}W)^2}{\sum\alpha}$, so that "
    r"the largest eigenvalue of $n$ times the covariance of an unbiased estimate of $\pi$ is at least "
    r"$\frac{\operatorname{tr}W}{\sum\alpha}$.",
    precise="For gamma > 1, any k >= 2, s_i = p_i . pi > 0, sum_i p_ij = 1, and estimates a_il with sum_i p_ij a_il "
    "= f_jl. A dual is G, whose columns sum to 0, and alpha with sum_l d_l (S G)_l^2 <= (alpha . S)(S . pi) for all "
    "patterns, so for the rows of P (`rropt.patterns`). As sum_i (a_il - f_l . pi)(p_i G)_l = f_l . g_l, each n Var "
    "is at least 2 f_l . g_l - q_l, q_l = sum_i (p_i G)_l^2/s_i: squares over s_i are left. And sum_l d_l q_l = tr W "
    "M <= sum alpha. With F u in the place of G and alpha u^2 it is 2 u tr W - u^2 sum alpha, at the best u the "
    "bound; if n Var of f . a is at most v f . f for all contrasts f, the weighted sum is at most v tr W. At one "
    "observation: n answers have n times the information.",
    variables={
        "case": Domain(
            "a population, a mechanism, estimates of contrasts, the contrasts F, weights d, and a dual G and alpha",
            (
                _case("1/2 1/2", "3/4 1/4;1/4 3/4", "1;-1", "3"),
                _case("1/2 1/4 1/4", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "4 0;-4 4;0 -4", "2"),
            ),
            _draw,
            entries={("d",): "x >= 0", ("total",): "x > 0"},
            whole_groups=lambda found: [[("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["pi"]))],
        ),
    },
    assumptions=(
        Condition("epsilon-privacy, and the inequality of the dual for all patterns", holds),
        Condition(
            "no estimate has a variance above v times the square of its contrast",
            lambda point: all(
                x <= point["case"]["v"] * dot(f, f)
                for x, f in zip(_variances(point["case"]), zip(*point["case"]["F"], strict=True), strict=True)
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=26,
    notes="Rule 5 of the checker has it as tr W M >= m tr W, m the least eigenvalue of C M C. That a dual attains "
    "the bound at the best design is cited: Kiefer, General equivalence theory for optimum designs (Ann. Statist. 2, "
    "1974), W a subgradient in the eigenspace of the longest axis; here alpha, of k numbers, stands for the columns "
    "that sum to 1. The largest Fisher information of one parameter under local privacy: Steinberger, Efficiency in "
    "local differential privacy (Ann. Statist. 52, 2024, 2139-2166); E-optimal private mechanisms were not found in "
    "the literature.",
)
