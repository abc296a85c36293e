"""Parse exact numbers from the text of results (output of ``str``): strictly, with limits, without evaluation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rropt.core.errors import FileFormatError, shown
from rropt.core.exact.levels import Delta, Epsilon
from rropt.core.exact.reals import ExactReal

_DIGITS = 100_000  # of a number in a result: bounds at extreme levels have ten thousand
_PLAIN = 4000  # digits that Python itself can read
_DEGREE, _COEFFICIENT = 64, 2000  # limits on a minimal polynomial; for criteria B(h) the degree is small
_MAX_ROOT, _EXPONENT = 1000, 10_000  # limits on powers and exponentials; privacy levels stay within them

_Q = r"-?[0-9]+(?:/[0-9]+)?"
_FRACTION = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")
_LOGARITHM = re.compile(rf"(?:({_Q})\*)?log\(({_Q})\)")
_PRODUCT = re.compile(rf"(?:({_Q})\*?)?(?:\(?({_Q})\)?\^\(({_Q})\)\*?)?(?:exp\(({_Q})\))?")
_QUADRATIC = re.compile(rf"(?:({_Q}) ([+-]) |(-)?)(?:({_Q})\*)?sqrt\(([0-9]+)\)")
_ROOT = re.compile(rf"root of ([-+*^ x0-9]+) between ({_Q}) and ({_Q})")
_MONOMIAL = re.compile(r"([+-]?)([0-9]+)?\*?(x)?(?:\^([0-9]+))?")


def fraction_of(text: Any) -> Fraction:
    """Parse a rational written by ``as_text``, of up to 100 000 digits."""
    match = _FRACTION.fullmatch(text) if isinstance(text, str) and len(text) <= 2 * _DIGITS else None
    below = "1" if match is None or match[2] is None else match[2]
    if match is None or not below.strip("0"):
        raise _unread("a number", text, 'an integer or a fraction as text, such as "-1/4"')
    if len(text) <= _PLAIN:
        return Fraction(int(match[1]), int(below))
    from flint import fmpq, fmpz

    exact = fmpq(fmpz(match[1]), fmpz(below))
    return Fraction(int(exact.p), int(exact.q))


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


def algebraic_of(text: Any) -> Any:
    """Parse a number written by ``str`` of an ``Algebraic``: rational, with a square root, or a bracketed root."""
    from flint import fmpq_poly, fmpz_poly

    from rropt.core.exact.algebraic_numbers import Algebraic, polynomial_roots

    allowed = 'a fraction, "1/2 + 1/3*sqrt(5)", or "root of x^3 - 2 between 1 and 2"'
    if not isinstance(text, str) or len(text) > _DIGITS:
        raise _unread("an algebraic number", text, allowed)
    if _FRACTION.fullmatch(text):
        return Algebraic.of(fraction_of(text))
    if match := _QUADRATIC.fullmatch(text):
        rational, sign, minus, times, inside = match.groups()
        u, v = (
            Fraction(0 if part is rational else 1) if part is None else fraction_of(part) for part in (rational, times)
        )
        square, place = v * v * int(fraction_of(inside)), 0 if "-" in (sign, minus) else 1
        coefficients = [u * u - square, -2 * u, Fraction(1)]
        scale = coefficients[0].denominator * coefficients[1].denominator
        minimal = fmpz_poly([int(c * scale) for c in coefficients])
        made = Algebraic(minimal // minimal.content(), place)
    elif (match := _ROOT.fullmatch(text)) and (parts := _monomials(match[1])) is not None:
        low, high = (Algebraic.of(fraction_of(end)) for end in match.groups()[1:])
        roots = polynomial_roots(fmpq_poly(parts), low, high)
        if len(roots) != 1:
            raise _unread("an algebraic number", text, "a bracket with one root")
        made = roots[0]
    else:
        raise _unread("an algebraic number", text, allowed)
    if str(made) != text:
        raise _unread("an algebraic number", text, allowed)
    return made


def _monomials(text: str) -> list[int] | None:
    """Parse a polynomial in x; return its coefficients, lowest degree first, or ``None`` if invalid or too large."""
    found: dict[int, int] = {}
    for piece in text.replace("- ", "-").replace("+ ", "+").split():
        match = _MONOMIAL.fullmatch(piece)
        if match is None or len(piece) > _COEFFICIENT or not (match[2] or match[3]):
            return None
        degree = int((match[4] or "1")[:4]) if match[3] else 0
        if degree > _DEGREE:
            return None
        found[degree] = int(f"{match[1]}{match[2] or 1}")
    return [found.get(i, 0) for i in range(max(found) + 1)] if found else None


def _unread(what: str, text: object, allowed: str) -> FileFormatError:
    return FileFormatError(f"{what} cannot be read: received {shown(text)}; allowed is {allowed}")


# Classes whose numbers are written as one text, and the functions that parse it.
READERS: Mapping[str, Callable[[Any], Any]] = {
    "Fraction": fraction_of,
    "Epsilon": epsilon_of,
    "Delta": Delta.of,
    "ExactReal": real_of,
    "Algebraic": algebraic_of,
}
