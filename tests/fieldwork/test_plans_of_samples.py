"""Plans for real surveys: closed formulas of the textbooks, and clusters enumerated one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from few_rows import few_rows
from plans import planned

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError
from rropt.inference import variance_at
from rropt.plans.group_plans import plan_difference
from rropt.plans.mean_plans import variance_of_report

QUARTER = Fraction(1, 4)


def z_of(alpha: float) -> float:
    return NormalDist().inv_cdf(1 - alpha / 2)


def cluster_variance(device: Any, pi: Fraction, rho: Fraction, m: int) -> Fraction:
    """Return m Var of the mean estimate of one cluster, by enumeration of its true answers and its reports.

    With probability rho all members share one true answer, else theirs are independent: the correlation is rho.
    """
    slope = device.p00 + device.p11 - 1
    first = second = Fraction(0)
    for answers in product((0, 1), repeat=m):
        one = math.prod((pi if x else 1 - pi for x in answers), start=Fraction(1))
        same = (pi if answers[0] else 1 - pi) if len(set(answers)) == 1 else Fraction(0)
        chance = rho * same + (1 - rho) * one
        for reports in product((0, 1), repeat=m):
            p = chance * math.prod((device.matrix[z][x] for z, x in zip(reports, answers, strict=True)), start=1)
            mean = (Fraction(sum(reports), m) - (1 - device.p00)) / slope
            first, second = first + p * mean, second + p * mean * mean
    assert first == pi
    return m * (second - first * first)


@pytest.mark.parametrize("text", ["warner:3/4", "forced:2/3,1/6,1/6", "warner:1"])
def test_clusters_have_the_enumerated_variance(text: str) -> None:
    device, pi, rho = rropt.Mechanism(text), Fraction(1, 5), Fraction(1, 10)
    for m in (1, 2, 4):
        found = planned(device, variance="1/1000", prevalence=pi, cluster_size=m, icc=rho)
        wanted = cluster_variance(device, pi, rho, m)
        assert found.found.n == math.ceil(wanted * 1000)
        assert found.sample.design_effect == wanted / variance_at(device, [1 - pi, pi])
        kish = 1 + (m - 1) * rho
        assert found.sample.design_effect <= kish
        assert text != "warner:1" or found.sample.design_effect == kish
        assert found.sample.clusters == math.ceil(Fraction(found.found.n, m))


def test_the_worst_prevalence_of_clusters_is_the_worst_of_a_grid() -> None:
    device = rropt.Mechanism("forced:1/3,1/2,1/6")
    kappa = 19 * Fraction(1, 20)
    grid = [Fraction(i, 2000) for i in range(2001)]
    worst = max(variance_at(device, [1 - p, p]) + kappa * p * (1 - p) for p in grid)
    found = planned(device, variance="1/100", cluster_size=20, icc="1/20").found
    assert 0 <= found.n - math.ceil(worst * 100) <= 1  # the worst prevalence may lie between two points of the grid


@pytest.mark.parametrize("goal", ["variance", "standard_error"])
def test_a_design_effect_multiplies_before_it_is_rounded(goal: str) -> None:
    n_var = variance_at(rropt.Mechanism("warner:3/4"), None)
    for effect in ("1.95", "1.0001", "0.7", "3"):
        found = planned("warner:3/4", **{goal: "1/100"}, design_effect=effect)
        bound = Fraction(1, 100) if goal == "variance" else Fraction(1, 10_000)
        assert found.found.n == math.ceil(n_var * Fraction(effect) / bound)


def test_a_normal_margin_follows_the_textbook() -> None:
    """n = z^2 D p (1 - p)/h^2; people to select are n over the response rate, rounded up."""
    for effect, rate, regions in (("1", "0.6", 1), ("1.5", "1", 16), ("2.25", "0.37", 7)):
        conditions = {"design_effect": effect, "response_rate": rate, "regions": regions}
        plan = planned("warner:1", margin="0.03", interval="normal", **conditions)
        n = z_of(0.05) ** 2 * float(Fraction(effect)) * 0.25 / 0.03**2
        assert plan.found.n == math.ceil(n)
        assert plan.sample.selected == math.ceil(plan.found.n / Fraction(rate))
        assert (plan.sample.total, plan.sample.total_selected) == (
            regions * plan.found.n,
            regions * plan.sample.selected,
        )
        at_once = planned("warner:1", margin="0.03", interval="normal", **conditions, simultaneous=True)
        n = z_of(0.05 / regions) ** 2 * float(Fraction(effect)) * 0.25 / 0.03**2
        assert at_once.found.n == math.ceil(n)


@pytest.mark.parametrize("interval", ["normal", "wilson", "chebyshev", "exact"])
def test_every_interval_counts_n_over_the_design_effect(interval: str) -> None:
    plain = planned("warner:3/4", margin="0.06", interval=interval).found
    for effect in (Fraction(3, 2), Fraction(7, 5)):
        found = planned("warner:3/4", margin="0.06", interval=interval, design_effect=effect).found
        assert (plain.n - 1) * effect < found.n <= math.ceil(plain.n * effect)
        assert found.achieved <= 0.06
        achieved = planned("warner:3/4", n=found.n, design_effect=effect).found.margins[interval]
        assert achieved == found.achieved
        fewer = planned("warner:3/4", n=found.n - 1, design_effect=effect).found.margins[interval]
        assert fewer > 0.06


@pytest.mark.parametrize("test", ["exact", "normal"])
def test_a_power_counts_n_over_the_design_effect(test: str) -> None:
    plain = planned("warner:3/4", power="0.9", prevalence="1/5", test=test).found
    found = planned("warner:3/4", power="0.9", prevalence="1/5", test=test, design_effect="1.5").found
    assert (plain.n - 1) * 1.5 < found.n <= math.ceil(plain.n * 1.5)
    regions = planned("warner:3/4", power="0.9", prevalence="1/5", test=test, regions=5, simultaneous=True)
    alone = planned("warner:3/4", power="0.9", prevalence="1/5", test=test, significance="0.01")
    assert regions.found.n == alone.found.n


def test_each_category_has_its_margin() -> None:
    shares = [Fraction(1, 2), Fraction(3, 10), Fraction(1, 5)]
    device = rropt.Mechanism("grr:3,1/2")
    plan = planned(device, n=1000, population=shares, design_effect="1.4")
    for x, each in enumerate(plan.by_category):
        own = variance_at(device, shares, [int(j == x) for j in range(3)]) * Fraction(14, 10) / 1000
        assert each.proportion == shares[x]
        assert each.standard_error == pytest.approx(math.sqrt(own), rel=1e-12)  # one root of a float
        assert each.margin == pytest.approx(z_of(0.05) * math.sqrt(own), rel=1e-9)  # a quantile of NormalDist
        assert each.margin_at_once == pytest.approx(z_of(0.05 / 3) * math.sqrt(own), rel=1e-9)
    assert max(each.margin_at_once for each in plan.by_category) == pytest.approx(plan.found.margins["normal"])
    worst = planned(device, margin="0.05", interval="normal", cluster_size=8, icc="1/10")
    assert max(each.margin_at_once for each in worst.by_category) == pytest.approx(worst.found.achieved)
    assert worst.by_category[0].proportion is None


def test_clusters_of_several_questions_have_the_variance_of_their_worst_cell() -> None:
    """At a given distribution by the definition, at the worst one by a grid of pairs of cells."""
    device, kappa = rropt.Mechanism("bits:3/4*2"), 9 * Fraction(1, 5)
    shares = [Fraction(2, 5), Fraction(3, 10), Fraction(1, 5), Fraction(1, 10)]
    given: dict[str, Any] = {"variance": "1/1000", "cluster_size": 10, "icc": "1/5"}
    cells = [variance_at(device, shares, [int(j == x) for j in range(4)]) for x in range(4)]
    wanted = max(v + kappa * p * (1 - p) for v, p in zip(cells, shares, strict=True))
    assert planned(device, population=shares, **given).found.n == math.ceil(1000 * wanted)
    worst = Fraction(0)
    for t in (Fraction(i, 100) for i in range(101)):
        for z in range(1, 4):
            pi = [t if j == 0 else (1 - t if j == z else Fraction(0)) for j in range(4)]
            worst = max(worst, variance_at(device, pi, [1, 0, 0, 0]) + kappa * t * (1 - t))
    found = planned(device, **given).found.n
    assert 0 <= found - math.ceil(1000 * worst) <= 1  # between two points of the grid: 1000/4 of a step squared
    uniform = variance_at(device, [QUARTER] * 4, [1, 0, 0, 0]) + kappa * QUARTER * 3 * QUARTER
    assert planned(device, population="uniform", **given).found.n == math.ceil(1000 * uniform)


def test_the_largest_order_has_the_design_effect() -> None:
    plan = planned("bits:3/4*10", n=100_000, standard_error="0.01", design_effect=2).found
    assert plan.order == 3
    assert plan.variances[:3] == tuple(2 * Fraction(x) for x in ("1", "133/64", "279/64"))
    assert plan.standard_errors[3] > 0.01 > plan.standard_errors[2]
    with pytest.raises(InvalidParameterError, match="give the design effect"):
        planned("bits:3/4*3", n=10, variance="1", cluster_size=2, icc="1/2")


@pytest.mark.slow
def test_two_regions_differ_by_a_margin() -> None:
    """About n = z^2 D (v_1 + v_2)/h^2 with the variances of one response; the score interval is a little wider."""
    device = rropt.Mechanism("forced:2/3,1/6,1/6")
    one, other = Fraction(1, 10), Fraction(1, 5)
    v = sum(float(variance_at(device, [1 - p, p])) for p in (one, other))
    plan = planned(device, groups=[one, other], margin="0.05", design_effect="1.3", response_rate="0.6")
    normal = math.ceil(z_of(0.05) ** 2 * 1.3 * v / 0.05**2)
    assert normal <= plan.n <= 1.01 * normal
    assert plan.sample.selected == math.ceil(plan.n / Fraction(3, 5))
    assert plan.power is None
    regions = planned(device, groups=[one, other], margin="0.05", regions=16, simultaneous=True)
    assert regions.n == pytest.approx(z_of(0.05 / 120) ** 2 * v / 0.05**2, rel=0.002)  # 120 pairs of 16 regions
    assert regions.sample.total == 16 * regions.n
    same = planned(device, groups=[one, one], margin="0.05")
    spread = float(variance_at(device, [1 - one, one]))
    assert same.n == pytest.approx(z_of(0.05) ** 2 * 2 * spread / 0.05**2, rel=0.005)


def test_two_regions_have_a_power() -> None:
    device = rropt.Mechanism("warner:1")
    plain = plan_difference(device, ["0.4", "0.5"])
    found = planned(device, groups=["0.4", "0.5"], power="0.8", design_effect=2)
    assert 2 * (plain.n - 1) < found.n <= 2 * plain.n
    assert found.power == pytest.approx(plain.power, abs=1e-3)  # one respondent more or less
    few = planned("warner:3/4", groups=["0.1", "0.5"], design_effect="1.5")
    assert (few.n, few.exact) == (math.ceil(95 * 1.5), True)
    one_less = planned("warner:3/4", groups=["0.1", "0.5"], n=few.n - 1, design_effect="1.5")
    assert one_less.power < 0.8 <= few.power
    clustered = planned(device, groups=["0.4", "0.5"], cluster_size=11, icc="1/10")
    assert clustered.sample.design_effect == 2
    assert clustered.n == found.n
    assert "people to select, each group" in planned(device, groups=["0.4", "0.5"], response_rate=1).summary()


def test_strata_and_means_have_a_design_effect() -> None:
    strata = {"strata": ["0.9:0.1", "0.1:0.5"], "fast": True}
    plain = planned("warner:3/4", **strata, n=1000)
    found = planned("warner:3/4", **strata, n=1000, design_effect=2, response_rate="1/2", cluster_size=10)
    assert (found.variance, found.sizes) == (2 * plain.variance, plain.sizes)
    assert found.selected == tuple(2 * n for n in plain.sizes)
    assert found.clusters == tuple(math.ceil(n / 10) for n in plain.sizes)
    assert planned("warner:3/4", **strata, variance=found.variance, design_effect=2).n <= 1000
    with pytest.raises(InvalidParameterError, match="the strata are the regions"):
        planned("warner:3/4", **strata, n=1000, regions=2)
    score = rropt.Mechanism("thresholds:1..5,2/3")
    shares = [Fraction(1, 5)] * 5
    own = variance_of_report(score, shares)
    clustered = own + 9 * Fraction(1, 10) * 2  # the variance of 1, ..., 5 is 2
    mean = planned(score, variance="1/100", population=shares, cluster_size=10, icc="0.1")
    assert mean.n == math.ceil(100 * clustered)
    assert mean.standard_error == pytest.approx(math.sqrt(clustered / mean.n))
    grid = [Fraction(i, 400) for i in range(401)]
    ends = max(variance_of_report(score, [1 - t, 0, 0, 0, t]) + Fraction(9, 10) * 16 * t * (1 - t) for t in grid)
    worst = planned(score, variance="1/100", cluster_size=10, icc="0.1")
    assert worst.n == math.ceil(100 * ends)


def test_a_survey_declares_its_sample(tmp_path: Path) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(
        'design_effect = 1.5\nresponse_rate = "60%"\nregions = 4\nsimultaneous = true\n'
        '[questions.sick]\ndevice = "warner:3/4"\ncategories = ["no", "yes"]\nregions = 8\n'
    )
    survey = rropt_fieldwork.Survey.read(path)
    given = {"design_effect": "1.5", "response_rate": "0.6", "regions": 8, "simultaneous": True}
    declared = rropt.plan.margin(margin="0.1", **survey.plan_arguments("sick"))
    assert declared == planned("warner:3/4", margin="0.1", **given)
    assert survey.planned_sample("sick", ["icc"]).keys() == given.keys() - {"design_effect"}
    for wrong in ("regions = 0", "regions = 1.5", "response_rate = 2", "simultaneous = true", "design_effect = -1"):
        path.write_text(f"{wrong}\n")
        with pytest.raises(rropt.RroptError, match=wrong.partition(" ")[0].replace("_", ".")):
            rropt_fieldwork.Survey.read(path)


@pytest.mark.parametrize(
    ("declared", "given", "left"),
    [
        ("", (), ""),
        ('strata = "s"', (), ""),
        ('weights = "w"', (), "weights (w)"),
        ('weights = "w"\ncluster_size = 5\nicc = 0.1', (), "weights (w)"),
        ('weights = "w"\nclusters = "c"', (), "weights (w) and clusters (c)"),
        ('weights = "w"\nclusters = "c"', ("cluster_size", "icc"), "weights (w)"),
        ('weights = "w"\nclusters = "c"\ndesign_effect = 1.5', (), ""),
        ('weights = "w"\ndesign_effect = 1.5', ("icc",), "weights (w)"),
        ('weights = "w"', ("design_effect",), ""),
    ],
)
def test_a_plan_names_columns_of_the_sample_that_it_does_not_count(
    tmp_path: Path, declared: str, given: tuple[str, ...], left: str
) -> None:
    path = tmp_path / "survey.toml"
    path.write_text(f'{declared}\n[questions.sick]\ndevice = "warner:3/4"\ncategories = ["no", "yes"]\n')
    told = rropt_fieldwork.Survey.read(path).not_planned("sick", given)
    assert told.partition(":")[0] == (f"the plan does not count the declared {left}" if left else "")


def test_the_command_prints_what_a_plan_does_not_count(
    cli: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "survey.toml"
    path.write_text('weights = "w"\n[questions.sick]\ndevice = "warner:3/4"\ncategories = ["no", "yes"]\n')
    asked = ("plan", "margin", "0.1", "--question", "sick", "--survey", str(path))
    status, _, note = cli(*asked)
    assert (status, note.count("does not count the declared weights (w)")) == (0, 1)
    assert cli(*asked, "--design-effect", "1") == (0, cli(*asked, "--design-effect", "1")[1], "")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"design_effect": 0}, "design effect is out of range: received 0"),
        ({"cluster_size": "1/2"}, "cluster size is out of range"),
        ({"cluster_size": 2, "icc": 2}, "intraclass correlation is out of range"),
        ({"icc": "0.1"}, "needs the size of the clusters"),
        ({"icc": "0.1", "cluster_size": 9, "design_effect": 2}, "given twice"),
        ({"response_rate": 0}, "response rate is out of range"),
        ({"regions": 0}, "`regions` is out of range"),
        ({"simultaneous": True}, "give `regions`"),
    ],
)
def test_wrong_conditions_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidParameterError, match=told):
        planned("warner:3/4", margin="0.1", **given)


def test_conditions_do_not_belong_to_a_census() -> None:
    with pytest.raises(InvalidParameterError, match="received `response_rate`; leave it out"):
        planned("warner:3/4", surveyed=True, prevalence="0.1", variance="1/100", response_rate="0.5")
    with pytest.raises(InvalidParameterError, match="an effective number below 1"):
        planned("warner:3/4", n=1, design_effect=2)


@few_rows(2)
@pytest.mark.parametrize(
    "given",
    [{}, {"design_effect": "1"}, {"design_effect": "1.5"}, {"cluster_size": 9, "icc": "0.1"}],
)
def test_records_of_plans_are_read_back(given: dict[str, Any]) -> None:
    more = {**given, "response_rate": "0.3", "regions": 2, "simultaneous": True}
    for asked in (
        {"mechanism": "warner:3/4", "margin": "0.1"},
        {"mechanism": "grr:3,1/2", "n": 100, "population": "uniform"},
        {"mechanism": "warner:3/4", "groups": ["0.1", "0.5"], "margin": "0.1"},
        {"mechanism": "thresholds:1..3,2/3", "margin": "0.1"},
    ):
        plan = planned(**asked, **more)
        assert type(plan).from_dict(plan.to_dict()) == plan


def test_random_questions_count_those_who_are_asked() -> None:
    """Of 20 respondents in a cluster two are asked each of ten questions, if everybody is asked one."""
    given = {"icc": "0.05", "response_rate": "0.5", "regions": 2}
    plan = planned("ask:10,1,3", variance="1/1000", cluster_size=20, **given)
    one = planned("warner:3/4", variance="1/1000", cluster_size=2, icc="0.05")
    assert (plan.asked_each, plan.n) == (one.found.n, 10 * one.found.n)
    assert plan.sample.selected == 2 * plan.n
    assert plan.sample.total_selected == 4 * plan.n
    assert type(plan).from_dict(plan.to_dict()) == plan


def test_the_deciding_category_is_named() -> None:
    """Of a device that treats categories differently, the least precise category by definition; or all alike."""
    device = rropt.Mechanism([["3/5", "1/10", "1/5"], ["1/5", "4/5", "1/5"], ["1/5", "1/10", "3/5"]])
    for population, decided in ((["1/3"] * 3, "categories 0, 2"), (["4/5", "1/10", "1/10"], "category 0")):
        plan = planned(device, margin="0.05", interval="normal", population=population)
        errors = {one.category: one.standard_error for one in plan.by_category}
        worst = sorted(name for name, error in errors.items() if error > max(errors.values()) * (1 - 1e-9))
        assert plan.decided_by.startswith(decided), plan.decided_by
        assert decided.partition(" ")[2] == ", ".join(worst)
        assert max(one.margin_at_once for one in plan.by_category) <= 0.05
        assert dict(plan.lines())["decided by"] == plan.decided_by
    # the estimators e_j of the proportions: each row is orthogonal to the other columns, so a cross product of two
    columns = [[row[j] for row in device.matrix] for j in range(3)]
    ranges = []
    for j in range(3):
        (a, b, c), (x, y, z) = columns[(j + 1) % 3], columns[(j + 2) % 3]
        normal = (b * z - c * y, c * x - a * z, a * y - b * x)
        scale = sum(u * v for u, v in zip(normal, columns[j], strict=True))
        ranges.append(max(u / scale for u in normal) - min(u / scale for u in normal))
    widest = [str(j) for j in range(3) if ranges[j] == max(ranges)]
    assert len(widest) < 3
    said = planned(device, margin="0.05").decided_by
    assert said.partition(" ")[2].partition(", the")[0] == ", ".join(widest)
    assert planned("grr:4,1/2", margin="0.05").decided_by == "every category alike"
    assert planned("grr:4,1/2", n=100).decided_by is None
    assert planned("warner:3/4", margin="0.05").decided_by is None


@pytest.mark.parametrize(
    ("given", "words", "number"),
    [
        ({"mechanism": "warner:3/4"}, "worst", None),
        ({"mechanism": "warner:3/4", "prevalence": "1/4"}, None, "prevalence"),
        ({"mechanism": "bits:3/4*2", "population": "uniform"}, "uniform", None),
        ({"mechanism": "grr:3,1/2", "contrast": [1, -1, 0], "population": ["1/2", "1/4", "1/4"]}, None, None),
    ],
)
def test_a_column_of_the_frame_of_a_plan_has_numbers_or_words(
    given: dict, words: str | None, number: str | None
) -> None:
    plan = planned(**given, variance="1/100")
    ((_, row),) = plan.to_frame().iterrows()
    assert row.get("distribution") == words
    assert "population" not in row
    assert number is None or isinstance(row[number], float)
    assert type(plan).from_dict(plan.to_dict()) == plan
