"""Files of Stata and SPSS, which pyreadstat reads; the value labels of a column are its values.

A label could be the text of another value: ``0`` labelled ``1`` in a column of 0 and 1 would turn all responses into
``1``. Labels are therefore applied only if each value keeps a text of its own, which no other value has.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from rropt.answers.response_codes import is_no_number
from rropt.core.errors import FileFormatError, shown
from rropt.core.normal_form import named_in, normal, text_of
from rropt_fieldwork.reading.files_in_memory import reading_package
from rropt_fieldwork.reading.sources import Input, Request, damage_errors, meaning_of, require_columns

_SHOWN = 8  # labels that a remark lists
_TITLES = {"stata": "Stata", "spss": "SPSS"}

# The header of an SPSS file ("System File Format" of the manual for developers of PSPP)
_WEIGHT_AT = 76  # the number of the weight variable from 1, counted in pieces of 8 bytes; 0 without one
_VARIABLES_AT = 176
_VARIABLE = 2  # the type of the record of a piece
_MOST_PIECES = 1 << 24


class StatisticsTable(NamedTuple):
    """The table of a file of Stata or SPSS.

    Attributes:
        names: the names of its columns.
        columns: an array for each column.
        remarks: remarks on how the file was read.
        weight: the variable that weights the cases of an SPSS file; ``None`` without one.
        orders: the labels of each labelled column in the order of their values, by the normal form of its name.
        titles: the labels of the columns themselves, by the normal forms of their names.
    """

    names: tuple[str, ...]
    columns: dict[str, Any]
    remarks: tuple[str, ...]
    weight: str | None
    orders: dict[str, tuple[str, ...]]
    titles: dict[str, str]


def statistics_table(given: Input, asked: Request, known: str) -> StatisticsTable:
    """Read a file of Stata or SPSS.

    A value that has a label is read as its label. Missing values of every kind, also those that a user defined, are
    missing responses.

    Args:
        given, asked: the file, and what is asked of it.
        known: the format, ``stata`` or ``spss``.

    Raises:
        MissingExtraError: pyreadstat is not installed.
        FileFormatError: the file is damaged, or two values of a column would be read as one.
        InvalidParameterError: there is no such column.
    """
    path, name = given.path, given.name
    advice = "pip install 'rropt[fieldwork]', or save it as CSV"
    package = reading_package(_TITLES[known], "pyreadstat", name, advice)
    reader = package.read_dta if known == "stata" else package.read_sav
    how: dict[str, Any] = {"output_format": "dict"}
    remarks: tuple[str, ...] = ()
    with damage_errors(name):
        try:
            _, about = reader(path, metadataonly=True, **how)
        except UnicodeDecodeError:  # of a file of Stata that claims to be UTF-8
            how["encoding"], remarks = "WINDOWS-1252", (f"{name} is not UTF-8: it was read as Windows-1252",)
            _, about = reader(path, metadataonly=True, **how)
    columns = asked.chosen(about.column_names)
    with damage_errors(name):
        found, _ = reader(path, usecols=list(columns), **how)
    for column, kind in about.readstat_variable_types.items():
        if kind == "float" and column in found:  # single precision of Stata
            found[column] = _doubles_of(found[column])
    weight = _weight(path, name, about.readstat_variable_types) if known == "spss" else None
    every = {column: _labels(about.variable_value_labels.get(column, {})) for column in columns}
    require_columns(asked.codes, about.column_names, is_schema=True)
    aside = [column for column in columns if named_in(column, asked.codes) is not None and every[column]]
    for column in aside:
        told = ", ".join(f"{text_of(value)} = {shown(label)}" for value, label in list(every[column].items())[:_SHOWN])
        gaps = [value for value, label in every[column].items() if is_no_number(label)]
        also = f"; {' and '.join(map(text_of, gaps))} stand for a missing value" if gaps else ""
        remarks += (f"{shown(column)} is read without its labels (`codes`): {told}{also}",)
        listed = found[column].tolist() if isinstance(found[column], np.ndarray) else found[column]
        found[column], every[column] = [None if value in gaps else value for value in listed], {}
    values = {column: found[column] for column in columns if every[column]}
    orders = {normal(column): _order(values[column], every[column]) for column in values}
    table = {column: _array(name, column, found.pop(column), labels) for column, labels in every.items()}
    for column, kind in about.readstat_variable_types.items():
        if kind == "float" and column in table and table[column].dtype.kind == "f":
            table[column] = table[column].astype(np.float32)  # compared in its precision
    if any(every.values()):
        remarks = (f"{name} has value labels: they are read in place of the values", *remarks)
    labels = about.column_names_to_labels
    titles = {normal(column): text for column in columns if (text := text_of(labels.get(column) or "").strip())}
    return StatisticsTable(columns, table, remarks, weight, orders, titles)


def _doubles_of(singles: Any) -> list[float | None]:
    """Return the doubles with the shortest decimals of singles, which pyreadstat returns as doubles."""
    listed = singles.tolist() if isinstance(singles, np.ndarray) else singles
    known = {value: value if value is None else float(str(np.float32(value))) for value in set(listed)}
    return [known[value] for value in listed]


def _labels(given: Mapping[Hashable, str]) -> dict[Hashable, str]:
    """Return the labels of a column by value; an empty label is left out."""
    return {value: text for value, label in given.items() if (text := text_of(label))}


def _order(values: Any, labels: Mapping[Hashable, str]) -> tuple[str, ...]:
    """Return the texts of a labelled column in the order of its values, numbers first."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    every = dict.fromkeys([*labels, *(value for value in listed if value is not None and value == value)])
    ordered = sorted(every, key=lambda value: (isinstance(value, str), value if isinstance(value, str) else 0, value))
    return tuple(dict.fromkeys(labels.get(value, text_of(value)) for value in ordered))


def _array(name: str, column: str, values: Any, labels: Mapping[Hashable, str]) -> Any:
    """Return the values of a column as an array: numbers as they are, others and labelled ones as texts."""
    listed = values.tolist() if isinstance(values, np.ndarray) else values  # of older versions, with NaN
    values = [None if value != value else value for value in listed]
    different = dict.fromkeys(values)
    if not labels and all(value is None or isinstance(value, int | float) for value in different):
        return np.array(values, np.float64 if None in different else None)
    texts = {value: None if value is None else labels.get(value, text_of(value)) for value in different}
    _require_own_texts(name, column, texts, labels)
    return np.array([texts[value] for value in values], object)


def _require_own_texts(name: str, column: str, texts: Mapping[Any, str | None], labels: Mapping[Hashable, str]) -> None:
    """Raise an error if a label is also the label, or the text, of another value of the column.

    Args:
        name, column: the file and the column.
        texts: the text as which each value of the column is read.
        labels: the labels of the column by value, also of values that it does not contain.
    """
    own = {meaning_of(text_of(value)): value for value in (*labels, *texts) if value is not None}
    known: dict[Hashable, Any] = {}
    for value, text in texts.items():
        if value is None or text is None:
            continue
        for other in known.setdefault(meaning_of(text), value), own.get(meaning_of(text), value):
            if other != value and (value in labels or other in labels):
                raise _ambiguous(name, column, text, value, other, labels)


def _ambiguous(
    name: str, column: str, text: str, value: object, other: object, labels: Mapping[Hashable, str]
) -> FileFormatError:
    """Return the error for a text that is the label of a value of a column, and stands for another value too."""
    told = f"of the column {shown(column)} in {name}"
    if value in labels and other in labels and meaning_of(labels[value]) == meaning_of(labels[other]):
        both = " and ".join(shown(text_of(one)) for one in (other, value))
        return FileFormatError(
            f"two values of a column have one label: received {shown(text)} for {both} {told}; "
            "declare values without an answer as missing in it, give each value its own label, or save it as CSV"
        )
    if value not in labels:
        value, other = other, value
    return FileFormatError(
        f"a label is the text of another value: received the label {shown(labels[value])} for {shown(text_of(value))} "
        f"beside the value {shown(text_of(other))} {told}; give each value a label of its own, or save the table as "
        "CSV, with the values or with the labels"
    )


def _weight(path: str, name: str, types: Mapping[str, str]) -> str | None:
    """Return the variable that weights the cases of an SPSS file, as ``WEIGHT BY`` declares it; ``None`` without one.

    The header has its number among pieces of 8 bytes. A piece is a number, or a part of a text; the names of the file
    have texts once. Therefore the numbers are counted: the k-th of the pieces is the k-th of the names.
    """
    with Path(path).open("rb") as stream:
        header = stream.read(_VARIABLES_AT)
        order = "<" if header[64:68] in (b"\2\0\0\0", b"\3\0\0\0") else ">"
        (place,) = struct.unpack_from(f"{order}i", header, _WEIGHT_AT)
        if not place:
            return None
        numbers = [variable for variable, kind in types.items() if kind != "string"]
        with damage_errors(name):
            kinds = [_kind_of_piece(stream, order) for _ in range(place)] if 0 < place <= _MOST_PIECES else [1]
    if kinds[-1] != 0 or kinds.count(0) > len(numbers):
        raise FileFormatError(
            f"data cannot be read: the cases of {name} have weights (WEIGHT BY), and its header names no variable that "
            "is a number; save it again, or save it as CSV"
        )
    return numbers[kinds.count(0) - 1]


def _kind_of_piece(stream: BinaryIO, order: str) -> int:
    """Read the next record of a variable, and return its type: 0 for a number, -1 for a further part of a text."""
    record, kind, has_label, missing, _, _ = struct.unpack(f"{order}6i", stream.read(24))
    if record != _VARIABLE:
        raise ValueError("there is no such variable")
    stream.seek(8, 1)
    if has_label == 1:
        (length,) = struct.unpack(f"{order}i", stream.read(4))
        stream.seek(-(-length // 4) * 4, 1)
    stream.seek(8 * abs(missing), 1)
    return int(kind)
