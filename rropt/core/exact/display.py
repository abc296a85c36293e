"""Numbers as text: exact, decimal, or both.

``=`` precedes an exact decimal, ``~`` a rounded one. An estimate is rounded to the decimal place of its standard error
(``decimal_places``, ``rounded``). ``in_full`` makes every function of this module show all digits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from sys import float_info
from typing import Protocol


class Irrational(Protocol):
    """A number with its own exact text."""

    def near(self, digits: int) -> tuple[Fraction, bool]:
        """Return a rational within the given number of significant digits of the number, and whether it is exact."""


Exact = Fraction | Irrational

N_LESS_ONE = "standard error (n - 1)"
STANDARD_ERRORS = (
    "plug-in: the variance divides by n (Warner 1965); n - 1: its unbiased estimate (Chaudhuri and Mukerjee 1988)"
)

_IN_FULL: ContextVar[bool] = ContextVar("in_full", default=False)

_ERROR_DIGITS = 2  # significant digits of a displayed standard error or margin
_LEVELS = ("0.010", "0.050", "0.100")  # of tests, as a p-value beside them would be printed
_COMPARED_DIGITS = 5  # of standard errors by two formulas, which seldom differ in the first two digits
_MOST_PLACES = 15  # decimals of an estimate: a float has no more
_SHORT = 12  # maximal number of characters of an exact estimate that is shown with its decimal
_DECIMAL_DIGITS = 15  # a decimal with so many digits is the shortest decimal of its float
_FLOAT_DIGITS = 17  # significant digits that distinguish every float from its neighbours
_LONGEST = 24  # maximal number of characters of a displayed exact number; a longer one is shown as a decimal
_LONG_DIGITS = 15  # significant digits of that decimal
_GAP_DIGITS = 2  # significant digits of a displayed gap
_APART_DIGITS = 20  # most significant digits that tell two numbers apart; beyond, their difference is shown
_SPARE_DIGITS = 60  # digits to which an irrational number is computed: more than `distinguishing_decimal` ever shows


@contextmanager
def in_full(wanted: bool = True) -> Iterator[None]:
    """Show exact numbers of any length, and all digits of floats, within a ``with`` block.

    Args:
        wanted: ``False`` has no effect, so the value of an option can be passed directly.

    >>> with in_full():
    ...     both_texts(Fraction(10**12 + 1, 10**14 + 1)), decimal_text(0.01441271909)
    ('1000000000001/100000000000001 ~ 0.0100000000000099', '0.01441271909')
    """
    token = _IN_FULL.set(_IN_FULL.get() or wanted)
    try:
        yield
    finally:
        _IN_FULL.reset(token)


is_in_full: Callable[[], bool] = _IN_FULL.get
"""Return whether numbers are written out in full here (see ``in_full``)."""


def decimal_places(error: Fraction | float | None) -> int | None:
    """Return the decimal place of the second significant digit of an error; ``None`` if there is no such place.

    >>> decimal_places(0.0144127), decimal_places(0.0996), decimal_places(25.0), decimal_places(0)
    (3, 2, 0, None)
    """
    if error is None or not 0 < error < math.inf:
        return None
    exponent = f"{float(error):.{_ERROR_DIGITS - 1}e}".partition("e")[2]
    places = max(0, _ERROR_DIGITS - 1 - int(exponent))
    return places if places <= _MOST_PLACES else None


def rounded(value: Fraction | float, places: int | None) -> str:
    """Return a number rounded to a decimal place.

    If ``places`` is ``None``, or within ``in_full``, return ``decimal_text`` of the number.

    >>> rounded(Fraction(2551, 9740), 3), rounded(0.0144127, 3), rounded(-0.0001, 2), rounded(1.0, 3)
    ('0.262', '0.014', '0.00', '1.000')
    """
    if places is None or is_in_full() or not math.isfinite(value):
        return decimal_text(value)
    units = round(Fraction(value) * 10**places)
    whole, part = divmod(abs(units), 10**places)
    return f"{'-' * (units < 0)}{as_text(Fraction(whole))}" + (f".{part:0{places}d}" if places else "")


def estimate_text(value: Fraction | float, places: int | None) -> str:
    """Return an estimate rounded to a decimal place, with its exact value if that is short.

    >>> estimate_text(Fraction(2551, 9740), 3), estimate_text(Fraction(1, 4), 3), estimate_text(0.51234, 2)
    ('2551/9740 ~ 0.262', '1/4 = 0.250', '0.51')
    """
    if not isinstance(value, Fraction):
        return rounded(value, places)
    if is_in_full() or places is None:
        return both_texts(value)
    exact, decimal = as_text(value), rounded(value, places)
    if len(exact) > _SHORT or value.denominator == 1:
        return decimal
    return with_decimal(exact, decimal, value)


def with_error_text(value: Fraction | float, error: float, exact: bool = False) -> str:
    """Return an estimate with its standard error, both rounded to the error's second significant digit.

    Args:
        value, error: the estimate and its standard error.
        exact: whether to show a short exact value next to the decimal.

    >>> with_error_text(Fraction(2551, 9740), 0.0144127), with_error_text(Fraction(2551, 9740), 0.0144127, exact=True)
    ('0.262 (standard error 0.014)', '2551/9740 ~ 0.262 (standard error 0.014)')
    """
    places = decimal_places(error)
    shown = estimate_text(value, places) if exact or is_in_full() else rounded(value, places)
    return f"{shown} (standard error {rounded(error, places) if error else 0})"


def error_text(error: float | None) -> str:
    """Return a standard error for a comparison, with more digits than the standard error of an estimate.

    >>> error_text(0.0144156899), error_text(None)
    ('0.014416', 'none')
    """
    return "none" if error is None else decimal_text(error, _COMPARED_DIGITS)


def as_text(value: Fraction) -> str:
    """Return the canonical text of a rational: ``"3"``, ``"-1/4"`` (lowest terms), as in certificates.

    Args:
        value: a rational of any length.
    """
    try:
        return str(value)
    except ValueError:  # the number exceeds Python's limit on digits: bounds at extreme levels
        from flint import fmpz

        above, below = fmpz(value.numerator), fmpz(value.denominator)
        return str(above) if value.denominator == 1 else f"{above}/{below}"


def number_text(number: Fraction) -> str:
    """Return a number as a decimal with at most 15 significant digits, exact if it has as few; 10^15 and more whole.

    >>> number_text(Fraction(5, 2)), number_text(Fraction(-1, 3)), number_text(Fraction(3))
    ('2.5', '-0.333333333333333', '3')
    """
    return _number_text(number, _DECIMAL_DIGITS)


def _number_text(number: Fraction, digits: int) -> str:
    return str(number.numerator) if number.denominator == 1 else f"{rounded_decimal(number, digits):f}"


def different_texts(numbers: Sequence[Fraction]) -> tuple[str, ...]:
    """Return different numbers as different decimals: with 15 significant digits, or more where these are equal.

    >>> different_texts([Fraction(1, 3), Fraction(5, 2)])
    ('0.333333333333333', '2.5')
    >>> different_texts([Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**16)])
    ('0.3333333333333333', '0.3333333333333334')
    """
    texts = tuple(map(number_text, numbers))
    if len(set(texts)) == len(texts):
        return texts
    ordered = itertools.pairwise(sorted(zip(numbers, texts, strict=True)))
    least = min((b - a) / max(abs(a), abs(b)) for (a, text), (b, other) in ordered if text == other)
    # numbers of this relative distance have log10 of its inverse, or one more, digits in common
    apart = math.floor(math.log10(least.denominator) - math.log10(least.numerator))
    return next(
        texts
        for digits in itertools.count(max(apart - 1, _DECIMAL_DIGITS + 1))
        if len(set(texts := tuple(_number_text(number, digits) for number in numbers))) == len(numbers)
    )


def possible_texts(number: Fraction, names: Iterable[str]) -> Iterator[str]:
    """Iterate over the decimals that a number may have among names of ``different_texts``, the longest one first."""
    longest = max((len(name.lstrip("-0.").replace(".", "")) for name in names if "." in name), default=0)
    for digits in range(max(longest, _DECIMAL_DIGITS), _DECIMAL_DIGITS - 1, -1):
        yield _number_text(number, digits)


def rounded_decimal(value: Fraction, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """Return a number rounded to so many significant digits, without zeros at the end.

    The context normalizes: the method of Decimal rounds to 28 digits.
    """
    context = Context(prec=digits, rounding=rounding)
    return context.normalize(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def decimal_text(value: Fraction | float, digits: int = 6) -> str:
    """Return ``value`` as a decimal with ``digits`` significant digits and no trailing zeros.

    Args:
        value: a number.
        digits: significant digits.
    """
    if is_in_full():
        return _full_decimal(value, max(digits, _FLOAT_DIGITS))
    try:
        near = float(value)
        if not isinstance(value, Fraction) or not value or (digits < _FLOAT_DIGITS and abs(near) >= float_info.min):
            return f"{near:.{digits}g}"
    except OverflowError:  # beyond 1.8e308
        pass
    return _full_decimal(Fraction(value), digits)  # Decimal has neither limits nor 53 bits


def p_text(p: float) -> str:
    """Return the text of a p-value, in tables and in sentences; the JSON has the value itself.

    It has three decimals, or as many as show on which side of 0.01, 0.05 or 0.1 it is.

    >>> p_text(0.01234), p_text(0.0499), p_text(0.05), p_text(0.0001)
    ('0.012', '0.0499', '0.050', '< 0.001')
    """
    if not p >= 0:
        return "none"
    if p < 0.001:
        return "< 0.001"
    told = f"{p:.3f}"
    is_hidden = told in _LEVELS and p != float(told)
    return decimal_text(p, 3) if is_in_full() else distinguishing_decimal(p, 3) if is_hidden else told


def p_in_words(p: float) -> str:
    """Return a p-value for a sentence: ``p = 0.012``, or ``p < 0.001``."""
    text = p_text(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def _full_decimal(value: Fraction | float, digits: int) -> str:
    """Return the shortest text of a float, or a rational with the given number of significant digits."""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return _plain(rounded_decimal(Fraction(value), digits), digits)


def _plain(found: Decimal, digits: int) -> str:
    return f"{found:f}" if -7 < found.adjusted() < digits else str(found).lower()


def distinguishing_decimal(value: Fraction | float, digits: int = 6) -> str:
    """Return ``decimal_text`` with enough digits to distinguish ``value`` from a nearby round number.

    Args:
        value: a number.
        digits: significant digits to start with.

    >>> decimal_text(Fraction(10**10 + 1, 10**10)), distinguishing_decimal(Fraction(10**10 + 1, 10**10))
    ('1', '1.0000000001')
    """
    exact = Fraction(value)
    for more in (digits, *(d for d in (12, 15, 17) if d > digits)):
        text = decimal_text(value, more)
        if Fraction(text) == exact or len(text.partition("e")[0].strip("-").replace(".", "").lstrip("0")) >= digits:
            return text
    for more in (25, 50) if isinstance(value, Fraction) else ():
        text = decimal_text(exact, more)
        if Fraction(text) != round(exact):
            return text
    return text


def decimals_apart(first: Fraction | float, second: Fraction | float, digits: int = 6) -> tuple[str, str]:
    """Return two numbers as decimals that differ in print if the numbers differ, for a sentence that compares them.

    Both have the same number of significant digits, as few as tell them apart. If 20 digits do not, the second text
    is the first decimal and the difference.

    Args:
        first, second: the numbers.
        digits: significant digits to start with.

    >>> decimals_apart(Fraction(9, 10), Fraction(9, 10) - Fraction(1, 2 * 10**12))
    ('0.9', '0.8999999999995')
    >>> decimals_apart(Fraction(9, 10), Fraction(9, 10) - Fraction(1, 2 * 10**30)), decimals_apart(0.25, 0.25)
    (('0.9', '0.9 - 5e-31'), ('0.25', '0.25'))
    """
    numbers = Fraction(first), Fraction(second)
    least = max(digits, _FLOAT_DIGITS) if is_in_full() else digits
    counts = range(least, _APART_DIGITS + 1)
    told = [(_significant(numbers[0], count), _significant(numbers[1], count)) for count in counts]
    if numbers[0] == numbers[1]:
        return told[0]
    apart = [texts for texts in told if texts[0] != texts[1]]
    if not apart:
        difference = numbers[1] - numbers[0]
        return told[0][0], f"{told[0][0]} {'+' if difference > 0 else '-'} {decimal_text(abs(difference), _GAP_DIGITS)}"
    return next((texts for texts in apart[:3] if tuple(map(Fraction, texts)) == numbers), apart[0])


def interval_of_digits(low: Fraction | float, high: Fraction | float, places: int | None) -> str:
    """Return an interval rounded to a decimal place; endpoints that differ are not printed as equal."""
    texts = rounded(low, places), rounded(high, places)
    return " to ".join(decimals_apart(low, high) if texts[0] == texts[1] != "" and low != high else texts)


def _significant(value: Fraction, digits: int) -> str:
    return _plain(rounded_decimal(value, digits), digits)


def both_texts(value: Exact | None, digits: int = 9) -> str:
    """Return the exact and the decimal value; a long exact number only as a decimal, marked as rounded by ``~``.

    The decimal has enough digits to distinguish the number from a nearby round number. ``None`` means infinite.

    Args:
        value: an exact number.
        digits: significant digits of the decimal.

    >>> from rropt.core.exact import Epsilon
    >>> both_texts(Fraction(15, 16)), both_texts(Fraction(1, 3)), both_texts(Epsilon.of("log(3)"))
    ('15/16 = 0.9375', '1/3 ~ 0.333333333', 'log(3) ~ 1.09861229')
    >>> both_texts(Fraction(10**30 + 1, 10**30)), both_texts(Fraction(2)), both_texts(None)
    ('~1.000000000000000000000000000001', '2', 'infinite')
    """
    if value is None:
        return "infinite"
    if isinstance(value, Fraction):
        exact, near, is_known = as_text(value), value, True
    else:
        exact = str(value)
        if exact == "inf":
            return exact
        near, is_known = value.near(_SPARE_DIGITS)
    decimal = distinguishing_decimal(near, digits)
    if exact == decimal or len(exact) <= _LONGEST or is_in_full():
        return with_decimal(exact, decimal, near if is_known else None)
    shown = distinguishing_decimal if is_known else decimal_text  # a level just below 1 is ~1
    return f"~{shown(near, max(digits, _LONG_DIGITS))}"


def with_decimal(exact: str, decimal: str, value: Fraction | None) -> str:
    """Return an exact number with its decimal, if they are two texts.

    Args:
        exact, decimal: the number as text, exact and rounded.
        value: the number, if it is rational.

    >>> with_decimal("7/3", "2.333", Fraction(7, 3)), with_decimal("1/4", "0.25", Fraction(1, 4))
    ('7/3 ~ 2.333', '1/4 = 0.25')
    """
    return exact if exact == decimal else f"{exact} {'=' if value == Fraction(decimal) else '~'} {decimal}"


def extended_text(value: Fraction | None, infinite: str = "inf") -> str:
    """Return the text of a rational, or ``infinite`` if the number is infinite (``None``)."""
    return infinite if value is None else as_text(value)


def decimal_outwards(value: Fraction, *, up: bool, digits: int = 15) -> str:
    """Round a number up (``up``) or down to a decimal, by less than one unit of its last digit.

    >>> decimal_outwards(Fraction(20), up=True), decimal_outwards(Fraction(10**30), up=True)
    ('20', '1e+30')
    """
    found = rounded_decimal(value, digits, ROUND_CEILING if up else ROUND_FLOOR)
    return f"{found:f}" if 0 <= found.adjusted() < digits else str(found).lower()


def agreed_decimal(lower: Fraction, upper: Fraction, digits: int = 6) -> str:
    """Return a number that is known to lie between two others, with the digits that are right.

    These are the digits to which both endpoints round alike: at most ``digits``, within ``in_full`` at most 17.

    >>> with in_full():
    ...     agreed_decimal(Fraction(2999999999, 10**9), Fraction(3000000003, 10**9))
    '3'
    """
    for count in range(max(digits, _FLOAT_DIGITS) if is_in_full() else digits, 0, -1):
        ends = {rounded_decimal(end, count) for end in (lower, upper)}
        if len(ends) == 1:
            return _plain(ends.pop(), count)
    return " to ".join(_plain(rounded_decimal(end, 1), 1) for end in (lower, upper))


def approximate_text(value: float, digits: int) -> str:
    """Return a float of which so many significant digits are right, and no more within ``in_full`` either.

    >>> with in_full():
    ...     approximate_text(0.012297455081875444, 4)
    '0.0123'
    """
    return f"{value:.{digits}g}"


def enclosure_text(lower: Fraction | None, upper: Fraction | None) -> str:
    """Return an enclosure of a number >= 1 as text, rounded outwards; ``None`` means an unknown bound."""
    low = "1" if lower is None else decimal_outwards(lower, up=False)
    high = "infinity" if upper is None else decimal_outwards(upper, up=True)
    return f"from {low} to {high}"


def bracket_text(lower: Fraction | None, upper: Fraction | None, *, minimising: bool) -> str:
    """Return a bracket for display, rounded outwards; the bound that the design attains comes first."""
    least = "no lower bound is known" if lower is None else f"at least {decimal_outwards(lower, up=False)}"
    most = "no upper bound is known" if upper is None else f"at most {decimal_outwards(upper, up=True)}"
    ends = f"{most}, {least}" if minimising else f"{least}, {most}"
    if lower is None or upper is None:
        return ends
    return f"{ends} (gap at most {decimal_outwards(upper - lower, up=True, digits=_GAP_DIGITS)})"
