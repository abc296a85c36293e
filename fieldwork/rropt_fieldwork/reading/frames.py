"""Tables of other libraries, as DuckDB reads them: only the requested columns, of types that it reads without loss.

DuckDB rejects a whole table for a single column that it does not know, such as intervals of pandas. It detects the type
of Python objects from a sample, and converts the others silently: 2.5 among integers becomes 2 and among
truth values true, and 1.25 among decimals of one digit 1.3. Objects are therefore converted here.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from rropt.answers.data_columns import doubles_of, levels_in_arrow, levels_of_type, texts_of_levels
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import normal, text_of
from rropt_fieldwork.reading.sources import Request, distinct, meaning_of

_AS_THEY_ARE = ({str}, {float}, {bool}, {datetime.date}, {datetime.datetime})  # types that do not mix
_MOST_INT = 1 << 31  # DuckDB may take objects for integers of 32 bits
_TIMES = ("s", "ms", "us", "ns")  # units of dates that DuckDB reads
_MISSING = ("NAType", "NaTType")  # of pandas


def chosen_columns(data: Any, asked: Request, name: str) -> tuple[tuple[str, ...], Any]:
    """Return the names of the requested columns of a table, and a table of these columns.

    Args:
        data: a table of pandas, Polars or Arrow, or a dict of NumPy arrays.
        asked: what is asked of it.
        name: the name of the table in messages.

    Raises:
        InvalidParameterError: there is no such column.
        FileFormatError: a column cannot be read.
    """
    names = list(distinct(_names(data)))
    chosen = asked.chosen(names)
    if _is_scanner(data):  # its columns are chosen already
        return tuple(names), data
    places = list(range(len(names))) if asked.whole else [names.index(column) for column in chosen]
    if isinstance(data, dict):
        arrays = list(data.values())
        return chosen, {f"c{place}": _array(arrays[place], names[place], name) for place in places}
    if hasattr(type(data), "iloc"):  # of pandas
        frame = data.iloc[:, places].set_axis(range(len(places)), axis=1)
        made = {place: _series(frame[place], column, name) for place, column in enumerate(chosen)}
        frame = frame.assign(**{f"c{place}": column for place, column in made.items()})
        return chosen, frame[[f"c{place}" for place in made]]
    return chosen, of_places(data, places)


def orders_of(data: Any, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the order of the levels of categorical columns, by the normal forms of their names.

    These are categories of pandas, an ``Enum`` of Polars or of DuckDB, and ordered dictionaries of Arrow.
    """
    kind, found = type(data), {}
    known = (
        list(distinct(_names(data))) if not hasattr(kind, "aggregate") or hasattr(kind, "iloc") else list(data.columns)
    )
    for name in names:
        place = known.index(name)
        levels: Any = ()
        if hasattr(kind, "iloc"):
            levels = levels_of_type(data.dtypes.iloc[place])
        elif hasattr(kind, "collect_schema"):
            levels = levels_of_type(data.collect_schema().dtypes()[place])
        elif hasattr(kind, "column_names") and hasattr(kind, "combine_chunks"):
            levels = levels_in_arrow(data.column(place)) if getattr(data.schema.types[place], "ordered", False) else ()
        elif str(getattr(data, "types", [""] * len(known))[place]).startswith("ENUM"):
            levels = dict(data.types[place].children)["values"]
        texts = texts_of_levels(levels)
        if texts:
            found[normal(name)] = texts
    return found


def of_places(data: Any, places: Sequence[int]) -> Any:
    """Return some columns of a table, in the order of their places."""
    kind, names = type(data), _names(data)
    if list(places) == list(range(len(names))):
        return data
    if isinstance(data, dict):
        listed = list(data.items())
        return dict(listed[place] for place in places)
    if hasattr(kind, "iloc"):
        return data.iloc[:, list(places)]
    if hasattr(kind, "replace_schema"):  # a dataset of Arrow
        return data.replace_schema(data.schema.empty_table().select(list(places)).schema)
    return data.select(list(places) if hasattr(kind, "column_names") else [names[place] for place in places])


def told_apart(data: Any, names: Sequence[str]) -> Any:
    """Return a table whose columns DuckDB can tell apart: before version 2 it joins names that differ in case only.

    Columns of pandas and NumPy are then named by their places; those of Arrow and Polars may differ in case.
    """
    if len({name.casefold() for name in names}) == len(names):
        return data
    if isinstance(data, dict):
        return {f"c{place}": column for place, column in enumerate(data.values())}
    if hasattr(type(data), "iloc"):
        return data.set_axis([f"c{place}" for place in range(len(names))], axis=1)
    return data


def type_of(table: Any) -> str:
    """Return the name of the type of the only column of a table."""
    if isinstance(table, dict):
        return str(next(iter(table.values())).dtype)
    if hasattr(type(table), "collect_schema"):
        return str(table.collect_schema().dtypes()[0])
    return str(table.dtypes.iloc[0] if hasattr(type(table), "iloc") else table.schema.types[0])


def _names(data: Any) -> list[str]:
    """Return the names of all columns; attributes are looked up by type, since a column may have the same name."""
    kind = type(data)
    if _is_scanner(data):
        return list(data.projected_schema.names)
    if isinstance(data, dict):
        return list(map(str, data))
    if hasattr(kind, "collect_schema"):  # of Polars
        return list(data.collect_schema().names())
    if hasattr(kind, "column_names"):  # of Arrow
        return list(data.column_names)
    if not hasattr(kind, "replace_schema") and not hasattr(kind, "columns"):
        raise InvalidParameterError(
            f"the data have no columns with names: received {shown(kind.__name__)}; allowed are the name of a file, a "
            "data frame, and a dictionary of columns"
        )
    return list(map(str, data.schema.names if hasattr(kind, "replace_schema") else data.columns))


def _is_scanner(data: Any) -> bool:
    return hasattr(type(data), "projected_schema")  # of Arrow


def _series(column: Any, title: str, name: str) -> Any:
    """Return a column of pandas as one that DuckDB reads."""
    kind = column.dtype
    if hasattr(kind, "categories"):
        if all(isinstance(category, str) for category in kind.categories):
            return column
        _require_different(kind.categories, title, name)
        if getattr(kind.categories.dtype, "kind", "") == "f":
            column = column.cat.rename_categories(doubles_of(kind.categories))
        return _series(column.astype(object), title, name)
    if getattr(kind, "tz", None) is not None:  # in the zone of the user, which DuckDB would turn into UTC
        return column.map(lambda time: time.isoformat(" "), na_action="ignore").astype(object)
    if hasattr(column, "sparse"):
        return _series(column.sparse.to_dense(), title, name)
    if isinstance(kind, np.dtype):
        values = column.to_numpy()
        made = _array(values, title, name)
        return column if made is values else type(column)(made, index=column.index)
    is_known = kind.kind != "O" or type(kind).__name__ in ("StringDtype", "ArrowDtype")
    return column if is_known else _series(column.astype(object), title, name)  # periods, intervals


def _require_different(categories: Iterable[object], title: str, name: str) -> None:
    """Raise an error if two categories have the same text, such as a label ``1`` and a number 1 without a label."""
    known: dict[object, object] = {}
    for category in categories:
        before = known.setdefault(meaning_of(text_of(category)), category)
        if before is not category:
            raise FileFormatError(
                f"two categories of a column are read as one: received {before!r} and {category!r} of the column "
                f"{shown(title)} in {name}; give each a text of its own (`rename_categories`)"
            )


def _array(values: Any, title: str, name: str) -> Any:
    """Return an array of NumPy as one that DuckDB reads."""
    if not isinstance(values, np.ndarray) or values.ndim != 1:
        return values
    kind = values.dtype.kind
    if kind == "c":
        raise unreadable_column(title, name, str(values.dtype))
    if kind in "OST" or (kind == "M" and np.datetime_data(values.dtype)[0] not in _TIMES):
        return _objects(values.astype(object), title, name)
    if kind == "f" and values.dtype.itemsize > 8:
        return values.astype(np.float64)
    if kind == "f" and values.dtype.itemsize < 4:
        different, places = np.unique(values, return_inverse=True)
        return np.array(doubles_of(different), np.float32)[places]
    return values if values.dtype.isnative else values.astype(values.dtype.newbyteorder("="))


def _objects(values: Any, title: str, name: str) -> Any:
    """Return an array of objects: those of one type as they are, others as texts."""
    listed = [None if _is_missing(value) else value for value in values.tolist()]
    kinds = {type(value) for value in listed if value is not None}
    if kinds in _AS_THEY_ARE or not kinds:
        return values
    if kinds == {int} and all(value is None or abs(value) < _MOST_INT for value in listed):
        return values
    texts = [None if value is None else _text(value, row, title, name) for row, value in enumerate(listed, 1)]
    return np.array([*texts, None], object)[:-1]


def _is_missing(value: Any) -> bool:
    if isinstance(value, float | np.floating | np.datetime64 | np.timedelta64):
        return bool(value != value)  # NaN, NaT
    return value is None or type(value).__name__ in _MISSING or (isinstance(value, Decimal) and value.is_nan())


def _text(value: Any, row: int, title: str, name: str) -> str:
    """Return the text of an object in a cell."""
    kind = type(value)
    if isinstance(value, np.floating):
        return text_of(float(str(value)))  # the shortest decimal of a single
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bytes):
        try:
            return text_of(value.decode())
        except UnicodeDecodeError:
            pass
    elif any("__str__" in vars(base) or "__repr__" in vars(base) for base in kind.__mro__[:-1]):
        return text_of(value)
    raise FileFormatError(
        f"row {row} of the data holds an object that is not read in {shown(title)} of {name}: received one of type "
        f"{kind.__name__}; allowed are texts, numbers and truth values"
    )


def unreadable_column(title: str, name: str, why: str) -> FileFormatError:
    """Return the error for a column whose type DuckDB does not read."""
    return FileFormatError(
        f"a column has a type or shape that is not read: received the column {shown(title)} of {name} ({why}); allowed "
        "are texts, numbers, truth values and dates; convert it, or leave it out"
    )
