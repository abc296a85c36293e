"""The minimax risk: its values, closed forms in two limits, and a second way to both ends."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import comb, factorial, prod, sqrt
from pathlib import Path

import pytest
from few_rows import few_rows
from stress import STRESS

from rropt.core.errors import FileFormatError, InvalidParameterError
from rropt.designs.minimax_proof import _counts, is_at_least, is_at_most
from rropt.designs.minimax_risk import MinimaxRisk, minimax_risk
from rropt.privacy import PrivacyRegion

F = Fraction
LEAST = {  # at epsilon = log 5: a cone program in floats, relative error 1e-5
    5: 0.0524995,
    10: 0.0318239,
    **({20: 0.0185432, 50: 0.0085888, 100: 0.0046394, 200: 0.0024520} if STRESS else {}),
}


def risk_at(found: MinimaxRisk, pi: Fraction) -> Fraction:
    """Return the mean squared error, summed over the law of the answers of the mechanism."""
    n, chances = found.n, found.mechanism.apply([1 - pi, pi])
    if len(chances) == 2:
        chances = [F(0), *chances, F(0)]
    total = F(0)
    for times in product(range(n + 1), repeat=4):
        no, _, y, yes = times  # no and yes are certain
        if sum(times) == n and (found.delta.rational != 0 or no + yes == 0):
            ways = factorial(n) // prod(map(factorial, times))
            chance = ways * prod(p**k for p, k in zip(chances, times, strict=True))
            total += chance * (found.estimate(y, certain=(no, yes)) - pi) ** 2
    return total


@pytest.mark.parametrize("n", LEAST)
def test_values_of_a_cone_program(n: int) -> None:
    found = minimax_risk("log(5)", n)
    assert found.lower <= found.upper <= found.lower * (1 + F(1, 10**8))
    assert float(found.upper) == pytest.approx(LEAST[n], rel=2e-5)


@few_rows(2)
@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [("1/100", 0), ("1/2", 0), ("log(5)", 0), ("3", 0), ("1/2", "1/10"), ("log(5)", "exp(-3)"), (2, "9/10")],
    ids=str,
)
def test_the_ends_in_fractions(epsilon: object, delta: object, size: Callable[[int, int], int]) -> None:
    """The estimator has at most ``upper`` on a grid, nearly reached; the prior's mean risk is at least ``lower``."""
    found = minimax_risk(epsilon, size(3, 8) if delta else size(5, 12), delta=delta)
    assert found.gap < 1e-8
    steps = size(40, 200)
    risks = [risk_at(found, F(i, steps)) for i in range(steps + 1)]
    assert found.upper * F(99, 100) < max(risks) <= found.upper
    mean = sum((w * risk_at(found, pi) for pi, w in zip(found.points, found.weights, strict=True)), F(0))
    assert found.lower * (1 - F(1, 10**9)) <= mean <= found.upper
    assert sum(found.weights) == 1


@pytest.mark.parametrize("n", [4, *([9, 25, 30] if STRESS else [])])
def test_all_answers_are_certain(n: int) -> None:
    """At delta = 1 the estimator of Hodges and Lehmann (1950), ``(c + sqrt(n)/2)/(n + sqrt n)``."""
    found = minimax_risk(1, n, delta=1)
    for yes in range(n + 1):
        assert float(found.estimate(0, certain=(n - yes, yes))) == pytest.approx(
            (yes + sqrt(n) / 2) / (n + sqrt(n)), abs=1e-5
        )


@pytest.mark.slow
def test_delta_only_helps() -> None:
    values = [minimax_risk("log(3)", 3, delta=delta) for delta in (0, "1/100", "1/4", "3/4", 1)]
    assert all(before.lower > after.upper for before, after in pairwise(values))


def test_counts_that_are_none() -> None:
    found, with_delta = minimax_risk(1, 3), minimax_risk(1, 3, delta="1/4")
    assert [found.estimate(y) for y in range(4)] == list(found.estimator[0])
    assert with_delta.estimate(1, certain=(1, 1)) == with_delta.estimator[4][1]
    for risk, yes, certain in ((found, 4, (0, 0)), (found, 0, (0, 1)), (found, -1, (0, 0)), (with_delta, 2, (1, 1))):
        with pytest.raises(InvalidParameterError, match="counts"):
            risk.estimate(yes, certain=certain)


@pytest.mark.parametrize("n", [1, 2, 9, *([50, 200] if STRESS else [])])
def test_hodges_and_lehmann(n: int) -> None:
    """Nearly without randomization: ``1/(4 (1 + sqrt n)^2)``, above it by the noise of the answers."""
    limit = 1 / (4 * (1 + sqrt(n)) ** 2)
    found = minimax_risk(14, n)
    assert limit < float(found.upper) < limit * (1 + 2e-5)


def test_a_risk_beyond_floats() -> None:
    """The variance of an unbiased estimator is 1e400."""
    blind = minimax_risk("1e-200", 1)
    assert (MinimaxRisk.from_json(blind.to_json()), blind.times) == (blind, None)


def test_more_answers_and_more_epsilon_are_no_worse() -> None:
    by_n = [minimax_risk("log(3)", n).upper for n in (1, 3, 6)]
    by_level = [minimax_risk(f"log({q})", 4).upper for q in (2, 4, 8)]
    for values in (by_n, by_level):
        assert sorted(values, reverse=True) == values
    assert minimax_risk("log(5)", 5).times == pytest.approx(2.14, abs=0.005)
    if STRESS:
        assert minimax_risk("log(5)", 200).times == pytest.approx(1.15, abs=0.005)


@pytest.mark.parametrize("epsilon", ["1/10", "1", "3", "8"] if STRESS else ["3"])
def test_large_surveys(epsilon: str, size: Callable[[int, int], int]) -> None:
    """Proved to 1e-8; with delta too, at full size for 200 and 30 respondents."""
    assert minimax_risk(epsilon, size(8, 200)).gap < 1e-8
    assert minimax_risk(epsilon, size(4, 30), delta="1/10").gap < 1e-8


def test_a_changed_record_is_refused() -> None:
    record = minimax_risk("log(2)", 2).to_dict()
    assert MinimaxRisk.from_dict(json.loads(json.dumps(record))).to_dict() == record
    forged = [
        {"n": 3},
        {"epsilon": "log(3)"},
        {"delta": "1/2"},
        {"weights": ["1"]},
        {"points": ["0", "2"]},
        {"points": []},
    ]
    forged += [{"upper": str(F(record["lower"]))}, {"lower": str(F(record["upper"]) + F(1, 10**12))}]
    forged += [{"estimator": [record["estimator"][0][::-1]]}, {"estimator": [["1/2", "1/2"]]}, {"estimator": []}]
    for change in forged:
        with pytest.raises(FileFormatError):
            MinimaxRisk.from_dict({**record, **change})


@few_rows(2)
@pytest.mark.parametrize(("n", "delta"), [(1, 0), (4, 0), (3, "1/3"), (2, 1)])
def test_the_exact_test_accepts_no_false_bound(n: int, delta: object, size: Callable[[int, int], int]) -> None:
    """Random estimators and priors: the oracle sums the definition, at points of [0, 1] and over all counts."""
    rng = random.Random(f"minimax {n} {delta}")
    level = PrivacyRegion("log(3)", delta).bracket(20).below
    template = minimax_risk("log(3)", n, delta=delta)
    for _ in range(size(6, 60)):
        rows = tuple(tuple(F(rng.randint(-2, 12), 10) for _ in row) for row in template.estimator)
        found = replace(template, estimator=rows)
        risks = [risk_at(found, F(i, 24)) for i in range(25)]
        assert is_at_most(max(risks) + F(1, 50), rows, level)
        for small in (F(1, 10**3), F(1, 10**12)):
            assert not is_at_most(max(risks) - small, rows, level)
        points = tuple(F(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 4)))
        raw = [rng.randint(1, 5) for _ in points]
        weights = tuple(F(w, sum(raw)) for w in raw)
        mean = bayes_risk(found, points, weights)
        assert is_at_least(mean - F(1, 10**9), points, weights, level, n)
        assert not is_at_least(mean + F(1, 10**20), points, weights, level, n)
        assert not is_at_least(F(0), points, (*weights[:-1], weights[-1] + F(1, 10**9)), level, n)
        assert not is_at_least(F(0), (*points[:-1], F(10, 9)), weights, level, n)
        assert not is_at_least(F(0), (*points[:-1], F(-1, 9)), weights, level, n)


@pytest.mark.parametrize("chance", [F(1, 3), F(0), F(1), F(99, 100)])
def test_the_law_of_a_prior_is_rounded_down(chance: Fraction) -> None:
    exact = [10**6 * comb(5, i) * chance**i * (1 - chance) ** (5 - i) for i in range(6)]
    assert all(0 <= x - found < 5 for x, found in zip(exact, _counts(10**6, chance, 5), strict=True))


def bayes_risk(found: MinimaxRisk, points: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
    """Return the smallest mean risk under a prior: the mean over all counts of the posterior's variance."""
    n, total = found.n, F(0)
    chances = [found.mechanism.apply([1 - pi, pi]) for pi in points]
    for times in product(range(n + 1), repeat=len(chances[0])):
        if sum(times) == n:
            ways = factorial(n) // prod(map(factorial, times))
            law = [
                w * ways * prod(p**k for p, k in zip(row, times, strict=True))
                for w, row in zip(weights, chances, strict=True)
            ]
            sums = [sum((p * pi**power for p, pi in zip(law, points, strict=True)), F(0)) for power in range(3)]
            total += sums[2] - sums[1] ** 2 / sums[0] if sums[0] else F(0)
    return total


# bounds of earlier versions, which a certificate of the checker proved
FROZEN = json.loads(Path(__file__).with_name("minimax_risks.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_bounds_of_earlier_versions(size: Callable[[int, int], int]) -> None:
    """Lower and upper bounds are the same numbers, or narrower; every sixth of 90 problems, at full size all.

    The search is in floats: its last digits depend on the processor and on BLAS.
    """
    room = F(1, 10**12)
    assert len(FROZEN) == 90
    for name, (lower, upper) in list(FROZEN.items())[:: size(6, 1)]:
        epsilon, n, delta = name.split(";")
        if int(n) <= size(25, 100):
            found = minimax_risk(epsilon, int(n), delta=delta)
            assert F(lower) - room <= found.lower <= found.upper <= F(upper) + room
