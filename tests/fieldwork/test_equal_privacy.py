"""Designs at equal privacy: budgets exactly kept, variances and viewpoints by enumeration, the figures of the paper."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

import pytest
from few_rows import few_rows
from later import later
from sun_variances import variance

from rropt import Mechanism, check, solve
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.core.errors import InfeasibleError, InvalidParameterError, RroptError
from rropt.core.exact import Delta, Epsilon
from rropt.core.exact.rational_bounds import simplest_between
from rropt.designs import Problem
from rropt.inference import survey_variance
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.central.laplace import DiscreteLaplace, Laplace
from rropt.mechanisms.central.sensitivities import Sensitivity
from rropt.mechanisms.named.tuned import geometric_ratio, laplace_scale, tuned_deck
from rropt.plans import plan_deck, plan_survey
from rropt.plans.finite_plans import Respondents, asked_variance
from rropt.privacy import PrivacyRegion
from rropt_fieldwork import DesignComparison, compare_designs, two_point_bound
from rropt_fieldwork.costs.cost_pictures import comparison, comparison_picture
from rropt_proofs.rropt._protocol_rows import two_point_bound as registered

Figure = later("matplotlib.figure", "Figure")

DRAWN = ("warner", "unrelated", "forced", "crosswise", "kuk", "christofides", "optimum")
DEALT, NOISY = "improved-christofides", ("laplace", "discrete-laplace")
HALF = Fraction(1, 2)


def test_printed_parameters_are_private() -> None:
    """Typed as a named design, the decimals of the table keep the budget, and they are near the exact parameters."""
    for level, delta in ((1, 0), (20, 0), ("1/1000", "1/100")):
        found = compare_designs(level, delta=delta, prevalence="1/10", other="1/3", certify=False)
        for design in (found[name] for name in DRAWN):
            texts = [text.partition(" = ")[2].lstrip("~") for text in design.row()[1].split(", ")]
            name = "generalised" if design.design == "optimum" else design.design
            typed = named_mechanism(f"{name}:{','.join(texts)}")
            assert PrivacyRegion(level, delta, outputs=typed.outputs).contains(typed), design.design
            for text, exact in zip(texts, design.parameters.values(), strict=True):
                assert abs(Fraction(text) - exact) < Fraction(1, 10**5)
        (noise,) = (one.row()[1] for one in found.designs if one.design == "discrete-laplace")
        if not delta:
            assert 1 / Fraction(noise.partition("= ")[2].lstrip("~")) <= Epsilon.of(level).exact_gamma()


def _excess(mechanism: Mechanism, gamma: Fraction) -> Fraction:
    """The delta of one answer, from the columns themselves."""
    columns = mechanism.column(0), mechanism.column(1)
    return max(
        sum((max(p - gamma * q, Fraction(0)) for p, q in zip(one, other, strict=True)), Fraction(0))
        for one, other in (columns, columns[::-1])
    )


def test_budgets_are_kept_exactly(size: Callable[[int, int], int], parameters: Any, rng: random.Random) -> None:
    """No answer of any design spends more than the budget, and what a design leaves of it is of whole cards alone."""
    rounded = slack = 0
    for i in range(size(60, 400)):
        epsilon, delta, pi = parameters(rng)
        theta, middle = Fraction(rng.randint(1, 9), 10), Fraction(rng.randint(0, 8), 10)
        n, draws = rng.choice((1, 2, 7, 100, 3252599)), rng.choice((1, 1, 2, 5, 20)) if i % 3 else 1
        asked = {"prevalence": pi, "delta": delta, "other": theta, "middle": middle, "draws": draws, "certify": False}
        found = compare_designs(epsilon, respondents=n, **asked)
        gamma, level, exact = found.gamma, Epsilon.of(epsilon).exact_gamma(), Delta.of(delta)
        assert not level < gamma
        rounded += gamma < level
        slack += exact.rational != 0
        for design in found.designs:
            if design.mechanism is None:
                assert design.design in NOISY or (dict(design.parameters), design.variance) == ({}, None)
                continue
            kept = _excess(design.mechanism, gamma)
            assert not exact.exact() < kept, design
            if design.design in ("warner", "crosswise", "christofides") and min(*design.mechanism.column(0)):
                assert kept == exact.bracket(24).lower  # nothing is left
            if exact.rational == 0 and design.design in DRAWN and (design.design != "kuk" or draws == 1):
                assert design.mechanism.parity() == gamma
            if design.design == DEALT:
                cards = [int(count) for count in design.parameters.values()]
                assert sum(cards) == n
                assert cards[1] == n * middle // 1
                if cards[0]:
                    tighter = Mechanism(
                        [[Fraction(a, n), Fraction(b, n)] for a, b in _turned(cards[0] - 1, cards[1], cards[2] + 1)]
                    )
                    assert exact.bracket(24).lower < _excess(tighter, gamma)
    assert rounded > 20
    assert slack > 20


def _turned(*cards: int) -> list[tuple[int, int]]:
    return list(zip(cards, cards[::-1], strict=True))


def test_several_draws_are_tuned_to_the_last_bit() -> None:
    for epsilon, delta, pi, draws in (("log(9)", "0", "1/10", 2), ("1/2", "1/10", "1/2", 4), ("1/9", "1/3", "1/50", 3)):
        found = compare_designs(epsilon, prevalence=pi, delta=delta, draws=draws)
        own = found["kuk"].mechanism
        assert own is not None
        a, b = list(found["kuk"].parameters.values())[:2]
        assert _excess(own, found.gamma) <= Fraction(delta)
        step = Fraction(1, 2**64)
        finer = [(a + step, b - step), (a + step, b), (a, b - step)]
        for more, less in ((x, y) for x, y in finer if y >= 0 and x <= 1 and (y == 1 - x or 0 in (y, 1 - x))):
            assert _excess(_kuk(more, less, draws), found.gamma) > Fraction(delta)
        one = compare_designs(epsilon, prevalence=pi, delta=delta)["kuk"].variance
        assert found["kuk"].variance > one  # several draws spend the budget worse
    best = compare_designs("1/9", prevalence="1/50", delta="1/3", draws=3)["kuk"]
    assert dict(best.parameters)["theta0"] == 0  # a deck of one colour


def _kuk(a: Fraction, b: Fraction, draws: int) -> Mechanism:
    def law(theta: Fraction) -> list[Fraction]:
        chances = [Fraction(0)] * (draws + 1)
        for hits in product((0, 1), repeat=draws):
            chances[sum(hits)] += theta ** sum(hits) * (1 - theta) ** (draws - sum(hits))
        return chances

    return Mechanism(list(zip(law(b), law(a), strict=True)))


Law = dict[tuple[int, ...], Fraction]


def _law(design: Any, traits: tuple[int, ...]) -> Law:
    """All answers of a small survey, by going through every draw or every deal."""
    law: Law = {}
    if design.design == DEALT:
        cards = [k for k, count in enumerate(design.parameters.values(), 1) for _ in range(int(count))]
        orders = list(permutations(cards))
        for order in orders:
            seen = tuple(4 - c if x else c for c, x in zip(order, traits, strict=True))
            law[seen] = law.get(seen, Fraction(0)) + Fraction(1, len(orders))
        return law
    columns = design.mechanism.column(0), design.mechanism.column(1)
    for seen in product(range(design.mechanism.outputs), repeat=len(traits)):
        chance = Fraction(1)
        for z, x in zip(seen, traits, strict=True):
            chance *= columns[x][z]
        law[seen] = chance
    return law


def _odds(laws: Mapping[Any, Law], sees: Callable[[tuple[int, ...]], Any], pairs: Iterator[Any]) -> Epsilon:
    shown: dict[Any, dict[Any, Fraction]] = {}
    for x, law in laws.items():
        shown[x] = {}
        for z, p in law.items():
            if p:
                shown[x][sees(z)] = shown[x].get(sees(z), Fraction(0)) + p
    worst = Fraction(1)
    for x, y in pairs:
        for z, p in shown[x].items():
            if z not in shown[y]:
                return Epsilon("infinite")
            worst = max(worst, p / shown[y][z])
    return Epsilon.of_parity(worst)


def _by_enumeration(design: Any, n: int, belief: Fraction) -> tuple[dict[str, Epsilon], list[Fraction]]:
    """Epsilon under each viewpoint, and n Var of the estimate for 0, 1, ..., n respondents with the trait."""
    people = list(product((0, 1), repeat=n))
    laws = {x: _law(design, x) for x in people}
    pairs = [(x, y) for x, y in permutations(people, 2) if sum(a != b for a, b in zip(x, y, strict=True)) == 1]
    sees = {"one": lambda z: z[0], "all": lambda z: z, "sum": sum}
    found = {
        name: _odds(laws, see, iter([p for p in pairs if name != "one" or p[0][0] != p[1][0]]))
        for name, see in sees.items()
    }
    mixed: dict[int, Law] = {0: {}, 1: {}}
    for x, law in laws.items():
        weight = belief ** sum(x[1:]) * (1 - belief) ** (n - 1 - sum(x[1:]))
        for z, p in law.items():
            mixed[x[0]][z] = mixed[x[0]].get(z, Fraction(0)) + weight * p
    found["belief"] = _odds(mixed, sees["all"], iter([(0, 1), (1, 0)]))
    means = [sum((z * p for z, p in enumerate(design.mechanism.column(x))), Fraction(0)) for x in (0, 1)]
    spread = []
    for t in range(n + 1):
        law = laws[(1,) * t + (0,) * (n - t)]
        moments = [sum((sum(z) ** k * p for z, p in law.items()), Fraction(0)) for k in (1, 2)]
        spread.append((moments[1] - moments[0] ** 2) / (n * (means[1] - means[0]) ** 2))
    return found, spread


@few_rows(1)
@pytest.mark.parametrize(("epsilon", "delta"), [("log(3)", "0"), ("1/2", "1/10")])
def test_viewpoints_and_variances_by_enumeration(epsilon: str, delta: str) -> None:
    n, belief = 4, Fraction(1, 3)
    asked = {"delta": delta, "respondents": n, "belief": belief, "middle": "1/4", "draws": 2, "surveyed": True}
    rows = [compare_designs(epsilon, prevalence=Fraction(t, n), **asked) for t in range(1, n)]
    enumerated: dict[Any, Any] = {}
    for name in (*DRAWN, DEALT):
        for t, found in enumerate(rows, 1):
            design = found[name]
            which = name == DEALT, design.mechanism.matrix
            if which not in enumerated:  # equal devices once
                enumerated[which] = _by_enumeration(design, n, belief)
            epsilons, spread = enumerated[which]
            assert design.epsilons == epsilons
            assert design.variance == spread[t]
    assert len(enumerated) >= 4
    deck = rows[0][DEALT]
    assert deck.kept == ("one",)
    assert str(dict(deck.epsilons)["all"]) == str(dict(deck.epsilons)["sum"]) == "inf"


def test_samples_have_the_part_of_sampling_beside() -> None:
    """A sample of n without replacement, and one of infinitely many: the same part for every design."""
    pi = Fraction(1, 5)
    everybody = compare_designs(1, prevalence=pi, respondents=20, surveyed=True)
    some, many = (compare_designs(1, prevalence=pi, respondents=20, population=size) for size in (100, None))
    for name in ("warner", "kuk", "christofides", *NOISY):
        assert some[name].variance == everybody[name].variance + pi * (1 - pi) * Fraction(80, 99)
        assert many[name].variance == everybody[name].variance + pi * (1 - pi)
    assert some.bound == everybody.bound + pi * (1 - pi) * Fraction(80, 99)
    deck = everybody[DEALT].variance
    assert some[DEALT].variance == pi * (1 - pi) * Fraction(80, 99) + deck * Fraction(19, 20) * Fraction(100, 99)
    assert compare_designs(1, prevalence=pi, population=None)["warner"].variance == many["warner"].variance


def test_noise_is_that_of_the_laplace_mechanism() -> None:
    for epsilon, delta in (("log(3)", "0"), ("1/2", "0"), ("1/2", "1/10"), ("log(5)", "1/3")):
        found, slack = (
            compare_designs(epsilon, prevalence="1/10", delta=delta, respondents=50, surveyed=True),
            Delta.of(delta),
        )
        count = Sensitivity.count()
        scale = dict(found["laplace"].parameters)["b"]
        noise = Laplace(count, 1 / scale)
        assert found["laplace"].variance * 50 == noise.variance().upper
        assert noise.delta(epsilon).lower <= slack.rational
        finer = Laplace(count, 1 / (scale - Fraction(1, 10**20)))
        assert finer.delta(epsilon).upper > slack.rational or (slack.rational == 0 and scale == 1 / Fraction(1, 2))
        a = dict(found["discrete-laplace"].parameters)["a"]
        discrete = DiscreteLaplace(count, Epsilon.of_gamma(1 / a))
        assert found["discrete-laplace"].variance * 50 == discrete.variance().lower
        if Epsilon.of(epsilon).gamma:
            assert discrete.delta(epsilon).lower == slack.rational
    assert (laplace_scale(Epsilon.of(1), Fraction(1)), geometric_ratio(Fraction(2), Fraction(1))) == (0, 0)


def test_the_bound_is_the_registered_one_and_below_all_independent_designs(rng: random.Random) -> None:
    for _ in range(40):
        gamma = 1 + Fraction(rng.randint(1, 60), rng.randint(1, 12))
        truth, lie = gamma / (gamma + 1), 1 / (gamma + 1)
        unbiased = ((gamma + 1) / (gamma - 1), Fraction(0))  # Warner's weights attain the bound
        case = {"odds": gamma, "own": (truth, lie), "other": (lie, truth), "g": unbiased}
        ((_, variance, sign, stated),) = registered(case)
        assert (variance, sign, stated) == (two_point_bound(gamma), ">=", two_point_bound(gamma))
        pi = Fraction(rng.randint(0, 20), 20)
        found = compare_designs(Epsilon.of_gamma(gamma), prevalence=pi, surveyed=True, draws=2, certify=False)
        assert found.bound == two_point_bound(gamma) == found["warner"].variance
        assert all(found[name].variance >= found.bound for name in DRAWN)
    irrational = compare_designs(1, prevalence="1/10", surveyed=True)
    assert irrational.bound < irrational["optimum"].variance < irrational.bound * (1 + Fraction(1, 10**20))
    assert compare_designs(1, prevalence="1/10", delta="1/100").bound is None


@pytest.mark.slow
def test_the_optimum_is_certified_and_no_binary_design_is_better(parameters: Any, rng: random.Random) -> None:
    for _ in range(12):
        epsilon, delta, pi = parameters(rng)
        found = compare_designs(epsilon, prevalence=pi, delta=delta)
        assert found.certificate is not None
        assert check(found.certificate)
        solution = solve(Problem.binary(pi, epsilon=epsilon, delta=delta), ("exact",))
        assert solution.lower <= found["optimum"].variance
        assert found["optimum"].variance <= solution.upper * (1 + Fraction(1, 10**20))
        for name in ("warner", "unrelated", "forced", "crosswise", "kuk", "mangat"):
            own = found[name]
            assert own.variance is None or own.variance >= found["optimum"].variance
            if own.variance and found["optimum"].variance:
                assert own.efficiency == found["optimum"].variance / own.variance <= 1
        assert compare_designs(epsilon, prevalence=pi, delta=delta, certify=False).designs == found.designs
    tiny = compare_designs("1e-9", prevalence="1/3")  # elsewhere its bracket is finer than the first one
    assert tiny["optimum"].mechanism.matrix == tiny["warner"].mechanism.matrix
    assert tiny["optimum"].kept == tiny["warner"].kept != ()


def _four(odds: Fraction, share: Fraction, n: int, second: Fraction) -> tuple[DesignComparison, list[Fraction]]:
    found = compare_designs(
        Epsilon.of_gamma(odds), prevalence=share, respondents=n, surveyed=True, middle=second, certify=False
    )
    return found, [found[name].variance / n for name in ("warner", "unrelated", "christofides")]


@pytest.mark.slow
def test_variances_are_those_of_the_cards(rng: random.Random) -> None:
    """Theorems 5.1, 5.3, 5.5 for all levels; 5.7 where whole cards have exactly the level."""
    for _ in range(40):
        low, more, between = rng.randint(1, 9), rng.randint(1, 9), rng.randint(0, 5)
        n = 2 * low + more + between
        odds, share, second = Fraction(low + more, low), Fraction(rng.randint(0, n), n), Fraction(between, n)
        found, own = _four(odds, share, n, second)
        assert own[0] == variance("warner", odds, n)
        assert own[1] == variance("simmons", odds, HALF, share, n)
        assert own[2] == variance("modified", odds, second, n)
        assert found[DEALT].variance / n == variance("improved", odds, second, share, n)
        assert tuple(found[DEALT].parameters.values()) == (low, between, low + more)


def test_figure_1() -> None:
    """The larger epsilon, the smaller each variance, as `sun2023.figure-1` says; half of 100 cards are 2."""
    levels = [Fraction(50 - low, low) for low in (24, 20, 15, 10, 5, 1)]  # those at which the deck is whole
    rows = [_four(odds, Fraction(1, 10), 100, HALF) for odds in levels]
    for (one, mine), (other, theirs) in pairwise(rows):
        assert all(a > b for a, b in zip(mine, theirs, strict=True))
        assert one[DEALT].variance > other[DEALT].variance


@pytest.mark.parametrize("odds", [Fraction(2), Fraction(5)])
def test_figures_2_to_4(odds: Fraction) -> None:
    """At N = 9 with three cards 2, decks that exist; of figure 4 the corrected reading."""
    for members, order in ((1, "IC MW MC"), (2, "MW IC MC"), (4, "MW MC IC")):
        found, (mw, _, mc) = _four(odds, Fraction(members, 9), 9, Fraction(1, 3))
        variances = {"IC": found[DEALT].variance / 9, "MW": mw, "MC": mc}
        assert sorted(variances, key=lambda name: variances[name]) == order.split()


def test_figure_5_the_health_insurance() -> None:
    """3 252 599 people, 7.78 % without insurance; modified Christofides 1.010 to 1.075 % above Warner; 28.7 %."""
    n, pi = 3252599, Fraction("0.0778")
    for epsilon in ("0.05", "0.1", "0.25", "0.5"):
        found = compare_designs(epsilon, prevalence=pi, respondents=n, surveyed=True)
        mw, ms, mc, ic = (found[name].variance for name in ("warner", "unrelated", "christofides", DEALT))
        assert ic < mw == ms < mc
        assert Fraction(1010, 100000) < mc / mw - 1 < Fraction(1075, 100000)
        assert f"{float(ic / mc):.1%}" == "28.7%"
        assert found[DEALT].parameters["c2"] == 32525
        kept, seen = found[DEALT].kept, dict(found[DEALT].epsilons)
        assert (kept, seen["all"].is_infinite, seen["sum"].is_infinite) == (("one",), True, True)
        parity = dict(found[DEALT].epsilons)["one"].gamma
        assert seen["belief"].gamma == parity * (1 - pi) / pi
        assert found["laplace"].efficiency > 10**6


@few_rows(1)
@pytest.mark.parametrize("surveyed", [False, True])
def test_respondents_needed_are_the_least(surveyed: bool) -> None:
    goal, pi = Fraction(1, 500), Fraction(1, 10)
    asked = {"prevalence": pi, "surveyed": surveyed, "middle": "1/20", "draws": 2}
    found = compare_designs("1/2", **asked).for_goal(variance=goal)
    for design in found.designs:
        if design.design == "mangat":
            assert design.needed is None
            continue
        n = design.needed
        assert n is not None
        at, below = (compare_designs("1/2", respondents=k, **asked, certify=False)[design.design] for k in (n, n - 1))
        assert at.variance / n <= goal, design.design
        assert below.variance is None or below.variance / (n - 1) > goal
    assert found.bound_needed == found["warner"].needed
    if surveyed:
        for name in ("warner", "christofides"):
            assert plan_survey(found[name].mechanism, goal, pi).n == found[name].needed
    for n in range(2, found[DEALT].needed):  # no smaller deck serves
        cards = tuned_deck(n, found.gamma, Fraction(0), Fraction(1, 20))
        size = n if surveyed else None
        assert cards is None or survey_variance(DealtDeck(cards), pi, size).total > goal


@pytest.mark.slow
def test_the_smallest_deck_is_found_wherever_it_lies(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """By trying every size in turn, also where two cards make a better deck than three."""
    found = 0
    for _ in range(size(60, 1000)):
        gamma, delta = (
            Fraction(rng.choice((3, 5, 9, 20, 100)), rng.choice((1, 2))),
            Fraction(rng.choice((0, 0, 1, 3)), 10),
        )
        middle, pi, goal = Fraction(rng.randint(0, 9), 10), Fraction(1, 2), Fraction(1, rng.randint(1, 60))
        surveyed, population = rng.choice(((True, None), (False, None), (False, 40)))
        asked = Respondents(pi, 1 if population else None, population, surveyed)
        most = population or 400
        least = next(
            (
                n
                for n in range(2, most + 1)
                if (cards := tuned_deck(n, gamma, delta, middle))
                and survey_variance(DealtDeck(cards), pi, n if surveyed else population).total <= goal
            ),
            None,
        )
        if least is not None or population:
            assert asked.least_deck(gamma, delta, middle, goal) == least
            found += least is not None
    assert found > size(20, 300)


def test_respondents_of_a_finite_population() -> None:
    asked = {"prevalence": "1/10", "respondents": 100, "certify": False}
    found = compare_designs(1, population=3000, **asked).for_goal(variance="1/2500")
    for design in found.designs:
        if design.design in DRAWN:
            plan = plan_survey(design.mechanism, "1/2500", "1/10", population=3000)
            assert plan.n == design.needed
    few = compare_designs(1, population=500, **asked).for_goal(variance="1/2500")
    assert few["warner"].needed is None  # not even all 500
    assert few["laplace"].needed < 500
    assert plan_deck("1/4", "1/10", "1/10", middle="1/100").n == 100
    assert compare_designs("1/4", prevalence="1/10", surveyed=True).for_goal(variance="1/10")[DEALT].needed < 100


def test_margins() -> None:
    variance = asked_variance(None, margin="0.05")
    assert float(variance) == pytest.approx((0.05 / 1.959963984540054) ** 2, rel=1e-15)
    assert asked_variance(None, margin="0.05", confidence="0.99") < variance


def test_beliefs_about_a_dealt_deck() -> None:
    """The closed form is what all answers reveal, by listing them, for every small deck and belief."""
    points = 0
    for deck in ([1, 2, 3], [2, 0, 5], [3, 3], [1, 1, 1, 4], [2, 1, 0, 1, 1], [0, 2, 1], [0, 5, 0], [4, 1, 1]):
        for q in ("0", "1/10", "1/3", "1/2", "7/8", "1"):
            dealt = DealtDeck(deck)
            assert dealt.believed_parity(q) == dealt.view("all", belief=q).parity(), (deck, q)
            points += 1
    assert points == 48
    assert DealtDeck([10**8, 9 * 10**8]).believed_parity("1/3") == 18
    with pytest.raises(InvalidParameterError, match="0 <= q <= 1"):
        DealtDeck([1, 2]).believed_parity(2)


def test_what_each_guarantees_is_said() -> None:
    found = compare_designs("log(9)", prevalence="1/10", respondents=52, surveyed=True)
    assert [d.design for d in found.designs] == [*DRAWN[:5], "mangat", "christofides", DEALT, "optimum", *NOISY]
    assert {name: found[name].kept for name in (DEALT, "laplace")} == {DEALT: ("one",), "laplace": ("sum",)}
    assert all(found[name].kept == ("one", "all", "sum", "belief") for name in DRAWN)
    text = " ".join(found.remarks())
    assert "a no is certainly true" in text
    assert "one response seen alone" in text
    assert "a curator sees every trait" in text
    slack = compare_designs(1, prevalence="1/10", delta="1/20", respondents=50)
    assert (slack["mangat"].parameters, slack["mangat"].kept) == ({"p": Fraction(1, 20)}, slack["warner"].kept)
    everything = compare_designs(1, prevalence="1/10", delta=1, respondents=50, surveyed=True)
    assert everything[DEALT].kept == ("one", "all", "sum", "belief")  # delta = 1 allows it
    assert [everything[name].variance for name in ("warner", *NOISY)] == [0, 0, 0]
    assert everything["warner"].efficiency is None


def test_a_population_of_one_or_two() -> None:
    """N = 1 reveals everything at a share of 0; two cards are too few for a weak level."""
    found = compare_designs(1, prevalence=0, respondents=1, surveyed=True)
    assert found[DEALT].parameters == {}
    assert "no deck of 1 cards" in found[DEALT].remark
    assert compare_designs(1, prevalence=HALF, respondents=2, surveyed=True)[DEALT].variance is None


COUNTRY = (
    "cost",
    "--epsilon",
    "1/20",
    "--prevalence",
    "0.0778",
    "--n",
    "3252599",
    "--population",
    "3252599",
)


def test_the_command(cli: Any, cli_json: Any, tmp_path: Any) -> None:
    record = cli_json(*COUNTRY, "--se", "0.01")
    rows = {row["design"]: row for row in record["designs"]}
    assert (record["survey"]["respondents"], record["belief"], record["goal"]) == (3252599, "389/5000", "1/10000")
    assert rows[DEALT]["epsilons"]["all"] == "inf"
    assert rows["laplace"]["parameters"] == {"b": "20"}
    assert rows["mangat"] | {"remark": ""} == rows["mangat"] | {"parameters": {}, "variance": None, "remark": ""}
    bound, gamma = Fraction(record["bound"]), Fraction(record["gamma"])
    assert bound < Fraction(rows["warner"]["variance"]) == two_point_bound(gamma)
    proof, picture = tmp_path / "proof.json", tmp_path / "picture.svg"
    status, out, err = cli(*COUNTRY, "--certificate", str(proof), "--plot", str(picture))
    assert (status, "one response seen alone" in err) == (0, True)
    assert "lower bound" in out
    assert "infinite" in out
    assert "needed" not in out
    assert cli("check", str(proof))[0] == 0
    assert "<svg" in picture.read_text()
    assert json.loads(proof.read_text())["problem"]
    status, out, _ = cli("cost", "--gamma", "9", "--prevalence", "1/10", "--margin", "0.1")
    assert "needed" in out
    margin = cli_json("cost", "--gamma", "9", "--prevalence", "1/10", "--margin", "0.1")
    warner = next(row for row in margin["designs"] if row["design"] == "warner")
    assert warner["needed"] == 89  # 0.230625 (1.95996/0.1)^2 = 88.6


@pytest.mark.slow
def test_pictures_show_what_the_table_says() -> None:
    asked = {"prevalence": "1/10", "respondents": 100, "surveyed": True}
    picture = comparison_picture(epsilon_range=("1/10", "1"), **asked)
    curves = {name: values for names, values in picture.curves for name in names}
    assert picture.missing == ("mangat",)
    assert len(picture.curves) == 5  # equal ones share a curve
    for i in (0, 30, 60):
        gamma = simplest_between(*_around(picture.grid[i]))
        near = compare_designs(Epsilon.of_gamma(gamma), **asked, certify=False)
        for name in ("warner", "christofides", "laplace"):
            assert float(curves[name][i]) == pytest.approx(float(near[name].variance), rel=1e-6)
    assert curves["lower bound"] == curves["optimum"]
    without = comparison_picture(epsilon_range=("1/10", "1"), prevalence="1/10", delta="1/100")
    assert set(without.missing) == {DEALT, *NOISY, "lower bound"}
    assert comparison(**asked).to_bytes("png")[1:4] == b"PNG"
    figure = Figure()
    left, right = figure.subplots(1, 2)
    comparison(**asked, ax=right)
    assert (len(left.lines), len(right.lines), len(right.get_legend().get_texts())) == (0, 5, 5)
    with pytest.raises(InfeasibleError, match="start the range above 0"):
        comparison_picture(epsilon_range=("0", "1"), prevalence="1/10")


def _around(epsilon: float) -> tuple[Fraction, Fraction]:
    bracket = Epsilon.of(Fraction(epsilon)).gamma_bracket(12)
    return bracket.lower, bracket.upper


def test_independent_answers_tell_the_sum_alike_for_any_number() -> None:
    """Epsilon of the sum is that of one answer for 1, 2, 5 and 40 respondents: it does not need N."""
    found = compare_designs("1/2", prevalence="1/10", draws=3)
    for name in DRAWN:
        mechanism = found[name].mechanism
        for n in (1, 2, 5, 40):
            assert DrawnAnswers(mechanism, n).view("sum").epsilon == dict(found[name].epsilons)["sum"]


@few_rows(2)
@pytest.mark.parametrize(
    ("asked", "goal"),
    [({}, None), ({"respondents": 60}, "1/100"), ({"delta": "1/20", "draws": 2, "direct": True}, None)],
)
def test_records_are_verified_in_full(asked: dict[str, Any], goal: str | None) -> None:
    """Every design follows from the certified optimum and what was asked for; a changed number is refused."""
    found = compare_designs("log(3)", prevalence="1/4", **asked)
    found = found if goal is None else found.for_goal(variance=goal)
    assert DesignComparison.from_json(found.to_json()).unverified == ()
    honest = found.to_dict()
    del honest["decimals"]
    lies: list[tuple[tuple[Any, ...], Any]] = [(("other",), "1/3"), (("middle",), "1/5"), (("bound_needed",), 7)]
    lies += [
        (("designs", 0, "variance"), "1/7"),
        (("designs", 1, "remark"), "better"),
        (("survey", "prevalence"), "1/5"),
    ]
    for path, lie in lies:
        made = copy.deepcopy(honest)
        at = made
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = lie
        with pytest.raises(RroptError):
            DesignComparison.from_dict(made)
