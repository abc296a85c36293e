"""Tables counted by the responses of their respondents: what estimates receive, after all checks that need the rows."""

from __future__ import annotations

from collections.abc import Sequence

from rropt.answers.respondent_kinds import RespondentKinds, kinds_by_question
from rropt.answers.response_codes import MISSING
from rropt.answers.sample_descriptions import SamplingDesign
from rropt.core.lazy import numpy as np
from rropt.estimates import Counted
from rropt.inference import Sampled
from rropt_fieldwork.reading.counting import CountRequest, reading_of
from rropt_fieldwork.reading.device_columns import mechanisms_of
from rropt_fieldwork.reading.kinds import kinds_of, missing_of, question_blocks
from rropt_fieldwork.reading.sampling_designs import SampledRows, sampled_of
from rropt_fieldwork.reading.sources import Source


def counted(
    asked: CountRequest,
    source: Source,
    sets: Sequence[Sequence[int]] | None = None,
    *,
    is_limited: bool = True,
    outputs: Sequence[int] | None = None,
    is_joint: bool = False,
) -> Counted:
    """Count the respondents of a table, and check the responses, the devices and the sample.

    Args:
        asked: the questions, groups and devices, and the sampling design.
        source: the table.
        sets: the questions that are counted together; ``None``: as many as few kinds allow, the first one alone, which
            finds the devices.
        is_limited: whether to refuse too many kinds, where the sample is not complex.
        outputs: the number of outputs of each question's device; ``None``: those of the devices of the table.
        is_joint: whether only respondents with a response to every question are used.
    """
    sample = asked.sample
    if sample.numbers:
        source = source.with_marks(sample.numbers.values())
    every = kinds_of(source, asked, [(0,)] if sets is None else sets, is_limited=is_limited)
    known = {} if asked.mechanism is None else {"": asked.mechanism}
    subsets: dict[int, tuple[int, ...]] = {}
    if asked.subsets is not None:
        outputs = [len(asked.codes[0].met)]
        subsets = {code: chosen for chosen, code in asked.codes[0].met.items()}
    elif outputs is None:
        known = mechanisms_of(source, asked, every[0].devices)
        outputs = [device.outputs for device in next(iter(known.values())).factors]
    if sets is None:
        blocks = question_blocks(dict(enumerate(outputs[1:], 1)), every[0].cells)
        every += kinds_of(source, asked, blocks)
    by_question = kinds_by_question(every)
    totals = [kinds.total(question) for question, kinds in enumerate(by_question)]
    left_out = _without_a_response(every[0]) if is_joint else None
    missing = missing_of(asked, by_question)
    reading = reading_of(source, asked, totals, outputs, left_out=left_out, **missing)
    samples: tuple[tuple[Sampled, SamplingDesign], ...] = ()
    if sample.is_complex:
        rows = source.with_all_rows()
        samples = tuple(sampled_of(SampledRows(rows, sample, one.columns, one.texts)) for one in every)
    return Counted(reading, asked.titles, asked.by, asked.categories, known, tuple(every), samples, subsets)


def _without_a_response(kinds: RespondentKinds) -> int:
    """Return the number of respondents without a response to one of several questions, in a group."""
    if len(kinds.codes) == 1:
        return 0
    whole = np.logical_and.reduce([codes != MISSING for codes in kinds.codes.values()])
    return int(kinds.columns["n"][~whole & (kinds.group >= 0)].sum())
