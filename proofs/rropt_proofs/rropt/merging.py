"""A contrast with r values of k categories is a problem of r categories, those of equal value merged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Exchange, Fold, Point, Step, Value
from rropt_proofs.rropt import PAPER

Case = dict[str, Any]
_Paths = tuple[Any, ...]


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


def _at(point: Point) -> dict[str, Any]:
    found, i, g, h = (point[name] for name in ("case", "i", "first", "second"))
    least = tuple(min(row) for row in found["P"])
    return {
        "odds": found["odds"],
        "mass": tuple(
            sum((found["pi"][j] for j in _members(found, other)), Fraction(0)) for other in range(len(found["c"]))
        ),
        "least": least,
        "low": tuple(tuple(p - t for p in row) for row, t in zip(found["P"], least, strict=True)),
        "high": tuple(tuple(found["odds"] * t - p for p in row) for row, t in zip(found["P"], least, strict=True)),
        "t": Entry("least", i),
        "e1": Entry("mass", g),
        "e2": Entry("mass", h),
        "value": Entry("case", "c", g),
    }


def _group_fold(which: str, state: str, total: str, mass: str, slack: str, invariant: str) -> Fold:
    """The sums of pi_j p_ij and of pi_j over a group."""
    return Fold(
        over=lambda point, at: [
            {
                "pj": Entry("case", "pi", j),
                "p": Entry("case", "P", point["i"], j),
                f"{slack}_left": Entry(slack, point["i"], j),
            }
            for j in _members(point["case"], point[which])
        ],
        start={state: 0, total: 0},
        update={state: f"{state} + pj*p", total: f"{total} + pj"},
        invariants=invariant,
        totals={total: mass},
    )


def proof() -> Anchored:
    """Means lie between the least and the largest entry of a row; sums over answers and categories are exchanged."""
    first = _group_fold("first", "s1", "m1", "e1", "high", "s1 <= odds*t*m1")
    second = _group_fold("second", "s2", "m2", "e2", "low", "s2 >= t*m2")
    answers = Fold(
        over=lambda point, at: [{"ai": Entry("case", "a", y), "row": y} for y in range(len(point["case"]["a"]))],
        start={"u1": 0},
        update={"u1": "u1 + w"},
        invariants=(),
        inner=Fold(
            over=lambda point, at, element: [
                {"pj": Entry("case", "pi", j), "p": Entry("case", "P", element["row"], j)}
                for j in _members(point["case"], point["first"])
            ],
            start={"w": 0},
            update={"w": "w + ai*pj*p"},
            invariants=(),
        ),
    )
    categories = Fold(
        over=lambda point, at: [
            {"pj": Entry("case", "pi", j), "column": j} for j in _members(point["case"], point["first"])
        ],
        start={"u2": 0, "m3": 0},
        update={"u2": "u2 + all", "m3": "m3 + pj"},
        invariants="u2 == value*m3",
        totals={"m3": "e1"},
        inner=Fold(
            over=lambda point, at, element: [
                {"ai": Entry("case", "a", y), "p": Entry("case", "P", y, element["column"])}
                for y in range(len(point["case"]["a"]))
            ],
            start={"all": 0, "own": 0},
            update={"all": "all + ai*pj*p", "own": "own + ai*p"},
            invariants="all == pj*own",
            totals={"own": "value"},
        ),
    )
    whole = Fold(
        over=lambda point, at: [
            {"pj": Entry("case", "pi", j), "p": Entry("case", "P", point["i"], j)}
            for j in range(len(point["case"]["pi"]))
        ],
        start={"c1": 0},
        update={"c1": "c1 + pj*p"},
        invariants=(),
    )
    grouped = Fold(
        over=lambda point, at: [{"share": Entry("mass", x), "place": x} for x in range(len(point["case"]["c"]))],
        start={"c2": 0, "c3": 0},
        update={"c2": "c2 + f", "c3": "c3 + share*(f/share)"},
        invariants="c2 == c3",
        inner=Fold(
            over=lambda point, at, element: [
                {"pj": Entry("case", "pi", j), "p": Entry("case", "P", point["i"], j)}
                for j in _members(point["case"], element["place"])
            ],
            start={"f": 0},
            update={"f": "f + pj*p"},
            invariants=(),
        ),
    )
    return Anchored(
        Value(of="privacy", theory="odds*(s2/e2)", computed="s1/e1", degree=3),
        Value(of="mean of the weights", theory="value", computed="u1/e1"),
        Value(of="chance of an answer", theory="c1", computed="c3"),
        at=_at,
        folds=[
            categories,
            answers,
            Exchange(answers, categories, {"u1": "u2"}),
            whole,
            grouped,
            Exchange(whole, grouped, {"c1": "c2"}),
            first,
            second,
            Step("s1 <= odds*t*e1"),
            Step("s2 >= t*e2"),
        ],
    )


def _unbiased(point: Point) -> Iterator[tuple[list[_Paths], _Paths]]:
    """The mean of the weights under each category is the value of its group."""
    found = point["case"]
    for j, g in enumerate(found["group"]):
        yield [(("case", "a", y), ("case", "P", y, j)) for y in range(len(found["a"]))], ("case", "c", g)


def _masses(point: Point) -> Iterator[tuple[list[_Paths], _Paths]]:
    found = point["case"]
    for g in range(len(found["c"])):
        yield [(("case", "pi", j),) for j in _members(found, g)], ("mass", g)


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
            equations=_unbiased,
        ),
        "i": Domain.whole("an answer", 0, 3),
        "first": Domain.whole("a group", 0, 2),
        "second": Domain.whole("another one", 0, 2),
    },
    bound={
        "odds": Domain("e^epsilon", (), relation="x >= 1"),
        "mass": Domain("the shares of the groups", (), entries={(): "x > 0"}, equations=_masses),
        "least": Domain("the least entries of the rows", (), entries={(): "x > 0"}),
        "low": Domain("p_ij - the least of row i", (), entries={(): "x >= 0 and x == p - t"}),
        "high": Domain("e^epsilon times that - p_ij, by privacy", (), entries={(): "x >= 0 and x == odds*t - p"}),
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
    proof=proof,
    count=60,
    notes="That a mechanism with averaged columns keeps epsilon is post-processing's counterpart on the side of the "
    "inputs (joint convexity; Kairouz, Oh and Viswanath, Extremal mechanisms for local differential privacy, JMLR "
    "17, 2016, use it for utilities). The theorem for contrasts was not found in the literature.",
)
