"""Number forms: what is read exactly, and what is refused with one clear line."""

from __future__ import annotations

import itertools
import random
from decimal import Decimal
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy
from every_case import every_case
from hypothesis import given
from hypothesis import strategies as st
from plans import planned

import rropt
import rropt_fieldwork
from rropt.core.errors import InvalidParameterError, RroptError
from rropt.core.exact import Delta, as_text, both_texts, decimal_text, rational
from rropt.core.exact.display import different_texts, distinguishing_decimal, estimate_text, rounded_decimal
from rropt.core.exact.numbers import dot, fraction_hint, root_above, root_below

TENTH = Fraction(1, 10)


def test_dot_products_have_no_other_part() -> None:
    assert dot([TENTH, Fraction(0), Fraction(3)], [5, Fraction(7), Fraction(1, 3)]) == Fraction(3, 2)
    assert dot([], []) == 0
    with pytest.raises(ValueError, match="shorter"):
        dot([TENTH, TENTH], [1])


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        ("1/4", 3, "1/4 = 0.250"),
        ("12345/67891", 3, "12345/67891 ~ 0.182"),
        ("123456/678911", 3, "0.182"),  # more than 12 characters
        ("1234567/6789111", 3, "0.182"),
        ("3", 2, "3.00"),
    ],
)
def test_an_estimate_has_its_exact_value_if_that_is_short(value: str, places: int, text: str) -> None:
    assert estimate_text(Fraction(value), places) == text


def test_numbers_of_flint_serve_as_levels_counts_and_entries() -> None:
    """python-flint is a dependency, and its numbers are exact."""
    fmpq, fmpz = flint.fmpq, flint.fmpz
    coin = rropt.Mechanism([[fmpq(3, 4), fmpq(1, 4)], [fmpq(1, 4), fmpq(3, 4)]])
    assert coin == rropt.Mechanism("warner:3/4")
    exact = rropt.Problem.binary("1/4", epsilon="1/2", delta="0.1")
    assert rropt.Problem.binary(fmpq(1, 4), epsilon=fmpq(1, 2), delta=fmpq(1, 10)) == exact
    assert rropt.inference.estimate(coin, [fmpz(60), fmpq(40)]) == rropt.inference.estimate(coin, [60, 40])
    assert rropt.inference.estimate(coin, yes=fmpz(40), n=fmpq(100)) == rropt.inference.estimate(coin, yes=40, n=100)
    given = {"prevalence": "1/10", "confidence": "0.9"}
    assert planned(coin, margin=fmpq(1, 20), **given) == planned(coin, margin="0.05", **given)
    assert rropt_fieldwork.Survey(epsilon=fmpq(1, 2)).epsilon == "1/2"
    with pytest.raises(InvalidParameterError, match="is not a count: received 1/2"):
        rropt.inference.estimate(coin, yes=fmpq(1, 2), n=10)


@every_case(
    ("value", "expected"),
    [
        (3, Fraction(3)),
        ("1/3", Fraction(1, 3)),
        (" -2/6 ", Fraction(-1, 3)),
        ("0.1", TENTH),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E+2", Fraction(250)),
        (0.1, TENTH),  # the shortest decimal, not the binary fraction
        (5e-324, Fraction(5, 10**324)),
        (Decimal("0.10"), TENTH),
        (np.float64(0.1), TENTH),
        (np.float32(0.1), TENTH),
        (np.float16(0.1), TENTH),
        (np.int64(7), Fraction(7)),
        (sympy.Rational(1, 10), TENTH),
        (sympy.Integer(4), Fraction(4)),
        (Fraction(2, 4), Fraction(1, 2)),
        (flint.fmpq(-2, 6), Fraction(-1, 3)),
        (flint.fmpz(7), Fraction(7)),
    ],
)
def test_forms(value: object, expected: Fraction) -> None:
    assert rational(value) == expected


@every_case(
    "value",
    [
        "__import__('os')",
        "nan",
        "inf",
        float("nan"),
        float("inf"),
        Decimal("NaN"),
        np.float32("nan"),
        True,
        None,
        [1],
        1j,
        "1/2/3",
        "1//2",
        "0x10",
        "1_000",
        "\u0661",  # digits of other scripts
        "\uff11",
        "",
        " ",
        "1e",
        "--1",
        "1/0",
        "1/-2",
        "9" * 1_000_000,
        "1e1000000",
        "1e-999999",
        "0." + "1" * 500,
        10**500,
        sympy.sqrt(2),
        sympy.nan,
    ],
)
def test_refused_with_one_line(value: object) -> None:
    with pytest.raises(InvalidParameterError) as caught:
        rational(value, name="prevalence")
    message = str(caught.value)
    assert message.startswith("prevalence ")
    assert "\n" not in message
    assert len(message) < 300
    assert isinstance(caught.value, (RroptError, ValueError))


@given(st.fractions())
def test_text_and_back(value: Fraction) -> None:
    assert rational(as_text(value), digits=2000) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_its_shortest_decimal(value: float) -> None:
    exact = rational(value)
    assert float(exact) == value
    assert exact == Fraction(repr(value))


def test_decimals_for_people() -> None:
    assert decimal_text(Fraction(10**400)) == "1e+400"
    assert decimal_text(Fraction(-(10**400), 3), 3) == "-3.33e+399"
    assert decimal_text(Fraction(1, 10**400)) == "1e-400"
    assert both_texts(Fraction(15, 16)) == "15/16 = 0.9375"
    assert both_texts(Fraction(3)) == "3"
    assert both_texts(Fraction(1, 3**60)).startswith("~2.35")
    assert len(as_text(Fraction(10**5000))) == 5001  # beyond Python's own limit on digits


@every_case(
    ("value", "digits", "expected"),
    [
        (Fraction(1200), 17, "1200"),
        (Fraction(10**9) + Fraction(1, 10**60), 17, "1000000000"),
        (Fraction(1, 10**5), 17, "0.00001"),
        (Fraction(1, 10**320), 6, "1e-320"),  # a float of this size has four digits
        (Fraction(0), 6, "0"),
        (np.int64(0), 6, "0"),
    ],
)
def test_decimals_at_the_limits_of_a_float(value: Fraction, digits: int, expected: str) -> None:
    assert decimal_text(value, digits) == expected


def test_decimals_that_tell_a_number_from_a_round_one() -> None:
    assert distinguishing_decimal(Fraction(1, 2)) == "0.5"
    assert distinguishing_decimal(Fraction(1, 3)) == "0.333333"
    assert distinguishing_decimal(-Fraction(1, 3), 3) == "-0.333"
    assert distinguishing_decimal(1.0000000001) == "1.0000000001"
    assert distinguishing_decimal(1 + Fraction(1, 10**30)) == "1.000000000000000000000000000001"
    assert distinguishing_decimal(1 + Fraction(1, 10**60)) == "1"  # at most 50 digits
    # more digits than a float has: 0.089999999999999997 and 9.9999999999999998e+23 are none of these numbers
    assert distinguishing_decimal(Fraction(9, 100) + Fraction(1, 4 * 10**18)) == "0.09000000000000000025"
    assert both_texts(10**24 + Fraction(9, 100)) == "~1000000000000000000000000.09"


@given(st.fractions(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=30))
def test_roots_from_both_sides(value: Fraction, digits: int) -> None:
    below, above = root_below(value, digits), root_above(value, digits)
    step = Fraction(1, 10**digits)
    assert below**2 <= value < (below + step) ** 2
    assert above == (below if below**2 == value else below + step)
    assert root_below(value**2, digits) <= value <= root_above(value**2, digits)
    assert root_above(Fraction(int(value) ** 2), digits) == int(value)


@every_case("exponent", ["1e-12", "1/3", "1", "9", "99"])
@every_case("digits", [1, 8, 40])
def test_an_irrational_delta_is_enclosed_to_its_own_digits(exponent: str, digits: int) -> None:
    found = Delta.of(f"exp(-{exponent})").bracket(digits)
    assert 0 < found.lower < found.upper < 1
    assert found.gap <= min(found.lower, 1 - found.upper) / 10**digits


def test_fractions_are_suggested_for_rounded_decimals_alone() -> None:
    decimals = [Fraction(667, 1000), Fraction(167, 1000), Fraction(167, 1000)]
    assert fraction_hint(decimals).endswith("for example 2/3,1/6,1/6")
    for values in ([Fraction(1, 2), Fraction(1, 3)], [Fraction(1, 2)], [Fraction(999, 1000)]):
        assert fraction_hint(values) == "write the probabilities as fractions whose sum is exactly 1"


def test_different_numbers_have_the_shortest_different_decimals(rng: random.Random) -> None:
    """Against a search from 15 digits on; decimals of thousands of digits are found without it."""
    longer = 0
    for _ in range(300):
        base = Fraction(rng.randint(-50, 50), rng.randint(1, 9))
        steps = (Fraction(rng.randint(-30, 30), rng.choice((1, 7, 10 ** rng.randint(1, 40)))) for _ in range(5))
        numbers = list({rng.choice((0, base, base)) + step for step in steps})
        searched = next(
            texts
            for digits in itertools.count(15)
            if len(set(texts := [format(rounded_decimal(number, digits), "f") for number in numbers])) == len(numbers)
        )
        longer += len(max(searched, key=len)) > 20
        assert list(map(Fraction, different_texts(numbers))) == list(map(Fraction, searched))
    assert longer > 50
    near = [Fraction(1, 7) + Fraction(i, 10**3000) for i in range(200)]
    assert len(set(different_texts(near))) == 200
