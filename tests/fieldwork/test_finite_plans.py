"""Plans of finite populations by trial: margins, differences and strata against the variance of each sample."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import ceil, floor, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
from few_rows import few_rows
from finite_samples import estimate_people
from plans import planned

import rropt
import rropt_fieldwork
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.inference import survey_variance
from rropt.mechanisms import named_mechanism
from rropt.plans import plan_survey
from rropt.plans.group_plans import plan_difference, plan_strata
from rropt.plans.sample_conditions import Conditions

WARNER = named_mechanism("warner:3/4")
Z = NormalDist().inv_cdf(0.975)


def _variance(n: int, prevalence: object, population: int) -> Fraction:
    """Return the variance of n of N people, which test_finite_populations.py compares with every sample."""
    return survey_variance(DrawnAnswers(WARNER, n), prevalence, population).total


def test_a_normal_margin_of_one_sample() -> None:
    normal = {"prevalence": "1/10", "interval": "normal"}
    for population, margin in ((10_000, "0.05"), (700, "0.1"), (2_000, "0.06")):
        plan = plan_survey(WARNER, margin=margin, population=population, **normal)
        found = [Z * sqrt(_variance(n, "1/10", population)) for n in (plan.n, plan.n - 1)]
        assert found[0] <= float(Fraction(margin)) < found[1]
        assert plan.margin == pytest.approx(found[0], rel=1e-12)
        assert plan_survey(WARNER, n=plan.n, population=population, **normal).margin == plan.margin
    assert planned(WARNER, margin="0.05", population=10_000, **normal).n == 1274
    for interval in (None, "normal"):
        with pytest.raises(InfeasibleError, match=r"the margin '0\.01': .+ are needed; at most 700"):
            plan_survey(WARNER, prevalence="1/10", margin="0.01", population=700, interval=interval)
    with pytest.raises(InvalidParameterError, match="received N = 700 and n = 701"):
        plan_survey(WARNER, prevalence="1/10", n=701, population=700)


def _printed(device: str, prevalence: Fraction, n: int, population: int) -> Fraction:
    """Return half the width of the widest interval that rropt estimate prints at the integers next to n lambda."""
    mechanism = named_mechanism(device)
    share = n * (mechanism[1, 0] * (1 - prevalence) + mechanism[1, 1] * prevalence)
    found = (estimate_people(mechanism, [n - y, y], population) for y in {floor(share), ceil(share)})
    return max(interval.margin for one in found if (interval := one[0].conf_int()) is not None)


# the last column has the numbers without population that are known
PLANS = [
    ("generalised:1,1", "0", "0.01", 97_541, 183),
    ("forced:2/3,0,1/3", "0", "0.05", 1_000, 54),
    ("unrelated:1/2,1", "1", "0.05", 1_000, 72),
    ("generalised:1,1", "1/1000", "0.01", 97_541, 276),
    ("warner:3/4", "1/5", "0.15", 400, None),
    ("warner:1/4", "0", "0.2", 300, None),
    ("mangat:2/3", "1/3", "0.2", 90, None),
    ("warner:1", "1/2", "0.1", 120, None),
    ("generalised:3/4,5/6", "0", "0.1", 2_000, None),  # 224 suffice, 225 do not
]


@few_rows(1)
@pytest.mark.parametrize(("device", "prevalence", "margin", "population", "infinite"), PLANS)
def test_a_margin_is_enough_for_the_interval_that_is_printed(device, prevalence, margin, population, infinite) -> None:
    """n suffices and n - 1 does not; nor do later numbers fail; a large population needs what is needed without N."""
    pi, asked = Fraction(prevalence), Fraction(margin)
    plan = plan_survey(named_mechanism(device), margin=margin, prevalence=prevalence, population=population)
    assert plan.interval == "exact"
    assert float(_printed(device, pi, plan.n, population)) == plan.margin
    assert _printed(device, pi, plan.n, population) <= asked < _printed(device, pi, plan.n - 1, population)
    later = range(plan.n + 1, min(plan.n + 40, population + 1))
    assert all(_printed(device, pi, n, population) <= asked for n in later)
    assert type(plan).from_json(plan.to_json()) == plan
    plain = planned(device, margin=margin, prevalence=prevalence).found.n
    assert infinite in (None, plain)
    wide = plan_survey(named_mechanism(device), margin=margin, prevalence=prevalence, population=10**9).n
    assert plan.n - 1 <= wide <= plain + 1  # in steps of 1/N, the ends of a small population can be a little wider
    assert wide >= plain - plain // 20 - 1  # only the latest number that fails is known without population


def test_margins_of_dealt_cards_and_of_more_outputs() -> None:
    """Chebyshev's interval of the expected estimate, with the exact variance; a prevalence of 0 has a width."""
    for dealt, population in ((True, None), (True, 2_000), (False, 2_000)):
        cards = named_mechanism("christofides:1/4,1/4,1/2")
        for pi in (Fraction(0), Fraction(1, 4)):
            plan = plan_survey(
                cards, margin="0.3", prevalence=pi, population=population, cards_without_replacement=dealt
            )
            assert plan.interval == "chebyshev"
            step = 4 if dealt else 1
            found = []
            for n in (plan.n, plan.n - step):
                device = DealtDeck.of(cards, n) if dealt else DrawnAnswers(cards, n)
                at = [float(survey_variance(device, Fraction(i, 2), population or n).total) for i in range(3)]
                bent = np.polyfit([0, 0.5, 1], at, 2)  # the variance is a parabola
                ends = np.roots(np.array([1, -2 * float(pi), float(pi) ** 2]) - 20 * bent)
                found.append(float(np.ptp(ends)) / 2)
            assert found[0] <= 0.3 < found[1]
            assert plan.margin == pytest.approx(found[0], rel=1e-9)
    with pytest.raises(InvalidParameterError, match="the normal interval cannot be planned here"):
        plan_survey(cards, margin="0.3", prevalence=0, interval="normal", cards_without_replacement=True)


@pytest.mark.parametrize(
    "words",
    [
        "finite 97541 --mechanism generalised:1,1 --prevalence 0 --interval normal --margin 0.05",
        "strata 0.9:0,0.1:0 --mechanism forced:2/3,0,1/3 --margin 0.05",
        "strata 0.9:0.2,0.1:0 --mechanism forced:2/3,0,1/3 --population 1000 --margin 0.05",
        "strata 0.9:1,0.1:1/2 --mechanism unrelated:1/2,1 --margin 0.05",
        "margin 0.05 --mechanism grr:3,1 --contrast 1,0,0 --proportions 0,1/2,1/2",
        "margin 0.05 --mechanism bits:1*2 --proportions 1,0,0,0 --interval normal",
    ],
)
def test_no_plan_of_one_respondent(cli, words) -> None:
    """A plug-in width of 0 is refused, whatever is planned."""
    status, out, err = cli("plan", *words.split())
    assert (status, out) == (2, "")
    assert "cannot be planned" in err


@pytest.mark.slow
def test_a_difference_of_two_groups() -> None:
    pair, population = ("1/10", "1/5"), 5000

    def error(n: int) -> float:
        return sqrt(sum(_variance(n, p, population) for p in pair))

    plan = plan_difference(WARNER, pair, margin="0.05", population=population)
    assert Z * error(plan.n) <= plan.margin <= 0.05
    assert plan.margin == pytest.approx(Z * error(plan.n), rel=2e-3)
    assert plan_difference(WARNER, pair, n=plan.n - 1, population=population).margin > 0.05
    assert plan.n < plan_difference(WARNER, pair, margin="0.05").n
    for power in ("0.8", "0.5", "0.95"):
        tested = plan_difference(WARNER, pair, power, population=population)
        found = [NormalDist().cdf(0.1 / error(n) - Z) for n in (tested.n, tested.n - 1)]
        assert found[0] >= float(power) > found[1]
        assert tested.power == pytest.approx(found[0], rel=1e-9)
        assert not tested.exact
    given = plan_difference(WARNER, pair, n=tested.n, population=population)
    assert given.power == tested.power
    assert given.margin == pytest.approx(Z * error(tested.n), rel=2e-3)
    with pytest.raises(InfeasibleError, match="received 300 people in each"):
        plan_difference(WARNER, pair, population=300)
    sample = Conditions(response_rate="1/4")
    with pytest.raises(InfeasibleError, match="of more people selected"):
        plan_difference(WARNER, pair, margin="0.05", population=population, sample=sample)
    assert plan_difference(named_mechanism("warner:1"), ["0", "1"], n=50, population=50).power == 1.0


def _widened(n: int, prevalence: object, population: int, effect: object, clustering: object) -> Fraction:
    """Return D (S^2 (1 - n/N) + v)/n, or with the part of sampling times 1 + kappa: both parts by definition."""
    parts = survey_variance(DrawnAnswers(WARNER, n), prevalence, population)
    return Fraction(effect) * ((1 + Fraction(clustering)) * parts.sampling + parts.device)


SAMPLES = [
    ({"design_effect": "1.4"}, "1.4", 0),
    ({"cluster_size": 10, "icc": "0.2"}, 1, "1.8"),
    ({"response_rate": "0.6", "design_effect": "0.9"}, "0.9", 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("given", "effect", "clustering"), SAMPLES)
def test_conditions_of_a_sample_of_a_finite_population(given: dict, effect: object, clustering: object) -> None:
    """The least n by the stated formula; the correction counts the usable answers, and people are selected for them."""
    for N, margin in ((10_000, "0.06"), (3_000, "0.08")):
        plan = planned(WARNER, prevalence="1/10", margin=margin, population=N, interval="normal", **given)
        found = [Z * sqrt(_widened(n, "1/10", N, effect, clustering)) for n in (plan.n, plan.n - 1)]
        assert found[0] <= float(margin) < found[1]
        assert plan.variance == _widened(plan.n, "1/10", N, effect, clustering)
        assert plan.sample.selected == (ceil(plan.n / 0.6) if "response_rate" in given else None)
        assert "usable answers" in " ".join(plan.summary().split())
        assert type(plan).from_json(plan.to_json()) == plan
        printed = planned(WARNER, prevalence="1/10", margin=margin, population=N, **given)
        assert printed.interval == ("beta" if given.keys() & {"design_effect", "icc"} else "exact")
        assert plan.n < printed.n < 1.1 * plan.n
        assert printed.margin <= float(margin)
        pair, sample = ("1/10", "1/5"), Conditions(**given)
        two = plan_difference(WARNER, pair, margin="0.15", population=(N, 2_000), sample=sample)
        error = [
            Z * sqrt(sum(_widened(n, p, M, effect, clustering) for p, M in zip(pair, (N, 2_000), strict=True)))
            for n in (two.n, two.n - 1)
        ]
        assert error[0] <= two.margin <= 0.15
        assert two.margin == pytest.approx(error[0], rel=0.02)
        assert plan_difference(WARNER, pair, n=two.n - 1, population=(N, 2_000), sample=sample).margin > 0.15
        strata = plan_strata(WARNER, ["3/4", "1/4"], pair, n=400, population=N, sample=sample, fast=True)
        parts = zip((Fraction(3, 4), Fraction(1, 4)), strata.sizes, pair, (3 * N // 4, N // 4), strict=True)
        assert strata.variance == sum(w * w * _widened(n, p, M, effect, clustering) for w, n, p, M in parts)


def test_regions_of_a_finite_population_each_have_n_people() -> None:
    known = {"prevalence": "1/10", "margin": "0.08", "population": 4000, "interval": "normal"}
    plan = planned(WARNER, regions=4, **known)
    assert (plan.n, plan.sample.total) == (planned(WARNER, **known).n, 4 * plan.n)
    together = planned(WARNER, regions=4, simultaneous=True, **known)
    wide = NormalDist().inv_cdf(1 - 0.05 / 8)
    error = [wide * sqrt(_variance(n, "1/10", 4000)) for n in (together.n, together.n - 1)]
    assert error[0] <= 0.08 < error[1]
    assert together.margin == pytest.approx(error[0], rel=1e-12)
    exact = planned(WARNER, regions=4, simultaneous=True, **{**known, "interval": None})
    alone = planned(WARNER, **{**known, "interval": None, "confidence": "0.9875"})
    assert (exact.n, exact.margin) == (alone.n, alone.margin)


def test_what_a_finite_population_cannot_give() -> None:
    for given, told in (
        ({"margin": "0.2", "response_rate": "0.3"}, "at most 30 respond"),
        ({"n": 50, "response_rate": "0.3"}, "at most 30 of 100 respond"),
    ):
        with pytest.raises(InfeasibleError, match=told):
            planned(WARNER, prevalence="1/10", population=100, **given)
    with pytest.raises(InvalidParameterError, match="a census, and a dealt deck"):
        plan_survey(WARNER, n=50, prevalence="1/10", sample=Conditions(response_rate="1/2"))
    with pytest.raises(InvalidParameterError, match="received 3 numbers; give N for both"):
        plan_difference(WARNER, ("1/10", "1/5"), population=(100, 200, 300))
    with pytest.raises(InfeasibleError, match="received 100 people and 900 people"):
        planned(WARNER, groups=("1/10", "1/5"), population=(100, 900))


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


EFFECT = {"margin": "0.07", "population": 5000, "sample": Conditions(design_effect="1.3")}


def test_strata_are_posed_twice() -> None:
    for given in ({"margin": "0.06", "population": 5000}, {"n": 1150, "population": 1200}, {"margin": "0.1"}, EFFECT):
        plan = plan_strata(WARNER, ["9/10", "1/10"], ["1/10", "1/2"], **given)
        assert float(Fraction(plan.twins.sympy.value)) == pytest.approx(float(plan.variance), rel=1e-9)
        assert plan.twins.cvxpy.posed
        if "margin" in given:
            assert plan.margin == pytest.approx(Z * sqrt(plan.variance), rel=0.05)
            assert Z * sqrt(plan.variance) < plan.margin <= float(given["margin"])
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
    sample = Conditions(cluster_size=20, icc="0.05")
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
    given = planned(WARNER, response_rate="40%", design_effect="1.4", **goal)
    size = goal.pop("population")
    declared = rropt.plan.finite(population=size, **goal, **rropt_fieldwork.Survey.read(path).plan_arguments("sick"))
    assert declared.n == given.n > planned(WARNER, population=size, **goal).n
