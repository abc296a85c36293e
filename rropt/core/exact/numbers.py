"""Rational numbers: the accepted forms of a parameter, conversions, logarithms and square roots.

A number is an ``int``, a ``Fraction``, a ``Decimal``, a number of SymPy, NumPy or python-flint, or text such as
``"1/3"``, ``"0.1"``, ``"-2"``, ``"1e-9"``. A ``float`` is read as its shortest decimal: ``0.1`` is 1/10, not the
nearest binary fraction. Text is matched against a fixed grammar and never evaluated.

People also type a percentage (``"10%"``, ``"12,5 %"``, ``"1/3%"``) or a decimal comma (``"0,1"``). Three digits after a
comma could be thousands (``"1,000"``), so they are rejected unless the whole part is 0 (``"0,125"``). The items of a
list are separated by semicolons if there is one, else by commas: ``"0,1;0,9"``. For other texts the error message
suggests a form.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from operator import attrgetter
from typing import Any, SupportsFloat, TypeGuard

from rropt.core.errors import InvalidParameterError, shown, shown_with_type
from rropt.core.exact.display import decimal_text
from rropt.core.exact.real_numbers import RealNumber
from rropt.core.limits import MAX_PARAMETER_DIGITS

TYPED = 'an integer, a fraction such as "1/3", a decimal such as "0.1", or a percentage such as "10%"'
FORMS = f"{TYPED}; in Python also a Fraction, a SymPy rational or an fmpq"

# One number without digit groups: an integer, a fraction, or a decimal with an optional power of ten.
NUMBER = r"[+-]?(?:[0-9]+(?:/[0-9]+)?|(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][+-]?[0-9]{1,18})?)"
_PLAIN = re.compile(NUMBER)
_COMMA = re.compile(r"([+-]?[0-9]*),([0-9]+(?:[eE][+-]?[0-9]{1,18})?)")
_GROUPS = re.compile(r"([+-]?[0-9]{1,3})((?:[.,' _][0-9]{3})+)([.,][0-9]+)?")
_COMMA_LIST = re.compile(r"[0-9]+(?:,[0-9]+)+")

# characters that look like those of the grammar: minus, fraction slash, Arabic percent and decimal signs
_LOOKALIKES = str.maketrans({"\u2212": "-", "\u2044": "/", "\u066a": "%", "\u066b": ".", "\u066c": ",", "\u2019": "'"})
_LEAST_FLOAT, _LARGEST_FLOAT = 1e-30, 1e15
_FLOAT_DIGITS = 50  # enough for the numerator and the denominator of the shortest decimal of a float in this range


def rational(value: object, *, name: str = "number", digits: int = MAX_PARAMETER_DIGITS) -> Fraction:
    """Convert ``value`` to an exact ``Fraction``.

    Args:
        value: a number of Python, NumPy, SymPy, python-flint or rropt, or a text such as ``"1/3"``, ``"0.1"`` or
            ``"10%"``. A ``float`` is read as its shortest decimal.
        name: the name of the number in error messages.
        digits: the maximal number of digits of numerator and denominator.

    Raises:
        InvalidParameterError: the form is unknown, or the number is not finite or has too many digits.

    >>> rational(0.1), rational("1/3"), rational("25e-2")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 4))
    """
    if type(value) is float and digits >= _FLOAT_DIGITS and _LEAST_FLOAT < abs(value) < _LARGEST_FLOAT:
        return Fraction(Decimal(repr(value)))  # the first test, for speed: matrices may have a million floats
    if isinstance(value, Fraction):
        exact = value
    elif isinstance(value, str):
        exact = _from_text(value, name, digits)
    elif type(value) is not bool and isinstance(value, Rational):
        exact = Fraction(int(value.numerator), int(value.denominator))
    elif (isinstance(value, Decimal) or _is_float(value)) and math.isfinite(value):  # type: ignore[arg-type]
        exact = _from_text(str(value), name, digits)
    elif hasattr(value, "free_symbols"):  # a SymPy expression, recognized without importing SymPy
        exact = _of_sympy(value, name, digits)
    elif isinstance(value, RealNumber) and value.rational is not None:
        exact = value.rational
    elif is_of_flint(value):
        exact = Fraction(int(value.numerator), int(value.denominator))
    elif type(value).__name__ == "ndarray" and getattr(value, "shape", None) == ():  # a NumPy array of one number
        return rational(value[()], name=name, digits=digits)  # type: ignore[index]
    else:
        raise _wrong_form(value, name)
    largest = max(abs(exact.numerator), exact.denominator)
    length = largest.bit_length() * math.log10(2)
    if length > digits - 1 and (length > digits + 1 or largest >= 10**digits):  # the power is computed near the limit
        raise _too_long(f"about {math.ceil(length)} digits", name, digits)
    return exact


def _of_sympy(value: Any, name: str, digits: int) -> Fraction:
    """Convert a SymPy number: a rational one, or a float by its decimals."""
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))
    if value.is_Float and value.is_finite:
        return _from_text(str(value), name, digits)
    if value.is_number and value.is_finite and value.is_real:
        raise InvalidParameterError(
            f"{name} is irrational, or not written as a rational: received {shown(value)}; allowed are {FORMS}; "
            "simplify it, or round it towards the side that is safe"
        )
    raise _wrong_form(value, name)


def rational_where(
    value: object, holds: Callable[[Fraction], bool], allowed: str, *, name: str, digits: int = MAX_PARAMETER_DIGITS
) -> Fraction:
    """Convert ``value`` to an exact ``Fraction`` and check its range.

    Args:
        value: as for ``rational``.
        holds: a function that decides whether a number lies in the range.
        allowed: the range in words, for the error message.
        name: the name of the number in error messages.
        digits: as for ``rational``.

    Raises:
        InvalidParameterError: the form is unknown, or the number is out of range.

    >>> rational_where(0.1, lambda pi: 0 <= pi <= 1, "0 <= pi <= 1", name="prevalence")
    Fraction(1, 10)
    """
    exact = rational(value, name=name, digits=digits)
    if not holds(exact):
        meant = percent_hint(value, exact, holds)
        raise InvalidParameterError(f"{name} is out of range: received {shown(value)}; allowed is {allowed}{meant}")
    return exact


def scalar(value: Any, name: str) -> Any:
    """Return a number of a class with exact arithmetic as it is; convert a float, an integer or a text.

    Raises:
        InvalidParameterError: the value has no arithmetic.
    """
    if type(value) in (bool, int, float, str) or is_of_flint(value):
        return rational(value, name=name)
    try:
        value + 0  # a fraction, an exact real, or a symbol of a proof
    except TypeError:
        return rational(value, name=name)
    return value


def is_of_flint(value: object) -> TypeGuard[Any]:
    """Return whether a value is a rational number or an integer of python-flint, which is not imported here."""
    return type(value).__module__.startswith("flint.") and type(value).__name__ in ("fmpq", "fmpz")


def plain_integer(value: Any) -> Any:
    """Return an integer of any kind, such as one of NumPy, as ``int``; anything else, also a bool, as it is."""
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    return int(value.numerator) if is_of_flint(value) and value.denominator == 1 else value


def whole_where(value: object, least: int, most: int, *, name: str) -> int:
    """Return an integer after checking its type and its range.

    Raises:
        InvalidParameterError: the value is no integer, or it is out of range.
    """
    number = plain_integer(value)
    if type(number) is not int or not least <= number <= most:
        raise InvalidParameterError(
            f"{name} is out of range: received {shown(value)}; allowed is an integer from {least} to {most}"
        )
    return number


def percent_hint(value: object, exact: Fraction, holds: Callable[[Fraction], bool]) -> str:
    """Ask whether a number out of range was meant in percent; an empty text if that is not plausible.

    >>> percent_hint("5", Fraction(5), lambda x: 0 < x < 1), percent_hint("500", Fraction(500), lambda x: 0 < x < 1)
    ('; did you mean 5 %? write 5% or 0.05', '')
    >>> percent_hint("1", Fraction(1), lambda x: 0 < x < 1)  # a power or a confidence of 1 is 100 %
    ''
    >>> percent_hint("1.2", Fraction("1.2"), lambda x: 0 < x < 1)  # rather a wrong digit, such as 0.2 or 1/2
    ''
    """
    if str(value).rstrip().endswith("%") or not _LEAST_PERCENT <= exact <= 100 or not holds(exact / 100):
        return ""
    return f"; did you mean {decimal_text(exact)} %? write {decimal_text(exact)}% or {decimal_text(exact / 100)}"


_LEAST_PERCENT = 2  # a number just above 1 is a slip, no percentage
_MOST_COMMON = 30  # the largest common denominator that is tried for rounded decimals


def fraction_hint(values: Sequence[Fraction]) -> str:
    """Advise to write fractions, and suggest the fractions of which the values are probably rounded decimals.

    >>> fraction_hint([Fraction(667, 1000), Fraction(167, 1000), Fraction(167, 1000)])
    'write the probabilities as fractions, for example 2/3,1/6,1/6'
    >>> fraction_hint([Fraction(1, 2), Fraction(1, 3)])
    'write the probabilities as fractions whose sum is exactly 1'
    """
    plain = "write the probabilities as fractions"
    places = [next((n for n in range(1, 7) if (v * 10**n).denominator == 1), None) for v in values]
    if None not in places and 2 <= len(values) <= _MOST_COMMON:
        for below in range(2, _MOST_COMMON + 1):
            near = [Fraction(round(v * below), below) for v in values]
            close = zip(near, values, places, strict=True)
            if sum(near) == 1 and all(2 * abs(x - v) * 10 ** (n or 0) < 1 for x, v, n in close):
                return f"{plain}, for example {','.join(map(str, near))}"
    return f"{plain} whose sum is exactly 1"


def _from_text(text: str, name: str, digits: int) -> Fraction:
    """Parse a number from text; all text that is converted to a number passes through this function."""
    if len(text) > 2 * digits + 10:
        raise _too_long(shown(text), name, digits)
    stripped = text.strip()
    is_percent = False
    if not _PLAIN.fullmatch(stripped):
        found = read_number(stripped)
        if found is None:
            raise _wrong_form(text, name)
        stripped, is_percent = found
    mantissa, _, exponent = stripped.replace("E", "e").partition("e")
    if any(len(part) > digits + 2 for part in mantissa.split("/")) or (exponent and abs(int(exponent)) > digits):
        raise _too_long(shown(text), name, digits)
    denominator = mantissa.partition("/")[2]
    if denominator and not int(denominator):
        raise InvalidParameterError(f"{name} has denominator 0: received {shown(text)}; write a fraction such as 1/3")
    return Fraction(stripped) / (100 if is_percent else 1)


def _is_float(value: object) -> bool:
    if isinstance(value, float):
        return True
    # NumPy's float32 and float16 are not subclasses of float; their str() is their shortest decimal.
    return type(value).__module__ == "numpy" and type(value).__name__.startswith(("float", "longdouble"))


def _too_long(received: str, name: str, digits: int) -> InvalidParameterError:
    return InvalidParameterError(
        f"{name} is too long: received {received}; at most {digits} digits are allowed; round it"
    )


def _wrong_form(value: object, name: str) -> InvalidParameterError:
    allowed = f"{TYPED}{number_advice(value)}" if isinstance(value, str) else FORMS
    return InvalidParameterError(f"{name} is not a number: received {shown_with_type(value)}; allowed are {allowed}")


_NUMERATOR, _DENOMINATOR = attrgetter("_numerator"), attrgetter("_denominator")


def whole_numbers(values: Iterable[Fraction | int]) -> tuple[tuple[int, ...], int]:
    """Return fractions as integers over their least common denominator, and that denominator.

    >>> whole_numbers([Fraction(1, 2), Fraction(1, 3), 2])
    ((3, 2, 12), 6)
    """
    listed = list(values)
    try:  # programs have thousands of rows, and the method costs twice as much
        above, below = [*map(_NUMERATOR, listed)], [*map(_DENOMINATOR, listed)]
    except AttributeError:  # an integer
        above, below = map(list, zip(*(x.as_integer_ratio() for x in listed), strict=True))
    each = {*below}
    if each <= {1}:
        return tuple(above), 1
    denominator = math.lcm(*each)
    return tuple([p * (denominator // q) for p, q in zip(above, below, strict=True)]), denominator


def dot(left: Iterable[Fraction], right: Iterable[Fraction | int]) -> Fraction:
    """Return the dot product ``sum_i left_i right_i`` of two sequences of equal length."""
    return sum((x * y for x, y in zip(left, right, strict=True) if x), Fraction(0))


def float_rows(rows: Sequence[Sequence[Fraction]]) -> Iterator[list[float]]:
    """Yield rows as floats; an entry that many of them share, as one object, is converted once."""
    known: dict[int, float] = {}
    for row in rows:
        for value in row:
            if id(value) not in known:
                known[id(value)] = float(value)
        yield [known[id(value)] for value in row]


def perfect_power(q: Fraction) -> tuple[int, Fraction]:
    """Return (e, c) with q = c^e and e as large as possible, for a rational q > 1."""
    from flint import fmpz

    largest = max(q.numerator.bit_length(), q.denominator.bit_length())
    for e in range(largest, 1, -1):
        roots = [fmpz(part).root(e) for part in (q.numerator, q.denominator)]
        if roots[0] ** e == q.numerator and roots[1] ** e == q.denominator:
            return e, Fraction(int(roots[0]), int(roots[1]))
    return 1, q


def bits(q: Fraction) -> int:
    """Return the bit length of a rational: the larger one of its numerator and denominator."""
    return max(q.numerator.bit_length(), q.denominator.bit_length())


def log10(q: Fraction) -> float:
    """Return log10 of a positive rational, which may be too large or too small for a float."""
    return (log2_integer(q.numerator) - log2_integer(q.denominator)) * math.log10(2)


def log2_integer(n: int) -> float:
    """Return the binary logarithm of an integer of any size."""
    shift = max(0, n.bit_length() - 64)
    return math.log2(n >> shift) + shift


def natural_log(q: Fraction) -> float:
    """Return the natural logarithm of a rational > 0, without cancellation for q near 1."""
    if abs(q - 1) < Fraction(1, 2):
        return math.log1p(float(q - 1))
    if bits(q) < 1000:  # q is in the range of floats
        return math.log(float(q))
    return log10(q) * math.log(10)


_BEYOND_FLOATS = (
    "an estimate, a margin or a standard error is beyond 1e308: received a mechanism whose outputs hardly depend "
    "on the truth; they estimate nothing: use another mechanism"
)
_BITS = 128  # bits of the integer square root that is rounded to a float


def square_root(value: Fraction) -> float:
    """Return the square root of a rational >= 0 as a float; the rational itself may be out of the range of floats.

    Raises:
        InvalidParameterError: the root exceeds 1.8e308.

    >>> square_root(Fraction(1, 4)), square_root(Fraction(2))
    (0.5, 1.4142135623730951)
    """
    size = value.numerator.bit_length() - value.denominator.bit_length()
    shift = _BITS - size // 2
    try:
        above, below = value.numerator << max(0, 2 * shift), value.denominator << max(0, -2 * shift)
        return math.ldexp(math.isqrt(above // below), -shift)
    except OverflowError:
        raise InvalidParameterError(_BEYOND_FLOATS) from None


def nearest_float(value: SupportsFloat) -> float | None:
    """Return a number as the nearest float; ``None`` if it exceeds 1.8e308."""
    try:
        return float(value)
    except OverflowError:
        return None


def finite_float(value: Fraction) -> float:
    """Return a rational as the nearest float.

    Raises:
        InvalidParameterError: it exceeds 1.8e308.
    """
    if (near := nearest_float(value)) is None:
        raise InvalidParameterError(_BEYOND_FLOATS)
    return near


def root_below(value: Fraction, digits: int) -> Fraction:
    """Return the largest multiple of ``10^-digits`` that is at most the square root of ``value >= 0``."""
    scale = 10**digits
    return Fraction(math.isqrt(value.numerator * scale * scale // value.denominator), scale)


def root_above(value: Fraction, digits: int) -> Fraction:
    """Return the smallest multiple of ``10^-digits`` that is at least the square root of ``value >= 0``."""
    below = root_below(value, digits)
    return below if below * below == value else below + Fraction(1, 10**digits)


# A confidence, a significance or a power must have this distance from 0 and 1. No survey needs more extreme values, and
# for tails of 10^-400 the required ball arithmetic takes minutes.
_LEAST_RISK = Fraction(1, 10**50)


def exact_confidence(confidence: object, name: str = "confidence") -> Fraction:
    """Convert a confidence (or a significance, or a power) to an exact number in [10^-50, 1 - 10^-50].

    Args:
        confidence: a number or its text.
        name: the argument, as the message calls it.

    Raises:
        InvalidParameterError: the value is not a number, or it is out of range.
    """
    allowed = f"0 < {name} < 1, at least 1e-50 from both endpoints, for example 0.95"
    return rational_where(confidence, lambda x: _LEAST_RISK <= x <= 1 - _LEAST_RISK, allowed, name=name)


def read_number(text: str) -> tuple[str, bool] | None:
    """Convert a text without surrounding blanks to the plain grammar, and return whether it is a percentage.

    Returns ``None`` if the text is not a number, or if it can be read in more than one way.

    >>> read_number("12,5 %"), read_number("0,125"), read_number("1,000")
    (('12.5', True), ('0.125', False), None)
    """
    is_percent = text.endswith("%")
    body = text[:-1].rstrip() if is_percent else text
    if _PLAIN.fullmatch(body):
        return body, is_percent
    match = _COMMA.fullmatch(body)
    if match is None:
        return None
    whole, decimals = match.groups()
    if len(decimals) == 3 and whole.lstrip("+-0"):
        return None
    return f"{whole}.{decimals}", is_percent


def number_advice(text: str) -> str:
    """Suggest how to write an unreadable number, as the end of an error message; empty if there is no suggestion.

    >>> number_advice("1,000"), number_advice("1.000,5"), number_advice("0,1,0,9")
    ('; write 1000, or 1.000', '; write 1000.5', '; several numbers with decimal commas are written 0,1;0,9')
    """
    plain = " ".join(unicodedata.normalize("NFKC", text[:200].translate(_LOOKALIKES)).translate(_LOOKALIKES).split())
    plain = "".join(str(unicodedata.digit(sign, sign)) for sign in plain)
    ending = "%" if plain.endswith("%") else ""
    body = plain.removesuffix("%").strip()
    groups = _GROUPS.fullmatch(body)
    if groups is not None and len({sign for sign in groups[2] if not sign.isdigit()}) == 1:
        whole = groups[1] + re.sub(r"\D", "", groups[2])
        if groups[3] is None and groups[2].count(",") == 1:
            return f"; write {whole}{ending}, or {body.replace(',', '.')}{ending}"
        if groups[3] is None or groups[3][0] != groups[2][0]:
            return f"; write {whole}{(groups[3] or '').replace(',', '.')}{ending}"
    listed = without_decimal_commas(body)
    if listed is not None:
        return f"; several numbers with decimal commas are written {listed}"
    found = read_number(plain)
    if found is None or plain == text.strip():
        return ""
    return f"; write {found[0]}{'%' if found[1] else ''}"


def without_decimal_commas(text: str) -> str | None:
    """Rewrite a comma-separated list of numbers with decimal commas in the accepted form.

    Returns ``None`` if the text does not look like such a list: pairs of digit groups, of which at least one begins
    with 0.

    >>> without_decimal_commas("0,1,0,9"), without_decimal_commas("0,5"), without_decimal_commas("1,2,5,10")
    ('0,1;0,9', '0.5', None)
    """
    items = text.split(",")
    if not _COMMA_LIST.fullmatch(text) or len(items) % 2 or "0" not in items[::2]:
        return None
    if len(items) == 2:
        return text.replace(",", ".")
    return ";".join(f"{whole},{decimals}" for whole, decimals in zip(items[::2], items[1::2], strict=True))


def decimal_comma_hint(words: Sequence[str], message: str) -> str:
    """Return a hint for an error message if it rejects words that look like numbers with decimal commas; else "".

    In the name of a design with parameters, such as ``warner:0,75``, only the parameters are examined.

    >>> decimal_comma_hint(["privacy", "warner:0,75"], "warner takes 1 parameter: received 2")
    " ('0,75' with decimal commas is '0.75')"
    >>> decimal_comma_hint(["sum:0,100"], "value 1 is not a multiple of the step: received '3.25'")
    ''
    """
    lists = {word.rpartition(":")[2]: word for word in words}
    meant = [
        (typed, text)
        for typed, word in lists.items()
        if (text := without_decimal_commas(typed)) and _rejects_list(message, typed, word, words)
    ]
    texts = [f"{shown(typed)} with decimal commas is {shown(text)}" for typed, text in meant]
    return f" ({'; '.join(texts)})" if texts else ""


def _rejects_list(message: str, typed: str, word: str, words: Sequence[str]) -> bool:
    """Return whether a message rejects a list of digits: its text, an entry, the sum, or the number of entries."""
    device = re.search(r"(\S+) takes [0-9]", message)
    if device is not None:  # the number of parameters of a device
        return f"{device[1]}:" in word
    entries = typed.split(",")
    total = f"the sum {sum(map(int, entries))}"
    received = {typed, ", ".join(entries), str(len(entries)), total, *entries} - {one for one in words if one != typed}
    forms = "|".join(sorted(map(re.escape, received), key=len, reverse=True))
    return (
        re.search(
            rf"(?:received|has(?= [0-9]+ (?:entries|parts))) '?(?:[^' ]*:)?(?:{forms})(?!\w|[.,/*]\w|, [0-9]| of )",
            message,
        )
        is not None
    )


def split_list(text: str) -> list[str]:
    """Split a list at its semicolons, or at its commas if it has no semicolon, and strip the items.

    Args:
        text: numbers with commas or semicolons between them; a decimal comma asks for semicolons.

    >>> split_list("1/2, 1/3"), split_list("0,5; 0,25")
    (['1/2', '1/3'], ['0,5', '0,25'])
    """
    return [item.strip() for item in text.split(";" if ";" in text else ",")]
