"""Strict reading of one JSON object with exactly the keys of the format and canonical numbers; and the work budget.

The budget is the amount of work that may still be done for a certificate. Every operation is charged before it is done.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, NoReturn

from .limits import (
    LARGE_PATTERN_INPUTS,
    LARGE_RAYS,
    LARGE_WORK,
    MAX_BUNDLE_WORK,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LIST,
    MAX_PATTERN_INPUTS,
    MAX_RAYS,
    MAX_TOKENS,
    MAX_WORK,
)

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
_CHUNK = 600  # digits of an integer that Python reads and writes whatever limit a process sets: the least one is 640
_WHOLE_DIGITS = 20  # of a size, a count or an index: every limit on one is shorter
_NUMBER = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
# possessive quantifiers, and an unterminated string is matched whole: linear time for every text
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_PAIR = re.compile(rb"\[\]|\{\}")
_TOKENS = (b'"', b",", b"[", b"{", b"\\")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


class Rejected(Exception):
    """The reason of a rejection: the first failure, in one line."""


def parse(data: bytes) -> Any:
    """Parse UTF-8 bytes as JSON; reject bare numbers, duplicate keys, and text that is too long or nested deeply."""
    if len(data) > MAX_BYTES:
        raise Rejected(f"the file has more than {MAX_BYTES} bytes")
    if sum(map(data.count, _TOKENS)) > MAX_TOKENS:
        raise Rejected(f"the file has more than {MAX_TOKENS} quotes, commas, brackets and backslashes")
    _require_shallow(data)
    try:
        text = data.decode("utf-8")
        return json.loads(
            text,
            parse_int=_bare,
            parse_float=_bare,
            parse_constant=_bare,
            object_pairs_hook=_without_duplicates,
        )
    except UnicodeDecodeError:
        raise Rejected("the file is not UTF-8") from None
    except (json.JSONDecodeError, RecursionError) as error:
        raise Rejected(f"the file is not JSON: {error}") from None


def _require_shallow(data: bytes) -> None:
    """Reject nesting deeper than MAX_DEPTH: each pass deletes the innermost pairs of brackets outside strings."""
    outside = _STRING.sub(b"", data) if b"\\" in data else b"".join(data.split(b'"')[::2])
    brackets = outside.translate(None, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        fewer = _PAIR.sub(b"", brackets)
        if len(fewer) == len(brackets):
            break
        brackets = fewer
    if brackets:
        raise Rejected(f"brackets do not match or are nested deeper than {MAX_DEPTH}")


def _bare(token: str) -> NoReturn:
    raise Rejected(f"a bare number stands in the file: {token[:40]}; numbers are strings")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise Rejected("a key stands twice in one object")
    return data


def fields(data: Any, names: Iterable[str], where: str) -> list[Any]:
    """Return the values of an object with exactly these keys, in this order."""
    wanted = list(names)
    if not isinstance(data, dict):
        raise Rejected(f"{where} is not an object")
    if len(data) == len(wanted) and all(map(data.__contains__, wanted)):
        return [data[name] for name in wanted]
    missing, unknown = sorted(set(wanted) - set(data)), sorted(set(data) - set(wanted))
    raise Rejected(f"{where}: missing keys {missing}, unknown keys {[key[:40] for key in unknown[:4]]}")


def of_kind(data: Any, kind: str, names: Iterable[str], where: str) -> list[Any]:
    """Return the values of an object of this kind that has exactly these further keys."""
    found, *values = fields(data, ["kind", *names], where)
    if found != kind:
        raise Rejected(f"{where} is not of kind {kind}")
    return values


def items(data: Any, where: str, *, count: int | None = None, most: int = MAX_LIST) -> list[Any]:
    """Return an array; reject unless it has ``count`` entries (or at most ``most``)."""
    if not isinstance(data, list):
        raise Rejected(f"{where} is not an array")
    if len(data) > most if count is None else len(data) != count:
        raise Rejected(f"{where} has {len(data)} entries")
    return data


def fraction(text: Any, where: str, digits: int = MAX_DIGITS) -> Fraction:
    """Return the rational of a canonical string: ``-?digits`` or ``-?digits/digits`` in lowest terms."""
    if not isinstance(text, str):
        raise Rejected(f"{where} is not a number in a string")
    if len(text) > 2 * digits + 2:
        raise Rejected(f"{where} has more than {digits} digits")
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise Rejected(f"{where} is not a canonical fraction: {text[:40]!r}")
    sign, above, below = match.groups()
    if max(len(above), len(below or "")) > digits:
        raise Rejected(f"{where} has more than {digits} digits")
    numerator = -integer(above) if sign else integer(above)
    denominator = integer(below) if below else 1
    value = Fraction(numerator, denominator)
    if (sign and not value) or below == "1" or value.denominator != denominator:
        raise Rejected(f"{where} is not in lowest terms: {text[:40]!r}")
    return value


def integer(digits: str) -> int:
    """Return the integer that a text of digits denotes.

    Long texts are read by halves. So Python's limit on the digits of an integer, which is one for all threads of a
    process, neither stops the checker nor is changed by it.

    >>> integer("9" * 20_000) + 1 == 10**20_000
    True
    """
    if len(digits) <= _CHUNK:
        return int(digits)
    low = len(digits) // 2
    power: int = 10**low
    return integer(digits[:-low]) * power + integer(digits[-low:])


def digits_of(number: int) -> str:
    """Return the digits of an integer >= 0, written by halves for the same reason.

    >>> digits_of(10**20_000 - 1) == "9" * 20_000
    True
    """
    if number.bit_length() <= 3 * _CHUNK:
        return str(number)
    low = number.bit_length() * 30103 // 200000  # log10 of 2 is above 0.30103: at most half of the digits
    above, below = divmod(number, 10**low)
    return digits_of(above) + digits_of(below).zfill(low)


def text_of(number: Fraction) -> str:
    """Return the canonical text of a number."""
    above, below = (digits_of(abs(part)) for part in number.as_integer_ratio())
    return f"{'-' * (number < 0)}{above}{f'/{below}' * (below != '1')}"


def whole(text: Any, where: str, most: int, least: int = 0) -> int:
    """Return the integer of a canonical string; reject it unless it is from ``least`` to ``most``."""
    value = fraction(text, where, _WHOLE_DIGITS)
    if value.denominator != 1 or not least <= value <= most:
        raise Rejected(f"{where} is not an integer from {least} to {most}")
    return value.numerator


def bits_of(number: Fraction) -> int:
    """Return the bit length of the longer of the numerator and the denominator."""
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def key_of(*numbers: Fraction) -> str:
    """Return numbers as a text to be used as a key: numbers with colliding hashes are easy to construct."""
    return ",".join(f"{n:x}" for number in numbers for n in number.as_integer_ratio())


_WORD = 512  # bits up to which an operation costs one unit
_WORD_CHARACTERS = 308  # characters of a fraction whose numerator and denominator have that many bits
_BULK = 32  # products in a plain loop over integers that cost as much as one other operation
_BULK_WORD = 256  # bits up to which such a product has its basic cost


BUDGETS = ("default", "large")
_budget = ContextVar("budget", default="default")
_shared: "ContextVar[list[WorkBudget] | None]" = ContextVar("shared", default=None)


@contextmanager
def allowed_budget(name: str) -> Iterator[None]:
    """Set the work budget of certificates while the context lasts.

    Args:
        name: ``default``, or ``large`` (FORMAT.md, part A).

    Raises:
        ValueError: the name is another one.
    """
    if name not in BUDGETS:
        raise ValueError(f"the budget is unknown: received {name!r}; allowed are {', '.join(BUDGETS)}")
    token = _budget.set(name)
    try:
        yield
    finally:
        _budget.reset(token)


@contextmanager
def shared_budget() -> Iterator[None]:
    """Let the certificates of a bundle share ``MAX_BUNDLE_WORK`` units while the context lasts."""
    token = _shared.set([])
    try:
        yield
    finally:
        _shared.reset(token)


def is_large_budget() -> bool:
    """Return whether the large budget is allowed."""
    return _budget.get() == "large"


class WorkBudget:
    """The work left for a certificate, in units: one operation on short numbers, at most 2 microseconds on a processor
    of 2024.
    """

    given: int  # the work at the beginning

    def __init__(self, work: int | None = None) -> None:
        large = is_large_budget()
        self.left = (LARGE_WORK if large else MAX_WORK) if work is None else work
        if (others := _shared.get()) is not None:
            self.left = min(self.left, MAX_BUNDLE_WORK - sum(other.given - other.left for other in others))
            others.append(self)
        self.given = self.left
        self.rays = LARGE_RAYS if large else MAX_RAYS
        self.inputs = LARGE_PATTERN_INPUTS if large else MAX_PATTERN_INPUTS

    def spend(self, count: int, bits: int = 0, other_bits: int = 0) -> None:
        """Charge ``count`` operations on two numbers of these bit lengths; reject if the budget is exhausted."""
        self.left -= count * (1 + bits // _WORD) * (1 + other_bits // _WORD)
        if self.left < 0:
            raise Rejected("the certificate needs more work than the checker does")

    def spend_in_bulk(self, count: int, bits: int, other_bits: int) -> None:
        """Charge a plain loop of ``count`` products of two integers of these bit lengths, or reject."""
        self.spend(-(-count * (1 + bits // _BULK_WORD) * (1 + other_bits // _BULK_WORD) // _BULK))

    def number(self, text: Any, where: str, digits: int = MAX_DIGITS) -> Fraction:
        """Read a number; reducing it to lowest terms costs the square of its length."""
        length = len(text) // _WORD_CHARACTERS * _WORD if isinstance(text, str) else 0
        self.spend(1, length, length)
        return fraction(text, where, digits)
