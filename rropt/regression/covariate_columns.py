"""Covariates from columns that ``numpy.asarray`` reads: a column is numerical if all of its values are numbers.

An empty value is missing. Among numbers that are texts, so is what software writes for a missing number; in a factor
``NA`` may be Namibia.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.answers.data_columns import column, distinct, levels_of, places_of_levels, plain_values
from rropt.answers.response_codes import OF_NUMBERS
from rropt.answers.table_reports import Gap
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.normal_form import label_form, text_of
from rropt.core.visible import with_noun
from rropt.regression.formula_texts import read_factor
from rropt.regression.formulas import (
    DataColumn,
    as_float,
    condition_key,
    exact_number_of,
    factor_column,
    level_key,
)

Mask = NDArray[np.bool_]

_LARGEST = 1e120  # of numbers whose products are floats
_LARGEST_FLOAT = 1 << 53  # integers beyond it are not compared as floats


class CovariateColumn(NamedTuple):
    """A column of a covariate.

    Attributes:
        column: its numbers, or levels.
        exact: its values where floats are not compared: singles, and long integers; ``None``: floats are.
        gaps: its missing values.
    """

    column: DataColumn
    exact: NDArray[Any] | None
    gaps: tuple[Gap, ...]


def covariate_column(
    name: str, values: NDArray[Any], selected: Mask, *, is_factor: bool = False, order: Sequence[str] = ()
) -> CovariateColumn:
    """Return a covariate.

    Args:
        name: its name, in messages.
        values: the values of the rows.
        selected: the rows whose values are levels, and whose missing values are counted.
        is_factor: whether it is a factor, whatever its values.
        order: the order of its levels, if the type of the column has one.

    Raises:
        InvalidParameterError: a number is too large, or the levels of the type are numbers.
    """
    is_plain = values.dtype.kind in "iufb"
    if order and not is_factor and all(exact_number_of(label_form(text)) is not None for text in order):
        raise InvalidParameterError(
            f"the column {shown(name)} can be read in two ways: its type is categorical, and its levels are numbers; "
            f"write C({name}) in the formula for a factor, or give the column as numbers for a slope"
        )
    if is_plain and not is_factor:
        exact: NDArray[Any] | None = values if values.dtype == np.float32 else None
        if values.dtype.kind in "iu" and len(values) and np.abs(values.astype(np.float64)).max() > _LARGEST_FLOAT:
            exact = np.array(values.tolist(), object)
        numbers = values.astype(np.float64)
        _require_small(name, numbers, selected)
        return CovariateColumn(DataColumn(numbers), exact, _gaps(name, {"": np.isnan(numbers)}, selected))
    listed, place = _distinct(values)
    texts = [label_form(text_of(one)) for one in listed]
    known = {text for text in texts if not text or (not is_factor and text in OF_NUMBERS)}
    read = {text: exact_number_of(text) for text in texts if text not in known}
    missing = {text: np.isin(place, [i for i, own in enumerate(texts) if own == text]) for text in sorted(known)}
    if not is_factor and None not in read.values():
        plain = [read.get(text) for text in texts]
        numbers = np.array([np.nan if one is None else as_float(one) for one in plain], np.float64)[place]
        _require_small(name, numbers, selected)
        is_long = any(isinstance(one, int) and abs(one) > _LARGEST_FLOAT for one in plain)
        exact = np.array([0 if one is None else one for one in plain], object)[place] if is_long else None
        return CovariateColumn(DataColumn(numbers), exact, _gaps(name, missing, selected))
    missing = {text: own for text, own in missing.items() if not text}
    used = np.zeros(len(texts), bool)
    used[place[selected]] = True
    ranks = places_of_levels(order)
    met = {text for text, is_used in zip(texts, used, strict=True) if text and is_used}
    levels = sorted(met, key=lambda text: (ranks.get(text, len(ranks)), level_key(text)))
    places = {text: number for number, text in enumerate(levels)}
    numbers = np.array([places.get(text, np.nan) for text in texts], np.float64)[place]
    return CovariateColumn(DataColumn(numbers, tuple(levels)), None, _gaps(name, missing, selected))


def covariate_columns(
    data: Any, names: Iterable[str], factors: Iterable[str], conditions: Iterable[str], selected: Mask | None = None
) -> tuple[dict[str, DataColumn], tuple[Gap, ...]]:
    """Return covariates by name, with the values of comparisons that floats do not decide, and their missing values.

    Args:
        data: the frame.
        names: the columns.
        factors: those of them that are factors, whatever their values.
        conditions: the texts of comparisons in the formula.
        selected: as for ``covariate_column``; ``None``: all rows.
    """
    marked, found, exact, gaps = set(factors), dict[str, DataColumn](), dict[str, NDArray[Any]](), list[Gap]()
    for name in names:
        values = column(data, name, "formula")
        chosen = np.ones(len(values), bool) if selected is None else selected
        one = covariate_column(name, values, chosen, is_factor=name in marked, order=levels_of(data, name))
        found[name] = one.column
        gaps += one.gaps
        if one.exact is not None:
            exact[name] = one.exact
    for text in conditions:
        if not exact.keys().isdisjoint(read_factor(text).columns):
            found[condition_key(text)] = factor_column(text, found, exact)
    return found, tuple(gaps)


def _distinct(values: NDArray[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the distinct values of a column, and for each row the place of its value."""
    if values.dtype.kind in "iufbUS":
        own, place = distinct(values)
        return plain_values(own), place
    known: dict[Any, int] = {}
    every = [None if one is None or one != one else one for one in plain_values(values)]  # one missing value, not NaNs
    place = np.fromiter((known.setdefault(one, len(known)) for one in every), np.int64, len(every))
    return list(known), place


def _gaps(name: str, missing: Mapping[str, Mask], selected: Mask) -> tuple[Gap, ...]:
    counts = {text: int((own & selected).sum()) for text, own in missing.items()}
    return tuple(Gap(name, text, n) for text, n in counts.items() if n)


def _require_small(name: str, numbers: NDArray[np.float64], selected: Mask) -> None:
    if large := int((np.abs(numbers[selected]) > _LARGEST).sum()):
        raise InvalidParameterError(
            f"a column has numbers that are too large: received {with_noun(large, 'value')} of {shown(name)} beyond "
            f"{_LARGEST:g}; correct them"
        )
