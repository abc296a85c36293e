"""Powers for Kuk's answers and for contrasts: against binary designs, exact laws of sums, and all populations."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from plans import plan_power, planned, power

from rropt.core.errors import InvalidParameterError, UnsupportedProblemError
from rropt.inference import variance_at
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.mechanisms.left_inverse import left_inverse, reference_population

F = Fraction
KUK = named_mechanism("kuk:4/5,1/5,2")
GRR = named_mechanism("grr:3,1/2")
DIE = named_mechanism("forced:2/3,1/6,1/6")


@pytest.mark.parametrize("sided", ["one", "two"])
def test_of_two_answers_it_is_the_power_of_the_prevalence(sided: str, rng: random.Random) -> None:
    for _ in range(4):
        null, truth = rng.sample(range(11), 2)
        asked: dict[str, Any] = {
            "null": F(null, 10),
            "prevalence": F(truth, 10),
            "sided": sided,
            "significance": "0.02",
        }
        n = rng.randint(5, 400)
        assert power(DIE, n, **asked, contrast=[0, 1]) == pytest.approx(
            power(DIE, n, **asked, test="normal"), abs=1e-14
        )


def law_of_the_sum(mechanism: Mechanism, contrast: list[int], population: list[Fraction], n: int) -> tuple[Any, int]:
    """Return the chances of ``sum of w over n answers`` on whole multiples of 1/D from the least one, and D."""
    estimator = left_inverse(mechanism, reference_population(mechanism, None))
    weights = [
        sum((c * row[i] for c, row in zip(contrast, estimator, strict=True)), F(0)) for i in range(mechanism.outputs)
    ]
    below = int(np.lcm.reduce([w.denominator for w in weights]))
    least = min(weights)
    single = np.zeros(int((max(weights) - least) * below) + 1)
    for w, chance in zip(weights, mechanism.apply(population), strict=True):
        single[int((w - least) * below)] += float(chance)
    law, square = np.ones(1), single
    for bit in bin(n)[:1:-1]:
        law = np.convolve(law, square) if bit == "1" else law
        square = np.convolve(square, square)
    return law, below


@few_rows(1)
@pytest.mark.parametrize(
    ("mechanism", "contrast", "population", "null_population"),
    [
        (KUK, [0, 1], ["4/5", "1/5"], ["1", "0"]),
        (named_mechanism("kuk:3/4,1/4,3"), [0, 1], ["1/2", "1/2"], ["7/10", "3/10"]),
        (GRR, [1, -1, 0], ["1/2", "1/4", "1/4"], ["1/2", "1/2", "0"]),
    ],
)
def test_against_the_exact_law(mechanism: Any, contrast: Any, population: Any, null_population: Any) -> None:
    """The test itself, on all sums that n answers can have: its power, and its level at the worst null."""
    n = 300
    truth, null = ([F(x) for x in shares] for shares in (population, null_population))
    value = sum((c * x for c, x in zip(contrast, null, strict=True)), F(0))
    spread = float(variance_at(mechanism, null, contrast))
    found = power(mechanism, n, contrast=contrast, population=truth, null=value)
    rejected = []
    for shares in (truth, null):
        law, below = law_of_the_sum(mechanism, contrast, shares, n)
        estimator = left_inverse(mechanism, reference_population(mechanism, None))
        least = min(
            sum((c * r[i] for c, r in zip(contrast, estimator, strict=True)), F(0)) for i in range(mechanism.outputs)
        )
        estimates = np.arange(len(law)) / below / n + float(least)
        rejected.append(law[estimates - float(value) > 1.6448536269514722 * np.sqrt(spread / n)].sum())
    assert found == pytest.approx(rejected[0], abs=0.02)
    assert rejected[1] == pytest.approx(0.05, abs=0.015)


def test_the_null_is_taken_at_its_worst_population(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """No population with the value of the null has less power as the null; one of two categories has as much."""
    contrast, truth, value = [2, -1, 0], ["1/6", "1/2", "1/3"], F(1, 2)
    found = power(GRR, 150, contrast=contrast, population=truth, null=value)
    reached = []
    for _ in range(size(60, 3000)):
        a = F(rng.randint(0, 60), 60)
        b = 2 * a - value
        if 0 <= b <= 1 - a:
            reached.append(float(variance_at(GRR, [a, b, 1 - a - b], contrast)))
    ends = [variance_at(GRR, [F(1, 2), F(1, 2), 0], contrast), variance_at(GRR, [F(1, 4), 0, F(3, 4)], contrast)]
    assert max(reached) <= float(max(ends)) + 1e-12
    from statistics import NormalDist

    spread, own = float(max(ends)), float(variance_at(GRR, truth, contrast))
    z = NormalDist().inv_cdf(0.95)
    distance = float(value - (F(2, 6) - F(1, 2)))
    expected = NormalDist().cdf((distance - z * (spread / 150) ** 0.5) / (own / 150) ** 0.5)
    assert found == pytest.approx(expected, abs=1e-12)


def test_plans_are_the_least_numbers(rng: random.Random, size: Callable[[int, int], int]) -> None:
    for _ in range(size(3, 30)):
        goal, sided = F(rng.randint(51, 99), 100), rng.choice(["one", "two"])
        for mechanism, asked in (
            (KUK, {"prevalence": F(rng.randint(1, 9), 10)}),
            (GRR, {"contrast": [1, 0, -1], "population": [F(1, 2), F(1, 3), F(1, 6)]}),
        ):
            plan = plan_power(mechanism, goal, sided=sided, **asked)  # type: ignore[arg-type]
            assert power(mechanism, plan.n, sided=sided, **asked) == plan.achieved >= goal  # type: ignore[arg-type]
            assert plan.n == 1 or power(mechanism, plan.n - 1, sided=sided, **asked) < goal  # type: ignore[arg-type]


def test_by_one_call_and_on_the_command_line(cli: Callable, cli_json: Callable) -> None:
    found = planned(KUK, power="0.9", prevalence="1/5")
    assert found.found == plan_power(KUK, "0.9", prevalence="1/5")
    assert type(found).from_json(found.to_json()) == found
    asked = ("plan", "power", "--mechanism", "kuk:4/5,1/5,2", "--prevalence", "1/5")
    assert cli_json(*asked, "0.9")["n"] == found.found.n
    assert cli_json(*asked, "--n", "200", "--null", "0")["power"] == power(KUK, 200, prevalence="1/5")
    kary = ("plan", "power", "0.9", "--mechanism", "grr:3,1/2", "--contrast", "1,-1,0", "--proportions", "1/2,1/4,1/4")
    assert cli_json(*kary)["n"] == 1580
    for wrong in (("--test", "exact"), ("--null", "1/4"), ("--null", "3")):
        status, out, err = cli(*kary, *wrong)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert cli("plan", "power", "0.9", "--mechanism", "grr:3,1/2")[0] == 2


def test_what_is_refused() -> None:
    for error, asked in (
        (InvalidParameterError, {"prevalence": None}),
        (InvalidParameterError, {"prevalence": "1/5", "null": "1/5"}),
        (InvalidParameterError, {"prevalence": "1/5", "null": "6/5"}),
        (InvalidParameterError, {"prevalence": "1/5", "sided": "three"}),
        (InvalidParameterError, {"prevalence": "1/5", "significance": "3/5"}),
        (UnsupportedProblemError, {"prevalence": "1/5", "test": "exact"}),
    ):
        with pytest.raises(error, match=r"^(?!.*\n)"):
            power(KUK, 100, **asked, contrast=[0, 1])
