"""Intervals of finite populations against the numbers of holders that their definition accepts, by enumeration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from few_rows import few_rows
from finite_samples import estimate_people
from outcomes import dealt_answers

from rropt import Mechanism
from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.estimates.estimated import Estimates
from rropt.inference import finite_intervals
from rropt.inference.finite_intervals import FiniteSample, exact_interval
from rropt.inference.interval_estimates import Interval
from rropt.mechanisms import named_mechanism

F = Fraction
CONFIDENCES = (F(1, 100), F(1, 2), F(4, 5), F(19, 20), F(99, 100))
Law = dict[int, Fraction]


def _law(low: Fraction, high: Fraction, n: int, population: int, holders: int) -> Law:
    """The number of responses 1, by the number of holders asked and the responses 1 of them and of the others."""
    found: Law = {}
    for x in range(max(0, n - population + holders), min(n, holders) + 1):
        met = F(comb(holders, x) * comb(population - holders, n - x), comb(population, n))
        for i, j in product(range(x + 1), range(n - x + 1)):
            own = comb(x, i) * high**i * (1 - high) ** (x - i) * comb(n - x, j) * low**j * (1 - low) ** (n - x - j)
            found[i + j] = found.get(i + j, F(0)) + met * own
    return found


def _covered(intervals: dict[int, Interval], laws: list[Law]) -> list[Fraction]:
    """The coverage for each number of holders."""
    people = len(laws) - 1
    return [
        sum((p for s, p in law.items() if intervals[s].lower <= F(K, people) <= intervals[s].upper), F(0))
        for K, law in enumerate(laws)
    ]


def test_exact_intervals_by_definition(rng: Random, size: Callable[[int, int], int]) -> None:
    """The least and the largest number of holders that both one-sided tests accept, also at ties."""
    tested = 0
    for _ in range(size(25, 250)):
        population = rng.randint(2, 22)
        n = rng.randint(1, min(population, 8))
        low, high = (F(rng.randint(0, 6), 6) for _ in range(2))
        if low == high:
            continue
        confidence = rng.choice(CONFIDENCES)
        device = DrawnAnswers(Mechanism([[1 - low, 1 - high], [low, high]]), n)
        found = {y: exact_interval(FiniteSample(device, population, y), confidence) for y in range(n + 1)}
        laws = [_law(low, high, n, population, holders) for holders in range(population + 1)]
        assert min(_covered(found, laws)) >= confidence
        for y, one in found.items():
            above, below = (
                [sum(law.get(z, F(0)) for z in own) for law in laws] for own in (range(y, n + 1), range(y + 1))
            )
            level = (1 - confidence) / 2
            accepted = [K for K in range(population + 1) if above[K] > level and below[K] > level]
            tested += len(accepted) > 0
            if accepted:
                assert (one.lower, one.upper) == (F(accepted[0], population), F(accepted[-1], population))
                assert not one.emptied
            else:
                assert one.lower == one.upper in (0, 1)
    assert tested > size(50, 500)


# 95 % intervals by the law itself, in the documentation of the problem; some beside the binomial ones
KNOWN = [
    (0, 199, "generalised:1,1", 97541, 0, 0.01834),
    (2, 199, "generalised:1,1", 97541, 0.00123, 0.03580),
    (0, 30, "forced:2/3,0,1/3", 200, 0, 0.165),
    (1, 30, "forced:2/3,0,1/3", 200, 0.005, 0.245),
    (30, 30, "unrelated:1/2,1", 200, 0.78, 1),
    (0, 10, "warner:3/4", 50, 0, 0.10),
    (10, 10, "warner:1/4", 50, 0, 0.10),
]


@pytest.mark.parametrize(("yes", "n", "mechanism", "population", "lower", "upper"), KNOWN)
def test_known_intervals(cli_json, yes, n, mechanism, population, lower, upper) -> None:
    words = ("estimate", "--yes", str(yes), "--n", str(n), "--mechanism", mechanism, "--population", str(population))
    found = cli_json(*words)
    (row,) = found["rows"]
    assert [round(float(F(end)), 5) for end in row["intervals"]["exact"]] == [lower, upper]
    assert next(iter(row["intervals"])) == "exact"


@few_rows(2)
@pytest.mark.parametrize(
    ("device", "population"),
    [
        (DrawnAnswers(named_mechanism("kuk:3/4,1/4,2"), 5), 9),
        (DrawnAnswers(Mechanism([["1/2", 0], ["1/4", "3/4"], ["1/4", "1/4"]]), 4), 8),
        (DrawnAnswers(named_mechanism("generalised:5/6,2/3"), 6), 11),
        (DealtDeck([2, 1, 3]), 6),
        (DealtDeck([1, 1, 4]), 9),
        (DealtDeck([3, 1, 2]), 6),
    ],
    ids=str,
)
def test_intervals_of_all_devices_cover(device: DrawnAnswers | DealtDeck, population: int) -> None:
    """All kinds but the normal one, over every sample and every response."""
    n, outputs = device.respondents, device.one_answer().outputs
    found: dict[str, dict[int, Interval]] = {"exact": {}, "chebyshev": {}}
    laws: list[Law] = []
    for holders in range(population + 1):
        law: Law = {}
        samples = list(combinations((1,) * holders + (0,) * (population - holders), n))
        for x in set(samples):
            share = F(samples.count(x), len(samples))
            own = dealt_answers(list(device.deck), x) if isinstance(device, DealtDeck) else list(device.law(x).items())
            for z, p in own:
                law[sum(z)] = law.get(sum(z), F(0)) + share * p
        laws.append(law)
    for total in sorted(set().union(*laws)):
        counts = _counts_with_sum(total, n, outputs, device.first)
        is_dealt = isinstance(device, DealtDeck)
        one = estimate_people(device.one_answer(), counts, population, is_dealt=is_dealt)
        for kind in found:
            interval = one[0].conf_int(kind=kind)
            assert interval is not None
            found[kind][total] = interval
        assert one[0].kinds[0] == "exact"
        assert Estimates.from_json(one.to_json()) == one
    for intervals in found.values():
        assert min(_covered(intervals, laws)) >= F(19, 20)
        assert any(one.upper - one.lower < 1 for one in intervals.values()) or n < 6


def _counts_with_sum(total: int, n: int, outputs: int, first: int) -> list[int]:
    """Any counts of n responses with a sum of their numbers."""
    return next(
        [own.count(i) for i in range(outputs)]
        for own in product(range(outputs), repeat=n)
        if sum(own) + n * first == total
    )


@pytest.mark.slow
def test_the_binomial_interval_of_many_respondents_covers(monkeypatch, rng: Random, size) -> None:
    """For every sample with two outputs, also where a tail of the binomial distribution is the smaller one."""
    monkeypatch.setattr(finite_intervals, "MOST_COUNTED", 0)
    for _ in range(size(25, 250)):
        population = rng.randint(2, 40)
        n = rng.randint(1, min(population, 8))
        low, high = sorted(rng.sample([F(i, 5) for i in range(6)], 2))
        confidence = rng.choice(CONFIDENCES)
        device = DrawnAnswers(Mechanism([[1 - low, 1 - high], [low, high]]), n)
        finite_intervals._of_two_outputs.cache_clear()
        found = {y: exact_interval(FiniteSample(device, population, y), confidence) for y in range(n + 1)}
        laws = [_law(low, high, n, population, holders) for holders in range(population + 1)]
        assert min(_covered(found, laws)) >= confidence
        for K, law in enumerate(laws):  # each end is too far inside with at most half of the risk
            above = sum((p for y, p in law.items() if found[y].lower > F(K, population)), F(0))
            below = sum((p for y, p in law.items() if found[y].upper < F(K, population)), F(0))
            assert max(above, below) <= (1 - confidence) / 2
    finite_intervals._of_two_outputs.cache_clear()


def test_large_samples_and_what_is_printed(cli) -> None:
    words = ("estimate", "--yes", "31", "--mechanism", "generalised:1,1", "--n")
    _, out, err = cli(*words, "40000", "--population", "10000000")
    assert "exact: " in out
    assert not err
    _, out, err = cli(*words, "60000", "--population", "10000000")
    assert "the exact interval is that of the binomial distribution, as without a population" in err
    _, plain, _ = cli(*words, "60000")
    own = next(line for line in out.splitlines() if line.startswith("the trait"))
    other = next(line for line in plain.splitlines() if line.startswith("the trait"))
    assert own.split()[-3:] == other.split()[-3:]
    assert "interval    exact: " in plain
    _, out, _ = cli(*words, "100", "--population", "1000", "--explain")
    for kind in ("exact", "chebyshev", "normal"):
        assert f"95 % {kind}" in out
    cards = ("--mechanism", "christofides:1/4,1/4,1/2", "--cards-without-replacement", "--population")
    _, out, err = cli("estimate", "--counts", "8,8,16", *cards, "32")
    assert "0.00 to 0.59" in out
    _, out, err = cli("estimate", "--counts", "80,80,160", *cards, "320")
    assert "chebyshev: " in out
    assert " 0.00 to" in out
    assert "no exact interval: the law of these responses takes too long" in err


def test_a_column_of_a_table_gives_what_its_counts_give(cli, tmp_path) -> None:
    (path := tmp_path / "a.csv").write_text("\n".join(["sick,g,w", *["yes,a,1"] * 3, *["no,b,1"] * 17, ",a,1"]))
    words = ("--mechanism", "forced:2/3,0,1/3", "--population", "200")
    table = ("estimate", str(path), "--column", "sick", "--categories", "no,yes")
    _, out, err = cli(*table, *words)
    _, plain, _ = cli("estimate", "--yes", "3", "--n", "20", *words)
    shown = []
    for text, name in ((out, "yes"), (plain, "the trait")):
        (row,) = (line for line in text.splitlines() if line.strip().startswith(name))
        shown.append(row.strip().removeprefix(name).split())
    assert shown[0] == shown[1]
    assert "exact: " in out
    assert "1 missing answer was left out" in err
    for more in (("--by", "g"), ("--weights", "w"), ("--contrast", "0,1"), ("--yes", "3", "--n", "20")):
        status, out, err = cli(*table, *words, *more)
        assert (status, out) == (2, "")
        assert more[0] in err


@pytest.mark.parametrize("name", ["warner:3/4", "forced:2/3,0,1/3", "warner:1"])
@pytest.mark.parametrize("population", [1, 2, 7])
@pytest.mark.parametrize("dealt", [False, True])
def test_one_response_has_an_exact_interval_and_a_remark(name: str, population: int, dealt: bool) -> None:
    mechanism = named_mechanism(name)
    if dealt and name != "warner:1":
        pytest.skip("a deck of one card cannot have these proportions")
    for count in ([1, 0], [0, 1]):
        found = estimate_people(mechanism, count, population, is_dealt=dealt)
        (row,) = found
        made = row.conf_int(kind="exact")
        assert made is not None
        assert row.conf_int() == made
        assert found.lines()
        assert row.conf_int(kind="chebyshev") is not None
        low, high = mechanism.matrix[1]
        laws = [_law(low, high, 1, population, holders) for holders in range(population + 1)]
        accepted = [K for K, law in enumerate(laws) if law.get(count[1], F(0)) > F(1, 40)]
        if accepted:
            assert (made.lower, made.upper) == (F(accepted[0], population), F(accepted[-1], population))
        if population > 1:
            assert any("does not measure the precision" in text for text in found.remarks())
