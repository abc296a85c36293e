"""Plans of groups: powers against enumeration, allocations against all others."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from few_rows import few_rows
from later import later

import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt.inference.exact_tests import BinomialSample, exact_tests
from rropt.mechanisms import named_mechanism
from rropt.plans.group_plans import _allocated, _exact_power, plan_difference, plan_strata
from rropt.plans.sample_conditions import Conditions

scipy = later("scipy")


def test_power_by_enumeration() -> None:
    """The power of the exact test, cell by cell."""
    n, ends, pair, level = 8, (Fraction(1, 4), Fraction(3, 4)), (Fraction(0), Fraction(1)), Fraction(1, 5)
    laws = [scipy.stats.binom.pmf(range(n + 1), n, float(ends[0] + (ends[1] - ends[0]) * p)) for p in pair]
    expected = sum(
        laws[0][a] * laws[1][b]
        for a, b in product(range(n + 1), repeat=2)
        if exact_tests([(BinomialSample(n, a, *ends), BinomialSample(n, b, *ends))])[0].p <= float(level)
    )
    assert _exact_power(n, ends, pair, level) == pytest.approx(expected)


def test_a_difference() -> None:
    plan = plan_difference(named_mechanism("warner:3/4"), ["1/10", "9/10"], "0.9")
    assert plan.exact
    assert plan.power >= 0.9
    device, pair = named_mechanism("warner:1"), (Fraction(0), Fraction(1, 3))  # the normal test asks for 19
    few = plan_difference(device, pair)
    assert few.n == 16
    fewer = _exact_power(15, (Fraction(0), Fraction(1)), pair, Fraction(1, 20))
    assert fewer < 0.8 <= few.power
    large = plan_difference(named_mechanism("warner:1"), ["0.4", "0.5"])
    assert (large.n, large.exact) == (388, False)  # Fleiss, Statistical Methods for Rates and Proportions, table A.3
    normal = scipy.stats.norm
    null, true, z = (2 * 0.45 * 0.55) ** 0.5, (0.4 * 0.6 + 0.5 * 0.5) ** 0.5, normal.ppf(0.975)
    assert large.power == pytest.approx(normal.cdf((0.1 * 388**0.5 - z * null) / true), rel=1e-9)
    for power, gap in ((0.3, 0.05), (0.5, 0.06), (0.9, 0.1)):
        n = (
            (
                z * (2 * (0.4 + gap / 2) * (0.6 - gap / 2)) ** 0.5
                + normal.ppf(power) * (0.24 + (0.4 + gap) * (0.6 - gap)) ** 0.5
            )
            / gap
        ) ** 2
        assert plan_difference(named_mechanism("warner:1"), ["0.4", str(0.4 + gap)], str(power)).n == math.ceil(n)


def test_allocations_against_all_others(rng: random.Random, size: Callable[[int, int], int]) -> None:
    device = named_mechanism("crosswise:1/4")
    for _ in range(size(15, 150)):
        parts = [rng.randint(1, 9) for _ in range(3)]
        shares = [Fraction(part, sum(parts)) for part in parts]
        guesses = [Fraction(rng.randint(0, 10), 10) for _ in range(3)]
        n = rng.randint(3, 18)
        plan = plan_strata(device, shares, guesses, n=n, fast=True)

        def variance(sizes: tuple[int, ...], shares: list[Fraction] = shares, guesses: list = guesses) -> Fraction:
            chances = [Fraction(3, 4) - p / 2 for p in guesses]
            return sum(
                (w * w * 4 * x * (1 - x) / m for w, x, m in zip(shares, chances, sizes, strict=True)), Fraction(0)
            )

        every = [(a, b, n - a - b) for a in range(1, n) for b in range(1, n - a)]
        assert plan.n == n
        assert plan.variance == min(map(variance, every)) <= plan.proportional
        least = plan_strata(device, shares, guesses, variance=plan.variance, fast=True)
        assert least.n <= n
        assert least.variance <= plan.variance


@pytest.mark.slow
def test_allocations_of_very_different_strata(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Rounding the ideal sizes is not enough there: one respondent or more must move."""
    for _ in range(size(300, 5000)):
        spreads = [
            Fraction(rng.choice([1, 2, 100, 10**4, 10**6]) * rng.randint(1, 9), rng.randint(1, 9)) for _ in range(3)
        ]
        n = rng.randint(3, 25)
        every = [(a, b, n - a - b) for a in range(1, n) for b in range(1, n - a)]
        least = min(sum(x / m for x, m in zip(spreads, sizes, strict=True)) for sizes in every)
        found = _allocated(spreads, n)
        assert sum(found) == n
        assert sum(x / m for x, m in zip(spreads, found, strict=True)) == least


def test_allocations_of_any_variance() -> None:
    """A variance of 0 took a step for each respondent, and numbers beyond floats an exception of Python."""
    direct, weak = named_mechanism("warner:1"), named_mechanism(f"warner:{Fraction(1, 2) + Fraction(1, 10**200)}")
    certain = plan_strata(direct, ["1/2", "1/2"], ["0", "1"], n=10**12, fast=True)
    assert (certain.sizes, certain.variance) == ((10**12 - 1, 1), 0)
    assert plan_strata(weak, ["1/3", "2/3"], ["0", "1"], n=90, fast=True).sizes == (30, 60)
    assert plan_strata(weak, ["1/2", "1/2"], ["0", "1"], variance=Fraction(10) ** 398, fast=True).n == 7
    for device, goal in ((weak, "1/100"), (direct, Fraction(1, 10**390))):
        with pytest.raises(InvalidParameterError, match="a plan has at most 1000000000000000 respondents"):
            plan_strata(device, ["1/2", "1/2"], ["1/2", "1"], variance=goal, fast=True)


def test_wrong_calls() -> None:
    with pytest.raises(InvalidParameterError, match="given twice"):
        plan_strata(named_mechanism("warner:3/4"), [1], ["1/2"], n=3, variance=1, fast=True)


def test_the_margin_of_a_difference_has_the_design_effect_of_the_true_prevalences() -> None:
    """1 + (m - 1) rho (S1 + S2)/(V1 + V2), at the prevalences themselves: the pooled one belongs to a test alone."""
    own, effect = named_mechanism("forced:2/3,1/6,1/6"), 1 + 19 * 0.5
    clusters = Conditions(cluster_size=20, icc=Fraction(1, 2))
    plain = plan_difference(own, ["0.05", "0.9"], margin="0.08")
    clustered = plan_difference(own, ["0.05", "0.9"], margin="0.08", sample=clusters)
    share = [0.05 * 0.95, 0.9 * 0.1]
    spread = [((1 / 6 + p * 2 / 3) * (5 / 6 - p * 2 / 3)) / (2 / 3) ** 2 for p in (0.05, 0.9)]
    factor = 1 + (effect - 1) * sum(share) / sum(spread)
    assert clustered.n == pytest.approx(plain.n * factor, abs=factor + 1)


@few_rows(1)
@pytest.mark.parametrize(
    ("device", "pair", "margin"),
    [
        ("forced:2/3,0,1/3", ("0", "0"), "0.05"),
        ("generalised:1,1", ("1/1000", "1/1000"), "0.02"),
        ("unrelated:1/2,1", ("1", "9/10"), "0.1"),
        ("warner:3/4", ("1/10", "1/5"), "0.1"),
    ],
)
def test_a_margin_of_a_difference_is_that_of_the_printed_interval(device, pair, margin) -> None:
    """The widest score interval of ``rropt estimate --by`` at the integers next to the expected counts."""
    mechanism, plan = named_mechanism(device), plan_difference(named_mechanism(device), pair, margin=margin)
    ends = mechanism[1, 0], mechanism[1, 1]

    def widest(n: int) -> float:
        shares = [n * (ends[0] + (ends[1] - ends[0]) * Fraction(p)) for p in pair]
        found = []
        for hits in product(*({math.floor(x), math.ceil(x)} for x in shares)):
            listed = [text for y in hits for text in ["0"] * (n - y) + ["1"] * y]
            data = {"g": np.array(["a"] * n + ["b"] * n, object), "y": np.array(listed, object)}
            (share,) = (
                rropt_fieldwork.TableResponses("y", mechanism, data=data, categories=["0", "1"])
                .estimate(by="g")
                .compared()
            )
            (one,) = share.differences
            found.append((one.interval[1] - one.interval[0]) / 2)
        return max(found)

    assert widest(plan.n) == pytest.approx(plan.margin, rel=1e-6)
    assert widest(plan.n) <= float(Fraction(margin)) * (1 + 1e-9) < widest(plan.n - 1) * (1 + 2e-9)
    finite = plan_difference(mechanism, pair, margin=margin, population=10**6)
    assert plan.n - 2 <= finite.n <= plan.n * 1.05 + 2


@pytest.mark.parametrize("margin", ["0.05", "0.02"])
@pytest.mark.parametrize("guesses", [("1/1000", "1/1000"), ("1/100", "1/3"), ("1/2", "1/5")])
def test_a_margin_of_strata_is_that_of_the_printed_interval(guesses, margin) -> None:
    """At the expected responses, rounded, ``rropt estimate --strata`` prints a beta interval of this half-width."""
    device, shares = named_mechanism("forced:2/3,0,1/3"), (Fraction(9, 10), Fraction(1, 10))
    plan = plan_strata(device, shares, guesses, margin=margin, fast=True)
    assert plan.margin <= float(margin)
    rows = []
    for h, (n, share, guess) in enumerate(zip(plan.sizes, shares, guesses, strict=True)):
        hits = math.floor(n * Fraction(guess) * Fraction(2, 3))
        rows += [("1" if i < hits else "0", str(h), float(share / n)) for i in range(n)]
    data = {name: np.array(column) for name, column in zip("ysw", zip(*rows, strict=True), strict=True)}
    found = rropt_fieldwork.TableResponses(
        "y", device, data=rropt_fieldwork.read(data).sampled(weights="w", strata="s"), categories=["0", "1"]
    ).estimate()
    (one,) = found
    low, high = one.conf_int(kind="beta")
    assert (high - low) / 2 <= float(margin) * 1.01  # the counts are rounded, and the variance has n - 1
