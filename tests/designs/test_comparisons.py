"""Relations of two mechanisms, the partial order of several, and the tasks in words."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from column_stochastic import column_stochastic
from pair_pool import product, response, shuffled, split

from rropt.core.errors import InvalidMechanismError
from rropt.core.exact.numbers import dot
from rropt.designs.orders import DecisionTask, compare, partial_order, sufficient
from rropt.mechanisms import Mechanism, named_mechanism


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("warner:3/4", "warner:2/3", "better"),
        ("warner:2/3", "warner:1/4", "worse"),
        ("warner:3/4", "warner:1/4", "equivalent"),
        ("warner:3/4", "generalised:1,1/4", "incomparable"),
        ("generalised:1,1/4", "generalised:1,1/8", "better"),
        ("warner:1/2", "kuk:1/3,1/3,2", "equivalent"),
        ("forced:2/3,1/6,1/6", "warner:5/6", "equivalent"),
    ],
)
def test_relations_of_designs(first: str, second: str, relation: str) -> None:
    a, b = named_mechanism(first), named_mechanism(second)
    mirrored = {"better": "worse", "worse": "better"}
    assert compare(a, b, fast=True).relation == relation
    assert compare(b, a, fast=True).relation == mirrored.get(relation, relation)
    assert compare(a, a, fast=True).relation == "equivalent"


def test_binary_designs_by_their_likelihood_ratios(size: Callable[[int, int], int], rng: random.Random) -> None:
    """With two inputs, A is sufficient for B iff its zonotope holds that of B: here one generator on each side."""
    seen = set()
    for _ in range(size(200, 4000)):
        a, b = (Mechanism.binary(Fraction(rng.randint(0, 8), 8), Fraction(rng.randint(0, 8), 8)) for _ in range(2))
        zone = [(a[0, 0], a[0, 1]), (a[1, 0], a[1, 1])]
        inside = all(_in_zonotope(zone, (b[i, 0], b[i, 1])) for i in range(2))
        assert bool(sufficient(a, b)) == inside
        seen.add(compare(a, b, fast=True).relation)
    assert seen == {"better", "worse", "equivalent", "incomparable"}


def _in_zonotope(zone: list[tuple[Fraction, Fraction]], point: tuple[Fraction, Fraction]) -> bool:
    """Whether a point is c u + d v with 0 <= c, d <= 1 for the generators u, v with u + v = (1, 1)."""
    (a, b), (c, d) = zone
    x, y = point
    determinant = a * d - b * c
    if not determinant:
        return x == y
    return 0 <= (x * d - y * c) / determinant <= 1 and 0 <= (a * y - b * x) / determinant <= 1


def test_the_explanation_names_the_task() -> None:
    result = compare(named_mechanism("warner:3/4"), named_mechanism("generalised:1,1/4"), fast=True)
    text = str(result)
    assert text.startswith("A and B are incomparable")
    assert "bet at fixed odds, or pass" in text
    assert text.count("So no post-processing turns") == 2
    data = compare(Mechanism(response(3, Fraction(2))), Mechanism(response(3, Fraction(3))), fast=True).to_dict()
    assert data["relation"] == "worse"
    assert list(data["witness"]) == ["a_from_b"]
    assert data["refutation"]["b_from_a"]["task"] == "guess"
    assert (data["refutation"]["b_from_a"]["earned"], data["refutation"]["b_from_a"]["best"]) == ("3/5", "1/2")


def test_every_kind_of_task_is_put_into_words() -> None:
    source, target = named_mechanism("warner:1/2"), named_mechanism("warner:3/4")
    third = Fraction(1, 3)
    payoffs = {
        "guess": ((1, 0), (0, 1)),
        "avoid": ((0, -1), (-1, 0)),
        "odds": ((1, -1), (0, 0)),
        "bet": ((third + Fraction(1, 10**30), -third), (0, 0)),
        "acts": ((2, -1), (-1, third)),
    }
    for kind, rows in payoffs.items():
        payoff = tuple(tuple(Fraction(x) for x in row) for row in rows)
        task = _task(kind, payoff, source, target)
        words = task.explain("new", "old")
        assert "So no post-processing turns old into new." in words
        assert task.best < task.earned
    assert "about 0.333333" in _task("bet", ((payoffs["bet"][0]), (0, 0)), source, target).explain()


def _task(kind: str, payoff: Any, source: Mechanism, target: Mechanism) -> DecisionTask:
    """Return a task with what the target earns, and with the most that the source earns."""
    k = target.inputs
    earned = sum((dot(act, row) for act, row in zip(payoff, target.matrix, strict=True)), Fraction(0))
    best = sum((max(dot(act, row) for act in payoff) for row in source.matrix), Fraction(0))
    return DecisionTask(kind, payoff, earned / k, best / k)


def _brute_relations(mechanisms: list[Mechanism]) -> list[list[bool]]:
    return [[bool(sufficient(a, b)) for b in mechanisms] for a in mechanisms]


def test_the_partial_order_is_that_of_all_pairs(size: Callable[[int, int], int], rng: random.Random) -> None:
    skipped = edges = 0
    for _ in range(size(12, 150)):
        k = rng.randint(2, 3)
        mechanisms = [Mechanism(column_stochastic(rng, rng.randint(1, 4), k)) for _ in range(3)]
        for _ in range(5):
            chosen = [list(row) for row in rng.choice(mechanisms).matrix]
            made = rng.choice(
                [split(chosen, rng), product(column_stochastic(rng, rng.randint(1, 3), len(chosen)), chosen)]
            )
            mechanisms.append(Mechanism(shuffled(made, rng)))
        order = partial_order(mechanisms)
        n = len(mechanisms)
        true = _brute_relations(mechanisms)
        assert [[j in order.below[i] for j in range(n)] for i in range(n)] == true
        assert all(bool(answer) == true[i][j] for (i, j), answer in order.answers.items())
        assert sorted(i for members in order.classes for i in members) == list(range(n))
        assert _closure(order.covers, len(order.classes)) == {
            (x, y)
            for x, first in enumerate(order.classes)
            for y, second in enumerate(order.classes)
            if x != y and true[first[0]][second[0]]
        }
        for cover in order.covers:  # each is needed
            assert cover not in _closure([other for other in order.covers if other != cover], len(order.classes))
            assert order.levels[cover[0]] < order.levels[cover[1]]
        skipped += n * (n - 1) - len(order.answers)
        edges += len(order.covers)
    assert skipped > 0
    assert edges > 0


def _closure(covers: object, n: int) -> set[tuple[int, int]]:
    reached = {tuple(pair) for pair in covers}  # type: ignore[attr-defined]
    for middle in range(n):
        reached |= {(a, d) for a, b in reached for c, d in reached if b == c == middle}
    return reached  # type: ignore[return-value]


def test_a_chain_is_settled_by_its_neighbours() -> None:
    designs = [Mechanism.binary(Fraction(n, 20), Fraction(n, 20)) for n in range(10, 21)]
    order = partial_order(random.Random(1).sample(designs, len(designs)))
    assert len(order.answers) == 2 * (len(designs) - 1)
    assert len(order.covers) == len(designs) - 1
    assert max(order.levels) == len(designs) - 1


def test_names_and_refusals() -> None:
    a, b = named_mechanism("warner:3/4"), Mechanism.binary("3/5", "3/5")
    order = partial_order([a, b])
    assert order.names == ("warner:3/4", "mechanism 2")
    assert "better than: mechanism 2" in str(order)
    three = str(partial_order([a, b, Mechanism.binary("11/20", "11/20")], ["A", "B", "C"])).splitlines()
    assert [line.strip() for line in three if line.startswith("  ")] == [
        "A   better than: B",
        "B   better than: C",
        "C",
    ]
    with pytest.raises(InvalidMechanismError, match="received no mechanism"):
        partial_order([])
    with pytest.raises(InvalidMechanismError, match="numbers of inputs 2, 3"):
        partial_order([a, Mechanism([["1/2"] * 3] * 2)])
    with pytest.raises(InvalidMechanismError, match="received 1 for 2"):
        partial_order([a, b], ["one"])
