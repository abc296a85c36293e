"""Estimates from tables: of each question in each group, or the answers to all questions together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rropt.errors import FileFormatError, InvalidParameterError, RroptError, shown
from rropt.estimation.answers import Answers, answers_of_counts, answers_of_rows, product_of
from rropt.estimation.distributions import exact_confidence
from rropt.estimation.groups import ShareComparison, compare_groups
from rropt.mechanisms import Mechanism, ProductMechanism, named_mechanism
from rropt.responses.counting import (
    MISSING,
    Asked,
    Cell,
    Counts,
    Reading,
    checked_categories,
    count_patterns,
    count_questions,
    first_row_of,
    first_rows,
    reading_of,
    require_valid,
    total,
)
from rropt.responses.group_estimates import GroupEstimates
from rropt.responses.readers import read
from rropt.responses.sources import Source

_DENSE = 1 << 20  # combinations of answers that are held as an array of counts; beyond it as rows
ALL = "all"  # the group where there are none


def estimate_table(
    data: Any,
    columns: str | Sequence[str],
    mechanism: Mechanism | str | None = None,
    *,
    devices: str | None = None,
    device_names: Mapping[str, Mechanism | str] | None = None,
    categories: Sequence[str] | None = None,
    by: str | Sequence[str] = (),
    missing: Sequence[str] | None = None,
    exclude_missing: bool = False,
    confidence: object = "0.95",
) -> GroupEstimates:
    """Return the estimates of each question in each group, from a table with one row for each respondent.

    Args:
        data: a path (CSV, Parquet, Feather, Excel), or a table of pandas, Polars or Arrow, or a DuckDB relation.
        columns: of the questions.
        mechanism: by which all answered: a product with a device for each question, or one device for one question.
        devices: in its place the column that names each respondent's.
        device_names: what the names in that column stand for; ``None``: they are names of designs, as warner:3/4.
        categories: names of the answers in the order of the mechanism's; ``None``: they are numbered 0, 1, ...
        by: columns of the groups.
        missing: texts that say that a question was not answered; ``None``: empty, NA, NaN, none, null or a dot.
        exclude_missing: leave such answers out of their question; otherwise they are an error.
        confidence: of the intervals.

    Raises:
        FileFormatError: the table cannot be read, or holds answers that are none.
        InvalidParameterError: a column that is not there, devices that do not fit, or missing answers.

    >>> import numpy
    >>> answers = {"same": numpy.array(["no"] * 112 + ["yes"] * 198, object)}
    >>> found = estimate_table(answers, "same", "crosswise:1/4", categories=["no", "yes"])
    >>> print(found.shares[0].groups[0].estimate, found.reading.rows)
    69/310 310
    """
    titles = (columns,) if isinstance(columns, str) else tuple(columns)
    asked = Asked(
        titles,
        len(titles),
        checked_categories(categories),
        None if missing is None else tuple(missing),
        (by,) if isinstance(by, str) else tuple(by),
        devices,
    )
    level = exact_confidence(confidence)
    require_one_device(mechanism, devices)
    if len(set(asked.names)) != len(asked.names) or not titles:
        raise InvalidParameterError(
            f"the columns are not different: received {shown(', '.join(asked.names))}; allowed is each once, and at "
            "least one question"
        )

    def work(source: Source) -> GroupEstimates:
        counts = count_questions(source, asked)
        known = _mechanisms(source, asked, counts[0], mechanism, device_names)
        shares: list[ShareComparison] = []
        for question, title in enumerate(titles):
            outputs = next(iter(known.values())).factors[question].outputs
            require_valid(source, asked, question, total(counts[question]), outputs)
            groups = _groups(source, asked, counts[question], known, question, exclude=exclude_missing)
            shares += compare_groups(title, groups, level, categories=_named(asked, known, question))
        return GroupEstimates(reading_of(source, asked, counts), asked.by, level, len(known), tuple(shares))

    found: GroupEstimates = read(data, asked.names, work)
    return found


def read_answers(
    data: Any,
    asked: Asked,
    mechanism: Mechanism | None,
    device_names: Mapping[str, Mechanism | str] | None = None,
    *,
    exclude_missing: bool = False,
) -> tuple[list[Answers], Reading]:
    """Return the answers to all questions together, by device, and what was read.

    Raises:
        as ``estimate_table``.
    """
    require_one_device(mechanism, asked.devices)

    def work(source: Source) -> tuple[list[Answers], Reading]:
        counts = count_patterns(source, asked)
        known = _mechanisms(source, asked, counts, mechanism, device_names)
        first = next(iter(known.values()))
        for question, device in enumerate(first.factors):
            require_valid(source, asked, question, total(counts, question), device.outputs)
        gaps = sum(n for codes in counts.values() for pattern, n in codes.items() if MISSING in pattern)
        rows = sum(n for codes in counts.values() for n in codes.values())
        if gaps and (not exclude_missing or gaps == rows):
            _refuse_missing(source, asked, gaps, rows, range(asked.questions), every=exclude_missing)
        found = []
        for cell, codes in counts.items():
            patterns = {pattern: n for pattern, n in codes.items() if MISSING not in pattern}
            if patterns:
                found.append(_answers(known[cell.device], patterns))
        by_question = [
            {cell: _single(codes, question) for cell, codes in counts.items()} for question in range(asked.questions)
        ]
        return (
            [replace(found[0], excluded=gaps), *found[1:]],
            reading_of(source, asked, by_question, left_out=gaps),
        )

    answers: tuple[list[Answers], Reading] = read(data, asked.names, work, width=asked.questions)
    return answers


def require_one_device(mechanism: object, devices: str | None) -> None:
    """Refuse a table without a mechanism, or with two."""
    if (mechanism is None) == (devices is None):
        raise InvalidParameterError(
            "a mechanism is required: give --mechanism, or --devices COLUMN where the rows of the data name it, not "
            "both"
        )


def _mechanisms(
    source: Source,
    asked: Asked,
    counts: Counts,
    mechanism: Mechanism | str | None,
    device_names: Mapping[str, Mechanism | str] | None,
) -> dict[str, ProductMechanism]:
    """Return the product of each device's name; all ask the same questions."""
    if mechanism is not None:
        known = {"": product_of(_mechanism(mechanism))}
    else:
        known = {text: _device(source, asked, text, device_names) for text in sorted({cell.device for cell in counts})}
    sizes = {name: [device.outputs for device in product.factors] for name, product in known.items()}
    listed = list(sizes.values())
    if any(other != listed[0] for other in listed):
        raise FileFormatError(
            f"the mechanisms of the column {shown(asked.devices)} ask different questions: received {shown(listed)} "
            "answers to the questions; allowed are equal ones"
        )
    if len(listed[0]) != asked.questions:
        raise InvalidParameterError(
            f"the columns do not fit the mechanism: received {asked.questions} names; allowed are {len(listed[0])}, "
            "one for each question"
        )
    if asked.categories is not None and set(listed[0]) != {len(asked.categories)}:
        raise InvalidParameterError(
            f"the categories do not fit the mechanism: received {len(asked.categories)} names; allowed are as many as "
            f"its answers, {shown(sorted(set(listed[0])))}"
        )
    return known


def _mechanism(mechanism: Mechanism | str) -> Mechanism:
    return named_mechanism(mechanism) if isinstance(mechanism, str) else mechanism


def _device(
    source: Source, asked: Asked, text: str, device_names: Mapping[str, Mechanism | str] | None
) -> ProductMechanism:
    """Return what a text in the column of devices stands for: it is a name, and never the path of a file."""
    try:
        if device_names is None:
            return product_of(named_mechanism(text))
        return product_of(_mechanism(device_names[text]))
    except (RroptError, KeyError):
        allowed = "names such as bits:crosswise:1/4,crosswise:3/4, in quotation marks"
        if device_names is not None:
            allowed = f"the {len(device_names)} names of the file of devices"
        raise FileFormatError(
            f"{source.where(first_row_of(source, asked, text))} of the data names no mechanism (its content is not "
            f"repeated here): in the column {shown(asked.devices)} allowed are {allowed}"
        ) from None


def _named(asked: Asked, known: Mapping[str, ProductMechanism], question: int) -> tuple[str, ...] | None:
    """Return the names of the categories, where the answers are the categories."""
    device = next(iter(known.values())).factors[question]
    return asked.categories if device.inputs == device.outputs else None


def _groups(
    source: Source,
    asked: Asked,
    counts: Counts,
    known: Mapping[str, ProductMechanism],
    question: int,
    *,
    exclude: bool,
) -> dict[str, list[Answers]]:
    """Return the answers to a question by group, and in it by device."""
    gaps = total(counts).get(MISSING, 0)
    rows = sum(sum(codes.values()) for codes in counts.values())
    if gaps and (not exclude or gaps == rows):
        _refuse_missing(source, asked, gaps, rows, [question], every=exclude)
    groups: dict[str, dict[Mechanism, Answers]] = {}
    for cell, codes in counts.items():
        patterns = {pattern: n for pattern, n in codes.items() if pattern != (MISSING,)}
        if not patterns:
            continue
        device = known[cell.device].factors[question]
        one = _answers(ProductMechanism([device]), patterns)
        listed = groups.setdefault(_group_name(cell), {})
        if device in listed:  # devices that differ in other questions are one here
            one = answers_of_counts(one.mechanism, one.histogram() + listed[device].histogram())
        listed[device] = one
    return {group: list(listed.values()) for group, listed in groups.items()}


def _group_name(cell: Cell) -> str:
    return ", ".join(text or "(empty)" for text in cell.group) if cell.group else ALL


def _refuse_missing(
    source: Source, asked: Asked, gaps: int, rows: int, questions: Sequence[int], *, every: bool
) -> None:
    lines = first_rows(source, asked, " OR ".join(f"q{question} = {MISSING}" for question in questions))
    of = "every question" if len(questions) > 1 else shown(asked.titles()[questions[0]])
    if every:
        raise InvalidParameterError(f"no respondent answered {of}: received {rows} rows without an answer; give one")
    raise InvalidParameterError(
        f"answers are missing: received {gaps} of {rows} respondents without an answer to {of}, first in "
        f"{source.where(lines)}; to leave them out say so: exclude_missing=True (--exclude-missing)"
    )


def _answers(product: ProductMechanism, patterns: Mapping[tuple[int, ...], int]) -> Answers:
    """Return the answers that patterns stand for: as counts, or as rows where combinations are too many to hold."""
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


def _single(codes: Mapping[tuple[int, ...], int], question: int) -> dict[tuple[int, ...], int]:
    return {(code,): n for code, n in total({None: codes}, question).items()}
