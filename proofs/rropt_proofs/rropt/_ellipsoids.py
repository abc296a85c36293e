"""The first half of the duals of confidence ellipsoids: the information of a mechanism along G is at most sum alpha.

With y_i = p_i G, s_i = p_i . pi and weights d >= 0, a dual has ``sum_l d_l y_il^2 <= (alpha . p_i) s_i`` for every row
(``rropt.patterns``). Over s_i and summed over the rows, ``sum_l d_l q_l <= sum alpha``, ``q_l = sum_i y_il^2/s_i``:
with G d G^T = W this is ``tr W M <= sum alpha``, M the information of the mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from rropt.claims import Domain, Entry, Exchange, Fold, Point, Step
from rropt_proofs.rropt._designs import Numbers, dot, least_alpha, named, patterns

__all__ = ["Case", "answers", "columns", "dual", "holds", "inputs", "of_answer", "quantities", "sums", "trace"]

Case = dict[str, Any]


def answers(point: Point) -> range:
    """Return the places of the answers."""
    return range(len(point["case"]["P"]))


def inputs(point: Point) -> range:
    """Return the places of the categories."""
    return range(len(point["case"]["pi"]))


def columns(point: Point) -> range:
    """Return the places of the columns of G."""
    return range(len(point["case"]["d"]))


def _square(found: Case, row: Numbers) -> Fraction:
    return dot(found["d"], [dot(row, g) ** 2 for g in zip(*found["G"], strict=True)])


def dual(found: Case, gamma: Fraction, slopes: Numbers) -> Case:
    """Return the case with an alpha for which the inequality holds for all patterns at gamma."""
    rows = patterns(len(found["pi"]), gamma)
    return {
        **found,
        "odds": gamma,
        "alpha": least_alpha(lambda s: _square(found, s), slopes, found["pi"], rows),
    }


def holds(point: Point) -> bool:
    """Return whether the mechanism is private, and the inequality of the dual holds for all patterns."""
    found = point["case"]
    return all(max(row) <= found["odds"] * min(row) for row in found["P"]) and all(
        _square(found, s) <= dot(found["alpha"], s) * dot(s, found["pi"])
        for s in patterns(len(found["pi"]), found["odds"])
    )


def quantities(found: Case) -> dict[str, Any]:
    """Return the named sums at a point."""
    rows, d = found["P"], found["d"]
    images = tuple(tuple(dot(row, g) for g in zip(*found["G"], strict=True)) for row in rows)
    means = tuple(dot(row, found["pi"]) for row in rows)
    fees = tuple(dot(row, found["alpha"]) for row in rows)
    squares = [dot(d, [y * y for y in image]) for image in images]
    return {
        "images": images,
        "means": means,
        "inverses": tuple(1 / s for s in means),
        "ones": tuple(Fraction(1) for _ in rows),
        "fees": fees,
        "parts": tuple(square / s for square, s in zip(squares, means, strict=True)),
        "slack": tuple(fee * s - square for fee, s, square in zip(fees, means, squares, strict=True)),
        "told": tuple(
            sum((line[x] ** 2 / s for line, s in zip(images, means, strict=True)), Fraction(0)) for x in range(len(d))
        ),
    }


def of_answer(i: int) -> dict[str, Entry]:
    """Return what the lemma about the answer i calls its sums."""
    return {
        "s": Entry("means", i),
        "inv": Entry("inverses", i),
        "unit": Entry("ones", i),
        "fee": Entry("fees", i),
        "bit": Entry("parts", i),
        "rest": Entry("slack", i),
    }


def trace() -> tuple[list[Any], Fold]:
    """Return folds that prove ``told_all <= sum_alpha``, and the last one, whose state told_all is sum_l d_l q_l."""
    squares = Fold(
        over=lambda point, at: [
            {"d1": Entry("case", "d", x), "y1": Entry("images", at["answer"], x)} for x in columns(point)
        ],
        start={"cut": 0, "ss": 0},
        update={"cut": "cut + d1*inv*y1*y1", "ss": "ss + d1*y1*y1"},
        invariants="cut == inv*ss",
        totals={"cut": "bit"},
    )
    by_answer = Fold(
        over=lambda point, at: [
            {"bit2": Entry("parts", i), "fee2": Entry("fees", i), "from": i} for i in answers(point)
        ],
        start={"cells2": 0, "fees2": 0},
        update={"cells2": "cells2 + all2", "fees2": "fees2 + fee2"},
        invariants="cells2 <= fees2",
        each={"bit": "bit2", "fee": "fee2"},
        inner=Fold(
            over=lambda point, at, element: [
                {
                    "d2": Entry("case", "d", x),
                    "inv2": Entry("inverses", element["from"]),
                    "y2": Entry("images", element["from"], x),
                }
                for x in columns(point)
            ],
            start={"all2": 0},
            update={"all2": "all2 + d2*inv2*y2*y2"},
            invariants=(),
            totals={"all2": "bit2"},
        ),
    )
    by_column = Fold(
        over=lambda point, at: [
            {"d3": Entry("case", "d", x), "q3": Entry("told", x), "column": x} for x in columns(point)
        ],
        start={"cells3": 0, "told_all": 0},
        update={"cells3": "cells3 + all3", "told_all": "told_all + d3*q3"},
        invariants="cells3 == told_all",
        inner=Fold(
            over=lambda point, at, element: [
                {"inv3": Entry("inverses", i), "y3": Entry("images", i, element["column"])} for i in answers(point)
            ],
            start={"all3": 0, "dot3": 0},
            update={"all3": "all3 + d3*inv3*y3*y3", "dot3": "dot3 + inv3*y3*y3"},
            invariants="all3 == d3*dot3",
            totals={"dot3": "q3"},
        ),
    )
    paid = Fold(
        over=lambda point, at: [{"fee4": Entry("fees", i), "from": i} for i in answers(point)],
        start={"fees4": 0, "shares4": 0},
        update={"fees4": "fees4 + fee4", "shares4": "shares4 + all4"},
        invariants="fees4 == shares4",
        inner=Fold(
            over=lambda point, at, element: [
                {"p4": Entry("case", "P", element["from"], j), "alpha4": Entry("case", "alpha", j)}
                for j in inputs(point)
            ],
            start={"all4": 0},
            update={"all4": "all4 + p4*alpha4"},
            invariants=(),
            totals={"all4": "fee4"},
        ),
    )
    whole = Fold(
        over=lambda point, at: [{"alpha5": Entry("case", "alpha", j), "input": j} for j in inputs(point)],
        start={"shares5": 0, "sum_alpha": 0},
        update={"shares5": "shares5 + all5", "sum_alpha": "sum_alpha + alpha5"},
        invariants="shares5 == sum_alpha",
        inner=Fold(
            over=lambda point, at, element: [{"p5": Entry("case", "P", i, element["input"])} for i in answers(point)],
            start={"all5": 0, "one5": 0},
            update={"all5": "all5 + p5*alpha5", "one5": "one5 + p5"},
            invariants="all5 == alpha5*one5",
            totals={"one5": 1},
        ),
    )
    folds = [
        squares,
        Step("inv*(fee*s - ss) >= 0"),
        Step("fee - bit == inv*(fee*s - ss)"),
        Step("fee >= bit"),
        by_answer,
        by_column,
        Exchange(by_answer, by_column, {"cells2": "cells3"}),
        paid,
        whole,
        Exchange(by_answer, paid, {"fees2": "fees4"}),
        Exchange(paid, whole, {"shares4": "shares5"}),
        Step("fees2 == sum_alpha"),
        Step("cells2 == told_all"),
        Step("told_all <= sum_alpha"),
    ]
    return folds, by_column


def _of_images(point: Point) -> Iterator[Any]:
    for i in answers(point):
        for x in columns(point):
            yield [(("case", "P", i, j), ("case", "G", j, x)) for j in inputs(point)], ("images", i, x)


def _of_fees(point: Point) -> Iterator[Any]:
    for i in answers(point):
        yield [(("case", "P", i, j), ("case", "alpha", j)) for j in inputs(point)], ("fees", i)


def _of_parts(point: Point) -> Iterator[Any]:
    for i in answers(point):
        line = ("inverses", i)
        yield [(("case", "d", x), line, ("images", i, x), ("images", i, x)) for x in columns(point)], ("parts", i)


def _of_told(point: Point) -> Iterator[Any]:
    for x in columns(point):
        yield [(("inverses", i), ("images", i, x), ("images", i, x)) for i in answers(point)], ("told", x)


def sums() -> dict[str, Domain]:
    """Return the domains of the named sums."""
    return {
        "images": named("P G", equations=_of_images),
        "means": named("s_i = p_i . pi", "x > 0"),
        "inverses": named("1/s_i", "x > 0"),
        "ones": named("s_i (1/s_i)", "x == 1 and x == inv*s"),
        "fees": named("alpha . p_i", equations=_of_fees),
        "parts": named("sum_l d_l y_il^2/s_i", equations=_of_parts),
        "slack": named("what the inequality leaves at the row", "x >= 0 and x <= fee*s - ss"),
        "told": named("q_l = sum_i y_il^2/s_i", equations=_of_told),
    }
