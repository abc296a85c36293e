"""Rows of a regression: the responses, the covariates, the devices and the sample, with one array entry for each row.

A column is numerical if all of its values are numbers or missing; its first line alone does not decide. Messages never
contain the content of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.mechanisms import Mechanism
from rropt.mechanisms.left_inverse import left_inverse
from rropt.survey.regression.formulas import Column, level_key, number_of
from rropt.survey.regression.models import Responses
from rropt.survey.tables.counting import CountRequest, QuestionRead, Reading, SampleColumns, require_valid
from rropt.survey.tables.devices import mechanisms_of
from rropt.survey.tables.kinds import Texts, codes_of_values
from rropt.survey.tables.response_codes import MISSING, NO_ANSWER
from rropt.survey.tables.sampling import SampledRows
from rropt.survey.tables.sources import LARGEST, LEAST, Source, text_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIRECT = "direct"  # in a column of devices: the question was asked directly
_MOST_TEXTS = 2_000_000  # the largest number of distinct texts of a covariate


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table, as a likelihood needs them.

    Attributes:
        covariates: the covariates by column name.
        responses: the responses to each question with their devices; a missing response has the code -1.
        numbers: an outcome that is a number, in place of the responses to the first question.
        categories: the names of the categories of the first question: those of the mechanism, those of as many
            responses, or numbers.
        devices: the names of the devices of the first question.
        mechanisms: the different devices of all questions, without direct questions.
        missing: for each question and covariate the mask of the rows with a missing value.
        sample: the columns of the sampling design.
        reading: the report on the table.
    """

    covariates: dict[str, Column]
    responses: tuple[Responses, ...]
    numbers: Floats | None
    categories: tuple[str, ...]
    devices: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    missing: dict[str, NDArray[np.bool_]]
    sample: SampledRows
    reading: Reading


def read_columns(
    source: Source,
    names: Sequence[str],
    missing: Sequence[str] | None,
    texts: Mapping[str, str] | None = None,
    numbers: Mapping[str, str] | None = None,
    levels: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[dict[str, Column], dict[str, Any]]:
    """Read columns of covariates by name, and other columns by short names.

    A covariate is numerical if all of its texts are numbers or missing.

    Args:
        source: the table.
        names: the columns of the covariates.
        missing: the texts for a missing value; ``None``: ``NO_ANSWER``.
        texts: other columns, which are read as they are.
        numbers: other columns, which are read as floats, with NaN for other texts and missing values.
        levels: for columns that are factors of a fit their levels, which are no missing values.
    """
    words = NO_ANSWER if missing is None else ("", *(each.strip().lower() for each in missing))
    gaps = [*words, *NO_ANSWER]
    texts_of_numbers = [text.replace(",", ".") for text in gaps] if source.decimal_commas else gaps
    missing_numbers = [one for text in texts_of_numbers if (one := number_of(text)) is not None]
    short = {f"x{place}": name for place, name in enumerate(names)}
    known = {x: {level.lower() for level in levels.get(name, ())} for x, name in short.items()}

    every = {**short, **(texts or {}), **(numbers or {})}
    own_gaps = {x: [text for text in gaps if text not in known[x]] for x in short}
    factors = {x for x, count in source.texts_counted(short, own_gaps).items() if count}
    as_they_are = factors | (texts or {}).keys()
    found = source.rows(every, every.keys() - as_they_are)
    found |= {
        x: np.ma.filled(np.ma.asarray(found[x]).astype(np.float64), np.nan) for x in found if x not in as_they_are
    }
    own = {
        title: _factor(title, found[x], [text for text in words if text not in known[x]])
        if x in factors
        else _number(title, found[x], missing_numbers)
        for x, title in short.items()
    }
    return own, found


def _factor(name: str, values: Any, gaps: Sequence[str]) -> Column:
    texts = Texts()
    codes = codes_of_values(values, texts)
    if len(texts.list) > _MOST_TEXTS:
        raise FileFormatError(
            f"a column has too many different texts: received {len(texts.list)} in {shown(name)}; is it a column of "
            "numbers?"
        )
    levels = sorted((text for text in texts.list if text.lower() not in gaps), key=level_key)
    place_of = {text: place for place, text in enumerate(levels)}
    return Column(np.array([place_of.get(text, np.nan) for text in texts.list])[codes], tuple(levels))


def _number(name: str, values: Floats, missing: Sequence[float]) -> Column:
    """Return a column of numbers, with NaN for missing values; 999 is missing if the text 999 is."""
    values = np.where(np.isin(values, missing), np.nan, values)
    if (large := int((np.abs(values) > LARGEST).sum())) > 0:
        raise FileFormatError(
            f"a column has numbers that are too large: received {large} values of {shown(name)} beyond {LARGEST:g}; "
            "correct them, or name them as missing"
        )
    return Column(values)


def read_rows(
    source: Source,
    questions: Sequence[CountRequest],
    covariates: Sequence[str],
    *,
    is_number: bool = False,
) -> TableRows:
    """Read the rows of a table.

    Args:
        source: the table.
        questions: the question of the response with the sampling design, and of a second one, such as a randomized
            covariate.
        covariates: the columns of the covariates.
        is_number: whether the response to the first question is a number, which has no device.

    Raises:
        FileFormatError: there is an invalid response, a missing device, a name that is not a device, or an invalid
            weight, or devices have different categories.
        InfeasibleError: a device does not identify the distribution of the categories.
    """
    asked, sample = questions[0], questions[0].sample
    answers = {f"q{place}": one.columns[0] for place, one in enumerate(questions) if place or not is_number}
    answers |= {} if asked.devices is None else {"d": asked.devices}
    wanted = list(dict.fromkeys([*covariates, *asked.columns * is_number]))
    columns, found = read_columns(source, wanted, asked.missing, {**sample.labels, **answers}, sample.numbers)
    count = len(next(iter(found.values())))
    if not count:
        raise FileFormatError(f"data are empty: {source.name} contains no rows; give one line for each respondent")
    outcome = columns[asked.columns[0]].values if is_number else None
    if is_number and columns[asked.columns[0]].levels:
        raise InvalidParameterError(
            f"the outcome contains texts: received {shown(asked.columns[0])} for a linear model with a randomized "
            "covariate; give a column of numbers"
        )
    one_device: tuple[Ints, tuple[str, ...]] = np.zeros(count, np.int64), ("",)
    device, devices = one_device if asked.devices is None else _devices(source, asked.devices, found["d"])
    drawn = _sampled(source, sample, found, count)
    missing = {} if outcome is None else {asked.columns[0]: np.isnan(outcome)}
    responses: list[Responses] = []
    mechanisms: list[Mechanism] = []
    for question in questions[is_number:]:
        answer = codes_of_values(found[f"q{questions.index(question)}"], question.codes[0])
        missing[question.columns[0]] = answer == MISSING
        own = one_device if question.devices is None else (device, devices)
        one, used = _responses(source, question, answer, *own)
        responses.append(one)
        mechanisms += used
    for name, column in columns.items():
        missing[name] = missing.get(name, False) | np.isnan(column.values)
    gaps = int(missing[asked.columns[0]].sum())
    told = QuestionRead(asked.columns[0], count - gaps, gaps)
    k = responses[0].matrices.shape[2]
    named = () if asked.mechanism is None else asked.mechanism.categories
    names = named or asked.categories[0] or ()
    return TableRows(
        columns,
        tuple(responses),
        outcome,
        names if len(names) == k else tuple(map(str, range(k))),
        devices,
        tuple(dict.fromkeys(mechanisms)),
        missing,
        drawn,
        Reading(source.name, count, (told,), 0, source.remarks),
    )


def _sampled(source: Source, sample: SampleColumns, found: Mapping[str, Any], count: int) -> SampledRows:
    """Return the sampling design, with one entry for each row."""
    texts = {name: Texts() for name in sample.labels}
    columns: dict[str, Any] = {name: codes_of_values(found[name], texts[name]) for name in texts}
    columns["n"] = np.ones(count)
    for name in sample.numbers:
        values = found[name]
        bad = columns[f"bad_{name}"] = ~((values == 0) | ((values >= LEAST) & (values <= LARGEST)))
        values = np.where(bad, np.nan, values)
        columns |= {"weight": values} if name == "w" else {f"low_{name}": values, f"high_{name}": values}
    weight = columns.setdefault("weight", np.ones(count))
    return SampledRows(source, sample, columns | {"square": weight**2}, texts)


def _devices(source: Source, column: str, values: Any) -> tuple[Ints, tuple[str, ...]]:
    """Return the index of each row's device, and the names of the devices."""
    texts = Texts()
    device = codes_of_values(values, texts)
    if "" in texts.list:
        lines = source.rows_where(column, lambda value: not text_of(value), texts)
        raise FileFormatError(
            f"{source.where(lines)} of the data name{'s' * (len(lines) < 2)} no device in {shown(column)}: "
            f"give each row one ({DIRECT} where the question was asked directly), or leave the rows out"
        )
    return device, tuple(texts.list)


def _responses(
    source: Source, asked: CountRequest, answer: Ints, device: Ints, devices: Sequence[str]
) -> tuple[Responses, list[Mechanism]]:
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
    outputs = max(one.outputs for one in known)
    values, counts = np.unique(answer, return_counts=True)
    require_valid(source, asked, 0, dict(zip(values.tolist(), counts.tolist(), strict=True)), outputs)
    matrices, inverses = np.zeros((len(known), outputs, k)), np.zeros((len(known), k, outputs))
    for place, one in enumerate(known):
        matrices[place, : one.outputs] = one.matrix
        inverses[place, :, : one.outputs] = left_inverse(one, (Fraction(1, k),) * k)
    impossible = ~matrices[device, answer].any(axis=1) & (answer != MISSING)
    if impossible.any():
        raise FileFormatError(
            f"{int(impossible.sum())} responses are impossible under their device: received responses whose row of "
            "the matrix is zero; check the mechanism, the categories and the column of devices"
        )
    return Responses(matrices, inverses, device, answer), drawn
