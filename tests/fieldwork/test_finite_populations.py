"""Finite populations by definition: every sample, every deal and every answer; published figures; plans by trial."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any

import pytest
from few_rows import few_rows
from finite_samples import estimate_people
from outcomes import dealt_answers
from stress import STRESS

import rropt
from rropt import Mechanism
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.answers.responses import Responses
from rropt.core.errors import InfeasibleError, InvalidParameterError
from rropt.core.exact import Epsilon
from rropt.inference import survey_variance
from rropt.inference.finite_populations import finite_population
from rropt.mechanisms import named_mechanism
from rropt.plans import plan_deck, plan_survey
from rropt_proofs.sun2023 import _surveys

Outcomes = list[tuple[tuple[int, ...], Fraction]]
CARDS = Mechanism([["1/2", "1/6"], ["1/3", "1/3"], ["1/6", "1/2"]])
DECKS = [[1, 2], [2, 0, 1], [1, 1, 2], [0, 1, 3], [2, 1, 0, 1], [1, 0, 1, 0, 2]] + [[3, 1, 1], [1, 0, 2, 3]] * STRESS


def _of_census(device: DealtDeck | DrawnAnswers, prevalence: object) -> Fraction:
    return survey_variance(device, prevalence, device.respondents).total


def _drawn(mechanism: Mechanism, x: tuple[int, ...]) -> Outcomes:
    every = product(range(mechanism.outputs), repeat=len(x))
    return [(z, prod(mechanism[i, t] for i, t in zip(z, x, strict=True))) for z in every]


def _sampled(outcomes, n: int, population: int, holders: int) -> tuple[Fraction, Outcomes]:
    """All answers of all samples; and the variance over samples of what is expected of each, times d^2 n^2."""
    traits = (1,) * holders + (0,) * (population - holders)
    samples = list(combinations(traits, n))
    found: Outcomes = []
    means = []
    for x in samples:
        law = outcomes(x)
        means.append(sum(p * sum(z) for z, p in law))
        found += [(z, p / len(samples)) for z, p in law]
    mean = sum(means) / len(means)
    return sum((m - mean) ** 2 for m in means) / len(means), found


def _variance(outcomes: Outcomes, value) -> Fraction:
    mean = sum(p * value(z) for z, p in outcomes)
    return sum(p * (value(z) - mean) ** 2 for z, p in outcomes)


@few_rows(2)
@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_variance_of_a_dealt_deck_by_definition(deck: list[int]) -> None:
    """Theorem 4.1 of Sun, Zhou and Yan for every population, and for samples of larger ones."""
    device, n = DealtDeck(deck), sum(deck)
    scale = (n * device.slope()) ** 2
    for population in (n, n + 1, n + 2):
        for holders in range(population + 1):
            sampling, outcomes = _sampled(lambda x: dealt_answers(deck, x), n, population, holders)
            found = survey_variance(device, Fraction(holders, population), population)
            assert found.sampling == sampling / scale
            assert found.total == _variance(outcomes, sum) / scale
            if population == n:
                pi, deviation = Fraction(holders, n), device.moments(0)[1]
                stated = 4 * pi * (1 - pi) * deviation / ((n - 1) * device.slope() ** 2)
                assert _of_census(device, pi) == found.total == stated


@pytest.mark.parametrize("mechanism", [Mechanism.binary("3/4", "2/3"), CARDS], ids=["yes or no", "cards"])
def test_variance_of_drawn_answers_by_definition(mechanism: Mechanism) -> None:
    for n, population in ((1, 3), (2, 4), (3, 3), (3, 5)):
        device = DrawnAnswers(mechanism, n)
        scale = (n * device.slope()) ** 2
        for holders in range(population + 1):
            sampling, outcomes = _sampled(lambda x: _drawn(mechanism, x), n, population, holders)
            found = survey_variance(device, Fraction(holders, population), population)
            assert found.sampling == sampling / scale
            assert found.total == _variance(outcomes, sum) / scale


def test_superpopulations_by_definition() -> None:
    pi = Fraction(1, 3)
    for device, outcomes in (
        (DealtDeck([2, 1, 1]), lambda x: dealt_answers([2, 1, 1], x)),
        (DrawnAnswers(CARDS, 3), lambda x: _drawn(CARDS, x)),
    ):
        n = device.respondents
        every = [
            (z, p * pi ** sum(x) * (1 - pi) ** (n - sum(x))) for x in product((0, 1), repeat=n) for z, p in outcomes(x)
        ]
        assert survey_variance(device, pi).total == _variance(every, sum) / (n * device.slope()) ** 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dealt", "deck", "n"),
    [(False, [], 3), (True, [2, 1, 1], 4), (False, [], 2), (True, [1, 0, 2], 3)],
    ids=["drawn", "dealt", "two drawn", "three dealt"],
)
def test_estimates_of_both_parts_are_unbiased(dealt: bool, deck: list[int], n: int) -> None:
    """Expected over every sample and every answer they are the exact variances."""
    mechanism = DealtDeck(deck).one_answer() if dealt else CARDS
    device = DealtDeck(deck) if dealt else DrawnAnswers(CARDS, n)
    first = 1 if dealt else 0
    for population in (n, n + 2):
        for holders in range(population + 1):
            _, outcomes = _sampled(
                lambda x: dealt_answers(deck, x) if dealt else _drawn(CARDS, x), n, population, holders
            )
            parts = [Fraction(0)] * 3
            for z, p in outcomes:
                counts = [sum(one == first + i for one in z) for i in range(3)]
                found = finite_population(mechanism, counts, population, is_dealt=dealt)
                for i, part in enumerate((found.estimate, found.variance.sampling, found.variance.device)):
                    parts[i] += p * part
            exact = survey_variance(device, Fraction(holders, population), population)
            assert parts == [Fraction(holders, population), exact.sampling, exact.device]


# 710 of 10 777 students asked by a coin (p = 1/2) a sensitive question or an unrelated one of known share: counts of
# yes in the data HorvitzDataRealSurvey of the R package RRTCS (Cobo, Rueda and Arcos), and the estimates, variances and
# ends of 95 % intervals that its vignette prints.
STUDENTS = {
    "copied": (328, "1/12", "0.8406103", "0.001389716", "0.767545", "0.9136756"),
    "fought": (180, "1/10", "0.4070423", "0.001045196", "0.3436776", "0.4704069"),
    "bullied": (280, "2/3", "0.1220657", "0.001337415", "0.05038851", "0.1937429"),
    "bullying": (81, "1/10", "0.128169", "0.0005597858", "0.08179667", "0.1745414"),
    "drug": (164, "1/3", "0.1286385", "0.000991658", "0.06691805", "0.1903589"),
    "sex": (53, "1/12", "0.06596244", "0.000383954", "0.02755745", "0.1043674"),
}


@pytest.mark.parametrize("item", STUDENTS)
def test_students(cli, item: str) -> None:
    yes, share, estimate, variance, lower, upper = STUDENTS[item]
    words = ("estimate", "--yes", str(yes), "--n", "710", "--mechanism", f"unrelated:1/2,{share}")
    status, out, err = cli(*words, "--population", "10777", "--json")
    assert (status, err) == (0, "")
    record = json.loads(out)
    (row,) = record["rows"]
    assert f"{float(Fraction(row['estimate'])):.7g}" == estimate
    assert f"{row['se'] ** 2:.7g}" == variance
    assert [f"{float(Fraction(end)):.7g}" for end in row["intervals"]["normal"]] == [lower, upper]
    assert record["confidence"] == "19/20"
    told = Fraction(yes, 710)
    assert Fraction(row["estimate"]) == (told - Fraction(share) / 2) * 2
    with_replacement = 4 * told * (1 - told) / 710
    assert row["se"] ** 2 / row["deff"] * 709 / 710 == pytest.approx(float(with_replacement), rel=1e-13)
    _, out, _ = cli(*words, "--json")  # without a population: with replacement
    plain = json.loads(out)
    assert plain["rows"][0]["estimate"] == row["estimate"]
    assert plain["rows"][0]["se"] ** 2 == pytest.approx(float(with_replacement), rel=1e-14)


def test_the_result_in_words() -> None:
    device, counts = named_mechanism("unrelated:1/2,1/12"), [382, 328]
    found = estimate_people(device, counts, 10777)
    lines = dict(found.lines())
    assert list(lines) == [
        "the trait",
        "exactly",
        "interval",
        "sample",
        "se of sampling, device",
        "mechanism",
    ]
    assert lines["the trait"] == "0.841 (se 0.037), 95 % interval: 0.767 to 0.915"
    assert lines["sample"] == "710 of 10,777 people, without replacement"
    assert lines["se of sampling, device"] == "0.013, 0.035"
    parts, row = finite_population(device, counts, 10777), found[0]
    assert row.device_se**2 == pytest.approx(float(parts.variance.device), rel=1e-14)
    assert row.se**2 - row.device_se**2 == pytest.approx(float(parts.variance.sampling), rel=1e-12)
    assert row.shrunk_se**2 == pytest.approx(float(parts.shrunk), rel=1e-14)
    assert row.kinds == ("exact", "chebyshev", "normal")
    assert "every number of people with the trait" in row.conf_int().guarantee
    all_kinds = rropt.estimate(counts, device, population=10777).explain(width=200)
    assert "95 % normal" in all_kinds
    assert "every number of people with the trait" in " ".join(all_kinds.split())  # the guarantee of `exact`, here
    assert "no guarantee at any n" in all_kinds
    assert found.conclusion == "Prevalence of the trait: about 84.1 % (95 % interval: 76.7 to 91.5 %)."
    assert found.concluded("students").startswith("Prevalence of the trait: about 84.1 % of all 10,777 ")
    assert "8,260 to 9,870" in found.concluded("students")
    negative = estimate_people("warner:3/4", [5, 5], 10)
    assert "interval" in negative.conclusion
    assert found.to_dict()["rows"][0]["se"] ** 2 == pytest.approx(float(parts.variance.total))
    below = estimate_people("warner:3/4", [610, 100], 10777)  # (100/710 - 1/4)/(1/2)
    assert below.remarks()[0].startswith("the unbiased estimate -0.21831 lies outside [0, 1]")
    nobody, every = (estimate_people("warner:1", [10, 0], size).remarks() for size in (100, 10))
    assert "10 of 100 people were asked" in nobody[0]
    assert not every


def test_health_insurance() -> None:
    """3 252 599 people, 7.78 % without: 28.7 % of the variance, whatever the deck."""
    device = DealtDeck([813_000, 32_599, 2_407_000])
    drawn = DrawnAnswers(device.one_answer(), 3_252_599, 1)
    pi = Fraction("0.0778")
    ratio = _of_census(device, pi) / _of_census(drawn, pi)
    assert ratio == 4 * 3_252_599 * pi * (1 - pi) / 3_252_598
    assert f"{float(ratio):.1%}" == "28.7%"


@pytest.mark.parametrize(
    ("epsilon", "least", "deck"),
    [
        ("0.01", 36365, (18076, 367, 18257)),
        ("0.05", 1456, (724, 15, 761)),
        ("0.25", 59, (44, 1, 55)),
        ("0.5", 16, (38, 1, 61)),
    ],
)
def test_table_2(epsilon: str, least: int, deck: tuple[int, ...]) -> None:
    """Printed: 36365, 1456, 59, 16. With 1 % of middle cards only multiples of 100 make a deck."""
    plan = plan_deck(epsilon, "0.1", "0.1", middle="0.01")
    assert (plan.formula_n, plan.deck) == (least, deck)
    n = plan.n
    assert n % 100 == 0
    assert plan.variance == _of_census(DealtDeck(deck), "0.1") <= Fraction(1, 10)
    gamma = Epsilon.of(epsilon).gamma_bracket(30)
    assert Fraction(deck[2], deck[0]) <= gamma.lower
    assert Fraction(deck[2] + 1, deck[0] - 1) > gamma.upper  # one card more is too much
    smaller = ((low, k, 99 * k - low) for k in range(-(-least // 100), n // 100) for low in range(1, 99 * k // 2 + 1))
    for cards in smaller:
        if Fraction(cards[2], cards[0]) <= gamma.lower and 2 * cards[0] < 99 * cards[1]:
            assert _of_census(DealtDeck(cards), "0.1") > Fraction(1, 10)


def test_plans_by_trial() -> None:
    goal, pi, points = Fraction(1, 50), Fraction(1, 5), 0
    for name, dealt in (("warner:3/4", False), ("christofides:1/6,1/3,1/2", True)):
        mechanism = named_mechanism(name)
        for population in (None, 60, 500):
            plan = plan_survey(mechanism, goal, pi, population=population, cards_without_replacement=dealt)

            def total(n: int, mechanism=mechanism, dealt=dealt, population=population) -> Fraction:
                device = DealtDeck.of(mechanism, n) if dealt else DrawnAnswers(mechanism, n)
                return survey_variance(device, pi, population or n).total

            step = 6 if dealt else 1
            assert total(plan.n) == plan.variance <= goal
            assert plan.n == step or total(plan.n - step) > goal
            points += 1
    assert points == 6
    assert plan_survey(named_mechanism("warner:3/4"), goal, pi, population=60).n <= 60
    assert plan_survey(named_mechanism("warner:3/4"), 10, pi).n == 2  # a census of one person has no such prevalence


def test_commands(cli) -> None:
    words = ("--prevalence", "0.1", "--json")
    status, out, _ = cli("plan", "deck", *words, "--epsilon", "0.05", "0.01", "--se", "sqrt(0.1)")
    assert status == 0
    assert json.loads(out)["deck"] == [724, 15, 761]
    status, out, _ = cli("plan", "finite", "10000", *words, "--mechanism", "warner:3/4", "--se", "0.02")
    assert (status, json.loads(out)["n"]) == (0, 2054)
    cards = ("--mechanism", "christofides:1/4,1/4,1/2", "--cards-without-replacement")
    status, out, _ = cli("plan", "finite", "census", *words, *cards, "--se", "0.01")
    assert (status, json.loads(out)["deck"]) == (0, [2476, 2476, 4952])
    status, out, _ = cli("estimate", "--counts", "10,11,11", *cards, "--population", "32", "--json")
    record = json.loads(out)
    assert status == 0
    (row,) = record["rows"]
    assert row["device_se"] == row["se"]  # a census
    assert (
        Fraction(row["estimate"]) == (Fraction(9, 4) - Fraction(10 + 22 + 33, 32)) * 2
    )  # EY = 9/4, L + 1 - 2 EY = -1/2
    unknown = ("estimate", "--counts", "5,11,16", *cards, "--population", "32")
    status, out, _ = cli(*unknown, "--json")
    (row,) = json.loads(out)["rows"]
    assert (status, "normal" in row["intervals"], "se" in row) == (0, False, False)  # below 0: it says nothing
    assert "no normal interval" in cli(*unknown)[2]


@pytest.mark.slow
def test_theorem_4_1_for_every_small_deck(size) -> None:
    """766 decks with N <= 6 and L <= 5, each population: the library's formula and exact laws, and all deals."""
    decks = [
        (most, cards)
        for most in range(2, 6)
        for number in range(2, 7)
        for cards in combinations_with_replacement(range(1, most + 1), number)
    ]
    assert len(decks) == 766
    told = untold = 0
    for most, cards in decks[:: size(9, 1)]:
        device = DealtDeck([cards.count(k) for k in range(1, most + 1)])
        if 2 * sum(cards) == (most + 1) * len(cards):
            with pytest.raises(InfeasibleError, match="estimates nothing"):
                _of_census(device, "1/2")
            untold += 1
            continue
        slope = most + 1 - 2 * Fraction(sum(cards), len(cards))
        for members in range(len(cards) + 1):
            variance = _surveys.spread(_surveys.dealt(cards, members, most), len(cards), slope)
            share = Fraction(members, len(cards))
            assert _of_census(device, share) == variance
            law = device.estimator_law(members)
            assert sum(x * p for x, p in law.items()) == share
            assert sum((x - share) ** 2 * p for x, p in law.items()) == variance
            told += 1
    assert told > size(300, 3000)
    assert untold > size(5, 60)


def test_contrasts_of_a_finite_population() -> None:
    """``c_0 (1 - pi) + c_1 pi``: exact values, variances and intervals, by the door and by the combination of a row."""
    counted: Any = Responses.from_counts([382, 328], "unrelated:1/2,1/12", population=10777)
    (plain,) = counted.proportions()
    for c in ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(-1)), (Fraction(1, 3), Fraction(2))):
        (row,) = counted.contrast(c)
        slope = c[1] - c[0]
        assert row.estimate == c[0] + slope * plain.estimate
        assert row.se == pytest.approx(abs(slope) * plain.se, rel=1e-15)
        for kind in plain.kinds:
            ends, own = plain.conf_int(kind=kind), row.conf_int(kind=kind)
            assert [own.lower, own.upper] == sorted(c[0] + slope * end for end in ends)
            assert own.margin == abs(slope) * ends.margin
    (scaled,) = counted.proportions().contrast({"the trait": -2})
    assert (scaled.estimate, scaled.se) == (-2 * plain.estimate, pytest.approx(2 * plain.se, rel=1e-15))
    assert scaled.conf_int().upper == -2 * plain.conf_int().lower
    assert counted.proportions().cov_params() == pytest.approx(plain.se**2, rel=1e-14)
    assert counted != Responses.from_counts([382, 328], "unrelated:1/2,1/12", population=10778)
    with pytest.raises(InvalidParameterError, match="no finite population"):
        Responses.from_counts([3, 4], rropt.design.mean([0, 1], epsilon=1).mechanism, population=50).mean()
