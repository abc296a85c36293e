"""Parse exact numbers from the text of results (output of ``str``): strictly, with limits, without evaluation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rropt.core.errors import FileFormatError, shown
from rropt.core.exact.flint_numbers import as_fraction
from rropt.core.exact.levels import Delta, Epsilon
from rropt.core.exact.reals import ExactReal

_DIGITS = 100_000  # of a number in a result: bounds at extreme levels have ten thousand
_PLAIN = 4000  # digits that Python itself can read
_MAX_ROOT, _EXPONENT = 1000, 10_000  # limits on powers and exponentials; privacy levels stay within them

_Q = r"-?[0-9]+(?:/[0-9]+)?"
_FRACTION = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
_LOGARITHM = re.compile(rf"(?:({_Q})\*)?log\(({_Q})\)")
_PRODUCT = re.compile(rf"(?:({_Q})(?:\*|$))?(?:\(?({_Q})\)?\^\(({_Q})\)\*?)?(?:exp\(({_Q})\))?")


def fraction_of(text: Any) -> Fraction:
    """Parse a rational written by ``as_text``, of up to 100 000 digits."""
    match = _FRACTION.fullmatch(text) if isinstance(text, str) and len(text) <= 2 * _DIGITS else None
    below = "1" if match is None or match[2] is None else match[2]
    if match is None or not below.strip("0"):
        raise _unread("a number", text, 'an integer or a fraction as text, such as "-1/4"')
    if len(text) <= _PLAIN:
        return Fraction(int(match[1]), int(below))
    from flint import fmpq, fmpz

    return as_fraction(fmpq(fmpz(match[1]), fmpz(below)))


def epsilon_of(text: Any) -> Epsilon:
    """Parse a level written by ``str`` of an ``Epsilon``; without an upper limit, because it may be a result."""
    if text == "inf":
        return Epsilon("infinite")
    match = _LOGARITHM.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        made = Epsilon("rational", fraction_of(text))
    else:
        base = fraction_of(match[2])
        times = Fraction(1) if match[1] is None else fraction_of(match[1])
        # with a base > 1 and no factor, the level is already in canonical form
        made = Epsilon.of_parity(base) if times == 1 and base > 1 else Epsilon.of(text)
    if str(made) != text or (made.kind == "rational" and made.times < 0):
        raise _unread("epsilon", text, '"inf", a number >= 0, "log(q)" and "r*log(q)" in lowest terms')
    return made


def real_of(text: Any) -> ExactReal:
    """Parse a number written by ``str`` of an ``ExactReal``: a sum of products of a rational, a power and an exp."""
    if not isinstance(text, str) or len(text) > _DIGITS:
        raise _unread("a number", text, "a text")
    total = ExactReal.of(0)
    for sign, piece in re.findall(r"(?:^|(?<= ))(- |\+ |-)?((?:[^ +-]|(?<=[(^])-)+)", text):
        match = _PRODUCT.fullmatch(piece)
        if match is None:
            raise _unread("a number", text, 'sums such as "1/2 - 1/3*exp(1/2)"')
        size, base, power, exponent = match.groups()
        term = ExactReal.of(fraction_of(size) if size else 1)
        if base:
            raised, to = fraction_of(base), fraction_of(power)
            if raised <= 0 or not 0 < to < 1 or to.denominator > _MAX_ROOT:
                raise _unread("a number", text, "powers of positive numbers between 0 and 1")
            term = term * ExactReal.power(raised, to)
        if exponent:
            if abs(fraction_of(exponent)) > _EXPONENT:
                raise _unread("a number", text, f"exponents of at most {_EXPONENT}")
            term = term * ExactReal.exponential(fraction_of(exponent))
        total = total - term if sign.startswith("-") else total + term
    if str(total) != text:
        raise _unread("a number", text, 'sums such as "1/2 - 1/3*exp(1/2)"')
    return total


def _unread(what: str, text: object, allowed: str) -> FileFormatError:
    return FileFormatError(f"{what} cannot be read: received {shown(text)}; allowed is {allowed}")


# Classes whose numbers are written as one text, and the functions that parse it.
READERS: Mapping[str, Callable[[Any], Any]] = {
    "Fraction": fraction_of,
    "Epsilon": epsilon_of,
    "Delta": Delta.of,
    "ExactReal": real_of,
}
