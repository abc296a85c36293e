"""Splits of a privacy budget against grids, SymPy, single-question designs, and arbitrary devices at the same level."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import prod

import numpy as np
import pytest
import sympy as sp
from few_rows import few_rows

from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Epsilon
from rropt.designs.bits import design_bits
from rropt.designs.splits import JointTrace, Marginals, _at_multiplier
from rropt.inference import utility
from rropt.mechanisms import Mechanism, ProductMechanism

F = Fraction
HALF = F(1, 2)


def _random_parameters(rng: random.Random, n: int) -> tuple[list[F], list[F]]:
    return [F(rng.randint(1, 40), rng.randint(1, 5)) for _ in range(n)], [F(rng.randint(0, 20), 20) for _ in range(n)]


def test_no_point_of_a_grid_is_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Two and three questions: every split of a grid costs at least ``lower``, and the best of them hardly more."""
    for _ in range(size(3, 40)):
        epsilon, n = F(rng.randint(2, 40), 10), rng.choice((2, 3))
        weights, prevalences = _random_parameters(rng, n)
        best = design_bits(epsilon, weights=weights, prevalences=prevalences, fast=True)
        steps = 2000 if n == 2 else 90
        shares = np.stack(np.meshgrid(*[np.arange(1, steps)] * (n - 1))).reshape(n - 1, -1) / steps
        shares = np.vstack([shares, 1 - shares.sum(axis=0)])
        u = float(epsilon) * shares[:, shares[-1] > 0]
        terms = np.array(weights, float)[:, None] / (4 * np.sinh(u / 2) ** 2)
        fixed = sum(float(w * p * (1 - p)) for w, p in zip(weights, prevalences, strict=True))
        least = float(terms.sum(axis=0).min()) + fixed
        assert least >= float(best.lower) * (1 - 1e-12)
        assert least <= float(best.upper) * (1.0001 if n == 2 else 1.05)


@few_rows(4)
@pytest.mark.parametrize("epsilon", ["log(9)", 1, "3/10", "1/3*log(7)", 12])
def test_bits_are_private_and_the_gap_is_small(epsilon: object, rng: random.Random) -> None:
    level = Epsilon.of(epsilon)
    for n in (1, 3, 6):
        weights, prevalences = _random_parameters(rng, n)
        for arguments in ({"weights": weights}, {"objective": "joint"}):
            best = design_bits(epsilon, prevalences=prevalences, **arguments, fast=True)  # type: ignore[arg-type]
            parity = best.mechanism.parity()
            assert parity is not None
            assert parity <= level.gamma_bracket(400).lower
            assert parity == prod(best.parities)
            assert best.lower <= best.value <= best.upper
            assert best.gap <= F(1, 10**13) * min(1, best.value)
            assert best.certificate.check()
            found = utility(best.mechanism, prevalences=prevalences)
            variances = found.marginal_variances()
            assert variances == best.n_variances
            if "weights" in arguments:
                assert best.value == sum(w * v for w, v in zip(weights, variances, strict=True))
            else:
                assert best.value == found.trace()
            assert best.loss() in (None, found.loss() if found.squares() < 1 else None)


def test_permuting_questions_permutes_the_split(rng: random.Random) -> None:
    weights, prevalences = _random_parameters(rng, 3)
    best = design_bits("5/2", weights=weights, prevalences=prevalences, fast=True)
    for order in permutations(range(3)):
        turned = design_bits(
            "5/2", weights=[weights[q] for q in order], prevalences=[prevalences[q] for q in order], fast=True
        )
        for place, q in enumerate(order):
            assert abs(turned.parities[place] / best.parities[q] - 1) < F(1, 10**20)
        assert max(best.lower, turned.lower) <= min(best.upper, turned.upper)


def test_the_scale_of_weights_scales_the_value() -> None:
    one, many = (design_bits("5/2", weights=[w * factor for w in (1, 2, 5)], fast=True) for factor in (1, F(10**6, 7)))
    assert one.parities == many.parities
    assert dict(one.lines())["equal split relative to this design"] == f"{float(one.equal_ratio):.9g}"
    assert dict(design_bits(3, questions=5, fast=True).lines())["equal split relative to this design"] == "1"
    assert many.value == one.value * F(10**6, 7)


def test_a_question_without_weight_gets_nothing() -> None:
    best, without = (
        design_bits("log(8)", weights=[10, 0, 81], fast=True),
        design_bits("log(8)", weights=[10, 81], fast=True),
    )
    assert best.parities == (2, 1, 4)
    assert best.value == without.value
    assert best.mechanism.factors[1] == Mechanism.binary(HALF, HALF)
    assert best.n_variances[1] is None
    assert best.loss() is None
    assert best.equal_split > best.value
    assert best.to_dict()["n_variances"][1] is None


def _device(rng: random.Random, parity: F) -> Mechanism:
    """A device of at most this parity with two or three answers: rows of Warner's bit, mixed."""
    while True:
        p = parity / (parity + 1)
        m = rng.choice((2, 3))
        kernel = [[rng.randint(0, 5) for _ in range(2)] for _ in range(m)]
        totals = [sum(row[j] for row in kernel) for j in (0, 1)]
        if not all(totals):
            continue
        garbled = [[F(row[j], totals[j]) for j in (0, 1)] for row in kernel]
        made = Mechanism([[g[0] * p + g[1] * (1 - p), g[0] * (1 - p) + g[1] * p] for g in garbled if any(g)])
        if any(row[0] != row[1] for row in made.matrix):
            return made


def test_no_other_devices_at_the_level_are_better(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Of two or three answers, not symmetric, at any population: marginals and joint, by the library's utility."""
    for _ in range(size(40, 400)):
        n = rng.choice((1, 2, 3))
        shares = [F(rng.randint(1, 5)) for _ in range(n)]
        budget = [F(rng.randint(11, 60), 10) for _ in range(n)]
        devices = ProductMechanism([_device(rng, x) for x in budget])
        parity = devices.parity()
        assert parity is not None
        assert parity <= prod(budget)
        cells = [F(rng.randint(0, 4)) for _ in range(2**n)]
        cells[0] += 1
        population = [c / sum(cells) for c in cells]
        found = utility(devices, population=population)
        marginals = [sum(x for cell, x in enumerate(population) if cell >> q & 1) for q in range(n)]
        best = design_bits(
            Epsilon.of_parity(prod(budget)), weights=shares, prevalences=marginals, routes=["multiplier"], fast=True
        )
        assert sum(w * v for w, v in zip(shares, found.marginal_variances(), strict=True)) >= best.lower
        joint = design_bits(
            Epsilon.of_parity(prod(budget)), questions=n, objective="joint", routes=["closed-form"], fast=True
        )
        assert found.trace() >= joint.lower + F(1, 2**n) - sum(p * p for p in population)


@pytest.mark.slow
def test_the_cubic_and_the_convexity_are_those_of_sympy() -> None:
    x, w, multiplier, u = sp.symbols("x w lambda u", positive=True)
    slope = sp.together(-x * sp.diff(w * x / (x - 1) ** 2, x))
    assert sp.expand(sp.numer(sp.together(slope - multiplier)) - (w * x * (x + 1) - multiplier * (x - 1) ** 3)) == 0
    k, v = sp.symbols("k v", positive=True)
    depressed = (v**3 - k * (v + 1)).subs({v: (x - 1) ** 2 / (4 * x), k: (w / (4 * multiplier)) ** 2})
    squared = (multiplier * (x - 1) ** 3) ** 2 - (w * x * (x + 1)) ** 2
    assert sp.simplify(depressed * 64 * x**3 * multiplier**2 - squared) == 0
    for objective, term in (
        (Marginals((F(1),), (F(0),)), x / (x - 1) ** 2),
        (JointTrace((HALF,)), sp.log((x**2 + 1) / (x - 1) ** 2)),
    ):
        first = -x * sp.diff(term, x)
        g, fall = objective.slope(x - 1)
        assert sp.simplify(first - g) == 0
        assert sp.simplify(-x * sp.diff(first, x) - fall) == 0  # the second derivative in log x: positive
    h = 1 / (4 * sp.sinh(u / 2) ** 2)
    second = (2 * sp.cosh(u / 2) ** 2 + 1) / (8 * sp.sinh(u / 2) ** 4)
    assert sp.simplify((sp.diff(h, u, 2) - second).rewrite(sp.exp)) == 0


def test_the_root_at_a_multiplier_is_that_of_numpy() -> None:
    for power in (-700.0, -500.0, -30.0, -1.0, 0.0, 1.9, 1.91, 2.0, 20.0, 60.0):
        u = _at_multiplier(power)
        k = math.exp(max(power, -300.0))
        if power > -300:
            roots = np.roots([1, 0, -k, -k])
            v = max(root.real for root in roots if abs(root.imag) < 1e-9 * abs(root))
            assert math.sinh(u / 2) ** 2 == pytest.approx(v, rel=1e-9)
        else:
            assert u == pytest.approx(2 * math.exp(power / 6), rel=1e-12)
    assert _at_multiplier(200.5) == pytest.approx(_at_multiplier(199.5) + 0.5, rel=1e-12)


def test_extreme_problems() -> None:
    assert design_bits("1/1000000000", weights=[1, 10**30], fast=True).certificate.check()
    assert design_bits(100, weights=[1, F(1, 10**50), 3], fast=True).certificate.check()
    assert design_bits("log(1000000007/1000000000)", questions=2, objective="joint", fast=True).certificate.check()
    large = design_bits(20, questions=200, routes=["multiplier"], fast=True)
    assert large.gap < F(1, 10**13)
    assert design_bits(10, weights=range(1, 33), fast=True).certificate.check()


def test_routes_are_chosen() -> None:
    assert list(design_bits(1, weights=[1, 2], fast=True).routes) == ["multiplier"]
    assert list(design_bits(1, weights=[2, 2], fast=True).routes) == ["closed-form"]
    assert list(design_bits(1, weights=[1, 2], routes="multiplier", fast=True).routes) == ["multiplier"]
    with pytest.raises(UnsupportedProblemError, match="different weights"):
        design_bits(1, weights=[1, 2], routes=["closed-form"], fast=True)
