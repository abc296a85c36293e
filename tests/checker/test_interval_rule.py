"""Certificates over intervals of prevalences: honest ones accepted, every lie rejected, bounds no design can beat."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

import rropt
from rropt.designs.prevalence_intervals import IntervalSolution, solve_over_interval
from rropt.privacy import PrivacyRegion

F = Fraction


def _solutions(rng: random.Random, count: int) -> Iterator[IntervalSolution]:
    levels = ["log(2)", "log(9/8)", "1/2*log(3)", "1", "1/3", 0, "log(20)"]
    for _ in range(count):
        low, high = sorted(F(rng.randint(0, 12), 12) for _ in range(2))
        delta = rng.choice(["1/4", "1/2", "1/100", "exp(-3)", "1"] + ["0"] * 2)
        epsilon = rng.choice(levels)
        family = rng.choice(["all", "all", "warner"])
        if epsilon == 0 and (delta == "0" or family == "warner"):
            epsilon = "log(2)"
        yield solve_over_interval(PrivacyRegion(epsilon, delta, family=family), (low, high))


def _certificates(rng: random.Random, count: int) -> Iterator[dict[str, Any]]:
    for solution in _solutions(rng, count):
        for optimum in (solution.minimax, solution.minimax_regret):
            assert optimum.certificate is not None
            yield optimum.certificate.to_dict()


def test_no_design_of_a_grid_beats_the_bound(rng: random.Random) -> None:
    """An independent oracle: n Var by its definition at designs of a grid and prevalences of a grid."""
    points = 0
    for solution in _solutions(rng, 12):
        region, low, high = solution.region, solution.interval.low, solution.interval.high
        prevalences = [low + (high - low) * F(t, 6) for t in range(7)]
        best = {pi: _optimum(region, pi) for pi in (low, high)}
        for a in range(0, 41, 2):
            for b in range(0, 41, 2):
                design = rropt.Mechanism.binary(F(a, 40), F(b, 40))
                if a + b <= 40 or not region.contains(design):
                    continue
                values = {pi: _n_var(F(a, 40), F(b, 40), pi) for pi in prevalences}
                assert max(values.values()) >= solution.minimax.lower or _worst_inside(values, solution)
                assert max(values[pi] - best[pi] for pi in (low, high)) >= solution.minimax_regret.lower
                points += 1
    assert points > 300


def _worst_inside(values: dict[Fraction, Fraction], solution: IntervalSolution) -> bool:
    """A coarse grid of prevalences may miss the worst one by a little: n Var changes by at most (step)^2/4 there."""
    step = (solution.interval.high - solution.interval.low) / 6
    return max(values.values()) + step * step / 4 >= solution.minimax.lower


def _n_var(p00: Fraction, p11: Fraction, pi: Fraction) -> Fraction:
    yes = pi * p11 + (1 - pi) * (1 - p00)
    return yes * (1 - yes) / (p00 + p11 - 1) ** 2


def _optimum(region: PrivacyRegion, pi: Fraction) -> Fraction:
    problem = rropt.Problem(region, rropt.EstimatorVariance(), (1 - pi, pi))
    return rropt.solve(problem, routes=["exact"]).upper


def _lies(document: dict[str, Any], rng: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Single changes that make the claim false or leave the format."""

    def changed(*path: Any, to: Any) -> dict[str, Any]:
        copy = deepcopy(document)
        place = copy
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to(place[path[-1]]) if callable(to) else to
        return copy

    def moved(text: str) -> str:
        return str(F(text) + rng.choice((-1, 1)) * F(1, rng.choice((2, 10**6, 10**30))))

    for end in ("lower", "upper"):
        yield end, changed("claim", end, to=moved)
    for i, j in ((0, 0), (1, 1), (0, 1)):
        yield "entry", changed("claim", "mechanism", "matrix", i, j, to=moved)
    yield "outputs exchanged", changed("claim", "mechanism", "matrix", to=lambda rows: rows[::-1])
    yield "kind", changed("claim", "kind", to=lambda kind: "optimal-design")
    yield "objective", changed("problem", "objective", to={"kind": "trace", "weights": ["1", "1"]})
    yield "bracket", changed("witness", "gamma", "above", to="1/2")
    yield "bracket", changed("witness", "gamma", "below", to="1/2")
    yield "bracket", changed("witness", "delta", "below", to="-1")
    yield "population", changed("problem", "population", "vertices", 0, to=["1/2", "1/3"])
    yield "population", changed("problem", "population", "vertices", to=lambda vertices: vertices[:1])
    yield "population", changed("problem", "population", "vertices", 1, to=["3/2", "-1/2"])
    yield "family", changed("problem", "region", "family", to="none")
    yield "key", {**document, "more": "1"}
    yield "inputs", changed("problem", "region", "inputs", to="3")


def test_lies_are_rejected(rng: random.Random, size: Callable[[int, int], int]) -> None:
    tried, count = 0, size(12, 120)
    for document in _certificates(rng, count):
        assert rropt.check(document).accepted
        for what, lie in _lies(document, rng):
            verdict = rropt.check(lie)
            assert not verdict, what
            assert verdict.reason.isascii()
            tried += 1
    assert tried == count * 2 * 17


def test_another_goal_needs_another_value() -> None:
    solution = solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4")
    assert solution.minimax.certificate is not None
    document = solution.minimax.certificate.to_dict()
    document["claim"]["kind"] = "least-regret-design"
    assert not rropt.check(document)


def test_a_smaller_regret_than_that_of_the_vertices_is_seen() -> None:
    """The hedge proves that the minimax regret is 1/4 where the vertices reach 5/16: 5/16 as the bound is false."""
    solution = solve_over_interval(PrivacyRegion("log(2)", "1/2"), "0..3/4")
    assert solution.minimax_regret.certificate is not None
    document = solution.minimax_regret.certificate.to_dict()
    vertex = solution.minimax_regret_candidate.design
    document["claim"] |= {"lower": "5/16", "upper": "5/16", "mechanism": vertex.mechanism.to_dict()}
    assert not rropt.check(document)


@pytest.mark.parametrize("interval", ["0..0", "1..1", "0..1", "1/3..1/3"])
@pytest.mark.parametrize("level", [("log(3)", "0"), ("1", "0"), ("0", "1/3"), ("1/10", "1")])
def test_ends_of_the_domain_are_certified(interval: str, level: tuple[str, str]) -> None:
    solution = solve_over_interval(PrivacyRegion(*level), interval)
    for optimum in (solution.minimax, solution.minimax_regret):
        assert optimum.certificate is not None
        assert optimum.certificate.check().accepted
