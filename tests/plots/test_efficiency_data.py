"""The classical designs against the optimum: exact ratios, never below 1, with published anchors."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from rropt import check
from rropt.core.exact import Epsilon
from rropt.mechanisms import DESIGNS
from rropt.plots.data import efficiency_picture
from rropt.plots.data.efficiency_pictures import least_variance
from rropt.plots.data.marked_designs import classical_designs, solve_exactly, truth_probability

F = Fraction
SHARES = ("1/10", "1/4", "1/2", "3/4", "99/100")


def test_the_anchor_of_the_nigeria_survey() -> None:
    """At epsilon = log 5 and prevalence 2551/9740 the unrelated question with piB = 1/4 costs 1.50603."""
    picture = efficiency_picture(prevalence="2551/9740", points=["log(5)"])
    marked = {design: curve.marked[0] for curve in picture.curves for design in curve.designs}
    assert round(float(marked["unrelated question πB = 1/4"]), 5) == 1.50603
    assert marked["Warner"] == marked["crosswise"] == marked["forced response y:n = 1:1"] == 1
    assert marked["forced response y:n = 1:2"] > 1
    assert picture.points[0].mechanism.p00 == F(5, 6)


@pytest.mark.slow
def test_every_ratio_is_at_least_one_exactly(rng: random.Random, size) -> None:
    checked = 0
    for _ in range(size(10, 200)):
        delta = rng.choice(["0", "1", str(F(rng.randint(1, 19), 20)), "1/1000000", "exp(-10)"])
        low = str(F(rng.randint(0 if delta != "0" else 1, 20), 20))
        picture = efficiency_picture(
            prevalence=F(rng.randint(1, 29), 30),
            delta=delta,
            epsilon_range=(low, rng.choice(["2", "5", "20"])),
            points=["5/4"],
        )
        for curve in picture.curves:
            assert min(curve.ratios) >= 1
            assert min(curve.marked) >= 1
            checked += len(curve.ratios)
    assert checked >= 10 * 121


def test_each_design_uses_the_whole_level(rng: random.Random, size) -> None:
    """At delta = 0 the parity is gamma exactly; at delta > 0 the least delta at log(gamma) is delta exactly."""
    points = size(40, 1000)
    for _ in range(points):
        gamma = 1 + F(rng.randint(1, 60), rng.randint(1, 12))
        delta = F(rng.randint(1, 19), 20)
        for design in classical_designs(SHARES, slack=False).values():
            assert design(gamma, F(0)).parity() == gamma
        for design in classical_designs(SHARES, slack=True).values():
            assert design(gamma, delta).delta(Epsilon.of_gamma(gamma)) == delta
        c = (gamma - 1) / 4
        assert truth_probability(gamma, F(0), F(1, 4)) == c / (1 + c)
        warner = classical_designs([], slack=False)["Warner"]
        assert warner(gamma, F(0)).p00 == gamma / (1 + gamma)
    assert points >= 40


def test_no_smaller_probability_of_truth_is_more_informative() -> None:
    """The largest private t: a little more of it breaks the level, a little less costs variance."""
    gamma, delta, step = F(3), F(1, 10), F(1, 1000)
    for b in (F(1, 10), F(1, 3), F(1, 2), F(4, 5)):
        t = truth_probability(gamma, delta, b)
        assert DESIGNS["unrelated"](t + step, b).delta("log(3)") > delta
        assert DESIGNS["unrelated"](t, b).delta("log(3)") == delta


def test_least_variance_is_what_the_solver_certifies(rng: random.Random, size) -> None:
    points = size(15, 300)
    for _ in range(points):
        gamma, delta = 1 + F(rng.randint(1, 30), rng.randint(1, 9)), F(rng.randint(0, 10), 10)
        pi = F(rng.randint(0, 20), 20)
        solution = solve_exactly(f"log({gamma})", delta, pi)
        assert least_variance(gamma, delta, pi) == solution.value
        assert check(solution.certificate)
    assert points >= 15


def test_designs_of_equal_variance_share_one_curve() -> None:
    labels = [curve.label for curve in efficiency_picture(prevalence="1/2", points=[]).curves]
    assert labels[0] == "Warner, crosswise, Mangat–Singh (1990), forced response y:n = 1:1"  # noqa: RUF001
    assert "unrelated question πB = 1/4, unrelated question πB = 3/4" in labels  # mirror images at prevalence 1/2
    same = efficiency_picture(prevalence="1/3", points=[], unrelated=["1/3"]).curves
    assert [curve.label for curve in same[1:]] == ["forced response y:n = 1:2, unrelated question πB = 1/3"]
    assert same[0].is_optimal
    direct = efficiency_picture(prevalence="1/3", delta=1).curves
    assert len(direct) == 1
    assert direct[0].is_optimal


def test_the_switch_is_where_g_is_the_prevalence() -> None:
    picture = efficiency_picture(prevalence="1/4", delta="1/4", epsilon_range=("1/10", "2"), points=[])
    assert picture.switch is not None
    assert math.isclose(picture.switch, math.log(2), rel_tol=1e-14)  # Example 1.4 of the paper
    warner = next(curve for curve in picture.curves if curve.designs[0] == "Warner")
    for epsilon, ratio in zip(picture.grid, warner.ratios, strict=True):
        assert (ratio == 1) == (epsilon > picture.switch)
    assert efficiency_picture(prevalence="1/4", points=[]).switch is None
    assert efficiency_picture(prevalence="1/4", delta="1/4", epsilon_range=("1", "2"), points=[]).switch is None
    assert efficiency_picture(prevalence="1/4", delta="1/4", epsilon_range=("1/10", "1/2"), points=[]).switch is None


@pytest.mark.slow
def test_marked_points_are_simple_certified_and_in_range() -> None:
    for ends in (("1/10", "5"), ("1e-9", "1e-6"), ("1", "60")):
        picture = efficiency_picture(prevalence="1/4", epsilon_range=ends)
        levels = [float(point.problem.region.epsilon) for point in picture.points]
        assert len(levels) == 3
        assert float(F(ends[0])) < levels[0] < levels[-1] < float(F(ends[1]))
        assert all(point.gap == 0 and check(point.certificate) for point in picture.points)
    assert [str(p.problem.region.epsilon) for p in efficiency_picture(prevalence="1/4").points] == [
        "log(2)",
        "log(9)",
        "log(44)",
    ]
