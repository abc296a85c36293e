"""Parts of the engine at small inputs: one relation, one value of a card, one end of a domain, one condition."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from rropt.claims.cards import card_files, judge
from rropt.claims.domains import Domain
from rropt.claims.language import StatementRow, conjuncts, read_condition
from rropt.claims.relations import relations
from rropt.core.errors import InvalidParameterError

F = Fraction


def test_relations_are_returned_as_they_are() -> None:
    found = relations("0 < x <= 1")
    assert relations(found) is found
    assert relations(()) == ()
    for other in (("x > 0",), [*found], (found[0], "x > 0"), None):
        with pytest.raises(InvalidParameterError, match="no relation: received"):
            relations(other)


def test_kinds_of_values_of_a_card() -> None:
    for kind, allowed, others in (
        (card_files.LIST, ([], ["a"], ["a", ""]), ("a", ["a", 1], [True], {"a": 1}, ["a"] * 201)),
        (card_files.TABLES, ([], [{}], [{"a": 1}] * 200), ({}, ["a"], [{}, []], [{}] * 201)),
        (card_files.ORDER, ([], [1, 2]), (1, [1.0], [True], ["1"])),
        (card_files.WORDS, ({}, {"p": "a proportion"}), ([], {"p": " "}, {"p": 1}, {"p": "x", "q": ""})),
    ):
        assert [bool(kind[1](each)) for each in allowed] == [True] * len(allowed)
        assert [bool(kind[1](each)) for each in others] == [False] * len(others)


def _statement(scope: str, *rows: str, **integers: tuple[int, int | None]) -> judge.Statement:
    listed = tuple(StatementRow("", read_condition(row, {}), ("true",)) for row in rows)
    return judge.Statement(tuple(conjuncts([read_condition(scope, {})])), integers, listed)


def test_a_point_of_a_card_is_in_its_scope() -> None:
    statement, place = _statement("x < y"), card_files.CardPlace("the file", "", "card")
    point = card_files._point({"x": "-1/3", "y": "0.25"}, statement, place)
    assert point == {"x": F(-1, 3), "y": F(1, 4)}
    for given, why in (
        ({"x": "1"}, "a point has a value for each of 'x, y'"),
        ({"x": "1", "y": "2", "z": "3"}, "a point has a value for each of"),
        ("x", "a point has a value for each of"),
        ({"x": 1, "y": "2"}, 'a value is a text such as "1/3": received 1 for x'),
        ({"x": "1/0", "y": "2"}, "a value is a text such as"),
        ({"x": "one", "y": "2"}, "a value is a text such as"),
        ({"x": "2", "y": "1"}, "is not in the scope of `for`"),
    ):
        with pytest.raises(card_files.CardError) as caught:
            card_files._point(given, statement, place)
        assert why in str(caught.value), given
    assert card_files._point({"x": "2", "y": "1"}, statement, place, elsewhere=True) == {"x": F(2), "y": F(1)}


class Chosen:
    """A generator whose fractions are given, and whose whole numbers are the least or the largest."""

    def __init__(self, fraction: float, largest: bool) -> None:
        self.fraction, self.largest = fraction, largest

    def random(self) -> float:
        return self.fraction

    def randint(self, low: int, high: int) -> int:
        return high if self.largest else low


def test_draws_lie_in_their_domain_and_reach_its_parts() -> None:
    """Whatever the generator gives: inside the open interval, close to its ends, and far away for odds."""
    inside = Domain.interval("a share", 0, 1)
    found = {
        (fraction, largest): inside.draw(Chosen(fraction, largest))  # type: ignore[arg-type, misc]
        for fraction in (0.3, 0.7, 0.9, 0.95)
        for largest in (False, True)
    }
    assert found == {
        (0.3, False): F(1, 60),
        (0.3, True): F(59, 60),
        (0.7, False): F(1, 10_000),
        (0.7, True): F(9999, 10_000),
        (0.9, False): F(1, 10),
        (0.9, True): F(9, 10**13),
        (0.95, False): F(9, 10),
        (0.95, True): 1 - F(9, 10**13),
    }
    odds = Domain.odds()
    drawn = [odds.draw(Chosen(*each)) for each in ((0.1, False), (0.1, True), (0.5, False), (0.5, True))]  # type: ignore[arg-type, misc]
    assert drawn == [1 + F(1, 10**12), 1 + F(9 * 10**9), F(2), F(5)]


def test_ends_and_points_of_a_variable() -> None:
    statement = _statement("x >= 1/2 and x > 1/3 and 2 > x and y <= 3 and n + x > 0", "x < 1 or 5 < x", n=(2, None))
    assert statement.names == ["n", "x", "y"]
    assert statement._ends == {"x": (F(1, 2), F(2)), "y": (None, F(3)), "n": (F(2), None)}
    listed = statement._listed("x", F(1, 2), F(2))
    assert set(listed) == {F(1, 2), F(2), F(1), F(1, 2) + F(3, 2000), 2 - F(3, 2000), F(5, 4)}
    assert max(statement._listed("y", None, F(3))) <= 3
    assert min(statement._listed("y", F(3), None)) >= 3
    whole = statement._listed("n", F(2), None)
    assert whole[0] == 2
    assert whole[-1] == 1002
    for largest in (False, True):
        for fraction in (0.5, 0.9):
            rng: Any = Chosen(fraction, largest)
            assert F(1, 2) < statement._any("x", listed, rng) < 2
            assert statement._any("y", [], rng) < 3
            assert statement._any("n", [], rng) in (2, 302)
    chosen: Any = SimpleNamespace(random=lambda: 0.1, choice=lambda given: given[0])
    assert statement._any("x", listed, chosen) == listed[0]


def test_convex_conditions_are_known() -> None:
    for text, expected in (
        ("x < 1", True),
        ("x + 2*y <= 1 and x >= 0", True),
        ("x^2 + y^2 <= 1", True),
        ("x^2 >= 1", False),
        ("x^2 >= 0", True),
        ("x*y <= 1", False),
        ("x^3 <= 1", False),
        ("n*x <= 1", True),
        ("n^3*x^2 <= 1", False),
        ("n <= 3", True),
        ("x/n <= 1", True),
        ("n/x <= 1", False),
        ("x = 1", True),
        ("x != 1", False),
    ):
        assert judge._is_convex(read_condition(text, {}), {"n": (1, None)}) is expected, text
