"""Files of Stata and SPSS, which pandas and pyreadstat read; the value labels of a column are its values."""

from __future__ import annotations

import warnings
from typing import Any

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
                names, labelled = list(opened.variable_labels()), bool(opened.value_labels())
        else:
            _, about = reader.read_sav(path, metadataonly=True)
            names, labelled = list(about.column_names), bool(about.variable_value_labels)
    columns = asked.chosen(names)
    with damage_errors(name, *_OTHER_REASONS), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if known == "stata":
            frame = reader.read_stata(path, columns=list(columns), order_categoricals=False, compression=None)
        else:
            values, about = reader.read_sav(path, usecols=list(columns))
            frame = reader.set_value_labels(values, about, formats_as_category=False)
        for column in columns:
            if frame[column].dtype in ("object", "category"):
                frame[column] = frame[column].astype(object).map(text_of, na_action="ignore").astype("str")
            is_labelled = known == "spss" and column in about.variable_value_labels
            if is_labelled and frame[column].nunique() < values[column].nunique():  # of Stata, pandas refuses this
                raise ValueError
    is_latin = any(issubclass(each.category, UnicodeWarning) for each in warned)
    labels = (f"{name} has value labels: they are read in place of the values",) * labelled
    return tuple(frame.columns), frame, (*labels, *(f"{name} is not UTF-8: it was read as Latin-1",) * is_latin)
