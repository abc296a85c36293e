"""Codes of responses: the integers that represent the distinct values of a column, the same for all engines.

A response has a code in 0..m-1. Missing responses have the code -1, and invalid ones the code -2. The text of a
response is the name of a category, or a number. If a response is a subset of the categories, its text has several names
or numbers, separated by ``BETWEEN``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.exact.display import possible_texts
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import label_form, normal, normal_caseless, text_of
from rropt.mechanisms.mechanism import BETWEEN
from rropt.mechanisms.subsets import Subsets

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING, INVALID = -1, -2
_LARGEST = (1 << 22) - 1  # the largest code of a response that is written as a number
_NUMBER = re.compile("0|[1-9][0-9]{0,6}")
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST = 60  # characters of a number
_TRUTH = {"false": "0", "true": "1"}  # as pandas and R write truth values

# Texts for a missing response, in any case, and in no other column (``missing``). An empty cell is missing everywhere.
# The interviewer's sheet says to write "refused", or the German "verweigert".
NO_ANSWER = ("", "na", "nan", "none", "null", "refused", "verweigert", ".")
# What R, pandas, SQL and SAS write for a missing number: among numbers it is a missing value.
OF_NUMBERS = ("NA", "na", "NaN", "nan", "NULL", "null", ".")
# Labels of values that are no numbers, in files whose columns are read without their labels. "None" and the German
# "null" stand for the number 0 there.
_NO_NUMBER = (
    *(text for text in NO_ANSWER if text not in ("", "none", "null")),
    *("n/a", "dk", "missing", "refusal", "refused to answer", "no answer", "no response", "not answered"),
    *("don't know", "dont know", "do not know", "not available", "not applicable", "not asked", "inapplicable"),
    *("keine angabe", "k.a", "weiß nicht", "weiss nicht", "trifft nicht zu", "antwort verweigert"),
)


def is_no_number(label: str) -> bool:
    """Return whether the label of a value says that there is no number: ``Don't know``, ``Refusal*``, ``DK/NA``.

    >>> [is_no_number(label) for label in ("Don\u2019t know / Refused", "N/A", "None", "90 or older")]
    [True, True, False, False]
    """
    text = " ".join(normal_caseless(label).replace("\u2019", "'").split())
    parts = [part.strip(" *().-") or part for part in (text, *re.split(r"/| or |,", text))]
    return parts[0] in _NO_NUMBER or all(part in _NO_NUMBER for part in parts[1:])


def codes_of_values(values: Any, known: Mapping[Any, int]) -> NDArray[np.int64]:
    """Return the codes of the values of a column, such as those of ``Codes``."""
    listed = values.tolist()
    return np.fromiter(map(known.__getitem__, listed), np.int64, len(listed))


class Codes(dict[Any, int]):
    """The codes of responses, by the values in a table; a code is assigned when a value first occurs.

    Responses that are subsets are numbered in the order in which they occur.

    Args:
        categories: the names of the responses, in order; ``None``: they are the numbers 0, 1, ...
        missing: the texts for a missing response; ``None``: ``NO_ANSWER`` in any case.
        subsets: the subsets that the mechanism can output, if a response is one of them.
        more: texts for a missing response in addition.
        ignore_case: whether responses that differ only in case are the same.
        are_numbers: whether the names are numbers, which may be written in any form, such as 2.50 for 2.5.
        bits: the length k of the bit vectors that are responses, such as 0101; 0: responses are no bit vectors.
        grid: ascending numbers in place of the names; a number between two of them has the code of the smaller one.
    """

    def __init__(
        self,
        categories: Sequence[str] | None,
        missing: Sequence[str] | None,
        subsets: Subsets | None = None,
        *,
        more: Sequence[str] = (),
        ignore_case: bool = False,
        are_numbers: bool = False,
        bits: int = 0,
        grid: Sequence[Fraction] = (),
    ) -> None:
        super().__init__()
        self.grid = grid
        self._are_numbers, self._bits = are_numbers, bits
        self._fold: Callable[[str], str] = normal_caseless if ignore_case else normal
        self.met: dict[tuple[int, ...], int] = {}  # the codes of the subsets that have occurred
        self._subsets = subsets
        self._names = None if categories is None else {self._form(name): code for code, name in enumerate(categories)}
        truths = {name.strip().casefold(): code for code, name in enumerate(categories or ())}
        self._truths = {number: truths[word] for word, number in _TRUTH.items() if {*_TRUTH} <= {*truths}}
        self._gaps = None if missing is None else {"", *map(self._form, missing)}
        self._more = set(map(self._form, more))

    def __missing__(self, value: object) -> int:
        text = self._form(text_of(value))
        self[value] = code = self._code(text)
        if code == INVALID:  # true is 1, unless it is a name
            self[value] = code = self._code(_TRUTH.get(text.lower(), text))
        if code == INVALID:  # a column of truth values has the numbers 0 and 1, and names false and true are meant
            self[value] = code = self._truths.get(text, INVALID)
        if code == INVALID and self._are_numbers and len(text) <= _LONGEST and _DECIMAL.fullmatch(text):
            number = Fraction(text)
            codes = (self._code(text) for text in possible_texts(number, self._names or ()))
            code = next((code for code in codes if code != INVALID), INVALID)
            if code == INVALID and self.grid and self.grid[0] <= number <= self.grid[-1]:
                code = bisect_right(self.grid, number) - 1
            self[value] = code
        return code

    def number(self, value: object) -> Fraction:
        """Return the number of a value that has a code on the grid."""
        text = self._form(text_of(value))
        return Fraction(_TRUTH.get(text.lower(), text))

    def _form(self, text: str) -> str:
        """Return the form in which a response is compared; that of 1.0 is 1, and 1.00 is no code."""
        text = text.strip()
        return self._fold(text if text.endswith("00") else label_form(text))

    def _code(self, text: str) -> int:
        if self._subsets is None and self._names is not None and text in self._names:
            return self._names[text]
        if text in self._more or (text.lower() in NO_ANSWER if self._gaps is None else text in self._gaps):
            return MISSING
        if self._subsets is not None:
            return self._subset(text, self._subsets)
        if self._bits > 1 and len(text) == self._bits and not text.strip("01"):
            return int(text[::-1], 2)  # a number of so many digits is beyond the 2^k outputs
        is_code = self._names is None and _NUMBER.fullmatch(text) and int(text) <= _LARGEST
        return int(text) if is_code else INVALID

    def _subset(self, text: str, subsets: Subsets) -> int:
        parts, k = list(map(self._form, text.split(BETWEEN))), subsets.mechanism.inputs
        if self._names is not None:
            places = [self._names.get(part, k) for part in parts]
        else:
            places = [int(part) if _NUMBER.fullmatch(part) else k for part in parts]
        chosen = tuple(sorted(set(places)))
        if chosen[-1] >= k or len(chosen) < len(places) or subsets.orbit_of(chosen) is None:
            return INVALID
        return self.met.setdefault(chosen, len(self.met))

    def differ_in_case(self) -> bool:
        """Return whether an invalid value would be a category if case were ignored."""
        names = set(map(normal_caseless, self._names or ()))
        return any(code == INVALID and normal_caseless(text_of(value)) in names for value, code in self.items())
