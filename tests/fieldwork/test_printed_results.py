"""What results say, each beside figures that follow from the formulas: conclusions, lines and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from few_rows import few_rows
from plans import planned
from table_calls import estimate_table, regress_table

import rropt
import rropt_fieldwork
from rropt.accounting.threat_models import respondent_privacy
from rropt.core.errors import InvalidParameterError
from rropt.estimates import estimates_of_counts
from rropt.estimates.conclusions import difference_sentences
from rropt.estimates.counted import Counted
from rropt.inference import estimate
from rropt.inference.hypothesis_tests import conf_int, value_test
from rropt.inference.interval_estimates import confidence_interval, coverage
from rropt.mechanisms import Mechanism
from rropt.noncompliance.bounds import prevalence_bounds
from rropt.noncompliance.breakdown import breakdown_by_size, breakdown_point, least_noncompliers
from rropt.noncompliance.identified import identified_shares
from rropt.plans import plan_survey
from rropt.plans.finite_plans import asked_variance
from rropt.plans.group_plans import plan_difference, plan_strata
from rropt.plans.plan import expected_precision
from rropt_fieldwork import compare_designs
from rropt_fieldwork.costs.direct_questions import compare_with_direct
from rropt_fieldwork.devices import device_designs
from rropt_fieldwork.devices.device_designs import DevicesAsked, design_devices

PRODUCT = "grr:3,9/10"
F = Fraction
PLACES = np.arange(400)
ROWS: dict[str, Any] = {"g": np.where(PLACES % 2, "a", "b"), "w": 1 + PLACES % 4}
ROWS["z"] = np.where((PLACES % 2 == 1) & (PLACES < 200), 0, (PLACES < 60) | (PLACES % 10 < 3))
ROWS["k"] = np.where(ROWS["z"] == 1, 0, 1 + PLACES % 2)

TWO = {"z": np.array([0] * 40 + [1] * 60), "r": np.array([0] * 20 + [1] * 50 + [0] * 30)}


def _of_counts(mechanism: str, counts: list[int]) -> Any:
    return estimates_of_counts(estimate(mechanism, counts))


def _of_table(column: str, mechanism: str, **options: Any) -> Any:
    return estimate_table(ROWS, column, mechanism, **options)


@pytest.mark.parametrize(
    ("found", "people", "said"),
    [
        (  # (300/1000 - 1/10) / (8/10)
            lambda: _of_counts("warner:9/10", [700, 300]),
            {"unit": "nurses", "population": 5000},
            "Prevalence of the trait: about 25.0 % of all 5,000 nurses (95 % interval: 21.5 to 28.7 %; about 1,250 "
            "people, 1,070 to 1,440).",
        ),
        (
            lambda: _of_counts("warner:9/10", [700, 300]),
            {"population": 5000},
            "Prevalence of the trait: about 25.0 % (95 % interval: 21.5 to 28.7 %).",
        ),
        (  # (500/1000 - 1/20) / (17/20)
            lambda: _of_counts(PRODUCT, [500, 300, 200]),
            {},
            "The largest estimate is that of category 0: about 52.9 % (95 % interval of all 3 categories together: "
            "48.4 to 57.4 %).",
        ),
        (
            lambda: _of_counts(PRODUCT, [400, 400, 200]),
            {},
            "Several categories have the largest estimate: category 0, category 1.",
        ),
        (
            lambda: _of_counts("warner:9/10", [900, 100]),
            {"unit": "nurses", "population": 5000},
            "Prevalence of the trait: at most 2.5 % of all 5,000 nurses (95 % interval: 0 to 2.5 %; at most 127 "
            "people). The survey cannot tell this from zero.",
        ),
        (
            lambda: _of_counts("warner:9/10", [100, 900]),
            {},
            "Prevalence of the trait: at least 97.5 % (95 % interval: 97.5 to 100 %). The survey cannot "
            "tell this from 100 %.",
        ),
        (
            lambda: _of_counts("warner:9/10", [1, 0]),
            {},
            "Prevalence of the trait: the survey says nothing (95 % interval: 0 to 100 %).",
        ),
        (
            lambda: _of_table("z", "warner:9/10"),
            {"unit": "nurses", "population": 4000},
            "z: about 24.4 % of all 4,000 nurses (95 % interval: 18.8 to 30.3 %; about 980 people, 750 to 1,220).",
        ),
        (
            lambda: _of_table("z", "warner:9/10", by="g"),
            {"unit": "nurses", "population": 4000},
            "z: about 24.4 % of all 4,000 nurses (95 % interval: 18.8 to 30.3 %; about 980 people, 750 to 1,220). "
            "b is above a, by about 48.8 points (approximate p < 0.001).",
        ),
        (
            lambda: _of_table("z", "warner:9/10", by="g", weights="w"),
            {"unit": "nurses"},
            "z: about 19.5 % of nurses (approximate 95 % interval: 13.9 to 25.6 %; about 195 people, 139 to 256, of "
            "1,000, the sum of the weights of those who answered). b is "
            "above a, by about 48.8 points (approximate p < 0.001).",
        ),
        (
            lambda: _of_table("k", PRODUCT, weights="w"),
            {"unit": "nurses"},
            "The largest estimate is that of k: 2: about 57.6 % of nurses (approximate 95 % interval of this category "
            "alone: 51.2 to 64.0 %; about 576 people, 512 to 640, of 1,000, the sum of the weights of those who "
            "answered).",
        ),
        (  # (60/100 - 1/10)/(8/10) is the proportion of yes to z
            lambda: rropt_fieldwork.TableResponses(["z", "r"], "bits:9/10*2", data=TWO).estimate(joint=True),
            {"unit": "nurses", "population": 1000},
            "Several categories of z, r have the largest estimate: 1, 0; 1, 1.",
        ),
        (
            lambda: _of_table("k", PRODUCT),
            {},
            "The largest estimate is that of k: 2: about 47.1 % (95 % interval of all 3 categories together: 40.0 to "
            "54.2 %).",
        ),
    ],
)
def test_conclusions(found: Callable[[], Any], people: Mapping[str, Any], said: str) -> None:
    assert found().concluded(**people) == said


@pytest.mark.parametrize("population", ["many", 0])
def test_a_conclusion_needs_a_number_of_people(population: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"^population is "):
        _of_table("k", PRODUCT).concluded("nurses", population)


def test_estimates_and_their_precision() -> None:
    assert (
        str(estimate("warner:3/4", yes=60, n=100))
        == "prevalence 7/10 = 0.700 (standard error 0.098) from 100 responses"
    )
    assert str(estimate("grr:3,1/2", [50, 30, 20])).splitlines() == [
        "shares from 100 responses",
        "  0: 1.00 (standard error 0.20)",
        "  1: 1/5 = 0.20 (standard error 0.18)",
        "  2: -1/5 = -0.20 (standard error 0.16)",
    ]
    found = estimate("warner:3/4", yes=60, n=100)
    wider = confidence_interval(found, "0.9")
    assert conf_int(found, "0.1") == (wider.lower, wider.upper)
    assert conf_int(found) == conf_int(found, "1/20")
    assert dict(wider.lines())["from"].startswith("~0.5259")
    told = dict(expected_precision(F(21, 25), 2100, where="at the worst case").lines())
    assert (told["n"], told["standard error"], told["computed"]) == ("2100", "0.02", "at the worst case")
    assert expected_precision(F(21, 25), 2100, "0.9").margins["normal"] == pytest.approx(0.02 * 1.6448536269514722)
    found = planned("warner:3/4", standard_error="1/10", prevalence="1/4").found
    assert str(found).startswith("least n = 94: standard-error 0.09986")  # (15/64)/(1/4) = 15/16
    assert str(replace(found, least=False)).startswith("sufficient n = 94: ")
    # pi (1 - pi) (N - n)/((N - 1) n), and p (1 - p)/((2p - 1)^2 n) of the device
    assert plan_survey("warner:3/4", "1/100", "1/4", population=1000).lines() == [
        ("respondents", "93"),
        ("goal", "variance"),
        ("by the formula, cards whole or not", "93"),
        ("device", "true answer reported with 3/4, the other one with 1/4"),
        ("population", "1000"),
        ("variance of sampling", "907/495504 ~ 0.00183045949"),
        ("variance of the device", "1/124 ~ 0.00806451613"),
        ("variance", "4903/495504 ~ 0.00989497562"),
    ]


def test_a_direct_question_beside() -> None:
    found = compare_with_direct("warner:3/4", [40, 60], 20, 100)
    assert found.lines() == [
        ("randomized", "0.700 (standard error 0.098, 0.494 to 0.893)"),
        ("direct", "0.200 (standard error 0.040, 0.127 to 0.292)"),
        ("difference", "0.50 (standard error 0.11, 0.29 to 0.71)"),
        ("device", "true answer reported with 3/4, the other one with 1/4"),
        ("p-value of no difference", "< 0.001 (two-sided Wald test)"),
        (
            "design effect of the device",
            "4.57 times as many respondents for the same precision",
        ),  # 1 + (3/4)/(7/10 3/10)
        ("respondents for this standard error", "22 direct, 100 randomized, if nobody lies to a direct question"),
    ]
    assert compare_with_direct("warner:3/4", [40, 60], 20, 100, confidence="19/20") == found
    lines = dict(compare_with_direct("warner:3/4", [100, 0], 0, 100).lines())
    assert lines["difference"] == "-0.500 (standard error 0.000, none)"
    told = "not tested: the randomized and direct responses are all equal, so their standard error 0 does not measure"
    assert lines.pop("p-value of no difference") == f"{told} the error"
    assert lines.keys() == {"device", "randomized", "direct", "difference"}


def test_designs_at_one_level_as_lines_and_as_a_table() -> None:
    asked = {"prevalence": "1/4", "respondents": 40, "population": 100, "certify": False}
    found = compare_designs("log(3)", **asked).for_goal(standard_error="1/5")
    lines = dict(found.lines())
    assert lines["survey"] == "prevalence 1/4, a sample of 100 people, 40 respondents"
    assert lines["goal, variance"] == "1/25 = 0.04"
    every = "; ".join(
        f"epsilon: {view} log(3)" for view in ("one response", "all responses", "the sum", "all, belief 0.25")
    )
    assert (
        lines["warner"]
        == f"parameters p = 3/4; {every}; budget met by every view; n Var 19/22; efficiency 1; needed 23"
    )
    assert lines["lower bound"] == "parameters for independent responses; n Var 19/22; efficiency 1; needed 23"
    assert "budget met by one response; n Var 15/22; efficiency 19/15; needed 20" in lines["improved-christofides"]
    assert "budget met by the sum; n Var 133/880; efficiency 40/7; needed 9" in lines["discrete-laplace"]
    ((_, header, rows),) = compare_designs("log(3)", **asked).as_tables()
    assert (header[-1], rows[0][-1], rows[-1][-2:]) == (
        "efficiency",
        "1",
        ("19/22", "1"),
    )  # without a goal: none needed
    free = compare_designs("log(3)", prevalence="1/4", certify=False)
    assert (free["warner"].variance, free.bound) == (F(15, 16), F(15, 16))
    defaults = {"delta": 0, "other": "1/2", "middle": "1/100", "draws": 1, "belief": "1/4", "surveyed": False}
    assert compare_designs("log(3)", prevalence="1/4", certify=False, **defaults) == free
    assert "direct question" not in lines
    assert compare_designs("log(3)", **asked, direct=True)["direct question"].variance == F(5, 44)


def test_what_views_of_a_deck_reveal() -> None:
    deck = rropt.Mechanism("christofides:1/4,1/4,1/2")
    found = respondent_privacy(deck, 8, cards_without_replacement=True, belief=["1/3"], epsilon="log(3)")
    lines = dict(found.lines())
    assert lines["respondents"] == "8, dealt a card each"
    assert lines["one response, seen alone"] == (
        "epsilon = log(2) ~ 0.693147; delta at epsilon = log(3) = 0; meets delta = 0: yes"
    )
    assert lines["all responses, with names, belief 1/3"] == (
        "epsilon = log(4) ~ 1.38629; delta at epsilon = log(3) = 7/972 ~ 0.00720165; meets delta = 0: no"
    )
    assert lines["revealed by"] == (
        "the response 3, given by 0 of the others too: probability 2/243 without the trait, 1/486 with it"
    )
    assert found.remarks() == (
        "cards sampled without replacement make responses dependent: the privacy of one response does not bound that "
        "of all",
        "over all beliefs q epsilon is at least log(2), at q = 1/2, and infinite at 0 and 1: it grows beyond any bound "
        "towards them",
    )
    free = respondent_privacy(rropt.Mechanism("warner:3/4"), 8)
    assert dict(free.lines())["all responses, with names"] == "epsilon = log(3) ~ 1.09861; delta beyond any epsilon = 0"
    assert (free.remarks(), free.meets) == ((), None)
    one = respondent_privacy(deck, 8, cards_without_replacement=True, view="one", belief=["1/3"])
    assert one.remarks() == ()


def test_devices_by_their_variance_and_those_that_are_too_coarse() -> None:
    found = design_devices("log(3)", "1/10", coins=2, deck=20, dice=1, birthday=True, cards=3)
    (_, _, rows), (_, _, lines) = found.as_tables()
    assert [(row[0], row[1], row[-1]) for row in rows] == [
        ("a deck of 20 cards", "10 truth, 5 yes, 5 no", "1"),
        ("2 coin tosses", "2 truth, 1 yes, 1 no", "1"),
        ("the heads of 2 tosses", "2 truth, 1 yes, 1 no", "1"),
        ("a birthday's day", "14 truth, 7 yes, 9 no", "0.9074"),
        ("a die", "2 truth, 1 yes, 3 no", "0.5833"),
        ("cards 1 to 3, added up: proportions", "1/4 = 0.25 x 1, 3/4 = 0.75 x 3", "1"),
        ("20 cards 1 to 3, added up", "5 x 1, 15 x 3", "1"),
        ("certified optimum", "", "1"),
    ]
    assert found.efficiency(F(36, 25)) == F(21, 25) / F(36, 25)
    instructions = dict(lines)
    assert instructions["  yes"] == "11, 12, 13, 14, 15"
    assert "With the trait tell 4 minus its number" in instructions["20 cards 1 to 3, added up"]
    assert (found.name, found.remarks()) == ("a deck of 20 cards", ())
    asked = DevicesAsked(found.level, found.prevalence, None, 2, 1, birthday=False, cards=3, other=None)
    coarse = device_designs._designs(asked, found.optimum)
    assert coarse.name == "cards 1 to 3, added up: proportions"
    assert [remark.partition(":")[0] for remark in coarse.remarks()] == [
        "a deck of 2 cards is too coarse",
        "a coin toss is too coarse",
        "no deck of 2 cards is within the budget and reveals anything",
    ]


@pytest.mark.slow
def test_effects_and_predictions_by_their_formulas() -> None:
    data = {"z": PLACES[:120] % 7 % 2, "x": PLACES[:120] % 5, "g": np.where(PLACES[:120] % 3, "q", "p")}
    data["w"] = w = 1 + PLACES[:120] % 4 / 2
    found = regress_table(data, "z ~ x + g", "warner:9/10", weights="w", starts=1)
    b, other = np.array(list(found.params)), data["g"] == "q"
    low, high = (1 / (1 + np.exp(-(b[0] + b[1] * data["x"] + b[2] * is_other))) for is_other in (0, 1))
    p = np.where(other, high, low)
    slope, step = found.margeff()
    assert (slope.name, slope.estimate) == ("x", pytest.approx(w @ (p * (1 - p)) * b[1] / w.sum(), rel=1e-6))
    assert (step.name, step.estimate) == ("g: q - p", pytest.approx(w @ (high - low) / w.sum()))
    by = found.prevalence("g")
    assert [(one.category, one.group, one.n) for one in by] == [("1", "p", 40), ("1", "q", 80)]
    assert list(by.params) == pytest.approx([w[at] @ p[at] / w[at].sum() for at in (~other, other)])
    (title, header, rows), _ = by.as_tables()
    assert (title, header[-1], rows[1][:2]) == ("Predicted prevalence of 1 by g", "95 % interval", ("q", "80"))
    rows = {"x": np.array([0.0, 4.0]), "g": np.array(["p", "q"])}
    _, header, printed = found.predictions_table(found.predict(rows, interval=True))
    assert [row[0] for row in printed] == ["1", "2"]
    assert float(printed[1][1]) == pytest.approx(1 / (1 + np.exp(-b @ [1, 4, 1])), abs=0.01)
    title, _, rows = found.margeff().first_table(2)
    assert (title, rows[1][0]) == ("Average marginal effects", "g: q - p")
    probit, linear = (
        regress_table(data, "z ~ x", "warner:9/10", model=model, starts=1) for model in ("probit", "linear")
    )
    X = np.array([[1.0, 0.0], [1.0, 4.0]])
    for fit, scale in ((probit, np.vectorize(NormalDist().cdf)), (linear, np.asarray)):
        ends = fit.predict({"x": X[:, 1]}, interval=True)
        eta, error = X @ list(fit.params), np.sqrt(np.diag(X @ fit.cov_params() @ X.T))
        half = 1.959963984540054 * error
        assert ends["low"] == pytest.approx(scale(eta - half))
        assert ends["high"] == pytest.approx(scale(eta + half))
    plain = {"method": "ml", "confidence": "0.95", "information": "observed", "single_psu": "refuse"}
    assert regress_table(data, "z ~ x", "warner:9/10", model="probit", starts=1, **plain) == probit
    gap = probit.predict({"x": np.array([1.0, np.nan])}, interval=True)
    assert [bool(np.isnan(values[1])) for values in gap.values()] == [True] * 4


def test_tests_of_a_value_by_their_formulas() -> None:
    found = estimate("warner:3/4", yes=60, n=100)
    z, cdf = (
        0.2 / float(F(6, 10) * F(4, 10) / 25) ** 0.5,
        NormalDist().cdf,
    )  # the plug-in error: sqrt(l (1 - l)/n) / (2p - 1)
    for alternative, p in (("greater", cdf(-z)), ("less", cdf(z)), ("two-sided", 2 * cdf(-z))):
        assert value_test(found, "1/2", alternative=alternative, kind="normal") == pytest.approx(p)
    assert value_test(found, "1/2") == value_test(found, "1/2", alternative="two-sided", kind="exact")
    assert value_test(found, "7/10") == 1  # twice the smaller tail exceeds 1
    assert value_test(found) == value_test(found, 0)
    for counts, lower in (([100, 0], 1), ([0, 100], 0)):
        for null, upper in ((0, 1), (1, 1)):
            ends = [value_test(estimate("warner:3/4", counts), null, alternative=side) for side in ("greater", "less")]
            assert ends[1 - lower] == upper


def test_differences_that_the_tests_establish() -> None:
    def pair(names: str, estimate: float, p: float, adjusted: float, *, exact: bool) -> Any:
        return SimpleNamespace(first=names[0], second=names[1], estimate=estimate, p=p, adjusted=adjusted, exact=exact)

    many = [
        pair("ab", 0.1, 0.001, 0.02, exact=False),
        pair("ac", -0.2, 0.004, 0.01, exact=True),
        pair("ad", 0.3, 0.003, 0.03, exact=True),
        pair("bc", 0.4, 0.002, 0.049, exact=True),
        pair("bd", 0.5, 0.2, 0.9, exact=True),
    ]
    assert list(difference_sentences(many, F(19, 20))) == [
        "c is above a, by about 20 points (p = 0.010).",
        "a is above b, by about 10 points (approximate p = 0.020).",
        "a is above d, by about 30 points (p = 0.030).",
        "Each p is adjusted over the pairs of groups.",
    ]
    assert "by about 40 points" in " ".join(difference_sentences(many[2:], F(19, 20)))
    assert list(difference_sentences(many[4:], F(19, 20))) == [
        "The test does not establish a difference between groups (p = 0.900)."
    ]
    (said,) = difference_sentences(many, F(999, 1000))
    assert said == "The tests do not establish a difference between groups (smallest adjusted p = 0.010)."
    assert list(difference_sentences([], F(19, 20))) == ["The groups are too many to test their differences."]


def test_the_lines_of_an_estimate() -> None:
    device = rropt.Mechanism("warner:9/10").labelled(["no", "yes"])
    found = estimates_of_counts(estimate(device, [950, 50]))
    lines = dict(found.lines())
    assert lines["yes"].endswith("95 % interval: none")
    assert lines["exactly"] == "-1/16"  # (50/1000 - 1/10)/(8/10)
    assert found["yes"].most_likely == 0
    assert estimates_of_counts(estimate(device, [950, 50]), contrast=[1, 3]).estimate == F(7, 8)  # 1 + 2 (-1/16)
    alone = estimates_of_counts(estimate(device, [700, 300]))
    assert alone.explained_tables()[0][1][4:] == ("95 % exact", "95 % normal", "95 % wilson", "95 % chebyshev")
    assert {"exact", "normal", "wilson", "chebyshev"} <= dict(alone.explained_tables()[-1][2]).keys()
    certain = confidence_interval(estimate("warner:1", yes=0, n=10), kind="normal")
    assert (certain.ends_text(2), certain.emptied) == ("0.00 to 0.00", False)


def test_weighted_figures_by_their_formulas() -> None:
    from scipy.special import fdtrc, stdtr, stdtrit

    groups, w, z = PLACES % 3, np.where(PLACES % 50 == 7, 0, ROWS["w"]), (ROWS["z"] - 0.1) / 0.8
    data = {**ROWS, "h": groups, "w": w}  # rows of weight 0 are sampled, and are no respondents
    found = estimate_table(data, "z", "warner:9/10", by="h", weights="w")
    (compared,) = found.compared()
    shares, errors, sizes = [], [], []
    for place, one in enumerate(found):
        own = groups == place
        W, n = w[own].sum(), int((w[own] > 0).sum())
        p = (w @ np.where(own, z, 0)) / W
        u, total = np.where(own, w * (z - p) / W, 0), np.where(own, w * z, 0)
        variances = [400 / 399 * ((x**2).sum() - x.sum() ** 2 / 400) for x in (u, total)]
        half = stdtrit(n - 1, 0.975) * np.sqrt(variances)
        assert (one.n, one.weight, one.df) == (n, W, n - 1)
        assert (one.estimate, one.se**2) == pytest.approx((p, variances[0]))
        assert (one.total.estimate, one.total.se**2) == pytest.approx((W * p, variances[1]))
        assert tuple(one.total.conf_int(kind="t")) == pytest.approx((W * p - half[1], W * p + half[1]))
        spread = w[own] @ (z[own] - p) ** 2 / W * n / (n - 1)
        assert one.deff == pytest.approx(variances[0] / (spread / n))
        assert one.device_se**2 == pytest.approx((w[own] ** 2 @ (z[own] ** 2 - z[own])) / W**2)
        shares, errors, sizes = [*shares, p], [*errors, variances[0]], [*sizes, n]
    pairs = [(0, 1), (0, 2), (1, 2)]
    for (i, j), one in zip(pairs, compared.differences, strict=True):
        gap, error, freedom = shares[i] - shares[j], (errors[i] + errors[j]) ** 0.5, sizes[i] + sizes[j] - 1
        assert (one.first, one.second, one.degrees_of_freedom) == (str(i), str(j), freedom)
        assert (one.estimate, one.standard_error) == pytest.approx((gap, error))
        assert one.p == pytest.approx(2 * stdtr(freedom, -abs(gap) / error))
        for ends, level in ((one.interval, 0.05), (one.simultaneous, 0.05 / 3)):
            half = stdtrit(freedom, 1 - level / 2) * error
            assert ends == pytest.approx((gap - half, gap + half))
    steps = np.array([shares[1] - shares[0], shares[2] - shares[0]])
    wald = steps @ np.linalg.solve(np.diag(errors[1:]) + errors[0], steps)
    assert compared.test.statistic == pytest.approx(390 / (391 * 2) * wald)
    assert compared.test.p_value == pytest.approx(fdtrc(2, 390, compared.test.statistic))


def test_a_declaration_as_a_table() -> None:
    questions = {
        "z": {"categories": ["no", "yes"], "device": "warner:9/10", "question": "Sick?"},
        "y": {"population": 100, "device": "A"},
    }
    survey = rropt_fieldwork.Survey(title="Nurses", epsilon="log(9)", weights="w", by=["g"], questions=questions)
    missing = ("file", "file, categories, wording, the devices of 'y' are not declared")
    declared = [("title", "Nurses"), ("epsilon", "log(9)"), ("weights", "w"), ("by", "g")]
    assert survey.lines() == [*declared, ("z", missing[0]), ("y", missing[1])]
    header = ("question", "categories", "device", "still missing")
    rows = [("z", "no, yes", "warner:9/10", missing[0]), ("y", "", "A", missing[1])]
    words = [("z", "true answer reported with 9/10, the other one with 1/10")]
    devices = ("Devices", ("question", "device in words"), words)
    assert survey.as_tables() == [("Survey", None, declared), ("Questions", header, rows), devices]
    assert rropt_fieldwork.Survey().declared_names() == "it declares no question"
    many = rropt_fieldwork.Survey(questions={f"q{i}": {} for i in range(21)})
    assert many.declared_names().endswith(", and 1 more")


@pytest.mark.slow
def test_remarks_and_conclusions_of_a_table() -> None:
    one_is_missing = {
        "z": np.array(["1"] * 9 + ["0"] + [""] * 2, object),  # (9/10 - 1/10)/(8/10) = 1 is no proportion outside [0, 1]
        "r": np.array(["1"] * 5 + ["0"] * 6 + [""], object),
    }
    (remark,) = estimate_table(one_is_missing, ["z", "r"], "bits:9/10*2").remarks()
    assert remark.startswith("3 missing answers were left out; the estimates are biased")
    z = np.repeat([1, 0], [25, 75])  # (1/4 - 1/4)/(1/2) = 0, in floats with weights -6.5e-16
    data = {"z": z, "w": np.full(100, 0.3)}
    assert estimate_table(data, "z", "warner:3/4", weights="w").remarks() == ()
    twice = {name: np.r_[column, column] for name, column in one_is_missing.items()} | {"w": np.ones(24)}
    (remark,) = estimate_table(twice, ["z", "r"], "bits:9/10*2", weights="w").remarks()
    assert remark.startswith("6 missing answers were left out, and those who answered are treated as a domain; the")
    uneven = {"z": ROWS["z"], "u": np.where(PLACES % 4 == 0, "few", "many")}
    assert estimate_table(uneven, "z", "warner:9/10", by="u").concluded() == (
        "z: about 24.4 % (95 % interval: 18.8 to 30.3 %). few is above many, by about 32.5 points (approximate "
        "p < 0.001)."
    )
    texts = {"z": np.array(["no", "yes", "yes"], object), "r": np.array(["yes", "no", "no"], object), "w": np.ones(3)}
    for weights in (None, "w"):
        found = estimate_table(texts, ["z", "r"], "bits:9/10*2", categories=["no", "yes"], weights=weights)
        assert all(f"{column}, yes: " in found.concluded() for column in "zr")
    none = {"z": np.zeros(30, int), "g": np.arange(30) % 2}
    assert estimate_table(none, "z", "warner:3/4", by="g").concluded() == (
        "z: no proportion from 0 to 100 % fits these responses; check the mechanism and the responses. The test does "
        "not establish a difference between groups (p = 1.000)."
    )


def test_plans_in_words_and_at_their_limits() -> None:
    half = {"power": "0.9", "prevalence": "1/4", "significance": "1/2"}
    assert planned("warner:3/4", **half).found == planned("warner:3/4", **half, null=0, sided="one").found
    device = rropt.Mechanism([["1/2", "1/4"], ["1/4", "1/4"], ["1/4", "1/2"]])
    for asked, where in (
        ({"prevalence": "1/4"}, "of the prevalence at the prevalence 1/4"),
        ({"contrast": [0, 1], "population": ["3/4", "1/4"]}, "of the contrast (0, 1) at the given distribution"),
    ):
        found = planned(device, variance="1/100", **asked).found
        assert found.definition.endswith(f"on the variance of the unbiased estimate {where} is at most 1/100")
        assert found.n == 294
    strata = plan_strata("warner:3/4", ["1/2", "1/3", "1/6"], ["1/10", "1/5", "1/2"], n=60, fast=True)
    spreads = [F(84, 100), F(91, 100), F(1)]  # 4 l (1 - l)
    for sizes, variance in (((30, 20, 10), strata.proportional), ((29, 20, 11), strata.variance)):
        assert variance == sum(
            w**2 * v / n for w, v, n in zip((F(1, 2), F(1, 3), F(1, 6)), spreads, sizes, strict=True)
        )
    assert (strata.sizes, strata.n) == ((29, 20, 11), 60)
    whole, every = (
        compare_designs("log(3)", prevalence="1/4", respondents=40, certify=False, **asked)
        for asked in ({"population": 40}, {"surveyed": True})
    )
    assert whole["warner"].variance == every["warner"].variance == F(3, 4)
    assert dict(every.lines())["survey"] == "prevalence 1/4, everybody, 40 respondents"


def test_the_table_of_differences() -> None:
    """Of groups of whom one gave equal responses to several devices: its difference has no test."""
    data = {
        "z": [1] * 12 + [0, 1, 1] * 20,
        "g": ["a"] * 12 + ["b", "c"] * 30,
        "d": ["warner:3/4"] * 12 + (["warner:3/4"] * 2 + ["warner:2/3"] * 2) * 15,
    }
    arrays = {name: np.array(column, object if name != "z" else None) for name, column in data.items()}
    found = estimate_table(arrays, "z", devices="d", by="g").differences()
    (_, header, rows), _ = found.as_tables()
    assert header == ("", "n", "estimate", "se", "95 % interval", "p")
    assert [row[0] for row in rows] == ["a - b", "a - c", "b - c"]
    assert [row[-2:] == ("none", "none") for row in rows] == [True, True, False]
    two, one = (_of_table("z", "warner:9/10", **by).lines() for by in ({"by": "g"}, {}))
    assert dict(two)["all equal"].endswith("(approximate)")
    assert dict(two)["differences"].startswith("score: inverts the score test of Miettinen")
    assert "all equal" not in dict(one)


def test_the_device_of_a_finite_sample_by_its_formula() -> None:
    (found,) = estimate_table(ROWS, "z", "warner:9/10", fpc="0.5")
    z = (ROWS["z"] - 0.1) / 0.8
    device, whole = np.mean(z**2 - z) / 400, np.var(z, ddof=1) / 400
    assert found.device_se**2 == pytest.approx(device)
    assert found.shrunk_se**2 == pytest.approx(whole / 2)
    assert found.se**2 == pytest.approx(whole / 2 + device / 2)


FORCED = rropt.Mechanism("forced:2/3,1/6,1/6")
NIGERIA = FORCED, [1604, 831]
PAIR = [(rropt.Mechanism("mangat:1/6"), [60, 340]), (rropt.Mechanism("mangat:5/6"), [260, 140])]


@few_rows(4)
@pytest.mark.parametrize(
    ("call", "options"),
    [
        (lambda **o: _of_table("z", "warner:9/10", by="g", **o), {"confidence": "0.95"}),
        (lambda **o: _of_table("z", "warner:9/10", weights="w", **o), {"single_psu": "refuse", "post_strata": ()}),
        (lambda **o: prevalence_bounds(NIGERIA, theta="0.05", **o), {"model": "adversarial", "confidence": "0.95"}),
        (lambda **o: breakdown_point(NIGERIA, "at least 1/5", **o), {"model": "adversarial", "confidence": None}),
        (
            lambda **o: breakdown_by_size(NIGERIA, "at least 1/5", [100], **o),
            {"model": "adversarial", "confidence": "0.95"},
        ),
        (lambda **o: least_noncompliers(NIGERIA, "0.4", **o), {"model": "adversarial", "confidence": None}),
        (lambda **o: identified_shares(PAIR, **o), {"model": "always-no"}),
        (
            lambda **o: plan_difference(rropt.Mechanism("warner:9/10"), [0, 1], **o),
            {"power": "0.8", "significance": "0.05"},
        ),
        (lambda **o: asked_variance(None, margin="1/10", **o), {"confidence": "0.95"}),
        (lambda **o: confidence_interval(estimate(*NIGERIA), **o), {"confidence": "0.95", "kind": "exact"}),
        (lambda **o: estimates_of_counts(estimate(*NIGERIA), **o), {"confidence": "0.95"}),
        (lambda **o: coverage(FORCED, 5, "1/4", "normal", **o), {"confidence": "0.95"}),
        (lambda **o: expected_precision(1, 10, **o), {"confidence": "0.95", "where": ""}),
    ],
)
def test_defaults(call: Callable[..., Any], options: dict[str, Any]) -> None:
    assert call() == call(**options)


@pytest.mark.parametrize(
    ("mechanism", "names"),
    [
        (Mechanism([["3/4", "1/4"], ["1/4", "3/4"]]), ("no", "yes")),
        (Mechanism([["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "1/4"]]), None),  # the texts are those of three responses
        (Mechanism([["1/2", "1/4"], ["1/2", "3/4"]]).labelled(["a", "b"]), ("a", "b")),
    ],
)
def test_categories_have_the_texts_of_responses_if_they_are_as_many(mechanism: Any, names: Any) -> None:
    labels = (("no", "yes") if mechanism.outputs == 2 else ("no", "yes", "unsure"),)
    report: Any = None
    assert Counted(report, ("q",), (), labels, {"": mechanism}, ()).names_of(0) == names
