"""Exchange of summation, sums with a value by an equation of a domain, and what is known of every instance."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rropt.claims import Anchored, Claim, Domain, Entry, Exchange, Fold, Point, Step, Value, run_claim

Table = tuple[tuple[Fraction, ...], ...]


def _draw(rng: random.Random) -> dict[str, Table]:
    """P with columns that sum to 1, and a row v."""
    m, k = rng.randint(1, 4), rng.randint(1, 4)
    weights = [[rng.randint(1, 9) for _ in range(m)] for _ in range(k)]
    columns = [tuple(Fraction(w, sum(column)) for w in column) for column in weights]
    return {"P": tuple(zip(*columns, strict=True)), "v": (tuple(Fraction(rng.randint(-9, 9)) for _ in range(k)),)}


def _products(point: Point) -> Any:
    """P v = w, and the sum of v is a."""
    rows, row = point["case"]["P"], range(len(point["case"]["v"][0]))
    for i in range(len(rows)):
        yield [(("case", "P", i, j), ("case", "v", 0, j)) for j in row], ("w", i)


CASE = Domain(
    "P and v",
    (
        {"P": ((Fraction(1),),), "v": ((Fraction(2),),)},
        {
            "P": ((Fraction(1, 2), Fraction(1, 3)), (Fraction(1, 2), Fraction(2, 3))),
            "v": ((Fraction(1), Fraction(-3)),),
        },
    ),
    _draw,
    whole_groups=lambda case: [[("P", i, j) for i in range(len(case["P"]))] for j in range(len(case["P"][0]))],
)
IMAGE = Domain("P v", (), equations=_products)


def _image(point: Point) -> tuple[Fraction, ...]:
    (v,) = point["case"]["v"]
    return tuple(sum((p * x for p, x in zip(row, v, strict=True)), Fraction(0)) for row in point["case"]["P"])


def _size(point: Point, at: Any, element: Any = None) -> tuple[range, range]:
    return range(len(point["case"]["P"])), range(len(point["case"]["P"][0]))


ROWS = Fold(
    over=lambda point, at: [{"y": Entry("w", i), "i": i} for i in _size(point, at)[0]],
    start={"b_rows": 0, "a_images": 0},
    update={"b_rows": "b_rows + r", "a_images": "a_images + y"},
    invariants="b_rows == a_images",
    inner=Fold(
        over=lambda point, at, element: [
            {"p": Entry("case", "P", element["i"], j), "x": Entry("case", "v", 0, j)} for j in _size(point, at)[1]
        ],
        start={"r": 0},
        update={"r": "r + p*x"},
        invariants=(),
        totals={"r": "y"},
    ),
)
COLUMNS = Fold(
    over=lambda point, at: [{"x": Entry("case", "v", 0, j), "j": j} for j in _size(point, at)[1]],
    start={"c_by_columns": 0, "d_all": 0},
    update={"c_by_columns": "c_by_columns + c", "d_all": "d_all + x"},
    invariants="c_by_columns == d_all",
    inner=Fold(
        over=lambda point, at, element: [{"p": Entry("case", "P", i, element["j"])} for i in _size(point, at)[0]],
        start={"n": 0, "c": 0},
        update={"n": "n + p", "c": "c + p*x"},
        invariants="c == n*x",
        totals={"n": 1},
    ),
)
EXCHANGE = Exchange(ROWS, COLUMNS, {"b_rows": "c_by_columns"})


def _claim(*folds: Any, shape: Value | None = None, **changes: Any) -> Claim:
    """The sum of P v is that of v."""
    shape = shape or Value(theory="d_all", computed="a_images")
    return replace(
        Claim(
            id="test.exchange",
            source="a test",
            printed="sums",
            precise="sums",
            variables={"case": CASE},
            bound={"w": IMAGE},
            theory=lambda p: sum(p["case"]["v"][0]),
            computed=lambda p: sum(_image(p)),
            mutant=lambda p: sum(p["case"]["v"][0]) + 1,
            proof=lambda: Anchored(shape, at=lambda p: {"w": _image(p)}, folds=folds),
            count=30,
        ),
        **changes,
    )


def test_a_sum_in_two_orders() -> None:
    outcome = run_claim(_claim(ROWS, COLUMNS, EXCHANGE))
    assert "proved" in outcome.evidence, outcome.unchecked_steps
    assert any("b_rows = c_by_columns, the same sum in another order" in said for said in outcome.anchored)
    assert "sums as the domains of case, w say; case of the shape " in outcome.scope
    steps = [name for name, _ in outcome.certificates]
    assert {"fold 3, base, no cell", "fold 3, step, a cell more in both"} <= set(steps)
    assert all(certificate.check() for _, certificate in outcome.certificates)


def _inner(fold: Fold, **changes: Any) -> Fold:
    return replace(fold, inner=replace(fold.inner, **changes))


def _without_last(fold: Fold) -> Fold:
    over = fold.over
    return replace(fold, over=lambda point, at: list(over(point, at))[:-1] or list(over(point, at)))


OTHER_TERM = _inner(COLUMNS, update={"n": "n + p", "c": "c + 2*p*x"}, invariants="c == 2*n*x")
OTHER_TERM = replace(OTHER_TERM, invariants="c_by_columns == 2*d_all")
TRANSPOSED = _inner(
    COLUMNS,
    over=lambda point, at, element: [
        {"p": Entry("case", "P", element["j"] % len(point["case"]["P"]), i % len(point["case"]["P"][0]))}
        for i in _size(point, at)[0]
    ],
    totals={},
    invariants=(),
)
TRANSPOSED = replace(TRANSPOSED, invariants=())
SHORTER = _without_last(COLUMNS)
STATE = replace(ROWS, update={"b_rows": "b_rows + r + 0*a_images", "a_images": "a_images + y + b_rows"}, invariants=())
REFUSED: dict[str, tuple[list[Any], str]] = {
    "without the exchange": ([ROWS, COLUMNS], "does not follow"),
    "another term": ([ROWS, OTHER_TERM, Exchange(ROWS, OTHER_TERM, EXCHANGE.sums)], "the same cells"),
    "another table": ([ROWS, TRANSPOSED, Exchange(ROWS, TRANSPOSED, EXCHANGE.sums)], "the same cells"),
    "a column less": ([ROWS, SHORTER, Exchange(ROWS, SHORTER, EXCHANGE.sums)], "the same cells"),
    "a fold that is not there": ([ROWS, SHORTER, EXCHANGE], "stand before it"),
    "before its folds": ([ROWS, EXCHANGE, COLUMNS], "stand before it"),
    "a mean of states": ([STATE, COLUMNS, Exchange(STATE, COLUMNS, {"a_images": "d_all"})], "is no sum"),
    "no state": ([ROWS, COLUMNS, Exchange(ROWS, COLUMNS, {"b_rows": "d_nothing"})], "is no state"),
    "a total that no equation says": ([_inner(ROWS, totals={"r": "2*y"})], "no equation"),
    "a total of other cells": ([_inner(ROWS, update={"r": "r + p*x**2"})], "no equation"),
    "a group of columns for rows": ([_inner(COLUMNS, totals={"c": 1})], "no equation"),
    "a row less in an inner sum": (
        [_inner(COLUMNS, over=lambda p, at, e: [{"p": Entry("case", "P", i, e["j"])} for i in _size(p, at)[0][1:]])],
        "no equation",
    ),
}


@pytest.mark.parametrize(("folds", "word"), REFUSED.values(), ids=list(REFUSED))
def test_what_is_no_exchange_is_refused(folds: list[Any], word: str) -> None:
    outcome = run_claim(_claim(*folds))
    assert outcome.evidence == "argued"
    assert word in " ".join(outcome.unchecked_steps)


def test_tables_that_are_equal_in_numbers_alone_are_not_the_same() -> None:
    """The cells are identified by their entries: all entries of this P are 1, and their order still matters."""
    ones = replace(CASE, boundary=({"P": ((Fraction(1),) * 2,), "v": ((Fraction(1),) * 2,)},), draw=None)
    shifted = _inner(
        COLUMNS,
        over=lambda point, at, element: [{"p": Entry("case", "P", 0, 0)} for _ in _size(point, at)[0]],
        totals={},
        invariants=(),
    )
    shifted = replace(shifted, invariants=())
    folds = [ROWS, shifted, Exchange(ROWS, shifted, EXCHANGE.sums)]
    outcome = run_claim(_claim(*folds, variables={"case": ones}))
    assert "the same cells" in " ".join(outcome.unchecked_steps)


def test_an_equation_that_is_false_at_a_point_is_refused() -> None:
    false = replace(IMAGE, equations=lambda point: [(terms[:1], total) for terms, total in _products(point)])
    outcome = run_claim(_claim(ROWS, COLUMNS, EXCHANGE, bound={"w": false}))
    assert "is false at a point" in " ".join(outcome.unchecked_steps)


def test_a_number_tells_no_cell_and_no_instance() -> None:
    """Numbers may be equal at the points of the sweep alone; an entry is where it stands."""
    numbers = replace(
        COLUMNS,
        over=lambda point, at: [{"x": point["case"]["v"][0][j], "j": j} for j in _size(point, at)[1]],
    )
    outcome = run_claim(_claim(ROWS, numbers, Exchange(ROWS, numbers, EXCHANGE.sums)))
    assert "is identified by entries" in " ".join(outcome.unchecked_steps)
    outcome = run_claim(_squares({"x0": "y", "e0": "f"}, "e0 >= 0", lambda j: Fraction(j)))
    assert "is identified by entries" in " ".join(outcome.unchecked_steps)


class _Zero(int):
    """An index that looks like 0."""

    def __repr__(self) -> str:
        return "0"


def test_an_index_is_what_it_looks_like() -> None:
    zeros = _inner(
        COLUMNS,
        over=lambda point, at, element: [
            {"p": Entry("case", "P", _Zero(i), element["j"])} for i in _size(point, at)[0]
        ],
    )
    outcome = run_claim(_claim(ROWS, zeros, Exchange(ROWS, zeros, EXCHANGE.sums)))
    assert "texts and integers" in " ".join(outcome.unchecked_steps)


def test_what_is_looked_at_is_what_was_replayed() -> None:
    """A list that is another one the second time does not deceive an exchange."""
    asked: list[int] = []

    def over(point: Point, at: Any) -> Any:
        asked.append(0)
        columns = _size(point, at)[1]
        return [{"x": Entry("case", "v", 0, j), "j": j} for j in (columns if len(asked) > 60 else columns[:1])]

    other = replace(COLUMNS, over=over)
    outcome = run_claim(_claim(ROWS, other, Exchange(ROWS, other, EXCHANGE.sums)))
    assert "the same cells" in " ".join(outcome.unchecked_steps)


def _squares(each: dict[str, str], step: str, told: Callable[[int], Any] = lambda j: Entry("case", "v", 0, j)) -> Claim:
    """A sum of squares is not negative, as no square is."""
    fold = Fold(
        over=lambda point, at: [{"y": told(j), "f": "y**2"} for j in _size(point, at)[1]],
        start={"total": 0},
        update={"total": "total + f"},
        invariants="total >= 0",
        each=each,
    )
    return _claim(
        shape=Value(theory=0, computed="total"),
        theory=lambda p: Fraction(0),
        computed=lambda p: sum(x**2 for x in p["case"]["v"][0]),
        mutant=lambda p: Fraction(9),
        strength="at-least",
        bound={},
        proof=lambda: Anchored(
            Value(theory=0, computed="total"),
            at=lambda p: [{"x0": Entry("case", "v", 0, j), "e0": "x0**2"} for j in _size(p, None)[1]],
            folds=[Step("x0**2 >= 0"), Step(step), fold],
        ),
    )


def test_what_is_proved_of_every_instance_holds_for_the_elements() -> None:
    outcome = run_claim(_squares({"x0": "y", "e0": "f"}, "e0 >= 0"))
    assert "proved" in outcome.evidence, outcome.unchecked_steps
    for each, step, word in (
        ({}, "e0 >= 0", "does not follow"),
        ({"e0": "f"}, "e0 >= 0", "in names that are not those of each element"),
    ):
        outcome = run_claim(_squares(each, step))
        assert outcome.evidence == "argued"
        assert word in " ".join(outcome.unchecked_steps), each
    outcome = run_claim(_squares({"x0": "y", "e0": "f"}, "e0 >= 0", lambda j: Entry("case", "P", 0, j)))
    assert "is no instance" in " ".join(outcome.unchecked_steps)


def test_of_an_inner_list_nothing_is_known_where_it_is_empty() -> None:
    """What is known of instances is said of the outer element only where its inner list has an element."""
    fold = Fold(
        over=lambda point, at: [{"y": Entry("case", "v", 0, j)} for j in _size(point, at)[1]],
        start={"total": 0},
        update={"total": "total + y**2"},
        invariants="total >= 0",
        inner=Fold(
            over=lambda point, at, element: [{"p": Entry("case", "P", 0, 0)}],
            start={"n": 0},
            update={"n": "n + p"},
            invariants=(),
            each={"x0": "y"},
        ),
    )
    claim = _squares({}, "x0 == x0")
    proof = lambda: Anchored(  # noqa: E731
        Value(theory=0, computed="total"),
        at=lambda p: [{"x0": Entry("case", "v", 0, j)} for j in _size(p, None)[1]],
        folds=[Step("x0**2 >= 0"), fold],
    )
    outcome = run_claim(replace(claim, proof=proof))
    assert outcome.evidence == "argued"
