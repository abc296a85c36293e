"""Optimal designs in large groups of equal proportions: against all staircase rows, and against all counts."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from few_rows import few_rows
from later import later

from rropt import solve
from rropt.checker.counts import Quadratic, first_unproved
from rropt.checker.documents import WorkBudget
from rropt.core.errors import UnsupportedProblemError
from rropt.designs import Problem
from rropt.designs.group_designs import GROUPS, certify_groups
from rropt.designs.ways import WAYS

RAYS = next(way for way in WAYS if way.name == "rays")

np = later("numpy")
OBJECTIVES = ("a-optimal", "d-optimal", "e-optimal", "mutual-information")
LARGE = {"150 + 150": ([150, 150], [3, 1]), "three of 100": ([100] * 3, [5, 2, 1])}


def population(groups: list[int], parts: list[int]) -> list[Fraction]:
    """Return proportions in these ratios."""
    total = sum(n * p for n, p in zip(groups, parts, strict=True))
    return [Fraction(p, total) for n, p in zip(groups, parts, strict=True) for _ in range(n)]


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_all_staircase_rows_give_the_same(objective: str, size: Callable[[int, int], int]) -> None:
    """Up to eight categories, every route, with equal, tiny and zero proportions; the exact brackets are narrow."""
    rng, tried = random.Random(f"large {objective}"), 0
    while tried < size(4, 60):
        groups = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        parts = [rng.choice((0, 1, 2, 3, 30, 1000)) for _ in groups]
        if not 3 <= sum(groups) <= 8 or not any(parts) or (sum(p > 0 for p in parts) == 1 and 1 in groups):
            continue
        tried += 1
        level = rng.choice(("1/1000", "1/20", "1/2", "log(3)", "2", "8"))
        asked = Problem.kary(epsilon=level, objective=objective, population=population(groups, parts))
        levels, whole = asked.region.bracket(40), RAYS.solve(asked, ["exact"]).best
        for route in GROUPS:
            if route.accepts is None or route.accepts(asked):
                found = route.solve(asked, levels)
                assert max(found.lower, whole.lower) <= min(found.upper, whole.upper), (groups, parts, level)
                part = 10**9 if objective == "a-optimal" else 10**7
                assert found.gap <= max(abs(whole.upper) / part, 2 * whole.gap)
        assert certify_groups(asked, levels, found).check()


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@few_rows(1)
@pytest.mark.parametrize("name", LARGE)
def test_300_categories_in_groups(name: str, objective: str) -> None:
    """Closed to 1e-8 with an accepted certificate; the mechanism is private and estimates what it should."""
    found = solve(Problem.kary(epsilon="1", objective=objective, population=population(*LARGE[name])))
    assert found.gap <= abs(found.upper) / 10**8
    assert found.certificate.check()
    assert found.mechanism.inputs == 300
    assert float(found.mechanism.epsilon) <= 1
    own = found.problem.objective.value(found.mechanism, found.problem.population)
    assert found.lower <= own + Fraction(1, 10**30)
    assert own <= found.upper + Fraction(1, 10**30)


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_eight_groups_of_twelve(objective: str, size: Callable[[int, int], int]) -> None:
    """Eight groups of twelve (of the E-criterion of eight, in the gate of three): the bracket is below 1e-6."""
    shares = population([size(3, 8 if objective == "e-optimal" else 12)] * 8, [30, 20, 16, 10, 11, 4, 5, 1])
    found = solve(Problem.kary(epsilon="1", objective=objective, population=shares))
    assert found.gap <= abs(found.upper) / 10**6


def test_equal_neighbours_make_no_difference() -> None:
    """A group split in two has the same optimum as the whole group."""
    whole = Problem.kary(epsilon="1", objective="d-optimal", population=population([12, 8], [2, 1]))
    found = solve(whole)
    shares = whole.population
    split = [
        *shares[:5],
        *(x + Fraction(s, 10**30) for x, s in zip(shares[5:12], (1, -1, 1, -1, 0, 0, 0), strict=True)),
    ]
    other = solve(Problem.kary(epsilon="1", objective="d-optimal", population=[*sorted(split), *shares[12:]]))
    assert abs(found.value - other.value) < Fraction(1, 10**9)


def test_too_many_groups_are_refused() -> None:
    shares = [Fraction(2 * i + 1, 900) for i in range(30)]
    with pytest.raises(UnsupportedProblemError, match="received 30 groups of 30 categories"):
        solve(Problem.kary(epsilon="1", objective="d-optimal", population=shares))


def test_one_certain_category_is_refused() -> None:
    shares = [Fraction(0)] * 30 + [Fraction(1)]
    with pytest.raises(UnsupportedProblemError, match="one category has proportion 1"):
        solve(Problem.kary(epsilon="1", objective="mutual-information", population=shares))


def test_a_weak_information_is_solved() -> None:
    """At epsilon = 1e-18 the information is nearly singular; exact elimination shows that it is not."""
    shares = population([10, 10], [3, 1])
    found = solve(Problem.kary(epsilon=f"log({10**18 + 1}/{10**18})", objective="d-optimal", population=shares))
    assert found.certificate is not None
    assert found.gap <= abs(found.upper) / 10**9


@pytest.mark.slow
def test_levels_far_apart_are_solved() -> None:
    """Least squares of this problem did not converge: the method that polishes the weights then keeps what it has."""
    found = solve(Problem.kary(epsilon="log(20)", objective="e-optimal", population=population([3, 10], [3, 1])))
    assert found.gap <= abs(found.upper) / 10**8


def test_the_order_of_groups_does_not_matter() -> None:
    """A function with a large square and small convex terms needs as much work if its groups are reversed."""
    v = [0, 0, 10**6, 10**6, 10**6, 10**6]
    left = []
    for w in (v, v[::-1]):
        k = [[7 * (g == h) - x * y for h, y in enumerate(w)] for g, x in enumerate(w)]
        budget = WorkBudget()
        assert first_unproved([6] * 6, [1] * 6, Quadratic(0, [-42] * 6, k, budget), budget) is None
        left.append(budget.left)
    used = [WorkBudget().left - x for x in left]
    assert max(used) < Fraction(11, 10) * min(used)


def test_boxes_decide_as_all_counts_do(size: Callable[[int, int], int]) -> None:
    """Random quadratic functions on up to 4 groups, on the border: boxes prove what holds and name what fails."""
    rng = random.Random(40)
    failing = 0
    for _ in range(size(150, 5000)):
        sizes = [rng.randint(1, 6) for _ in range(rng.randint(1, 4))]
        g = len(sizes)
        rank = [[rng.randint(-3, 3) for _ in sizes] for _ in range(rng.randint(0, 2))]
        k = [
            [-sum(v[a] * v[b] for v in rank) + rng.choice((0, 0, 1, -1)) * (a == b) for b in range(g)] for a in range(g)
        ]
        f = [rng.randint(-9, 9) for _ in sizes]
        values = {
            c: sum(x * y for x, y in zip(f, c, strict=True))
            + sum(k[a][b] * c[a] * c[b] for a in range(g) for b in range(g))
            for c in product(*(range(n + 1) for n in sizes))
        }
        top = max(values.values())
        constant = -top + rng.choice((-1, 0, 0, 1))
        found = first_unproved(sizes, [1] * g, Quadratic(constant, f, k, WorkBudget()), WorkBudget())
        assert (found is None) == (top + constant <= 0)
        if found is not None:
            failing += 1
            assert values[tuple(found)] + constant > 0
    assert failing > 20


def test_the_weights_of_slices_do_not_change_the_verdict() -> None:
    """Linear functions with an integer gap, with slices of weights 0, 1 and more: decided exactly."""
    from rropt.checker.counts import Linear

    class Line:
        bits = 10

        def __init__(self, constant: int, slopes: list[int]) -> None:
            self.constant, self.slopes = constant, slopes

        def bounds(self, low: list[int], high: list[int], total: int):  # type: ignore[no-untyped-def]
            yield Linear(self.constant, self.slopes, [y - x for x, y in zip(low, high, strict=True)])

    rng = random.Random(41)
    for _ in range(300):
        sizes = [rng.randint(1, 5) for _ in range(rng.randint(1, 3))]
        weights = [rng.choice((0, 1, 2, 5, 7)) for _ in sizes]
        if not any(weights):
            continue
        slopes = [rng.randint(-5, 5) for _ in sizes]
        top = sum(max(0, s) * n for s, n in zip(slopes, sizes, strict=True))
        constant = rng.choice((-top - 1, -top, 1 - top))
        found = first_unproved(sizes, weights, Line(constant, slopes), WorkBudget())
        assert (found is None) == (top + constant <= 0), (sizes, weights, slopes, constant)
