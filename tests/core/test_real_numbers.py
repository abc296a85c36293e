"""Levels, deltas, exact reals and brackets are numbers: order, hash, arithmetic, and values in other libraries."""

from __future__ import annotations

import copy
import json
import math
import numbers
import operator
import pickle
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from later import later

import rropt
from rropt import log
from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Bracket, Delta, Epsilon, ExactReal, rational

pd = later("pandas")
INFINITE = Epsilon("infinite")


def _levels(rng: random.Random, count: int) -> list[Epsilon]:
    """Return levels of all forms, some of them equal, and some closer than floats distinguish."""
    found = [Epsilon.of(0), log(3), Epsilon.of("2*log(3)"), log(9), Epsilon.of("log(9)/2"), Epsilon.of("1/2*log(2)")]
    while len(found) < count:
        kind = rng.randrange(5)
        q = Fraction(rng.randint(2, 40), rng.randint(1, 12))
        if kind == 0:
            found.append(Epsilon.of(Fraction(rng.randint(0, 40), rng.randint(1, 12))))
        elif kind == 1:
            found.append(log(max(q, 1 / q)))
        elif kind == 2:
            found.append(Epsilon.of(f"{rng.randint(1, 5)}/{rng.randint(1, 5)}*log({max(q, 1 / q)})"))
        elif kind == 3:  # a rational that is near a logarithm
            near = rng.choice([2, 3, 5, 10])
            places = rng.choice([8, 14, 18, 40])
            with mpmath.workdps(60):
                found.append(Epsilon.of(Fraction(int(mpmath.log(near) * 10**places), 10**places)))
        else:  # a logarithm of a rational near another
            found.append(log(3 + Fraction(rng.choice([-1, 1]), 10 ** rng.choice([3, 13, 16, 30]))))
    return found


def _value(number: Any) -> mpmath.mpf:
    """Return a level with 120 digits, from its parts alone."""
    if isinstance(number, Epsilon):
        times = mpmath.mpf(number.times.numerator) / number.times.denominator
        base = mpmath.mpf(number.base.numerator) / number.base.denominator
        return times if number.kind == "rational" else times * mpmath.log(base)
    exact = Fraction(number)
    return mpmath.mpf(int(exact.numerator)) / int(exact.denominator)


def test_the_order_of_levels_is_that_of_120_digits(rng: random.Random, size: Callable[[int, int], int]) -> None:
    levels = _levels(rng, size(20, 60))
    near = [math.log(3), math.log(2), np.float64(math.log(9))]
    others: list[Any] = [*levels, 0, 1, Fraction(1, 2), 0.5, np.int64(2), *near]
    with mpmath.workdps(120):
        for one, other in product(levels, others):
            gap = _value(one) - _value(other)
            sign = 0 if abs(gap) < mpmath.mpf(10) ** -100 else int(mpmath.sign(gap))
            for compare in (operator.lt, operator.le, operator.eq, operator.ne, operator.ge, operator.gt):
                assert compare(one, other) == compare(sign, 0), (one, other)
                assert compare(other, one) == compare(0, sign), (other, one)
            if sign == 0:
                assert hash(one) == hash(other)


def test_a_level_at_the_edge_of_floats() -> None:
    tiny = Epsilon("rational", Fraction(3, 10**324))  # which floats round
    assert Epsilon("rational", Fraction(1, 10**400)) < tiny < Fraction(4, 10**324) < 5e-324
    assert Epsilon.of_parity(10**400 + 1) > Epsilon.of_parity(10**400)
    assert Epsilon.of_parity(1 + Fraction(1, 10**30)) > Fraction(1, 10**30) - Fraction(1, 10**60)
    assert Epsilon.of_parity(1 + Fraction(1, 10**30)) < Fraction(1, 10**30)
    assert log(3) < 10**400
    assert log(3) > -(10**400)


def test_infinite_levels_and_nan() -> None:
    assert math.inf == INFINITE
    assert hash(INFINITE) == hash(math.inf)
    assert log(3) < INFINITE > 10**400
    assert not INFINITE < INFINITE <= INFINITE
    assert -math.inf < log(3) < math.inf
    assert (INFINITE + log(3), INFINITE * 2, log(3) + INFINITE, INFINITE + 1) == (INFINITE,) * 4
    assert math.isnan(INFINITE - INFINITE)
    assert math.isnan(INFINITE * 0)
    for compare in (operator.lt, operator.le, operator.eq, operator.ge, operator.gt):
        assert not compare(log(3), math.nan)
        assert not compare(Epsilon.of(1), np.float64("nan"))


def test_arithmetic_of_levels() -> None:
    assert log(2) + log(3) == log(6)
    assert sum([log(2), log(3), log(5)]) == log(30)
    assert 2 * log(3) == log(3) * Fraction(2) == log(9)
    assert log(4) == 2 * log(2)
    assert log(4) / 2 == log(2)
    assert log(6) - log(2) == log(3)
    assert log(3) - log(3) == 0
    assert log(2) / 2 + log(3) / 2 == log(6) / 2
    assert log(2) - log(6) == -log(3) == -float(log(3))
    assert Epsilon.of("1/2") + Fraction(1, 3) == Fraction(5, 6) == 1 - Epsilon.of("1/6")
    assert log(3) + 0 == log(3) - 0 == 0 + log(3) == log(3)
    for level in (2 * log(3), log(2) + log(3), log(6) - log(2), Epsilon.of(1) + 1, log(3) / 2, Epsilon.of(1) * 2):
        assert type(level) is Epsilon
    for value in (
        log(3) + 1,
        1 - log(3),
        log(3) * 0.5,
        log(3) / log(9),
        log(3) ** 2,
        2 ** log(3),
        -log(3),
        log(3) + 1.5,
    ):
        assert type(value) is float
    assert log(3) + 1 == pytest.approx(2.0986122886681098, abs=1e-15)
    assert log(9) / log(3) == 2
    assert (
        type(Epsilon.of("1/999*log(2)") + Epsilon.of("1/998*log(3)")) is float
    )  # a root that certificates cannot have
    assert (math.floor(log(3)), math.ceil(log(3)), int(log(8)), round(log(3)), round(log(3), 3)) == (1, 2, 2, 1, 1.099)
    assert divmod(log(9), 1) == (2.0, float(log(9)) - 2)


def test_no_operation_takes_what_is_no_number() -> None:
    for operation in (operator.add, operator.mul, operator.lt, operator.truediv, operator.pow):
        for number in (log(3), Delta.of("1/4"), ExactReal.exponential(Fraction(1)), Bracket.of(Fraction(1))):
            with pytest.raises(TypeError):
                operation(number, "1")
            with pytest.raises(TypeError):
                operation(number, None)
            assert number != "1"


@pytest.mark.parametrize("value", [0, "1/2", -3, "x", None, math.nan, "exp(101)"])
def test_a_logarithm_that_is_no_level(value: object) -> None:
    with pytest.raises(InvalidParameterError):
        log(value)


NUMBERS: list[Any] = [
    log(3),
    Epsilon.of("1/2"),
    Delta.of("1/4"),
    Delta.of("exp(-2)"),
    ExactReal.exponential(Fraction(1)),
    Bracket(Fraction(1, 3), Fraction(1, 2)),
]


@pytest.mark.parametrize("number", NUMBERS, ids=str)
def test_a_number_for_every_library(number: Any) -> None:
    near = float(number)
    assert isinstance(number, numbers.Real)
    assert not isinstance(number, numbers.Rational)
    assert f"{number:.3f}|{number:10.2e}|{number:%}" == f"{near:.3f}|{near:10.2e}|{near:%}"
    assert f"{number}|{number:>40}|{number:<40}|{number:s}" == f"{number}|{number!s:>40}|{number!s:<40}|{number}"
    assert (round(number, 3), math.exp(number), complex(number)) == (round(near, 3), math.exp(near), complex(near))
    assert math.sqrt(number) == math.sqrt(near)
    for copied in (copy.copy(number), copy.deepcopy(number), pickle.loads(pickle.dumps(number))):
        assert copied == number
        assert hash(copied) == hash(number)
    assert number in {number: 1}
    assert np.isclose(number, near)
    assert np.asarray(number).dtype == np.float64
    assert np.array([number, 1.0]).dtype == np.float64
    assert np.asarray(number, dtype=object)[()] is number
    assert np.linspace(0, number, 5).tolist() == np.linspace(0, near, 5).tolist()
    assert np.exp(number) == np.exp(near)
    assert ((np.array([0.0, 9.0]) < number) == [True, False]).all()
    assert ((number < np.array([0.0, 9.0])) == [False, True]).all()
    assert (np.array([1.0, 2.0]) * number == np.array([near, 2 * near])).all()
    assert np.float64(0) < number < np.float64(9)
    assert np.float64(2) * number == number * np.float64(2) == 2 * near
    series = pd.Series([number, number])
    assert series.max() == number
    assert series.astype(float).tolist() == [near, near]
    assert (pd.Series([0.0, 9.0]) < number).tolist() == [True, False]
    assert math.fsum([number]) == near
    with pytest.raises(TypeError, match="JSON"):
        json.dumps(number)
    with pytest.raises(ValueError, match="no array to share"):
        np.asarray(number, copy=False)


def test_brackets_in_sympy_have_no_single_value() -> None:
    assert not hasattr(Bracket.of(Fraction(1)), "_sympy_")


def test_bounds_in_latex_are_rounded_outwards() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert sympy.latex(Bracket(third, half)) == r"\left[0.333333, 0.5\right]"
    assert Bracket.of(third)._repr_latex_() == r"$\frac{1}{3}$"
    assert "10^{-7}" in sympy.latex([Bracket(third / 10**6, half / 10**6)])
    interval = rropt.inference.estimate("warner:3/4", [60, 40]).interval()
    assert interval._repr_latex_() == r"$\left[0.106589, 0.505582\right]$"
    assert sympy.sympify(interval) == sympy.Interval(*map(sympy.Rational, map(str, interval)))


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (log(3), sympy.log(3)),
        (Epsilon.of("log(9/2)/3"), sympy.log(sympy.Rational(9, 2)) / 3),
        (Epsilon.of("1/2"), sympy.Rational(1, 2)),
        (INFINITE, sympy.oo),
        (Delta.of("1/4"), sympy.Rational(1, 4)),
        (Delta.of("exp(-2)"), sympy.exp(-2)),
        (Epsilon.of("log(2)/2").exact_gamma() * 3 + 1, 3 * sympy.sqrt(2) + 1),
        (Epsilon.of("1/2").exact_gamma() / 2 - 1, sympy.exp(sympy.Rational(1, 2)) / 2 - 1),
    ],
    ids=str,
)
def test_numbers_in_sympy(number: Any, expected: Any) -> None:
    x = sympy.Symbol("x")
    assert sympy.sympify(number) == expected
    assert number == expected or not expected.is_finite
    assert x + number == number + x == x + expected
    assert x * number == number * x == x * expected
    assert sympy.latex(number) == sympy.latex(expected)
    assert sympy.latex(x * number) == sympy.latex(x * expected)
    assert number._repr_latex_().startswith("$")
    assert sympy.exp(log(3)) == 3


def test_numbers_in_mpmath_and_decimals() -> None:
    with mpmath.workdps(50):
        assert mpmath.mpf(log(3)) == mpmath.log(3)
        assert mpmath.mpf(log(3)) + 0 == log(3) + mpmath.mpf(0)
        assert abs(mpmath.mpf(log(1 + Fraction(1, 10**30))) / mpmath.log1p(mpmath.mpf(10) ** -30) - 1) < 1e-45
    assert Decimal(1) < log(3) < Decimal("1.1")
    assert Epsilon.of("1/2") == Decimal("0.5")
    assert hash(Epsilon.of("1/2")) == hash(Decimal("0.5")) == hash(0.5)


def test_deltas_and_exact_reals() -> None:
    e = ExactReal.exponential(Fraction(1))
    assert 2.718281828 < e < Fraction(2718281829, 10**9)
    assert e != math.e
    assert e / 2 * 2 == e
    assert (e + 0.5, 1 / e, e**-1) == pytest.approx((math.e + 0.5, 1 / math.e, 1 / math.e))
    assert Delta.of("1/4") == 0.25
    assert hash(Delta.of("1/4")) == hash(0.25)
    assert (1 - Delta.of("1/4"), 2 * Delta.of("1/4"), Delta.of("1/4") / 2) == (
        Fraction(3, 4),
        Fraction(1, 2),
        Fraction(1, 8),
    )
    assert 1 - Delta.of("exp(-1)") == 1 - ExactReal.exponential(Fraction(-1))
    assert Delta.of("exp(-1)") < 0.5
    assert max(Delta.of("1/4"), Delta.of("exp(-1)"), 0.1) == Delta.of("exp(-1)")
    assert e < math.inf
    assert not e < math.nan


def test_rational_numbers_are_parameters() -> None:
    assert (
        rational(Epsilon.of("1/2"))
        == rational(Delta.of("1/2"))
        == rational(Bracket.of(Fraction(1, 2)))
        == Fraction(1, 2)
    )
    with pytest.raises(InvalidParameterError):
        rational(log(3))


def test_brackets_compare_only_if_it_is_certain(rng: random.Random) -> None:
    for _ in range(300):
        a, b, c, d = (Fraction(rng.randint(-4, 4), 2) for _ in range(4))
        one, other = Bracket(min(a, b), max(a, b)), Bracket(min(c, d), max(c, d))
        every = [(x, y) for x in {*one, one.middle} for y in {*other, other.middle}]
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            assert compare(one, other) == all(compare(x, y) for x, y in every)
            assert compare(one, c) == all(compare(x, c) for x in one)
            assert compare(c, one) == all(compare(c, x) for x in one)
        for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
            if operation is operator.truediv and other.lower <= 0 <= other.upper:
                continue
            found = operation(one, other)
            assert all(found.lower <= operation(x, y) <= found.upper for x, y in every)
            assert {*found} <= {operation(x, y) for x, y in every}
        if c:
            assert [*(2 * one + 1 - one / c)] == [*(one * 2 + Fraction(1) - one * (1 / c))]
        assert [*-one] == [-one.upper, -one.lower]
        assert abs(one).lower <= abs(one.middle) <= abs(one).upper
    half = Bracket.of(Fraction(1, 2))
    assert half == 0.5 == Epsilon.of("1/2")
    assert hash(half) == hash(0.5)
    assert Bracket(Fraction(1), Fraction(2)) < log(8)
    assert not Bracket(Fraction(1), Fraction(2)) < log(3)
    assert type(half + 0.5) is float
    low, high = Bracket(Fraction(1), Fraction(2))
    assert (low, high) == (1, 2)
    assert repr(Bracket(Fraction(1), Fraction(2))) == "[1, 2] ~ 1.5"


def test_results_give_numbers() -> None:
    composed = rropt.compose(["log(3)"] * 5, delta="1/1000000")
    assert 4 < composed.epsilon <= 5 * log(3)
    assert 0 < composed.delta < 1
    mechanism = rropt.Mechanism("warner:3/4")
    assert 1 < mechanism.epsilon < 1.1
    assert f"{mechanism.epsilon:.2f} {mechanism.delta('1/2'):.3f}" == "1.10 0.338"
    assert mechanism.delta("1/2") < 0.34
