"""The responses of a table by device: the counts of one question, or the joint responses to all questions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.question_selection import product_of
from rropt.survey.populations.linearization import Ints
from rropt.survey.tables.counting import CountRequest, TableReading, reading_of
from rropt.survey.tables.device_columns import mechanisms_of, require_one_device
from rropt.survey.tables.kinds import kinds_of, missing_of
from rropt.survey.tables.readers import read
from rropt.survey.tables.response_codes import MISSING
from rropt.survey.tables.sources import Source

if TYPE_CHECKING:
    from rropt.survey.questions.responses import Answers

_DENSE = 1 << 20  # up to this many combinations, responses are an array of counts; beyond, they are rows


def read_answers(
    data: Any,
    asked: CountRequest,
    *,
    engine: Any = "duckdb",
    table: str | None = None,
    sheet: str | int | None = None,
    unweighted: bool = False,
) -> tuple[list[Answers], TableReading]:
    """Return the joint responses to all questions, by device, and a summary of the input.

    Args:
        data, engine, table, sheet, unweighted: as for ``estimate_table``.
        asked: the columns, their categories, and the mechanism or the column of devices.

    Raises:
        The exceptions of ``estimate_table``.
    """
    require_one_device(asked.mechanism, asked.devices)
    work = partial(answers_by_device, asked)
    return read(
        data, asked.names, work, engine=engine, width=len(asked.titles), table=table, sheet=sheet, unweighted=unweighted
    )


def counts_by_device(asked: CountRequest, source: Source) -> tuple[list[tuple[Mechanism, list[int]]], TableReading]:
    """Return each device with the counts of the responses to one question, and a summary of the input."""
    (kinds,) = kinds_of(source, asked, [(0,)])
    known = mechanisms_of(source, asked, kinds.devices)
    codes = kinds.total(0)
    gaps, size = codes.get(MISSING, 0), next(iter(known.values())).factors[0].outputs
    reading = reading_of(source, asked, [codes], [size], left_out=gaps, **missing_of(asked, [kinds]))
    if gaps:
        told = with_noun(gaps, "missing answer was", "missing answers were")
        why = "left out: the estimates are biased if whether people answer depends on their answer"
        reading = replace(reading, remarks=(*reading.remarks, f"{told} {why}"))
    (found,) = kinds.counts(0, known).values()
    return [(device, counts.tolist()) for device, counts in found.items()], reading


def answers_by_device(asked: CountRequest, source: Source) -> tuple[list[Answers], TableReading]:
    """Return the joint responses to all questions, by device, and a summary of the input."""
    questions = range(len(asked.titles))
    is_joint = len(asked.titles) > 1 and not (asked.by or asked.devices)
    (kinds,) = kinds_of(source, asked, [questions], is_limited=not is_joint)
    known = {name: product_of(one) for name, one in mechanisms_of(source, asked, kinds.devices).items()}
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
    from rropt.survey.questions.responses import answers_of_counts, answers_of_rows

    if product.outputs > _DENSE:
        order = np.lexsort(codes.T)  # engines return groups in any order
        return answers_of_rows(product, np.repeat(codes[order].astype(np.int16), n[order], axis=0))
    strides = np.cumprod([1, *(device.outputs for device in product.factors[:-1])])
    counts = np.zeros(product.outputs, np.int64)
    np.add.at(counts, codes @ strides, n)
    return answers_of_counts(product, counts)
