"""Variances of estimators at a population, by the law of the answers; and the plans that rest on them."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import factorial, prod

import pytest
from plans import margin, plan_margin, plan_variance, variance

import rropt
from rropt.core.errors import InvalidParameterError, RroptError, UnsupportedProblemError
from rropt.inference import covariance_at, variance_at

KUK = rropt.Mechanism("kuk:4/5,1/5,2")


def _mechanism(rng: random.Random, m: int, k: int) -> rropt.Mechanism:
    while True:
        columns = [[rng.randint(0, 6) for _ in range(m)] for _ in range(k)]
        if all(map(sum, columns)) and all(any(column[i] for column in columns) for i in range(m)):
            mechanism = rropt.Mechanism([[Fraction(c[i], sum(c)) for c in columns] for i in range(m)])
            try:
                covariance_at(mechanism, [Fraction(1, k)] * k)
            except RroptError:
                continue
            return mechanism


def _population(rng: random.Random, k: int) -> list[Fraction]:
    weights = [rng.randint(0, 9) for _ in range(k - 1)] + [1]
    return [Fraction(w, sum(weights)) for w in weights]


def _moments(mechanism: rropt.Mechanism, population: list[Fraction], n: int) -> tuple[list, list]:
    """Mean and covariance of the estimates of ``rropt.estimate``, over every table of counts."""
    answers, k = mechanism.apply(population), mechanism.inputs
    mean, square = [Fraction(0)] * k, [[Fraction(0)] * k for _ in range(k)]
    for counts in product(range(n + 1), repeat=mechanism.outputs):
        if sum(counts) != n:
            continue
        chance = Fraction(factorial(n), prod(map(factorial, counts))) * prod(
            a**c for a, c in zip(answers, counts, strict=True)
        )
        found = rropt.inference.estimate(mechanism, counts).estimate if chance else mean
        mean = [x + chance * y for x, y in zip(mean, found, strict=True)]
        square = [[square[i][j] + chance * found[i] * found[j] for j in range(k)] for i in range(k)]
    return mean, [[square[i][j] - mean[i] * mean[j] for j in range(k)] for i in range(k)]


@pytest.mark.parametrize(("m", "k", "n"), [(2, 2, 3), (3, 2, 2), (3, 3, 2), (4, 3, 1)])
def test_against_the_law_of_the_answers(rng: random.Random, m: int, k: int, n: int) -> None:
    mechanism, population = _mechanism(rng, m, k), _population(rng, k)
    mean, covariance = _moments(mechanism, population, n)
    assert mean == population
    assert [list(row) for row in covariance_at(mechanism, population, n=n)] == covariance
    c = [rng.randint(-3, 3) for _ in range(k)]
    expected = sum(c[i] * c[j] * covariance[i][j] for i in range(k) for j in range(k))
    assert variance_at(mechanism, population, c, n=n) == expected


def test_the_worst_population(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """No population of a grid is worse, and of two categories a fine grid comes near."""
    for _ in range(size(6, 60)):
        k = rng.randint(2, 3)
        mechanism, c = _mechanism(rng, rng.randint(k, k + 1), k), [rng.randint(-3, 3) for _ in range(k)]
        worst, grid = variance_at(mechanism, None, c), 12 if k == 3 else 60
        values = [
            variance_at(mechanism, [Fraction(x, grid) for x in (*parts, grid - sum(parts))], c)
            for parts in product(range(grid + 1), repeat=k - 1)
            if sum(parts) <= grid
        ]
        assert max(values) <= worst
        if k == 2:
            assert worst - max(values) <= Fraction(max(map(abs, c)) * 2, grid) ** 2


def test_binary_plans_are_as_before(rng: random.Random) -> None:
    for _ in range(10):
        p, q = Fraction(rng.randint(11, 19), 20), Fraction(rng.randint(11, 19), 20)
        mechanism, pi = rropt.Mechanism.binary(p, q), rng.choice([None, Fraction(rng.randint(0, 20), 20)])
        assert (
            plan_variance(mechanism, "1/500", prevalence=pi, contrast=[0, 1]).n
            == plan_variance(mechanism, "1/500", prevalence=pi).n
        )
        normal = plan_margin(mechanism, "1/20", kind="normal", prevalence=pi)
        assert plan_margin(mechanism, "1/20", prevalence=pi, contrast=[0, 1]).n == normal.n
        shares = None if pi is None else [1 - pi, pi]
        assert variance_at(mechanism, shares, n=7) == variance(mechanism, 7, prevalence=pi)


@pytest.mark.parametrize("prevalence", [None, "1/10", "1"])
def test_kuk_is_planned_by_one_prevalence(prevalence: str | None) -> None:
    """Merging what Kuk's second card adds can only cost; n serves and n - 1 does not."""
    plan = plan_variance(KUK, "1/2000", prevalence=prevalence, contrast=[0, 1])
    for n, serves in ((plan.n, True), (plan.n - 1, False)):
        assert (variance(KUK, n, prevalence=prevalence, contrast=[0, 1]) <= Fraction(1, 2000)) == serves
    one = rropt.Mechanism("kuk:4/5,1/5,1")
    assert plan.n < plan_variance(one, "1/2000", prevalence=prevalence, contrast=[0, 1]).n
    normal = plan_margin(KUK, "1/20", prevalence=prevalence, contrast=[0, 1])
    assert margin(KUK, normal.n, prevalence=prevalence, contrast=[0, 1]) <= 0.05
    assert margin(KUK, normal.n - 1, prevalence=prevalence, contrast=[0, 1]) > 0.05
    with pytest.raises(UnsupportedProblemError, match="normal"):
        plan_margin(KUK, "1/20", kind="exact", prevalence=prevalence, contrast=[0, 1])


def test_contrasts_of_k_categories() -> None:
    grr, shares = rropt.Mechanism("grr:4,1/2"), ["1/2", "1/4", "1/8", "1/8"]
    c = ["1", "0", "0", "-1"]
    plan = plan_margin(grr, "1/20", contrast=c, population=shares, confidence="0.99")
    assert margin(grr, plan.n, contrast=c, population=shares, confidence="0.99") <= 0.05
    assert margin(grr, plan.n - 1, contrast=c, population=shares, confidence="0.99") > 0.05
    assert plan.n <= plan_margin(grr, "1/20", contrast=c, confidence="0.99").n
    least = plan_variance(grr, "1/300", contrast=c, population=shares)
    assert variance_at(grr, shares, c, n=least.n) <= Fraction(1, 300) < variance_at(grr, shares, c, n=least.n - 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: plan_variance(rropt.Mechanism("grr:3,1/2"), "1/10", contrast=[1, 2]),
        lambda: plan_variance(KUK, 0),
        lambda: plan_margin(KUK, "1/10", prevalence="1/4", population=["3/4", "1/4"]),
        lambda: plan_margin(KUK, "1/10", prevalence="5/4"),
        lambda: variance_at(KUK, ["1/2", "1/3"]),
        lambda: variance_at(KUK, None, [1, 2, 3]),
        lambda: covariance_at(KUK, None),
        lambda: covariance_at(KUK, ["1/2", "1/2"], n=0),
    ],
)
def test_bad_input(call: Callable[[], object]) -> None:
    with pytest.raises(InvalidParameterError):
        call()


def test_on_the_command_line(cli, cli_json) -> None:
    """A prevalence for Kuk's three answers, a contrast of categories, and what a number of answers achieves."""
    kuk = ("--mechanism", "kuk:4/5,1/5,2", "--prevalence", "1/10")
    assert cli_json("plan", "se", *kuk, "sqrt(1/2000)")["n"] == plan_variance(KUK, "1/2000", prevalence="1/10").n
    found = cli_json("plan", "margin", "0.05", *kuk)
    assert (found["n"], found["interval"]) == (plan_margin(KUK, "0.05", prevalence="1/10").n, "normal")
    grr = ("--mechanism", "grr:3,1/2", "--contrast", "1,-1,0")
    assert cli_json("plan", "margin", "1/10", *grr)["n"] == 4610
    given = cli_json("plan", "se", "0.01", *grr, "--proportions", "1/2,1/4,1/4")
    shares = ["1/2", "1/4", "1/4"]
    plan = plan_variance(rropt.Mechanism("grr:3,1/2"), "1/10000", contrast=[1, -1, 0], population=shares)
    assert (given["n"], given["population"]) == (plan.n, ["1/2", "1/4", "1/4"])
    assert cli_json("plan", "se", *grr, "--n", "1200")["standard_error"] == pytest.approx(0.1)
    status, out, err = cli("plan", "power", "0.9", *grr, "--null", "0")
    assert (status, out, err.count("\n")) == (2, "", 1)
