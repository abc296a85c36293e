"""The devices of a table, and the responses by device.

A respondent has the device of all, or the one that a column names. The responses are the counts of one question, or the
joint responses to all questions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rropt.answers import TableReading
from rropt.answers.data_columns import Ints
from rropt.answers.respondent_kinds import RespondentKinds
from rropt.answers.response_codes import MISSING
from rropt.core.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.core.files import parse_json, read_text
from rropt.core.lazy import numpy as np
from rropt.core.normal_form import label_form, text_of
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.mechanisms.imports import claimed_mechanism, mechanism_of_argument
from rropt_fieldwork.reading.counting import CountRequest, labelled_by, reading_of
from rropt_fieldwork.reading.kinds import AnswerCounts, kinds_of, missing_of
from rropt_fieldwork.reading.sources import Source
from rropt_fieldwork.reading.table import table_of

if TYPE_CHECKING:
    from rropt.answers import Answers


def require_one_device(mechanism: object, devices: str | None) -> None:
    """Require either a mechanism or a column of devices, not both."""
    if (mechanism is None) == (devices is None):
        raise InvalidParameterError(
            "a mechanism is required: give `mechanism`, or `devices=COLUMN` where the rows of the data name it, not "
            "both"
        )


def load_devices(path: str, column: str | None) -> dict[str, Mechanism]:
    """Read the file that maps names to devices.

    Args:
        path: the path of a JSON object that maps names to mechanisms. A mechanism is written out, or is the name of a
            design or of a file. The user writes this file, so file names are allowed in it. They are not allowed in the
            column of devices.
        column: the column of the data that contains the names.

    Raises:
        FileAccessError, FileFormatError: the file cannot be read, is not such an object, or no column is given.
        InvalidMechanismError: the value of a name is not a mechanism.
    """
    what = "the file of devices"
    data = parse_json(read_text(path, what=what), what=what, is_repeated=False)  # it may be the data by mistake
    if column is None or not isinstance(data, dict) or not data:
        raise FileFormatError(
            f"the file of devices does not fit: received {shown(path)}; allowed is a JSON object with a mechanism for "
            'each name, {"A": "warner:3/4"}, together with `devices=COLUMN`'
        )
    return {
        name: mechanism_of_argument(value) if isinstance(value, str) else Mechanism.from_dict(claimed_mechanism(value))
        for name, value in data.items()
    }


def mechanisms_of(source: Source, asked: CountRequest, devices: Iterable[str]) -> dict[str, Mechanism]:
    """Return the mechanism for each name of a device; all have the same questions.

    Devices without names have those of the responses in the data.
    """
    if (made := asked.mechanism) is not None:
        known = {"": made}
    else:
        known = {text: _device(source, asked, text) for text in devices}
    for name, made in known.items():
        if len(made.factors) == 1:  # in its own form, such as blocks
            known[name] = made.factors[0]
            _ = known[name].matrix  # one of too many entries is refused
    sizes = {name: [device.outputs for device in product.factors] for name, product in known.items()}
    listed = list(sizes.values())
    if any(other != listed[0] for other in listed):
        raise FileFormatError(
            f"the mechanisms of the column {shown(asked.devices)} ask different questions: received {shown(listed)} "
            "answers to the questions; allowed are equal ones"
        )
    if len(listed[0]) != len(asked.titles):
        raise InvalidParameterError(
            f"the columns do not fit the mechanism: received {with_noun(len(asked.titles), 'name')}; allowed are "
            f"{len(listed[0])}, "
            "one for each question"
        )
    for question, (title, size) in enumerate(zip(asked.titles, listed[0], strict=True)):
        names = asked.categories[question]
        if names is not None and len(names) != size:
            raise InvalidParameterError(
                f"the categories do not fit the mechanism: received {with_noun(len(names), 'name')} for "
                f"{shown(title)}; allowed are "
                f"as many as its answers, {size}; where questions differ give a list for each column"
            )
    for name, made in known.items():
        named_by = zip(made.factors, asked.categories, strict=True)
        factors = [factor if names is None else labelled_by(factor, names) for factor, names in named_by]
        own = made.name or (name if name.isprintable() and name else None)  # printed with the device in words
        named = factors[0] if len(factors) > 1 or factors[0].name else factors[0].named(own)
        known[name] = (
            ProductMechanism([named, *factors[1:]]).named(own) if isinstance(made, ProductMechanism) else named
        )
    return known


def _device(source: Source, asked: CountRequest, text: str) -> Mechanism:
    """Return the device for a text in the column of devices, which must be a name and never a path."""
    names = asked.device_names
    try:
        made = named_mechanism(text) if names is None else names[label_form(text)]
        _ = made.factors[0].matrix  # one of too many entries is refused
        return made
    except (RroptError, KeyError):
        received = ""  # without a file of names, the column may be another one, with answers
        allowed = "names such as bits:crosswise:1/4,crosswise:3/4, in quotation marks, of at most a million entries"
        if names is not None:
            received = f"received {shown(text)}, and "
            allowed = f"the {len(names)} names of the file of devices"
        assert asked.devices is not None
        first = source.rows_where(asked.devices, lambda value: label_form(text_of(value)) == label_form(text))[:1]
        raise FileFormatError(
            f"{source.where(first)} of the data names no mechanism: {received}in the column {shown(asked.devices)} "
            f"allowed are {allowed}"
        ) from None


_DENSE = 1 << 20  # up to this many combinations, responses are an array of counts; beyond, they are rows


def read_answers(data: Any, asked: CountRequest) -> tuple[list[Answers], TableReading]:
    """Return the joint responses to all questions, by device, and a summary of the input.

    Args:
        data: as for ``estimate_table``.
        asked: the columns, their categories, and the mechanism or the column of devices.

    Raises:
        The exceptions of ``estimate_table``.
    """
    require_one_device(asked.mechanism, asked.devices)
    work = partial(answers_by_device, asked)
    return table_of(data).found(asked.names, work, asked.titles, width=len(asked.titles))


def counts_by_device(asked: CountRequest, source: Source) -> tuple[list[tuple[Mechanism, list[int]]], TableReading]:
    """Return each device with the counts of the responses to one question, and a summary of the input."""
    is_plain = not (asked.cells or asked.sample.is_complex)
    kinds = AnswerCounts(source, asked) if is_plain else kinds_of(source, asked, [(0,)])[0]
    known = mechanisms_of(source, asked, kinds.devices)
    codes = kinds.total(0)
    gaps, size = codes.get(MISSING, 0), next(iter(known.values())).factors[0].outputs
    absent = missing_of(asked, [kinds]) if gaps or asked.by else {}
    reading = reading_of(source, asked, [codes], [size], left_out=gaps, **absent)
    if gaps:
        told = with_noun(gaps, "missing answer was", "missing answers were")
        why = "left out: the estimates are biased if whether people answer depends on their answer"
        reading = replace(reading, remarks=(*reading.remarks, f"{told} {why}"))
    if len(known) == 1:
        return [(device, [codes.get(code, 0) for code in range(size)]) for device in known.values()], reading
    assert isinstance(kinds, RespondentKinds)  # plain responses have one device
    (found,) = kinds.counts(0, known).values()
    return [(device, counts.tolist()) for device, counts in found], reading


def answers_by_device(asked: CountRequest, source: Source) -> tuple[list[Answers], TableReading]:
    """Return the joint responses to all questions, by device, and a summary of the input."""
    questions = range(len(asked.titles))
    is_joint = len(asked.titles) > 1 and not (asked.by or asked.devices)
    (kinds,) = kinds_of(source, asked, [questions], is_limited=not is_joint)
    known = {
        name: one if isinstance(one, ProductMechanism) else ProductMechanism([one])
        for name, one in mechanisms_of(source, asked, kinds.devices).items()
    }
    totals = [kinds.total(question) for question in questions]
    codes = np.stack([kinds.codes[question] for question in questions], axis=1)
    n = kinds.columns["n"].astype(np.int64)
    whole = (codes != MISSING).all(axis=1)
    gaps = int(n[~whole].sum())
    places: dict[ProductMechanism, list[Ints]] = {}  # names of one device are one group
    for _, name, own in kinds.by_cell(whole):
        places.setdefault(known[name], []).append(own)
    sizes = [device.outputs for device in next(iter(known.values())).factors]
    reading = reading_of(source, asked, totals, sizes, left_out=gaps, **missing_of(asked, [kinds]))
    found = [
        answers_with(device, codes[own], n[own])
        for device, own in zip(places, map(np.concatenate, places.values()), strict=True)
    ]
    return [replace(found[0], excluded=gaps), *found[1:]], reading


def answers_with(product: ProductMechanism, codes: Ints, n: Ints) -> Answers:
    """Return the responses with given codes: as counts, or as rows if the combinations do not fit in memory.

    Args:
        product: the devices of the questions.
        codes: the codes of the responses, shape (kinds, questions).
        n: the number of respondents of each kind.
    """
    from rropt.answers import answers_of_counts, answers_of_rows

    if product.outputs > _DENSE:
        order = np.lexsort(codes.T)  # engines return groups in any order
        return answers_of_rows(product, np.repeat(codes[order].astype(np.int16), n[order], axis=0))
    strides = np.cumprod([1, *(device.outputs for device in product.factors[:-1])])
    counts = np.zeros(product.outputs, np.int64)
    np.add.at(counts, codes @ strides, n)
    return answers_of_counts(product, counts)
