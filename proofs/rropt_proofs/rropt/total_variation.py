"""The largest total variation between the answers of two populations: that of two answers, in closed form."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Bound, Claim, Condition, Domain, Entry, Exchange, Flag, Fold, Point, Step, Value
from rropt_proofs.rropt import PAPER
from rropt_proofs.rropt._designs import Matrix, dot, matrix, named, numbers, population, private

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


def _answers(point: Point) -> range:
    return range(len(point["case"]["P"]))


def _inputs(point: Point) -> range:
    return range(len(point["case"]["more"]))


def _at(point: Point) -> list[dict[str, Any]]:
    found = point["case"]
    gamma, rows = found["odds"], found["P"]
    alpha = tuple((gamma - 1) / (gamma + 1) * (x + y) for x, y in zip(found["more"], found["less"], strict=True))
    least = tuple(min(row) for row in rows)
    gains = [dot(row, found["more"]) - dot(row, found["less"]) for row in rows]
    common = {
        "gamma": gamma,
        "alpha": alpha,
        "least": least,
        "above": tuple(tuple(x - t for x in row) for row, t in zip(rows, least, strict=True)),
        "room": tuple(tuple(gamma * t - x for x in row) for row, t in zip(rows, least, strict=True)),
        "fees": tuple(dot(row, alpha) for row in rows),
        "apart": (sum(found["more"], Fraction(0)),),
        "yes": tuple((gamma if x > 0 else Fraction(1)) for x in found["more"]),
        "distances": tuple(map(abs, gains)),
        "gauges": tuple(Fraction(0) for _ in rows),
        "width": Entry("apart", 0),
    }
    return [
        {
            **common,
            "answer": i,
            "t": Entry("least", i),
            "fee": Entry("fees", i),
            "sign": Flag(gains[i] >= 0),
            "far": Entry("distances", i),
            "gauge": Entry("gauges", i),
        }
        for i in _answers(point)
    ]


def _of_answer() -> list[Any]:
    """The difference of the probabilities of an answer is at most alpha . p, whatever its sign."""
    weighed = Fold(
        over=lambda point, at: [
            {
                "more1": Entry("case", "more", j),
                "less1": Entry("case", "less", j),
                "alpha1": Entry("alpha", j),
                "p1": Entry("case", "P", at["answer"], j),
                "above1": Entry("above", at["answer"], j),
                "room1": Entry("room", at["answer"], j),
            }
            for j in _inputs(point)
        ],
        start={"up": 0, "down": 0, "aup": 0, "adown": 0, "ups": 0, "downs": 0, "cost": 0},
        update={
            "up": "up + p1*more1",
            "down": "down + p1*less1",
            "aup": "aup + t*more1",
            "adown": "adown + t*less1",
            "ups": "ups + more1",
            "downs": "downs + less1",
            "cost": "cost + p1*alpha1",
        },
        invariants=(
            "(gamma + 1)*cost == (gamma - 1)*(up + down)",
            "up <= gamma*aup",
            "up >= aup",
            "down <= gamma*adown",
            "down >= adown",
            "aup == t*ups",
            "adown == t*downs",
        ),
        totals={"ups": "width", "downs": "width", "cost": "fee"},
    )
    return [
        weighed,
        Step("aup == adown"),
        Step("up <= gamma*down"),
        Step("down <= gamma*up"),
        Step("(gamma + 1)*(fee - (up - down)) >= 0"),
        Step("(gamma + 1)*(fee - (down - up)) >= 0"),
        Step("up - down <= fee"),
        Step("down - up <= fee"),
        Step("far <= fee"),
    ]


def proof() -> Anchored:
    """An output reveals at most the part (gamma - 1)/(gamma + 1) of the weight of its entries where the populations
    differ."""
    paid = Fold(
        over=lambda point, at: [
            {"far2": Entry("distances", i), "fee2": Entry("fees", i), "from": i} for i in _answers(point)
        ],
        start={"fars": 0, "fees2": 0, "all_shares2": 0},
        update={"fars": "fars + far2", "fees2": "fees2 + fee2", "all_shares2": "all_shares2 + all2"},
        invariants=("fars <= fees2", "fees2 == all_shares2"),
        each={"far": "far2", "fee": "fee2"},
        inner=Fold(
            over=lambda point, at, element: [
                {"p2": Entry("case", "P", element["from"], j), "part2": Entry("alpha", j)} for j in _inputs(point)
            ],
            start={"all2": 0},
            update={"all2": "all2 + p2*part2"},
            invariants=(),
            totals={"all2": "fee2"},
        ),
    )
    whole = Fold(
        over=lambda point, at: [
            {
                "alpha1": Entry("alpha", j),
                "more1": Entry("case", "more", j),
                "less1": Entry("case", "less", j),
                "input": j,
            }
            for j in _inputs(point)
        ],
        start={"all_shares3": 0, "cost_sum": 0, "ups3": 0, "downs3": 0},
        update={
            "all_shares3": "all_shares3 + all3",
            "cost_sum": "cost_sum + alpha1",
            "ups3": "ups3 + more1",
            "downs3": "downs3 + less1",
        },
        invariants=("all_shares3 == cost_sum", "(gamma + 1)*cost_sum == (gamma - 1)*(ups3 + downs3)"),
        totals={"ups3": "width", "downs3": "width"},
        inner=Fold(
            over=lambda point, at, element: [{"p3": Entry("case", "P", i, element["input"])} for i in _answers(point)],
            start={"all3": 0, "one3": 0},
            update={"all3": "all3 + p3*alpha1", "one3": "one3 + p3"},
            invariants="all3 == alpha1*one3",
            totals={"one3": 1},
        ),
    )
    two = Fold(
        over=lambda point, at: [
            {"yes4": Entry("yes", j), "more4": Entry("case", "more", j), "less4": Entry("case", "less", j)}
            for j in _inputs(point)
        ],
        start={"ahead": 0, "ups4": 0, "overs4": 0},
        update={"ahead": "ahead + yes4*more4 - yes4*less4", "ups4": "ups4 + more4", "overs4": "overs4 + less4"},
        invariants="ahead == gamma*ups4 - overs4",
        totals={"ups4": "width", "overs4": "width"},
    )
    return Anchored(
        Value(of="answers", theory="(gamma - 1)/(gamma + 1)*width", computed="fars/2"),
        Value(of="two answers", theory="(gamma - 1)/(gamma + 1)*width", computed="ahead/(gamma + 1)"),
        at=_at,
        folds=[
            *_of_answer(),
            paid,
            whole,
            Exchange(paid, whole, {"all_shares2": "all_shares3"}),
            Step("fars <= cost_sum"),
            Step("(gamma + 1)*cost_sum == 2*(gamma - 1)*width"),
            Step("(gamma + 1)*fars <= 2*(gamma - 1)*width"),
            two,
            Step("ahead == (gamma - 1)*width"),
        ],
    )


def _of_apart(point: Point) -> Iterator[Any]:
    for name in ("more", "less"):
        yield [(("case", name, j),) for j in _inputs(point)], ("apart", 0)


def _of_fees(point: Point) -> Iterator[Any]:
    for i in _answers(point):
        yield [(("case", "P", i, j), ("alpha", j)) for j in _inputs(point)], ("fees", i)


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
    bound={
        "gamma": Domain("e^epsilon", (), relation="x >= 1"),
        "alpha": named("(gamma - 1)/(gamma + 1) (a + b)", "gamma*x + x == gamma*more1 + gamma*less1 - more1 - less1"),
        "least": named("the least entry of the row", "x >= 0"),
        "above": named("p_j - t", "x >= 0 and x == p1 - t"),
        "room": named("gamma t - p_j, by privacy", "x >= 0 and x == gamma*t - p1"),
        "fees": named("alpha . p", equations=_of_fees),
        "apart": named("the total variation of the populations", "x >= 0", equations=_of_apart),
        "yes": named("gamma where a > 0, else 1", "x*more4 == gamma*more4 and x*less4 == less4"),
        "distances": named("abs((a - b) . p)"),
        "gauges": named("its sign", "x == 0 and x == far - 2*sign*up + 2*sign*down + up - down"),
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
    proof=proof,
    count=26,
    notes="That two answers are best for the total variation at every epsilon: Kairouz, Oh and Viswanath, Extremal "
    "mechanisms for local differential privacy (JMLR 17, 2016). The contraction of total variation by (gamma - "
    "1)/(gamma + 1) is Dobrushin's coefficient of a private channel.",
)
