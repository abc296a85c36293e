"""The joint responses of a table to all questions, by device: its counts as arrays, or as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.survey.populations.linearization import Ints
from rropt.survey.questions.responses import Answers, answers_of_counts, answers_of_rows
from rropt.survey.tables.counting import CountRequest, Reading, labelled_by, reading_of
from rropt.survey.tables.devices import mechanisms_of, require_one_device
from rropt.survey.tables.engines import read_with_engine
from rropt.survey.tables.kinds import kinds_of
from rropt.survey.tables.response_codes import MISSING
from rropt.survey.tables.sources import Source

_DENSE = 1 << 20  # up to this many combinations, responses are an array of counts; beyond, they are rows


def read_answers(
    data: Any,
    asked: CountRequest,
    mechanism: Mechanism | None,
    device_names: Mapping[str, Mechanism | str] | None = None,
    *,
    engine: Any = "duckdb",
    table: str | None = None,
    sheet: str | int | None = None,
) -> tuple[list[Answers], Reading]:
    """Return the joint responses to all questions, by device, and a summary of the input.

    Args:
        data: as for ``estimate_table``.
        asked: the columns, their categories, and the column of devices.
        mechanism: the device of all respondents; ``None`` with a column of devices.
        device_names: maps the names in that column to devices.
        engine, table, sheet: as for ``estimate_table``.

    Raises:
        The exceptions of ``estimate_table``.
    """
    require_one_device(mechanism, asked.devices)
    asked = replace(asked, mechanism=mechanism, device_names=device_names)

    def work(source: Source) -> tuple[list[Answers], Reading]:
        questions = range(asked.questions)
        is_joint = asked.questions > 1 and not (asked.by or asked.devices)
        (kinds,) = kinds_of(source, asked, [questions], is_limited=not is_joint)
        known = mechanisms_of(source, asked, kinds.devices)
        totals = [kinds.total(question) for question in questions]
        patterns: dict[ProductMechanism, list[tuple[Ints, Ints]]] = {}  # names of one device are one group
        gaps = 0
        for _, name, codes, n in kinds.patterns(questions):
            whole = (codes != MISSING).all(axis=1)
            gaps += int(n[~whole].sum())
            if whole.any():
                patterns.setdefault(known[name], []).append((codes[whole], n[whole]))
        sizes = [device.outputs for device in next(iter(known.values())).factors]
        reading = reading_of(source, asked, totals, sizes, left_out=gaps)
        found = [
            answers_with(_labelled(device, asked), *map(np.concatenate, zip(*parts, strict=True)))
            for device, parts in patterns.items()
        ]
        if gaps and asked.questions == 1:  # the estimates of several questions have their own remark
            told = f"{gaps} missing answers were left out: the estimates are biased if whether people answer depends on"
            reading = replace(reading, remarks=(*reading.remarks, f"{told} their answer"))
        return [replace(found[0], excluded=gaps), *found[1:]], reading

    answers: tuple[list[Answers], Reading] = read_with_engine(
        engine, data, asked.names, work, width=asked.questions, table=table, sheet=sheet
    )
    return answers


def _labelled(product: ProductMechanism, asked: CountRequest) -> ProductMechanism:
    """Return the devices with the names of the responses in the data, if they have none."""
    factors = [labelled_by(device, names) for device, names in zip(product.factors, asked.categories, strict=True)]
    return ProductMechanism(factors).named(product.name)


def answers_with(product: ProductMechanism, codes: Ints, n: Ints) -> Answers:
    """Return the responses with given codes: as counts, or as rows if the combinations do not fit in memory.

    Args:
        product: the devices of the questions.
        codes: the codes of the responses, shape (kinds, questions).
        n: the number of respondents of each kind.
    """
    if product.outputs > _DENSE:
        return answers_of_rows(product, np.repeat(codes.astype(np.int16), n, axis=0))
    strides = np.cumprod([1, *(device.outputs for device in product.factors[:-1])])
    counts = np.zeros(product.outputs, np.int64)
    np.add.at(counts, codes @ strides, n)
    return answers_of_counts(product, counts)
