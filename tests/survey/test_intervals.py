"""Intervals: their definitions, their guarantees at every point of a grid, and their reduction to a binomial."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from statistics import NormalDist

import pytest
from few_rows import few_rows
from hypothesis import given
from hypothesis import strategies as st
from later import later

from rropt.core.errors import InfeasibleError, InvalidParameterError, UnsupportedProblemError
from rropt.inference import (
    INTERVAL_KINDS,
    confidence_interval,
    confidence_intervals,
    coverage,
    estimate,
    interval_kinds,
)
from rropt.inference.distributions import exact_tail, lower_probability, tail_at_most
from rropt.inference.interval_estimates import Interval
from rropt.inference.interval_kinds import chebyshev, clopper_pearson, end_digits, normal, wilson
from rropt.mechanisms import Mechanism, named_mechanism

scipy = later("scipy")

CONFIDENCE = Fraction(19, 20)


def of_prevalence(mechanism: Mechanism, yes: int, n: int, kind: str = "exact", confidence: object = "0.95") -> Interval:
    return confidence_interval(estimate(mechanism, yes=yes, n=n), confidence, kind)


def test_clopper_pearson_against_scipy_and_outwards(size: Callable[[int, int], int]) -> None:
    points = 0
    for n in (1, 2, 5, 17, 100, 400)[: size(5, 6)]:
        for y in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            for confidence in (Fraction(1, 2), CONFIDENCE, Fraction(999, 1000)):
                lower, upper = clopper_pearson(y, n, confidence)
                tail = float((1 - confidence) / 2)
                assert float(lower) == pytest.approx(scipy.stats.beta.ppf(tail, y, n - y + 1) if y else 0.0, rel=1e-10)
                assert float(upper) == pytest.approx(
                    scipy.stats.beta.ppf(1 - tail, y + 1, n - y) if y < n else 1.0, rel=1e-10
                )
                level = (1 - confidence) / 2
                assert exact_tail(y, n, lower) <= level or y == 0
                assert exact_tail(n - y, n, 1 - upper) <= level or y == n
                points += 1
    assert points == size(66, 84)


def test_clopper_pearson_of_a_small_confidence() -> None:
    """The lower endpoint of 10 of 10 is near 2^(-1/10), and that of 0 of 10 is 0."""
    for confidence in (Fraction(1, 10**20), Fraction(1, 10**8)):
        lower, upper = clopper_pearson(10, 10, confidence)
        assert float(lower) == pytest.approx(0.5 ** (1 / 10), rel=1e-7)
        assert upper == 1
        assert exact_tail(10, 10, lower) <= (1 - confidence) / 2
        assert clopper_pearson(0, 10, confidence) == (0, 1 - lower)


def test_clopper_pearson_is_the_tightest_on_its_grid() -> None:
    """One unit further in, the tail already exceeds the level: rounding costs at most one unit."""
    points = 0
    for n, y in ((1, 1), (2, 1), (10, 3), (40, 39), (200, 50)):
        lower, _ = clopper_pearson(y, n, CONFIDENCE)
        zeros = max(0, -math.floor(math.log10(lower)))
        assert exact_tail(y, n, lower + Fraction(1, 10 ** (end_digits(n) + zeros))) > Fraction(1, 40)
        points += 1
    assert points == 5
    assert clopper_pearson(1, 1, CONFIDENCE) == (Fraction(1, 40), 1)  # P(Y >= 1) = lambda: a tie, decided exactly


@pytest.mark.parametrize("n", [1, 3, 10, 1000])
def test_no_yes_has_a_closed_form(n: int) -> None:
    lower, upper = clopper_pearson(0, n, CONFIDENCE)
    assert lower == 0
    assert float(upper) == pytest.approx(1 - (1 / 40) ** (1 / n), rel=1e-12)
    assert clopper_pearson(n, n, CONFIDENCE) == (1 - upper, 1)


@given(st.integers(1, 500), st.integers(0, 500), st.sampled_from([Fraction(1, 2), CONFIDENCE, Fraction(999, 1000)]))
def test_score_intervals_invert_their_inequality(n: int, y: int, confidence: Fraction) -> None:
    """At the ends |y/n - t| = c sqrt(t (1 - t)/n), up to outward rounding; Chebyshev's in exact arithmetic."""
    y = min(y, n)
    share, square = Fraction(y, n), 1 / (1 - confidence)
    unit = Fraction(1, 10 ** end_digits(n))
    lower, upper = chebyshev(y, n, confidence)

    def outside(t: Fraction) -> bool:
        return (share - t) ** 2 > square * t * (1 - t) / n

    assert lower == 0 or outside(lower - unit)
    assert upper == 1 or outside(upper + unit)
    assert lower <= share <= upper
    assert not outside(min(lower + 2 * unit, share))
    assert not outside(max(upper - 2 * unit, share))
    z = NormalDist().inv_cdf((1 + float(confidence)) / 2)
    centre, half = (float(share) + z * z / (2 * n)) / (1 + z * z / n), 0.0
    half = z * math.sqrt(float(share * (1 - share)) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low, high = wilson(y, n, confidence)
    assert (float(low), float(high)) == pytest.approx((centre - half, centre + half), abs=1e-12)
    plain = z * math.sqrt(float(share * (1 - share)) / n)
    low, high = normal(y, n, confidence)
    assert (float(low), float(high)) == pytest.approx((float(share) - plain, float(share) + plain), abs=1e-12)


MECHANISMS = [
    "warner:1",
    "forced:2/3,1/6,1/6",
    "crosswise:1/4",
    "warner:3/5",
    "generalised:1,1/4",
    "unrelated:7/10,1/4",
]
PREVALENCES = ["0", "1/100", "1/20", "1/7", "1/3", "1/2", "9/10", "1"]


@pytest.mark.slow
def test_guaranteed_intervals_cover_at_every_point_of_a_grid(size: Callable[[int, int], int]) -> None:
    """Exact coverage, summed and not simulated: at least nominal for `exact` and `chebyshev`, everywhere."""
    sizes = (1, 2, 3, 5, 10, 20, 50) + ((100, 200, 400) if size(0, 1) else ())
    confidences = (CONFIDENCE, Fraction(4, 5)) + ((Fraction(99, 100), Fraction(1, 2)) if size(0, 1) else ())
    points, least = 0, {}
    for name in MECHANISMS:
        mechanism = named_mechanism(name)
        for prevalence in PREVALENCES:
            for n in sizes:
                for confidence in confidences:
                    for kind in ("exact", "chebyshev"):
                        value = coverage(mechanism, n, prevalence, kind, confidence)
                        assert confidence <= value <= 1, (name, prevalence, n, kind)
                        least[kind, confidence] = min(value, least.get((kind, confidence), Fraction(1)))
                        points += 1
    assert points == len(MECHANISMS) * len(PREVALENCES) * len(sizes) * len(confidences) * 2
    assert least["exact", CONFIDENCE] < Fraction(96, 100)  # the exact interval is not vacuously wide


def test_the_others_do_fall_below_nominal() -> None:
    """The same sum finds the failures that the guarantee column warns of: a check that can fail."""
    direct = named_mechanism("warner:1")
    assert coverage(direct, 20, "1/50", "normal") < Fraction(1, 2)
    assert min(coverage(direct, 20, Fraction(i, 100), "wilson") for i in range(1, 100)) < Fraction(93, 100)


def test_coverage_by_hand() -> None:
    # direct question, n = 2, pi = 1/2, normal: y = 0 and y = 2 give [0, 0] and [1, 1], y = 1 gives everything
    assert coverage(named_mechanism("warner:1"), 2, "1/2", "normal") == Fraction(1, 2)
    assert coverage(named_mechanism("warner:1"), 1, 0, "exact") == 1


def test_negative_slope_and_relabelling() -> None:
    points = 0
    for kind in INTERVAL_KINDS:
        for yes in (0, 3, 10, 17, 20):
            here = of_prevalence(named_mechanism("crosswise:1/4"), yes, 20, kind)
            there = of_prevalence(named_mechanism("warner:3/4"), 20 - yes, 20, kind)
            assert (here.lower, here.upper, here.margin) == (there.lower, there.upper, there.margin)
            points += 1
    assert points == 20


@given(st.integers(1, 60), st.integers(0, 60), st.sampled_from(sorted(INTERVAL_KINDS)))
def test_more_confidence_is_wider(n: int, yes: int, kind: str) -> None:
    die = named_mechanism("forced:2/3,1/6,1/6")
    narrow = of_prevalence(die, min(yes, n), n, kind, "0.8")
    wide = of_prevalence(die, min(yes, n), n, kind, "0.99")
    assert 0 <= wide.lower <= narrow.lower <= narrow.upper <= wide.upper <= 1
    assert narrow.margin <= wide.margin


def test_emptied_interval_keeps_the_nearest_end() -> None:
    ends = of_prevalence(named_mechanism("forced:2/3,1/6,1/6"), 0, 500)
    assert ends.emptied
    assert (ends.lower, ends.upper) == (0, 0)
    assert 0 in ends
    assert not of_prevalence(named_mechanism("forced:2/3,1/6,1/6"), 100, 500).emptied


def test_estimate_and_prevalence_intervals_agree() -> None:
    die = named_mechanism("forced:2/3,1/6,1/6")
    result = estimate(die, yes=831, n=2435)
    for kind, ends in confidence_intervals(result).items():
        assert ends == of_prevalence(die, 831, 2435, kind)
        assert ends == confidence_interval(result, kind=kind, contrast=[0, 1])
        assert ends.lower < result.prevalence < ends.upper
    nominal = confidence_interval(result, kind="normal")
    assert float(nominal.margin) == pytest.approx(1.959963984540054 * result.standard_error, rel=1e-12)


def test_kary_shares_reduce_to_a_binomial_and_other_contrasts_do_not() -> None:
    """k-ary randomized response: category j against the rest is a forced response; an odd contrast is normal only."""
    p, q = Fraction(3, 5), Fraction(1, 5)
    result = estimate(Mechanism([[p if i == j else q for j in range(3)] for i in range(3)]), [100, 60, 40])
    checked = 0
    for j, count in enumerate((100, 60, 40)):
        unit = [int(i == j) for i in range(3)]
        binary = Mechanism([[1 - q, 1 - p], [q, p]])  # answers "j" or not, given category j or not
        for kind, ends in confidence_intervals(result, contrast=unit).items():
            assert ends == of_prevalence(binary, count, 200, kind)
            checked += 1
    assert checked == 12
    assert list(confidence_intervals(result, contrast=[1, 2, 4])) == ["normal"]
    with pytest.raises(UnsupportedProblemError, match="allowed is normal"):
        confidence_interval(result, kind="exact", contrast=[1, 2, 4])
    contrast = confidence_interval(result, kind="normal", contrast=[1, 2, 4])
    c = (Fraction(1), Fraction(2), Fraction(4))
    assert float(contrast.margin) == pytest.approx(1.959963984540054 * math.sqrt(result.variance(c)), rel=1e-9)
    merged = confidence_interval(result, kind="exact", contrast=[1, 1, 0])  # c . pi = 1 - pi_2
    single = confidence_interval(result, kind="exact", contrast=[0, 0, 1])
    assert (merged.lower, merged.upper) == (1 - single.upper, 1 - single.lower)
    constant = confidence_interval(result, kind="exact", contrast=[7, 7, 7])
    assert (constant.lower, constant.upper, constant.margin) == (7, 7, 0)


def test_splitting_an_answer_keeps_the_reduction() -> None:
    die = named_mechanism("forced:2/3,1/6,1/6")
    split = Mechanism([die.matrix[0], [p / 3 for p in die.matrix[1]], [2 * p / 3 for p in die.matrix[1]], [0, 0]])
    whole, parts = estimate(die, [60, 40]), estimate(split, [60, 25, 15, 0])
    for kind in INTERVAL_KINDS:
        assert confidence_interval(parts, kind=kind) == confidence_interval(whole, kind=kind)


@few_rows(3)
@pytest.mark.parametrize("n", [10**6, 10**9, 10**12, 10**15])
def test_huge_surveys(n: int) -> None:
    for yes in (0, 1, n // 3, n - 1, n):
        for kind in INTERVAL_KINDS:
            ends = of_prevalence(named_mechanism("forced:2/3,1/6,1/6"), yes, n, kind)
            assert 0 <= ends.lower <= ends.upper <= 1
    exact, score = (of_prevalence(named_mechanism("warner:1"), n // 3, n, kind) for kind in ("exact", "wilson"))
    assert float(exact.margin) == pytest.approx(float(score.margin), rel=1e-2)


@pytest.mark.slow
def test_extreme_confidence() -> None:
    for risk in ("1e-50", "1e-20"):
        for n in (1, 10, 10**9):
            for y in {0, 1, n // 2, n - n // 100, n}:
                for confidence in (Fraction(risk), 1 - Fraction(risk)):
                    lower, upper = clopper_pearson(y, n, confidence)
                    assert 0 <= lower < upper <= 1
    for confidence in ("1e-51", 1 - Fraction(1, 10**51)):
        with pytest.raises(InvalidParameterError, match="at least 1e-50"):
            of_prevalence(named_mechanism("warner:1"), 1, 2, "exact", confidence)


def test_bad_input() -> None:
    die, result = named_mechanism("warner:3/4"), estimate(named_mechanism("warner:3/4"), yes=3, n=10)
    with pytest.raises(InvalidParameterError, match="interval is unknown"):
        of_prevalence(die, 1, 2, "wald")
    for confidence in (0, 1, -1, 2, "x", None, math.nan):
        with pytest.raises(InvalidParameterError):
            of_prevalence(die, 1, 2, "exact", confidence)
    with pytest.raises(InvalidParameterError, match="yes exceeds n"):
        of_prevalence(die, 3, 2)
    with pytest.raises(InfeasibleError):
        of_prevalence(named_mechanism("warner:1/2"), 1, 2)
    for contrast in ("ab", [1], [1, 2, 3], 5):
        with pytest.raises(InvalidParameterError, match="contrast"):
            confidence_interval(result, contrast=contrast)  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match="prevalence is out of range"):
        coverage(die, 5, 2, "exact")


@pytest.mark.slow
def test_one_newton_step_finds_the_verified_ends(
    rng: random.Random, size: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the step the ends are found by verifying decimals one by one: the same."""
    module = import_module("rropt.inference.interval_kinds")
    step, proved = module._decimals, 0
    for _ in range(size(12, 300)):
        n = rng.randint(1, 10 ** rng.randint(0, 12))
        y = rng.choice([1, n, rng.randint(1, n), max(1, n // 100)])
        level = Fraction(1, rng.choice([2, 3, 20, 40, 10**6, 10**20]))
        ends = []
        for decimals in (step, lambda *_: None):
            monkeypatch.setattr(module, "_decimals", decimals)
            ends.append(module._lower_end.__wrapped__(y, n, level))
        assert ends[0] == ends[1]
        near = Fraction(float(lower_probability(n, y, float(level))))
        scale = 10 ** rng.randint(3, 12)
        if (unit := step(y, n, level, near, scale)) is not None:
            assert tail_at_most(y, n, Fraction(unit, scale), level) is not False
            assert tail_at_most(y, n, Fraction(unit + 1, scale), level) is not True
            proved += 1
    assert proved >= size(8, 200)


@pytest.mark.parametrize("digits", [3, 6, 8, 9, 12])
def test_ends_of_many_responses_need_no_bisection(digits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats propose a start that is far from the end where n is large; a second Newton step proves it all the same."""
    monkeypatch.setattr(interval_kinds, "tail_at_most", None)
    draw = random.Random(digits)
    for _ in range(3):
        n = draw.randrange(10 ** (digits - 1), 10**digits)
        for y in (draw.randint(1, n), n - 1, 2):
            lower, upper = interval_kinds.clopper_pearson(y, n, Fraction(99, 100))
            assert 0 < lower < Fraction(y, n) < upper < 1
