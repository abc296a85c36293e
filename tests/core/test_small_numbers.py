"""Numbers as text, their bounds and conversions, one row for each side of each limit."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import pytest
from flint import ctx, fmpq_poly, fmpz_poly

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Epsilon, ExactReal, display, numbers, rational_bounds
from rropt.core.exact.algebraic_numbers import (
    Algebraic,
    polynomial_roots,
    polynomial_sign,
    quotient_at,
    simplest_between,
)
from rropt.core.exact.display import in_full
from rropt.core.exact.rational_bounds import Bracket, largest_below
from rropt.core.visible import html_text, size_text, visible, with_noun

F = Fraction


def test_places_of_an_error() -> None:
    """The second significant digit of the error, up to the fifteenth decimal."""
    for error, places in (
        (0.0144127, 3),
        (0.0996, 2),  # 0.10
        (0.0994, 3),
        (25.0, 0),
        (9.96, 0),
        (9.94, 1),
        (1e-14, 15),
        (1e-15, None),
        (0, None),
        (-1.0, None),
        (math.inf, None),
        (math.nan, None),
        (None, None),
        (F(1, 8), 2),
    ):
        assert display.decimal_places(error) == places, error


def test_rounded_numbers() -> None:
    for value, places, text in (
        (F(2551, 9740), 3, "0.262"),
        (F(-1, 8), 2, "-0.12"),  # a tie goes to the even digit
        (F(-3, 8), 2, "-0.38"),
        (-0.0001, 2, "0.00"),
        (F(5, 2), 0, "2"),
        (F(7, 2), 0, "4"),
        (F(-7, 2), 0, "-4"),
        (1.0, 3, "1.000"),
        (F(1005, 1000), 1, "1.0"),
        (F(1, 3), None, "0.333333"),
        (math.inf, 2, "inf"),
    ):
        assert display.rounded(value, places) == text, (value, places)
    with in_full():
        assert display.rounded(F(1, 4), 1) == "0.25"


def test_estimates_with_their_exact_values() -> None:
    for value, places, text in (
        (F(2551, 9740), 3, "2551/9740 ~ 0.262"),
        (F(1, 4), 3, "1/4 = 0.250"),
        (0.51234, 2, "0.51"),
        (F(3), 2, "3.00"),
        (F(12345, 123457), 3, "12345/123457 ~ 0.100"),  # twelve characters
        (F(123457, 1234567), 3, "0.100"),
        (F(1, 3), None, "1/3 ~ 0.333333333"),
    ):
        assert display.estimate_text(value, places) == text
    with in_full():
        assert display.estimate_text(F(1, 4), 1) == "1/4 = 0.25"
    assert display.with_error_text(F(1, 4), 0.0123) == "0.250 (standard error 0.012)"
    assert display.with_error_text(F(1, 4), 0.0123, exact=True) == "1/4 = 0.250 (standard error 0.012)"
    assert display.with_error_text(F(1, 4), 0.0) == "0.25 (standard error 0)"
    assert (display.error_text(None), display.error_text(0.0144156899)) == ("none", "0.014416")


def test_p_values_and_short_texts() -> None:
    for p, text in (
        (0.0009999, "p < 0.001"),
        (0.001, "p = 0.001"),
        (0.012345, "p = 0.012"),
        (1.0, "p = 1.000"),
        (0.0499, "p = 0.0499"),
        (0.05, "p = 0.050"),
    ):
        assert display.p_in_words(p) == text
    assert display.approximate_text(0.0122974, 3) == "0.0123"
    assert [display.extended_text(x) for x in (None, F(3), F(-1, 3))] == ["inf", "3", "-1/3"]
    assert display.extended_text(None, "unbounded") == "unbounded"
    for exact, decimal, value, text in (
        ("7/3", "2.333", F(7, 3), "7/3 ~ 2.333"),
        ("1/4", "0.25", F(1, 4), "1/4 = 0.25"),
        ("2", "2", F(2), "2"),
        ("log(3)", "1.1", None, "log(3) ~ 1.1"),
    ):
        assert display.with_decimal(exact, decimal, value) == text


def test_decimals_of_any_size() -> None:
    for value, digits, text in (
        (F(1, 3), 6, "0.333333"),
        (F(10**6), 6, "1e+06"),
        (F(10**400), 6, "1e+400"),
        (F(1, 10**400), 6, "1e-400"),
        (F(1, 3), 20, "0.33333333333333333333"),
        (F(0), 30, "0"),
        (F(1, 3 * 10**6), 20, "3.3333333333333333333e-7"),
        (F(1, 3 * 10**5), 20, "0.0000033333333333333333333"),
        (0.5, 20, "0.5"),
    ):
        assert display.decimal_text(value, digits) == text, (value, digits)
    with in_full():
        assert display.decimal_text(2.0) == "2"
        assert display.decimal_text(F(1, 3)) == "0." + "3" * 17
        with in_full(False):
            assert display.is_in_full()
    assert not display.is_in_full()
    for value, text in (
        (F(10**10 + 1, 10**10), "1.0000000001"),
        (F(1, 3), "0.333333"),
        (F(1), "1"),
        (1 + F(1, 10**20), "1.00000000000000000001"),
        (1 + F(1, 10**60), "1"),
        (F(123456789, 10**8), "1.23457"),
        (1.0000001, "1.0000001"),
    ):
        assert display.distinguishing_decimal(value) == text
    for value, text in (
        (F(15, 16), "15/16 = 0.9375"),
        (None, "infinite"),
        (F(2), "2"),
        (F(10**30 + 1, 10**30), "~1.000000000000000000000000000001"),
    ):
        assert display.both_texts(value) == text


def test_decimals_rounded_to_their_side() -> None:
    for value, up, digits, text in (
        (F(1, 3), True, 3, "0.334"),
        (F(1, 3), False, 3, "0.333"),
        (F(-1, 3), True, 3, "-0.333"),
        (F(999), True, 3, "999"),
        (F(1000), True, 3, "1e+3"),
        (F(20), False, 15, "20"),
        (F(1, 10), True, 3, "0.1"),
    ):
        found = display.decimal_outwards(value, up=up, digits=digits)
        assert F(found) == F(text), value
        assert (F(found) >= value) if up else (F(found) <= value)
    assert display.decimal_outwards(F(1, 30), up=False, digits=2) == "0.033"
    for lower, upper, text in (
        (F(1, 3), F(1, 3), "0.333333"),
        (F(12344, 10**4), F(12346, 10**4), "1.23"),  # 1.234 and 1.235 differ
        (F(1), F(3), "1 to 3"),
        (F(-1, 4), F(-1, 4), "-0.25"),
    ):
        assert display.agreed_decimal(lower, upper) == text
    assert display.enclosure_text(None, None) == "from 1 to infinity"
    assert display.enclosure_text(F(3, 2), F(7, 4)) == "from 1.5 to 1.75"
    for ends, minimising, text in (
        ((F(1), F(2)), True, "at most 2, at least 1 (gap at most 1)"),
        ((F(1), F(2)), False, "at least 1, at most 2 (gap at most 1)"),
        ((None, F(2)), True, "at most 2, no lower bound is known"),
        ((F(1), None), True, "no upper bound is known, at least 1"),
        ((F(1), F(1) + F(1, 3)), False, "at least 1, at most 1.33333333333334 (gap at most 0.34)"),
    ):
        assert display.bracket_text(*ends, minimising=minimising) == text


def test_texts_for_people() -> None:
    for number, text in ((0, "0 rows"), (1, "1 row"), ("1", "1 row"), (2, "2 rows"), ("0.5", "0.5 rows")):
        assert with_noun(number, "row") == text
    assert with_noun(2, "category", "categories") == "2 categories"
    assert visible("a\x1b\x7f\u202e\U000e0001\t\n") == "a\\x1b\\x7f\\u202e\\U000e0001\\t\\n"
    assert visible("a\nb\t", keep="\n") == "a\nb\\t"
    assert visible("a\u00a0b") == "a\u00a0b"  # a space of another width
    assert html_text('<a> & "b"\n\x1b') == "&lt;a&gt; &amp; &quot;b&quot;\n\\x1b"
    assert html_text('"', quote=False) == '"'
    large = next(10**n for n in range(1, 60) if not size_text(10**n).isdigit())
    assert size_text(large - 1) == str(large - 1)
    assert size_text(2**1000) == "about 10^301"


def test_logarithms_and_roots() -> None:
    for q in (F(1, 3), F(10**400), F(1, 10**400), F(7), F(2) ** 64, F(2) ** 63 - 1):
        exact = math.log10(q.numerator) - math.log10(q.denominator)
        assert numbers.log10(q) == pytest.approx(exact, rel=1e-14)
        assert numbers.natural_log(q) == pytest.approx(exact * math.log(10), rel=1e-13)
    assert numbers.natural_log(1 + F(1, 10**20)) == pytest.approx(1e-20, rel=1e-15)
    assert numbers.natural_log(F(1)) == 0
    assert [numbers.log2_integer(n) for n in (1, 2**64, 2**65, 3 * 2**200)] == [0, 64, 65, 200 + math.log2(3)]
    assert numbers.bits(F(7, 16)) == 5
    assert numbers.bits(F(17, 4)) == 5
    for q, found in (
        (F(8), (3, F(2))),
        (F(9, 4), (2, F(3, 2))),
        (F(64), (6, F(2))),
        (F(12), (1, F(12))),
        (F(8, 3), (1, F(8, 3))),
    ):
        assert numbers.perfect_power(q) == found
    for value in (F(0), F(1, 4), F(2), F(10**300), F(1, 10**300), F(10**500), F(3, 10**500)):
        root = numbers.square_root(value)
        assert root == pytest.approx(math.exp(numbers.natural_log(value) / 2) if value else 0, rel=1e-12)
    with pytest.raises(InvalidParameterError, match="beyond 1e308"):
        numbers.square_root(F(10**700))
    with pytest.raises(InvalidParameterError, match="beyond 1e308"):
        numbers.finite_float(F(10**400))
    assert (numbers.finite_float(F(1, 4)), numbers.nearest_float(F(10**400))) == (0.25, None)
    for value, digits, below, above in (
        (F(2), 2, F(141, 100), F(142, 100)),
        (F(9, 4), 1, F(3, 2), F(3, 2)),
        (F(0), 3, F(0), F(0)),
        (F(9, 4), 0, F(1), F(2)),
    ):
        assert (numbers.root_below(value, digits), numbers.root_above(value, digits)) == (below, above)


def test_integers_and_their_limits() -> None:
    for value, number in ((3, 3), (1, 1), (5, 5)):
        assert numbers.whole_where(value, 1, 5, name="n") == number
    for value in (0, 6, True, "3", 2.0, None):
        with pytest.raises(InvalidParameterError, match=r"n is out of range: .* an integer from 1 to 5"):
            numbers.whole_where(value, 1, 5, name="n")
    assert numbers.whole_numbers([F(1, 2), F(1, 3), 2]) == ((3, 2, 12), 6)
    assert numbers.whole_numbers([F(2), F(-3)]) == ((2, -3), 1)
    assert list(numbers.float_rows([[F(1, 2), F(1, 4)], [F(0), F(3)]])) == [[0.5, 0.25], [0, 3]]
    least = F(1, 10**50)
    for value in (least, 1 - least, "0.95"):
        assert numbers.exact_confidence(value) == F(value)
    for value in (least / 2, 1 - least / 2, 0, 1):
        with pytest.raises(InvalidParameterError, match="0 < power < 1"):
            numbers.exact_confidence(value, "power")
    for value, text in (("5", "; did you mean 5 %? write 5% or 0.05"), ("100", ""), ("101", ""), ("1", ""), ("5%", "")):
        exact = F(value.rstrip("%"))
        assert numbers.percent_hint(value, exact, lambda x: 0 < x < 1) == text
    assert numbers.percent_hint("100", F(100), lambda x: 0 < x <= 1) == "; did you mean 100 %? write 100% or 1"


def test_brackets() -> None:
    one = Bracket(F(1, 3), F(2, 3))
    assert (one.gap, one.is_exact, tuple(one.complement)) == (F(1, 3), False, (F(1, 3), F(2, 3)))
    assert tuple(Bracket(F(1, 5), F(1, 4)).complement) == (F(3, 4), F(4, 5))
    assert tuple(Bracket(F(-1, 3), F(1, 3)).rounded_outwards(2)) == (F(-34, 100), F(34, 100))
    assert tuple(Bracket(F(1, 4), F(1, 4)).rounded_outwards(2)) == (F(1, 4), F(1, 4))
    assert one.written("a", "b") == {"a": "1/3", "b": "2/3"}
    assert one.to_json() == {"lower": "1/3", "upper": "2/3"}
    assert (Bracket.of(F(1, 3)).to_json(), Bracket.of(F(1, 3)).is_exact, one.bracket) == ("1/3", True, one)


def test_the_largest_fraction_below() -> None:
    """Against all fractions with below a + times b <= most."""
    for x in (F(0), F(1, 2), F(355, 113), F(2718, 1000), F(5)):
        for most, times, below in ((1, 1, 0), (7, 1, 0), (30, 1, 0), (20, 2, 1), (9, 1, 1)):
            listed = (F(a, b) for b in range(1, most + 1) for a in range(6 * most) if below * a + times * b <= most)
            best = max(f for f in listed if f <= x)
            assert largest_below(x, most, times, below) == best, (x, most, times, below)


def test_balls_and_signs() -> None:
    assert rational_bounds.sign_of(lambda precision: rational_bounds.ball(F(-1, 10**50))) == -1
    asked: list[int] = []

    def enclosure(precision: int) -> Any:
        asked.append(precision)
        return rational_bounds.ball(F(1)) + (rational_bounds.ball(F(2)).sqrt() ** 2 - 2) * 2**200

    assert rational_bounds.sign_of(enclosure) == 1
    assert asked[:2] == [64, 128]
    found = rational_bounds.decimal_bracket(lambda precision: rational_bounds.ball(F(1, 3)), 5)
    assert tuple(found) == (F(33333, 10**5), F(33334, 10**5))
    with ctx.workprec(200):
        half = rational_bounds.bracket(rational_bounds.normal_cdf(rational_bounds.ball(F(0))))
        assert half.lower <= F(1, 2) <= half.upper
        far = rational_bounds.bracket(rational_bounds.normal_cdf(rational_bounds.ball(F(-1))))
    assert float(far.lower) == pytest.approx(math.erfc(1 / math.sqrt(2)) / 2, rel=1e-14)
    for value in (F(3, 2), F(1) + F(1, 2**60), F(1, 7), F(2**300 + 1, 2**299)):
        short, long = rational_bounds.short_logarithm(value, 100), rational_bounds.logarithm(value, 900)
        assert abs(short - long) <= abs(long) / 2**98


def test_algebraic_numbers() -> None:
    """The roots of x^2 - x - 1 and x^3 - 2, their order, signs and quotients."""
    golden = [Algebraic(fmpz_poly([-1, -1, 1]), place) for place in (0, 1)]
    half, third = Algebraic.of(F(1, 2)), Algebraic.of(F(1, 3))
    assert golden[0] < third < half < golden[1]
    assert not half < half
    assert not golden[1] < golden[1]
    assert (third < half, half < third, golden[1] <= golden[1], golden[0] == golden[1]) == (True, False, True, False)
    assert (half.rational, golden[0].rational, float(golden[1])) == (F(1, 2), None, pytest.approx(1.618033988749895))
    assert (str(half.complement), str(third.complement)) == ("1/2", "2/3")
    assert golden[0].complement == golden[1]
    assert pickle.loads(pickle.dumps(golden[1])) == golden[1]
    assert hash(Algebraic(fmpz_poly([-1, -1, 1]), 1)) == hash(golden[1])
    root = Algebraic(fmpz_poly([-2, 0, 0, 1]))
    low, high = root.bracket(6)
    assert low**3 < 2 < high**3
    assert high - low <= F(3, 10**6)
    assert str(root) == f"root of x^3 - 2 between {low} and {high}"
    assert root.near(6) == (low, False)
    assert half.near(3) == (F(1, 2), True)
    for polynomial, at, sign in (
        ([-1, -1, 1], golden[1], 0),
        ([-1, 1], golden[1], 1),
        ([-2, 1], golden[1], -1),
        ([1, -2], half, 0),
        ([-1, 1], half, -1),
        ([1, 1], half, 1),
    ):
        assert polynomial_sign(fmpq_poly(polynomial), at) == sign
    assert quotient_at(fmpq_poly([1]), fmpq_poly([0, 1]), golden[1]) == Algebraic(fmpz_poly([-1, 1, 1]), 1)
    assert quotient_at(fmpq_poly([0, 0, 0, 1]), fmpq_poly([1]), root) == Algebraic.of(2)
    assert quotient_at(fmpq_poly([1, 1]), fmpq_poly([0, 2]), half) == Algebraic.of(F(3, 2))
    product = fmpq_poly([-1, 2]) * fmpq_poly([-1, -1, 1]) * fmpq_poly([-1, 2]) * fmpq_poly([-3, 1])
    roots = polynomial_roots(product, Algebraic.of(0), Algebraic.of(3))
    assert roots == [half, golden[1]]  # an open interval: without 3
    assert polynomial_roots(product, half, Algebraic.of(4)) == [golden[1], Algebraic.of(3)]
    assert simplest_between(half, golden[1]) == 1
    assert simplest_between(third, half) == F(2, 5)
    # sqrt 2 and 1 + sqrt 2 * 10^-7 apart from it: more digits are needed
    near = Algebraic(fmpz_poly([-2 * 10**16 - 1, 0, 10**16]), 1)
    found = simplest_between(Algebraic(fmpz_poly([-2, 0, 1]), 1), near)
    assert 2 < found**2 < 2 + F(1, 10**16)


def test_reals_near_a_rational() -> None:
    """Significant digits of exp(1)/10^9 and of 1 - exp(-20); hashes of equal numbers agree."""
    small = ExactReal.of(F(1, 10**9)) * Epsilon.of("1").exact_gamma()
    value, is_exact = small.near(12)
    assert not is_exact
    assert float(value) == pytest.approx(math.e / 10**9, rel=1e-12)
    assert small.near(30)[0] != value
    assert ExactReal.of(F(1, 3)).near(5) == (F(1, 3), True)
    assert hash(ExactReal.of(F(1, 3))) == hash(F(1, 3))
    one, other = Epsilon.of("1").exact_gamma() + 1, 1 + Epsilon.of("1").exact_gamma()
    assert (one == other, hash(one) == hash(other)) == (True, True)
    assert hash(one) != hash(F(1))
    assert (bool(one), bool(one - other), one < other, one < one + 1) == (True, False, False, True)
    assert float(one) == pytest.approx(math.e + 1, rel=1e-15)
    assert float(one.bracket(5).gap) <= 3e-5


def test_pairs_of_labels_and_values() -> None:
    """A label and its value side by side where both fit, else the value below."""
    from rropt.core.results.layout import _BESIDE, _GAP, _pairs

    assert _pairs([("a", "1"), ("long", "2")], 40) == [f"a   {' ' * _BESIDE}1", f"long{' ' * _BESIDE}2"]
    lines = _pairs([("a", "1"), ("b" * 30, "2")], 40)
    assert lines == [f"a{' ' * _BESIDE}1", "b" * 30, f"{' ' * _GAP}2"]
    most = min(40 // 2, 40 - _BESIDE - min(20, 40 // 2))
    assert _pairs([("c" * most, "1")], 40)[0].startswith("c" * most + " " * _BESIDE + "1")
    assert _pairs([], 40) == []
