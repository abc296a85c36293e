"""The certified test of two groups against exact polynomials, and coverage by enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, log, sqrt

import numpy as np
import pytest
from few_rows import few_rows
from later import later

from rropt import Estimates, Mechanism, Responses
from rropt.inference.exact_tests import (
    MOST_CELLS,
    BinomialSample,
    ExactTest,
    at_least_as_large,
    exact_tests,
    statistic_values,
)
from rropt.inference.score_tests import score_intervals, score_p_values, score_statistics
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.left_inverse import left_inverse

scipy = later("scipy")

DIRECT = (Fraction(0), Fraction(1))
RANGES = {
    "direct": DIRECT,
    "die": (Fraction(1, 6), Fraction(5, 6)),
    "turned": (Fraction(3, 4), Fraction(1, 4)),
    "one-sided": (Fraction(1, 2), Fraction(1)),
}
CONFIDENCE = Fraction(19, 20)


def by_group(groups: dict[str, list[tuple[Mechanism, list[int]]]]) -> Estimates:
    """Return the proportions of groups, of which the counts by device are given."""
    values, devices, names = [], [], []
    known: dict[str, Mechanism] = {}
    for group, own in groups.items():
        for device, counts in own:
            name = str(device.matrix)
            known[name] = device
            for code, n in enumerate(counts):
                values += [device.responses[code] if device.responses else code] * n
                devices += [name] * n
                names += [group] * n
    rows = np.array(values, object if isinstance(values[0], str) else None)
    return Responses(rows, known, assigned=np.array(devices, object)).proportions(np.array(names, object))


def exact_test(first: BinomialSample, second: BinomialSample, confidence: Fraction | None = None) -> ExactTest:
    return exact_tests([(first, second)], confidence)[0]


def pmf(n: int, chance: Fraction) -> list[Fraction]:
    return [comb(n, y) * chance**y * (1 - chance) ** (n - y) for y in range(n + 1)]


def statistic(first: BinomialSample, second: BinomialSample, one: int, two: int) -> Fraction:
    """T in fractions, written from its definition, for increasing lambda."""
    gap = Fraction(one, first.n) - Fraction(two, second.n)
    pooled = min(max(Fraction(one + two, first.n + second.n), first.low), first.high)
    variance = pooled * (1 - pooled) * (Fraction(1, first.n) + Fraction(1, second.n))
    return gap * abs(gap) / variance if gap else Fraction(0)


def tail(first: BinomialSample, second: BinomialSample, pis: tuple[Fraction, Fraction]) -> Fraction:
    """The probability of a T at least as large as observed, exactly."""
    first, second = first.oriented(), second.oriented()
    at = statistic(first, second, first.hits, second.hits)
    laws = [pmf(s.n, s.low + (s.high - s.low) * pi) for s, pi in zip((first, second), pis, strict=True)]
    pairs = product(range(first.n + 1), range(second.n + 1))
    return sum((laws[0][a] * laws[1][b] for a, b in pairs if statistic(first, second, a, b) >= at), Fraction(0))


@few_rows(1)
@pytest.mark.parametrize("ends", RANGES.values(), ids=RANGES)
def test_the_enclosure_holds_the_maximum(ends: tuple, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """No prevalence exceeds the upper end, and one comes up to the lower one: exact sums, on a grid."""
    for _ in range(size(4, 60)):
        n, m = rng.randint(1, 8), rng.randint(1, 8)
        first, second = BinomialSample(n, rng.randint(0, n), *ends), BinomialSample(m, rng.randint(0, m), *ends)
        test = exact_test(first, second)
        assert 0 <= test.lower <= test.p <= 1
        assert test.p - test.lower <= 2e-4 * test.p + 1e-12
        grid = [Fraction(k, 40) for k in range(41)]
        greatest = min(max(tail(one, two, (pi, pi)) for pi in grid) for one, two in ((first, second), (second, first)))
        assert min(2 * greatest, 1) <= Fraction(test.p)
        assert float(min(2 * greatest, 1)) >= test.lower * 0.9  # the grid is coarse


@pytest.mark.slow
def test_against_another_implementation() -> None:
    """SciPy searches the same maximum of the same ordering in one tail, without a proof."""
    for table in ([[7, 2], [3, 8]], [[0, 4], [6, 3]]):
        (a, b), (c, d) = table
        ours = exact_test(BinomialSample(a + c, a, *DIRECT), BinomialSample(b + d, b, *DIRECT))
        tails = [scipy.stats.barnard_exact(table, n=64, alternative=side).pvalue for side in ("greater", "less")]
        assert ours.lower <= 2 * min(tails) * 1.01
        assert 2 * min(tails) <= ours.p * (1 + 1e-9)


@pytest.mark.parametrize(("one", "two", "n"), [(9, 3, 10), (9, 4, 14), (14, 5, 20)])
def test_equally_extreme_tables_are_counted(one: int, two: int, n: int) -> None:
    """Yes and no change places, and p stays; rounding leaves tables out in SciPy (findings/scipy_barnard_ties.sh)."""
    first, second = exact_tests(
        [(BinomialSample(n, a, *DIRECT), BinomialSample(n, b, *DIRECT)) for a, b in ((one, two), (n - one, n - two))]
    )
    assert first.p == pytest.approx(second.p, rel=4e-4)  # twice the width of an enclosure
    samples = BinomialSample(n, one, *DIRECT), BinomialSample(n, two, *DIRECT)
    at_one_half = 2 * tail(*samples, (Fraction(1, 2), Fraction(1, 2)))  # every p of the test is at least this
    assert min(first.p, second.p) >= at_one_half


@pytest.mark.slow
def test_groups_of_any_shape(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A few responses beside very many: SciPy's tails of the ordering, row by row, at many prevalences."""
    shapes = [(1, 20_000), (3, 3000), (40, 500)]
    for n, m in [shape for k in range(size(1, 4)) for shape in (*shapes, *[(1, 10**6), (10, 10**5)] * (k == 1))]:
        low, high = rng.choice([DIRECT, RANGES["die"]])
        first = BinomialSample(n, rng.randint(0, n), low, high)
        second = BinomialSample(m, rng.randint(m // 4, 3 * m // 4), low, high)
        test = exact_test(first, second) if rng.random() < 0.5 else exact_test(second, first)
        assert test.p - test.lower <= 2e-4 * test.p + 1e-12
        values = statistic_values(first, second)
        observed = values[first.hits, second.hits]
        reached = [0.0, 0.0]
        for prevalence in np.sin(np.linspace(0, np.pi / 2, size(41, 81))) ** 2:  # the maximum may lie near an end
            laws = [
                scipy.stats.binom.pmf(np.arange(s.n + 1), s.n, float(low) + float(high - low) * prevalence)
                for s in (first, second)
            ]
            for side, inside in enumerate((values >= observed, values <= observed)):
                reached[side] = max(reached[side], float(laws[0] @ (inside @ laws[1])))
        least = min(1.0, 2 * min(reached))
        assert test.lower * 0.8 <= least <= test.p * (1 + 1e-6)


def test_a_tiny_p_is_an_upper_bound() -> None:
    """A p far below every level is enclosed within 10^-16 for each tail, not further."""
    test = exact_test(BinomialSample(300, 10, *DIRECT), BinomialSample(200, 190, *DIRECT))
    assert 0 <= test.lower <= test.p <= 4e-16


def test_all_pairs_together(rng: random.Random) -> None:
    """Pairs that share their laws have the p of each by itself."""
    samples = [BinomialSample(n, round(n * rng.uniform(0.35, 0.5)), *RANGES["die"]) for n in (4, 70, 70, 110, 130)]
    pairs = list(combinations(samples, 2))
    for (first, second), test in zip(pairs, exact_tests(pairs), strict=True):
        assert test.p == pytest.approx(exact_test(first, second).p, rel=3e-4)  # twice the width of an enclosure


def test_the_tables_as_large_are_those_of_the_definition(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """By bisection: every table against T in fractions."""
    for _ in range(size(12, 300)):
        n, m = rng.randint(1, 9), rng.randint(1, 12)
        ends = rng.choice([DIRECT, (Fraction(1, 6), Fraction(5, 6)), (Fraction(1, 10), Fraction(1))])
        first, second = BinomialSample(n, rng.randint(0, n), *ends), BinomialSample(m, rng.randint(0, m), *ends)
        found, at = at_least_as_large(first, second), statistic(first, second, first.hits, second.hits)
        for i, j in product(range(n + 1), range(m + 1)):
            assert (j < found[i]) == (statistic(first, second, i, j) >= at)


@pytest.mark.slow
def test_the_test_keeps_its_level_and_the_interval_its_coverage() -> None:
    """Pr(p <= alpha) <= alpha and coverage of the difference, by enumeration of all tables at pairs of prevalences."""
    n, m, low, high = 4, 3, Fraction(1, 4), Fraction(3, 4)
    pairs = list(product(range(n + 1), range(m + 1)))
    samples = [(BinomialSample(n, a, low, high), BinomialSample(m, b, low, high)) for a, b in pairs]
    for confidence in (Fraction(19, 20), Fraction(1, 2)):
        tests = dict(zip(pairs, exact_tests(samples, confidence), strict=True))
        covered = []
        for i, j in product(range(5), repeat=2):
            law = [pmf(size, low + (high - low) * Fraction(k, 4)) for size, k in ((n, i), (m, j))]
            weights = {(a, b): law[0][a] * law[1][b] for a, b in pairs}
            value = (i - j) / 4
            holds = [ab for ab in pairs if tests[ab].interval[0] <= value <= tests[ab].interval[1]]
            covered.append(sum((weights[ab] for ab in holds), Fraction(0)))
            if i == j:
                chance = sum((weights[ab] for ab in pairs if tests[ab].p <= 1 - confidence), Fraction(0))
                assert chance <= 1 - confidence
        assert min(covered) >= confidence
    assert min(covered) < 1  # an interval that always holds everything would pass


@pytest.mark.slow
def test_exact_limits_are_those_of_the_one_sided_tests(rng: random.Random) -> None:
    """Beyond a limit the tail is at most alpha/2 on the whole line of its difference, and inside not: on a grid."""
    alpha = Fraction(1, 10)
    for _ in range(4):
        n, m = rng.randint(2, 7), rng.randint(2, 7)
        first, second = (BinomialSample(k, rng.randint(0, k), *RANGES["die"]) for k in (n, m))
        low, high = exact_test(first, second, 1 - alpha).interval
        for one, two, limit in ((first, second, low), (second, first, -high)):
            for delta, is_outside in ((limit - 1e-5, True), (limit + 1e-3, False)):
                if not -1 < delta < 1:
                    continue
                exact, places = Fraction(delta), [Fraction(k, 60) for k in range(61)]
                line = [max(-exact, Fraction(0)) + (1 - abs(exact)) * place for place in places]
                largest = max(tail(one, two, (pi + exact, pi)) for pi in line)
                assert largest <= alpha / 2 if is_outside else largest > alpha / 2 * Fraction(99, 100)  # a coarse grid


NEWCOMBE = {  # Newcombe 1998, Statistics in Medicine 17, table II, method 6 (Miettinen and Nurminen), 95 %
    (56, 70, 48, 80): (0.0528, 0.3382),
    (9, 10, 3, 10): (0.1700, 0.8406),
    (6, 7, 2, 7): (0.0342, 0.8534),
    (5, 56, 0, 29): (-0.0326, 0.1933),
    (0, 10, 0, 20): (-0.1658, 0.2844),
    (0, 10, 0, 10): (-0.2879, 0.2879),
    (10, 10, 0, 20): (0.7156, 1.0),
    (10, 10, 0, 10): (0.6636, 1.0),
}


def test_published_score_intervals_of_direct_responses() -> None:
    pairs = [(BinomialSample(n, a, *DIRECT), BinomialSample(m, b, *DIRECT)) for a, n, b, m in NEWCOMBE]
    for ends, published in zip(score_intervals(pairs, CONFIDENCE), NEWCOMBE.values(), strict=True):
        assert ends == pytest.approx(published, abs=5.1e-5)  # four decimals


def restricted(first: BinomialSample, second: BinomialSample, delta: float) -> float:
    """z(delta) with the constrained maximum by ternary search, from the definition."""
    gap = float(first.high - first.low) * delta
    low, high = max(float(first.low), float(first.low) - gap), min(float(first.high), float(first.high) - gap)

    def likelihood(x: float) -> float:
        terms = ((first.hits, x + gap), (first.n - first.hits, 1 - x - gap))
        terms += ((second.hits, x), (second.n - second.hits, 1 - x))
        return sum(count * log(max(chance, 1e-300)) for count, chance in terms if count)

    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if likelihood(left) >= likelihood(right) else (left, high)
    chances, total = (low + gap, low), first.n + second.n
    variance = sum(x * (1 - x) / s.n for x, s in zip(chances, (first, second), strict=True)) * total / (total - 1)
    return (first.hits / first.n - second.hits / second.n - gap) / sqrt(variance)


@few_rows(1)
@pytest.mark.parametrize("ends", RANGES.values(), ids=RANGES)
def test_score_limits_solve_their_equation(ends: tuple, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """z at a limit inside (-1, 1) is the quantile, where the constrained lambda respect the range of the device."""
    quantile = 1.959963984540054
    for _ in range(size(15, 200)):
        pair = tuple(BinomialSample(k, rng.randint(0, k), *ends) for k in (rng.randint(2, 60), rng.randint(2, 60)))
        ((low, high),) = score_intervals([pair], CONFIDENCE)
        own = tuple(one.oriented() for one in pair)
        for limit, expected in ((low, quantile), (high, -quantile)):
            if -1 < limit < 1:
                assert restricted(*own, limit) == pytest.approx(expected, abs=1e-5)  # flat maximum of the search


TABLES = [
    (0, 7, 0, 9),
    (7, 7, 9, 9),
    (0, 7, 9, 9),
    (7, 7, 0, 9),
    (3, 9, 3, 9),
    (0, 1, 1, 1),
    (1, 1, 1, 1),
    (0, 1, 0, 8),
]


@few_rows(1)
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(4, 5), CONFIDENCE], ids=str)
@few_rows(1)
@pytest.mark.parametrize("method", ["score", "exact"])
def test_a_test_rejects_if_and_only_if_its_interval_excludes_0(
    method: str, confidence: Fraction, rng: random.Random, size: Callable[[int, int], int]
) -> None:
    """Random tables of any device, and the degenerate ones: all no, all yes, equal groups, one respondent."""
    n, most = (size(1000, 20_000), 150) if method == "score" else (size(10, 200), 12)
    ranges = [*RANGES.values(), (Fraction(9, 20), Fraction(11, 20)), (Fraction(0), Fraction(1, 3))]
    tables = [
        (rng.randint(0, k), k, rng.randint(0, m), m)
        for k, m in rng.choices(list(product(range(1, most), repeat=2)), k=n)
    ]
    pairs = []
    for a, k, b, m in [*TABLES, *tables]:
        ends = rng.choice(ranges)
        pairs.append((BinomialSample(k, a, *ends), BinomialSample(m, b, *ends)))
    if method == "score":
        intervals, values = score_intervals(pairs, confidence), score_p_values(pairs)
        swapped = score_intervals([pair[::-1] for pair in pairs], confidence)
    else:
        tests = exact_tests(pairs, confidence)
        intervals, values = [test.interval for test in tests], [test.p for test in tests]
        swapped = [(-high, -low) for low, high in intervals]
    for (one, other), (low, high), p, turned in zip(pairs, intervals, values, swapped, strict=True):
        assert -1 <= low <= high <= 1
        assert 0 <= p <= 1
        assert (p < 1 - confidence) == (not low <= 0 <= high), (one, other, p, low, high)
        assert p == 1 or one.hits * other.n != other.hits * one.n
        assert turned == pytest.approx((-high, -low), abs=1e-12)  # rounding of a bisection


def test_coverage_of_the_score_interval_by_enumeration() -> None:
    """Near the nominal one on average, as Newcombe's for Miettinen and Nurminen, and the level of the test too."""
    n, m, ends = 20, 15, RANGES["die"]
    pairs = list(product(range(n + 1), range(m + 1)))
    found = score_intervals([(BinomialSample(n, a, *ends), BinomialSample(m, b, *ends)) for a, b in pairs], CONFIDENCE)
    lower, upper = (np.array([one[side] for one in found]).reshape(n + 1, m + 1) for side in (0, 1))
    covered = []
    for one, other in product(np.linspace(0.05, 0.95, 5), repeat=2):
        laws = [scipy.stats.binom.pmf(np.arange(k + 1), k, 1 / 6 + 2 / 3 * pi) for k, pi in ((n, one), (m, other))]
        inside = (lower <= one - other + 1e-12) & (one - other - 1e-12 <= upper)
        covered.append(float(laws[0] @ inside @ laws[1]))
    assert 0.945 <= np.mean(covered) <= 0.975  # Newcombe: mean 0.957 for direct responses; cut intervals cover more
    assert min(covered) > 0.90


@pytest.mark.slow
def test_large_groups_have_the_score_test_in_place_of_the_exact_one() -> None:
    device = named_mechanism("warner:3/4")
    groups = {name: [(device, [1000 - hits, hits])] for name, hits in (("a", 500), ("b", 450))}
    (small,) = by_group(groups).compared(test="exact")
    groups["b"] = [(device, [551, 450])]
    (large,) = by_group(groups).compared(test="exact")
    assert [one.differences[0].method for one in (small, large)] == ["exact", "score"]
    assert (small.test, large.equality) == (None, None)
    assert (
        small.equality == small.differences[0].p == pytest.approx(large.differences[0].p, rel=0.15)
    )  # another test of other counts
    assert 1001 * 1000 > MOST_CELLS >= 1000 * 1000


@pytest.mark.slow
def test_coverage_of_groups_by_enumeration() -> None:
    """Guaranteed intervals of groups, and of all at once, and exact ones of differences, at pairs of prevalences."""
    n, m, confidence, device = 4, 3, Fraction(4, 5), named_mechanism("crosswise:1/4")
    found = {}
    for a, b in product(range(n + 1), range(m + 1)):
        found[a, b] = by_group({"a": [(device, [n - a, a])], "b": [(device, [m - b, b])]})
    covered_at_once = []
    for i, j in product(range(5), repeat=2):
        truths = float(Fraction(i, 4)), float(Fraction(j, 4))
        laws = [pmf(size, Fraction(3, 4) - Fraction(k, 4) / 2) for size, k in ((n, i), (m, j))]
        chances = dict.fromkeys(("group", "at once", "difference", "differences at once"), Fraction(0))
        for (a, b), own in found.items():
            weight = laws[0][a] * laws[1][b]
            ends, together = (own.conf_int(confidence="4/5", simultaneous=at_once) for at_once in (False, True))
            ((difference,),) = (one.differences for one in own.compared(test="exact", confidence="4/5"))
            value = truths[0] - truths[1]
            holds = {
                "group": ends[0][0] <= truths[0] <= ends[0][1],
                "at once": all(low <= x <= high for (low, high), x in zip(together, truths, strict=True)),
                "difference": difference.interval[0] <= value <= difference.interval[1],
                "differences at once": difference.simultaneous[0] <= value <= difference.simultaneous[1],
            }
            for name, true in holds.items():
                chances[name] += weight * true
        assert all(chance >= confidence for chance in chances.values()), (truths, chances)
        covered_at_once.append(chances["at once"])
    assert min(covered_at_once) < 1  # an interval that always holds everything would pass


@pytest.mark.slow
def test_three_groups() -> None:
    """Bonferroni's adjustment agrees with the simultaneous intervals, and chi-squared is Pearson's on the answers."""
    device, counts = named_mechanism("forced:2/3,1/6,1/6"), {"a": [60, 40], "b": [75, 25], "c": [35, 65]}
    found = by_group({name: [(device, both)] for name, both in counts.items()})
    for test in ("score", "exact"):
        (share,) = found.compared(test=test)
        assert len(share.differences) == 3
        for one in share.differences:
            assert one.method == test
            assert one.adjusted == min(1, 3 * one.p)
            for p, (low, high) in ((one.p, one.interval), (one.adjusted, one.simultaneous)):
                assert (p < 0.05) == (not low <= 0 <= high)
    assert share.equality == share.equality_p == min(one.adjusted for one in share.differences)
    (share,) = found.compared()
    assert share.equality is None
    assert share.test is not None
    pearson = scipy.stats.chi2_contingency(np.array(list(counts.values())))
    assert share.test.statistic == pytest.approx(pearson.statistic)  # equal prevalences iff equal chances
    assert share.test.p_value == pytest.approx(pearson.pvalue)


def test_mixed_devices_and_categories() -> None:
    """Several devices in a group: Hoeffding's interval and the normal test; three categories: one share for each."""
    devices = [named_mechanism("crosswise:1/4"), named_mechanism("crosswise:1/6")]
    mixed = [(device, [50, 70]) for device in devices]
    found = by_group({"a": mixed, "b": mixed[:1]})
    (share,) = found.compared()
    assert [one.kinds[0] for one in found] == ["hoeffding", "exact"]
    assert not share.differences[0].exact
    assert share.equality is None
    grr = named_mechanism("grr:3,1/2").labelled(["x", "y", "z"])
    three = by_group({"a": [(grr, [9, 5, 6])], "b": [(grr, [4, 4, 9])]})
    assert [one.category for one in three.compared()] == ["x", "y", "z"]
    assert sum(one.estimate for one in three.only(group="a")) == 1
    assert {share.differences[0].method for share in three.compared()} == {"score"}


def test_intervals_without_a_binomial_count_are_their_formulas() -> None:
    """Kuk with two draws: three outputs of which no count alone gives the estimate."""
    device, counts = named_mechanism("kuk:4/5,1/5,2"), [30, 40, 20]
    (one,) = by_group({"a": [(device, counts)]})
    row = [float(x) for x in left_inverse(device, (Fraction(1, 2), Fraction(1, 2)))[1]]
    p, n = float(one.estimate), sum(counts)
    halves = {
        "hoeffding": (max(row) - min(row)) * sqrt(log(40) / (2 * n)),
        "normal": 1.959963984540054 * one.se,
    }
    assert one.kinds == tuple(halves)
    for kind, half in halves.items():
        assert [*map(float, one.conf_int(kind=kind))] == pytest.approx([p - half, p + half])


def test_two_groups_have_one_test() -> None:
    """The test that two groups are equal is that of their difference, whatever the method."""
    counts = {"a": [60, 40], "b": [75, 25]}
    devices = named_mechanism("forced:2/3,1/6,1/6"), named_mechanism("warner:3/4")
    one = {name: [(devices[0], both)] for name, both in counts.items()}
    two = {name: [(d, both)] for (name, both), d in zip(counts.items(), devices, strict=True)}
    mixed = {name: [(d, both) for d in devices] for name, both in counts.items()}
    for groups, method in ((one, "score"), (two, "Wald"), (mixed, "Wald")):
        (share,) = by_group(groups).compared()
        (difference,) = share.differences
        assert difference.method == method
        assert share.test.p_value == pytest.approx(difference.p, rel=1e-9)
    z = difference.estimate / Fraction(difference.standard_error)
    assert difference.p == pytest.approx(2 * scipy.stats.norm.sf(abs(float(z))), rel=1e-9)
    half = scipy.stats.norm.isf(0.025) * difference.standard_error
    assert difference.interval == pytest.approx((float(difference.estimate) - half, float(difference.estimate) + half))


def test_without_a_standard_error_there_is_no_test() -> None:
    """All respondents of both groups gave equal responses, by two devices: Wald's method does not apply."""
    devices = named_mechanism("warner:3/4"), named_mechanism("warner:2/3")
    (share,) = by_group({name: [(device, [0, 9])] for name, device in zip("ab", devices, strict=True)}).compared()
    (difference,) = share.differences
    assert (difference.p, difference.interval, difference.simultaneous, share.test) == (1.0, None, None, None)


def test_the_statistic_of_miettinen_and_nurminen() -> None:
    """At equal prevalences it is the pooled z with N - 1 in place of N."""
    first, second = BinomialSample(200, 100, *RANGES["die"]), BinomialSample(200, 75, *RANGES["die"])
    pooled = 175 / 400
    z = 0.125 / sqrt(pooled * (1 - pooled) * 2 / 200 * 400 / 399)
    assert score_statistics([(first, second)]) == pytest.approx([z], rel=1e-12)
    assert score_statistics([(BinomialSample(5, 0, *DIRECT), BinomialSample(3, 0, *DIRECT))]) == [0]
