"""Rows of a regression: the responses, the covariates, the devices and the sample, with one array entry for each row.

A column is numerical if all of its values are numbers or missing; its first line alone does not decide. Messages never
contain the content of a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.core.errors import FileFormatError, InvalidParameterError, shown
from rropt.mechanisms import Mechanism
from rropt.mechanisms.question_inverses import inverses_of
from rropt.survey.regression.formulas import Column, plain_float
from rropt.survey.regression.models import Responses
from rropt.survey.tables.counting import CountRequest, require_valid
from rropt.survey.tables.devices import mechanisms_of
from rropt.survey.tables.kinds import Kinds, SampleColumns, Texts, given_columns
from rropt.survey.tables.response_codes import MISSING, NO_ANSWER
from rropt.survey.tables.sources import Source, as_float_column, text_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DIRECT = "direct"  # in a column of devices: the question was asked directly
_MOST_TEXTS = 2_000_000  # the largest number of distinct texts of a covariate
_LARGEST = 1e120  # larger numbers overflow in products


class SampleRows(Kinds):
    """The sample of a table with one entry for each row, unlike ``Kinds``, where equal respondents share an entry."""

    def __init__(self, source: Source, sample: SampleColumns, found: Mapping[str, Any], rows: int) -> None:
        self.source, self.sample = source, sample
        self.labels = given_columns({"s": sample.strata, "c": sample.clusters}, "t", sample.post_strata)
        self.numbers = given_columns({"w": sample.weights}, "f", sample.fpc)
        self.texts = {name: Texts() for name in self.labels}
        columns: dict[str, Any] = {name: _numbered(self.texts[name], found[name]) for name in self.labels}
        for name in self.numbers:
            values = _floats(found[name])
            columns[f"bad_{name}"] = ~((values >= 0) & np.isfinite(values))
            columns |= {"weight": values} if name == "w" else {f"low_{name}": values, f"high_{name}": values}
        self.columns = {"n": np.ones(rows)}
        if rows:
            self._require_readable(columns)
        self.strata = self.texts.pop("s", Texts()).list
        self.texts.clear()
        self.columns |= {name: columns[name] for name in columns if name not in self.labels}
        self.columns |= self._numbered(columns)
        self.columns.setdefault("weight", np.ones(rows))
        self.columns["square"] = self.columns["weight"] ** 2
        self.places = [np.arange(rows)]


@dataclass(frozen=True, slots=True)
class TableRows:
    """The input of a regression from a table.

    Attributes:
        covariates: the covariates by column name.
        answer: the code of each row's response; -1 for a missing response. ``None`` if the outcome is in ``numbers``.
        numbers: an outcome that is a number.
        latent: the codes of the randomized covariate; ``None`` without such a covariate.
        device: the index in ``devices`` of each row's device.
        devices: the names of the devices.
        sample: the columns of the sampling design.
        rows: the number of rows.
    """

    covariates: dict[str, Column]
    answer: Ints | None
    numbers: Floats | None
    latent: Ints | None
    device: Ints
    devices: tuple[str, ...]
    sample: SampleRows
    rows: int


def _numbered(texts: Texts, values: Any) -> Ints:
    listed = values.tolist()
    return np.fromiter(map(texts.__getitem__, listed), np.int64, len(listed))


def _floats(values: Any) -> Floats:
    """Return numbers as floats, with NaN for missing values."""
    found: Floats = np.ma.filled(np.ma.asarray(values).astype(np.float64), np.nan)
    return found


def _gap(column: Any, gaps: Sequence[str]) -> Any:
    """Return the condition that a text marks a missing value."""
    return column.isnull() | column.strip().lower().isin(list(gaps))


def read_covariates(source: Source, names: Sequence[str], missing: Sequence[str] | None) -> dict[str, Column]:
    """Read columns of covariates only, for example those of new rows."""
    kinds = _kinds(source, names, missing)
    found = source.found(dict(kinds.chosen), lambda t: t.select(**kinds.selected(t)))
    return kinds.columns(found)


@dataclass(frozen=True, slots=True)
class _Covariates:
    """Columns of covariates, and which of them are numerical."""

    names: tuple[str, ...]
    numeric: tuple[bool, ...]
    missing: tuple[str, ...]
    commas: bool

    @property
    def chosen(self) -> dict[str, str | int]:
        return {f"x{place}": name for place, name in enumerate(self.names)}

    def selected(self, table: Any) -> dict[str, Any]:
        return {
            name: as_float_column(table[name], commas=self.commas) if numeric else table[name]
            for name, numeric in zip(self.chosen, self.numeric, strict=True)
        }

    def columns(self, found: Mapping[str, Any]) -> dict[str, Column]:
        columns = {}
        for place, (name, numeric) in enumerate(zip(self.names, self.numeric, strict=True)):
            values = found[f"x{place}"]
            if numeric:
                columns[name] = Column(self._numbers(name, values))
                continue
            texts = Texts()
            codes = _numbered(texts, values)
            if len(texts.list) > _MOST_TEXTS:
                raise FileFormatError(
                    f"a column has too many different texts: received {len(texts.list)} in {shown(name)}; is it a "
                    "column of numbers?"
                )
            levels = tuple(text for text in texts.list if text.lower() not in self.missing)
            place_of = {text: at for at, text in enumerate(levels)}
            columns[name] = Column(
                None, np.array([place_of.get(text, -1) for text in texts.list], np.int64)[codes], levels
            )
        return columns

    def _numbers(self, name: str, values: Any) -> Floats:
        """Return the numbers of a column, with NaN for missing values; 999 is missing if the text 999 is."""
        found = _floats(values)
        texts = [text.replace(",", ".") if self.commas else text for text in self.missing]
        found[np.isin(found, [plain_float(text) for text in texts if _is_number(text)])] = np.nan
        if (large := int((np.abs(found) > _LARGEST).sum())) > 0:
            raise FileFormatError(
                f"a column has numbers that are too large: received {large} values of {shown(name)} beyond "
                f"{_LARGEST:g}; correct them, or name them as missing"
            )
        return found


def _is_number(text: str) -> bool:
    try:
        plain_float(text)
    except ValueError:
        return False
    return True


def _kinds(source: Source, names: Sequence[str], missing: Sequence[str] | None) -> _Covariates:
    """Determine the numerical columns: columns of numbers, and columns of texts that are all numbers."""
    gaps = tuple({*NO_ANSWER, *(each.strip().lower() for each in missing or ())})
    chosen: dict[str, str | int] = {f"x{place}": name for place, name in enumerate(names)}
    if not names:
        return _Covariates((), (), gaps, source.decimal_commas)

    def wrong(table: Any) -> Any:
        sums = {}
        for name in chosen:
            column = table[name]
            if column.type().is_string():
                bad = as_float_column(column, commas=source.decimal_commas).isnull() & ~_gap(column, gaps)
                sums[name] = bad.cast("int64").sum()
            else:
                sums[name] = table.count() * 0
        return table.aggregate(**sums)

    found = source.found(chosen, wrong)
    numeric = tuple(int(np.ma.filled(np.ma.asarray(found[name]), 0)[0] or 0) == 0 for name in chosen)
    return _Covariates(tuple(names), numeric, gaps, source.decimal_commas)


def read_rows(
    source: Source,
    asked: CountRequest,
    sample: SampleColumns,
    covariates: Sequence[str],
    *,
    latent: CountRequest | None,
    is_number: bool,
) -> TableRows:
    """Read the rows of a table.

    Args:
        source: the table.
        asked: the request for the response, with the column of devices.
        sample: the columns of the sampling design.
        covariates: the columns of the covariates.
        latent: the request for the randomized covariate.
        is_number: whether the outcome is a number.

    Raises:
        FileFormatError: there is an invalid response, a missing device, or an invalid weight.
    """
    kinds = _kinds(source, covariates, asked.missing)
    response = asked.columns[0]
    labels = given_columns({"s": sample.strata, "c": sample.clusters}, "t", sample.post_strata)
    numbers = given_columns({"w": sample.weights}, "f", sample.fpc)
    chosen: dict[str, str | int] = {**kinds.chosen, **labels, **numbers, "q": response}
    chosen |= {} if asked.devices is None else {"d": asked.devices}
    chosen |= {} if latent is None else {"z": latent.columns[0]}

    def rows(table: Any) -> Any:
        as_number = {name: as_float_column(table[name], commas=source.decimal_commas) for name in numbers}
        if is_number:
            as_number["q"] = as_float_column(table["q"], commas=source.decimal_commas)
        plain = {name: table[name] for name in (*labels, "q", "d", "z") if name in chosen and name not in as_number}
        return table.select(**kinds.selected(table), **plain, **as_number)

    if is_number:
        own = _kinds(source, [response], asked.missing)
        if not own.numeric[0]:
            raise InvalidParameterError(
                f"the outcome contains texts: received {shown(response)} for a linear model with a randomized "
                f"covariate; "
                "give a column of numbers"
            )
    found = dict(source.found(chosen, rows))
    count = len(found["q"])
    if not count:
        raise FileFormatError(f"data are empty: {source.name} contains no rows; give one line for each respondent")
    answer = None if is_number else _codes(asked, found["q"])
    held = _codes(latent, found["z"]) if latent is not None else None
    device = np.zeros(count, np.int64)
    devices: tuple[str, ...] = ("",)
    if asked.devices is not None:
        texts = Texts()
        device = _numbered(texts, found["d"])
        if "" in texts.list:
            lines = source.lines_of({asked.devices: [value for value in texts if not text_of(value)]})
            raise FileFormatError(
                f"{source.where(lines)} of the data name{'s' * (len(lines) < 2)} no device in {shown(asked.devices)}: "
                f"give each row one ({DIRECT} where the question was asked directly), or leave the rows out"
            )
        devices = tuple(texts.list)
    return TableRows(
        kinds.columns(found),
        answer,
        _floats(found["q"]) if is_number else None,
        held,
        device,
        devices,
        SampleRows(source, sample, found, count),
        count,
    )


def _codes(asked: CountRequest, values: Any) -> Ints:
    listed = values.tolist()
    return np.fromiter(map(asked.codes_of(0).__getitem__, listed), np.int64, len(listed))


def responses_of(
    source: Source,
    asked: CountRequest,
    answer: Ints,
    device: Ints,
    devices: Sequence[str],
    mechanism: Mechanism | str | None,
    device_names: Mapping[str, Mechanism | str] | None,
) -> Responses:
    """Return the responses of all rows with the matrices of their devices; a missing response gets the code 0.

    Raises:
        FileFormatError: a name is not a device, devices have different categories, or a response is invalid.
        InfeasibleError: a device does not identify the distribution of the categories.
    """
    known = known_devices(source, asked, devices, mechanism, device_names)
    sizes = {one.inputs for one in known}
    if len(sizes) > 1:
        raise FileFormatError(
            f"the devices ask for different categories: received {', '.join(map(str, sorted(sizes)))} categories; "
            "allowed are devices for the same ones"
        )
    outputs = max(one.outputs for one in known)
    values, counts = np.unique(answer, return_counts=True)
    codes = dict(zip(values.tolist(), counts.tolist(), strict=True))
    require_valid(source, asked, 0, codes, outputs)
    k = known[0].inputs
    matrices, inverses = np.zeros((len(known), outputs, k)), np.zeros((len(known), k, outputs))
    for place, one in enumerate(known):
        matrices[place, : one.outputs] = np.array([[float(x) for x in row] for row in one.matrix])
        inverses[place, :, : one.outputs] = np.array([[float(x) for x in row] for row in inverses_of([one])[0]])
    safe = np.where(answer == MISSING, 0, answer)
    impossible = ~matrices[device, safe].any(axis=1) & (answer != MISSING)
    if impossible.any():
        raise FileFormatError(
            f"{int(impossible.sum())} responses are impossible under their device: received responses whose row of "
            "the matrix is zero; check the mechanism, the categories and the column of devices"
        )
    return Responses(matrices, inverses, device, safe)


def known_devices(
    source: Source,
    asked: CountRequest,
    devices: Sequence[str],
    mechanism: Mechanism | str | None,
    device_names: Mapping[str, Mechanism | str] | None,
) -> list[Mechanism]:
    """Return the mechanism of each device; ``direct`` is the identity matrix."""
    if mechanism is not None:
        return [mechanisms_of(source, asked, (), mechanism, None)[""].factors[0]]
    plain = [name for name in devices if name != DIRECT or (device_names is not None and DIRECT in device_names)]
    found: dict[str, Mechanism] = {}
    for name in plain:  # one by one: devices may have different numbers of outputs
        found[name] = mechanisms_of(source, asked, [name], None, device_names)[name].factors[0]
    if len(plain) < len(devices):
        names = asked.categories_of(0)
        k = next(iter(found.values())).inputs if found else len(names) if names else 2
        found[DIRECT] = Mechanism([[int(i == j) for j in range(k)] for i in range(k)])
    return [found[name] for name in devices]


def missing_values(table: TableRows, response: str, latent: str | None) -> dict[str, NDArray[np.bool_]]:
    """Return for each column the mask of the rows with a missing value."""
    own = table.answer == MISSING if table.answer is not None else np.isnan(table.numbers)  # type: ignore[arg-type]
    found = {response: np.asarray(own)}
    if latent is not None and table.latent is not None:
        found[latent] = table.latent == MISSING
    for name, column in table.covariates.items():
        found[name] = found.get(name, np.zeros(table.rows, bool)) | column.missing
    return found
