"""The way of rays by hand: lists of rays by brute force, forms on staircase rows, and large problems."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import pytest
from few_rows import few_rows

from rropt import solve
from rropt.checker import check_text
from rropt.checker.documents import Rejected, WorkBudget, allowed_budget
from rropt.checker.limits import MAX_WORK
from rropt.checker.rays import Staircase, grown_rays
from rropt.designs.problem import Problem
from rropt.objectives import AOptimality, DOptimality, MutualInformation, TotalVariation
from rropt.privacy import PrivacyRegion

F = Fraction
SPECIAL = [F(0), F(1), F(2), F(3), F(9)]


def reason(document: Any) -> str:
    return check_text(json.dumps(document)).reason


def in_lowest(ray: Any) -> tuple[Fraction, ...]:
    return tuple(F(x) / max(ray) for x in ray)


def brute_force(k: int, pairs: Any) -> set[tuple[Fraction, ...]]:
    """Return the directions in which k - 1 independent hyperplanes meet, from minors."""
    listed = ties(pairs) if isinstance(pairs, dict) else pairs
    planes = [[F(int(i == j)) for i in range(k)] for j in range(k)]
    planes += [[F(i == j) - g * (i == other) for i in range(k)] for j, other, g in listed]

    def determinant(rows: list[list[Fraction]]) -> Fraction:
        if not rows:
            return F(1)
        return sum(
            (-1) ** i * r[0] * determinant([q[1:] for q in rows[:i] + rows[i + 1 :]]) for i, r in enumerate(rows)
        )

    found = set()
    for chosen in combinations(planes, k - 1):
        line = [(-1) ** j * determinant([p[:j] + p[j + 1 :] for p in chosen]) for j in range(k)]
        line = line if max(line) > 0 else [-x for x in line]
        if any(line) and min(line) >= 0:
            found.add(in_lowest(line))
    return found


def ties(pairs: dict[tuple[int, int], Fraction]) -> list[tuple[int, int, Fraction]]:
    return [(j, i, gamma) for (j, i), gamma in pairs.items()]


def all_pairs(k: int, gamma: Fraction) -> list[tuple[int, int, Fraction]]:
    return [(j, i, gamma) for j, i in permutations(range(k), 2)]


@few_rows(1)
@pytest.mark.parametrize(("k", "gamma"), [(2, F(3)), (3, F(3)), (3, F(3, 2)), (4, F(2))])
def test_the_lists_are_those_of_brute_force(k: int, gamma: Fraction) -> None:
    pairs = dict.fromkeys(permutations(range(k), 2), gamma)
    listed = [in_lowest(r) for r in grown_rays(k, [], ties(pairs), WorkBudget())]
    assert set(listed) == brute_force(k, pairs)
    assert len(set(listed)) == len(listed)
    inside = {r for r in brute_force(k, pairs) if all(r[j] <= g * r[i] for (j, i), g in pairs.items())}
    assert inside <= {in_lowest(r) for r in Staircase(k, gamma, WorkBudget())}
    assert {in_lowest(r) for r in grown_rays(k, ties(pairs), [], WorkBudget())} >= inside


@pytest.mark.slow
def test_the_lists_of_random_levels_are_those_of_brute_force() -> None:
    """Walls and bends on random pairs, with equal and multiplicatively dependent gammas, gamma = 1 and no ties."""
    rng, tried = random.Random(4), 0
    for _ in range(60):
        k = rng.choice((2, 3, 3, 4))
        pairs = [pair for pair in permutations(range(k), 2) if rng.random() < 0.7]
        walls = [(*pair, F(rng.choice((1, 2, 3, 5)))) for pair in pairs if rng.random() < 0.5]
        bends = [(*pair, F(rng.choice((1, 2, 4, 5)))) for pair in pairs if rng.random() < 0.6]
        if k < 4:
            bends += [(*pair, F(rng.choice((2, 3)))) for pair in pairs if rng.random() < 0.3]
        planes = [*walls, *bends]
        inside = {r for r in brute_force(k, planes) if all(r[j] <= g * r[i] for j, i, g in walls)}
        listed = {in_lowest(r) for r in grown_rays(k, walls, bends, WorkBudget())}
        assert listed == inside, (k, walls, bends)
        tried += len(inside)
    assert tried > 100


@pytest.mark.slow
def test_rows_are_combinations_of_rays() -> None:
    """Any row is a nonnegative combination of rays with the same excesses: by a linear program for each."""
    from scipy.optimize import linprog

    rng, gamma = random.Random(1), 3.0
    for k in (2, 3, 4):
        rays = [[float(x) / max(r) for x in r] for r in grown_rays(k, [], all_pairs(k, F(3)), WorkBudget())]

        def moments(r: list[float], k: int = k) -> list[float]:
            return [*r, *(max(0.0, r[j] - gamma * r[i]) for j, i in permutations(range(k), 2))]

        for _ in range(40):
            row = [float(rng.choice(SPECIAL)) if rng.random() < 0.5 else rng.random() ** 3 for _ in range(k)]
            columns = list(zip(*map(moments, rays), strict=True))
            found = linprog([1.0] * len(rays), A_eq=columns, b_eq=moments(row), bounds=(0, None))
            assert found.status == 0, row


def test_too_many_inputs_are_rejected() -> None:
    with pytest.raises(Rejected, match="more than 32768 rays"):
        grown_rays(7, [], all_pairs(7, F(2)), WorkBudget())
    with pytest.raises(Rejected, match="at most 18"):
        Staircase(19, F(2), WorkBudget())
    with pytest.raises(Rejected, match="above 1"):
        Staircase(3, F(1), WorkBudget())


def test_a_form_on_staircase_rows_is_judged_as_by_a_list(size: Callable[[int, int], int]) -> None:
    """Symmetric forms that are negative at few rays, at one, at none: the search against every row by hand."""
    rng, negative, missed = random.Random(11), 0, 0
    for _ in range(size(120, 2000)):
        k, gamma = rng.randint(1, 6), F(rng.randint(2, 7), rng.randint(1, 2))
        gamma = gamma if gamma > 1 else F(3)
        rays = Staircase(k, gamma, WorkBudget())
        half = [[rng.randint(-4, 4) for _ in range(k)] for _ in range(k)]
        form = [[half[i][j] + half[j][i] + (i == j) * rng.choice((0, 9, 30)) for j in range(k)] for i in range(k)]

        def value(r: Any, form: Any = form, k: int = k) -> int:
            return sum(form[i][j] * r[i] * r[j] for i in range(k) for j in range(k))

        listed = [list(r) for r in product((gamma.denominator, gamma.numerator), repeat=k)]
        least = min(value(r) for r in listed)
        found = rays.negative(form)
        assert (found is None) == (least >= 0)
        if found is not None:
            assert value(found) < 0
            negative += 1
        missed += found is None
    assert negative > 20
    assert missed > 20


def test_a_form_that_is_zero_at_its_least_ray_is_accepted() -> None:
    """``(r_0 - r_1)^2`` is 0 where both entries are equal, and one unit less is negative there."""
    rays = Staircase(2, F(3), WorkBudget())
    assert rays.negative([[1, -1], [-1, 1]]) is None
    assert rays.negative([[0, -1], [-1, 1]]) is not None


@few_rows(1)
@pytest.mark.parametrize(
    "kind",
    [pytest.param("a-optimal", marks=pytest.mark.slow), "mutual-information", "total-variation", "d-optimal"],
)
def test_designs_of_ten_inputs_are_judged_within_the_default_budget(kind: str) -> None:
    """Accepted as written; with a share of alpha moved away by 1e-6 rejected, as the inequality fails on a ray."""
    k = 10
    total = sum(F(1, j) for j in range(1, k + 1))
    objectives = {"a-optimal": AOptimality(), "mutual-information": MutualInformation(), "d-optimal": DOptimality()}
    objective = objectives.get(kind) or TotalVariation([F(1, k)] * k)
    region = PrivacyRegion("log(3)", 0, inputs=k, outputs="any")
    problem = Problem(region, objective, [F(1, j) / total for j in range(1, k + 1)])
    document = json.loads(solve(problem, fast=True).certificate.to_json())
    assert reason(document) == ""
    for j in (0, k - 1):
        made = deepcopy(document)
        alpha = made["proof"]["alpha"]
        alpha[j] = str(F(alpha[j]) - max(abs(F(x)) for x in alpha) / 10**6)
        assert re.search("fails on (the|a) ray", reason(made))


def test_the_large_budget_is_asked_for() -> None:
    """What the default budget refuses, the large one accepts; an unknown name is refused."""
    with allowed_budget("large"):
        assert len(grown_rays(5, [], all_pairs(5, F(2)), WorkBudget())) == 1055
        assert WorkBudget().left > MAX_WORK
        Staircase(20, F(2), WorkBudget())
        with pytest.raises(Rejected, match="at most 20"):
            Staircase(21, F(2), WorkBudget())
    assert WorkBudget().left == MAX_WORK
    with pytest.raises(ValueError, match="allowed are default, large"), allowed_budget("huge"):
        pass
