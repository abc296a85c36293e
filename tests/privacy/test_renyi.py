"""Renyi divergence, zCDP, trade-off functions: figures of the literature, and other routes in floats and rationals."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from statistics import NormalDist

import pytest

from rropt.core.errors import RroptError
from rropt.core.exact import Epsilon
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.survey.accounting import (
    certify_zcdp,
    epsilon_of_zcdp,
    gaussian_delta,
    renyi_divergence,
    trade_off,
    zcdp,
    zcdp_threshold,
)
from rropt.survey.accounting.renyi import _of_mechanism

F = Fraction
THRESHOLDS = {
    7: 0.43674755, 8: 0.78045363, 10: 1.30145329, 20: 2.65419370, 100: 5.10178483, 1000: 8.01228728, 2925: 9.27331995,
    10**6: 15.74288757,
}  # fmt: skip


def oracle_divergence(p: list[float], q: list[float], order: float) -> float:
    """Return D_a in floats by its definition."""
    if order == 1:
        return sum(x * math.log(x / y) for x, y in zip(p, q, strict=True) if x)
    return math.log(sum(x**order * y ** (1 - order) for x, y in zip(p, q, strict=True))) / (order - 1)


def oracle_rho(matrix: Mechanism) -> float:
    """Return the largest D_a/a over a grid of orders, in floats."""
    columns = [[float(x) for x in column] for column in matrix.design_matrix]
    orders = [1, *(1 + 10 ** (j / 20) for j in range(-60, 41))]
    return max(oracle_divergence(p, q, a) / a for p, q in itertools.permutations(columns, 2) for a in orders)


@pytest.mark.parametrize("k", THRESHOLDS)
def test_thresholds_of_zcdp(k: int) -> None:
    found = zcdp_threshold(k)
    assert abs(float(found.lower) - THRESHOLDS[k]) < 3e-8
    assert found.gap < F(1, 10**11)
    for level, is_limit in ((found.lower - F(1, 10**6), False), (found.upper + F(1, 10**6), True)):
        e = float(level)
        limit = e * math.expm1(e) / (math.exp(e) + k - 1)
        rho = zcdp(level, categories=k, digits=30)
        assert (float(rho.upper) <= limit * (1 + 1e-14)) or not is_limit
        kl = renyi_divergence(Mechanism.binary("3/4", "3/4"), 1)
        assert kl is not None
        assert is_limit or rho.lower > F(0)


def test_a_figure_beyond_the_limit() -> None:
    found = zcdp(1, categories=10, digits=20)
    assert found.lower <= F("0.148132973355075256557") + F(1, 10**20)
    assert found.upper >= F("0.148132973355075256557") - F(1, 10**20)


@pytest.mark.parametrize(("level", "k"), [("1", 10), ("1", 2), ("log(3)", 100), ("1", 10**6), ("8.1", 1000), ("0", 5)])
def test_certificates_of_zcdp(level: str, k: int) -> None:
    made, found = certify_zcdp(Epsilon.of(level), k), zcdp(level, categories=k)
    assert made is not None
    assert made.check()
    lower, upper = F(made.claim["lower"]), F(made.claim["upper"])
    assert upper - lower <= F(1, 10**12)
    assert lower <= found.upper
    assert found.lower <= upper


def test_orders_near_one_are_not_taken_for_no_loss() -> None:
    """tensorflow/privacy, issue 166: at order 1 + 1e-8 a small divergence was returned as 0."""
    weak = Mechanism.binary("501/1000", "501/1000")
    kl, near = renyi_divergence(weak, 1, digits=30), renyi_divergence(weak, 1 + F(1, 10**8), digits=30)
    assert kl is not None
    assert near is not None
    assert F(0) < kl.lower < near.upper
    assert near.upper - kl.lower < F(1, 10**13)


@pytest.mark.parametrize("k", [2, 6, 7, 100, 10**6])
def test_zcdp_to_twelve_digits(k: int) -> None:
    for level in ("1/100", "log(2)", "1/2*log(3)", 1, 9, 30):
        found = zcdp(level, categories=k)
        assert found is not None
        assert found.gap < F(1, 10**12)


def test_the_theorem_agrees_with_the_bisection_of_orders() -> None:
    for k, p in ((3, "1/2"), (8, "1/5"), (12, "1/10")):
        matrix = named_mechanism(f"grr:{k},{p}")
        theorem, cells = zcdp(matrix, digits=6), _of_mechanism(matrix, 6)
        assert theorem is not None
        assert cells is not None
        assert cells.lower <= theorem.upper
        assert theorem.lower <= cells.upper


def test_any_mechanism_against_a_grid_of_orders() -> None:
    rng, tried = random.Random(3), 0
    for _ in range(3):
        columns = [[F(rng.randint(1, 9)) for _ in range(4)] for _ in range(2)]
        matrix = Mechanism([[c[i] / sum(c) for c in columns] for i in range(4)])
        found, grid = zcdp(matrix, digits=6), oracle_rho(matrix)
        assert found is not None
        assert float(found.lower) - 1e-9 <= float(found.upper)
        assert grid <= float(found.upper) + 1e-12
        assert grid >= float(found.lower) * (1 - 1e-2)
        tried += 1
    assert tried == 3
    assert zcdp("mangat:1/2") is None
    assert zcdp(Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])).upper == 0


def test_divergences_equal_their_definition() -> None:
    for name in ("warner:3/4", "grr:4,1/2", "forced:2/3,1/6,1/6"):
        matrix = named_mechanism(name)
        columns = [[float(x) for x in column] for column in matrix.design_matrix]
        for order in ("1", "3/2", "2", "10"):
            found = renyi_divergence(name, order)
            exact = max(oracle_divergence(p, q, float(F(order))) for p, q in itertools.permutations(columns, 2))
            assert abs(float(found.lower) - exact) < 1e-12
            assert found.gap < F(1, 10**20)
    assert renyi_divergence("mangat:1/2", 2) is None


def test_the_trade_off_function_is_the_best_test() -> None:
    for name in ("warner:3/4", "grr:3,1/2", "forced:2/3,1/6,1/6", "generalised:1,1/4"):
        matrix = named_mechanism(name)
        found = trade_off(name)
        assert found.vertices[0][0] == 0
        assert found.vertices[-1] == (1, 0)
        for p, q in itertools.permutations(matrix.design_matrix, 2):
            for accepted in itertools.product((False, True), repeat=matrix.outputs):
                alpha = sum((x for x, reject in zip(p, accepted, strict=True) if reject), F(0))
                beta = sum((y for y, reject in zip(q, accepted, strict=True) if not reject), F(0))
                assert found.at(alpha) <= beta


def test_gaussian_privacy() -> None:
    normal = NormalDist()
    found = trade_off("warner:3/4").gaussian()
    assert abs(float(found.upper) - 2 * normal.inv_cdf(0.75)) < 1e-12
    assert trade_off("mangat:1/2").gaussian() is None
    assert trade_off(Mechanism([["1/2", "1/2"], ["1/2", "1/2"]])).gaussian().upper == 0
    m, e = 1.5, 0.7
    exact = normal.cdf(m / 2 - e / m) - math.exp(e) * normal.cdf(-m / 2 - e / m)
    assert abs(float(gaussian_delta("3/2", "7/10").lower) - exact) < 1e-12


def test_conversions_stand_between_the_gaussian_and_a_theorem() -> None:
    for rho, delta in (("1/2", "1/100000"), ("1/100", "1e-6"), ("5", "1/10")):
        found = epsilon_of_zcdp(rho, delta)
        classic = float(F(rho)) + 2 * math.sqrt(float(F(rho)) * math.log(1 / float(F(delta))))
        assert 0 < found.lower < found.upper <= F(classic)
        mu = F(math.sqrt(2 * float(F(rho)))).limit_denominator(10**9)
        assert abs(float(gaussian_delta(mu, found.lower).lower) / float(F(delta)) - 1) < 1e-4


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: zcdp(1, categories=1), "number of categories"),
        (lambda: zcdp("warner:3/4", categories=3), "beside a level only"),
        (lambda: zcdp(1, digits=0), "digits"),
        (lambda: renyi_divergence("warner:3/4", "1/2"), "order is out of range"),
        (lambda: epsilon_of_zcdp(0, "1/2"), "rho"),
        (lambda: gaussian_delta(1, -1), "epsilon"),
        (lambda: trade_off("warner:3/4").at(2), "alpha"),
    ],
)
def test_errors_are_one_clear_line(call: object, words: str) -> None:
    with pytest.raises(RroptError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
