"""Bands of a number and joined levels of a column: ``age: 0..17, 18..39, 40..`` and ``sex: d, x -> f``.

A recoding replaces the values of a column, or gives them to a new one: ``ageband = age: 0..17, 18..``. The bands stand
in the order in which they are written, and so do the groups and levels of a result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from rropt.core.errors import InvalidParameterError, names_of, shown
from rropt.core.normal_form import label_form, normal
from rropt_fieldwork.reading.number_comparisons import exact_number

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_BAND = re.compile(rf"(?P<low>{_NUMBER})?\s*\.\.\s*(?P<below><)?\s*(?P<high>{_NUMBER})?")
_MOST_PARTS = 1000
_FORMS = (
    "allowed are bands, age: 0..17, 18..39, 40.., and joined levels, sex: d, x -> f; write NEW = age: ... for a new "
    "column"
)


class Band(NamedTuple):
    """A band of numbers, with both endpoints, or without the upper one (``0..<18``).

    Attributes:
        label: the text that replaces the numbers.
        low, high: the ends; ``None`` if there is none.
        is_below: whether the band is below ``high``, and does not contain it.
    """

    label: str
    low: Fraction | None
    high: Fraction | None
    is_below: bool


@dataclass(frozen=True, slots=True)
class Recoding:
    """What replaces the values of a column.

    Attributes:
        name: the column that has the new values.
        column: the column of the file.
        joined: maps texts to the texts that replace them; a whole number stands without a decimal point.
        bands: the bands of numbers, in order.
    """

    name: str
    column: str
    joined: Mapping[str, str]
    bands: tuple[Band, ...] = ()

    @classmethod
    def of(cls, text: str) -> Recoding:
        """Read the text of a recoding.

        Raises:
            InvalidParameterError: it is not a recoding, or two bands have a number in common.

        >>> [band.label for band in Recoding.of("age: 0..17, 18..39, 40..").bands]
        ['0..17', '18..39', '40..']
        >>> dict(Recoding.of("sex: d, x -> f").joined)
        {'d': 'f', 'x': 'f'}
        """
        left, mark, right = text.partition(":")
        new, equals, column = (part.strip().strip("`") for part in left.rpartition("="))
        if not mark or not column or not right.strip() or (equals and not new):
            raise _wrong(text, "no column and no colon" if not mark else "an empty part")
        parts = _parts(right, text)
        joined: dict[str, str] = {}
        bands: list[Band] = []
        waiting: list[str] = []
        for part in parts:
            source, arrow, label = (each.strip() for each in _arrow(part))
            if ";" in label and label[:1] not in "\"'":
                raise _wrong(text, "a semicolon in place of a comma")
            source, label = _plain(source), _plain(label)
            if not source or (arrow and not label):
                raise _wrong(text, "an empty part")
            if band := _BAND.fullmatch(source):
                if waiting:
                    raise _wrong(text, f"{shown(waiting[0])} without an arrow")
                bands.append(_band(band, label or source, text))
                continue
            waiting.append(label_form(source))
            if arrow:
                if twice := [each for each in waiting if each in joined]:
                    raise _wrong(text, f"{shown(twice[0])} twice")
                joined |= dict.fromkeys(waiting, normal(label))
                waiting = []
        if waiting:
            raise _wrong(text, f"{shown(waiting[0])} without an arrow")
        _require_apart(bands, text)
        return cls(normal(new or column), normal(column), joined, tuple(bands))

    @property
    def is_new(self) -> bool:
        """Whether the column of the file stays as it is beside the new one."""
        return self.name != self.column

    def ordered(self, levels: Iterable[str]) -> tuple[str, ...]:
        """Return the levels of the new column in order, given those of the column of the file where they are known."""
        found = [self.joined.get(label_form(level), level) for level in levels]
        return tuple(dict.fromkeys([*found, *(band.label for band in self.bands)]))


def recodings_of(given: Any) -> tuple[Recoding, ...]:
    """Return the recodings of an argument: texts, or a mapping from columns to texts, lists of parts, or mappings.

    Raises:
        InvalidParameterError: a text is no recoding, or a column is made twice.

    >>> [dict(one.joined) for one in recodings_of({"sex": {"d": "f", "x": "f"}, "region": ["a, b -> c"]})]
    [{'d': 'f', 'x': 'f'}, {'a': 'c', 'b': 'c'}]
    >>> [one.name for one in recodings_of({"age": "0..17, 18..", "group = sex": "d -> f"})]
    ['age', 'group']
    """
    return tuple(map(Recoding.of, recoding_texts(given) or ()))


def recoding_texts(given: Any) -> tuple[str, ...] | None:
    """Return the texts of recodings, each with its column; the argument is that of ``recodings_of``."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        given = [f"{column}: {_parts_text(column, value)}" for column, value in given.items()]
    texts = names_of(given, "recode")
    made: dict[str, str] = {}
    for text in texts:
        name = Recoding.of(text).name
        if name in made:
            raise InvalidParameterError(
                f"a column is recoded twice: received {shown(made[name])} and {shown(text)}; write one of them, with "
                "all bands and levels"
            )
        made[name] = text
    return texts


def _parts_text(column: object, value: object) -> str:
    """Return the parts of the recoding of a column as one text.

    Args:
        column: the column, for messages.
        value: a text, a list of parts, or a mapping from bands and levels to labels.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(_pair_text(column, source, label) for source, label in value.items())
    if isinstance(value, list | tuple) and value and all(isinstance(part, str) for part in value):
        return ", ".join(value)
    raise InvalidParameterError(
        f"the recoding of {shown(str(column))} is invalid: received {shown(value)}; allowed are a text such as "
        "'0..17, 18..', a list of its parts, ['0..17', '18..'], and a mapping, {'d': 'f', '0..17': 'young'}"
    )


def _pair_text(column: object, source: object, label: object) -> str:
    """Return the part of a recoding that replaces a band or a level by a label."""
    is_allowed = all(isinstance(one, int | str) and not isinstance(one, bool) for one in (source, label))
    texts = [str(one).strip() for one in (source, label)]
    if not is_allowed or not all(texts):
        raise InvalidParameterError(
            f"the recoding of {shown(str(column))} is invalid: received {shown(source)} for {shown(label)}; allowed "
            "are texts and integers (`blank` is the answer of an empty cell)"
        )
    if _BAND.fullmatch(texts[1]) and not _BAND.fullmatch(texts[0]):
        raise InvalidParameterError(
            f"the recoding of {shown(str(column))} stands in the wrong order: received {shown(texts[0])} for the band "
            f"{shown(texts[1])}; write the band first, {{{texts[1]!r}: {texts[0]!r}}}"
        )
    return " -> ".join('"' + one.replace('"', '""') + '"' if re.search(r"""[,;"']|->""", one) else one for one in texts)


def _wrong(text: str, why: str) -> InvalidParameterError:
    return InvalidParameterError(f"`recode` is no recoding: received {shown(text)}, with {why}; {_FORMS}")


def _parts(text: str, whole: str) -> list[str]:
    """Return the parts between commas; a text in quotation marks may contain commas and arrows."""
    found = re.findall(r"""((?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^,"'])+|["'])(?:,|$)|(,)""", text)
    parts = [part for part, _ in found]
    if sum(map(len, parts)) < len(text) - len(parts) or any(part in ('"', "'") for part in parts):
        raise _wrong(whole, "a quotation mark without its pair")
    if len(parts) > _MOST_PARTS:
        raise _wrong(whole, f"{len(parts)} parts of at most {_MOST_PARTS}")
    return parts


def _arrow(part: str) -> tuple[str, str, str]:
    """Divide a part at its arrow, which does not stand in quotation marks."""
    quoted = re.match(r"""\s*("(?:[^"]|"")*"|'(?:[^']|'')*')""", part)
    at = part.find("->", quoted.end() if quoted else 0)
    return (part, "", "") if at < 0 else (part[:at], "->", part[at + 2 :])


def _plain(text: str) -> str:
    """Return a text without its quotation marks."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text


def _band(found: re.Match[str], label: str, text: str) -> Band:
    low, high = (None if end is None else exact_number(end) for end in (found["low"], found["high"]))
    is_below = found["below"] is not None
    if (low is None and high is None) or (is_below and high is None):
        raise _wrong(text, f"the band {shown(found[0])}, which has no end")
    if low is not None and high is not None and (low > high or (is_below and low == high)):
        raise _wrong(text, f"the band {shown(found[0])}, which is empty")
    return Band(normal(" ".join(label.split())), low, high, is_below)


def _require_apart(bands: Iterable[Band], text: str) -> None:
    """Raise an error for two bands that have a number in common."""
    inf = float("inf")
    ordered = sorted(bands, key=lambda band: -inf if band.low is None else band.low)
    for one, other in pairwise(ordered):
        if (
            one.high is None
            or other.low is None
            or other.low < one.high
            or (other.low == one.high and not one.is_below)
        ):
            end = other.low if other.low is not None else other.high
            raise _wrong(
                text,
                f"the bands {shown(one.label)} and {shown(other.label)}, which have {end} in common (A..<B is a band "
                "below B)",
            )
