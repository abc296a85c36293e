"""Plans of finite populations by trial: margins, differences and strata against the variance of each sample."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

import pytest

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.mechanisms import named_mechanism
from rropt.survey import DrawnAnswers, estimate_finite, plan_survey, survey_variance
from rropt.survey.plans.group_plans import plan_difference, plan_strata
from rropt.survey.plans.sample_conditions import SampleConditions

WARNER = named_mechanism("warner:3/4")
Z = NormalDist().inv_cdf(0.975)


def _variance(n: int, prevalence: object, population: int) -> Fraction:
    """Return the variance of n of N people, which test_finite_populations.py compares with every sample."""
    return survey_variance(DrawnAnswers(WARNER, n), prevalence, population).total


def test_a_margin_of_one_sample() -> None:
    for population, margin in ((10_000, "0.05"), (700, "0.1"), (2_000, "0.06")):
        plan = plan_survey(WARNER, prevalence="1/10", margin=margin, population=population)
        found = [Z * sqrt(_variance(n, "1/10", population)) for n in (plan.n, plan.n - 1)]
        assert found[0] <= float(Fraction(margin)) < found[1]
        assert plan.margin == pytest.approx(found[0], rel=1e-12)
        assert plan_survey(WARNER, prevalence="1/10", n=plan.n, population=population).margin == plan.margin
    assert rropt.plan(WARNER, prevalence="1/10", margin="0.05", population=10_000).n == 1274
    with pytest.raises(InfeasibleError, match=r"the margin '0\.01': \d+ are needed; at most 700"):
        plan_survey(WARNER, prevalence="1/10", margin="0.01", population=700)
    with pytest.raises(InvalidParameterError, match="received N = 700 and n = 701"):
        plan_survey(WARNER, prevalence="1/10", n=701, population=700)


def test_the_margin_is_that_of_the_estimate() -> None:
    """At the expected responses the planned interval is the one that rropt estimate prints, but for n - 1."""
    plan = plan_survey(WARNER, prevalence="1/5", n=1000, population=4000)
    interval = estimate_finite(WARNER, [650, 350], 4000).intervals["normal"]
    assert interval is not None
    assert float(interval.upper - interval.lower) / 2 == pytest.approx(plan.margin, rel=1e-3)  # n - 1 for n, N - 1


def test_a_difference_of_two_groups() -> None:
    pair, population = ("1/10", "1/5"), 5000

    def error(n: int) -> float:
        return sqrt(sum(_variance(n, p, population) for p in pair))

    plan = plan_difference(WARNER, pair, margin="0.05", population=population)
    assert Z * error(plan.n) <= 0.05 < Z * error(plan.n - 1)
    assert plan.margin == pytest.approx(Z * error(plan.n), rel=1e-12)
    assert plan.n < plan_difference(WARNER, pair, margin="0.05").n
    for power in ("0.8", "0.5", "0.95"):
        tested = plan_difference(WARNER, pair, power, population=population)
        found = [NormalDist().cdf(0.1 / error(n) - Z) for n in (tested.n, tested.n - 1)]
        assert found[0] >= float(power) > found[1]
        assert tested.power == pytest.approx(found[0], rel=1e-9)
        assert not tested.exact
    given = plan_difference(WARNER, pair, n=tested.n, population=population)
    assert given.power == tested.power
    assert given.margin == pytest.approx(Z * error(tested.n), rel=1e-12)
    with pytest.raises(InfeasibleError, match="received 300 people in each"):
        plan_difference(WARNER, pair, population=300)
    sample = SampleConditions(response_rate="1/4")
    with pytest.raises(InfeasibleError, match="of more people selected"):
        plan_difference(WARNER, pair, margin="0.05", population=population, sample=sample)
    assert plan_difference(named_mechanism("warner:1"), ["0", "1"], n=50, population=50).power == 1.0


def _widened(n: int, prevalence: object, population: int, effect: object, clustering: object) -> Fraction:
    """Return D (S^2 (1 - n/N) + v)/n, or with the part of sampling times 1 + kappa: both parts by definition."""
    parts = survey_variance(DrawnAnswers(WARNER, n), prevalence, population)
    return Fraction(effect) * ((1 + Fraction(clustering)) * parts.sampling + parts.device)


SAMPLES = [
    ({"design_effect": "1.4"}, "1.4", 0),
    ({"cluster_size": 10, "intraclass_correlation": "0.2"}, 1, "1.8"),
    ({"response_rate": "0.6", "design_effect": "0.9"}, "0.9", 0),
]


@pytest.mark.parametrize(("given", "effect", "clustering"), SAMPLES)
def test_conditions_of_a_sample_of_a_finite_population(given: dict, effect: object, clustering: object) -> None:
    """The least n by the stated formula; the correction counts the usable answers, and people are selected for them."""
    for N, margin in ((10_000, "0.06"), (3_000, "0.08")):
        plan = rropt.plan(WARNER, prevalence="1/10", margin=margin, population=N, **given)
        found = [Z * sqrt(_widened(n, "1/10", N, effect, clustering)) for n in (plan.n, plan.n - 1)]
        assert found[0] <= float(margin) < found[1]
        assert plan.variance.total == _widened(plan.n, "1/10", N, effect, clustering)
        assert plan.sample.selected == (ceil(plan.n / 0.6) if "response_rate" in given else None)
        assert "usable answers" in " ".join(plan.summary().split())
        assert type(plan).from_json(plan.to_json()) == plan
        pair, sample = ("1/10", "1/5"), SampleConditions(**given)
        two = plan_difference(WARNER, pair, margin="0.15", population=(N, 2_000), sample=sample)
        error = [
            Z * sqrt(sum(_widened(n, p, M, effect, clustering) for p, M in zip(pair, (N, 2_000), strict=True)))
            for n in (two.n, two.n - 1)
        ]
        assert error[0] <= 0.15 < error[1]
        assert two.margin == pytest.approx(error[0], rel=1e-12)
        strata = plan_strata(WARNER, ["3/4", "1/4"], pair, n=400, population=N, sample=sample, fast=True)
        parts = zip((Fraction(3, 4), Fraction(1, 4)), strata.sizes, pair, (3 * N // 4, N // 4), strict=True)
        assert strata.variance == sum(w * w * _widened(n, p, M, effect, clustering) for w, n, p, M in parts)


def test_regions_of_a_finite_population_each_have_n_people() -> None:
    known = {"prevalence": "1/10", "margin": "0.08", "population": 4000}
    plan = rropt.plan(WARNER, regions=4, **known)
    assert (plan.n, plan.sample.total) == (rropt.plan(WARNER, **known).n, 4 * plan.n)
    together = rropt.plan(WARNER, regions=4, simultaneous=True, **known)
    wide = NormalDist().inv_cdf(1 - 0.05 / 8)
    error = [wide * sqrt(_variance(n, "1/10", 4000)) for n in (together.n, together.n - 1)]
    assert error[0] <= 0.08 < error[1]
    assert together.margin == pytest.approx(error[0], rel=1e-12)


def test_what_a_finite_population_cannot_give() -> None:
    for given, told in (
        ({"margin": "0.2", "response_rate": "0.3"}, "at most 30 respond"),
        ({"n": 50, "response_rate": "0.3"}, "at most 30 of 100 respond"),
    ):
        with pytest.raises(InfeasibleError, match=told):
            rropt.plan(WARNER, prevalence="1/10", population=100, **given)
    with pytest.raises(InvalidParameterError, match="a census, and a dealt deck"):
        plan_survey(WARNER, n=50, prevalence="1/10", sample=SampleConditions(response_rate="1/2"))
    with pytest.raises(InvalidParameterError, match="received 3 numbers; give N for both"):
        plan_difference(WARNER, ("1/10", "1/5"), population=(100, 200, 300))
    with pytest.raises(InfeasibleError, match="received 100 people and 900 people"):
        rropt.plan(WARNER, groups=("1/10", "1/5"), population=(100, 900))


def test_strata_against_all_allocations(rng: Random) -> None:
    """The least variance and the least number among all allocations that the people of the strata allow."""
    for _ in range(12):
        people = [rng.randint(2, 6) for _ in range(3)]
        total = sum(people)
        shares = [Fraction(each, total) for each in people]
        guesses = [Fraction(rng.randint(0, 10), 10) for _ in people]
        every = {}
        for sizes in product(*(range(1, each + 1) for each in people)):
            parts = (w * w * _variance(n, p, N) for w, n, p, N in zip(shares, sizes, guesses, people, strict=True))
            every[sizes] = sum(parts, Fraction(0))
        for n in {3, total, rng.randint(3, total)}:
            plan = plan_strata(WARNER, shares, guesses, n=n, population=total, fast=True)
            assert plan.n == n
            assert plan.variance == every[plan.sizes] == min(v for sizes, v in every.items() if sum(sizes) == n)
            assert plan.proportional >= plan.variance
        goal = rng.choice(sorted(every.values()))
        plan = plan_strata(WARNER, shares, guesses, variance=goal, population=total, fast=True)
        assert plan.variance <= goal
        assert plan.n == min(sum(sizes) for sizes, v in every.items() if v <= goal)
        with pytest.raises(InfeasibleError, match="not even all"):
            plan_strata(WARNER, shares, guesses, variance=min(every.values()) * Fraction(4, 5), population=total)


EFFECT = {"margin": "0.07", "population": 5000, "sample": SampleConditions(design_effect="1.3")}


def test_strata_are_posed_twice() -> None:
    for given in ({"margin": "0.06", "population": 5000}, {"n": 1150, "population": 1200}, {"margin": "0.1"}, EFFECT):
        plan = plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], **given)
        assert float(Fraction(plan.twins.sympy.value)) == pytest.approx(float(plan.variance), rel=1e-9)
        assert plan.twins.cvxpy.posed
        if "margin" in given:
            assert plan.margin == pytest.approx(Z * sqrt(plan.variance), rel=1e-12)
            assert plan.margin <= float(given["margin"])
    plan = plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], n=1150, population=1200, fast=True)
    assert all(n <= people for n, people in zip(plan.sizes, (1080, 120), strict=True))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"population": 1203, "n": 100}, "received N = 1203, of which a stratum is 1082.7"),
        ({"population": 1200, "n": 1201}, "at most 1200 respond"),
        ({"population": 1200}, "the goal is missing"),
        ({"variance": "0.01", "confidence": "0.9"}, "confidence belongs to a margin"),
    ],
)
def test_wrong_strata(given: dict[str, object], told: str) -> None:
    with pytest.raises((InvalidParameterError, InfeasibleError), match=told):
        plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], **given)


def test_design_effects_of_strata_are_printed() -> None:
    sample = SampleConditions(cluster_size=20, intraclass_correlation="0.05")
    plan = plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], n=1000, fast=True, sample=sample)
    direct = (Fraction(9, 100), Fraction(1, 4))
    for effect, one in zip(plan.design_effects, direct, strict=True):
        assert effect == 1 + Fraction(19, 20) * one / (one + Fraction(3, 4))  # 1 + kappa S/V, V = S + 3/4 of warner:3/4
    assert dict(plan.lines())["design effect of each stratum"] == plan.effects_in_words
    assert "design effect of each stratum" not in dict(
        plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], n=1000, fast=True).lines()
    )


def test_declared_conditions_hold_in_a_finite_population(tmp_path: Path) -> None:
    """As for any other plan; a census has none."""
    path = tmp_path / "survey.toml"
    path.write_text(
        'response_rate = "40%"\ndesign_effect = 1.4\nepsilon = "none"\n[questions.sick]\nquestion = "Sick?"\n'
        'categories = ["no", "yes"]\ndevice = "warner:3/4"\n'
    )
    goal = {"population": 10000, "prevalence": "1/10", "margin": "0.05"}
    given = rropt.plan(WARNER, response_rate="40%", design_effect="1.4", **goal)
    assert rropt.Survey.read(path).plan("sick", **goal).n == given.n > rropt.plan(WARNER, **goal).n
