"""A contrast with r values of k categories is a problem of r categories, those of equal value merged."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER

Case = dict[str, Any]


def _numbers(text: str) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, text.split()))


def _case(shares: str, group: str, values: str, rows: str) -> Case:
    """Return shares, groups, values of the contrast, a mechanism, unbiased weights of its answers, and its parity."""
    matrix = [_numbers(row) for row in rows.split(";")]
    sums = [sum(column) for column in zip(*matrix, strict=True)]
    matrix = [tuple(x / total for x, total in zip(row, sums, strict=True)) for row in matrix]
    return _made(_numbers(shares), tuple(map(int, group.split())), _numbers(values), matrix)


def _weights(rows: Any, targets: list[Fraction]) -> tuple[Fraction, ...]:
    """Return the weights of answers whose mean under each category is its target; rows are answers, as many."""
    system = [[*column, target] for column, target in zip(zip(*rows, strict=True), targets, strict=True)]
    for place in range(len(system)):
        pivot = next((row for row in system[place:] if row[place]), None)
        if pivot is None:
            raise ZeroDivisionError
        system.remove(pivot)
        system = [[x - row[place] / pivot[place] * y for x, y in zip(row, pivot, strict=True)] for row in system]
        system.insert(place, [y / pivot[place] for y in pivot])
    return tuple(row[-1] for row in system)


def _made(pi: tuple[Fraction, ...], group: tuple[int, ...], values: tuple[Fraction, ...], rows: Any) -> Case:
    weights = _weights(rows, [values[g] for g in group])
    odds = max(max(row) / min(row) for row in rows)
    return {"pi": pi, "group": group, "c": values, "P": tuple(map(tuple, rows)), "a": weights, "odds": odds}


def _draw(rng: random.Random) -> Case:
    while True:
        k = rng.randint(3, 4)
        shares = [Fraction(rng.randint(1, 9)) for _ in range(k)]
        group = tuple(sorted([0, 1, *(rng.randint(0, 1) for _ in range(k - 2))]))
        columns = [[Fraction(rng.randint(1, 5)) for _ in range(k)] for _ in range(k)]
        rows = [[column[i] / sum(column) for column in columns] for i in range(k)]
        values = Fraction(rng.randint(-2, 2)), Fraction(rng.randint(3, 5))
        try:
            return _made(tuple(x / sum(shares) for x in shares), group, values, rows)
        except ZeroDivisionError:
            continue


def _members(found: Case, g: int) -> list[int]:
    return [j for j, own in enumerate(found["group"]) if own == g]


def _merged(found: Case, i: int, g: int) -> Fraction:
    """The probability of the answer i in the merged category g: the mean over its categories."""
    inside = _members(found, g)
    total = sum((found["pi"][j] * found["P"][i][j] for j in inside), Fraction(0))
    return total / sum((found["pi"][j] for j in inside), Fraction(0))


def theory(point: Point) -> dict[str, Any]:
    """Privacy of the merged mechanism, the mean of the same weights, and the probability of an answer."""
    found, i, g, h = (point[name] for name in ("case", "i", "first", "second"))
    return {
        "privacy": Bound("at-most", found["odds"] * _merged(found, i, h)),
        "mean of the weights": found["c"][g],
        "chance of an answer": sum((x * p for x, p in zip(found["pi"], found["P"][i], strict=True)), Fraction(0)),
    }


def computed(point: Point) -> dict[str, Any]:
    """Of the mechanism with merged categories, whose shares are the sums of theirs."""
    found, i, g = (point[name] for name in ("case", "i", "first"))
    groups = range(len(found["c"]))
    shares = [sum((found["pi"][j] for j in _members(found, other)), Fraction(0)) for other in groups]
    return {
        "privacy": _merged(found, i, g),
        "mean of the weights": sum((a * _merged(found, y, g) for y, a in enumerate(found["a"])), Fraction(0)),
        "chance of an answer": sum((shares[other] * _merged(found, i, other) for other in groups), Fraction(0)),
    }


def mutant(point: Point) -> dict[str, Any]:
    """The probability of the answer as if all categories were equally frequent."""
    row = point["case"]["P"][point["i"]]
    return {**theory(point), "chance of an answer": sum(row, Fraction(0)) / len(row)}


CLAIM = Claim(
    id="rropt.merging",
    source=f"{PAPER}, contrasts",
    place=(7, 1),
    printed=r"Let $c$ take $r$ distinct values on $k$ categories of shares $\pi_j>0$. The least "
    r"$n\operatorname{Var}$ of an unbiased estimate of $c\cdot\pi$ over all $\varepsilon$-private mechanisms is that "
    r"of the problem with $r$ categories, those of equal value merged and their shares added. So a difference of two "
    r"shares is a problem of three categories, and one share a problem of two.",
    precise="For every mechanism P with finitely many answers whose rows have ratios of at most e^epsilon, and all "
    "weights a of the answers whose mean under each category j is c_j: the merged mechanism, whose chances of an "
    "answer in a group g are the means sum pi_j p_ij/pi_g, keeps epsilon; the same weights have mean c_g under g; "
    "each answer has the same chance, so the weights the same variance sum_i a_i^2 lambda_i - (c . pi)^2. Conversely "
    "a mechanism of the groups, asked of their categories, has the same entries, means and chances, and merging "
    "gives it back. So both problems have the same values.",
    variables={
        "case": Domain(
            "shares, groups, values of the contrast, a mechanism, unbiased weights of its answers, and e^epsilon",
            (
                _case("1/2 1/4 1/4", "0 1 1", "0 1", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2"),
                _case("1/2 1/3 1/6", "0 1 2", "1 -1 0", "3/5 1/5 1/5;1/5 3/5 1/5;1/5 1/5 3/5"),
                _case(
                    "1/4 1/4 1/4 1/4",
                    "0 0 1 2",
                    "0 1 -1",
                    "4 1 1 1;1 4 1 1;1 1 4 1;1 1 1 4",
                ),
            ),
            _draw,
            entries={("pi",): "x > 0", ("P",): "0 < x <= 1"},
        ),
        "i": Domain.whole("an answer", 0, 3),
        "first": Domain.whole("a group", 0, 2),
        "second": Domain.whole("another one", 0, 2),
    },
    assumptions=(
        Condition(
            "i is an answer, the others are groups",
            lambda point: (
                point["i"] < len(point["case"]["P"]) and max(point["first"], point["second"]) < len(point["case"]["c"])
            ),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=60,
    notes="That a mechanism with averaged columns keeps epsilon is post-processing's counterpart on the side of the "
    "inputs (joint convexity; Kairouz, Oh and Viswanath, Extremal mechanisms for local differential privacy, JMLR "
    "17, 2016, use it for utilities). The theorem for contrasts was not found in the literature.",
)
