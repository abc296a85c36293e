"""The variance of an unbiased estimate of a contrast, against the information of its outputs along another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rropt.claims import Entry, Exchange, Fold, Point, Step
from rropt_proofs.rropt._ellipsoids import answers, columns, inputs


def of_contrast() -> list[Any]:
    """The variance of an estimate of f, with y = P g: 2 f . g - q is at most it, as squares are left."""
    squares = Fold(
        over=lambda point, at: [
            {
                "s6": Entry("means", i),
                "inv6": Entry("inverses", i),
                "unit6": Entry("units", i),
                "est6": Entry("case", "A", i, at["contrast"]),
                "off6": Entry("spread", i, at["contrast"]),
                "y6": Entry("images", i, at["contrast"]),
                "agap": Entry("gaps", i, at["contrast"]),
            }
            for i in answers(point)
        ],
        start={"ba": 0, "ca": 0, "cb": 0, "cg": 0, "qq": 0, "over": 0},
        update={
            "ba": "ba + s6*off6*off6",
            "ca": "ca + off6*y6",
            "cb": "cb + est6*y6",
            "cg": "cg + y6",
            "qq": "qq + inv6*y6*y6",
            "over": "over + agap",
        },
        invariants=("ba == 2*ca - qq + over", "over >= 0", "ca == cb - middle*cg"),
        totals={"ba": "az", "qq": "q"},
    )
    by_answer = Fold(
        over=lambda point, at: [
            {"est7": Entry("case", "A", i, at["contrast"]), "y7": Entry("images", i, at["contrast"]), "from": i}
            for i in answers(point)
        ],
        start={"cc": 0, "cd": 0, "ch": 0, "ci": 0},
        update={"cc": "cc + est7*y7", "cd": "cd + all7", "ch": "ch + y7", "ci": "ci + dot7"},
        invariants=("cc == cd", "ch == ci"),
        inner=Fold(
            over=lambda point, at, element: [
                {"p7": Entry("case", "P", element["from"], j), "g7": Entry("case", "G", j, at["contrast"])}
                for j in inputs(point)
            ],
            start={"all7": 0, "dot7": 0},
            update={"all7": "all7 + est7*p7*g7", "dot7": "dot7 + p7*g7"},
            invariants="all7 == est7*dot7",
            totals={"dot7": "y7"},
        ),
    )
    by_input = Fold(
        over=lambda point, at: [
            {"g8": Entry("case", "G", j, at["contrast"]), "f8": Entry("case", "F", j, at["contrast"]), "input": j}
            for j in inputs(point)
        ],
        start={"ce": 0, "cf": 0, "cj": 0, "ck": 0},
        update={"ce": "ce + all8", "cf": "cf + f8*g8", "cj": "cj + also8", "ck": "ck + g8"},
        invariants=("ce == cf", "cj == ck"),
        totals={"cf": "mix", "ck": "none"},
        inner=Fold(
            over=lambda point, at, element: [
                {"est8": Entry("case", "A", i, at["contrast"]), "p8": Entry("case", "P", i, element["input"])}
                for i in answers(point)
            ],
            start={"all8": 0, "also8": 0, "dot8": 0, "one8": 0},
            update={
                "all8": "all8 + est8*p8*g8",
                "also8": "also8 + p8*g8",
                "dot8": "dot8 + est8*p8",
                "one8": "one8 + p8",
            },
            invariants=("all8 == dot8*g8", "also8 == g8*one8"),
            totals={"dot8": "f8", "one8": 1},
        ),
    )
    return [
        squares,
        by_answer,
        by_input,
        Exchange(squares, by_answer, {"cb": "cc", "cg": "ch"}),
        Exchange(by_answer, by_input, {"cd": "ce", "ci": "cj"}),
        Step("az == 2*mix - q + over"),
        Step("az >= 2*mix - q"),
    ]


def of_variances(point: Point) -> Iterator[Any]:
    """The variance, of squares by the probabilities of the answers."""
    for x in columns(point):
        yield [(("means", i), ("spread", i, x), ("spread", i, x)) for i in answers(point)], ("variances", x)


def of_products(name: str, left: str, right: str) -> Any:
    """Return the equations of the products of two matrices' columns."""

    def equations(point: Point) -> Iterator[Any]:
        for x in columns(point):
            yield [(("case", left, j, x), ("case", right, j, x)) for j in inputs(point)], (name, x)

    return equations


def contrasts(point: Point) -> Iterator[Any]:
    """The columns of G sum to 0."""
    for x in columns(point):
        yield [(("case", "G", j, x),) for j in inputs(point)], ("nil", x)


def unbiased(point: Point) -> Iterator[Any]:
    """The estimates have the contrasts as means."""
    for j in inputs(point):
        for x in columns(point):
            yield [(("case", "A", i, x), ("case", "P", i, j)) for i in answers(point)], ("case", "F", j, x)
