"""The dual of the largest weighted trace, for any number of categories: multipliers, folds and an exchange.

With V and alpha as in ``multipliers``, row i of a private P has

    ``w_i p_ii <= sum_l alpha_l p_il + delta (w_i - alpha_i)``,

since ``w_i - alpha_i`` is a sum of x_il <= alpha_l/gamma over l != i, and ``p_ii <= gamma p_il + delta``. Summed over
the rows, column by column, the right side is ``V + delta (sum w - V)``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Domain, Entry, Exchange, Fold, Point, Step, Value

__all__ = ["Case", "best", "case", "computed_trace", "draw", "is_private", "multipliers", "said", "trace_proof"]

Case = dict[str, Any]
_Paths = tuple[Any, ...]


def case(weights: str, rows: str, odds: str) -> Case:
    """Return weights in descending order, a square matrix whose columns are distributions, and gamma."""
    matrix = tuple(tuple(map(Fraction, row.split())) for row in rows.split(";"))
    return {"w": tuple(map(Fraction, weights.split())), "P": matrix, "odds": Fraction(odds)}


def draw(rng: random.Random) -> Case:
    """Return weights, a mechanism that is near to the best one at times, and gamma."""
    k = rng.randint(2, 4)
    weights = tuple(sorted((Fraction(rng.randint(0, 9), 3) for _ in range(k)), reverse=True))
    gamma = 1 + Fraction(rng.randint(1, 30), 10)
    columns = [[Fraction(rng.randint(1, 5)) for _ in range(k)] for _ in range(k)]
    rows = [[column[i] / sum(column) for column in columns] for i in range(k)]
    _, m, _ = best(weights, gamma)
    near = best_rows(k, m, gamma)
    share = rng.choice((Fraction(0), Fraction(1, 2), Fraction(19, 20), Fraction(1)))
    mixed = tuple(
        tuple(share * x + (1 - share) * y for x, y in zip(one, other, strict=True))
        for one, other in zip(near, rows, strict=True)
    )
    return {"w": weights, "P": mixed, "odds": gamma}


def best(weights: tuple[Fraction, ...], gamma: Fraction) -> tuple[Fraction, int, Fraction]:
    """Return V, the largest m that attains it, and the sum of the m largest weights."""
    sums = [sum(weights[: m + 1], Fraction(0)) for m in range(len(weights))]
    values = [gamma * total / (gamma + m) for m, total in enumerate(sums)]
    m = max(range(len(values)), key=lambda i: (values[i], i))
    return values[m], m + 1, sums[m]


def best_rows(k: int, m: int, gamma: Fraction) -> list[list[Fraction]]:
    """Return the mechanism that answers with the first m categories only."""
    rare = 1 / (gamma + m - 1)

    def entry(i: int, j: int) -> Fraction:
        if i >= m:
            return Fraction(0)
        return Fraction(1, m) if j >= m else gamma * rare if i == j else rare

    return [[entry(i, j) for j in range(k)] for i in range(k)]


def is_private(point: Point, delta: Fraction) -> bool:
    """Return whether each column exceeds gamma times each other one by at most delta."""
    rows, gamma = point["case"]["P"], point["case"]["odds"]
    order = range(len(rows))
    return all(
        sum((max(row[j] - gamma * row[x], Fraction(0)) for row in rows), Fraction(0)) <= delta
        for j in order
        for x in order
    )


def said(point: Point, delta: Fraction) -> dict[str, Any]:
    """What the statement says: the bound, and that it is attained."""
    weights, gamma = point["case"]["w"], point["case"]["odds"]
    value = delta * sum(weights, Fraction(0)) + (1 - delta) * best(weights, gamma)[0]
    return {"trace": Bound("at-most", value), "attained": value}


def computed_trace(point: Point, delta: Fraction) -> dict[str, Any]:
    """Return the weighted trace of the mechanism, and of the best one, each entry weighted."""
    found = point["case"]
    weights, k = found["w"], len(found["w"])
    near = best_rows(k, best(weights, found["odds"])[1], found["odds"])
    return {
        "trace": sum((w * row[i] for i, (w, row) in enumerate(zip(weights, found["P"], strict=True))), Fraction(0)),
        "attained": sum(
            (w * (delta + (1 - delta) * row[i]) for i, (w, row) in enumerate(zip(weights, near, strict=True))),
            Fraction(0),
        ),
    }


def _at(point: Point, delta: Fraction) -> dict[str, Any]:
    """Name V, the multipliers alpha_i = max(0, (gamma w_i - V)/(gamma - 1)), their parts, and what privacy leaves."""
    found = point["case"]
    weights, rows, gamma = found["w"], found["P"], found["odds"]
    value, m, total = best(weights, gamma)
    alpha = tuple(max((gamma * w - value) / (gamma - 1), Fraction(0)) for w in weights)
    order = range(len(weights))
    split = tuple(
        tuple(
            alpha[x] * (w - alpha[i]) / (value - alpha[i]) if x != i and value != alpha[i] else Fraction(0)
            for x in order
        )
        for i, w in enumerate(weights)
    )
    slack = tuple(tuple(gamma * x - row[i] + delta for x in row) for i, row in enumerate(rows))
    return {
        "gamma": gamma,
        "top": (value,),
        "v": Entry("top", 0),
        "alpha": alpha,
        "split": split,
        "slack": slack,
        "m": m,
        "total": total,
        "last": weights[m - 1],
        "after": weights[m] if m < len(weights) else Fraction(0),
    }


def _sum_of_alpha(point: Point) -> Iterator[tuple[list[_Paths], _Paths]]:
    yield [(("alpha", x),) for x in range(len(point["alpha"]))], ("top", 0)


def _sums_of_split(point: Point) -> Iterator[tuple[list[_Paths], _Paths]]:
    order = range(len(point["alpha"]))
    for i in order:
        yield [(("alpha", i),), *((("split", i, x),) for x in order if x != i)], ("case", "w", i)


_MULTIPLIERS = {
    "gamma": Domain("e^epsilon", (), relation="x > 1"),
    "m": Domain("the number of categories that attains V", (), relation="x >= 1"),
    "total": Domain("the sum of the m largest weights", (), relation="x >= 0"),
    "last": Domain("the least of them", (), relation="x >= 0"),
    "after": Domain("the largest of the others, 0 if there are none", (), relation="x >= 0"),
    "top": Domain(
        "V = gamma W_m/(gamma + m - 1), not less with m - 1 or m + 1",
        (),
        entries={
            (): "x*(gamma + m - 1) == gamma*total and x*(gamma + m - 2) >= gamma*(total - last) and "
            "x*(gamma + m) >= gamma*(total + after)"
        },
        equations=_sum_of_alpha,
    ),
    "alpha": Domain("multipliers of the columns", (), entries={(): "x >= 0"}, equations=_sum_of_alpha),
    "split": Domain(
        "parts of w_i - alpha_i, by the other categories",
        (),
        entries={(): "x >= 0 and gamma*x <= b"},
        equations=_sums_of_split,
    ),
}


def multipliers(delta: str) -> dict[str, Domain]:
    """Return what the proof quantifies over; ``delta`` as in ``trace_proof``."""
    left = f"x >= 0 and x == gamma*p - q + {delta}"
    return {**_MULTIPLIERS, "slack": Domain("what privacy leaves of gamma p_il - p_ii + delta", (), entries={(): left})}


def trace_proof(delta: str, at_delta: Callable[[Point], Fraction], *more: Value) -> Anchored:
    """Return the proof; ``delta`` is its expression, ``at_delta`` its value at a point, ``more`` further shapes."""
    rows = Fold(
        over=lambda point, at: [
            {"w1": Entry("case", "w", i), "a1": Entry("alpha", i), "q": Entry("case", "P", i, i), "row": i}
            for i in range(len(point["case"]["w"]))
        ],
        start={"t": 0, "u": 0, "tw": 0, "ta": 0},
        update={"t": "t + w1*q", "u": "u + s", "tw": "tw + w1", "ta": "ta + a1"},
        invariants=f"t <= u + {delta}*(tw - ta)",
        totals={"ta": "v"},
        inner=Fold(
            over=lambda point, at, element: [
                {
                    "b": Entry("alpha", x),
                    "p": Entry("case", "P", element["row"], x),
                    "y": Entry("split", element["row"], x),
                    "z": Entry("slack", element["row"], x),
                }
                for x in range(len(point["case"]["w"]))
                if x != element["row"]
            ],
            start={"s": "a1*q", "r": "a1"},
            update={"s": "s + b*p", "r": "r + y"},
            invariants=f"s - a1*q >= (r - a1)*(q - {delta})",
            totals={"r": "w1"},
        ),
    )
    columns = Fold(
        over=lambda point, at: [{"b2": Entry("alpha", x), "column": x} for x in range(len(point["case"]["w"]))],
        start={"uc": 0, "ta2": 0},
        update={"uc": "uc + c", "ta2": "ta2 + b2"},
        invariants="uc == ta2",
        totals={"ta2": "v"},
        inner=Fold(
            over=lambda point, at, element: [
                {"p2": Entry("case", "P", i, element["column"])} for i in range(len(point["case"]["w"]))
            ],
            start={"c": 0, "one": 0},
            update={"c": "c + b2*p2", "one": "one + p2"},
            invariants="c == b2*one",
            totals={"one": 1},
        ),
    )
    value = f"{delta}*tw + (1 - {delta})*v"
    told = f"{delta}*tw + (1 - {delta})*gamma*total/(gamma + m - 1)"
    return Anchored(
        Value(of="trace", theory=value, computed="t"),
        Value(of="attained", theory=value, computed=told),
        *more,
        at=lambda point: _at(point, at_delta(point)),
        folds=[rows, columns, Exchange(rows, columns, {"u": "uc"})],
        steps=[
            Step("gamma*last >= v"),
            Step("v >= gamma*after"),
            Step("(gamma*total - m*v)/(gamma - 1) == v"),
            Step("1/m >= 1/(gamma + m - 1)"),
            Step("gamma/(gamma + m - 1) >= 1/m"),
        ],
    )
