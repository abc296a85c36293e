"""Files of Stata and SPSS, which pandas and pyreadstat read; the value labels of a column are its values."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from rropt.core.errors import FileFormatError, shown
from rropt.survey.tables.files_in_memory import reading_package
from rropt.survey.tables.sources import Input, Request, damage_errors, text_of

_OTHER_REASONS = (
    "or has one value label for two values of a column",
    "declare values without an answer as missing in it, or save it as CSV",
)
_READERS = {"stata": ("Stata", "pandas"), "spss": ("SPSS", "pyreadstat")}


def statistics_table(given: Input, asked: Request, known: str) -> tuple[tuple[str, ...], Any, tuple[str, ...]]:
    """Read a file of Stata or SPSS.

    A value that has a label is read as its label. Missing values of every kind, also those that a user defined, are
    missing responses.

    Args:
        given, asked: the file, and what is asked of it.
        known: the format, ``stata`` or ``spss``.

    Returns:
        The names of the columns, a frame of pandas, and the remarks.

    Raises:
        MissingExtraError: the package that reads the format is not installed.
        FileFormatError: the file is damaged.
        InvalidParameterError: there is no such column.
    """
    path, name = given.path, given.name
    title, package = _READERS[known]
    reader = reading_package(title, package, name, "pip install 'rropt[statistics]', or save it as CSV")
    with damage_errors(name, *_OTHER_REASONS), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        if known == "stata":
            with reader.read_stata(path, iterator=True, compression=None) as opened:
                names, labels = list(opened.variable_labels()), opened.value_labels()
        else:
            _, about = reader.read_sav(path, metadataonly=True)
            names, labels = list(about.column_names), about.variable_value_labels
    columns = asked.chosen(names)
    with damage_errors(name, *_OTHER_REASONS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if known == "stata":
            try:
                frame = reader.read_stata(path, columns=list(columns), order_categoricals=False, compression=None)
            except ValueError as error:
                if "are not unique" in str(error):
                    for key, own in labels.items():
                        _require_different(name, f"the value labels {shown(key)}", own.items())
                raise
        else:
            values, about = reader.read_sav(path, usecols=list(columns))
            frame = reader.set_value_labels(values, about, formats_as_category=False)
        for column in columns:
            if frame[column].dtype in ("object", "category"):
                frame[column] = frame[column].astype(object).map(text_of, na_action="ignore").astype("str")
            if known == "spss" and column in about.variable_value_labels:
                codes = values[column].dropna().drop_duplicates()
                labelled = zip(codes, frame[column][codes.index], strict=True)
                _require_different(name, f"the column {shown(column)}", labelled)
    is_latin = any(issubclass(each.category, UnicodeWarning) for each in warned)
    replaced = (f"{name} has value labels: they are read in place of the values",) * bool(labels)
    return tuple(frame.columns), frame, (*replaced, *(f"{name} is not UTF-8: it was read as Latin-1",) * is_latin)


def _require_different(name: str, what: str, labels: Iterable[tuple[object, str]]) -> None:
    """Raise an error if two values, given with their labels, have the same label."""
    known: dict[str, object] = {}
    for value, label in labels:
        if label in known:
            both = " and ".join(shown(text_of(one)) for one in (known[label], value))
            raise FileFormatError(
                f"two values of a column have one label: received {shown(label)} for {both} of {what} in {name}; "
                "declare values without an answer as missing in it, give each value its own label, or save it as CSV"
            )
        known[label] = value
