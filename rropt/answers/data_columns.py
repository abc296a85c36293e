"""Columns of data: a name in a frame of any library, or an array; their values as numbers and as labels.

A frame is anything whose columns ``numpy.asarray(data[name])`` reads: a dictionary of arrays, pandas, Polars, Arrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import label_form, text_of
from rropt.core.visible import with_noun

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Ints: TypeAlias = "NDArray[np.int64]"
_LARGEST_KEY = 1 << 62
_MOST_PLACES = 4  # places of a table of keys, for each row: more are sorted
_FIRST_ROWS = 4096  # rows that are searched for the first row of each distinct value, before all are
_SHOWN = 12  # names of columns in a message
_MISSING_TYPES = ("NAType", "NaTType")  # of pandas: neither equal to itself nor different


def column(data: Any, given: Any, role: str, *, advice: str = "") -> NDArray[Any]:
    """Return a column as an array: that of a name in the data, or an array of any library.

    Args:
        data: the frame; ``None`` without one.
        given: the name of a column, or its values, shape (rows,).
        role: what the column is for, in messages.
        advice: what to write instead of a name, for the message.

    Raises:
        InvalidParameterError: there is no such column, or it is no list of values.
    """
    if isinstance(given, str):
        if data is None:
            raise InvalidParameterError(
                f"`{role}` names a column, and there are no data: received {shown(given)}; give the "
                "frame as `data`, or the column itself"
            )
        try:
            given = data[given]
        except (KeyError, TypeError, ValueError, IndexError) as error:
            try:
                names = list(map(str, names_of_columns(data)))
            except TypeError:
                raise InvalidParameterError(
                    f"`data` is no frame: received a value of type {type(data).__name__}; allowed is what has "
                    "columns by name, such as a data frame or a dict of lists"
                ) from error
            told = ", ".join(map(shown, names[:_SHOWN])) + ", ..." * (len(names) > _SHOWN)
            raise InvalidParameterError(
                f"the data have no column for `{role}`: received {shown(given)}; allowed are "
                f"{told or 'no names'}{advice}"
            ) from error
    found = np.asarray(given)
    if found.ndim != 1:
        raise InvalidParameterError(
            f"`{role}` is no column: received an array of shape {found.shape}; allowed is one value for each row"
        )
    return found


def names_of_columns(data: Any) -> Iterable[Any]:
    """Return the names of the columns of a frame."""
    names: Iterable[Any] = getattr(data, "column_names", None) or getattr(data, "columns", data)
    return names


def plain_values(values: NDArray[Any]) -> list[Any]:
    """Return the values of a column as objects of Python, with None for what a library calls missing."""
    if values.dtype.kind == "M":
        values = values.astype(str)
    listed: list[Any] = values.tolist()
    if values.dtype.kind != "O":
        return listed
    return [None if type(one).__name__ in _MISSING_TYPES else one for one in listed]


def levels_of(data: Any, given: Any) -> tuple[str, ...]:
    """Return the levels of a column as texts, in the order of its type; empty if its type has no order of levels.

    These are categories of pandas, an ``Enum`` of Polars, ordered dictionaries of Arrow, and what ``Table.levels``
    returns: also bands of numbers.

    Args:
        data: the frame; ``None`` without one.
        given: the name of a column, or its values.
    """
    if isinstance(given, str):
        if data is None:
            return ()
        if hasattr(type(data), "levels"):
            found: tuple[str, ...] = data.levels(given)
            return found
        given = data[given]
    if getattr(getattr(given, "type", None), "ordered", False):
        return texts_of_levels(levels_in_arrow(given))
    return texts_of_levels(levels_of_type(getattr(given, "dtype", None)))


def levels_of_type(kind: Any) -> Any:
    """Return the levels of a type of pandas or Polars in their order; empty if it has none."""
    levels = getattr(kind, "categories", None)
    is_ordered = type(kind).__name__ in ("CategoricalDtype", "Enum")  # other types of Polars list them by chance
    return () if levels is None or not is_ordered else levels


def levels_in_arrow(values: Any) -> list[Any]:
    """Return the levels of an ordered dictionary of Arrow: an array, or one of chunks."""
    if not hasattr(values, "num_chunks"):
        return list(values.dictionary.to_pylist())
    return list(values.unify_dictionaries().chunk(0).dictionary.to_pylist()) if values.num_chunks else []


def texts_of_levels(levels: Any) -> tuple[str, ...]:
    """Return levels as texts; singles as the shortest decimals."""
    if getattr(getattr(levels, "dtype", None), "kind", "") == "f":
        levels = doubles_of(levels)
    return tuple(map(text_of, levels))


def doubles_of(floats: Any) -> list[float]:
    """Return the doubles with the shortest decimals of some floats, which may have less precision."""
    return [float(str(value)) for value in np.asarray(floats)]


class Labels:
    """A column of labels: their number for each row, and the labels as texts, in their order.

    Labels that are the same to their readers have one number (``label_form``). They have the order of the levels; those
    that are no level follow, numbers in the order of numbers.

    Attributes:
        numbers: the number of each row's label, from 0; -1 for a missing value.
        texts: the labels.
    """

    def __init__(self, values: NDArray[Any], levels: Sequence[str] = ()) -> None:
        if values.dtype.kind in "iufbUS":  # few different values, found without Python
            own, place = distinct(values)
            found = [text_of(one) for one in plain_values(own)]
        else:
            known: dict[Any, int] = {}
            place = np.fromiter(
                (known.setdefault(one, len(known)) for one in plain_values(values)), np.int64, len(values)
            )
            found = [text_of(one) for one in known]
        forms: dict[str, str] = {}
        for text in found:
            forms.setdefault(label_form(text), text)
        places = places_of_levels(levels)
        ordered = sorted(forms.items(), key=lambda one: (places.get(one[0], len(places)), *_order(one[1])))
        self.texts = [text for form, text in ordered if form]
        numbers = {label_form(text): number for number, text in enumerate(self.texts)}
        of_value = np.array([numbers.get(label_form(text), -1) for text in found], np.int64)
        self.numbers: Ints = of_value[place.ravel()] if len(found) else np.zeros(0, np.int64)


def places_of_levels(levels: Iterable[str]) -> dict[str, int]:
    """Return the place of each level among others, by its form."""
    return {form: place for place, form in enumerate(dict.fromkeys(map(label_form, levels)))}


def _order(text: str) -> tuple[bool, float, str]:
    try:
        number = float(text)
    except ValueError:
        return True, 0.0, text
    return number != number, number if number == number else 0.0, text


def joined_labels(columns: list[Labels]) -> Labels:
    """Return the labels of several columns together, such as "north, 18-39"; a row that misses one has none."""
    if len(columns) == 1:
        return columns[0]
    is_given = np.logical_and.reduce([one.numbers >= 0 for one in columns])
    key = np.zeros(len(is_given), np.int64)
    for one in columns:
        key = key * max(len(one.texts), 1) + np.maximum(one.numbers, 0)
    made = object.__new__(Labels)
    kept, place = np.unique(key[is_given], return_inverse=True)
    made.numbers = np.full(len(key), -1)
    made.numbers[is_given] = place
    made.texts = []
    for value in kept.tolist():
        parts = []
        for one in reversed(columns):
            value, number = divmod(value, max(len(one.texts), 1))
            parts.append(one.texts[number])
        made.texts.append(", ".join(reversed(parts)))
    return made


def numbers_of(values: NDArray[Any], role: str, *, least: float = 0.0, what: str = "number") -> Floats:
    """Return a column of numbers from ``least``.

    Raises:
        InvalidParameterError: a value is no finite number, or too small.
    """
    try:
        found = values.astype(np.float64)
    except (TypeError, ValueError):
        found = np.array([_number(one) for one in plain_values(values)], np.float64)
    wrong = ~(np.isfinite(found) & (found >= least))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidParameterError(
            f"`{role}` has {with_noun(int(wrong.sum()), 'value that is', 'values that are')} no {what}: received "
            f"{shown(plain_values(values[row : row + 1])[0])} in row {row}; allowed are numbers from {least:g}"
        )
    return found


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float("nan")


def sums_by_index(places: Ints, values: NDArray[np.generic], size: int) -> Floats:
    """Return the sums of the values by index, for the indices 0 to ``size - 1``."""
    sums: Floats = np.bincount(places, values, size).astype(np.float64, copy=False)
    return sums


def numbered(*columns: Ints) -> tuple[Ints, Ints]:
    """Return the first position of each distinct row of some columns, and for each row the number of its value."""
    key, size = np.zeros(len(columns[0]), np.int64), 1
    for own in columns:
        low = own.min() if len(own) else 0
        width = int(own.max() - low + 1) if len(own) else 1
        if width == 1:
            continue
        if size * width > _LARGEST_KEY:
            key, size = _dense(key, size)[1], len(key)
        key, size = key * width + (own - low), size * width
    return _dense(key, size)


def _dense(key: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the first position of each distinct key in [0, size), and the number of each key among them."""
    if size > _MOST_PLACES * max(len(key), 1 << 16):
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return first, inverse.ravel()
    is_met = np.zeros(size, bool)
    is_met[key] = True
    number = np.cumsum(is_met) - 1
    inverse, many = number[key], int(is_met.sum())
    found, first = np.unique(inverse[:_FIRST_ROWS], return_index=True)
    if len(found) < many:
        first = np.empty(many, np.int64)
        first[inverse[::-1]] = np.arange(len(key) - 1, -1, -1)
    return first, inverse


def distinct(values: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """Return the distinct values of a column that NumPy can order, and for each row the place of its value."""
    if values.dtype.kind in "iu" and len(values) and int(values.max()) - int(values.min()) < 1 << 16:
        least = int(values.min())
        first, place = _dense(values.astype(np.int64) - least, int(values.max()) - least + 1)
        return values[first], place
    found, place = np.unique(values, return_inverse=True)
    return found, place.ravel()


def require_rows(lengths: dict[str, int]) -> int:
    """Return the number of rows, which all columns share.

    Raises:
        InvalidParameterError: columns have different lengths, or there are no rows.
    """
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{role} {length}" for role, length in lengths.items())
        raise InvalidParameterError(
            f"the columns have different numbers of rows: received {told}; give each row a value"
        )
    rows = next(iter(lengths.values()), 0)
    if not rows:
        raise InvalidParameterError(
            "there are no rows: received columns without a value; give one row for each respondent"
        )
    return rows
