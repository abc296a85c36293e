"""The largest total variation between the answers of two populations: that of two answers, in closed form."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from rropt.claims import Bound, Claim, Condition, Domain, Point
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import Matrix, dot, matrix, numbers, population, private

Case = dict[str, Any]


def _made(first: Any, second: Any, rows: Matrix, gamma: Fraction) -> Case:
    """Return the case: what the first population has more at each category, and what the second has more."""
    differences = [p - q for p, q in zip(first, second, strict=True)]
    return {
        "first": first,
        "second": second,
        "more": tuple(max(x, Fraction(0)) for x in differences),
        "less": tuple(max(-x, Fraction(0)) for x in differences),
        "P": rows,
        "odds": gamma,
    }


def _case(first: str, second: str, rows: str, gamma: str) -> Case:
    return _made(numbers(first), numbers(second), matrix(rows), Fraction(gamma))


def _draw(rng: random.Random) -> Case:
    k = rng.randint(2, 4)
    gamma = 1 + Fraction(rng.randint(0, 30), 10)
    return _made(population(rng, k), population(rng, k), private(rng, k, rng.randint(1, 2), gamma), gamma)


def _distance(left: Any, right: Any) -> Fraction:
    return sum((abs(x - y) for x, y in zip(left, right, strict=True)), Fraction(0)) / 2


def theory(point: Point) -> dict[str, Any]:
    """(gamma - 1)/(gamma + 1) times the total variation of the populations."""
    found = point["case"]
    value = (found["odds"] - 1) / (found["odds"] + 1) * _distance(found["first"], found["second"])
    return {"answers": Bound("at-most", value), "two answers": value}


def computed(point: Point) -> dict[str, Any]:
    """Of the probabilities of the answers; of yes, likelier where the first population has more, and no."""
    found = point["case"]
    sides = [[dot(row, found[name]) for row in found["P"]] for name in ("first", "second")]
    yes = [(found["odds"] if x > 0 else Fraction(1)) / (found["odds"] + 1) for x in found["more"]]
    both = [[dot(yes, found[name]), 1 - dot(yes, found[name])] for name in ("first", "second")]
    return {"answers": _distance(*sides), "two answers": _distance(*both)}


def mutant(point: Point) -> dict[str, Any]:
    """(gamma - 1)/gamma in the place of (gamma - 1)/(gamma + 1) for two answers."""
    found, said = point["case"], theory(point)
    return {**said, "two answers": said["two answers"] * (found["odds"] + 1) / found["odds"]}


CLAIM = Claim(
    id="rropt.total-variation",
    source=f"{PAPER}, how far answers under two populations are apart",
    place=(10, 1),
    printed=r"Over all $\varepsilon$-private mechanisms of $k$ inputs, with any number of answers, the largest total "
    r"variation between the answers under two populations is $\frac{e^\varepsilon-1}{e^\varepsilon+1}$ times that of "
    r"the populations: two answers attain it, of which one is likelier by $e^\varepsilon$ where the first population "
    r"has the larger share.",
    precise="For gamma >= 1, any k and any number of answers, populations with differences a - b, a and b >= 0 and a "
    "b = 0, which have the sums TV. With alpha = (gamma - 1)/(gamma + 1) (a + b), abs((a - b) . p) <= alpha . p for "
    "every row p of entries from t to gamma t; over all rows alpha . sum_i p_i = sum alpha = 2 (gamma - 1)/(gamma + "
    "1) TV.",
    variables={
        "case": Domain(
            "two populations, what each has more, a mechanism, and gamma",
            (
                _case("3/4 1/4", "1/4 3/4", "3/4 1/4;1/4 3/4", "3"),
                _case("1/2 1/4 1/4", "1/4 1/4 1/2", "1/2 1/4 1/4;1/4 1/2 1/4;1/4 1/4 1/2", "2"),
                _case("1/2 1/2", "1/2 1/2", "3/4 1/4;1/4 3/4", "3"),
                _case("1 0", "0 1", "1/2 1/2;1/2 1/2", "1"),
            ),
            _draw,
            entries={("more",): "x >= 0", ("less",): "x >= 0"},
            whole_groups=lambda found: [
                [("P", i, j) for i in range(len(found["P"]))] for j in range(len(found["more"]))
            ],
        ),
    },
    assumptions=(
        Condition(
            "epsilon-privacy",
            lambda point: all(max(row) <= point["case"]["odds"] * min(row) for row in point["case"]["P"]),
        ),
    ),
    theory=theory,
    computed=computed,
    mutant=mutant,
    count=26,
    notes="That two answers are best for the total variation at every epsilon: Kairouz, Oh and Viswanath, Extremal "
    "mechanisms for local differential privacy (JMLR 17, 2016). The contraction of total variation by (gamma - "
    "1)/(gamma + 1) is Dobrushin's coefficient of a private channel.",
)
