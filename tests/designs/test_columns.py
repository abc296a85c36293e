"""Column generation over staircase rows: stages of few rays reach the optimum of all rays."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from support.ray_problems import objective, shares

from rropt import Problem, check, solve
from rropt.designs import Solution
from rropt.designs.engine import column_generation, first_weights, ray_rounding
from rropt.designs.engine.column_generation import Columns
from rropt.objectives import AOptimality, Contrast, DOptimality, EOptimality
from rropt.privacy import PrivacyRegion

F = Fraction


class Rounds:
    """The rounds of designs whose first list of rays is small.

    Attributes:
        stages: for each round, the number of listed rays, the rays that then left, and whether it was the precise one.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.stages: list[tuple[int, int, bool]] = []
        grow = Columns.grow

        def watched(own: Columns, *given: Any) -> bool:
            before, is_precise = set(own.listed.tolist()), own.is_precise
            found = grow(own, *given)
            self.stages.append((len(before), len(before - set(own.listed.tolist())), is_precise))
            return found

        patch.setattr(Columns, "grow", watched)
        patch.setattr(first_weights, "_ALL", 12)
        patch.setattr(first_weights, "_SAMPLE", 2)
        patch.setattr(column_generation, "_LEAST_ENTERING", 5)
        patch.setattr(column_generation, "_KEPT", 1)

    def solved(self, problem: Problem) -> Solution:
        """Return the design."""
        self.stages.clear()
        return solve(problem, fast=True)


def asked(kind: Any, epsilon: object, pi: list[Fraction]) -> Problem:
    return Problem(PrivacyRegion(epsilon, 0, inputs=len(pi), outputs="any"), kind, pi)


def gap(solution: Solution) -> float:
    return float((solution.upper - solution.lower) / max(abs(solution.lower), abs(solution.upper)))


@pytest.mark.slow
@few_rows(1)
@pytest.mark.parametrize("kind", ["a", "d", "e"])
def test_few_rays_are_enough_for_the_optimum_of_all(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """k = 9: of 510 rays some stay unlisted, some leave again, and the bracket is that of all rays."""
    given = asked(objective(kind, 9), 1, shares(9))
    whole = solve(given, fast=True)
    rounds = Rounds(monkeypatch)
    few = rounds.solved(given)
    assert max(few.lower, whole.lower) <= min(few.upper, whole.upper)
    assert gap(few) < 1e-13
    assert check(few.certificate)
    listed, left, is_precise = zip(*rounds.stages, strict=True)
    assert max(listed) < 510
    assert sum(left) > 0
    assert is_precise[-1]
    assert not is_precise[0]


@pytest.mark.slow
def test_random_problems_agree_with_the_engine_over_all_rays(
    monkeypatch: pytest.MonkeyPatch, size: Callable[[int, int], int]
) -> None:
    """Tiny, equal and zero proportions, levels from 1/1000 to 8, contrasts with zeros."""
    rng, problems = random.Random(34), []
    for _ in range(size(6, 400)):
        k = rng.choice((4, 5, 6, 7, 8))
        weights = rng.choice(
            (
                [rng.randint(1, 30) for _ in range(k)],
                [rng.choice((1, 1000, 10**6)) for _ in range(k)],
                [rng.randint(1, 2) for _ in range(k)],
                [rng.randint(0, 3) for _ in range(k - 1)] + [1],
            )
        )
        pi = [F(x, sum(weights)) for x in weights]
        contrast = [rng.randint(-2, 2) for _ in range(k - 1)]
        contrast.append(rng.choice((0, 1, -sum(contrast))))
        kinds = [AOptimality(), EOptimality()]
        kinds += [DOptimality()] if all(pi) else []
        kinds += [Contrast(contrast)] if len(set(contrast)) > 1 else []
        problems.append(asked(rng.choice(kinds), rng.choice(("1/1000", "1/50", 1, 3, 8, "log(3)")), pi))
    whole = [solve(given, fast=True) for given in problems]
    rounds = Rounds(monkeypatch)
    for given, other in zip(problems, whole, strict=True):
        few = rounds.solved(given)
        assert max(few.lower, other.lower) <= min(few.upper, other.upper), given
        assert gap(few) <= max(1e-11, 3 * gap(other)), given


def test_a_tiny_proportion_does_not_widen_the_bracket_of_few_rays(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 48 of 62 rays, an error of 1e-12 in alpha was 6e-9 at the ray of the category of 1000/2001003."""
    pi = [F(x, 2001003) for x in (1000, 10**6, 10**6, 1, 1, 1)]
    assert gap(Rounds(monkeypatch).solved(asked(DOptimality(), 8, pi))) < 1e-14


def test_rounds_continue_until_they_are_precise_when_all_rays_have_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six categories at epsilon 1/50: with many entering rays the list is complete after one round of 1e-3."""
    rounds = Rounds(monkeypatch)
    monkeypatch.setattr(column_generation, "_LEAST_ENTERING", 100)
    solution = rounds.solved(asked(DOptimality(), "1/50", shares(6)))
    assert rounds.stages[-1][0] == 62
    assert gap(solution) < 1e-14


def test_rounds_end_if_the_precision_is_never_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds become precise after a while, even if the violation seems too large; after a round without leavers
    no ray leaves.
    """
    rounds = Rounds(monkeypatch)
    monkeypatch.setattr(column_generation, "_EARLY", 2)
    monkeypatch.setattr(column_generation, "_NEAR", 0.0)
    solution = rounds.solved(asked(AOptimality(), 1, shares(8)))
    lefts = [left for _, left, _ in rounds.stages]
    assert not any(lefts[lefts.index(0) :])
    assert [is_precise for _, _, is_precise in rounds.stages].index(True) <= 4
    assert gap(solution) < 1e-13


@pytest.mark.parametrize("kind", ["a", "d", "e"])
def test_exact_squares_are_those_of_the_definition(kind: str) -> None:
    """``abs(p W)^2/(p.pi)`` in fractions by hand, also for rows and matrices with zeros and long numbers."""
    rng = random.Random(7)
    for k in (2, 3, 5):
        form = objective(kind, k).on_rays(shares(k), F(3))
        entries = [F(0), F(1), F(-2, 3), F(rng.getrandbits(90), 3**40), F(rng.getrandbits(60) - 2**59, 2**64)]
        w = [[rng.choice(entries) for _ in range(k - 1)] for _ in range(k)]
        phi = form.exact_phi(w)
        for _ in range(20):
            row = [F(rng.choice((0, 1, 5, 2**70 + 1)), rng.choice((1, 7, 2**71))) for _ in range(k - 1)] + [F(1, 3)]
            along = [sum((x * y for x, y in zip(row, column, strict=True)), F(0)) for column in zip(*w, strict=True)]
            mean = sum((x * y for x, y in zip(row, shares(k), strict=True)), F(0))
            assert phi(row) == form.phi(w, row) == sum(x * x for x in along) / mean


def test_a_dual_is_lifted_to_the_least_bound_that_is_valid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brute force over {1, gamma}^k in fractions: the inequality holds on every row, and is tight on one.

    Tight up to the rounding of the lift, which is far finer than floats.
    """
    rounds = Rounds(monkeypatch)
    solution = rounds.solved(asked(EOptimality(), "log(3)", shares(7)))
    proof = solution.certificate.proof
    alpha = [F(x) for x in proof["alpha"]]
    vectors = [(F(d), [F(x) for x in w]) for d, w in zip(proof["weights"], proof["vectors"][0], strict=True)]
    slacks = []
    for row in product((F(1), F(3)), repeat=7):
        squares = [d * sum((x * y for x, y in zip(row, w, strict=True)), F(0)) ** 2 for d, w in vectors]
        mean, g = (sum((x * y for x, y in zip(row, line, strict=True)), F(0)) for line in (shares(7), alpha))
        slacks.append(g - sum(squares) / mean)
    assert 0 <= min(slacks) < F(1, 2**64)


def test_rays_keep_their_weights_if_the_reduction_cycles(monkeypatch: pytest.MonkeyPatch) -> None:
    """13 categories with proportions 200000 : 200 : 1 at epsilon 12 stopped there with a RuntimeError of SciPy."""

    def fails(*given: object, **options: object) -> None:
        raise RuntimeError("Maximum number of iterations reached.")

    monkeypatch.setattr("scipy.optimize.nnls", fails)
    weights = np.array([0.5, 1e-20, 0.3, 1e-6])
    listed, kept = ray_rounding.support_of(np.array([3, 5, 8, 9]), weights, lambda rays: np.ones((len(rays), 1)), 1e-4)
    assert (listed, kept) == ([3, 8], [0.5, 0.3])
