"""The joint responses of a table to all questions, by device: its counts as arrays, or as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.survey.questions.responses import Answers, answers_of_counts, answers_of_rows
from rropt.survey.tables.counting import (
    CountRequest,
    Reading,
    count_patterns,
    one_question,
    reading_of,
    require_valid,
    total,
)
from rropt.survey.tables.devices import mechanisms_of, require_answers, require_one_device
from rropt.survey.tables.engines import read_with_engine
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

    def work(source: Source) -> tuple[list[Answers], Reading]:
        counts = count_patterns(source, asked)
        known = mechanisms_of(source, asked, counts, mechanism, device_names)
        first = next(iter(known.values()))
        for question, device in enumerate(first.factors):
            require_valid(source, asked, question, total(counts, question), device.outputs)
        gaps = sum(n for codes in counts.values() for pattern, n in codes.items() if MISSING in pattern)
        rows = sum(n for codes in counts.values() for n in codes.values())
        require_answers(asked, gaps, rows, range(asked.questions))
        found = []
        for cell, codes in counts.items():
            patterns = {pattern: n for pattern, n in codes.items() if MISSING not in pattern}
            if patterns:
                found.append(answers_with(known[cell.device], patterns))
        by_question = [
            {cell: one_question(codes, question) for cell, codes in counts.items()}
            for question in range(asked.questions)
        ]
        reading = reading_of(source, asked, by_question, left_out=gaps)
        if gaps and asked.questions == 1:  # the estimates of several questions have their own remark
            told = f"{gaps} missing answers were left out: the estimates are biased if whether people answer depends on"
            reading = replace(reading, remarks=(*reading.remarks, f"{told} their answer"))
        return [replace(found[0], excluded=gaps), *found[1:]], reading

    answers: tuple[list[Answers], Reading] = read_with_engine(
        engine, data, asked.names, work, width=asked.questions, table=table, sheet=sheet
    )
    return answers


def answers_with(product: ProductMechanism, patterns: Mapping[tuple[int, ...], int]) -> Answers:
    """Return the responses with given patterns: as counts, or as rows if the combinations do not fit in memory."""
    sizes = [device.outputs for device in product.factors]
    codes = np.array(list(patterns), np.int64).reshape(len(patterns), len(sizes))
    numbers = np.fromiter(patterns.values(), np.int64, len(patterns))
    if product.outputs > _DENSE:
        return answers_of_rows(product, np.repeat(codes.astype(np.int16), numbers, axis=0))
    places, stride = np.zeros(len(patterns), np.int64), 1
    for question, size in enumerate(sizes):
        places += stride * codes[:, question]
        stride *= size
    counts = np.zeros(product.outputs, np.int64)
    np.add.at(counts, places, numbers)
    return answers_of_counts(product, counts)
