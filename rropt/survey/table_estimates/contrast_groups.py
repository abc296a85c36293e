"""A contrast of a table in each group: several devices may determine it together, although no single one need do so.

The estimate and its variance are those of ``inference/contrasts.py``: the sum over the devices of a group of the mean
scores of their respondents, exactly for a simple random sample, and in complex surveys linearized or from replicates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rropt.answers.data_columns import Ints
from rropt.answers.response_codes import MISSING
from rropt.core.exact import as_text
from rropt.estimates.estimate_rows import design_rows, simple_rows
from rropt.estimates.estimated import SIMPLE, Estimates
from rropt.inference.contrast_noise import CONTRAST_NOISE
from rropt.inference.contrasts import contrast_scores
from rropt.inference.count_estimates import exact_contrast
from rropt.inference.interval_kinds import equal_remark
from rropt.mechanisms import Mechanism, ProductMechanism
from rropt.mechanisms.words import devices_in_words
from rropt.survey.respondents.counted import Counted
from rropt.survey.respondents.respondent_kinds import RespondentKinds


def contrasts_of_groups(
    counted: Counted,
    contrast: Sequence[object],
    confidence: Fraction,
    reference: Sequence[object] | None = None,
) -> Estimates:
    """Estimate a contrast that the devices of a table determine together, in each group.

    Args:
        counted: the respondents, counted by one question, or by several whose joint table has the contrast.
        contrast: c, shape (k,).
        confidence: the confidence of each interval.
        reference: the distribution at which the estimate has least variance, shape (k,); uniform by default.

    Raises:
        InfeasibleError: the devices of a group do not determine the contrast.
    """
    (kinds,), known, by = counted.kinds, counted.known, counted.by
    questions, mechanisms = range(len(counted.titles)), counted.mechanisms
    kinds.require_groups(counted.titles, by, questions)
    if len(questions) > 1:
        whole = np.logical_and.reduce([kinds.codes[question] != MISSING for question in questions])
        known = _as_one_question(kinds, known, whole)
    c = exact_contrast(contrast, mechanisms[0].inputs)
    each = [known[name].factors[0] for name in kinds.devices]
    devices = list(dict.fromkeys(each))
    device = np.array([devices.index(one) for one in each])[kinds.device]
    codes, n = kinds.codes[0], kinds.columns["n"].astype(np.int64)
    used, group = _with_responses(kinds, (codes != MISSING) & (kinds.group >= 0))
    names = [kinds.groups[number] for number in used]
    drawn, sample = None, SIMPLE
    if counted.samples:
        ((drawn, design),) = counted.samples
        sample = design.sample
    positive = n if drawn is None else kinds.columns["positive"].astype(np.int64)
    weight = n.astype(np.float64) if drawn is None else drawn.weight
    title = ", ".join(counted.titles)
    numbers = ",".join(map(as_text, c))
    scores = contrast_scores(
        f"contrast {numbers}",
        devices,
        device,
        np.where(codes == MISSING, -1, codes),
        c,
        group,
        positive,
        weight,
        names,
        reference,
    )

    def head(name: str | None, _: int) -> dict[str, Any]:
        return {"name": name or f"contrast {numbers}", "question": title, "group": name}

    listed = names if by else []
    if drawn is None:
        rows = simple_rows(scores, group, listed, n, (0,), "contrast", head, device)
    else:
        rows = design_rows(scores, group, listed, (drawn, positive), (0,), "contrast", head, device)
    remarks = equal_remark([one.name for one in rows if one.se == 0], are_left=len(rows) > 1)
    if counted.samples and design.fractions is not None:
        remarks = (*remarks, CONTRAST_NOISE)
    words = devices_in_words(mechanisms)
    return Estimates("contrast", tuple(rows), counted.titles, by, words, sample, tuple(remarks), confidence)


def _as_one_question(
    kinds: RespondentKinds, known: Mapping[str, Mechanism], whole: NDArray[np.bool_]
) -> dict[str, Mechanism]:
    """Count the cells of several questions as the responses of question 0, and return the devices of the cells.

    The first question varies fastest. Respondents who did not answer every question have no response.
    """
    sizes = [device.outputs for device in next(iter(known.values())).factors]
    strides = np.cumprod([1, *sizes[:-1]])
    codes = sum(stride * kinds.codes[question] for question, stride in enumerate(strides.tolist()))
    kinds.codes[0] = np.where(whole, codes, MISSING)
    return {name: ProductMechanism([Mechanism(one.matrix)]) for name, one in known.items()}


def _with_responses(kinds: RespondentKinds, is_used: Any) -> tuple[Ints, Ints]:
    """Return the groups that have a response, and the place of each kind's group among them; -1 for no such group."""
    used = np.unique(kinds.group[is_used])
    numbers = np.full(len(kinds.groups), -1)
    numbers[used] = np.arange(len(used))
    return used, np.where(kinds.group >= 0, numbers[kinds.group], -1)
