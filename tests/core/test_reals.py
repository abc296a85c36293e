"""Exact real numbers: the ring laws, exact zero, and signs against high precision."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import flint
import mpmath
import pytest

from rropt.core.exact import Epsilon, ExactReal
from rropt.core.exact.algebraic_numbers import Algebraic, polynomial_roots
from rropt.core.exact.reals import Quotient


def _value(x: ExactReal) -> mpmath.mpf:
    root = mpmath.mpf(x.base.numerator) / x.base.denominator
    return mpmath.fsum(
        mpmath.mpf(c.numerator)
        / c.denominator
        * root ** (mpmath.mpf(i) / x.root)
        * mpmath.exp(mpmath.mpf(r.numerator) / r.denominator)
        for (i, r), c in x.terms.items()
    )


def _random(rng: random.Random, gamma: ExactReal, delta: ExactReal) -> ExactReal:
    total = ExactReal.of(0)
    for _ in range(rng.randint(1, 4)):
        term = ExactReal.of(Fraction(rng.randint(-9, 9), rng.randint(1, 9)))
        for _ in range(rng.randint(0, 3)):
            term = term * rng.choice([gamma, delta, gamma - 1])
        total = total + term
    return total


@pytest.mark.slow
def test_ring_and_signs(rng: random.Random, size: Callable[[int, int], int]) -> None:
    points = 0
    for _ in range(size(300, 5000)):
        gamma = Epsilon.of(rng.choice(["1/2", "log(3)/2", "log(8)/5", "2/7*log(3/2)", "log(5)", "3"])).exact_gamma()
        delta = (
            ExactReal.of(Fraction(1, rng.randint(1, 9)))
            if rng.random() < 0.5
            else ExactReal.exponential(Fraction(-rng.randint(1, 9), 2))
        )
        a, b, c = (_random(rng, gamma, delta) for _ in range(3))
        assert (a + b) * c == a * c + b * c
        assert a * b - b * a == 0
        assert a + (-a) == 0
        assert (a - b) ** 2 == a * a - 2 * a * b + b * b
        with mpmath.workdps(60):
            value = _value(a)
            assert a.sign() == (value > mpmath.mpf(10) ** -40) - (value < -(mpmath.mpf(10) ** -40))
            low, high = a.bracket(30)
            assert mpmath.mpf(low.numerator) / low.denominator <= value + mpmath.mpf(10) ** -50
            assert value - mpmath.mpf(10) ** -50 <= mpmath.mpf(high.numerator) / high.denominator
            assert high - low <= Fraction(3, 10**30)
        points += 1
    assert points >= 300


def test_algebraic_numbers_are_in_the_order_of_their_values(rng: random.Random) -> None:
    """Roots that two polynomials share are equal, and equal numbers are in no order."""
    numbers = [Algebraic.of(Fraction(rng.randint(-9, 9), rng.randint(1, 5))) for _ in range(6)]
    low, high = Algebraic.of(-30), Algebraic.of(30)
    for coefficients in ([-2, 0, 1], [-3, 0, 1], [-2, -2, 1, 1], [-1, -1, 0, 1], [1, -3, 0, 1]):  # (x^2 - 2)(x + 1)
        numbers += polynomial_roots(flint.fmpq_poly(coefficients), low, high)
    assert len(numbers) == 6 + 2 + 2 + 3 + 1 + 3
    for one in numbers:
        for other in numbers:
            gap = float(one) - float(other)
            assert (one < other) == (gap < -1e-9)  # the nearest two are 0.03 apart
            assert (one == other) == (abs(gap) < 1e-9)


def test_zero_is_decided_by_identity_not_by_a_bracket() -> None:
    root = Epsilon.of("log(2)/2").exact_gamma()
    assert root * root == 2
    assert (root - 1) * (root + 1) == 1
    assert not root**4 - 4
    near = Fraction(int(mpmath.mpf(10) ** 15 * mpmath.sqrt(2)), 10**15)
    assert (root - near).sign() == 1  # 1e-16 apart
    e = ExactReal.exponential(Fraction(1))
    assert e * ExactReal.exponential(Fraction(-1)) == 1
    assert e < Fraction(2718281828459045235360287471353, 10**30)
    assert e > Fraction(2718281828459045235360287471352, 10**30)


def test_text_and_mixing() -> None:
    root = Epsilon.of("log(2)/2").exact_gamma()
    assert str(Fraction(1, 2) - root * Fraction(1, 4)) == "1/2 - 1/4*2^(1/2)"
    assert str(ExactReal.of(0)) == "0"
    assert float(root) == pytest.approx(2**0.5, rel=1e-15)  # one rounding to a float
    with pytest.raises(ValueError, match="different irrational bases"):
        root + Epsilon.of("log(3)/2").exact_gamma()


def test_quotients() -> None:
    """The field laws that are used, with the sign in the numerator."""
    root = Epsilon.of("log(2)/2").exact_gamma()
    one, other = Quotient(root, 3), Quotient(Fraction(-5), root - 2)
    assert other.denominator.sign() == 1
    for found, numerator, denominator in (
        (one * other, root * -5, (root - 2) * 3),
        (one + other, root * (root - 2) - 15, (root - 2) * 3),
        (one - other, root * (root - 2) + 15, (root - 2) * 3),
        (one / other, root * (root - 2), ExactReal.of(-15)),
        (2 - one, 6 - root, ExactReal.of(3)),
    ):
        assert found.numerator * denominator == numerator * found.denominator
        assert found.denominator.sign() == 1
    with pytest.raises(ZeroDivisionError):
        Quotient(root, root * root - 2)


def test_two_gammas_with_different_bases_are_compared() -> None:
    half, third = Fraction(1, 2), Fraction(1, 3)
    root_of_12, root_of_3 = ExactReal.power(Fraction(12), half), ExactReal.power(Fraction(3), half)
    assert root_of_12 == 2 * root_of_3
    assert hash(root_of_12) == hash(2 * root_of_3)
    assert -root_of_12 < root_of_3 < root_of_12 <= 2 * root_of_3
    assert ExactReal.power(Fraction(12), third) < root_of_12 != root_of_3
    assert ExactReal.power(Fraction(2), Fraction(999, 1000)) < ExactReal.power(Fraction(3), Fraction(998, 999))
    with pytest.raises(ValueError, match="do not mix"):
        assert root_of_12 + 1 < root_of_3


@pytest.mark.parametrize(
    ("coefficients", "place", "text"),
    [
        ([-1, -1, 1], 1, "1/2 + 1/2*sqrt(5)"),
        ([-1, -1, 1], 0, "1/2 - 1/2*sqrt(5)"),
        ([-12, 0, 1], 0, "-2*sqrt(3)"),
        ([-2, 0, 1], 1, "sqrt(2)"),
        ([1, -18, 49], 0, "9/49 - 4/49*sqrt(2)"),
        ([-18, -6, 1], 1, "3 + 3*sqrt(3)"),
        ([-2 * 997**2, 0, 1], 1, "997*sqrt(2)"),
    ],
)
def test_quadratic_numbers_in_text(coefficients: list[int], place: int, text: str) -> None:
    """The roots of c0 + c1 x + c2 x^2 in ascending order."""
    from flint import fmpz_poly

    number = Algebraic(fmpz_poly(coefficients), place)
    assert str(number) == text
    assert float(number) == pytest.approx(float(eval(text, {"sqrt": math.sqrt})))
