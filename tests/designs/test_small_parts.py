"""Parts of designs at small sizes: by formulas in fractions, by enumeration, and by both sides of each limit."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rropt import design, privacy
from rropt.checker.quadratics import Point, compare
from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.designs import (
    Problem,
    block_designs,
    criterion_designs,
    drawable_designs,
    equal_information,
    every_level_of,
    group_designs,
    minimax_proof,
    number_designs,
    pram,
    reduced_designs,
    report_costs,
    robust_designs,
    solve,
    splits,
    sweeps,
    two_inputs,
    way_table,
    weighted_trace,
)
from rropt.designs.branch_and_bound import cell_bounds, local_search, nodes
from rropt.designs.design_programs import DesignProgram
from rropt.designs.engine import first_weights, merged_categories, orbit_designs, ray_rounding, sign_patterns
from rropt.designs.engine.divergence_designs import _VIOLATED, _Exchange
from rropt.designs.engine.ray_enumeration import Fan, float_excess
from rropt.designs.orders import garblings
from rropt.designs.parametric import closed_levels, level_formulas, level_pieces, quadratic_formulas, shortest_paths
from rropt.designs.problem import uniform
from rropt.designs.rounding import LARGEST_ODDS, interior_mechanism
from rropt.mechanisms import BlockMechanism, Mechanism, RestrictedResponse
from rropt.mechanisms.families import Direct
from rropt.objectives import AOptimality, MutualInformation, Payoff, Trace
from rropt.objectives.trace import WeightRuns
from rropt.privacy import BoundedRegion, GaussianRegion, LevelsRegion, PrivacyRegion, RenyiRegion, ZcdpRegion
from rropt.privacy.region import RationalLevel, RationalLevels

F = Fraction
ZERO, HALF = F(0), F(1, 2)


def at(gamma: Fraction, delta: Fraction = ZERO) -> RationalLevels:
    return RationalLevels.single(RationalLevel(gamma, delta), RationalLevel(gamma, delta))


def kary(k: int, gamma: Fraction) -> list[list[Fraction]]:
    return [[(gamma if i == j else 1) / (gamma + k - 1) for j in range(k)] for i in range(k)]


# groups, orbits and rays


def test_which_populations_are_in_few_groups() -> None:
    """Eight groups of any size, or twelve of two categories on average."""
    for sizes, is_grouped in (
        ([1] * 8, True),
        ([1] * 9, False),
        ([2] * 9, True),
        ([2] * 8 + [1], False),
        ([1] * 8 + [10], True),
        ([2] * 12, True),
        ([1] * 11 + [13], True),
        ([1] * 11 + [12], False),
        ([9] * 13, False),
    ):
        parts = [F(1 + i % 2) for i, n in enumerate(sizes) for _ in range(n)]
        population = [p / sum(parts) for p in parts]
        assert group_designs.groups_of(population) == tuple(sizes)
        assert group_designs._is_grouped(population) is is_grouped, sizes


def test_orbits_of_three_equal_categories() -> None:
    """At gamma = 4, k-ary randomized response has the least n tr Cov, (k-1) (gamma+k-1)^2/(k (gamma-1)^2)."""
    gamma = F(4)
    truth = F(2 * 36, 3 * 9)
    problem = Problem.kary(3, epsilon="log(4)", objective="a-optimal")
    problem = Problem(problem.region, problem.objective, [F(1, 3)] * 3)
    form = group_designs._form(problem, RationalLevel(gamma, ZERO))
    found = orbit_designs.weighed(form)
    dual = orbit_designs.rounded_dual(form, found)
    assert dual.groups == (3,)
    bound, value = form.bound(orbit_designs.lifted(dual, form)), group_designs._by_newton(problem, at(gamma)).upper
    assert 0 <= value - bound < F(1, 10**9) * value
    assert bound <= truth <= value < truth * (1 + F(1, 10**12))
    made = orbit_designs.rounded_mechanism(form, found, gamma)
    assert made.parity() == gamma
    assert sorted(set(made.matrix[0])) == [F(1, 6), F(4, 6)]
    for own, inside in ((-1e-9, 0), (0.25, F(1, 4))):  # a number below 0 is a rounding error
        found.criterion.alone = lambda y, own=own: np.array([own])
        assert orbit_designs.rounded_dual(form, found).inside == (inside,)
    del found.criterion.alone
    for bits in (63, 64, 90):  # a gamma with a denominator of more than 64 bits is rounded down
        long = 4 - F(1, 2**bits - 1)
        own = orbit_designs.rounded_mechanism(form, found, long).parity()
        assert (own == long) is (bits <= 64)
        assert 0 <= long - own < F(1, 10**18)


def test_rays_of_regions() -> None:
    """The numbers of rays that the theory lists, and their entries for two categories."""
    for k, staircase, with_delta, of_two in ((2, 2, 4, 6), (3, 6, 21, 63), (4, 14, 138, 0)):
        one, two = at(F(3)).parts(k), at(F(3), F(1, 10)).parts(k)
        assert len(Fan(k, one, uniform(k))) == staircase
        assert len(Fan(k, two, uniform(k))) == with_delta
        if of_two:
            levels = LevelsRegion([("log(2)", "1/10"), ("log(3)", "1/20")], inputs=k)
            assert len(Fan(k, levels.bracket(20).parts(k), uniform(k))) == of_two
    fan = Fan(2, at(F(3), F(1, 10)).parts(2), [F(1, 4), F(3, 4)])
    rows = {tuple(fan.row(i, "above")) for i in range(len(fan))}
    assert rows == {(1, 0), (0, 1), (1, F(1, 3)), (F(1, 3), 1)}
    floats = fan.floats()
    for row, steps, excess in zip(floats.rows, floats.steps, floats.excesses, strict=True):
        assert row @ [0.25, 0.75] == pytest.approx(1)
        assert steps == pytest.approx(row - 1)
        both = {(0, 1): max(0, row[0] - 3 * row[1]), (1, 0): max(0, row[1] - 3 * row[0])}
        assert list(excess) == pytest.approx([both[j, i] for j, i, _ in fan.conditions], abs=1e-12)
    near_one = Fan(2, at(1 + F(1, 10**12)).parts(2), [F(1, 4), F(3, 4)]).floats().steps
    assert sorted(near_one[:, 0].tolist()) == pytest.approx([-0.75e-12, 0.75e-12], rel=1e-9)
    three = Fan(2, at(F(3)).parts(2), [F(1, 4), F(3, 4)]).floats()
    assert sorted(three.steps[:, 0].tolist()) == pytest.approx([1 / 2.5 - 1, 3 / 1.5 - 1])
    assert float_excess(np.array([3.0, 3.1, 1.0]), np.array([1.0, 1.0, 1.0]), 3.0).tolist() == pytest.approx(
        [0, 0.1, 0]
    )
    with pytest.raises(UnsupportedProblemError, match="has more than 1048576 rays: received 21 categories"):
        Fan(21, at(F(3)).parts(21), uniform(21))


def test_duals_that_are_lifted() -> None:
    """After the lift, the inequality of a dual holds on each ray and is an equality on one."""
    rng = random.Random(3)
    region = PrivacyRegion("log(3)", inputs=3, outputs="any")
    population = [F(1, 2), F(1, 3), F(1, 6)]
    fan = Fan(3, region.bracket(20).parts(3), population)
    form = Payoff([[1, 0, 0], [0, 2, 0], [0, 0, 3]]).on_rays(population, F(3))
    for size in (1, 10**12):
        for _ in range(5):
            x, y = (F(rng.randrange(-(10**6), 10**6), 10**6) * size for _ in range(2))
            dual = ray_rounding.RayDual((x, y, -x - y), (), None)
            made = ray_rounding.lifted(dual, fan, form)
            by = {(a - b) / p for a, b, p in zip(made.alpha, dual.alpha, population, strict=True)}
            assert len(by) == 1
            over = []
            for i in range(len(fan)):
                row = fan.row(i, "above")
                paid = sum(a * r for a, r in zip(dual.alpha, row, strict=True))
                best = max(w * p * r for w, p, r in zip((1, 2, 3), population, row, strict=True))
                over.append((best - paid) / sum(p * r for p, r in zip(population, row, strict=True)))
            assert 0 <= by.pop() - max(over) < F(1, 10**15) * (1 + size)


def test_first_weights_of_rays() -> None:
    """Positive weights of a mechanism that uses at most half of each delta; also if levels are of some pairs only."""
    for region in (
        PrivacyRegion("log(3)", inputs=3, outputs="any"),
        PrivacyRegion("log(3)", "1/10", inputs=3, outputs="any"),
        LevelsRegion([("log(2)", "1/10"), ("log(3)", "1/20")], inputs=3),
        LevelsRegion([{"epsilon": "log(3)", "delta": "1/10", "pairs": [[0, 1], [1, 0], [1, 2], [2, 1]]}], inputs=3),
    ):
        fan = Fan(3, region.bracket(20).parts(3), [HALF, F(1, 3), F(1, 6)])
        listed, weights = first_weights.first_weights(fan)
        floats, w, slack = fan.floats(listed), weights[: len(listed)], weights[len(listed) :]
        assert listed.tolist() == list(range(len(fan)))
        assert w.min() > 0
        assert w @ floats.rows == pytest.approx(np.ones(3), abs=1e-9)
        assert slack == pytest.approx(fan.deltas - w @ floats.excesses)
        assert (slack >= fan.deltas / 2 - 1e-9).all()
        if (
            len(fan.parts) == 1 and len(fan.parts[0].pairs) == 6
        ):  # one weight of rows without excesses, one of the others
            theta = w / (floats.rows / floats.rows.max(1)[:, None] @ [1 / 2, 1 / 3, 1 / 6])
            assert len(set(theta.round(9))) == 1 + bool(len(slack))


def test_weights_and_equations_of_rays() -> None:
    """Corrected weights solve their equations; a mechanism is private up to its level, and no further."""
    equations = [([F(1), F(2), ZERO], F(1)), ([ZERO, F(1), F(3)], F(1))]
    found = ray_rounding.corrected_weights([F(1, 3), F(1, 3), F(1, 4)], equations)
    for line, right in equations:
        assert abs(sum(a * t for a, t in zip(line, found, strict=True)) - right) < F(1, 10**40)
    warner = Mechanism.binary("3/4", "3/4")
    for gamma, delta, is_private in ((3, 0, True), (F(29, 10), 0, False), (2, F(1, 4), True), (2, F(6, 25), False)):
        assert ray_rounding.meets(warner, at(F(gamma), F(delta)).parts(2)) is is_private
    fan = Fan(2, at(F(3), F(1, 5)).parts(2), [HALF, HALF])
    rows = [[F(1), ZERO], [ZERO, F(1)], [F(1), F(1, 3)], [F(1, 3), F(1)]]
    # delta in both directions, and the sums of both columns: (delta, 3 r, r, 0) with 1 = delta + 4 r
    made = ray_rounding.weighted(fan, rows, (0, 1, 2, 3), "below")
    assert made is not None
    assert made.matrix == ((F(1, 5), 0), (0, F(1, 5)), (F(3, 5), F(1, 5)), (F(1, 5), F(3, 5)))
    assert ray_rounding.weighted(fan, [rows[0], rows[2]], (0, 1), "below") is None  # its weights are negative


# objectives and regions that a row of the table takes


def test_zeros_that_a_registered_objective_must_take() -> None:
    """Rows may contain zeros unless a level with delta = 0 compares each two categories, in both directions."""
    found: list[bool] = []
    form = SimpleNamespace(require_valid=found.append)
    objective = SimpleNamespace(on_rays=lambda population, gamma: form)
    for k, region, has_zeros in (
        (2, PrivacyRegion("log(2)", inputs=2, outputs="any"), False),
        (4, PrivacyRegion("log(2)", inputs=4, outputs="any"), False),
        (3, PrivacyRegion("log(2)", "1/10", inputs=3, outputs="any"), True),
        (3, LevelsRegion([("1", 0), ("1/2", "1/10")], inputs=3), False),
        (3, LevelsRegion([("1", "1/100"), ("1/2", "1/10")], inputs=3), True),
        (3, LevelsRegion([{"epsilon": "1", "pairs": [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2]]}], inputs=3), True),
        (2, RenyiRegion(2, "1", inputs=2), False),
    ):
        problem: Any = SimpleNamespace(region=region, objective=objective, population=uniform(k))
        way_table.require_valid(problem)
        assert found.pop() is has_zeros, region
    assert not found


def test_payoffs_by_rays_or_by_labels() -> None:
    """Rays up to 18 categories; beyond, the linear program with an output for each of two or more decisions."""
    guess = [[1, 0], [0, 1]]
    for k, decisions, epsilon, by_labels in (
        (5, 2, "1", False),
        (18, 2, "1", False),
        (19, 2, "1", True),
        (19, 1, "1", False),
    ):
        region = PrivacyRegion(epsilon, inputs=k, outputs="any")
        payoff = Payoff([(guess[d] * k)[:k] for d in range(decisions)])
        assert reduced_designs.is_of_many_payoffs(Problem(region, payoff, uniform(k))) is by_labels, (k, decisions)
    region = PrivacyRegion("1", inputs=19, outputs="any")
    assert not reduced_designs.is_of_many_payoffs(Problem(region, MutualInformation(), uniform(19)))


def test_the_certificate_of_a_polygon_is_that_around_the_region() -> None:
    region = GaussianRegion(1, inputs=2, levels=4)
    problem = Problem(region, Payoff([[1, 0], [0, 1]]), [HALF, HALF])
    best = reduced_designs.solved_between_polygons(problem, region.bracket(24))
    made = reduced_designs.certify_polygon(problem, region.bracket(24), best)
    stated = [F(level["delta"]) for level in made.problem["levels"]]
    within, around = ([level.delta.rational for level in each.levels] for each in region.polygons)
    assert stated == around != within
    # the best guess under mu-GDP is right with probability Phi(mu/2); polygons of four levels are near that
    assert float(best.lower) <= 0.5 * (1 + math.erf(0.5 / math.sqrt(2))) <= float(best.upper)


def test_groups_that_are_merged() -> None:
    found = merged_categories.Merged.of("abac", [F(1, 8), F(1, 4), F(3, 8), F(1, 4)])
    assert (found.groups, found.population) == ((0, 1, 0, 2), (HALF, F(1, 4), F(1, 4)))
    assert found.shares == (F(1, 4), 1, F(3, 4), 1)
    assert merged_categories.Merged.of("aab", [ZERO, ZERO, F(1)]).shares == (HALF, HALF, 1)
    wide = found.mechanism(Mechanism([["1/2", "1/3", "1/4"], ["1/2", "2/3", "3/4"]]))
    assert wide.matrix == ((HALF, F(1, 3), HALF, F(1, 4)), (HALF, F(2, 3), HALF, F(3, 4)))
    dual = found.dual(ray_rounding.RayDual((F(4), F(5), F(6)), (), ((F(1),), (F(-3),), (F(2),))))
    assert (dual.alpha, dual.matrix) == ((1, 5, 3, 6), ((F(1, 4),), (-3,), (F(3, 4),), (2,)))
    small = merged_categories._extended_dual(
        ray_rounding.RayDual((F(1), F(2)), (), ((F(1), F(-1)), (F(-1), F(1)))), [0, 2], 3, None
    )
    assert small.alpha == (1, 0, 2)
    assert small.matrix == ((1, 0, -1), (0, 0, 0), (-1, 0, 1))


# divergences


@pytest.mark.parametrize("order", [1, 2])
def test_duals_of_bounds_of_divergences(order: int) -> None:
    """alpha.p + sum lambda h is v_0 p.pi + v.c + sum x H at every row, with H = (h - tangent)/room by definition."""
    pi = np.array([0.5, 0.3, 0.2])
    problem = Problem(RenyiRegion(order, "1/2", inputs=3), AOptimality(), [HALF, F(3, 10), F(1, 5)])
    method = _Exchange(problem, problem.region.bracket(24), _VIOLATED)
    assert method.pairs == [(j, i) for j in range(3) for i in range(3) if i != j]
    method.root, method.logs = np.array([[0.3, 1.0], [-0.1, 0.5], [0.2, -0.7]]), np.zeros((1, 3))
    method._excess = lambda logs, point: np.array([-1.0])  # type: ignore[method-assign]
    method.form = SimpleNamespace(witness=lambda criterion, y, root: (None, 2.0))
    v = np.array([3.0, 0.4, -0.6, 0.5, 0.25, 0.1, 0.7, 0.9, 0.3])
    point: Any = SimpleNamespace(v=2 * v, y=None)
    dual = method.dual(None, point)
    (curve,) = dual.curves
    alpha = np.array([float(x) for x in dual.alpha])
    multipliers = np.array([[float(x) for x in row] for row in curve.multipliers])
    room = 0.5 if order == 1 else math.expm1(0.5)
    assert float(curve.allowed) == pytest.approx(0.5 if order == 1 else math.exp(0.5), rel=1e-12)
    for row in ([1.0, 1.0, 1.0], [1.0, 3.0, 0.2], [0.1, 0.5, 2.0]):
        p = np.array(row)
        affine = v[0] * (p @ pi) + p @ method.root @ v[1:3]
        heights = paid = 0.0
        for (j, i), x in zip(method.pairs, v[3:], strict=True):
            h = p[j] * math.log(p[j] / p[i]) if order == 1 else p[j] ** 2 / p[i]
            tangent = p[j] - p[i] if order == 1 else 2 * p[j] - p[i]
            heights += x * (h - tangent) / room
            paid += multipliers[j, i] * h
        assert alpha @ p + paid == pytest.approx(affine + heights, rel=1e-12)


def test_the_constant_output_that_zcdp_needs() -> None:
    """With probability c, exp((a - 1) D_a) - 1 falls to 1 - c times, to that of the bound at the worst order."""
    rho = 0.05
    problem = Problem(ZcdpRegion("1/20", inputs=2), AOptimality(), [F(9, 10), F(1, 10)])
    method = _Exchange(problem, problem.region.bracket(24), _VIOLATED)
    # the most frequent output decides up to the order 7; from there on, the rare one with the ratio exp(2)
    columns = np.array([[0.6, 0.3], [0.4 - 7.4e-7, 0.7 - 1e-7], [7.4e-7, 1e-7]])
    part = method._mixing(np.ones(3), columns)
    orders = np.concatenate([np.linspace(1.0001, 4, 3000), np.geomspace(4, 200, 2000)])
    worst = 0.0
    for p, q in (columns.T, columns.T[::-1]):
        moments = np.array([(q * (p / q) ** a).sum() - 1 for a in orders])
        with np.errstate(over="ignore"):
            worst = max(worst, float((moments / np.expm1((orders - 1) * rho * orders)).max()))
    assert worst > 1
    assert part == pytest.approx(1 - 1 / worst, rel=1e-3)


# information of equal proportions with delta


def test_rows_that_carry_the_envelope_of_the_information() -> None:
    """t and psi by their definitions; the line passes through both points, and the design uses delta."""

    def row_of(kind: tuple[int, ...], g: Fraction) -> list[Fraction]:
        values = [x for x, n in zip((ZERO, F(1), g, g * g), kind, strict=True) for _ in range(n)]
        return [x / sum(values) for x in values]

    def point(kind: tuple[int, ...], k: int, g: Fraction) -> tuple[Fraction, float]:
        row = row_of(kind, g)
        t = sum((max(ZERO, x - g * y) for x in row for y in row), ZERO) / (k - 1)
        return t, math.log(k) + sum(float(x) * math.log(x) for x in row if x)

    for k, g, delta in ((4, F(3), F(1, 10)), (11, F(50), F(1, 100)), (11, F(50), F(1, 2))):
        kinds, (mu, lam) = equal_information._supporting(k, float(g), float(delta), 1)
        ends = [point(kind, k, g) for kind in kinds]
        assert ends[0][0] <= delta < ends[1][0]
        for t, psi in ends:
            assert mu + lam * float(t) == pytest.approx(psi, abs=1e-12)
        for kind in ((0, k - 1, 1, 0), (0, k - 2, 2, 0), (k - 1, 1, 0, 0), (0, 1, k - 2, 1), (0, k - 2, 1, 1)):
            t, psi = point(kind, k, g)
            assert psi <= mu + lam * float(t) + 1e-12
            values = [x * n for x, n in zip((0, 1, g, g * g), kind, strict=True)]
            assert equal_information._excess(k, kind, g) == t * sum(values)
        made, used = equal_information._mechanism(k, kinds, g, delta)
        assert used == tuple(kinds)
        for j, other in ((0, 1), (3, 2)):
            p, q = made.column(j), made.column(other)
            assert sum(p) == 1
            assert sum(max(ZERO, x - g * y) for x, y in zip(p, q, strict=True)) == delta
        assert [equal_information._mechanism(k, kinds, g, F(d))[1] for d in (0, 1)] == [(kinds[0],), (kinds[1],)]
    hull = [(0.0, 0.0, ()), (1.0, 1.0, ())]
    assert [equal_information._is_below(hull, (2.0, y, ())) for y in (1.9, 2.0, 2.1)] == [False, True, True]
    assert not equal_information._is_below(hull[:1], (2.0, 5.0, ()))
    a, b, c, d = (object() for _ in range(4))
    assert equal_information._joined([(a, b, 0), (b, c, 0), (d, a, 0)]) == [(a, c), (d, a)]


def test_rows_that_the_removal_leaves() -> None:
    """h(p) = p ln(d/p) - (1-p) ln(1-p) - kappa (p (d-1) + (1-p) d (g+1)) + p nu is 0 at the largest p that stays."""
    k, g, tried = 6, 3.0, 0
    for lam in (0.5, 1.0, 2.0, 4.0):
        bound = equal_information.InformationBound(k, F(3), 0.2, lam)
        bound.at(F(1, 10))
        nu, kappa = float(bound.mu) + lam - math.log(k), lam / (k - 1)
        for d in range(1, k):
            least = d * g / (d * g + k - d)

            def h(p: float, d: int = d, nu: float = nu, kappa: float = kappa) -> float:
                entropy = p * math.log(d / p) - ((1 - p) * math.log(1 - p) if p < 1 else 0)
                return entropy - kappa * (p * (d - 1) + (1 - p) * d * (g + 1)) + p * nu

            if nu < 0:
                continue
            found = [float(x) for x in bound._remaining(d)]
            if h(least) >= 0:
                assert found == []
                continue
            low, high = least, 1.0
            for _ in range(200):
                low, high = ((low + high) / 2, high) if h((low + high) / 2) < 0 else (low, (low + high) / 2)
            assert found == pytest.approx([max(d * g * (1 / high - 1), 1.0) / (k - d)], rel=1e-9)
            tried += d * g * (1 / high - 1) > 1
    assert tried


# two categories


def test_designs_over_an_interval_of_prevalences() -> None:
    """The hedge of gamma = 2, delta = 1/2 over [0, 3/4] has regret 1/4; its mirror image swaps r and s."""
    gamma, delta = F(2), HALF
    points = robust_designs.vertices(gamma, delta, warner=False)
    assert points == {"diagonal": (F(1, 4), F(1, 4)), "corner_p00": (0, 1), "corner_p11": (1, 0)}
    assert list(robust_designs.vertices(gamma, delta, warner=True)) == ["diagonal"]
    assert robust_designs.vertices(gamma, ZERO, warner=False) == {"diagonal": (1, 1)}
    assert list(robust_designs.vertices(F(1), delta, warner=False)) == ["corner_p00", "corner_p11"]
    for low, high in ((ZERO, F(3, 4)), (F(1, 4), F(1))):
        interval = robust_designs.PrevalenceInterval(low, high)
        ends = robust_designs.best_values(points, interval)
        hedge = robust_designs.hedge(gamma, delta, ends)
        r, s = hedge
        assert (r < s) is (low == 0)
        assert min(delta * r + (gamma - 1 + delta) * s, delta * s + (gamma - 1 + delta) * r) == 1 - delta
        left, right = (robust_designs.variance(hedge, pi) - best for pi, best in ends)
        assert left == right == F(1, 4) == robust_designs.regret(hedge, ends)[0]
        assert min(robust_designs.regret(point, ends)[0] for point in points.values()) == F(5, 16)
    even = robust_designs.hedge(gamma, ZERO, ((F(1, 4), F(35, 16)), (F(3, 4), F(35, 16))))
    assert even == (1, 1)
    steep = robust_designs.hedge(gamma, HALF, ((ZERO, F(3)), (F(1), ZERO)))  # no s >= 0 on the half-plane
    assert steep == (3, 0)
    for point, low, high, worst in (
        ((F(1), F(1)), ZERO, F(1), (F(9, 4), HALF)),
        ((F(1), F(1)), ZERO, F(1, 4), (F(35, 16), F(1, 4))),
        ((ZERO, F(1)), HALF, F(1), (F(1), F(1))),
        ((F(1), ZERO), F(1, 10), F(1), (F(11, 10) * F(9, 10), F(1, 10))),
    ):
        assert robust_designs.worst_case(point, robust_designs.PrevalenceInterval(low, high)) == worst
    assert str(robust_designs.PrevalenceInterval.of((0, "0.4"))) == "0..2/5"
    for wrong in ("0.5..0.4", "-1..1", "0..2"):
        with pytest.raises(InvalidParameterError, match="prevalence is out of range"):
            robust_designs.PrevalenceInterval.of(wrong)


def test_three_outputs_of_four() -> None:
    """Of the six ways to merge two outputs, the best one has the largest information, which is the sum of a^2/q."""

    def information(rows: list[Any], pi: Fraction) -> Fraction:
        return sum(((b - a) ** 2 / (a * (1 - pi) + b * pi) for a, b in rows if a or b), ZERO)

    for gamma, delta, pi in ((F(3), F(1, 5), HALF), (F(2), F(1, 3), F(1, 10)), (F(9), F(1, 50), F(4, 5))):
        level = RationalLevel(gamma, delta)
        rows = two_inputs.four_rows(gamma, delta)
        r = (1 - delta) / (1 + gamma)
        assert rows == [(delta, 0), (gamma * r, r), (r, gamma * r), (0, delta)]
        values = {}
        for i, j in combinations(range(4), 2):
            others = [row for y, row in enumerate(rows) if y not in (i, j)]
            values[i, j] = information([(rows[i][0] + rows[j][0], rows[i][1] + rows[j][1]), *others], pi)
        assert two_inputs._best_pair(level, pi) == max(values, key=values.__getitem__)
    assert two_inputs.merged_outputs(two_inputs.four_rows(F(3), F(1, 5)), (0, 2)).matrix == (
        (F(2, 5), F(3, 5)),
        (F(3, 5), F(1, 5)),
        (0, F(1, 5)),
    )
    assert two_inputs.four_answers(RationalLevel(F(1), HALF)).matrix == ((HALF, 0), (HALF, HALF), (0, HALF))
    assert two_inputs.four_answers(RationalLevel(F(3), ZERO)).matrix == ((F(3, 4), F(1, 4)), (F(1, 4), F(3, 4)))


def test_designs_of_two_outputs_by_formulas() -> None:
    """n Var = lambda (1 - lambda)/(p00 + p11 - 1)^2 at each named design; the best names by comparing the values."""
    gamma, delta = F(3), F(1, 4)
    level, names = RationalLevel(gamma, delta), ("diagonal", "corner_p00", "corner_p11")
    for pi in (ZERO, F(1, 100), F(1, 20), F(1, 10), F(1, 5), HALF, F(9, 10), F(99, 100), F(1)):
        values = {}
        for name in names:
            value, (p00, p11) = two_inputs._valued(name, level, pi)
            yes = pi * p11 + (1 - pi) * (1 - p00)
            values[name] = yes * (1 - yes) / (p00 + p11 - 1) ** 2 if p00 + p11 != 1 else value
            assert value == values[name]
        best = [name for name in names if values[name] == min(values.values())]
        assert two_inputs._optimal_points(gamma, delta, pi, False) == best
    assert two_inputs._optimal_points(gamma, delta, ZERO, True) == ["diagonal"]
    assert two_inputs.optimal_set_at(F(1, 2), delta) is None is two_inputs.optimal_set_at(ZERO, ZERO)


def test_bounds_on_both_sides_of_a_criterion() -> None:
    """The design of the lower level with the bound of the higher one; an unknown bound is no solution."""
    below, above = (solve(Problem.binary("1/2", epsilon=f"log({gamma})"), fast=True) for gamma in (2, F(21, 10)))
    both = criterion_designs.BothSides(below, above)
    made = both.solution()
    assert (made.lower, made.upper) == (above.lower, below.upper) == (both.lower, both.upper)
    assert made.lower == F(1, 4) + F(21, 10) / F(11, 10) ** 2
    assert made.upper == F(1, 4) + 2
    alone = criterion_designs.BothSides(below)
    assert (alone.lower, alone.upper) == (None, F(9, 4))
    with pytest.raises(UnsupportedProblemError, match=re.escape("B(h) has no finite upper end, so that one end")):
        alone.solution()
    other = SimpleNamespace()
    assert criterion_designs.BothSides(other).solution() is other


# garblings


def unary(bits: list[tuple[Fraction, Fraction]]) -> Mechanism:
    """Return the encoding that reports bit x with probability p_x for category x, and q_x for the others."""
    k = len(bits)

    def chance(i: int, j: int) -> Fraction:
        each = [p if x == j else q for x, (q, p) in enumerate(bits)]
        return math.prod((one if i >> x & 1 else 1 - one for x, one in enumerate(each)), start=F(1))

    return Mechanism([[chance(i, j) for j in range(k)] for i in range(2**k)])


def test_garblings_of_unary_encodings() -> None:
    """Bits with other chances are garblings bit by bit, and the kernel maps one encoding to the other."""
    source = unary([(F(1, 4), F(3, 4)), (F(1, 5), F(4, 5)), (F(1, 3), HALF)])
    target = unary([(F(1, 3), F(2, 3)), (F(2, 5), F(3, 5)), (F(1, 3), HALF)])
    assert garblings._bits(source) == [(F(1, 4), F(3, 4)), (F(1, 5), F(4, 5)), (F(1, 3), HALF)]
    kernel = garblings.independent_bits_kernel(source, target)
    assert kernel is not None
    for i in range(8):
        for j in range(3):
            assert sum(kernel[i, o] * source[o, j] for o in range(8)) == target[i, j]
    assert garblings.independent_bits_kernel(target, source) is None
    other = [list(row) for row in source.matrix]
    other[1], other[2] = other[2], other[1]
    assert garblings.independent_bits_kernel(Mechanism(other), target) is None
    assert garblings.independent_bits_kernel(source, Mechanism(other)) is None
    assert garblings.independent_bits_kernel(Mechanism(kary(3, F(2))), target) is None
    for bit, wanted, found in (
        ((F(1, 4), F(3, 4)), (F(3, 4), F(1, 4)), [[0, 1], [1, 0]]),
        ((F(1, 4), F(3, 4)), (F(1, 4), F(4, 5)), None),
        ((HALF, HALF), (F(1, 3), F(1, 3)), [[F(2, 3), F(2, 3)], [F(1, 3), F(1, 3)]]),
        ((HALF, HALF), (F(1, 3), F(1, 4)), None),
    ):
        assert garblings._bit_kernel(bit, wanted) == found


def test_reduced_pairs() -> None:
    """Proportional rows are one row; a payoff earns sum Y.A with the target, and sum max Y.P with the source."""
    merged = garblings.MergedIntegerRows.of([[2, 4], [0, 0], [3, 6], [1, 1]])
    assert merged.rows == ((5, 10), (1, 1))
    assert merged.groups == ((0, 2), (3,))
    assert merged.shares == ((0, F(2, 5)), None, (0, F(3, 5)), (1, F(1)))
    pair = garblings.ReducedPair.of(Mechanism.binary("3/4", "3/4"), Mechanism.binary("4/5", "4/5"))
    assert pair.earnings({0: {0: 1}, 1: {1: 1}}) == (F(8, 5), F(3, 2))
    assert pair.beats({0: {0: 1}, 1: {1: 1}})
    assert pair.earnings({0: {0: 1, 1: -4}}) == (F(4, 5) - F(4, 5), 0)
    assert not pair.beats({0: {0: 1, 1: -4}})
    assert pair.beats({0: {0: 1, 1: -3}})
    finer = Mechanism([[HALF, F(1, 6)], [F(1, 4), F(1, 3)], [F(1, 4), HALF]])  # three rows of rank 2
    kernel = garblings.programmed_kernel(garblings.ReducedPair.of(finer, Mechanism.binary("3/5", "3/5"))).kernel
    assert kernel is not None
    for i, j in product(range(2), repeat=2):
        assert sum(kernel[i][o] * finer[o, j] for o in range(3)) == (F(3, 5) if i == j else F(2, 5))
    refused = garblings.ReducedPair.of(finer, Mechanism.binary("4/5", "4/5"))
    found = garblings.programmed_kernel(refused)
    assert (found.kernel, found.task) == (None, "acts")
    assert found.payoff is not None
    earned, best = refused.earnings(found.payoff)
    assert best < earned
    for x, text in (
        (F(3), "3"),
        (F(1, 4), "1/4 = 0.25"),
        (F(1, 3), "1/3 (about 0.333333)"),
        (F(10**20, 3**20), "about 2.86797e+10"),
    ):
        assert garblings._number(x) == text
    assert (
        garblings._stakes_text([F(1), ZERO, F(-2)])
        == "lose 2 if the truth is 2, win 1 if the truth is 0, nothing otherwise"
    )
    assert garblings._stakes_text([F(1)] * 8).endswith("win 1 if the truth is 5, and so on for 2 more")
    assert garblings._answers([1], "A") == "at output 1 of A"
    assert garblings._answers(list(range(7)), "A") == "at outputs 0, 1, 2, 3, 4, 5, ... of A"


# every level


def test_points_between_two_points() -> None:
    """A short number inside the interval, as a rational point."""
    for a, b in (
        (Point.of(0, 0, 0, 1), Point.of(10, 0, 0, 1)),
        (Point.of(1, 0, 0, 3), Point.of(1, 0, 0, 2)),
        (Point.of(0, 1, 2, 1), Point.of(0, 1, 3, 1)),
        (Point.of(10**6, 0, 0, 1), Point.of(10**6 + 1, 0, 0, 1)),
    ):
        made = level_pieces._simplest(a, b)
        assert (made.q, made.D) == (0, 0)
        assert compare(a, made) < 0 < compare(b, made)
        assert made.s <= 16
    for low, high, best in (
        (F(1, 3), HALF, HALF),
        (F(7, 20), F(9, 20), F(2, 5)),
        (F(5, 2), F(7, 2), F(3)),
        (F(1, 5), F(1, 5), F(1, 5)),
        (F(31, 10), F(314, 100), F(25, 8)),
    ):
        assert level_pieces._between(low, high) == best
    for point, place in (
        (Point.of(3, 2, 12, 4), (F(7, 4), F(1), 3)),
        (Point.of(3, 2, 9, 4), (F(13, 4), ZERO, 0)),
        (Point.of(3, 0, 0, 4), (F(7, 4), ZERO, 0)),
    ):
        assert level_pieces._canonical(point) == place
    line = level_pieces.Line
    assert level_pieces._are_equal(line(2, 4, 3, 1), line(4, 8, 6, 2))
    assert level_pieces._are_equal(line(2, 2, 1, 1), line(6, 2, 3, 1))  # the constant 2
    assert not level_pieces._are_equal(line(2, 4, 3, 1), line(2, 4, 3, 2))


def test_pieces_of_small_losses() -> None:
    """The value of each piece at its middle is that of the linear program over rows in {1, gamma}^k."""
    from scipy.optimize import linprog

    rng = random.Random(8)
    for m, k in ((2, 3), (3, 3), (4, 2)):
        costs = [[F(rng.randrange(13), 2) for _ in range(k)] for _ in range(m)]
        pieces, start = level_pieces.solve_pieces(costs), 1.0
        for piece in pieces:
            end = None if piece.end is None else float(piece.end[0]) + float(piece.end[1]) * math.sqrt(piece.end[2])
            gamma = start + 5 if end is None else (start + end) / 2
            rows = [row for row in product((1.0, gamma), repeat=k) for _ in range(m)]
            prices = [
                sum(c * r for c, r in zip(map(float, own), row, strict=True)) for row in rows[::m] for own in costs
            ]
            truth = linprog(prices, A_eq=np.array(rows).T, b_eq=np.ones(k), method="highs").fun
            a, b, c = map(float, piece.value)
            assert (a + b * gamma) / (c + gamma) == pytest.approx(truth, rel=1e-9, abs=1e-9)
            start = start if end is None else end
        assert pieces[-1].end is None


def test_sets_of_outputs_by_shortest_paths() -> None:
    """At levels inside each piece, no set of outputs has a smaller value (A + B u)/(X + u)."""
    rng = random.Random(5)
    for m, k in ((3, 4), (4, 4), (5, 3), (5, 5), (6, 5)):
        centres = sorted(rng.randrange(m) for _ in range(k))
        steps = [[rng.randrange(9) for _ in range(m)] for _ in range(k)]
        costs = [
            [F(sum(step[min(c, d) : max(c, d)])) for c, step in zip(centres, steps, strict=True)] for d in range(m)
        ]
        paths = shortest_paths._Paths([list(map(int, row)) for row in costs])
        spots = [(F(1, 3), F(2)), (F(2), F(9)), (F(5), F(1))]
        heights = [paths.least(spot).height(spot) for spot in spots]
        paths.is_monge = False  # all predecessors are compared, without the queue
        assert [paths.least(spot).height(spot) for spot in spots] == heights
        assert shortest_paths.has_interval_sublevels(costs)
        pieces, scale = shortest_paths.best_sets(costs)
        start = ZERO
        for chosen, end in pieces:
            stop = None if end is None else F(float(end[0]) + float(end[1]) * math.sqrt(end[2]))
            for u in [start + 7] if stop is None else [(start + stop) / 2, start + (stop - start) / 10]:
                values = []
                for size in range(1, m + 1):
                    for outputs in combinations(range(m), size):
                        A = sum(sum(costs[d]) for d in outputs)
                        B = sum(min(costs[d][j] for d in outputs) for j in range(k))
                        values.append((A + B * u) / (size + u))
                assert chosen.at(u) / scale == min(values)
            start = start if stop is None else stop
    assert shortest_paths._middle(F(1), F(3)) == 2
    assert float(shortest_paths._middle(F(1), F(16))) == pytest.approx(4)
    chosen = shortest_paths.Chosen(10, 2, 3, (0, 1, 2))
    (a, v), (x, y), (b, w) = shortest_paths._triangle(chosen, F(1), F(5))
    assert (a, v, b, w) == (1, F(12, 4), 5, F(20, 8))
    for u in (a, b):  # the third corner lies on both tangents
        slope = F(2 * 3 - 10) / (3 + u) ** 2
        assert y == chosen.at(u) + slope * (x - u)


def test_texts_of_formulas() -> None:
    """Lines and quadratics with their factors; constants; runs of numbers; intervals of gamma."""
    formula = level_formulas.LevelFormula
    for (a, b, c), text in (
        ((F(5, 4), F(1, 4), F(1)), "(gamma + 5)/(4*(gamma + 1))"),
        ((ZERO, F(3), ZERO), "3"),
        ((ZERO, F(3), F(2)), "3*gamma/(gamma + 2)"),
        ((ZERO, F(-1), F(2)), "-gamma/(gamma + 2)"),
        ((F(-2), F(1), ZERO), "(gamma - 2)/gamma"),
        ((F(3), ZERO, F(1)), "3/(gamma + 1)"),
        ((F(4), F(2), F(1)), "2*(gamma + 2)/(gamma + 1)"),
        ((F(2), F(2), F(1)), "2"),
        ((F(1), F(2), HALF), "2"),
        ((F(1), F(2), F(3, 2)), "2*(2*gamma + 1)/(2*gamma + 3)"),
    ):
        found = formula(a, b, c)
        assert str(found) == text
        if "gamma" in text:
            own = eval(text, {"gamma": F(7)})  # the text is the function
            assert own == found(F(7)) == pytest.approx(found.near(7.0))
    quotient = quadratic_formulas.QuadraticQuotient
    for above, below, text in (
        ((F(9), F(12), F(4)), (F(1), F(-2), F(1)), "(2*gamma + 3)^2/(gamma - 1)^2"),
        ((F(2), F(3), F(1)), (ZERO, ZERO, F(3)), "(gamma + 1)*(gamma + 2)/(3*gamma^2)"),
        ((F(1), ZERO, F(2)), (F(1), F(1), ZERO), "(2*gamma^2 + 1)/(gamma + 1)"),
        ((F(1), F(-1), F(1)), (F(4), ZERO, ZERO), "(gamma^2 - gamma + 1)/4"),
        ((F(2), F(4), F(2)), (F(1), F(2), F(1)), "2"),
        ((F(6), ZERO, ZERO), (F(2), F(2), ZERO), "3/(gamma + 1)"),
    ):
        whole = quotient(above, below)
        assert str(whole) == text
        own = eval(text.replace("^", "**"), {"gamma": F(7)})
        assert own == whole(F(7)) == pytest.approx(whole.near(7.0))
    assert quotient((F(1), ZERO, ZERO), (F(1), F(-2), F(1))).near(1.0) == math.inf
    with pytest.raises(InvalidParameterError, match="the value is infinite at gamma = 1"):
        quotient((F(1), ZERO, ZERO), (F(1), F(-2), F(1)))(F(1))
    log = quadratic_formulas.LogInformation(3, quotient((ZERO, F(1), ZERO), (F(2), ZERO, ZERO)))
    assert str(log) == "log(3) + 2*log(gamma/2)"
    assert str(replace(log, categories=2)) == "log(2) + log(gamma/2)"
    assert log.near(5.0) == pytest.approx(math.log(3) + 2 * math.log(2.5), rel=1e-14)
    ends = log(F(5))
    assert ends.lower < F(log.near(5.0)) + F(1, 10**14)
    assert 0 < ends.upper - ends.lower < F(1, 10**38)
    for square, place in (
        (F(9, 4), (F(3, 2), 0, 0)),
        (F(8, 9), (0, F(2, 3), 2)),
        (F(5), (0, 1, 5)),
        (F(1, 2), (0, HALF, 2)),
    ):
        assert quadratic_formulas.root_of(square) == place
    for line, roots in (
        ((F(6), F(-5), F(1)), [(2, 0, 0), (3, 0, 0)]),
        ((F(-1), F(-2), F(1)), [(1, -1, 2), (1, 1, 2)]),
        ((F(1), ZERO, F(1)), []),
        ((F(3), F(-2), ZERO), [(F(3, 2), 0, 0)]),
        ((F(3), ZERO, ZERO), []),
    ):
        assert quadratic_formulas.roots_of(line) == roots
    assert level_formulas.runs_text([0, 1, 2, 4, 5, 7]) == "0-2, 4, 5, 7"
    for start, end, text in (
        (1, None, "every gamma"),
        (1, F(5, 2), "gamma <= 5/2"),
        (F(5, 2), None, "gamma >= 5/2"),
        (F(5, 2), F(3), "5/2 <= gamma <= 3"),
    ):
        assert level_formulas.level_interval_text(start, end) == text
    root = (ZERO, F(1), 2)
    for epsilon, is_below in (
        ("log(7/5)", True),
        ("1/2*log(2)", True),
        ("log(3/2)", False),
        ("1/3", True),
        ("2/5", False),
    ):
        assert level_formulas.is_at_most(Epsilon.of(epsilon), root) is is_below, epsilon
        assert level_formulas.ends_by(root, Epsilon.of(epsilon)) is (not is_below or epsilon == "1/2*log(2)")
    assert level_formulas.is_at_most(Epsilon.of("100"), None)
    assert level_formulas.is_before(root, (F(3, 2), ZERO, 0))
    assert not level_formulas.is_before(None, root)


def test_matrices_of_subset_selection_at_every_level() -> None:
    """Ten categories are written, as all sets of a size; eleven are not."""
    for k in (10, 11):
        found = every_level_of(Problem.kary(k, level=privacy.span(), objective="a-optimal"), fast=True)
        design = found.at("log(20)")
        if k > 10:
            why = f"the matrix of this design is written for at most 10 categories: received {k}"
            with pytest.raises(UnsupportedProblemError, match=why):
                assert design.mechanism
            continue
        assert design.piece.size == 1
        assert design.mechanism.matrix == tuple(map(tuple, kary(k, F(20))))
    assert closed_levels._subset_formula(found.problem, 12, 3)(F(4)) == found.problem.objective.of_subsets(12, 3, F(4))


# traces and programs


def test_traces_over_runs_of_weights() -> None:
    """The largest gamma W_m/(gamma + m - 1) over all m; k-ary randomized response if all categories are chosen."""
    rng = random.Random(2)
    for gamma in (F(1), F(3, 2), F(4), F(50)):
        for _ in range(4):
            weights = [F(rng.randrange(6), 3) for _ in range(5)]
            falling = sorted(weights, reverse=True)
            best, chosen = weighted_trace.largest_trace([(1, w) for w in weights], gamma)
            assert best == max(gamma * sum(falling[:m]) / (gamma + m - 1) for m in range(1, 6))
            assert best == gamma * sum(weights[i] for i in chosen) / (gamma + len(chosen) - 1)
            made = Mechanism(weighted_trace.trace_rows(chosen, 5, gamma, F(1, 10)))
            assert sum(w * made[j, j] for j, w in enumerate(weights)) == sum(weights) / 10 + F(9, 10) * best
            assert all(
                sum(max(ZERO, x - gamma * y) for x, y in zip(made.column(i), made.column(j), strict=True)) <= F(1, 10)
                for i, j in ((0, 1), (1, 0), (2, 3), (4, 2))
            )
    all_equal, none = WeightRuns([(5, 1)]), ZERO
    kept = weighted_trace._mechanism(all_equal, F(4), none)
    assert isinstance(kept, BlockMechanism)
    assert kept.column(0) == Mechanism(kary(5, F(4))).column(0)
    assert weighted_trace._mechanism(all_equal, F(4), F(1, 5)).column(0)[0] == F(4 + F(4, 5), 8)
    for gamma, delta, told in ((F(1), none, F(1, 5)), (F(4), F(1), F(1))):  # no randomized response with odds above 1
        flat = weighted_trace._mechanism(all_equal, gamma, delta)
        assert isinstance(flat, RestrictedResponse)
        assert flat.column(0)[0] == told
    few = weighted_trace._mechanism(WeightRuns([(2, 1), (3, 0)]), F(3), none)
    assert few.column(0)[:2] == (F(3, 4), F(1, 4))
    assert few.column(4)[:2] == (HALF, HALF)
    long = F(2**70 + 1, 2**71 + 1)
    assert 0 < long - weighted_trace._rounded_down(long) < F(1, 2**62)
    assert weighted_trace._rounded_down(F(1, 2**62)) == F(1, 2**62)


def test_mechanisms_with_slack_in_each_condition() -> None:
    """The uniform one without bounds; under bounds one with slack, if there is any and the odds are at most 10^15."""
    region = PrivacyRegion("log(2)", inputs=2, outputs=2)
    levels = region.bracket(20)

    def design(region: Any, gamma: int = 2) -> DesignProgram:
        levels = region.bracket(20)
        made = DesignProgram.of(Problem(region, Trace([1, 1]), uniform(2)), levels, "below", ())
        return replace(made, gamma=F(gamma))

    assert interior_mechanism(design(region)) == ((HALF, HALF), (HALF, HALF))
    assert interior_mechanism(design(region, 1)) is None
    assert levels.is_exact
    bounded = BoundedRegion(region, [["1/3", "1/3"], ["1/3", "1/3"]], [["3/5", "3/5"], ["3/5", "3/5"]])
    rows = interior_mechanism(design(bounded))
    assert rows is not None
    assert all(F(1, 3) < x < F(3, 5) for row in rows for x in row)
    assert all(max(row) < 2 * min(row) for row in rows)
    tight = BoundedRegion(region, [["1/2", "1/2"], ["1/2", "1/2"]], [["1", "1"], ["1", "1"]])
    assert interior_mechanism(design(tight)) is None
    assert interior_mechanism(design(bounded, LARGEST_ODDS)) is not None
    assert interior_mechanism(design(bounded, LARGEST_ODDS + 1)) is None


# branch and bound


def test_starting_points_of_the_local_search() -> None:
    """The first is k-ary randomized response after a truth of weights 1.01 to 0.01; the second is moved by a row."""
    k, gamma = 3, F(5)
    problem = Problem(PrivacyRegion("log(5)", inputs=k, outputs=k), AOptimality(), uniform(k))
    problem = Problem(problem.region, problem.objective, [F(1, k)] * k)
    form = next(iter(local_search._forms(problem, at(gamma))))
    points = local_search._drawn(problem, at(gamma), form)
    near = (np.eye(k) + 0.01) / 1.03
    response = np.array([[float(x) for x in row] for row in kary(k, gamma)])
    truth = response @ near
    assert next(points).reshape(k, k) == pytest.approx(truth, rel=1e-12)
    assert next(points).reshape(k, k) == pytest.approx(np.roll(truth, 1, axis=0), rel=1e-12)
    for point in points:
        rows = point.reshape(k, k)
        assert rows.sum(0) == pytest.approx(np.ones(k))
        assert (rows.max(1) <= 5 * rows.min(1) + 1e-12).all()


def test_cells_and_their_bounds() -> None:
    """n tr Cov by its formula; the inequality of a lifted dual is an equality; halves of a cone share the middle."""
    pi, k = np.array([0.5, 0.3, 0.2]), 3
    task = cell_bounds.Task(4.0, pi, np.eye(k), float(pi @ pi), k, None)
    rows = np.array([[float(x) for x in row] for row in kary(k, F(4))])
    inverse = np.linalg.inv(rows)
    law = rows @ pi
    covariance = inverse @ (np.diag(law) - np.outer(law, law)) @ inverse.T
    assert cell_bounds.objective(task, rows) == pytest.approx(np.trace(covariance))
    assert cell_bounds.objective(task, np.vstack([rows, np.zeros(k)])) == pytest.approx(np.trace(covariance))
    assert cell_bounds.objective(task, np.full((k, k), 1 / k)) == math.inf
    cones = np.array(nodes._first_cones(((0, 1, 2), (1, 2, 0), (2, 0, 1)), 4.0, 1.0))
    assert cones[1].tolist() == [[1, 1, 1], [1, 4, 1], [1, 4, 4]]
    w = np.eye(k) - 1 / k
    dual = cell_bounds.lifted(task, cones, w, np.array([0.1, -0.2, 0.3]), np.zeros((k, k)))
    gaps = [((r @ w) ** 2).sum() / (r @ pi) - r @ dual.alpha for cone in cones for r in cone]
    assert max(gaps) == pytest.approx(0, abs=1e-12)
    assert dual.bound == pytest.approx(np.trace(w) ** 2 / dual.alpha.sum() - pi @ pi)
    assert not cell_bounds.holds(task, cones, dual)
    more = cell_bounds.with_room(task, dual, dual.bound / 2)
    assert cell_bounds.holds(task, cones, more)
    assert np.trace(w) ** 2 / more.alpha.sum() - pi @ pi == pytest.approx(dual.bound / 2)
    least, most = np.full((k, k), 0.1), np.full((k, k), 0.8)
    bounded = task._replace(bounds=(least, most))
    beta = np.array([[1.0, -2.0, 0.0]] + [[0.0] * 3] * 2)
    assert cell_bounds._total(bounded, np.ones(k), beta) == pytest.approx(3 + 0.8 - 0.2)
    assert bounded.alike
    most[0, 0] = 0.9
    assert not bounded.alike
    assert sum(1 for _ in nodes.first_orders(task._replace(answers=2))) == 6 * 7 // 2
    assert sum(1 for _ in nodes.first_orders(bounded._replace(answers=2))) == 36
    assert nodes._nearly_allowed(bounded, rows)
    assert not nodes._nearly_allowed(bounded, np.eye(k))
    assert not nodes._nearly_allowed(task, 2 * rows)
    search = nodes.BranchAndBound(task, rows, 2.0)
    assert search.goal == pytest.approx(2 - 4e-7)
    cell = nodes.BranchNode(cones, dual, np.full((k, k), 0.1))
    assert search._halve(cell)
    assert cell.halving is not None
    i, a, b = cell.halving
    assert a < b
    middle = (cones[i, a] + cones[i, b]) / 2
    assert [half.cones[i, at].tolist() for half, at in zip(cell.halves, (b, a), strict=True)] == [middle.tolist()] * 2
    assert list(cell.walk()) == [cell, *cell.halves]


# numbers, budgets and blocks


def test_parabolas_of_reports() -> None:
    """q(z) = y z^2 - 2 b z + a: roots by the formula, lines and constants beside; the shift keeps the values of q."""
    y, b, a = np.array([1.0, 0.0, 0.0, 2.0]), np.array([3.0, 2.0, 0.0, 0.0]), np.array([8.0, 6.0, 1.0, 1.0])
    assert sign_patterns.roots_of(y, b, a) == pytest.approx([1.5, 2, 4])
    shifted = sign_patterns._balanced(np.array([0.5, 0.5]), np.array([0.2, 0.4]), np.array([1.0, 2.0]))
    assert shifted[1].sum() == pytest.approx(0)
    m = -0.6
    for j in range(2):
        for z in (-1.0, 0.3):
            before = 0.5 * (z - m) ** 2 - 2 * (0.2, 0.4)[j] * (z - m) + (1.0, 2.0)[j]
            assert 0.5 * z * z - 2 * shifted[1][j] * z + shifted[2][j] == pytest.approx(before)
    assert sign_patterns._thresholds(2) == set(product((False, True), repeat=2))
    assert len(sign_patterns._thresholds(4)) == 2 * 4 + 2
    assert sign_patterns._lifted(((True, False),), [0, 2], 3) == {
        (True, True, False),
        (True, False, False),
        (False, False, True),
        (False, True, True),
    }


def test_budgets_of_questions() -> None:
    """Objectives by their formulas; the sizes at the multiplier sum to the budget, with one slope for all weights."""
    odds = (F(2), F(3))
    marginals = splits.Marginals((F(1), F(2)), (HALF, F(1, 4)))
    assert marginals.value(odds) == F(1, 4) + 2 + 2 * (F(3, 16) + F(3, 4))
    joint = splits.JointTrace((HALF, F(1, 4)))
    assert joint.squares == HALF * F(10, 16)
    assert joint.value(odds) == 5 * F(10, 4) - F(5, 16)
    terms: list[tuple[Any, Any]] = [
        (marginals, lambda x: x / (x - 1) ** 2),
        (joint, lambda x: math.log((x * x + 1) / (x - 1) ** 2)),
    ]
    for objective, g in terms:
        step, u = 1e-4, math.log(2.5)
        values = [g(math.exp(u + s * step)) for s in (-1, 0, 1)]
        slope, own = objective.slope(1.5)
        assert slope == pytest.approx(-(values[2] - values[0]) / (2 * step), rel=1e-6)
        assert own == pytest.approx((values[2] - 2 * values[1] + values[0]) / step**2, rel=1e-4)
    for budget in (1e-45, 0.01, 1.0, 30.0, 500.0):
        weights = [1.0, 0.25, 0.01]
        sizes = splits._bisected(weights, budget)
        assert sum(sizes) == pytest.approx(budget, rel=1e-12)
        own_odds = [(w, math.exp(u), math.expm1(u)) for w, u in zip(weights, sizes, strict=True)]
        slopes = [w * x * (x + 1) / excess**3 for w, x, excess in own_odds]
        assert slopes == pytest.approx([slopes[0]] * 3, rel=1e-9)
    assert splits.equal_split(marginals, F(9), 20) == (3, 3)
    assert splits.equal_split(splits.Marginals((F(1), ZERO), (HALF, HALF)), F(7), 20) == (7, 1)
    found = splits.multiplier_split(splits.Marginals((F(1), F(3)), (HALF, HALF)), F(10), 25)
    assert 0 <= 10 - math.prod(found) < F(1, 10**22)
    first, second = (w * x * (x + 1) / (x - 1) ** 3 for w, x in zip((1, 3), found, strict=True))
    assert abs(first - second) < F(1, 10**20)


def test_variances_of_families_of_blocks() -> None:
    """The total variance of subset selection and of k-ary randomized response, and helpers of the families."""
    for k, d, g in ((5, 1, 3.0), (6, 2, 2.0), (10, 3, 1.5)):
        rho, eta = d / k, d * (d - 1) / (k * (k - 1))
        truth = AOptimality().of_subsets(k, d, F(g))
        assert block_designs._value(k, rho, eta, g) == pytest.approx(float(truth))
    assert block_designs._value(5, 0.2, 0.0, 1.0) == math.inf
    for k, t, root in ((100, 2, 10), (101, 2, 11), (8, 3, 2), (9, 3, 3), (2, 5, 2)):
        assert block_designs._root_above(k, t) == root
    for x, prime in ((14.0, 13), (13.9, 11), (2.0, 2), (0.5, 2)):
        assert block_designs._prime_below(x) == prime
    assert [block_designs.default_output_bits(k) for k in (2, 2**15, 2**16, 2**16 + 1)] == [32, 32, 33, 34]


def test_rounded_columns_of_designs() -> None:
    """Largest remainders, entries that do not move, and rows without zeros that share the uniform output."""
    unit = 1 << drawable_designs._GUARD
    for column, still, word, found in (
        ([unit * 3 // 2, unit * 5 // 4, unit // 4], [False] * 3, 3, [2, 1, 0]),
        ([unit * 3 // 2, unit * 5 // 4, unit // 4], [False, False, True], 4, [2, 2, 0]),
        ([unit, unit], [True, True], 3, None),
        ([unit, unit], [True, True], 2, [1, 1]),
        ([0, unit * 2], [False, False], 5, [2, 3]),
        ([unit * 3, 0], [False, False], 1, None),
    ):
        assert drawable_designs._rounded(column, still, word) == found, (column, still, word)
    third = F(1, 3)
    assert drawable_designs.equal_columns([[third, ZERO], [third, third], [third, third]]) == [
        [0] * 2,
        *[[HALF] * 2] * 2,
    ]
    assert drawable_designs.equal_columns([[F(1), ZERO], [ZERO, F(1)]]) == [[0, 0], [1, 1]]
    made = drawable_designs.drawable([[third, 2 * third], [2 * third, third]], lambda made: made.parity() <= 2, bits=20)
    assert made is not None
    assert drawable_designs.word_bits(made) <= 21
    assert made.parity() <= 2
    assert max(abs(made[0, 0] - third), abs(made[0, 1] - 2 * third)) < F(1, 2**15)
    assert drawable_designs.word_bits(Mechanism.binary("3/4", "4/5")) == 3
    assert drawable_designs.word_bits(Mechanism.binary("7/8", "7/8")) == 4
    unbiased = Mechanism.binary("3/4", "3/4"), [F(-1, 2), F(3, 2)], [ZERO, F(1)]
    assert number_designs.variance_of(*unbiased, None) == F(3, 4)
    assert number_designs.variance_of(*unbiased, [F(1, 4), F(3, 4)]) == F(3, 16) + F(3, 4)


def test_bounds_of_minimax_risks() -> None:
    """Coefficients of Bernstein by de Casteljau's algorithm, rounded up; the risk of small estimators by its sum."""
    assert minimax_proof._split([0, 8, 0], HALF) == ([0, 4, 4], [4, 4, 0])
    assert minimax_proof._split([0, 8, 0], F(1, 4)) == ([0, 2, 3], [3, 6, 0])
    assert minimax_proof._split([0, 1], F(1, 3)) == ([0, 1], [1, 1])
    assert minimax_proof._mixed([0, 1, 4], F(1, 3), 0) == [0, 2]
    assert [minimax_proof._is_below([0, 8, 0], most, n) for most, n in ((4, 1), (4, 0), (8, 0), (3, 9))] == [
        True,
        False,
        True,
        False,
    ]
    assert minimax_proof._counts(64, F(1, 4), 2) == [36, 24, 4]
    unit = 1 << 128
    assert [minimax_proof.floor_of(F(x, 3)) for x in (1, 3, -1)] == [unit // 3, unit, -(unit // 3) - 1]
    low, high, gamma = F(1, 5), F(2, 3), F(3)
    for rows, chance in (
        ([[low, high]], lambda pi: (1 + (gamma - 1) * pi) / (gamma + 1)),
        ([[low], [high]], lambda pi: pi),
    ):
        found = minimax_proof._risk(rows, gamma, 1)
        for pi in (ZERO, F(1, 3), F(4, 5), F(1)):
            yes = chance(pi)
            risk = (1 - yes) * (low - pi) ** 2 + yes * (high - pi) ** 2
            own = sum(x * math.comb(3, i) * pi**i * (1 - pi) ** (3 - i) for i, x in enumerate(found)) / unit
            assert 0 <= own - risk < F(1, 10**35)


def test_costs_of_reports_and_points_of_sweeps() -> None:
    cost = report_costs.ReportCost("a matrix", 5, 3, None)
    assert cost.lines("n tr Cov", is_smaller=False) == [("a report", "a matrix: 5 outputs, 3 bits")]
    for loss, is_smaller, text in (
        (F(123, 10**4), False, "1.2 % larger"),
        (F(1, 10**6), True, "less than 0.001 % smaller"),
    ):
        shorter = cost._replace(shorter=report_costs.ShorterReport("sets", 1, loss))
        told = shorter.lines("n tr Cov", is_smaller=is_smaller)[1]
        assert told == ("with --outputs 2^1", f"sets, 1 bit instead of 3 bits: n tr Cov {text}")
    direct = Mechanism(kary(4, F(3)))
    for made, family in (
        (direct, Direct.title),
        (Mechanism([[int(i == j) for j in range(3)] for i in range(3)]), "a matrix"),
        (Mechanism([[F(1, 5), HALF], [F(4, 5), HALF]]), "a matrix"),
        (Mechanism(kary(2, F(1, 3))), "a matrix"),
    ):
        assert report_costs._family(made) == family
    assert report_costs.report_cost(Problem.kary(4, epsilon="log(3)", objective="trace"), direct, F(1))[1:3] == (4, 2)
    points = sweeps.grid({"a": [1, 2], "b": 3, "c": ("x", "y")})
    assert [tuple(point.values()) for point in points] == [(1, 3, "x"), (1, 3, "y"), (2, 3, "x"), (2, 3, "y")]
    with pytest.raises(InvalidParameterError, match="b is an empty list"):
        sweeps.grid({"a": 1, "b": []})
    with pytest.raises(InvalidParameterError, match="received 100172 combinations; at most 100000"):
        sweeps.grid({"a": [0] * 316, "b": [0] * 317})


def test_invariant_designs_in_strata() -> None:
    """Two equal categories of one stratum stay with probability 3/4 at log(3); one that is alone always stays."""
    found = design.pram(["1/3"] * 3, epsilon="log(3)", strata=["a", "a", "b"], fast=True)
    assert found.unchanged == F(5, 6) == found.upper
    assert found.mechanism.matrix == ((F(3, 4), F(1, 4), 0), (F(1, 4), F(3, 4), 0), (0, 0, 1))
    (remark,) = found.remarks()
    assert remark.startswith("no record of category 2 is changed: it is released as it is")
    own = design.pram([3, 2, 1], epsilon="log(3)", fast=True)
    assert own.population == (HALF, F(1, 3), F(1, 6))
    assert own.remarks() == ()
    columns = pram.rounded_columns(own)
    assert [sum(column) for column in columns] == [2**50] * 3
    kept = sum(p * F(columns[j][j], 2**50) for j, p in enumerate(own.population))
    assert 0 < own.unchanged - kept < F(1, 10**8)  # the level is stricter by 10^-9
    for row, p in zip(zip(*columns, strict=True), own.population, strict=True):
        assert abs(sum(q * F(x, 2**50) for q, x in zip(own.population, row, strict=True)) - p) < F(1, 10**14)
    assert all(max(row) <= 3 * min(row) for row in zip(*columns, strict=True))
    for wrong in (["a", "b", "c"], ["a", "a"]):
        with pytest.raises(InvalidParameterError, match="`strata` do not fit the categories"):
            design.pram(["1/3"] * 3, epsilon="log(3)", strata=wrong)
    with pytest.raises(InvalidParameterError, match="received no records of category 1; leave it out, as in 3,4"):
        design.pram([3, 0, 4], epsilon="1")


def test_one_level_for_all_pairs_is_a_level() -> None:
    """One (epsilon, delta) in ``level`` or ``levels`` is the problem of this epsilon and delta."""
    from rropt.designs import Problem

    plain = Problem.kary(3, epsilon="3/2", delta="1/10", objective="trace")
    pairs = [[i, j] for i in range(3) for j in range(3) if i != j]
    given = {"epsilon": "3/2", "delta": "1/10"}
    for one in (("3/2", "1/10"), given, {**given, "pairs": pairs}):
        assert Problem.kary(3, level=privacy.levels(one), objective="trace") == plain
    several = Problem.kary(3, level=privacy.levels({**given, "pairs": pairs[:2]}), objective="trace")
    assert not several.region.has_one_level
