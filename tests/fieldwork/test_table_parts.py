"""Parts of estimates and plans at small numbers: by enumeration, by formulas, and by the text of each branch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.table_calls import table_estimate

import rropt
import rropt_fieldwork
from rropt.accounting import DealtDeck
from rropt.accounting.sum_laws import ResponsePolynomials, deck_move_law, fractions_over, pairs_of
from rropt.answers import response_counts
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.core.exact.display import p_text
from rropt.estimates import conclusions
from rropt.estimates.estimate_rows import GroupedRespondents
from rropt.inference import differences, estimate, interval_kinds, likelihood
from rropt.inference.contrast_noise import noise_table
from rropt.inference.exact_tests import BinomialSample
from rropt.inference.hypothesis_tests import conf_int, value_test
from rropt.inference.proportion_intervals import PROPORTION_INTERVALS, Proportions, proportion_intervals
from rropt.inference.score_tests import _Pairs, score_intervals, score_p_values
from rropt.mechanisms import Mechanism
from rropt.noncompliance.behaviour_models import behaviours
from rropt.plans.exact_quantities import _float_counts, _upper_tails, critical_count, exact_margin, exact_test
from rropt.plans.quantities import _largest, _normal_cdf, inverted_margin
from rropt_fieldwork.devices.dealing import deal
from rropt_fieldwork.reading.frames import _is_missing
from rropt_fieldwork.reading.header_rows import Header, first_records, labels_of

F = Fraction
WARNER = Mechanism.binary("3/4", "3/4")
LEVEL = F(19, 20)
AT_RANDOM = "non-compliers respond at random, each response with the same probability"
Z = NormalDist().inv_cdf(0.975)


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [math.comb(n, y) * p**y * (1 - p) ** (n - y) for y in range(n + 1)]


# sentences


def test_sentences_on_a_proportion() -> None:
    for value, ends, other, text in (
        (0.2619, (0.2334, 0.2909), {}, "x: about 26.2 % (95 % interval: 23.3 to 29.1 %)."),
        (0.2619, (0.2334, 0.2909), {"unit": "adults"}, "x: about 26.2 % of adults (95 % interval: 23.3 to 29.1 %)."),
        (0.5, (0.3, 0.7), {"kind": "approximate "}, "x: about 50 % (approximate 95 % interval: 30 to 70 %)."),
        (
            0.5,
            (0.3, 0.7),
            {"of": " alone", "people": "; about 5"},
            "x: about 50 % (95 % interval alone: 30 to 70 %; about 5).",
        ),
        (
            -0.01,
            (0, 0.0749),
            {},
            "x: at most 7.5 % (95 % interval: 0 to 7.5 %). The survey cannot tell this from zero.",
        ),
        (
            1.01,
            (0.92, 1),
            {},
            "x: at least 92.0 % (95 % interval: 92.0 to 100 %). The survey cannot tell this from 100 %.",
        ),
        (0.5, (0, 1), {}, "x: the survey says nothing (95 % interval: 0 to 100 %)."),
        (0.5, None, {}, "x: about 50 %, without an interval."),
        (0.5, (0.5, 0.5), {}, "x: about 50 %, without an interval."),
        (
            -0.2,
            (0.0, 0.0),
            {},
            "x: no proportion from 0 to 100 % fits these responses; check the mechanism and the responses.",
        ),
        (0.0005, (0.0001, 0.3), {}, "x: about 0.05 % (95 % interval: 0.01 to 30.00 %)."),
        (F(9, 10), (F(4, 5), F(9999, 10000)), {}, "x: about 90.00 % (95 % interval: 80.00 to 99.99 %)."),
    ):
        told = conclusions.share_sentence("x", value, ends, LEVEL, **other)  # type: ignore[arg-type]
        assert told == text
    for value, digits, text in (
        (F(2346, 10000), 1, "23.5"),
        (F(1, 3), 0, "33"),
        (F(1, 200), 0, "0"),
        (F(1, 1000), 2, "0.10"),
        (F(1), 2, "100.00"),
    ):
        assert conclusions.percent_text(value, digits) == text
    assert conclusions.largest_sentence(["a", "b"]) == "Several categories have the largest estimate: a, b."
    assert conclusions.largest_sentence(list("abcde")).endswith("a, b, c, d, e.")
    assert conclusions.largest_sentence(list("abcdef")).endswith("a, b, c, d, e, ....")


def test_numbers_of_people() -> None:
    for value, ends, base, whole, text in (
        (69234.5, (57911, 80558), "264,345 adults", None, "; about 69,000 people, 57,000 to 81,000, of 264,345 adults"),
        (4405, (0, 13870), "", None, "; at most 13,900 people"),
        (49.5, (47, 50), "", 50, "; at least 47 people"),
        (25, (0, 50), "", 50, ""),
        (5, None, "", None, ""),
        (5, (5, 5), "", None, ""),
        (-5, (-9, 0), "", None, ""),
        (1, (0.5, 1.4), "", None, "; about 1 person, 0 to 2"),
        (7, (7.000000000000001, 9), "", None, "; about 7 people, 7 to 9"),
        (30, (10, 49.9), "", 49.95, "; about 30 people, 10 to 49"),
    ):
        assert conclusions.people_text(value, ends, base, whole) == text, value
    assert conclusions.share_of_people(0.5, (0.25, 0.75), "adults", 1000) == "; about 500 people, 250 to 750"
    missing = conclusions.share_of_people(0.5, (0.25, 0.75), "adults", 1000, missing=1)
    assert missing.endswith(", of them, if those who did not answer are like those who did")
    for arguments in ((0.5, (0.2, 0.8), "", 1000), (0.5, (0.2, 0.8), "adults", None), (0.5, None, "adults", 1000)):
        assert conclusions.share_of_people(*arguments) == ""
    assert conclusions.share_of_people(-0.5, (0.1, 0.2), "adults", 1000) == "; about 0 people, 100 to 200"
    assert [conclusions.unit_in_all(u, n) for u, n in (("adults", 264345), ("adults", None), ("", 5))] == [
        "all 264,345 adults",
        "adults",
        "",
    ]
    with pytest.raises(InvalidParameterError, match="a number above 0"):
        conclusions.unit_in_all("adults", 0)


def difference(
    first: str, second: str, value: float, adjusted: float, exact: bool = True, interval: Any = (0, 1)
) -> Any:
    return SimpleNamespace(
        first=first, second=second, estimate=value, adjusted=adjusted, exact=exact, interval=interval
    )


def test_sentences_on_differences() -> None:
    one, two = difference("a", "b", 0.123, 0.01), difference("b", "c", -0.05, 0.2, exact=False)
    for given, equality, told in (
        ([], None, ["The groups are too many to test their differences."]),
        (
            [difference("a", "b", 0.1, 1.0, interval=None)],
            None,
            ["The differences of the groups were not tested: they have no standard error."],
        ),
        ([one], None, ["a is above b, by about 12.3 points (p = 0.010)."]),
        ([difference("a", "b", -0.01, 0.0499)], None, ["b is above a, by about 1 point (p = 0.0499)."]),
        (
            [difference("a", "b", 0.1, 0.051)],
            None,
            ["The test does not establish a difference between groups (p = 0.051)."],
        ),
        (
            [difference("a", "b", 0.1, 0.01, exact=False)],
            None,
            ["a is above b, by about 10 points (approximate p = 0.010)."],
        ),
        ([two, one], None, ["a is above b, by about 12.3 points (p = 0.010, adjusted over the pairs of groups)."]),
        ([two, two], None, ["The tests do not establish a difference between groups (smallest adjusted p = 0.200)."]),
        (
            [two, two],
            0.01,
            [
                "The groups differ (the test that all groups are equal: p = 0.010), but the survey does "
                "not establish which of them (smallest adjusted p = 0.200)."
            ],
        ),
        (
            [two, two],
            0.06,
            [
                "The tests do not establish a difference between groups (smallest adjusted p = 0.200; "
                "the test that all groups are equal: p = 0.060)."
            ],
        ),
        (
            [one, two],
            0.06,
            [
                "a is above b, by about 12.3 points (p = 0.010, adjusted over the pairs of groups).",
                "The tests of pairs decide: the test that all groups are equal: p = 0.060, "
                "but it is less sensitive to a difference of two groups.",
            ],
        ),
    ):
        assert list(conclusions.difference_sentences(given, LEVEL, equality)) == told
    *named, adjusted = conclusions.difference_sentences([one] * 5, LEVEL)
    assert (len(named), adjusted) == (3, "Each p is adjusted over the pairs of groups.")


def test_texts_of_intervals() -> None:
    for lower, upper, value, empty in (
        (0.1, 0.2, 0.15, False),
        (-0.2, -0.1, 0.1, True),
        (-0.2, 0.0, 0.1, False),
        (1.1, 1.2, 0.5, True),
        (1.0, 1.2, 0.5, False),
        (0.0, 0.0, -0.1, True),
        (0.0, 0.0, 0.0, False),
        (1.0, 1.0, 1.0, False),
        (1.0, 1.0, 1.1, True),
    ):
        assert interval_kinds.is_empty(lower, upper, value) is empty
    assert interval_kinds.ends_text(0.1, 0.25, 2, 0.2) == "0.10 to 0.25"
    assert interval_kinds.ends_text(0.0, 0.0, 2, -0.2) == interval_kinds.EMPTY
    assert [interval_kinds.places_of(e) for e in ([0.01, 0.1, None], [None], [])] == [3, None, None]
    assert interval_kinds.empty_remark([]) == ()
    assert interval_kinds.empty_remark(["a"], "exact")[0].startswith("exact interval of a: none: no possible")
    assert [interval_kinds.few(list("abcde")[:n]) for n in (1, 3, 4)] == ["a", "a; b; c", "a; b; c, and 1 more"]
    assert [interval_kinds.end_digits(n) for n in (9, 10, 99, 100, 1000)] == [14, 14, 14, 15, 15]
    for (low, high), places, decimals, text in (
        ((-0.5, 0.25), 2, None, "-0.50 to 0.25"),
        ((0.0004, 0.31), 2, None, "0.0004 to 0.31"),
        ((0.0, 0.31), 2, None, "0.00 to 0.31"),
        ((0.123456789, 0.2), 8, 3, "0.123 to 0.200"),
        ((0.1234, 0.2), 3, 3, "0.123 to 0.200"),
    ):
        assert differences.difference_text((low, high), places, decimals) == text
    assert differences.difference_text(None, 2) == "none"


# intervals and tests


def test_intervals_of_counts() -> None:
    """Wald's and Wilson's formulas, Chebyshev's square, and the tails at the ends of Clopper and Pearson."""
    for y, n in ((3, 20), (0, 7), (7, 7), (1, 2), (19, 60)):
        share = y / n
        low, high = (float(end) for end in interval_kinds.normal(y, n, LEVEL))
        half = Z * math.sqrt(share * (1 - share) / n)
        assert (low, high) == pytest.approx((share - half, share + half), abs=1e-13)
        for kind, square in ((interval_kinds.wilson, Z * Z), (interval_kinds.chebyshev, 20.0)):
            low, high = (float(end) for end in kind(y, n, LEVEL))
            h = square / n
            root = math.sqrt(h * share * (1 - share) + h * h / 4)
            expected = (share + h / 2 - root) / (1 + h), (share + h / 2 + root) / (1 + h)
            assert (low, high) == pytest.approx(expected, abs=1e-13)
        lower, upper = interval_kinds.clopper_pearson(y, n, LEVEL)
        tail = F(1, 40)
        step = F(1, 10**12)
        if y:
            assert sum(binomial(n, lower)[y:]) <= tail < sum(binomial(n, lower + step)[y:])
        else:
            assert lower == 0
        if y < n:
            assert sum(binomial(n, upper)[: y + 1]) <= tail < sum(binomial(n, upper - step)[: y + 1])
        else:
            assert upper == 1
    assert interval_kinds.interval_kind("exact").ends is interval_kinds.clopper_pearson


def test_counts_of_responses() -> None:
    mechanism = Mechanism([["1/2", "1/4"], ["1/2", "3/4"], ["0", "0"]])
    assert response_counts.answer_counts(mechanism, [1, 2, 0]) == (1, 2, 0)
    assert response_counts.response_counts(mechanism, [0, 1, 1]) == [1, 2, 0]
    assert response_counts.binary_counts(WARNER, 3, 10) == (7, 3)
    assert response_counts.binary_counts(WARNER, 10, 10) == (0, 10)
    for value in (0, 10**15, F(5), np.int64(3), np.array(4)):
        assert response_counts.answer_count(value, "n") == int(value)
    for call, text in (
        (lambda: response_counts.answer_count(-1, "n"), "n is not a count: .* from 0 to 1000000000000000"),
        (lambda: response_counts.answer_count(0, "n", least=1), "from 1 to"),
        (lambda: response_counts.answer_count(10**15 + 1, "n"), "n is not a count"),
        (lambda: response_counts.answer_count(True, "n"), "n is not a count"),
        (lambda: response_counts.answer_count(5.0, "n"), "n is not a count"),
        (lambda: response_counts.answer_count(F(1, 2), "n"), "n is not a count"),
        (lambda: response_counts.answer_counts(mechanism, 5), "counts are not a list"),  # type: ignore[arg-type]
        (
            lambda: response_counts.answer_counts(mechanism, [1, 2]),
            "received 2 counts for 3 outputs; give one count per row",
        ),
        (lambda: response_counts.answer_counts(mechanism, [1, 2, 0, 1]), "these look like the responses themselves"),
        (lambda: response_counts.answer_counts(mechanism, [0, 0, 0]), "received the sum 0; allowed is 1 to"),
        (
            lambda: response_counts.answer_counts(mechanism, [1, 2, 1]),
            "output 2 is impossible under the mechanism: received 1",
        ),
        (lambda: response_counts.response_counts(mechanism, [0, 3]), "received 3; allowed are the outputs 0..2"),
        (lambda: response_counts.response_counts(mechanism, [0, -1]), "received -1"),
        (lambda: response_counts.response_counts(mechanism, [[0], [1]]), "received the shape"),
        (lambda: response_counts.response_counts(mechanism, [0.5]), "values of the type float64"),
        (lambda: response_counts.binary_counts(mechanism, 1, 2), "a mechanism with 3 outputs"),
        (lambda: response_counts.binary_counts(WARNER, 11, 10), "received 11 yes among 10 responses"),
        (lambda: response_counts.given_counts(WARNER, [1, 2], [0], None, None), "received 2 of counts, responses"),
        (lambda: response_counts.given_counts(WARNER, None, None, 1, None), "received 1 of counts"),
        (lambda: response_counts.given_counts(WARNER, None, None, None, None), "received 0 of counts"),
    ):
        with pytest.raises(InvalidParameterError, match=text):
            call()
    for found in range(11):
        for guess in (-3, 0, 4, 10, 20):
            tried: list[int] = []

            def works(k: int, found: int = found, tried: list[int] = tried) -> bool:
                tried.append(k)
                return k >= found

            assert response_counts.least_integer(works, guess, 0, 10) == found
            assert all(0 <= k < 10 for k in tried)


def test_tests_of_a_value() -> None:
    """Exact tails of the count, twice the smaller one; the normal test by its formula."""
    n, yes = 20, 8
    found = estimate(WARNER, yes=yes, n=n)
    for null in (F(0), F(1, 10), F(1, 2)):
        law = binomial(n, F(1, 4) + null / 2)
        upper, lower = float(sum(law[yes:])), float(sum(law[: yes + 1]))
        for alternative, p in (("greater", upper), ("less", lower), ("two-sided", min(1.0, 2 * min(upper, lower)))):
            for kind in (None, "exact"):
                test = value_test(found, null, alternative=alternative, kind=kind)  # type: ignore[arg-type]
                assert test == pytest.approx(p, rel=1e-12)
        deviation = math.sqrt(0.4 * 0.6 / n) * 2
        z = float(F(3, 10) - null) / deviation
        normal = value_test(found, null, kind="normal")
        assert normal == pytest.approx(2 * NormalDist().cdf(-abs(z)), rel=1e-12)
    turned = estimate(Mechanism.binary("1/4", "1/4"), yes=12, n=20)  # a response 1 speaks against the trait
    law = binomial(20, F(3, 4) - F(1, 10) / 2)
    assert value_test(turned, "1/10", alternative="greater") == pytest.approx(float(sum(law[:13])), rel=1e-12)
    for call, text in (
        (lambda: value_test(found, 2), "`null` is out of range: .* 0 to 1"),
        (lambda: value_test(found, 0, alternative="more"), "alternative"),  # type: ignore[arg-type]
        (lambda: value_test(found, 0, kind="t"), "kind"),  # type: ignore[arg-type]
        (
            lambda: value_test(estimate(WARNER, yes=0, n=5), 0, kind="normal"),
            "received 0, since all responses are equal",
        ),
        (lambda: conf_int(found, 0), "0 < alpha < 1"),
        (lambda: conf_int(found, 1), "0 < alpha < 1"),
    ):
        with pytest.raises(RroptError, match=text):
            call()


def test_differences_of_two_groups() -> None:
    """Score statistics at constrained maxima found on a grid; the interval inverts the test."""
    direct = F(0), F(1)
    for x, n, y, m in ((7, 10, 3, 12), (0, 5, 4, 9), (56, 70, 48, 80)):
        pair = BinomialSample(n, x, *direct), BinomialSample(m, y, *direct)
        pairs = _Pairs.of([pair])
        for delta in (-0.3, 0.0, 0.25):
            grid = np.linspace(max(0, -delta), min(1, 1 - delta), 200_001)[1:-1]
            with np.errstate(divide="ignore", invalid="ignore"):
                likelihood = (
                    x * np.log(grid + delta)
                    + (n - x) * np.log1p(-grid - delta)
                    + y * np.log(grid)
                    + (m - y) * np.log1p(-grid)
                )
            q = float(grid[np.nanargmax(likelihood)])
            p = q + delta
            variance = (n + m) / (n + m - 1) * (p * (1 - p) / n + q * (1 - q) / m)
            truth = (x / n - y / m - delta) / math.sqrt(variance)
            assert pairs.statistics(np.array([delta]))[0] == pytest.approx(
                truth, abs=1e-3
            )  # the grid has steps of 5e-6
        z = pairs.statistics(np.zeros(1))[0]
        assert score_p_values([pair])[0] == pytest.approx(2 * NormalDist().cdf(-abs(z)), rel=1e-12)
        ((low, high),) = score_intervals([pair], LEVEL)
        for end, sign in ((low, 1), (high, -1)):
            if -1 < end < 1:
                assert pairs.statistics(np.array([end]))[0] * sign == pytest.approx(Z, abs=1e-7)
        ((back, front),) = score_intervals([pair[::-1]], LEVEL)  # type: ignore[list-item]
        assert (back, front) == pytest.approx((-high, -low), abs=1e-9)
    for values, holm, bonferroni in (
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06], [0.03, 0.12, 0.09]),
        ([0.5, 0.6], [1.0, 1.0], [1.0, 1.0]),
        ([0.02], [0.02], [0.02]),
    ):
        assert differences.holm(values).tolist() == pytest.approx(holm)
        assert differences.bonferroni(values).tolist() == pytest.approx(bonferroni)
    assert differences.quantile(LEVEL) == pytest.approx(Z, rel=1e-14)
    assert differences.quantile(LEVEL, 1) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-10)  # Cauchy
    assert differences.quantile(LEVEL, 0) == math.inf
    assert differences.p_value(-Z) == pytest.approx(0.05, rel=1e-12)
    assert differences.p_value(1.0, 1) == pytest.approx(0.5, rel=1e-12)
    assert differences.p_value(5.0, 0) == 1
    assert [differences.is_outside(x) for x in (0.0, 1.0, -1e-10, -1e-8, 1 + 1e-8, F(3, 2), F(1))] == [False] * 3 + [
        True
    ] * 3 + [False]
    assert [p_text(p) for p in (0.0009, 0.001, 0.5, math.nan)] == ["< 0.001", "0.001", "0.500", "none"]
    assert differences.in_digits(0.2619, 0.0144, 0.2, 0.3) == ("0.262", "0.014", "0.200 to 0.300")
    assert differences.in_digits(math.nan, 1, 0, 1) == ("missing",) * 3
    assert differences.in_digits(0.5, 0.1, -math.inf, math.inf)[2] == "none"
    chi = differences.Test.of("x", 3.0, 2)
    assert chi.p_value == pytest.approx(math.exp(-1.5))
    assert differences.Test.of("x", 3.0, 2, 4).p_value == pytest.approx((1 + 3.0 * 2 / 4) ** -2)


def test_intervals_of_complex_surveys() -> None:
    """Each kind by its formula, at the range [0, 1] and at that of a randomized response."""
    from scipy.stats import beta, t

    p, v, n, d = 0.3, 0.006, 40.0, 12.0
    for low, high in ((0.0, 1.0), (-0.5, 1.5)):
        arrays = [np.array([x]) for x in (p, v, n, d, low, high)]
        found, sizes = proportion_intervals(*arrays, LEVEL)
        scale = high - low
        x, w = (p - low) / scale, v / scale**2
        q, size = t.ppf(0.975, d), x * (1 - x) / w
        m = size * (t.ppf(0.975, n - 1) / q) ** 2
        h, angle = q * q / size, math.asin(math.sqrt(x))
        root = math.sqrt(h * x * (1 - x) + h * h / 4)
        step = q / math.sqrt(size * x * (1 - x))
        logit = math.log(x / (1 - x))
        expected = {
            "beta": (beta.ppf(0.025, m * x, m * (1 - x) + 1), beta.ppf(0.975, m * x + 1, m * (1 - x))),
            "logit": tuple(1 / (1 + math.exp(-(logit + s * step))) for s in (-1, 1)),
            "asin": tuple(
                math.sin(min(max(angle + s * q / (2 * math.sqrt(size)), 0), math.pi / 2)) ** 2 for s in (-1, 1)
            ),
            "wilson": ((x + h / 2 - root) / (1 + h), (x + h / 2 + root) / (1 + h)),
        }
        assert float(sizes[0]) == pytest.approx(m)
        for name, ends in expected.items():
            own = [min(max(low + scale * end, 0), 1) for end in ends]
            assert [float(end[0]) for end in found[name]] == pytest.approx(own, rel=1e-9), name
        half = q * math.sqrt(v)
        assert [float(end[0]) for end in found["mean"]] == pytest.approx([p - half, p + half])
        for end in (float(e[0]) for e in found["likelihood"]):
            y = (end - low) / scale
            deviance = 2 * size * (n - 1) / n * (x * math.log(x / y) + (1 - x) * math.log((1 - x) / (1 - y)))
            assert deviance == pytest.approx(q * q, rel=1e-6) or end in (0, 1)
    given = [np.array([x]) for x in (0.0, 0.0, 10.0, 9.0, 0.0, 1.0)]
    found, sizes = proportion_intervals(*given, LEVEL)
    assert float(sizes[0]) == pytest.approx(10)
    assert [float(end[0]) for end in found["beta"]] == pytest.approx([0, 1 - 0.025 ** (1 / 10)])
    assert np.isnan(found["logit"][1][0])
    census, _ = proportion_intervals(*given, LEVEL, census=np.array([True]))
    assert all(end[0] == 0 for ends in census.values() for end in ends)
    none, _ = proportion_intervals(*(np.array([x]) for x in (0.5, 0.1, 1.0, 0.0, 0.0, 1.0)), LEVEL)
    assert all(np.isnan(end[0]) for ends in none.values() for end in ends)
    assert set(found) == set(PROPORTION_INTERVALS)
    known = Proportions(*(np.array([x]) for x in (0.5, 0.025, 5.0, 4.0)), 0.05)
    assert float(known.size[0]) == pytest.approx(10)


def test_the_noise_of_devices() -> None:
    """One device: the mean of h over the responses is the variance of the weights given the category."""
    matrix = np.array([[[0.75, 0.25], [0.25, 0.75]]])
    weights = np.array([[-0.5, 1.5]])
    table, is_bound = noise_table(matrix, weights, np.array([[6.0, 4.0]]))
    means = matrix[0].T @ table[0]
    for x in (0, 1):
        law = matrix[0][:, x]
        assert means[x] == pytest.approx(law @ weights[0] ** 2 - (law @ weights[0]) ** 2)
    assert not is_bound
    three = np.array([[[0.6, 0.2, 0.5], [0.4, 0.8, 0.5]]])
    table, is_bound = noise_table(three, np.array([[1.0, -2.0]]), np.array([[5.0, 5.0]]))
    assert is_bound
    for x in range(3):
        law = three[0][:, x]
        assert law @ table[0] >= law @ np.array([1.0, 4.0]) - (law @ np.array([1.0, -2.0])) ** 2 - 1e-9


# plans, decks and laws


def test_margins_and_powers_of_small_samples() -> None:
    share, unit = F(2, 5), F(1, 2)
    margin = exact_margin("margin", share, unit, LEVEL)
    for n in (5, 7, 40):
        widths = [
            hi - lo
            for lo, hi in (
                interval_kinds.clopper_pearson(y, n, LEVEL) for y in {math.floor(n * share), math.ceil(n * share)}
            )
        ]
        assert margin.value(n) == (max(widths) / 2 / unit) ** 2
        assert margin.above(n) >= margin.value(n)
        assert float(margin.floats(np.array([n]))[0]) == pytest.approx(float(margin.value(n)), rel=1e-6)
    tail = F(1, 20)
    for n in (5, 12, 30):
        k = next(k for k in range(n + 2) if sum(binomial(n, F(1, 4))[k:]) <= tail)
        assert critical_count(n, F(1, 4), tail) == k
        assert _float_counts(np.array([n]), F(1, 4), tail).tolist() == [k]
        for null, truth in ((F(1, 4), F(1, 2)), (F(3, 4), F(1, 2))):
            for both in (False, True):
                test = exact_test("power", null, truth, tail, is_two_sided=both)
                law = binomial(n, truth if truth > null else 1 - truth)
                base = null if truth > null else 1 - null
                up = next(c for c in range(n + 2) if sum(binomial(n, base)[c:]) <= tail)
                power = sum(law[up:], F(0))
                if both:
                    down = next(c for c in range(n + 2) if sum(binomial(n, 1 - base)[c:]) <= tail)
                    power += sum(law[::-1][down:], F(0))
                assert float(test.value(n)) == pytest.approx(float(1 - power), rel=1e-12)
                assert float(test.floats(np.array([n]))[0]) == pytest.approx(float(1 - power), rel=1e-6)
                assert float(test.above(n)) >= float(1 - power) - 1e-12
    counts = np.array([-1, 0, 1, 3, 4, 5])
    tails = _upper_tails(counts, np.full(6, 4), F(1, 4)).tolist()
    assert tails == pytest.approx([1, 1, float(1 - F(3, 4) ** 4), float(sum(binomial(4, F(1, 4))[3:])), 1 / 256, 0])
    for name, square in (("wilson", Z * Z), ("chebyshev", 20.0)):
        n, lam = 50, 0.4
        truth = (square * lam * (1 - lam) / n + square**2 / (4 * n * n)) / (1 + square / n) ** 2 / 0.25
        assert float(inverted_margin(name, F(2, 5), WARNER, LEVEL, n)) == pytest.approx(truth, rel=1e-12)
    squares, contrast = [F(1), F(5), F(2)], [F(0), F(1, 2), F(1)]
    for value in (F(0), F(1, 4), F(1, 2), F(1)):
        best = max(
            sum(p * s for p, s in zip(pi, squares, strict=True))
            for i, j in itertools.product(range(21), repeat=2)
            if i + j <= 20
            for pi in [(F(20 - i - j, 20), F(i, 20), F(j, 20))]
            if sum(p * c for p, c in zip(pi, contrast, strict=True)) == value
        )
        assert _largest(squares, contrast, value) == best
    assert [float(_normal_cdf(x, 0)) for x in (1, -1)] == [1, 0]


def test_laws_of_decks() -> None:
    """The move of the sum over all deals of a deck, for each number of people with the trait."""
    for deck in ((2, 1, 1), (1, 2), (2, 0, 1, 1), (1, 1, 1, 1)):
        cards = [k for k, count in enumerate(deck, 1) for _ in range(count)]
        n, kinds = len(cards), len(deck)
        for t in range(n + 1):
            law: dict[int, int] = {}
            for chosen in itertools.combinations(range(n), t):
                move = sum(kinds + 1 - 2 * cards[i] for i in chosen)
                law[move] = law.get(move, 0) + 1
            assert deck_move_law(deck, t) == law, (deck, t)
        assert sum(deck_move_law(deck, 1).values()) == n
    assert pairs_of((2, 0, 1, 1)) == [(0, 2, 1), (1, 0, 1)]
    assert pairs_of((0, 3, 0)) == []
    assert fractions_over({1: 2, 2: 0}, 4) == {1: F(1, 2)}
    sums, counts = ResponsePolynomials("sum", 3, 1), ResponsePolynomials("counts", 3, 1)
    assert (sums.states(4), counts.states(4)) == (9, 15)
    square = sums.of([1, 2, 3]) ** 2
    assert sums.read(square, 2) == {2: 1, 3: 4, 4: 10, 5: 12, 6: 9}
    square = counts.of([1, 2, 0]) ** 2
    assert counts.read(square, 2) == {((1, 2),): 1, ((1, 1), (2, 1)): 4, ((2, 2),): 4}
    assert sorted(deal(DealtDeck([1, 2, 1]))) == [1, 2, 2, 3]


# assumptions, groups and frames


def test_words_of_behaviours() -> None:
    """Who does not comply, how, and how many at most: one sentence for each."""
    for name, words in (
        ("always-no", "non-compliers always give response 0 (no)"),
        ("always:2", "non-compliers always give response 2"),
        (
            "monotone:always-no",
            "non-compliers always give response 0 (no); only respondents with the trait are among them",
        ),
        ("random<=1/4", f"{AT_RANDOM}, at most 0.25 of all respondents"),
        (
            "monotone:random<=1/4",
            f"{AT_RANDOM}; only respondents with the trait are among them, at most 0.25 of all respondents",
        ),
    ):
        (one,) = behaviours(name)
        assert (str(one), one.words) == (name, words)


def test_tables_of_a_contrast_in_groups() -> None:
    """The groups, and the rows of their differences; all responses of one group are equal, so nothing is tested."""
    rows = {"y": np.tile([0, 1, 1, 1], 20), "d": np.repeat(["a", "b"], 40), "g": np.tile(["m", "f"], 40)}
    devices = {"a": Mechanism.binary("3/4", "3/4"), "b": Mechanism.binary("2/3", "2/3")}
    asked: dict[str, Any] = {"column": "y", "devices": "d", "device_names": devices, "contrast": [0, 1]}
    found = table_estimate(data=rows, by="g", **asked)
    groups, about = found.as_tables()
    assert [row[0] for row in groups[2]] == ["f", "m"]
    assert "all equal" not in dict(about[2])
    (row,) = found.difference_rows()
    assert (row["first"], row["second"], row.get("p_value")) == ("f", "m", None)


def test_missing_values_of_objects() -> None:
    """Objects without a value are missing; texts, numbers and zeros are not."""
    pandas = pytest.importorskip("pandas")
    missing = [None, float("nan"), np.float32("nan"), pandas.NA, pandas.NaT, Decimal("NaN"), np.datetime64("NaT")]
    assert all(map(_is_missing, missing))
    assert not any(map(_is_missing, ["", "None", 0, 0.0, Decimal(0), False, np.datetime64("2020-01-01")]))


def test_labels_below_a_header() -> None:
    """Rows of a form tool that repeat its own names are no labels; texts that occur twice are one."""
    records = [
        ["title", "", ""],
        ["Q1", "Q2", ""],
        ["Have you\n ever", "How often", "x"],
        ['{"ImportId":"QID1"}', '{"ImportId":"QID2"}', ""],
        ["Have you ever", "in a year"],
    ]
    assert labels_of(records, Header(1, ["Q1", "Q2", ""])) == {"Q1": "Have you ever", "Q2": "How often / in a year"}
    assert labels_of(records, Header(3, ["Q1", "Q2", ""])) == {"Q1": "Have you ever", "Q2": "in a year"}
    assert labels_of(records[:2], Header(1, ["Q1", "Q2", ""])) == {}
    assert labels_of(records, Header(0, ["Q1", "Q2"], 2))["Q2"] == "How often / in a year"


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\n1;2\n\n", [["a", "b"], ["1", "2"], []]),
        ("sep=;\na;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
        ("a,b,c\n1;2,3,4\n", [["a", "b", "c"], ["1;2", "3", "4"]]),
    ],
)
def test_first_rows_of_a_text(text: str, rows: list[list[str]], tmp_path: Path) -> None:
    """A stated separator stands in a row of its own, which is no row of the table."""
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    assert first_records(str(tmp_path / "data.csv")) == rows


def test_groups_that_have_a_response() -> None:
    """A kind of respondents without a group, or in a group without a response, has the place -1."""
    everybody = GroupedRespondents(np.array([2, 0, -1, 1, 2]), ("a", "b", "c"), np.ones(5, np.int64))
    found = everybody.answering(np.array([True, True, False, False, False]))
    assert found.names == ("a", "c")
    assert found.group.tolist() == [1, 0, -1, -1, 1]
    assert found.together.group.tolist() == [0, 0, -1, -1, 0]


def test_a_likelihood_without_a_candidate_has_the_uniform_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likelihood, "_candidates", lambda groups: iter(()))
    found, gap = likelihood.most_likely([(WARNER, (30, 10))])
    assert found == (F(1, 2), F(1, 2))
    assert gap > 0


def test_a_file_of_counts_has_its_mechanism(tmp_path: Path, cli: Callable[..., tuple[int, str, str]]) -> None:
    """The estimate of the file is that of its counts and its mechanism."""
    file = tmp_path / "counts.json"
    file.write_text(rropt_fieldwork.count([0] * 30 + [1] * 10, WARNER).to_json(), encoding="utf-8")
    code, out, _ = cli("estimate", str(file), "--json")
    assert code == 0
    assert rropt.Estimates.from_json(out).estimate == rropt.estimate([30, 10], WARNER).estimate
    for more, told in (
        (["--mechanism", "warner:3/4"], "a file of counts contains its mechanism"),
        (["--weights", "w"], "a file of counts is not weighted"),
        (["--blank", "NA"], "a file of counts is no table"),
        (["--where", "q = 1"], "a file of counts is no table: received --where"),
    ):
        code, _, errors = cli("estimate", str(file), *more)
        assert (code, told in errors) == (2, True), errors
    with pytest.raises(InvalidParameterError, match="a file of counts is no table"):
        rropt_fieldwork.TableResponses("q", WARNER, data=file)
