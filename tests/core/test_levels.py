"""epsilon and delta: canonical forms, brackets that hold the truth, and bad input."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
import sympy
from every_case import every_case

from rropt.core.errors import InvalidParameterError
from rropt.core.exact import Delta, Epsilon


@every_case(
    ("text", "same"),
    [
        ("log(4)/2", "log(2)"),
        ("2*log(3)", "log(9)"),
        ("log(1/3)*-1", "log(3)"),
        ("ln(8)/6", "1/2*log(2)"),
        ("0.5 * log(3)", "log(3)/2"),
        ("3/2*log(4/9)*-1", "log(27/8)"),
        ("log(1)", "0"),
        ("0*log(7)", "0"),
        ("0.50", "1/2"),
        (sympy.log(3) / 2, "1/2*log(3)"),
        (sympy.Rational(1, 2), "1/2"),
    ],
)
def test_canonical_forms(text: object, same: str) -> None:
    left, right = Epsilon.of(text), Epsilon.of(same)
    assert left == right
    assert hash(left) == hash(right)
    assert Epsilon.from_dict(left.to_dict()) == left
    assert Epsilon.of(str(left)) == left


def test_infinite_level() -> None:
    level = Epsilon.of_parity(None)
    assert level.is_infinite
    assert str(level) == "inf"
    assert float(level) == math.inf
    with pytest.raises(InvalidParameterError):
        level.exact_gamma()


def test_brackets_hold_the_truth(rng: random.Random, size: Callable[[int, int], int]) -> None:
    """Against mpmath at 80 more digits than the bracket has."""
    points = 0
    for _ in range(size(300, 5000)):
        digits = rng.choice([5, 20, 60, 200])
        exponent = Fraction(rng.randint(1, 10**6), rng.choice([1, 10**4, 10**6, 10**9, 10**40]))
        exponent = exponent / 10**5 if exponent > 100 else exponent
        base = Fraction(rng.randint(2, 60), rng.randint(1, 30))
        base = base if base > 1 else 1 + 1 / base
        level = (
            Epsilon.of(exponent)
            if rng.random() < 0.5
            else Epsilon.of(f"{rng.randint(1, 5)}/{rng.randint(1, 30)}*log({base})")
        )
        with mpmath.workdps(digits + 130):
            below, above = level.gamma_bracket(digits)
            if level.kind == "rational":
                gamma = mpmath.exp(mpmath.mpf(level.times.numerator) / level.times.denominator)
            else:
                q = mpmath.mpf(level.base.numerator) / level.base.denominator
                gamma = q ** (mpmath.mpf(level.times.numerator) / level.times.denominator)
            low, high = (mpmath.mpf(x.numerator) / x.denominator for x in (below, above))
            assert 1 <= below <= above
            if level.gamma is None:
                assert low < gamma < high
                assert (high - low) <= 10 * (gamma - 1) * mpmath.mpf(10) ** -digits
                assert below > 1
            else:
                assert below == above == level.gamma
        points += 1
    assert points >= 300


def test_delta_brackets_hold_the_truth(rng: random.Random) -> None:
    points = 0
    for _ in range(200):
        digits = rng.choice([5, 20, 60])
        exponent = -Fraction(rng.randint(1, 10**6), rng.choice([10**4, 10**6, 10**9, 10**40]))
        delta = Delta.of(f"exp({exponent})")
        below, above = delta.bracket(digits)
        with mpmath.workdps(digits + 130):
            truth = mpmath.exp(mpmath.mpf(exponent.numerator) / exponent.denominator)
            assert (
                mpmath.mpf(below.numerator) / below.denominator
                < truth
                < mpmath.mpf(above.numerator) / above.denominator
            )
            assert (
                mpmath.mpf((above - below).numerator) / (above - below).denominator <= truth * mpmath.mpf(10) ** -digits
            )
        assert 0 < below < above < 1
        assert Delta.from_dict(delta.to_dict()) == delta
        points += 1
    assert points == 200
    assert Delta.of("exp(0)") == Delta.of(1)


@pytest.mark.parametrize("given", ["log(3)", "1", "", 1, 1.5, Fraction(1), None])
def test_the_class_of_levels_takes_no_text(given: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"use Epsilon\.of"):
        Epsilon(given)


@pytest.mark.parametrize("given", ["1/10", "exp(-1)", 0.1])
def test_the_class_of_deltas_takes_fractions_alone(given: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"use Delta\.of"):
        Delta(given)
