"""The certified test of two groups against exact polynomials, and coverage by enumeration."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import comb, log, sqrt

import numpy as np
import pytest
from later import later

from rropt.core.errors import InvalidParameterError
from rropt.mechanisms import named_mechanism
from rropt.mechanisms.left_inverse import left_inverse
from rropt.survey.groups.groups import compare_groups
from rropt.survey.groups.shares import ShareComparison
from rropt.survey.groups.two_samples import (
    MOST_CELLS,
    EqualityTest,
    Sample,
    at_least_as_large,
    equality_tests,
    normal_test,
    score,
    statistic_values,
)
from rropt.survey.questions.responses import answers_of_counts

scipy = later("scipy")

DIRECT = (Fraction(0), Fraction(1))
RANGES = {
    "direct": (DIRECT, DIRECT),
    "die": ((Fraction(1, 6), Fraction(5, 6)),) * 2,
    "turned": ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
    "two devices": ((Fraction(1, 6), Fraction(5, 6)), (Fraction(1, 3), Fraction(2, 3))),
}


def equality_test(first: Sample, second: Sample) -> EqualityTest:
    return equality_tests([first, second])[0]


def pmf(n: int, chance: Fraction) -> list[Fraction]:
    return [comb(n, y) * chance**y * (1 - chance) ** (n - y) for y in range(n + 1)]


def statistic(first: Sample, second: Sample, one: int, two: int) -> Fraction | float:
    """T in fractions, written from its definition."""
    estimates, weights = [], []
    for sample, hits in ((first, one), (second, two)):
        slope = sample.high - sample.low
        estimates.append((Fraction(hits, sample.n) - sample.low) / slope)
        weights.append(sample.n * slope**2)
    if estimates[0] == estimates[1]:
        return Fraction(0)
    pooled = sum(w * x for w, x in zip(weights, estimates, strict=True)) / sum(weights)
    pooled = min(max(pooled, Fraction(0)), Fraction(1))
    variance = Fraction(0)
    for sample, weight in zip((first, second), weights, strict=True):
        share = sample.low + (sample.high - sample.low) * pooled
        variance += share * (1 - share) / weight
    return (estimates[0] - estimates[1]) ** 2 / variance if variance else float("inf")


def tail(first: Sample, second: Sample, prevalence: Fraction) -> Fraction:
    """f at a prevalence, exactly."""
    at = statistic(first, second, first.hits, second.hits)
    laws = [pmf(s.n, s.low + (s.high - s.low) * prevalence) for s in (first, second)]
    pairs = product(range(first.n + 1), range(second.n + 1))
    return sum((laws[0][a] * laws[1][b] for a, b in pairs if statistic(first, second, a, b) >= at), Fraction(0))


@pytest.mark.parametrize("ranges", RANGES.values(), ids=RANGES)
def test_the_enclosure_holds_the_maximum(ranges: tuple, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """No prevalence exceeds the upper end, and one comes up to the lower one: exact sums, on a grid."""
    for _ in range(size(4, 60)):
        n, m = rng.randint(1, 9), rng.randint(1, 9)
        first = Sample(n, rng.randint(0, n), *ranges[0])
        second = Sample(m, rng.randint(0, m), *ranges[1])
        test = equality_test(first, second)
        assert test.exact
        assert 0 <= test.lower <= test.p <= 1
        assert test.p - test.lower <= 2e-4 * test.p + 1e-12
        greatest = max(tail(first, second, Fraction(k, 40)) for k in range(41))
        assert greatest <= Fraction(test.p)
        assert float(greatest) >= test.lower * 0.9  # the grid is coarse


def test_against_another_implementation() -> None:
    """SciPy searches the same maximum of the same ordering, without a proof."""
    for table in ([[7, 2], [3, 8]], [[12, 5], [9, 30]], [[0, 4], [6, 3]]):
        (a, b), (c, d) = table
        ours = equality_test(Sample(a + c, a, *DIRECT), Sample(b + d, b, *DIRECT))
        theirs = scipy.stats.barnard_exact(table, n=256).pvalue
        assert ours.lower <= theirs * 1.01
        assert theirs <= ours.p * (1 + 1e-9)


@pytest.mark.parametrize("ranges", [RANGES["direct"], RANGES["two devices"]], ids=["direct", "two devices"])
def test_groups_of_any_shape(ranges: tuple, rng: random.Random, size: Callable[[int, int], int]) -> None:
    """A few responses beside very many: SciPy's tails of the ordering, row by row, at many prevalences."""
    shapes = [(1, 20_000), (3, 3000), (40, 500)]
    for n, m in [shape for k in range(size(1, 4)) for shape in (*shapes, *[(1, 10**6), (10, 10**5)] * (k == 1))]:
        first = Sample(n, rng.randint(0, n), *ranges[0])
        second = Sample(m, rng.randint(m // 4, 3 * m // 4), *ranges[1])
        test = equality_test(first, second) if rng.random() < 0.5 else equality_test(second, first)
        assert test.exact
        assert test.p - test.lower <= 2e-4 * test.p + 1e-12
        inside = statistic_values(first, second)
        inside = inside >= inside[first.hits, second.hits]
        reached = 0.0
        for prevalence in np.sin(np.linspace(0, np.pi / 2, size(41, 81))) ** 2:  # the maximum may lie near an end
            laws = [
                scipy.stats.binom.pmf(np.arange(s.n + 1), s.n, float(s.low) + float(s.high - s.low) * prevalence)
                for s in (first, second)
            ]
            reached = max(reached, float(laws[0] @ (inside @ laws[1])))
        assert test.lower * 0.8 <= reached <= test.p * (1 + 1e-6)


def test_an_ordering_with_a_gap() -> None:
    """With two devices the pairs as large may lie apart from both ends of a row."""
    first = Sample(4, 4, Fraction(1, 3), Fraction(2, 3))
    second = Sample(5, 1, Fraction(9, 10), Fraction(1))
    test = equality_test(first, second)
    greatest = max(tail(first, second, Fraction(k, 50)) for k in range(51))
    assert test.lower * 0.99 <= greatest <= Fraction(test.p)
    assert test.p - test.lower <= 2e-4 * test.p


def test_a_tiny_p_is_an_upper_bound() -> None:
    """A p far below every level is enclosed within 10^-16, not further."""
    test = equality_test(Sample(300, 10, *DIRECT), Sample(200, 190, *DIRECT))
    assert 0 <= test.lower <= test.p <= 2e-16


def test_all_pairs_together(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Pairs that share their laws have the p of each by itself, which no sum by SciPy exceeds."""
    samples = [
        Sample(n, round(n * rng.uniform(0.35, 0.5)), *RANGES[name][0])
        for n, name in zip((4, 70, 70, 110, size(130, 1000), 2 * 10**4), ("die", "turned") * 3, strict=True)
    ]
    together = equality_tests(samples)
    for (first, second), test in zip(combinations(samples, 2), together, strict=True):
        alone = equality_test(first, second)
        assert test.exact == alone.exact == (first.n * second.n <= MOST_CELLS)
        assert test.p == pytest.approx(alone.p, rel=3e-4)
        if not test.exact or first.n + second.n > 10**4:
            continue
        inside = statistic_values(first, second)
        inside = inside >= inside[first.hits, second.hits]
        for prevalence in np.linspace(0, 1, 21):
            laws = [
                scipy.stats.binom.pmf(np.arange(s.n + 1), s.n, float(s.low) + float(s.high - s.low) * prevalence)
                for s in (first, second)
            ]
            assert float(laws[0] @ (inside @ laws[1])) <= test.p * (1 + 1e-9)


def test_the_pairs_as_large_are_those_of_the_definition(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """With one device, by bisection: every pair against T in fractions."""
    for _ in range(size(12, 300)):
        n, m = rng.randint(1, 9), rng.randint(9, 12)
        ends = rng.choice([DIRECT, (Fraction(1, 6), Fraction(5, 6)), (Fraction(9, 10), Fraction(1, 10))])
        first, second = Sample(n, rng.randint(0, n), *ends), Sample(m, rng.randint(0, m), *ends)
        found, at = at_least_as_large(first, second), statistic(first, second, first.hits, second.hits)
        for i, j in product(range(n + 1), range(m + 1)):
            inside = j < found.below[i] or j >= found.above[i]
            assert inside == (statistic(first, second, i, j) >= at)


def test_the_test_keeps_its_level() -> None:
    """Pr(p <= alpha) <= alpha at every prevalence, by enumeration of all pairs of counts."""
    n, m, low, high = 6, 5, Fraction(1, 4), Fraction(3, 4)
    ps = {
        (a, b): equality_test(Sample(n, a, low, high), Sample(m, b, low, high)).p
        for a, b in product(range(n + 1), range(m + 1))
    }
    for k in range(9):
        law = [pmf(size, low + (high - low) * Fraction(k, 8)) for size in (n, m)]
        for alpha in (0.05, 0.2, 0.5):
            chance = sum((law[0][a] * law[1][b] for (a, b), p in ps.items() if p <= alpha), Fraction(0))
            assert chance <= Fraction(alpha)


def test_what_is_too_large_is_called_approximate() -> None:
    large = Sample(1001, 400, *DIRECT), Sample(1000, 300, *DIRECT)
    assert large[0].n * large[1].n > MOST_CELLS
    assert not equality_test(*large).exact
    near = equality_test(Sample(400, 170, *DIRECT), Sample(400, 130, *DIRECT))
    assert near.exact
    assert abs(near.p - normal_test(sqrt(score(Sample(400, 170, *DIRECT), Sample(400, 130, *DIRECT)))).p) < 0.001


def comparisons(confidence: str, n: int, m: int) -> dict[tuple[int, int], ShareComparison]:
    device = named_mechanism("crosswise:1/4")
    found = {}
    for a, b in product(range(n + 1), range(m + 1)):
        groups = {"a": [answers_of_counts(device, [n - a, a])], "b": [answers_of_counts(device, [m - b, b])]}
        (found[a, b],) = compare_groups("q", groups, confidence)
    return found


def test_coverage_by_enumeration() -> None:
    """Guaranteed intervals of groups, of all groups at once, and of the difference, at every pair of prevalences."""
    n, m, confidence = 7, 4, Fraction(4, 5)
    found = comparisons("4/5", n, m)
    covered_at_once = []
    for i, j in product(range(5), repeat=2):
        truths = float(Fraction(i, 4)), float(Fraction(j, 4))
        laws = [pmf(size, Fraction(3, 4) - Fraction(k, 4) / 2) for size, k in ((n, i), (m, j))]
        chances = dict.fromkeys(("group", "at once", "difference", "differences at once"), Fraction(0))
        for (a, b), share in found.items():
            weight = laws[0][a] * laws[1][b]
            ends = [group.intervals["exact"] for group in share.groups]
            together = [group.simultaneous["exact"] for group in share.groups]
            (difference,) = share.differences
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


def test_three_groups() -> None:
    """Holm's adjustment, the exact test of equality, and chi-squared beside Pearson's on the answers themselves."""
    device, counts = named_mechanism("forced:2/3,1/6,1/6"), {"a": [60, 40], "b": [75, 25], "c": [35, 65]}
    groups = {name: [answers_of_counts(device, both)] for name, both in counts.items()}
    (share,) = compare_groups("q", groups)
    ps = [difference.p for difference in share.differences]
    assert len(ps) == 3
    assert share.equality == min(1, 3 * min(ps))
    ordered = sorted(share.differences, key=lambda difference: difference.p)
    assert ordered[0].adjusted == min(1, 3 * ordered[0].p)
    assert [d.adjusted for d in ordered] == sorted(d.adjusted for d in ordered)
    assert share.test is not None
    pearson = scipy.stats.chi2_contingency(np.array(list(counts.values())))
    assert share.test.statistic == pytest.approx(pearson.statistic)  # equal prevalences iff equal chances
    assert share.test.p_value == pytest.approx(pearson.pvalue)


def test_mixed_devices_and_categories() -> None:
    """Several devices in a group: Hoeffding's interval and the normal test; three categories: one share for each."""
    devices = [named_mechanism("crosswise:1/4"), named_mechanism("crosswise:1/6")]
    mixed = [answers_of_counts(device, [50, 70]) for device in devices]
    (share,) = compare_groups("q", {"a": mixed, "b": mixed[:1]})
    assert [group.recommended_kind for group in share.groups] == ["hoeffding", "exact"]
    assert not share.differences[0].exact
    assert share.equality is None
    grr = named_mechanism("grr:3,1/2")
    three = compare_groups(
        "q", {"a": [answers_of_counts(grr, [9, 5, 6])], "b": [answers_of_counts(grr, [4, 4, 9])]}, categories="xyz"
    )
    assert [share.name for share in three] == ["q: x", "q: y", "q: z"]
    assert sum(share.groups[0].estimate for share in three) == 1
    assert all(share.differences[0].exact for share in three)
    with pytest.raises(InvalidParameterError, match="one question"):
        compare_groups("q", {"a": [answers_of_counts(named_mechanism("bits:3/4*2"), [1, 1, 1, 1])]})


def test_intervals_without_a_binomial_count_are_their_formulas() -> None:
    """Kuk with two draws: three outputs of which no count alone gives the estimate."""
    device, counts = named_mechanism("kuk:4/5,1/5,2"), [30, 40, 20]
    (share,) = compare_groups("q", {"a": [answers_of_counts(device, counts)]})
    (one,) = share.groups
    row = [float(x) for x in left_inverse(device, (Fraction(1, 2), Fraction(1, 2)))[1]]
    p, n = float(one.estimate), sum(counts)
    halves = {
        "hoeffding": (max(row) - min(row)) * sqrt(log(40) / (2 * n)),
        "normal": 1.959963984540054 * one.standard_error,
    }
    assert one.recommended_kind == "hoeffding"
    assert set(one.intervals) == set(halves)
    for kind, half in halves.items():
        assert one.intervals[kind] == pytest.approx((p - half, p + half))
