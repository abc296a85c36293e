"""Plans: published power, least integers against brute force, and plans that invert what they plan for."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import pytest
from every_case import every_case
from few_rows import few_rows
from hypothesis import given
from hypothesis import strategies as st
from later import later
from plans import margin, plan_margin, plan_power, plan_variance, planned, power, variance

import rropt
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.inference import INTERVAL_KINDS, confidence_interval, estimate
from rropt.inference.distributions import critical_share, exact_tail, lower_tail_bound, normal_quantile
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.plans.exact_quantities import critical_count, exact_test
from rropt.plans.plan import Quantity, least, least_lasting

scipy = later("scipy")

DIE = named_mechanism("forced:2/3,1/6,1/6")


def test_power_of_the_package_rr() -> None:
    """R package rr, power.rr.test: forced response 2/3, 1/6, 1/6, n = 200, 0.2 against 0, one-sided 0.01."""
    assert f"{power(DIE, 200, prevalence='0.2', null=0, significance='0.01', test='normal'):.7f}" == "0.9868872"


@pytest.mark.slow
@every_case("sided", ["one", "two"])
@every_case(("null", "truth"), [("0", "1/5"), ("1/2", "1/5"), ("1", "9/10"), ("1/10", "1/4")])
@every_case("name", ["forced:2/3,1/6,1/6", "crosswise:1/4", "warner:1", "generalised:1,1/4"])
def test_power_against_scipy(name: str, null: str, truth: str, sided: str) -> None:
    """The exact power from scipy's binomial in floats, the normal one from its formula on the scale of prevalences."""
    mechanism, n, significance = named_mechanism(name), 150, 0.05
    slope = float(mechanism.p00 + mechanism.p11 - 1)
    shares = [float(1 - mechanism.p00) + float(Fraction(value)) * slope for value in (null, truth)]
    tail = significance / (1 if sided == "one" else 2)
    counts = range(n + 2)
    upper = next(k for k in counts if scipy.stats.binom.sf(k - 1, n, shares[0]) <= tail)
    lower = next((k for k in reversed(range(-1, n + 1)) if scipy.stats.binom.cdf(k, n, shares[0]) <= tail), -1)
    above, below = scipy.stats.binom.sf(upper - 1, n, shares[1]), scipy.stats.binom.cdf(lower, n, shares[1])
    expected = above + below if sided == "two" else above if shares[1] > shares[0] else below
    arguments = {"prevalence": truth, "null": null, "significance": significance, "sided": sided}
    assert power(mechanism, n, **arguments) == pytest.approx(expected, abs=1e-9)
    z = NormalDist().inv_cdf(1 - tail)
    errors = [math.sqrt(max(share * (1 - share), 0.0) / n) / abs(slope) for share in shares]
    distance = abs(float(Fraction(truth)) - float(Fraction(null)))
    normal = _phi((distance - z * errors[0]) / errors[1]) if errors[1] > 1e-12 else 1.0
    if sided == "two" and errors[1] > 1e-12:
        normal += _phi((-distance - z * errors[0]) / errors[1])
    assert power(mechanism, n, **arguments, test="normal") == pytest.approx(normal, abs=1e-9)


def _phi(x: float) -> float:
    return (1 + math.erf(x / math.sqrt(2))) / 2


@pytest.mark.slow
@given(st.integers(0, 60), st.fractions(0, 1, max_denominator=20), st.fractions("1/1000", "1/2", max_denominator=1000))
def test_critical_count_is_the_least_significant(n: int, null: Fraction, tail: Fraction) -> None:
    k = critical_count(n, null, tail)
    assert exact_tail(k, n, null) <= tail
    assert k == 0 or exact_tail(k - 1, n, null) > tail


@pytest.mark.slow
def test_exact_power_plans_against_brute_force(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """N is the least number from which on every n has the power: all n up to 3 N are looked at, and N - 1 fails."""
    plans = 0
    while plans < size(8, 60):
        p00, p11, null, truth = (Fraction(rng.randint(0, 20), 20) for _ in range(4))
        if abs(p00 + p11 - 1) * abs(null - truth) < Fraction(1, 5):
            continue
        mechanism, goal = Mechanism.binary(p00, p11), Fraction(rng.randint(2, 19), 20)
        sided = rng.choice(["one", "two"])
        arguments = {"prevalence": truth, "null": null, "significance": rng.choice(["0.01", "0.05", "1/2"])}
        plan = plan_power(mechanism, goal=goal, sided=sided, **arguments)
        assert plan.least
        assert plan.achieved == power(mechanism, plan.n, sided=sided, **arguments) >= float(goal) - 1e-15
        enough = [power(mechanism, n, sided=sided, **arguments) >= goal for n in range(1, 3 * plan.n + 10)]
        last = max((n for n, good in enumerate(enough, start=1) if not good), default=0)
        assert plan.n == last + 1
        plans += 1
    assert plans == size(8, 60)


@pytest.mark.slow
def test_plan_and_power_invert_each_other(rng: random.Random, size: Callable[[int, int], int]) -> None:
    plans = 0
    for _ in range(size(60, 1000)):
        n = rng.randint(2, 400)
        arguments = {"prevalence": Fraction(rng.randint(2, 40), 100), "sided": rng.choice(["one", "two"])}
        arguments["significance"] = rng.choice(["0.01", "0.05"])
        reached = power(DIE, n, test="normal", **arguments)
        if not 0 < reached < 1 - 1e-12 or power(DIE, n - 1, test="normal", **arguments) > reached - 1e-12:
            continue
        down = Fraction(reached) - Fraction(1, 10**14)  # the power is a rounded number: a hair below it
        assert plan_power(DIE, goal=down, test="normal", **arguments).n == n
        goal = Fraction(rng.randint(10, 99), 100)
        plan = plan_power(DIE, goal=goal, test="normal", **arguments)
        assert power(DIE, plan.n, test="normal", **arguments) >= float(goal) - 1e-15
        assert plan.n == 1 or power(DIE, plan.n - 1, test="normal", **arguments) < float(goal)
        plans += 1
    assert plans > size(60, 1000) // 2
    plan = plan_power(DIE, prevalence="0.2", goal="0.9868872", significance="0.01", test="normal")
    assert plan.n == 201  # 200 answers reach 0.98688716, a little less than the printed figure
    assert plan_power(DIE, prevalence="0.2", goal="0.986887", significance="0.01", test="normal").n == 200


@pytest.mark.parametrize("kind", sorted(INTERVAL_KINDS))
@few_rows(1)
@pytest.mark.parametrize("prevalence", [None, "1/4", "0", "9/10"])
@few_rows(1)
@pytest.mark.parametrize("name", ["forced:2/3,1/6,1/6", "crosswise:1/4", "generalised:1,1/4"])
def test_margins_against_brute_force(name: str, prevalence: str | None, kind: str) -> None:
    mechanism = named_mechanism(name)
    arguments = {"kind": kind, "confidence": "0.9", "prevalence": prevalence}
    if kind == "normal" and name == "generalised:1,1/4" and prevalence == "0":
        with pytest.raises(InvalidParameterError, match="cannot be planned here"):
            plan_margin(mechanism, "0.1", **arguments)
        return
    goal = Fraction(3, 20)
    plan = plan_margin(mechanism, goal, **arguments)
    assert plan.least
    assert plan.achieved == margin(mechanism, plan.n, **arguments)
    first, end = max(1, plan.n - 10), plan.n + (30 if kind == "exact" else 3)
    enough = [margin(mechanism, n, **arguments) <= goal for n in range(first, end)]
    last = max((n for n, good in enumerate(enough, start=first) if not good), default=0)
    assert plan.n == last + 1


def test_planned_margin_is_the_margin_of_the_estimate() -> None:
    """With n answers that come in as expected, the interval of the estimate has the planned margin."""
    checked = 0
    for kind in INTERVAL_KINDS:
        plan = plan_margin(DIE, "0.05", kind=kind, prevalence="1/4")  # lambda = 1/3
        n = plan.n + (-plan.n) % 3
        ends = confidence_interval(estimate(DIE, yes=n // 3, n=n), kind=kind)
        assert float(ends.margin) == pytest.approx(margin(DIE, n, kind=kind, prevalence="1/4"), rel=1e-12)
        assert ends.margin <= Fraction(1, 20)
        checked += 1
    assert checked == 4


@pytest.mark.slow
def test_worst_prevalence() -> None:
    """Without a guess: the share of answers 1 nearest to 1/2 that the mechanism can give."""
    assert plan_margin(DIE, "0.05").n == plan_margin(DIE, "0.05", prevalence="1/2").n
    away = named_mechanism("generalised:1,1/4")  # shares from 0 to 1/4: the worst is prevalence 1
    assert plan_variance(away, "1/100").n == plan_variance(away, "1/100", prevalence=1).n
    assert all(plan_margin(DIE, "0.05").n >= plan_margin(DIE, "0.05", prevalence=Fraction(i, 10)).n for i in range(11))


@pytest.mark.slow
@given(
    st.fractions(0, 1, max_denominator=20),
    st.fractions(0, 1, max_denominator=20),
    st.fractions(0, 1, max_denominator=20),
    st.fractions("1/100000", 2, max_denominator=10**6),
)
def test_variance_is_an_exact_ceiling(p00: Fraction, p11: Fraction, prevalence: Fraction, goal: Fraction) -> None:
    if p00 + p11 == 1:
        return
    mechanism = Mechanism.binary(p00, p11)
    n = plan_variance(mechanism, goal, prevalence=prevalence).n
    assert variance(mechanism, n, prevalence=prevalence) <= goal
    assert n == 1 or variance(mechanism, n - 1, prevalence=prevalence) > goal
    # the plug-in variance of an estimate whose answers come in as expected is this variance
    share = (1 - prevalence) * (1 - p00) + prevalence * p11
    total = share.denominator
    plugged = estimate(mechanism, yes=share.numerator, n=total).variance((Fraction(0), Fraction(1)))
    assert plugged == variance(mechanism, total, prevalence=prevalence)


def test_ties_of_rational_plans_are_exact() -> None:
    # Chebyshev at lambda = 1/2: half the width is c/(2 sqrt(n + c^2)), c^2 = 20; 1/20 is reached at n = 1980 exactly
    direct = named_mechanism("warner:1")
    assert plan_margin(direct, "0.05", kind="chebyshev", prevalence="1/2").n == 1980
    assert plan_margin(direct, Fraction(1, 20) - Fraction(1, 10**40), kind="chebyshev", prevalence="1/2").n == 1981
    assert plan_variance(direct, "1/400", prevalence="1/2").n == 100
    assert plan_variance(direct, Fraction(1, 400) - Fraction(1, 10**40), prevalence="1/2").n == 101


def test_relabelled_mechanisms_need_the_same_numbers() -> None:
    swapped = Mechanism.binary(1 - DIE.p00, 1 - DIE.p11)
    arguments = {"prevalence": "1/7", "null": "1/3", "goal": "0.9"}
    assert plan_power(DIE, **arguments) == plan_power(swapped, **arguments)
    for kind in INTERVAL_KINDS:
        here, there = (plan_margin(m, "0.07", kind=kind, prevalence="1/7") for m in (DIE, swapped))
        assert here.n == there.n


@few_rows(2)
@pytest.mark.parametrize("kind", sorted(INTERVAL_KINDS))
def test_huge_margins_do_not_hang(kind: str) -> None:
    plan = plan_margin(DIE, "1e-6", kind=kind, prevalence="1/4")
    assert 10**12 < plan.n < 2 * 10**13
    assert plan.achieved <= 1e-6 * (1 + 1e-12)
    assert plan.least == (kind != "exact")
    if kind == "exact":  # what is proved to suffice is hardly more than the normal approximation has
        normal = plan_margin(DIE, "1e-6", kind="wilson", prevalence="1/4").n
        assert normal <= plan.n <= normal * (1 + 1e-5)


@pytest.mark.parametrize("test", ["normal", "exact"])
def test_huge_powers_do_not_hang(test: str) -> None:
    plan = plan_power(DIE, prevalence="1e-6", goal="0.9", test=test)
    assert 10**12 < plan.n < 10**13
    assert plan.achieved >= 0.9
    assert plan.least == (test == "normal")
    assert f"{plan.achieved:.5f}" == "0.90000"


@pytest.mark.slow
def test_least_integers_at_the_edge_of_the_search() -> None:
    """Where exact tests are still searched, n - 1 is verified to fail."""
    prevalence = Fraction(1, 16_000)
    plan = plan_power(DIE, prevalence=prevalence, goal="0.9")
    assert plan.least
    assert 5 * 10**8 < plan.n < 10**9
    assert power(DIE, plan.n, prevalence=prevalence) >= 0.9 > power(DIE, plan.n - 1, prevalence=prevalence)


def test_where_floats_are_not_good_enough_n_only_suffices() -> None:
    question = {"prevalence": "1/5", "goal": 1 - Fraction(1, 10**13)}
    assert plan_power(DIE, **question).least  # some hundred answers: searched
    plan = plan_power(named_mechanism("warner:11/20"), **question)
    assert plan.n > 10**4
    assert not plan.least
    assert plan.definition.endswith("a smaller number may do")


@pytest.mark.slow
def test_plans_out_of_reach() -> None:
    for plan in (
        lambda: plan_margin(DIE, "1e-9"),
        lambda: plan_margin(DIE, "1e-300", kind="normal"),
        lambda: plan_power(DIE, prevalence="1e-100"),
        lambda: plan_power(DIE, prevalence="1e-100", test="normal"),
        lambda: plan_variance(DIE, "1e-300"),
    ):
        with pytest.raises(InfeasibleError, match="out of reach"):
            plan()


@given(st.integers(1, 10**15))
def test_least(threshold: int) -> None:
    assert least(lambda n: Fraction(1, n), Fraction(1, threshold)) == threshold


def test_least_lasting_does_not_trust_its_floats() -> None:
    """Doubtful, missing and too fearful floats cost time, not truth."""
    import numpy as np

    lasting = {n: n >= 37 or 5 <= n < 30 for n in range(1, 200)}
    never = lambda n: np.ones(n.shape)  # noqa: E731

    def found(value, floats, enough: int = 150) -> tuple[int, bool]:
        above = lambda n: Fraction(n < enough)  # noqa: E731
        return least_lasting(Quantity("variance", "", value, above, floats), Fraction(1, 2))

    fails = lambda n: Fraction(not lasting[n])  # noqa: E731
    for floats in (lambda n: (n < 37) * 1.0, never):
        assert found(fails, floats) == (37, True)
    assert found(lambda n: Fraction(0), never) == (1, True)
    assert found(lambda n: Fraction(0), never, enough=10**10) == (10**10, False)
    # too bold floats: the number that is returned works, and the one before does not
    assert found(fails, lambda n: (n == 30) * 1.0) == (37, True)


@pytest.mark.parametrize(
    "change",
    [
        {"prevalence": "2"},
        {"prevalence": "0"},
        {"null": "-1"},
        {"null": "x"},
        {"goal": 0},
        {"goal": 1},
        {"significance": 0},
        {"significance": "0.6"},
        {"sided": "three"},
        {"test": "wald"},
    ],
)
def test_bad_power_plans(change: dict[str, object]) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        plan_power(DIE, **({"prevalence": "1/5"} | change))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_bad_plans() -> None:
    for goal in (0, -1, "x", None, float("inf"), 1, 2):
        with pytest.raises(InvalidParameterError):
            plan_margin(DIE, goal)
    for goal in (0, -1, "x", None, float("inf")):
        with pytest.raises(InvalidParameterError):
            plan_variance(DIE, goal)
    with pytest.raises(InvalidParameterError, match="interval is unknown"):
        plan_margin(DIE, "0.1", kind="wald")
    with pytest.raises(InvalidParameterError, match="n is not a count"):
        planned(DIE, n=0)
    with pytest.raises(InvalidParameterError, match="a plan has one goal: received none"):
        planned(DIE)
    with pytest.raises(InfeasibleError, match="p00 \\+ p11 = 1"):
        plan_margin(named_mechanism("warner:1/2"), "0.1")
    with pytest.raises(InvalidParameterError, match="no such option"):
        margin(DIE, 10, kinds="normal")


@pytest.mark.slow
def test_powers_below_one_half_end_too() -> None:
    plan = plan_power(named_mechanism("warner:1"), prevalence="1/2", null="499/1000", goal="0.05", sided="two")
    assert (plan.n, plan.least) == (6030, True)
    for test in ("normal", "exact"):
        plan = plan_power(DIE, prevalence="1/5", goal="1e-20", significance="1e-20", test=test)
        assert plan.n >= 1
        assert plan.achieved >= 1e-20


def test_floats_decide_what_is_true(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Floats call a goal reached only where it is, and nearly always there."""
    import numpy as np

    decided = reached = 0
    for _ in range(size(12, 200)):
        shares = sorted(Fraction(rng.randint(0, 20), 20) for _ in range(2))
        if shares[0] == shares[1]:
            continue
        tail, sided = rng.choice([Fraction(1, 20), Fraction(1, 100)]), rng.random() < 0.5
        test = exact_test("", *shares, tail, is_two_sided=sided)
        first = rng.randint(1, 60)
        numbers = np.arange(first, first + 60, dtype=np.int64)
        exact = [1 - test.at(int(n)) for n in numbers]
        assert test.floats is not None
        for bound, missed in zip(test.floats(numbers[::-1])[::-1], exact, strict=True):
            assert bound >= missed - 1e-15
            decided += bool(bound <= missed * (1 + 1e-6) + 1e-8)
            reached += 1
    assert decided > 0.95 * reached > size(300, 5000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n", "arguments"),
    [  # an interval of 10^8 answers and more, in which the float power of neighbours is often the same
        ("warner:51/100", 255_772_185, {"prevalence": "1/100", "goal": "0.999999"}),
        pytest.param(*("warner:3/4", 692_476_404, {"prevalence": "1/20000", "goal": "0.45"}), marks=pytest.mark.slow),
        pytest.param(  # more than a minute
            *("warner:1", 916_436_814, {"prevalence": "1.1e-6", "null": "1e-6", "goal": "0.9"}),
            marks=pytest.mark.slow,
        ),
        ("warner:1", 24_883_554, {"prevalence": "0.99905", "null": "0.999", "goal": "0.9999999999"}),
    ],
)
def test_large_plans_are_the_least(
    name: str, n: int, arguments: dict[str, str], size: Callable[[int, int], int]
) -> None:
    """n - 1 fails, and n and every number of a sample of larger ones reach the goal, by ball arithmetic."""
    mechanism, goal = named_mechanism(name), Fraction(arguments.pop("goal"))
    plan = plan_power(mechanism, goal=goal, **arguments)
    assert (plan.n, plan.least) == (n, True)
    values = [power(mechanism, m, **arguments) for m in (n - 1, n, *(n + 17 * 3**i for i in range(size(4, 12))))]
    assert values[0] < float(goal) <= min(values[1:])


@pytest.mark.slow
def test_powers_below_one_half_last(rng: random.Random) -> None:
    """What is proved to last does, where the critical share still lies above the true share."""
    proved = 0
    for _ in range(60):
        null = Fraction(rng.randint(0, 15), 20)
        truth = null + Fraction(rng.randint(1, 4), 20)
        tail, goal = Fraction(1, rng.choice([2, 20, 100])), rng.randint(1, 49) / 100
        test = exact_test("", null, truth, tail, is_two_sided=False)
        for n in range(3, 60, 7):
            share = critical_share(null, n, normal_quantile(1 - tail)[1] ** 2)
            if share is not None and lower_tail_bound(share + Fraction(2, n), n, truth) <= 1 - goal:
                assert all(test.at(m) >= goal - 1e-12 for m in range(n, n + 25))
                proved += share + Fraction(2, n) >= truth
                break
    assert proved >= 10


def test_one_answer_has_none_before_it() -> None:
    spinner = named_mechanism("warner:1")
    for one in (
        plan_margin(spinner, "999/1000"),
        plan_variance(spinner, 1),
        plan_power(spinner, prevalence=1, goal="0.1"),
        plan_power(spinner, prevalence=1, goal="0.1", test="normal"),
    ):
        assert one.n == 1
        assert one.definition.startswith("1 is the smallest number from which on ")


@few_rows(1)
@pytest.mark.parametrize(("name", "scale", "asked"), [("warner:1", 1, "1/10"), ("warner:9/10", 0.8, "1/5")])
def test_the_sentence_of_a_plan_is_true(name: str, scale: float, asked: str) -> None:
    """From n on every number suffices and n - 1 does not, by the quantiles of SciPy at the count nearest to n/2."""
    from scipy.stats import beta

    def suffices(n: int) -> bool:
        y = n // 2
        ends = beta.ppf(0.025, y, n - y + 1), beta.ppf(0.975, y + 1, n - y)
        return (ends[1] - ends[0]) / (2 * scale) <= Fraction(asked)

    plan = plan_margin(named_mechanism(name), asked)
    said = f"{plan.n} is the smallest number from which on half the width of the exact interval at "
    assert plan.definition.startswith(said)
    assert f", before it is cut, is at most {100 * Fraction(asked)} points" in plan.definition
    assert not suffices(plan.n - 1)
    assert all(suffices(n) for n in range(plan.n, plan.n + 500))


def test_the_frame_of_strata_has_the_columns_of_what_is_asked() -> None:
    """Respondents alone, with their population, and with clusters and nonresponse."""
    strata = ["0.9:0.1", "0.1:0.5"]
    asked: list[dict[str, object]] = [{}, {"population": 20_000}]
    asked.append({"sample": rropt.plan.Conditions(cluster_size=10, icc="0.05", response_rate="0.8")})
    columns = [
        ["stratum", "n", "spread"],
        ["stratum", "n", "population", "spread"],
        ["stratum", "n", "selected", "clusters", "design_effect", "spread"],
    ]
    plans = [rropt.plan.strata("warner:3/4", strata, n=1000, fast=True, **more) for more in asked]
    assert [[*plan.frame_rows()[0]] for plan in plans] == columns
    for row in plans[-1].frame_rows():
        assert row["selected"] == math.ceil(row["n"] / 0.8)
        assert row["clusters"] == math.ceil(row["n"] / 10)
