"""Rows of a regression: the responses, the covariates, the devices and the sample, with one array entry for each row.

A column is numerical if all of its values are numbers or missing; its first line alone does not decide. Messages never
contain the content of a row.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rropt.answers.response_codes import MISSING, NO_ANSWER, OF_NUMBERS, codes_of_values
from rropt.answers.table_reports import Gap, TableReading
from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.core.normal_form import label_form, normal, text_of
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism
from rropt.mechanisms.named import has_other_responses
from rropt.mechanisms.subsets import output_sets
from rropt.mechanisms.words import TRAIT
from rropt.regression import (
    DataColumn,
    DeviceResponses,
    TableRows,
    as_float,
    condition_key,
    device_responses,
    exact_number_of,
    factor_column,
    level_key,
    read_factor,
)
from rropt_fieldwork.reading.counting import CountRequest, SampleColumns, require_design, require_valid
from rropt_fieldwork.reading.device_columns import mechanisms_of
from rropt_fieldwork.reading.kinds import Texts, gaps_of, order_of, require_no_errors
from rropt_fieldwork.reading.missing import missing_remarks
from rropt_fieldwork.reading.sampling_designs import SampledRows, sampled_of
from rropt_fieldwork.reading.sources import LARGEST, LEAST, SELECTED, Source

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIRECT = "direct"  # in a column of devices: the question was asked directly
_WORDS = ("none", "None", "NONE", "refused", "Refused", "REFUSED", "verweigert", "Verweigert")  # missing, or a level
_MOST_TEXTS = 2_000_000  # the largest number of distinct texts of a covariate


class ReadColumns(NamedTuple):
    """Columns of a table, by row.

    Attributes:
        source: the table, with the meaning of points and commas in its numbers.
        covariates: the covariates, by column.
        others: the other columns, by their short names.
        gaps: the missing values of the covariates, by column and text, of selected rows.
        selected: which rows are selected.
    """

    source: Source
    covariates: dict[str, DataColumn]
    others: dict[str, Any]
    gaps: list[Gap]
    selected: NDArray[np.bool_]


def read_columns(
    source: Source,
    names: Sequence[str],
    missing: Mapping[str, Sequence[str]] = MappingProxyType({}),
    texts: Mapping[str, str] | None = None,
    numbers: Mapping[str, str] | None = None,
    factors: Collection[str] = (),
    conditions: Collection[str] = (),
    *,
    is_domain: bool = False,
) -> ReadColumns:
    """Read columns of covariates by name, and other columns by short names.

    A covariate is numerical if all of its texts are numbers or missing. Empty cells are missing, the texts that are
    named for the column and, among numbers, what software writes for a missing number. In a factor ``NA`` may be
    Namibia, and ``none`` a level of education.

    Args:
        source: the table.
        names: the columns of the covariates.
        missing: the texts for a missing value, by column.
        texts: other columns, which are read as they are.
        numbers: other columns, which are read as floats, with NaN for other texts and missing values.
        factors: the covariates that are factors, whatever their values. Long integers among them are read as texts.
        conditions: the texts of comparisons in the formula. Those of columns whose doubles are not compared, singles
            and long integers, are among the covariates of the result, under the name that ``condition_key`` returns.
        is_domain: whether to read the rows that are not selected too.

    Raises:
        FileFormatError: beside numbers, a column has a word alone that is a missing value or a level, or the numbers
            can be read in two ways, or in none.
    """
    ignored = {text.lower() for text in (*NO_ANSWER, *chain.from_iterable(missing.values()))}
    source = source.with_marks((numbers or {}).values(), [name for name in names if name not in factors], ignored)
    short = {f"x{place}": name for place, name in enumerate(names)}
    own = {x: (*missing.get(name, ()), *(() if name in factors else OF_NUMBERS)) for x, name in short.items()}
    compared = {name for text in conditions for name in read_factor(text).columns}
    exactly = {x for x, name in short.items() if name in factors or name in compared or missing.get(name)}
    counts = source.texts_counted(short, {x: list(dict.fromkeys((*own[x], *_WORDS))) for x in short}, exactly)
    met = {x: {text: n for text, n in counts[x].listed.items() if n} for x in short}
    numerical = set()
    for x, name in short.items():
        words = {text: n for text, n in met[x].items() if text not in own[x]}
        others = counts[x].texts - sum(met[x].values()) + sum(words.values())
        if others and counts[x].numbers and name not in factors and sum(words.values()) == others:
            raise _words_beside_numbers(name, counts[x].numbers, others, list(words))
        if not others and (counts[x].numbers or not counts[x].texts):
            if normal(name) in source.categorical and counts[x].numbers and name not in factors:
                raise FileFormatError(
                    f"the column {shown(name)} can be read in two ways: its type is categorical, and its levels are "
                    f"numbers; write C({name}) in the formula for a factor, or give the column as numbers for a slope"
                )
            numerical.add(x)
    long = {x for x in numerical if counts[x].long}
    numerical -= {x for x in long if short[x] in factors}
    every = {**short, **(texts or {}), **(numbers or {})}
    every |= {f"exact_{x}": short[x] for x in long & numerical}
    every |= {"k": SELECTED} if is_domain and source.is_selected else {}
    read = source.with_all_rows() if is_domain else source
    rows = read.rows(every, numerical | (numbers or {}).keys())
    count = len(next(iter(rows.values())))
    selected = np.asarray(rows.pop("k", np.ones(count)), bool)
    rows |= {x: np.ma.filled(np.ma.asarray(rows[x]).astype(np.float64), np.nan) for x in rows if x in numerical}
    rows |= {x: np.ma.filled(np.ma.asarray(rows[x]).astype(np.float64), np.nan) for x in numbers or ()}
    exact: dict[str, NDArray[Any]] = {}  # by column: values of which the doubles are not compared
    for x in numerical:
        name = short[x]
        if source.is_single(name):
            exact[name] = rows[x].astype(np.float32)
        elif (values := rows.pop(f"exact_{x}", None)) is not None and values.dtype.kind != "f":
            exact[name] = np.array([_exact(source, value) for value in values.tolist()], object)
    covariates, gaps = {}, []
    for x, name in short.items():
        if x in numerical:
            texts_met = {text: n for text, n in met[x].items() if text in own[x]}
            own_texts = missing.get(name, ())
            values = exact.get(name, rows[x])
            covariates[name], found = _number(source, name, rows.pop(x), values, selected, own_texts, texts_met)
        else:
            order = order_of(source.orders.get(normal(name), ()))
            covariates[name], found = _factor(name, rows.pop(x), selected, {"", *missing.get(name, ())}, order)
            require_no_errors(source, name, covariates[name].levels)
        gaps += found
    for text in conditions:
        if not exact.keys().isdisjoint(read_factor(text).columns):
            covariates[condition_key(text)] = factor_column(text, covariates, exact)
    return ReadColumns(source, covariates, rows, gaps, selected)


def _words_beside_numbers(name: str, numbers: int, others: int, words: Sequence[str]) -> FileFormatError:
    """Return the error for a column of numbers and of words that are missing values or levels."""
    return FileFormatError(
        f"the column {shown(name)} can be read in two ways: received {with_noun(numbers, 'number')}, "
        f"and {others} times {' or '.join(map(shown, words))}; if {shown(words[0])} stands for a missing value, "
        f"name it (`missing={name}={words[0]}`); if it is a level, write C({name}) in the formula"
    )


def _exact(source: Source, value: object) -> int | float:
    """Return the number of a value, a whole number exactly; 0 for a missing value."""
    if isinstance(value, str):
        text = label_form(text_of(value))
        return (exact_number_of(source.marks.plain(text)) if source.marks.fits(text) else None) or 0
    return value if isinstance(value, int | float) and value == value else 0


def _factor(
    name: str,
    values: Any,
    selected: NDArray[np.bool_],
    known: Collection[str],
    order: Callable[[str], tuple[int, str]],
) -> tuple[DataColumn, list[Gap]]:
    """Return a column of texts with the levels of the selected rows, and its missing values."""
    texts, known = Texts(), {*map(label_form, known)}
    codes = codes_of_values(values, texts)
    if len(texts.list) > _MOST_TEXTS:
        raise FileFormatError(
            f"a column has too many different texts: received {len(texts.list)} in {shown(name)}; is it a column of "
            "numbers?"
        )
    n = np.bincount(codes, selected, len(texts.list)).astype(np.int64)
    met = (text for text, count in zip(texts.list, n, strict=True) if count and label_form(text) not in known)
    levels = sorted(met, key=lambda text: (order(text)[0], level_key(text)))
    place_of = {text: place for place, text in enumerate(levels)}
    gaps = [place for place, text in enumerate(texts.list) if label_form(text) in known]
    column = DataColumn(np.array([place_of.get(text, np.nan) for text in texts.list])[codes], tuple(levels))
    return column, gaps_of(name, [texts.list[place] for place in gaps], n[gaps])


def _number(
    source: Source,
    name: str,
    values: Floats,
    exact: NDArray[Any],
    selected: NDArray[np.bool_],
    known: Collection[str],
    texts: Mapping[str, int],
) -> tuple[DataColumn, list[Gap]]:
    """Return a column of numbers, with NaN for missing values; 999 is missing if the text 999 is.

    Args:
        source, name, values, selected: the table, the name of the column, its numbers, and the selected rows.
        exact: the numbers as they are compared: as doubles, singles, or integers of any size.
        known: the texts for a missing value.
        texts: those that are no numbers, with the number of rows of each.
    """
    counts = {"": int(np.isnan(values[selected]).sum()) - sum(texts.values()), **texts}
    for text in known:
        number = exact_number_of(label_form(source.marks.plain(text))) if source.marks.fits(text) else None
        if number is not None and exact.dtype != object:
            number = exact.dtype.type(as_float(number))
        if number is not None and (met := (exact == number) & ~np.isnan(values)).any():
            counts[text] = int(met[selected].sum())
            values = np.where(met, np.nan, values)
    if (large := int((np.abs(values[selected]) > LARGEST).sum())) > 0:
        raise FileFormatError(
            f"a column has numbers that are too large: received {with_noun(large, 'value')} of {shown(name)} beyond "
            f"{LARGEST:g}; correct them, or name them as missing"
        )
    met_texts = {text: n for text, n in counts.items() if n}
    return DataColumn(values), gaps_of(name, met_texts, met_texts.values()) if met_texts else []


def read_rows(
    source: Source,
    questions: Sequence[CountRequest],
    covariates: Sequence[str],
    *,
    is_number: bool = False,
    factors: Collection[str] = (),
    conditions: Collection[str] = (),
    is_contrast: bool = False,
    is_sampled: bool = False,
) -> TableRows:
    """Read the rows of a table.

    Args:
        source: the table.
        questions: the question of the response with the sampling design, and of a second one, such as a randomized
            covariate.
        covariates: the columns of the covariates.
        is_number: whether the response to the first question is a number, which has no device.
        factors: the covariates that are factors, whatever their values.
        conditions: the texts of comparisons in the formula.
        is_contrast: whether the devices determine the truth only together; their inverses are then 0.
        is_sampled: whether the rows are a sample in any case, simple where the design has no columns.

    Raises:
        FileFormatError: there is an invalid response, a missing device, a name that is not a device, or an invalid
            weight, or devices have different categories.
        InfeasibleError: a device does not identify the distribution of the categories.
    """
    asked, sample = questions[0], questions[0].sample
    answers = {f"q{place}": one.columns[0] for place, one in enumerate(questions) if place or not is_number}
    answers |= {} if asked.devices is None else {"d": asked.devices}
    wanted = list(dict.fromkeys([*covariates, *asked.columns * is_number]))
    if asked.missing is not None:  # a row without its device or place in the sample
        require_design(source, asked)
    named = {name: () if asked.missing is None else asked.gaps.of_column(name) for name in wanted}
    if is_number:
        named[asked.columns[0]] += asked.gaps.answers or ()
    others = {**sample.labels, **answers}
    source, columns, found, gaps, selected = read_columns(
        source, wanted, named, others, sample.numbers, factors, conditions, is_domain=sample.is_complex
    )
    count = len(next(iter((*(column.values for column in columns.values()), *found.values()))))
    if not count:
        raise FileFormatError(f"data are empty: {source.name} contains no rows; give one line for each respondent")
    outcome = _numbers_of(asked.columns[0], columns) if is_number else None
    one_device: tuple[Ints, tuple[str, ...]] = np.zeros(count, np.int64), ("",)
    device, devices = one_device if asked.devices is None else _devices(source, asked.devices, found["d"], selected)
    every, ones = source.with_all_rows() if source.is_selected else source, np.ones(count)
    drawn = SampledRows(every, sample, {"n": ones, "weight": ones, "square": ones}, {})
    if sample.names:
        drawn = _sampled(every, sample, found, count)
    missing = {} if outcome is None else {asked.columns[0]: np.isnan(outcome)}
    responses: list[DeviceResponses] = []
    mechanisms: list[Mechanism] = []
    for question in questions[is_number:]:
        values = found[f"q{questions.index(question)}"]
        answer = np.full(count, MISSING, np.int64)
        answer[selected] = codes_of_values(values[selected], question.codes[0])
        missing[question.columns[0]] = answer == MISSING
        is_gap = missing[question.columns[0]] & selected
        if is_gap.any():
            gaps += gaps_of(question.columns[0], map(text_of, values[is_gap].tolist()), repeat(1))
        own = one_device if question.devices is None else (device, devices)
        one, used = _responses(source, question, answer, *own, is_contrast=is_contrast)
        responses.append(one)
        mechanisms += used
    for name in wanted:
        missing[name] = missing.get(name, False) | np.isnan(columns[name].values)
    without, rows = int(missing[asked.columns[0]][selected].sum()), int(selected.sum())
    levels = {name: columns[name].levels for name in covariates}
    remarks: tuple[str, ...] = ()
    if asked.missing is not None or any(levels.values()):
        remarks = missing_remarks(asked.gaps, [one.columns[0] for one in questions], gaps, levels, source.names)
    return TableRows(
        columns,
        tuple(responses),
        outcome,
        _names_of_categories(asked, responses[0].matrices.shape[2]),
        devices,
        tuple(dict.fromkeys(mechanisms)) if len(mechanisms) > 1 else tuple(mechanisms),
        missing,
        sampled_of(drawn) if sample.is_complex or is_sampled else None,
        selected,
        TableReading.of(source.name, rows, {asked.columns[0]: without}, gaps, remarks=(*source.remarks, *remarks)),
    )


def _names_of_categories(asked: CountRequest, k: int) -> tuple[str, ...]:
    """Return the names of the k categories of a response, or their numbers."""
    own_devices = [*(asked.device_names or {}).values()] if asked.mechanism is None else [asked.mechanism]
    are_sets = k > 2 and any(map(output_sets, own_devices))  # a set of one of two categories is this category
    written = () if are_sets else asked.categories[0]
    names = (() if asked.mechanism is None else asked.mechanism.categories) or written or ()
    if any(map(has_other_responses, own_devices)):
        names = TRAIT  # the responses are no answers to the question
    return tuple(names) if len(names) == k else tuple(map(str, range(k)))


def _sampled(source: Source, sample: SampleColumns, found: Mapping[str, Any], count: int) -> SampledRows:
    """Return the sampling design, with one entry for each row."""
    texts = {name: Texts() for name in sample.labels}
    columns: dict[str, Any] = {name: codes_of_values(found[name], texts[name]) for name in texts}
    columns["n"] = np.ones(count)
    for name in sample.numbers:
        values = found[name]
        size = np.abs(values) if name.startswith("r") else values  # a replicate weight may be negative
        bad = columns[f"bad_{name}"] = ~((size == 0) | ((size >= LEAST) & (size <= LARGEST)))
        values = np.where(bad, np.nan, values)
        if name.startswith("r"):
            columns[name] = values
            continue
        columns |= {"weight": values} if name == "w" else {f"low_{name}": values, f"high_{name}": values}
    weight = columns.setdefault("weight", columns["n"])
    return SampledRows(source, sample, columns | {"square": weight**2}, texts)


def _numbers_of(name: str, columns: Mapping[str, DataColumn]) -> Floats:
    """Return the numbers of an outcome.

    Raises:
        InvalidParameterError: it contains texts.
    """
    if columns[name].levels:
        raise InvalidParameterError(
            f"the outcome contains texts: received {shown(name)} for a linear model with a randomized covariate; give "
            "a column of numbers"
        )
    return columns[name].values


def _devices(source: Source, column: str, values: Any, selected: NDArray[np.bool_]) -> tuple[Ints, tuple[str, ...]]:
    """Return the index of each row's device, and the names of the devices; rows that are not selected need none."""
    texts = Texts()
    device = codes_of_values(np.where(selected, values, values[np.argmax(selected)]), texts)
    if "" in texts.list:
        lines = source.rows_where(column, lambda value: not text_of(value), texts)
        raise FileFormatError(
            f"{source.where(lines)} of the data name{'s' * (len(lines) < 2)} no device in {shown(column)}: "
            f"give each row one ({DIRECT} where the question was asked directly), or leave the rows out"
        )
    require_no_errors(source, column, texts.list)
    return device, tuple(texts.list)


def _responses(
    source: Source,
    asked: CountRequest,
    answer: Ints,
    device: Ints,
    devices: Sequence[str],
    *,
    is_contrast: bool = False,
) -> tuple[DeviceResponses, list[Mechanism]]:
    """Return the responses with the matrices of their devices, and the mechanisms of those that are not direct."""
    is_direct = asked.mechanism is None and asked.devices is None
    is_word = DIRECT in devices and DIRECT not in (asked.device_names or ())
    direct = list(devices) if is_direct else [DIRECT] * is_word
    found = {  # one by one: devices may have different numbers of outputs
        name: mechanisms_of(source, asked, [name])[name].factors[0] for name in devices if name not in direct
    }
    drawn = list(found.values())
    k = drawn[0].inputs if drawn else len(asked.categories[0] or (0, 1))
    if direct:
        found |= dict.fromkeys(direct, Mechanism([[int(i == j) for j in range(k)] for i in range(k)]))
    known = [found[name] for name in devices]
    sizes = {one.inputs for one in known}
    if len(sizes) > 1:
        raise FileFormatError(
            f"the devices ask for different categories: received {', '.join(map(str, sorted(sizes)))} categories; "
            "allowed are devices for the same ones"
        )
    values, counts = np.unique(answer, return_counts=True)
    outputs = max(one.outputs for one in known)
    require_valid(source, asked, 0, dict(zip(values.tolist(), counts.tolist(), strict=True)), outputs)
    return device_responses(known, device, answer, is_contrast=is_contrast), drawn
