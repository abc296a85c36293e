"""Numbers come back from their texts; what is no such text is one clear error."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from every_case import every_case

from rropt.core.errors import RroptError
from rropt.core.exact import Delta, Epsilon, ExactReal, as_text
from rropt.core.exact.texts import READERS, epsilon_of, fraction_of, real_of


def _rational(rng: random.Random, digits: int = 9) -> Fraction:
    return Fraction(rng.randint(-(10**digits), 10**digits), rng.randint(1, 10**digits))


def test_numbers_come_back(rng: random.Random, size: Callable[[int, int], int]) -> None:
    for _ in range(size(60, 2000)):
        q, r, base = _rational(rng), _rational(rng, 2), abs(_rational(rng, 2)) + Fraction(1, 7)
        assert fraction_of(as_text(q)) == q
        for level in (f"{abs(r)}", f"log({base + 1})", f"{min(abs(r) + 1, 29)}*log({rng.randint(2, 30)})"):  # up to 100
            assert epsilon_of(str(Epsilon.of(level))) == Epsilon.of(level)
        real = q - r * ExactReal.exponential(_rational(rng, 1)) + ExactReal.power(base, Fraction(1, 3)) * r
        assert real_of(str(real)) == real, str(real)
        assert READERS["Delta"](str(Delta.of("exp(-1/3)"))) == Delta.of("exp(-1/3)")
    assert epsilon_of("inf") == Epsilon("infinite")
    long = Fraction(7**9000, 10**5000)
    assert fraction_of(as_text(long)) == long


TEXTS = [
    "",
    "1/0",
    "0.5",
    "1//2",
    "\u0661",
    "1" * 300_000,
    "log(0)",
    "log(-1)",
    "2/1*log(3)",
    "log(4)/2",
    "log(1)",
    "exp(1",
    "1 +",
    "1*exp(1/2)*exp(1/3)",
    "0^(1/2)",
    "2^(999999999999/1)",
    "__import__('os')",
]


@every_case("text", TEXTS, ids=lambda text: text[:40] or "empty")
def test_other_texts_are_refused(text: str) -> None:
    for name, read in READERS.items():
        try:
            made = read(text)
        except RroptError as error:
            message = str(error)
        else:
            message = ""
            assert name in ("Epsilon", "Delta", "ExactReal") or str(made) == text
            assert read(str(made)) == made
        assert len(message) < 500


@every_case("value", [None, 1, 0.5, [], {}, b"1"], ids=repr)
def test_only_texts_are_read(value: object) -> None:
    for name in ("Fraction", "Epsilon", "ExactReal"):
        with pytest.raises(RroptError):
            READERS[name](value)


@pytest.mark.parametrize("base", [2, 10, 12, Fraction(25, 12)])
def test_powers_without_a_factor_are_read(base: Fraction) -> None:
    """The first digit of a base of two digits was read as a factor, so that the number was refused."""
    number = ExactReal.power(Fraction(base), Fraction(2, 5))
    for one in (number, -number, 3 * number * ExactReal.exponential(Fraction(-1, 3)) - 1):
        assert real_of(str(one)) == one
    with pytest.raises(RroptError, match="powers of positive numbers between 0 and 1"):
        real_of(f"({base})^(3/2)")
