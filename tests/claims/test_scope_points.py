"""Scopes with equations have points, a divisor that is 0 there is refused, and what is only sampled is not refuted."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from card_texts import judged
from few_rows import few_rows

from rropt.claims.cards.scope_points import (
    linear_in,
    multiplied,
    polytope_points,
    quadric_points,
    zero_of,
)
from rropt.claims.outcomes import Outcome, ReadingOutcome, by_readings
from rropt.claims.rational_functions import value_of

COLUMNS = [f"{column}{row} >= 0" for column in "abc" for row in range(3)]
COLUMNS += [f"{column}0 + {column}1 + {column}2 = 1" for column in "abc"]


def private(k: int) -> list[str]:
    """Return the conditions of a private k x k matrix with variable gamma."""
    places = [*product(range(k), repeat=2)]
    scope = ["g > 1", *(f"p{i}{j} > 0" for i, j in places)]
    scope += ["+".join(f"p{i}{j}" for i in range(k)) + " = 1" for j in range(k)]
    return scope + [f"p{i}{j} <= g*p{i}{other}" for i, j in places for other in range(k) if other != j]


@few_rows(3)
@pytest.mark.parametrize(
    "divisor", ["x - 1/3", "(x - 17/59)^3", "x - y/7", "(x - y/7)^2", "(x^2 - 2)^2 + 0*y", "x*y - 17/97"]
)
def test_a_quotient_of_equal_parts_is_undefined_where_they_are_0(divisor: str) -> None:
    scope = ["0 < x < 2", "0 < y < 1"]
    outcome = judged(**{"for": scope}, says=[f"({divisor})/({divisor}) = 1"], false=[f"({divisor})/({divisor}) = 2"])
    assert outcome.verdict == "error"
    assert "is undefined" in outcome.problems[0]


def test_a_zero_of_a_divisor_is_found_in_a_scope_that_is_curved() -> None:
    scope = ["0 < x < 1", "0 < y < 1", "x^2 + y^2 <= 1"]
    outcome = judged(**{"for": scope}, says=["(x - y/7)^2/(x - y/7)^2 = 1"], false=["(x - y/7)^2/(x - y/7)^2 = 2"])
    assert "is undefined at" in outcome.problems[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "says", "false"),
    [
        ([], "a0 + b0 + c0 <= 5/2", "a0 + b0 + c0 <= 0"),
        (["a0*b0 = c0"], "c0 <= 3/4", "c0 <= 0"),
        (["a0 <= 1/3"], "a0 + b1 + c2 <= 9/4", "a0 + b1 + c2 <= 1"),
    ],
)
def test_columns_that_sum_to_1_have_points(more: list[str], says: str, false: str) -> None:
    outcome = judged(**{"for": COLUMNS + more}, says=[says], false=[false])
    assert (outcome.verdict, outcome.points > 100) == ("fails", True)
    found = outcome.counterexample
    assert found is not None
    assert all(sum(found.point[f"{column}{row}"] for row in range(3)) == 1 for column in "abc")


@pytest.mark.slow
@pytest.mark.parametrize(("k", "bound", "verdict"), [(3, "3*g/(g + 2)", "holds"), (3, "2*g/(g + 1)", "fails")])
def test_the_trace_of_a_private_matrix(k: int, bound: str, verdict: str) -> None:
    """The largest trace is k gamma/(gamma + k - 1): at the optimum of a side, not at a random vertex, less is false."""
    trace = " + ".join(f"p{i}{i}" for i in range(k))
    outcome = judged(**{"for": private(k)}, says=[f"{trace} <= {bound}"], false=[f"{trace} <= 1"])
    assert outcome.verdict == verdict
    assert outcome.evidence == ("proved" if verdict == "holds" else "refuted")


def test_four_columns_are_not_too_many_relations() -> None:
    assert 60 < len(private(4)) <= 200


def test_what_was_sampled_or_argued_is_not_refuted() -> None:
    for evidence, verdict in (("tested", "not-refuted"), ("argued", "not-refuted"), ("proved", "holds")):
        outcome = Outcome("a.b", "holds", evidence, "all", 12, 0.0)
        assert outcome.verdict == verdict
        assert Outcome.from_dict(outcome.to_dict()) == outcome
        assert outcome.verdict_text == ("holds" if verdict == "holds" else "not refuted at 12 points")
        assert ReadingOutcome("r", "p", "holds-with-assumption", evidence, "all", 1).verdict == (
            f"{verdict}-with-assumption"
        )


def test_readings_that_differ_in_strength_do_not_depend_on_the_reading() -> None:
    outcomes = [Outcome("a.b", "holds", evidence, "all", 3, 0.0) for evidence in ("proved", "tested")]
    found = by_readings([("one", "here", outcomes[0]), ("two", "there", outcomes[1])], "printed")
    assert (found.verdict, [each.verdict for each in found.readings]) == ("not-refuted", ["holds", "not-refuted"])


def test_points_of_a_polytope_are_in_it(rng: random.Random) -> None:
    half = Fraction(1, 2)
    simplex = {(1, 0, 0): Fraction(1), (0, 1, 0): Fraction(1), (0, 0, 1): Fraction(1), (0, 0, 0): Fraction(-1)}
    rows = [("=", simplex)] + [(">=", {tuple(int(i == j) for i in range(3)): Fraction(1)}) for j in range(3)]
    points = [*polytope_points(rows, [{(1, 0, 0): Fraction(-1)}], 3, 40, rng)]
    assert points[0] == [1, 0, 0]  # the goal comes first
    assert all(sum(point) == 1 and min(point) >= 0 for point in points)
    assert any(min(point) > 0 for point in points)
    assert [*polytope_points([*rows, ("<=", {**simplex, (0, 0, 0): half})], [], 3, 40, rng)] == []


def test_polynomials_with_values_for_some_variables() -> None:
    said = {(1, 1, 0): Fraction(2), (0, 0, 1): Fraction(-1), (0, 0, 0): Fraction(3)}  # 2 x y - z + 3
    assert multiplied([said], []) == [0]
    assert linear_in(said, [1, 2], {0: Fraction(5)}) == {(1, 0): 10, (0, 1): -1, (0, 0): 3}
    assert value_of(said, [Fraction(1), Fraction(2), Fraction(7)]) == 0
    assert zero_of(said, 2, [Fraction(1), Fraction(2), Fraction(0)]) == 7
    assert zero_of(said, 0, [Fraction(1), Fraction(0), Fraction(0)]) is None  # it does not depend on x there
    assert zero_of({(2, 0, 0): Fraction(1)}, 0, [Fraction(0)] * 3) is None


@pytest.mark.parametrize(
    ("equations", "known"),
    [
        ([{(2, 0): 1, (0, 2): 1, (0, 0): -1}], [[1, 0]]),  # a circle
        ([{(1, 1): 1, (0, 0): -1}], [[1, 1]]),  # a hyperbola
        (
            [
                {(2, 0, 0): 1, (0, 2, 0): 1, (0, 0, 2): 1, (0, 0, 0): -1},
                {(1, 0, 0): 1, (0, 1, 0): 1, (0, 0, 1): 1, (0, 0, 0): -1},
            ],
            [[1, 0, 0]],
        ),
    ],
)
def test_points_of_a_quadratic_equation_are_exact(
    equations: list[dict[tuple[int, ...], int]], known: list[list[int]]
) -> None:
    exact = [{key: Fraction(value) for key, value in said.items()} for said in equations]
    points = list(quadric_points(exact, [[Fraction(x) for x in each] for each in known], 60, random.Random(1)))
    assert len({tuple(point) for point in points}) > 20
    assert all(value_of(said, point) == 0 for said in exact for point in points)


def test_points_are_sought_on_one_quadratic_equation_only() -> None:
    circle, cubic = {(2,): Fraction(1), (0,): Fraction(-1)}, {(3,): Fraction(1)}
    for equations in ([cubic], [circle, circle], [{(1,): Fraction(1)}]):
        assert not list(quadric_points(equations, [[Fraction(0)]], 5, random.Random(1)))
    assert not list(quadric_points([circle], [], 5, random.Random(1)))


def test_a_bound_on_a_circle_is_refuted() -> None:
    outcome = judged(**{"for": ["x real", "y real", "x^2 + y^2 = 1"]}, says=["x + y <= 141/100"], false=["x + y <= 1"])
    assert outcome.verdict == "fails"
