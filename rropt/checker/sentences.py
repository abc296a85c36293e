"""The sentence of an accepted file: what its claim says about its problem, from the table ``sentences.json``.

The table is data, which the checker in JavaScript shares. It maps a name to a text, or to a choice of texts. In a text
``{a.b}`` prints a value (``{.}`` the value itself), ``{a:name}`` prints it by another entry of the table, and
``{a*name|separator}`` prints each member of a list so. A choice is made by the ``kind`` of an object if it has one,
else by the first key of the choice that the object has (``a = b``: if these two are equal); by ``empty``, ``list``,
``null``, ``true`` and ``false``; and for a text by the text itself, else by ``number``. Every value of problem and
claim is printed, or there is no sentence.

Long values are printed by their size and the SHA-256 of their JSON text (without blanks, keys in order).
"""

import hashlib
import json
import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from .documents import integer

_FIELD = re.compile(r"\{([\w.-]+)(?:([:*])([\w-]+)(?:\|([^}]*))?)?\}")
_LONGEST = 60  # characters of a number that is printed as it stands
_WIDEST = 240  # characters of a list or an expression
_FIRST = 3  # members of a longer list
_DIGITS = 15
_OPERATIONS = ("sum", "product", "quotient", "power", "negative", "sqrt", "exp", "log", "minimum", "maximum")
_SUM, _PRODUCT, _ATOM = 1, 2, 3  # how tightly an operation binds

Path_ = tuple[Any, ...]


class UnstatedError(ValueError):
    """A file whose problem or claim has a part without words."""


@cache
def _table() -> Any:
    return json.loads(Path(__file__).with_name("sentences.json").read_text("utf-8"))


def sentence(document: Any, *, full: bool = False) -> str:
    """Return the sentence of an accepted file.

    Args:
        document: the parsed file, which the checker accepts.
        full: whether long values are printed in full.

    Raises:
        UnstatedError: the table has no words for a kind, or a value of problem or claim is not printed.
    """
    parts = {"problem": document["problem"], "claim": document["claim"]}
    text = _table()["statement"].get(document["statement"])
    if text is None:
        raise UnstatedError(f"a statement without words: {document['statement']!r}")
    printed: set[Path_] = set()
    made = _Printer(printed, full).text(text, parts, ())
    _require_all_printed(parts, (), printed)
    return made


def _require_all_printed(value: Any, path: Path_, printed: set[Path_]) -> None:
    if path in printed:
        return
    parts = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    if (not isinstance(value, dict) and not value) or isinstance(value, (str, bool)):
        raise UnstatedError(f"a value that the sentence does not print: {'.'.join(map(str, path))}")
    for key, part in parts:
        _require_all_printed(part, (*path, key), printed)


class _Printer:
    """Prints values by the table, and records the paths that it prints."""

    def __init__(self, printed: set[Path_], full: bool) -> None:
        self.printed, self.full = printed, full

    def text(self, text: str, value: Any, path: Path_) -> str:
        """Return a text of the table with its fields printed."""

        def field(match: re.Match[str]) -> str:
            names, how, entry, separator = match.groups()
            at, part = path, value
            for name in names.split(".") if names != "." else ():
                if not isinstance(part, dict) or name not in part:
                    raise UnstatedError(f"a part that is not there: {names!r}")
                at, part = (*at, name), part[name]
            if how == ":":
                return self.by(entry, part, at)
            if how == "*":
                return self.members(entry, separator, part, at)
            self.printed.add(at)
            return plain(part, full=self.full)

        return _FIELD.sub(field, text)

    def by(self, name: str, value: Any, path: Path_) -> str:
        """Return a value, printed by an entry of the table."""
        entry = _table()[name]
        if isinstance(entry, str):
            return self.text(entry, value, path)
        return self.text(entry[self.choice(name, entry, value, path)], value, path)

    def choice(self, name: str, entry: Any, value: Any, path: Path_) -> str:
        """Return the key of a choice that fits a value."""
        if isinstance(value, dict) and "kind" in value:
            self.printed.add((*path, "kind"))
            found = [value["kind"]]
        elif isinstance(value, dict):
            found = [key for key in entry if self.has_equal(key.split(" = "), value, path)]
        elif isinstance(value, str):
            found = [value, "number"]
        elif isinstance(value, list):
            found = ["list"] if value else ["empty", "list"]
        else:
            found = [json.dumps(value)]
        for key in found:
            if isinstance(key, str) and key in entry:
                if not isinstance(value, (dict, list)) and key != "number":
                    self.printed.add(path)
                if value == []:
                    self.printed.add(path)
                return key
        raise UnstatedError(f"a kind without words: {name}, {plain(value, full=False)}")

    def has_equal(self, names: list[str], value: Any, path: Path_) -> bool:
        """Return whether an object has these keys with equal values; what prints one of several prints all of them."""
        fits = all(name in value and value[name] == value[names[0]] for name in names)
        if fits and len(names) > 1:
            self.printed.update((*path, name) for name in names)
        return fits

    def members(self, name: str, separator: str, value: Any, path: Path_) -> str:
        """Return the members of a list; of a long one the first, their number and a hash."""
        if not isinstance(value, list):
            raise UnstatedError(f"no list: {plain(value, full=False)}")
        if not value:
            self.printed.add(path)
        listed = [self.by(name, part, (*path, i)) for i, part in enumerate(value)]
        text = separator.join(listed)
        if self.full or len(text) <= _WIDEST or len(listed) <= _FIRST:
            return text
        return f"{separator.join(listed[:_FIRST])}{separator}... ({len(listed)} in all, {_hashed(value)})"


def plain(value: Any, *, full: bool) -> str:
    """Return a number, a list, an expression or another value without words of its own as text."""
    text = _written(value)
    if full or len(text) <= (_LONGEST if isinstance(value, str) else _WIDEST):
        return text
    if isinstance(value, str):
        return f"about {_decimal(value)} ({_hashed(value)})"
    if isinstance(value, list) and isinstance(value[0], list):
        return f"of {len(value)} rows and {len(value[0])} columns ({_hashed(value)})"
    what = f"of {len(value)} entries" if isinstance(value, list) else f"of {len(text)} characters"
    return f"{what} ({_hashed(value)})"


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if not isinstance(value, dict):
        return {None: "none", True: "yes", False: "no"}[value]
    if "kind" in value:
        raise UnstatedError(f"a kind without words: {value['kind']!r}")
    ((key, parts), *more) = sorted(value.items())
    if not more and key in _OPERATIONS:
        return _expression(value)[0]
    if not more and key == "matrix":
        return _written(parts)
    return ", ".join(f"{name}: {_written(part)}" for name, part in sorted(value.items()))


def _expression(value: Any) -> tuple[str, int]:
    """Return an expression as mathematics, and how tightly its last operation binds."""
    if isinstance(value, str):
        return value, _SUM if value.startswith("-") else _PRODUCT if "/" in value else _ATOM
    if not isinstance(value, dict) or not {*value} <= {*_OPERATIONS}:  # a factor of a product that is a matrix
        return _written(value), _ATOM
    ((key, parts),) = value.items()
    if key == "negative":
        return f"-{_within(parts, _PRODUCT)}", _SUM
    if key == "sum":
        first, *others = [_expression(part)[0] for part in parts]
        signed = (f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)
        return "".join([first, *signed]), _SUM
    if key == "product":
        return " * ".join(_within(part, _PRODUCT) for part in parts), _PRODUCT
    if key in ("quotient", "power"):
        return ("/" if key == "quotient" else "^").join(_within(part, _ATOM) for part in parts), _PRODUCT
    return (
        f"{key}({', '.join(_expression(part)[0] for part in (parts if isinstance(parts, list) else [parts]))})",
        _ATOM,
    )


def _within(value: Any, least: int) -> str:
    """Return an expression as a part of another one: in brackets unless it binds at least as tightly."""
    text, binds = _expression(value)
    return text if binds >= least else f"({text})"


def _hashed(value: Any) -> str:
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    return f"SHA-256 {hashlib.sha256(text.encode()).hexdigest()}"


def _decimal(text: str) -> str:
    """Return the first digits of a number, cut off."""
    above, _, below = text.lstrip("-").partition("/")
    n, d = integer(above), integer(below or "1")
    power = len(above) - len(below or "1")
    power -= n < d * 10**power if power >= 0 else n * 10**-power < d
    shift = _DIGITS - 1 - power
    digits = str(n * 10**shift // d if shift >= 0 else n // (d * 10**-shift))
    mantissa = f"{digits[0]}.{digits[1:]}"
    return f"{'-' * text.startswith('-')}{mantissa}{f'e{power}' if power else ''}"


def power_of_ten(number: Fraction, most: int) -> str:
    """Return the smallest power of ten that is >= a positive number, at least 10^-most, as text: 1, 1e3 or 1e-6."""
    power = 0
    if number > 1:
        whole = -(-number.numerator // number.denominator) - 1  # 10^e >= number iff 10^e > whole
        # log10 of 2; converting so long an integer to text would be slow
        power = max(int(whole.bit_length() * 0.30103) - 2, 1)
        while 10**power <= whole:
            power += 1
    else:
        while power > -most and number * 10 ** (1 - power) <= 1:
            power -= 1
    return f"1e{power}" if power else "1"
