"""A dual of a cell, answer by answer with a square that is left, and over all answers and categories."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Anchored, Domain, Entry, Exchange, Fold, Point, Step, Value
from rropt_proofs.rropt._designs import dot, named

Case = dict[str, Any]

NUMBERS = ("bill", "t", "x", "y", "a", "b")  # B and t of any dual, a multiplier; weights and entries of two rays


def beta(found: Case, i: int) -> list[Fraction]:
    """Return what the bounds of an answer add to alpha."""
    return [x - y for x, y in zip(found["up"][i], found["down"][i], strict=True)]


def _at(point: Point) -> list[dict[str, Any]]:
    found = point["case"]
    rows, pi, estimates = found["P"], found["pi"], found["A"]
    images = tuple(tuple(dot(row, w) for w in zip(*found["W"], strict=True)) for row in rows)
    means = tuple(dot(row, pi) for row in rows)
    costs = tuple(tuple(a + b for a, b in zip(found["alpha"], beta(found, i), strict=True)) for i in range(len(rows)))
    bills = tuple(dot(row, cost) for row, cost in zip(rows, costs, strict=True))
    common = {
        "images": images,
        "means": means,
        "sizes": tuple(dot(own, own) for own in estimates),
        "dots": tuple(dot(own, image) for own, image in zip(estimates, images, strict=True)),
        "costs": costs,
        "bills": bills,
        "slack": tuple(bill * s - dot(image, image) for bill, s, image in zip(bills, means, images, strict=True)),
        "above": tuple(
            tuple(b - p for b, p in zip(high, row, strict=True)) for high, row in zip(found["high"], rows, strict=True)
        ),
        "below": tuple(
            tuple(p - a for a, p in zip(low, row, strict=True)) for low, row in zip(found["low"], rows, strict=True)
        ),
        "gaps": tuple(
            tuple((y - s * own) ** 2 for y, own in zip(image, line, strict=True))
            for image, line, s in zip(images, estimates, means, strict=True)
        ),
    }
    return [
        {
            **common,
            "answer": i,
            "s": Entry("means", i),
            "size": Entry("sizes", i),
            "tie": Entry("dots", i),
            "fee": Entry("bills", i),
            "rest": Entry("slack", i),
            **{name: Entry("case", name) for name in NUMBERS},
        }
        for i in range(len(rows))
    ]


def _answers(point: Point) -> range:
    return range(len(point["case"]["P"]))


def _inputs(point: Point) -> range:
    return range(len(point["case"]["pi"]))


def _columns(point: Point) -> range:
    return range(len(point["case"]["A"][0]))


def _pairs(point: Point) -> list[tuple[int, int]]:
    return [(j, x) for j in _inputs(point) for x in _columns(point)]


def _of_answer() -> list[Any]:
    """2 u a . (p W) - (p . pi) |a|^2 is at most u^2 times what the answer costs: a square is left."""
    squares = Fold(
        over=lambda point, at: [
            {
                "est1": Entry("case", "A", at["answer"], x),
                "y1": Entry("images", at["answer"], x),
                "gap": Entry("gaps", at["answer"], x),
                "column": x,
            }
            for x in _columns(point)
        ],
        start={"both": 0, "ay": 0, "aa": 0, "yy": 0},
        update={"both": "both + all1", "ay": "ay + est1*y1", "aa": "aa + est1*est1", "yy": "yy + y1*y1"},
        invariants=("both == ay", "yy - 2*s*ay + s**2*aa >= 0"),
        totals={"both": "tie", "aa": "size"},
        inner=Fold(
            over=lambda point, at, element: [
                {"p1": Entry("case", "P", at["answer"], j), "w1": Entry("case", "W", j, element["column"])}
                for j in _inputs(point)
            ],
            start={"all1": 0, "dot1": 0},
            update={"all1": "all1 + est1*p1*w1", "dot1": "dot1 + p1*w1"},
            invariants="all1 == est1*dot1",
            totals={"dot1": "y1"},
        ),
    )
    return [
        squares,
        Step("ay == tie"),
        Step("s*(fee - 2*tie + s*size) >= 0"),
        Step("fee - 2*tie + s*size >= 0"),
    ]


def _over_answers() -> list[Any]:
    """The sum over the answers: the trace of the estimates times W is t, as the estimates are unbiased."""
    main = Fold(
        over=lambda point, at: [
            {"tie2": Entry("dots", i), "s2": Entry("means", i), "size2": Entry("sizes", i), "fee2": Entry("bills", i)}
            for i in _answers(point)
        ],
        start={"act": 0, "moment": 0, "fees": 0},
        update={"act": "act + tie2", "moment": "moment + s2*size2", "fees": "fees + fee2"},
        invariants="fees - 2*act + moment >= 0",
        each={"tie": "tie2", "s": "s2", "size": "size2", "fee": "fee2"},
    )
    by_answer = Fold(
        over=lambda point, at: [{"tie3": Entry("dots", i), "from": i} for i in _answers(point)],
        start={"act5": 0, "act3": 0},
        update={"act5": "act5 + all3", "act3": "act3 + tie3"},
        invariants="act5 == act3",
        inner=Fold(
            over=lambda point, at, element: [
                {
                    "est3": Entry("case", "A", element["from"], x),
                    "p3": Entry("case", "P", element["from"], j),
                    "w3": Entry("case", "W", j, x),
                }
                for j, x in _pairs(point)
            ],
            start={"all3": 0},
            update={"all3": "all3 + est3*p3*w3"},
            invariants=(),
            totals={"all3": "tie3"},
        ),
    )
    by_pair = Fold(
        over=lambda point, at: [
            {"w4": Entry("case", "W", j, x), "target": Entry("case", "C", j, x), "input": j, "column": x}
            for j, x in _pairs(point)
        ],
        start={"act6": 0, "told": 0},
        update={"act6": "act6 + all4", "told": "told + w4*target"},
        invariants="act6 == told",
        inner=Fold(
            over=lambda point, at, element: [
                {
                    "est4": Entry("case", "A", i, element["column"]),
                    "p4": Entry("case", "P", i, element["input"]),
                }
                for i in _answers(point)
            ],
            start={"all4": 0, "dot4": 0},
            update={"all4": "all4 + est4*p4*w4", "dot4": "dot4 + est4*p4"},
            invariants="all4 == dot4*w4",
            totals={"dot4": "target"},
        ),
    )
    return [
        main,
        by_answer,
        by_pair,
        Exchange(main, by_answer, {"act": "act3"}),
        Exchange(by_answer, by_pair, {"act5": "act6"}),
        Step("act == told"),
        *_costs(main),
        Step("fees <= sum_alpha + ends"),
    ]


def _costs(main: Fold) -> list[Any]:
    """What answers cost: alpha, as columns sum to 1, and the bounds."""
    by_answer = Fold(
        over=lambda point, at: [{"fee5": Entry("bills", i), "from": i} for i in _answers(point)],
        start={"fees5": 0, "shares": 0, "ends": 0},
        update={"fees5": "fees5 + fee5", "shares": "shares + share", "ends": "ends + end"},
        invariants="fees5 <= shares + ends",
        inner=Fold(
            over=lambda point, at, element: [
                {
                    "p5": Entry("case", "P", element["from"], j),
                    "alpha5": Entry("case", "alpha", j),
                    "cost5": Entry("costs", element["from"], j),
                    "up5": Entry("case", "up", element["from"], j),
                    "down5": Entry("case", "down", element["from"], j),
                    "low5": Entry("case", "low", element["from"], j),
                    "high5": Entry("case", "high", element["from"], j),
                    "above5": Entry("above", element["from"], j),
                    "below5": Entry("below", element["from"], j),
                }
                for j in _inputs(point)
            ],
            start={"paid": 0, "share": 0, "end": 0},
            update={
                "paid": "paid + p5*cost5",
                "share": "share + p5*alpha5",
                "end": "end + up5*high5 - down5*low5",
            },
            invariants="paid <= share + end",
            totals={"paid": "fee5"},
        ),
    )
    by_input = Fold(
        over=lambda point, at: [{"alpha6": Entry("case", "alpha", j), "input": j} for j in _inputs(point)],
        start={"shares6": 0, "sum_alpha": 0},
        update={"shares6": "shares6 + all6", "sum_alpha": "sum_alpha + alpha6"},
        invariants="shares6 == sum_alpha",
        inner=Fold(
            over=lambda point, at, element: [{"p6": Entry("case", "P", i, element["input"])} for i in _answers(point)],
            start={"all6": 0, "one6": 0},
            update={"all6": "all6 + p6*alpha6", "one6": "one6 + p6"},
            invariants="all6 == alpha6*one6",
            totals={"one6": 1},
        ),
    )
    return [
        by_answer,
        by_input,
        Exchange(main, by_answer, {"fees": "fees5"}),
        Exchange(by_answer, by_input, {"shares": "shares6"}),
        Step("shares == sum_alpha"),
    ]


def proof() -> Anchored:
    """Answer by answer with a square, then over all answers."""
    return Anchored(
        Value(of="second moment", theory="2*told - sum_alpha - ends", computed="moment"),
        Value(of="multiple of a dual", theory="t**2/bill", computed="2*x*t - x**2*bill"),
        Value(of="best multiple", theory="t**2/bill", computed="2*(t/bill)*t - (t/bill)**2*bill"),
        Value(of="halved", theory="x*a + y*b", computed="(x - y)*a + 2*y*((a + b)/2)"),
        at=_at,
        folds=[*_of_answer(), *_over_answers()],
    )


def _of_images(point: Point) -> Iterator[Any]:
    for i in _answers(point):
        for x in _columns(point):
            yield [(("case", "P", i, j), ("case", "W", j, x)) for j in _inputs(point)], ("images", i, x)


def _of_sizes(point: Point) -> Iterator[Any]:
    for i in _answers(point):
        yield [(("case", "A", i, x), ("case", "A", i, x)) for x in _columns(point)], ("sizes", i)


def _of_dots(point: Point) -> Iterator[Any]:
    for i in _answers(point):
        terms = [(("case", "A", i, x), ("case", "P", i, j), ("case", "W", j, x)) for j, x in _pairs(point)]
        yield terms, ("dots", i)


def _of_bills(point: Point) -> Iterator[Any]:
    for i in _answers(point):
        yield [(("case", "P", i, j), ("costs", i, j)) for j in _inputs(point)], ("bills", i)


def unbiased(point: Point) -> Iterator[Any]:
    """Return that the estimates have the means that they should."""
    for j, x in _pairs(point):
        yield [(("case", "A", i, x), ("case", "P", i, j)) for i in _answers(point)], ("case", "C", j, x)


def sums() -> dict[str, Domain]:
    """Return the domains of the named sums."""
    return {
        "images": named("P W", equations=_of_images),
        "means": named("P pi", "x > 0"),
        "sizes": named("|a_i|^2", equations=_of_sizes),
        "dots": named("a_i . (p_i W)", equations=_of_dots),
        "costs": named("alpha + beta", "x == alpha5 + up5 - down5"),
        "bills": named("(alpha + beta_i) . p_i", equations=_of_bills),
        "slack": named("what the inequality leaves at the row", "x >= 0 and x == fee*s - yy"),
        "gaps": named("((p_i W)_x - s_i a_ix)^2", "x >= 0 and x == (y1 - s*est1)**2"),
        "above": named("b - p", "x >= 0 and x == high5 - p5"),
        "below": named("p - l", "x >= 0 and x == p5 - low5"),
    }
