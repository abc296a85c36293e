"""What tables of any width must keep: every number whole, no line too long, nothing lost and nothing invented."""

from __future__ import annotations

import re

# A number as it is printed, with its sign, its power of ten and the denominator of a fraction.
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:[./]\d+)*(?:e[+-]?\d+)?(?![\w]*\.\d)")
_BLOCK = re.compile(r"^ columns? \d+(?: to \d+)?$", re.MULTILINE)  # above columns of a matrix that do not fit


def numbers(text: str) -> set[str]:
    """Return the numbers of a text."""
    return set(NUMBER.findall(_BLOCK.sub("", text)))


def require_whole(narrow: str, wide: str, width: int) -> int:
    """Require that a narrow text has the numbers of the wide one, whole, in lines that fit; return their number."""
    assert numbers(narrow) == numbers(wide), (width, numbers(narrow) ^ numbers(wide))
    assert "\u2026" not in narrow
    assert narrow.count("...") <= wide.count("...") * max(1, len(numbers(wide)))
    assert set(narrow.split()) - set(wide.split()) <= set(re.findall(r"\S+", _rules(narrow))), width
    for line in narrow.splitlines():
        assert len(line) <= width or " " not in line.strip(), (width, line)
    return len(numbers(narrow))


def _rules(text: str) -> str:
    """Return what a narrow text may add: rules below headers, colons after what a row is about, blocks of columns."""
    return " ".join(re.findall(r"^-[- ]*$|^\S.*:(?= )|\bcolumns? \d+(?: to \d+)?$", text, re.MULTILINE))
