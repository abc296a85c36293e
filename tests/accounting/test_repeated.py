"""Reports over time against the enumeration of every sequence of reports, which shares no code with them."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from pathlib import Path

import pytest
from few_rows import few_rows

import rropt
from rropt.accounting import Longitudinal, MemoisedReports, panel, wave_designs
from rropt.accounting.curves import natural_log
from rropt.mechanisms import Mechanism

F = Fraction


def oracle_parity(memo: Mechanism, each: Mechanism, reports: int) -> Fraction:
    """Return the largest likelihood ratio over all sequences of reports."""
    best = F(1)
    for sequence in itertools.product(range(each.outputs), repeat=reports):
        chances = [
            sum(memo[m, x] * math.prod((each[i, m] for i in sequence), start=F(1)) for m in range(memo.outputs))
            for x in range(memo.inputs)
        ]
        best = max(best, *(a / b for a, b in itertools.permutations(chances, 2)))
    return best


def oracle_rappor(f: Fraction, p: Fraction, q: Fraction, reports: int) -> Fraction:
    """Return the ratio of two values with a bit each, over all sequences of reports of both bits."""
    u, v = 1 - f / 2, f / 2
    one, other = [], []
    for sequence in itertools.product((0, 1), repeat=reports):
        high = math.prod((q if bit else 1 - q for bit in sequence), start=F(1))
        low = math.prod((p if bit else 1 - p for bit in sequence), start=F(1))
        one.append((u * high + v * low) / (v * high + u * low))
        other.append((v * high + u * low) / (u * high + v * low))
    return max(one) * max(other)


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_rappor_equals_the_enumeration(n: int) -> None:
    for f, p, q in ((F(1, 2), F(1, 2), F(3, 4)), (F(1, 4), F(1, 5), F(3, 5))):
        found = panel(f"rappor:{f},{p},{q}", n)
        assert abs(float(found.upper) - math.log(oracle_rappor(f, p, q, n))) < 1e-12
        assert found.upper - found.lower < F(1, 10**20)


def test_published_figures_of_rappor() -> None:
    found = panel("rappor:1/2,1/2,3/4", 10)
    assert abs(float(found.curve[0].upper) - 0.537143) < 1e-6
    assert abs(float(found.upper) - 2.149670) < 3e-6
    assert str(found.limit) == "log(9)"
    assert found.change_delta is None  # it depends on the number of bits
    many = panel("rappor:1/2,1/2,3/4", 100_000)
    assert F(0) <= F(str(math.log(9))) + F(1, 10**9) - many.upper <= F(1, 10**8)


def test_memoised_reports_equal_the_enumeration() -> None:
    pairs = [
        (Mechanism.binary("3/4", "2/3"), Mechanism.binary("2/3", "3/5")),
        (Mechanism([["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]),) * 2,
        (Mechanism.binary("3/4", "3/4"), Mechanism([["1/2", "1/5"], ["1/4", "2/5"], ["1/4", "2/5"]])),
    ]
    for memo, each in pairs:
        reports = MemoisedReports(memo, each)
        for n in (1, 2, 4):
            assert reports.epsilon(n).gamma == oracle_parity(memo, each, n)
        many = reports.epsilon(20)
        most = float(many) if hasattr(many, "kind") else float(many.upper)
        assert most <= float(reports.limit()) + 1e-12


def test_a_million_reports_of_two_memos() -> None:
    near = F(str(math.log(2)))
    found = panel("warner:3/4", 10**6, memo="warner:2/3")
    assert abs(found.upper - near) < F(1, 10**15)
    assert found.upper - found.lower <= F(1, 10**25)
    bare = panel("warner:3/4", 10**6, memo="warner:1")  # the memo reveals the value: each report adds log(3)
    assert bare.lower <= 10**6 * F("1.098612288668109691395245236922525704647490557822") <= bare.upper


def test_memos_that_are_not_told_apart_are_merged() -> None:
    memo = Mechanism([["1/2", "1/4"], ["1/4", "1/2"], ["1/4", "1/4"]])
    each = Mechanism([["3/4", "3/4", "1/4"], ["1/4", "1/4", "3/4"]])
    assert str(MemoisedReports(memo, each).limit()) == "0"
    silent = MemoisedReports(Mechanism([[1, 1], [0, 0]]), Mechanism([[1, 0], [0, 1]]), is_unary=True)
    assert str(silent.limit()) == str(silent.epsilon(1)) == "0"  # a memo that never occurs reveals nothing
    assert panel("warner:3/4", 3, memo=Mechanism([["1/2"], ["1/2"]])).upper == 0  # one value
    whole = Mechanism([["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]])
    assert str(MemoisedReports(memo, whole).limit()) == "log(2)"


@pytest.mark.slow
def test_fresh_reports_are_composed() -> None:
    found = panel("1/2", 12, per_wave=2, delta="1e-6")
    assert found.epsilon == rropt.compose("1/2*24", delta="1e-6").epsilon
    assert found.wave == rropt.compose("1/2*2", delta="1e-6").epsilon
    assert [point.reports for point in found.curve] == [1, 2, 4, 8, 16, 24]
    assert found.limit.is_infinite
    assert found.change_epsilon is None
    bare = panel(Mechanism([["1", "0"], ["0", "1"]]), 5, memo="warner:3/4")
    assert bare.change_epsilon.is_infinite
    assert bare.change_delta == F(10, 16)
    many = panel("warner:3/4", 40_000, memo="warner:2/3").change_epsilon  # its parity is too long
    assert 0 <= many.nats(20).lower - 40_000 * natural_log(F(3)).lower < F(1, 10**19)
    noisy = panel("warner:3/4", 3, memo="warner:2/3", per_wave=2)
    assert (str(noisy.change_epsilon), noisy.change_delta) == ("log(729)", F(5, 9))
    assert panel("mangat:1/2", 2, memo="warner:2/3").change_epsilon.is_infinite  # a no is certainly true
    assert str(panel("warner:1/2", 3).limit) == "0"
    silent = panel(Mechanism([[1, 1], [0, 0]]), 2, reports="kept")  # each report is the same
    assert (silent.change_delta, silent.change_epsilon, str(silent.limit)) == (0, None, "0")
    assert str(bare.epsilon) == "log(3)"


def oracle_d_bit_flip(buckets: int, bits: int, g: Fraction) -> tuple[Fraction, Fraction]:
    """Return parity of one report, and the largest chance that two kept ones differ, over all drawn buckets."""
    p, parity, change = g / (1 + g), F(1), F(0)
    for drawn in itertools.combinations(range(buckets), bits):
        laws = [
            {
                answer: math.prod((p if (drawn[i] == v) == bit else 1 - p for i, bit in enumerate(answer)), start=F(1))
                for answer in itertools.product((True, False), repeat=bits)
            }
            for v in range(buckets)
        ]
        for x, y in itertools.permutations(laws, 2):
            parity = max(parity, *(x[answer] / y[answer] for answer in x))
            change = max(change, 1 - sum(x[answer] * y[answer] for answer in x))
    return parity, change


@few_rows(1)
@pytest.mark.parametrize(("buckets", "bits"), [(2, 1), (2, 2), (4, 1), (4, 2), (4, 3), (4, 4)])
def test_d_bit_flip_equals_the_enumeration(buckets: int, bits: int) -> None:
    parity, change = oracle_d_bit_flip(buckets, bits, F(3))
    kept = panel(f"dbitflip:{buckets},{bits},log(9)", 30, per_wave=2)
    assert (kept.reports, kept.epsilon.gamma, kept.limit.gamma) == ("kept", parity, parity)
    assert (kept.change_delta, kept.change_epsilon.is_infinite) == (change, True)
    fresh = panel(f"dbitflip:{buckets},{bits},log(9)", 4, reports="fresh")
    assert fresh.epsilon.gamma == parity**4
    assert (fresh.change_delta, fresh.limit.is_infinite) == (None, True)
    rounded = panel(f"dbitflip:{buckets},{bits},{math.log(9)!r}", 3)
    assert F(0) <= rounded.change_delta - change < F(1, 10**9)


@pytest.mark.slow
def test_kept_reports_reveal_what_one_does() -> None:
    for mechanism in ("warner:3/4", "grr:3,1/2", "1/2", "forced:2/3,1/6,1/6", "1,1/1000"):
        for slack in ("0", "1/10"):
            kept = panel(mechanism, 50, reports="kept", delta=slack)
            assert kept.epsilon == kept.per_report == kept.limit == rropt.compose(mechanism, delta=slack).epsilon
    assert panel("warner:3/4", 5, reports="kept").change_delta == F(5, 8)
    assert panel("grr:3,1/2", 5, reports="kept").change_delta == F(1) - F(5, 16)
    uneven = Mechanism([["1/2", "1/4", "1/2"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/4"]])
    assert panel(uneven, 5, reports="kept").change_delta == F(1) - F(5, 16)  # of the two that agree least
    assert panel("log(3),1/10", 5, reports="kept").change_delta == F(1) - F(9, 10) ** 2 * F(3, 8)
    assert panel("log(3)*2", 5, reports="kept").change_delta is None
    assert panel("inf", 5, reports="kept").change_delta == 1
    assert panel("grr:101,1", 2, reports="kept").change_delta is None  # the matrix is too large
    assert not panel("inf", 5, reports="kept").remarks()
    # a level leaves the number of outputs open, and with more of them kept reports differ more often
    level, more = (panel(text, 5, reports="kept") for text in ("log(3)", "grr:10,1/4"))
    assert level.epsilon == more.epsilon
    assert level.change_delta == F(5, 8) < more.change_delta
    assert "with more outputs it can be larger" in level.remarks()[0]
    assert not more.remarks()
    # a report that never occurs under one memo has the factor 0^0 in the counts of the others
    assert abs(float(panel("rappor:1/2,1/2,1", 10**5).upper) - math.log(9)) < 1e-12
    assert panel("warner:3/4", 2, memo="log(9)").memo == "binary randomized response at log(9)"


def test_rappor_says_that_its_level_is_of_two_bits() -> None:
    """Without a second randomization one bit has the odds 3, and two categories, which differ in two bits, have 9."""
    found = panel("rappor:1/2", 2)
    assert (str(found.epsilon), str(Mechanism("rappor:1/2").epsilon)) == ("log(9)", "log(3)")
    for reports in ("memo", "fresh", "kept"):
        lines = dict(panel("rappor:1/2,1/2,3/4", 2, reports=reports).lines())
        assert "two categories differ" in lines["each report"]
        assert "two bits" in lines["each report"]


def test_both_steps_drawn_anew_equal_the_enumeration() -> None:
    f, p, q = F(1, 2), F(1, 2), F(3, 4)
    one, zero = (1 - f / 2) * q + f / 2 * p, f / 2 * q + (1 - f / 2) * p
    found = panel("rappor:1/2,1/2,3/4", 3, reports="fresh")
    assert found.epsilon.gamma == ((one / zero) * ((1 - zero) / (1 - one))) ** 3
    assert panel("rappor:1/2,1/2,3/4", 9, reports="kept").epsilon == found.per_report
    both = panel("warner:3/4", 2, memo="warner:2/3", reports="fresh")
    assert both.epsilon.gamma == F(7, 5) ** 2


def test_interviews_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "questions.csv"
    path.write_text("question,mechanism,gamma\nincome,warner:3/4,\ndrugs,,2\n")
    fresh = panel(questions=str(path), waves=3)
    assert (str(fresh.per_report), str(fresh.epsilon)) == ("log(6)", "log(216)")
    kept = panel(questions=str(path), waves=3, reports="kept")
    assert str(kept.epsilon) == str(kept.limit) == "log(6)"
    assert Longitudinal.from_json(kept.to_json()) == kept


@pytest.mark.parametrize(
    ("budget", "waves", "goal", "answered", "variance"),
    [
        ("4", 12, "level", 2, 2.586),
        ("4", 12, "change", 2, 5.08),
        ("8", 12, "change", 3, 1.43),
        ("2", 6, "change", 1, 5.17),
    ],
)
def test_designs_over_waves(budget: str, waves: int, goal: str, answered: int, variance: float) -> None:
    (found,) = [one for one in wave_designs(budget, waves, change="1/10") if one.goal == goal]
    assert found.answered == answered
    assert abs(found.variance - variance) < 0.006
    assert found.variance <= found.everybody


def test_a_constant_trait_wants_one_kept_answer() -> None:
    for waves, budget, ratio in ((4, "1", 4.32), (12, "4", 39.1)):
        one = wave_designs(budget, waves)[0]
        assert abs(one.everybody / one.variance - ratio) < 0.05


@pytest.mark.parametrize(("e", "t"), [(3, 7), (6, 10), (9, 5)])
def test_designs_over_waves_are_the_least_of_the_formulas(e: int, t: int) -> None:
    def noise(level: float) -> float:
        return 1 / (4 * math.sinh(level / 2) ** 2)

    constant = {1: noise(e), t: noise(e / t) / t}
    level = {m: t / m * (noise(e / m) + 3 / 16) for m in range(1, t + 1)}
    change = {m: (t - 1) / (m - 1) * (2 * noise(e / m) + 1 / 20) for m in range(2, t + 1)}
    change[1] = 2 * t * (noise(e) + 3 / 16)
    for found, goal, variances in zip(
        wave_designs(str(e), t, prevalence="1/4", change="1/20"),
        ("constant", "level", "change"),
        (constant, level, change),
        strict=True,
    ):
        best = min(variances, key=lambda m: variances[m])
        assert (found.goal, found.answered, str(found.each)) == (goal, best, str(F(e, best)))
        assert (found.variance, found.everybody) == pytest.approx((variances[best], variances[t]), rel=1e-12)
    half, guessed = (wave_designs("3", 7, prevalence=share) for share in ("1/2", None))
    assert half == guessed


def test_the_result_comes_back() -> None:
    found = panel("warner:3/4", 6, memo="warner:2/3", lifetime=2, change="1/10")
    assert (str(found.change_epsilon), found.change_delta) == ("log(729)", F(5, 9))
    assert [point.reports for point in found.curve] == [1, 2, 4, 6]
    assert found.advice.startswith("constant: 1 response at epsilon 2, N Var 0.181 (everybody always 1.486); level: 1 ")
    assert str(panel("rappor:1/2,1/4", 3).per_report) == str(panel("rappor:1/2,1/4,1", 3).per_report)
    assert Longitudinal.from_json(found.to_json()) == found
