"""Exact numbers beside their decimals, for people: ``=`` where the decimal is the number, ``~`` where it is rounded."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Union

from rropt.exact.levels import Delta, Epsilon
from rropt.exact.numbers import as_text, telling_decimal
from rropt.exact.reals import ExactReal

Exact = Union[Fraction, Epsilon, Delta, ExactReal]  # noqa: UP007  # as in `reals`

_LONGEST = 24  # characters of an exact number that people are shown; of a longer one the decimal alone
_LONG_DIGITS = 15  # of that decimal
_SPARE_DIGITS = 60  # an irrational number is known to so many: more than `telling_decimal` ever shows


def both_texts(value: Exact, digits: int = 9) -> str:
    """Return the exact and the decimal value; of a long exact number the decimal alone, marked as rounded.

    The decimal has as many more digits as show that the number is not the round one it is near.

    >>> both_texts(Fraction(15, 16)), both_texts(Fraction(1, 3)), both_texts(Epsilon.of("log(3)"))
    ('15/16 = 0.9375', '1/3 ~ 0.333333333', 'log(3) ~ 1.09861229')
    >>> both_texts(Fraction(10**30 + 1, 10**30)), both_texts(Fraction(2))
    ('~1.000000000000000000000000000001', '2')
    """
    if isinstance(value, Epsilon) and value.is_infinite:
        return str(value)
    exact, near = as_text(value) if isinstance(value, Fraction) else str(value), _near(value)
    decimal = telling_decimal(near, digits)
    if exact == decimal:
        return exact
    if len(exact) <= _LONGEST:
        is_exact = _is_rational(value) and Fraction(decimal) == near
        return f"{exact} {'=' if is_exact else '~'} {decimal}"
    return f"~{telling_decimal(near, max(digits, _LONG_DIGITS))}"


def extended_text(value: Fraction | None) -> str:
    """Return the text of a rational, or ``inf`` for an infinite number, given as ``None``."""
    return "inf" if value is None else as_text(value)


def decimal_outwards(value: Fraction, *, up: bool, digits: int = 15) -> str:
    """Return a decimal at least (``up``) or at most a number, less than one unit of its last digit away."""
    context = Context(prec=digits, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize()).lower()


def _is_rational(value: Exact) -> bool:
    if isinstance(value, (Epsilon, Delta)):
        return value.kind == "rational"
    return isinstance(value, Fraction) or value.rational is not None


def _near(value: Exact) -> Fraction:
    """Return a number, of an irrational one a rational nearer than any decimal that is shown."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Epsilon):
        return value.times if value.kind == "rational" else _logarithm(value)
    real = value.exact() if isinstance(value, Delta) else value
    digits = _SPARE_DIGITS
    while True:  # ends: an irrational number is not 0
        low, high = real.bracket(digits)
        if (high - low) * 10**_SPARE_DIGITS <= min(abs(low), abs(high)):
            return low
        digits *= 2


def _logarithm(value: Epsilon) -> Fraction:
    """Return ``times * log(base)`` to the digits above: parities that are near e^r or near 1 included."""
    from flint import arb, ctx, fmpq

    bits = 4 * _SPARE_DIGITS + value.base.numerator.bit_length()  # log(1 + x) loses as many bits as x has zeros
    with ctx.workprec(bits):
        middle = arb(fmpq(value.base.numerator, value.base.denominator)).log().mid()
        mantissa, exponent = middle.man_exp()
        two = Fraction(2)
        return value.times * int(mantissa) * two ** int(exponent)
