"""A-optimal designs in groups of equal shares: against all 2^k patterns, theorems, and matrices written out."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from few_rows import few_rows

from rropt import solve
from rropt.core.errors import UnsupportedProblemError
from rropt.designs import Problem
from rropt.designs.group_designs import GROUPS, groups_of
from rropt.designs.routes import ProvedDesign
from rropt.designs.solution import Solution
from rropt.mechanisms import Mechanism, OrbitMechanism
from rropt.mechanisms.fisher_information import information_inverse, information_matrix
from rropt.mechanisms.orbits import GroupMatrix, grouped_information
from rropt.objectives import AOptimality
from rropt.privacy import PrivacyRegion

LEVELS = ("1/20", "1/2", "log(3)", "2", "8")


def problem(groups: list[int], parts: list[int], epsilon: str) -> Problem:
    """Return the problem of shares in these proportions."""
    total = sum(n * p for n, p in zip(groups, parts, strict=True))
    shares = [Fraction(p, total) for n, p in zip(groups, parts, strict=True) for _ in range(n)]
    return Problem.kary(epsilon=epsilon, objective="a-optimal", population=shares)


@few_rows(1)
@pytest.mark.parametrize("objective", ["a-optimal", "e-optimal", "d-optimal"])
@few_rows(1)
@pytest.mark.parametrize("epsilon", ["1e-20", "1e-100"])
def test_a_tiny_level_is_solved_as_well_as_a_usual_one(epsilon: str, objective: str) -> None:
    """The information is (gamma - 1)^2 times a matrix, up to a part gamma - 1: so n Cov is one over it."""
    shares = [Fraction(p, 44) for p, n in ((1, 12), (2, 12), (1, 8)) for _ in range(n)]

    def solved(level: str) -> tuple[Fraction, Fraction]:
        found = solve(Problem.kary(epsilon=level, objective=objective, population=shares))
        assert found.status == "optimal"
        return found.value, found.gap

    (value, gap), (usual, _) = solved(epsilon), solved("1e-6")
    step = Fraction(epsilon) / Fraction("1e-6")
    if objective == "d-optimal":
        grown = 2 * (len(shares) - 1) * float(np.log(float(step)))
        assert abs(float(value - usual) - grown) < 1e-3
        assert gap < Fraction(1, 10**12)
    else:
        assert abs(float(value * step**2 / usual) - 1) < 1e-4
        assert gap < value / 10**9


def test_a_level_beyond_floats_is_refused() -> None:
    with pytest.raises(UnsupportedProblemError, match="the level is too small for groups of categories"):
        solve(problem([6, 6], [6, 7], "1e-200"))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", LEVELS)
def test_hundreds_of_categories_are_certified(epsilon: str, size: Callable[[int, int], int]) -> None:
    """Gap at most 1e-9 of the optimum, at most epsilon exactly, accepted; shares a thousand times apart among them."""
    rng = random.Random(f"many {epsilon}")
    shapes = ([1, 30], [1, 1, 40], [5, 20, 20], [1, 1, 1, 1, 60], [300], [2] * 7, [150, 25])
    for groups in rng.sample(shapes, size(2, len(shapes))):
        asked = problem(list(groups), [rng.choice((1, 3, 10, 1000)) for _ in groups], epsilon)
        solution = solve(asked, ["exact"] if len(set(asked.population)) > 1 else None)
        assert solution.certificate.check()
        assert solution.gap <= solution.upper / 10**9
        ends = asked.region.bracket(40)
        parity = solution.mechanism.parity()
        assert parity is not None
        assert parity <= ends.below.gamma
        assert Solution.from_dict(solution.to_dict()) == solution


def test_what_is_printed_of_more_answers_than_can_be_written() -> None:
    solution = solve(Problem.kary(128, epsilon="1", objective="a-optimal"))
    assert "about 10^" in str(solution)
    assert "about 10^" in repr(solution)
    assert str(solution).endswith("certificate accepted")
    assert "accepted" in solution._repr_html_()


def test_equal_shares_must_stand_together() -> None:
    shares = ["1/40", "1/20", "1/20"] * 8
    with pytest.raises(UnsupportedProblemError, match="order the categories by their proportions"):
        solve(Problem.kary(epsilon="1", objective="a-optimal", population=shares))
    found = solve(Problem.kary(epsilon="1", objective="a-optimal", population=sorted(map(Fraction, shares))))
    assert isinstance(found.mechanism, OrbitMechanism)
    assert groups_of(found.problem.population) == (8, 16)


def test_the_order_of_equal_shares_does_not_matter(size: Callable[[int, int], int]) -> None:
    """Of few rows, in any order of the categories, the value is that of the sorted problem."""
    for k, kinds in [(11, 2), (14, 3), (18, 2)][: size(1, 3)]:
        parts = [1 + 7 * j % kinds for j in range(k)]
        pi = [Fraction(part, sum(parts)) for part in parts]
        region = PrivacyRegion("1", inputs=k, outputs="any")
        apart, ordered = (solve(Problem(region, AOptimality(), shares), fast=True) for shares in (pi, sorted(pi)))
        assert max(apart.lower, ordered.lower) <= min(apart.upper, ordered.upper)
        assert apart.gap <= apart.value / 10**12
        assert k <= apart.mechanism.outputs <= k * (k - 1)
        assert ordered.mechanism.outputs > apart.mechanism.outputs


def test_matrices_over_groups_are_those_written_out() -> None:
    """Trace, inverse, solutions and the information of orbits, against flint and numpy."""
    rng = random.Random(5)
    for _ in range(30):
        groups = tuple(rng.randint(1, 3) for _ in range(rng.randint(1, 3)))
        r, k = len(groups), sum(groups)
        place = [g for g, n in enumerate(groups) for _ in range(n)]
        part = GroupMatrix(
            groups,
            tuple(Fraction(rng.randint(1, 9)) for _ in range(r)),
            tuple(tuple(Fraction(rng.randint(-3, 3), 7) for _ in range(r)) for _ in range(r)),
        )
        whole = np.array(
            [
                [float(part.blocks[g][h]) + float(part.diagonal[g]) * (i == j) for j, h in enumerate(place)]
                for i, g in enumerate(place)
            ]
        )
        assert np.isclose(float(part.trace()), np.trace(whole))
        inverse = part.inverse()
        if inverse is None:
            assert abs(np.linalg.det(whole)) < 1e-6
            continue
        other = np.linalg.inv(whole)
        mine = [
            [float(inverse.blocks[g][h]) + float(inverse.diagonal[g]) * (i == j) for j, h in enumerate(place)]
            for i, g in enumerate(place)
        ]
        assert np.allclose(mine, other)
        t = [Fraction(rng.randint(-5, 5)) for _ in range(k)]
        solved = part.solve(t)
        assert solved is not None
        assert np.allclose([float(x) for x in solved], other @ np.array([float(x) for x in t]))


def test_the_value_of_orbits_is_that_of_the_matrix() -> None:
    """A-optimality of an orbit mechanism at populations that are equal in groups, and that are not."""
    mechanism = OrbitMechanism.subset_selection(5, 2, 3)
    whole = Mechanism(mechanism.matrix)
    for pi in (["1/5"] * 5, ["1/10", "3/10", "1/5", "1/5", "1/5"]):
        assert AOptimality().value(mechanism, pi) == AOptimality().value(whole, pi)
    grouped = grouped_information(mechanism, [Fraction(1, 5)] * 5)
    assert grouped is not None
    assert information_matrix(whole, [Fraction(1, 5)] * 5) is not None
    inverse, other = grouped.inverse(), information_inverse(whole, [Fraction(1, 5)] * 5)
    assert inverse is not None
    assert other is not None
    assert other[0][0] == inverse.diagonal[0] + inverse.blocks[0][0]
    assert (
        grouped_information(
            mechanism, [Fraction(1, 10), Fraction(3, 10), Fraction(1, 5), Fraction(1, 5), Fraction(1, 5)]
        )
        is None
    )


@pytest.mark.slow
def test_more_privacy_costs_more_and_equal_groups_may_be_split() -> None:
    """Metamorphic: the optimum falls in epsilon; a run of equal shares is one group however it came about."""
    values = [solve(problem([1, 14], [14, 1], epsilon), ["exact"]).value for epsilon in LEVELS]
    assert all(more > less for more, less in pairwise(values))
    joined = solve(problem([3, 9], [1, 1], "log(3)"))
    assert joined.value == solve(problem([12], [1], "log(3)")).value


def test_the_page_of_a_board_needs_no_row_written_out() -> None:
    """What answers give away and the margins of orbits are those of the matrix; the page of 128 categories is made."""
    from rropt.reports import design_page
    from rropt.reports.irb_summary import exposures, variances

    asked = problem([2, 4], [3, 1], "log(3)")
    orbits = GROUPS[-1].solve(asked, asked.region.bracket(40))
    assert isinstance(orbits, ProvedDesign)
    assert isinstance(orbits.mechanism, OrbitMechanism)
    whole, pi = Mechanism(orbits.mechanism.matrix), asked.population
    assert exposures(orbits.mechanism) == exposures(whole)
    assert variances(orbits.mechanism, pi) == variances(whole, pi)
    page = design_page(solve(Problem.kary(128, epsilon="1", objective="a-optimal")), []).to_html()
    assert "128 possible answers" in page
    assert "accepted" in page
